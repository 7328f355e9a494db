// A face of a body as it is drawn on the grid. Inside the soil room, for the lower envelope.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grouser/math/registers.h"
#include "grouser/mesh/flat_faces.h"

namespace grouser::envelope {

using namespace registers;

/// The sides of a surface. Those that look down are numbered first.
constexpr std::uint8_t kNone = 0;
constexpr std::uint8_t kDown = 1;
constexpr std::uint8_t kUp = 2;
constexpr std::uint8_t kSheer = 4;  ///< besides: it is a wall

inline double clamped(double x, double least, double most) {
  return lesser(greater(x, least), most);
}

/// u and v count nodes of the window, z is above the body's origin [m].
struct Point {
  double u, v, z;
};

/// One coordinate of the corners of a patch, in pairs: where edges begin and where they end. Where
/// the number of corners is odd there is one edge more, of no length.
struct Corners {
  static constexpr std::size_t kPairs = (FlatFaces::kMostCorners + 1) / 2;
  std::array<Double2, kPairs> begin, end;
  double least, most;

  double operator[](std::size_t k) const { return begin[k / 2][k % 2]; }
  /// `corners` are the places of the corners, and of the first one twice more.
  void set(const double* places, const std::uint32_t* corners, std::size_t pairs) {
    Double2 low = two(kInfinity), high = two(-kInfinity);
    for (std::size_t k = 0; k < pairs; ++k) {
      const double middle = places[corners[2 * k + 1]];
      begin[k] = Double2{places[corners[2 * k]], middle};
      end[k] = Double2{middle, places[corners[2 * k + 2]]};
      low = lesser(low, begin[k]);
      high = greater(high, begin[k]);
    }
    least = lesser(low[0], low[1]);
    most = greater(high[0], high[1]);
  }
};

/// A face as it is drawn.
struct Patch {
  Corners u, v, z;
  std::size_t count, pairs;
  double slope_u, slope_v;  // [m per cell]
  double drop;              // by which it counts as lower [m]
  std::uint8_t side;
  bool wall;

  Point corner(std::size_t k) const { return {u[k], v[k], z[k]}; }
};

inline Point between(const Point& a, const Point& b, double t) {
  return {a.u + t * (b.u - a.u), a.v + t * (b.v - a.v), a.z + t * (b.z - a.z)};
}

/// Where the line between two points passes a height; the same for both directions.
inline Point crossing(const Point& a, const Point& b, double z) {
  const Point &low = a.z < b.z ? a : b, &high = a.z < b.z ? b : a;
  return between(low, high, (z - low.z) / (high.z - low.z));
}

/// Where the corners and outlines of a cluster of faces are. Lives in scratch.
struct Places {
  std::span<double> u, v, z;
  Point operator[](std::size_t k) const { return {u[k], v[k], z[k]}; }
};

}  // namespace grouser::envelope
