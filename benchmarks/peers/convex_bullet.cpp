// Bullet: GJK with EPA for depth, in single precision as packaged, and its routine for boxes.
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>

#include "benchmarks/peers/convex_peer.h"

namespace grouser {
namespace {

btVector3 vector_of(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

btTransform transform_of(const Pose& X) {
  btMatrix3x3 R;
  for (int i = 0; i < 3; ++i) R[i] = vector_of(X.R.row(i).transpose());
  return btTransform(R, vector_of(X.p));
}

/// With a margin of zero: the shape as it is.
std::unique_ptr<btConvexShape> shape_of(const ConvexShape& shape) {
  std::unique_ptr<btConvexShape> out;
  if (shape.kind == ConvexKind::box) {
    out = std::make_unique<btBoxShape>(vector_of(shape.half_size));
  } else if (shape.kind == ConvexKind::cylinder) {
    out = std::make_unique<btCylinderShapeZ>(vector_of(shape.half_size));
  } else {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& vertex : shape.hull->vertices) hull->addPoint(vector_of(vertex), false);
    hull->recalcLocalAabb();
    out = std::move(hull);
  }
  out->setMargin(0);
  return out;
}

/// Keeps the deepest point.
struct Deepest final : btDiscreteCollisionDetectorInterface::Result {
  btScalar depth = -1;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override {
    depth = std::max(depth, -distance);
  }
};

class BulletPeer final : public ConvexPeer {
 public:
  BulletPeer(const ConvexShape& a, const ConvexShape& b, bool boxes)
      : a_(shape_of(a)), b_(shape_of(b)), boxes_(boxes) {}
  std::string name() const override { return boxes_ ? "Bullet, its boxes" : "Bullet GJK/EPA"; }
  double find(const Pose& X_WA, const Pose& X_WB) override {
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = transform_of(X_WA);
    input.m_transformB = transform_of(X_WB);
    Deepest deepest;
    if (boxes_) {
      btBoxBoxDetector(static_cast<btBoxShape*>(a_.get()), static_cast<btBoxShape*>(b_.get()))
          .getClosestPoints(input, deepest, nullptr);
    } else {
      btGjkPairDetector(a_.get(), b_.get(), &simplex_, &epa_)
          .getClosestPoints(input, deepest, nullptr);
    }
    return deepest.depth;
  }

 private:
  std::unique_ptr<btConvexShape> a_, b_;
  bool boxes_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver epa_;
};

}  // namespace

std::vector<std::unique_ptr<ConvexPeer>> make_bullet_peers(const ConvexShape& a,
                                                           const ConvexShape& b) {
  std::vector<std::unique_ptr<ConvexPeer>> peers;
  peers.push_back(std::make_unique<BulletPeer>(a, b, false));
  if (a.kind == ConvexKind::box && b.kind == ConvexKind::box)
    peers.push_back(std::make_unique<BulletPeer>(a, b, true));
  return peers;
}

}  // namespace grouser
