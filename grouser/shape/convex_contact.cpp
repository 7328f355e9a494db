#include "grouser/shape/convex_contact.h"

#include <array>
#include <cmath>
#include <utility>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_gjk.h"
#include "grouser/shape/convex_pairs.h"

namespace grouser {
namespace {

using convex::PairRoutine;

ConvexContact never(const ConvexShape&, const ConvexShape&, const Pose&, double) {
  return {};
}

/// Whether somebody answers exactly for A and B, kinds in the order of ConvexKind. (Sanitizers keep
/// compilers from comparing addresses of functions.)
constexpr bool is_exact(ConvexKind a, ConvexKind b) {
  using K = ConvexKind;
  return b == K::half_space || (a == K::sphere && b <= K::hull) ||
         (a == K::capsule && b == K::capsule) || (a == K::box && (b == K::box || b == K::cylinder));
}

/// Who does; null: nobody.
constexpr PairRoutine exact(ConvexKind a, ConvexKind b) {
  using K = ConvexKind;
  if (b == K::half_space) return a == K::half_space ? never : convex::body_half_space;
  if (a == K::sphere) {
    switch (b) {
      case K::sphere:
        return convex::sphere_sphere;
      case K::capsule:
        return convex::sphere_capsule;
      case K::ellipsoid:
        return convex::sphere_ellipsoid;
      case K::box:
        return convex::sphere_box;
      case K::cylinder:
        return convex::sphere_cylinder;
      case K::cone:
        return convex::sphere_cone;
      case K::hull:
        return convex::sphere_hull;
      default:
        return nullptr;
    }
  }
  if (a == K::capsule && b == K::capsule) return convex::capsule_capsule;
  if (a == K::box && b == K::box) return convex::box_box;
  if (a == K::box && b == K::cylinder) return convex::box_cylinder;
  return nullptr;
}

/// Who answers for kinds number I and J: GJK, EPA and polish, if nobody does exactly.
template <std::size_t I, std::size_t J>
constexpr PairRoutine routine() {
  constexpr auto a = static_cast<ConvexKind>(I), b = static_cast<ConvexKind>(J);
  if constexpr (I > J)
    return nullptr;  // swapped
  else if constexpr (is_exact(a, b))
    return exact(a, b);
  else
    return convex::general<convex::Core<a>, convex::Core<b>>;
}

using Pairs = std::array<std::array<PairRoutine, kConvexKinds>, kConvexKinds>;
constexpr Pairs kPairs = []<std::size_t... I>(std::index_sequence<I...>) {
  constexpr auto row = []<std::size_t kRow>() {
    return std::array<PairRoutine, kConvexKinds>{routine<kRow, I>()...};
  };
  return Pairs{row.template operator()<I>()...};
}
(std::make_index_sequence<kConvexKinds>{});

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
