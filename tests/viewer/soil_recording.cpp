// Writes a recording with soil for the tests of the page: a wheel that presses a rut.
//
// soil_recording FILE NX NY SAMPLES
#include <cmath>
#include <cstdlib>

#include "grouser/mesh/mesh_shapes.h"
#include "grouser/record/recording.h"

namespace {

using namespace grouser;

constexpr double kSpacing = 0.02, kRadius = 0.125, kDepth = 0.03;

/// Height of the ground before the wheel comes.
double ground(std::size_t ix, std::size_t iy) {
  return 0.01 * std::sin(0.11 * static_cast<double>(ix)) * std::cos(0.07 * static_cast<double>(iy));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto number = [&](int i) { return static_cast<std::size_t>(std::atoi(argv[i])); };
  const std::size_t nx = number(2), ny = number(3), samples = number(4);

  RecordingLayout layout;
  layout.scene_path = "made by a test";
  layout.channels = {{"bodies/wheel/position", "m", {"x", "y", "z"}, "of the body's origin"},
                     {"bodies/wheel/orientation", "", {"w", "x", "y", "z"}, "body to world"}};
  layout.shapes.push_back({"wheel",
                           "wheel",
                           "mesh",
                           make_cylinder({.radius = kRadius, .length = 0.16, .segments = 48}),
                           {}});
  RecordingSoil soil;
  soil.name = "ground";
  soil.spacing = kSpacing;
  soil.nx = nx;
  soil.ny = ny;
  for (std::size_t iy = 0; iy < ny; ++iy)
    for (std::size_t ix = 0; ix < nx; ++ix) soil.heights.push_back(ground(ix, iy));
  layout.soils.push_back(soil);

  RecordingWriter writer(argv[1], layout);
  const double length = kSpacing * static_cast<double>(nx - 1);
  const double middle = 0.5 * kSpacing * static_cast<double>(ny - 1);
  std::vector<double> pressed(nx, 0.0);  // by column of nodes
  for (std::size_t k = 0; k < samples; ++k) {
    const double x = length * static_cast<double>(k) / static_cast<double>(samples - 1);
    const double angle = x / kRadius;
    const std::vector<double> values = {
        x, middle, kRadius - kDepth,
        // The cylinder's axis lies along y, and it rolls along x.
        std::sqrt(0.5) * std::cos(0.5 * angle), -std::sqrt(0.5) * std::cos(0.5 * angle),
        std::sqrt(0.5) * std::sin(0.5 * angle), std::sqrt(0.5) * std::sin(0.5 * angle)};
    std::vector<double> changes;
    for (std::size_t ix = 0; ix < nx; ++ix) {
      const double from = kSpacing * static_cast<double>(ix) - x;
      if (std::abs(from) >= kRadius) continue;
      const double depth = std::sqrt(kRadius * kRadius - from * from) - (kRadius - kDepth);
      if (depth <= pressed[ix]) continue;
      pressed[ix] = depth;
      for (std::size_t iy = 0; iy < ny; ++iy)
        if (std::abs(kSpacing * static_cast<double>(iy) - middle) <= 0.08)
          changes.insert(changes.end(),
                         {static_cast<double>(iy * nx + ix), ground(ix, iy) - depth});
    }
    const std::span<const double> soil_changes[] = {changes};
    writer.add_sample(0.01 * static_cast<double>(k), values, soil_changes);
  }
  writer.finish({});
}
