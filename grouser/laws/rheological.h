// A wheel as springs, dampers and a plastic element in series, with friction that is either stuck
// or slipping (after Bolling): the simplest wheel on soil that stands still on a slope.
//
// Stuck, a controller holds the wheel at an anchor with spring, damper and integral; slipping, a
// friction law acts. Switching between the two is memory, done between steps, and no force jumps.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "grouser/laws/friction.h"
#include "grouser/laws/wheel_soil.h"

namespace grouser {

struct RheologicalDef {
  double nominal_load = 0.0;     ///< W_0 [N]; 0: that of nominal_sinkage
  double nominal_sinkage = 0.0;  ///< z_0 [m]; 0: of a Bekker wheel under nominal_load
  double elastic_ratio = 15.0;   ///< k_e / k_p
  double damping_ratio = 0.7;    ///< zeta of the wheel's damper
  double yield_time = 2e-3;      ///< tau_p [s]
  FrictionLaw friction_law = FrictionLaw::tanh;
  double friction = 0.0;            ///< mu; 0: tan(phi) of the soil
  double static_friction = 0.0;     ///< mu_s; 0: friction
  double friction_speed = 2.5e-4;   ///< at which the law is in force [m/s]
  double stick_frequency = 30.0;    ///< w_n [rad/s]
  double stick_damping = 1.0;       ///< zeta of sticking
  double stick_integral = 0.1;      ///< k_I / (m w_n^3)
  double lock_speed = 1e-3;         ///< below which the wheel may stick [m/s]
  double dwell = 5e-3;              ///< for so long [s]
  double rolling_resistance = 1.0;  ///< factor of sqrt(z / 2 r)
  double rest_speed = 5e-3;         ///< below which rolling resistance fades [m/s]
};
const ParameterTable<RheologicalDef>& rheological_parameters();

/// Everything that does not change.
struct RheologicalWheel {
  WheelSize size;
  RheologicalDef def;
  double k_p = 0.0, k_e = 0.0, d = 0.0;  ///< [N/m], [N/m], [N s/m]
  double mu = 0.0, mu_s = 0.0, c = 0.0;
  double k_P = 0.0, k_D = 0.0, k_I = 0.0, mass = 0.0;
  double nominal_load = 0.0;

  static constexpr std::size_t kStates = 5, kEvents = 2;
};
RheologicalWheel make_rheological_wheel(const RheologicalDef& def, const SoilDef& soil,
                                        const WheelSize& size, double gravity);

/// What is remembered between steps.
struct RheologicalMemory {
  enum class Mode : std::int32_t { slip, stick };
  Mode mode = Mode::slip;
  std::int32_t leaving = 0;          ///< has broken away and is not yet in full motion
  std::array<double, 2> anchor{};    ///< of the stretched spring [m]
  std::array<double, 2> integral{};  ///< at which sticking began [m s]
  std::array<double, 2> release{};   ///< force at breakaway / static limit
  double release_speed = 0.0;        ///< at breakaway [m/s]
  double slow_since = -1.0;          ///< time since which it could stick [s]; negative: it cannot
  double window_start = 0.0;         ///< of the second in which switches are counted [s]
  std::int64_t switches = 0;         ///< in all
  std::int64_t in_window = 0, most_in_window = 0;
};
/// More switches than this in a second are chatter, and worth a warning.
inline constexpr int kChatter = 20;

/// States: plastic sinkage [m], stretch x and y of the stuck spring [m], their integrals [m s].
WheelForce rheological_force(const RheologicalWheel& wheel, const WheelMotion& motion,
                             std::span<const double> states, const RheologicalMemory& memory,
                             std::span<double> derivatives);

/// Sticks or breaks away if it is time; the force stays what it is.
void rheological_commit(const RheologicalWheel& wheel, const WheelMotion& motion, double time,
                        std::span<const double> states, RheologicalMemory& memory);

/// Change sign when the wheel breaks away, becomes slow, or has been slow for long enough.
void rheological_events(const RheologicalWheel& wheel, const WheelMotion& motion, double time,
                        std::span<const double> states, const RheologicalMemory& memory,
                        std::span<double> events);

SteadyWheel rheological_steady(const RheologicalWheel& wheel, const SteadyQuery& query);

}  // namespace grouser
