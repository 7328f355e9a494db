// On which side of what a point lies: signs of small determinants, decided exactly.
//
// Double arithmetic with a bound on its rounding decides almost always. Where the bound does not
// exclude zero, the determinant is summed up again without rounding (Shewchuk 1997, "Adaptive
// precision floating-point arithmetic and fast robust geometric predicates").
//
// What is exactly zero is decided as if one of two surfaces, the *displaced* one, were moved by
// (e, e^2, e^3) with e > 0 smaller than anything (simulation of simplicity, Edelsbrunner and Muecke
// 1990, by a translation). So all answers about two surfaces fit together: they are those of two
// surfaces without a vertex on a face, without crossing edges and without faces in one plane.
//
// Exact as long as distances lie between about 1e-80 and 1e80; not finite coordinates give any
// answer.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "grouser/math/types.h"

namespace grouser {

/// Counter-clockwise seen from above.
using FaceCorners = std::array<Vec3, 3>;

/// Which of the two surfaces a predicate looks at is the displaced one.
enum class Displaced : bool { face, edge };

namespace orientation_detail {

/// Eight roundings of 2^-53 each, doubled.
inline constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

/// Sum of |a_i b_j| over the terms of each component of a x b.
inline Vec3 cross_of_sizes(const Vec3& a, const Vec3& b) {
  const Vec3 s = a.cwiseAbs(), t = b.cwiseAbs();
  return {s.y() * t.z() + s.z() * t.y(), s.z() * t.x() + s.x() * t.z(),
          s.x() * t.y() + s.y() * t.x()};
}

bool exactly_above(const FaceCorners& face, const Vec3& p, Displaced displaced);
bool exactly_right_handed(const Vec3& p, const Vec3& q, const Vec3& u, const Vec3& v);

}  // namespace orientation_detail

/// The plane through a face, for questions about several points.
class FacePlane {
 public:
  explicit FacePlane(const FaceCorners& face)
      : face_(face),
        normal_((face[1] - face[0]).cross(face[2] - face[0])),
        sizes_(orientation_detail::cross_of_sizes(face[1] - face[0], face[2] - face[0])) {}

  /// Whether p, the end of an edge of the other surface, lies on the outer side. No point lies
  /// above a face whose corners are exactly on one line.
  bool is_above(const Vec3& p, Displaced displaced) const {
    const Vec3 d = p - face_[0];
    const double height = normal_.dot(d);
    const double bound = orientation_detail::kRounding * sizes_.dot(d.cwiseAbs());
    if (std::abs(height) > bound) return height > 0.0;
    return orientation_detail::exactly_above(face_, p, displaced);
  }

 private:
  FaceCorners face_;
  Vec3 normal_;
  Vec3 sizes_;
};

/// Whether p -> q of the displaced surface and u -> v of the other are in the order of a
/// right-handed screw: (q - p) x (v - u) . (u - p) > 0. Parallel edges never are.
inline bool is_right_handed(const Vec3& p, const Vec3& q, const Vec3& u, const Vec3& v) {
  const Vec3 d = u - p;
  const double volume = (q - p).cross(v - u).dot(d);
  const double bound = orientation_detail::kRounding *
                       orientation_detail::cross_of_sizes(q - p, v - u).dot(d.cwiseAbs());
  if (std::abs(volume) > bound) return volume > 0.0;
  return orientation_detail::exactly_right_handed(p, q, u, v);
}

/// Whether p -> q meets the plane of `first` before that of `second`. Precondition: both planes
/// separate p and q. Two faces in one plane are met at once: false.
bool is_met_before(const Vec3& p, const Vec3& q, const FaceCorners& first,
                   const FaceCorners& second, Displaced displaced);

}  // namespace grouser
