// Hosts count time in their own ways; contacts with a clock or a past must not care.
#include "tests/run/contract.h"

namespace grouser {
namespace {

class HostClock : public Contract {
 protected:
  static constexpr int kSteps = 60;
  static constexpr double kStep = 1e-3;  // five to an update of the soil

  /// Forces on the first port, over a path that depends on the number of the step alone.
  template <class TimeOf>
  std::vector<Vec3> forces(TimeOf&& time_of) {
    ContactWorld driven(world.models());
    std::vector<Vec3> out;
    Situation now = start;
    BodyKinematics& led = now.bodies[static_cast<std::size_t>(driven.ports(0)[0])];
    for (int k = 0; k < kSteps; ++k) {
      const double time = time_of(k);
      put(driven, now);
      EXPECT_EQ(driven.evaluate(time), Status::ok);
      out.push_back(driven.wrench(driven.ports(0)[0]).force);
      driven.commit(time);
      driven.update(time);
      led.X_WB.p += kStep * Vec3(0.1, 0.02, -0.02);
      led.V_WB.v = Vec3(0.1, 0.02, -0.02);
    }
    return out;
  }
};

TEST_P(HostClock, DoesNotMatter) {
  const std::vector<Vec3> expected = forces([](int k) { return k * kStep; });
  double scale = 0.0;
  for (const Vec3& force : expected) scale = std::max(scale, force.norm());
  EXPECT_GT(scale, 0.0);
  const auto expect_same = [&](const std::string& how, double share, auto&& time_of) {
    const std::vector<Vec3> found = forces(time_of);
    for (int k = 0; k < kSteps; ++k)
      EXPECT_LE((found[static_cast<std::size_t>(k)] - expected[static_cast<std::size_t>(k)]).norm(),
                share * scale)
          << how << ", step " << k;
  };
  double sum = -kStep;
  expect_same("sum of steps", 1e-9, [&](int) { return sum += kStep; });
  for (const double first : {0.37, -2.5, 1e3, 1e6, -1e6, 1e6 + 1.0 / 3.0})
    expect_same("from " + std::to_string(first), 1e-9,
                [first](int k) { return first + k * kStep; });
}

TEST_P(HostClock, StrikesWhenAHostComesAsNearAsItCan) {
  if (world.next_update() > 1e9) return;  // no clock
  world.reset();
  put(world, start);
  world.evaluate(1e6);
  const double next = world.next_update();
  world.update(next - 1e-12);
  EXPECT_GT(world.next_update(), next + 1e-6);
  // Not when it is far from it.
  const double then = world.next_update();
  world.update(then - 1e-5);
  EXPECT_EQ(world.next_update(), then);
}

INSTANTIATE_TEST_SUITE_P(Models, HostClock, testing::ValuesIn(test::model_variants()),
                         contract_name);

}  // namespace
}  // namespace grouser
