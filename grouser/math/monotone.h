// Cubic pieces that rise and fall only where their points do.
#pragma once

namespace grouser {

/// Slope at a point between two chords of lengths h0 and h1: the harmonic mean of theirs, weighted
/// by the lengths; zero where they turn round. Fritsch and Butland (1984).
inline double monotone_slope(double h0, double slope0, double h1, double slope1) {
  if (!(slope0 * slope1 > 0.0)) return 0.0;
  return 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / slope0 + (h1 + 2.0 * h0) / slope1);
}

}  // namespace grouser
