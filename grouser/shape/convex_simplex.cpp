#include "grouser/shape/convex_simplex.h"

#include <limits>

#include "grouser/base/assert.h"

namespace grouser::convex {
namespace {

/// Part of a simplex: which of its points, their weights, and the point they make.
struct Part {
  std::array<int, 3> index;
  std::array<double, 3> weights;
  int count;
  Vec3 nearest;
};

Part nearest_of_segment(const Vec3& a, const Vec3& b, int i, int j) {
  const Vec3 edge = b - a;
  const double along = -a.dot(edge), square = edge.squaredNorm();
  if (along <= 0.0) return {{i, 0, 0}, {1.0, 0.0, 0.0}, 1, a};
  if (along >= square) return {{j, 0, 0}, {1.0, 0.0, 0.0}, 1, b};
  const double t = along / square;
  return {{i, j, 0}, {1.0 - t, t, 0.0}, 2, a + t * edge};
}

const Part& nearer(const Part& a, const Part& b) {
  return b.nearest.squaredNorm() < a.nearest.squaredNorm() ? b : a;
}

/// By the signed areas of the triangles that the origin's foot makes with the edges.
Part nearest_of_triangle(const Simplex& simplex, int i, int j, int k) {
  const Vec3 &a = simplex.q(i), &b = simplex.q(j), &c = simplex.q(k);
  const Vec3 n = (b - a).cross(c - a);
  const double square = n.squaredNorm();
  const double wa = n.dot(b.cross(c)), wb = n.dot(c.cross(a)), wc = n.dot(a.cross(b));
  if (square > 0.0 && wa > 0.0 && wb > 0.0 && wc > 0.0) {
    const double sum = wa + wb + wc;
    return {{i, j, k}, {wa / sum, wb / sum, wc / sum}, 3, n * (n.dot(a) / square)};
  }
  // An edge or corner: of the edges that the foot is beyond, the nearest; of a sliver, any.
  const bool any = !(square > 0.0) || (wa > 0.0) + (wb > 0.0) + (wc > 0.0) == 0;
  Part best{{i, 0, 0}, {1.0, 0.0, 0.0}, 1, a};
  bool found = false;
  const auto try_edge = [&](const Vec3& s, const Vec3& e, int is, int ie) {
    const Part part = nearest_of_segment(s, e, is, ie);
    best = found ? nearer(best, part) : part;
    found = true;
  };
  if (any || wa <= 0.0) try_edge(b, c, j, k);
  if (any || wb <= 0.0) try_edge(c, a, k, i);
  if (any || wc <= 0.0) try_edge(a, b, i, j);
  return best;
}

/// Volumes below this share of the product of the edges are rounding.
constexpr double kFlatSimplex = 1e-14;
/// Volumes above it are good enough to build on.
constexpr double kThick = 1e-6;

}  // namespace

bool Simplex::is_thick() const {
  const Vec3 ab = q(1) - q(0), ac = q(2) - q(0), ad = q(3) - q(0);
  const double volume = ab.cross(ac).dot(ad);
  return volume * volume > kThick * kThick * ab.squaredNorm() * ac.squaredNorm() * ad.squaredNorm();
}

bool Simplex::reduce() {
  GROUSER_ASSERT(count >= 1 && count <= 4);
  Part best{};
  switch (count) {
    case 1:
      best = {{0, 0, 0}, {1.0, 0.0, 0.0}, 1, q(0)};
      break;
    case 2:
      best = nearest_of_segment(q(0), q(1), 0, 1);
      break;
    case 3:
      best = nearest_of_triangle(*this, 0, 1, 2);
      break;
    default: {
      // Faces that have the origin on the far side from the fourth point.
      const Vec3 ab = q(1) - q(0), ac = q(2) - q(0), ad = q(3) - q(0);
      const Vec3 n = ab.cross(ac);
      const double volume = n.dot(ad);
      const bool flat = volume * volume <= kFlatSimplex * kFlatSimplex * ab.squaredNorm() *
                                               ac.squaredNorm() * ad.squaredNorm();
      const double sign = volume < 0.0 ? -1.0 : 1.0;
      bool outside = false;
      // `inward`: normal, for a tetrahedron of positive volume.
      const auto try_face = [&](const Vec3& inward, int i, int j, int k) {
        if (!flat && sign * inward.dot(q(i)) <= 0.0) return;
        const Part part = nearest_of_triangle(*this, i, j, k);
        best = outside ? nearer(best, part) : part;
        outside = true;
      };
      try_face(n, 0, 1, 2);
      try_face(ad.cross(ab), 0, 3, 1);
      try_face(ac.cross(ad), 0, 2, 3);
      try_face((ad - ab).cross(ac - ab), 1, 3, 2);
      if (!outside) return true;
    }
  }
  // The points that stay in front, in their order.
  std::array<std::size_t, 4> order;
  std::size_t used = 0, left = static_cast<std::size_t>(best.count);
  for (int i = 0; i < 4; ++i) {
    std::size_t place = left;
    for (std::size_t k = 0; k < static_cast<std::size_t>(best.count); ++k)
      if (best.index[k] == i) place = k;
    if (place == left) ++left;
    order[place] = order_[static_cast<std::size_t>(i)];
  }
  for (; used < static_cast<std::size_t>(best.count); ++used) weights_[used] = best.weights[used];
  GROUSER_ASSERT(left == 4);
  order_ = order;
  count = best.count;
  nearest = best.nearest;
  return false;
}

}  // namespace grouser::convex
