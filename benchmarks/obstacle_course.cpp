// Contact of a rover of 57 shapes with an obstacle course of 38 boxes: time of one evaluation over
// the states of a drive, on one and two threads, and what groups and boxes save.
//
// obstacle_course [SECONDS]: of the drive whose states are taken; 12 take it down the slope.
#include "benchmarks/side_by_side.h"
#include "grouser/contact/convex_parts.h"
#include "grouser/contact/convex_patch.h"
#include "grouser/run/simulation.h"

namespace {

using namespace grouser;

constexpr int kRounds = 40;
constexpr int kPlainRounds = 5;  // of what takes long
constexpr int kCalls = 5;

/// Fastest of some calls [s]: they are short enough for the machine to leave one of them alone.
template <class Call>
double fastest_of(int calls, Call&& call) {
  double fastest = time_of(1, call);
  for (int i = 1; i < calls; ++i) fastest = std::min(fastest, time_of(1, call));
  return fastest;
}

/// Where everything was at a moment of the drive, and what the contact remembered.
struct Moment {
  double time = 0.0;
  std::vector<BodyKinematics> bodies;  // of the world
  std::vector<std::byte> memory;
};

std::vector<Moment> drive(const Scene& scene) {
  Simulation simulation(scene);
  const ContactWorld& world = simulation.world();
  std::vector<Moment> moments;
  RunOptions options;
  options.sample = [&](double t) {
    Moment moment{t, {}, world.save()};
    for (int b = 0; b < static_cast<int>(world.bodies().size()); ++b)
      moment.bodies.push_back(world.kinematics(b));
    moments.push_back(std::move(moment));
  };
  simulation.run(options);
  return moments;
}

/// A world that is put into the moments of a drive.
class Replay {
 public:
  Replay(const ContactWorldDef& def, int threads) : world_(with_threads(def, threads)) {}

  /// Mean time of an evaluation over all moments [s].
  double seconds(const std::vector<Moment>& moments) {
    double sum = 0.0;
    for (const Moment& moment : moments) {
      world_.restore(moment.memory);
      for (std::size_t b = 0; b < moment.bodies.size(); ++b)
        world_.set_body(static_cast<int>(b), moment.bodies[b]);
      sum += fastest_of(kCalls, [&] { world_.evaluate(moment.time); });
    }
    return sum / static_cast<double>(moments.size());
  }

 private:
  static ContactWorldDef with_threads(ContactWorldDef def, int threads) {
    def.threads = threads;
    return def;
  }
  ContactWorld world_;
};

/// Geometry alone: the pairs of a contact and where they touch, without forces.
class Search {
 public:
  Search(const ConvexDef& def, const ContactWorld& world)
      : points_(def.points), parts_(def, world.shapes()) {
    for (const std::string& name : parts_.body_names())
      ports_.push_back(static_cast<std::size_t>(world.body(name)));
  }

  std::size_t enabled_count() const { return parts_.enabled_count(); }
  void place(const Moment& moment) {
    bodies_.clear();
    for (const std::size_t port : ports_) bodies_.push_back(moment.bodies[port]);
  }
  /// Pairs whose boxes overlap. With a margin as long as the course these are all enabled ones.
  std::span<const NearPair> pairs(double margin = 0.0) {
    scratch_.reset();
    return parts_.near_pairs(bodies_, margin, scratch_);
  }
  std::size_t touching(std::span<const NearPair> pairs) {
    std::size_t count = 0;
    ConvexPatch patch;
    for (const NearPair& pair : pairs) {
      const ContactPart &a = parts_[pair.first], &b = parts_[pair.second];
      find_patch(a, pose(a), b, pose(b), parts_.surfaces(a, b).effective_modulus, points_, scratch_,
                 patch);
      if (patch.normal_force > 0.0) ++count;
    }
    return count;
  }

 private:
  Pose pose(const ContactPart& part) const {
    return bodies_[static_cast<std::size_t>(part.port)].X_WB * part.X_BS;
  }

  int points_;
  ContactParts parts_;
  std::vector<std::size_t> ports_;
  std::vector<BodyKinematics> bodies_;
  Scratch scratch_;
};

/// Mean over the moments of the time that `call(moment)` says it took [s].
template <class Call>
double mean_seconds(const std::vector<Moment>& moments, Call&& call) {
  double sum = 0.0;
  for (const Moment& moment : moments) sum += call(moment);
  return sum / static_cast<double>(moments.size());
}

/// Finding the pairs that are near.
double boxes_seconds(Search& search, const std::vector<Moment>& moments) {
  return mean_seconds(moments, [&](const Moment& moment) {
    search.place(moment);
    return fastest_of(kCalls, [&] { search.pairs(); });
  });
}

/// Finding the pairs that are near, and where they touch.
double with_boxes_seconds(Search& search, const std::vector<Moment>& moments) {
  return mean_seconds(moments, [&](const Moment& moment) {
    search.place(moment);
    return fastest_of(kCalls, [&] { search.touching(search.pairs()); });
  });
}

/// Asking every enabled pair where it touches; listing them is not timed.
double without_boxes_seconds(Search& search, const std::vector<Moment>& moments) {
  constexpr double kEverywhere = 1e3;
  return mean_seconds(moments, [&](const Moment& moment) {
    search.place(moment);
    const std::span<const NearPair> all = search.pairs(kEverywhere);
    return fastest_of(2, [&] { search.touching(all); });
  });
}

void print_counts(Search& search, const std::vector<Moment>& moments) {
  double near = 0.0, touching = 0.0;
  for (const Moment& moment : moments) {
    search.place(moment);
    const std::span<const NearPair> pairs = search.pairs();
    near += static_cast<double>(pairs.size());
    touching += static_cast<double>(search.touching(pairs));
  }
  const auto count = static_cast<double>(moments.size());
  std::printf("%zu moments of a drive; %zu pairs enabled, boxes of %.1f overlap, %.1f touch\n",
              moments.size(), search.enabled_count(), near / count, touching / count);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string seconds = argc > 1 ? argv[1] : "12";
  const Scene scene =
      load_scene(std::string(GROUSER_SCENES) + "/convex/obstacle_course.toml",
                 {"simulation.duration=" + seconds, "simulation.output_interval=0.05"});
  const std::vector<Moment> moments = drive(scene);
  const ContactWorld world(scene.contact);
  const auto& def = dynamic_cast<const ConvexDef&>(*scene.contact.contacts.at(0));
  ConvexDef all = def;  // everything against everything
  all.touch.clear();
  Search grouped(def, world), ungrouped(all, world);
  print_counts(grouped, moments);
  print_header();

  Replay one(scene.contact, 1), two(scene.contact, 2);
  Contender on_one{"evaluate, one thread", {}}, on_two{"evaluate, two threads", {}};
  Contender boxes{"of that, boxes: which pairs are near", {}};
  Contender geometry{"boxes, and where the pairs touch", {}};
  Contender no_boxes{"where all enabled pairs touch, without boxes", {}};
  Contender no_groups{
      "the same without groups: " + std::to_string(ungrouped.enabled_count()) + " pairs", {}};
  for (int round = 0; round < kRounds; ++round) {
    on_one.seconds.push_back(one.seconds(moments));
    on_two.seconds.push_back(two.seconds(moments));
    boxes.seconds.push_back(boxes_seconds(grouped, moments));
    geometry.seconds.push_back(with_boxes_seconds(grouped, moments));
    if (round >= kPlainRounds) continue;
    no_boxes.seconds.push_back(without_boxes_seconds(grouped, moments));
    no_groups.seconds.push_back(without_boxes_seconds(ungrouped, moments));
  }
  for (const Contender* c : {&on_one, &on_two, &boxes, &geometry, &no_boxes, &no_groups})
    print_line(*c, on_one);
}
