// Drives a rover: turns manoeuvres into steering angles and rim speeds of its wheels.
//
// A driver is asked at a fixed period. It knows where the rover is and how it moves, and says which
// steering angle and rim speed every wheel shall have one period later; in between they change
// linearly. It knows nothing of forces.
//
//   Driver driver(settings, read_drive(document, folder), wheels);
//   std::vector<WheelCommand> next(wheels.size());
//   driver.tick({.time = t, .position = p, .heading = h, .steering = angles}, next);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/rover/drive_geometry.h"
#include "grouser/rover/drive_path.h"
#include "grouser/rover/drive_plan.h"
#include "grouser/rover/drive_progress.h"
#include "grouser/rover/manoeuvre.h"

namespace grouser {

/// Where the rover is when the driver is asked.
struct DriveView {
  double time = 0.0;
  Vec2 position = Vec2::Zero();  ///< of the chassis, in the world [m]
  double heading = 0.0;          ///< of its x axis, from the world's x, counterclockwise [rad]
  /// Angle of every wheel as it is [rad]; looked at in the first tick only. Empty: straight.
  std::span<const double> steering = {};
};

/// The rover did not get on.
struct StuckEvent {
  double time = 0.0;             ///< when that was found [s]
  Vec2 position = Vec2::Zero();  ///< of the reference point, in the world [m]
  std::size_t manoeuvre = 0;
  bool turning = false;    ///< on the spot: speeds are yaw rates [rad/s], else [m/s]
  double commanded = 0.0;  ///< mean over the time in which it made no progress
  double real = 0.0;       ///< along the commanded direction

  void archive(Archive& a) { a(time, position, manoeuvre, turning, commanded, real); }
};

/// A copy goes on where the original is.
class Driver {
 public:
  /// Throws InputError for settings or manoeuvres that make no sense, or that this rover cannot do.
  Driver(DriveDef settings, std::vector<ManoeuvreDef> manoeuvres, std::vector<DriveWheel> wheels);

  double period() const { return settings_.control_period; }
  std::size_t wheel_count() const { return geometry_.count(); }
  const DriveGeometry& geometry() const { return geometry_; }

  /// Commands for one period from now. To be called at 0, period, 2 period, ... Allocates nothing.
  void tick(const DriveView& view, std::span<WheelCommand> next);

  /// From the next tick on the rover moves like this, as far as acceleration and steering rate
  /// allow, instead of as its manoeuvres say.
  void command(const PlanarMotion& motion) { host_ = motion; }
  /// What a host commands, if it does.
  const std::optional<PlanarMotion>& host_command() const { return host_; }
  /// Back to the manoeuvres: the current one begins anew. If all are done the rover stops.
  void release();

  /// All that changes, to go on from there.
  void archive(Archive& a);
  /// Of settings, manoeuvres and wheels.
  std::uint64_t definition_hash() const;

  /// When the last manoeuvre ends [s]; not a number if that depends on the ground.
  double end() const;
  /// One sentence each: what cannot be done as told, and how the drive fits a run of that length.
  /// After the run also paths that missed their last waypoint.
  std::vector<std::string> notes(double run_duration) const;

  /// Index of the current manoeuvre; their number when all are done.
  std::size_t manoeuvre() const { return index_; }
  std::string_view manoeuvre_name() const;  ///< "arc", or "done"
  bool done() const { return phase_ == Phase::done; }
  bool stuck() const { return stuck_; }  ///< at the last tick
  /// With on_stuck = "end" and stuck: the run may end.
  bool wants_end() const { return wants_end_; }
  /// The first of them, up to a number that is reserved.
  const std::vector<StuckEvent>& stuck_events() const { return stuck_events_; }
  /// Motion that the last commands stand for.
  const PlanarMotion& commanded() const { return motion_; }

 private:
  enum class Phase { enter, steer, drive, brake, done };
  enum class AfterBrake { next_manoeuvre, next_leg, follow, begin_anew, stand };
  enum class Measure { none, way, turn };
  struct Missed {
    std::size_t manoeuvre = 0;
    double distance = 0.0;
    void archive(Archive& a) { a(manoeuvre, distance); }
  };

  // Every step answers whether it has made the commands of this tick.
  void enter(const DriveView& view);
  bool steer();
  bool drive(const DriveView& view);
  bool brake(const DriveView& view);
  bool drive_planned();
  bool drive_table();
  void drive_as_commanded();
  void roll_towards(const PlanarMotion& shape);
  bool drive_heading(const DriveView& view);
  bool drive_path(const DriveView& view);
  bool drive_spot_turn(const DriveView& view);

  void watch(const DriveView& view);
  void watch_drift(const Vec2& moved_R, double way);
  double drift() const;
  void record_stuck(const DriveView& view);
  Vec2 reference_W(const DriveView& view) const;
  void brake_then(AfterBrake after);
  void next_manoeuvre();
  void enter_leg(const DriveView& view);
  void aim_along_leg(const DriveView& view);
  Vec2 target_in_rover(const DriveView& view) const;
  double curvature_to_target(const Vec2& target_R);
  double closing_speed(double remaining, double limit, double acceleration) const;
  double reach_curvature(double wanted);
  void roll_on_arc(double speed);
  void turn_wheel(std::size_t wheel, double angle);
  const ManoeuvreDef& def() const { return defs_[index_]; }
  const ManoeuvrePlan& plan() const { return plan_.manoeuvres[index_]; }
  double sign() const { return def().speed < 0.0 ? -1.0 : 1.0; }

  DriveDef settings_;
  std::vector<ManoeuvreDef> defs_;
  DriveGeometry geometry_;
  DrivePlan plan_;
  std::vector<DrivePath> paths_;         // one per manoeuvre, empty for others
  std::vector<WheelCommand> spot_turn_;  // to the left, per rad/s
  double spot_turn_arm_ = 0.0;           // [m]: of the fastest wheel
  bool turns_on_the_spot_ = false;
  double tightest_left_ = 0.0, tightest_right_ = 0.0;  // curvatures

  Phase phase_ = Phase::enter;
  AfterBrake after_brake_ = AfterBrake::next_manoeuvre;
  std::size_t index_ = 0;
  bool started_ = false;
  std::optional<PlanarMotion> host_;
  std::vector<WheelCommand> command_;  // the last
  std::vector<double> wanted_;         // steering angles before the rover drives on
  PlanarMotion motion_;
  std::int64_t tick_ = 0;   // of the current manoeuvre
  double speed_ = 0.0;      // per unit of the plan's shape
  double curvature_ = 0.0;  // that wheels are steered for
  std::size_t row_ = 0;     // of a table
  double heading_ = 0.0;    // that is held
  Vec2 start_W_ = Vec2::Zero();
  bool on_the_spot_ = false;  // turning, before a leg of a path
  double side_ = 1.0;         // of that turn
  bool behind_ = false;       // the target is, and the tightest arc leads there
  std::vector<Missed> missed_;

  DriveProgress progress_;
  Measure measure_ = Measure::none;
  std::size_t measured_manoeuvre_ = 0;
  PlanarMotion motion_before_;
  Vec2 moved_R_ = Vec2::Zero();  // way per commanded way, smoothed: shows a drift
  Vec2 last_W_ = Vec2::Zero();
  double last_heading_ = 0.0;
  bool stuck_ = false, wants_end_ = false;
  std::vector<StuckEvent> stuck_events_;
};

}  // namespace grouser
