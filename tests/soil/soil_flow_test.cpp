#include "grouser/soil/soil_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "grouser/base/random.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

constexpr double kCell = 0.01;

/// A window that owns its numbers.
struct Window {
  int nx, ny;
  std::vector<double> change, ground;
  std::vector<std::uint8_t> closed;

  Window(int nx_, int ny_)
      : nx(nx_), ny(ny_), change(static_cast<std::size_t>(nx) * ny), closed(change.size()) {}
  std::size_t at(int ix, int iy) const { return static_cast<std::size_t>(iy * nx + ix); }
  SoilField field() { return {nx, ny, kCell, change, ground, closed}; }
  double sum() const { return std::accumulate(change.begin(), change.end(), 0.0); }
  double height(int ix, int iy) const {
    return change[at(ix, iy)] + (ground.empty() ? 0.0 : ground[at(ix, iy)]);
  }
  /// Between nodes.
  double height(double x, double y) const {
    const int ix = static_cast<int>(x), iy = static_cast<int>(y);
    const double a = x - ix, b = y - iy;
    return (1 - b) * ((1 - a) * height(ix, iy) + a * height(ix + 1, iy)) +
           b * ((1 - a) * height(ix, iy + 1) + a * height(ix + 1, iy + 1));
  }
  void cover(int x0, int x1, int y0, int y1) {
    for (int iy = y0; iy < y1; ++iy)
      for (int ix = x0; ix < x1; ++ix) closed[at(ix, iy)] = kSoilCovered;
  }
  void roughen(double size, Random& random) {
    for (double& c : change) c = random.uniform(-size, size);
  }
};

/// Calls visit(node, node, length) for every edge.
template <class Visit>
void for_each_edge(const Window& w, const Visit& visit) {
  const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int iy = 0; iy < w.ny; ++iy)
    for (int ix = 0; ix < w.nx; ++ix)
      for (const auto& s : steps) {
        const int jx = ix + s[0], jy = iy + s[1];
        if (jx < 0 || jx >= w.nx || jy >= w.ny) continue;
        visit(w.at(ix, iy), w.at(jx, jy), kCell * std::hypot(s[0], s[1]));
      }
}

/// The steepest edge between open nodes.
double steepest(const Window& w) {
  double slope = 0.0;
  for_each_edge(w, [&](std::size_t i, std::size_t j, double length) {
    if (w.closed[i] != 0 || w.closed[j] != 0) return;
    const double ground = w.ground.empty() ? 0.0 : w.ground[i] - w.ground[j];
    slope = std::max(slope, std::abs(ground + w.change[i] - w.change[j]) / length);
  });
  return slope;
}

// ---- Erosion ----

enum class Pile { cylinder, block, slump, fed };

/// 0.02 m^3 of soil in the middle of 1.2 m x 1.2 m, relaxed: a cone 0.3 m in radius.
Window relaxed_pile(Pile kind, double tan_repose, std::uint64_t turns_per_call) {
  Window w(121, 121);
  SoilField field = w.field();
  Scratch scratch;
  std::vector<std::size_t> where;
  for (int iy = 0; iy < w.ny; ++iy)
    for (int ix = 0; ix < w.nx; ++ix) {
      const double x = ix - 60, y = iy - 60, r = std::hypot(x, y);
      const bool inside = kind == Pile::cylinder ? r <= 10.0
                          : kind == Pile::block  ? std::abs(x) <= 8.0 && std::abs(y) <= 8.0
                          : kind == Pile::slump  ? r <= 20.0
                                                 : r < 3.0;
      if (inside) where.push_back(w.at(ix, iy));
    }
  const int portions = kind == Pile::fed ? 40 : 1;
  for (int portion = 0; portion < portions; ++portion) {
    for (const std::size_t i : where)
      w.change[i] += 0.02 / (kCell * kCell) / static_cast<double>(where.size()) / portions;
    int calm = 0;  // calls one after the other: half a sweep sees only half of the edges
    for (std::uint64_t call = 0; call < 10000 && calm < 2; ++call) {
      const ErosionTurns turns{call * turns_per_call, turns_per_call};
      const bool settled = erode(field, tan_repose, turns, 3e-6, scratch).greatest_excess <= 3e-6;
      calm = settled ? calm + 1 : 0;
    }
  }
  return w;
}

/// Least and greatest distance from the middle, in nodes, at which the pile is as high as this.
std::pair<double, double> radii(const Window& w, double height) {
  double least = 1e9, greatest = 0.0;
  for (int k = 0; k < 72; ++k) {
    const double x = std::cos(k * kPi / 36), y = std::sin(k * kPi / 36);
    double r = 0.0;
    while (w.height(60.0 + r * x, 60.0 + r * y) > height) r += 0.01;
    least = std::min(least, r);
    greatest = std::max(greatest, r);
  }
  return {least, greatest};
}

class PileOfSoil : public testing::TestWithParam<std::tuple<Pile, std::uint64_t>> {};

TEST_P(PileOfSoil, RelaxesToARoundCone) {
  const double tan_repose = 0.6;
  const Window w = relaxed_pile(std::get<0>(GetParam()), tan_repose, std::get<1>(GetParam()));
  EXPECT_NEAR(w.sum() * kCell * kCell, 0.02, 0.02 * 1e-13);  // rounding of 1e7 moves
  EXPECT_LE(steepest(w), tan_repose * (1.0 + 1e-3));         // tolerance 3e-6 m, 6 mm a node

  const double peak = w.height(60, 60);
  const auto [least, greatest] = radii(w, 0.05 * peak);
  EXPECT_GT(least, 20.0);
  EXPECT_LT(greatest - least, 0.05 * least);
  // The flank between a fifth and three fifths of the height is as steep as it may be.
  const auto low = radii(w, 0.2 * peak), high = radii(w, 0.6 * peak);
  const double run = 0.5 * (low.first + low.second - high.first - high.second) * kCell;
  EXPECT_NEAR(0.4 * peak / run, tan_repose, 0.03 * tan_repose);  // grid and roundness
}

// By halves of sweeps, as soil is updated, and all at once.
INSTANTIATE_TEST_SUITE_P(Erosion, PileOfSoil,
                         testing::Combine(testing::Values(Pile::cylinder, Pile::block, Pile::slump,
                                                          Pile::fed),
                                          testing::Values(1u, 2000u)));

TEST(Erosion, KeepsVolumeOnRoughGroundAroundObjects) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Window w(1 + static_cast<int>(random.below(70)), 1 + static_cast<int>(random.below(40)));
    w.roughen(0.05, random);
    if (trial % 2 == 0) w.ground.assign(w.change.size(), 0.0);
    for (double& g : w.ground) g = 2000.0 + random.uniform(0.0, 0.01);
    for (std::uint8_t& c : w.closed) c = static_cast<std::uint8_t>(random.below(3) == 0);
    const std::vector<double> before = w.change;
    const double sum = w.sum();
    SoilField field = w.field();
    Scratch scratch;
    erode(field, 0.5, whole_sweeps(20), 0.0, scratch);
    EXPECT_NEAR(w.sum(), sum, 1e-13);  // rounding: 3000 nodes, 1e-17 each
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (w.closed[i] != 0) {
        EXPECT_EQ(w.change[i], before[i]);
      }
    }
  }
}

TEST(Erosion, EndsBelowReposeAlongEveryEdgeAroundObjects) {
  Random random(2);
  Window w(50, 37);
  w.roughen(0.02, random);
  w.ground.assign(w.change.size(), 0.0);
  for (int iy = 0; iy < w.ny; ++iy)
    for (int ix = 0; ix < w.nx; ++ix) w.ground[w.at(ix, iy)] = 100.0 + 0.003 * ix - 0.001 * iy;
  for (std::uint8_t& c : w.closed) c = static_cast<std::uint8_t>(random.below(5) == 0);
  SoilField field = w.field();
  Scratch scratch;
  const ErosionResult result = erode(field, 0.6, whole_sweeps(100000), 1e-7, scratch);
  EXPECT_LE(result.greatest_excess, 1e-7);
  EXPECT_LE(steepest(w), 0.6 * (1.0 + 1e-3));
}

TEST(Erosion, LeavesSlopesBelowReposeAlone) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Window w(40, 30);
    w.ground.assign(w.change.size(), 0.0);
    // A plane in any direction, or a hill, a thousandth below repose; some of it in `change`.
    const double turn = random.uniform(0.0, 2.0 * kPi), share = random.uniform();
    for (int iy = 0; iy < w.ny; ++iy)
      for (int ix = 0; ix < w.nx; ++ix) {
        const double along = trial % 2 == 0 ? ix * std::cos(turn) + iy * std::sin(turn)
                                            : -std::hypot(ix - 18.3, iy - 14.9);
        const double height = 0.6 * 0.999 * kCell * along;
        w.ground[w.at(ix, iy)] = 3000.0 + (1.0 - share) * height;
        w.change[w.at(ix, iy)] = share * height;
      }
    const std::vector<double> before = w.change;
    SoilField field = w.field();
    Scratch scratch;
    const ErosionResult result = erode(field, 0.6, whole_sweeps(5), 0.0, scratch);
    EXPECT_EQ(result.moved, 0.0);
    EXPECT_EQ(result.greatest_excess, 0.0);
    EXPECT_EQ(w.change, before);
  }
}

TEST(Erosion, MovesSoilOnAMountainAsOnFlatGround) {
  Window flat(40, 30), mountain(40, 30);
  Random random(4);
  flat.roughen(0.03, random);
  mountain.change = flat.change;
  mountain.ground.assign(mountain.change.size(), 8848.0);
  SoilField a = flat.field(), b = mountain.field();
  Scratch scratch;
  const ErosionResult on_flat = erode(a, 0.6, whole_sweeps(7), 0.0, scratch);
  const ErosionResult on_mountain = erode(b, 0.6, whole_sweeps(7), 0.0, scratch);
  EXPECT_EQ(flat.change, mountain.change);
  EXPECT_EQ(on_flat.moved, on_mountain.moved);
}

TEST(Erosion, MovesOneAxisEdgeByTheRule) {
  Window w(2, 1);
  w.change = {0.05, 0.01};
  SoilField field = w.field();
  Scratch scratch;
  const ErosionResult result = erode(field, 0.6, whole_sweeps(1), 0.0, scratch);
  EXPECT_NEAR(result.greatest_excess, 0.034, 1e-16);
  EXPECT_NEAR(result.moved, 0.75 * 0.034 / 2, 1e-16);
  EXPECT_NEAR(w.change[0], 0.05 - 0.75 * 0.034 / 2, 1e-16);
}

TEST(Erosion, MovesOneDiagonalEdgeByTheRule) {
  Window w(2, 2);
  w.change = {0.05, 9.0, 9.0, 0.01};
  w.closed = {0, 1, 2, 0};
  SoilField field = w.field();
  Scratch scratch;
  erode(field, 0.6, whole_sweeps(1), 0.0, scratch);
  const double moved = 0.5 * 0.5 * 0.04 * (1.0 - 2.0 * 0.006 * 0.006 / (0.04 * 0.04));
  EXPECT_NEAR(w.change[0], 0.05 - moved, 1e-16);
  EXPECT_NEAR(w.change[3], 0.01 + moved, 1e-16);
  EXPECT_EQ(w.change[1], 9.0);
}

TEST(Erosion, MovesOnlyEdgesWithAnActiveNode) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Window w(45, 31);
    w.roughen(0.05, random);
    const std::vector<double> before = w.change;
    std::vector<std::uint8_t> active(w.change.size()), reached(w.change.size());
    for (std::uint8_t& a : active) a = static_cast<std::uint8_t>(random.below(60) == 0);
    for_each_edge(w, [&](std::size_t i, std::size_t j, double) {
      if (active[i] != 0 || active[j] != 0) reached[i] = reached[j] = 1;
    });
    SoilField field = w.field();
    Scratch scratch;
    erode(field, 0.6, whole_sweeps(2000), 1e-9, scratch, active);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (reached[i] == 0) {
        EXPECT_EQ(w.change[i], before[i]);
      }
    }
    for_each_edge(w, [&](std::size_t i, std::size_t j, double length) {
      if (active[i] == 0 && active[j] == 0) return;
      EXPECT_LE(std::abs(w.change[i] - w.change[j]), 0.6 * length * (1.0 + 1e-3));
    });
  }
}

TEST(Erosion, LeavesAnEdgeBetweenIdleNodesAlone) {
  // Both ends of the step are next to the active node, neither is active.
  Window w(3, 2);
  w.change = {0.0, 0.0, 0.0, 0.004, 0.004, -0.0045};
  std::vector<std::uint8_t> active = {0, 1, 0, 0, 0, 0};
  const std::vector<double> before = w.change;
  SoilField field = w.field();
  Scratch scratch;
  EXPECT_EQ(erode(field, 0.6, whole_sweeps(3), 0.0, scratch, active).moved, 0.0);
  EXPECT_EQ(w.change, before);
  EXPECT_GT(erode(field, 0.6, whole_sweeps(3), 0.0, scratch).moved, 0.0);
}

TEST(Erosion, WithEverythingActiveIsErosionWithoutMask) {
  Window a(33, 21);
  Random random(6);
  a.roughen(0.05, random);
  a.cover(5, 12, 4, 9);
  Window b = a;
  SoilField one = a.field(), other = b.field();
  Scratch scratch;
  erode(one, 0.6, whole_sweeps(9), 0.0, scratch);
  erode(other, 0.6, whole_sweeps(9), 0.0, scratch, std::vector<std::uint8_t>(b.change.size(), 1));
  EXPECT_EQ(a.change, b.change);
}

TEST(Erosion, SleepingPartsDoNotChangeTheResult) {
  // A call starts with everything awake, so two calls of two sweeps wake what one of four let
  // sleep. Windows wider than 256 nodes have parts of more than one block.
  Random random(7);
  for (const int nx : {5, 64, 130, 257, 700}) {
    Window once(nx, 40);
    for (int heap = 0; heap < 12; ++heap)
      once.change[random.below(static_cast<std::uint32_t>(once.change.size()))] = 0.2;
    Window twice = once;
    SoilField a = once.field(), b = twice.field();
    Scratch scratch;
    erode(a, 0.6, whole_sweeps(16), 0.0, scratch);
    for (int call = 0; call < 8; ++call) erode(b, 0.6, whole_sweeps(2), 0.0, scratch);
    EXPECT_EQ(once.change, twice.change) << nx;
  }
}

TEST(Erosion, GivesTheSameInAMirror) {
  Random random(8);
  for (const int ny : {24, 25}) {
    const int nx = 37;
    Window one(nx, ny), across(nx, ny), along(nx, ny);
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix) {
        const std::size_t i = one.at(ix, iy);
        const std::size_t j = one.at(nx - 1 - ix, iy), k = one.at(ix, ny - 1 - iy);
        one.change[i] = across.change[j] = along.change[k] = random.uniform(-0.03, 0.03);
        one.closed[i] = across.closed[j] = along.closed[k] =
            static_cast<std::uint8_t>(random.below(5) == 0);
      }
    Scratch scratch;
    for (Window* w : {&one, &across, &along}) {
      SoilField field = w->field();
      for (std::uint64_t turn = 0; turn < 40; ++turn) erode(field, 0.6, {turn, 1}, 1e-5, scratch);
    }
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix) {
        const double height = one.change[one.at(ix, iy)];
        // Rounding of sums in another order.
        EXPECT_NEAR(across.change[one.at(nx - 1 - ix, iy)], height, 1e-15);
        EXPECT_NEAR(along.change[one.at(ix, ny - 1 - iy)], height, 1e-15);
      }
  }
}

TEST(Erosion, TakesDegenerateWindows) {
  Scratch scratch;
  SoilField nothing;
  EXPECT_EQ(erode(nothing, 0.6, whole_sweeps(3), 0.0, scratch).moved, 0.0);
  Window one(1, 1);
  one.change = {3.0};
  SoilField field = one.field();
  EXPECT_EQ(erode(field, 0.6, whole_sweeps(3), 0.0, scratch).moved, 0.0);
  EXPECT_EQ(erode(field, 0.6, whole_sweeps(0), 0.0, scratch).moved, 0.0);
  // Without friction everything becomes level.
  Window liquid(9, 1);
  liquid.change[4] = 0.9;
  SoilField basin = liquid.field();
  erode(basin, 0.0, whole_sweeps(10000), 1e-12, scratch);
  for (const double c : liquid.change) EXPECT_NEAR(c, 0.1, 1e-9);
  Window pond(7, 6);
  pond.change[17] = 0.42;
  SoilField field_of_pond = pond.field();
  EXPECT_TRUE(std::isfinite(erode(field_of_pond, 0.0, whole_sweeps(10000), 1e-12, scratch).moved));
  for (const double c : pond.change) EXPECT_NEAR(c, 0.01, 1e-9);
}

// ---- Deposition ----

/// Covered rectangle in the middle, and sources all over it.
struct Footprint {
  Window window{60, 40};
  std::vector<SoilSource> sources;

  explicit Footprint(const Vec2& flow, bool whole_places = true) {
    window.cover(14, 46, 12, 28);
    Random random(8);
    for (int iy = 12; iy < 28; ++iy)
      for (int ix = 14; ix < 46; ++ix) {
        const double shift = whole_places ? 0.0 : random.uniform(-0.5, 0.5);
        sources.push_back({ix + shift, iy - shift, random.uniform(1e-8, 1e-6), flow});
      }
  }
  double volume() const {
    double sum = 0.0;
    for (const SoilSource& s : sources) sum += s.volume;
    return sum;
  }
};

bool is_border(const Window& w, int ix, int iy) {
  if (w.closed[w.at(ix, iy)] != kSoilOpen) return false;
  for (int jy = std::max(iy - 1, 0); jy <= std::min(iy + 1, w.ny - 1); ++jy)
    for (int jx = std::max(ix - 1, 0); jx <= std::min(ix + 1, w.nx - 1); ++jx)
      if (w.closed[w.at(jx, jy)] == kSoilCovered) return true;
  return false;
}

/// The rule as it is written, in double precision.
std::vector<double> deposited_directly(const Window& w, std::span<const SoilSource> sources,
                                       double power) {
  std::vector<std::pair<int, int>> border;
  for (int iy = 0; iy < w.ny; ++iy)
    for (int ix = 0; ix < w.nx; ++ix)
      if (is_border(w, ix, iy)) border.emplace_back(ix, iy);
  std::vector<double> change = w.change;
  for (const SoilSource& source : sources) {
    const double kappa = source.flow.norm();
    const auto weight = [&](int ix, int iy) {
      const Vec2 way(ix - source.x, iy - source.y);
      const double r = std::max(way.norm(), 0.5);
      return std::exp(source.flow.dot(way) / r - kappa) / std::pow(r, power);
    };
    double sum = 0.0;
    for (const auto& [ix, iy] : border) sum += weight(ix, iy);
    for (const auto& [ix, iy] : border)
      change[w.at(ix, iy)] += source.volume * weight(ix, iy) / sum / (kCell * kCell);
  }
  return change;
}

class Deposition : public testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(Deposition, FollowsTheWeightsAndKeepsTheVolume) {
  const auto [power, kappa] = GetParam();
  for (const bool whole_places : {true, false}) {
    Footprint foot(kappa * Vec2(0.6, -0.8), whole_places);
    // One more, where there is a border node; one beyond the window.
    foot.sources.push_back({13.0, 20.0, 1e-6, Vec2(-kappa, 0.0)});
    foot.sources.push_back({-7.25, 55.5, 1e-6, Vec2(0.0, kappa)});
    Window& w = foot.window;
    w.closed[w.at(0, 0)] = kSoilBeyond;  // has a border that takes nothing
    const std::vector<double> expected = deposited_directly(w, foot.sources, power);
    SoilField field = w.field();
    Scratch scratch;
    EXPECT_EQ(deposit(foot.sources, power, field, scratch), 0.0);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(w.change[i], expected[i], 1e-5 * expected[i]);  // single precision
    EXPECT_NEAR(w.sum() * kCell * kCell, foot.volume(), 1e-14 * foot.volume());
  }
}

// Krenn (2008) eq. 24 is power 2, kappa 0.
INSTANTIATE_TEST_SUITE_P(SoilFlow, Deposition,
                         testing::Combine(testing::Values(0.0, 1.0, 1.5, 2.0),
                                          testing::Values(0.0, 0.7, 2.0, 20.0)));

TEST(Deposit, DirectedFlowGoesAhead) {
  double share_before = 0.0;
  for (const double kappa : {0.0, 1.0, 2.0, 4.0}) {
    Footprint foot(Vec2(kappa, 0.0));
    SoilField field = foot.window.field();
    Scratch scratch;
    deposit(foot.sources, 1.0, field, scratch);
    double ahead = 0.0;
    for (int iy = 0; iy < foot.window.ny; ++iy)
      for (int ix = 30; ix < foot.window.nx; ++ix)
        ahead += foot.window.change[foot.window.at(ix, iy)];
    const double share = ahead / foot.window.sum();
    if (kappa == 0.0) {
      EXPECT_NEAR(share, 0.5, 0.02);  // sources are random
    }
    if (kappa == 2.0) {
      EXPECT_GT(share, 0.7);
    }
    EXPECT_GT(share, share_before);
    share_before = share;
  }
}

TEST(Deposit, WithoutAnOpenBorderGivesTheSoilBack) {
  const std::vector<SoilSource> sources = {{1.0, 1.0, 0.25}, {2.0, 1.0, 0.5}};
  Scratch scratch;
  Window covered(5, 4), open(5, 4), beyond(5, 4);
  std::fill(covered.closed.begin(), covered.closed.end(), kSoilCovered);
  beyond.closed[7] = kSoilBeyond;
  for (Window* w : {&covered, &open, &beyond}) {
    SoilField field = w->field();
    EXPECT_EQ(deposit(sources, 2.0, field, scratch), 0.75);
    EXPECT_EQ(w->sum(), 0.0);
    field.closed = {};
    EXPECT_EQ(deposit(sources, 2.0, field, scratch), 0.75);
  }
  SoilField field = covered.field();
  EXPECT_EQ(deposit({}, 2.0, field, scratch), 0.0);
}

TEST(Grouped, KeepsVolumePlaceAndFlow) {
  Footprint foot(Vec2(1.5, 0.5), false);
  Scratch scratch;
  const std::span<SoilSource> groups = grouped(foot.sources, 60, 40, 4, scratch);
  // Columns 12 to 47 of 15 blocks along 60, rows 12 to 27 of 11 blocks along 40.
  EXPECT_EQ(groups.size(), 9u * 5u);
  double volume = 0.0;
  Vec2 place = Vec2::Zero(), expected_place = Vec2::Zero();
  for (const SoilSource& g : groups) {
    volume += g.volume;
    place += g.volume * Vec2(g.x, g.y);
    EXPECT_NEAR((g.flow - Vec2(1.5, 0.5)).norm(), 0.0, 1e-14);
  }
  for (const SoilSource& s : foot.sources) expected_place += s.volume * Vec2(s.x, s.y);
  EXPECT_NEAR(volume, foot.volume(), 1e-14 * volume);
  EXPECT_NEAR((place - expected_place).norm(), 0.0, 1e-14 * expected_place.norm());
}

TEST(Grouped, DepositsNearlyTheSame) {
  for (const double kappa : {0.0, 2.0}) {
    Footprint foot(Vec2(kappa, 0.0));
    Window all = foot.window, few = foot.window;
    SoilField a = all.field(), b = few.field();
    Scratch scratch;
    deposit(foot.sources, 1.0, a, scratch);
    deposit(grouped(foot.sources, 60, 40, 4, scratch), 1.0, b, scratch);
    double difference = 0.0;
    for (std::size_t i = 0; i < all.change.size(); ++i)
      difference += std::abs(all.change[i] - few.change[i]);
    EXPECT_LT(difference, 0.04 * all.sum());
    EXPECT_NEAR(few.sum(), all.sum(), 1e-13 * all.sum());
  }
}

TEST(Grouped, TakesSourcesBeyondTheWindowAndNone) {
  Scratch scratch;
  EXPECT_TRUE(grouped({}, 8, 8, 4, scratch).empty());
  const std::vector<SoilSource> far = {{-100.0, 3.0, 1.0}, {100.0, 50.0, 2.0}, {2.0, 2.0, 0.0}};
  const std::span<SoilSource> groups = grouped(far, 8, 8, 4, scratch);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].x, -100.0);
  EXPECT_EQ(groups[1].y, 50.0);
}

// ---- Both ----

std::vector<double> rut(Scratch& scratch, bool with_mask) {
  Footprint foot(Vec2(1.0, 0.3), false);
  Window& w = foot.window;
  std::vector<std::uint8_t> active(with_mask ? w.change.size() : 0, 1);
  SoilField field = w.field();
  for (int round = 0; round < 3; ++round) {
    deposit(grouped(foot.sources, 60, 40, 4, scratch), 1.0, field, scratch);
    erode(field, 0.6, whole_sweeps(3), 1e-6, scratch, active);
  }
  return w.change;
}

TEST(SoilFlow, GivesTheSameBitsAgain) {
  Scratch fresh, used;
  used.take<char>(13);
  const std::vector<double> first = rut(fresh, false);
  EXPECT_EQ(first, rut(used, false));
  EXPECT_EQ(first, rut(used, true));
}

TEST(SoilFlow, DoesNotAllocateAfterWarmUp) {
  Footprint foot(Vec2(1.0, 0.3));
  SoilField field = foot.window.field();
  const std::vector<std::uint8_t> active(foot.window.change.size(), 1);
  Scratch scratch;
  std::size_t before = 0;
  for (int round = 0; round < 5; ++round) {
    if (round == 2) before = allocations();
    scratch.reset();
    deposit(grouped(foot.sources, 60, 40, 4, scratch), 1.5, field, scratch);
    erode(field, 0.6, whole_sweeps(3), 1e-6, scratch);
    erode(field, 0.6, whole_sweeps(3), 1e-6, scratch, active);
  }
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace grouser
