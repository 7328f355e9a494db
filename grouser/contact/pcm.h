// Polygonal contact model: elastic foundation between two triangle meshes (Hippmann 2004, 2023).
//
// Every triangle of the base surface whose centroid lies inside the target is a contact element: a
// spring of the element's area along its normal. How elements are found is in pcm_detection.h
// (penetration detection) and pcm_construction.h (intersection construction).
#pragma once

#include <map>
#include <string>

#include "grouser/contact/pcm_frame.h"
#include "grouser/contact/world_def.h"

namespace grouser {

struct PcmWork;
struct TargetSurface;

/// Elastic layer on one of the surfaces.
struct PcmLayer {
  double young_modulus = kRequired;
  double poisson_ratio = kRequired;
  double thickness = kRequired;
};

/// What is different on a group of triangles.
struct PcmGroup {
  bool has_layer = false;
  PcmLayer layer;
  std::optional<double> friction;         ///< absent: that of the contact
  std::optional<double> static_friction;  ///< absent: friction, or that of the contact
};

struct PcmDef final : ContactDef, FrictionDef {
  enum class Damping { no_tension, no_expansion, full };
  enum class Detection { penetration, construction };
  enum class Elements { centroid, clipped };
  static constexpr double kAuto = 0.0;

  PcmDef() { friction_speed = 5e-4; }

  std::string base;    ///< shape whose triangles become contact elements
  std::string target;  ///< shape they are cut with
  /// Layers by shape name; a shape without one takes its material, or is rigid.
  std::map<std::string, PcmLayer> layer;
  /// Groups of triangles by shape name and group name.
  std::map<std::string, std::map<std::string, PcmGroup>> group;
  double max_penetration = kAuto;
  double damping = 0.0;
  double damping_depth = 1e-3;
  Damping damping_mode = Damping::no_tension;
  Elements elements = Elements::centroid;
  double element_size = 0.0;  ///< 0: the mesh as it is
  bool two_pass = false;
  Detection detection = Detection::penetration;
  PcmFrame frame = PcmFrame::automatic;

  static constexpr std::string_view kModel = "pcm";
  static const ParameterTable<PcmDef>& parameters();
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

/// Tests that one evaluation of a PCM contact takes. Throws std::bad_cast if the model is another.
PcmWork pcm_work(const ContactModel& model, const ContactInput& in);

/// How thick a body is under most of its surface: along the inward normals, from sampled triangles
/// to where the surface is met again, exceeded on 95 % of the area. Infinite for an open sheet.
double wall_thickness(const TriangleMesh& mesh);
double wall_thickness(const TargetSurface& body);

}  // namespace grouser
