// Impact craters: their profile, and populations of them.
//
// With r the distance from the centre in radii, q = r^-3, d the depth from rim to floor and h the
// height of the rim over the plain, both after degradation:
//
//   bowl    r < 1:  z = h - d + A r^2 + B r^12 + C r^16, or with powers 2, 4 and 6
//   ejecta  r > 1:  z = h q (5 - q^4) / 4, faded out between r = 3 and 5
//
// with A + B + C = d, and slope and curvature continuous at the rim. The first bowl is a paraboloid
// with a rounded rim; the second, soft one mixes in with degradation. The rim is the highest line,
// and ejecta fall off with the third power of the distance.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grouser/assets/surface_layers.h"

namespace grouser {

/// One crater on a plain, as it is now.
class CraterShape {
 public:
  /// `depth` and `rim` are those of a fresh one per diameter. Degradation takes 85 % of the depth
  /// and all of the rim: the rim goes with the square of what is left.
  CraterShape(const Crater& crater, double depth, double rim);

  const Vec2& position() const { return position_; }
  double reach() const { return reach_; }  ///< flat from there on [m]
  double depth() const { return depth_; }  ///< from rim to floor [m]
  double rim() const { return rim_; }      ///< over the plain [m]

  /// Adds height, and derivatives if wanted, at a point.
  void add_height(double x, double y, double& z) const;
  void add(double x, double y, SurfaceHeight& sum) const;

 private:
  /// Height and derivatives by t = r^2, r in radii.
  struct BySquare {
    double z = 0.0, first = 0.0, second = 0.0;
  };
  BySquare profile(double t) const;

  Vec2 position_;
  double inverse_radius_square_;  // [1/m^2]
  double reach_, depth_, rim_;
  std::array<double, 9> bowl_ = {};  // factors of the powers of t
};

/// Craters whose ejecta reach the rectangle between two corners, largest first: a Poisson process,
/// on as much ground around the rectangle as matters, so that its border is like its middle.
/// `margin` [m] makes the rectangle wider and higher at its upper corner; craters that reach the
/// rectangle without it are the same for every margin. Listed craters are not among them.
/// Precondition: see make_field(); ranges and relations hold.
std::vector<Crater> draw_craters(const CraterLayer& layer, const Vec2& lower, const Vec2& upper,
                                 std::uint64_t seed, double margin = 0.0);

/// The number of craters draw_craters() has to draw on average.
double expected_craters(const CraterLayer& layer, const Vec2& lower, const Vec2& upper);

// Limits: of the craters to draw, and of the craters in which a point lies on average.
inline constexpr double kMostCraters = 2e6;
inline constexpr double kMostCoverage = 20.0;

}  // namespace grouser
