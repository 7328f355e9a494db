// A smooth wheel on dry sand, radius 62.5 mm, width 60 mm, as its mesh has it; means of three
// trials each. C. Pavlov, A. M. Johnson, Carnegie Mellon University, github.com/robomechanics/
// 3d-terramechanics (MIT licence). The carriage goes at 10 mm/s in all; the load is measured, not
// controlled. Sinkage is without the deflection of the rig.
#pragma once

#include <array>

namespace grouser {

/// Speeds [m/s] and what was measured [N], [m].
struct CmuTrial {
  double rim, angle, load, drawbar, side, sinkage;  ///< angle [deg]
};
inline constexpr double kCmuTravel = 0.01;                      ///< speed of the carriage [m/s]
inline constexpr double kCmuRadius = 0.0625, kCmuWidth = 0.06;  ///< [m]
inline constexpr std::array<CmuTrial, 18> kCmuTrials = {{
    {0.00000, 0.0, 19.50, -38.84, 0.00, 0.05003},
    {0.00300, 0.0, 21.84, -24.13, 0.00, 0.03205},
    {0.00500, 0.0, 23.24, -17.15, 0.00, 0.02332},
    {0.00800, 0.0, 23.72, -7.31, 0.00, 0.01472},
    {0.00999, 0.0, 24.58, -1.34, 0.00, 0.01407},
    {0.01301, 0.0, 24.62, 0.70, 0.00, 0.01752},
    {0.02000, 0.0, 25.28, 0.97, 0.00, 0.02237},
    {0.04003, 0.0, 24.00, 0.82, 0.00, 0.02509},
    {0.09974, 0.0, 25.67, 1.51, 0.00, 0.02536},
    {0.00000, 30.0, 18.25, -38.86, 26.59, 0.05308},
    {0.00300, 30.0, 20.93, -25.39, 17.38, 0.03739},
    {0.00500, 30.0, 21.61, -17.49, 13.95, 0.02878},
    {0.00800, 30.0, 22.88, -8.98, 11.87, 0.02250},
    {0.00999, 30.0, 22.00, -4.66, 10.08, 0.02127},
    {0.01298, 30.0, 22.25, -1.26, 8.55, 0.02185},
    {0.02001, 30.0, 23.21, 0.30, 6.10, 0.02357},
    {0.03997, 30.0, 22.22, 1.23, 3.75, 0.02621},
    {0.09964, 30.0, 22.56, 1.69, 2.40, 0.02749},
}};

}  // namespace grouser
