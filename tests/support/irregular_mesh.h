// Meshes as they come from drawings and scans: triangles of mixed sizes in no order, edges that do
// not meet, holes, some triangles the wrong way round, every corner stored for itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A wheel of sheets and boxes, axis y, as drawings have it: an open rim, grousers set on it,
/// spokes and a hub that nothing joins. About 1000 triangles.
struct OpenWheel {
  double radius = 0.25, width = 0.2;
  int grousers = 24;
  double height = 0.015, thickness = 0.01;
  double overhang = 0.0;  ///< of grousers beyond the rim, on either side
};
inline TriangleMesh make_open_wheel(const OpenWheel& def) {
  TriangleMesh out;
  const auto add = [&](const TriangleMesh& part, const Mat3& R, const Vec3& p) {
    const auto first = static_cast<std::int32_t>(out.vertices.size());
    for (const Vec3& vertex : part.vertices) out.vertices.push_back(R * vertex + p);
    for (const auto& t : part.triangles)
      out.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  };
  const auto about_axis = [](double angle) {
    return Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  };
  constexpr int kSegments = 96;
  TriangleMesh tile = make_plane({.size_x = 1.0, .size_y = def.width});
  const double half = kPi / kSegments;
  for (Vec3& vertex : tile.vertices)  // corners as far outside of the circle as middles inside
    vertex.x() *= 2.0 * (def.radius * (1.0 + half * half / 6.0)) * std::sin(half);
  for (int k = 0; k < kSegments; ++k) {
    const Mat3 R = about_axis(2.0 * half * k);
    add(tile, R, R * Vec3(0.0, 0.0, def.radius * (1.0 + half * half / 6.0) * std::cos(half)));
  }
  for (int k = 0; k < def.grousers; ++k) {
    const Mat3 R = about_axis(2.0 * kPi * k / def.grousers);
    add(make_box({.size = Vec3(def.thickness, def.width + 2.0 * def.overhang, def.height)}), R,
        R * Vec3(0.0, 0.0, def.radius + 0.5 * def.height));
  }
  constexpr int kSpokes = 7;
  for (int k = 0; k < kSpokes; ++k) {
    const Mat3 R = about_axis(2.0 * kPi * k / kSpokes);
    add(make_box({.size = Vec3(0.04 * def.radius, 0.3 * def.width, 0.8 * def.radius)}), R,
        R * Vec3(0.0, 0.0, 0.58 * def.radius));
  }
  const Mat3 upright = Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
  add(make_cylinder({.radius = 0.2 * def.radius, .length = 0.5 * def.width, .segments = 24}),
      upright, Vec3::Zero());
  return out;
}

struct Irregularity {
  std::size_t triangles = 2500;  ///< about
  double rough = 2e-5;           ///< by which corners are off, in every direction [m]
  double holes = 0.003;          ///< share of the triangles that is missing
  double turned = 0.03;          ///< share of the triangles that looks inwards
  std::uint64_t seed = 1;
};

/// Cuts triangles of `mesh` at random places of their longest sides, large ones first as a rule,
/// and spoils the result. The same definition gives the same bits.
inline TriangleMesh make_irregular(const TriangleMesh& mesh, const Irregularity& def) {
  struct Triangle {
    Vec3 p[3];
  };
  Random random(def.seed);
  std::vector<Triangle> pieces;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    pieces.push_back({{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}});
  const auto longest = [](const Triangle& piece) {
    int side = 0;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double here = (piece.p[(k + 1) % 3] - piece.p[k]).squaredNorm();
      if (here > square) {
        square = here;
        side = k;
      }
    }
    return std::pair(side, square);
  };
  while (pieces.size() < def.triangles) {
    // The larger of two.
    std::size_t i = random.below(static_cast<std::uint32_t>(pieces.size()));
    const std::size_t j = random.below(static_cast<std::uint32_t>(pieces.size()));
    if (longest(pieces[j]).second > longest(pieces[i]).second) i = j;
    const int side = longest(pieces[i]).first;
    const Triangle old = pieces[i];
    const Vec3 &a = old.p[side], &b = old.p[(side + 1) % 3], &c = old.p[(side + 2) % 3];
    const Vec3 cut = a + random.uniform(0.3, 0.7) * (b - a);
    pieces[i] = {{a, cut, c}};
    pieces.push_back({{cut, b, c}});
  }
  TriangleMesh out;
  for (Triangle& piece : pieces) {
    if (random.uniform() < def.holes) continue;
    if (random.uniform() < def.turned) std::swap(piece.p[1], piece.p[2]);
    const auto first = static_cast<std::int32_t>(out.vertices.size());
    for (const Vec3& p : piece.p)
      out.vertices.push_back(p + def.rough * Vec3(random.uniform(-1.0, 1.0),
                                                  random.uniform(-1.0, 1.0),
                                                  random.uniform(-1.0, 1.0)));
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

}  // namespace grouser
