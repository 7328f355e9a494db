// Bodies are led past each other on a fixed path, and only forces answer: the shortest way from a
// law to a hash.
#include <cmath>

#include "grouser/run/run_scene.h"
#include "grouser/run/simulation.h"
#include "tests/pinned/pinned_cases.h"
#include "tests/pinned/world_hash.h"
#include "tests/support/model_variants.h"

namespace grouser {
namespace {

constexpr int kActLength = 10;      // situations
constexpr double kTimeStep = 0.01;  // [s]; clocks of soil strike in between
constexpr int kLinearizeEvery = 5;  // situations

/// A number by its first six bits: a path hangs on what a model found only roughly, so that a law
/// that moved does not move the path.
double roughly(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(64.0 * mantissa) / 64.0, exponent);
}

/// How the body that is led moves against its start.
struct Offset {
  double out = 0.0;                           // along the normal, in depths at the start
  double along = 0.0;                         // sideways, likewise
  double tilt = 0.0;                          // in depths per size
  double out_speed = 0.0, slide_speed = 0.0;  // [m/s]
  double spin = 0.0;                          // [rad/s]
};

/// Five acts: touch, press, slide, stick, tilt and let go. `s` goes from 0 to 1 in each.
Offset offset_at(int act, double s) {
  switch (act) {
    case 0:  // from above the ground into it
      return {1.5 - 1.5 * s, 0.0, 0.0, -0.3 + 0.1 * s, 0.15 - 0.13 * s, 0.0};
    case 1:  // deeper, at last back a little
      return {-0.8 * s, 0.1 * s, 0.0, 0.2 - 0.25 * s, 0.02 * s, 0.1};
    case 2:  // sideways, through all speeds at which friction bends
      return {-0.8 + 0.3 * s, 0.1 + 3.0 * s, 0.0, 0.02, 0.6 * s * s * s * s, -4.0 * s * s * s * s};
    case 3:  // to and fro, next to at rest
      return {-0.5, 3.1 + (s < 0.5 ? 1e-3 : -1e-3) * s, 0.02 * s, 1e-6, (0.5 - s) * 1e-4, 1e-4};
    default:  // leaning over, and off
      return {-0.5 + 1.9 * s * s, 3.1 - s, 0.4 * s, 0.3 * s, 0.1 - 0.3 * s, 0.5 + s};
  }
}

/// The world of a scene at its start, and the frame in which one body is led.
struct Stage {
  ContactWorld world;
  std::vector<BodyKinematics> start;
  std::size_t led = 0;  // body
  Vec3 normal = Vec3::UnitZ(), sideways = Vec3::UnitX();
  double depth = 0.0, size = 0.0;
};

Stage make_stage(const PinnedCase& pinned, int threads) {
  Scene scene = load_scene(test::model_scene(pinned.model), pinned.overrides);
  scene.contact.threads = threads;
  Simulation simulation(scene);
  Stage stage{ContactWorld(scene.contact), {}};
  ContactWorld& world = stage.world;
  for (const std::string& name : world.bodies()) {
    const int body = simulation.mechanism().body(name, {}, "body");
    stage.start.push_back(simulation.mechanism().kinematics()[static_cast<std::size_t>(body)]);
  }
  // The body that the scene lets move first.
  stage.led = static_cast<std::size_t>(world.body(scene.bodies[0].name));

  // Pressed together at rest: which way is out, and how deep is it?
  for (std::size_t b = 0; b < stage.start.size(); ++b) {
    stage.start[b].V_WB = {};
    world.set_body(static_cast<int>(b), stage.start[b]);
  }
  world.evaluate(0.0);
  world.commit(0.0);
  stage.depth = roughly(world.greatest_penetration(0));
  const Vec3 force = world.wrench(static_cast<int>(stage.led)).force;
  stage.normal = (force / force.norm()).unaryExpr([](double x) { return roughly(x); }).normalized();
  stage.sideways =
      (Vec3(1.0, 0.25, 0.0) - stage.normal * stage.normal.dot(Vec3(1.0, 0.25, 0.0))).normalized();
  stage.size = 1e-3;
  for (const int a : world.ports(0))
    for (const int b : world.ports(0))
      stage.size = std::max(stage.size, (stage.start[static_cast<std::size_t>(a)].X_WB.p -
                                         stage.start[static_cast<std::size_t>(b)].X_WB.p)
                                            .norm());
  world.reset();  // forget the commit
  return stage;
}

/// Where the led body is and how it moves, by an offset. No function of libm has a part in it.
BodyKinematics led_body(const Stage& stage, const Offset& offset) {
  BodyKinematics body = stage.start[stage.led];
  body.X_WB.p += stage.depth * (offset.out * stage.normal + offset.along * stage.sideways);
  const Vec3 half_turn = 0.5 * offset.tilt * stage.depth / stage.size *
                         (stage.sideways + 0.5 * stage.normal.cross(stage.sideways));
  const Quat turn = Quat(1.0, half_turn.x(), half_turn.y(), half_turn.z()).normalized();
  body.X_WB.R = turn.toRotationMatrix() * body.X_WB.R;
  body.V_WB.v = offset.out_speed * stage.normal + offset.slide_speed * stage.sideways;
  body.V_WB.w = offset.spin * (stage.normal.cross(stage.sideways) + 0.25 * stage.normal);
  return body;
}

/// States follow their rates, but no further than a third of their size at once: rates may be
/// stiff.
void advance_states(ContactWorld& world) {
  const std::vector<double> scales = world.state_scales();
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double rate = world.state_derivatives()[i], most = scales[i] / 3.0;
    world.states()[i] += std::clamp(kTimeStep * rate, -most, most);
  }
}

}  // namespace

PinnedResult sweep_result(const PinnedCase& pinned, int threads) {
  Stage stage = make_stage(pinned, threads);
  ContactWorld& world = stage.world;
  PinnedResult result;
  result.numbers = {0.0, 0.0, 0.0};
  const StartWatch watch(world);
  result.has_states = watch.has_states();
  result.has_memory = watch.has_memory();

  Hash hash;
  for (std::size_t b = 0; b < stage.start.size(); ++b)
    world.set_body(static_cast<int>(b), stage.start[b]);
  for (int i = 0; i < 5 * kActLength; ++i) {
    const double time = kTimeStep * i;
    const BodyKinematics body =
        led_body(stage, offset_at(i / kActLength, (i % kActLength + 1) / double{kActLength}));
    world.set_body(static_cast<int>(stage.led), body);
    const Status status = world.evaluate(time);
    if (status != Status::ok)
      result.failure = "situation " + std::to_string(i) + " answers '" +
                       std::string(kStatusNames[static_cast<std::size_t>(status)]) + "'";
    add_body(hash, body);
    add_answers(hash, world);
    if (i % kLinearizeEvery == 0) {
      world.linearize(time);
      for (std::size_t c = 0; c < world.contact_count(); ++c)
        add_matrix(hash, world.linearization(c).matrix);
    }
    const double force = greatest_force(world);
    ++(force > 0.0 ? result.touching : result.apart);
    result.numbers[0] = std::max(result.numbers[0], force);
    result.numbers[1] += force;
    result.numbers[2] += world.wrench(static_cast<int>(stage.led)).torque.norm();

    world.commit(time);
    if (world.next_update() <= time) world.update(time);
    advance_states(world);
    const std::vector<std::byte> saved = world_bytes(world);
    add_bytes(hash, saved);
    result.states_moved |= watch.states_moved(saved);
    result.memory_changed |= watch.memory_changed(saved);
  }
  result.hash = hash.digest();
  return result;
}

}  // namespace grouser
