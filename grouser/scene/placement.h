// Where a pose stands in a scene: position, and orientation as rpy or quaternion.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/math/spatial.h"

namespace grouser {

struct PlacementDef {
  Vec3 position = Vec3::Zero();
  Vec3 rpy = Vec3::Zero();
  std::vector<double> quaternion;  ///< w x y z; empty: use rpy
  Pose pose() const;
};

namespace placement_detail {
void read_position(const Value& value, PlacementDef& out, const std::string& path);
void read_rpy(const Value& value, PlacementDef& out, const std::string& path);
void read_quaternion(const Value& value, PlacementDef& out, const std::string& path);
}  // namespace placement_detail

/// Adds the keys position, rpy and quaternion, stored in a PlacementDef member of T.
template <class T>
ParameterTable<T>& add_placement(ParameterTable<T>& table, PlacementDef T::*placement) {
  const auto into = [placement](void (*read)(const Value&, PlacementDef&, const std::string&)) {
    return [placement, read](const Value& v, T& out, const std::string& path) {
      read(v, out.*placement, path);
    };
  };
  table.custom("position", "3 numbers [m]", into(placement_detail::read_position),
               "origin in the parent frame", false, "[0, 0, 0]");
  table.custom("rpy", "3 numbers [rad]", into(placement_detail::read_rpy),
               "rotation about the fixed axes x, then y, then z", false, "[0, 0, 0]");
  table.custom("quaternion", "4 numbers", into(placement_detail::read_quaternion),
               "orientation as w, x, y, z (any length); instead of rpy", false, "[1, 0, 0, 0]");
  return table;
}

}  // namespace grouser
