#include "grouser/sim/signal.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/parameters.h"
#include "grouser/math/types.h"

namespace grouser {
using namespace signal_forms;

namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

/// Integral of the spline from point i to a share b of the way to the next one.
double spline_integral(const Table& s, std::size_t i, double b) {
  const double h = s.time[i + 1] - s.time[i], a = 1.0 - b;
  return h * (0.5 * ((1.0 - a * a) * s.value[i] + b * b * s.value[i + 1]) +
              h * h / 24.0 *
                  (b * b * (b * b - 2.0) * s.curvature[i + 1] -
                   (1.0 - a * a) * (1.0 - a * a) * s.curvature[i]));
}

/// Integral of the table from its first point.
double table_integral(const Table& s, double t) {
  if (t <= s.time.front()) return (t - s.time.front()) * s.value.front();
  if (t >= s.time.back()) return s.integral.back() + (t - s.time.back()) * s.value.back();
  const auto after = std::upper_bound(s.time.begin(), s.time.end(), t);
  const auto i = static_cast<std::size_t>(after - s.time.begin()) - 1;
  return s.integral[i] + spline_integral(s, i, (t - s.time[i]) / (s.time[i + 1] - s.time[i]));
}

/// Integral of the rise of a smooth step of height and duration one.
double step_integral(double x) {
  if (x <= 0.0) return 0.0;
  return x >= 1.0 ? x - 0.5 : x * x * x * x * (2.5 + x * (-3.0 + x));
}

Table make_table(std::vector<double> time, std::vector<double> value) {
  // Second derivatives of the cubic spline with zero slope at both ends: a tridiagonal system,
  // solved by elimination from the front.
  const std::size_t n = time.size();
  std::vector<double> curvature(n), ratio(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double h0 = i > 0 ? time[i] - time[i - 1] : 0.0;
    const double h1 = i + 1 < n ? time[i + 1] - time[i] : 0.0;
    const double slope_before = i > 0 ? (value[i] - value[i - 1]) / h0 : 0.0;
    const double slope_after = i + 1 < n ? (value[i + 1] - value[i]) / h1 : 0.0;
    const double pivot = 2.0 * (h0 + h1) - (i > 0 ? h0 * ratio[i - 1] : 0.0);
    ratio[i] = h1 / pivot;
    curvature[i] =
        (6.0 * (slope_after - slope_before) - (i > 0 ? h0 * curvature[i - 1] : 0.0)) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) curvature[i] -= ratio[i] * curvature[i + 1];
  Table out{std::move(time), std::move(value), std::move(curvature), {0.0}};
  for (std::size_t i = 0; i + 1 < n; ++i)
    out.integral.push_back(out.integral[i] + spline_integral(out, i, 1.0));
  return out;
}

}  // namespace

Signal Signal::read(const Value& value, const std::string& path) {
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
  if (value.find("table")) {
    std::vector<double> time, x;
    for (const Value::Entry& entry : value.as_table())
      if (entry.key != "table") parameters_detail::refuse_unknown_key(entry, path, {"table"});
    const std::string key = path + ".table";
    const Value& table = *value.find("table");
    for (const Value& row : table.array_or_throw(key)) {
      const std::vector<double> pair = parameters_detail::read_numbers(row, key, 2, any_number());
      if (!time.empty() && pair[0] <= time.back())
        throw InputError(row.place(), key + ": times must increase");
      time.push_back(pair[0]);
      x.push_back(pair[1]);
    }
    if (time.size() < 2) throw InputError(table.place(), key + " needs at least two points");
    out.form_ = make_table(std::move(time), std::move(x));
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
                         "step), amplitude and frequency (a sine), or table (points)");
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
                 [t](const Table& s) {
                   if (t <= s.time.front()) return SignalValue{s.value.front(), 0.0, 0.0};
                   if (t >= s.time.back()) return SignalValue{s.value.back(), 0.0, 0.0};
                   const auto after = std::upper_bound(s.time.begin(), s.time.end(), t);
                   const auto i = static_cast<std::size_t>(after - s.time.begin()) - 1;
                   const double h = s.time[i + 1] - s.time[i];
                   const double a = (s.time[i + 1] - t) / h, b = (t - s.time[i]) / h;
                   const double c0 = s.curvature[i], c1 = s.curvature[i + 1];
                   return SignalValue{
                       a * s.value[i] + b * s.value[i + 1] +
                           ((a * a * a - a) * c0 + (b * b * b - b) * c1) * h * h / 6.0,
                       (s.value[i + 1] - s.value[i]) / h +
                           ((1.0 - 3.0 * a * a) * c0 + (3.0 * b * b - 1.0) * c1) * h / 6.0,
                       a * c0 + b * c1};
                 }},
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
                 [t](const Table& s) { return table_integral(s, t) - table_integral(s, 0.0); }},
      form_);
}

}  // namespace grouser
