// Where displaced soil comes to lie, with and without erosion: the scene of figures 7 and 8 of
// Krenn, Gibbesch and Hirzinger (2008).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "grouser/run/simulation.h"
#include "grouser/soil/scm_memory.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {
namespace {

/// The ground at the end of the drive.
struct Ground {
  ElevationGrid map;
  double tan_repose = 0.0;
  Vec2 wheel = Vec2::Zero();           ///< its centre seen from above
  double compacted = 0.0, lost = 0.0;  ///< [m^3]
};

// Of the scene [m].
constexpr double kRadius = 0.125, kWidth = 0.1;

Ground drive(const std::string& erosion_sweeps) {
  Simulation simulation(load_scene(std::string(GROUSER_SCENES) + "/deposition.toml",
                                   {"soil.0.erosion_sweeps=" + erosion_sweeps}));
  const RunSummary summary = simulation.run();
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  ContactWorld& world = simulation.world();
  const auto& memory = static_cast<const ScmMemory&>(world.memory(0));
  Ground out;
  out.map = world.contact(0).ground_maps(memory).value().heights;
  const SoilDef& soil =
      dynamic_cast<const SoilGroundDef&>(*simulation.scene().contact.soils[0]).soil;
  out.tan_repose = std::tan(soil.repose_angle > 0.0 ? soil.repose_angle : soil.friction_angle);
  out.wheel = world.kinematics(world.body("wheel")).X_WB.p.head<2>();
  out.compacted = memory.compacted;
  out.lost = memory.lost;
  return out;
}

const Ground& eroded() {
  static const Ground ground = drive("0.5");
  return ground;
}
const Ground& deposited_only() {
  static const Ground ground = drive("0");
  return ground;
}

/// Is a node, or one beside it, under the wheel?
bool near_wheel(const Ground& ground, std::size_t ix, std::size_t iy) {
  const Vec2 node = ground.map.origin +
                    ground.map.spacing * Vec2(static_cast<double>(ix), static_cast<double>(iy));
  const Vec2 away = (node - ground.wheel).cwiseAbs();
  const double s = ground.map.spacing;
  return away.x() < kRadius + s && away.y() < 0.5 * kWidth + s;
}

/// Slope of the steepest cell with no corner under the wheel.
double steepest(const Ground& ground) {
  const ElevationGrid& map = ground.map;
  double out = 0.0;
  for (std::size_t y = 0; y + 1 < map.ny; ++y)
    for (std::size_t x = 0; x + 1 < map.nx; ++x) {
      if (near_wheel(ground, x, y) || near_wheel(ground, x + 1, y) ||
          near_wheel(ground, x, y + 1) || near_wheel(ground, x + 1, y + 1))
        continue;
      const double up = map.height(x + 1, y + 1) - map.height(x, y);
      const double down = map.height(x + 1, y) - map.height(x, y + 1);
      out = std::max(out, std::hypot(up, down) / (std::sqrt(2.0) * map.spacing));
    }
  return out;
}

double highest(const Ground& ground) {
  return *std::max_element(ground.map.heights.begin(), ground.map.heights.end());
}

/// Soil above (sign 1) or missing below (sign -1) the flat ground there was [m^3].
double volume(const Ground& ground, double sign) {
  double out = 0.0;
  for (const double height : ground.map.heights) out += std::max(0.0, sign * height);
  return out * ground.map.spacing * ground.map.spacing;
}

// --- figure 7: soil stays where it was put ----------------------------------------------------

TEST(Deposition, LeavesSteepRidgesBesideTheRut) {
  // Ridges are one node wide and hold what the rut has lost: steeper than any sand could be.
  EXPECT_GT(steepest(deposited_only()), 5.0 * deposited_only().tan_repose);
}

// --- figure 8: banks slide --------------------------------------------------------------------

TEST(Erosion, LeavesBanksAtTheAngleOfRepose) {
  const Ground& ground = eroded();
  // A difference of heights is left alone if it is too great by less than 10 um, over 10 mm.
  const double settled = 1e-5 / ground.map.spacing;
  EXPECT_LT(steepest(ground), ground.tan_repose + settled);
  EXPECT_GT(steepest(ground), 0.99 * ground.tan_repose);  // and not flatter than they must be
}

TEST(Erosion, LowersTheBanks) {
  EXPECT_LT(highest(eroded()), 0.5 * highest(deposited_only()));
}

TEST(Erosion, LetsSoilSlideBackIntoTheRut) {
  EXPECT_LT(volume(eroded(), -1.0), 0.9 * volume(deposited_only(), -1.0));
}

// --- both -------------------------------------------------------------------------------------

TEST(DepositionAndErosion, PutBesideTheRutWhatIsMissingInIt) {
  for (const Ground* ground : {&deposited_only(), &eroded()}) {
    EXPECT_EQ(ground->compacted, 0.0);  // the sand of the scene cannot be
    EXPECT_EQ(ground->lost, 0.0);
    const double banks = volume(*ground, 1.0), rut = volume(*ground, -1.0);
    EXPECT_GT(rut, 5e-4);                  // half a litre and more
    EXPECT_NEAR(banks, rut, 1e-12 * rut);  // rounding of some 10^5 transfers
  }
}

// A wheel that is turned on the spot, counter-clockwise, and lifted out.
TEST(TurnOnTheSpot, HeapsSoilBeforeTheSidesOfTheWheel) {
  Simulation simulation(load_scene(std::string(GROUSER_SCENES) + "/turn_on_the_spot.toml", {}));
  const RunSummary summary = simulation.run();
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_TRUE(summary.warnings.empty());
  ContactWorld& world = simulation.world();
  const auto& memory = static_cast<const ScmMemory&>(world.memory(0));
  const ElevationGrid map = world.contact(0).ground_maps(memory).value().heights;
  // Beside the wheel, where its sides came to rest (before) and where they came from (behind).
  double before = 0.0, behind = 0.0, hole = 0.0, banks = 0.0;
  for (std::size_t iy = 0; iy < map.ny; ++iy)
    for (std::size_t ix = 0; ix < map.nx; ++ix) {
      const double x = map.origin.x() + map.spacing * static_cast<double>(ix);
      const double y = map.origin.y() + map.spacing * static_cast<double>(iy);
      const double volume = map.spacing * map.spacing * map.height(ix, iy);
      (volume > 0.0 ? banks : hole) += volume;
      if (std::abs(x) < 0.02 || std::abs(x) > 0.1 || std::abs(y) < 0.05 || std::abs(y) > 0.08)
        continue;
      (x * y > 0.0 ? before : behind) += volume;
    }
  EXPECT_GT(before, behind + 1e-5);  // 10 ml of 200
  EXPECT_NEAR(banks + memory.compacted, -hole, 1e-9 * -hole);
}

// Nothing is left to integrate where every body moves as told; what the soil answers is the same.
TEST(MovesAsTold, IsTheSameWithEveryIntegrator) {
  const auto push = [](const std::string& integrator) {
    Simulation simulation(load_scene(
        std::string(GROUSER_SCENES) + "/deposition.toml",
        {"simulation.duration=3.0", "soil.0.spacing=0.02", "simulation.integrator=" + integrator}));
    const RunSummary summary = simulation.run();
    EXPECT_EQ(summary.status, RecordingStatus::complete) << integrator << ": " << summary.message;
    EXPECT_DOUBLE_EQ(simulation.time(), 3.0) << integrator;
    ContactWorld& world = simulation.world();
    return world.wrench(world.body("wheel")).force;
  };
  const Vec3 told = push("semi-implicit-euler");
  EXPECT_GT(told.z(), 1.0);  // [N]
  for (const char* integrator : {"rk4", "bdf", "runge-kutta"})
    EXPECT_LT((push(integrator) - told).norm(), 1e-3 * told.norm()) << integrator;
}

}  // namespace
}  // namespace grouser
