#include "grouser/assets/rock_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/hash.h"
#include "grouser/mesh/mass_properties.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

/// Rocks whose shape is of no interest.
RockFieldDef plain(double side) {
  RockFieldDef def;
  def.area = {side, side};
  def.triangles = 80;
  def.shapes = 3;
  return def;
}

std::uint64_t bits(const RockField& field) {
  Hash hash;
  for (const TriangleMesh& shape : field.shapes)
    for (const Vec3& p : shape.vertices) hash.add({p.data(), 3});
  for (const PlacedRock& rock : field.rocks) {
    hash.add(static_cast<std::uint64_t>(rock.shape));
    for (const double x : {rock.diameter, rock.burial, rock.radius}) hash.add(x);
    hash.add({rock.size.data(), 3});
    hash.add({rock.X_WR.p.data(), 3});
    hash.add({rock.X_WR.R.data(), 9});
  }
  return hash.digest();
}

SurfaceHeight slope(double x, double y) {
  SurfaceHeight out;
  out.z = 3.0 + 0.3 * x - 0.2 * y, out.dx = 0.3, out.dy = -0.2;
  return out;
}

std::vector<Vec3> vertices_in_world(const RockField& field, std::size_t i) {
  std::vector<Vec3> out;
  for (const Vec3& p : rock_mesh(field, i).vertices) out.push_back(field.rocks[i].X_WR * p);
  return out;
}

TEST(RockField, HasAsManyRocksOfAnySizeAsTheLawSays) {
  for (const RockLaw site : {RockLaw::vl1, RockLaw::vl2, RockLaw::pathfinder, RockLaw::spirit,
                             RockLaw::insight, RockLaw::phoenix}) {
    RockFieldDef def = plain(60.0);
    def.sizes.law = site;
    const RockField field = make_rock_field(def);
    for (const double diameter : {0.05, 0.1, 0.25, 0.5, 1.0}) {
      double count = 0.0;
      for (const PlacedRock& rock : field.rocks) count += rock.diameter >= diameter ? 1.0 : 0.0;
      const double expected = 3600.0 * (cumulative_number(def.sizes, diameter) -
                                        cumulative_number(def.sizes, def.sizes.max_diameter));
      // Poisson: four standard deviations, and one rock where hardly any is expected.
      EXPECT_NEAR(count, expected, 4.0 * std::sqrt(expected) + 1.0) << diameter;
    }
  }
}

TEST(RockField, CoversTheGroundAsTheVikingClassesSay) {
  RockFieldDef def = plain(200.0);
  def.sizes.law = RockLaw::viking_1_classes;
  def.triangles = 20;
  const RockField field = make_rock_field(def);
  double covered = 0.0;
  for (const PlacedRock& rock : field.rocks) {
    covered += 0.25 * kPi * rock.size.x() * rock.size.y();
    EXPECT_NEAR(rock.size.x() * rock.size.y(), rock.diameter * rock.diameter, 1e-15);
  }
  // 0.8 / side [m] is the standard deviation of the coverage over its mean: 0.4 % here.
  EXPECT_NEAR(covered / def.area.prod(), 0.0565, 0.02 * 0.0565);
}

TEST(RockField, HasNoTwoRocksThatTouch) {
  for (const double spacing : {0.0, 0.03}) {
    RockFieldDef def = plain(12.0);
    def.sizes.law = RockLaw::pathfinder;
    def.attitude = RockAttitude::random;
    def.spacing = spacing;
    const RockField field = make_rock_field(def, slope);
    ASSERT_GT(field.rocks.size(), 800u);
    for (std::size_t i = 0; i < field.rocks.size(); ++i) {
      const PlacedRock& a = field.rocks[i];
      for (const Vec3& p : vertices_in_world(field, i))
        ASSERT_LE((p - a.X_WR.p).norm(), a.radius + 1e-14);  // rounding, 10 m away
      for (std::size_t j = i + 1; j < field.rocks.size(); ++j) {
        const PlacedRock& b = field.rocks[j];
        ASSERT_GE((a.X_WR.p - b.X_WR.p).head<2>().norm(), a.radius + b.radius + spacing - 1e-14);
      }
    }
  }
}

TEST(RockField, SpreadsRocksEvenlyAndToTheBorder) {
  RockFieldDef def = plain(40.0);
  def.center = {100.0, -50.0};
  const RockField field = make_rock_field(def);
  const double expected = static_cast<double>(field.rocks.size()) / 16.0;
  double count[4][4] = {};
  for (const PlacedRock& rock : field.rocks) {
    const Vec2 cell = (rock.X_WR.p.head<2>() - Vec2(80.0, -70.0)) / 10.0;
    ASSERT_TRUE(cell.minCoeff() >= 0.0 && cell.maxCoeff() <= 4.0);
    count[static_cast<int>(cell.x())][static_cast<int>(cell.y())] += 1.0;
  }
  for (const auto& row : count)
    for (const double n : row) EXPECT_NEAR(n, expected, 4.0 * std::sqrt(expected));  // Poisson
}

TEST(RockField, LeavesClearZonesEmptyAndTheRestAsDense) {
  RockFieldDef def = plain(30.0);
  def.clear = {{.center = {5.0, 5.0}, .radius = 4.0},
               {.center = {-6.0, -4.0}, .size = {10.0, 6.0}},
               {.center = {-6.0, -4.0}, .size = {2.0, 12.0}}};
  const RockField field = make_rock_field(def);
  for (std::size_t i = 0; i < field.rocks.size(); ++i)
    for (const Vec3& p : vertices_in_world(field, i)) {
      EXPECT_GT((p.head<2>() - Vec2(5.0, 5.0)).norm(), 4.0);
      const Vec2 offset = (p.head<2>() - Vec2(-6.0, -4.0)).cwiseAbs();
      EXPECT_TRUE(offset.x() > 5.0 || offset.y() > 3.0);
      EXPECT_TRUE(offset.x() > 1.0 || offset.y() > 6.0);
    }
  const double zones = kPi * 16.0 + 60.0 + 24.0 - 12.0;
  const double expected = number_of_rocks(def.sizes) * (900.0 - zones);
  EXPECT_NEAR(static_cast<double>(field.rocks.size()), expected, 4.0 * std::sqrt(expected));
}

TEST(RockField, BuriesRocksAsDeepAsAsked) {
  RockFieldDef def = plain(12.0);
  def.burial = {0.05, 0.45};
  const RockField field = make_rock_field(def, slope);
  const Vec3 up = slope(0, 0).normal();
  double least = 1.0, most = 0.0;
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    double lowest = 1e300, highest = -1e300;
    for (const Vec3& p : vertices_in_world(field, i)) {
      const double above = up.dot(p - Vec3(0.0, 0.0, 3.0));
      lowest = std::min(lowest, above), highest = std::max(highest, above);
    }
    const double buried = -lowest / (highest - lowest);
    EXPECT_NEAR(buried, field.rocks[i].burial, 1e-12);  // heights of 1e-16 over rocks of 0.05 m
    least = std::min(least, buried), most = std::max(most, buried);
  }
  // Some hundred uniform numbers come near both ends.
  EXPECT_TRUE(least >= 0.05 && least < 0.06 && most <= 0.45 && most > 0.44);
}

TEST(RockField, LetsRocksLieFlatWithTheHeightAskedFor) {
  RockFieldDef def = plain(12.0);
  def.tilt = 0.0;
  const RockField field = make_rock_field(def, slope);
  const Vec3 up = slope(0, 0).normal();
  double low = 1e300, high = 0.0;
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    EXPECT_LT((field.rocks[i].X_WR.R.col(2) - up).norm(), 1e-12);  // rounding over a small outline
    double highest = 0.0;
    for (const Vec3& p : vertices_in_world(field, i))
      highest = std::max(highest, up.dot(p - Vec3(0.0, 0.0, 3.0)));
    low = std::min(low, highest / field.rocks[i].diameter);
    high = std::max(high, highest / field.rocks[i].diameter);
  }
  EXPECT_TRUE(low >= 0.25 - 1e-12 && low < 0.26 && high <= 0.6 + 1e-12 && high > 0.59);
}

TEST(RockField, TiltsLyingRocksALittleAndOthersAnyhow) {
  RockFieldDef def = plain(20.0);
  const RockField lying = make_rock_field(def);
  double steepest = 1.0;
  for (const PlacedRock& rock : lying.rocks) {
    EXPECT_LT((rock.X_WR.R * rock.X_WR.R.transpose() - Mat3::Identity()).norm(), 1e-14);
    steepest = std::min(steepest, rock.X_WR.R(2, 2));
  }
  EXPECT_TRUE(steepest >= std::cos(0.2) && steepest < std::cos(0.19));
  def.attitude = RockAttitude::random;
  const RockField random = make_rock_field(def);
  Mat3 mean = Mat3::Zero(), square = Mat3::Zero();
  for (const PlacedRock& rock : random.rocks) {
    mean += rock.X_WR.R, square += rock.X_WR.R.cwiseAbs2();
    EXPECT_NEAR(rock.X_WR.R.determinant(), 1.0, 1e-14);
  }
  const auto n = static_cast<double>(random.rocks.size());
  // Components of a random direction: variance 1/3; their squares: 4/45.
  EXPECT_LT((mean / n).cwiseAbs().maxCoeff(), 4.0 * std::sqrt(1.0 / (3.0 * n)));
  EXPECT_LT((square / n - Mat3::Constant(1.0 / 3.0)).cwiseAbs().maxCoeff(),
            4.0 * std::sqrt(4.0 / (45.0 * n)));
}

TEST(RockField, StandsOnCurvedGround) {
  const auto waves = [](double x, double y) {
    SurfaceHeight out;
    out.z = 0.4 * std::sin(0.8 * x) * std::cos(0.6 * y);
    return out;
  };
  RockFieldDef def = plain(20.0);
  def.burial = {0.2, 0.2};
  const RockField field = make_rock_field(def, waves);
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    const PlacedRock& rock = field.rocks[i];
    double lowest = 1e300, highest = -1e300;
    for (const Vec3& p : vertices_in_world(field, i)) {
      const double above = p.z() - waves(p.x(), p.y()).z;
      lowest = std::min(lowest, above), highest = std::max(highest, above);
    }
    // The ground curves by at most 0.4 (0.8^2 + 0.6^2) = 0.4 1/m, which is D^2 / 8 of it at the
    // rim and as much for the fitted plane; D reaches to radius.
    EXPECT_LT(lowest, 0.25 * rock.radius * rock.radius * 0.4 * 2.0);
    EXPECT_GT(highest, 0.1 * rock.diameter);
  }
}

TEST(RockField, MergesToOneClosedPartPerRock) {
  RockFieldDef def = plain(6.0);
  def.triangles = 320;
  const RockField field = make_rock_field(def, slope);
  const TriangleMesh mesh = merged(field);
  expect_solid(mesh, 2 * static_cast<std::int64_t>(field.rocks.size()));
  double volume = 0.0;
  for (std::size_t i = 0; i < field.rocks.size(); ++i) volume += rock_mass(field, i, 1.0).mass;
  EXPECT_NEAR(signed_volume(mesh), volume, 1e-11 * volume);  // rounding 6 m away from the rocks
}

TEST(RockField, GivesRocksThatMoveTheirMass) {
  const RockField field = make_rock_field(plain(5.0));
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    const Vec3& size = field.rocks[i].size;
    const TriangleMesh mesh = rock_mesh(field, i);
    const Box box = bounding_box(mesh);
    EXPECT_LT((box.upper - box.lower - size).norm(), 1e-14 * size.norm());  // rounding
    const MassProperties mass = rock_mass(field, i, 2700.0);
    EXPECT_NEAR(mass.mass, 2700.0 * signed_volume(mesh), 1e-12 * mass.mass);
    EXPECT_LT(mass.center.norm(), 1e-14 * size.norm());
    EXPECT_GT(mass.mass, 0.3 * 2700.0 * size.prod());  // an ellipsoid has 0.52 of its box
    EXPECT_LT(mass.mass, 0.8 * 2700.0 * size.prod());
  }
}

TEST(RockField, IsTheSameForTheSameSeedOnly) {
  RockFieldDef def = plain(8.0);
  const std::uint64_t first = bits(make_rock_field(def));
  EXPECT_EQ(first, bits(make_rock_field(def)));
  def.seed = 2;
  EXPECT_NE(first, bits(make_rock_field(def)));
}

TEST(RockField, ChangesWithEveryParameter) {
  const RockFieldDef def = plain(8.0);
  std::vector<RockFieldDef> others(21, def);
  others[0].area.x() = 8.1;
  others[1].area.y() = 8.1;
  others[2].center.x() = 0.1;
  others[3].sizes.law = RockLaw::vl2;
  others[4].sizes.min_diameter = 0.06;
  others[5].sizes.max_diameter = 1.5;
  others[6].height.x() = 0.26;
  others[7].height.y() = 0.61;
  others[8].burial.y() = 0.41;
  others[9].elongation.y() = 1.41;
  others[10].roughness = 0.11;
  others[11].fine_roughness = 0.021;
  others[12].facets = 19;
  others[13].angularity = 0.61;
  others[14].triangles = 180;
  others[15].shapes = 4;
  others[16].attitude = RockAttitude::random;
  others[17].tilt = 0.21;
  others[18].spacing = 0.05;
  others[19].clear = {{.center = {1.0, 1.0}, .radius = 1.0}};
  others[20].seed = 2;
  const auto& table = parameter_table(&def);
  EXPECT_EQ(table.values(def).as_table().size(), table.infos().size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const RockFieldDef& other = others[i];
    EXPECT_NE(bits(make_rock_field(def)), bits(make_rock_field(other))) << i;
    EXPECT_NE(table.values(def).inline_text(), table.values(other).inline_text()) << i;
    RockFieldDef again;
    table.read(table.values(other), again, "rocks");
    EXPECT_EQ(bits(make_rock_field(again)), bits(make_rock_field(other))) << i;
  }
}

TEST(RockField, TellsHowFarItIs) {
  std::vector<double> told;
  const auto tell = [&](double fraction) { told.push_back(fraction); };
  const RockField field = make_rock_field(plain(40.0), {}, tell);
  EXPECT_EQ(told.front(), 0.0);
  ASSERT_GT(told.size(), 5u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1.0);
}

TEST(RockField, RefusesMoreRocksThanFit) {
  RockFieldDef def = plain(20.0);
  def.sizes = {.law = RockLaw::exponential, .k = 0.95, .q = 2.0};
  const auto complaint = [&] { return message_of<InputError>([&] { make_rock_field(def); }); };
  EXPECT_TRUE(contains(complaint(), "does not fit: no free place in 5000 tries, with "));
  EXPECT_TRUE(contains(complaint(), " % of the area under larger rocks and their spacing"));
  def.sizes = {};
  def.spacing = 1.0;
  EXPECT_TRUE(contains(complaint(), "does not fit"));
  def.spacing = 0.0;
  def.sizes.min_diameter = 1e-5;
  EXPECT_TRUE(contains(complaint(), "rocks, at most 2e+06 are allowed"));
}

TEST(RockField, RefusesBadNumbers) {
  const auto complaint = [](auto&& change) {
    RockFieldDef def = plain(5.0);
    change(def);
    return message_of<InputError>([&] { make_rock_field(def); });
  };
  EXPECT_EQ(complaint([](auto& def) { def.area.y() = 0.0; }),
            "rocks.area must lie in [1e-06, 1e+09], is 0");
  EXPECT_EQ(complaint([](auto& def) { def.area.x() = -1.0; }),
            "rocks.area must lie in [1e-06, 1e+09], is -1");
  EXPECT_TRUE(contains(complaint([](auto& def) { def.area = RockFieldDef{}.area; }),
                       "rocks.area is missing"));
  EXPECT_EQ(complaint([](auto& def) { def.area.x() = 1e-170; }),
            "rocks.area must lie in [1e-06, 1e+09], is 1e-170");
  EXPECT_EQ(complaint([](auto& def) { def.center.y() = -1e9; }),
            "rocks.center and area reach to a coordinate of 1e+09, at most 5e+08 (1e+10 "
            "min_diameter) is allowed");
  EXPECT_EQ(complaint([](auto& def) { def.sizes = {.law = RockLaw::exponential, .k = 2.0}; }),
            "rocks.sizes.k must lie in (0, 1), is 2");
  EXPECT_EQ(complaint([](auto& def) { def.sizes.min_diameter = 3.0; }),
            "rocks.sizes.min_diameter must be below max_diameter 2, is 3");
  EXPECT_EQ(complaint([](auto& def) {
              def.burial = {-0.1, 0.2};
            }),
            "rocks.burial must lie in [0, 0.9], is -0.1");
  EXPECT_EQ(complaint([](auto& def) {
              def.burial = {0.4, 0.2};
            }),
            "rocks.burial must not fall, is [0.4, 0.2]");
  EXPECT_EQ(complaint([](auto& def) {
              def.height = {0.0, 0.2};
            }),
            "rocks.height must lie in [0.01, 10], is 0");
  EXPECT_EQ(complaint([](auto& def) {
              def.elongation = {0.5, 1.0};
            }),
            "rocks.elongation must lie in [1, 10], is 0.5");
  EXPECT_EQ(complaint([](auto& def) { def.triangles = 100; }),
            "rocks.triangles must be 20 times a square, is 100; nearest are 80 and 180");
  EXPECT_EQ(complaint([](auto& def) { def.spacing = -0.1; }),
            "rocks.spacing must not be negative, is -0.1");
  EXPECT_EQ(complaint([](auto& def) { def.clear.emplace_back(); }),
            "rocks.clear must have either a radius or a size that is positive");
  EXPECT_EQ(complaint([](auto& def) { def.shapes = 0; }),
            "rocks.shapes must lie in [1, 10000], is 0");
  EXPECT_EQ(complaint([](auto& def) { def.shapes = 10000, def.triangles = 8000; }),
            "rocks.shapes would have 8e+07 triangles together, at most 2e+07 are allowed");
}

TEST(RockField, RefusesAnAreaThatLeavesTheGround) {
  const auto island = [](double x, double) {
    SurfaceHeight out;
    out.inside = x < 2.0;
    return out;
  };
  EXPECT_EQ(message_of<InputError>([&] { make_rock_field(plain(5.0), island); }),
            "rocks.area, from [-2.5, -2.5] to [2.5, 2.5], leaves the ground: there is none at "
            "[2.1875, -2.5]");
}

TEST(RockField, RefusesAnAreaThatLeavesTheGroundWhateverTheSeed) {
  const auto without_corner = [](double x, double y) {
    SurfaceHeight out;
    out.inside = x < 2.499 || y < 2.499;
    return out;
  };
  RockFieldDef def = plain(5.0);
  def.sizes.min_diameter = 0.3;  // few rocks: none comes to lie there
  for (def.seed = 0; def.seed < 5; ++def.seed)
    EXPECT_TRUE(contains(message_of<InputError>([&] { make_rock_field(def, without_corner); }),
                         "leaves the ground: there is none at [2.5, 2.5]"));
}

TEST(RockField, MayBeAsLargeAsTheGround) {
  // Ends of a map are sums of cells, so they differ from half the size by rounding.
  const auto just_there = [](double x, double y) {
    SurfaceHeight out;
    out.inside = std::max(std::abs(x), std::abs(y)) <= 2.5 * (1.0 - 1e-15);
    return out;
  };
  EXPECT_GT(make_rock_field(plain(5.0), just_there).rocks.size(), 50u);
}

TEST(RockField, KeepsItsShapesFarAway) {
  RockFieldDef def = plain(3.0);
  const RockField near = make_rock_field(def);
  def.center = {4.99e8, -4.99e8};
  const RockField far = make_rock_field(def);
  const TriangleMesh mesh = merged(far);
  EXPECT_EQ(take_census(mesh).duplicate_vertices, 0u);
  ASSERT_EQ(far.rocks.size(), near.rocks.size());
  EXPECT_EQ(far.rocks[3].size, near.rocks[3].size);
}

TEST(RockField, WithoutRocksIsAFieldButNoMesh) {
  RockFieldDef def = plain(0.01);
  const RockField field = make_rock_field(def);
  EXPECT_TRUE(field.rocks.empty());
  // 4.03 rocks per m^2 at the site, on 1e-4 m^2.
  EXPECT_NEAR(field.expected, 4.03e-4, 1e-6);
  EXPECT_EQ(message_of<InputError>([&] {
              merged(field, {}, Place{"field.toml", 3, 1}, "stones");
            }),
            "field.toml:3:1: stones: there are no rocks in this area; their expected number is "
            "0.000403, clear zones left aside; take a larger area, or more rocks in it");
}

TEST(RockField, ThatIsTooLargeForOneMeshIsKnownBeforeRocksArePlaced) {
  RockFieldDef def = plain(100.0);
  EXPECT_NO_THROW(require_mergeable(def));
  def.triangles = 2000;
  EXPECT_EQ(message_of<InputError>([&] { require_mergeable(def, {}, "stones"); }),
            "stones merged to one mesh would have about 8.06e+07 triangles (4.03e+04 rocks of "
            "2000), at most 2e+07 are allowed");
  def.sizes.min_diameter = -1.0;
  EXPECT_TRUE(contains(message_of<InputError>([&] { require_mergeable(def); }), "min_diameter"));
}

TEST(RockField, CountsNoTrianglesInClearZones) {
  RockFieldDef def = plain(100.0);
  def.triangles = 2000;
  // First half of the area is clear, then nearly all: the circle counts only within the area.
  def.clear = {{.center = {0.0, 25.0}, .size = {100.0, 50.0}}};
  EXPECT_TRUE(contains(message_of<InputError>([&] { require_mergeable(def); }),
                       "about 4.03e+07 triangles"));
  def.clear.push_back({.center = {0.0, -60.0}, .radius = 55.0});
  EXPECT_NO_THROW(require_mergeable(def));
}

TEST(RockField, CountsRocksFromOneInErrors) {
  const RockField field = make_rock_field(plain(5.0));
  EXPECT_TRUE(contains(message_of<InputError>([&] { rock_mass(field, 0, -1.0); }), "rock 1: "));
}

// May change only together with kRockFieldVersion.
TEST(RockField, HasTheSameBitsEverywhere) {
  EXPECT_EQ(kRockFieldVersion, 1);
  RockFieldDef def;
  def.area = {10.0, 8.0};
  def.sizes.law = RockLaw::vl2;
  def.clear = {{.center = {1.0, 1.0}, .radius = 1.0}};
  EXPECT_EQ(bits(make_rock_field(def, slope)), 15778410642640325866ull);
}

}  // namespace
}  // namespace grouser
