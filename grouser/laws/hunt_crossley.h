// Hertz stiffness with Hunt-Crossley damping that gives the wanted restitution exactly.
#pragma once

namespace grouser {

/// Hertz stiffness [N/m^1.5] of a sphere of radius R [m] on a plane or sphere (R combined), with
/// effective modulus 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2: k = 4/3 E* sqrt(R).
double hertz_stiffness(double effective_modulus, double radius);

/// Damping factor a of F = k d^n (1 + a d' / v_impact) for which a free impact ends with the speed
/// e v_impact. Solves a (1 + e) = ln((1 + a) / (1 - a e)) on (0, 1/e); independent of k, n and
/// mass. Exact to rounding (1e-8 near e = 1, where a vanishes); e is raised to
/// kSmallestRestitution, below which a grows without bound.
double hunt_crossley_damping(double restitution);
inline constexpr double kSmallestRestitution = 0.01;

/// Force [N] at depth d [m] and depth rate d' [m/s]; zero when apart and never tensile.
double hunt_crossley_force(double stiffness, double damping, double impact_speed, double depth,
                           double depth_rate);

/// Energy stored in the spring part [J]: 2/5 k d^2.5.
double hertz_energy(double stiffness, double depth);

}  // namespace grouser
