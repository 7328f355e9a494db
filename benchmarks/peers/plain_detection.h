// Penetration detection as Hippmann (2023), section 3, describes it, written down plainly: the
// peer every improvement is measured against. No forces.
//
// Trees of boxes along the axes of their own body, over the penetration lines of the base and over
// the triangles of the target. Two boxes at a time, turned against each other, are tested for a
// separating axis, recursively; where leaves meet, one line is cut with one triangle. The surface
// with more triangles keeps its frame (E in the paper), the other (F) is moved into it as it is
// met.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

class PlainDetection {
 public:
  /// What the last call of find() had to do: the quantities of the paper's figures 6 and 9.
  struct Counters {
    std::uint64_t box_tests = 0;
    std::uint64_t ray_tests = 0;
  };

  /// Which surface keeps its frame, that with more triangles or the other: section 4.3.
  enum class Frame { larger, smaller };

  PlainDetection(const TriangleMesh& base, const TriangleMesh& target, double max_penetration,
                 Frame frame = Frame::larger);
  ~PlainDetection();
  PlainDetection(PlainDetection&&) noexcept;

  /// Finds the contact elements at this pose of the target in the base frame, returns how many.
  std::size_t find(const Pose& X_BT);
  const Counters& counters() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace grouser
