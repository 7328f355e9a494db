// Height, slope and curvature of an elevation map of 1024 x 1024 nodes: the four kinds of surface
// beside textbook ones, at random points and along a path.
#include <cmath>
#include <cstdlib>

#include "benchmarks/map_points.h"
#include "benchmarks/peers/plain_bicubic.h"
#include "benchmarks/side_by_side.h"
#include "grouser/base/random.h"
#include "grouser/map/elevation_map.h"

namespace {

using namespace grouser;

constexpr std::size_t kNodes = 1024;
constexpr double kSpacing = 0.05;
constexpr std::size_t kPoints = 1 << 16;  // enough to touch all of the map

ElevationGrid hills() {
  Random random(1);
  ElevationGrid grid{Vec2::Zero(), kSpacing, kNodes, kNodes, {}};
  for (std::size_t i = 0; i < kNodes * kNodes; ++i)
    grid.heights.push_back(std::sin(0.01 * static_cast<double>(i % kNodes)) +
                           random.uniform(-0.01, 0.01));
  return grid;
}

/// All of the answer takes part, so that none of it is left out.
double sum(const SurfaceHeight& h) {
  return h.z + h.dx + h.dy + h.dxx + h.dxy + h.dyy;
}

volatile double sink;

template <class Surface>
void enter(Race& race, const char* name, const std::vector<Vec2>& points, const Surface& at) {
  race.add(
      name,
      [&points, &at] {
        double total = 0.0;
        for (const Vec2& p : points) total += sum(at(p.x(), p.y()));
        sink = total;
      },
      points.size());
}

/// The textbook cubic is ours, so both must agree.
void require_same(const ElevationMap& cubic, const PlainBicubic& plain) {
  for (const Vec2& p : random_points(kPoints, kNodes, kSpacing)) {
    const double ours = sum(cubic.at(p.x(), p.y())), theirs = sum(plain.at(p.x(), p.y()));
    if (std::abs(ours - theirs) < 1e-8 * (1.0 + std::abs(ours))) continue;
    std::fprintf(stderr, "map: the peer finds %g where we find %g\n", theirs, ours);
    std::exit(1);
  }
}

}  // namespace

int main() {
  using Kind = ElevationMap::Kind;
  const ElevationGrid grid = hills();
  const auto map = [&](Kind kind) {
    return ElevationMap(grid, kind, ElevationMap::Border::extrapolate);
  };
  const ElevationMap bilinear = map(Kind::bilinear), cubic = map(Kind::cubic);
  const ElevationMap quintic = map(Kind::quintic), bspline = map(Kind::bspline);
  const PlainBicubic plain(grid);
  require_same(cubic, plain);

  const auto by = [](const auto& surface) {
    return [&surface](double x, double y) { return surface.at(x, y); };
  };
  const auto by_bilinear = by(bilinear), by_cubic = by(cubic), by_quintic = by(quintic),
             by_bspline = by(bspline);
  const auto by_plain = by(plain);
  const auto by_plain_bilinear = [&](double x, double y) { return plain_bilinear(grid, x, y); };

  for (const bool along_path : {false, true}) {
    const std::vector<Vec2> points = along_path ? path_on_circle(kPoints, Vec2(25.0, 20.0), 5.0)
                                                : random_points(kPoints, kNodes, kSpacing);
    Race race;
    enter(race, "plain bicubic, 16 coefficients", points, by_plain);
    enter(race, "plain bilinear", points, by_plain_bilinear);
    enter(race, "grouser, bilinear", points, by_bilinear);
    enter(race, "grouser, cubic", points, by_cubic);
    enter(race, "grouser, quintic", points, by_quintic);
    enter(race, "grouser, bspline", points, by_bspline);
    race.run(40, 4e-3);
    std::printf("%-40s %10s %10s %10s\n", along_path ? "along a path" : "at random points",
                "fastest", "median", "by round");
    for (std::size_t i = 0; i < race.size(); ++i)
      std::printf("%-40s %7.1f ns %7.1f ns %10.2f\n", race[i].name.c_str(), 1e9 * race[i].fastest(),
                  1e9 * race[i].median(), median_ratio(race[i], race[0]));
    std::printf("\n");
  }
}
