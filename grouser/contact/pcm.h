// Polygonal contact model: elastic foundation between two triangle meshes (Hippmann 2004, 2023).
//
// Every triangle of the base surface whose centroid lies inside the target is a contact element: a
// spring of the element's area along its normal. Elements are found by penetration detection: lines
// from the centroids inwards are cut with the target triangles.
#pragma once

#include <map>
#include <string>

#include "grouser/contact/world_def.h"

namespace grouser {

/// Elastic layer on one of the surfaces.
struct PcmLayer {
  double young_modulus = kRequired;
  double poisson_ratio = kRequired;
  double thickness = kRequired;
};

struct PcmDef final : ContactDef {
  enum class Damping { no_tension, no_expansion, full };

  std::string base;    ///< shape whose triangles become contact elements
  std::string target;  ///< shape they are cut with
  /// Layers by shape name; a shape without one takes its material, or is rigid.
  std::map<std::string, PcmLayer> layer;
  double max_penetration = kRequired;
  double damping = 0.0;
  double damping_transition = 1e-3;
  Damping damping_mode = Damping::no_tension;
  double friction = 0.0;
  double friction_velocity = 5e-4;

  static constexpr std::string_view kModel = "pcm";
  static const ParameterTable<PcmDef>& parameters();
  std::string_view model() const override { return kModel; }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

}  // namespace grouser
