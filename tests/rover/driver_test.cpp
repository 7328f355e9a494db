// Manoeuvres, what comes after what, stuck rovers, notes.
#include "grouser/rover/driver.h"

#include <gtest/gtest.h>

#include "grouser/scene/toml_reader.h"
#include "tests/rover/drive_rover.h"
#include "tests/support/allocations.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

std::vector<ManoeuvreDef> drive(const std::string& text) {
  return read_drive(read_toml_text(text, "d.toml"), "");
}
/// Manoeuvres as inline tables, in short.
std::vector<ManoeuvreDef> list(const std::string& tables) {
  return drive("drive = [" + tables + "]");
}
KinematicRover rover(const std::string& tables, std::vector<DriveWheel> wheels = six_wheels(true),
                     const DriveDef& settings = {}) {
  return KinematicRover(Driver(settings, list(tables), std::move(wheels)));
}

// Manoeuvres

TEST(Driver, DrivesStraightByOdometryToRounding) {
  for (const double speed : {0.05, -0.05, 0.33}) {
    KinematicRover r =
        rover("{manoeuvre = 'straight', distance = 1.2345, speed = " + std::to_string(speed) + "}");
    const double end = r.driver().end();
    r.finish(100.0);
    EXPECT_NEAR(r.odometry(), 1.2345, 1e-12);
    EXPECT_NEAR(r.position.x(), std::copysign(1.2345, speed), 1e-9);
    EXPECT_EQ(r.position.y(), 0.0);
    EXPECT_EQ(r.commands()[0].rim_speed, 0.0);
    EXPECT_NEAR(r.time, end + r.driver().period(), 1e-9);  // the tick that finds nothing left
  }
}

TEST(Driver, DrivesAnArcToItsAngle) {
  for (const char* radius : {"2.0", "-2.0"})
    for (const char* speed : {"0.05", "-0.05"}) {
      KinematicRover r = rover(std::string("{manoeuvre = 'arc', angle = 1.5, radius = ") + radius +
                               ", speed = " + speed + "}");
      r.finish(200.0);
      const double turn = 1.5 * std::copysign(1.0, std::stod(radius) * std::stod(speed));
      EXPECT_NEAR(r.turned(), turn, 1e-12);
      // Midpoint steps of the test's rover, 0.6 mm long on a radius of 2 m.
      EXPECT_NEAR(r.heading, turn, 1e-9);
      EXPECT_NEAR((r.position - Vec2(0.0, std::stod(radius))).norm(), 2.0, 1e-6);
    }
}

TEST(Driver, TurnsOnTheSpotAndCrabs) {
  KinematicRover turn = rover("{manoeuvre = 'point_turn', angle = -1.5708}");
  turn.finish(100.0);
  EXPECT_NEAR(turn.turned(), -1.5708, 1e-12);
  EXPECT_NEAR(turn.heading, -1.5708, 1e-9);
  EXPECT_LT(turn.position.norm(), 1e-9);

  KinematicRover crab = rover("{manoeuvre = 'crab', direction = 0.8, speed = 0.1, distance = 1}");
  crab.finish(100.0);
  EXPECT_NEAR(crab.position.x(), std::cos(0.8), 1e-9);
  EXPECT_NEAR(crab.position.y(), std::sin(0.8), 1e-9);
  EXPECT_NEAR(crab.heading, 0.0, 1e-12);
}

TEST(Driver, TurnsWithoutSteeredWheelsBySkidding) {
  const DriveDef settings;
  KinematicRover r = rover(
      "{manoeuvre = 'point_turn', angle = 1, rate = 0.2},"
      "{manoeuvre = 'arc', radius = 1, angle = 1, speed = 0.1}",
      four_fixed_wheels(), settings);
  r.finish(100.0);
  EXPECT_NEAR(r.heading, 2.0, 1e-9);
  EXPECT_TRUE(contains(r.driver().notes(1e3)[0], "turns by skidding"));
}

TEST(Driver, SteersAtRestBeforeOtherAngles) {
  KinematicRover r = rover(
      "{manoeuvre = 'straight', distance = 0.3, speed = 0.05},"
      "{manoeuvre = 'point_turn', angle = 0.5},"
      "{manoeuvre = 'wait', duration = 1},"
      "{manoeuvre = 'crab', direction = 1.0, distance = 0.3, speed = 0.05}");
  double steered = 0.0, slid = 0.0;
  r.seen = [&](const auto& now, const auto& next) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double change = std::abs(next[i].steering - now[i].steering);
      steered = std::max(steered, change);
      slid = std::max(slid,
                      change * std::max(std::abs(now[i].rim_speed), std::abs(next[i].rim_speed)));
    }
  };
  const double end = r.driver().end();
  r.finish(200.0);
  EXPECT_EQ(slid, 0.0);                               // never both
  EXPECT_NEAR(steered, 0.3 * 0.1, 0.3 * 0.1 * 2e-6);  // rate times period; the last one may round
  EXPECT_NEAR(r.time, end + 0.1, 1e-9);
  EXPECT_NEAR(r.odometry(), 0.6, 1e-12);
}

TEST(Driver, GoesOverIntoTheSameAnglesWithoutStopping) {
  KinematicRover r = rover(
      "{manoeuvre = 'straight', distance = 1, speed = 0.05},"
      "{manoeuvre = 'straight', distance = 1, speed = 0.02},"
      "{manoeuvre = 'arc', radius = 100, distance = 1, speed = 0.1}");
  double slowest = 1.0, jump = 0.0;
  r.seen = [&](const auto& now, const auto& next) {
    if (r.time > 2.0 && r.driver().manoeuvre() < 2) slowest = std::min(slowest, next[0].rim_speed);
    for (std::size_t i = 0; i < now.size(); ++i)
      jump = std::max(jump, std::abs(next[i].rim_speed - now[i].rim_speed));
  };
  r.finish(200.0);
  EXPECT_GT(slowest, 0.0199);
  // Acceleration, and the rims of an arc of 100 m that differ by half a metre in 100.
  EXPECT_LT(jump, 0.1 * 0.1 + 0.02 * 0.0051);
  EXPECT_NEAR(r.odometry(), 3.0, 1e-9);
}

TEST(Driver, StopsBetweenForwardsAndBackwards) {
  KinematicRover r = rover(
      "{manoeuvre = 'straight', distance = 1, speed = 0.05},"
      "{manoeuvre = 'straight', distance = 1, speed = -0.05}");
  double jump = 0.0;
  r.seen = [&](const auto& now, const auto& next) {
    jump = std::max(jump, std::abs(next[0].rim_speed - now[0].rim_speed));
  };
  r.finish(200.0);
  EXPECT_LE(jump, 0.1 * 0.1 * (1.0 + 1e-9));
  EXPECT_NEAR(r.position.x(), 0.0, 1e-9);
  EXPECT_NEAR(r.odometry(), 2.0, 1e-12);
}

TEST(Driver, StartsFromTheAnglesThatWheelsHave) {
  Driver driver({}, list("{manoeuvre = 'straight', distance = 1, speed = 0.05}"),
                six_wheels(false));
  std::vector<WheelCommand> next(6);
  const std::vector<double> steering = {0.3, 0.2, 0.5, 0.0, 0.0, 0.0};
  driver.tick({.steering = steering}, next);
  EXPECT_NEAR(next[0].steering, 0.27, 1e-15);
  EXPECT_NEAR(next[1].steering, 0.17, 1e-15);
  EXPECT_EQ(next[2].steering, 0.0);  // is not steered
  EXPECT_EQ(next[0].rim_speed, 0.0);
}

TEST(Driver, FollowsATable) {
  KinematicRover r =
      rover("{manoeuvre = 'table', rows = [[0, 0], [1, 0.1, 0, 0], [5, 0.1, 0.2], [6, 0, 0.2]]}");
  EXPECT_NEAR(r.driver().end(), 6.0, 1e-9);
  r.finish(100.0);
  EXPECT_NEAR(r.odometry(), 0.5, 1e-12);  // 0.05 + 0.4 + 0.05, all corners on ticks
  // Yaw rate is speed times curvature: 4 s at 0.1 m/s with 0.1 per metre, then 0.05 m with 0.2.
  EXPECT_NEAR(r.turned(), 4.0 * 0.1 * 0.1 + 0.05 * 0.2, 1e-6);
}

TEST(Driver, BrakesAtTheEndOfATable) {
  KinematicRover r = rover("{manoeuvre = 'table', rows = [[0, 0], [2, 0.2], [5, 0.2]]}");
  double jump = 0.0;
  r.seen = [&](const auto& now, const auto& next) {
    jump = std::max(jump, std::abs(next[0].rim_speed - now[0].rim_speed));
  };
  EXPECT_NEAR(r.driver().end(), 7.0, 1e-9);
  r.finish(100.0);
  EXPECT_LE(jump, 0.01 * (1.0 + 1e-8));
  EXPECT_EQ(r.commands()[0].rim_speed, 0.0);
  EXPECT_NEAR(r.time, 7.1, 1e-9);
}

// Where the rover is

TEST(Driver, ClimbsTheRealDistance) {
  for (const char* speed : {"0.05", "-0.05"}) {
    KinematicRover r =
        rover(std::string("{manoeuvre = 'climb', distance = 1, speed = ") + speed + "}");
    r.slip = [](PlanarMotion m, double) { return m * 0.3; };
    EXPECT_TRUE(std::isnan(r.driver().end()));
    r.finish(200.0);
    EXPECT_TRUE(r.driver().done());
    // It creeps at a tenth of its speed at last and stops on a tick.
    EXPECT_NEAR(std::abs(r.position.x()), 1.0, 0.005 * 0.1);
    EXPECT_GT(r.odometry(), 3.2);
  }
}

TEST(Driver, HoldsItsHeadingOnTheClimb) {
  for (const char* speed : {"0.05", "-0.05"}) {
    KinematicRover r =
        rover(std::string("{manoeuvre = 'climb', distance = 8, speed = ") + speed + "}",
              six_wheels(false));
    r.heading = 0.5;
    r.slip = [](PlanarMotion m, double time) {
      if (time > 10.0 && time < 20.0) m.yaw_rate += 0.02;  // an obstacle turns it by 0.2 rad
      return m;
    };
    r.run(20.0);
    EXPECT_GT(r.heading, 0.55);
    r.finish(300.0);
    EXPECT_TRUE(r.driver().done());
    EXPECT_NEAR(r.heading, 0.5, 0.01);  // five wheel bases later: 0.2 exp(-5) at most
  }
}

// Stuck

TEST(Driver, KnowsWhenItIsStuck) {
  KinematicRover r = rover("{manoeuvre = 'straight', duration = 40, speed = 0.05}");
  r.slip = [](PlanarMotion m, double time) {
    return m * (time > 10.0 && time < 25.0 ? 0.02 : 0.5);
  };
  r.run(13.0);
  EXPECT_FALSE(r.driver().stuck());
  r.run(7.0);
  EXPECT_TRUE(r.driver().stuck());
  r.run(15.0);
  EXPECT_FALSE(r.driver().stuck());
  r.finish(50.0);
  const auto& events = r.driver().stuck_events();
  ASSERT_EQ(events.size(), 1u);
  // 5 s of 2 % progress; less than 5 % are reached when 0.3 s of 50 % are left in the window.
  EXPECT_NEAR(events[0].time, 14.7, 0.15);
  EXPECT_NEAR(events[0].position.x(), 0.5 * 0.05 * 10.0, 0.02);
  EXPECT_NEAR(events[0].commanded, 0.05, 1e-9);
  EXPECT_LT(events[0].real, 0.05 * 0.05);
  EXPECT_FALSE(r.driver().wants_end());
  EXPECT_TRUE(r.driver().done());
}

TEST(Driver, StopsOrEndsWhenStuckIfToldSo) {
  for (const auto on_stuck : {DriveDef::OnStuck::stop, DriveDef::OnStuck::end}) {
    DriveDef settings;
    settings.on_stuck = on_stuck;
    KinematicRover r =
        rover("{manoeuvre = 'point_turn', angle = 6, rate = 0.05}", six_wheels(true), settings);
    r.slip = [](const PlanarMotion&, double) { return PlanarMotion{}; };
    r.run(25.0);
    ASSERT_EQ(r.driver().stuck_events().size(), 1u);
    EXPECT_TRUE(r.driver().stuck_events()[0].turning);
    EXPECT_NEAR(r.driver().stuck_events()[0].commanded, 0.05, 3e-3);  // it started slowly
    EXPECT_TRUE(r.driver().done());
    EXPECT_EQ(r.commands()[0].rim_speed, 0.0);
    EXPECT_EQ(r.driver().wants_end(), on_stuck == DriveDef::OnStuck::end);
  }
}

TEST(Driver, HasPatienceOnAStep) {
  const auto blocked_for = [](double time, const char* manoeuvre) {
    KinematicRover r =
        rover(std::string("{manoeuvre = '") + manoeuvre + "', distance = 2, speed = 0.05}");
    r.slip = [=](PlanarMotion m, double t) {
      return m * (t > 10.0 && t < 10.0 + time ? 0.0 : 1.0);
    };
    r.finish(400.0);
    EXPECT_NEAR(r.position.x(), 2.0, 0.005 * 0.1);
    return r.driver().stuck_events().size();
  };
  EXPECT_EQ(blocked_for(20.0, "climb"), 1u);
  EXPECT_EQ(blocked_for(20.0, "step"), 0u);
  EXPECT_EQ(blocked_for(40.0, "step"), 1u);
}

// The driver as a part

TEST(Driver, AllocatesNothingWhileItDrives) {
  KinematicRover r = rover(
      "{manoeuvre = 'arc', radius = 2, distance = 0.2, speed = 0.1},"
      "{manoeuvre = 'table', rows = [[0, 0], [2, 0.1], [3, 0]]},"
      "{manoeuvre = 'climb', distance = 0.2, speed = 0.1},"
      "{manoeuvre = 'path', waypoints = [[2, 1], [0, 1], [0, 3]], speed = 0.1}");
  std::vector<WheelCommand> next(6);
  Driver driver = r.driver();
  std::size_t allocated = 0;
  while (!r.driver().done() && r.time < 300.0) {
    const DriveView view{.time = r.time, .position = r.position, .heading = r.heading};
    const std::size_t before = allocations();
    driver.tick(view, next);
    allocated += allocations() - before;
    r.tick();
    for (std::size_t i = 0; i < next.size(); ++i) {
      ASSERT_EQ(next[i].steering, r.commands()[i].steering);  // a copy does the same
      ASSERT_EQ(next[i].rim_speed, r.commands()[i].rim_speed);
    }
  }
  EXPECT_TRUE(driver.done());
  EXPECT_EQ(allocated, 0u);
}

TEST(Driver, TellsHowTheDriveFitsTheRun) {
  const std::string one = "{manoeuvre = 'straight', duration = 12.3, speed = 0.05}";
  const auto notes = [&](const std::string& tables, double duration) {
    const std::vector<std::string> all = Driver({}, list(tables), six_wheels(true)).notes(duration);
    return all.empty() ? "" : all.back();
  };
  EXPECT_EQ(notes(one, 20.0),
            "the drive ends after 12.3 s, the run after 20 s: the rover stands still from then on");
  EXPECT_EQ(notes(one, 12.3), "");
  EXPECT_EQ(notes(one, 10.0), "the run ends after 10 s, before the drive does (12.3 s)");
  EXPECT_EQ(notes("{manoeuvre = 'climb', distance = 1, speed = 0.05}", 10.0),
            "the run ends after 10 s, before the drive does (at least 20 s)");
  EXPECT_EQ(notes("", 10.0), "there is no [[drive]]: the rover stands still");
}

TEST(Driver, TellsWhatWheelsCannotDo) {
  const auto note = [](const std::string& tables, std::vector<DriveWheel> wheels) {
    const auto all = Driver({}, list(tables), std::move(wheels)).notes(1e3);
    return all.empty() ? "" : all.front();
  };
  const std::string arc = "{manoeuvre = 'arc', radius = 1, distance = 1, speed = 0.05}";
  EXPECT_TRUE(contains(note(arc, six_wheels(false, 0.5)),
                       "drive.0 (arc): wheel 'front_left' is steered to 0.5 rad, its limit"));
  EXPECT_TRUE(contains(note(arc, six_wheels(false, 0.5)), "the least radius is 1.6 m"));
  EXPECT_TRUE(contains(
      note("{manoeuvre = 'crab', direction = 0.5, distance = 1, speed = 0.05}", six_wheels(false)),
      "wheel 'middle_left' is not steered and is dragged sideways"));
  EXPECT_TRUE(contains(
      note("{manoeuvre = 'table', rows = [[0, 0], [0.1, 0.1], [9, 0.1]]}", six_wheels(false)),
      "speed changes by 1 m/s^2 after 0 s; the driver allows 0.1 m/s^2"));
}

}  // namespace
}  // namespace grouser
