#include "grouser/mechanism/urdf_inertia.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <string_view>

#include "grouser/base/text.h"

namespace grouser {
namespace {

/// A triangle inequality missed by less than this share is the rounding of a file with few digits.
constexpr double kRounding = 1e-3;

std::string text_of(const Vec3& v, int digits, std::string_view separator) {
  const std::array<std::string, 3> words = {to_text(v.x(), digits), to_text(v.y(), digits),
                                            to_text(v.z(), digits)};
  return join(words, separator);
}

}  // namespace

PrincipalInertia principal_inertia(const Mat3& inertia) {
  if (inertia.isDiagonal(0.0)) return {inertia.diagonal(), Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  PrincipalInertia result{solver.eigenvalues(), solver.eigenvectors()};
  if (result.axes.determinant() < 0.0) result.axes.col(2) *= -1.0;
  return result;
}

std::string impossible_inertia(const Vec3& moments) {
  const double largest = moments.maxCoeff();
  if (moments.minCoeff() < -1e-12 * std::abs(largest)) {
    return "inertia is not positive definite, its principal moments are " +
           text_of(moments, 6, ", ") + " kg m^2";
  }
  const double others = moments.sum() - largest;
  if (largest - others > kRounding * largest) {
    return "inertia violates the triangle inequality: the principal moment " + to_text(largest, 6) +
           " kg m^2 exceeds the sum of the other two, " + to_text(others, 6);
  }
  return "";
}

double remove_rounding(Vec3& moments) {
  moments = moments.cwiseMax(0.0);
  int largest = 0;
  const double before = moments.maxCoeff(&largest);
  const double others = moments[(largest + 1) % 3] + moments[(largest + 2) % 3];
  if (before <= others) return 0.0;
  moments[largest] = others;
  return (before - others) / before;
}

MassProperties welded(const MassProperties& a, const Pose& X_AB, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  if (sum.mass == 0.0) return sum;
  const Vec3 center_b = X_AB * b.center;
  sum.center = (a.mass * a.center + b.mass * center_b) / sum.mass;
  const auto shifted = [&](double mass, const Vec3& offset) {
    const Mat3 cross = cross_matrix(offset);
    return Mat3(-mass * cross * cross);
  };
  sum.inertia = a.inertia + X_AB.R * b.inertia * X_AB.R.transpose() +
                shifted(a.mass, a.center - sum.center) + shifted(b.mass, center_b - sum.center);
  return sum;
}

bool can_move(const MassProperties& body) {
  return body.mass > kLeastMass && principal_inertia(body.inertia).moments.minCoeff() > kLeastMass;
}

}  // namespace grouser
