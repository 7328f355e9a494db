#include "grouser/contact/pcm_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/support/allocations.h"
#include "tests/support/random_vector.h"

namespace grouser {
namespace {

using test::random_vector;

using Triangle = std::array<Vec3, 3>;

Vec3 normal_of(const Triangle& t) {
  return (t[1] - t[0]).cross(t[2] - t[0]).normalized();
}

PieceBase base_of(const Triangle& t) {
  return make_piece_base(t, normal_of(t));
}

PieceTarget target_of(const Triangle& t) {
  return {t, normal_of(t)};
}

/// The triangles of a mesh in a pose.
std::vector<PieceBase> bases_of(const TriangleMesh& mesh, const Pose& X = {}) {
  std::vector<PieceBase> bases;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i)
    bases.push_back(
        make_piece_base({X * mesh.corner(i, 0), X * mesh.corner(i, 1), X * mesh.corner(i, 2)},
                        X.R * face_of(mesh, i).normal));
  return bases;
}

std::vector<PieceTarget> targets_of(const TriangleMesh& mesh, const Pose& X = {}) {
  std::vector<PieceTarget> targets;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i)
    targets.push_back({{X * mesh.corner(i, 0), X * mesh.corner(i, 1), X * mesh.corner(i, 2)},
                       X.R * face_of(mesh, i).normal});
  return targets;
}

/// What all pieces of two surfaces sum up to; layer stiffness 1.
struct Contact {
  double area = 0.0;
  double energy = 0.0;
  double greatest_depth = 0.0;
  Wrench F_base;  // about the origin of the world
};

/// Every base triangle against every target triangle. The targets here are convex, and no deeper
/// than max_depth: no triangle lies before another.
Contact sum_pieces(const std::vector<PieceBase>& bases, const std::vector<PieceTarget>& targets,
                   double max_depth) {
  Contact sum;
  for (const PieceBase& base : bases)
    for (const PieceTarget& target : targets) {
      Piece piece;
      if (!make_piece(base, target, max_depth, piece)) continue;
      sum.area += piece.area;
      sum.energy += piece.energy;
      sum.greatest_depth = std::max(sum.greatest_depth, piece.greatest_depth);
      sum.F_base += piece.F_base;
    }
  return sum;
}

Pose at(const Vec3& p) {
  return {Mat3::Identity(), p};
}

/// Motion along the k-th of six directions, as it moves points: turns about the origin, shifts.
Pose motion(int k, double h) {
  Vec3 turn = Vec3::Zero(), shift = Vec3::Zero();
  (k < 3 ? turn : shift)[k % 3] = h;
  return {rotation_from_vector(turn), shift};
}

Vec6 as_vector(const Wrench& F) {
  Vec6 v;
  v << F.torque, F.force;
  return v;
}

// --- Gradient -----------------------------------------------------------------------------------

struct GradientCase {
  const char* name;
  TriangleMesh base;
  TriangleMesh target;
  Vec3 offset;      // of the target
  double wander;    // random shift around it
  double max_turn;  // of the target [rad]
};

std::vector<GradientCase> gradient_cases() {
  const TriangleMesh plane = make_plane({0.4, 0.4, 3, 4});
  const TriangleMesh ball = make_sphere({0.3, 20 * 3 * 3});
  const TriangleMesh box = make_box({Vec3(0.2, 0.16, 0.12), 2});
  return {{"sphere on plane", plane, make_sphere({0.2, 20 * 3 * 3}), {0, 0, 0.17}, 0.02, 3.0},
          {"box on plane", plane, box, {0, 0, 0.05}, 0.02, 0.3},
          {"box off the edge of a plane", plane, box, {0.2, 0.1, 0.05}, 0.02, 0.3},
          {"sphere on sphere", ball, make_sphere({0.2, 20 * 3 * 3}), {0, 0, 0.46}, 0.01, 3.0},
          {"box on sphere", ball, box, {0.02, 0.01, 0.33}, 0.01, 0.3},
          {"edge of a box on sphere", ball, box, {0.1, 0.05, 0.34}, 0.01, 0.5}};
}

TEST(PcmPiecesGradient, WrenchIsMinusTheGradientOfTheEnergy) {
  Random random(11);
  const double max_depth = 0.12, h = 1e-6;
  for (const GradientCase& c : gradient_cases()) {
    for (int trial = 0; trial < 6; ++trial) {
      const Pose X_WB{rotation_from_vector(random_vector(random, 2.0)), random_vector(random, 0.5)};
      const Pose X_BT{rotation_from_vector(random_vector(random, c.max_turn)),
                      c.offset + random_vector(random, c.wander)};
      const auto bases = bases_of(c.base, X_WB);
      const auto targets = targets_of(c.target, X_WB * X_BT);
      const Contact contact = sum_pieces(bases, targets, max_depth);
      ASSERT_GT(contact.energy, 0.0) << c.name;
      ASSERT_LT(contact.greatest_depth, max_depth) << c.name;  // nothing is cut off

      Vec6 of_target, of_base;
      for (int k = 0; k < 6; ++k) {
        const auto move_target = [&](double by) {
          return sum_pieces(bases, targets_of(c.target, motion(k, by) * X_WB * X_BT), max_depth)
              .energy;
        };
        const auto move_base = [&](double by) {
          return sum_pieces(bases_of(c.base, motion(k, by) * X_WB), targets, max_depth).energy;
        };
        of_target[k] = -(move_target(h) - move_target(-h)) / (2.0 * h);
        of_base[k] = -(move_base(h) - move_base(-h)) / (2.0 * h);
      }
      const Vec6 F = as_vector(contact.F_base);
      // Central difference of a function whose second derivative bends: O(h^2) and rounding / h.
      EXPECT_LT((of_base - F).norm(), 1e-6 * F.norm()) << c.name << ", trial " << trial;
      EXPECT_LT((of_target + F).norm(), 1e-6 * F.norm()) << c.name << ", trial " << trial;
    }
  }
}

// --- Work along a path (Hippmann 2023, figure 2) ------------------------------------------------

/// The rule of the polygonal contact model: one line per base triangle, from its centroid.
Contact sum_lines(const std::vector<PieceBase>& bases, const std::vector<double>& areas,
                  const std::vector<PieceTarget>& targets, double max_depth) {
  Contact sum;
  for (std::size_t i = 0; i < bases.size(); ++i)
    for (const PieceTarget& target : targets) {
      if (bases[i].normal.dot(target.normal) >= 0.0) continue;
      const auto u = depth_at(bases[i], target, bases[i].centroid);
      if (!u || !(*u > 0.0 && *u <= max_depth)) continue;
      sum.energy += 0.5 * areas[i] * *u * *u;
      sum.F_base.add_force_at(bases[i].centroid - *u * bases[i].normal,
                              -areas[i] * *u * bases[i].normal);
      break;
    }
  return sum;
}

struct SlideErrors {
  double lines;
  double pieces;
};

/// A box with sharp edges, turned by R, slides along x over the divided top of the base, from
/// beside it to beyond it. Greatest |E - work done against the contact force| / greatest E on the
/// way.
SlideErrors slide_errors(const Mat3& R, int steps) {
  const TriangleMesh top = make_plane({0.2, 0.1, 8, 4});
  const TriangleMesh box = make_box({Vec3(0.1, 0.06, 0.04), 1});
  const auto bases = bases_of(top);
  std::vector<double> areas;
  for (std::size_t i = 0; i < top.triangle_count(); ++i) areas.push_back(face_of(top, i).area);

  double lowest = 0.0;
  for (const Vec3& vertex : box.vertices) lowest = std::min(lowest, (R * vertex).z());
  const double depth = 0.01, max_depth = 0.03, from = -0.18, to = 0.18;
  const double step = (to - from) / steps;
  const auto targets_at = [&](double x) {
    return targets_of(box, {R, Vec3(x, 0.0113, -depth - lowest)});
  };
  const auto greatest_error = [&](auto contact_at) {
    double work = 0.0, greatest = 0.0, error = 0.0;
    EXPECT_EQ(contact_at(from).energy, 0.0);
    for (int i = 0; i < steps; ++i) {
      work += step * contact_at(from + (i + 0.5) * step).F_base.force.x();  // midpoint rule
      const double energy = contact_at(from + (i + 1.0) * step).energy;
      greatest = std::max(greatest, energy);
      error = std::max(error, std::abs(energy - work));
    }
    EXPECT_EQ(contact_at(to).energy, 0.0);
    return error / greatest;
  };
  return {
      greatest_error([&](double x) { return sum_lines(bases, areas, targets_at(x), max_depth); }),
      greatest_error([&](double x) { return sum_pieces(bases, targets_at(x), max_depth); })};
}

TEST(PcmPiecesWork, IsTheEnergyWhereLinesMakeItFromNothing) {
  const struct {
    const char* name;
    Vec3 turn;
  } cases[] = {{"straight", {0, 0, 0}},
               {"turned by 20 degrees", {0, 0, 20 * kPi / 180}},
               {"tilted by 5 degrees", {0, 5 * kPi / 180, 0}},
               {"tilted the other way", {0, -5 * kPi / 180, 0}},
               {"tilted across", {5 * kPi / 180, 0, 0}}};
  for (const auto& c : cases) {
    const SlideErrors errors = slide_errors(rotation_from_vector(c.turn), 1000);
    // Lines answer vertically only, so all of the energy comes from nothing.
    EXPECT_GT(errors.lines, 0.99) << c.name;
    // With pieces what is left is the midpoint rule at the jumps of the force: step / length.
    EXPECT_LT(errors.pieces, 2e-3) << c.name;
  }
}

TEST(PcmPiecesWork, ErrorIsThatOfThePathIntegral) {
  const Mat3 R = rotation_from_vector(Vec3(0.05, 0.08, 0.3));
  const double coarse = slide_errors(R, 150).pieces, fine = slide_errors(R, 600).pieces;
  EXPECT_LT(fine, 0.3 * coarse);  // at least first order in the step
}

TEST(PcmPiecesWork, TorqueJumpsWhereAWallTurnsFromSteepToHidden) {
  // A limit: a wall of width w that leans outwards is covered area, one that leans inwards is not,
  // so dE / d(tilt) jumps by w d^3 / 6 per wall at the upright pose.
  const double d = 0.01, w = 0.06, tilt = 1e-7;
  const auto bases = bases_of(make_plane({0.2, 0.1, 8, 4}));
  const TriangleMesh box = make_box({Vec3(0.1, w, 0.04), 1});
  const auto torque = [&](double angle) {
    const Pose X{rotation_from_vector(Vec3(0, angle, 0)), Vec3(0.001, 0.002, 0.02 - d)};
    return sum_pieces(bases, targets_of(box, X), 0.03).F_base.moved_by(X.p).torque.y();
  };
  const double jump = w * d * d * d / 6.0;
  EXPECT_NEAR(torque(0.0), 0.0, 1e-6 * jump);
  EXPECT_NEAR(torque(tilt), jump, 1e-4 * jump);  // tilt times the stiffness, w l^3 d / 12
  EXPECT_NEAR(torque(-tilt), -jump, 1e-4 * jump);
}

// --- Closed forms -------------------------------------------------------------------------------

TEST(PcmPiecesClosedForm, FlatPunch) {
  // F = A d and E = A d^2 / 2 with the true overlap, whatever part of the elements it covers.
  const double d = 0.004;
  const auto bases = bases_of(make_plane({0.4, 0.3, 5, 3}));
  const TriangleMesh punch = make_box({Vec3(0.13, 0.11, 0.1), 3});
  for (double x = -0.3; x < 0.3; x += 0.0237) {
    const double y = 0.4 * x;
    const Contact contact = sum_pieces(bases, targets_of(punch, at({x, y, 0.05 - d})), 0.02);
    const double width = std::min(0.2, x + 0.065) - std::max(-0.2, x - 0.065);
    const double height = std::min(0.15, y + 0.055) - std::max(-0.15, y - 0.055);
    const double A = std::max(0.0, width) * std::max(0.0, height);
    EXPECT_NEAR(contact.area, A, 1e-15);  // rounding
    EXPECT_NEAR(contact.F_base.force.z(), -A * d, 1e-12 * 0.0143 * d);
    EXPECT_NEAR(contact.energy, 0.5 * A * d * d, 1e-12 * 0.0143 * d * d);
    // Sides over the base push it apart, sides beyond it push nothing: F_x = dE/dx.
    const bool front_on = x + 0.065 < 0.2, rear_on = x - 0.065 > -0.2;
    const double slope = 0.5 * d * d * std::max(0.0, height) * (int{front_on} - int{rear_on});
    EXPECT_NEAR(contact.F_base.force.x(), width > 0.0 ? slope : 0.0, 1e-12 * d * d * 0.11);
  }
}

TEST(PcmPiecesClosedForm, SphereOnAPlane) {
  // F = pi d^2 (R - d / 3), lines being vertical.
  const double R = 0.5, d = 0.05;
  const double exact = kPi * d * d * (R - d / 3.0);
  const auto force = [&](int f, int cells) {
    const auto targets = targets_of(make_sphere({R, 20 * f * f}),
                                    {rotation_from_vector(Vec3(0.3, 0.2, 0.1)), {0, 0, R - d}});
    const auto bases = bases_of(make_plane({1.1, 1.1, cells, cells}));
    return -sum_pieces(bases, targets, 0.2).F_base.force.z();
  };
  const double coarse = force(16, 1) / exact - 1.0, fine = force(32, 1) / exact - 1.0;
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);  // facets lie inside by edge^2 / 8 R
  EXPECT_LT(std::abs(fine), 1e-2);                  // edge^2 / (8 R d), twice over the patch
  // The pieces tile the patch whatever the elements: only rounding is left.
  EXPECT_NEAR(force(16, 7) / force(16, 1), 1.0, 1e-12);
}

TEST(PcmPiecesClosedForm, MeasuresOfOnePiece) {
  // The target is the plane u = (1 + x) / 10 over a square cut in two; the piece is x, y >= 0 of
  // the base x + y <= 1, x, y >= 0.
  const PieceBase base = base_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  const auto on = [](double x, double y) { return Vec3(x, y, -(1 + x) / 10); };
  Piece piece;
  ASSERT_TRUE(make_piece(base, target_of({on(-1, -1), on(-1, 3), on(3, -1)}), 1.0, piece));
  EXPECT_NEAR(piece.area, 0.5, 1e-15);
  EXPECT_NEAR(piece.volume, 0.1 * (1.0 / 2 + 1.0 / 6), 1e-15);
  EXPECT_NEAR(piece.depth, piece.volume / 0.5, 1e-15);
  EXPECT_NEAR(piece.greatest_depth, 0.2, 1e-15);
  // Integrals of 1, x, x^2, x^3 over the triangle are 1/2, 1/6, 1/12, 1/20, of y and x y 1/6, 1/24.
  EXPECT_NEAR(piece.energy, 0.5 * 0.01 * (1.0 / 2 + 2.0 / 6 + 1.0 / 12), 1e-15);
  EXPECT_LT((piece.middle - Vec3(1, 1, 0) / 3.0).norm(), 1e-15);
  const Vec3 center(0.1 * (1.0 / 6 + 1.0 / 12), 0.1 * (1.0 / 6 + 1.0 / 24), -2.0 * piece.energy);
  EXPECT_LT((piece.center - center / piece.volume).norm(), 1e-15);
  // No edge of the target: pressure u along n + grad u alone.
  EXPECT_LT((piece.F_base.force + piece.volume * Vec3(0.1, 0, 1)).norm(), 1e-15);
  EXPECT_LT((piece.F_base.torque + center.cross(Vec3(0.1, 0, 1))).norm(), 1e-15);
}

TEST(PcmPiecesClosedForm, CutsAtTheSurfaceAndAtTheGreatestDepth) {
  // u = x: the piece is 0 < x < 0.25, and the cuts bear no line force.
  const PieceBase base = base_of({Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(-1, 1, 0)});
  const PieceTarget target = target_of({Vec3(-9, -9, 9), Vec3(0, 18, 0), Vec3(9, -9, -9)});
  Piece piece;
  ASSERT_TRUE(make_piece(base, target, 0.25, piece));
  const auto width = [](double x) { return 0.5 * (1.0 - x); };
  EXPECT_NEAR(piece.area, 0.25 * width(0.125), 1e-15);
  EXPECT_NEAR(piece.greatest_depth, 0.25, 1e-15);
  EXPECT_NEAR(piece.volume, 0.25 * 0.25 / 4 - 0.25 * 0.25 * 0.25 / 6, 1e-15);
  EXPECT_LT((piece.F_base.force + piece.volume * Vec3(1, 0, 1)).norm(), 1e-15);
}

// --- Tilings ------------------------------------------------------------------------------------

/// A sheet that looks down over [-1, 1]^2, its inner vertices moved about and at random depths.
std::vector<PieceTarget> crumpled_sheet(int cells, double shake, double depth, double roughness,
                                        Random& random, const Pose& X) {
  TriangleMesh sheet = make_plane({2.0, 2.0, cells, cells});
  reverse_orientation(sheet);
  for (Vec3& vertex : sheet.vertices) {
    const bool inner = std::abs(vertex.x()) < 0.99 && std::abs(vertex.y()) < 0.99;
    if (inner) vertex.head<2>() += random_vector(random, shake).head<2>();
    vertex.z() = -depth + random.uniform(-roughness, roughness);
  }
  return targets_of(sheet, X);
}

TEST(PcmPiecesTiling, PiecesOfASheetTileTheBaseTriangle) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    // From good triangles to slivers a millionth as high as they are long.
    const double height = std::pow(10.0, random.uniform(-6.0, 0.0));
    const Triangle flat{Vec3(random.uniform(-0.9, -0.5), random.uniform(-0.9, 0.0), 0),
                        Vec3(random.uniform(0.5, 0.9), random.uniform(-0.9, 0.0), 0), Vec3::Zero()};
    Triangle corners = flat;
    corners[2] = flat[0] + random.uniform() * (flat[1] - flat[0]) + Vec3(0, 0.9 * height, 0);
    const Pose X{rotation_from_vector(random_vector(random, 2.0)), random_vector(random, 1.0)};
    for (Vec3& corner : corners) corner = X * corner;
    const double area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
    const PieceBase base = base_of(corners);
    const int cells = 1 + static_cast<int>(random.below(8));
    const auto sheet = crumpled_sheet(cells, 0.3 / cells, 0.5, 0.1, random, X);
    const Contact contact = sum_pieces({base}, sheet, 2.0);
    // Rounding of coordinates of size 1 over the height of the sliver.
    EXPECT_NEAR(contact.area / area, 1.0, 1e-12 + 1e-15 / height) << "trial " << trial;
  }
}

TEST(PcmPiecesTiling, EdgesOnTopOfEachOtherNeitherGapNorCountTwice) {
  // The same triangulation below and above, shifted by whole cells; every edge lies on an edge.
  const TriangleMesh floor = make_plane({1.0, 0.6, 10, 6});
  TriangleMesh sheet = floor;
  reverse_orientation(sheet);
  for (int shift = -3; shift <= 3; ++shift) {
    const Contact contact =
        sum_pieces(bases_of(floor), targets_of(sheet, at({0.1 * shift, 0, -0.01})), 0.1);
    EXPECT_NEAR(contact.area, 0.6 * (1.0 - 0.1 * std::abs(shift)), 1e-12);
  }
  Piece piece;
  const Triangle t{Vec3(0.1, 0.2, 0.3), Vec3(0.5, 0.1, 0.4), Vec3(0.2, 0.7, 0.1)};
  const Vec3 n = normal_of(t);
  const Triangle below{t[0] - 0.01 * n, t[2] - 0.01 * n, t[1] - 0.01 * n};
  ASSERT_TRUE(make_piece(base_of(t), target_of(below), 0.1, piece));
  const double area = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
  EXPECT_NEAR(piece.area, area, 1e-12 * area);  // rounding
  EXPECT_NEAR(piece.depth, 0.01, 1e-15);
}

TEST(PcmPiecesTiling, AnEdgeOnAnEdgeOfTheBaseBearsItsLineForceOnce) {
  // The rear side of a punch lies exactly on a line of the base's grid, its front hangs over.
  const double d = 0.01;
  const auto bases = bases_of(make_plane({0.8, 0.4, 8, 4}));
  const TriangleMesh punch = make_box({Vec3(0.4, 0.2, 0.1), 4});
  const auto force_x = [&](double offset) {
    const auto targets = targets_of(punch, at({0.3 + offset, 0.0, 0.05 - d}));
    return sum_pieces(bases, targets, 0.02).F_base.force.x();
  };
  for (const double offset : {0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-9, -1e-9})
    EXPECT_NEAR(force_x(offset), -0.5 * d * d * 0.2, 1e-8 * d * d) << offset;
}

// --- Input of all kinds -------------------------------------------------------------------------

TEST(PcmPiecesInput, NothingCoveredNoPiece) {
  const PieceBase base = base_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  const auto covers = [&](const Triangle& t) {
    Piece piece;
    return make_piece(base, {t, normal_of(t)}, 0.1, piece);
  };
  const auto level = [](double z) { return Triangle{Vec3(0, 0, z), Vec3(0, 1, z), Vec3(1, 0, z)}; };
  EXPECT_TRUE(covers(level(-0.05)));
  EXPECT_TRUE(covers(level(-0.1)));  // max_depth is included
  EXPECT_FALSE(covers(level(-0.1001)));
  EXPECT_FALSE(covers(level(0.0)));  // touches only
  EXPECT_FALSE(covers(level(0.05)));
  EXPECT_FALSE(covers({Vec3(0, 0, -0.05), Vec3(1, 0, -0.05), Vec3(0, 1, -0.05)}));  // faces up
  EXPECT_FALSE(covers({Vec3(0, 0, -0.05), Vec3(1, 0, -0.05), Vec3(0, 0, 0.05)}));   // edge-on
  EXPECT_FALSE(covers({Vec3(2, 0, -0.05), Vec3(2, 1, -0.05), Vec3(3, 0, -0.05)}));  // beside
  EXPECT_FALSE(covers({Vec3(1, 1, -0.05), Vec3(0.6, 1, -0.05), Vec3(1, 0.6, -0.05)}));
  // Boxes and edges of the base overlap; only an edge of the target separates them.
  EXPECT_FALSE(covers({Vec3(-0.5, 0.3, -0.05), Vec3(0.3, -0.5, -0.05), Vec3(-0.5, -0.5, -0.05)}));
}

TEST(PcmPiecesInput, DegenerateTrianglesHaveNoPieces) {
  const Triangle good{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Triangle line{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0)};
  const Triangle below{Vec3(0, 0, -0.1), Vec3(0, 1, -0.1), Vec3(1, 0, -0.1)};
  const Triangle point{Vec3(0.2, 0.2, -0.1), Vec3(0.2, 0.2, -0.1), Vec3(0.2, 0.2, -0.1)};
  Piece piece;
  EXPECT_FALSE(make_piece(make_piece_base(line, Vec3::Zero()), target_of(below), 1.0, piece));
  EXPECT_FALSE(make_piece(base_of(good), {point, Vec3::Zero()}, 1.0, piece));
  EXPECT_FALSE(depth_at(base_of(good), {point, Vec3::Zero()}, Vec3(0.2, 0.2, 0)));
}

TEST(PcmPiecesInput, SteepAndThinTrianglesGiveFiniteBoundedPieces) {
  Random random(8);
  const PieceBase base = base_of({Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)});
  int pieces = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Triangle t{random_vector(random, 1.0), random_vector(random, 1.0), random_vector(random, 1.0)};
    const double tiny = std::pow(10.0, random.uniform(-17.0, 0.0));
    if (trial % 3 == 0) t[2] = t[0] + random.uniform() * (t[1] - t[0]) + tiny * t[2];  // thin
    if (trial % 3 == 1) {  // steep: nearly above each other
      t[1].head<2>() = t[0].head<2>() + tiny * t[1].head<2>();
      t[2].head<2>() = t[0].head<2>() + tiny * t[2].head<2>();
    }
    const Vec3 twice_area = (t[1] - t[0]).cross(t[2] - t[0]);
    if (!(twice_area.norm() > 1e-15)) continue;
    if (twice_area.z() > 0.0) std::swap(t[1], t[2]);
    Piece piece;
    if (!make_piece(base, target_of(t), 0.5, piece)) continue;
    ++pieces;
    EXPECT_TRUE(std::isfinite(piece.F_base.force.sum() + piece.F_base.torque.sum()));
    EXPECT_GE(piece.area, 0.0);
    EXPECT_LE(piece.area, 0.5 * std::abs(twice_area.z()) + 1e-15);
    EXPECT_GE(piece.depth, -1e-15);
    EXPECT_LE(piece.depth, piece.greatest_depth + 1e-15);
    EXPECT_LE(piece.greatest_depth, 0.5 + 1e-15);
    EXPECT_LE(piece.energy, 0.5 * piece.greatest_depth * piece.volume + 1e-15);
    EXPECT_NEAR(piece.middle.z(), 0.0, 1e-12);
    EXPECT_LE(piece.middle.cwiseAbs().maxCoeff(), 1.0 + 1e-12);
    EXPECT_LE(piece.center.cwiseAbs().maxCoeff(), 1.0 + 1e-12);
    EXPECT_LE(-piece.center.z(), 0.5 + 1e-12);
  }
  EXPECT_GT(pieces, 3000);
}

TEST(PcmPiecesInput, FarFromTheOriginNothingIsLost) {
  const TriangleMesh floor = make_plane({0.4, 0.4, 3, 3});
  const TriangleMesh box = make_box({Vec3(0.2, 0.16, 0.12), 2});
  const Mat3 R = rotation_from_vector(Vec3(0.05, 0.1, 0.4));
  const Vec3 far(1000.0, -700.0, 300.0);
  const auto contact_at = [&](const Vec3& origin) {
    const Contact contact = sum_pieces(bases_of(floor, at(origin)),
                                       targets_of(box, {R, origin + Vec3(0.1, 0.1, 0.06)}), 0.1);
    return std::pair(contact, contact.F_base.moved_by(origin));
  };
  const auto [near_sum, near_F] = contact_at(Vec3::Zero());
  const auto [far_sum, far_F] = contact_at(far);
  // Corners are rounded to 1e-13 m there, depths are some cm.
  EXPECT_NEAR(far_sum.area / near_sum.area, 1.0, 1e-9);
  EXPECT_NEAR(far_sum.energy / near_sum.energy, 1.0, 1e-9);
  EXPECT_LT((far_F.force - near_F.force).norm(), 1e-9 * near_F.force.norm());
  EXPECT_LT((far_F.torque - near_F.torque).norm(), 1e-9 * near_F.torque.norm());
}

TEST(PcmPiecesInput, DepthAtAPointWhateverTheFacing) {
  const PieceBase base = base_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  const Triangle slope{Vec3(0, 0, -0.1), Vec3(0, 1, -0.1), Vec3(1, 0, -0.3)};
  const Triangle turned{slope[0], slope[2], slope[1]};
  for (const Triangle& t : {slope, turned}) {
    const auto depth = depth_at(base, target_of(t), Vec3(0.25, 0.25, 0));
    ASSERT_TRUE(depth);
    EXPECT_NEAR(*depth, 0.15, 1e-15);
    EXPECT_FALSE(depth_at(base, target_of(t), Vec3(0.6, 0.6, 0)));
    EXPECT_TRUE(depth_at(base, target_of(t), Vec3(0.5, 0.0, 0)));  // edges belong to it
  }
  const Triangle above{Vec3(0, 0, 0.1), Vec3(0, 1, 0.1), Vec3(1, 0, 0.1)};
  EXPECT_NEAR(*depth_at(base, target_of(above), Vec3(0.25, 0.25, 0)), -0.1, 1e-15);
  const Triangle wall{Vec3(0.2, 0, -1), Vec3(0.2, 1, -1), Vec3(0.2, 0, 1)};
  EXPECT_FALSE(depth_at(base, target_of(wall), Vec3(0.2, 0.2, 0)));
}

TEST(PcmPiecesInput, AllocatesNothing) {
  const PieceBase base = base_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  const PieceTarget target = target_of({Vec3(0, 0, 0.1), Vec3(0.2, 1, -0.1), Vec3(1, 0.3, -0.3)});
  Piece piece;
  const std::size_t before = allocations();
  EXPECT_TRUE(make_piece(base, target, 0.2, piece));
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace grouser
