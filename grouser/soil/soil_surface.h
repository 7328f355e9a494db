// Ground that is pressed and torn: heights on a regular grid, held in tiles.
//
// Node (ix, iy) stands at spacing * (ix, iy) in the frame T of the ground. Ground that nothing has
// touched is not stored: it is where SoilGround says it was. What is stored of a node is
//
//   ground     height of the undisturbed ground, h_0
//   change     what happened to it since: the surface is at h = h_0 + change
//   reference  height r from which sinkage counts: at yield the pressure is k (r - H)^n under an
//              object at H. Soil that is pressed down or piled up leaves r where it is, so a heap
//              on the ground carries nothing down to where the ground was. Only soil carried away
//              by a sliding surface takes r along.
//   loose      thickness of soil that has come here and has not been pressed since. Of it the share
//              that can be compacted carries nothing: sinkage counts from r less that share.
//
// The plastic memory z_0 of Krenn (2008) is r - h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "grouser/base/copy_on_write.h"
#include "grouser/contact/contact.h"
#include "grouser/map/elevation_map.h"
#include "grouser/soil/lower_envelope.h"

namespace grouser {

/// The ground before anything touches it. Immutable.
class SoilGround {
 public:
  /// Flat at height 0; nodes from `first` to `last`, both included.
  SoilGround(double spacing, std::array<std::int64_t, 2> first, std::array<std::int64_t, 2> last);
  /// The heights themselves if the spacings agree, else a smooth surface through them, asked where
  /// it is needed. Nodes start at (0, 0), the map's first node. `reference` is a map like it, or
  /// null: as the heights. Throws InputError if they do not go together.
  SoilGround(double spacing, std::shared_ptr<const ElevationGrid> heights,
             std::shared_ptr<const ElevationGrid> reference);

  double spacing() const { return spacing_; }
  /// Everywhere at height 0.
  bool flat() const { return !heights_; }
  double highest() const { return highest_; }
  double lowest() const { return lowest_; }
  bool contains(std::int64_t ix, std::int64_t iy) const {
    return ix >= first_[0] && ix <= last_[0] && iy >= first_[1] && iy <= last_[1];
  }
  /// All of a window's nodes.
  bool contains(const GridWindow& w) const {
    return contains(w.ix0, w.iy0) && contains(w.ix0 + w.nx - 1, w.iy0 + w.ny - 1);
  }
  std::array<std::int64_t, 2> first() const { return first_; }
  std::array<std::int64_t, 2> last() const { return last_; }
  /// Of the nearest node, beyond the map.
  double height(std::int64_t ix, std::int64_t iy) const;
  double reference(std::int64_t ix, std::int64_t iy) const;

  /// Which soil a node is of, as a number that the user of the ground knows; 0 unless set.
  void set_soils(std::function<std::uint8_t(std::int64_t, std::int64_t)> soils);
  bool has_soils() const { return static_cast<bool>(soils_); }
  std::uint8_t soil(std::int64_t ix, std::int64_t iy) const { return soils_ ? soils_(ix, iy) : 0; }

 private:
  double spacing_;
  std::array<std::int64_t, 2> first_, last_;
  double lowest_ = 0.0, highest_ = 0.0;
  /// A map at the nodes of the ground.
  struct Layer {
    std::shared_ptr<const ElevationGrid> nodes;  // if the spacings agree; never copied: it is large
    std::optional<ElevationMap> map;             // else
  };
  double at(const Layer& layer, std::int64_t ix, std::int64_t iy) const;
  Layer make_layer(std::shared_ptr<const ElevationGrid> grid) const;
  std::optional<Layer> heights_, reference_;  // none: flat, as the heights
  std::function<std::uint8_t(std::int64_t, std::int64_t)> soils_;
};

/// Nodes of a window side by side, row after row.
struct SoilWindow {
  GridWindow nodes;
  std::span<double> ground;  ///< empty: flat
  std::span<double> change, reference, loose;
  std::span<std::uint8_t> soil;  ///< empty: all of soil 0

  double height(std::size_t i) const { return ground.empty() ? change[i] : ground[i] + change[i]; }
};

class SoilSurface {
 public:
  static constexpr int kTile = 32;  ///< nodes along a side

  explicit SoilSurface(std::shared_ptr<const SoilGround> ground);

  const SoilGround& ground() const { return *ground_; }
  std::size_t tile_count() const { return tiles_.size(); }
  /// No node is higher [m].
  double highest() const { return highest_; }

  /// A window in scratch memory with what is there now.
  SoilWindow read(const GridWindow& window, Scratch& scratch) const;
  /// The same with what moves alone: without reference and, where it is flat, without ground.
  SoilWindow read_loose(const GridWindow& window, Scratch& scratch) const;
  /// Makes the tiles under a window, so that write() may be called for disjoint windows from
  /// several threads.
  void prepare(const GridWindow& window);
  /// Puts change and loose soil of the nodes back. Precondition: prepare() for these nodes. `stamp`
  /// marks tiles in which a height is now another one.
  void write(const SoilWindow& window, std::uint64_t stamp);
  /// After write(): what is the highest node now?
  void raise_highest(double height) { highest_ = std::max(highest_, height); }

  double height(std::int64_t ix, std::int64_t iy) const;
  /// Around everything that is stored; empty if nothing is.
  GridWindow touched() const;

  /// Volume of all soil compared with the undisturbed ground [m^3].
  double volume_change() const;

  /// Calls `visit(ix, iy, height)` for all nodes of tiles marked after `stamp`, in fixed order.
  template <class Visit>
  void for_each_change(std::uint64_t stamp, Visit&& visit) const {
    for (const auto& [key, tile] : tiles_) {
      if (tile->stamp <= stamp) continue;
      for (int y = 0; y < kTile; ++y)
        for (int x = 0; x < kTile; ++x) {
          const auto i = static_cast<std::size_t>(y * kTile + x);
          visit(key[1] * kTile + x, key[0] * kTile + y, tile->ground[i] + tile->change[i]);
        }
    }
  }

  void save(std::vector<std::byte>& out) const;
  std::size_t restore(std::span<const std::byte> in);

 private:
  static constexpr std::size_t kNodes = static_cast<std::size_t>(kTile) * kTile;
  struct Tile {
    std::array<double, kNodes> ground, change, reference, loose;
    std::array<std::uint8_t, kNodes> soil;
    std::uint64_t stamp = 0;
  };
  using Key = std::array<std::int64_t, 2>;  // row and column of the tile

  void copy_nodes(SoilWindow& out) const;
  /// Calls `visit(tile or null, key, part of the window that lies in it)`.
  template <class Visit>
  void for_each_tile(const GridWindow& window, Visit&& visit) const;
  std::unique_ptr<Tile> make_tile(const Key& key) const;

  std::shared_ptr<const SoilGround> ground_;
  std::map<Key, CopyOnWrite<Tile>> tiles_;
  double highest_;
};

}  // namespace grouser
