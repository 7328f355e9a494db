#include "grouser/contact/element_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "grouser/base/assert.h"
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

/// All of a shape lies in it.
struct Ball {
  Vec3 center = Vec3::Zero();
  double radius = 0.0;
};

Ball ball_of(const SphereShape& s) {
  return {Vec3::Zero(), s.radius};
}
Ball ball_of(const LineShape& s) {
  return {0.5 * (s.from + s.to), 0.5 * (s.to - s.from).norm() + s.radius};
}
Ball ball_of(const DiscShape& s) {
  return {Vec3::Zero(), s.radius + s.half_thickness};
}
Ball ball_of(const FrustumShape& s) {
  return {0.5 * s.height * Vec3::UnitZ(),
          std::hypot(std::max(s.bottom_radius, s.top_radius), 0.5 * s.height) + s.half_thickness};
}
Ball ball_of(const std::vector<Vec3>& points, double radius) {
  Ball out;
  for (const Vec3& point : points) out.center += point / static_cast<double>(points.size());
  for (const Vec3& point : points) out.radius = std::max(out.radius, (point - out.center).norm());
  out.radius += radius;
  return out;
}
Ball ball_of(const PolygonShape& s) {
  return ball_of(s.points, s.half_thickness);
}
Ball ball_of(const CurveShape& s) {
  return ball_of(s.points, s.radius);
}
/// It may swing out of any ball around its points.
Ball ball_of(const SplineShape&) {
  return {Vec3::Zero(), std::numeric_limits<double>::infinity()};
}
Ball ball_of(const ShapeDef& shape) {
  Ball out{Vec3::Zero(), std::numeric_limits<double>::infinity()};
  if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry))
    out = ball_of(*sphere);
  else if (const auto* element = std::get_if<ElementShape>(&shape.geometry))
    out = std::visit([](const auto& s) { return ball_of(s); }, *element);
  out.center = shape.X_BS * out.center;
  return out;
}

class GroupMemory final : public ContactMemory {
 public:
  std::vector<std::unique_ptr<ContactMemory>> pairs;

  std::unique_ptr<ContactMemory> clone() const override {
    auto out = std::make_unique<GroupMemory>();
    for (const auto& pair : pairs) out->pairs.push_back(pair->clone());
    return out;
  }
  void save(std::vector<std::byte>& out) const override {
    for (const auto& pair : pairs) pair->save(out);
  }
  std::size_t restore(std::span<const std::byte> in) override {
    std::size_t used = 0;
    for (const auto& pair : pairs) used += pair->restore(in.subspan(used));
    return used;
  }
};

class ElementGroup final : public ContactModel {
 public:
  struct Member {
    std::string name;  // of the shape
    std::size_t port = 0;
    Ball ball;  // in the body of the port
  };
  struct Pair {
    std::size_t first = 0, second = 0;  // members
    std::unique_ptr<ContactModel> model;
    double reach = 0.0;  // sum of the radii of both balls
  };

  ElementGroup(std::vector<std::string> bodies, std::vector<Member> members,
               std::vector<Pair> pairs)
      : bodies_(std::move(bodies)), members_(std::move(members)), pairs_(std::move(pairs)) {
    GROUSER_ASSERT(!pairs_.empty());
    for (Pair& pair : pairs_) {
      GROUSER_ASSERT(pair.first < members_.size() && pair.second < members_.size());
      pair.reach = members_[pair.first].ball.radius + members_[pair.second].ball.radius;
    }
    pairs_[0].model->make_memory()->save(nothing_kept_);
  }

  std::vector<std::string> body_names() const override { return bodies_; }
  std::unique_ptr<ContactMemory> make_memory() const override {
    auto out = std::make_unique<GroupMemory>();
    for (const Pair& pair : pairs_) out->pairs.push_back(pair.model->make_memory());
    return out;
  }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                  ContactOutput& out) const override {
    std::fill(out.wrenches.begin(), out.wrenches.end(), Wrench{});
    out.penetration = 0.0;
    Status status = Status::ok;
    const std::span<const Vec3> centers = place_balls(in, scratch);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (room_between(pairs_[i], centers) > 0.0) continue;
      const Question question(*this, pairs_[i], in);
      std::array<Wrench, 2> wrenches;
      ContactOutput answer{wrenches, {}, 0.0};
      status =
          worse(status, pairs_[i].model->evaluate(question.input, of(memory, i), scratch, answer));
      out.wrenches[question.first] += wrenches[0];
      out.wrenches[question.second] += wrenches[1];
      out.penetration = std::max(out.penetration, answer.penetration);
    }
    return status;
  }

  void commit(const ContactInput& in, ContactMemory& memory, Scratch& scratch) const override {
    const std::span<const Vec3> centers = place_balls(in, scratch);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      ContactMemory& kept = *static_cast<GroupMemory&>(memory).pairs[i];
      // On which side the two were does not matter any more once they are far.
      if (room_between(pairs_[i], centers) > 0.0) {
        [[maybe_unused]] const std::size_t used = kept.restore(nothing_kept_);
        GROUSER_ASSERT(used == nothing_kept_.size());
      } else {
        const Question question(*this, pairs_[i], in);
        pairs_[i].model->commit(question.input, kept, scratch);
      }
    }
  }

  /// One per pair.
  std::size_t event_count() const override { return pairs_.size(); }
  std::vector<ReportChannel> event_channels() const override {
    std::vector<ReportChannel> out;
    for (const Pair& pair : pairs_) {
      const std::string& first = members_[pair.first].name;
      const std::string& second = members_[pair.second].name;
      out.push_back(
          {first + "/" + second + "/touch", "m",
           "gap between '" + first + "' and '" + second + "', negative where they overlap"});
    }
    return out;
  }
  void event_functions(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                       std::span<double> out) const override {
    GROUSER_ASSERT(out.size() == pairs_.size());
    const std::span<const Vec3> centers = place_balls(in, scratch);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      out[i] = room_between(pairs_[i], centers);  // far: not more than the gap
      if (out[i] > 0.0) continue;
      const Question question(*this, pairs_[i], in);
      pairs_[i].model->event_functions(question.input, of(memory, i), scratch, out.subspan(i, 1));
    }
  }

  /// Those of a pair: the deepest gives depth and speed, forces and energy are sums.
  std::vector<ReportChannel> report_channels() const override {
    return pairs_[0].model->report_channels();
  }
  void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
              ContactReport& out) const override {
    const std::vector<ReportChannel> channels = report_channels();
    out.channels.assign(channels.size(), 0.0);
    out.patch.clear();
    ContactReport one;
    const std::span<const Vec3> centers = place_balls(in, scratch);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (room_between(pairs_[i], centers) > 0.0) continue;
      const Question question(*this, pairs_[i], in);
      pairs_[i].model->report(question.input, of(memory, i), scratch, one);
      const bool deepest = one.channels[0] > out.channels[0];
      for (std::size_t k = 0; k < channels.size(); ++k) {
        const bool sum = channels[k].unit == "N" || channels[k].unit == "J";
        if (sum)
          out.channels[k] += one.channels[k];
        else if (deepest)
          out.channels[k] = one.channels[k];
      }
      for (PatchElement element : one.patch) {
        element.index = static_cast<int>(i);
        out.patch.push_back(element);
      }
    }
  }

 private:
  /// What a pair is asked: the kinematics of its two bodies.
  struct Question {
    std::size_t first, second;  // ports
    std::array<BodyKinematics, 2> bodies;
    ContactInput input;

    Question(const ElementGroup& group, const Pair& pair, const ContactInput& in)
        : first(group.members_[pair.first].port),
          second(group.members_[pair.second].port),
          bodies{in.bodies[first], in.bodies[second]},
          input{in.time, bodies, {}} {}
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;
  };

  static const ContactMemory& of(const ContactMemory& memory, std::size_t pair) {
    GROUSER_ASSERT(dynamic_cast<const GroupMemory*>(&memory));
    return *static_cast<const GroupMemory&>(memory).pairs[pair];
  }

  std::span<const Vec3> place_balls(const ContactInput& in, Scratch& scratch) const {
    const std::span<Vec3> out = scratch.take<Vec3>(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      out[i] = in.bodies[members_[i].port].X_WB * members_[i].ball.center;
    return out;
  }
  /// Between the balls around the members of a pair; not positive if they overlap [m].
  double room_between(const Pair& pair, std::span<const Vec3> centers) const {
    const double far2 = (centers[pair.first] - centers[pair.second]).squaredNorm();
    return far2 > pair.reach * pair.reach ? std::sqrt(far2) - pair.reach : 0.0;
  }

  std::vector<std::string> bodies_;
  std::vector<Member> members_;
  std::vector<Pair> pairs_;  // at least one, all of the same kind
  std::vector<std::byte> nothing_kept_;
};

/// Which shapes fit, as indices. Throws InputError if there is none.
std::vector<std::size_t> fitting(const std::vector<ShapeDef>& shapes, const std::string& pattern,
                                 const std::string& key, const Place& place) {
  std::vector<std::size_t> out;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    names.push_back(shapes[i].name);
    if (matches_pattern(pattern, shapes[i].name)) out.push_back(i);
  }
  if (out.empty())
    throw InputError(place, key + " '" + pattern + "' fits no shape" + suggestion(pattern, names));
  return out;
}

template <class T>
std::size_t index_of(std::vector<T>& list, const T& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (index == list.size()) list.push_back(item);
  return index;
}

}  // namespace

std::unique_ptr<ContactModel> build_element_group(
    const ElementPatterns& patterns, const ShapeTable& shapes,
    const std::function<std::unique_ptr<ContactModel>(const ShapeDef&, const ShapeDef&)>& build) {
  const std::vector<ShapeDef>& all = shapes.shapes();
  std::vector<std::string> bodies;
  std::vector<std::size_t> used;  // shapes, in the order of the members
  std::vector<ElementGroup::Pair> pairs;
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const std::size_t a : fitting(all, patterns.first, patterns.first_key, patterns.place))
    for (const std::size_t b : fitting(all, patterns.second, patterns.second_key, patterns.place))
      if (all[a].body != all[b].body && seen.insert(std::minmax(a, b)).second)
        pairs.push_back({index_of(used, a), index_of(used, b), build(all[a], all[b]), 0.0});
  if (pairs.empty())
    throw InputError(patterns.place, "contact: all shapes that fit '" + patterns.first + "' and '" +
                                         patterns.second + "' are on one body");
  std::vector<ElementGroup::Member> members;
  for (const std::size_t i : used)
    members.push_back({all[i].name, index_of(bodies, all[i].body), ball_of(all[i])});
  return std::make_unique<ElementGroup>(std::move(bodies), std::move(members), std::move(pairs));
}

}  // namespace grouser
