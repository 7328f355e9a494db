// Paths: the rover gets to the last waypoint and stays near the way there.
#include <gtest/gtest.h>

#include "grouser/scene/toml_reader.h"
#include "tests/rover/drive_rover.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

ManoeuvreDef path(std::vector<Vec2> waypoints, double speed = 0.1) {
  ManoeuvreDef def;
  def.kind = ManoeuvreDef::Kind::path;
  def.speed = speed;
  def.waypoints = std::move(waypoints);
  return def;
}

KinematicRover rover(const ManoeuvreDef& def,
                     const std::vector<DriveWheel>& wheels = six_wheels(false)) {
  return KinematicRover(Driver({}, {def}, wheels));
}

double distance_to(const std::vector<Vec2>& line, const Vec2& p) {
  double out = 1e9;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec2 d = line[i + 1] - line[i];
    const double share = std::clamp((p - line[i]).dot(d) / d.squaredNorm(), 0.0, 1.0);
    out = std::min(out, (p - line[i] - share * d).norm());
  }
  return out;
}

/// The largest distance from the way while the rover drives, and the distance from its end after.
struct Errors {
  double cross = 0.0, end = 0.0;
};
Errors follow(KinematicRover& r, const ManoeuvreDef& def, double longest) {
  Errors out;
  std::vector<Vec2> line = {r.position};
  line.insert(line.end(), def.waypoints.begin(), def.waypoints.end());
  r.seen = [&](const auto&, const auto&) {
    out.cross = std::max(out.cross, distance_to(line, r.position));
  };
  r.finish(longest);
  EXPECT_TRUE(r.driver().done());
  out.end = (r.position - def.waypoints.back()).norm();
  return out;
}

TEST(DrivePath, EndsAtTheLastWaypoint) {
  for (const double speed : {0.1, -0.1}) {
    const ManoeuvreDef def = path({Vec2(3, 0), Vec2(6, 2), Vec2(9, 2)}, speed);
    KinematicRover r = rover(def);
    r.heading = speed < 0.0 ? kPi : 0.0;
    const Errors errors = follow(r, def, 300.0);
    EXPECT_LT(errors.end, kDefaultTolerance);
    // A corner of 34 degrees is cut by less than lookahead * tan(17 degrees) / 2.
    EXPECT_LT(errors.cross, 1.2 * 0.31 / 2.0);
    EXPECT_TRUE(r.driver().notes(1e6).empty());
  }
}

TEST(DrivePath, OfACircleIsFollowedClosely) {
  std::vector<Vec2> circle;
  for (int i = 1; i <= 400; ++i)
    circle.emplace_back(3.0 * std::sin(i * kPi / 200.0), 3.0 - 3.0 * std::cos(i * kPi / 200.0));
  const ManoeuvreDef def = path(circle);
  KinematicRover r = rover(def);
  const Errors errors = follow(r, def, 400.0);
  EXPECT_LT(errors.end, kDefaultTolerance);
  // Steering starts and lags by a period or two: a few centimetres at a decimetre per second.
  EXPECT_LT(errors.cross, 0.03);
  EXPECT_NEAR(r.heading, 2.0 * kPi,
              0.1);  // at last it steers for a point straight ahead of the end
}

TEST(DrivePath, IsReachedFromBesideIt) {
  const ManoeuvreDef def = path({Vec2(0.5, 0.8), Vec2(10, 0.8)});
  KinematicRover r = rover(def);
  const Errors errors = follow(r, def, 300.0);
  EXPECT_LT(errors.end, kDefaultTolerance);
  EXPECT_NEAR(r.heading, 0.0, 0.01);
}

TEST(DrivePath, HoldsAgainstADrift) {
  for (const double speed : {0.1, -0.1}) {
    const ManoeuvreDef def = path({Vec2(10, 0)}, speed);
    KinematicRover r = rover(def);
    r.heading = speed < 0.0 ? kPi : 0.0;
    r.slip = [](PlanarMotion m, double) {
      m = m * 0.7;
      m.left -= 0.1 * std::abs(m.forward);
      return m;
    };
    const Errors errors = follow(r, def, 400.0);
    // Until the drift of 0.1 rad is known, a decimetre or so per metre; none at the end.
    EXPECT_LT(errors.cross, 0.15);
    EXPECT_GT(errors.cross, 0.01);
    EXPECT_LT(errors.end, 0.01);
    EXPECT_NEAR(std::abs(wrapped_angle(r.heading - (speed < 0.0 ? kPi : 0.0))), 0.1, 0.02);
  }
}

TEST(DrivePath, SaysByHowMuchItMissedItsEnd) {
  ManoeuvreDef def = path({Vec2(10, 0)});
  def.tolerance = 0.01;
  KinematicRover r = rover(def);
  r.slip = [&](PlanarMotion m, double) {
    if (r.position.x() > 9.5) m.left -= 0.5 * m.forward;  // slides away at the very end
    return m;
  };
  follow(r, def, 400.0);
  const std::vector<std::string> notes = r.driver().notes(1e6);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(contains(notes[0], "drive.0 (path) ended 0."));
  EXPECT_TRUE(contains(notes[0], "m from its last waypoint; its tolerance is 0.01 m"));
}

TEST(DrivePath, ThatLiesBehindStartsWithATurnOnTheSpot) {
  const ManoeuvreDef def = path({Vec2(-4, 0.5)});
  KinematicRover r = rover(def);
  double turned_at_rest = 0.0;
  r.seen = [&](const auto&, const auto&) {
    if (r.position.norm() < 1e-6) turned_at_rest = r.heading;
  };
  r.run(60.0);
  EXPECT_NEAR(turned_at_rest, kPi - std::atan2(0.5, 4.0), 0.02);
  EXPECT_LT(follow(r, def, 300.0).end, kDefaultTolerance);
}

TEST(DrivePath, ThatLiesBehindStartsWithATightArcIfWheelsCannotTurnFurther) {
  const ManoeuvreDef def = path({Vec2(-8, 0.5)});
  for (const double y : {1.0, -1.0}) {
    ManoeuvreDef mirrored = def;
    mirrored.waypoints[0].y() *= y;
    const std::vector<DriveWheel> wheels = six_wheels(false, 0.5);
    KinematicRover r = rover(mirrored, wheels);
    double most = 0.0, rest = 0.0;
    r.seen = [&](const auto&, const auto& next) {
      for (const WheelCommand& c : next) most = std::max(most, std::abs(c.steering));
      rest = std::max(rest, std::abs(r.driver().commanded().yaw_rate));
    };
    r.finish(600.0);
    EXPECT_TRUE(r.driver().done());
    EXPECT_NEAR(most, 0.5, 1e-9);
    EXPECT_LT((r.position - mirrored.waypoints[0]).norm(), kDefaultTolerance);
    // Half a circle of 1.6 m to the side of the waypoint.
    EXPECT_LT(std::abs(r.heading - y * kPi), 0.3);
  }
}

TEST(DrivePath, GoesToTheTipOfAHairpin) {
  const ManoeuvreDef def = path({Vec2(4, 0), Vec2(0, 0.5)});
  KinematicRover r = rover(def, six_wheels(true));
  double nearest = 1e9;
  r.seen = [&](const auto&, const auto&) {
    nearest = std::min(nearest, (r.position - Vec2(4, 0)).norm());
  };
  r.finish(300.0);
  EXPECT_LT(nearest, 0.01);
  EXPECT_LT((r.position - Vec2(0, 0.5)).norm(), kDefaultTolerance);
}

TEST(DrivePath, WheelsNeverRollFasterThanTheRoverShallNorTurnFasterThanAllowed) {
  const ManoeuvreDef def = path({Vec2(2, 0), Vec2(2, 2), Vec2(0, 2), Vec2(0, 6)}, 0.2);
  KinematicRover r = rover(def);
  double fastest = 0.0, turned = 0.0, gained = 0.0;
  r.seen = [&](const auto& now, const auto& next) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      fastest = std::max(fastest, std::abs(next[i].rim_speed));
      turned = std::max(turned, std::abs(next[i].steering - now[i].steering));
      gained = std::max(gained, std::abs(next[i].rim_speed - now[i].rim_speed));
    }
  };
  r.finish(300.0);
  EXPECT_LT((r.position - Vec2(0, 6)).norm(), kDefaultTolerance);
  EXPECT_LE(fastest, 0.2 * (1.0 + 1e-9) + 0.1 * 0.1);  // the curve may tighten before it has braked
  EXPECT_LE(turned, 0.3 * 0.1 * (1.0 + 1e-5));
  EXPECT_LE(gained, 0.1 * 0.1 * 2.0);  // curves that tighten add to it
}

TEST(DrivePath, AxesOfAllWheelsMeetWhileItFollows) {
  const ManoeuvreDef def = path({Vec2(2, 0), Vec2(2, 2), Vec2(0, 2), Vec2(0, 6)}, 0.2);
  KinematicRover r = rover(def);
  double sideways = 0.0;
  r.seen = [&](const auto&, const auto& next) {
    const PlanarMotion m = r.driver().commanded();
    for (std::size_t i = 0; i < next.size(); ++i) {
      const Vec2 v = r.driver().geometry().velocity(i, m);
      sideways = std::max(sideways, std::abs(v.y() * std::cos(next[i].steering) -
                                             v.x() * std::sin(next[i].steering)));
    }
  };
  r.finish(300.0);
  EXPECT_LT(sideways, 0.2 * 1e-5);  // curvature is found to 1e-6 of a step of steering
}

TEST(DrivePath, ThatIsLongCostsNoMorePerTick) {
  // A spiral of 20000 points, so dense that a search from the start would find a wrong round.
  std::vector<Vec2> spiral;
  for (int i = 1; i <= 20000; ++i) {
    const double angle = 0.001 * i;
    spiral.push_back((2.0 + 0.1 * angle) * Vec2(std::cos(angle), std::sin(angle)));
  }
  const ManoeuvreDef def = path(spiral, 0.2);
  KinematicRover r = rover(def);
  r.position = Vec2(2, 0);
  r.heading = 0.5 * kPi;
  const Errors errors = follow(r, def, 600.0);
  EXPECT_LT(errors.end, kDefaultTolerance);
  EXPECT_NEAR(r.heading, 20.0 + 0.5 * kPi, 0.2);  // all rounds, none left out
}

TEST(DrivePath, AtItsOnlyWaypointIsDone) {
  const ManoeuvreDef def = path({Vec2(0, 0)});
  KinematicRover r = rover(def);
  r.tick();
  EXPECT_TRUE(r.driver().done());
}

}  // namespace
}  // namespace grouser
