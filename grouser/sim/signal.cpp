#include "grouser/sim/signal.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/parameters.h"
#include "grouser/math/types.h"
#include "grouser/sim/signal_file.h"

namespace grouser {
using namespace signal_forms;

namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

/// Integral of the rise of a smooth step of height and duration one.
double step_integral(double x) {
  if (x <= 0.0) return 0.0;
  return x >= 1.0 ? x - 0.5 : x * x * x * x * (2.5 + x * (-3.0 + x));
}

}  // namespace

Signal Signal::read(const Value& value, const std::string& path, const std::string& folder) {
  Signal out;
  if (value.is_number()) {
    out.form_ = Constant{parameters_detail::read_number(value, path, any_number())};
    return out;
  }
  if (!value.is_table())
    throw InputError(value.place(), path + " must be a number or a table, is " + value.text());

  // The first key that belongs to one form only decides which form it is.
  static const auto line = ParameterTable<Line>()
                               .number("rate", &Line::rate, "1/s", any_number(), "slope")
                               .number("offset", &Line::offset, "", any_number(), "at time 0");
  static const auto step = ParameterTable<Step>()
                               .number("from", &Step::from, "", any_number(), "before the step")
                               .number("to", &Step::to, "", any_number(), "after the step")
                               .number("start", &Step::start, "s", any_number(), "of the step")
                               .number("duration", &Step::duration, "s", positive(), "of the step");
  static const auto sine =
      ParameterTable<Sine>()
          .number("amplitude", &Sine::amplitude, "", any_number(), "of the sine")
          .number("frequency", &Sine::frequency, "Hz", any_number(), "of the sine")
          .number("phase", &Sine::phase, "rad", any_number(), "of the sine")
          .number("offset", &Sine::offset, "", any_number(), "mean value");
  if (value.find("table") || value.find("file")) {
    out.form_ = read_signal_table(value, path, folder);
  } else if (value.find("rate")) {
    line.read(value, out.form_.emplace<Line>(), path);
  } else if (value.find("to") || value.find("from")) {
    step.read(value, out.form_.emplace<Step>(), path);
  } else if (value.find("amplitude")) {
    sine.read(value, out.form_.emplace<Sine>(), path);
  } else {
    throw InputError(value.place(),
                     path +
                         " must be a number, or a table with rate (a line), from and to (a "
                         "step), amplitude and frequency (a sine), table (points) or file (a "
                         "table of points)");
  }
  return out;
}

SignalValue Signal::at(double t) const {
  return std::visit(
      Overloaded{[](const Constant& c) {
                   return SignalValue{c.value, 0.0, 0.0};
                 },
                 [t](const Line& l) {
                   return SignalValue{l.offset + l.rate * t, l.rate, 0.0};
                 },
                 [t](const Step& s) {
                   const double x = std::clamp((t - s.start) / s.duration, 0.0, 1.0);
                   const double rise = s.to - s.from;
                   return SignalValue{
                       s.from + rise * x * x * x * (10.0 + x * (-15.0 + 6.0 * x)),
                       rise * 30.0 * x * x * (1.0 - x) * (1.0 - x) / s.duration,
                       rise * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (s.duration * s.duration)};
                 },
                 [t](const Sine& s) {
                   const double w = 2.0 * kPi * s.frequency;
                   const double angle = w * t + s.phase;
                   return SignalValue{s.offset + s.amplitude * std::sin(angle),
                                      s.amplitude * w * std::cos(angle),
                                      -s.amplitude * w * w * std::sin(angle)};
                 },
                 [t](const SignalTable& table) { return table.at(t); }},
      form_);
}

double Signal::integral(double t) const {
  return std::visit(
      Overloaded{[t](const Constant& c) { return c.value * t; },
                 [t](const Line& l) { return (l.offset + 0.5 * l.rate * t) * t; },
                 [t](const Step& s) {
                   const double rise = (s.to - s.from) * s.duration;
                   return s.from * t + rise * (step_integral((t - s.start) / s.duration) -
                                               step_integral(-s.start / s.duration));
                 },
                 [t](const Sine& s) {
                   // cos(p) - cos(p + 2 x) = 2 sin(p + x) sin(x), exact also for a slow sine.
                   const double x = kPi * s.frequency * t;
                   const double share = x == 0.0 ? 1.0 : std::sin(x) / x;
                   return (s.offset + s.amplitude * std::sin(s.phase + x) * share) * t;
                 },
                 [t](const SignalTable& table) { return table.integral(t); }},
      form_);
}

}  // namespace grouser
