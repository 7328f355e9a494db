// What core and the plugin grouser_assimp.so say to each other, see base/plugin.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "grouser/base/plugin.h"

namespace grouser {

/// A part of a file, put in place.
struct AssimpPart {
  const char* name;  ///< of its material or mesh; empty: it has none
  std::size_t vertex_count;
  const double* vertices;  ///< three numbers each
  std::size_t triangle_count;
  const std::int32_t* triangles;  ///< three vertices of the part each
};

struct AssimpPartTaker {
  void* self;
  PluginAnswer (*take)(void* self, const AssimpPart* part);
};

/// What grouser_plugin() of grouser_assimp.so returns.
struct AssimpTable {
  static constexpr char kName[] = "assimp";
  static constexpr int kVersion = 1;

  int version;
  /// Reads a file part by part, in the order of its nodes. COLLADA is cut into triangles, and its
  /// upward axis not looked at.
  PluginAnswer (*read)(const char* path, int is_collada, const AssimpPartTaker* taker,
                       const PluginErrors* errors);
};

}  // namespace grouser
