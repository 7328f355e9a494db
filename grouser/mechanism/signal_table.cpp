#include "grouser/mechanism/signal_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/monotone.h"

namespace grouser {
namespace {

using Interpolation = SignalTable::Interpolation;
using Ends = SignalTable::Ends;

/// Lengths of the pieces and slopes of their chords.
struct Chords {
  std::vector<double> h, slope;
  std::size_t count() const { return h.size(); }
};

Chords chords_of(std::span<const double> times, std::span<const double> values) {
  Chords out;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    out.h.push_back(times[i + 1] - times[i]);
    out.slope.push_back((values[i + 1] - values[i]) / out.h[i]);
  }
  return out;
}

/// An equation for a slope at an end of a spline: diagonal * slope + next * its neighbour = right.
struct EndEquation {
  double diagonal = 1.0, next = 0.0, right = 0.0;
};

EndEquation end_equation(Ends ends, double chord) {
  if (ends == Ends::rest) return {};
  return {2.0, 1.0, 3.0 * chord};  // no curvature
}

/// Slopes at the points that make the second derivative continuous: a tridiagonal system, solved by
/// elimination from the front. Without `load` it is that of chords without slope.
std::vector<double> spline_slopes(const Chords& c, const EndEquation& first,
                                  const EndEquation& last, double load = 1.0) {
  const std::size_t n = c.count() + 1;
  std::vector<double> x(n), ratio(n);
  for (std::size_t i = 0; i < n; ++i) {
    double before = 0.0, diagonal = 0.0, after = 0.0, right = 0.0;
    if (i == 0) {
      diagonal = first.diagonal, after = first.next, right = first.right;
    } else if (i + 1 == n) {
      diagonal = last.diagonal, before = last.next, right = last.right;
    } else {
      before = 1.0 / c.h[i - 1], after = 1.0 / c.h[i];
      diagonal = 2.0 * (before + after);
      right = 3.0 * load * (c.slope[i - 1] * before + c.slope[i] * after);
    }
    const double pivot = diagonal - (i > 0 ? before * ratio[i - 1] : 0.0);
    GROUSER_ASSERT(pivot > 0.0);
    ratio[i] = after / pivot;
    x[i] = (right - (i > 0 ? before * x[i - 1] : 0.0)) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) x[i] -= ratio[i] * x[i + 1];
  return x;
}

/// The same with one slope where the end meets the start. All slopes are linear in that one; it
/// follows from the second derivative there.
std::vector<double> periodic_spline_slopes(const Chords& c) {
  const std::size_t n = c.count();
  std::vector<double> x = spline_slopes(c, {}, {});
  const std::vector<double> by_seam = spline_slopes(c, {1.0, 0.0, 1.0}, {1.0, 0.0, 1.0}, 0.0);
  const double before = 1.0 / c.h[n - 1], after = 1.0 / c.h[0];
  const auto left_side = [&](const std::vector<double>& m) {
    return before * m[n - 1] + 2.0 * (before + after) * m[0] + after * m[1];
  };
  const double right = 3.0 * (c.slope[n - 1] * before + c.slope[0] * after);
  const double seam = (right - left_side(x)) / left_side(by_seam);
  for (std::size_t i = 0; i <= n; ++i) x[i] += seam * by_seam[i];
  return x;
}

std::vector<double> monotone_slopes(const Chords& c, const SignalTable::Options& options) {
  const std::size_t n = c.count();
  std::vector<double> out(n + 1);
  for (std::size_t i = 1; i < n; ++i)
    out[i] = monotone_slope(c.h[i - 1], c.slope[i - 1], c.h[i], c.slope[i]);
  if (options.periodic) {
    out[0] = out[n] = monotone_slope(c.h[n - 1], c.slope[n - 1], c.h[0], c.slope[0]);
  } else if (options.ends == Ends::straight) {
    out[0] = c.slope[0];
    out[n] = c.slope[n - 1];
  }
  return out;
}

std::vector<double> smooth_slopes(const Chords& c, const SignalTable::Options& options) {
  if (options.interpolation == Interpolation::monotone) return monotone_slopes(c, options);
  if (options.periodic) return periodic_spline_slopes(c);
  return spline_slopes(c, end_equation(options.ends, c.slope.front()),
                       end_equation(options.ends, c.slope.back()));
}

}  // namespace

SignalTable::SignalTable(std::span<const double> times, std::span<const double> values,
                         const Options& options)
    : times_(times.begin(), times.end()), periodic_(options.periodic) {
  GROUSER_ASSERT(times.size() >= 2 && values.size() == times.size());
  GROUSER_ASSERT(std::ranges::adjacent_find(times_, std::greater_equal()) == times_.end());
  const Chords c = chords_of(times, values);
  const std::size_t n = c.count();
  const bool linear = options.interpolation == Interpolation::linear;
  const std::vector<double> slopes = linear ? std::vector<double>() : smooth_slopes(c, options);
  double integral = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    // The cubic with the values and slopes of both points.
    const double h = c.h[i];
    const double start = linear ? c.slope[i] : slopes[i], end = linear ? c.slope[i] : slopes[i + 1];
    const double acceleration = (6.0 * c.slope[i] - 4.0 * start - 2.0 * end) / h;
    const double jerk = (6.0 * (start + end) - 12.0 * c.slope[i]) / (h * h);
    pieces_.push_back({values[i], start, acceleration, jerk, integral});
    integral += h * (0.5 * (values[i] + values[i + 1]) + h * (start - end) / 12.0);
  }
  const bool goes_on = options.ends == Ends::straight;
  before_ = {values[0], goes_on ? pieces_[0].rate : 0.0, 0.0, 0.0, 0.0};
  const double last_slope = linear ? c.slope[n - 1] : slopes[n];
  pieces_.push_back({values[n], goes_on ? last_slope : 0.0, 0.0, 0.0, integral});

  if (periodic_ && options.interpolation == Interpolation::spline) return;
  if (times_.size() > kMostCorners)
    corners_ = {times_.front(), times_.back()};
  else
    corners_ = times_;
}

SignalTable::Spot SignalTable::find(double time) const {
  const double first = times_.front(), last = times_.back();
  double periods = 0.0;
  if (periodic_) {
    periods = std::floor((time - first) / (last - first));
    // Rounding must not lead past the last point or before the first.
    time = std::clamp(time - periods * (last - first), first, std::nextafter(last, first));
  } else if (time <= first) {
    return {time - first, 0.0, &before_};
  }
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  GROUSER_ASSERT(i < pieces_.size());
  return {time - times_[i], periods, &pieces_[i]};
}

SignalValue SignalTable::at(double time) const {
  const auto [s, periods, piece] = find(time);
  const Piece& p = *piece;
  return {p.value + s * (p.rate + s * (0.5 * p.acceleration + s * p.jerk / 6.0)),
          p.rate + s * (p.acceleration + s * 0.5 * p.jerk), p.acceleration + s * p.jerk};
}

double SignalTable::antiderivative(double time) const {
  const auto [s, periods, piece] = find(time);
  const Piece& p = *piece;
  return periods * pieces_.back().integral + p.integral +
         s * (p.value + s * (p.rate / 2.0 + s * (p.acceleration / 6.0 + s * p.jerk / 24.0)));
}

double SignalTable::next_corner(double time) const {
  if (!corners_.empty()) {
    const double first = times_.front(), period = times_.back() - first;
    // Rounding may put the time into the period before its own; the next one has a corner for sure.
    const double periods = periodic_ ? std::floor((time - first) / period) : 0.0;
    for (const double shift : {periods * period, (periods + 1.0) * period}) {
      for (const double corner : corners_)
        if (corner + shift > time) return corner + shift;
      if (!periodic_) break;
    }
  }
  return std::numeric_limits<double>::infinity();
}

double SignalTable::integral(double time) const {
  return antiderivative(time) - antiderivative(0.0);
}

void SignalTable::add_to(Hash& hash) const {
  hash.add(std::uint64_t{periodic_});
  for (const std::size_t count : {times_.size(), corners_.size()}) hash.add(std::uint64_t{count});
  hash.add(times_);
  const auto add = [&](const Piece& p) {
    for (const double x : {p.value, p.rate, p.acceleration, p.jerk, p.integral}) hash.add(x);
  };
  for (const Piece& piece : pieces_) add(piece);
  add(before_);
}

}  // namespace grouser
