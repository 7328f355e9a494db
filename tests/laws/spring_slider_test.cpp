#include "grouser/laws/spring_slider.h"

#include <gtest/gtest.h>

#include "grouser/base/random.h"

namespace grouser {
namespace {

constexpr SpringSlider kLaw{2e4, 20.0};

TEST(SpringSlider, IsASpringWithADamperBelowItsLimit) {
  const auto answer = spring_slider(kLaw, Vec3(1e-3, 0.0, 0.0), Vec3(0.0, 0.1, 0.0), 1e3);
  EXPECT_EQ(answer.force, Vec3(20.0, 2.0, 0.0));
  EXPECT_EQ(answer.rate, Vec3(0.0, 0.1, 0.0));
  EXPECT_DOUBLE_EQ(answer.dissipated, 0.2);  // c v^2
}

TEST(SpringSlider, SlidesWithItsLimitAndKeepsItsStretch) {
  // Pulled on at the stretch limit / k: it stays stretched, and everything goes into the slider.
  const double limit = 10.0, speed = 0.3;
  const auto answer = spring_slider(kLaw, limit / kLaw.stiffness, speed, limit);
  EXPECT_DOUBLE_EQ(answer.force, limit);
  EXPECT_NEAR(answer.rate, 0.0, 1e-15);
  EXPECT_NEAR(answer.dissipated, limit * speed, 1e-12);
}

TEST(SpringSlider, RelaxesOnItsDamperWhenTheLimitIsGone) {
  const auto answer = spring_slider(kLaw, 1e-3, 0.0, 0.0);
  EXPECT_EQ(answer.force, 0.0);
  EXPECT_DOUBLE_EQ(answer.rate, -1e-3 * kLaw.stiffness / kLaw.damping);
}

TEST(SpringSlider, StoresOrDissipatesWhatGoesIntoIt) {
  Random random(5);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  for (int i = 0; i < 1000; ++i) {
    const Vec3 z = vector(2e-3), v = vector(0.5);
    const double limit = random.uniform(0.0, 60.0);
    const auto answer = spring_slider(kLaw, z, v, limit);
    EXPECT_LE(answer.force.norm(), limit * (1.0 + 1e-12)) << "rounding alone goes beyond";
    EXPECT_GE(answer.dissipated, 0.0);
    const double stored = kLaw.stiffness * z.dot(answer.rate);
    EXPECT_NEAR(answer.force.dot(v), stored + answer.dissipated, 1e-10) << "of some 10 W";
  }
}

TEST(SpringSlider, IsContinuousWhereItBeginsToSlide) {
  const double z = 1e-3, limit = 25.0;
  const double v = (limit - kLaw.stiffness * z) / kLaw.damping;
  const auto before = spring_slider(kLaw, z, v - 1e-9, limit);
  const auto after = spring_slider(kLaw, z, v + 1e-9, limit);
  EXPECT_NEAR(before.force, after.force, 1e-7);  // 2e-9 m/s times the damping
  EXPECT_NEAR(before.rate, after.rate, 4e-9);
  EXPECT_NEAR(before.dissipated, after.dissipated, 1e-6);
}

}  // namespace
}  // namespace grouser
