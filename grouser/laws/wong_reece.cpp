#include "grouser/laws/wong_reece.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "grouser/base/assert.h"
#include "grouser/laws/bekker_wheel.h"
#include "grouser/math/powers.h"
#include "grouser/math/smooth.h"

namespace grouser {

namespace {

// Slip within which laws of slip and of skid, which have different slopes, are blended.
constexpr double kBlendedSlip = 0.02;
constexpr double kBlendedSkid = 0.05;
// Farthest the peak comes, as a share of the angle of entry. A peak close to the entry would leave
// no pressure anywhere; a towed wheel on firm soil, where separation is ahead of the entry, has it
// no farther than half way.
constexpr double kFarthestPeak = 0.95;
constexpr double kFarthestTowedPeak = 0.5;

/// Slip up to 1 either way, then less and less more, up to 1.1.
double bounded_slip(double slip) {
  const double beyond = std::clamp(std::abs(slip) - 1.0, 0.0, 0.2);
  if (beyond <= 0.0) return slip;
  return std::copysign(1.0 + beyond * (1.0 - 2.5 * beyond), slip);
}

/// slope_up * s for s > 0 and -slope_down * s for s < 0, exactly beyond kBlendedSlip.
double two_slopes(double s, double slope_up, double slope_down) {
  const double up = smooth_step(0.5 + 0.5 * s / kBlendedSlip);
  return s * (slope_up * up - slope_down * (1.0 - up));
}

/// acos(1 - x) for 0 <= x <= 1.
double angle_of_depth(double x) {
  return 2.0 * std::asin(std::sqrt(0.5 * x));
}

/// Where soil ahead parts from soil that goes under a wheel with skid (Wong and Reece 1967):
/// tan(45 deg - phi / 2) = (cos a - (1 + slip)) / sin a.
double separation_angle(double tan_phi, double slip) {
  if (slip >= 0.0) return 0.0;
  const double X = 0.25 * kPi - 0.5 * std::atan(tan_phi);
  return std::acos((1.0 + slip) * std::cos(X)) - X;
}

/// Speed of the flow that brings shear displacement back to 0 at the separation, over that of
/// travel.
double forward_flow(const PatchShape& shape, double slip) {
  const double front = shape.entry - shape.separation;
  const double part = smooth_step(-slip / kBlendedSkid) * smooth_step(10.0 * front / shape.entry);
  if (part <= 0.0) return 0.0;
  const double mean_cosine = (std::sin(shape.entry) - std::sin(shape.separation)) / front;
  return part * (mean_cosine - (1.0 + slip));
}

/// The lesser of x and `most`, exactly x up to 0.1 less.
double smooth_least(double x, double most) {
  return most - smooth_ramp(most - x, 0.1);
}

/// The peak over the entry at a slip.
double peak_share(const WongReeceWheel& wheel, const PatchShape& shape, double slip) {
  const double driven = wheel.c1 + two_slopes(slip, wheel.c2, 0.0);
  const double towed = smooth_least(shape.separation / shape.entry, kFarthestTowedPeak);
  return smooth_least(smooth_ramp(driven + smooth_ramp(towed - driven, 0.1), 0.02), kFarthestPeak);
}

/// sin(x) and 1 - cos(x) by their series, for |x| <= pi / 2. Error below 1e-13 up to 0.8, where the
/// halves of zones are, and 1e-9 beyond.
double short_sine(double x) {
  const double y = x * x;
  return x * (1.0 + y * (-1.0 / 6 +
                         y * (1.0 / 120 +
                              y * (-1.0 / 5040 + y * (1.0 / 362880 +
                                                      y * (-1.0 / 39916800 + y / 6227020800.0))))));
}
double short_versine(double x) {
  const double y = x * x;
  return y * (0.5 + y * (-1.0 / 24 +
                         y * (1.0 / 720 +
                              y * (-1.0 / 40320 + y * (1.0 / 3628800 + y * (-1.0 / 479001600 +
                                                                            y / 87178291200.0))))));
}

/// Sines and cosines of the points of a zone from `begin` to `end`. Points stand in pairs around
/// the middle. Depths are differences of versines, which are small where depths are.
template <int N>
void fill_zone(double begin, double end, double deepest, int first, PatchPoints<N>& out) {
  const ZoneRule<N>& rule = zone_rule<N>();
  const double middle = 0.5 * (begin + end);
  const double half = 0.5 * (end - begin);
  const double s = std::sin(middle);
  const double sh = std::sin(0.5 * middle);
  const double v = 2.0 * sh * sh;
  for (int i = 0; i < N / 2; ++i) {
    const double x = half * (1.0 - 2.0 * rule.share[i]);
    const double sx = short_sine(x);
    const double vx = short_versine(x);
    const double common = v + vx - v * vx;
    const double sine = s * (1.0 - vx);
    const double turned = (1.0 - v) * sx;
    const int below = first + i, above = first + N - 1 - i;
    const double v_below = common - s * sx, v_above = common + s * sx;
    out.sine[below] = sine - turned;
    out.sine[above] = sine + turned;
    out.cosine[below] = 1.0 - v_below;
    out.cosine[above] = 1.0 - v_above;
    out.depth[below] = deepest - v_below;
    out.depth[above] = deepest - v_above;
  }
  for (int i = 0; i < N; ++i) out.weight[first + i] = (end - begin) * rule.weight[i];
}

/// How much more pressure there is because tips of grousers are deeper.
double tip_factor(const WongReeceWheel& wheel, double n) {
  if (wheel.tip_fraction <= 0.0) return 1.0;
  const double deeper = std::pow(wheel.size.shear_radius() / wheel.size.radius, n);
  return 1.0 + wheel.tip_fraction * (deeper - 1.0);
}

/// Pressure at a depth of 1 m.
double unit_pressure(const WongReeceWheel& wheel, double n) {
  return wheel.modulus * tip_factor(wheel, n);
}

/// Shear displacement of a wheel that goes on steadily, at the points.
template <int N>
void steady_shear(const WongReeceWheel& wheel, const PatchShape& shape, double slip,
                  double slip_angle, const PatchPoints<N>& points, std::array<double, 2 * N>& x,
                  std::array<double, 2 * N>& y) {
  // Speeds over the larger one; a locked wheel has sheared the soil as far as one can ask.
  const double rim = slip >= 0.0 ? 1.0 : std::max(1.0 + slip, 1e-9);
  const double forward = slip >= 0.0 ? 1.0 - slip : 1.0;
  const double lateral = forward * std::tan(slip_angle);
  const ZoneRule<N>& rule = zone_rule<N>();
  const double sin_entry = std::sin(shape.entry);
  const double scale = wheel.size.shear_radius() / rim;
  for (int i = 0; i < 2 * N; ++i) {
    const double angle = i < N ? shape.peak + (shape.entry - shape.peak) * rule.share[i]
                               : shape.exit + (shape.peak - shape.exit) * rule.share[i - N];
    const double turned = shape.entry - angle;
    const double slid = rim * turned - forward * (sin_entry - points.sine[i]) +
                        forward * shape.flow * shape.ahead(angle);
    x[i] = scale * slid / wheel.K_x;
    y[i] = -scale * lateral * turned / wheel.K_y;
  }
}

template <int N>
WongReecePatch steady_patch(const WongReeceWheel& wheel, double sinkage, double slip,
                            double slip_angle) {
  WongReecePatch out;
  if (sinkage <= 0.0) return out;
  out.shape = patch_shape(wheel, sinkage, slip);
  PatchPoints<N> points;
  std::array<double, 2 * N> x, y;
  fill_points<N>(wheel, out.shape, points);
  steady_shear<N>(wheel, out.shape, slip, slip_angle, points, x, y);
  out.force = sum_stresses<N>(wheel, points, x, y, 1.0);
  out.force.length = wheel.size.radius * (out.shape.entry - out.shape.exit);
  out.peak_stress =
      unit_pressure(wheel, out.shape.n) *
      std::pow(wheel.size.radius * (std::cos(out.shape.peak) - out.shape.cos_entry), out.shape.n);
  return out;
}

/// Two depths and what the soil carries there beyond the load.
struct Bracket {
  double low, at_low, high, at_high;
};

/// Force may fall again at great depth: up to the first of some depths that carries the load. If
/// none does, at_high is negative.
template <class Function>
Bracket first_bracket(const Function& excess, double load, double deepest) {
  constexpr int kDepths = 32;
  const double step = deepest / kDepths;
  Bracket out{0.0, -load, step, excess(step)};
  for (int i = 2; out.at_high < 0.0 && i <= kDepths; ++i)
    out = {out.high, out.at_high, i * step, excess(i * step)};
  return out;
}

/// Regula falsi that halves the weight of an end it keeps twice (Illinois), so both ends close in.
template <class Function>
double root_within(Bracket in, const Function& excess, double tolerance) {
  GROUSER_ASSERT(in.low <= in.high && in.at_low <= 0.0 && in.at_high >= 0.0);
  int kept = 0;
  for (int i = 0; i < 100 && in.at_high > 0.0 && in.high - in.low > 1e-15 * in.high; ++i) {
    const double z = in.high - in.at_high * (in.high - in.low) / (in.at_high - in.at_low);
    const double at = excess(z);
    if (std::abs(at) < tolerance) return z;
    if (at > 0.0) {
      in.high = z, in.at_high = at;
      if (kept == -1) in.at_low *= 0.5;
      kept = -1;
    } else {
      in.low = z, in.at_low = at;
      if (kept == 1) in.at_high *= 0.5;
      kept = 1;
    }
  }
  return in.high;
}

/// Gauss and Legendre's points and weights on [0, 1].
template <int N>
ZoneRule<N> legendre_rule() {
  ZoneRule<N> out;
  for (int i = 0; i < N; ++i) {
    double x = -std::cos(kPi * (i + 0.75) / (N + 0.5));
    double slope = 1.0;
    // Newton's steps on the polynomial by its recurrence; the start is close enough for these few.
    for (int step = 0; step < 8; ++step) {
      double before = 1.0, p = x;
      for (int k = 2; k <= N; ++k) {
        const double next = ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k;
        before = p;
        p = next;
      }
      slope = N * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
    }
    out.share[i] = 0.5 * (1.0 + x);
    out.weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    GROUSER_ASSERT(out.share[i] > (i > 0 ? out.share[i - 1] : 0.0) && out.share[i] < 1.0);
  }
  return out;
}

template <int N>
ZoneRule<N> make_zone_rule() {
  const ZoneRule<N> in_t = legendre_rule<N>();
  ZoneRule<N> out;
  for (int i = 0; i < N; ++i) {
    const double t = in_t.share[i];
    out.share[i] = 0.5 * (1.0 - std::cos(kPi * t));
    out.weight[i] = in_t.weight[i] * 0.5 * kPi * std::sin(kPi * t);
  }
  return out;
}

}  // namespace

WongReeceWheel make_wong_reece_wheel(const SoilDef& soil, const WheelSize& size, double gravity) {
  WongReeceWheel out;
  out.size = size;
  out.modulus = pressure_modulus(soil, size.width, gravity);
  out.n = soil.n;
  out.cohesion = soil.cohesion;
  out.tan_phi = std::tan(soil.friction_angle);
  out.K_x = out.K_y = soil.shear_modulus;
  out.wall = side_wall(soil, gravity);
  return out;
}

double PatchShape::ahead(double angle) const {
  const double e = 0.05 * entry;
  return smooth_positive(entry - separation + 0.5 * e, e) -
         smooth_positive(angle - separation + 0.5 * e, e);
}

PatchShape patch_shape(const WongReeceWheel& wheel, double sinkage, double slip, double sheared) {
  GROUSER_ASSERT(!(sinkage <= 0.0));
  PatchShape out;
  const double s = bounded_slip(slip);
  out.depth = contact_depth(sinkage, wheel.size.radius);
  const double x = out.depth / wheel.size.radius;
  out.cos_entry = 1.0 - x;
  out.entry = angle_of_depth(x);
  if (wheel.recovery > 0.0) out.exit = -angle_of_depth(wheel.recovery * x);
  // The bounds are those of powers(), far from any soil.
  const double growth = two_slopes(s, wheel.n_slip, wheel.n_skid);
  out.n = std::clamp(wheel.n + growth, 0.01, 3.0);
  if (wheel.carried_by_pressure) {
    out.peak =
        out.entry * smooth_least(smooth_ramp(wheel.c1 + wheel.c2 * sheared, 0.02), kFarthestPeak);
  } else {
    out.separation = separation_angle(wheel.tan_phi, s);
    out.flow = forward_flow(out, s);
    out.peak = out.entry * peak_share(wheel, out, s);
  }
  GROUSER_ASSERT(!(out.peak < 0.0) && !(out.peak >= out.entry) && !(out.exit > 0.0));
  return out;
}

template <int N>
const ZoneRule<N>& zone_rule() {
  static const ZoneRule<N> rule = make_zone_rule<N>();
  return rule;
}

template <int N>
void fill_points(const WongReeceWheel& wheel, const PatchShape& shape, PatchPoints<N>& out) {
  const double deepest = shape.depth / wheel.size.radius;
  fill_zone<N>(shape.peak, shape.entry, deepest, 0, out);
  fill_zone<N>(shape.exit, shape.peak, deepest, N, out);
  const double unit = unit_pressure(wheel, shape.n);
  const std::span front = std::span(out.normal).template first<N>();
  for (int i = 0; i < N; ++i) front[i] = wheel.size.radius * out.depth[i];
  powers(front, shape.n, front);
  // The rear zone repeats the pressures of the front one, stretched and turned round. Points are
  // symmetric, so these are the same numbers in reverse.
  for (int i = 0; i < N; ++i) out.normal[i] *= unit;
  for (int i = 0; i < N; ++i) out.normal[N + i] = out.normal[N - 1 - i];
}

template <int N>
WheelForce sum_stresses(const WongReeceWheel& wheel, const PatchPoints<N>& points,
                        const std::array<double, 2 * N>& x, const std::array<double, 2 * N>& y,
                        double touch) {
  constexpr int kCount = 2 * N;
  GROUSER_ASSERT(!(touch < 0.0) && !(touch > 1.0));
  std::array<double, kCount> q, faded;
  for (int i = 0; i < kCount; ++i) q[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
  for (int i = 0; i < kCount; ++i) faded[i] = -q[i];
  exponentials(faded, faded);
  const double r = wheel.size.radius, r_s = wheel.size.shear_radius(), b = wheel.size.width;
  const double c = touch * wheel.cohesion, tan_phi = wheel.tan_phi;
  const double wall_1 = wheel.wall.linear * r_s, wall_2 = wheel.wall.quadratic * r_s * r_s;
  // Pressure and shear along and across, each times cosine and sine of the place.
  double pressed_cos = 0.0, pressed_sin = 0.0;
  double along = 0.0, along_cos = 0.0, along_sin = 0.0;
  double across = 0.0, across_sin = 0.0;
  for (int i = 0; i < kCount; ++i) {
    const double pressed = points.weight[i] * points.normal[i];
    const double strength = points.weight[i] * c + pressed * tan_phi;
    const double per_q = q[i] < 1e-5 ? 1.0 - 0.5 * q[i] : (1.0 - faded[i]) / q[i];
    const double tau_x = wheel.strength_x * strength * per_q * x[i];
    const double h = points.depth[i];
    const double wall =
        points.weight[i] * h * (touch * wall_1 + wall_2 * h) * (r_s - r_s * h * points.cosine[i]);
    const double tau_y = (r_s * b * wheel.strength_y * strength + wall) * per_q * y[i];
    pressed_cos += pressed * points.cosine[i];
    pressed_sin += pressed * points.sine[i];
    along += tau_x;
    along_cos += tau_x * points.cosine[i];
    along_sin += tau_x * points.sine[i];
    across += tau_y;
    across_sin += tau_y * points.sine[i];
  }
  WheelForce out;
  out.normal = b * (r * pressed_cos + r_s * along_sin);
  out.thrust = b * r_s * along_cos;
  out.drawbar = out.thrust - b * r * pressed_sin;
  out.torque = b * r_s * r_s * along;
  out.side = across;
  out.yaw_torque = r * across_sin;
  if (!wheel.carried_by_pressure) return out;
  // All stresses by the factor that makes it so; no more than five times, if shear drags so much.
  const double pressed = b * r * pressed_cos, least = 0.2 * pressed;
  if (!(pressed > 0.0)) return out;
  const double scale = pressed / (least + smooth_ramp(out.normal - least, least));
  out.normal = pressed;
  for (double* part : {&out.thrust, &out.drawbar, &out.torque, &out.side, &out.yaw_torque})
    *part *= scale;
  return out;
}

WongReecePatch wong_reece_at(const WongReeceWheel& wheel, double sinkage, double slip,
                             double slip_angle, int points) {
  GROUSER_ASSERT(points == 8 || points == 16 || points == 64);
  if (points >= 64) return steady_patch<64>(wheel, sinkage, slip, slip_angle);
  if (points >= 16) return steady_patch<16>(wheel, sinkage, slip, slip_angle);
  return steady_patch<8>(wheel, sinkage, slip, slip_angle);
}

WongReeceSteady wong_reece_under(const WongReeceWheel& wheel, double load, double slip,
                                 double slip_angle, int points) {
  WongReeceSteady out;
  if (load <= 0.0) return out;
  const auto excess = [&](double z) {
    return wong_reece_at(wheel, z, slip, slip_angle, points).force.normal - load;
  };
  const Bracket bracket = first_bracket(excess, load, wheel.size.radius);
  out.carried = bracket.at_high >= 0.0;
  if (!out.carried) return out;
  out.sinkage = root_within(bracket, excess, 1e-13 * load);
  out.patch = wong_reece_at(wheel, out.sinkage, slip, slip_angle, points);
  return out;
}

template const ZoneRule<8>& zone_rule();
template void fill_points<8>(const WongReeceWheel&, const PatchShape&, PatchPoints<8>&);
template WheelForce sum_stresses<8>(const WongReeceWheel&, const PatchPoints<8>&,
                                    const std::array<double, 16>&, const std::array<double, 16>&,
                                    double);

}  // namespace grouser
