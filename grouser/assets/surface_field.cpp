#include "grouser/assets/surface_field.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/map/elevation_file.h"
#include "grouser/math/formula.h"
#include "grouser/math/monotone.h"

namespace grouser {
namespace {

/// A function of one station and its derivatives.
struct AlongStation {
  double z = 0.0, slope = 0.0, curvature = 0.0;
};

/// Something that changes along one direction only. `Shape` answers at(station).
template <class Shape>
class DirectedField final : public SurfaceField {
 public:
  DirectedField(Shape shape, double direction, const Vec2& center)
      : shape_(std::move(shape)),
        cosine_(std::cos(direction)),
        sine_(std::sin(direction)),
        center_(center) {}

  SurfaceHeight at(double x, double y) const override {
    const double station = cosine_ * (x - center_.x()) + sine_ * (y - center_.y());
    const AlongStation f = shape_.at(station);
    return {f.z,
            cosine_ * f.slope,
            sine_ * f.slope,
            cosine_ * cosine_ * f.curvature,
            cosine_ * sine_ * f.curvature,
            sine_ * sine_ * f.curvature};
  }

 private:
  Shape shape_;
  double cosine_, sine_;
  Vec2 center_;
};

template <class Shape>
std::unique_ptr<SurfaceField> directed(Shape shape, double direction, const Vec2& center) {
  return std::make_unique<DirectedField<Shape>>(std::move(shape), direction, center);
}

/// max(0, s), with the kink rounded by a parabola of length r.
AlongStation soft_ramp(double s, double r) {
  if (s >= 0.5 * r) return {s, 1.0, 0.0};
  if (s <= -0.5 * r) return {};
  const double t = s + 0.5 * r;
  return {0.5 * t * t / r, t / r, 1.0 / r};
}

/// From 0 to `height` between stations 0 and `width`.
struct Ramp {
  double height, width, rounding;

  AlongStation at(double s) const {
    const AlongStation up = soft_ramp(s, rounding), down = soft_ramp(s - width, rounding);
    const double slope = height / width;
    // The level beyond the end is exactly `height`.
    if (s >= width + 0.5 * rounding) return {height, 0.0, 0.0};
    return {slope * (up.z - down.z), slope * (up.slope - down.slope),
            slope * (up.curvature - down.curvature)};
  }
};

struct Incline {
  double slope;
  AlongStation at(double s) const { return {slope * s, slope, 0.0}; }
};

struct RampAt {
  Ramp ramp;
  double from;
  AlongStation at(double s) const { return ramp.at(s - from); }
};

struct Stairs {
  Ramp riser;
  double start, tread;
  int count;

  AlongStation at(double s) const {
    const double from = s - start + 0.5 * riser.rounding;
    const double step = std::clamp(std::floor(from / tread), 0.0, count - 1.0);
    AlongStation out = riser.at(s - start - step * tread);
    out.z += step * riser.height;
    return out;
  }
};

struct Profile {
  std::vector<Vec2> points;
  std::vector<double> slopes;  // at the points, for cubic pieces; empty: straight pieces

  AlongStation at(double s) const {
    if (s <= points.front().x()) return {points.front().y(), 0.0, 0.0};
    if (s >= points.back().x()) return {points.back().y(), 0.0, 0.0};
    const auto after = std::upper_bound(points.begin(), points.end(), s,
                                        [](double x, const Vec2& p) { return x < p.x(); });
    const auto i = static_cast<std::size_t>(after - points.begin()) - 1;
    const double length = points[i + 1].x() - points[i].x(), t = (s - points[i].x()) / length;
    const double rise = points[i + 1].y() - points[i].y();
    if (slopes.empty()) return {points[i].y() + t * rise, rise / length, 0.0};
    // z = z0 + m0 t + (3 d - 2 m0 - m1) t^2 + (m0 + m1 - 2 d) t^3, slopes per piece.
    const double m0 = slopes[i] * length, m1 = slopes[i + 1] * length;
    const double c2 = 3.0 * rise - 2.0 * m0 - m1, c3 = m0 + m1 - 2.0 * rise;
    return {points[i].y() + t * (m0 + t * (c2 + t * c3)),
            (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / length,
            (2.0 * c2 + 6.0 * t * c3) / (length * length)};
  }
};

/// Slopes at the points that keep cubic pieces within their ends; zero at the first and the last.
std::vector<double> monotone_slopes(const std::vector<Vec2>& p) {
  std::vector<double> out(p.size(), 0.0);
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    const double h0 = p[i].x() - p[i - 1].x(), h1 = p[i + 1].x() - p[i].x();
    out[i] = monotone_slope(h0, (p[i].y() - p[i - 1].y()) / h0, h1, (p[i + 1].y() - p[i].y()) / h1);
  }
  return out;
}

class FileField final : public SurfaceField {
 public:
  FileField(const ElevationGrid& grid, const FileLayer& layer)
      : map_(grid, layer.kind,
             layer.border == FileLayer::Border::clamp ? ElevationMap::Border::clamp
                                                      : ElevationMap::Border::extrapolate,
             Place{layer.file, 0, 0}),
        scale_(layer.height_scale),
        offset_(layer.offset) {}

  SurfaceHeight at(double x, double y) const override {
    SurfaceHeight out = map_.at(x, y);
    out.z = scale_ * out.z + offset_;
    for (double* d : {&out.dx, &out.dy, &out.dxx, &out.dxy, &out.dyy}) *d *= scale_;
    return out;
  }

 private:
  ElevationMap map_;
  double scale_, offset_;
};

class FormulaField final : public SurfaceField {
 public:
  FormulaField(Formula formula, const Vec2& center)
      : formula_(std::move(formula)), center_(center) {}

  SurfaceHeight at(double x, double y) const override {
    const Jet z = formula_.at(x - center_.x(), y - center_.y());
    return {z.f, z.fu, z.fv, z.fuu, z.fuv, z.fvv};
  }

 private:
  Formula formula_;
  Vec2 center_;
};

std::string text_of(const Vec2& size, const Vec2& corner) {
  return to_text(size.x()) + " x " + to_text(size.y()) + " m from (" + to_text(corner.x()) + ", " +
         to_text(corner.y()) + ") on";
}

void require_cover(const Vec2& origin, const Vec2& size, const LayerContext& context) {
  // A map as large as the surface covers it, whatever rounding says.
  const Vec2 margin = 1e-9 * size + 1e-15 * context.center.cwiseAbs();
  const Vec2 below = origin - margin - context.lower;
  const Vec2 above = context.upper - (origin + size + margin);
  if (below.maxCoeff() > 0.0 || above.maxCoeff() > 0.0)
    context.refuse("file", "must cover the surface, " + text_of(context.size(), context.lower) +
                               ": the map is " + text_of(size, origin) +
                               "; border = \"clamp\" or \"extrapolate\" goes on beyond it");
}

}  // namespace

void SurfaceField::add_row(std::span<const double> x, double y, std::span<double> z) const {
  for (std::size_t i = 0; i < x.size(); ++i) z[i] += at(x[i], y).z;
}

void LayerContext::refuse(const std::string& key, const std::string& reason) const {
  throw InputError(place, parameters_detail::joined(path, key) + " " + reason);
}

std::unique_ptr<SurfaceField> make_field(const FileLayer& layer, const LayerContext& context) {
  ElevationGrid grid = layer.map ? *layer.map : read_elevation_file(layer.file);
  if (!layer.map && !layer.content.empty()) {
    const std::string content = elevation_fingerprint(grid);
    if (layer.content != content)
      context.refuse("content", "must be that of the map, " + content + ", is " + layer.content);
  }
  if (layer.spacing > 0.0) grid.spacing = layer.spacing;
  require_sound(grid, Place{layer.file, 0, 0});
  const Vec2 size =
      grid.spacing * Vec2(static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1));
  if (layer.centered) grid.origin = context.center - 0.5 * size;
  if (layer.border == FileLayer::Border::refuse) require_cover(grid.origin, size, context);
  return std::make_unique<FileField>(grid, layer);
}

std::unique_ptr<SurfaceField> make_field(const ProfileLayer& layer, const LayerContext& context) {
  if (layer.points.size() < 2)
    context.refuse("points",
                   "must have at least 2 points, has " + std::to_string(layer.points.size()));
  for (std::size_t i = 1; i < layer.points.size(); ++i)
    if (!(layer.points[i].x() > layer.points[i - 1].x()))
      context.refuse("points." + std::to_string(i),
                     "must have a station above that of the point before, " +
                         to_text(layer.points[i - 1].x()) + ", is " + to_text(layer.points[i].x()));
  Profile profile{layer.points, {}};
  if (layer.kind == ProfileLayer::Kind::smooth) profile.slopes = monotone_slopes(layer.points);
  return directed(std::move(profile), layer.direction, context.center);
}

std::unique_ptr<SurfaceField> make_field(const SlopeLayer& layer, const LayerContext& context) {
  const double slope = std::tan(layer.angle), length = layer.to - layer.from;
  if (length == 0.0) {
    if (layer.rounding > 0.0)
      context.refuse("rounding", "is for ramps: give `from` and `to` as well");
    return directed(Incline{slope}, layer.direction, context.center);
  }
  if (length < 0.0)
    context.refuse("to",
                   "must be above from, " + to_text(layer.from) + ", is " + to_text(layer.to));
  if (layer.rounding > length)
    context.refuse("rounding", "must be at most the length of the ramp, " + to_text(length) +
                                   ", is " + to_text(layer.rounding));
  return directed(RampAt{{slope * length, length, layer.rounding}, layer.from}, layer.direction,
                  context.center);
}

std::unique_ptr<SurfaceField> make_field(const StairsLayer& layer, const LayerContext& context) {
  const double width = layer.riser_width > 0.0 ? layer.riser_width : context.spacing;
  if (layer.rounding > width)
    context.refuse("rounding", "must be at most the width of a riser, " + to_text(width) + ", is " +
                                   to_text(layer.rounding));
  if (layer.count > 1 && width + layer.rounding > layer.tread)
    context.refuse("tread", "must be at least riser_width + rounding, " +
                                to_text(width + layer.rounding) + ", is " + to_text(layer.tread));
  const Ramp riser{layer.height, width, layer.rounding};
  return directed(Stairs{riser, layer.start, layer.tread, layer.count}, layer.direction,
                  context.center);
}

std::unique_ptr<SurfaceField> make_field(const FormulaLayer& layer, const LayerContext& context) {
  try {
    return std::make_unique<FormulaField>(Formula(layer.z, {"x", "y"}), context.center);
  } catch (const InputError& error) {
    context.refuse("z", std::string("is no formula: ") + error.what());
  }
}

}  // namespace grouser
