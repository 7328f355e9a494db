// A smooth wheel on planetary soil simulant, as measured by Ding et al. (2011), against the
// testbed: with the soil parameters they publish, and with seven parameters fitted.
//
//   L. Ding, H. Gao, Z. Deng, K. Nagatani, K. Yoshida, "Experimental study and analysis on driving
//   wheels' performance for planetary exploration rovers moving in deformable soil", Journal of
//   Terramechanics 48, 2011.
//
// The measured values were read off figures: +-1 N, +-0.5 mm, +-0.2 Nm.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/testbed.h"

namespace grouser {
namespace {

constexpr double kRadius = 0.15735, kWidth = 0.165, kLoad = 80.0;  // [m], [m], [N]

/// What is measured at one slip.
struct Point {
  double drawbar = 0.0;  ///< [N]
  double sinkage = 0.0;  ///< [m]
  double torque = 0.0;   ///< [Nm]
};
constexpr std::size_t kCount = 6;
using Curve = std::array<Point, kCount>;

constexpr std::array<double, kCount> kSlips = {0.0, 0.1, 0.2, 0.3, 0.4, 0.6};
constexpr Curve kMeasured = {{{-6.5, 5.0e-3, 0.0},
                              {11.0, 5.5e-3, 3.0},
                              {14.5, 7.5e-3, 4.2},
                              {15.0, 10.0e-3, 4.8},
                              {15.0, 12.5e-3, 5.0},
                              {15.0, 17.5e-3, 5.3}}};

/// Soil and the radius that slip refers to.
struct Parameters {
  SoilDef soil;
  double rolling_radius = kRadius;
};

/// As published; what the paper does not give (density, compaction, drag_depth) as in the library.
Parameters published() {
  return {library_soil("ding-simulant", {}, "").soil, kRadius};
}

/// Seven parameters fitted to the 18 values above (Nelder and Mead; squares of the differences,
/// each in units of its limit). The rolling radius is one of them because no torque at no slip
/// means that the authors' slip refers to an effective radius. k_c, for one, stays as published.
Parameters calibrated() {
  Parameters out = published();
  out.soil.friction_angle = 0.3985;  // [rad]
  out.soil.cohesion = 288.8;         // [Pa]
  out.soil.shear_modulus = 4.447e-3;
  out.soil.k_phi = 3.9112e6;
  out.soil.n = 1.0873;
  out.soil.drag_depth = 14.279e-3;
  out.rolling_radius = 0.1582;
  return out;
}

/// Axis along y.
std::shared_ptr<const TriangleMesh> smooth_wheel() {
  TriangleMesh mesh = make_cylinder({.radius = kRadius, .length = kWidth, .segments = 360});
  const Mat3 R = Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
  for (Vec3& vertex : mesh.vertices) vertex = R * vertex;
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

Curve simulated(const Parameters& parameters) {
  TestbedDef test;
  test.soil.name = "bed";
  test.soil.soil = parameters.soil;
  test.soil.spacing = 0.01;
  test.wheel = smooth_wheel();
  test.rolling_radius = parameters.rolling_radius;
  test.load = kLoad;
  test.speed = 0.05;
  test.distance = 0.45;
  test.settling = 0.6;
  test.steps_per_update = 2;  // 4 give the same to 0.01 N and 0.01 mm
  Curve out;
  for (std::size_t i = 0; i < kCount; ++i) {
    test.slip = kSlips[i];
    const TestbedSample mean = run_testbed(test).mean;
    out[i] = {mean.drawbar, mean.sinkage, mean.torque};
  }
  return out;
}

/// Root of the mean square of the differences from what was measured.
Point rms(const Curve& curve) {
  Point out;
  for (double Point::*const member : {&Point::drawbar, &Point::sinkage, &Point::torque}) {
    double sum = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const double difference = curve[i].*member - kMeasured[i].*member;
      sum += difference * difference;
    }
    out.*member = std::sqrt(sum / static_cast<double>(kCount));
  }
  return out;
}

void print(const Curve& fitted, const Curve& unfitted) {
  std::printf("      drawbar pull [N]          sinkage [mm]              torque [Nm]\n");
  std::printf(
      "slip  meas.  calib.  uncalib.   meas.  calib.  uncalib.   meas.  calib.  uncalib.\n");
  for (std::size_t i = 0; i < kCount; ++i) {
    const Point &m = kMeasured[i], &c = fitted[i], &u = unfitted[i];
    std::printf("%4.1f  %5.1f  %6.2f  %8.2f   %5.1f  %6.2f  %8.2f   %5.1f  %6.2f  %8.2f\n",
                kSlips[i], m.drawbar, c.drawbar, u.drawbar, 1e3 * m.sinkage, 1e3 * c.sinkage,
                1e3 * u.sinkage, m.torque, c.torque, u.torque);
  }
  const Point c = rms(fitted), u = rms(unfitted);
  std::printf("rms, calibrated    %6.2f                    %6.2f                    %6.2f\n",
              c.drawbar, 1e3 * c.sinkage, c.torque);
  std::printf("rms, uncalibrated            %8.2f                  %8.2f                  %8.2f\n",
              u.drawbar, 1e3 * u.sinkage, u.torque);
}

TEST(Ding2011, SmoothWheelAfterCalibrationOfSevenParameters) {
  const Curve fitted = simulated(calibrated());
  const Curve unfitted = simulated(published());
  print(fitted, unfitted);

  const Point error = rms(fitted);
  // The limits are those promised. When it was fitted it was 1.6 N of 3.2, 0.7 mm of 1.5 and
  // 0.06 Nm of 0.30: room for changes of the model that are not about physics.
  EXPECT_LT(error.drawbar, 0.04 * kLoad);
  EXPECT_LT(error.sinkage, 1.5e-3);
  double mean_torque = 0.0;
  for (const Point& point : kMeasured) mean_torque += point.torque / static_cast<double>(kCount);
  EXPECT_LT(error.torque, 0.08 * mean_torque);

  // Without calibration it is what it is: printed, not judged.
  const Point raw = rms(unfitted);
  EXPECT_TRUE(std::isfinite(raw.drawbar + raw.sinkage + raw.torque));
}

}  // namespace
}  // namespace grouser
