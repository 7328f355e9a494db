// How thick the walls of a body are.
#include <algorithm>
#include <limits>
#include <tuple>

#include "grouser/base/assert.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/pcm_detection.h"

namespace grouser {

double wall_thickness(const TriangleMesh& mesh) {
  return wall_thickness(TargetSurface(mesh));
}

double wall_thickness(const TargetSurface& body) {
  const TriangleMesh& mesh = body.mesh;
  GROUSER_ASSERT(!mesh.triangles.empty());
  // Lines through the whole body from up to some hundred triangles, met with the body itself. They
  // start a little below the surface, or they would meet the triangle they start from.
  constexpr std::size_t kSamples = 512;
  const double size = body.tree.box().half_size().norm();
  const std::size_t stride = (mesh.triangle_count() + kSamples - 1) / kSamples;
  TriangleMesh sample;
  for (std::size_t i = 0; i < mesh.triangle_count(); i += stride) {
    const Vec3 inward = -1e-6 * size * face_of(mesh, i).normal;
    const auto first = static_cast<std::int32_t>(sample.vertices.size());
    for (int k = 0; k < 3; ++k) sample.vertices.push_back(mesh.corner(i, k) + inward);
    sample.triangles.push_back({first, first + 1, first + 2});
  }
  const BaseSurface lines(std::move(sample), 2.0 * size, BaseSurface::Probe::line);
  Scratch scratch;
  double total = 0.0;
  for (const double area : lines.areas) total += area;
  std::vector<std::tuple<double, double>> walls;  // thickness, area
  for (const PcmElement& element :
       find_penetrations(lines, body, Pose{}, PcmFrame::target, lines.tree.root(), scratch))
    walls.emplace_back(element.penetration,
                       lines.areas[static_cast<std::size_t>(element.triangle)]);
  std::sort(walls.begin(), walls.end());
  double thinner = 0.0;
  for (const auto& [thickness, area] : walls) {
    thinner += area;
    if (thinner > 0.05 * total) return thickness;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace grouser
