#include "grouser/contact/pcm_model.h"

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/friction.h"

namespace grouser {

namespace pcm_detail {

Found Pcm::find_elements(const Pass& pass, const ContactInput& in, BoxTree::Ref part,
                         Scratch& scratch, PcmWork* work) const {
  const Pose X_BT = pass.target_in_base(in);
  if (def_.elements == PcmDef::Elements::clipped) {
    const PcmPieces found = find_pieces(*pass.base, *pass.target, X_BT, part, scratch, work);
    return {found.elements, found.pieces};
  }
  if (pass.base_area)
    return {construct_penetrations(*pass.base, *pass.base_area, *pass.target_area, X_BT, def_.frame,
                                   scratch, work)};
  return {find_penetrations(*pass.base, *pass.target, X_BT, def_.frame, part, scratch, work)};
}

/// The elements found before, with the penetrations they have now.
Found Pcm::same_elements(const Pass& pass, const Pose& X_BT, const Found& found,
                         Scratch& scratch) const {
  const std::span<PcmElement> elements = scratch.take<PcmElement>(found.elements.size());
  std::copy(found.elements.begin(), found.elements.end(), elements.begin());
  if (def_.elements == PcmDef::Elements::clipped) {
    const std::span<Piece> pieces = scratch.take<Piece>(elements.size());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const PieceBase& prism = pass.base->prisms[static_cast<std::size_t>(elements[k].triangle)];
      if (make_piece(prism, piece_target(*pass.target, elements[k].target, X_BT), pass.base->length,
                     pieces[k]))
        elements[k].penetration = pieces[k].greatest_depth;
      else
        pieces[k] = {};
    }
    return {elements, pieces};
  }
  const Pose X_TB = X_BT.inverse();
  for (PcmElement& element : elements) {
    const PenetrationLine line =
        pass.base->lines[static_cast<std::size_t>(element.triangle)].moved(X_TB);
    const TargetTriangle& triangle =
        pass.target->triangles[static_cast<std::size_t>(element.target)];
    element.penetration = distance_along(line, triangle, line.normal.dot(triangle.normal));
  }
  return {elements};
}

/// Force on the base that does not follow from the depth alone, besides a spring's along `normal`.
/// velocity: of the base relative to the target, at the element.
inline Vec3 Pcm::damping_and_friction(const LayerPair& layer, const Vec3& normal, double area,
                                      double u, double spring, const Vec3& velocity) const {
  GROUSER_ASSERT(!(area < 0.0));
  const double rate = velocity.dot(normal);  // > 0: bodies approach
  double damping = def_.damping * area * rate * std::min(1.0, u * per_damping_depth_);
  if (def_.damping_mode == PcmDef::Damping::no_expansion) damping = std::max(0.0, damping);
  if (def_.damping_mode == PcmDef::Damping::no_tension) damping = std::max(-spring, damping);

  Vec3 force = -damping * normal;
  if (layer.friction.acts()) {
    const Vec3 sliding = velocity - rate * normal;
    force -= friction_per_speed(layer.friction, std::max(0.0, spring + damping), sliding.norm()) *
             sliding;
  }
  return force;
}

/// Spring, damper and friction of one element. V_TB_B: twist of the base relative to the target at
/// the base's origin, in the base frame.
// Inlined so that a sum computes no more of it than it needs.
[[gnu::always_inline]] inline ElementForce Pcm::element_force(const Pass& pass, const Found& found,
                                                              std::size_t k,
                                                              const Twist& V_TB_B) const {
  const PcmElement& element = found.elements[k];
  const LayerPair& layer = pass.layer(element);
  const PenetrationLine& line = pass.base->lines[static_cast<std::size_t>(element.triangle)];
  const bool whole = found.pieces.empty();
  ElementForce f;
  double u, spring;
  if (whole) {
    f.area = pass.base->areas[static_cast<std::size_t>(element.triangle)];
    u = element.penetration;
    spring = layer.stiffness * f.area * u;
    f.p_BC = line.start - layer.interface_share * u * line.normal;
    f.energy = 0.5 * spring * u;
  } else {
    const Piece& piece = found.pieces[k];
    f.area = piece.area;
    u = piece.depth;
    spring = layer.stiffness * piece.volume;
    f.p_BC = piece.center;
    f.energy = layer.stiffness * piece.energy;
    f.F_B_B = {layer.stiffness * piece.F_base.torque, layer.stiffness * piece.F_base.force};
  }
  const Vec3 velocity = V_TB_B.at(f.p_BC);
  const Vec3 extra = damping_and_friction(layer, line.normal, f.area, u, spring, velocity);
  if (whole) {
    f.F_B_B.force = extra - spring * line.normal;
    f.F_B_B.torque = f.p_BC.cross(f.F_B_B.force);
  } else {
    f.F_B_B.add_force_at(f.p_BC, extra);
  }
  f.dissipation = -extra.dot(velocity);
  return f;
}

/// All of it. Not inlined: with more copies of it the compiler takes the sum itself apart.
[[gnu::noinline]] ElementForce Pcm::whole_element_force(const Pass& pass, const Found& found,
                                                        std::size_t k, const Twist& V_TB_B) const {
  return element_force(pass, found, k, V_TB_B);
}

PassSum Pcm::sum_elements(const Pass& pass, const ContactInput& in, const Found& found) const {
  PassSum sum;
  if (found.elements.empty()) return sum;
  GROUSER_ASSERT(std::ranges::is_sorted(found.elements, {}, &PcmElement::triangle));
  GROUSER_ASSERT(found.pieces.empty() || found.pieces.size() == found.elements.size());
  const Twist V_TB_B = relative_twist(pass, in);
  for (std::size_t k = 0; k < found.elements.size(); ++k)
    sum.add(found.elements[k], element_force(pass, found, k, V_TB_B));
  return sum;
}

template <class Sum>
Status Pcm::sum_passes(const ContactInput& in, ContactOutput& out, Sum&& sum) const {
  GROUSER_ASSERT(in.bodies.size() == 2 && out.wrenches.size() == 2);
  out.wrenches[0] = out.wrenches[1] = Wrench{};
  out.penetration = 0.0;
  for (const Pass& pass : passes_) {
    const PassSum of_pass = sum(pass);
    if (of_pass.greatest == 0.0) continue;
    const Pose& X_WB = in.bodies[pass.base_port].X_WB;
    const Wrench F_B_W{weight_ * (X_WB.R * of_pass.F_B_B.torque),
                       weight_ * (X_WB.R * of_pass.F_B_B.force)};
    out.wrenches[pass.base_port] += F_B_W;
    out.wrenches[pass.target_port] += -F_B_W.moved_by(in.bodies[pass.target_port].X_WB.p - X_WB.p);
    out.penetration = std::max(out.penetration, of_pass.greatest);
  }
  const Wrench& F = out.wrenches[0];
  return std::isfinite(F.force.sum() + F.torque.sum()) ? Status::ok : Status::impossible;
}

Status Pcm::evaluate(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                     ContactOutput& out) const {
  return sum_passes(in, out, [&](const Pass& pass) {
    return sum_elements(pass, in, find_elements(pass, in, scratch));
  });
}

// Parts: base triangles below some nodes of the tree, with their forces.

struct PcmPart {
  std::span<const PcmElement> elements;
  std::span<const ElementForce> forces;
};

std::size_t Pcm::part_count() const {
  std::size_t count = 0;
  for (const Pass& pass : passes_) count += pass.parts.size();
  return count;
}

const void* Pcm::evaluate_part(const ContactInput& in, const ContactMemory&, std::size_t part,
                               Scratch& scratch) const {
  GROUSER_ASSERT(part < part_count());
  auto pass = passes_.begin();
  for (; part >= pass->parts.size(); ++pass) part -= pass->parts.size();
  PcmPart& answer = scratch.take<PcmPart>(1)[0];
  const Found found = find_elements(*pass, in, pass->parts[part], scratch);
  answer.elements = found.elements;
  const std::span<ElementForce> forces = scratch.take<ElementForce>(found.elements.size());
  const Twist V_TB_B = relative_twist(*pass, in);
  for (std::size_t k = 0; k < forces.size(); ++k)
    forces[k] = element_force(*pass, found, k, V_TB_B);
  answer.forces = forces;
  return &answer;
}

Status Pcm::gather_parts(const ContactInput& in, const ContactMemory&,
                         std::span<const void* const> parts, Scratch& scratch,
                         ContactOutput& out) const {
  GROUSER_ASSERT(parts.size() == part_count());
  std::size_t first = 0;
  return sum_passes(in, out, [&](const Pass& pass) {
    // Where each active triangle is found, so that the sum runs in their order.
    struct Where {
      const PcmPart* part;
      std::size_t index;
    };
    const std::size_t triangles = pass.base->lines.size();
    BitSet active(triangles, scratch);
    const std::span<Where> where = scratch.take<Where>(triangles);
    for (const void* answer : parts.subspan(first, pass.parts.size())) {
      const auto& part = *static_cast<const PcmPart*>(answer);
      for (std::size_t k = part.elements.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(part.elements[k].triangle);
        active.insert(i);
        where[i] = {&part, k};
      }
    }
    first += pass.parts.size();
    PassSum sum;
    active.for_each([&](std::size_t i) {
      const std::span<const PcmElement> elements = where[i].part->elements;
      for (std::size_t k = where[i].index;
           k < elements.size() && static_cast<std::size_t>(elements[k].triangle) == i; ++k)
        sum.add(elements[k], where[i].part->forces[k]);
    });
    return sum;
  });
}

// Perturbations change penetrations, not which triangles meet.

struct Prepared {
  Found found;
  Pose X_BT;
};

const void* Pcm::prepare_perturbations(const ContactInput& in, const ContactMemory&,
                                       Scratch& scratch) const {
  const std::span<Prepared> prepared = scratch.take<Prepared>(passes_.size());
  for (std::size_t p = 0; p < passes_.size(); ++p)
    prepared[p] = {find_elements(passes_[p], in, scratch), passes_[p].target_in_base(in)};
  return prepared.data();
}

Status Pcm::evaluate_perturbed(const ContactInput& in, const ContactMemory&, const void* prepared,
                               Scratch& scratch, ContactOutput& out) const {
  const auto* before = static_cast<const Prepared*>(prepared);
  return sum_passes(in, out, [&](const Pass& pass) {
    const auto& [found, X_BT] = *before++;
    const Pose perturbed_X_BT = pass.target_in_base(in);
    if (perturbed_X_BT.R == X_BT.R &&
        perturbed_X_BT.p == X_BT.p)  // the perturbation was one of velocity
      return sum_elements(pass, in, found);
    return sum_elements(pass, in, same_elements(pass, perturbed_X_BT, found, scratch));
  });
}

void Pcm::report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                 ContactReport& out) const {
  double greatest = 0.0, area = 0.0, energy = 0.0, dissipation = 0.0;
  out.patch.clear();
  int first_index = 0;  // of a pass: the triangles of the second follow those of the first
  for (const Pass& pass : passes_) {
    const Twist V_TB_B = relative_twist(pass, in);
    const Pose& X_WB = in.bodies[pass.base_port].X_WB;
    const double on_port_0 = pass.base_port == 0 ? weight_ : -weight_;
    const Found found = find_elements(pass, in, scratch);
    for (std::size_t k = 0; k < found.elements.size(); ++k) {
      const PcmElement& element = found.elements[k];
      const ElementForce f = whole_element_force(pass, found, k, V_TB_B);
      greatest = std::max(greatest, element.penetration);
      area += weight_ * f.area;
      energy += weight_ * f.energy;
      dissipation += weight_ * f.dissipation;
      out.patch.push_back({X_WB * f.p_BC, on_port_0 * (X_WB.R * f.F_B_B.force), element.penetration,
                           weight_ * f.area, first_index + element.triangle});
    }
    first_index += static_cast<int>(pass.base->lines.size());
  }
  out.channels = {greatest, area, static_cast<double>(out.patch.size()), energy, dissipation};
}

PcmWork Pcm::work(const ContactInput& in) const {
  PcmWork work;
  Scratch scratch;
  for (const Pass& pass : passes_) find_elements(pass, in, pass.base->tree.root(), scratch, &work);
  return work;
}

}  // namespace pcm_detail

PcmWork pcm_work(const ContactModel& model, const ContactInput& in) {
  return dynamic_cast<const pcm_detail::Pcm&>(model).work(in);
}

}  // namespace grouser
