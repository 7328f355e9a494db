#include "grouser/assets/rock_placement.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

DiscGrid::DiscGrid(const Vec2& lower, const Vec2& upper, double cell)
    : lower_(lower), inverse_cell_(1.0 / cell) {
  GROUSER_ASSERT(cell > 0.0);
  const Vec2 count = ((upper - lower) * inverse_cell_).array().ceil();
  nx_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(count.x()));
  ny_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(count.y()));
  first_.assign(static_cast<std::size_t>(nx_ * ny_), -1);
}

/// Parts beyond the rectangle count to the cells at its border, for discs and questions alike.
DiscGrid::Cells DiscGrid::cells_around(const Vec2& center, double reach) const {
  const auto cell = [&](double offset, std::int64_t count) {
    const double place = std::floor(offset * inverse_cell_);
    return static_cast<std::int64_t>(std::clamp(place, 0.0, static_cast<double>(count - 1)));
  };
  const Vec2 offset = center - lower_;
  return {cell(offset.x() - reach, nx_), cell(offset.x() + reach, nx_),
          cell(offset.y() - reach, ny_), cell(offset.y() + reach, ny_)};
}

bool DiscGrid::is_free(const Vec2& center, double radius, double gap) const {
  GROUSER_ASSERT(radius + gap >= 0.0);
  const Cells cells = cells_around(center, radius + gap);
  for (std::int64_t y = cells.y0; y <= cells.y1; ++y)
    for (std::int64_t x = cells.x0; x <= cells.x1; ++x)
      for (std::int32_t link = first_[static_cast<std::size_t>(y * nx_ + x)]; link >= 0;) {
        const Link& entry = links_[static_cast<std::size_t>(link)];
        const Disc& disc = discs_[static_cast<std::size_t>(entry.disc)];
        const double distance = radius + disc.radius + gap;
        if ((disc.center - center).squaredNorm() < distance * distance) return false;
        link = entry.next;
      }
  return true;
}

void DiscGrid::add(const Vec2& center, double radius) {
  GROUSER_ASSERT(center.allFinite() && radius >= 0.0);
  const auto disc = static_cast<std::int32_t>(discs_.size());
  discs_.push_back({center, radius});
  const Cells cells = cells_around(center, radius);
  for (std::int64_t y = cells.y0; y <= cells.y1; ++y)
    for (std::int64_t x = cells.x0; x <= cells.x1; ++x) {
      std::int32_t& first = first_[static_cast<std::size_t>(y * nx_ + x)];
      links_.push_back({disc, first});
      first = static_cast<std::int32_t>(links_.size() - 1);
    }
}

}  // namespace grouser
