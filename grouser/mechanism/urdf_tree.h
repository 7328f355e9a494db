// Links and joints of a URDF text by name, with their places: urdfdom forgets lines, and goes on
// after some of its errors.
//
// Only urdf_*.cpp include this header.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grouser/base/error.h"

namespace grouser {

struct TreeJoint {
  std::string name;
  std::string parent;
  std::string child;
  Place place;
  std::map<std::string, Place> parts;  ///< where <axis>, <limit>, <mimic>, ... stand

  Place place_of(const std::string& part) const {
    const auto found = parts.find(part);
    return found == parts.end() ? place : found->second;
  }
};

/// To be moved, not copied: it points into its joints.
struct UrdfTree {
  std::vector<std::string> links;  ///< in the order of the text
  std::map<std::string, Place> link_places;
  std::vector<TreeJoint> joints;
  std::map<std::string, std::vector<const TreeJoint*>> children;  ///< joints below a link
  std::map<std::string, const TreeJoint*> above;                  ///< joint above a link
  std::string root;

  std::vector<std::string> joint_names() const {
    std::vector<std::string> names;
    for (const TreeJoint& joint : joints) names.push_back(joint.name);
    return names;
  }
};

/// Throws InputError for a text that does not nest, for names that are missing or used twice, and
/// for everything that is not one tree.
UrdfTree read_tree(const std::string& urdf_text, const std::string& path);

}  // namespace grouser
