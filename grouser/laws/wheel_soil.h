// What all wheel-soil models have in common: a drum on a plane of soil, forces without a grid.
//
// The contact frame stands on the undisturbed ground under the wheel: x forwards along the ground,
// y to the left, z up along the normal. A wheel that rolls forwards turns about +y.
#pragma once

#include <span>

#include "grouser/laws/earth_pressure.h"
#include "grouser/laws/soil.h"
#include "grouser/math/types.h"

namespace grouser {

/// A wheel as soil models see it: a drum with or without grousers.
struct WheelSize {
  double radius = kRequired;    ///< of the rim, without grousers [m]
  double width = kRequired;     ///< b [m]
  double grouser_height = 0.0;  ///< [m]
  double grouser_share = 0.5;   ///< of their height that counts for shear
  double grouser_count = 0.0;   ///< around the wheel; 0: so many that soil between them is a block
  double wall_friction = 1.0;   ///< of soil on the wheel, as a share of that in the soil

  /// r_s: where shear acts [m].
  double shear_radius() const { return radius + grouser_share * grouser_height; }
};

/// How a wheel stands and moves, in the contact frame.
struct WheelMotion {
  double sinkage = 0.0;  ///< radius - height of the centre over the ground [m]; negative: above
  double sinkage_rate = 0.0;  ///< [m/s]
  double forward = 0.0;       ///< velocity of the centre along x [m/s]
  double lateral = 0.0;       ///< and along y
  double spin = 0.0;          ///< about the axis; positive rolls forwards [rad/s]
  double yaw = 0.0;           ///< about z [rad/s]
  double slope = 0.0;         ///< tangent of the ground's rise along x
};

/// What the soil does to the wheel, in the contact frame.
struct WheelForce {
  double normal = 0.0;      ///< along z [N]
  double drawbar = 0.0;     ///< along x, thrust less resistance [N]
  double side = 0.0;        ///< along y [N]
  double torque = 0.0;      ///< that the soil asks of the drive, about the axis [Nm]
  double yaw_torque = 0.0;  ///< about z, on the wheel [Nm]
  double thrust = 0.0;      ///< the part of drawbar from shear [N]
  double length = 0.0;      ///< of the contact [m]
};

/// (rim - forward) / the larger of them, and 0 where both rest; forces never depend on it. `rim` is
/// spin times the shear radius. Its sign is that of thrust of a wheel that goes forwards.
double slip_of(double rim, double forward);

/// The same with a slope everywhere: the larger one never counts less than about `slow` [m/s].
double smooth_slip(double rim, double forward, double slow);

/// A wheel that goes on steadily under a load.
struct SteadyQuery {
  double load = kRequired;  ///< along z [N]
  double slip = 0.0;        ///< see slip_of, of the shear radius and forward; < 1
  double slip_angle = 0.0;  ///< of travel from the wheel's plane [rad], positive to the left
  double speed = 0.05;      ///< of the faster of rim and forward travel [m/s]
  double slope = 0.0;       ///< tangent of the ground's rise along x
};
struct SteadyWheel {
  double sinkage = 0.0, drawbar = 0.0, side = 0.0, torque = 0.0;
  bool carried = true;  ///< false: the soil does not carry the load, the numbers mean nothing
};
/// Motion that a query asks for, at a sinkage of zero.
WheelMotion steady_motion(const SteadyQuery& query, const WheelSize& size);

/// Speeds below which wheel models smooth what would jump at rest [m/s].
inline constexpr double kSlowSpeed = 1e-4;

// Soil that a wheel shears, as cells that pass under it. Each has a shear displacement j [m], a
// vector in the plane of the ground that points the way the wheel's surface drags the soil's force
// on the wheel, (rim - forward, -lateral).

/// Share of the shear strength that acts on the wheel: (1 - exp(-|j| / K)) j / |j| (Janosi and
/// Hanamoto 1961). Zero, with a slope, at j = 0.
Vec2 janosi_vector(const Vec2& j, double K);

/// How fast a cell is sheared by a sliding velocity `v` of the wheel's surface [m/s], before
/// transport. Going on, it is v, but a cell does not stretch beyond about 12 K, where all strength
/// is used (to 5e-5). Pulled back, soil gives way faster, by 1 + 2 (exp(|j| / K) - 1) up to 11
/// times: so stress falls and turns within about K (the law of Dahl, to which Janosi's is the
/// loading branch), and a wheel that has spun on the spot need not spin back as far before its
/// thrust turns. Speeds far below kSlowSpeed know no such difference; noise does not walk a parked
/// wheel down a slope.
Vec2 shear_rate(const Vec2& v, const Vec2& j, double K);

/// Resistance of the soil ahead of a wheel [N], no more than the normal force allows: pressure acts
/// across the rim, so it pushes back by tan(angle) of what it lifts, and the angle is that of entry
/// at most. Exactly as given up to 0.7 of that. Formulas of passive pressure know no such limit,
/// and would stop light wheels on cohesive soil.
double bounded_resistance(double resistance, double normal, double depth, double radius);

/// A force that a wheel cannot feel unless it is pressed on: all of it where the normal force is a
/// tenth of it or more, none without. Both >= 0.
double faded(double force, double normal);

/// Passive earth pressure on the wall of a wheel that is pushed sideways, per length of wall [N/m],
/// at depth h below the ground: D1 (c h + D2 gamma h^2 / 2) with Hegedus' angle 45 deg - phi / 2
/// (Ishigami 2007).
struct SideWall {
  double linear = 0.0, quadratic = 0.0;  ///< factors of h and h^2
  double at(double h) const { return h * (linear + quadratic * h); }
  /// Of a wall that stands in the soil along a parabola, as long and as deep as given [N].
  double along(double length, double depth) const {
    return length * depth * (2.0 / 3.0 * linear + 8.0 / 15.0 * quadratic * depth);
  }
};
SideWall side_wall(const SoilDef& soil, double gravity);
/// The same by Lancellotta's coefficient, with friction on the wall (laws/earth_pressure.h).
SideWall passive_wall(const SoilDef& soil, double wall_friction, double gravity);

/// What a wheel that slips or travels at an angle does to the soil around it; models that know of
/// this share these parameters.
struct MovedSoilDef {
  double slip_sinkage = 1.5;  ///< how much deeper where soil is sheared in full
  double skid_sinkage = 2.0;  ///< besides, of a locked wheel
  double slip_reach = 0.45;   ///< slip at which 63 % of slip_sinkage are there
  double heap = 0.3;          ///< ahead of a locked wheel, over the sinkage
  double side_wall = 1.0;     ///< factor of the passive pressure on the side and of the heap
};
const ParameterTable<MovedSoilDef>& moved_soil_parameters();

/// Sheared soil bears less, so wheels that slip stand deeper: by so much of their sinkage without.
/// A function of the slip vector, whose length is that of (rim - forward, lateral) over the larger
/// of the speeds of rim and travel, and of skid, the part of the travel that the rim does not roll:
/// what it rolls goes along the wheel, and counts by its component along the travel. Bounded, zero
/// at rest, without kinks.
struct SlipSinkage {
  double slip = 0.0;   ///< where soil is sheared in full
  double skid = 0.0;   ///< besides, of a locked wheel, which pushes a heap ahead
  double reach = 0.5;  ///< length of the slip vector at which 63 % of `slip` are there
};
struct SlipVector {
  double squared = 0.0;  ///< of its length
  double skid = 0.0;     ///< 0 to 1
};
SlipVector slip_vector(double rim, double forward, double lateral);
/// How much of the soil is sheared in full, 0 to 1.
double sheared_share(const SlipSinkage& law, const SlipVector& slip);
double deeper_by_slip(const SlipSinkage& law, const SlipVector& slip);
/// Speed at which soil passes or is worked [m/s]: zero at rest.
double working_speed(double rim, double forward, double lateral);

/// Strength of soil under the tread of a wheel along it and across, as multiples of that of soil
/// on itself, by the theory of tread_strength.
struct WheelTreadStrength {
  TreadStrength along;
  double across = 1.0;
  /// Janosi's K over the soil's: soil slides on a smooth wheel before it is sheared.
  double shear_modulus = 1.0;
  /// Bearing capacity of soil under the bare wheel over that under its tread, at least 1: grousers
  /// let wheels that slip sink deeper.
  double weaker = 1.0;
};
WheelTreadStrength tread_of(const SoilDef& soil, const WheelSize& size, double gravity);

/// Where the load is as depth to the power of `exponent`, so that depth is as the root of what soil
/// bears.
SlipSinkage make_slip_sinkage(const MovedSoilDef& def, const WheelTreadStrength& tread,
                              double exponent);

/// Speed below which friction on the side wall and the push of the heap fade [m/s].
inline constexpr double kWallSpeed = 5e-4;

/// How soil beside and ahead of a wheel that stands in it holds back its travel: passive earth
/// pressure on the side wall along the whole chord, and the heap ahead of a wheel that skids, a
/// surcharge on its front and its side. Both are held at the ends of their wedges too (see
/// passive_ends).
struct WheelWalls {
  SideWall wall;          ///< per length of wall
  double ends = 0.0;      ///< passive_ends()
  double radius = 0.0;    ///< of the wheel [m]
  double width = 0.0;     ///< [m]
  double heap = 0.0;      ///< height over the sinkage, of a locked wheel
  double friction = 0.0;  ///< coefficient on the wall
  double K = 0.0;  ///< how far soil beside is pushed until 63 % of the pressure are there [m]
};
WheelWalls make_wheel_walls(const MovedSoilDef& def, const SoilDef& soil, const WheelSize& size,
                            double gravity, double K);

/// What soil around the wheel has seen: how far it is pushed aside, positive where it pushes the
/// wheel along +y [m], and skid over the last contact length, which the heap is made of.
struct WallState {
  double displaced = 0.0, skid = 0.0;
};
/// Soil comes in unmoved at the front and leaves behind, `length` after `length` [m] of travel;
/// meanwhile the wheel pushes it aside. Zero at rest: what is there holds a parked wheel.
double displaced_rate(const WheelWalls& walls, const WheelMotion& motion, double length,
                      double displaced);
/// Where that comes to when `passing` is the speed at which soil comes in [m/s], up to 12 K, which
/// is 6e-6 short of all.
double displaced_steadily(const WheelWalls& walls, double lateral, double passing, double length);

struct WallForce {
  double side = 0.0;     ///< on the wheel, along y [N]
  double drawbar = 0.0;  ///< along x [N]
  double torque = 0.0;   ///< that friction on the wall asks of the drive [Nm]
};
/// `length` is half of the chord at which the wheel stands in the soil [m].
WallForce wall_force(const WheelWalls& walls, const WheelMotion& motion, const WallState& state,
                     double depth, double length, double normal);

/// C of Bekker's wheel, whose load is C z^(n + 1/2): (3 - n) / 3 b k sqrt(2 r).
double bekker_stiffness(const SoilDef& soil, const WheelSize& size, double gravity);

/// How wide a patch turns on the spot: mean distance of its points from the middle [m]. A quarter
/// of its length for a line; 8 % too little for a square.
double scrub_arm(double length, double width);

/// Gravity by which loads and masses belong together; that of the Earth where there is none.
double weighing_gravity(double gravity);

/// tan^2(45 deg + phi / 2), Rankine's coefficient of passive earth pressure.
double passive_coefficient(double friction_angle);

}  // namespace grouser
