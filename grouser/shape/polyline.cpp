#include "grouser/shape/polyline.h"

#include "grouser/base/assert.h"
#include "grouser/shape/ball_groups.h"
#include "grouser/shape/point_list.h"

namespace grouser {

Polyline::Polyline(std::vector<Vec3> points, bool closed)
    : points_(std::move(points)), closed_(closed) {
  require_points(points_, closed ? 3 : 2, closed ? "a closed curve" : "a curve");
  require_distinct_neighbours(points_, closed);
  const std::size_t pieces = closed ? points_.size() : points_.size() - 1;
  for (std::size_t i = 0; i < pieces; ++i) {
    const Vec3 along = points_[(i + 1) % points_.size()] - points_[i];
    GROUSER_ASSERT(along.norm() > 0.0);
    pieces_.push_back({points_[i], along.normalized(), along.norm()});
  }
  groups_ = make_groups<Group>(pieces, [this](std::size_t i) {
    return std::array{points_[i], points_[(i + 1) % points_.size()]};
  });
}

double Polyline::length() const {
  double sum = 0.0;
  for (const Piece& piece : pieces_) sum += piece.length;
  return sum;
}

Box Polyline::box() const {
  Box box;
  for (const Vec3& point : points_) box.add(point);
  return box;
}

}  // namespace grouser
