// grouser make, and generator tables in scenes.
#include <signal.h>

#include <filesystem>
#include <thread>

#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_file.h"
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

using Make = CommandTest;

TEST_F(Make, WritesEveryMeshFormat) {
  for (const char* file : {"wheel.obj", "wheel.stl", "wheel.ply", "wheel.glb"}) {
    const Ending ending = grouser({"make", "wheel", "--preset", "mer", "-o", file});
    EXPECT_EQ(ending.code, 0) << ending.err;
    EXPECT_TRUE(contains(ending.out, file));
    EXPECT_TRUE(take_census(read_mesh_file(folder_ / file)).closed()) << file;
  }
}

TEST_F(Make, WritesMapsOfSurfaces) {
  const std::vector<std::string> words = {"make",       "surface",     "--preset",
                                          "mars-plain", "--set",       "size=[4, 2]",
                                          "--set",      "spacing=0.1", "-o"};
  for (const char* file : {"map.asc", "map.flt", "map.obj", "MAP.PLY"}) {
    std::vector<std::string> all = words;
    all.push_back(file);
    const Ending ending = grouser(all);
    EXPECT_EQ(ending.code, 0) << ending.err;
  }
  EXPECT_EQ(read_elevation_file(folder_ / "map.asc").nx, 41u);
  EXPECT_EQ(read_mesh_file(folder_ / "map.obj").triangle_count(), 2u * 40 * 20);
}

TEST_F(Make, GivesTheSameBytesAgainWithOrWithoutTheCache) {
  const auto bytes = [&](const char* seed) {
    EXPECT_EQ(
        grouser({"make", "rock", "--set", "size=[1, 1, 1]", "--seed", seed, "-o", "r.obj"}).code,
        0);
    return folder_.read("r.obj");
  };
  const std::string first = bytes("7");
  EXPECT_EQ(bytes("7"), first);  // from the cache
  fs::remove_all(folder_ / "cache");
  EXPECT_EQ(bytes("7"), first);
  EXPECT_NE(bytes("8"), first);
}

TEST_F(Make, TellsWhatItMakes) {
  const Ending ending =
      grouser({"make", "rock", "--set", "size=[0.4, 0.3, 0.2]", "--seed", "3", "--info"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  for (const char* text :
       {"id            rock-", "definition", "seed = 3", "triangles     1280",
        "size          [0.4, 0.3, 0.2] m", "closed, clean", "area", "volume", "inertia"})
    EXPECT_TRUE(contains(ending.out, text));
  const Ending map = grouser({"make", "surface", "--preset", "rough", "--set", "size=[4, 2]",
                              "--set", "spacing=0.1", "--info"});
  for (const char* text : {"id            surface-", "nodes         41 x 21", "spacing       0.1 m",
                           "heights", "slope"})
    EXPECT_TRUE(contains(map.out, text));
}

TEST_F(Make, ListsKindsPresetsAndParameters) {
  const std::string kinds = grouser({"make", "--list"}).out;
  for (const char* kind : {"wheel", "surface", "rock", "rocks"}) EXPECT_TRUE(contains(kinds, kind));
  const std::string wheel = grouser({"make", "wheel", "--list"}).out;
  for (const char* text : {"exomars", "msl", "longest_edge", "grouser_count"})
    EXPECT_TRUE(contains(wheel, text));
  EXPECT_TRUE(contains(grouser({"make", "surface", "--list"}).out, "surface.layers.noise"));
}

TEST_F(Make, WritesRocksOneByOne) {
  const Ending ending =
      grouser({"make", "rocks", "--preset", "vl1", "--set", "area=[2, 2]", "--set",
               "sizes.min_diameter=0.1", "--each", "rocks", "--density", "2000"});
  ASSERT_EQ(ending.code, 0) << ending.err;
  const std::string table = folder_.read("rocks/rocks.csv");
  const auto rocks = std::count(table.begin(), table.end(), '\n') - 1;
  ASSERT_GT(rocks, 0);
  EXPECT_TRUE(contains(ending.out, std::to_string(rocks) + " rock"));
  for (long i = 1; i <= rocks; ++i)
    EXPECT_TRUE(fs::exists(folder_ / ("rocks/rock_" + std::to_string(i) + ".obj")));
  const double mass =
      mass_properties(read_mesh_file(folder_ / "rocks/rock_1.obj"), 2000.0, "rock").mass;
  EXPECT_TRUE(contains(table, "rock_1,rock_1.obj,"));
  // The twelfth number of the first row.
  std::string row = table.substr(table.find("rock_1,"));
  for (int k = 0; k < 11; ++k) row.erase(0, row.find(',') + 1);
  EXPECT_NEAR(std::stod(row), mass, 1e-12 * mass);

  // The piece of scene is one.
  folder_.write("rocks/scene.toml",
                "[simulation]\nduration = 0.001\n" + folder_.read("rocks/rocks.toml"));
  EXPECT_EQ(grouser({"check", "rocks/scene.toml"}).code, 0);
}

TEST_F(Make, ReachesIntoPresets) {
  const Ending ending =
      grouser({"make", "surface", "--preset", "rough", "--set", "layers.0.noise.slope=0.01",
               "--set", "size=[4, 4]", "--set", "spacing=0.1", "--info"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "slope = 0.01"));
  EXPECT_EQ(grouser({"make", "rocks", "--preset", "vl2", "--set", "area=[2, 2]", "--set",
                     "ground={ preset = 'mars-plain', size = [4, 4], spacing = 0.1 }", "--info"})
                .code,
            0);
}

TEST_F(Make, RefusesWhatItCannotMake) {
  expect_refusal(grouser({"make", "weel", "--info"}), 2,
                 {"no kind 'weel'", "did you mean 'wheel'"});
  expect_refusal(grouser({"make"}), 2, {"which kind"});
  expect_refusal(grouser({"make", "wheel"}), 2, {"-o", "--info"});
  expect_refusal(grouser({"make", "wheel", "--info"}), 2, {"wheel.radius"});
  expect_refusal(grouser({"make", "wheel", "--preset", "mer", "--set", "radius=-1", "--info"}), 2,
                 {"--set radius", "wheel.radius must lie in [1e-06, 1e+06], is -1"});
  expect_refusal(grouser({"make", "wheel", "--preset", "mer", "--set", "radiu=1", "--info"}), 2,
                 {"radiu", "did you mean 'radius'"});
  expect_refusal(grouser({"make", "wheel", "--preset", "mer", "-o", "wheel.asc"}), 2,
                 {"wheel.asc", ".obj"});
  expect_refusal(grouser({"make", "wheel", "--preset", "mer", "--each", "x"}), 2, {"--each"});
  fs::create_directory(folder_ / "full");
  folder_.write("full/rock_1.obj", "x");
  expect_refusal(grouser({"make", "rocks", "--set", "area=[1, 1]", "--each", "full"}), 2,
                 {"--each full: the folder is not empty"});
  expect_refusal(
      grouser({"make", "rocks", "--set", "area=[1, 1]", "--each", "x", "--density", "nan"}), 2,
      {"--density must be positive"});
  expect_refusal(grouser({"make", "wheel", "--preset", "mer", "-o", "none/wheel.obj"}), 1,
                 {"none/wheel.obj: cannot be written"});
  expect_refusal(grouser({"make", "surface", "--set", "size=[1, 1]", "--set", "spacing=0.1",
                          "--set", "layers=[{ noise = { slope = 0.1, hurst = 0 } }]", "--info"}),
                 2, {"hurst"});
  expect_refusal(grouser({"make", "rocks", "--preset", "vl2", "--set", "area=[2, 2]", "--set",
                          "spacing=0.5", "--info"}),
                 2, {"rocks"});
}

/// True if a file that is not whole yet lies in the folder.
bool has_part(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".part") return true;
  return false;
}

TEST_F(Make, LeavesNoHalfFileWhenItIsKilled) {
  const std::vector<std::string> words = {
      "make", "rock", "--set", "size=[1, 1, 1]", "--set", "triangles=327680", "-o", "rock.obj"};
  int killed = 0;
  for (int i = 0; i < 5; ++i) {
    {
      Child child(words, folder_ / "");
      // Until it writes, however long that takes; the file is some 20 MB.
      while (!has_part(folder_ / "") && !fs::exists(folder_ / "rock.obj"))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      child.send(SIGKILL);
      killed += child.end().signal == SIGKILL;
    }
    if (fs::exists(folder_ / "rock.obj")) {
      EXPECT_TRUE(take_census(read_mesh_file(folder_ / "rock.obj")).closed());
    }
    for (const auto& entry : fs::directory_iterator(folder_ / ""))
      if (entry.is_regular_file()) fs::remove(entry.path());
  }
  EXPECT_GT(killed, 0);
  EXPECT_EQ(grouser(words).code, 0);
  EXPECT_TRUE(take_census(read_mesh_file(folder_ / "rock.obj")).closed());
}

// --- scenes -----------------------------------------------------------------------------------

/// A generated wheel rolls on generated ground.
const std::string kWheelOnGround = R"([simulation]
duration = 0.01

[[body]]
name = "wheel"
density = 300.0
position = [0.0, 0.0, 0.14]

[[shape]]
name = "tread"
body = "wheel"
mesh.wheel = { preset = "mer", longest_edge = 0.03 }

[[shape]]
name = "ground"
mesh.surface = { size = [2, 2], spacing = 0.05, layers = [{ noise = { slope = 0.05 } }] }

[[contact]]
model = "pcm"
base = "tread"
target = "ground"
max_penetration = 0.02
damping = 1e4
layer.tread = { young_modulus = 1e6, poisson_ratio = 0.4, thickness = 0.01 }
)";

TEST_F(Make, HappensInScenes) {
  const Ending ending = run(kWheelOnGround, "scene");
  EXPECT_EQ(ending.code, 0) << ending.err;
  std::size_t kept = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
    kept += entry.path().extension() == ".ply";
  EXPECT_EQ(kept, 2u);
}

TEST_F(Make, IsRefusedInScenesWithThePlace) {
  folder_.write("scene.toml", replaced(kWheelOnGround, "preset = \"mer\"", "preset = \"mars\""));
  expect_refusal(grouser({"check", "scene.toml"}), 2,
                 {"scene.toml:12:", "shape.mesh.wheel.preset: there is no 'mars'"});
  folder_.write("scene.toml", replaced(kWheelOnGround, "slope = 0.05", "slope = -0.05"));
  expect_refusal(grouser({"check", "scene.toml"}), 2,
                 {"scene.toml:16:", "shape.mesh.surface.layers", "slope must"});
}

}  // namespace
}  // namespace grouser
