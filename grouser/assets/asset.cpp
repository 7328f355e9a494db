#include "grouser/assets/asset.h"

#include <stdexcept>

#include "grouser/base/hash.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

/// 128 bits, so that no two of any number of assets meet by chance.
std::string digits_of(const std::string& text) {
  std::string out;
  for (const std::string_view salt : {"grouser", "asset"}) {
    Hash hash;
    hash.add(salt);
    hash.add(text);
    for (int shift = 60; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[(hash.digest() >> shift) & 15];
  }
  return out;
}

}  // namespace

Asset::Asset(std::string_view kind, int version, const Value& parameters) {
  definition_ = std::string(kind) + " " + std::to_string(version) + ": " + parameters.inline_text();
  id_ = std::string(kind) + "-" + digits_of(definition_);
}

ElevationGrid Asset::make_map(const Progress&) const {
  throw std::logic_error("this asset has no map");
}

RockField Asset::make_rocks(const Progress&) const {
  throw std::logic_error("this asset is no field of rocks");
}

const AssetKind* find_asset_kind(std::string_view name) {
  for (const AssetKind& kind : asset_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

AssetPreset asset_preset(const AssetKind& kind, const std::string& name, const Place& place,
                         const std::string& key) {
  std::vector<std::string> names;
  for (const AssetPreset& preset : kind.presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw InputError(place, key + ": there is no '" + name + "'" + suggestion(name, names));
}

Value with_preset(const AssetKind& kind, const Value& parameters, const std::string& path) {
  Value rest(Value::Table{}, parameters.place());
  const Value::Entry* preset = nullptr;
  for (const Value::Entry& entry : parameters.table_or_throw(path))
    if (entry.key == "preset")
      preset = &entry;
    else
      rest.as_table().push_back(entry);
  if (!preset) return rest;
  const std::string key = path + ".preset";
  const std::string& name = preset->value.text_or_throw(key);
  return merged(asset_preset(kind, name, preset->value.place(), key).parameters, rest);
}

std::unique_ptr<Asset> read_asset(const AssetKind& kind, const Value& parameters,
                                  const std::string& path, const std::string& folder) {
  return kind.read(with_preset(kind, parameters, path), path, folder);
}

}  // namespace grouser
