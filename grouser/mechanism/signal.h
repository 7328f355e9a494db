// Numbers that depend on time: constants, ramps, pulses, sines and tables, with two derivatives.
#pragma once

#include <string>
#include <variant>

#include "grouser/base/value.h"
#include "grouser/mechanism/signal_table.h"

namespace grouser {

namespace signal_forms {
struct Constant {
  double value = 0.0;
};
struct Line {
  double rate = 0.0, offset = 0.0;
};
struct Step {
  double from = 0.0, to = 0.0, start = 0.0, duration = 1.0;
};
/// peak sin^4(pi x), x = (t - start) / duration in [0, 1]: zero outside, with three continuous
/// derivatives. Steps that are the same in each quarter sum it exactly, whatever the method.
struct Pulse {
  double peak = 0.0, start = 0.0, duration = 1.0;
};
struct Sine {
  double amplitude = 0.0, frequency = 0.0, phase = 0.0, offset = 0.0;
};
}  // namespace signal_forms

class Signal {
 public:
  Signal() = default;
  explicit Signal(double constant) : form_(signal_forms::Constant{constant}) {}
  explicit Signal(SignalTable table) : form_(std::move(table)) {}

  /// A scene may write
  ///   2.0                                              a constant
  ///   { rate = 2.0, offset = 0.0 }                     a straight line
  ///   { from = 0, to = 1, start = 0.5, duration = 2 }  a smooth step (C2)
  ///   { pulse = 30, start = 2.2, duration = 0.1 }      a smooth bump (C3) with this peak
  ///   { impulse = 1.5, start = 2.2, duration = 0.1 }   the same with this integral
  ///   { amplitude = 1, frequency = 2, phase = 0, offset = 0 }   a sine, frequency in Hz
  ///   { table = [[t, x], ...] }                        points, see SignalTable
  ///   { file = "motion.csv", time = "t", value = "x" } the same from columns of a file
  /// The last two with interpolation, ends and periodic. Files are looked up relative to `folder`.
  static Signal read(const Value& value, const std::string& path, const std::string& folder);

  SignalValue at(double time) const;
  /// Of the value, from time 0.
  double integral(double time) const;
  /// The next time after this one where an integrator should end a step, or infinity: ends of steps
  /// and of quarters of pulses, points of tables. Between two of them nothing can be missed by
  /// looking at both ends.
  double next_corner(double time) const;
  void add_to(Hash& hash) const;

 private:
  std::variant<signal_forms::Constant, signal_forms::Line, signal_forms::Step, signal_forms::Pulse,
               signal_forms::Sine, SignalTable>
      form_;
};

}  // namespace grouser
