// A wheel of 0.15 m on soil: the four wheel models, by themselves and through the contract on a
// map, beside a textbook stress integral and beside the soil contact model in the same run.
#include "grouser/soil/wheel_soil.h"

#include <cmath>
#include <cstdlib>

#include "benchmarks/peers/plain_wong_reece.h"
#include "benchmarks/side_by_side.h"
#include "grouser/contact/world.h"
#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_shapes.h"

namespace {

using namespace grouser;

constexpr double kRadius = 0.15, kWidth = 0.1, kLoad = 80.0;

volatile double sink;

const SoilDef& sand() {
  return library_soil("dry-sand", {}, "soil").soil;
}

/// A wheel that drives with slip, its law and its states.
struct Driven {
  std::unique_ptr<WheelLaw> law;
  WheelMotion motion;
  std::vector<double> states, rates;
  WheelMemory memory;

  explicit Driven(const std::string& model, const Value& keys = {})
      : law(make_wheel_law(*read_wheel_soil(model, keys, "contact"), sand(), {kRadius, kWidth},
                           9.81)) {
    const SteadyQuery query{kLoad, 0.3, 0.05};
    motion = steady_motion(query, {kRadius, kWidth});
    motion.sinkage = law->steady(query).sinkage;
    states.assign(law->state_count(), 0.002);
    rates = states;
  }
  double ask(int i) {
    motion.forward += 1e-12 * i;  // never the same again
    const WheelForce f = law->evaluate(motion, states, memory, rates);
    return f.normal + f.drawbar + f.side + f.torque + (rates.empty() ? 0.0 : rates.back());
  }
};

TriangleMesh drum() {
  TriangleMesh mesh = make_cylinder({.radius = kRadius, .length = kWidth, .segments = 90});
  for (Vec3& v : mesh.vertices) v = Vec3(v.x(), v.z(), -v.y());
  return mesh;
}

/// Six wheels on hills, in one contact.
ContactWorldDef six_wheels(const std::string& model) {
  ContactWorldDef def;
  SoilGroundDef ground;
  ground.name = "ground";
  ground.soil = sand();
  ElevationGrid hills{Vec2::Zero(), 0.02, 300, 300, {}};
  for (std::size_t i = 0; i < hills.nx * hills.ny; ++i)
    hills.heights.push_back(0.02 * std::sin(0.05 * static_cast<double>(i % 300)));
  ground.heights = std::make_shared<const ElevationGrid>(hills);
  ground.spacing = hills.spacing;
  def.add(ground);
  Value keys;
  Value::Array objects;
  const auto mesh = std::make_shared<const TriangleMesh>(drum());
  for (int i = 0; i < 6; ++i) {
    ShapeDef shape;
    shape.name = shape.body = "wheel" + std::to_string(i);
    shape.geometry = MeshShape{mesh};
    def.shapes.push_back(shape);
    objects.emplace_back(shape.name);
  }
  set_at_path(keys, "soil", Value("ground"));
  set_at_path(keys, "objects", Value(objects));
  def.contacts = {read_wheel_soil(model, keys, "contact")};
  return def;
}

struct Rover {
  ContactWorld world;
  double x = 0.0;

  explicit Rover(const std::string& model) : world(six_wheels(model)) {}
  double ask() {
    x = x < 1.0 ? x + 1e-4 : 0.0;
    for (int i = 0; i < 6; ++i) {
      BodyKinematics body;
      const double at = 1.0 + x + 0.5 * (i / 2);
      body.X_WB.p = Vec3(at, 2.0 + (i % 2), 0.02 * std::sin(2.5 * at) + kRadius - 0.008);
      body.V_WB.v = Vec3(0.05, 0.0, 0.0);
      body.V_WB.w = Vec3(0.0, 0.45, 0.0);
      world.set_body(i, body);
    }
    world.evaluate(0.0);
    return world.wrench(0).force.x();
  }
};

PlainWongReece plain() {
  const SoilDef& soil = sand();
  return {kRadius,
          kWidth,
          soil.k_c / kWidth + soil.k_phi,
          soil.n,
          soil.cohesion,
          std::tan(soil.friction_angle),
          soil.shear_modulus,
          0.4,
          0.15};
}

/// Both integrals must be the same, the wheel without sinkage by slip: ours under its load, the
/// peer's at the sinkage that we find.
void require_same(const PlainWongReece& peer) {
  Value keys;
  set_at_path(keys, "bekker_janosi.slip_sinkage", Value(0.0));
  set_at_path(keys, "bekker_janosi.skid_sinkage", Value(0.0));
  const Driven wheel("bekker-janosi", keys);
  const SteadyWheel ours = wheel.law->steady({kLoad, 0.3});
  const PlainWongReece::Force theirs = peer.at(ours.sinkage, 0.3);
  // A hundred steps of the midpoint rule per zone: 1e-4 at the root of the pressure.
  if (std::abs(theirs.normal - kLoad) < 2e-4 * kLoad &&
      std::abs(theirs.drawbar - ours.drawbar) < 2e-4 * kLoad)
    return;
  std::fprintf(stderr, "wheel_soil: the peer carries %g N and pulls %g N, ours %g N and %g N\n",
               theirs.normal, theirs.drawbar, kLoad, ours.drawbar);
  std::exit(1);
}

void enter(Race& race, const std::string& name, Driven& wheel) {
  race.add(
      name,
      [&wheel] {
        double total = 0.0;
        for (int k = 0; k < 100; ++k) total += wheel.ask(k);
        sink = total;
      },
      100);
}

void enter(Race& race, const std::string& name, Rover& rover) {
  race.add(
      name, [&rover] { sink = rover.ask(); }, 6);
}

void print(const Race& race, const Contender& reference) {
  for (std::size_t i = 0; i < race.size(); ++i)
    std::printf("%-58s %9.3f us %9.3f us %8.4f\n", race[i].name.c_str(), 1e6 * race[i].fastest(),
                1e6 * race[i].median(), race[i].fastest() / reference.fastest());
}

}  // namespace

int main() {
  const PlainWongReece peer = plain();
  require_same(peer);
  const std::vector<std::string> models = {"bekker", "bekker-janosi", "terra", "rheological"};

  std::printf("One wheel, force and rates of its states\n");
  print_header();
  Race race;
  double z = 0.01;
  const std::string textbook = "textbook stress integral, 100 steps per zone";
  race.add(textbook, [&] {
    z = z < 0.02 ? z + 1e-6 : 0.01;
    sink = peer.at(z, 0.3).drawbar;
  });
  std::vector<std::unique_ptr<Driven>> wheels;
  std::vector<std::unique_ptr<Rover>> rovers;
  for (const std::string& model : models) {
    wheels.push_back(std::make_unique<Driven>(model));
    rovers.push_back(std::make_unique<Rover>(model));
    enter(race, model, *wheels.back());
  }
  race.run(25, 2e-3);
  print(race, race[0]);

  std::printf("\nSix wheels on a map through the contact world, per wheel\n");
  print_header();
  Race six;
  for (std::size_t i = 0; i < models.size(); ++i) enter(six, models[i], *rovers[i]);
  six.run(25, 2e-3);
  print(six, race[0]);
}
