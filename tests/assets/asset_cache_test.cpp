#include "grouser/assets/asset_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

/// Counts how often it is made.
class CountedAsset : public Asset {
 public:
  explicit CountedAsset(const Asset& asset)
      : Asset("counted", 1, Value(Value::Array{asset.id()})), asset_(asset) {}
  TriangleMesh make_mesh(const Progress& progress) const override {
    ++made;
    return asset_.make_mesh(progress);
  }
  bool has_map() const override { return asset_.has_map(); }
  ElevationGrid make_map(const Progress& progress) const override {
    ++made;
    return asset_.make_map(progress);
  }
  mutable std::atomic<int> made = 0;

 private:
  const Asset& asset_;
};

std::unique_ptr<Asset> msl_wheel() {
  Value parameters;
  set_at_path(parameters, "preset", "msl");
  set_at_path(parameters, "longest_edge", 0.05);
  return read_asset(*find_asset_kind("wheel"), parameters, "wheel", "");
}

std::unique_ptr<Asset> surface() {
  Value parameters;
  set_at_path(parameters, "preset", "lunar-mare");
  set_at_path(parameters, "size", Value::Array{10.0, 5.0});
  set_at_path(parameters, "spacing", 0.1);
  return read_asset(*find_asset_kind("surface"), parameters, "surface", "");
}

void expect_same(const TriangleMesh& a, const TriangleMesh& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.group_names, b.group_names);
  EXPECT_EQ(a.groups, b.groups);
}

std::size_t file_count(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AssetCache, MakesOnceAndGivesTheSameBitsAgain) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "assets");
  const auto made = msl_wheel();
  const CountedAsset counted(*made);
  const TriangleMesh first = cache.mesh(counted), second = cache.mesh(counted);
  EXPECT_EQ(counted.made, 1);
  EXPECT_TRUE(fs::exists(folder / ("assets/" + counted.id() + ".ply")));
  expect_same(first, made->make_mesh());
  expect_same(second, first);
}

TEST(AssetCache, KeepsAllDigitsOfMaps) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "");
  const auto made = surface();
  const CountedAsset counted(*made);
  cache.map(counted);
  const ElevationGrid again = cache.map(counted), fresh = made->make_map();
  EXPECT_EQ(counted.made, 1);
  EXPECT_EQ(again.heights, fresh.heights);
  EXPECT_EQ(again.origin, fresh.origin);
  EXPECT_EQ(again.spacing, fresh.spacing);
  EXPECT_EQ(again.nx, fresh.nx);
}

TEST(AssetCache, MakesAnewWhatIsDamaged) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "");
  const auto made = msl_wheel();
  const CountedAsset counted(*made);
  cache.mesh(counted);
  const std::string file = counted.id() + ".ply", whole = folder.read(file);
  folder.write(file, whole.substr(0, whole.size() / 2));
  expect_same(cache.mesh(counted), made->make_mesh());
  EXPECT_EQ(counted.made, 2);
  EXPECT_EQ(folder.read(file), whole);
}

TEST(AssetCache, TakesNoOtherMeshForItsOwn) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "");
  const auto made = msl_wheel();
  const CountedAsset counted(*made);
  folder.write(counted.id() + ".ply", [&] {
    const AssetCache other(folder / "other");
    const auto ground = surface();
    other.mesh(*ground);
    return folder.read("other/" + ground->id() + ".ply");
  }());
  expect_same(cache.mesh(counted), made->make_mesh());
  EXPECT_EQ(counted.made, 1);
}

TEST(AssetCache, DoesWithoutAFolder) {
  const auto made = msl_wheel();
  const CountedAsset counted(*made);
  const AssetCache none("");
  none.mesh(counted);
  none.mesh(counted);
  EXPECT_EQ(counted.made, 2);
  // What cannot be a folder keeps nothing either.
  const TemporaryFolder folder;
  const AssetCache blocked(folder.write("file", "x") + "/assets");
  expect_same(blocked.mesh(counted), made->make_mesh());
  EXPECT_EQ(counted.made, 3);
}

TEST(AssetCache, MayBeSharedByManyAtOnce) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "assets");
  const auto made = msl_wheel();
  const TriangleMesh expected = made->make_mesh();
  std::vector<TriangleMesh> meshes(8);
  {
    std::vector<std::jthread> threads;
    for (TriangleMesh& mesh : meshes) threads.emplace_back([&] { mesh = cache.mesh(*made); });
  }
  for (const TriangleMesh& mesh : meshes) expect_same(mesh, expected);
  EXPECT_EQ(file_count(cache.folder()), 1u);
}

TEST(AssetCache, StandsWhereTheEnvironmentSays) {
  const auto with = [](const char* name, const char* value) { ::setenv(name, value, 1); };
  with("HOME", "/home/someone");
  ::unsetenv("GROUSER_CACHE");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(AssetCache::standard().folder(), "/home/someone/.cache/grouser/assets");
  with("XDG_CACHE_HOME", "/caches");
  EXPECT_EQ(AssetCache::standard().folder(), "/caches/grouser/assets");
  with("GROUSER_CACHE", "/mine");
  EXPECT_EQ(AssetCache::standard().folder(), "/mine");
  with("GROUSER_CACHE", "");
  EXPECT_EQ(AssetCache::standard().folder(), "");
}

}  // namespace
}  // namespace grouser
