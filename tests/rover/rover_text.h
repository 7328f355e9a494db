// Rovers written inside tests.
#pragma once

#include <string>

namespace grouser {

/// A link of a URDF with a mass and the inertia of a small ball.
inline std::string urdf_link(const std::string& name, const std::string& geometry = "",
                             double mass = 2.0) {
  return "<link name='" + name + "'><inertial><mass value='" + std::to_string(mass) +
         "'/><inertia ixx='0.02' iyy='0.02' izz='0.02' ixy='0' ixz='0' iyz='0'/></inertial>" +
         geometry + "</link>\n";
}

inline std::string urdf_joint(const std::string& name, const std::string& parent,
                              const std::string& child, const std::string& xyz,
                              const std::string& axis, const std::string& inside = "",
                              const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/><origin xyz='" + xyz + "'/><axis xyz='" + axis + "'/>" +
         inside + "</joint>\n";
}

/// A rover of 50 kg on six wheels: two rockers of which the right one mimics the left one, steered
/// front wheels, `wheel_geometry` on every wheel.
inline std::string urdf_rover(const std::string& wheel_geometry) {
  std::string text = "<robot name='six_wheels'>\n" + urdf_link("base_link", "", 30.0);
  for (const std::string side : {"left", "right"}) {
    const bool left = side == "left";
    const std::string y = left ? "0.1" : "-0.1";
    text += urdf_link("rocker_" + side);
    text += urdf_joint("rocker_" + side + "_joint", "base_link", "rocker_" + side,
                       left ? "0 0.3 0" : "0 -0.3 0", "0 1 0",
                       left ? "" : "<mimic joint='rocker_left_joint' multiplier='-1'/>");
    text += urdf_link("wheel_steer_" + side);
    text += urdf_joint("steer_" + side, "rocker_" + side, "wheel_steer_" + side,
                       "0.5 " + y + " -0.1", "0 0 1",
                       "<limit lower='-0.5' upper='0.8' effort='10' velocity='1'/>", "revolute");
    text += urdf_link("front_wheel_" + side, wheel_geometry);
    text += urdf_joint("front_" + side, "wheel_steer_" + side, "front_wheel_" + side, "0 0 -0.1",
                       "0 1 0");
    for (const std::string row : {"middle", "rear"}) {
      text += urdf_link(row + "_wheel_" + side, wheel_geometry);
      text += urdf_joint(row + "_" + side, "rocker_" + side, row + "_wheel_" + side,
                         (row == "middle" ? "0 " : "-0.5 ") + y + " -0.2",
                         left ? "0 1 0" : "0 -1 0");  // mirrored, as exporters like to do
    }
  }
  return text + "</robot>\n";
}

/// A cylinder about y, as the geometry of a wheel.
inline std::string urdf_cylinder(const std::string& use = "visual", double radius = 0.15,
                                 double width = 0.12) {
  return "<" + use + "><origin rpy='1.5707963267948966 0 0'/><geometry><cylinder radius='" +
         std::to_string(radius) + "' length='" + std::to_string(width) + "'/></geometry></" + use +
         ">";
}

}  // namespace grouser
