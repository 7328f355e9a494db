#include "grouser/assets/craters.h"

#include <algorithm>
#include <cmath>

#include "grouser/assets/noise.h"
#include "grouser/assets/surface_field.h"
#include "grouser/base/assert.h"
#include "grouser/base/random.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

// In radii: where the ejecta begin to fade, and where they are gone.
constexpr double kFadeFrom = 3.0, kReach = 5.0;

double distance_to_box(const Vec2& p, const Vec2& lower, const Vec2& upper) {
  return (p - p.cwiseMax(lower).cwiseMin(upper)).norm();
}

/// Inverse of the size-frequency law between its ends: `part` in [0, 1) is the share of smaller
/// craters.
double diameter_at(const CraterLayer& layer, double part) {
  const double ratio = std::pow(layer.max_diameter / layer.min_diameter, -layer.exponent);
  return layer.min_diameter * std::pow(1.0 - part * (1.0 - ratio), -1.0 / layer.exponent);
}

/// Mean of D^2 over the law.
double mean_square_diameter(const CraterLayer& layer) {
  // The density of diameters is b D^(-b - 1) / (Dmin^-b - Dmax^-b), here in units of Dmin.
  const double b = layer.exponent, most = layer.max_diameter / layer.min_diameter;
  const double integral =
      b == 2.0 ? 2.0 * std::log(most) : b * (1.0 - std::pow(most, 2.0 - b)) / (b - 2.0);
  return layer.min_diameter * layer.min_diameter * integral / (1.0 - std::pow(most, -b));
}

/// Craters sorted into square bins over the surface, so that a point meets few of them.
class CraterField final : public SurfaceField {
 public:
  CraterField(std::vector<CraterShape> craters, const Vec2& lower, const Vec2& upper)
      : craters_(std::move(craters)), lower_(lower), upper_(upper) {
    double across = std::clamp(std::sqrt(static_cast<double>(craters_.size())), 1.0, 512.0);
    do {
      bin_ = (upper - lower).maxCoeff() / std::floor(across);
      nx_ = bins_along((upper - lower).x());
      ny_ = bins_along((upper - lower).y());
      across = std::max(1.0, 0.5 * across);
    } while (nx_ * ny_ > 1 && entries() > kMostEntries);
    bins_.resize(nx_ * ny_);
    GROUSER_ASSERT(nx_ >= 1 && ny_ >= 1 && bin_ > 0.0);
    for (std::size_t i = 0; i < craters_.size(); ++i) enter(i);
  }

  SurfaceHeight at(double x, double y) const override {
    SurfaceHeight sum;
    for_each_near(x, y, [&](const CraterShape& crater) { crater.add(x, y, sum); });
    return sum;
  }
  void add_row(std::span<const double> x, double y, std::span<double> z) const override {
    for (std::size_t i = 0; i < x.size(); ++i) {
      double sum = 0.0;
      for_each_near(x[i], y, [&](const CraterShape& crater) { crater.add_height(x[i], y, sum); });
      z[i] += sum;
    }
  }

 private:
  static constexpr double kMostEntries = 2e7;

  /// Bins that all craters together will stand in, or a few more.
  double entries() const {
    double sum = 0.0;
    for (const CraterShape& crater : craters_) {
      const double bins = 2.0 + 2.0 * crater.reach() / bin_;
      sum += std::min(bins, static_cast<double>(nx_)) * std::min(bins, static_cast<double>(ny_));
    }
    return sum;
  }

  std::size_t bins_along(double length) const {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(length / bin_ - 1e-9)));
  }
  std::size_t bin_at(double offset, std::size_t n) const {
    return static_cast<std::size_t>(
        std::clamp(std::floor(offset / bin_), 0.0, static_cast<double>(n - 1)));
  }

  void enter(std::size_t index) {
    const CraterShape& crater = craters_[index];
    const Vec2 low = crater.position() - Vec2::Constant(crater.reach()) - lower_;
    const Vec2 high = crater.position() + Vec2::Constant(crater.reach()) - lower_;
    for (std::size_t iy = bin_at(low.y(), ny_); iy <= bin_at(high.y(), ny_); ++iy)
      for (std::size_t ix = bin_at(low.x(), nx_); ix <= bin_at(high.x(), nx_); ++ix) {
        const Vec2 corner = lower_ + bin_ * Vec2(static_cast<double>(ix), static_cast<double>(iy));
        // A little wider, so that rounding takes no crater from a bin.
        const Vec2 margin = Vec2::Constant(1e-6 * bin_);
        if (distance_to_box(crater.position(), corner - margin,
                            corner + Vec2::Constant(bin_) + margin) < crater.reach())
          bins_[iy * nx_ + ix].push_back(static_cast<std::uint32_t>(index));
      }
  }

  template <class Visit>
  void for_each_near(double x, double y, Visit&& visit) const {
    if (x < lower_.x() || y < lower_.y() || x > upper_.x() || y > upper_.y()) {
      for (const CraterShape& crater : craters_) visit(crater);
      return;
    }
    const std::size_t ix = bin_at(x - lower_.x(), nx_), iy = bin_at(y - lower_.y(), ny_);
    for (const std::uint32_t i : bins_[iy * nx_ + ix]) visit(craters_[i]);
  }

  std::vector<CraterShape> craters_;
  Vec2 lower_, upper_;
  double bin_;
  std::size_t nx_, ny_;
  std::vector<std::vector<std::uint32_t>> bins_;
};

}  // namespace

CraterShape::CraterShape(const Crater& crater, double depth, double rim)
    : position_(crater.position),
      inverse_radius_square_(4.0 / (crater.diameter * crater.diameter)),
      reach_(0.5 * kReach * crater.diameter),
      depth_(crater.diameter * depth * (1.0 - 0.85 * crater.degradation)),
      rim_(crater.diameter * rim * (1.0 - crater.degradation) * (1.0 - crater.degradation)) {
  GROUSER_ASSERT(crater.diameter > 0.0 && is_share(crater.degradation));
  // Powers 2, 2n and 2m of r that rise by d from floor to rim, with slope 0 and the curvature of
  // the ejecta there, -45 h. Sharp bowls are fresh, soft ones degraded, and mixtures keep all this.
  const auto add_bowl = [&](double share, std::size_t n, std::size_t m) {
    const auto order_n = static_cast<double>(n), order_m = static_cast<double>(m);
    const double c = (order_n * depth_ - 11.25 * rim_) / ((order_m - 1.0) * (order_m - order_n));
    const double b = (-depth_ - (order_m - 1.0) * c) / (order_n - 1.0);
    bowl_[1] += share * (depth_ - b - c);
    bowl_[n] += share * b;
    bowl_[m] += share * c;
  };
  bowl_[0] = rim_ - depth_;
  add_bowl(1.0 - crater.degradation, 6, 8);
  add_bowl(crater.degradation, 2, 3);
}

CraterShape::BySquare CraterShape::profile(double t) const {
  GROUSER_ASSERT(!(t < 0.0));
  if (t < 1.0) {
    BySquare bowl;
    for (std::size_t k = bowl_.size(); k-- > 0;) {
      bowl.second = bowl.second * t + 2.0 * bowl.first;
      bowl.first = bowl.first * t + bowl.z;
      bowl.z = bowl.z * t + bowl_[k];
    }
    return bowl;
  }
  if (t >= kReach * kReach) return {};
  // f = h q (5 - q^4) / 4 with q = t^-1.5, dq/dt = -1.5 q / t.
  const double q = 1.0 / (t * std::sqrt(t)), q4 = q * q * q * q;
  BySquare f{0.25 * rim_ * q * (5.0 - q4), -1.875 * rim_ * (1.0 - q4) * q / t,
             rim_ * q * (4.6875 - 15.9375 * q4) / (t * t)};
  if (t <= kFadeFrom * kFadeFrom) return f;
  // Times 1 - fade(u), u from 0 to 1 linear in t.
  constexpr double kLength = kReach * kReach - kFadeFrom * kFadeFrom;
  const double u = (t - kFadeFrom * kFadeFrom) / kLength;
  const Fade out = fade_derivatives(u);
  const double w = 1.0 - out.value;
  const double w1 = -out.first / kLength, w2 = -out.second / (kLength * kLength);
  return {w * f.z, w * f.first + w1 * f.z, w * f.second + 2.0 * w1 * f.first + w2 * f.z};
}

void CraterShape::add_height(double x, double y, double& z) const {
  const double dx = x - position_.x(), dy = y - position_.y();
  z += profile((dx * dx + dy * dy) * inverse_radius_square_).z;
}

void CraterShape::add(double x, double y, SurfaceHeight& sum) const {
  const double dx = x - position_.x(), dy = y - position_.y(), s = inverse_radius_square_;
  const BySquare f = profile((dx * dx + dy * dy) * s);
  // t_x = 2 s dx, t_xx = 2 s.
  const double first = 2.0 * s * f.first, second = 4.0 * s * s * f.second;
  sum.z += f.z;
  sum.dx += first * dx;
  sum.dy += first * dy;
  sum.dxx += first + second * dx * dx;
  sum.dxy += second * dx * dy;
  sum.dyy += first + second * dy * dy;
}

double expected_craters(const CraterLayer& layer, const Vec2& lower, const Vec2& upper) {
  const Vec2 size = upper - lower + Vec2::Constant(kReach * layer.max_diameter);
  return layer.density * size.x() * size.y();
}

std::vector<Crater> draw_craters(const CraterLayer& layer, const Vec2& lower, const Vec2& upper,
                                 std::uint64_t seed, double margin) {
  const Vec2 border = Vec2::Constant(0.5 * kReach * layer.max_diameter);
  const Vec2 low = lower - border, high = upper + border;
  std::vector<Crater> out;
  const auto add_crater = [&](double x, double y, Random& random) {
    Crater crater;
    crater.position = Vec2(x, y);
    crater.diameter = diameter_at(layer, random.uniform());
    crater.degradation = random.uniform(layer.degradation.x(), layer.degradation.y());
    if (distance_to_box(crater.position, lower, upper + Vec2::Constant(margin)) <
        0.5 * kReach * crater.diameter)
      out.push_back(crater);
  };
  GROUSER_ASSERT(layer.density > 0.0 && margin >= 0.0);
  Random random(seed);
  for (auto n = draw_poisson(expected_craters(layer, lower, upper), random); n > 0; --n) {
    const double x = random.uniform(low.x(), high.x()), y = random.uniform(low.y(), high.y());
    add_crater(x, y, random);
  }
  // The margin from within outwards, so that a wider one only goes on: after a width t the area is
  // (w + h) t + t^2, and areas between neighbours are waiting times of the Poisson process.
  Random outside(seed_of_part(seed, 0));
  const double w = high.x() - low.x(), h = high.y() - low.y();
  for (double area = 0.0;;) {
    area -= std::log(1.0 - outside.uniform()) / layer.density;
    const double t = 2.0 * area / (w + h + std::sqrt((w + h) * (w + h) + 4.0 * area));
    if (!(t < margin)) break;
    const double along = outside.uniform(0.0, w + h + 2.0 * t);
    if (along < h + t)
      add_crater(high.x() + t, low.y() + along, outside);
    else
      add_crater(low.x() + along - h - t, high.y() + t, outside);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Crater& a, const Crater& b) { return a.diameter > b.diameter; });
  return out;
}

std::unique_ptr<SurfaceField> make_field(const CraterLayer& layer, const LayerContext& context) {
  if (layer.density == 0.0 && layer.list.empty())
    context.refuse("density", "must be positive, or `list` must have craters: there are none");
  if (layer.degradation.x() > layer.degradation.y())
    context.refuse("degradation", "must be rising, is [" + to_text(layer.degradation.x()) + ", " +
                                      to_text(layer.degradation.y()) + "]");
  // The rim turns into a valley when the bowl is shallower.
  if (layer.rim >= 0.5 * layer.depth)
    context.refuse("rim", "must be below half of depth, " + to_text(0.5 * layer.depth) + ", is " +
                              to_text(layer.rim));
  // The last cells of a grid stand out over a size that is no multiple of the spacing.
  const double margin = context.spacing;
  const Vec2 upper = context.upper + Vec2::Constant(margin);
  std::vector<Crater> craters;
  if (layer.density > 0.0) {
    if (layer.min_diameter == 0.0)
      context.refuse("min_diameter", "must be positive if density is given, is 0");
    if (layer.max_diameter <= layer.min_diameter)
      context.refuse("max_diameter", "must be above min_diameter, " + to_text(layer.min_diameter) +
                                         ", is " + to_text(layer.max_diameter));
    const double expected = expected_craters(layer, context.lower, upper);
    if (expected > kMostCraters)
      context.refuse("density", "asks for about " + to_text(expected, 3) + " craters, at most " +
                                    to_text(kMostCraters, 3) + " are allowed");
    const double coverage = layer.density * 0.25 * kPi * mean_square_diameter(layer);
    if (coverage > kMostCoverage)
      context.refuse("density", "would cover every place with " + to_text(coverage, 3) +
                                    " craters, at most " + to_text(kMostCoverage, 3) +
                                    " are allowed: the limit is " +
                                    to_text(layer.density * kMostCoverage / coverage, 3));
    craters = draw_craters(layer, context.lower, context.upper, context.seed, margin);
  }
  craters.insert(craters.end(), layer.list.begin(), layer.list.end());
  std::vector<CraterShape> shapes;
  for (const Crater& crater : craters) shapes.emplace_back(crater, layer.depth, layer.rim);
  return std::make_unique<CraterField>(std::move(shapes), context.lower, upper);
}

}  // namespace grouser
