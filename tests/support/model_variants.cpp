#include "tests/support/model_variants.h"

#include <algorithm>
#include <filesystem>

namespace grouser::test {
namespace {

// The element size of pcm is one at which no element is within 1e-6 m of touching when slopes are
// compared: there they have a kink.
const std::vector<ModelVariant>& options() {
  static const std::vector<ModelVariant> all = {
      {"bekker", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"bekker", "rankine", {"contact.0.bekker.bulldozing=rankine"}},
      {"bekker-janosi",
       "all",
       {"contact.0.bekker_janosi={cells=3, recovery=0.2, tip_fraction=0.2, n_slip=0.3, "
        "lateral_shear_modulus=0.01, earlier_passes=1, earlier_slip=0.2}"}},
      {"bekker-janosi", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"convex",
       "ball",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", sphere.radius=0.1}"}},
      {"convex",
       "bengisu_akay",
       {"contact.0.friction_law=bengisu-akay", "contact.0.static_friction=0.6",
        "contact.0.friction_speed=0.1"}},
      {"convex",
       "brown_mcphee",
       {"contact.0.friction_law=brown-mcphee", "contact.0.static_friction=0.6",
        "contact.0.rolling_resistance=0.1", "contact.0.points=3"}},
      {"convex",
       "capsule",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", capsule={radius=0.05, "
        "length=0.1}}"}},
      {"convex",
       "cylinder",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", cylinder={radius=0.1, "
        "length=0.2}}"}},
      {"convex",
       "ellipsoid",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", "
        "ellipsoid.half_axes=[0.12, 0.11, 0.1]}"}},
      {"convex", "herbert_mcwhannell", {"contact.0.restitution_law=herbert-mcwhannell"}},
      {"convex",
       "hull",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", hull.sphere={radius=0.1, "
        "triangles=80}}"}},
      {"convex", "tanh", {"contact.0.friction_law=tanh"}},
      {"line-cone",
       "across_the_rim",
       {"shape.rod.line={from=[-0.4, 0.02, 0.1463], to=[0.2, 0.02, 0.1463], radius=0.01}",
        "shape.funnel.frustum.side=both"}},
      {"line-line", "end", {"body.rod.position=[0.2085, 0.03, 0.0165]"}},
      {"line-line", "repeated", {"shape.rail.repeat=5", "contact.0.second=rail_*"}},
      {"pcm", "clipped", {"contact.0.elements=clipped"}},
      {"pcm", "clipped_two_pass", {"contact.0.elements=clipped", "contact.0.two_pass=true"}},
      {"pcm", "construction", {"contact.0.detection=construction"}},
      {"pcm",
       "construction_two_pass",
       {"contact.0.detection=construction", "contact.0.two_pass=true"}},
      {"pcm", "element_size", {"contact.0.element_size=0.006", "contact.0.max_penetration=auto"}},
      {"pcm", "frame_base", {"contact.0.frame=base"}},
      {"pcm", "frame_target", {"contact.0.frame=target"}},
      {"pcm",
       "groups",
       {"contact.0.group={block={\"z+\"={young_modulus=2e6, poisson_ratio=0.2, thickness=0.01, "
        "friction=0.9}, \"x+\"={friction=0.1}}}",
        "contact.0.two_pass=true"}},
      {"pcm", "stick_slip", {"contact.0.friction_law=stick-slip", "contact.0.friction_speed=0.1"}},
      {"pcm", "two_pass", {"contact.0.two_pass=true"}},
      {"rheological",
       "bengisu_akay",
       {"contact.0.rheological={friction_law=\"bengisu-akay\", friction_speed=0.05}"}},
      {"rheological", "tanh_at_speed", {"contact.0.rheological.friction_speed=0.05"}},
      {"scm", "coulomb", {"soil.0.properties.shear=coulomb"}},
      {"scm",
       "layers",
       {"soil.0.layers=[{depth=0.006, type=\"dry-sand\"}, {depth=0.012, "
        "type=\"grenville-loam\"}]"}},
      {"scm", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"scm", "reece", {"soil.0.type=mars-sand-reece", "simulation.gravity=[0, 0, -3.71]"}},
      {"scm",
       "regions",
       {"soil.0.regions=[{type=\"dry-sand\", polygon=[[0, -1], [1, -1], [1, 1], [0, 1]]}]"}},
      {"scm", "width", {"contact.0.width=0.06"}},
      {"smooth", "ball", {"shape.stone.ellipsoid.half_axes=[0.144, 0.144, 0.144]"}},
      {"smooth", "cubic", {"shape.hills.map.patch=cubic"}},
      {"smooth", "integrated", {"contact.0.kinematics=integrated"}},
      {"smooth",
       "linear",
       {"contact.0.normal_law=power-law", "contact.0.exponent=1", "contact.0.stiffness=1e5",
        "contact.0.damping=50"}},
      {"smooth", "tanh", {"contact.0.friction_law=tanh", "contact.0.friction_speed=0.1"}},
      {"sphere-cone",
       "on_the_outside",
       {"shape.funnel.frustum={bottom_radius=0.1, top_radius=0.1, height=0.3, side=\"outside\"}",
        "body.ball.position=[0.129, 0, 0.15]"}},
      {"sphere-curve",
       "closed_in_a_corner",
       {"shape.wire.curve={points=[[0, 0, 0], [0.2, 0, 0], [0, 0, 0.2]], closed=true, "
        "radius=0.003}",
        "body.ball.position=[0.032, 0.004, 0.0315]"}},
      {"sphere-disc", "front", {"shape.plate.disc.side=front", "contact.0.exponent=1.0"}},
      {"sphere-disc",
       "lip",
       {"shape.plate.disc.inner_radius=0.1", "body.ball.position=[0.072, 0, -0.016]"}},
      {"sphere-disc", "rim", {"body.ball.position=[0.272, 0, 0.026]", "contact.0.exponent=2.0"}},
      {"sphere-half-space",
       "brown_mcphee",
       {"contact.0.friction_law=brown-mcphee", "contact.0.static_friction=0.6",
        "contact.0.friction_speed=0.1"}},
      {"sphere-polygon", "in_a_notch", {"body.ball.position=[0.127, 0.128, 0.004]"}},
      {"sphere-polygon",
       "point",
       {"shape.ball.sphere.radius=0", "shape.plate.polygon.half_thickness=0.005",
        "body.ball.position=[0.05, 0.05, -0.004]", "contact.0.exponent=1.2"}},
      {"sphere-polygon", "power", {"contact.0.exponent=1.2"}},
      {"sphere-sphere",
       "hunt_crossley",
       {"contact.0.normal_law=hunt-crossley", "contact.0.friction_law=quadratic",
        "contact.0.friction_speed=0.1"}},
      {"sphere-spline",
       "clamped_end",
       {"shape.wire.spline={points=[[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0.1]], ends=\"clamped\", "
        "start_tangent=[1, 0, 0], end_tangent=[1, 0, 1]}",
        "body.ball.position=[-0.01, 0.004, 0.0265]"}},
      {"sphere-spline",
       "periodic",
       {"shape.wire.spline={points=[[-0.1, 0], [0, -0.1], [0.1, 0], [0, 0.1]], ends=\"periodic\"}",
        "body.ball.position=[0.12, 0.01, 0.02]"}},
      {"terra", "cells", {"contact.0.terra={cells=5, slope_effect=1.0}"}},
      {"terra", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"terra",
       "regions",
       {"soil.0.regions=[{type=\"dry-sand\", polygon=[[0, -1], [1, -1], [1, 1], [0, 1]]}]"}},
  };
  return all;
}

}  // namespace

std::vector<std::string> model_scenes() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(GROUSER_SCENES) + "/models"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string model_scene(const std::string& model) {
  return std::string(GROUSER_SCENES) + "/models/" + model + ".toml";
}

std::vector<ModelVariant> model_variants() {
  std::vector<ModelVariant> variants;
  for (const std::string& model : model_scenes()) {
    variants.push_back({model, "", {}});
    for (const ModelVariant& option : options())
      if (option.model == model) variants.push_back(option);
  }
  return variants;
}

}  // namespace grouser::test
