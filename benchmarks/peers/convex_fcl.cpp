// FCL with its two solvers; what it has of special routines for a pair it uses itself.
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/narrowphase/collision.h>

#include <cmath>

#include "benchmarks/peers/convex_peer.h"

namespace grouser {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const ConvexShape& shape) {
  if (shape.kind == ConvexKind::box) return std::make_shared<fcl::Boxd>(2.0 * shape.half_size);
  if (shape.kind == ConvexKind::cylinder)
    return std::make_shared<fcl::Cylinderd>(shape.radius, 2.0 * shape.half_size.z());
  const ConvexHull& hull = *shape.hull;
  auto vertices =
      std::make_shared<std::vector<fcl::Vector3d>>(hull.vertices.begin(), hull.vertices.end());
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners_of(f);
    faces->push_back(static_cast<int>(corners.size()));
    faces->insert(faces->end(), corners.begin(), corners.end());
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.face_count()), faces);
}

fcl::Transform3d transform_of(const Pose& X) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = X.R;
  out.translation() = X.p;
  return out;
}

class FclPeer final : public ConvexPeer {
 public:
  FclPeer(const ConvexShape& a, const ConvexShape& b, fcl::GJKSolverType solver)
      : a_(geometry_of(a)), b_(geometry_of(b)), request_(1, true) {
    request_.gjk_solver_type = solver;
  }
  std::string name() const override {
    return request_.gjk_solver_type == fcl::GST_LIBCCD ? "FCL" : "FCL, its own solver";
  }
  double find(const Pose& X_WA, const Pose& X_WB) override {
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), transform_of(X_WA), b_.get(), transform_of(X_WB), request_, result);
    // Its own solver gives depth a sign.
    return result.isCollision() ? std::abs(result.getContact(0).penetration_depth) : -1.0;
  }

 private:
  std::shared_ptr<fcl::CollisionGeometryd> a_, b_;
  fcl::CollisionRequestd request_;
};

}  // namespace

std::vector<std::unique_ptr<ConvexPeer>> make_fcl_peers(const ConvexShape& a,
                                                        const ConvexShape& b) {
  std::vector<std::unique_ptr<ConvexPeer>> peers;
  for (const auto solver : {fcl::GST_LIBCCD, fcl::GST_INDEP})
    peers.push_back(std::make_unique<FclPeer>(a, b, solver));
  return peers;
}

}  // namespace grouser
