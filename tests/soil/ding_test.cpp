// A smooth wheel and one with 30 lugs on planetary soil simulant, as measured by Ding et al.
// (2011), against the testbed: one soil for both, fitted to the smooth wheel, and one for the
// lugged wheel alone.
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

#include "grouser/assets/wheel.h"
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
constexpr std::size_t kSlipCount = 6;
using Curve = std::array<Point, kSlipCount>;

constexpr std::array<double, kSlipCount> kSlips = {0.0, 0.1, 0.2, 0.3, 0.4, 0.6};
constexpr Curve kSmooth = {{{-6.5, 5.0e-3, 0.0},
                            {11.0, 5.5e-3, 3.0},
                            {14.5, 7.5e-3, 4.2},
                            {15.0, 10.0e-3, 4.8},
                            {15.0, 12.5e-3, 5.0},
                            {15.0, 17.5e-3, 5.3}}};
constexpr Curve kLugged = {{{-6.5, 4.5e-3, 0.0},
                            {14.0, 5.0e-3, 3.5},
                            {20.0, 7.5e-3, 5.0},
                            {22.0, 10.5e-3, 5.8},
                            {23.0, 14.0e-3, 6.3},
                            {24.5, 27.0e-3, 7.2}}};
constexpr double kLugs = 0.01;  ///< their height [m]; sinkage is that of the rim

/// Fitted to the smooth wheel alone. Density, compaction and k_c are those of the library.
SoilDef fitted_soil() {
  SoilDef soil = library_soil("ding-simulant", {}, "").soil;
  soil.friction_angle = 0.5;     // [rad]; published 0.557
  soil.cohesion = 250.0;         // as published [Pa]
  soil.shear_modulus = 11.5e-3;  // published 9.7 to 13.1 [m]
  soil.k_phi = 4.2e6;
  soil.failure_shear = 16e-3;
  return soil;
}
/// Fitted to the lugged wheel alone.
SoilDef lugged_soil() {
  SoilDef soil = library_soil("ding-simulant", {}, "").soil;
  soil.friction_angle = 0.46;
  soil.cohesion = 194.0;
  soil.shear_modulus = 11.2e-3;
  soil.k_phi = 4.26e6;
  soil.n = 1.09;
  soil.failure_shear = 19.7e-3;
  soil.slip_sinkage = 15.4;
  return soil;
}
/// Of the simulant on the metal of the rim, as a share of that in the simulant.
constexpr double kWallFriction = 0.75;

/// Axis along y.
std::shared_ptr<const TriangleMesh> smooth_wheel() {
  TriangleMesh mesh = make_cylinder({.radius = kRadius, .length = kWidth, .segments = 360});
  const Mat3 R = Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
  for (Vec3& vertex : mesh.vertices) vertex = R * vertex;
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

std::shared_ptr<const TriangleMesh> lugged_wheel() {
  WheelDef def;
  def.radius = kRadius;
  def.width = kWidth;
  def.grouser_count = 30;
  def.grouser_height = kLugs;
  def.grouser_thickness = 2e-3;  // not published
  return std::make_shared<const TriangleMesh>(make_wheel(def));
}

/// `radius` is that of the authors' slip: measured wheels have no torque at no slip, so it is
/// larger than the rim's or the tips', by 1 to 2 %.
Curve simulated(const SoilDef& soil, std::shared_ptr<const TriangleMesh> wheel, double radius,
                double lugs) {
  TestbedDef test;
  test.soil.name = "bed";
  test.soil.soil = soil;
  test.soil.spacing = 0.01;
  test.wheel = std::move(wheel);
  test.rolling_radius = radius;
  test.load = kLoad;
  test.speed = 0.05;
  test.distance = 0.45;
  test.settling = 0.6;
  test.steps_per_update = 2;  // 4 give the same to 0.01 N and 0.01 mm
  test.settings = Value::Table{{"wall_friction", {}, kWallFriction}};
  Curve out;
  for (std::size_t i = 0; i < kSlipCount; ++i) {
    test.slip = kSlips[i];
    const TestbedSample mean = run_testbed(test).mean;
    out[i] = {mean.drawbar, mean.sinkage - lugs, mean.torque};
  }
  return out;
}

/// Shares of the load, metres, shares of the mean torque: roots of the mean squares of differences.
Point rms(const char* name, const Curve& found, const Curve& measured) {
  std::printf("%s\nslip  pull [N]        sinkage [mm]   torque [Nm]\n", name);
  Point out;
  double torque = 0.0;
  for (std::size_t i = 0; i < kSlipCount; ++i) {
    const Point &f = found[i], &m = measured[i];
    std::printf("%4.1f  %5.1f %6.2f   %5.1f %6.2f   %4.1f %5.2f\n", kSlips[i], m.drawbar, f.drawbar,
                1e3 * m.sinkage, 1e3 * f.sinkage, m.torque, f.torque);
    out.drawbar += std::pow(f.drawbar - m.drawbar, 2) / kSlipCount;
    out.sinkage += std::pow(f.sinkage - m.sinkage, 2) / kSlipCount;
    out.torque += std::pow(f.torque - m.torque, 2) / kSlipCount;
    torque += m.torque / kSlipCount;
  }
  out = {std::sqrt(out.drawbar) / kLoad, std::sqrt(out.sinkage), std::sqrt(out.torque) / torque};
  std::printf("rms   %.3f of load     %.2f mm        %.3f of mean\n", out.drawbar,
              1e3 * out.sinkage, out.torque);
  return out;
}

TEST(Ding2011, SmoothWheelAfterCalibration) {
  const Point error = rms("smooth", simulated(fitted_soil(), smooth_wheel(), 0.159, 0.0), kSmooth);
  EXPECT_LT(error.drawbar, 0.04);
  EXPECT_LT(error.sinkage, 1.5e-3);
  EXPECT_LT(error.torque, 0.08);
}

TEST(Ding2011, LuggedWheelOnTheSoilOfTheSmoothOne) {
  const Point error =
      rms("lugged", simulated(fitted_soil(), lugged_wheel(), 0.17035, kLugs), kLugged);
  EXPECT_LT(error.drawbar, 0.08);
  EXPECT_LT(error.sinkage, 3e-3);
  EXPECT_LT(error.torque, 0.15);
}

TEST(Ding2011, LuggedWheelAfterCalibration) {
  const Point error =
      rms("lugged, fitted", simulated(lugged_soil(), lugged_wheel(), 0.17035, kLugs), kLugged);
  EXPECT_LT(error.drawbar, 0.04);
  EXPECT_LT(error.sinkage, 1.5e-3);
  EXPECT_LT(error.torque, 0.08);
}

}  // namespace
}  // namespace grouser
