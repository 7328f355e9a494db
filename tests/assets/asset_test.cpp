#include "grouser/assets/asset.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

/// A table with these entries; a dotted key gives tables in tables.
Value table(std::vector<std::pair<std::string, Value>> entries) {
  Value out;
  for (auto& [key, value] : entries) set_at_path(out, key, std::move(value));
  return out;
}

/// The least a kind asks for.
Value least(const std::string& kind) {
  if (kind == "wheel") return table({{"radius", 0.2}, {"width", 0.1}});
  if (kind == "rock") return table({{"size", Value::Array{0.3, 0.2, 0.1}}});
  if (kind == "rocks") return table({{"area", Value::Array{2.0, 2.0}}});
  return table({{"size", Value::Array{4.0, 2.0}},
                {"spacing", 0.25},
                {"layers", Value::Array{table({{"noise.slope", 0.1}})}}});
}

std::unique_ptr<Asset> asset(const std::string& kind, const Value& parameters,
                             const std::string& folder = "") {
  return read_asset(*find_asset_kind(kind), parameters, kind, folder);
}

TEST(Asset, OfEveryKindIsMadeFromTheLeastParameters) {
  for (const AssetKind& kind : asset_kinds()) {
    const auto made = asset(std::string(kind.name), least(std::string(kind.name)));
    EXPECT_GT(made->make_mesh().triangle_count(), 0u) << kind.name;
    EXPECT_EQ(made->id().size(), kind.name.size() + 1 + 32);
    EXPECT_TRUE(made->id().starts_with(std::string(kind.name) + "-"));
  }
}

TEST(Asset, HasAnIdOfItsParametersNotOfHowTheyAreGiven) {
  const auto plain = asset("wheel", least("wheel"));
  // A default written out, and another order.
  const auto same = asset("wheel", table({{"width", 0.1}, {"grouser_count", 0}, {"radius", 0.2}}));
  EXPECT_EQ(plain->id(), same->id());
  EXPECT_EQ(plain->definition(), same->definition());
}

TEST(Asset, HasAnotherIdForEveryOtherParameter) {
  std::set<std::string> ids;
  std::size_t count = 0;
  const auto add = [&](const std::string& kind, const std::string& key, Value value) {
    Value parameters = least(kind);
    if (!key.empty()) set_at_path(parameters, key, std::move(value));
    ids.insert(asset(kind, parameters)->id());
    ++count;
  };
  for (const char* kind : {"wheel", "surface", "rock", "rocks"}) add(kind, "", 0);
  add("wheel", "radius", std::nextafter(0.2, 1.0));
  add("wheel", "grouser_height", 0.01);
  add("surface", "seed", 2);
  add("surface", "layers.0.noise.hurst", 0.7);
  add("rock", "seed", 2);
  add("rock", "size", Value::Array{0.3, 0.1, 0.2});
  add("rocks", "sizes.law", "vl2");
  add("rocks", "ground", least("surface"));
  add("rocks", "ground", [] {
    Value other = least("surface");
    set_at_path(other, "seed", 5);
    return other;
  }());
  EXPECT_EQ(ids.size(), count);
}

// IDs name files that other programs may refer to: they change only with a version or a parameter.
TEST(Asset, IdsStayTheSame) {
  EXPECT_EQ(asset("rock", least("rock"))->id(), "rock-b03ed5c8b3772cdd91bde9f133e5f24c");
}

TEST(Asset, IsMadeFromEveryPreset) {
  for (const AssetKind& kind : asset_kinds())
    for (const AssetPreset& preset : kind.presets()) {
      // What the preset says is left out.
      Value parameters(Value::Table{});
      const Value all = least(std::string(kind.name));
      for (const Value::Entry& entry : all.as_table())
        if (!preset.parameters.find(entry.key)) parameters.as_table().push_back(entry);
      set_at_path(parameters, "preset", preset.name);
      EXPECT_NO_THROW(asset(std::string(kind.name), parameters)->make_mesh()) << preset.name;
    }
}

TEST(Asset, PresetsGiveWayToWhatIsSaid) {
  const auto preset = asset("wheel", table({{"preset", "mer"}}));
  const auto wider = asset("wheel", table({{"preset", "mer"}, {"width", 0.2}}));
  EXPECT_NE(preset->id(), wider->id());
  EXPECT_NEAR(bounding_box(wider->make_mesh()).half_size().y(), 0.1, 1e-12);
}

TEST(Asset, RefusesUnknownPresetsAndKeys) {
  EXPECT_TRUE(contains(message_of<InputError>([] {
                         asset("wheel", table({{"preset", "mars"}}));
                       }),
                       "wheel.preset: there is no 'mars'"));
  EXPECT_TRUE(contains(message_of<InputError>([] {
                         asset("rock", table({{"sizes", 1}}));
                       }),
                       "did you mean 'size'"));
  EXPECT_EQ(find_asset_kind("tree"), nullptr);
}

TEST(Asset, OfAMapFileDependsOnTheHeightsNotOnTheName) {
  const TemporaryFolder folder;
  const std::string head = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  folder.write("a.asc", head + "0 1 2\n3 4 5\n");
  folder.write("b.asc", head + "0 1 2\n3 4 5\n");
  folder.write("c.asc", head + "0 1 2\n3 4 6\n");
  const auto id = [&](const std::string& file) {
    const Value parameters = table({{"size", Value::Array{2.0, 1.0}},
                                    {"spacing", 0.25},
                                    {"layers", Value::Array{table({{"file.file", file}})}}});
    return asset("surface", parameters, folder / "")->id();
  };
  EXPECT_EQ(id("a.asc"), id("b.asc"));
  EXPECT_NE(id("a.asc"), id("c.asc"));
}

TEST(Asset, RocksLieOnTheirGround) {
  Value parameters = least("rocks");
  Value ground = least("surface");
  set_at_path(ground, "size", Value::Array{4.0, 4.0});
  set_at_path(ground, "layers", Value::Array{table({{"slope.angle", 0.4}})});
  set_at_path(parameters, "ground", ground);
  const auto rocks = asset("rocks", parameters);
  ASSERT_TRUE(rocks->has_rocks());
  const RockField field = rocks->make_rocks();
  ASSERT_FALSE(field.rocks.empty());
  for (const PlacedRock& rock : field.rocks) {
    const double ground_height = std::tan(0.4) * rock.X_WR.p.x();
    EXPECT_NEAR(rock.X_WR.p.z(), ground_height, rock.radius);  // the rock reaches the ground
  }
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < field.rocks.size(); ++i)
    triangles += rock_mesh(field, i).triangle_count();
  EXPECT_EQ(rocks->make_mesh().triangle_count(), triangles);
}

}  // namespace
}  // namespace grouser
