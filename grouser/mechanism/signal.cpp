#include "grouser/mechanism/signal.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "grouser/base/parameters.h"
#include "grouser/math/types.h"
#include "grouser/mechanism/signal_file.h"

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

constexpr double kPulseMean = 3.0 / 8.0;  // of sin^4 over half a period

/// Integral of sin^4(pi x) from 0, zero outside of [0, 1].
double pulse_integral(double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return kPulseMean;
  return kPulseMean * x + (std::sin(4.0 * kPi * x) - 8.0 * std::sin(2.0 * kPi * x)) / (32.0 * kPi);
}

SignalValue pulse_at(const Pulse& p, double t) {
  const double x = (t - p.start) / p.duration;
  if (!(x > 0.0 && x < 1.0)) return {};
  const double s = std::sin(kPi * x), c = std::cos(kPi * x), w = kPi / p.duration;
  return {p.peak * s * s * s * s, p.peak * w * 4.0 * s * s * s * c,
          p.peak * w * w * 4.0 * s * s * (3.0 * c * c - s * s)};
}

/// A pulse by its peak or by its integral.
Pulse read_pulse(const Value& value, const std::string& path) {
  struct Text : Pulse {
    double height = 0.0;  // peak or integral
  };
  const bool by_peak = value.find("pulse");
  if (by_peak && value.find("impulse"))
    throw InputError(value.place(),
                     path + ": give pulse, the peak, or impulse, the integral, not both");
  Text text;
  ParameterTable<Text>()
      .number(by_peak ? "pulse" : "impulse", &Text::height, "", any_number(),
              by_peak ? "greatest value" : "integral over time")
      .number("start", &Text::start, "s", any_number(), "of the pulse")
      .number("duration", &Text::duration, "s", positive(), "of the pulse")
      .read(value, text, path);
  text.peak = by_peak ? text.height : text.height / (kPulseMean * text.duration);
  return text;
}

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The first of increasing times after t.
double first_after(double t, std::initializer_list<double> times) {
  for (const double time : times)
    if (time > t) return time;
  return kNever;
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
  } else if (value.find("pulse") || value.find("impulse")) {
    out.form_ = read_pulse(value, path);
  } else if (value.find("amplitude")) {
    sine.read(value, out.form_.emplace<Sine>(), path);
  } else {
    throw InputError(value.place(),
                     path +
                         " must be a number, or a table with rate (a line), from and to (a "
                         "step), pulse or impulse (a pulse), amplitude and frequency (a sine), "
                         "table (points) or file (a table of points)");
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
                 [t](const Pulse& p) { return pulse_at(p, t); },
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
                 [t](const Pulse& p) {
                   return p.peak * p.duration *
                          (pulse_integral((t - p.start) / p.duration) -
                           pulse_integral(-p.start / p.duration));
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

double Signal::next_corner(double t) const {
  return std::visit(Overloaded{[](const auto&) { return kNever; },
                               [t](const Step& s) {
                                 return first_after(t, {s.start, s.start + s.duration});
                               },
                               [t](const Pulse& p) {
                                 const double quarter = 0.25 * p.duration;
                                 return first_after(
                                     t, {p.start, p.start + quarter, p.start + 2.0 * quarter,
                                         p.start + 3.0 * quarter, p.start + p.duration});
                               },
                               [t](const SignalTable& table) { return table.next_corner(t); }},
                    form_);
}

void Signal::add_to(Hash& hash) const {
  hash.add(std::uint64_t{form_.index()});
  const auto add = [&](std::initializer_list<double> numbers) {
    for (const double x : numbers) hash.add(x);
  };
  std::visit(Overloaded{[&](const Constant& c) { add({c.value}); },
                        [&](const Line& l) {
                          add({l.rate, l.offset});
                        },
                        [&](const Step& s) {
                          add({s.from, s.to, s.start, s.duration});
                        },
                        [&](const Pulse& p) {
                          add({p.peak, p.start, p.duration});
                        },
                        [&](const Sine& s) {
                          add({s.amplitude, s.frequency, s.phase, s.offset});
                        },
                        [&](const SignalTable& table) { table.add_to(hash); }},
             form_);
}

}  // namespace grouser
