// A rover while it runs: asks the driver, commands the motors, and tells what users want to know.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/mechanism/mechanism.h"
#include "grouser/record/recording.h"
#include "grouser/rover/driver.h"
#include "grouser/rover/rover.h"

namespace grouser {

class RoverRun {
 public:
  /// All must outlive it.
  RoverRun(const RoverDef& def, Mechanism& mechanism, const ContactWorld& world,
           const Vec3& gravity);

  /// When the driver is to be asked next.
  double next_tick() const { return next_tick_; }
  /// Asks it; mechanism and world are at that time. Until the next tick motors follow what it says.
  void tick(double time);
  /// The driver wants the run to end.
  bool ended() const { return driver_.wants_end(); }
  Driver& driver() { return driver_; }
  const Driver& driver() const { return driver_; }

  /// How often it got stuck so far, and where, one sentence each.
  const std::vector<std::string>& stuck() const { return stuck_; }

  std::vector<RecordingChannel> channels() const;
  /// Appends the numbers of these channels. `reports` are those of the world's contacts, at a state
  /// whose forces were just evaluated; `motor_work` is what all motors did so far [J].
  void append_values(std::span<const ContactReport> reports, double motor_work,
                     std::vector<double>& values) const;
  /// They belong to a sample, of which the summary tells: the last numbers of `values`.
  void count_sample(double time, std::span<const double> values);

  /// All that changes, the driver's state included.
  void archive(Archive& a);

  /// What there is to say after a run, as key and text.
  TextPairs summary() const;
  std::vector<std::string> warnings(double duration) const;

 private:
  struct Wheel {
    const RoverWheel* found;
    int body;               // of the mechanism
    int port;               // of the world; -1: touches nothing
    std::size_t drive = 0;  // motors
    std::optional<std::size_t> steering;
    std::optional<std::size_t> sinkage;  // place of its channel in the report of the soil contact
    double angle = 0.0;                  // that the drive should have reached
    double greatest_torque = 0.0, greatest_sinkage = 0.0;
    void archive(Archive& a) { a(angle, greatest_torque, greatest_sinkage); }
  };
  struct Motion {
    double rim = 0.0, travel = 0.0, side = 0.0;  // speeds [m/s]
    double slip = 0.0, slip_angle = 0.0;
  };

  const BodyKinematics& chassis() const;
  Motion motion_of(const Wheel& wheel) const;
  void find_sinkage(std::size_t contact);
  void look(double time, DriveView& view);
  void name_stuck();

  const RoverDef& def_;
  Mechanism& mechanism_;
  const ContactWorld& world_;
  Vec3 up_;
  int chassis_;
  Driver driver_;
  std::vector<Wheel> wheels_;
  std::size_t soil_contact_ = 0;
  double next_tick_ = 0.0;
  std::uint64_t ticks_ = 0;
  std::vector<WheelCommand> now_, next_;  // what wheels should do at this tick and at the next
  std::vector<double> steering_;
  std::vector<std::string> stuck_;
  Vec3 last_place_ = Vec3::Zero();
  double distance_ = 0.0;
  double time_ = 0.0, work_ = 0.0, path_ = 0.0;  // at the last sample
  double slip_sum_ = 0.0;
  std::size_t slip_count_ = 0;
};

}  // namespace grouser
