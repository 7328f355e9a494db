#include "grouser/contact/pcm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "grouser/base/text.h"
#include "grouser/contact/pcm_model.h"
#include "grouser/laws/elastic_foundation.h"
#include "grouser/mesh/refinement.h"

namespace grouser {

using pcm_detail::LayerPair;
using pcm_detail::Pass;
using pcm_detail::Pcm;

namespace {

const ParameterTable<PcmLayer>& layer_parameters() {
  // Above 0.45 the constrained modulus runs away: nearly incompressible layers are no foundation.
  static const auto table =
      ParameterTable<PcmLayer>()
          .number("young_modulus", &PcmLayer::young_modulus, "Pa", positive(), "of the layer")
          .number("poisson_ratio", &PcmLayer::poisson_ratio, "", within(0.0, 0.45), "of the layer")
          .number("thickness", &PcmLayer::thickness, "m", positive(), "of the layer");
  return table;
}

/// The keys of a layer, all or none, and friction.
PcmGroup read_group(const Value& value, const std::string& path) {
  PcmGroup group;
  Value layer(Value::Table{}, value.place());
  for (const Value::Entry& entry : value.table_or_throw(path)) {
    const auto read = [&] {
      return parameters_detail::read_number(entry.value, path + "." + entry.key, non_negative());
    };
    if (entry.key == "friction")
      group.friction = read();
    else if (entry.key == "static_friction")
      group.static_friction = read();
    else
      layer.as_table().push_back(entry);
  }
  group.has_layer = !layer.as_table().empty();
  if (group.has_layer) layer_parameters().read(layer, group.layer, path);
  return group;
}

Value write_group(const PcmGroup& group) {
  Value out = group.has_layer ? layer_parameters().values(group.layer) : Value(Value::Table{});
  if (group.friction) add_entry(out.as_table(), "friction", *group.friction);
  if (group.static_friction) add_entry(out.as_table(), "static_friction", *group.static_friction);
  return out;
}

double stiffness_of(const PcmLayer& layer, const Place& place, const std::string& key) {
  layer_parameters().check(layer, place, key);
  return layer_stiffness(layer.young_modulus, layer.poisson_ratio, layer.thickness);
}

/// Stiffness per area of the layer on a shape; infinite if the shape is rigid.
double stiffness_of(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& shape) {
  if (const auto given = def.layer.find(shape.name); given != def.layer.end())
    return stiffness_of(given->second, def.place, "contact.layer." + shape.name);
  if (const MaterialDef* material = shapes.material_of(shape))
    return stiffness_of(
        PcmLayer{material->young_modulus, material->poisson_ratio, material->thickness}, def.place,
        "material " + material->name);
  return kInfinity;
}

/// One group of triangles of a shape.
struct GroupLayer {
  double stiffness;
  std::optional<double> friction, static_friction;
};

/// By group number; one entry if the shape has no groups.
std::vector<GroupLayer> group_layers(const PcmDef& def, const ShapeTable& shapes,
                                     const ShapeDef& shape) {
  const std::vector<std::string>& names = std::get<MeshShape>(shape.geometry).mesh->group_names;
  const std::vector<GroupLayer> plain(std::max<std::size_t>(1, names.size()),
                                      {stiffness_of(def, shapes, shape), {}, {}});
  const auto given = def.group.find(shape.name);
  if (given == def.group.end()) return {plain.begin(), plain.begin() + 1};
  std::vector<GroupLayer> layers = plain;
  for (const auto& [name, group] : given->second) {
    const std::string key = "contact.group." + shape.name + "." + name;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(def.place, key + ": the mesh of '" + shape.name + "' has no group '" + name +
                                      "'" + suggestion(name, names));
    GroupLayer& layer = layers[static_cast<std::size_t>(found - names.begin())];
    if (group.has_layer) layer.stiffness = stiffness_of(group.layer, def.place, key);
    layer.friction = group.friction;
    layer.static_friction = group.static_friction;
  }
  return layers;
}

/// The smaller one, if both are there.
std::optional<double> weaker(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// Where both groups name a friction coefficient the smaller one counts: the weaker surface gives
/// way.
DryFriction friction_of(const PcmDef& def, const GroupLayer& base, const GroupLayer& target,
                        const MaterialPair& materials) {
  FrictionDef keys = def;
  if (const auto friction = weaker(base.friction, target.friction)) {
    keys.friction = friction;
    keys.static_friction = std::nullopt;
  }
  if (const auto peak = weaker(base.static_friction, target.static_friction))
    keys.static_friction = peak;
  return friction_between(keys, materials, def.place);
}

/// Layers in series; the interface divides the penetration by compliance.
LayerPair pair_of(const GroupLayer& base, const GroupLayer& target, const DryFriction& friction) {
  if (std::isinf(base.stiffness)) return {target.stiffness, 0.0, friction};
  if (std::isinf(target.stiffness)) return {base.stiffness, 1.0, friction};
  return {series_stiffness(base.stiffness, target.stiffness),
          target.stiffness / (base.stiffness + target.stiffness), friction};
}

/// Tells apart what is prepared from a mesh in some place on its body.
std::string surface_key(const std::string& kind, const ShapeDef& shape, double element_size) {
  const auto mesh =
      reinterpret_cast<std::uintptr_t>(std::get<MeshShape>(shape.geometry).mesh.get());
  std::string key = kind + " " + std::to_string(mesh) + " " + to_text(element_size);
  for (int k = 0; k < 3; ++k) key += " " + to_text(shape.X_BS.p[k]);
  for (int k = 0; k < 9; ++k) key += " " + to_text(shape.X_BS.R(k / 3, k % 3));
  return key;
}

/// In the body's frame, edges no longer than `element_size` unless that is 0.
TriangleMesh surface_mesh(const ShapeDef& shape, double element_size) {
  TriangleMesh mesh = *std::get<MeshShape>(shape.geometry).mesh;
  for (Vec3& vertex : mesh.vertices) vertex = shape.X_BS * vertex;
  return element_size > 0.0 ? refined(mesh, element_size) : mesh;
}

std::shared_ptr<const TargetSurface> target_surface(const ShapeTable& shapes, const ShapeDef& shape,
                                                    double element_size = 0.0) {
  return shapes.shared<TargetSurface>(surface_key("pcm target", shape, element_size), [&] {
    return TargetSurface(surface_mesh(shape, element_size));
  });
}

std::shared_ptr<const ConstructionSurface> construction_surface(const PcmDef& def,
                                                                const ShapeTable& shapes,
                                                                const ShapeDef& shape,
                                                                double element_size) {
  return shapes.shared<ConstructionSurface>(
      surface_key("pcm construction", shape, element_size), [&] {
        const auto triangles = target_surface(shapes, shape, element_size);
        try {
          return ConstructionSurface{triangles, SurfaceTopology(triangles->mesh, shape.name)};
        } catch (const InputError& error) {
          throw InputError(def.place, "contact.detection \"construction\" needs clean meshes: " +
                                          std::string(error.what()) +
                                          "; use \"penetration\", which does not");
        }
      });
}

Pass make_pass(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& base,
               const ShapeDef& target, std::size_t base_port) {
  Pass pass;
  pass.base_port = base_port;
  pass.target_port = 1 - base_port;
  const bool clipped = def.elements == PcmDef::Elements::clipped;
  pass.base = shapes.shared<BaseSurface>(
      surface_key((clipped ? "pcm prisms " : "pcm lines ") + to_text(def.max_penetration), base,
                  def.element_size),
      [&] {
        return BaseSurface(surface_mesh(base, def.element_size), def.max_penetration,
                           clipped ? BaseSurface::Probe::prism : BaseSurface::Probe::line);
      });
  pass.target = target_surface(shapes, target);
  const std::vector<GroupLayer> base_layers = group_layers(def, shapes, base);
  const std::vector<GroupLayer> target_layers = group_layers(def, shapes, target);
  pass.base_groups = base_layers.size();
  pass.target_groups = target_layers.size();
  const MaterialPair materials = shapes.materials_of(base, target);
  for (const GroupLayer& b : base_layers)
    for (const GroupLayer& t : target_layers) {
      if (std::isinf(b.stiffness) && std::isinf(t.stiffness))
        throw InputError(def.place, "contact: both '" + def.base + "' and '" + def.target +
                                        "' are rigid" +
                                        (def.group.empty() ? "" : " in some of their groups") +
                                        "; give one of them a layer or a material");
      pass.layers.push_back(pair_of(b, t, friction_of(def, b, t, materials)));
    }
  pass.parts = pass.base->tree.parts();
  if (def.detection == PcmDef::Detection::construction) {
    pass.base_area = construction_surface(def, shapes, base, def.element_size);
    pass.target_area = construction_surface(def, shapes, target, 0.0);
    pass.parts = {pass.base->tree.root()};  // an area is searched as a whole
  }
  return pass;
}

/// A share of the wall thickness of the thinner body, or what the user gave.
double choose_max_penetration(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& base,
                              const ShapeDef& target, std::vector<std::string>& notes) {
  // A line must end inside its own body, and well before the rear of the other one.
  constexpr double kShare = 0.2;
  const double base_wall = wall_thickness(*target_surface(shapes, base));
  const double target_wall = wall_thickness(*target_surface(shapes, target));
  const double wall = std::min(base_wall, target_wall);
  if (def.max_penetration == PcmDef::kAuto) {
    if (std::isinf(wall))
      throw InputError(def.place, "contact.max_penetration: neither '" + def.base + "' nor '" +
                                      def.target +
                                      "' has a wall thickness to choose it from (both are open "
                                      "sheets); give a number");
    return kShare * wall;
  }
  if (def.max_penetration > wall)
    notes.push_back("max_penetration (" + to_text(def.max_penetration) + " m) exceeds the " +
                    to_text(wall) + " m of the walls of '" +
                    (base_wall <= target_wall ? def.base : def.target) +
                    "': penetrations may be measured to the wrong side");
  return def.max_penetration;
}

}  // namespace

const ParameterTable<PcmDef>& PcmDef::parameters() {
  using Def = PcmDef;
  static const auto read_layers = [](const Value& value, Def& def, const std::string& path) {
    for (const Value::Entry& entry : value.table_or_throw(path))
      layer_parameters().read(entry.value, def.layer[entry.key], path + "." + entry.key);
  };
  static const auto read_groups = [](const Value& value, Def& def, const std::string& path) {
    for (const Value::Entry& shape : value.table_or_throw(path))
      for (const Value::Entry& entry : shape.value.table_or_throw(path + "." + shape.key))
        def.group[shape.key][entry.key] =
            read_group(entry.value, path + "." + shape.key + "." + entry.key);
  };
  static const auto read_depth = [](const Value& value, Def& def, const std::string& path) {
    if (value.is_text()) {
      parameters_detail::read_choice(value, path, {"auto"});
      def.max_penetration = kAuto;
    } else {
      def.max_penetration = parameters_detail::read_number(value, path, positive());
    }
  };
  static const auto write_layers = [](const Def& def) {
    Value::Table out;
    for (const auto& [shape, of_shape] : def.layer)
      add_entry(out, shape, layer_parameters().values(of_shape));
    return out;
  };
  static const auto write_groups = [](const Def& def) {
    Value::Table out;
    for (const auto& [shape, groups] : def.group) {
      Value::Table by_name;
      for (const auto& [name, one] : groups) add_entry(by_name, name, write_group(one));
      add_entry(out, shape, Value(std::move(by_name)));
    }
    return out;
  };
  static const auto write_depth = [](const Def& def) {
    return def.max_penetration == kAuto ? Value("auto") : Value(def.max_penetration);
  };
  static const auto table =
      ParameterTable<Def>()
          .text("base", &Def::base, "mesh shape whose triangles become contact elements", true)
          .text("target", &Def::target, "mesh shape they are cut with", true)
          .custom("layer", "tables by shape name", read_layers,
                  "elastic layers (young_modulus [Pa], poisson_ratio, thickness [m]); a shape "
                  "without one takes its material, or is rigid",
                  false, "none", write_layers)
          .custom("group", "tables by shape name and mesh group", read_groups,
                  "a layer and friction of its own for a group of triangles", false, "none",
                  write_groups)
          .custom("max_penetration", "number [m] or \"auto\"", read_depth,
                  "greatest penetration that is looked for; auto: a fifth of the thinner body's "
                  "wall thickness",
                  false, "\"auto\"", write_depth)
          .number("damping", &Def::damping, "Ns/m^3", non_negative(), "per area")
          .number("damping_depth", &Def::damping_depth, "m", positive(),
                  "depth at which damping is fully there")
          .choice("damping_mode", &Def::damping_mode, {"no-tension", "no-expansion", "full"},
                  "whether damping may pull, or act while the bodies part")
          .include(friction_parameters())
          .only("friction_law", friction_words())
          .renamed("damping_transition", "damping_depth")
          .choice("elements", &Def::elements, {"centroid", "clipped"},
                  "whole base triangles probed at their centroids, or the parts of them that the "
                  "target covers (keeps energy at sharp edges)")
          .number("element_size", &Def::element_size, "m", non_negative(),
                  "longest edge of a base triangle: longer ones are divided; 0: none")
          .boolean("two_pass", &Def::two_pass,
                   "evaluate with base and target exchanged as well, and take the mean")
          .choice("detection", &Def::detection, {"penetration", "construction"},
                  "penetration detection, or the classic intersection construction for clean "
                  "meshes")
          .choice("frame", &Def::frame, {"auto", "base", "target"},
                  "in whose frame surfaces are compared; auto: the one with more triangles");
  return table;
}

std::unique_ptr<ContactModel> PcmDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const ShapeDef& base_shape = shapes.shape_of<MeshShape>(base, place, "contact.base");
  const ShapeDef& target_shape = shapes.shape_of<MeshShape>(target, place, "contact.target");
  const auto refuse_stranger = [&](const std::string& key, const std::string& shape) {
    if (shape != base && shape != target)
      throw InputError(place, "contact." + key + "." + shape + ": the contact is between '" + base +
                                  "' and '" + target + "'");
  };
  for (const auto& entry : layer) refuse_stranger("layer", entry.first);
  for (const auto& entry : group) refuse_stranger("group", entry.first);
  if (max_penetration != kAuto)
    parameters_detail::check_number(max_penetration, place, "contact.max_penetration", positive());

  if (elements == Elements::clipped && detection == Detection::construction)
    throw InputError(place,
                     "contact: elements \"clipped\" need detection \"penetration\"; "
                     "\"construction\" finds whole triangles");

  if (elements == Elements::clipped && frame == PcmFrame::target)
    throw InputError(place,
                     "contact: elements \"clipped\" are found in the frame of the base; frame must "
                     "be \"auto\" or \"base\"");

  std::vector<std::string> notes;
  PcmDef def = *this;
  def.max_penetration = choose_max_penetration(*this, shapes, base_shape, target_shape, notes);
  std::vector<Pass> passes = {make_pass(def, shapes, base_shape, target_shape, 0)};
  if (two_pass) passes.push_back(make_pass(def, shapes, target_shape, base_shape, 1));
  return std::make_unique<Pcm>(def, std::vector{base_shape.body, target_shape.body},
                               std::move(passes), std::move(notes));
}

}  // namespace grouser
