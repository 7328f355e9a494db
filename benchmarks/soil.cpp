// Soil contact: a grouser wheel at 30 % slip under 300 N, beside a plain way to do the same.
//
//   soil [wheel] [real] [six] [extent]   without arguments all of them
//   soil --cases                         names for --callgrind
//   soil --callgrind CASE                one case for benchmarks/count_instructions.sh
#include <cmath>
#include <cstring>

#include "benchmarks/instruction_count.h"
#include "benchmarks/peers/ray_soil.h"
#include "benchmarks/side_by_side.h"
#include "grouser/assets/wheel.h"
#include "grouser/contact/world.h"
#include "grouser/soil/scm.h"
#include "grouser/soil/testbed.h"
#include "tests/support/irregular_mesh.h"

namespace {

using namespace grouser;

constexpr double kRadius = 0.25, kWidth = 0.2, kLoad = 300.0, kSlip = 0.3, kSpeed = 0.1;

/// Sinks the wheel until about 900 nodes of 10 mm are in contact.
SoilDef soft_soil() {
  SoilDef soil;
  soil.k_c = 1370.0;
  soil.k_phi = 55e3;
  soil.cohesion = 300.0;
  soil.friction_angle = 0.56;
  soil.shear_modulus = 0.025;
  return soil;
}

WheelDef wheel_def(bool grousers = true) {
  WheelDef def;
  def.radius = kRadius;
  def.width = kWidth;
  if (!grousers) return def;
  def.grouser_count = 24;
  def.grouser_height = 0.015;
  def.grouser_thickness = 0.01;
  return def;
}
std::shared_ptr<const TriangleMesh> wheel_mesh(bool grousers = true) {
  return std::make_shared<const TriangleMesh>(make_wheel(wheel_def(grousers)));
}

/// The same wheel, or one without grousers, as a file of a real one has it.
std::shared_ptr<const TriangleMesh> real_mesh(std::size_t triangles, bool grousers) {
  const TriangleMesh wheel = make_open_wheel({.radius = kRadius,
                                              .width = kWidth,
                                              .grousers = grousers ? 24 : 0,
                                              .height = 0.015,
                                              .thickness = 0.01});
  return std::make_shared<const TriangleMesh>(make_irregular(wheel, {.triangles = triangles}));
}

/// Wheels side by side that have driven far enough to be steady.
class Drive {
 public:
  Drive(double spacing, double extent, int wheels, int threads,
        std::shared_ptr<const TriangleMesh> wheel = wheel_mesh())
      : heights_(static_cast<std::size_t>(wheels), kRadius + 0.015),
        speeds_(static_cast<std::size_t>(wheels), 0.0) {
    SoilGroundDef ground;
    ground.name = "ground";
    ground.soil = soft_soil();
    ground.spacing = spacing;
    ground.size = Vec2(extent, extent);
    ContactWorldDef def;
    def.add(ground);
    def.threads = threads;
    ScmDef contact;
    contact.soil = "ground";
    mesh = std::move(wheel);
    for (int i = 0; i < wheels; ++i) {
      ShapeDef shape;
      shape.name = shape.body = "wheel_" + std::to_string(i);
      shape.geometry = MeshShape{mesh};
      def.shapes.push_back(shape);
      contact.objects.push_back(shape.name);
    }
    def.add(contact);
    preparation = time_of(1, [&] { world = std::make_unique<ContactWorld>(def); });
    for (int i = 0; i < wheels; ++i) bodies_.push_back(world->body("wheel_" + std::to_string(i)));
    for (int k = 0; k < 8000; ++k) step();
  }

  void place() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      BodyKinematics body;
      body.X_WB.p =
          Vec3(kSpeed * (1.0 - kSlip) * t - 1.0, 0.7 * (static_cast<double>(i) - 2.5), heights_[i]);
      const double w = kSpeed / kRadius;
      body.X_WB.R = Eigen::AngleAxisd(w * t, Vec3::UnitY()).toRotationMatrix();
      body.V_WB = {Vec3(0.0, w, 0.0), Vec3(kSpeed * (1.0 - kSlip), 0.0, speeds_[i])};
      world->set_body(bodies_[i], body);
    }
  }
  /// Half a millisecond, and an update of the soil where it is due.
  void step() {
    constexpr double h = 5e-4;
    place();
    world->evaluate(t);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const double force = world->wrench(bodies_[i]).force.z();
      speeds_[i] = (speeds_[i] + h * (force - kLoad) / 30.0) / (1.0 + 60.0 * h);
      heights_[i] += h * speeds_[i];
    }
    if (t >= world->next_update()) world->update(t);
    t += h;
  }
  std::size_t nodes() {
    ContactReport report;
    world->report(t, 0, report);
    return report.patch.size();
  }
  BodyKinematics kinematics() const { return world->kinematics(bodies_[0]); }

  std::unique_ptr<ContactWorld> world;
  std::shared_ptr<const TriangleMesh> mesh;
  double t = 0.0;
  double preparation = 0.0;  // [s]

 private:
  std::vector<int> bodies_;
  std::vector<double> heights_, speeds_;
};

/// Evaluation and update of a wheel that drives on, each timed alone.
void time_wheel(double spacing) {
  Drive drive(spacing, 100.0, 1, 1);
  const RaySoil rays(*drive.mesh, spacing, soft_soil());
  Contender evaluate{"evaluate, grid of " + std::to_string(int(1e3 * spacing)) + " mm", {}};
  Contender update{"update of the soil, after evaluate and commit of the step", {}};
  Contender alone{"update of the soil of a situation not yet evaluated", {}};
  Contender peer{"evaluate, a ray per node", {}};
  for (int round = 0; round < 400; ++round) {
    drive.place();
    evaluate.seconds.push_back(time_of(5, [&] { drive.world->evaluate(drive.t); }));
    if (round % 20 == 0) {
      const BodyKinematics body = drive.kinematics();
      peer.seconds.push_back(time_of(1, [&] { rays.force(body); }));
    }
    while (drive.t < drive.world->next_update()) drive.step();
    drive.place();
    const bool known = round % 2 == 0;
    if (known) drive.world->evaluate(drive.t);
    drive.world->commit(drive.t);
    (known ? update : alone).seconds.push_back(time_of(1, [&] { drive.world->update(drive.t); }));
    drive.step();
  }
  std::printf("\n24 grousers, %zu nodes in contact\n", drive.nodes());
  print_header();
  for (const Contender* c : {&evaluate, &update, &alone, &peer}) print_line(*c, evaluate);
}

/// Wheels of irregular triangles beside the generated one, in turns.
void time_real(double spacing, bool grousers) {
  struct Runner {
    std::unique_ptr<Drive> drive;
    Contender evaluate, update;
  };
  std::vector<Runner> runners;
  const auto add = [&](const std::string& name, std::shared_ptr<const TriangleMesh> mesh) {
    runners.push_back({std::make_unique<Drive>(spacing, 100.0, 1, 1, std::move(mesh)),
                       {"evaluate, " + name, {}},
                       {"update, " + name, {}}});
  };
  add("generated wheel", wheel_mesh(grousers));
  for (const std::size_t triangles : {2500, 40000})
    add(std::to_string(triangles) + " irregular triangles", real_mesh(triangles, grousers));
  for (int round = 0; round < 200; ++round)
    for (Runner& runner : runners) {
      Drive& drive = *runner.drive;
      drive.place();
      runner.evaluate.seconds.push_back(time_of(5, [&] { drive.world->evaluate(drive.t); }));
      while (drive.t < drive.world->next_update()) drive.step();
      drive.place();
      drive.world->evaluate(drive.t);
      drive.world->commit(drive.t);
      runner.update.seconds.push_back(time_of(1, [&] { drive.world->update(drive.t); }));
      drive.step();
    }
  std::printf("\nReal meshes %s grousers, grid of %d mm\n", grousers ? "with" : "without",
              int(1e3 * spacing));
  print_header();
  for (const Runner& r : runners) print_line(r.evaluate, runners[0].evaluate);
  for (const Runner& r : runners) print_line(r.update, runners[0].update);
  for (const Runner& r : runners)
    std::printf("%zu triangles: prepared in %.2f s, %.1f mm deep, %zu nodes\n",
                r.drive->mesh->triangle_count(), r.drive->preparation,
                1e3 * (kRadius + (grousers ? 0.015 : 0.0) - r.drive->kinematics().X_WB.p.z()),
                r.drive->nodes());
}

/// Six wheels on one and on two threads: steps with their updates.
void time_six() {
  Drive one(0.01, 100.0, 6, 1), two(0.01, 100.0, 6, 2);
  Contender on_one{"a step of six wheels, one thread", {}}, on_two{"two threads", {}};
  for (int round = 0; round < 60; ++round) {
    on_one.seconds.push_back(time_of(20, [&] { one.step(); }));
    on_two.seconds.push_back(time_of(20, [&] { two.step(); }));
  }
  std::printf("\n");
  print_header();
  print_line(on_one, on_one);
  print_line(on_two, on_one);
}

/// The same wheel on ground of 10 m and of 1 km, there also after 3 m more of driving.
void time_extent() {
  Drive small(0.01, 10.0, 1, 1), large(0.01, 1000.0, 1, 1);
  Contender on_small{"a step on 10 m of ground", {}}, on_large{"on 1 km", {}};
  for (int round = 0; round < 60; ++round) {
    on_small.seconds.push_back(time_of(40, [&] { small.step(); }));
    on_large.seconds.push_back(time_of(40, [&] { large.step(); }));
  }
  std::printf("\n");
  print_header();
  print_line(on_small, on_small);
  print_line(on_large, on_small);
  Contender later{"3 m further on", {}};
  for (int k = 0; k < 86000; ++k) large.step();
  for (int round = 0; round < 60; ++round)
    later.seconds.push_back(time_of(40, [&] { large.step(); }));
  print_line(later, on_small);
}

constexpr const char* kCases[] = {"evaluate-10mm", "evaluate-5mm", "step-10mm", "step-5mm"};

/// One wheel: evaluations at a place, or steps with the updates that are due in them.
int run_for_callgrind(const char* name) {
  constexpr std::size_t kEvaluations = 200;
  for (const char* known : kCases) {
    if (std::strcmp(known, name) != 0) continue;
    Drive drive(std::strstr(name, "10mm") ? 0.01 : 0.005, 100.0, 1, 1);
    drive.place();
    const bool steps = std::strncmp(name, "step", 4) == 0;
    return count_instructions(kEvaluations, [&] {
      for (std::size_t i = 0; i < kEvaluations; ++i) {
        if (steps)
          drive.step();
        else
          drive.world->evaluate(drive.t);
      }
    });
  }
  return refuse_case(name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--cases") == 0) {
    for (const char* name : kCases) std::printf("%s\n", name);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--callgrind") == 0) return run_for_callgrind(argv[2]);
  const auto wanted = [&](const char* name) {
    if (argc == 1) return true;
    for (int i = 1; i < argc; ++i)
      if (std::strcmp(argv[i], name) == 0) return true;
    return false;
  };
  if (wanted("wheel"))
    for (const double spacing : {0.01, 0.005}) time_wheel(spacing);
  if (wanted("real"))
    for (const bool grousers : {true, false})
      for (const double spacing : {0.02, 0.01}) time_real(spacing, grousers);
  if (wanted("six")) time_six();
  if (wanted("extent")) time_extent();
}
