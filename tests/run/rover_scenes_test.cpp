// The scenes of scenes/rovers.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/run/motion.h"

namespace grouser {
namespace {

TEST(MmxRover, StandsUpOnPhobos) {
  const Motion motion = motion_of(rover_scene("mmx_stand_up"), true);  // limits of legs
  const std::vector<Vec3>& rover = motion["rover"].position;
  // It lies on its belly while the legs unfold, and does not hop on them: gravity is so low that
  // 6 mm/s are enough for a hop of 3 mm.
  double highest = 0.0;
  for (std::size_t i = 0; i < motion.at(25.0); ++i) EXPECT_NEAR(rover[i].z(), 0.15, 1e-3);
  for (const Vec3& p : rover) highest = std::max(highest, p.z());
  // Standing: 0.21875 m for the legs, and rims of 0.1 m that sink in by a few millimetres.
  const double standing = 0.21875 + 0.1;
  EXPECT_NEAR(rover.back().z(), standing, 5e-3);
  EXPECT_LT(highest, standing + 3e-3);
  EXPECT_LT(motion["rover"].velocity.back().norm(), 1e-4);
  // It rose straight up, and level.
  EXPECT_NEAR(rover.back().x(), 0.0, 1e-3);
  EXPECT_NEAR(rover.back().y(), 0.0, 1e-6);
  // Wheels are drawn in by as much as the legs say, and roll: they are where the legs put them.
  const double base = motion["wheel_front_left"].position.back().x() -
                      motion["wheel_rear_left"].position.back().x();
  EXPECT_NEAR(base, 0.4375, 1e-3);
}

TEST(MmxRover, StandsUpOnAGridOfSoilToo) {
  const Motion motion = motion_of(rover_scene("mmx_stand_up", {"contact.wheels.model=scm"}), true);
  // Between rims that have sunk in by a millimetre and the tips of grousers, 8 mm high.
  EXPECT_GT(motion["rover"].position.back().z(), 0.21875 + 0.099);
  EXPECT_LT(motion["rover"].position.back().z(), 0.21875 + 0.108);
  // It goes on rocking by tenths of a millimetre: a hop of these takes half a second here.
  EXPECT_LT(motion["rover"].velocity.back().norm(), 3e-3);
}

TEST(ScoutRover, MakesSteadyProgressOnFractalTerrain) {
  const Motion motion = motion_of(rover_scene("scout_fractal", {"simulation.duration=5"}));
  const Track& middle = motion["module_middle"];
  // Six feet of a pair of wheels, one after the other on a circle of 0.2 m, take steps of 0.2 m in
  // a sixth of a turn.
  const double most = 0.2 / (kPi / 3.0 / 2.0);
  for (double t = 1.0; t < 5.0; t += 1.0) {
    const double way = (middle.position[motion.at(t + 1.0)] - middle.position[motion.at(t)]).x();
    EXPECT_GT(way, 0.5 * most) << t;  // uphill, and some slip
    EXPECT_LT(way, 1.2 * most) << t;
  }
}

}  // namespace
}  // namespace grouser
