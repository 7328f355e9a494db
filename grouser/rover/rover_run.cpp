#include "grouser/rover/rover_run.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"
#include "grouser/soil/soil_contact.h"

namespace grouser {
namespace {

// Slower than this the direction of travel is noise [m/s].
constexpr double kStill = 1e-3;

std::vector<DriveWheel> drive_wheels(const RoverDef& def) {
  std::vector<DriveWheel> out;
  for (const RoverWheel& wheel : def.facts.wheels) {
    DriveWheel& drive = out.emplace_back();
    drive.name = wheel.body;
    drive.steered = !wheel.steering_joint.empty();
    drive.place = (drive.steered ? wheel.p_RS : wheel.p_RC).head<2>();
    if (wheel.steering_least < wheel.steering_most) {
      drive.steering_least = wheel.steering_least;
      drive.steering_most = wheel.steering_most;
    }
  }
  return out;
}

struct ChannelText {
  const char *name, *unit, *meaning;
};
constexpr ChannelText kWheelChannels[] = {
    {"slip", "", "(rim speed - travel) / the larger of them; 0 at rest"},
    {"slip_angle", "rad", "between heading and travel, positive if it moves to its left"},
    {"sinkage", "m", "below the undisturbed ground"},
    {"normal_force", "N", "of soil and obstacles, across the ground"},
    {"drawbar_pull", "N", "of soil and obstacles, forwards along the ground"},
    {"side_force", "N", "of soil and obstacles, to the left"},
    {"drive_torque", "Nm", "of the motor, positive drives forward"},
    {"steering_angle", "rad", "positive to the left"},
    {"steering_torque", "Nm", "of the motor, positive to the left"},
    {"power", "W", "of drive and steering"},
};
constexpr ChannelText kRoverChannels[] = {
    {"speed", "m/s", "along its nose"},
    {"roll", "rad", "positive: left side up"},
    {"pitch", "rad", "positive: nose down"},
    {"heading", "rad", "of its nose, from x towards y"},
    {"distance", "m", "length of the path so far"},
    {"slip", "", "mean of the wheels"},
    {"power", "W", "of all motors"},
    {"energy", "J", "work of all motors so far"},
    {"energy_per_metre", "J/m", "the same over the path so far; 0 below 1 cm"},
    {"manoeuvre", "", "number of the [[drive]], from 1; 0 when there is none left"},
    {"stuck", "", "1 while it hardly moves though it should"},
};

}  // namespace

RoverRun::RoverRun(const RoverDef& def, Mechanism& mechanism, const ContactWorld& world,
                   const Vec3& gravity)
    : def_(def),
      mechanism_(mechanism),
      world_(world),
      up_(gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ())),
      chassis_(mechanism.body(def.facts.chassis, def.place, "rover.body")),
      driver_(def.control, def.manoeuvres, drive_wheels(def)),
      now_(def.facts.wheels.size()),
      next_(def.facts.wheels.size()),
      steering_(def.facts.wheels.size()) {
  for (const RoverWheel& found : def.facts.wheels) {
    Wheel& wheel = wheels_.emplace_back();
    wheel.found = &found;
    wheel.body = mechanism.body(found.body, def.place, "rover.wheels");
    const auto bodies = world.bodies();
    const auto port = std::find(bodies.begin(), bodies.end(), found.body);
    wheel.port = port == bodies.end() ? -1 : static_cast<int>(port - bodies.begin());
    wheel.drive = mechanism.motor(drive_motor_name(found));
    wheel.angle = mechanism.motor_position(wheel.drive);
    if (!found.steering_joint.empty()) wheel.steering = mechanism.motor(steering_motor_name(found));
  }
  for (std::size_t c = 0; c < world.contact_count(); ++c)
    if (!def.soil_contact.empty() && world.contact_name(c) == def.soil_contact) find_sinkage(c);
  if (!def.soil.empty()) {
    const SoilGroundDef& soil = soil_of(world.shapes(), def.soil, def.place, "rover.soil");
    if (soil.body == "world") up_ = soil.X_BT.R.col(2);
  }
  last_place_ = chassis().X_WB.p;
  GROUSER_ASSERT(is_unit(up_));
}

void RoverRun::find_sinkage(std::size_t contact) {
  soil_contact_ = contact;
  const std::vector<ReportChannel> channels = world_.contact(contact).report_channels();
  for (std::size_t w = 0; w < wheels_.size(); ++w)
    for (std::size_t k = 0; k < channels.size(); ++k)
      if (channels[k].name == def_.soil_objects[w] + "/sinkage" ||
          (wheels_.size() == 1 && channels[k].name == "sinkage"))
        wheels_[w].sinkage = k;
}

const BodyKinematics& RoverRun::chassis() const {
  return mechanism_.kinematics()[static_cast<std::size_t>(chassis_)];
}

RoverRun::Motion RoverRun::motion_of(const Wheel& wheel) const {
  const BodyKinematics& body = mechanism_.kinematics()[static_cast<std::size_t>(wheel.body)];
  const Vec3 axis = body.X_WB.R * wheel.found->axis;
  const Vec3 v = body.V_WB.at(body.X_WB.R * wheel.found->p_BC);
  Motion out;
  out.side = axis.dot(v);
  const Vec3 ahead = v - out.side * axis;  // in the plane of the wheel, up and down hills
  out.travel = std::copysign(ahead.norm(), axis.cross(up_).dot(v));
  out.rim = wheel.found->rolling_radius * axis.dot(body.V_WB.w);
  out.slip = reported_slip(out.rim, out.travel);
  if (std::hypot(out.travel, out.side) > kStill)
    out.slip_angle = std::atan2(out.side, std::abs(out.travel));
  return out;
}

void RoverRun::look(double time, DriveView& view) {
  const BodyKinematics& body = chassis();
  view.time = time;
  view.position = body.X_WB.p.head<2>();
  view.heading = std::atan2(body.X_WB.R(1, 0), body.X_WB.R(0, 0));
  for (std::size_t w = 0; w < wheels_.size(); ++w)
    if (wheels_[w].steering)
      steering_[w] =
          wheels_[w].found->steering_sign * mechanism_.motor_position(*wheels_[w].steering);
  view.steering = steering_;
}

void RoverRun::tick(double time) {
  GROUSER_ASSERT(ticks_ == 0 || time >= next_tick_ - 1e-9 * driver_.period());
  distance_ += (chassis().X_WB.p - last_place_).norm();
  last_place_ = chassis().X_WB.p;
  DriveView view;
  look(time, view);
  if (ticks_ == 0)
    for (std::size_t w = 0; w < wheels_.size(); ++w) now_[w].steering = steering_[w];
  driver_.tick(view, next_);
  if (driver_.stuck_events().size() > stuck_.size()) name_stuck();

  const double period = driver_.period();
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    Wheel& wheel = wheels_[w];
    GROUSER_ASSERT(wheel.found->rolling_radius > 0.0);
    const double per_metre = wheel.found->spin_sign / wheel.found->rolling_radius;
    const double speed = per_metre * now_[w].rim_speed, then = per_metre * next_[w].rim_speed;
    // A motor at its limit must not have to make up for all that it missed.
    const MotorDef& motor = mechanism_.motor_def(wheel.drive);
    const double lag = (motor.torque_constant > 0.0
                            ? std::min(motor.limit, motor.torque_constant * motor.current_limit)
                            : motor.limit) /
                       motor.stiffness;
    GROUSER_ASSERT(lag >= 0.0);
    const double angle = mechanism_.motor_position(wheel.drive);
    wheel.angle = std::clamp(wheel.angle, angle - lag, angle + lag);
    mechanism_.command_motor(wheel.drive, {time, wheel.angle, speed, (then - speed) / period});
    wheel.angle += 0.5 * (speed + then) * period;
    if (wheel.steering) {
      const double sign = wheel.found->steering_sign;
      mechanism_.command_motor(*wheel.steering,
                               {time, sign * now_[w].steering,
                                sign * (next_[w].steering - now_[w].steering) / period, 0.0});
    }
  }
  std::swap(now_, next_);
  next_tick_ = static_cast<double>(++ticks_) * period;
}

/// Which wheels do not get on.
void RoverRun::name_stuck() {
  const StuckEvent& event = driver_.stuck_events().back();
  const std::string unit = event.turning ? " rad/s" : " m/s";
  std::vector<std::string> slips;
  for (const Wheel& wheel : wheels_)
    if (const double slip = motion_of(wheel).slip; std::abs(slip) > 0.5)
      slips.push_back(wheel.found->body + " " + to_text(slip, 2));
  stuck_.push_back("the rover is stuck from t = " + to_text(event.time, 4) + " s at (" +
                   to_text(event.position.x(), 4) + ", " + to_text(event.position.y(), 4) +
                   ") m: it should move at " + to_text(event.commanded, 3) + unit +
                   " and moves at " + to_text(event.real, 2) + unit +
                   (slips.empty() ? "; no wheel slips much" : "; slip of " + join(slips)));
}

std::vector<RecordingChannel> RoverRun::channels() const {
  std::vector<RecordingChannel> out;
  for (const ChannelText& c : kRoverChannels)
    out.push_back({std::string("rover/") + c.name, c.unit, {""}, c.meaning});
  for (const Wheel& wheel : wheels_)
    for (const ChannelText& c : kWheelChannels)
      out.push_back({"wheels/" + wheel.found->body + "/" + c.name, c.unit, {""}, c.meaning});
  return out;
}

void RoverRun::append_values(std::span<const ContactReport> reports, double motor_work,
                             std::vector<double>& values) const {
  GROUSER_ASSERT(reports.size() == world_.contact_count());
  std::vector<double> of_wheels;
  double slip = 0.0, power = 0.0;
  const auto power_of = [&](std::size_t motor) {
    return mechanism_.motor_torque(motor) * mechanism_.motor_speed(motor);
  };
  for (const Wheel& wheel : wheels_) {
    const BodyKinematics& body = mechanism_.kinematics()[static_cast<std::size_t>(wheel.body)];
    const Motion motion = motion_of(wheel);
    const Vec3 axis = body.X_WB.R * wheel.found->axis;
    const Vec3 ahead = axis.cross(up_).normalized();
    const Vec3 force = wheel.port < 0 ? Vec3(Vec3::Zero()) : world_.wrench(wheel.port).force;
    const double sinkage = wheel.sinkage ? reports[soil_contact_].channels[*wheel.sinkage] : 0.0;
    const double torque = wheel.found->spin_sign * mechanism_.motor_torque(wheel.drive);
    double steering = 0.0, steering_torque = 0.0;
    double of_wheel = power_of(wheel.drive);
    if (wheel.steering) {
      steering = wheel.found->steering_sign * mechanism_.motor_position(*wheel.steering);
      steering_torque = wheel.found->steering_sign * mechanism_.motor_torque(*wheel.steering);
      of_wheel += power_of(*wheel.steering);
    }
    slip += motion.slip;
    power += of_wheel;
    of_wheels.insert(of_wheels.end(),
                     {motion.slip, motion.slip_angle, sinkage, force.dot(up_), force.dot(ahead),
                      force.dot(up_.cross(ahead)), torque, steering, steering_torque, of_wheel});
  }
  const BodyKinematics& body = chassis();
  const Mat3& R = body.X_WB.R;
  const double distance = distance_ + (body.X_WB.p - last_place_).norm();
  values.insert(values.end(),
                {R.col(0).dot(body.V_WB.v), std::atan2(R(2, 1), R(2, 2)),
                 -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), std::atan2(R(1, 0), R(0, 0)), distance,
                 slip / static_cast<double>(wheels_.size()), power, motor_work,
                 distance > 0.01 ? motor_work / distance : 0.0,
                 driver_.done() ? 0.0 : static_cast<double>(driver_.manoeuvre() + 1),
                 driver_.stuck() ? 1.0 : 0.0});
  values.insert(values.end(), of_wheels.begin(), of_wheels.end());
}

void RoverRun::count_sample(double time, std::span<const double> values) {
  constexpr std::size_t kOfWheel = std::size(kWheelChannels), kOfRover = std::size(kRoverChannels);
  GROUSER_ASSERT(values.size() >= kOfRover + kOfWheel * wheels_.size());
  const std::span<const double> ours = values.last(kOfRover + kOfWheel * wheels_.size());
  time_ = time;
  path_ = ours[4];
  work_ = ours[7];
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    const std::span<const double> of_wheel = ours.subspan(kOfRover + kOfWheel * w, kOfWheel);
    Wheel& wheel = wheels_[w];
    wheel.greatest_sinkage = std::max(wheel.greatest_sinkage, of_wheel[2]);
    wheel.greatest_torque = std::max(wheel.greatest_torque, std::abs(of_wheel[6]));
    const Motion motion = motion_of(wheel);
    if (std::abs(motion.rim) > kStill || std::abs(motion.travel) > kStill) {
      slip_sum_ += motion.slip;
      ++slip_count_;
    }
  }
}

void RoverRun::archive(Archive& a) {
  driver_.archive(a);
  a(wheels_, next_tick_, ticks_, now_, next_, steering_, stuck_, last_place_, distance_, time_,
    work_, path_, slip_sum_, slip_count_);
}

TextPairs RoverRun::summary() const {
  const auto number = [](double x) { return to_text(x, 4); };
  TextPairs out;
  out.emplace_back("path of the rover [m]", number(path_));
  if (time_ > 0.0) out.emplace_back("mean speed of the rover [m/s]", number(path_ / time_));
  if (slip_count_ > 0)
    out.emplace_back("mean slip of the wheels",
                     number(slip_sum_ / static_cast<double>(slip_count_)));
  out.emplace_back("work of the rover's motors [J]", number(work_));
  if (path_ > 0.01) out.emplace_back("energy per metre [J/m]", number(work_ / path_));
  for (const Wheel& wheel : wheels_) {
    out.emplace_back("greatest drive torque of " + wheel.found->body + " [Nm]",
                     number(wheel.greatest_torque));
    out.emplace_back("greatest sinkage of " + wheel.found->body + " [m]",
                     number(wheel.greatest_sinkage));
  }
  return out;
}

std::vector<std::string> RoverRun::warnings(double duration) const {
  std::vector<std::string> out = driver_.notes(duration);
  for (const Wheel& wheel : wheels_)
    if (wheel.greatest_sinkage > 0.8 * wheel.found->radius)
      out.push_back("wheel '" + wheel.found->body + "' has sunk in by " +
                    to_text(wheel.greatest_sinkage, 3) +
                    " m, nearly to its axle; models of soil end there");
  out.insert(out.end(), stuck_.begin(), stuck_.end());
  return out;
}

}  // namespace grouser
