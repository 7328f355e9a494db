// The polygonal contact model itself: passes over base triangles, and the forces of their contact
// elements. Inside the contact room; built by PcmDef.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/pcm_construction.h"

namespace grouser::pcm_detail {

/// What acts between a group of base triangles and a group of target triangles.
struct LayerPair {
  double stiffness;        // c_l [Pa/m]
  double interface_share;  // of the penetration that lies on the base side of the interface
  DryFriction friction;
};

/// Force of one element on the base body, in the base frame, and what produced it.
struct ElementForce {
  Vec3 p_BC;           // where it acts
  Wrench F_B_B;        // about the base's origin
  double area;         // [m^2]
  double energy;       // [J]
  double dissipation;  // [W]
};

/// Contact elements, in the order of the base triangles. Clipped ones have pieces.
struct Found {
  std::span<const PcmElement> elements;
  std::span<const Piece> pieces = {};
};

/// One assignment of base and target. A model has one, or two with exchanged roles.
struct Pass {
  std::size_t base_port, target_port;
  std::shared_ptr<const BaseSurface> base;
  std::shared_ptr<const TargetSurface> target;
  // For intersection construction only.
  std::shared_ptr<const ConstructionSurface> base_area, target_area;
  std::vector<LayerPair> layers;  // by base group, then target group
  std::size_t base_groups, target_groups;
  std::vector<BoxTree::Ref> parts;

  const LayerPair& layer(const PcmElement& element) const {
    if (layers.size() == 1) return layers[0];
    const std::size_t b = base_groups == 1 ? 0 : group_of(base->mesh, element.triangle);
    const std::size_t t = target_groups == 1 ? 0 : group_of(target->mesh, element.target);
    GROUSER_ASSERT(b < base_groups && t < target_groups);
    return layers[b * target_groups + t];
  }
  Pose target_in_base(const ContactInput& in) const {
    return in.bodies[base_port].X_WB.inverse() * in.bodies[target_port].X_WB;
  }

 private:
  static std::size_t group_of(const TriangleMesh& mesh, std::int32_t triangle) {
    return mesh.groups.empty()
               ? 0
               : static_cast<std::size_t>(mesh.groups[static_cast<std::size_t>(triangle)]);
  }
};

/// Sum over elements, taken in the order of the triangles.
struct PassSum {
  Wrench F_B_B;  // on the base, about its origin, in its frame
  double greatest = 0.0;

  void add(const PcmElement& element, const ElementForce& f) {
    F_B_B += f.F_B_B;
    greatest = std::max(greatest, element.penetration);
  }
};

class Pcm final : public ContactModel {
 public:
  Pcm(const PcmDef& def, std::vector<std::string> bodies, std::vector<Pass> passes,
      std::vector<std::string> notes)
      : def_(def),
        bodies_(std::move(bodies)),
        passes_(std::move(passes)),
        weight_(1.0 / static_cast<double>(passes_.size())),
        per_damping_depth_(1.0 / def.damping_depth),
        notes_(std::move(notes)) {}

  std::vector<std::string> body_names() const override { return bodies_; }
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<PlainMemory<NoMemory>>();
  }
  double max_penetration() const override { return def_.max_penetration; }
  std::vector<std::string> notes() const override { return notes_; }

  Status evaluate(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                  ContactOutput& out) const override;

  void commit(const ContactInput&, ContactMemory&, Scratch&) const override {}

  std::size_t part_count() const override;
  const void* evaluate_part(const ContactInput& in, const ContactMemory&, std::size_t part,
                            Scratch& scratch) const override;
  Status gather_parts(const ContactInput& in, const ContactMemory&,
                      std::span<const void* const> parts, Scratch& scratch,
                      ContactOutput& out) const override;

  const void* prepare_perturbations(const ContactInput& in, const ContactMemory&,
                                    Scratch& scratch) const override;
  Status evaluate_perturbed(const ContactInput& in, const ContactMemory&, const void* prepared,
                            Scratch& scratch, ContactOutput& out) const override;

  bool linearize(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                 Eigen::Ref<Eigen::Matrix<double, 12, 12>> out) const override;

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "greatest penetration of a contact element"},
            {"area", "m^2", "of all contact elements"},
            {"element_count", "", "number of contact elements"},
            {"elastic_energy", "J", "stored in the layers"},
            {"dissipation", "W", "by damping and friction"}};
  }
  void report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
              ContactReport& out) const override;

  PcmWork work(const ContactInput& in) const;

 private:
  Found find_elements(const Pass& pass, const ContactInput& in, BoxTree::Ref part, Scratch& scratch,
                      PcmWork* work = nullptr) const;
  Found find_elements(const Pass& pass, const ContactInput& in, Scratch& scratch) const {
    return find_elements(pass, in, pass.base->tree.root(), scratch);
  }
  Found same_elements(const Pass& pass, const Pose& X_BT, const Found& found,
                      Scratch& scratch) const;
  PassSum sum_elements(const Pass& pass, const ContactInput& in, const Found& found) const;
  /// Sum of `sum(pass)` over the passes, as wrenches on the bodies.
  template <class Sum>
  Status sum_passes(const ContactInput& in, ContactOutput& out, Sum&& sum) const;
  ElementForce element_force(const Pass& pass, const Found& found, std::size_t k,
                             const Twist& V_TB_B) const;
  ElementForce whole_element_force(const Pass& pass, const Found& found, std::size_t k,
                                   const Twist& V_TB_B) const;
  Vec3 damping_and_friction(const LayerPair& layer, const Vec3& normal, double area, double u,
                            double spring, const Vec3& velocity) const;

  struct ElementSlopes;
  ElementSlopes element_slopes(const LayerPair& layer, const Vec3& normal, double area, double u,
                               const Vec3& velocity) const;

  PcmDef def_;
  std::vector<std::string> bodies_;  // base's, target's
  std::vector<Pass> passes_;
  double weight_;  // of a pass
  double per_damping_depth_;
  std::vector<std::string> notes_;
};

/// Relative twist of the base to the target, at the base's origin, in the base frame.
inline Twist relative_twist(const BodyKinematics& base, const BodyKinematics& target) {
  const Vec3 w = base.V_WB.w - target.V_WB.w;
  const Vec3 v = base.V_WB.v - target.V_WB.at(base.X_WB.p - target.X_WB.p);
  return {base.X_WB.R.transpose() * w, base.X_WB.R.transpose() * v};
}
inline Twist relative_twist(const Pass& pass, const ContactInput& in) {
  return relative_twist(in.bodies[pass.base_port], in.bodies[pass.target_port]);
}

}  // namespace grouser::pcm_detail
