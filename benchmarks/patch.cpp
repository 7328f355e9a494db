// Contact on elevation maps: patches of one cell, the search for cells under a ball, and the whole
// contact of a ball, on maps of 512 x 512 and of 4096 x 4096 nodes, beside plain ways and what a
// paper reports.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/map_points.h"
#include "benchmarks/peers/plain_bicubic.h"
#include "benchmarks/side_by_side.h"
#include "grouser/base/random.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/world.h"
#include "grouser/map/elevation_patch.h"
#include "grouser/map/height_pyramid.h"
#include "grouser/shape/map_surface.h"

namespace {

using namespace grouser;
using Kind = ElevationMap::Kind;

constexpr double kSpacing = 0.05;
constexpr std::size_t kPoints = 1 << 14;
constexpr int kRounds = 40;
constexpr double kRoundSeconds = 4e-3;

// Elevation-map contact of the paper this follows, on the computer of its authors [s].
constexpr double kPaperPatch = 10e-6, kPaperSearch = 100e-6;

/// Waves of some metres and roughness of millimetres.
ElevationGrid hills(std::size_t nodes) {
  Random random(1);
  ElevationGrid grid{Vec2::Zero(), kSpacing, nodes, nodes, {}};
  grid.heights.reserve(nodes * nodes);
  for (std::size_t iy = 0; iy < nodes; ++iy) {
    const double wave = std::cos(0.013 * static_cast<double>(iy));
    for (std::size_t ix = 0; ix < nodes; ++ix)
      grid.heights.push_back(std::sin(0.01 * static_cast<double>(ix)) * wave +
                             random.uniform(-1e-3, 1e-3));
  }
  return grid;
}

/// All of the answer takes part, so that none of it is left out.
double sum(const SurfaceHeight& h) {
  return h.z + h.dx + h.dy + h.dxx + h.dxy + h.dyy;
}

volatile double sink;

void print(const Race& race, double paper) {
  for (std::size_t i = 0; i < race.size(); ++i)
    std::printf("%-46s %8.1f ns %8.1f ns %8.2f\n", race[i].name.c_str(), 1e9 * race[i].fastest(),
                1e9 * race[i].median(), median_ratio(race[i], race[0]));
  std::printf("%-46s %8.0f ns\n\n", "the paper reports", 1e9 * paper);
}

/// The textbook cubic is ours, so both must agree.
void require_same(const ElevationMap& cubic, const PlainBicubic& plain) {
  for (const Vec2& p : path_on_circle(kPoints, Vec2(13.0, 10.0), 2.0)) {
    const double ours = sum(cubic.patch(p.x(), p.y()).at(p.x(), p.y()));
    const double theirs = sum(plain.at(p.x(), p.y()));
    if (std::abs(ours - theirs) < 1e-8 * (1.0 + std::abs(ours))) continue;
    std::fprintf(stderr, "patch: the peer finds %g where we find %g\n", theirs, ours);
    std::exit(1);
  }
}

/// Height, slopes and curvatures at a point: through a new patch, through one that is there.
void race_patches(const ElevationGrid& grid) {
  const auto map = [&](Kind kind) {
    return ElevationMap(grid, kind, ElevationMap::Border::extrapolate);
  };
  const ElevationMap cubic = map(Kind::cubic), quintic = map(Kind::quintic);
  const ElevationMap bspline = map(Kind::bspline);
  const PlainBicubic plain(grid);
  require_same(cubic, plain);

  for (const bool along_path : {true, false}) {
    const std::vector<Vec2> points = along_path ? path_on_circle(kPoints, Vec2(13.0, 10.0), 2.0)
                                                : random_points(kPoints, grid.nx, grid.spacing);
    Race race;
    const auto enter = [&](const std::string& name, const auto& at) {
      race.add(
          name,
          [&points, at] {
            double total = 0.0;
            for (const Vec2& p : points) total += sum(at(p.x(), p.y()));
            sink = total;
          },
          points.size());
    };
    enter("plain bicubic, 16 coefficients", [&](double x, double y) { return plain.at(x, y); });
    const auto enter_kind = [&](const std::string& kind, const ElevationMap& m) {
      enter(kind + ", patch made and asked once",
            [&m](double x, double y) { return m.patch(x, y).at(x, y); });
      enter(kind + ", the map asked", [&m](double x, double y) { return m.at(x, y); });
      if (!along_path) return;
      const ElevationPatch patch = m.patch(points[0].x(), points[0].y());
      enter(kind + ", patch asked again", [patch](double x, double y) { return patch.at(x, y); });
    };
    enter_kind("cubic", cubic);
    enter_kind("quintic", quintic);
    enter_kind("bspline", bspline);
    race.run(kRounds, kRoundSeconds);
    std::printf("%-46s %11s %11s %8s\n",
                along_path ? "patches, along a path" : "patches, at random points", "fastest",
                "median", "by round");
    print(race, kPaperPatch);
  }
}

/// Balls that dip a thousandth of their radius into the ground.
std::vector<Vec3> balls(const ElevationMap& map, double radius) {
  std::vector<Vec3> out;
  for (const Vec2& p : path_on_circle(kPoints, Vec2(13.0, 10.0), 2.0))
    out.emplace_back(p.x(), p.y(), map.height(p.x(), p.y()) + 0.999 * radius);
  return out;
}

/// How far the node next to a point is, among all under a ball.
double nearest_node(const ElevationGrid& grid, const Vec3& centre, double radius) {
  const auto first = [&](double x) { return static_cast<std::size_t>((x - radius) / kSpacing); };
  const auto last = [&](double x) { return static_cast<std::size_t>((x + radius) / kSpacing) + 1; };
  double nearest = 1e300;
  for (std::size_t iy = first(centre.y()); iy <= last(centre.y()); ++iy)
    for (std::size_t ix = first(centre.x()); ix <= last(centre.x()); ++ix) {
      const Vec3 node(kSpacing * static_cast<double>(ix), kSpacing * static_cast<double>(iy),
                      grid.height(ix, iy));
      nearest = std::min(nearest, (node - centre).squaredNorm());
    }
  return nearest;
}

/// Cells that a ball may touch; whether there are any.
void race_search(const ElevationGrid& small_grid, const ElevationGrid& large_grid) {
  const auto border = ElevationMap::Border::extrapolate;
  const ElevationMap small_map(small_grid, Kind::quintic, border);
  const ElevationMap large_map(large_grid, Kind::quintic, border);
  const HeightPyramid small_pyramid(small_map);
  const double start = thread_seconds();
  const HeightPyramid large_pyramid(large_map);
  std::printf("pyramid of 4096 x 4096 nodes: %.2f s, %.0f MB\n\n", thread_seconds() - start,
              1e-6 * static_cast<double>(large_pyramid.memory()));

  for (const double radius : {0.05, 0.1, 0.25}) {
    const std::vector<Vec3> centres = balls(large_map, radius);
    Race race;
    const auto enter = [&](const std::string& name, const auto& ask) {
      race.add(
          name,
          [&centres, ask] {
            double total = 0.0;
            for (const Vec3& c : centres) total += ask(c);
            sink = total;
          },
          centres.size());
    };
    enter("plain: every node under the ball",
          [&, radius](const Vec3& c) { return nearest_node(large_grid, c, radius); });
    const auto enter_map = [&](const std::string& size, const HeightPyramid& pyramid) {
      enter("cells of " + size, [&pyramid, radius](const Vec3& c) {
        std::size_t cells = 0;
        pyramid.visit_cells(c, radius, [&](std::size_t, std::size_t) { ++cells; });
        return static_cast<double>(cells);
      });
      enter("highest of " + size, [&pyramid, radius](const Vec3& c) {
        return pyramid.max_over(c.x() - radius, c.x() + radius, c.y() - radius, c.y() + radius);
      });
    };
    enter_map("512 x 512", small_pyramid);
    enter_map("4096 x 4096", large_pyramid);
    race.run(kRounds, kRoundSeconds);
    std::printf("search under a ball, radius %4.1f cells %8s %11s %11s %8s\n", radius / kSpacing,
                "", "fastest", "median", "by round");
    print(race, kPaperSearch);
  }
}

/// A world with a ball on a map; `rows` are its situations, one every millimetre of the path.
class BallOnMap {
 public:
  BallOnMap(const ElevationGrid& grid, Kind kind, double radius)
      : map_(std::make_shared<ElevationMap>(grid, kind, ElevationMap::Border::extrapolate)),
        world_(definition(map_, radius)),
        ball_(world_.body("ball")) {
    for (const Vec3& c : balls(*map_, radius)) {
      BodyKinematics at;
      at.X_WB.p = c;
      at.V_WB = {Vec3(0.3, -0.2, 0.5), Vec3(0.4, 0.1, -0.1)};
      rows_.push_back(at);
    }
  }

  /// Search, projection, forces of all rows; with `commit` every row is an accepted step.
  double run(bool commit) {
    double total = 0.0;
    for (const BodyKinematics& row : rows_) {
      world_.set_body(ball_, row);
      world_.evaluate(0.0);
      total += world_.wrench(ball_).force.z();
      if (commit) world_.commit(0.0);
    }
    return total;
  }
  std::size_t size() const { return rows_.size(); }

 private:
  static ContactWorldDef definition(const std::shared_ptr<const ElevationMap>& map, double radius) {
    ContactWorldDef def;
    ShapeDef ground, ball;
    ground.name = "ground";
    ground.geometry = SmoothShape{"map", std::make_shared<MapSurface>(map)};
    ball.name = ball.body = "ball";
    ball.geometry = SphereShape{radius};
    def.shapes = {ground, ball};
    SmoothDef contact;
    contact.first = "ground";
    contact.second = "ball";
    contact.stiffness = 1e6;
    contact.friction = 0.5;
    def.add(contact);
    return def;
  }

  std::shared_ptr<const ElevationMap> map_;
  ContactWorld world_;
  int ball_;
  std::vector<BodyKinematics> rows_;
};

/// The whole contact: nothing remembered, and with a commit after every evaluation.
void race_contact(const ElevationGrid& small_grid, const ElevationGrid& large_grid) {
  for (const double radius : {0.05, 0.1, 0.25}) {
    BallOnMap small(small_grid, Kind::quintic, radius), large(large_grid, Kind::quintic, radius);
    BallOnMap accepted(large_grid, Kind::quintic, radius);
    BallOnMap cubic(large_grid, Kind::cubic, radius), bspline(large_grid, Kind::bspline, radius);
    Race race;
    const auto enter = [&](const std::string& name, BallOnMap& ball, bool commit) {
      race.add(
          name, [&ball, commit] { sink = ball.run(commit); }, ball.size());
    };
    enter("4096 x 4096, quintic", large, false);
    enter("4096 x 4096, cubic", cubic, false);
    enter("4096 x 4096, bspline", bspline, false);
    enter("512 x 512, quintic", small, false);
    enter("4096 x 4096, quintic, evaluate and commit", accepted, true);
    race.run(kRounds, kRoundSeconds);
    std::printf("whole contact of a ball, radius %4.1f cells %7s %11s %11s %8s\n",
                radius / kSpacing, "", "fastest", "median", "by round");
    print(race, kPaperPatch + kPaperSearch);
  }
}

}  // namespace

int main() {
  const ElevationGrid small = hills(512), large = hills(4096);
  race_patches(large);
  race_search(small, large);
  race_contact(small, large);
}
