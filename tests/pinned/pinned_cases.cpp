#include "tests/pinned/pinned_cases.h"

#include <algorithm>
#include <filesystem>

namespace grouser {
namespace {

struct Variant {
  const char* model;
  const char* name;
  std::vector<std::string> overrides;
};

/// Options that lead to other laws, or to the same one on another way.
const std::vector<Variant>& sweep_variants() {
  static const std::vector<Variant> variants = {
      {"bekker", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"bekker", "rankine", {"contact.0.bekker.bulldozing=rankine"}},
      {"bekker-janosi", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"bekker-janosi",
       "all",
       {"contact.0.bekker_janosi={cells=3, recovery=0.2, tip_fraction=0.2, n_slip=0.3, "
        "lateral_shear_modulus=0.01, earlier_passes=1, earlier_slip=0.2}"}},
      {"convex", "tanh", {"contact.0.friction_law=tanh"}},
      {"convex",
       "bengisu_akay",
       {"contact.0.friction_law=bengisu-akay", "contact.0.static_friction=0.6",
        "contact.0.friction_speed=0.1"}},
      {"convex",
       "brown_mcphee",
       {"contact.0.friction_law=brown-mcphee", "contact.0.static_friction=0.6",
        "contact.0.rolling_resistance=0.1", "contact.0.points=3"}},
      {"convex", "herbert_mcwhannell", {"contact.0.restitution_law=herbert-mcwhannell"}},
      {"convex",
       "ball",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", sphere.radius=0.1}"}},
      {"convex",
       "cylinder",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", cylinder={radius=0.1, "
        "length=0.2}}"}},
      {"convex",
       "capsule",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", capsule={radius=0.05, "
        "length=0.1}}"}},
      {"convex",
       "ellipsoid",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", "
        "ellipsoid.half_axes=[0.12, 0.11, 0.1]}"}},
      {"convex",
       "hull",
       {"shape.block={name=\"block\", body=\"block\", material=\"wood\", hull.sphere={radius=0.1, "
        "triangles=80}}"}},
      {"line-cone",
       "across_the_rim",
       {"shape.rod.line={from=[-0.4, 0.02, 0.1463], to=[0.2, 0.02, 0.1463], radius=0.01}",
        "shape.funnel.frustum.side=both"}},
      {"line-line", "end", {"body.rod.position=[0.2085, 0.03, 0.0165]"}},
      {"line-line", "repeated", {"shape.rail.repeat=5", "contact.0.second=rail_*"}},
      {"pcm", "construction", {"contact.0.detection=construction"}},
      {"pcm", "clipped", {"contact.0.elements=clipped"}},
      {"pcm", "two_pass", {"contact.0.two_pass=true"}},
      {"pcm",
       "construction_two_pass",
       {"contact.0.detection=construction", "contact.0.two_pass=true"}},
      {"pcm", "frame_target", {"contact.0.frame=target"}},
      {"pcm",
       "groups",
       {"contact.0.group={block={\"z+\"={young_modulus=2e6, poisson_ratio=0.2, thickness=0.01, "
        "friction=0.9}, \"x+\"={friction=0.1}}}",
        "contact.0.two_pass=true"}},
      {"rheological", "tanh_at_speed", {"contact.0.rheological.friction_speed=0.05"}},
      {"rheological",
       "bengisu_akay",
       {"contact.0.rheological={friction_law=\"bengisu-akay\", friction_speed=0.05}"}},
      {"scm", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"scm", "coulomb", {"soil.0.properties.shear=coulomb"}},
      {"scm", "reece", {"soil.0.type=mars-sand-reece", "simulation.gravity=[0, 0, -3.71]"}},
      {"scm", "width", {"contact.0.width=0.06"}},
      {"scm",
       "regions",
       {"soil.0.regions=[{type=\"dry-sand\", polygon=[[0, -1], [1, -1], [1, 1], [0, 1]]}]"}},
      {"scm",
       "layers",
       {"soil.0.layers=[{depth=0.006, type=\"dry-sand\"}, {depth=0.012, "
        "type=\"grenville-loam\"}]"}},
      {"smooth", "cubic", {"shape.hills.map.patch=cubic"}},
      {"smooth", "ball", {"shape.stone.ellipsoid.half_axes=[0.144, 0.144, 0.144]"}},
      {"smooth", "integrated", {"contact.0.kinematics=integrated"}},
      {"smooth",
       "linear",
       {"contact.0.normal_law=power-law", "contact.0.exponent=1", "contact.0.stiffness=1e5",
        "contact.0.damping=50"}},
      {"sphere-disc", "rim", {"body.ball.position=[0.272, 0, 0.026]", "contact.0.exponent=2.0"}},
      {"sphere-disc", "front", {"shape.plate.disc.side=front", "contact.0.exponent=1.0"}},
      {"sphere-polygon", "power", {"contact.0.exponent=1.2"}},
      {"sphere-spline",
       "periodic",
       {"shape.wire.spline={points=[[-0.1, 0], [0, -0.1], [0.1, 0], [0, 0.1]], ends=\"periodic\"}",
        "body.ball.position=[0.12, 0.01, 0.02]"}},
      {"terra", "on_earth", {"simulation.gravity=[0, 0, -9.81]"}},
      {"terra", "cells", {"contact.0.terra={cells=5, slope_effect=1.0}"}},
  };
  return variants;
}

/// Names of the scenes, sorted: a new one is pinned without further work.
std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(GROUSER_SCENES) + "/models"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string PinnedCase::name() const {
  return (kind == Kind::run ? "run/" : "sweep/") + model + (variant.empty() ? "" : "." + variant);
}

std::vector<PinnedCase> pinned_cases() {
  using Kind = PinnedCase::Kind;
  // Bits of an integrator with error control hang on every evaluation, also those it throws away.
  const std::vector<std::string> with_bdf = {"pcm", "smooth", "sphere-half-space", "terra"};
  std::vector<PinnedCase> cases;
  for (const std::string& scene : scene_names()) {
    cases.push_back({Kind::run, scene, "", {"simulation.integrator=semi-implicit-euler"}});
    // Goes through derivatives of forces.
    cases.push_back({Kind::run, scene, "implicit", {"simulation.integrator=implicit-euler"}});
    if (std::find(with_bdf.begin(), with_bdf.end(), scene) != with_bdf.end())
      cases.push_back({Kind::run, scene, "bdf", {"simulation.integrator=bdf"}});
  }
  for (const std::string& scene : scene_names()) {
    cases.push_back({Kind::sweep, scene, "", {}});
    for (const Variant& variant : sweep_variants())
      if (variant.model == scene)
        cases.push_back({Kind::sweep, scene, variant.name, variant.overrides});
  }
  return cases;
}

const std::vector<std::string>& number_names(PinnedCase::Kind kind) {
  static const std::vector<std::string> run = {"largest force [N]", "last position [m]",
                                               "last speed [m/s]"};
  static const std::vector<std::string> sweep = {"largest force [N]", "sum of forces [N]",
                                                 "sum of torques [Nm]"};
  return kind == PinnedCase::Kind::run ? run : sweep;
}

PinnedResult result_of(const PinnedCase& pinned, int threads) {
  return pinned.kind == PinnedCase::Kind::run ? run_result(pinned, threads)
                                              : sweep_result(pinned, threads);
}

std::string pinned_scene(const std::string& model) {
  return std::string(GROUSER_SCENES) + "/models/" + model + ".toml";
}

}  // namespace grouser
