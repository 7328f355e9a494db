// libccd with support functions of our own: it brings none. Hulls are searched from end to end, as
// its users do, and by climbing from the last vertex, as we do.
#include <ccd/ccd.h>

#include <cmath>

#include "benchmarks/peers/convex_peer.h"

namespace grouser {
namespace {

struct Body {
  const ConvexShape* shape;
  Pose X_WS;
  mutable std::size_t last = 0;
};

Vec3 box_point(const Body& body, const Vec3& d) {
  const Vec3& h = body.shape->half_size;
  return {std::copysign(h.x(), d.x()), std::copysign(h.y(), d.y()), std::copysign(h.z(), d.z())};
}

Vec3 cylinder_point(const Body& body, const Vec3& d) {
  const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
  const double scale = across > 0.0 ? body.shape->radius / across : 0.0;
  return {scale * d.x(), scale * d.y(), std::copysign(body.shape->half_size.z(), d.z())};
}

Vec3 searched_point(const Body& body, const Vec3& d) {
  const auto& vertices = body.shape->hull->vertices;
  std::size_t best = 0;
  double reach = vertices[0].dot(d);
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const double next = vertices[i].dot(d);
    if (next > reach) reach = next, best = i;
  }
  return vertices[best];
}

Vec3 climbed_point(const Body& body, const Vec3& d) {
  const ConvexHull& hull = *body.shape->hull;
  std::size_t best = body.last;
  double reach = hull.vertices[best].dot(d);
  for (std::size_t from = hull.vertices.size(); from != best;) {
    from = best;
    for (const int n : hull.neighbours_of(from)) {
      const double next = hull.vertices[static_cast<std::size_t>(n)].dot(d);
      if (next > reach) reach = next, best = static_cast<std::size_t>(n);
    }
  }
  body.last = best;
  return hull.vertices[best];
}

template <Vec3 (*point)(const Body&, const Vec3&)>
void support(const void* object, const ccd_vec3_t* d, ccd_vec3_t* out) {
  const Body& body = *static_cast<const Body*>(object);
  const Vec3 p = body.X_WS * point(body, body.X_WS.R.transpose() * Vec3(d->v[0], d->v[1], d->v[2]));
  ccdVec3Set(out, p.x(), p.y(), p.z());
}

ccd_support_fn support_of(const ConvexShape& shape, bool climb) {
  if (shape.kind == ConvexKind::box) return support<box_point>;
  if (shape.kind == ConvexKind::cylinder) return support<cylinder_point>;
  return climb ? support<climbed_point> : support<searched_point>;
}

void center(const void* object, ccd_vec3_t* out) {
  const Vec3& p = static_cast<const Body*>(object)->X_WS.p;
  ccdVec3Set(out, p.x(), p.y(), p.z());
}

class LibccdPeer final : public ConvexPeer {
 public:
  LibccdPeer(const ConvexShape& a, const ConvexShape& b, bool mpr, bool climb)
      : a_{&a, {}, 0}, b_{&b, {}, 0}, mpr_(mpr), climb_(climb) {
    CCD_INIT(&ccd_);
    ccd_.support1 = support_of(a, climb);
    ccd_.support2 = support_of(b, climb);
    ccd_.center1 = ccd_.center2 = center;
    ccd_.max_iterations = 100;
    ccd_.epa_tolerance = ccd_.mpr_tolerance = 1e-6;
  }
  std::string name() const override {
    return std::string("libccd ") + (mpr_ ? "MPR" : "GJK/EPA") + (climb_ ? ", climbing" : "");
  }
  double find(const Pose& X_WA, const Pose& X_WB) override {
    a_.X_WS = X_WA;
    b_.X_WS = X_WB;
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    const int miss = mpr_ ? ccdMPRPenetration(&a_, &b_, &ccd_, &depth, &direction, &position)
                          : ccdGJKPenetration(&a_, &b_, &ccd_, &depth, &direction, &position);
    return miss == 0 ? depth : -1.0;
  }

 private:
  Body a_, b_;
  ccd_t ccd_;
  bool mpr_, climb_;
};

}  // namespace

std::vector<std::unique_ptr<ConvexPeer>> make_libccd_peers(const ConvexShape& a,
                                                           const ConvexShape& b) {
  std::vector<std::unique_ptr<ConvexPeer>> peers;
  const bool hulls = a.kind == ConvexKind::hull || b.kind == ConvexKind::hull;
  for (const bool mpr : {true, false})
    for (const bool climb : {false, true})
      if (hulls || !climb) peers.push_back(std::make_unique<LibccdPeer>(a, b, mpr, climb));
  return peers;
}

}  // namespace grouser
