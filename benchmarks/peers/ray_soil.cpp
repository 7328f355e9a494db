#include "benchmarks/peers/ray_soil.h"

#include <cmath>

namespace grouser {

RaySoil::RaySoil(const TriangleMesh& mesh, double spacing, const SoilDef& soil)
    : mesh_(mesh), tree_(make_triangle_tree(mesh)), spacing_(spacing), soil_(soil) {}

Vec3 RaySoil::force(const BodyKinematics& body) const {
  const Pose X_BW = body.X_WB.inverse();
  Box around;
  for (const Vec3& vertex : mesh_.vertices) around.add(body.X_WB * vertex);
  const Vec3 up_B = X_BW.R * Vec3::UnitZ();
  Vec3 sum = Vec3::Zero();
  const auto first_x = static_cast<long>(std::ceil(around.lower.x() / spacing_));
  const auto first_y = static_cast<long>(std::ceil(around.lower.y() / spacing_));
  for (long iy = first_y; spacing_ * static_cast<double>(iy) <= around.upper.y(); ++iy)
    for (long ix = first_x; spacing_ * static_cast<double>(ix) <= around.upper.x(); ++ix) {
      // Up from below the wheel to the ground, in the frame of the mesh.
      const Vec3 from(spacing_ * static_cast<double>(ix), spacing_ * static_cast<double>(iy),
                      around.lower.z() - 0.01);
      const double length = -from.z();
      if (length <= 0.0) continue;
      const Vec3 a = X_BW * from, d = length * up_B;
      Box box;
      box.add(a);
      box.add(a + d);
      double nearest = 1.0;
      Vec3 normal = Vec3::Zero();
      tree_.for_each_overlap(box, [&](std::size_t t) {
        const Vec3 p = mesh_.corner(t, 0), e1 = mesh_.corner(t, 1) - p, e2 = mesh_.corner(t, 2) - p;
        const Vec3 h = d.cross(e2);
        const double det = e1.dot(h);
        if (std::abs(det) < 1e-30) return;
        const double u = (a - p).dot(h) / det;
        const Vec3 q = (a - p).cross(e1);
        const double v = d.dot(q) / det, s = e2.dot(q) / det;
        if (u < 0.0 || v < 0.0 || u + v > 1.0 || s < 0.0 || s >= nearest) return;
        nearest = s;
        normal = e1.cross(e2).normalized();
      });
      if (nearest >= 1.0) continue;
      const double sinkage = (1.0 - nearest) * length;
      const Vec3 n = body.X_WB.R * normal;
      const Vec3 point = from + Vec3(0.0, 0.0, nearest * length);
      const Vec3 v = body.V_WB.at(point - body.X_WB.p);
      const Vec3 sliding = v - v.dot(n) * n;
      const double p = (soil_.k_c / 0.1 + soil_.k_phi) * std::pow(sinkage, soil_.n);
      const double tau = (soil_.cohesion + p * std::tan(soil_.friction_angle)) *
                         (1.0 - std::exp(-sinkage / soil_.shear_modulus));
      const double area = spacing_ * spacing_;
      sum += area * (-p * n - tau * sliding / (sliding.norm() + 1e-12));
    }
  return sum;
}

}  // namespace grouser
