// The steps of an update of the soil. Inside the soil room, for update_soil.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grouser/soil/scm_update.h"
#include "grouser/soil/soil_flow.h"

namespace grouser::scm_detail {

/// One object in one update.
struct Pressed {
  ScmFootprint footprint;
  ScmStress stress;
  std::span<std::int32_t> entry;  // of the window's nodes: number in the footprint, -1: not in it
  std::span<double> share;        // of the force that this object takes from now on, by entry
  ScmTrace trace;                 // for the next period
  GridWindow flow;                // where its soil moves
};

struct Volumes {
  double compacted = 0.0, displaced = 0.0, lost = 0.0, highest = -1e300;
};

class Update {
 public:
  Update(const ScmUpdate& update, ScmMemory& memory)
      : u_(update), memory_(memory), spacing_(memory.surface.ground().spacing()) {}

  /// What an object presses on now, with the soil as it was. Reads the memory only.
  void press(std::size_t object, Pressed& out, Scratch& scratch) const;
  /// Who carries where two objects stand on one node: the lower one.
  void settle_shares(Pressed& a, Pressed& b) const;
  /// Widths of the patches, and shear of the next period.
  void remember(std::size_t object, Pressed& pressed, Scratch& scratch) const;
  /// Moves the soil of one object. `all` are the objects whose soil may meet.
  void move_soil(std::size_t object, std::span<Pressed> all, std::span<const std::size_t> group,
                 Scratch& scratch);
  std::vector<Volumes> volumes;  // by object

 private:
  void find_widths(Pressed& pressed, std::span<double> per_width, Scratch& scratch) const;
  /// Soil in a hollow of the object, for the moment untouched, keeps its shear and may be filled
  /// up.
  void keep_hollows(const ScmTrace& before, Pressed& pressed) const;
  /// Mean height over the undisturbed ground of the soil before an object, the way it slides, as
  /// far ahead as the object is deep [m].
  double heap_ahead(std::size_t object, const Pressed& pressed, const SoilWindow& soil) const;
  void close_nodes(const Pressed& pressed, const SoilWindow& soil,
                   std::span<std::uint8_t> closed) const;
  /// Lowers the ground by `down`, node by node of the footprint; the volume that takes [m^3].
  double yield(const Pressed& pressed, SoilWindow& soil, std::span<double> down) const;
  /// Hollows of an object that presses soil down, such as those between grousers, are filled by it,
  /// almost. How much of `volume` that takes [m^3].
  double fill_hollows(std::size_t object, const Pressed& pressed, SoilWindow& soil, double volume,
                      Scratch& scratch) const;
  /// Soil that has come since `before` is loose. Returns in how many columns and rows at the sides
  /// of the window, in the order of ScmTrace::margin, nothing has happened.
  std::array<int, 4> loosen(std::span<const double> before, SoilWindow& soil,
                            double& highest) const;
  /// What is `left` of the soil pressed down, less what is compacted, has to go elsewhere.
  void add_sources(const Pressed& pressed, std::span<const double> down, double left,
                   const GridWindow& w, ScratchList<SoilSource>& sources, Volumes& sums) const;

  const ScmUpdate& u_;
  ScmMemory& memory_;
  double spacing_;
};

}  // namespace grouser::scm_detail
