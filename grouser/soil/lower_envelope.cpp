#include "grouser/soil/lower_envelope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "grouser/math/registers.h"

namespace grouser {

namespace {

using namespace registers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Distances below this times the size of the mesh are rounding of its coordinates.
constexpr double kFlat = 1e-12;
/// Faces with a smaller z of their unit normal stand upright and cover nothing.
constexpr double kUpright = 1e-7;
/// Walls: from the first slope on a face counts as lower, from the second on its foot alone counts.
constexpr double kSteep = 20.0, kWall = 40.0;
/// Faces reach this much further, in cells, so that no node on an edge between two of them is lost.
constexpr double kSlack = 1e-7;
constexpr std::size_t kMostCorners = 16;
constexpr double kTiny = 1e-300;

/// The sides of a surface. Those that look down are numbered first.
constexpr std::uint8_t kNone = 0;
constexpr std::uint8_t kDown = 1;
constexpr std::uint8_t kUp = 2;
constexpr std::uint8_t kSheer = 4;  ///< besides: it is a wall

// -------------------------------------------------------------------------------------------------
// Triangles of one plane are joined to convex faces.

/// A convex polygon, counter-clockwise seen from outside, with no corner on a straight line.
struct Polygon {
  std::vector<Vec3> corners;
  Vec3 normal;  // unit
  double area;
};

/// Corners of the convex hull of points in a plane, counter-clockwise; `flat` is the distance from
/// the line below which a corner is none (Andrew 1979).
std::vector<std::size_t> hull_of(const std::vector<Vec2>& points, double flat) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return points[a].x() != points[b].x() ? points[a].x() < points[b].x()
                                          : points[a].y() < points[b].y();
  });
  const auto turns_left = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec2 ab = points[b] - points[a], ac = points[c] - points[a];
    return ab.x() * ac.y() - ab.y() * ac.x() > flat * ac.norm();
  };
  std::vector<std::size_t> hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t start = hull.size();
    for (const std::size_t next : order) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), next))
        hull.pop_back();
      hull.push_back(next);
    }
    hull.pop_back();  // it begins the other half
    std::reverse(order.begin(), order.end());
  }
  return hull;
}

double area_of(const std::vector<Vec3>& corners, const Vec3& normal) {
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 2; k < corners.size(); ++k)
    twice += (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]);
  return 0.5 * twice.dot(normal);
}

/// Which triangle of a mesh lies beyond each edge; -1 where there is none or more than one.
std::vector<std::array<std::int32_t, 3>> neighbours_of(const TriangleMesh& mesh) {
  struct Edge {
    std::int32_t low, high, triangle;
    std::int8_t k;
    bool forward;
    bool same(const Edge& other) const { return low == other.low && high == other.high; }
  };
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(t),
                       static_cast<std::int8_t>(k), from < to});
    }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });

  std::vector<std::array<std::int32_t, 3>> beyond(mesh.triangle_count(), {-1, -1, -1});
  const auto set = [&](const Edge& edge, std::int32_t triangle) {
    beyond[static_cast<std::size_t>(edge.triangle)][static_cast<std::size_t>(edge.k)] = triangle;
  };
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    for (end = begin + 1; end < edges.size() && edges[end].same(edges[begin]);) ++end;
    const Edge &one = edges[begin], &other = edges[end - 1];
    if (end - begin != 2 || one.forward == other.forward) continue;
    set(one, other.triangle);
    set(other, one.triangle);
  }
  return beyond;
}

/// The faces of a mesh: polygons, and which of them each triangle belongs to.
class FlatFaces {
 public:
  explicit FlatFaces(const TriangleMesh& mesh)
      : mesh_(mesh), beyond_(neighbours_of(mesh)), leader_(mesh.triangle_count()) {
    double size = 0.0;
    for (const Vec3& p : mesh.vertices) size = std::max(size, p.cwiseAbs().maxCoeff());
    flat_ = kFlat * size;
    std::iota(leader_.begin(), leader_.end(), 0);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      const TriangleFace face = face_of(mesh, t);
      polygons_.push_back(
          {{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, face.normal, face.area});
    }
    join_all();
  }

  /// Triangles that lead their face; those without area lead none.
  std::vector<std::int32_t> leaders() const {
    std::vector<std::int32_t> out;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(leader_.size()); ++t)
      if (leader_[static_cast<std::size_t>(t)] == t && polygon(t).area > 0.0) out.push_back(t);
    return out;
  }
  const Polygon& polygon(std::int32_t leader) const {
    return polygons_[static_cast<std::size_t>(leader)];
  }

  /// An edge of the mesh on the outline of a face.
  struct Piece {
    std::int32_t from, to;  // vertices
    std::int32_t beyond;    // leader of the face on the other side, or -1
  };
  /// For each triangle the outline of the face it leads; straight pieces to the same face are one.
  std::vector<std::vector<Piece>> outlines() const {
    std::vector<std::vector<Piece>> out(mesh_.triangle_count());
    for (std::size_t t = 0; t < mesh_.triangle_count(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t own = leader(static_cast<std::int32_t>(t));
        const std::int32_t other = beyond_[t][k] < 0 ? -1 : leader(beyond_[t][k]);
        if (own == other) continue;
        const bool is_face = other >= 0 && polygon(other).area > 0.0;
        out[static_cast<std::size_t>(own)].push_back(
            {mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3], is_face ? other : -1});
      }
    for (std::vector<Piece>& outline : out) straighten(outline);
    return out;
  }

 private:
  std::int32_t leader(std::int32_t triangle) const {
    while (leader_[static_cast<std::size_t>(triangle)] != triangle)
      triangle = leader_[static_cast<std::size_t>(triangle)];
    return triangle;
  }
  std::int32_t find_leader(std::int32_t triangle) {
    const std::int32_t found = leader(triangle);
    while (triangle != found)
      triangle = std::exchange(leader_[static_cast<std::size_t>(triangle)], found);
    return found;
  }

  /// Joins across long edges first, so that the diagonals of a lattice go before its lines.
  void join_all() {
    struct Pair {
      double length;
      std::int32_t a, b;
    };
    std::vector<Pair> pairs;
    for (std::size_t t = 0; t < mesh_.triangle_count(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto a = static_cast<std::int32_t>(t);
        const std::int32_t b = beyond_[t][k];
        if (b <= a || !in_one_plane(polygon(a), polygon(b))) continue;
        const Vec3 edge =
            mesh_.corner(t, static_cast<int>((k + 1) % 3)) - mesh_.corner(t, static_cast<int>(k));
        pairs.push_back({edge.norm(), a, b});
      }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& p, const Pair& q) { return p.length > q.length; });
    for (bool joined = true; joined;) {
      joined = false;
      for (const Pair& pair : pairs) joined |= join(find_leader(pair.a), find_leader(pair.b));
      std::erase_if(pairs, [&](const Pair& p) { return leader(p.a) == leader(p.b); });
    }
  }

  bool in_one_plane(const Polygon& a, const Polygon& b) const {
    if (a.area == 0.0 || b.area == 0.0 || a.normal.dot(b.normal) < 0.5) return false;
    const auto holds = [this](const Polygon& plane, const Polygon& other) {
      return std::all_of(other.corners.begin(), other.corners.end(), [&](const Vec3& p) {
        return std::abs(plane.normal.dot(p - plane.corners[0])) <= flat_;
      });
    };
    return holds(a, b) && holds(b, a);
  }

  /// Whether the two are one convex polygon now: their hull is no larger than both together.
  bool join(std::int32_t a, std::int32_t b) {
    if (a == b || !in_one_plane(polygon(a), polygon(b))) return false;
    const Polygon& larger = polygon(a).area >= polygon(b).area ? polygon(a) : polygon(b);
    std::vector<Vec3> points = polygon(a).corners;
    points.insert(points.end(), polygon(b).corners.begin(), polygon(b).corners.end());
    const Vec3 x = larger.normal.unitOrthogonal(), y = larger.normal.cross(x);
    std::vector<Vec2> flattened;
    for (const Vec3& p : points) flattened.emplace_back(x.dot(p - points[0]), y.dot(p - points[0]));

    Polygon both{{}, larger.normal, 0.0};
    for (const std::size_t k : hull_of(flattened, flat_)) both.corners.push_back(points[k]);
    both.area = area_of(both.corners, both.normal);
    const double sum = polygon(a).area + polygon(b).area;
    if (both.corners.size() > kMostCorners || std::abs(both.area - sum) > kFlat * sum) return false;

    polygons_[static_cast<std::size_t>(std::min(a, b))] = std::move(both);
    leader_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return true;
  }

  void straighten(std::vector<Piece>& outline) const {
    std::map<std::int32_t, std::size_t> starting_at;
    for (std::size_t k = 0; k < outline.size(); ++k) starting_at[outline[k].from] = k;
    std::vector<bool> gone(outline.size(), false);
    for (std::size_t k = 0; k < outline.size(); ++k) {
      if (gone[k]) continue;
      for (;;) {
        const auto next = starting_at.find(outline[k].to);
        if (next == starting_at.end() || next->second == k || gone[next->second] ||
            !continues(outline[k], outline[next->second]))
          break;
        gone[next->second] = true;
        outline[k].to = outline[next->second].to;
      }
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < outline.size(); ++k)
      if (!gone[k]) outline[kept++] = outline[k];
    outline.resize(kept);
  }
  bool continues(const Piece& piece, const Piece& next) const {
    const auto at = [this](std::int32_t v) -> const Vec3& {
      return mesh_.vertices[static_cast<std::size_t>(v)];
    };
    const Vec3 whole = at(next.to) - at(piece.from), part = at(piece.to) - at(piece.from);
    return piece.beyond == next.beyond && whole.dot(part) > 0.0 &&
           whole.cross(part).norm() <= flat_ * whole.norm();
  }

  const TriangleMesh& mesh_;
  std::vector<std::array<std::int32_t, 3>> beyond_;
  std::vector<std::int32_t> leader_;  // of the face, by way of others
  std::vector<Polygon> polygons_;     // of the face, for leaders
  double flat_ = 0.0;
};

// -------------------------------------------------------------------------------------------------
// Clusters below a ceiling.

/// Where boxes reach to along a direction, the least of it.
Lanes least_along(const BoxLanes& boxes, const Vec3& direction) {
  Lanes sum(0.0f);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto w = static_cast<float>(direction[static_cast<Eigen::Index>(k)]);
    sum = sum + Lanes(w) * Lanes((w > 0.0f ? boxes.lower : boxes.upper)[k].data());
  }
  return sum;
}

/// Calls `visit(boxes, mask, clusters)` so that the lanes of all masks together are the clusters
/// that reach below `limit` along `up`; both as seen from the tree's frame.
template <class Visit>
void for_each_low_cluster(const BoxTree& tree, const Vec3& up, double limit, Visit&& visit) {
  using Ref = BoxTree::Ref;
  if (tree.empty()) return;
  const Lanes most(static_cast<float>(std::clamp(limit, -1e30, 1e30)));
  std::array<Ref, 7 * BoxTree::kMaxDepth + 8> waiting;
  std::size_t count = 0;
  const auto sift = [&](const BoxLanes& boxes, const Ref* children, int used) {
    const unsigned filled = (1u << used) - 1u;
    unsigned clusters = 0;
    for_each_bit((least_along(boxes, up) <= most).bits() & filled, [&](std::size_t lane) {
      if (BoxTree::is_cluster(children[lane]))
        clusters |= 1u << lane;
      else
        waiting[count++] = children[lane];
    });
    if (clusters != 0) visit(boxes, clusters, children);
  };
  if (BoxTree::is_cluster(tree.root())) {
    BoxLanes one{};
    one.set(0, tree.root_box());
    const Ref root = tree.root();
    sift(one, &root, 1);
    return;
  }
  waiting[count++] = tree.root();
  while (count > 0) {
    const BoxTree::Node& node = tree.node(waiting[--count]);
    sift(node.boxes, node.children.data(), node.count);
  }
}

// -------------------------------------------------------------------------------------------------
// Grid coordinates.

double clamped(double x, double least, double most) {
  return lesser(greater(x, least), most);
}

/// u and v count nodes of the window, z is above the body's origin [m].
struct Point {
  double u, v, z;
};

/// One coordinate of the corners of a patch, in pairs: where edges begin and where they end. Where
/// the number of corners is odd there is one edge more, of no length.
struct Corners {
  static constexpr std::size_t kPairs = (kMostCorners + 1) / 2;
  std::array<Double2, kPairs> begin, end;
  double least, most;

  double operator[](std::size_t k) const { return begin[k / 2][k % 2]; }
  /// `corners` are the places of the corners, and of the first one twice more.
  void set(const double* places, const std::uint32_t* corners, std::size_t pairs) {
    Double2 low = two(kInfinity), high = two(-kInfinity);
    for (std::size_t k = 0; k < pairs; ++k) {
      const double middle = places[corners[2 * k + 1]];
      begin[k] = Double2{places[corners[2 * k]], middle};
      end[k] = Double2{middle, places[corners[2 * k + 2]]};
      low = lesser(low, begin[k]);
      high = greater(high, begin[k]);
    }
    least = lesser(low[0], low[1]);
    most = greater(high[0], high[1]);
  }
};

/// A face as it is drawn.
struct Patch {
  Corners u, v, z;
  std::size_t count, pairs;
  double slope_u, slope_v;  // [m per cell]
  double drop;              // by which it counts as lower [m]
  std::uint8_t side;
  bool wall;

  Point corner(std::size_t k) const { return {u[k], v[k], z[k]}; }
};

/// Between which places a patch lies on lines of the grid. Each edge of the patch is a least or a
/// greatest place that changes from line to line, and none on the other side.
class Ends {
 public:
  /// `across` counts the lines, `along` is the place on them; sign is 1 if the edges that run to
  /// higher lines are greatest places, else -1.
  Ends(const Corners& across, const Corners& along, std::size_t pairs, double sign)
      : pairs_(pairs) {
    for (std::size_t k = 0; k < pairs_; ++k) {
      const Double2 line = across.begin[k], place = along.begin[k];
      const Double2 lines = across.end[k] - line;
      const Double2 slope = (along.end[k] - place) / lines;
      const Double2 base = place - slope * line;
      const Double2 slack = kSlack * (1.0 + greater(slope, -slope));
      const Double2 up = sign * lines, level{};
      least_slope_[k] = where_less(up, level, slope, level);
      most_slope_[k] = where_less(level, up, slope, level);
      least_[k] = where_less(up, level, base - slack, two(-kInfinity));
      most_[k] = where_less(level, up, base + slack, two(kInfinity));
    }
  }
  double least(double line) const {
    Double2 out = least_[0] + least_slope_[0] * line;
    for (std::size_t k = 1; k < pairs_; ++k) out = greater(out, least_[k] + least_slope_[k] * line);
    return greater(out[0], out[1]);
  }
  double most(double line) const {
    Double2 out = most_[0] + most_slope_[0] * line;
    for (std::size_t k = 1; k < pairs_; ++k) out = lesser(out, most_[k] + most_slope_[k] * line);
    return lesser(out[0], out[1]);
  }

 private:
  std::size_t pairs_;
  std::array<Double2, Corners::kPairs> least_, least_slope_, most_, most_slope_;
};

/// Smallest integer from 0 to count that is not below x - kSlack.
int first_node(double x, int count) {
  return static_cast<int>(clamped(x, 0.0, count) + (1.0 - kSlack));
}
/// Greatest integer from -1 to count - 1 that is not above x + kSlack.
int last_node(double x, int count) {
  return static_cast<int>(clamped(x + (1.0 + kSlack), 0.0, count)) - 1;
}

Point between(const Point& a, const Point& b, double t) {
  return {a.u + t * (b.u - a.u), a.v + t * (b.v - a.v), a.z + t * (b.z - a.z)};
}

/// Where the line between two points passes a height; the same for both directions.
Point crossing(const Point& a, const Point& b, double z) {
  const Point &low = a.z < b.z ? a : b, &high = a.z < b.z ? b : a;
  return between(low, high, (z - low.z) / (high.z - low.z));
}

/// The outline of a body in a cell, where it is next to the node. That is the same however the
/// outline is cut into pieces.
struct Rim {
  static constexpr double kSame = 1e-9;  // squares of distances that differ by less
  double square = kInfinity;             // of the distance, in cells
  double z = kInfinity;
  double wall = kInfinity;  // z of walls that end in the cell

  void add(double new_square, double new_z) {
    if (new_square > square + kSame) return;
    z = new_square < square - kSame ? new_z : lesser(z, new_z);
    square = lesser(square, new_square);
  }
  void add_wall(double new_z) { wall = lesser(wall, new_z); }
  /// z at the node, where nothing but walls, with this z, may be above it.
  double at_node(double over) const { return lesser(over, z < kInfinity ? z : wall); }
};

bool is_finite(const Pose& pose) {
  return pose.R.allFinite() && pose.p.allFinite();
}

}  // namespace

// -------------------------------------------------------------------------------------------------

/// Where the corners and outlines of a cluster of faces are. Lives in scratch.
struct LowerEnvelope::Places {
  std::span<double> u, v, z;
  Point operator[](std::size_t k) const { return {u[k], v[k], z[k]}; }
};

/// One picture of the underside: nodes, and cells around them.
class LowerEnvelope::Drawing {
 public:
  Drawing(const Request& request, std::span<double> height, std::span<double> coverage)
      : nx_(request.window.nx),
        ny_(request.window.ny),
        height_(height),
        coverage_(coverage),
        spacing_(request.spacing),
        z_origin_(request.X_TB.p.z()) {
    const double per_metre = 1.0 / spacing_;
    to_u_ = per_metre * request.X_TB.R.row(0).transpose();
    to_v_ = per_metre * request.X_TB.R.row(1).transpose();
    to_z_ = request.X_TB.R.row(2).transpose();
    // Exact before rounding once: far from the origin no digits are lost here.
    const auto from_window = [&](double p, std::int64_t first) {
      return per_metre * std::fma(-spacing_, static_cast<double>(first), p);
    };
    u_origin_ = from_window(request.X_TB.p.x(), request.window.ix0);
    v_origin_ = from_window(request.X_TB.p.y(), request.window.iy0);
    ceiling_ = request.ceiling + spacing_ - z_origin_;
  }

  /// For heights and shares: a picture of nothing.
  void clear(int side_count, Scratch& scratch) {
    std::fill(height_.begin(), height_.end(), kInfinity);
    rims_ = scratch.take<Rim>(height_.size());
    std::fill(rims_.begin(), rims_.end(), Rim{});
    walls_ = scratch.take<double>(height_.size());
    std::fill(walls_.begin(), walls_.end(), kInfinity);
    for (int side = 0; side < side_count; ++side) {
      pieces_[side] = scratch.take<double>(2 * height_.size());
      std::fill(pieces_[side].begin(), pieces_[side].end(), 0.0);
    }
  }

  Point place(const Vec3& p_B) const {
    return {to_u_.dot(p_B) + u_origin_, to_v_.dot(p_B) + v_origin_, to_z_.dot(p_B)};
  }
  const Vec3& up_B() const { return to_z_; }
  /// What is higher above the body's origin is left out [m].
  double ceiling() const { return ceiling_; }

  /// Grid coordinates of `count` places, an even number.
  void place(const double* __restrict places, std::size_t count, const Places& out) const {
    project(places, count, to_u_, u_origin_, out.u.data());
    project(places, count, to_v_, v_origin_, out.v.data());
    project(places, count, to_z_, 0.0, out.z.data());
  }

  /// Lowers the nodes in a patch to its plane, which has normal n_B.
  void fill(Patch& patch, const Vec3& n_B) {
    const int first_u = first_node(patch.u.least, nx_), last_u = last_node(patch.u.most, nx_);
    const int first_v = first_node(patch.v.least, ny_), last_v = last_node(patch.v.most, ny_);
    const int width = last_u - first_u + 1, depth = last_v - first_v + 1;
    if (width <= 0 || depth <= 0) return;
    const double scale = -spacing_ * spacing_ / to_z_.dot(n_B);
    patch.slope_u = scale * to_u_.dot(n_B);
    patch.slope_v = scale * to_v_.dot(n_B);
    double* const heights = patch.wall ? walls_.data() : height_.data();
    if (patch.pairs == 2 && width * depth <= kFewNodes)
      fill_few(patch, first_u, last_u, first_v, last_v, heights);
    else if (width < depth)
      fill_columns(patch, first_u, last_u, heights);
    else
      fill_rows(patch, first_v, last_v, heights);
  }

  /// Whether a face with normal n_B is a wall. Of a wall the foot counts alone, so that it makes no
  /// difference whether it leans in or out: else a body that rocks would lose the ground under its
  /// rim from one moment to the next.
  bool is_wall(const Vec3& n_B) const {
    const double up = std::abs(to_z_.dot(n_B));
    return up <= 1.0 / kWall &&
           spacing_ * greater(std::abs(to_u_.dot(n_B)), std::abs(to_v_.dot(n_B))) >= kWall * up;
  }

  /// By how much a face with normal n_B counts as lower [m]: steep ones more and more, until they
  /// are walls.
  double drop_of(const Vec3& n_B) const {
    const double up = std::abs(to_z_.dot(n_B));
    if (up > 1.0 / kSteep) return 0.0;
    const double per_up = spacing_ / up;
    const double along_u = per_up * std::abs(to_u_.dot(n_B));
    const double along_v = per_up * std::abs(to_v_.dot(n_B));
    const double share = (greater(along_u, along_v) - kSteep) / (kWall - kSteep);
    return 0.5 * spacing_ * clamped(share, 0.0, 1.0) * (along_u + along_v);
  }

  /// Adds a piece of the outline of a patch below the ceiling, as its face runs through it.
  void add_outline(const Point& from, const Point& to, const Patch& patch) {
    const bool from_in = from.z <= ceiling_, to_in = to.z <= ceiling_;
    if (!from_in && !to_in) return;
    if (from_in && to_in) return add_line(from, to, patch);
    const Point cut = crossing(from, to, ceiling_);
    from_in ? add_line(from, cut, patch) : add_line(cut, to, patch);
  }

  /// Whether a wall with normal n_B rises from a piece of another face's outline.
  bool rises(const Vec3& n_B, const Point& from, const Point& to) const {
    return to_v_.dot(n_B) * (to.u - from.u) > to_u_.dot(n_B) * (to.v - from.v);
  }

  /// Adds the line along which a patch is the foot of a wall.
  void add_foot(const Point& from, const Point& to, const Patch& patch) {
    covers_ = false;
    add_outline(from, to, patch);
    covers_ = true;
  }

  /// Adds the line along which the ceiling cuts a patch.
  void add_cut(const Patch& patch) {
    Point leaving{}, first_return{};
    bool away = false, returned_first = false;
    for (std::size_t k = 0; k < patch.count; ++k) {
      const Point a = patch.corner(k), b = patch.corner(k + 1 < patch.count ? k + 1 : 0);
      const bool a_in = a.z <= ceiling_, b_in = b.z <= ceiling_;
      if (a_in == b_in) continue;
      const Point cut = crossing(a, b, ceiling_);
      if (a_in)
        leaving = cut;
      else if (away)
        add_line(leaving, cut, patch);
      else
        first_return = cut, returned_first = true;
      away = a_in;
    }
    if (away && returned_first) add_line(leaving, first_return, patch);
  }

  /// Sums up the shares and lets heights and shares agree.
  void finish() {
    for (std::span<double> pieces : pieces_)
      if (!pieces.empty()) sum_rows(pieces.data());
    for (int row = 0; row < ny_; ++row) {
      double* const shares = pieces_[0].data() + 2 * first_of(row);
      if (!pieces_[1].empty()) {
        const double* const others = pieces_[1].data() + 2 * first_of(row);
        for (int i = 0; i < nx_; ++i) shares[i] = greater(shares[i], others[i]);
      }
      const Rim* const rims = &rims_[first_of(row)];
      double* const coverage = &coverage_[first_of(row)];
      const double* const walls = &walls_[first_of(row)];
      for (int i = 0; i < nx_; ++i) coverage[i] = rims[i].at_node(walls[i]);
      agree(shares, &height_[first_of(row)], coverage);
    }
  }

  /// Lowers the node whose cell a point is in.
  void add_vertex(const Point& p) {
    const double u = p.u + 0.5, v = p.v + 0.5;
    if (!(u >= 0.0 && v >= 0.0 && u < nx_ && v < ny_)) return;
    const auto node =
        static_cast<std::size_t>(v) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(u);
    height_[node] = std::min(height_[node], p.z + z_origin_);
    coverage_[node] = 1.0;
  }

 private:
  static void project(const double* __restrict places, std::size_t count, const Vec3& direction,
                      double start, double* __restrict out) {
    const double x = direction.x(), y = direction.y(), z = direction.z();
    const double *const xs = places, *const ys = xs + count, *const zs = ys + count;
    for (std::size_t k = 0; k < count; k += 2) {
      const Double2 sum = x * load2(xs + k) + y * load2(ys + k) + z * load2(zs + k) + start;
      store(out + k, sum);
    }
  }

  static constexpr int kFewNodes = 12;

  /// A small patch: asks every node around it on which side of the edges it is.
  void fill_few(const Patch& patch, int first_u, int last_u, int first_v, int last_v, double* all) {
    const double sign = patch.side == kDown ? -1.0 : 1.0;
    const double start_u = first_u, start_v = first_v;
    // Four edges in two pairs: positive on the side of the patch, and how that changes.
    Double2 along_u[2], along_v[2], start[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const Double2 u = patch.u.begin[k], v = patch.v.begin[k];
      const Double2 du = sign * (patch.u.end[k] - u), dv = sign * (patch.v.end[k] - v);
      const Double2 slack = kSlack * (greater(du, -du) + greater(dv, -dv));
      start[k] = dv * (u - start_u) - du * (v - start_v) + slack;
      along_u[k] = -dv;
      along_v[k] = du;
    }
    double z = patch.z[0] - patch.drop + patch.slope_v * (start_v - patch.v[0]) +
               patch.slope_u * (start_u - patch.u[0]);
    double* heights = all + first_of(first_v) + static_cast<std::size_t>(first_u);
    for (int row = first_v; row <= last_v; ++row) {
      Double2 inside = start[0], inside_too = start[1];
      for (int i = 0; i <= last_u - first_u; ++i) {
        const double here = clamped(z + patch.slope_u * i, patch.z.least, patch.z.most);
        const Double2 least = lesser(inside, inside_too);
        const bool out = (least[0] < 0.0) | (least[1] < 0.0);
        heights[i] = lesser(out ? kInfinity : here, heights[i]);
        inside += along_u[0];
        inside_too += along_u[1];
      }
      start[0] += along_v[0];
      start[1] += along_v[1];
      z += patch.slope_v;
      heights += nx_;
    }
  }

  /// Row by row, from edge to edge.
  void fill_rows(const Patch& patch, int first_row, int last_row, double* all) {
    const double sign = patch.side == kDown ? -1.0 : 1.0;
    const Ends ends(patch.v, patch.u, patch.pairs, sign);
    for (int row = first_row; row <= last_row; ++row) {
      const double v = row;
      const int first = first_node(greater(ends.least(v), patch.u.least), nx_);
      const int last = last_node(lesser(ends.most(v), patch.u.most), nx_);
      const double z = patch.z[0] - patch.drop + patch.slope_v * (v - patch.v[0]);
      double* const heights = all + first_of(row);
      for (int i = first; i <= last; ++i) {
        const double here = z + patch.slope_u * (i - patch.u[0]);
        heights[i] = lesser(clamped(here, patch.z.least, patch.z.most), heights[i]);
      }
    }
  }

  /// The same column by column: less work for patches that are narrow along u.
  void fill_columns(const Patch& patch, int first_column, int last_column, double* all) {
    const double sign = patch.side == kDown ? 1.0 : -1.0;
    const Ends ends(patch.u, patch.v, patch.pairs, sign);
    for (int column = first_column; column <= last_column; ++column) {
      const double u = column;
      const int first = first_node(greater(ends.least(u), patch.v.least), ny_);
      const int last = last_node(lesser(ends.most(u), patch.v.most), ny_);
      const double z = patch.z[0] - patch.drop + patch.slope_u * (u - patch.u[0]);
      double* height = all + first_of(first) + static_cast<std::size_t>(column);
      for (int i = first; i <= last; ++i, height += nx_) {
        const double here = z + patch.slope_v * (i - patch.v[0]);
        *height = lesser(clamped(here, patch.z.least, patch.z.most), *height);
      }
    }
  }

  /// Number of the first node of a row.
  std::size_t first_of(int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(nx_);
  }

  /// From pieces to shares: a cell has what passes it on the left, less what lies left of the line
  /// in the cell itself. The shares of a row take the front of its room.
  void sum_rows(double* pieces) const {
    const std::size_t width = 2 * static_cast<std::size_t>(nx_);
    const auto count = static_cast<std::size_t>(nx_);
    int row = 0;
    for (; row + 4 <= ny_; row += 4) {  // side by side: each sum waits for the one before
      double* const room = pieces + 2 * first_of(row);
      std::array<double, 4> sums{};
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < 4; ++k) {
          sums[k] += room[k * width + 2 * i];
          room[k * width + i] = sums[k] - room[k * width + 2 * i + 1];
        }
    }
    for (; row < ny_; ++row) {
      double* const room = pieces + 2 * first_of(row);
      double sum = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        sum += room[2 * i];
        room[i] = sum - room[2 * i + 1];
      }
    }
  }

  /// A row of nodes: none has a height without a share, or a share without a height.
  void agree(const double* shares, double* heights, double* rim) const {
    int i = 0;
    for (; i + 2 <= nx_; i += 2) agree_two(load2(shares + i), heights + i, rim + i);
    if (i == nx_) return;
    std::array<double, 2> last_heights{heights[i], kInfinity}, last_rim{rim[i], kInfinity};
    agree_two(Double2{shares[i], 0.0}, last_heights.data(), last_rim.data());
    heights[i] = last_heights[0];
    rim[i] = last_rim[0];
  }
  void agree_two(Double2 shares, double* heights, double* rim) const {
    const Double2 under = load2(heights), none = two(kInfinity);
    const Double2 share = lesser(shares, two(1.0));
    const Double2 low = where_less(under, none, under, load2(rim));
    const Double2 z = where_less(two(kLeastCoverage), share, low, none);
    store(heights, z + two(z_origin_));
    store(rim, where_less(z, none, share, Double2{}));
  }

  /// Adds what lies to the right of a line, as far as it is in the window.
  void add_line(const Point& from, const Point& to, const Patch& patch) {
    const Point a{from.u + 0.5, from.v + 0.5, from.z};
    const Point b{to.u + 0.5, to.v + 0.5, to.z};
    const double side = patch.side == kDown ? 1.0 : -1.0;
    const Line line{pieces_[patch.side - 1].data(), covers_ ? side : 0.0, patch.drop, patch.z.least,
                    patch.wall};
    const bool inside = lesser(lesser(a.u, b.u), lesser(a.v, b.v)) >= 0.0 &&
                        greater(a.u, b.u) <= nx_ && greater(a.v, b.v) <= ny_;
    inside ? add_pieces(a, b, line) : add_clipped(a, b, line);
  }

  /// Where a line goes.
  struct Line {
    double* pieces;
    double sign;         // 0: it covers nothing
    double drop, least;  // of the patch
    bool wall;
  };

  /// Lines are cut at the borders of the window; what is left of it is as good as on its border.
  void add_clipped(const Point& a, const Point& b, const Line& line) {
    double begin = 0.0, end = 1.0;
    if (!shorten(a.v, b.v, ny_, begin, end)) return;
    const double first = begin, last = end;
    if (!shorten(a.u, b.u, nx_, begin, end)) {
      if (lesser(a.u, b.u) < 0.0) add_left(between(a, b, first).v, between(a, b, last).v, line);
      return;
    }
    const Point from = between(a, b, begin), to = between(a, b, end);
    if (a.u < 0.0) add_left(between(a, b, first).v, from.v, line);
    if (b.u < 0.0) add_left(to.v, between(a, b, last).v, line);
    add_pieces(from, to, line);
  }

  /// Shortens [begin, end], parts of the way from a to b, to where it is between 0 and `size`.
  static bool shorten(double a, double b, int size, double& begin, double& end) {
    const double least = lesser(a, b), most = greater(a, b);
    if (least >= 0.0 && most <= size) return true;
    if (most < 0.0 || least > size) return false;
    const double low = (0.0 - a) / (b - a), high = (size - a) / (b - a);
    begin = greater(begin, lesser(low, high));
    end = lesser(end, greater(low, high));
    return begin < end;
  }

  /// A line left of the window, between two v.
  void add_left(double from, double to, const Line& line) {
    const double low = greater(lesser(from, to), 0.0), high = lesser(greater(from, to), ny_);
    const double direction = to > from ? line.sign : -line.sign;
    for (int row = static_cast<int>(low); row < high; ++row)
      line.pieces[2 * first_of(row)] += direction * (lesser(high, row + 1.0) - greater(low, row));
  }

  /// A line inside the window, cell by cell.
  void add_pieces(const Point& a, const Point& b, const Line& line) {
    const auto cell = [](double x, int count) {
      return std::min(static_cast<int>(greater(x, 0.0)), count - 1);
    };
    int iu = cell(a.u, nx_), iv = cell(a.v, ny_);
    const int last_u = cell(b.u, nx_), last_v = cell(b.v, ny_);
    const double du = b.u - a.u, dv = b.v - a.v, dz = b.z - a.z;
    const std::size_t start = first_of(iv) + static_cast<std::size_t>(iu);
    double* piece = line.pieces + 2 * start;
    Rim* rim = rims_.data() + start;
    const double signed_dv = line.sign * dv;
    const double per_square = 1.0 / greater(du * du + dv * dv, kTiny);
    const auto add_piece = [&](double from, double to) {
      const double middle = 0.5 * (from + to);
      const double cover = signed_dv * (to - from);
      store(piece, load2(piece) + Double2{cover, cover * (a.u - iu + middle * du)});
      // The point of the piece next to the node.
      const double u = iu + 0.5 - a.u, v = iv + 0.5 - a.v;
      const double foot = clamped((u * du + v * dv) * per_square, from, to);
      const double far_u = u - foot * du, far_v = v - foot * dv;
      const double straight = a.z + foot * dz;
      const double z = greater(straight - line.drop, lesser(straight, line.least));
      line.wall ? rim->add_wall(z) : rim->add(far_u * far_u + far_v * far_v, z);
    };

    int steps_u = std::abs(last_u - iu), steps_v = std::abs(last_v - iv);
    double t = 0.0;
    if (steps_u + steps_v > 0) {
      // When the next line of the grid is passed: the right or the left one of the cell.
      const int step_u = du > 0.0 ? 1 : -1, step_v = dv > 0.0 ? 1 : -1;
      const std::ptrdiff_t step_row = step_v * static_cast<std::ptrdiff_t>(nx_);
      const double per_u = 1.0 / du, per_v = 1.0 / dv;
      const double ahead_u = (du > 0.0 ? 1.0 : 0.0) - a.u, ahead_v = (dv > 0.0 ? 1.0 : 0.0) - a.v;
      double next_u = steps_u > 0 ? (iu + ahead_u) * per_u : kInfinity;
      double next_v = steps_v > 0 ? (iv + ahead_v) * per_v : kInfinity;
      do {
        if (next_u < next_v) {
          const double next = lesser(next_u, 1.0);
          add_piece(t, next);
          t = next;
          iu += step_u;
          piece += 2 * step_u;
          rim += step_u;
          next_u = --steps_u > 0 ? (iu + ahead_u) * per_u : kInfinity;
        } else {
          const double next = lesser(next_v, 1.0);
          add_piece(t, next);
          t = next;
          iv += step_v;
          piece += 2 * step_row;
          rim += step_row;
          next_v = --steps_v > 0 ? (iv + ahead_v) * per_v : kInfinity;
        }
      } while (steps_u + steps_v > 0);
    }
    add_piece(t, 1.0);
  }

  int nx_, ny_;
  std::span<double> height_;  // above the body's origin until the end
  std::span<double> coverage_;
  std::span<double> walls_;  // the same, of walls
  std::span<Rim> rims_;
  // For each side: what lines add to each cell and all to the right, and what they take from it.
  std::span<double> pieces_[2];
  double spacing_;
  Vec3 to_u_, to_v_, to_z_;
  double u_origin_, v_origin_, z_origin_;
  double ceiling_;
  bool covers_ = true;  // lines that are added now
};

// -------------------------------------------------------------------------------------------------

LowerEnvelope::LowerEnvelope(const TriangleMesh& given) {
  require_usable(given, "lower envelope");
  TriangleMesh mesh = given;
  weld_vertices(mesh);
  closed_ = take_census(mesh).closed();
  box_ = bounding_box(mesh);
  double size = 0.0;
  for (const Vec3& p : mesh.vertices) size = std::max(size, p.norm());
  margin_ = 1e-6 * size;  // of sums of three products with 24 bits
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      longest_edge_ =
          std::max(longest_edge_, (mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k)).norm());
  prepare_vertices(mesh);
  prepare_faces(mesh);
}

void LowerEnvelope::prepare_vertices(const TriangleMesh& mesh) {
  std::vector<Box> boxes(mesh.vertices.size());
  for (std::size_t v = 0; v < boxes.size(); ++v) boxes[v].add(mesh.vertices[v]);
  vertex_tree_ = BoxTree(boxes);
  for (const std::int32_t v : vertex_tree_.primitives())
    vertices_.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
}

void LowerEnvelope::prepare_faces(const TriangleMesh& mesh) {
  const FlatFaces flat(mesh);
  const std::vector<std::int32_t> leaders = flat.leaders();
  std::vector<Box> boxes(leaders.size());
  for (std::size_t f = 0; f < leaders.size(); ++f)
    for (const Vec3& corner : flat.polygon(leaders[f]).corners) boxes[f].add(corner);
  face_tree_ = BoxTree(boxes);

  // In the order of the tree.
  const std::span<const std::int32_t> order = face_tree_.primitives();
  std::vector<std::int32_t> number_of(mesh.triangle_count(), -1);
  for (std::size_t f = 0; f < order.size(); ++f)
    number_of[static_cast<std::size_t>(leaders[static_cast<std::size_t>(order[f])])] =
        static_cast<std::int32_t>(f);
  clusters_.resize(face_tree_.cluster_count(), Cluster{});
  const auto outlines = flat.outlines();
  std::vector<Outlined> outlined;
  for (std::size_t f = 0; f < order.size(); ++f) {
    const std::int32_t leader = leaders[static_cast<std::size_t>(order[f])];
    const Polygon& polygon = flat.polygon(leader);
    Cluster& cluster = clusters_[f / kLanes];
    cluster.normal_x[f % kLanes] = polygon.normal.x();
    cluster.normal_y[f % kLanes] = polygon.normal.y();
    cluster.normal_z[f % kLanes] = polygon.normal.z();
    outlined.push_back({polygon.corners, {}});
    const auto& outline = outlines[static_cast<std::size_t>(leader)];
    faces_.push_back({0, 0, static_cast<std::int32_t>(borders_.size()),
                      static_cast<std::int32_t>(outline.size())});
    for (const FlatFaces::Piece& piece : outline) {
      for (const std::int32_t end : {piece.from, piece.to})
        outlined.back().ends.push_back(mesh.vertices[static_cast<std::size_t>(end)]);
      borders_.push_back(
          {0, 0, piece.beyond < 0 ? 0 : number_of[static_cast<std::size_t>(piece.beyond)] + 1});
    }
  }
  prepare_places(outlined);
}

void LowerEnvelope::prepare_places(std::span<const Outlined> faces) {
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    std::vector<Vec3> places;
    const auto number_of = [&](const Vec3& place) {
      const auto found = std::find(places.begin(), places.end(), place);
      const auto number = static_cast<std::uint32_t>(found - places.begin());
      if (found == places.end()) places.push_back(place);
      return number;
    };
    for (std::size_t f = kLanes * c; f < std::min(kLanes * (c + 1), faces_.size()); ++f) {
      faces_[f].first_corner = static_cast<std::int32_t>(corners_.size());
      faces_[f].corner_count = static_cast<std::int32_t>(faces[f].corners.size());
      for (const Vec3& corner : faces[f].corners) corners_.push_back(number_of(corner));
      const std::uint32_t first = corners_[static_cast<std::size_t>(faces_[f].first_corner)];
      corners_.insert(corners_.end(), 2, first);
      Border* const borders = borders_.data() + faces_[f].first_border;
      for (std::size_t k = 0; k < faces[f].ends.size(); ++k)
        (k % 2 == 0 ? borders[k / 2].from : borders[k / 2].to) = number_of(faces[f].ends[k]);
    }
    if (places.size() % 2 != 0) places.push_back(places.back());
    most_places_ = std::max(most_places_, places.size());
    clusters_[c].first_place = static_cast<std::int32_t>(places_.size());
    clusters_[c].place_count = static_cast<std::int32_t>(places.size());
    for (int axis = 0; axis < 3; ++axis)
      for (const Vec3& place : places) places_.push_back(place[axis]);
  }
}

double LowerEnvelope::lowest(const Pose& X_TB) const {
  const Vec3 up_B = X_TB.R.row(2).transpose();
  return X_TB.p.z() + up_B.dot(box_.center()) - up_B.cwiseAbs().dot(box_.half_size());
}

GridWindow LowerEnvelope::window(const Pose& X_TB, double spacing, double ceiling) const {
  if (!is_finite(X_TB)) return {};
  Vec2 least = Vec2::Constant(kInfinity), most = Vec2::Constant(-kInfinity);
  for_each_low_cluster(face_tree_, X_TB.R.row(2).transpose(), ceiling - X_TB.p.z() + margin_,
                       [&](const BoxLanes& boxes, unsigned mask, const BoxTree::Ref*) {
                         for (int axis = 0; axis < 2; ++axis) {
                           const Vec3 along_B = X_TB.R.row(axis).transpose();
                           std::array<float, kLanes> low, high;
                           least_along(boxes, along_B).store(low.data());
                           least_along(boxes, -along_B).store(high.data());
                           for_each_bit(mask, [&](std::size_t lane) {
                             least[axis] = std::min(least[axis], static_cast<double>(low[lane]));
                             most[axis] = std::max(most[axis], -static_cast<double>(high[lane]));
                           });
                         }
                       });
  if (!(least.x() <= most.x())) return {};

  const Vec2 p = X_TB.p.head<2>();
  const Vec2 first = ((p + least - Vec2::Constant(margin_)) / spacing).array().round() - 1.0;
  const Vec2 last = ((p + most + Vec2::Constant(margin_)) / spacing).array().round() + 1.0;
  const Vec2 count = last - first + Vec2::Ones();
  if (!(count.prod() <= kMostNodes) || !(first.cwiseAbs().maxCoeff() < 1e15)) return {};
  return {static_cast<std::int64_t>(first.x()), static_cast<std::int64_t>(first.y()),
          static_cast<int>(count.x()), static_cast<int>(count.y())};
}

void LowerEnvelope::find(const Request& request, Scratch& scratch, std::span<double> height,
                         std::span<double> coverage) const {
  if (request.window.empty()) return;
  if (!is_finite(request.X_TB)) {
    std::fill(height.begin(), height.end(), kInfinity);
    std::fill(coverage.begin(), coverage.end(), 0.0);
    return;
  }
  const Scratch::Mark mark = scratch.mark();
  Drawing drawing(request, height, coverage);
  drawing.clear(closed_ ? 1 : 2, scratch);
  draw_faces(drawing, scratch);
  drawing.finish();
  scratch.rewind(mark);
}

void LowerEnvelope::draw_faces(Drawing& drawing, Scratch& scratch) const {
  // Which way the faces near the ground look. All others are above it: it does not matter.
  const auto sides = scratch.take<std::uint8_t>(kLanes * face_tree_.cluster_count() + 1);
  std::fill(sides.begin(), sides.end(), kNone);
  const auto low = scratch.take<std::uint32_t>(face_tree_.cluster_count());
  std::size_t low_count = 0;
  const Vec3 up_B = drawing.up_B();
  for_each_low_cluster(face_tree_, up_B, drawing.ceiling() + margin_,
                       [&](const BoxLanes&, unsigned mask, const BoxTree::Ref* children) {
                         for_each_bit(mask, [&](std::size_t lane) {
                           low[low_count++] =
                               static_cast<std::uint32_t>(BoxTree::cluster_of(children[lane]));
                         });
                       });
  std::size_t drawn_count = 0;
  for (const std::uint32_t c : low.first(low_count)) {
    const Cluster& n = clusters_[c];
    std::uint8_t any = kNone;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double z =
          up_B.x() * n.normal_x[k] + up_B.y() * n.normal_y[k] + up_B.z() * n.normal_z[k];
      const std::uint8_t upper = !closed_ && z > kUpright ? kUp : kNone;
      std::uint8_t side = z < -kUpright ? kDown : upper;
      any |= side;
      if (side != kNone && drawing.is_wall(Vec3(n.normal_x[k], n.normal_y[k], n.normal_z[k])))
        side |= kSheer;
      sides[kLanes * c + k + 1] = side;
    }
    if (any != kNone) low[drawn_count++] = c;
  }

  const Places places{scratch.take<double>(most_places_), scratch.take<double>(most_places_),
                      scratch.take<double>(most_places_)};
  for (const std::uint32_t c : low.first(drawn_count)) draw_cluster(drawing, c, sides, places);
}

void LowerEnvelope::draw_cluster(Drawing& drawing, std::size_t c,
                                 std::span<const std::uint8_t> sides, const Places& places) const {
  const Cluster& cluster = clusters_[c];
  const auto rises = [&](const Border& border) {
    const auto face = static_cast<std::size_t>(border.beyond - 1);
    const Cluster& beyond = clusters_[face / kLanes];
    const std::size_t lane = face % kLanes;
    const Vec3 n_B(beyond.normal_x[lane], beyond.normal_y[lane], beyond.normal_z[lane]);
    return drawing.rises(n_B, places[border.from], places[border.to]);
  };
  drawing.place(&places_[static_cast<std::size_t>(cluster.first_place)],
                static_cast<std::size_t>(cluster.place_count), places);
  Patch patch;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const std::uint8_t kind = sides[kLanes * c + k + 1];
    if (kind == kNone) continue;
    patch.side = kind & ~kSheer;
    patch.wall = (kind & kSheer) != 0;
    const Face& face = faces_[kLanes * c + k];
    const std::uint32_t* const corners = &corners_[static_cast<std::size_t>(face.first_corner)];
    patch.count = static_cast<std::size_t>(face.corner_count);
    patch.pairs = (patch.count + 1) / 2;
    patch.z.set(places.z.data(), corners, patch.pairs);
    if (patch.z.least > drawing.ceiling()) continue;
    patch.u.set(places.u.data(), corners, patch.pairs);
    patch.v.set(places.v.data(), corners, patch.pairs);
    const Vec3 n_B(cluster.normal_x[k], cluster.normal_y[k], cluster.normal_z[k]);
    patch.drop = drawing.drop_of(n_B);
    drawing.fill(patch, n_B);
    if (patch.z.most > drawing.ceiling()) drawing.add_cut(patch);
    for (std::int32_t i = 0; i < face.border_count; ++i) {
      const Border& border = borders_[static_cast<std::size_t>(face.first_border + i)];
      const std::uint8_t beyond = sides[static_cast<std::size_t>(border.beyond)];
      if ((beyond & ~kSheer) != patch.side)
        drawing.add_outline(places[border.from], places[border.to], patch);
      else if (!patch.wall && (beyond & kSheer) != 0 && rises(border))
        drawing.add_foot(places[border.from], places[border.to], patch);
    }
  }
}

void LowerEnvelope::find_by_vertices(const Request& request, Scratch&, std::span<double> height,
                                     std::span<double> coverage) const {
  std::fill(height.begin(), height.end(), kInfinity);
  std::fill(coverage.begin(), coverage.end(), 0.0);
  if (request.window.empty() || !is_finite(request.X_TB)) return;
  Drawing drawing(request, height, coverage);
  for_each_low_cluster(vertex_tree_, drawing.up_B(), drawing.ceiling() + margin_,
                       [&](const BoxLanes&, unsigned mask, const BoxTree::Ref* children) {
                         for_each_bit(mask, [&](std::size_t lane) {
                           const std::size_t first = kLanes * BoxTree::cluster_of(children[lane]);
                           const std::size_t end = std::min(first + kLanes, vertices_.size());
                           for (std::size_t v = first; v < end; ++v)
                             drawing.add_vertex(drawing.place(vertices_[v]));
                         });
                       });
}

}  // namespace grouser
