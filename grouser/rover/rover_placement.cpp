#include "grouser/rover/rover_placement.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

/// Height of the axle at which a wheel at `p_WC` would just touch.
double touching_height(const GroundHeight& ground, const StandingWheel& wheel, const Mat3& R_WR,
                       const Vec3& p_WC) {
  GROUSER_ASSERT(wheel.radius > 0.0 && wheel.width >= 0.0);
  // Points of the rim and across its width, as seen from above.
  constexpr int kAlong = 8, kAcross = 2;
  const Vec3 axis = R_WR * wheel.axis_R;
  const Vec2 across = axis.head<2>();
  const Vec2 along = Vec2(across.y(), -across.x()).normalized();
  double height = -std::numeric_limits<double>::infinity();
  for (int i = -kAlong; i <= kAlong; ++i) {
    const double s = wheel.radius * i / kAlong;
    const double drop = std::sqrt(wheel.radius * wheel.radius - s * s);
    for (int j = -kAcross; j <= kAcross; ++j) {
      const double t = 0.5 * wheel.width * j / kAcross;
      const Vec2 p = p_WC.head<2>() + s * along + t * across;
      // A wheel that leans has one side lower than the other.
      height = std::max(height, ground.at(p.x(), p.y()) + drop - t * axis.z());
    }
  }
  return height;
}

/// Of a rover whose z axis is `up` (any length) and whose nose, seen from above, has that heading.
Mat3 attitude(const Vec3& up, double heading) {
  GROUSER_ASSERT(up.z() > 0.0);
  Vec3 nose(std::cos(heading), std::sin(heading), 0.0);
  nose.z() = -up.dot(nose) / up.z();
  Mat3 R;
  R.col(0) = nose.normalized();
  R.col(2) = up.normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

}  // namespace

GroundHeight::GroundHeight(const SoilGroundDef& soil) : X_WT_(soil.X_BT) {
  if (soil.heights)
    map_.emplace(*soil.heights, ElevationMap::Kind::bilinear, ElevationMap::Border::clamp);
}

double GroundHeight::at(double x, double y) const {
  // Down the vertical line until the point lies on the surface; at once if the ground is level.
  const Mat3 R_TW = X_WT_.R.transpose();
  double z = X_WT_.p.z();
  for (int i = 0; i < 50; ++i) {
    const Vec3 p_T = R_TW * (Vec3(x, y, z) - X_WT_.p);
    const double above = p_T.z() - (map_ ? map_->height(p_T.x(), p_T.y()) : 0.0);
    z -= above / X_WT_.R(2, 2);
    if (std::abs(above) < 1e-12) break;
  }
  return z;
}

Pose stand_on(const GroundHeight& ground, std::span<const StandingWheel> wheels, const Vec2& place,
              double heading) {
  Pose X_WR{attitude(Vec3::UnitZ(), heading), Vec3(place.x(), place.y(), 0.0)};
  // The plane through the ground below the wheels says how the rover leans, and how it leans says
  // where the wheels are.
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    MatX where(static_cast<Eigen::Index>(wheels.size()), 2);
    VecX lacks(where.rows());  // height of the chassis that each wheel asks for
    for (Eigen::Index i = 0; i < where.rows(); ++i) {
      const StandingWheel& wheel = wheels[static_cast<std::size_t>(i)];
      const Vec3 p_WC = X_WR * wheel.p_RC;
      where.row(i) = p_WC.head<2>();
      lacks[i] = touching_height(ground, wheel, X_WR.R, p_WC) - p_WC.z();
    }
    where.rowwise() -= Vec2(where.colwise().mean()).transpose();
    lacks.array() -= lacks.mean();
    // Change of the slopes that makes all wheels ask for about the same; none where the wheels
    // stand in a line.
    const Vec2 slopes = where.completeOrthogonalDecomposition().solve(lacks);
    const Vec3 up = X_WR.R.col(2);
    X_WR.R =
        attitude(Vec3(up.x() / up.z() - slopes.x(), up.y() / up.z() - slopes.y(), 1.0), heading);
    GROUSER_ASSERT(is_rotation(X_WR.R));
  }
  const std::vector<double> depths = depths_at(ground, wheels, X_WR);
  if (!depths.empty()) X_WR.p.z() += *std::max_element(depths.begin(), depths.end());
  return X_WR;
}

std::vector<double> depths_at(const GroundHeight& ground, std::span<const StandingWheel> wheels,
                              const Pose& X_WR) {
  std::vector<double> out;
  for (const StandingWheel& wheel : wheels) {
    const Vec3 p_WC = X_WR * wheel.p_RC;
    out.push_back(touching_height(ground, wheel, X_WR.R, p_WC) - p_WC.z());
  }
  return out;
}

}  // namespace grouser
