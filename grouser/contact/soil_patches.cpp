#include "grouser/contact/soil_patches.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace grouser {
namespace {

/// The first of a set of labels that were found to be one.
std::int32_t root_of(std::span<std::int32_t> parent, std::int32_t label) {
  while (parent[static_cast<std::size_t>(label)] != label) {
    auto& up = parent[static_cast<std::size_t>(label)];
    up = parent[static_cast<std::size_t>(up)];
    label = up;
  }
  return label;
}

class Outline {
 public:
  explicit Outline(const SoilFootprint& f) : f_(f) {}

  bool inside(int i) const { return f_.depth[at(i)] > 0.0 && f_.coverage[at(i)] > 0.5; }
  /// Touched, but by less than half a cell.
  bool at_edge(int i) const { return f_.depth[at(i)] > 0.0 && f_.coverage[at(i)] > 0.0; }

  /// Length of the outline between the four nodes of which `i` is the lower left one, in spacings,
  /// given to the patches of the nodes inside by `add(node, length)`.
  template <class Add>
  void measure(int i, Add&& add) const {
    const std::array<int, 4> node = {i, i + 1, i + 1 + f_.nx, i + f_.nx};  // around the square
    static constexpr double kX[4] = {0, 1, 1, 0}, kY[4] = {0, 0, 1, 1};
    std::array<bool, 4> in;
    for (std::size_t k = 0; k < 4; ++k) in[k] = inside(node[k]);
    if (in[0] == in[1] && in[1] == in[2] && in[2] == in[3]) return;

    // Where the outline crosses the side from corner k to the next one.
    std::array<double, 4> x{}, y{};
    std::array<bool, 4> crosses{};
    int count = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t m = (k + 1) % 4;
      crosses[k] = in[k] != in[m];
      if (!crosses[k]) continue;
      ++count;
      const double t = in[k] ? distance(node[k], node[m]) : 1.0 - distance(node[m], node[k]);
      x[k] = kX[k] + t * (kX[m] - kX[k]);
      y[k] = kY[k] + t * (kY[m] - kY[k]);
    }
    const auto length = [&](std::size_t a, std::size_t b) {
      return std::hypot(x[a] - x[b], y[a] - y[b]);
    };
    if (count == 2) {
      std::size_t side[2];
      std::size_t found = 0, corner = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        if (crosses[k]) side[found++] = k;
        if (in[k]) corner = k;
      }
      add(node[corner], length(side[0], side[1]));
      return;
    }
    // Two corners across: cut off one by one.
    for (std::size_t k = 0; k < 4; ++k)
      if (in[k]) add(node[k], length((k + 3) % 4, k));
  }

  /// Area between the side of a node's cell and an outline where the depth ends, in cells: what the
  /// chords along x say, and those along y, in the mean.
  double beyond(int i) const {
    if (!inside(i)) return 0.0;
    double area = 0.0;
    for (const int j : {i - 1, i + 1, i - f_.nx, i + f_.nx})
      if (!inside(j) && f_.coverage[at(j)] > 0.5) area += 0.5 * (distance(i, j) - 0.5);
    return area;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  /// Of the outline from a node inside, towards a neighbour outside, in spacings.
  double distance(int from, int to) const {
    if (f_.coverage[at(to)] > 0.5) {  // it rises out of the ground
      const double d = f_.depth[at(from)], e = f_.depth[at(to)];
      return std::isfinite(e) ? d / (d - e) : 0.5;
    }
    return std::clamp(f_.coverage[at(from)] + f_.coverage[at(to)] - 0.5, 0.0, 1.0);
  }

  const SoilFootprint& f_;
};

}  // namespace

std::span<SoilPatch> find_patches(const SoilFootprint& footprint, std::span<std::int32_t> labels,
                                  Scratch& scratch) {
  const Outline outline(footprint);
  const int nx = footprint.nx, ny = footprint.ny;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::fill(labels.begin(), labels.end(), -1);

  // Labels row by row; equal ones are joined under the smaller number.
  ScratchList<std::int32_t> parents(scratch);
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * nx + x;
      if (!outline.inside(i)) continue;
      const std::int32_t left = labels[at(i - 1)], below = labels[at(i - nx)];
      const std::span<std::int32_t> parent = parents.items();
      if (left < 0 && below < 0) {
        labels[at(i)] = static_cast<std::int32_t>(parent.size());
        parents.add(labels[at(i)]);
      } else if (left >= 0 && below >= 0) {
        const std::int32_t a = root_of(parent, left), b = root_of(parent, below);
        labels[at(i)] = std::min(a, b);
        parent[at(std::max(a, b))] = std::min(a, b);
      } else {
        labels[at(i)] = std::max(left, below);
      }
    }
  // What is touched by less than half a cell goes with a neighbour, or is a patch of its own.
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * nx + x;
      if (labels[at(i)] >= 0 || !outline.at_edge(i)) continue;
      std::int32_t label = -1;
      for (const int j :
           {i - 1, i + 1, i - nx, i + nx, i - nx - 1, i - nx + 1, i + nx - 1, i + nx + 1})
        if (label < 0 && labels[at(j)] >= 0) label = labels[at(j)];
      if (label < 0) {
        label = static_cast<std::int32_t>(parents.items().size());
        parents.add(label);
      }
      labels[at(i)] = label;
    }

  const std::span<std::int32_t> parent = parents.items();
  std::int32_t count = 0;
  const std::span<std::int32_t> number = scratch.take<std::int32_t>(parent.size());
  for (std::size_t l = 0; l < parent.size(); ++l) {
    const std::int32_t root = root_of(parent, static_cast<std::int32_t>(l));
    number[l] = root == static_cast<std::int32_t>(l) ? count++ : number[at(root)];
  }
  const std::span<SoilPatch> patches = scratch.take<SoilPatch>(at(count));
  std::fill(patches.begin(), patches.end(), SoilPatch{});
  const double cell = footprint.spacing * footprint.spacing;
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * nx + x;
      if (labels[at(i)] >= 0) {
        labels[at(i)] = number[at(labels[at(i)])];
        patches[at(labels[at(i)])].area += cell * (footprint.coverage[at(i)] + outline.beyond(i));
      }
    }
  for (int y = 0; y < ny - 1; ++y)
    for (int x = 0; x < nx - 1; ++x)
      outline.measure(y * nx + x, [&](int node, double length) {
        patches[at(labels[at(node)])].perimeter += footprint.spacing * length;
      });
  // Thinner than half a cell: as a strip.
  for (SoilPatch& patch : patches)
    if (patch.perimeter == 0.0) patch.perimeter = 2.0 * footprint.spacing;
  return patches;
}

}  // namespace grouser
