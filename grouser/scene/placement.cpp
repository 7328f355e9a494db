#include "grouser/scene/placement.h"

#include "grouser/base/assert.h"

namespace grouser {

Pose PlacementDef::pose() const {
  GROUSER_ASSERT(quaternion.empty() || quaternion.size() == 4);
  if (!quaternion.empty())
    return make_pose(position, Quat(quaternion[0], quaternion[1], quaternion[2], quaternion[3]));
  const Mat3 R =
      (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
          .toRotationMatrix();
  return {R, position};
}

namespace placement_detail {
namespace {

Vec3 read3(const Value& value, const std::string& path) {
  const std::vector<double> x = parameters_detail::read_numbers(value, path, 3, any_number());
  return {x[0], x[1], x[2]};
}

}  // namespace

void read_position(const Value& value, PlacementDef& out, const std::string& path) {
  out.position = read3(value, path);
}

void read_rpy(const Value& value, PlacementDef& out, const std::string& path) {
  out.rpy = read3(value, path);
}

void read_quaternion(const Value& value, PlacementDef& out, const std::string& path) {
  std::vector<double> q = parameters_detail::read_numbers(value, path, 4, any_number());
  if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-12)
    throw InputError(value.place(), path + " must not be zero");
  if (!out.rpy.isZero(0.0))
    throw InputError(value.place(), path + " and rpy are both given; give one");
  out.quaternion = std::move(q);
}

}  // namespace placement_detail
}  // namespace grouser
