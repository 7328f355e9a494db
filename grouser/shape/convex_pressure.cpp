#include "grouser/shape/convex_pressure.h"

#include "grouser/base/assert.h"
#include "grouser/shape/round_pressure.h"

namespace grouser {
namespace {

/// The one with the simpler faces gives way.
int rank(const ConvexShape& shape) {
  switch (shape.kind) {
    case ConvexKind::half_space:
      return 0;
    case ConvexKind::box:
      return 1;
    case ConvexKind::cylinder:
      return 3;
    case ConvexKind::cone:
      return 4;
    default:
      return 2;
  }
}

}  // namespace

ConvexPressure make_convex_pressure(const PressureSums& sums, const Mat3& R_WS, const Vec3& p_WO,
                                    bool swapped) {
  ConvexPressure out;
  if (!(sums.total > 0.0)) return out;
  const double sign = swapped ? -1.0 : 1.0;
  out.force_W = sign * (R_WS * sums.force);
  out.moment_W = sign * (R_WS * sums.moment);
  out.p_WO = p_WO;
  out.area = sums.area;
  out.total = sums.total;
  const Vec3 center = sums.first / sums.total;
  out.center_W = p_WO + R_WS * center;
  out.covariance_W =
      R_WS * (sums.second / sums.total - center * center.transpose()) * R_WS.transpose();
  return out;
}

ConvexPressure find_convex_pressure(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                    const Pose& X_WB, const ConvexContact& contact,
                                    Scratch& scratch) {
  GROUSER_ASSERT(has_faces(a) && has_faces(b));
  if (!(contact.depth > 0.0)) return {};
  const Scratch::Mark mark = scratch.mark();
  const bool swapped = rank(a) < rank(b);  // A gives way
  const ConvexShape &soft = swapped ? a : b, &rigid = swapped ? b : a;
  const Pose &X_WS = swapped ? X_WA : X_WB, &X_WR = swapped ? X_WB : X_WA;
  OverlapPlace place;
  place.p_WO = 0.5 * (contact.p_WA + contact.p_WB);
  place.normal_W = swapped ? Vec3(-contact.normal_W) : contact.normal_W;
  // What find_convex_contact() promises.
  place.depth =
      contact.depth + 1e-9 * ((place.p_WO - X_WA.p).norm() + (place.p_WO - X_WB.p).norm());

  PressureSums sums;
  if (is_round(soft)) {
    const Vec3& deepest = swapped ? contact.p_WB : contact.p_WA;
    press_round_pair(RoundSurface(rigid, X_WR, place.p_WO), soft, X_WS, place, deepest - place.p_WO,
                     sums);
    scratch.rewind(mark);
    return make_convex_pressure(sums, Mat3::Identity(), place.p_WO, swapped);
  }
  const SoftBody body = make_soft_body(soft, X_WS, place, is_round(rigid), scratch);
  if (is_round(rigid)) {
    press_round(RoundSurface(rigid, X_WR, place.p_WO), body, scratch, sums);
  } else {
    for (const RigidFace& face : make_rigid_faces(rigid, X_WR, place, scratch)) {
      FaceSums all;
      clip_to_body(face.corners, body.faces, scratch,
                   [&](std::span<const Vec3> polygon, const LinearField& depth) {
                     add_polygon(polygon, depth, face.normal, all);
                   });
      all.add_to(sums, face.normal);
    }
  }
  scratch.rewind(mark);
  return make_convex_pressure(sums, Mat3::Identity(), place.p_WO, swapped);
}

}  // namespace grouser
