// A function of time through points: a cubic between each two, the ends, repetition.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grouser/base/hash.h"

namespace grouser {

/// Value and first two time derivatives.
struct SignalValue {
  double value = 0.0;
  double rate = 0.0;
  double acceleration = 0.0;
};

class SignalTable {
 public:
  enum class Interpolation {
    spline,    ///< cubic spline: value, rate and acceleration are continuous
    monotone,  ///< cubics that rise and fall only where the points do: value and rate are
    linear     ///< straight lines: the value is
  };
  enum class Ends {
    rest,     ///< the rate is zero at the first and last point, the value constant beyond
    straight  ///< beyond the first and last point it goes on straight, as it comes from there
  };
  struct Options {
    Interpolation interpolation = Interpolation::spline;
    Ends ends = Ends::rest;
    bool periodic = false;  ///< repeats what lies between the first and last point; no ends then
  };

  /// At least two points, times that increase; if periodic, the last value is the first one.
  /// Linear signals that end at rest have a kink there.
  SignalTable(std::span<const double> times, std::span<const double> values,
              const Options& options);

  SignalValue at(double time) const;
  /// Of the value, from time 0.
  double integral(double time) const;
  /// The first point after this time, or infinity. Of more than kMostCorners points only the first
  /// and the last count, and a periodic spline has none: it is smooth for ever, as a sine is.
  double next_corner(double time) const;
  static constexpr std::size_t kMostCorners = 64;
  void add_to(Hash& hash) const;

 private:
  /// A cubic from its start on.
  struct Piece {
    double value = 0.0, rate = 0.0, acceleration = 0.0, jerk = 0.0;
    double integral = 0.0;  ///< from the first point to the start
  };
  struct Spot {
    double s = 0.0;        ///< time since the start of the piece
    double periods = 0.0;  ///< whole ones gone by
    const Piece* piece = nullptr;
  };
  Spot find(double time) const;
  double antiderivative(double time) const;

  std::vector<double> times_;    ///< of the points
  std::vector<double> corners_;  ///< those next_corner() knows
  std::vector<Piece> pieces_;    ///< one from each point; the last goes on for ever
  Piece before_;                 ///< up to the first point
  bool periodic_ = false;
};

}  // namespace grouser
