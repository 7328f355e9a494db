// FCL's routines for single pairs, called directly: no broad phase, no dispatch.
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <cmath>
#include <memory>
#include <vector>

#include "benchmarks/peers/element_peer.h"

namespace grouser {
namespace {

fcl::Transform3d transform_of(const Pose& X) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = X.R;
  out.translation() = X.p;
  return out;
}

/// What a peer keeps between calls.
struct Kept {
  fcl::detail::GJKSolver_libccdd solver;
  std::vector<fcl::ContactPointd> contacts;
};

double depth_of(const Kept& kept) {
  return kept.contacts.empty() ? -1.0 : kept.contacts[0].penetration_depth;
}

template <class A, class B>
ElementPeer pair_of(const std::string& name, const A& a, const Pose& X_AS, const B& b,
                    const Pose& X_BS) {
  auto kept = std::make_shared<Kept>();
  return {name, [=](const Pose& X_WA, const Pose& X_WB) {
            kept->contacts.clear();
            kept->solver.shapeIntersect(a, transform_of(X_WA * X_AS), b, transform_of(X_WB * X_BS),
                                        &kept->contacts);
            return depth_of(*kept);
          }};
}

/// A capsule about z, and where its z lies.
std::pair<fcl::Capsuled, Pose> capsule_of(const LineShape& line) {
  const Vec3 along = line.to - line.from;
  return {
      fcl::Capsuled(line.radius, along.norm()),
      {Quat::FromTwoVectors(Vec3::UnitZ(), along).toRotationMatrix(), 0.5 * (line.from + line.to)}};
}

template <class Shape>
const Shape* element_in(const ShapeDef& shape) {
  const auto* element = std::get_if<ElementShape>(&shape.geometry);
  return element ? std::get_if<Shape>(element) : nullptr;
}

ElementPeer sphere_peer(const ShapeDef& a, double radius, const ShapeDef& b) {
  const fcl::Sphered ball(radius);
  if (const auto* other = std::get_if<SphereShape>(&b.geometry))
    return pair_of("FCL, spheres", ball, a.X_BS, fcl::Sphered(other->radius), b.X_BS);
  if (const auto* line = element_in<LineShape>(b)) {
    const auto [capsule, X_SC] = capsule_of(*line);
    return pair_of("FCL, sphere and capsule", ball, a.X_BS, capsule, b.X_BS * X_SC);
  }
  if (const auto* wall = element_in<FrustumShape>(b);
      wall && wall->bottom_radius == wall->top_radius && wall->side != PlateSide::back) {
    const Pose X_SC{Mat3::Identity(), Vec3(0.0, 0.0, 0.5 * wall->height)};
    return pair_of("FCL, sphere and cylinder", ball, a.X_BS,
                   fcl::Cylinderd(wall->bottom_radius + wall->half_thickness, wall->height),
                   b.X_BS * X_SC);
  }
  if (const auto* polygon = element_in<PolygonShape>(b); polygon && polygon->points.size() == 3) {
    auto kept = std::make_shared<Kept>();
    return {"FCL, sphere and triangle", [=, points = polygon->points, X_AS = a.X_BS, X_BS = b.X_BS](
                                            const Pose& X_WA, const Pose& X_WB) {
              fcl::Vector3d place, normal;
              double depth = -1.0;
              kept->solver.shapeTriangleIntersect(ball, transform_of(X_WA * X_AS), points[0],
                                                  points[1], points[2], transform_of(X_WB * X_BS),
                                                  &place, &depth, &normal);
              return std::abs(depth);  // it is negative
            }};
  }
  return {};
}

}  // namespace

ElementPeer make_fcl_element_peer(const ShapeDef& a, const ShapeDef& b) {
  if (const auto* sphere = std::get_if<SphereShape>(&a.geometry))
    return sphere_peer(a, sphere->radius, b);
  const auto *first = element_in<LineShape>(a), *second = element_in<LineShape>(b);
  if (!first || !second) return {};
  // Its formula for capsules is one of distance, with a sign.
  auto kept = std::make_shared<Kept>();
  const auto [one, X_AS] = capsule_of(*first);
  const auto [other, X_BS] = capsule_of(*second);
  return {"FCL, capsules", [=, one = one, other = other, X_AC = a.X_BS * X_AS,
                            X_BC = b.X_BS * X_BS](const Pose& X_WA, const Pose& X_WB) {
            double distance = 0.0;
            fcl::Vector3d on_a, on_b;
            kept->solver.shapeDistance(one, transform_of(X_WA * X_AC), other,
                                       transform_of(X_WB * X_BC), &distance, &on_a, &on_b);
            return -distance;
          }};
}

}  // namespace grouser
