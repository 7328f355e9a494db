#include "grouser/soil/lower_envelope.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/mesh/flat_faces.h"
#include "grouser/soil/envelope_drawing.h"

namespace grouser {

using envelope::Drawing;
using envelope::kDown;
using envelope::kNone;
using envelope::kSheer;
using envelope::kUp;
using envelope::Places;

namespace {

/// Faces with a smaller z of their unit normal stand upright and cover nothing.
constexpr double kUpright = 1e-7;

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

bool is_finite(const Pose& pose) {
  return pose.R.allFinite() && pose.p.allFinite();
}

}  // namespace

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
    const FlatFaces::Polygon& polygon = flat.polygon(leader);
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
  envelope::Patch patch;
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
