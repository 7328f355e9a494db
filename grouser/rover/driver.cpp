#include "grouser/rover/driver.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/hash.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

using Kind = ManoeuvreDef::Kind;

constexpr std::size_t kMostEvents = 256;
constexpr double kSlowest = 1e-4;  // [m/s] or [rad/s]: below, no progress is asked for

double approached(double from, double to, double step) {
  GROUSER_ASSERT(step >= 0.0);
  return from + std::clamp(to - from, -step, step);
}

void check_wheels(const std::vector<DriveWheel>& wheels) {
  if (wheels.empty()) throw InputError("a rover that drives needs at least one wheel");
  for (const DriveWheel& wheel : wheels) {
    if (!wheel.place.allFinite())
      throw InputError("wheel '" + wheel.name + "': its place must be finite");
    if (!(wheel.steering_least <= wheel.steering_most))
      throw InputError("wheel '" + wheel.name + "': the least steering angle exceeds the greatest");
  }
}

}  // namespace

Driver::Driver(DriveDef settings, std::vector<ManoeuvreDef> manoeuvres,
               std::vector<DriveWheel> wheels)
    : settings_(settings), defs_(std::move(manoeuvres)), geometry_(std::move(wheels)) {
  drive_settings_parameters().check(settings_, {}, "rover");
  check_wheels(geometry_.wheels());
  for (const ManoeuvreDef& def : defs_) check_manoeuvre(def);
  plan_ = plan_drive(settings_, defs_, geometry_);
  for (const ManoeuvreDef& def : defs_) {
    const double lookahead = std::isnan(def.lookahead) ? geometry_.wheel_base() : def.lookahead;
    if (def.kind == Kind::path && !(lookahead > 0.0))
      throw InputError(def.place, "drive.lookahead is missing: the rover has no wheel base");
    paths_.push_back(def.kind == Kind::path ? DrivePath(def.waypoints, lookahead) : DrivePath());
  }
  const PlanarMotion turn{0.0, 0.0, 1.0};
  for (std::size_t i = 0; i < geometry_.count(); ++i)
    spot_turn_.push_back(geometry_.command(i, turn));
  spot_turn_arm_ = geometry_.fastest(turn);
  turns_on_the_spot_ = spot_turn_arm_ > 0.0 && geometry_.turns_on_the_spot();
  tightest_left_ = geometry_.tightest_curvature(1.0);
  tightest_right_ = geometry_.tightest_curvature(-1.0);
  command_.resize(geometry_.count());
  wanted_.resize(geometry_.count());
  missed_.reserve(defs_.size());
  stuck_events_.reserve(kMostEvents);
}

void Driver::tick(const DriveView& view, std::span<WheelCommand> next) {
  GROUSER_ASSERT(next.size() == command_.size());
  if (!started_)
    for (std::size_t i = 0; i < std::min(view.steering.size(), command_.size()); ++i)
      if (geometry_.wheels()[i].steered) command_[i].steering = view.steering[i];
  watch(view);
  started_ = true;

  bool made = host_.has_value();
  if (host_) drive_as_commanded();
  while (!made) switch (phase_) {
      case Phase::enter:
        enter(view);
        break;
      case Phase::steer:
        made = steer();
        break;
      case Phase::drive:
        made = drive(view);
        break;
      case Phase::brake:
        made = brake(view);
        break;
      case Phase::done:
        made = true;
        break;
    }
  std::copy(command_.begin(), command_.end(), next.begin());
}

// What comes after what

void Driver::enter(const DriveView& view) {
  if (index_ == defs_.size()) {
    phase_ = Phase::done;
    return;
  }
  tick_ = 0;
  row_ = 0;
  curvature_ = 0.0;
  behind_ = false;
  on_the_spot_ = false;
  moved_R_ = Vec2::Zero();
  heading_ = view.heading;
  start_W_ = reference_W(view);
  phase_ = Phase::drive;
  if (def().kind == Kind::wait) return;
  if (def().kind == Kind::path) {
    if (paths_[index_].start(start_W_))
      enter_leg(view);
    else
      next_manoeuvre();
    return;
  }
  const bool tells =
      plan().shape.forward != 0.0 || plan().shape.left != 0.0 || plan().shape.yaw_rate != 0.0;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    wanted_[i] = tells ? plan().unit[i].steering : command_[i].steering;
  if (speed_ == 0.0) phase_ = Phase::steer;  // else the one before goes over into this one
}

void Driver::next_manoeuvre() {
  ++index_;
  phase_ = Phase::enter;
}

/// Turns wheels at rest; nothing to do if they stand nearly right, what is left is made up for on
/// the way.
bool Driver::steer() {
  double most = 0.0;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    most = std::max(most, std::abs(wanted_[i] - command_[i].steering));
  // A turn that has begun is brought to its end.
  if (tick_ == 0 ? most <= kSameSteering : most == 0.0) {
    tick_ = 0;
    phase_ = Phase::drive;
    return false;
  }
  for (std::size_t i = 0; i < wanted_.size(); ++i) turn_wheel(i, wanted_[i]);
  motion_ = {};
  ++tick_;
  return true;
}

bool Driver::drive(const DriveView& view) {
  GROUSER_ASSERT(index_ < defs_.size());
  switch (def().kind) {
    case Kind::climb:
    case Kind::step:
      return drive_heading(view);
    case Kind::path:
      return on_the_spot_ ? drive_spot_turn(view) : drive_path(view);
    case Kind::table:
      return drive_table();
    case Kind::wait:
    case Kind::straight:
    case Kind::arc:
    case Kind::crab:
    case Kind::point_turn:
      return drive_planned();
  }
  return true;
}

void Driver::brake_then(AfterBrake after) {
  phase_ = Phase::brake;
  after_brake_ = after;
}

bool Driver::brake(const DriveView& view) {
  double fastest = 0.0;
  for (const WheelCommand& c : command_) fastest = std::max(fastest, std::abs(c.rim_speed));
  if (fastest > 0.0) {
    const double gain = settings_.acceleration * settings_.control_period;
    const double share = std::max(0.0, fastest - gain * (1.0 + 1e-9)) / fastest;
    for (WheelCommand& c : command_) c.rim_speed *= share;
    motion_ = motion_ * share;
    return true;
  }
  speed_ = 0.0;
  motion_ = {};
  switch (after_brake_) {
    case AfterBrake::next_manoeuvre:
      next_manoeuvre();
      break;
    case AfterBrake::next_leg:
      if (paths_[index_].next_leg()) {
        paths_[index_].locate(reference_W(view));
        enter_leg(view);
      } else {
        next_manoeuvre();
      }
      break;
    case AfterBrake::follow:
      aim_along_leg(view);
      break;
    case AfterBrake::begin_anew:
      phase_ = Phase::enter;
      break;
    case AfterBrake::stand:
      phase_ = Phase::done;
      break;
  }
  return false;
}

// Manoeuvres known in advance

bool Driver::drive_planned() {
  GROUSER_ASSERT(tick_ < plan().profile.ticks());
  const ManoeuvrePlan& p = plan();
  speed_ = p.profile.at(++tick_);
  motion_ = p.shape * speed_;
  if (def().kind != Kind::wait)
    for (std::size_t i = 0; i < command_.size(); ++i) {
      turn_wheel(i, p.unit[i].steering);
      command_[i].rim_speed = p.unit[i].rim_speed * speed_;
    }
  if (tick_ == p.profile.ticks()) next_manoeuvre();
  return true;
}

bool Driver::drive_table() {
  const DriveTable& table = def().table;
  const double time = static_cast<double>(++tick_) * settings_.control_period;
  const DriveRow row = table.at(time, row_);
  const PlanarMotion shape = table.shape(row);
  motion_ = table.motion(row);
  roll_towards(shape);
  // The last row may lie between two ticks.
  if (time >= table.duration() - 1e-6 * settings_.control_period)
    brake_then(AfterBrake::next_manoeuvre);
  return true;
}

/// Wheels turn for `shape` and come as near to motion_ as they can in one period.
void Driver::roll_towards(const PlanarMotion& shape) {
  const double gain = settings_.acceleration * settings_.control_period;
  for (std::size_t i = 0; i < command_.size(); ++i) {
    WheelCommand& c = command_[i];
    turn_wheel(i, geometry_.command(i, shape, c.steering).steering);
    const Vec2 v = geometry_.velocity(i, motion_);
    const double rim = v.x() * std::cos(c.steering) + v.y() * std::sin(c.steering);
    c.rim_speed = approached(c.rim_speed, rim, gain);
  }
}

// A host that commands

void Driver::drive_as_commanded() {
  motion_ = *host_;
  roll_towards(motion_);
}

void Driver::release() {
  if (!host_) return;
  host_.reset();
  if (phase_ == Phase::done) {
    brake_then(AfterBrake::stand);
    return;
  }
  phase_ = Phase::enter;
  for (const WheelCommand& c : command_)
    if (c.rim_speed != 0.0) brake_then(AfterBrake::begin_anew);
}

// Whether it gets on

Vec2 Driver::reference_W(const DriveView& view) const {
  return view.position + Eigen::Rotation2Dd(view.heading) * geometry_.reference();
}

void Driver::watch(const DriveView& view) {
  const Vec2 here_W = reference_W(view);
  const double turned = wrapped_angle(view.heading - last_heading_);
  const Vec2 moved_W = here_W - last_W_;
  // Commands changed linearly from those before the last to the last ones.
  const Vec2 told_R =
      0.5 * Vec2(motion_before_.forward + motion_.forward, motion_before_.left + motion_.left);
  const double told_turn = 0.5 * (motion_before_.yaw_rate + motion_.yaw_rate);
  const double middle = last_heading_ + 0.5 * turned;
  motion_before_ = motion_;
  last_W_ = here_W;
  last_heading_ = view.heading;
  if (!started_) return;

  const double period = settings_.control_period;
  const double speed = told_R.norm();
  const Measure measure = speed >= kSlowest                 ? Measure::way
                          : std::abs(told_turn) >= kSlowest ? Measure::turn
                                                            : Measure::none;
  if (measure != measure_ || index_ != measured_manoeuvre_) {
    const bool patient = index_ < defs_.size() && def().kind == Kind::step;
    const double time = !patient                     ? settings_.stuck_time
                        : std::isnan(def().patience) ? kDefaultPatience
                                                     : def().patience;
    progress_.restart(static_cast<std::int64_t>(std::ceil(time / period - 1e-6)));
    measure_ = measure;
    measured_manoeuvre_ = index_;
    stuck_ = false;
  }
  if (measure == Measure::none) return;
  if (measure == Measure::way) {
    const Vec2 moved_R = Eigen::Rotation2Dd(-middle) * moved_W;
    progress_.add(speed * period, moved_R.dot(told_R) / speed);
    watch_drift(moved_R, speed * period);
  } else {
    progress_.add(std::abs(told_turn) * period, std::copysign(1.0, told_turn) * turned);
  }
  if (!progress_.full()) return;
  const double least = (1.0 - settings_.stuck_slip) * progress_.commanded();
  if (!stuck_ && progress_.real() < least)
    record_stuck(view);
  else if (stuck_ && progress_.real() > 2.0 * least)
    stuck_ = false;
}

void Driver::record_stuck(const DriveView& view) {
  stuck_ = true;
  const double time = static_cast<double>(progress_.ticks()) * settings_.control_period;
  if (stuck_events_.size() < kMostEvents)
    stuck_events_.push_back({view.time, reference_W(view), index_, measure_ == Measure::turn,
                             progress_.commanded() / time, progress_.real() / time});
  if (settings_.on_stuck == DriveDef::OnStuck::go_on) return;
  wants_end_ = settings_.on_stuck == DriveDef::OnStuck::end;
  if (phase_ != Phase::done) brake_then(AfterBrake::stand);
}

void Driver::archive(Archive& a) {
  a(paths_, phase_, after_brake_, index_, started_, host_, command_, wanted_, motion_, tick_,
    speed_, curvature_, row_, heading_, start_W_, on_the_spot_, side_, behind_, missed_);
  a(progress_, measure_, measured_manoeuvre_, motion_before_, moved_R_, last_W_, last_heading_,
    stuck_, wants_end_, stuck_events_);
  missed_.reserve(defs_.size());
  stuck_events_.reserve(kMostEvents);
}

std::uint64_t Driver::definition_hash() const {
  Hash hash;
  for (const double x :
       {settings_.control_period, settings_.acceleration, settings_.steering_rate,
        settings_.stuck_slip, settings_.stuck_time, static_cast<double>(settings_.on_stuck)})
    hash.add(x);
  for (const ManoeuvreDef& def : defs_) {
    for (const double x : {static_cast<double>(def.kind), def.speed, def.distance, def.duration,
                           def.angle, def.radius, def.direction, def.rate, def.patience,
                           def.lookahead, def.tolerance, def.table.by_yaw_rate ? 1.0 : 0.0})
      hash.add(x);
    hash.add(static_cast<std::uint64_t>(def.waypoints.size()));
    for (const Vec2& point : def.waypoints) hash.add(std::span<const double>(point.data(), 2));
    hash.add(static_cast<std::uint64_t>(def.table.rows.size()));
    for (const DriveRow& row : def.table.rows)
      for (const double x : {row.time, row.speed, row.curvature, row.direction, row.yaw_rate})
        hash.add(x);
  }
  for (const DriveWheel& wheel : geometry_.wheels()) {
    hash.add(std::string_view(wheel.name));
    for (const double x : {wheel.place.x(), wheel.place.y(), wheel.steered ? 1.0 : 0.0,
                           wheel.steering_least, wheel.steering_most})
      hash.add(x);
  }
  return hash.digest();
}

// What there is to say

std::string_view Driver::manoeuvre_name() const {
  return index_ < defs_.size() ? name_of(def().kind) : "done";
}

double Driver::end() const {
  return plan_.end_known ? plan_.least_end : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> Driver::notes(double run_duration) const {
  std::vector<std::string> out = plan_.notes;
  const auto seconds = [](double t) { return to_text(t, 4) + " s"; };
  const double end = plan_.least_end;
  if (defs_.empty()) {
    out.push_back("there is no [[drive]]: the rover stands still");
  } else if (end > run_duration + 0.5 * period()) {
    out.push_back("the run ends after " + seconds(run_duration) + ", before the drive does (" +
                  (plan_.end_known ? "" : "at least ") + seconds(end) + ")");
  } else if (plan_.end_known && end < run_duration - 0.5 * period()) {
    const DriveTable& table = defs_.back().table;
    if (defs_.back().kind == Kind::table && !table.file.empty())
      out.push_back("the last row of '" + table.file + "' is that of " + seconds(table.duration()));
    out.push_back("the drive ends after " + seconds(end) + ", the run after " +
                  seconds(run_duration) + ": the rover stands still from then on");
  }
  for (const Missed& missed : missed_) {
    const double tolerance = defs_[missed.manoeuvre].tolerance;
    out.push_back("drive." + std::to_string(missed.manoeuvre) + " (path) ended " +
                  to_text(missed.distance, 3) + " m from its last waypoint; its tolerance is " +
                  to_text(std::isnan(tolerance) ? kDefaultTolerance : tolerance, 3) + " m");
  }
  return out;
}

}  // namespace grouser
