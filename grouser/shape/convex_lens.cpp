// The overlap is one body, cut by the planes of the other.
//
// Its volume and moments are those of tetrahedra from one of its vertices to all faces that do not
// touch it: all positive, so a lens that is a millionth as thick as wide loses no more than the
// positions of its vertices do.
#include "grouser/shape/convex_lens.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"
#include "grouser/shape/convex_lens_body.h"
#include "grouser/shape/convex_lens_cell.h"

namespace grouser {

namespace {

/// A face fades in while it is less deep in the other body than this share of the contact's depth.
constexpr double kFade = 0.25;
/// The lens is taken to be no thicker than so many times the contact's depth.
constexpr double kThickest = 2.0;

/// Integrals over the volume, relative to one of the lens' vertices.
struct VolumeSums {
  double volume = 0.0;        // six times
  Vec3 first = Vec3::Zero();  // 24 times
  // Second moments, 120 times: xx, yy, zz, and yz, zx, xy.
  Vec3 squares = Vec3::Zero();
  Vec3 products = Vec3::Zero();

  void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double six = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    volume += six;
    first += six * sum;
    const auto moment = [&](int i, int j) {
      return six * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    };
    squares[0] += moment(0, 0);
    squares[1] += moment(1, 1);
    squares[2] += moment(2, 2);
    products[0] += moment(1, 2);
    products[1] += moment(2, 0);
    products[2] += moment(0, 1);
  }
};

bool touches(const LensCell& cell, const LensCell::Face& face, int vertex) {
  int h = face.edge;
  do {
    if (cell.edge(h).origin == vertex) return true;
    h = cell.edge(h).next;
  } while (h != face.edge);
  return false;
}

template <class Visit>
void for_each_triangle(const LensCell& cell, const LensCell::Face& face, const Visit& visit) {
  const LensCell::HalfEdge& first = cell.edge(face.edge);
  const Vec3& a = cell.position(first.origin);
  const LensCell::HalfEdge* edge = &cell.edge(first.next);
  const Vec3* b = &cell.position(edge->origin);
  for (edge = &cell.edge(edge->next); edge != &first; edge = &cell.edge(edge->next)) {
    const Vec3* c = &cell.position(edge->origin);
    visit(a, *b, *c);
    b = c;
  }
}

VolumeSums integrate(const LensCell& cell, int tip) {
  const Vec3& p = cell.position(tip);
  VolumeSums sums;
  for (const LensCell::Face& face : cell.faces()) {
    if (!cell.is_left(face) || touches(cell, face, tip)) continue;
    for_each_triangle(cell, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      sums.add_tetrahedron(a - p, b - p, c - p);
    });
  }
  return sums;
}

/// Twice.
Vec3 area_of(const LensCell& cell, const LensCell::Face& face) {
  Vec3 area = Vec3::Zero();
  for_each_triangle(cell, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    area += (b - a).cross(c - a);
  });
  return area;
}

Vec3 center_of(const LensCell& cell, const LensCell::Face& face) {
  Vec3 sum = Vec3::Zero();
  double weights = 0.0;
  for_each_triangle(cell, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const double weight = (b - a).cross(c - a).norm();
    sum += weight * (a + b + c);
    weights += weight;
  });
  if (weights > 0.0) return sum / (3.0 * weights);
  return cell.position(cell.edge(face.edge).origin);
}

/// The planes of a body that come nearer to the lens than `fade`, and maybe some more.
std::span<const LensPlane> planes_near(std::span<const LensPlane> planes, const LensCell& cell,
                                       double fade, Scratch& scratch) {
  if (planes.size() <= 6) return planes;  // not worth the choice
  Vec3 low = cell.position(cell.vertices()[0]), high = low;
  for (const int v : cell.vertices()) {
    low = low.cwiseMin(cell.position(v));
    high = high.cwiseMax(cell.position(v));
  }
  const Vec3 center = 0.5 * (low + high);
  const double radius = 0.5 * (high - low).norm() + fade;
  const std::span<LensPlane> near = scratch.take<LensPlane>(planes.size());
  std::size_t count = 0;
  for (const LensPlane& plane : planes)
    if (plane.offset - plane.normal.dot(center) < radius) near[count++] = plane;
  return near.first(count);
}

/// How much a face counts in the normal: less while it has just come into the other body through
/// a face that looks the same way, where without this it would count from one moment to the next.
double weight_of(const LensCell& cell, const LensCell::Face& face, const Vec3& normal,
                 std::span<const LensPlane> others, double fade) {
  double weight = 1.0;
  Vec3 center;
  bool has_center = false;
  for (const LensPlane& other : others) {
    const double full = fade * normal.dot(other.normal);
    if (full <= 0.0 || other.is_cutoff) continue;
    if (!has_center) center = center_of(cell, face);
    has_center = true;
    const double inside = other.offset - other.normal.dot(center);
    if (inside < weight * full) weight = std::max(inside, 0.0) / full;
    GROUSER_ASSERT(is_share(weight));
  }
  return weight;
}

/// Half the difference of the area vectors of both bodies' faces, each with its weight; looks from
/// the cutter to the body that is cut. Both are the same, except for the weights.
Vec3 sum_areas(const LensCell& cell, const LensBody& body, const LensBody& cutter, double fade,
               Scratch& scratch) {
  const std::span<const LensPlane> near_body = planes_near(body.planes, cell, fade, scratch);
  const std::span<const LensPlane> near_cutter = planes_near(cutter.planes, cell, fade, scratch);
  Vec3 sum = Vec3::Zero();
  for (const LensCell::Face& face : cell.faces()) {
    if (!cell.is_left(face)) continue;
    const auto& own = face.of_cutter ? cutter.planes : body.cell_planes;
    const Vec3& normal = own[static_cast<std::size_t>(face.plane)].normal;
    const double weight =
        weight_of(cell, face, normal, face.of_cutter ? near_body : near_cutter, fade);
    sum += (face.of_cutter ? 0.25 : -0.25) * weight * area_of(cell, face);
  }
  return sum;
}

/// Completes a lens that has its volume. An area vector too small for the volume, as of a body deep
/// inside the other one, is made up for along the contact's normal.
void set_normal(const Vec3& area, const ConvexContact& contact, ConvexLens& lens) {
  const double least = lens.volume / (kThickest * contact.depth);
  const double size = area.norm();
  const Vec3 whole = size < least ? Vec3(area + (least - size) * contact.normal_W) : area;
  const double length = whole.norm();
  lens.normal_W = length > 1e-3 * least ? Vec3(whole / length) : contact.normal_W;
  lens.area = std::max(size, least);
  lens.depth = lens.volume / lens.area;
  GROUSER_ASSERT(lens.depth > 0.0 && is_unit(lens.normal_W, 1e-6));
}

void set_moments(const VolumeSums& sums, const Vec3& p_WT, ConvexLens& lens) {
  GROUSER_ASSERT(sums.volume > 0.0);
  lens.volume = sums.volume / 6.0;
  const Vec3 center = sums.first / (4.0 * sums.volume);
  lens.center_W = p_WT + center;
  const Vec3 squares = sums.squares / (20.0 * sums.volume) - center.cwiseProduct(center);
  const Vec3 products =
      sums.products / (20.0 * sums.volume) -
      Vec3(center.y() * center.z(), center.z() * center.x(), center.x() * center.y());
  lens.covariance_W << squares.x(), products.z(), products.y(), products.z(), squares.y(),
      products.x(), products.y(), products.x(), squares.z();
}

/// Whether `cutter` rather than `other` should cut. Planes that cut are dear, those that only might
/// are cheap: of two hulls the one that lies flat has more faces around, but cuts with fewer.
bool is_better_cutter(const LensBody& cutter, const LensBody& other) {
  using Form = LensBody::Form;
  if (cutter.form == Form::planes || other.form == Form::planes) return cutter.form == Form::planes;
  const bool more = cutter.planes.size() >= other.planes.size();
  return cutter.form == Form::patch && other.form == Form::patch ? more : !more;
}

}  // namespace

ConvexLens find_convex_lens(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                            const Pose& X_WB, const ConvexContact& contact, Scratch& scratch) {
  if (!(contact.depth > 0.0)) return {};
  const Scratch::Mark mark = scratch.mark();
  LensPlace place;
  place.p_WO = 0.5 * (contact.p_WA + contact.p_WB);
  place.depth = contact.depth;
  // What find_convex_contact() promises.
  place.rounding = 1e-9 * ((place.p_WO - X_WA.p).norm() + (place.p_WO - X_WB.p).norm());
  place.direction_W = -contact.normal_W;
  const LensBody body_a = make_lens_body(a, X_WA, place, scratch);
  place.direction_W = contact.normal_W;
  const LensBody body_b = make_lens_body(b, X_WB, place, scratch);

  const bool b_cuts = is_better_cutter(body_b, body_a);
  const LensBody& body = b_cuts ? body_a : body_b;
  const LensBody& cutter = b_cuts ? body_b : body_a;
  LensCell cell(scratch);
  place.direction_W = b_cuts ? Vec3(-contact.normal_W) : contact.normal_W;
  start_cell(body, b_cuts ? X_WA : X_WB, place, scratch, cell);
  ConvexLens lens;
  bool overlap = true;
  for (std::size_t i = 0; overlap && i < cutter.planes.size(); ++i)
    overlap = cell.cut(cutter.planes[i], static_cast<int>(i));
  if (overlap) {
    const int tip = cell.vertices().back();
    const VolumeSums sums = integrate(cell, tip);
    if (sums.volume > 0.0) {
      set_moments(sums, place.p_WO + cell.position(tip), lens);
      const Vec3 area = sum_areas(cell, body, cutter, kFade * contact.depth, scratch);
      set_normal(b_cuts ? area : Vec3(-area), contact, lens);
    }
  }
  scratch.rewind(mark);
  return lens;
}

}  // namespace grouser
