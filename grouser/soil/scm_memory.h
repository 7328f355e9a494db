// What a soil contact remembers: the ground, and of every object how it stands in it.
#pragma once

#include <vector>

#include "grouser/soil/scm_footprint.h"
#include "grouser/soil/soil_surface.h"

namespace grouser {

class ScmMemory final : public ContactMemory {
 public:
  /// `width` is that of patches before anything has touched [m].
  ScmMemory(SoilSurface ground, std::size_t objects, double width, double period);

  SoilSurface surface;
  std::vector<ScmTrace> traces;  ///< by object
  std::vector<ScmTrace> spare;   ///< room for the next ones; what is in them does not count
  double time = 0.0;             ///< of the last update
  double next = 0.0;             ///< time of the next update
  std::uint64_t updates = 0;
  double compacted = 0.0, displaced = 0.0, lost = 0.0;  ///< [m^3]
  std::vector<std::uint64_t> beyond_map;  ///< updates in which an object was, by object
  std::vector<double> deepest;            ///< that an object has been in the ground, by object [m]

  std::unique_ptr<ContactMemory> clone() const override;
  void save(std::vector<std::byte>& out) const override;
  std::size_t restore(std::span<const std::byte> in) override;
};

}  // namespace grouser
