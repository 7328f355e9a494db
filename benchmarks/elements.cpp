// Contact elements: one evaluation of the model, from poses and velocities to wrenches, of pairs
// that touch. Beside it FCL where it has the pair; it only finds depth, normal and place.
//
//   elements                      all of them
//   elements line-line            some of them
//   elements --cases              names for --callgrind
//   elements --callgrind CASE     evaluates one case for benchmarks/count_instructions.sh
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "benchmarks/instruction_count.h"
#include "benchmarks/peers/element_peer.h"
#include "benchmarks/side_by_side.h"
#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/run/run_scene.h"
#include "grouser/run/simulation.h"

namespace {

using namespace grouser;

constexpr int kRounds = 60;
constexpr double kRoundSeconds = 2e-3;
constexpr std::size_t kPoses = 100;

/// A scene of scenes/models with other options.
struct Row {
  const char* model;
  const char* what;
  double limit;  // [ns]
  std::vector<std::string> overrides = {};
};

/// The rod of line-cone from one point in the funnel's frame to another, touched from both sides.
std::vector<std::string> rod_from_to(const char* from, const char* to) {
  return {"body.rod.position=[0, 0, 0]",
          std::string("shape.rod.line={from=") + from + ", to=" + to + ", radius=0.01}",
          "shape.funnel.frustum.side=\"both\""};
}

std::string wavy(const char* kind, int points) {
  std::string list;
  for (int i = 0; i < points; ++i) {
    const double x = 2.0 * i / (points - 1) - 1.0;
    list += (i ? ", [" : "[") + std::to_string(x) + ", 0, " +
            std::to_string(0.1 * (1.0 - std::cos(4.0 * x))) + "]";
  }
  return "shape.wire=" + std::string("{name=\"wire\", body=\"wire\", ") + kind + "={points=[" +
         list + "], radius=0.003}}";
}

std::string star(int corners) {
  std::string list;
  for (int i = 0; i < corners; ++i) {
    const double r = i % 2 ? 0.2 : 0.1, angle = 2.0 * kPi * i / corners;
    list += (i ? ", [" : "[") + std::to_string(r * std::cos(angle)) + ", " +
            std::to_string(r * std::sin(angle)) + "]";
  }
  return "shape.plate.polygon.points=[" + list + "]";
}

std::vector<Row> rows() {
  return {{"sphere-sphere", "", 150},
          {"sphere-line", "", 150},
          {"sphere-disc", "", 150},
          {"sphere-disc", "at the rim", 150, {"body.ball.position=[0.27, 0.0, 0.024]"}},
          {"sphere-polygon",
           "triangle",
           150,
           {"shape.plate.polygon.points=[[0, 0], [0.4, 0], [0, 0.4]]"}},
          {"sphere-polygon", "6 corners", 150},
          {"sphere-polygon", "star of 40 corners", 150, {star(40)}},
          {"sphere-curve", "4 pieces", 150},
          {"sphere-curve", "200 pieces", 150, {wavy("curve", 201)}},
          {"sphere-spline", "4 pieces", 500},
          {"sphere-spline", "200 pieces", 500, {wavy("spline", 201)}},
          {"sphere-cone", "in a funnel", 150},
          {"sphere-cone",
           "on a cylinder",
           150,
           {"shape.funnel.frustum={bottom_radius=0.1, top_radius=0.1, height=0.3}",
            "body.ball.position=[0.129, 0, 0.15]"}},
          {"line-line", "crossed", 150},
          {"line-line",
           "parallel",
           150,
           {"shape.rod.line={from=[-0.15, 0, 0], to=[0.15, 0, 0], radius=0.01}",
            "body.rod.position=[0.02, 0, 0.019]"}},
          {"line-cone", "on the wall", 800},
          {"line-cone", "two points of the rim", 800,
           rod_from_to("[-0.3, 0.02, 0.209]", "[0.3, 0.02, 0.209]")},
          {"line-cone", "one point of the rim", 800,
           rod_from_to("[0.05, 0.02, 0.209]", "[0.35, 0.02, 0.209]")},
          {"line-cone", "over rim and wall", 800,
           rod_from_to("[0.0726, 0.02, 0.09]", "[0.3126, 0.02, 0.265]")},
          {"line-cone", "rim and lower end", 800,
           rod_from_to("[-0.1366, 0.01, 0.11]", "[0.4, 0.01, 0.2518]")}};
}

struct Kinematics {
  std::array<BodyKinematics, 2> bodies;
};

/// The model of a scene and situations around its start in which it touches, anywhere in the world.
class Touching {
 public:
  explicit Touching(const Row& row)
      : scene_(load_scene(std::string(GROUSER_SCENES) + "/models/" + row.model + ".toml",
                          row.overrides)),
        world_(scene_.contact) {
    Simulation simulation(scene_);
    Kinematics start;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& name = world_.bodies()[static_cast<std::size_t>(world_.ports(0)[k])];
      const int body = simulation.mechanism().body(name, {}, "body");
      start.bodies[k] = simulation.mechanism().kinematics()[static_cast<std::size_t>(body)];
    }
    for (std::size_t k = 0; k < 2; ++k) world_.set_body(world_.ports(0)[k], start.bodies[k]);
    world_.commit(0.0);  // as in a run: which side is touched is known
    scatter(start);
  }

  double ask() {
    double sum = 0.0;
    for (const Kinematics& now : situations_) sum += ask(now);
    return sum;
  }
  double ask(const Kinematics& now) {
    ContactOutput out{wrenches_, {}, 0.0};
    world_.contact(0).evaluate({0.0, now.bodies, {}}, world_.memory(0), scratch_, out);
    depth_ = out.penetration;
    return wrenches_[0].force.x() + wrenches_[1].torque.y();
  }

  const std::vector<Kinematics>& situations() const { return situations_; }
  double depth_of(const Kinematics& now) {
    ask(now);
    return depth_;
  }
  const ShapeDef& shape(std::size_t i) const { return scene_.contact.shapes[i]; }
  double share_touching() const { return share_touching_; }

 private:
  /// By less than a millimetre from the start, then both turned and carried away.
  void scatter(const Kinematics& start) {
    Random random(3);
    const auto vector = [&](double size) {
      return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                  random.uniform(-size, size));
    };
    std::size_t tried = 0;
    while (situations_.size() < kPoses) {
      if (++tried > 100 * kPoses)
        throw InputError("elements: the scene of " + world_.contact_model_name(0) +
                         " does not touch");
      Kinematics now = start;
      now.bodies[0].X_WB.p += vector(3e-4);
      now.bodies[0].X_WB.R = rotation_from_vector(vector(3e-4)) * now.bodies[0].X_WB.R;
      const Pose X{rotation_from_vector(vector(2.0)), vector(1.0)};
      for (BodyKinematics& body : now.bodies)
        body = {X * body.X_WB, {vector(1.0), X.R * body.V_WB.v + vector(0.1)}};
      if (depth_of(now) > 0.0) situations_.push_back(now);
    }
    share_touching_ = static_cast<double>(kPoses) / static_cast<double>(tried);
  }

  Scene scene_;
  ContactWorld world_;
  Scratch scratch_;
  std::array<Wrench, 2> wrenches_;
  double depth_ = 0.0;
  double share_touching_ = 0.0;
  std::vector<Kinematics> situations_;
};

volatile double sink;

/// False if the limit is missed.
bool section(const Row& row) {
  Touching ours(row);
  const ElementPeer peer = make_fcl_element_peer(ours.shape(0), ours.shape(1));
  Race race;
  race.add(
      "", [&] { sink = ours.ask(); }, kPoses);
  double greatest_difference = 0.0;
  if (peer.find) {
    race.add(
        "",
        [&] {
          double sum = 0.0;
          for (const Kinematics& now : ours.situations())
            sum += peer.find(now.bodies[0].X_WB, now.bodies[1].X_WB);
          sink = sum;
        },
        kPoses);
    for (const Kinematics& now : ours.situations())
      greatest_difference = std::max(
          greatest_difference,
          std::abs(peer.find(now.bodies[0].X_WB, now.bodies[1].X_WB) - ours.depth_of(now)));
  }
  race.run(kRounds, kRoundSeconds);
  const double fastest = 1e9 * race[0].fastest();
  std::printf("%-15s %-21s %8.1f %8.1f %8.0f %s", row.model, row.what, fastest,
              1e9 * race[0].median(), row.limit, fastest < row.limit ? "kept  " : "MISSED");
  if (peer.find)
    std::printf("  %-26s %9.1f %8.1f %9.1e", peer.name.c_str(), 1e9 * race[1].fastest(),
                median_ratio(race[1], race[0]), greatest_difference);
  std::printf("\n");
  return fastest < row.limit;
}

/// "sphere-disc/at-the-rim"
std::string case_name(const Row& row) {
  std::string out = row.model;
  if (*row.what) out += '/' + std::string(row.what);
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

int run_for_callgrind(const std::string& name) {
  for (const Row& row : rows()) {
    if (case_name(row) != name) continue;
    Touching ours(row);
    return count_instructions(kPoses, [&] { sink = ours.ask(); });
  }
  return refuse_case(name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string("--cases")) {
    for (const Row& row : rows()) std::printf("%s\n", case_name(row).c_str());
    return 0;
  }
  if (argc == 3 && argv[1] == std::string("--callgrind")) return run_for_callgrind(argv[2]);
  const auto wanted = [&](const std::string& name) {
    return argc < 2 || std::find(argv + 1, argv + argc, name) != argv + argc;
  };
  std::printf("%-15s %-21s %8s %8s %8s %6s  %-26s %9s %8s %9s\n", "[ns]", "", "fastest", "median",
              "limit", "", "peer, no force", "fastest", "by round", "depth off");
  bool kept = true;
  for (const Row& row : rows())
    if (wanted(row.model)) kept = section(row) && kept;
  return kept ? 0 : 1;
}
