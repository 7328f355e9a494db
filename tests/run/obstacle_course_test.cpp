// The obstacle course: a rover of 57 shapes with six spoked wheels against 38 boxes, as DLR's Scout
// drives it in the paper on their Contact Dynamics library (section 5.2).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/contact/convex_parts.h"
#include "grouser/contact/convex_patch.h"
#include "grouser/run/simulation.h"

namespace grouser {
namespace {

Scene course(const std::vector<std::string>& overrides = {}) {
  return load_scene(std::string(GROUSER_SCENES) + "/convex/obstacle_course.toml", overrides);
}

/// The parts of the scene's contact, and the bodies they are on as the simulation has them now.
class Pairs {
 public:
  explicit Pairs(Simulation& simulation)
      : world_(simulation.world()),
        def_(dynamic_cast<const ConvexDef&>(*simulation.scene().contact.contacts.at(0))),
        parts_(def_, world_.shapes()) {
    for (const std::string& name : parts_.body_names()) ports_.push_back(world_.body(name));
  }

  const ContactParts& parts() const { return parts_; }
  const std::string& body_name(const ContactPart& part) const {
    return parts_.body_names()[static_cast<std::size_t>(part.port)];
  }
  std::span<const NearPair> near(double margin) {
    bodies_.clear();
    for (const int port : ports_) bodies_.push_back(world_.kinematics(port));
    return parts_.near_pairs(bodies_, margin, scratch_);
  }
  /// Pairs that may touch, near or not.
  std::span<const NearPair> enabled() { return near(1e3); }
  /// Where near() or enabled() found them.
  bool touch(const NearPair& pair) {
    const ContactPart &a = parts_[pair.first], &b = parts_[pair.second];
    ConvexPatch patch;
    find_patch(a, place(a), b, place(b), parts_.surfaces(a, b).effective_modulus, def_.points,
               scratch_, patch);
    return patch.normal_force > 0.0;
  }
  void forget() { scratch_.reset(); }

 private:
  Pose place(const ContactPart& part) const {
    return bodies_[static_cast<std::size_t>(part.port)].X_WB * part.X_BS;
  }

  const ContactWorld& world_;
  const ConvexDef& def_;
  ContactParts parts_;
  std::vector<int> ports_;
  std::vector<BodyKinematics> bodies_;
  Scratch scratch_;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The rover and the course, and wheels of one side on modules next to each other.
bool may_touch(const std::string& a, const std::string& b) {
  if (a == "world" || b == "world") return a != b;
  const auto begins = [](const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
  };
  if (begins(a, "module") || begins(b, "module")) return false;
  return ends_with(a, "left") == ends_with(b, "left") && begins(a, "middle") != begins(b, "middle");
}

TEST(ObstacleCourse, HasTheObjectsOfThePaper) {
  const Scene scene = course();
  int rover = 0, boxes = 0, feet = 0;
  for (const ShapeDef& shape : scene.contact.shapes) {
    if (shape.body != "world") ++rover;
    const ConvexKind kind = std::get<ConvexBody>(shape.geometry).pieces.at(0).shape.kind;
    if (shape.body == "world" && kind == ConvexKind::box) ++boxes;
    if (kind == ConvexKind::cylinder) ++feet;
  }
  EXPECT_EQ(rover, 3 + 6 * 3 * 3);
  EXPECT_EQ(feet, 6 * 3);
  EXPECT_EQ(boxes, 38);
  EXPECT_EQ(scene.contact.shapes.size(), 57u + 38u);
}

TEST(ObstacleCourse, ComparesOnlyWhatMayMeet) {
  Simulation simulation(course());
  Pairs pairs(simulation);
  EXPECT_EQ(pairs.parts().enabled_count(), 57u * 38u + 4u * 9u * 9u);
  const std::span<const NearPair> enabled = pairs.enabled();
  EXPECT_EQ(enabled.size(), pairs.parts().enabled_count());  // all within the margin, none twice
  for (const NearPair& pair : enabled) {
    const ContactPart &a = pairs.parts()[pair.first], &b = pairs.parts()[pair.second];
    EXPECT_TRUE(may_touch(pairs.body_name(a), pairs.body_name(b)))
        << pairs.parts().object_name(a.object) << ", " << pairs.parts().object_name(b.object);
  }
}

TEST(ObstacleCourse, BoxesMissNoTouch) {
  Simulation simulation(course({"simulation.duration=2", "simulation.output_interval=0.1"}));
  Pairs pairs(simulation);
  std::size_t touching = 0, near_count = 0, samples = 0;
  RunOptions options;
  options.sample = [&](double) {
    pairs.forget();
    const auto touching_of = [&](std::span<const NearPair> all) {
      std::vector<std::uint64_t> keys;
      for (const NearPair& pair : all)
        if (pairs.touch(pair)) keys.push_back(pair.key());
      return keys;
    };
    const std::span<const NearPair> near = pairs.near(0.0);
    const std::vector<std::uint64_t> found = touching_of(near);
    EXPECT_EQ(found, touching_of(pairs.enabled()));
    touching += found.size();
    near_count += near.size();
    ++samples;
  };
  ASSERT_EQ(simulation.run(options).status, RecordingStatus::complete);
  EXPECT_GE(touching, 3 * (samples - 1));  // three feet, but for the start in the air
  // Boxes leave about one pair in a hundred.
  EXPECT_LT(near_count, samples * pairs.parts().enabled_count() / 50);
}

TEST(ObstacleCourse, IsTheSameToTheBitOnTwoThreads) {
  const auto hash_of = [](const std::string& threads) {
    Simulation simulation(course({"simulation.duration=1.5", "simulation.threads=" + threads}));
    const RunSummary summary = simulation.run();
    EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
    return summary.state_hash;
  };
  EXPECT_EQ(hash_of("1"), hash_of("2"));
}

TEST(ObstacleCourse, IsDrivenOver) {
  Simulation simulation(course({"simulation.duration=3"}));
  const Mechanism& mechanism = simulation.mechanism();
  const auto module = [&](const std::string& name) {
    const int body = mechanism.body("module_" + name, {}, "");
    return mechanism.kinematics()[static_cast<std::size_t>(body)].X_WB;
  };
  RunOptions options;
  options.sample = [&](double t) {
    for (const std::string name : {"front", "middle", "rear"}) {
      const Pose X_WM = module(name);
      // A wheel carries it between 0.115 and 0.2 m above the ground or a bar of at most 0.04 m.
      EXPECT_GT(X_WM.p.z(), 0.11) << name << " at " << t;
      EXPECT_LT(X_WM.p.z(), 0.25) << name << " at " << t;
      EXPECT_GT(X_WM.R(2, 2), 0.9) << name << " at " << t;  // upright
    }
  };
  const RunSummary summary = simulation.run(options);
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
  EXPECT_EQ(simulation.world().status_counts()[static_cast<std::size_t>(Status::impossible)], 0u);
  EXPECT_GT(module("front").p.x(), 1.3);  // beyond both bars, the second of which ends at 1.14 m
  EXPECT_LT(std::abs(module("middle").p.y()), 0.2);
  // All of its weight of 177 N on one foot presses it 2.6 mm deep: k d^1.5, k = 1.37e6.
  ASSERT_EQ(summary.contacts.size(), 1u);
  EXPECT_LT(summary.contacts[0].greatest_penetration, 2 * 2.6e-3);
}

}  // namespace
}  // namespace grouser
