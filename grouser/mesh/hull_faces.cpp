#include "grouser/mesh/hull_faces.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

class Joiner {
 public:
  Joiner(const std::vector<Vec3>& points, const HullTriangles& triangles, double tolerance)
      : points_(points),
        triangles_(triangles),
        tolerance_(tolerance),
        face_(triangles.corners.size(), kFree),
        after_(points.size(), kFree) {}

  /// Large triangles first: their planes are the surest.
  std::vector<HullLoop> join() {
    std::vector<HullLoop> loops;
    for (const int seed : by_size())
      if (face_[seed] == kFree) loops.push_back(face_around(seed));
    return loops;
  }

 private:
  static constexpr int kFree = -1;

  std::vector<int> by_size() const {
    std::vector<double> area;
    for (const auto& c : triangles_.corners)
      area.push_back(area_normal(points_, {c[0], c[1], c[2]}).norm());
    std::vector<int> order(area.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area[a] > area[b]; });
    return order;
  }

  /// As many triangles as make a convex polygon; the one alone does.
  HullLoop face_around(int seed) {
    for (const double part : {1.0, 0.1, 0.01}) {
      flood(seed, part * tolerance_);
      if (const auto loop = boundary()) return *loop;
      for (const int t : region_) face_[t] = kFree;
    }
    face_[seed] = seed;
    const auto& c = triangles_.corners[seed];
    return {c[0], c[1], c[2]};
  }

  /// Fills region_ with what lies in the plane of the seed and is joined to it.
  void flood(int seed, double tolerance) {
    const auto& c = triangles_.corners[seed];
    const Vec3 origin = points_[c[0]];
    normal_ = area_normal(points_, {c[0], c[1], c[2]}).normalized();
    seed_ = seed;
    region_.assign(1, seed);
    face_[seed] = seed;
    for (std::size_t i = 0; i < region_.size(); ++i)
      for (const int t : triangles_.neighbours[region_[i]]) {
        if (face_[t] != kFree) continue;
        const bool flat = std::ranges::all_of(triangles_.corners[t], [&](int v) {
          return std::abs(normal_.dot(points_[v] - origin)) <= tolerance;
        });
        if (!flat) continue;
        face_[t] = seed;
        region_.push_back(t);
      }
  }

  /// The way around the region, if it is one, visits no point twice and turns left everywhere.
  std::optional<HullLoop> boundary() {
    HullLoop edges;  // first corners of the edges around
    bool simple = true;
    for (const int t : region_)
      for (std::size_t k = 0; k < 3; ++k) {
        if (face_[triangles_.neighbours[t][k]] == seed_) continue;
        const int from = triangles_.corners[t][k];
        simple = simple && after_[from] == kFree;
        after_[from] = triangles_.corners[t][(k + 1) % 3];
        edges.push_back(from);
      }
    HullLoop loop;
    if (simple && !edges.empty()) {
      int v = *std::min_element(edges.begin(), edges.end());
      for (; v != kFree && loop.size() <= edges.size(); v = std::exchange(after_[v], kFree))
        loop.push_back(v);
      loop.pop_back();  // the first again
    }
    simple = simple && !edges.empty() && loop.size() == edges.size();
    for (const int from : edges) after_[from] = kFree;
    if (!simple || !is_convex(loop)) return std::nullopt;
    return loop;
  }

  bool is_convex(const HullLoop& loop) const {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3& a = points_[loop[k]];
      const Vec3& b = points_[loop[(k + 1) % loop.size()]];
      const Vec3& c = points_[loop[(k + 2) % loop.size()]];
      if (normal_.dot((b - a).cross(c - b)) < -tolerance_ * (c - a).norm()) return false;
    }
    return true;
  }

  const std::vector<Vec3>& points_;
  const HullTriangles& triangles_;
  double tolerance_;
  std::vector<int> face_;   ///< by triangle: the seed of its face
  std::vector<int> after_;  ///< by point: the next on the boundary
  std::vector<int> region_;
  Vec3 normal_ = Vec3::Zero();
  int seed_ = kFree;
};

}  // namespace

Vec3 area_normal(const std::vector<Vec3>& points, const HullLoop& loop) {
  GROUSER_ASSERT(loop.size() >= 3);
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = points[loop[0]];
  for (std::size_t k = 1; k + 1 < loop.size(); ++k)
    sum += (points[loop[k]] - origin).cross(points[loop[k + 1]] - origin);
  return sum;
}

std::vector<HullLoop> join_triangles(const std::vector<Vec3>& points,
                                     const HullTriangles& triangles, double tolerance) {
  GROUSER_ASSERT(triangles.corners.size() == triangles.neighbours.size() && tolerance > 0.0);
  return Joiner(points, triangles, tolerance).join();
}

void drop_false_corners(std::vector<HullLoop>& loops, std::size_t point_count) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<int> uses(point_count, 0);
    for (const HullLoop& loop : loops)
      for (const int v : loop) ++uses[v];
    for (HullLoop& loop : loops)
      changed = std::erase_if(loop, [&](int v) { return uses[v] < 3; }) > 0 || changed;
    changed =
        std::erase_if(loops, [](const HullLoop& loop) { return loop.size() < 3; }) > 0 || changed;
  }
}

}  // namespace grouser
