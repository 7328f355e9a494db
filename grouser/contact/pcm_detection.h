// Penetration detection: which base triangles lie inside the target, and how deep (Hippmann 2023,
// section 3).
//
// Two trees, over the lines of the base and over the triangles of the target, are walked at once in
// the frame of one surface; the other is moved there, eight primitives at a time and only where the
// trees meet. Pairs of eight are sifted in single precision, with a margin for its rounding. What
// is left is cut in double precision: that alone decides.
#pragma once

#include <cmath>
#include <cstdint>

#include "grouser/base/assert.h"
#include "grouser/contact/pcm_frame.h"
#include "grouser/contact/pcm_surface.h"

namespace grouser {

/// A contact element: an active base triangle, the target triangle its line meets, how deep.
struct PcmElement {
  std::int32_t triangle;
  std::int32_t target;
  double penetration;  ///< [m]
};

/// What is known of every base triangle while its line is cut with target triangles. The nearest
/// hit decides; at equal distance (a shared edge) an active one wins, then the lower number, so the
/// order of the cuts does not matter.
class PcmHits {
 public:
  PcmHits(std::size_t base_triangles, Scratch& scratch);

  void cut(std::int32_t i, const PenetrationLine& line, std::int32_t j,
           const TargetTriangle& triangle, double max_penetration);
  /// The active ones, ascending.
  std::span<const PcmElement> elements(Scratch& scratch) const;

 private:
  struct Hit {
    double depth;
    std::int32_t target;
    bool active;
  };
  BitSet touched_;  // base triangles
  std::span<Hit> hits_;
  std::size_t count_ = 0;  // of touched ones
};

inline void PcmHits::cut(std::int32_t i, const PenetrationLine& line, std::int32_t j,
                         const TargetTriangle& triangle, double max_penetration) {
  const double facing = line.normal.dot(triangle.normal);
  if (std::abs(facing) < kPcmEps) return;  // edge-on, or one of them is degenerate
  const double u = distance_along(line, triangle, facing);
  if (!(u > 0.0 && u <= max_penetration)) return;
  const auto n = static_cast<std::size_t>(i);
  GROUSER_ASSERT(n < hits_.size());
  Hit& hit = hits_[n];
  const bool active = facing < 0.0;
  if (touched_.has(n)) {
    if (u > hit.depth) return;
    if (u == hit.depth && (active != hit.active ? !active : j > hit.target)) return;
  }
  const Vec3 q = line.start - u * line.normal - triangle.corner;
  const double first = triangle.along_1.dot(q), second = triangle.along_2.dot(q);
  if (!(first >= -kPcmEps && second >= -kPcmEps && first + second <= 1.0 + kPcmEps)) return;
  count_ += touched_.insert(n);
  hit = {u, j, active};
}

/// Contact elements among the base triangles below `part` of the base's tree, ascending. X_BT: pose
/// of the target in the base's frame.
std::span<const PcmElement> find_penetrations(const BaseSurface& base, const TargetSurface& target,
                                              const Pose& X_BT, PcmFrame frame, BoxTree::Ref part,
                                              Scratch& scratch, PcmWork* work = nullptr);

/// Contact elements that are parts of base triangles, as the target covers them, and those parts.
struct PcmPieces {
  std::span<const PcmElement> elements;  ///< ascending by triangle, then by target
  std::span<const Piece> pieces;
};
/// The same for parts of base triangles, in the frame of the base. A part counts if nothing lies
/// before it at its middle. Precondition: the base has prisms.
PcmPieces find_pieces(const BaseSurface& base, const TargetSurface& target, const Pose& X_BT,
                      BoxTree::Ref part, Scratch& scratch, PcmWork* work = nullptr);

/// A target triangle for clipping, in the base's frame.
PieceTarget piece_target(const TargetSurface& target, std::int32_t triangle, const Pose& X_BT);

/// The wanted frame, or that of the surface with more triangles.
PcmFrame frame_of(PcmFrame wanted, const BaseSurface& base, const TargetSurface& target);

/// False if the boxes around two trees are certainly apart.
bool boxes_meet(const BoxTree& a, const BoxTree& b, const Pose& X_AB);

}  // namespace grouser
