#include "grouser/shape/convex_contact.h"

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_gjk.h"
#include "grouser/shape/convex_pairs.h"

namespace grouser {
namespace {

using convex::general;
using convex::PairRoutine;

ConvexContact never(const ConvexShape&, const ConvexShape&, const Pose&, double) {
  return {};
}

// clang-format off
using Seg = convex::SegmentCore;
using Ell = convex::EllipsoidCore;
using Box = convex::BoxCore;
using Cyl = convex::CylinderCore;
using Con = convex::ConeCore;
using Hul = convex::HullCore;

/// Who answers for A (row) and B (column), kinds in the order of ConvexKind. The lower triangle
/// swaps. What has a name of its own is exact; `general` is GJK, EPA and polish.
constexpr PairRoutine o = nullptr;
constexpr PairRoutine kPairs[kConvexKinds][kConvexKinds] = {
  // sphere               capsule                  ellipsoid                 box                cylinder           cone               hull               half_space
  {convex::sphere_sphere, convex::sphere_capsule,  convex::sphere_ellipsoid, convex::sphere_box, convex::sphere_cylinder, convex::sphere_cone, convex::sphere_hull, convex::body_half_space},
  {o,                     convex::capsule_capsule, general<Seg, Ell>,        general<Seg, Box>, general<Seg, Cyl>, general<Seg, Con>, general<Seg, Hul>, convex::body_half_space},
  {o,                     o,                       general<Ell, Ell>,        general<Ell, Box>, general<Ell, Cyl>, general<Ell, Con>, general<Ell, Hul>, convex::body_half_space},
  {o,                     o,                       o,                        convex::box_box,   convex::box_cylinder, general<Box, Con>, general<Box, Hul>, convex::body_half_space},
  {o,                     o,                       o,                        o,                 general<Cyl, Cyl>, general<Cyl, Con>, general<Cyl, Hul>, convex::body_half_space},
  {o,                     o,                       o,                        o,                 o,                 general<Con, Con>, general<Con, Hul>, convex::body_half_space},
  {o,                     o,                       o,                        o,                 o,                 o,                 general<Hul, Hul>, convex::body_half_space},
  {o,                     o,                       o,                        o,                 o,                 o,                 o,                 never},
};
// clang-format on

}  // namespace

ConvexContact find_convex_contact(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                  const Pose& X_WB, double reach) {
  const auto i = static_cast<std::size_t>(a.kind), j = static_cast<std::size_t>(b.kind);
  if (i > j) {
    const ConvexContact swapped = find_convex_contact(b, X_WB, a, X_WA, reach);
    return {swapped.depth, -swapped.normal_W, swapped.p_WB, swapped.p_WA};
  }
  GROUSER_ASSERT(kPairs[i][j] != nullptr);
  const ConvexContact in_a = kPairs[i][j](a, b, X_WA.inverse() * X_WB, reach);
  GROUSER_ASSERT(!(std::abs(in_a.normal_W.norm() - 1.0) > 1e-6));  // NaN is the caller's to refuse
  return {in_a.depth, X_WA.R * in_a.normal_W, X_WA * in_a.p_WA, X_WA * in_a.p_WB};
}

}  // namespace grouser
