// Hosts count time in their own ways; contacts with a clock or a past must not care.
#include "tests/run/contract.h"

namespace grouser {
namespace {

class HostClock : public Contract {
 protected:
  static constexpr int kSteps = 60;

  /// Forces on the first port, over a path that depends on the number of the step alone.
  template <class TimeOf>
  std::vector<Vec3> forces(double step, TimeOf&& time_of) {
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
      led.X_WB.p += step * Vec3(0.1, 0.02, -0.02);
      led.V_WB.v = Vec3(0.1, 0.02, -0.02);
    }
    return out;
  }

  /// Hosts that count steps, add them up or start at another time get the same forces; `far` is
  /// their greatest difference from 1e6 s on, as a share of the force.
  void expect_same(double step, double far) {
    const std::vector<Vec3> expected = forces(step, [&](int k) { return k * step; });
    double scale = 0.0;
    for (const Vec3& force : expected) scale = std::max(scale, force.norm());
    EXPECT_GT(scale, 0.0);
    const auto compare = [&](const std::string& how, double share, auto&& time_of) {
      const std::vector<Vec3> found = forces(step, time_of);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_LE((found[k] - expected[k]).norm(), share * scale) << how << ", step " << k;
    };
    double sum = -step;
    compare("sum of steps", 1e-9, [&](int) { return sum += step; });
    for (const double first : {0.37, -2.5, 1e3, 1e6, -1e6, 1e6 + 1.0 / 3.0})
      compare("from " + std::to_string(first), std::abs(first) < 1e6 ? 1e-9 : far,
              [&](int k) { return first + k * step; });
  }
};

TEST_P(HostClock, DoesNotMatter) {
  expect_same(1e-3, 1e-9);  // five to an update of the soil
  expect_same(4e-4, 1e-9);
  // Times without end are off by up to 6e-11 s at 1e6 s, which soil that yields notices: layers by
  // 6e-9 of the force.
  expect_same(1.0 / 900.0, 1e-8);
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
