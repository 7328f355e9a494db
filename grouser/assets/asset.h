// Assets by their parameters: what kinds there are, and which of them is which.
//
// An asset is asked for by a table of parameters:
//
//   wheel = { preset = "mer", longest_edge = 0.005 }
//
// Its identity is a hash of the complete set of parameters, defaults too, and of the version of the
// generator. So two requests with the same ID give the same bytes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/assets/progress.h"
#include "grouser/assets/rock_field.h"
#include "grouser/base/parameters.h"
#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// An asset that was asked for, and can be made.
class Asset {
 public:
  virtual ~Asset() = default;

  /// "wheel-" and 32 hexadecimal digits: a name for files.
  const std::string& id() const { return id_; }
  /// Kind, version and all parameters, in one line of TOML.
  const std::string& definition() const { return definition_; }

  /// What parameters can be together, the generator tells when it is asked to make something:
  /// throws InputError with the place of the request.
  virtual TriangleMesh make_mesh(const Progress& progress = {}) const = 0;

  /// True if the asset is a surface z(x, y).
  virtual bool has_map() const { return false; }
  /// Its heights. Precondition: has_map().
  virtual ElevationGrid make_map(const Progress& progress = {}) const;

  /// True if the asset is a field of rocks.
  virtual bool has_rocks() const { return false; }
  /// The rocks one by one. Precondition: has_rocks().
  virtual RockField make_rocks(const Progress& progress = {}) const;

 protected:
  /// `parameters`: all of them, in the order of their table.
  Asset(std::string_view kind, int version, const Value& parameters);

 private:
  std::string id_, definition_;
};

/// A named set of parameters; others can be given beside it.
struct AssetPreset {
  std::string name;
  std::string meaning;
  Value parameters;
};

/// A row of the table in asset_kinds.cpp.
struct AssetKind {
  std::string_view name;  ///< "wheel"
  std::string_view meaning;
  /// Of its table and the tables in it, `preset` not among the keys.
  std::vector<ParameterPage> (*pages)();
  std::vector<AssetPreset> (*presets)();
  /// See read_asset.
  std::unique_ptr<Asset> (*read)(const Value& parameters, const std::string& path,
                                 const std::string& folder);
};

/// In the order of the documentation.
std::span<const AssetKind> asset_kinds();

/// Null if there is none of that name.
const AssetKind* find_asset_kind(std::string_view name);

/// Throws InputError at `place` if the kind has no such preset; `key` is for the message.
AssetPreset asset_preset(const AssetKind& kind, const std::string& name, const Place& place,
                         const std::string& key);

/// `parameters` without `preset`, completed by the preset it names; tables are merged key by key.
Value with_preset(const AssetKind& kind, const Value& parameters, const std::string& path);

/// What a scene or a command line asks for: `parameters` is the table, also with a `preset`, `path`
/// its key for messages, and files it names are looked up relative to `folder`. Throws InputError
/// with the place.
std::unique_ptr<Asset> read_asset(const AssetKind& kind, const Value& parameters,
                                  const std::string& path, const std::string& folder);

}  // namespace grouser
