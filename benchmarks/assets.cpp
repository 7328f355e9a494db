// Generated surfaces and rock fields on one core, beside the same work done plainly: one call of
// gradient_noise per octave and node; every new rock compared with all that lie already. The aims
// are a noise surface of 1024 x 1024 nodes in less than 0.5 s and 10,000 rocks in less than 5 s.
#include "benchmarks/side_by_side.h"
#include "grouser/assets/noise.h"
#include "grouser/assets/rock_field.h"
#include "grouser/assets/surface.h"

namespace {

using namespace grouser;

constexpr std::size_t kNodes = 1024;
constexpr int kOctaves = 10;

SurfaceDef surface_of(SurfaceLayer::Shape layer) {
  SurfaceDef def;
  def.spacing = 0.1;
  def.size = Vec2::Constant(def.spacing * (kNodes - 1));
  def.layers.emplace_back(std::move(layer));
  return def;
}

NoiseLayer ten_octaves(NoiseLayer::Kind kind) {
  return {.kind = kind, .slope = 0.1, .longest = 51.2, .shortest = 0.1};
}

/// The textbook: a loop over nodes, a loop over octaves.
ElevationGrid plain_noise() {
  ElevationGrid grid{Vec2::Zero(), 0.1, kNodes, kNodes, {}};
  for (std::size_t j = 0; j < kNodes; ++j)
    for (std::size_t i = 0; i < kNodes; ++i) {
      double z = 0.0, amplitude = 1.0, frequency = 1.0 / 51.2;
      for (int k = 0; k < kOctaves; ++k) {
        z += amplitude * gradient_noise(frequency * 0.1 * static_cast<double>(i),
                                        frequency * 0.1 * static_cast<double>(j),
                                        static_cast<std::uint64_t>(k));
        amplitude *= 0.574;
        frequency *= 2.0;
      }
      grid.heights.push_back(z);
    }
  return grid;
}

/// Milliseconds per surface, nanoseconds per node, and the ratio to the first.
void print_surface(const Contender& c, const Contender& reference) {
  const double nodes = static_cast<double>(kNodes * kNodes);
  std::printf("%-50s %9.1f ms %9.1f ns/node %8.2f\n", c.name.c_str(), 1e3 * c.fastest(),
              1e9 * c.fastest() / nodes, c.fastest() / reference.fastest());
}

/// About 10,000 rocks as at Viking lander 1.
RockFieldDef ten_thousand_rocks() {
  RockFieldDef def;
  def.sizes.law = RockLaw::vl1;
  def.area = Vec2::Constant(std::sqrt(1e4 / number_of_rocks(def.sizes)));
  return def;
}

/// The textbook: throw, and compare with all rocks that lie already. Returns how many lie.
std::size_t plain_placement(const RockField& field, double side) {
  Random random(1);
  std::vector<Vec3> lying;  // x, y, radius
  for (const PlacedRock& rock : field.rocks)
    for (bool free = false; !free;) {
      const double x = random.uniform(0.0, side), y = random.uniform(0.0, side);
      free = true;
      for (const Vec3& other : lying)
        if (std::hypot(x - other.x(), y - other.y()) < rock.radius + other.z()) {
          free = false;
          break;
        }
      if (free) lying.emplace_back(x, y, rock.radius);
    }
  return lying.size();
}

/// Fields of 10,000 rocks, with and without their meshes.
void print_fields(double& sum) {
  const RockFieldDef def = ten_thousand_rocks();
  const RockField field = make_rock_field(def);
  Race race;
  race.add("rocks: placed, with 20 shapes of 320 triangles",
           [&] { sum += make_rock_field(def).rocks.back().diameter; });
  race.add("plain: the same discs, each compared with all",
           [&] { sum += static_cast<double>(plain_placement(field, def.area.x())); });
  race.add("rocks: all of them as one mesh",
           [&] { sum += static_cast<double>(merged(field).triangle_count()); });
  race.run(3, 0.0);
  std::printf("\nfield of %zu rocks, one core: fastest of 3\n", field.rocks.size());
  for (std::size_t i = 0; i < race.size(); ++i)
    std::printf("%-50s %9.1f ms %8.2f\n", race[i].name.c_str(), 1e3 * race[i].fastest(),
                race[i].fastest() / race[0].fastest());
}

}  // namespace

int main() {
  double sum = 0.0;  // of what is made, so that it is made
  const auto make = [&](SurfaceLayer::Shape layer) {
    return [&sum, def = surface_of(std::move(layer))] {
      sum += make_surface_grid(def).heights.back();
    };
  };
  Race race;
  race.add("plain: 10 octaves, a call per octave and node",
           [&] { sum += plain_noise().heights.back(); });
  race.add("noise: fbm, 10 octaves", make(ten_octaves(NoiseLayer::Kind::fbm)));
  race.add("noise: ridged, 10 octaves", make(ten_octaves(NoiseLayer::Kind::ridged)));
  race.add("noise: as it comes (fbm, longest / shortest = 1000)", make(NoiseLayer{.slope = 0.1}));
  race.add("craters: 5000, 0.5 to 20 m",
           make(CraterLayer{.density = 0.5, .min_diameter = 0.5, .max_diameter = 20.0}));
  race.add("stairs",
           make(StairsLayer{.height = 0.1, .count = 20, .tread = 2.0, .riser_width = 0.2}));
  race.run(5, 0.0);
  std::printf("surfaces of %zu x %zu nodes, one core: fastest of 5\n", kNodes, kNodes);
  for (std::size_t i = 0; i < race.size(); ++i) print_surface(race[i], race[0]);

  // Single points with both derivatives, as contact would ask.
  const Surface surface(surface_of(ten_octaves(NoiseLayer::Kind::fbm)));
  Race points;
  constexpr std::size_t kPoints = 10000;
  const auto x = [](std::size_t i) { return 40.0 * static_cast<double>(i * 7919 % 1009) / 1009.0; };
  points.add(
      "plain: derivatives of 10 octaves at a point",
      [&] {
        for (std::size_t i = 0; i < kPoints; ++i)
          for (int k = 0; k < kOctaves; ++k)
            sum += gradient_noise_derivatives(x(i) * (k + 1), x(i + 1), 1).dxy;
      },
      kPoints);
  points.add(
      "noise: Surface::at(), 10 octaves",
      [&] {
        for (std::size_t i = 0; i < kPoints; ++i) sum += surface.at(x(i), x(i + 1)).dxy;
      },
      kPoints);
  points.run(10, 0.02);
  print_header();
  for (std::size_t i = 0; i < points.size(); ++i) print_line(points[i], points[0]);
  print_fields(sum);
  return sum == 0.123 ? 1 : 0;
}
