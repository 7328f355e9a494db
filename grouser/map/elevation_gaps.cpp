#include "grouser/map/elevation_gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

/// Heights in rows of nx.
struct Heights {
  std::size_t nx, ny;
  std::vector<double> z;

  double at(std::size_t ix, std::size_t iy) const { return z[iy * nx + ix]; }
};

/// Half as many each way: means of what is known of 2 x 2, a gap where nothing is.
Heights halved(const Heights& fine) {
  Heights out{(fine.nx + 1) / 2, (fine.ny + 1) / 2, {}};
  for (std::size_t iy = 0; iy < out.ny; ++iy)
    for (std::size_t ix = 0; ix < out.nx; ++ix) {
      double sum = 0.0, count = 0.0;
      for (std::size_t y = 2 * iy; y < std::min(2 * iy + 2, fine.ny); ++y)
        for (std::size_t x = 2 * ix; x < std::min(2 * ix + 2, fine.nx); ++x)
          if (std::isfinite(fine.at(x, y))) {
            sum += fine.at(x, y);
            count += 1.0;
          }
      out.z.push_back(count > 0.0 ? sum / count : std::numeric_limits<double>::quiet_NaN());
    }
  return out;
}

/// The two of the coarse grid that a fine node lies between; the nearer counts three quarters.
struct Neighbours {
  std::size_t near, far;
};
Neighbours coarse_neighbours(std::size_t fine, std::size_t coarse_count) {
  const std::size_t near = fine / 2;
  const bool right = fine % 2 == 1;
  const std::size_t far = right ? std::min(near + 1, coarse_count - 1) : near - (near > 0 ? 1 : 0);
  return {near, far};
}

double between(const Heights& coarse, std::size_t ix, std::size_t iy) {
  const Neighbours x = coarse_neighbours(ix, coarse.nx), y = coarse_neighbours(iy, coarse.ny);
  const auto row = [&](std::size_t j) {
    return 0.75 * coarse.at(x.near, j) + 0.25 * coarse.at(x.far, j);
  };
  return 0.75 * row(y.near) + 0.25 * row(y.far);
}

/// From a coarser grid, which is filled first.
void fill(Heights& heights) {
  const std::vector<std::size_t> gaps = gaps_of(heights.z);
  if (gaps.empty()) return;
  Heights coarse = halved(heights);
  fill(coarse);
  for (const std::size_t i : gaps) heights.z[i] = between(coarse, i % heights.nx, i / heights.nx);
}

/// Every gap becomes the mean of its neighbours, some times over.
void smooth(Heights& heights, std::span<const std::size_t> gaps) {
  constexpr int kSweeps = 20;  // takes away what the blocks of the coarser grids have left
  const std::size_t nx = heights.nx;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (const std::size_t i : gaps) {
      const std::size_t ix = i % nx, iy = i / nx;
      double sum = 0.0, count = 0.0;
      const auto add = [&](bool there, std::size_t j) {
        if (!there) return;
        sum += heights.z[j];
        count += 1.0;
      };
      add(ix > 0, i - 1);
      add(ix + 1 < nx, i + 1);
      add(iy > 0, i - nx);
      add(iy + 1 < heights.ny, i + nx);
      GROUSER_ASSERT(count >= 2.0);
      heights.z[i] = sum / count;
    }
}

}  // namespace

std::vector<std::size_t> gaps_of(std::span<const double> heights) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!std::isfinite(heights[i])) out.push_back(i);
  return out;
}

std::vector<double> heights_without_gaps(const ElevationGrid& grid,
                                         std::span<const std::size_t> gaps) {
  GROUSER_ASSERT(grid.heights.size() == grid.nx * grid.ny && gaps.size() < grid.heights.size());
  GROUSER_ASSERT(std::ranges::equal(gaps, gaps_of(grid.heights)));
  Heights heights{grid.nx, grid.ny, grid.heights};
  fill(heights);
  smooth(heights, gaps);
  GROUSER_ASSERT(all_finite(heights.z));
  return std::move(heights.z);
}

}  // namespace grouser
