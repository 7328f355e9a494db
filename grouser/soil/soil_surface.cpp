#include "grouser/soil/soil_surface.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/bytes.h"

namespace grouser {
namespace {

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

std::int64_t nodes_along(std::size_t nodes, double from, double to) {
  const double length = static_cast<double>(nodes - 1) * from;
  return static_cast<std::int64_t>(std::floor(length / to + 1e-9)) + 1;
}

}  // namespace

SoilGround::SoilGround(double spacing, std::array<std::int64_t, 2> first,
                       std::array<std::int64_t, 2> last)
    : spacing_(spacing), first_(first), last_(last) {
  GROUSER_ASSERT(spacing > 0.0 && first[0] <= last[0] && first[1] <= last[1]);
}

SoilGround::SoilGround(double spacing, std::shared_ptr<const ElevationGrid> given,
                       std::shared_ptr<const ElevationGrid> reference)
    : spacing_(spacing), first_{0, 0} {
  const ElevationGrid& heights = *given;
  require_sound(heights, {});
  last_ = {nodes_along(heights.nx, heights.spacing, spacing) - 1,
           nodes_along(heights.ny, heights.spacing, spacing) - 1};
  const auto [low, high] = std::minmax_element(heights.heights.begin(), heights.heights.end());
  // A smooth surface swings a little beyond the heights it goes through.
  const double swing = heights.spacing == spacing ? 0.0 : 0.3 * (*high - *low);
  lowest_ = *low - swing;
  highest_ = *high + swing;
  if (reference) {
    require_sound(*reference, {});
    if (reference->nx != heights.nx || reference->ny != heights.ny ||
        reference->spacing != heights.spacing)
      throw InputError("the map of the reference has " + std::to_string(reference->nx) + " x " +
                       std::to_string(reference->ny) + " nodes, that of the heights " +
                       std::to_string(heights.nx) + " x " + std::to_string(heights.ny) +
                       "; they must agree");
    reference_ = make_layer(std::move(reference));
  }
  heights_ = make_layer(std::move(given));
}

SoilGround::Layer SoilGround::make_layer(std::shared_ptr<const ElevationGrid> grid) const {
  Layer layer;
  if (grid->spacing == spacing_) {
    layer.nodes = std::move(grid);
    return layer;
  }
  ElevationGrid from_zero = *grid;
  from_zero.origin.setZero();
  layer.map.emplace(from_zero, ElevationMap::Kind::cubic, ElevationMap::Border::clamp);
  return layer;
}

double SoilGround::at(const Layer& layer, std::int64_t ix, std::int64_t iy) const {
  GROUSER_ASSERT(layer.map || layer.nodes);
  const std::int64_t x = std::clamp(ix, first_[0], last_[0]);
  const std::int64_t y = std::clamp(iy, first_[1], last_[1]);
  if (layer.map)
    return layer.map->height(spacing_ * static_cast<double>(x), spacing_ * static_cast<double>(y));
  return layer.nodes->heights[static_cast<std::size_t>(y * (last_[0] + 1) + x)];
}

double SoilGround::height(std::int64_t ix, std::int64_t iy) const {
  return heights_ ? at(*heights_, ix, iy) : 0.0;
}

double SoilGround::reference(std::int64_t ix, std::int64_t iy) const {
  return reference_ ? at(*reference_, ix, iy) : height(ix, iy);
}

void SoilGround::set_soils(std::function<std::uint8_t(std::int64_t, std::int64_t)> soils) {
  soils_ = std::move(soils);
}

SoilSurface::SoilSurface(std::shared_ptr<const SoilGround> ground)
    : ground_(std::move(ground)), highest_(ground_->highest()) {}

template <class Visit>
void SoilSurface::for_each_tile(const GridWindow& window, Visit&& visit) const {
  const std::int64_t x_end = window.ix0 + window.nx, y_end = window.iy0 + window.ny;
  for (std::int64_t ty = floor_division(window.iy0, kTile); ty * kTile < y_end; ++ty)
    for (std::int64_t tx = floor_division(window.ix0, kTile); tx * kTile < x_end; ++tx) {
      GridWindow part;
      part.ix0 = std::max(window.ix0, tx * kTile);
      part.iy0 = std::max(window.iy0, ty * kTile);
      part.nx = static_cast<int>(std::min(x_end, (tx + 1) * kTile) - part.ix0);
      part.ny = static_cast<int>(std::min(y_end, (ty + 1) * kTile) - part.iy0);
      GROUSER_ASSERT(!part.empty() && part.nx <= kTile && part.ny <= kTile);
      visit(Key{ty, tx}, part);
    }
}

SoilWindow SoilSurface::read(const GridWindow& window, Scratch& scratch) const {
  const std::size_t size = window.size();
  SoilWindow out{window,
                 scratch.take<double>(size),
                 scratch.take<double>(size),
                 scratch.take<double>(size),
                 scratch.take<double>(size),
                 scratch.take<std::uint8_t>(ground_->has_soils() ? size : 0)};
  copy_nodes(out);
  return out;
}

SoilWindow SoilSurface::read_loose(const GridWindow& window, Scratch& scratch) const {
  const std::size_t size = window.size();
  SoilWindow out{window,
                 scratch.take<double>(ground_->flat() ? 0 : size),
                 scratch.take<double>(size),
                 {},
                 scratch.take<double>(size),
                 {}};
  copy_nodes(out);
  return out;
}

/// Fills those of the arrays that there are.
void SoilSurface::copy_nodes(SoilWindow& out) const {
  const bool flat = ground_->flat();
  if (flat) std::fill(out.ground.begin(), out.ground.end(), 0.0);
  const bool ground = !flat, reference = !out.reference.empty(), soils = !out.soil.empty();
  for_each_tile(out.nodes, [&](const Key& key, const GridWindow& part) {
    const auto found = tiles_.find(key);
    for (int y = 0; y < part.ny; ++y) {
      const std::size_t to = out.nodes.index(part.ix0, part.iy0 + y);
      const auto count = static_cast<std::size_t>(part.nx);
      if (found != tiles_.end()) {
        const Tile& tile = *found->second;
        const auto from = static_cast<std::size_t>((part.iy0 + y - key[0] * kTile) * kTile +
                                                   part.ix0 - key[1] * kTile);
        if (ground) std::copy_n(tile.ground.data() + from, count, out.ground.data() + to);
        std::copy_n(tile.change.data() + from, count, out.change.data() + to);
        if (reference) std::copy_n(tile.reference.data() + from, count, out.reference.data() + to);
        std::copy_n(tile.loose.data() + from, count, out.loose.data() + to);
        if (soils) std::copy_n(tile.soil.data() + from, count, out.soil.data() + to);
        continue;
      }
      for (std::size_t x = 0; x < count; ++x) {
        const std::int64_t ix = part.ix0 + static_cast<std::int64_t>(x);
        if (ground) out.ground[to + x] = ground_->height(ix, part.iy0 + y);
        out.change[to + x] = 0.0;
        out.loose[to + x] = 0.0;
        if (reference) out.reference[to + x] = ground_->reference(ix, part.iy0 + y);
        if (soils) out.soil[to + x] = ground_->soil(ix, part.iy0 + y);
      }
    }
  });
}

std::unique_ptr<SoilSurface::Tile> SoilSurface::make_tile(const Key& key) const {
  auto tile = std::make_unique<Tile>();
  for (int y = 0; y < kTile; ++y)
    for (int x = 0; x < kTile; ++x) {
      const auto i = static_cast<std::size_t>(y * kTile + x);
      tile->ground[i] = ground_->height(key[1] * kTile + x, key[0] * kTile + y);
      tile->change[i] = 0.0;
      tile->loose[i] = 0.0;
      tile->reference[i] = ground_->reference(key[1] * kTile + x, key[0] * kTile + y);
      tile->soil[i] = ground_->soil(key[1] * kTile + x, key[0] * kTile + y);
    }
  return tile;
}

void SoilSurface::prepare(const GridWindow& window) {
  for_each_tile(window, [&](const Key& key, const GridWindow&) {
    CopyOnWrite<Tile>& tile = tiles_[key];
    if (!tile)
      tile = CopyOnWrite<Tile>(make_tile(key));
    else
      tile.write();  // a tile of its own, from here on
  });
}

void SoilSurface::write(const SoilWindow& window, std::uint64_t stamp) {
  GROUSER_ASSERT(window.change.size() == window.nodes.size());
  GROUSER_ASSERT(window.loose.size() == window.nodes.size());
  for_each_tile(window.nodes, [&](const Key& key, const GridWindow& part) {
    GROUSER_ASSERT(tiles_.contains(key));  // see prepare()
    Tile& tile = tiles_.find(key)->second.write();
    GROUSER_ASSERT(std::atomic_ref(tile.stamp).load(std::memory_order_relaxed) <= stamp);
    bool changed = false;
    for (int y = 0; y < part.ny; ++y) {
      const std::size_t from = window.nodes.index(part.ix0, part.iy0 + y);
      const auto to = static_cast<std::size_t>((part.iy0 + y - key[0] * kTile) * kTile + part.ix0 -
                                               key[1] * kTile);
      const std::size_t bytes = static_cast<std::size_t>(part.nx) * sizeof(double);
      if (std::memcmp(tile.change.data() + to, window.change.data() + from, bytes) != 0) {
        std::memcpy(tile.change.data() + to, window.change.data() + from, bytes);
        changed = true;
      }
      std::memcpy(tile.loose.data() + to, window.loose.data() + from, bytes);
    }
    // Two windows may end in one tile; both write the same stamp.
    if (changed) std::atomic_ref(tile.stamp).store(stamp, std::memory_order_relaxed);
  });
}

double SoilSurface::height(std::int64_t ix, std::int64_t iy) const {
  const Key key{floor_division(iy, kTile), floor_division(ix, kTile)};
  const auto found = tiles_.find(key);
  if (found == tiles_.end()) return ground_->height(ix, iy);
  const auto i = static_cast<std::size_t>((iy - key[0] * kTile) * kTile + ix - key[1] * kTile);
  return found->second->ground[i] + found->second->change[i];
}

GridWindow SoilSurface::touched() const {
  GridWindow out;
  if (tiles_.empty()) return out;
  Key low = tiles_.begin()->first, high = low;
  for (const auto& [key, tile] : tiles_)
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], key[k]);
      high[k] = std::max(high[k], key[k]);
    }
  out.iy0 = low[0] * kTile;
  out.ix0 = low[1] * kTile;
  out.ny = static_cast<int>((high[0] - low[0] + 1) * kTile);
  out.nx = static_cast<int>((high[1] - low[1] + 1) * kTile);
  return out;
}

double SoilSurface::volume_change() const {
  // Compensated: many small numbers of both signs.
  double sum = 0.0, rest = 0.0;
  for (const auto& [key, tile] : tiles_)
    for (const double change : tile->change) {
      const double y = change - rest;
      const double t = sum + y;
      rest = (t - sum) - y;
      sum = t;
    }
  return sum * ground_->spacing() * ground_->spacing();
}

void SoilSurface::save(std::vector<std::byte>& out) const {
  const std::uint64_t count = tiles_.size();
  append_bytes(out, &count, sizeof count);
  append_bytes(out, &highest_, sizeof highest_);
  for (const auto& [key, tile] : tiles_) {
    append_bytes(out, key.data(), sizeof key);
    append_bytes(out, &tile->stamp, sizeof tile->stamp);
    append_bytes(out, tile->change.data(), sizeof tile->change);
    append_bytes(out, tile->reference.data(), sizeof tile->reference);
    append_bytes(out, tile->loose.data(), sizeof tile->loose);
  }
}

std::size_t SoilSurface::restore(std::span<const std::byte> in) {
  const std::size_t all = in.size();
  const auto take = [&](void* data, std::size_t size) {
    if (in.size() < size) throw InputError("saved soil is too short");
    std::memcpy(data, in.data(), size);
    in = in.subspan(size);
  };
  std::uint64_t count = 0;
  double highest = 0.0;
  take(&count, sizeof count);
  take(&highest, sizeof highest);
  std::map<Key, CopyOnWrite<Tile>> tiles;
  for (std::uint64_t i = 0; i < count; ++i) {
    Key key;
    take(key.data(), sizeof key);
    if (in.size() < 3 * kNodes * sizeof(double)) throw InputError("saved soil is too short");
    std::unique_ptr<Tile> tile = make_tile(key);
    take(&tile->stamp, sizeof tile->stamp);
    take(tile->change.data(), sizeof tile->change);
    take(tile->reference.data(), sizeof tile->reference);
    take(tile->loose.data(), sizeof tile->loose);
    tiles[key] = CopyOnWrite<Tile>(std::move(tile));
  }
  tiles_ = std::move(tiles);
  highest_ = highest;
  return all - in.size();
}

}  // namespace grouser
