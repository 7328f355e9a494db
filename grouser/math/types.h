// The linear algebra types of the project. Eigen enters here.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <numbers>

namespace grouser {

// How Eigen aligns its types is part of what a program and a library must agree on; it depends on
// the processor that a compiler is told of.
static_assert(EIGEN_MAX_ALIGN_BYTES == 16,
              "grouser was built with EIGEN_MAX_ALIGN_BYTES=16: compile with that definition, or "
              "without options such as -mavx and -march=native");

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The matrix of `v x`.
inline Mat3 cross_matrix(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// Rotation by the vector `w` [rad]: exp of its cross matrix.
inline Mat3 rotation_from_vector(const Vec3& w) {
  const double angle = w.norm();
  if (angle == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, w / angle).toRotationMatrix();
}

}  // namespace grouser
