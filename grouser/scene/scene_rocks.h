// The [[rocks]] of a scene: rocks of a field, one by one, as convex bodies that others can touch.
//
// They lie on the heights of a [[soil]], of a surface, or on the plane z = 0. Fixed rocks are
// shapes of the ground's body; free ones are bodies, set down so that the soil carries them. Which
// of them touch what, contacts say: shapes are called rock_1, rock_2, ..., the largest first.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/contact/world_def.h"
#include "grouser/scene/body_def.h"

namespace grouser {

/// What became of one [[rocks]]: names of shapes; free ones are bodies of the same name.
struct SceneRocks {
  std::string name;
  std::string soil;  ///< on which they lie; empty: none
  std::vector<std::string> fixed, free;
  Place place;
};

/// Rocks of one scene: more are refused.
inline constexpr std::size_t kMostSceneRocks = 10000;

/// The material that rocks have unless they are told: much softer than stone, so that a wheel of a
/// rover stands on it with steps of 2 ms; see docs/user/rocks_in_scenes.md.
MaterialDef stone();

/// What rocks are added to: shapes, and bodies for those that move.
struct RockSite {
  ContactWorldDef& contact;  ///< with shapes, soils and gravity of the scene
  std::vector<BodyDef>& bodies;
  std::string folder;  ///< files are looked up relative to it
};

/// Adds the [[rocks]] of the document, and the material "stone" if it is asked for and not there.
/// Throws InputError.
std::vector<SceneRocks> add_rocks(const Value& document, RockSite site);

/// One sentence for each [[rocks]] with free rocks that no soil contact carries, and with rocks
/// that nothing can touch.
std::vector<std::string> rock_notes(const std::vector<SceneRocks>& all,
                                    const ContactWorldDef& world);

/// The keys of a [[rocks]], for documentation.
std::vector<ParameterInfo> rocks_parameter_infos();

}  // namespace grouser
