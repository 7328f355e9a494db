#include "grouser/laws/bekker_janosi.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/bekker_wheel.h"
#include "grouser/math/smooth.h"

namespace grouser {

namespace {

constexpr int kPoints = 8;             // of quadrature per zone
constexpr double kForgetting = 0.02;   // time in which cells in the air relax [s]
constexpr double kLeastNormal = 1e-6;  // [N]; cohesion could pull a wheel that barely touches
constexpr double kLeastDepth = 1e-30;  // [m]; less is air, where angles could not be told from 0

using Points = PatchPoints<kPoints>;
using PointValues = std::array<double, 2 * kPoints>;

/// Shear displacement of all cells, and one more at either end where soil is unsheared.
struct Cells {
  std::array<double, kMostCells + 2> x{}, y{};
};

/// A wheel that goes forwards, or is looked at as if it did.
struct Passage {
  double rim = 0.0, forward = 0.0, lateral = 0.0, yaw = 0.0;
  double touch = 0.0;  // 0 in the air to 1 in contact
  PatchShape shape;
};

Passage passage_of(const BekkerJanosiWheel& wheel, const WheelMotion& motion, double slip,
                   double sheared) {
  Passage out;
  out.rim = motion.spin * wheel.stress.size.shear_radius();
  out.forward = motion.forward;
  out.lateral = motion.lateral;
  out.yaw = motion.yaw;
  out.touch = smooth_step(motion.sinkage / kTouchDepth);
  out.shape = patch_shape(wheel.stress, smooth_ramp(motion.sinkage, kTouchDepth), slip, sheared);
  return out;
}

/// Where the points lie in the patch, and where their shear displacement is read.
struct Places {
  PointValues p;     // from the entry, over the whole patch
  PointValues time;  // how far ahead each point answers [s]
};

/// Sheared soil answers as it will stand a little later, which damps the wheel's motion along the
/// ground: a rim that turns slowly has little else. What stands at a point then is now upstream of
/// it, where it is read; so steady rolling knows nothing of this, but for the square of the time.
/// The time shrinks where the rim passes in less than ten times of it.
Places places_of(const BekkerJanosiWheel& wheel, const PatchShape& shape, double rim) {
  constexpr double kPassing = 10.0;
  const ZoneRule<kPoints>& rule = zone_rule<kPoints>();
  const double arc = shape.entry - shape.exit;
  const double front = (shape.entry - shape.peak) / arc;
  // Of the patch, per time.
  const double passing =
      smooth_absolute(rim, kSlowSpeed) / (arc * wheel.stress.size.shear_radius());
  const double flow = rim / (arc * wheel.stress.size.shear_radius());
  const double T = wheel.def.shear_damping;
  Places out;
  for (int i = 0; i < kPoints; ++i) {
    out.p[i] = front * (1.0 - rule.share[i]);
    out.p[kPoints + i] = front + (1.0 - front) * (1.0 - rule.share[i]);
  }
  for (int i = 0; i < 2 * kPoints; ++i) {
    const double upstream = rim > 0.0 ? out.p[i] : 1.0 - out.p[i];
    out.time[i] = T * upstream / (upstream + kPassing * passing * T);
    out.p[i] -= flow * out.time[i];
  }
  return out;
}

/// Values at places of the polynomial through cells, divided by `scale`.
void interpolate(const BekkerJanosiWheel& wheel, const PointValues& p,
                 const std::array<double, kMostCells + 2>& cells, double scale, PointValues& out) {
  const int N = wheel.def.cells;
  std::array<double, kMostCells> factor{};
  GROUSER_ASSERT(N <= kMostCells && scale > 0.0);
  for (int m = 0; m < N; ++m) {
    for (int k = 0; k < N; ++k) factor[m] += wheel.polynomial[m][k] * cells[k + 1];
    factor[m] /= scale;
  }
  out.fill(0.0);
  for (int m = N - 1; m >= 0; --m)
    for (int i = 0; i < 2 * kPoints; ++i) out[i] = (out[i] + factor[m]) * p[i];
}

/// Soil that flows ahead of a wheel with skid bends the shear displacement at the separation. The
/// polynomial would cut that corner, so it runs through what is left after the bend of steady
/// motion is taken off the cells, and the bend is added again at the points. How large the bend is
/// taken is free, since cells keep their values; it stays below 8 K, where the stress no longer
/// changes.
void interpolate_along(const BekkerJanosiWheel& wheel, const Passage& passage, const PointValues& p,
                       const Cells& cells, PointValues& out) {
  const WongReeceWheel& stress = wheel.stress;
  const PatchShape& shape = passage.shape;
  if (shape.flow == 0.0) return interpolate(wheel, p, cells.x, stress.K_x, out);
  const double slid = stress.size.shear_radius() * passage.forward * shape.flow;
  const double limit = slid * shape.ahead(shape.exit) / (8.0 * stress.K_x);
  const double slow = 0.2 * wheel.def.rest_speed;
  const double bend = slid / std::sqrt(passage.rim * passage.rim + limit * limit + slow * slow);
  std::array<double, kMostCells + 2> straight{};
  const double arc = (shape.entry - shape.exit) / wheel.def.cells;
  for (int k = 1; k <= wheel.def.cells; ++k)
    straight[k] = cells.x[k] - bend * shape.ahead(shape.entry - k * arc);
  interpolate(wheel, p, straight, stress.K_x, out);
  for (int i = 0; i < 2 * kPoints; ++i)
    out[i] += bend / stress.K_x * shape.ahead(shape.entry - p[i] * (shape.entry - shape.exit));
}

/// What the shear displacement grows by in the time that the points look ahead.
void look_ahead(const BekkerJanosiWheel& wheel, const Passage& passage, const Points& points,
                const Places& places, PointValues& x, PointValues& y) {
  const PatchShape& shape = passage.shape;
  const PointValues& time = places.time;
  const double arm = passage.yaw * wheel.stress.size.radius;
  for (int i = 0; i < 2 * kPoints; ++i) {
    x[i] += time[i] / wheel.stress.K_x * (passage.rim - passage.forward * points.cosine[i]);
    y[i] += time[i] / wheel.stress.K_y * (-passage.lateral - arm * points.sine[i]);
  }
  if (shape.flow == 0.0) return;
  // Soil that flows along with the wheel, over the arc that the rim passes meanwhile.
  const double arc = shape.entry - shape.exit;
  const double spin = passage.rim / wheel.stress.size.shear_radius();
  for (int i = 0; i < 2 * kPoints; ++i) {
    const double angle = shape.entry - places.p[i] * arc - spin * time[i];
    const double step = std::max(std::abs(spin) * time[i], 1e-3 * arc);
    x[i] += time[i] / wheel.stress.K_x * passage.forward * shape.flow *
            (shape.ahead(angle) - shape.ahead(angle + step)) / step;
  }
}

WheelForce patch_force(const BekkerJanosiWheel& wheel, const Passage& passage, const Cells& cells,
                       double factor) {
  Points points;
  fill_points<kPoints>(wheel.stress, passage.shape, points);
  for (double& stress : points.normal) stress *= factor;
  const Places places = places_of(wheel, passage.shape, passage.rim);
  PointValues x, y;
  interpolate_along(wheel, passage, places.p, cells, x);
  interpolate(wheel, places.p, cells.y, wheel.stress.K_y, y);
  look_ahead(wheel, passage, points, places, x, y);
  WheelForce out = sum_stresses<kPoints>(wheel.stress, points, x, y, passage.touch);
  out.normal = smooth_positive(out.normal, kLeastNormal);
  out.length = wheel.stress.size.radius * (passage.shape.entry - passage.shape.exit);
  return out;
}

/// Mean sliding velocities over the arcs before each cell, and the one after the last.
void sliding_velocities(const BekkerJanosiWheel& wheel, const Passage& passage, double arc,
                        std::array<Vec2, kMostCells + 1>& out) {
  const PatchShape& shape = passage.shape;
  // The mean of a cosine over an arc is that in its middle, times sin(arc / 2) / (arc / 2).
  const double mean = std::sin(0.5 * arc) / (0.5 * arc);
  const double turn_cos = std::cos(arc), turn_sin = std::sin(arc);
  double cosine = mean * std::cos(shape.entry - 0.5 * arc);
  double sine = mean * std::sin(shape.entry - 0.5 * arc);
  const double arm = passage.yaw * wheel.stress.size.radius;
  for (int k = 0; k <= wheel.def.cells; ++k) {
    out[k] = {passage.rim - passage.forward * cosine, -passage.lateral - arm * sine};
    const double next = cosine * turn_cos + sine * turn_sin;
    sine = sine * turn_cos - cosine * turn_sin;
    cosine = next;
  }
  if (shape.flow == 0.0) return;
  double before = 0.0;
  for (int k = 0; k <= wheel.def.cells; ++k) {
    const double ahead = shape.ahead(shape.entry - (k + 1) * arc);
    out[k].x() += passage.forward * shape.flow * (ahead - before) / arc;
    before = ahead;
  }
}

/// Rates of the cells: those of a wheel in contact and of one in the air, mixed at the touch.
void cell_rates(const BekkerJanosiWheel& wheel, const Passage& passage, const Cells& cells,
                Cells& rates) {
  const int N = wheel.def.cells;
  const double arc = (passage.shape.entry - passage.shape.exit) / N;
  std::array<Vec2, kMostCells + 1> sliding;
  sliding_velocities(wheel, passage, arc, sliding);
  const double arc_length = arc * wheel.stress.size.shear_radius();
  const double backwards = smooth_ramp(passage.rim, kSlowSpeed) / arc_length;
  const double forwards = smooth_ramp(-passage.rim, kSlowSpeed) / arc_length;
  const double from_ahead = smooth_step(0.5 + 0.5 * passage.rim / kSlowSpeed);
  // Squared, since arcs shrink towards the touch and transport grows: its slope stays finite.
  const double contact = passage.touch * passage.touch;
  const double forgetting = (1.0 - contact) / kForgetting;
  for (int k = 1; k <= N; ++k) {
    const Vec2 j(cells.x[k], cells.y[k]);
    const Vec2 v = from_ahead * sliding[k - 1] + (1.0 - from_ahead) * sliding[k];
    const Vec2 before(cells.x[k - 1], cells.y[k - 1]), after(cells.x[k + 1], cells.y[k + 1]);
    const Vec2 rate =
        shear_rate(v, j, wheel.largest_K) - backwards * (j - before) - forwards * (j - after);
    rates.x[k] = contact * rate.x() - forgetting * j.x();
    rates.y[k] = contact * rate.y() - forgetting * j.y();
  }
}

/// Place of the slip among the states.
std::size_t slip_state(const BekkerJanosiWheel& wheel) {
  return 2 * static_cast<std::size_t>(wheel.def.cells);
}

/// What soil has seen of the slip vector: how much of it is sheared, and skid.
struct Worked {
  double sheared = 0.0, skid = 0.0;
};
Worked worked_in(const BekkerJanosiWheel& wheel, std::span<const double> states) {
  return {states[slip_state(wheel) + 1], states[slip_state(wheel) + 3]};
}
Worked worked_by(const BekkerJanosiWheel& wheel, const SlipVector& slip) {
  return {sheared_share(wheel.deeper, slip), slip.skid};
}

/// Share of the pressure that is left where slip lets a wheel sink deeper. The load is as the depth
/// to the power of n + 1/2.
double pressure_left(const BekkerJanosiWheel& wheel, const Worked& worked) {
  if (!wheel.stress.carried_by_pressure) return 1.0;
  const double skid = worked.skid * worked.skid * worked.skid;
  const double deeper = wheel.deeper.slip * worked.sheared + wheel.deeper.skid * skid;
  return std::pow(1.0 + std::max(0.0, deeper), -(wheel.stress.n + 0.5));
}

constexpr double kShortest = 1e-3;  // contact over which soil passes [m]

/// Half of the chord.
double half_chord(const BekkerJanosiWheel& wheel, double depth) {
  return std::sqrt(depth * (2.0 * wheel.stress.size.radius - depth));
}

/// What soil beside and ahead of the wheel adds.
void add_walls(const BekkerJanosiWheel& wheel, const WheelMotion& motion, double depth,
               const WallState& state, WheelForce& force) {
  const WallForce wall =
      wall_force(wheel.walls, motion, state, depth, half_chord(wheel, depth), force.normal);
  force.drawbar += wall.drawbar;
  force.side += wall.side;
  force.torque += wall.torque;
}

/// How fast the slip that the soil has seen follows the present one: over a contact length.
double slip_rate(const BekkerJanosiWheel& wheel, const WheelMotion& motion, double forwards,
                 double length, double slip) {
  const double rim = motion.spin * wheel.stress.size.shear_radius();
  const double now = (2.0 * forwards - 1.0) * smooth_slip(rim, motion.forward, kSlowSpeed);
  const double speed =
      0.5 * (smooth_absolute(rim, kSlowSpeed) + smooth_absolute(motion.forward, kSlowSpeed));
  const double touch = smooth_step(motion.sinkage / kTouchDepth);
  return touch * touch * speed / (length + kShortest) * (now - slip) -
         (1.0 - touch * touch) / kForgetting * slip;
}

/// Square of the share of the shear strength that is used, in the mean of the cells.
double used_strength(const BekkerJanosiWheel& wheel, std::span<const double> states) {
  Vec2 mean = Vec2::Zero();
  for (std::size_t k = 0; k < slip_state(wheel); k += 2)
    mean += janosi_vector(Vec2(states[k], states[k + 1]), wheel.largest_K);
  return mean.squaredNorm() / (wheel.def.cells * wheel.def.cells);
}

/// The same of what it has seen of the slip vector. Soil under a parked wheel that gives way by a
/// little, slowly or with most of its strength unused, is not dug away.
Worked worked_rate(const BekkerJanosiWheel& wheel, const WheelMotion& motion,
                   const SlipVector& vector, double length, std::span<const double> states) {
  const Worked seen = worked_in(wheel, states);
  const double rim = motion.spin * wheel.stress.size.shear_radius();
  double speed = working_speed(rim, motion.forward, motion.lateral);
  constexpr double kCreep = 1e-5;  // square of a speed that is no sliding [m^2/s^2]
  if (vector.skid > 0.0) speed *= 1.0 - vector.skid * (1.0 - used_strength(wheel, states));
  speed *= speed * speed / (speed * speed + kCreep);
  const double touch = smooth_step(motion.sinkage / kTouchDepth);
  const double follow = touch * touch * speed / (length + kShortest);
  const double forget = (1.0 - touch * touch) / kForgetting;
  const Worked now = worked_by(wheel, vector);
  return {follow * (now.sheared - seen.sheared) - forget * seen.sheared,
          follow * (now.skid - seen.skid) - forget * seen.skid};
}

/// One direction of travel: `sign` 1 forwards, -1 backwards, where front and back change places.
/// Adds force and rates, each times `share`.
void add_passage(const BekkerJanosiWheel& wheel, const WheelMotion& motion,
                 std::span<const double> states, double sign, double share, WheelForce& force,
                 std::span<double> derivatives) {
  const int N = wheel.def.cells;
  const auto place = [&](int k) {
    return 2 * static_cast<std::size_t>(sign > 0.0 ? k - 1 : N - k);
  };
  WheelMotion seen = motion;
  seen.forward *= sign;
  seen.spin *= sign;
  seen.yaw *= sign;
  Cells cells, rates;
  for (int k = 1; k <= N; ++k) {
    cells.x[k] = sign * states[place(k)];
    cells.y[k] = states[place(k) + 1];
  }
  const Worked worked = worked_in(wheel, states);
  const Passage passage = passage_of(wheel, seen, states[slip_state(wheel)], worked.sheared);
  const double damping = sinking_damping(wheel.def.damping_ratio, wheel.stress.n + 0.5,
                                         wheel.gravity, smooth_ramp(motion.sinkage, kTouchDepth));
  const double factor = sinking_factor(damping, motion.sinkage_rate) * pressure_left(wheel, worked);
  const WheelForce part = patch_force(wheel, passage, cells, factor);
  cell_rates(wheel, passage, cells, rates);
  for (int k = 1; k <= N; ++k) {
    derivatives[place(k)] += share * sign * rates.x[k];
    derivatives[place(k) + 1] += share * rates.y[k];
  }
  force.normal += share * part.normal;
  force.side += share * part.side;
  force.length += share * part.length;
  force.drawbar += sign * share * part.drawbar;
  force.thrust += sign * share * part.thrust;
  force.torque += sign * share * part.torque;
  force.yaw_torque += sign * share * part.yaw_torque;
}

void set_polynomial(BekkerJanosiWheel& wheel) {
  const int N = wheel.def.cells;
  MatX values(N, N);
  for (int k = 0; k < N; ++k)
    for (int m = 0; m < N; ++m) values(k, m) = std::pow((k + 1.0) / N, m + 1.0);
  const MatX inverse = values.inverse();
  for (int m = 0; m < N; ++m)
    for (int k = 0; k < N; ++k) wheel.polynomial[m][k] = inverse(m, k);
}

}  // namespace

const ParameterTable<BekkerJanosiDef>& bekker_janosi_parameters() {
  using Def = BekkerJanosiDef;
  static const auto table =
      ParameterTable<Def>()
          .number("c1", &Def::c1, "", within(0.0, 0.95),
                  "angle of greatest pressure over that of entry, at slip 0")
          .number("c2", &Def::c2, "", within(-1.0, 1.0), "growth of that with slip")
          .include(moved_soil_parameters())
          .number("n_slip", &Def::n_slip, "", within(0.0, 2.0),
                  "growth of the exponent of sinkage with slip")
          .number("n_skid", &Def::n_skid, "", within(0.0, 2.0),
                  "growth of the exponent of sinkage with skid, which is negative slip")
          .number("recovery", &Def::recovery, "", within(0.0, 1.0),
                  "share of the sinkage that springs back behind the wheel")
          .number("tip_fraction", &Def::tip_fraction, "", within(0.0, 1.0),
                  "share of the area that is tips of grousers, pressed at the shear radius")
          .number("lateral_shear_modulus", &Def::lateral_shear_modulus, "m", non_negative(),
                  "Janosi's K across the wheel; 0: the soil's")
          .number("damping_ratio", &Def::damping_ratio, "", non_negative(),
                  "of the wheel that springs up and down on its soil; 1: critical")
          .number("shear_damping", &Def::shear_damping, "s", non_negative(),
                  "how far ahead in time sheared soil answers, which damps motion along the ground")
          .number("rest_speed", &Def::rest_speed, "m/s", positive(),
                  "of rim and travel together, below which going forwards and backwards mix")
          .integer("cells", &Def::cells, within(2, kMostCells),
                   "of shear displacement along the contact")
          .integer("earlier_passes", &Def::earlier_passes, within(0, 20),
                   "of other wheels in the same rut, which leave the soil firmer")
          .number("earlier_slip", &Def::earlier_slip, "", within(0.0, 1.0),
                  "of the wheels that passed before");
  return table;
}

SoilDef soil_after_passes(const SoilDef& soil, int passes, double slip) {
  if (passes <= 0) return soil;
  constexpr double k1 = 0.1178, k2 = 0.1672, k3 = 0.0348;
  const double growth = -std::expm1(-slip / k1) * k2 + k3 * passes;
  GROUSER_ASSERT(growth >= 0.0);
  SoilDef out = soil;
  out.cohesion *= 1.0 + growth;
  out.density *= 1.0 + growth;
  // After 24 passes nothing would be left of K.
  out.shear_modulus *= std::max(0.1, 1.0 - growth);
  return out;
}

BekkerJanosiWheel make_bekker_janosi_wheel(const BekkerJanosiDef& def, const SoilDef& soil,
                                           const WheelSize& size, double gravity) {
  BekkerJanosiWheel out;
  out.def = def;
  out.gravity = gravity;
  const SoilDef passed = soil_after_passes(soil, def.earlier_passes, def.earlier_slip);
  WongReeceWheel& stress = out.stress = make_wong_reece_wheel(passed, size, gravity);
  stress.c1 = def.c1;
  stress.c2 = def.c2;
  stress.n_slip = def.n_slip;
  stress.n_skid = def.n_skid;
  stress.recovery = def.recovery;
  stress.tip_fraction = def.tip_fraction;
  const WheelTreadStrength tread = tread_of(passed, size, gravity);
  stress.strength_x = tread.along.friction;
  stress.strength_y = tread.across;
  stress.K_x *= tread.shear_modulus;
  stress.K_y = def.lateral_shear_modulus > 0.0 ? def.lateral_shear_modulus : stress.K_x;
  // The wall is pushed aside as the wheel travels, not as its rim slides: see add_walls.
  stress.wall = {};
  out.walls = make_wheel_walls(def, passed, size, gravity, stress.K_x);
  out.deeper = make_slip_sinkage(def, tread, stress.n + 0.5);
  stress.carried_by_pressure = def.slip_sinkage > 0.0 || def.skid_sinkage > 0.0;
  out.largest_K = std::max(stress.K_x, stress.K_y);
  GROUSER_ASSERT(out.largest_K > 0.0 && gravity >= 0.0);
  GROUSER_ASSERT(def.cells >= 2 && def.cells <= kMostCells);
  set_polynomial(out);
  return out;
}

WheelForce bekker_janosi_force(const BekkerJanosiWheel& wheel, const WheelMotion& motion,
                               std::span<const double> states, std::span<double> derivatives) {
  WheelForce out;
  GROUSER_ASSERT(states.size() == state_count(wheel) && derivatives.size() == state_count(wheel));
  GROUSER_ASSERT(states.data() != derivatives.data());
  if (smooth_ramp(motion.sinkage, kTouchDepth) < kLeastDepth) {
    for (std::size_t i = 0; i < states.size(); ++i) derivatives[i] = -states[i] / kForgetting;
    return out;
  }
  std::fill(derivatives.begin(), derivatives.end(), 0.0);
  const double travel = motion.forward + motion.spin * wheel.stress.size.shear_radius();
  const double forwards = smooth_step(0.5 + 0.5 * travel / wheel.def.rest_speed);
  if (forwards > 0.0) add_passage(wheel, motion, states, 1.0, forwards, out, derivatives);
  if (forwards < 1.0) add_passage(wheel, motion, states, -1.0, 1.0 - forwards, out, derivatives);
  const std::size_t slip = slip_state(wheel);
  derivatives[slip] = slip_rate(wheel, motion, forwards, out.length, states[slip]);
  const double rim = motion.spin * wheel.stress.size.shear_radius();
  const SlipVector vector = slip_vector(rim, motion.forward, motion.lateral);
  const Worked rate = worked_rate(wheel, motion, vector, out.length, states);
  const double depth =
      contact_depth(smooth_ramp(motion.sinkage, kTouchDepth), wheel.stress.size.radius);
  const WallState wall{states[slip + 2], states[slip + 3]};
  const double touch = smooth_step(motion.sinkage / kTouchDepth), contact = touch * touch;
  derivatives[slip + 1] = rate.sheared;
  derivatives[slip + 2] =
      contact * displaced_rate(wheel.walls, motion, half_chord(wheel, depth) + kShortest,
                               wall.displaced) -
      (1.0 - contact) / kForgetting * wall.displaced;
  derivatives[slip + 3] = rate.skid;
  add_walls(wheel, motion, depth, wall, out);
  return out;
}

SteadyWheel bekker_janosi_steady(const BekkerJanosiWheel& wheel, const SteadyQuery& query) {
  const WheelMotion motion = steady_motion(query, wheel.stress.size);
  const SlipVector vector =
      slip_vector(motion.spin * wheel.stress.size.shear_radius(), motion.forward, motion.lateral);
  WongReeceWheel stress = wheel.stress;
  const Worked worked = worked_by(wheel, vector);
  stress.modulus *= pressure_left(wheel, worked);
  stress.sheared = worked.sheared;
  const WongReeceSteady steady = wong_reece_under(stress, query.load, query.slip, query.slip_angle);
  SteadyWheel out;
  out.sinkage = steady.sinkage;
  out.carried = steady.carried;
  WheelForce force = steady.patch.force;
  const double depth = steady.patch.shape.depth;
  const double displaced =
      displaced_steadily(wheel.walls, motion.lateral, smooth_absolute(motion.forward, kSlowSpeed),
                         half_chord(wheel, depth) + kShortest);
  add_walls(wheel, motion, depth, {displaced, vector.skid}, force);
  out.drawbar = force.drawbar;
  out.side = force.side;
  out.torque = force.torque;
  return out;
}

}  // namespace grouser
