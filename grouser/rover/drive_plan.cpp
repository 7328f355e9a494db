#include "grouser/rover/drive_plan.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

using Kind = ManoeuvreDef::Kind;

/// "drive 2 (arc)", counted from zero as in key paths.
std::string title(std::size_t index, const ManoeuvreDef& def) {
  return "drive." + std::to_string(index) + " (" + std::string(name_of(def.kind)) + ")";
}

bool has_fixed_shape(Kind kind) {
  return kind == Kind::straight || kind == Kind::arc || kind == Kind::crab ||
         kind == Kind::point_turn;
}

PlanarMotion shape_of(const ManoeuvreDef& def) {
  const double sign = def.speed < 0.0 ? -1.0 : 1.0;
  switch (def.kind) {
    case Kind::arc:
      return {sign, 0.0, sign / def.radius};
    case Kind::crab:
      return {sign * std::cos(def.direction), sign * std::sin(def.direction), 0.0};
    case Kind::point_turn:
      return {0.0, 0.0, def.angle < 0.0 ? -1.0 : 1.0};
    case Kind::table:
      return first_shape(def.table);
    case Kind::wait:
      return {};
    default:
      return {sign, 0.0, 0.0};
  }
}

ManoeuvrePlan plan_of(const DriveDef& settings, const ManoeuvreDef& def,
                      const DriveGeometry& geometry) {
  ManoeuvrePlan out;
  out.shape = shape_of(def);
  for (std::size_t i = 0; i < geometry.count(); ++i)
    out.unit.push_back(geometry.command(i, out.shape));
  const double fastest = geometry.fastest(out.shape);
  out.acceleration = settings.acceleration / (fastest > 0.0 ? fastest : 1.0);
  out.speed = std::isnan(def.speed) ? 0.0 : std::abs(def.speed);
  if (def.kind == Kind::point_turn)
    out.speed =
        !std::isnan(def.rate) ? def.rate : kDefaultTurnSpeed / (fastest > 0.0 ? fastest : 1.0);
  return out;
}

/// Way of a manoeuvre with a fixed shape; not a number if it has a duration instead.
double way_of(const ManoeuvreDef& def) {
  if (def.kind == Kind::point_turn) return std::abs(def.angle);
  if (def.kind == Kind::arc && !std::isnan(def.angle)) return def.angle * std::abs(def.radius);
  return def.distance;
}

/// The largest difference of steering angles, and of rim speeds as a share of the fastest.
struct Difference {
  double steering = 0.0, rim = 0.0;
};
Difference difference(const std::vector<WheelCommand>& a, const std::vector<WheelCommand>& b) {
  GROUSER_ASSERT(a.size() == b.size());
  Difference out;
  double fastest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.steering = std::max(out.steering, std::abs(a[i].steering - b[i].steering));
    out.rim = std::max(out.rim, std::abs(a[i].rim_speed - b[i].rim_speed));
    fastest = std::max({fastest, std::abs(a[i].rim_speed), std::abs(b[i].rim_speed)});
  }
  if (fastest > 0.0) out.rim /= fastest;
  return out;
}

SpeedProfile::Limits limits_of(const DriveDef& settings, const ManoeuvrePlan& plan) {
  return {plan.speed, plan.acceleration, settings.control_period};
}

bool is_long_enough(const DriveDef& settings, const ManoeuvreDef& def, const ManoeuvrePlan& plan) {
  const double time = SpeedProfile::long_enough(limits_of(settings, plan));
  return std::isnan(way_of(def)) ? def.duration >= time : way_of(def) >= plan.speed * time;
}

/// Speed at which one manoeuvre goes over into the next without a stop; 0: it stops.
double speed_between(const DriveDef& settings, const ManoeuvreDef& a, const ManoeuvrePlan& plan_a,
                     const ManoeuvreDef& b, const ManoeuvrePlan& plan_b) {
  if (!has_fixed_shape(a.kind) || !has_fixed_shape(b.kind)) return 0.0;
  const Difference d = difference(plan_a.unit, plan_b.unit);
  if (d.steering > kSameSteering || d.rim > kSameSteering) return 0.0;
  if (!is_long_enough(settings, a, plan_a) || !is_long_enough(settings, b, plan_b)) return 0.0;
  return std::min(plan_a.speed, plan_b.speed);
}

/// What wheels cannot do as they should.
void note_limits(const std::string& who, const ManoeuvreDef& def, const ManoeuvrePlan& plan,
                 const DriveGeometry& geometry, std::vector<std::string>& notes) {
  constexpr double kWorthANote = 0.01;  // [rad]
  double worst = kWorthANote;
  std::size_t wheel = geometry.count();
  for (std::size_t i = 0; i < geometry.count(); ++i) {
    const double off = geometry.misalignment(i, plan.shape, plan.unit[i]);
    if (off <= worst) continue;
    worst = off;
    wheel = i;
  }
  if (wheel < geometry.count()) {
    std::string note = who + ": wheel '" + geometry.wheels()[wheel].name + "' is steered to " +
                       to_text(plan.unit[wheel].steering, 3) + " rad, its limit, " +
                       to_text(worst, 3) + " rad from where it should roll";
    const double tightest = geometry.tightest_curvature(def.radius);
    if (def.kind == Kind::arc && tightest > 0.0)
      note += "; the least radius is " + to_text(1.0 / tightest, 3) + " m";
    notes.push_back(note);
  }
  if (def.kind != Kind::crab || std::abs(std::sin(def.direction)) < kWorthANote) return;
  for (const DriveWheel& w : geometry.wheels())
    if (!w.steered) {
      notes.push_back(who + ": wheel '" + w.name + "' is not steered and is dragged sideways");
      return;
    }
}

void note_table(const std::string& who, const DriveDef& settings, const DriveTable& table,
                std::vector<std::string>& notes) {
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const DriveRow& a = table.rows[i - 1];
    const DriveRow& b = table.rows[i];
    const double rate = std::abs(b.speed - a.speed) / (b.time - a.time);
    if (rate <= settings.acceleration * (1.0 + 1e-9)) continue;
    notes.push_back(who + ": speed changes by " + to_text(rate, 3) + " m/s^2 after " +
                    to_text(a.time, 4) + " s; the driver allows " +
                    to_text(settings.acceleration, 3) + " m/s^2 and lags behind");
    return;
  }
}

void refuse_impossible(const std::string& who, const ManoeuvreDef& def,
                       const DriveGeometry& geometry) {
  if (def.kind == Kind::crab && std::abs(std::sin(def.direction)) > 1e-9 && !geometry.any_steered())
    throw InputError(def.place, who + " needs steered wheels; the rover has none");
  if (def.kind == Kind::point_turn && !(geometry.fastest({0.0, 0.0, 1.0}) > 0.0))
    throw InputError(def.place, who + " needs wheels that are apart");
}

/// Time of the last row, and that of braking after it, in ticks.
double table_ticks(const DriveDef& settings, const DriveTable& table,
                   const DriveGeometry& geometry) {
  const double last = geometry.fastest(table.motion(table.rows.back()));
  return std::ceil(table.duration() / settings.control_period - 1e-6) +
         std::ceil(last / (settings.acceleration * settings.control_period) - 1e-6);
}

/// Length from the first waypoint on.
double path_length(const ManoeuvreDef& def) {
  double out = 0.0;
  for (std::size_t i = 1; i < def.waypoints.size(); ++i)
    out += (def.waypoints[i] - def.waypoints[i - 1]).norm();
  return out;
}

}  // namespace

double steering_ticks(const DriveDef& settings, double change) {
  if (change <= kSameSteering) return 0.0;
  return std::ceil(change / (settings.steering_rate * settings.control_period) - 1e-6);
}

PlanarMotion first_shape(const DriveTable& table) {
  for (const DriveRow& row : table.rows) {
    const PlanarMotion shape = table.shape(row);
    if (shape.forward != 0.0 || shape.left != 0.0 || shape.yaw_rate != 0.0) return shape;
  }
  return {};
}

DrivePlan plan_drive(const DriveDef& settings, const std::vector<ManoeuvreDef>& manoeuvres,
                     const DriveGeometry& geometry) {
  DrivePlan out;
  const double period = settings.control_period;
  bool turns = false;
  for (std::size_t i = 0; i < manoeuvres.size(); ++i) {
    const ManoeuvreDef& def = manoeuvres[i];
    refuse_impossible(title(i, def), def, geometry);
    out.manoeuvres.push_back(plan_of(settings, def, geometry));
    if (has_fixed_shape(def.kind))
      note_limits(title(i, def), def, out.manoeuvres[i], geometry, out.notes);
    if (def.kind == Kind::table) note_table(title(i, def), settings, def.table, out.notes);
    turns |= def.kind != Kind::straight && def.kind != Kind::wait;
  }
  if (turns && !geometry.any_steered())
    out.notes.push_back("no wheel is steered: the rover turns by skidding");

  // Speeds over time, and with them the end.
  std::vector<WheelCommand> standing(geometry.count());
  double start = 0.0, ticks = 0.0;
  for (std::size_t i = 0; i < manoeuvres.size(); ++i) {
    const ManoeuvreDef& def = manoeuvres[i];
    ManoeuvrePlan& plan = out.manoeuvres[i];
    const bool last = i + 1 == manoeuvres.size();
    const double finish =
        last ? 0.0 : speed_between(settings, def, plan, manoeuvres[i + 1], out.manoeuvres[i + 1]);
    if (def.kind != Kind::wait) {
      if (start == 0.0) ticks += steering_ticks(settings, difference(standing, plan.unit).steering);
      standing = plan.unit;
    }
    const SpeedProfile::Limits limits = limits_of(settings, plan);
    if (def.kind == Kind::wait) {
      plan.profile = SpeedProfile::over_time({0.0, 1.0, period}, 0.0, 0.0, def.duration);
    } else if (has_fixed_shape(def.kind)) {
      plan.profile = std::isnan(way_of(def))
                         ? SpeedProfile::over_time(limits, start, finish, def.duration)
                         : SpeedProfile::over_way(limits, start, finish, way_of(def));
    } else if (def.kind == Kind::table) {
      ticks += table_ticks(settings, def.table, geometry);
      const PlanarMotion shape = def.table.shape(def.table.rows.back());
      for (std::size_t w = 0; w < standing.size(); ++w)
        standing[w] = geometry.command(w, shape, standing[w].steering);
    } else {
      out.end_known = false;
      const double way = def.kind == Kind::path ? path_length(def) : def.distance;
      ticks += way / (plan.speed * period);
    }
    ticks += static_cast<double>(plan.profile.ticks());
    start = finish;
  }
  out.least_end = ticks * period;
  GROUSER_ASSERT(out.least_end >= 0.0 && out.manoeuvres.size() == manoeuvres.size());
  return out;
}

}  // namespace grouser
