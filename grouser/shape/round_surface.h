// The surface of cylinders and cones as lines and discs: what bears the pressure of another body.
#pragma once

#include <array>
#include <cmath>

#include "grouser/shape/convex_shape.h"

namespace grouser {

/// A straight line on the surface, and how wide the strip is for which it stands.
struct SurfaceLine {
  Vec3 start, direction;  ///< direction is a unit vector
  double length;
  double width_start, width_end;  ///< per angle [m], linear between
  Vec3 normal;
};

struct Lid {
  Vec3 center;
  Vec3 x, y;  ///< unit vectors in its plane
  Vec3 normal;
  double radius;

  /// Around it.
  std::array<Vec3, 4> square() const {
    const Vec3 u = radius * x, v = radius * y;
    return {center - u - v, center + u - v, center + u + v, center - u + v};
  }
  /// The chord across x at radius * sin(angle); its width is that of a step of the angle.
  SurfaceLine chord(double angle) const {
    const double half = radius * std::cos(angle);
    return {center + radius * std::sin(angle) * x - half * y, y, 2.0 * half, half, half, normal};
  }
};

/// A cylinder or cone in its place; positions relative to a point close by.
class RoundSurface {
 public:
  struct Rim {
    double radius, z;
  };

  RoundSurface(const ConvexShape& shape, const Pose& X_WS, const Vec3& p_WO)
      : R_(X_WS.R),
        center_(X_WS.p - p_WO),
        lower_{shape.radius, -shape.half_size.z()},
        upper_{shape.kind == ConvexKind::cone ? 0.0 : shape.radius, shape.half_size.z()} {
    const double height = upper_.z - lower_.z, inward = lower_.radius - upper_.radius;
    length_ = std::sqrt(height * height + inward * inward);
    rise_ = height / length_;
    lean_ = inward / length_;
  }

  /// By the angle about the axis.
  SurfaceLine line(double angle) const {
    const Vec3 radial = std::cos(angle) * R_.col(0) + std::sin(angle) * R_.col(1);
    SurfaceLine out;
    out.start = center_ + lower_.radius * radial + lower_.z * R_.col(2);
    out.direction = rise_ * R_.col(2) - lean_ * radial;
    out.length = length_;
    out.width_start = lower_.radius;
    out.width_end = upper_.radius;
    out.normal = rise_ * radial + lean_ * R_.col(2);
    return out;
  }
  Vec3 apex() const { return center_ + upper_.z * R_.col(2); }
  /// How far inside the side a point is, across the axis.
  double side_depth(const Vec3& p) const {
    const Vec3 p_S = in_shape(p);
    return radius_at(p_S.z()) - p_S.head<2>().norm();
  }
  int lid_count() const { return upper_.radius > 0.0 ? 2 : 1; }
  Lid lid(int which) const {
    const Rim& rim = which == 0 ? lower_ : upper_;
    const double sign = which == 0 ? -1.0 : 1.0;
    return {center_ + rim.z * R_.col(2), R_.col(0), sign * R_.col(1), sign * R_.col(2), rim.radius};
  }

  Vec3 in_shape(const Vec3& p) const { return R_.transpose() * (p - center_); }
  const Rim& lower() const { return lower_; }
  const Rim& upper() const { return upper_; }
  /// Of the surface at a height.
  double radius_at(double z) const {
    return lower_.radius + (z - lower_.z) / (upper_.z - lower_.z) * (upper_.radius - lower_.radius);
  }

 private:
  Mat3 R_;
  Vec3 center_;
  Rim lower_, upper_;
  double length_, rise_, lean_;
};

}  // namespace grouser
