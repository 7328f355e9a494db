// Derivatives of the forces of contact elements, by formula.
#include <algorithm>
#include <cmath>

#include "grouser/contact/pcm_model.h"
#include "grouser/laws/friction.h"

namespace grouser::pcm_detail {

/// Derivatives of the force of one element: by its penetration, by its velocity.
struct Pcm::ElementSlopes {
  Vec3 by_depth;
  Mat3 by_velocity;
};

/// The derivatives of damping_and_friction() and the spring.
Pcm::ElementSlopes Pcm::element_slopes(const LayerPair& layer, const Vec3& normal, double area,
                                       double u, const Vec3& velocity) const {
  const double rate = velocity.dot(normal);
  const double spring_by_depth = layer.stiffness * area;
  const double spring = spring_by_depth * u;
  const double share = std::min(1.0, u * per_damping_depth_);
  double damping = def_.damping * area * rate * share;
  double damping_by_rate = def_.damping * area * share;
  double damping_by_depth = share < 1.0 ? def_.damping * area * rate * per_damping_depth_ : 0.0;
  if (def_.damping_mode == PcmDef::Damping::no_expansion && damping < 0.0)
    damping = damping_by_rate = damping_by_depth = 0.0;
  if (def_.damping_mode == PcmDef::Damping::no_tension && damping < -spring) {
    damping = -spring;
    damping_by_rate = 0.0;
    damping_by_depth = -spring_by_depth;
  }
  const double pressing = spring + damping;
  const double pressing_by_depth = spring_by_depth + damping_by_depth;
  ElementSlopes slopes{-pressing_by_depth * normal, -damping_by_rate * normal * normal.transpose()};
  if (layer.friction.acts() && pressing > 0.0) {
    const Vec3 sliding = velocity - rate * normal;
    const double speed = sliding.norm();
    const Vec3 along = friction_per_speed(layer.friction, 1.0, speed) * sliding;
    slopes.by_depth -= pressing_by_depth * along;
    slopes.by_velocity -= damping_by_rate * along * normal.transpose();
    slopes.by_velocity -= friction_per_speed(layer.friction, pressing, speed) *
                          (Mat3::Identity() - normal * normal.transpose());
    if (speed > 0.0)
      slopes.by_velocity -= friction_per_speed_slope(layer.friction, pressing, speed) / speed *
                            sliding * sliding.transpose();
  }
  return slopes;
}

// A line of the base ends at x on the target triangle with normal m. Where the target moves by
// d(x), the penetration changes by -d(x).m / n.m: the triangle's turn does not count, since the
// line ends on it. Everything else is the chain rule.
bool Pcm::linearize(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                    Eigen::Ref<Eigen::Matrix<double, 12, 12>> out) const {
  if (passes_.size() != 1 || def_.elements != PcmDef::Elements::centroid) return false;
  const Pass& pass = passes_[0];
  const Found found = find_elements(pass, in, scratch);
  const Pose X_BT = pass.target_in_base(in);
  const Twist V_TB_B = relative_twist(pass, in);

  // Of the wrench on the base, about its origin, in its frame.
  Wrench F;
  Mat6 by_motion =
      Mat6::Zero();              // of the target: turn about the base's origin, shift of that point
  Mat6 by_twist = Mat6::Zero();  // of the base relative to the target
  for (std::size_t k = 0; k < found.elements.size(); ++k) {
    const PcmElement& element = found.elements[k];
    const ElementForce f = whole_element_force(pass, found, k, V_TB_B);
    F += f.F_B_B;
    const LayerPair& layer = pass.layer(element);
    const Vec3& n = pass.base->lines[static_cast<std::size_t>(element.triangle)].normal;
    const ElementSlopes slopes =
        element_slopes(layer, n, f.area, element.penetration, V_TB_B.at(f.p_BC));

    const Vec3 m = X_BT.R * pass.target->triangles[static_cast<std::size_t>(element.target)].normal;
    const Vec3 end = f.p_BC - (1.0 - layer.interface_share) * element.penetration * n;
    Vec6 depth_by_motion;
    const Vec3 depth_by_shift = m / -n.dot(m);
    depth_by_motion << end.cross(depth_by_shift), depth_by_shift;
    const Vec3 point_by_depth = -layer.interface_share * n;
    const Vec3 force_by_depth =
        slopes.by_depth + slopes.by_velocity * V_TB_B.w.cross(point_by_depth);
    Vec6 wrench_by_depth;
    wrench_by_depth << f.p_BC.cross(force_by_depth) + point_by_depth.cross(f.F_B_B.force),
        force_by_depth;
    by_motion.noalias() += wrench_by_depth * depth_by_motion.transpose();

    const Mat3 arm = cross_matrix(f.p_BC);
    const Mat3 turned = slopes.by_velocity * arm;  // velocity by w is -arm
    by_twist.topLeftCorner<3, 3>().noalias() -= arm * turned;
    by_twist.topRightCorner<3, 3>().noalias() += arm * slopes.by_velocity;
    by_twist.bottomLeftCorner<3, 3>() -= turned;
    by_twist.bottomRightCorner<3, 3>() += slopes.by_velocity;
  }

  // From motions of the target, which is port 1, in W and about its own origin.
  const BodyKinematics& base = in.bodies[0];
  const BodyKinematics& target = in.bodies[1];
  const Mat3 R_BW = base.X_WB.R.transpose();
  const Vec3 arm = base.X_WB.p - target.X_WB.p;
  Mat6 to_base = Mat6::Zero();  // turn and shift at the target's origin -> at the base's, in B
  to_base.topLeftCorner<3, 3>() = R_BW;
  to_base.bottomLeftCorner<3, 3>() = -R_BW * cross_matrix(arm);
  to_base.bottomRightCorner<3, 3>() = R_BW;
  Eigen::Matrix<double, 6, 12> on_base;  // in B
  on_base.leftCols<6>() = by_motion * to_base;
  on_base.rightCols<6>() = -by_twist * to_base;
  // The target's velocity where the base's origin is depends on where the target's is.
  on_base.middleCols<3>(3) += by_twist.rightCols<3>() * R_BW * cross_matrix(target.V_WB.w);

  const Mat3& R_WB = base.X_WB.R;
  out.topRows<3>() = R_WB * on_base.topRows<3>();
  out.middleRows<3>(3) = R_WB * on_base.bottomRows<3>();
  out.bottomRows<3>() = -out.middleRows<3>(3);
  out.middleRows<3>(6) = -out.topRows<3>() - cross_matrix(arm) * out.middleRows<3>(3);
  out.block<3, 3>(6, 3) -= cross_matrix(R_WB * F.force);
  return true;
}

}  // namespace grouser::pcm_detail
