// A folder of assets that were made before.
#pragma once

#include <string>

#include "grouser/assets/asset.h"

namespace grouser {

/// Keeps meshes and maps in files named by the IDs of their assets. What is there is read, what is
/// not is made and kept. Files appear whole, so any number of processes may share a folder. One
/// that cannot be read, or is the mesh of another definition, is made anew; where nothing can be
/// written, nothing is kept.
class AssetCache {
 public:
  /// The folder is made when something is kept. Empty: nothing is kept.
  explicit AssetCache(std::string folder) : folder_(std::move(folder)) {}

  /// The folder that the environment variable GROUSER_CACHE names (empty: nothing is kept), or else
  /// grouser/assets in the user's folder of caches (XDG_CACHE_HOME, or .cache at home).
  static AssetCache standard();

  const std::string& folder() const { return folder_; }

  TriangleMesh mesh(const Asset& asset, const Progress& progress = {}) const;
  /// Precondition: the asset has a map.
  ElevationGrid map(const Asset& asset, const Progress& progress = {}) const;

 private:
  std::string folder_;
};

}  // namespace grouser
