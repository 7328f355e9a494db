// Work that forces have done since the beginning of a run, for its energy balance, and the time
// that it took.
#pragma once

#include "grouser/base/archive.h"
#include "grouser/base/assert.h"

namespace grouser {

/// Work [J], or power [W], on the bodies of a mechanism, by what exerts the force.
struct Work {
  double motors = 0.0;
  double contacts = 0.0;    ///< negative: dissipated, or stored in what the contacts stand for
  double joints = 0.0;      ///< by dampers; springs belong to the potential energy
  double prescribed = 0.0;  ///< by what moves prescribed joints and moving bodies
  double forces = 0.0;      ///< by external forces
  double sum() const { return motors + contacts + joints + prescribed + forces; }
  void archive(Archive& a) { a(motors, contacts, joints, prescribed, forces); }
};

inline Work operator+(const Work& a, const Work& b) {
  return {a.motors + b.motors, a.contacts + b.contacts, a.joints + b.joints,
          a.prescribed + b.prescribed, a.forces + b.forces};
}
inline Work operator*(double x, const Work& a) {
  return {x * a.motors, x * a.contacts, x * a.joints, x * a.prescribed, x * a.forces};
}

/// Wall time of a run [s], by what it was spent on.
struct RunSeconds {
  double contact = 0.0;
  double mechanism = 0.0;
  double jacobian = 0.0;    ///< contact and mechanism in it do not count above
  double recording = 0.0;   ///< filled in by Simulation
  double integrator = 0.0;  ///< the rest, filled in by Simulation

  void archive(Archive& a) { a(contact, mechanism, jacobian, recording, integrator); }
};

/// Adds up work step by step, from the powers at the ends of steps or from what a step says itself.
class WorkIntegral {
 public:
  /// Begins at zero.
  void start(double time, const Work& power) {
    *this = {};
    begin_ = end_ = time;
    power_ = power;
  }

  /// A step to `time`, with the power there. Between its ends the power is a parabola through these
  /// and the one before, a line after a much shorter step.
  void add(double time, const Work& power) {
    constexpr double kMostGrowth = 4.0;
    const double h = time - end_, before = end_ - begin_;
    if (!(h > 0.0)) return;
    const Work rise = (1.0 / h) * (power + -1.0 * power_);
    Work bend;
    if (smooth_ && before > 0.0 && h <= kMostGrowth * before)
      bend = (1.0 / (h + before)) * (rise + (-1.0 / before) * (power_ + -1.0 * power_before_));
    advance(time, power_, rise + -h * bend, bend);
    power_before_ = power_;
    power_ = power;
    smooth_ = true;
  }

  /// A step to `time` that did this work.
  void add_step(double time, const Work& work) {
    const double h = time - end_;
    if (!(h > 0.0)) return;
    advance(time, (1.0 / h) * work, {}, {});
    smooth_ = false;
  }

  /// The last step counts up to `time` alone, and what comes next begins there with this power.
  void go_on_from(double time, const Work& power) {
    sum_ = at(time);
    begin_ = end_ = time;
    constant_ = linear_ = quadratic_ = {};
    power_ = power;
    smooth_ = false;
  }

  /// What comes next does not continue what was: the power has a kink here.
  void forget() { smooth_ = false; }

  /// At a time within the last step.
  Work at(double time) const {
    constexpr double kRounding = 1e-9;  // [s]
    GROUSER_ASSERT(time >= begin_ - kRounding && time <= end_ + kRounding);
    const double s = time - begin_;
    return sum_ + s * (constant_ + (s / 2.0) * linear_ + (s * s / 3.0) * quadratic_);
  }

  void archive(Archive& a) {
    a(begin_, end_, sum_, constant_, linear_, quadratic_, power_, power_before_, smooth_);
  }

 private:
  void advance(double time, const Work& constant, const Work& linear, const Work& quadratic) {
    sum_ = at(end_);
    begin_ = end_;
    end_ = time;
    constant_ = constant;
    linear_ = linear;
    quadratic_ = quadratic;
  }

  double begin_ = 0.0, end_ = 0.0;      // of the last step
  Work sum_;                            // at its beginning
  Work constant_, linear_, quadratic_;  // the power in it, from its beginning
  Work power_, power_before_;           // at its end and its beginning
  bool smooth_ = false;                 // power_before_ may be used
};

}  // namespace grouser
