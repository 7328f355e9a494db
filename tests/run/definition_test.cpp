// A saved world is refused by a world of which anything is defined otherwise: every parameter that
// the tables know is changed, one at a time.
#include <filesystem>
#include <map>

#include "grouser/map/elevation_file.h"
#include "grouser/scene/registry.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/scene/soil_keys.h"
#include "grouser/shape/map_surface.h"
#include "tests/run/contract.h"
#include "tests/run/definition_changes.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

using test::DefinitionChanges;
using test::Guesses;
using test::KeysTried;

/// Every shape, material and soil gets a twin of another name, so that a contact can have that one.
void add_twins(Value& document, const std::string& kind) {
  Value* all = document.find(kind);
  if (!all) return;
  const Value::Array originals = all->as_array();
  for (Value twin : originals) {
    *twin.find("name") = Value(twin.find("name")->as_text() + "_twin");
    all->as_array().push_back(twin);
  }
}

/// What belongs to one of the shapes by its name: with it, a contact cannot have their twins.
void drop_tables_by_shape(Value& contact) {
  std::erase_if(contact.as_table(), [](const Value::Entry& entry) {
    return entry.key == "layer" || entry.key == "group";
  });
}

class ContactDefinition : public testing::TestWithParam<std::string> {};

TEST_P(ContactDefinition, IsAllItsParameters) {
  const ContactModelRow& row = contact_model(GetParam(), {});
  const std::string path = test::model_scene(GetParam());
  const std::string folder = std::filesystem::path(path).parent_path().string();
  KeysTried keys;
  for (const ModelVariant& variant : test::model_variants())
    for (const bool with_tables : {true, false}) {
      if (variant.model != GetParam()) continue;
      Value document = read_scene_document(path, variant.overrides, nullptr);
      for (const char* kind : {"material", "shape", "soil"}) add_twins(document, kind);
      // With all defaults written out.
      Value& contact = document.find("contact")->as_array().front();
      const ContactWorldDef def = read_contact_world(document, folder);
      contact = merged(contact, def.contacts.front()->values());
      if (!with_tables) drop_tables_by_shape(contact);
      // Somebody is left when a pair is excluded.
      if (GetParam() == "convex") *contact.find("objects") = Value(Value::Array{Value("*")});
      const Value complete = contact;
      const std::string& a = def.shapes[0].name;
      const std::string& b = def.shapes[1 % def.shapes.size()].name;
      const std::string pair = "[[\"" + a + "\", \"" + b + "\"]]";
      const std::string woods = "[{first = \"wood\", second = \"wood\", ";
      const Guesses guesses = {
          {"group", {"{block = {\"z+\" = {friction = 0.87}}}"}},
          {"groups", {"{some = [\"" + a + "\"]}"}},
          {"touch", {pair}},
          {"exclude", {"[[\"" + a + "\", \"" + b + "_twin\"]]"}},
          {"objects", {"[\"" + a + "\", \"" + b + "\", \"" + a + "_twin\"]"}},
          {"material_pairs",
           {woods + "friction = 0.87}]", woods + "friction = 0.88}]", woods + "restitution = 0.5}]",
            woods + "friction = 0.87, static_friction = 0.9}]"}},
          {"bekker.bulldozing", {"\"none\"", "\"rankine\"", "\"hegedus\""}},
          {"rheological.friction_law", {"\"tanh\"", "\"bengisu-akay\""}},
          {"axes", {"{" + a + " = [0.01, 1, 0]}"}},
          {"properties", {"{cohesion = 123.0}", "{cohesion = 124.0}"}}};
      DefinitionChanges changes(document, folder);
      for (const ParameterInfo& info : row.parameters())
        changes.try_parameter("contact.0." + info.key, info, complete.find(info.key), guesses,
                              keys);
    }
  keys.expect_all();
  EXPECT_GE(keys.worlds, static_cast<int>(row.parameters().size()));
}

INSTANTIATE_TEST_SUITE_P(Models, ContactDefinition, testing::ValuesIn(test::model_scenes()),
                         [](const testing::TestParamInfo<std::string>& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Of each kind as many as are needed to change every key.
const Guesses& sample_shapes() {
  static const std::string map =
      "{surface = {size = [1, 1], spacing = 0.1, layers = [{formula = {z = \"0.1*x*x*y\"}}]}}";
  static const std::string points = "{points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], radius = 0.01";
  static const Guesses all = {
      {"mesh", {"{sphere = {radius = 0.1, triangles = 80}}"}},
      {"sphere", {"{radius = 0.1}"}},
      {"half_space", {"true"}},
      {"box", {"{size = [0.1, 0.2, 0.3]}"}},
      {"cylinder", {"{radius = 0.1, length = 0.3}"}},
      {"capsule", {"{radius = 0.1, length = 0.3}"}},
      {"cone", {"{radius = 0.1, length = 0.3}"}},
      {"ellipsoid", {"{half_axes = [0.1, 0.2, 0.3]}"}},
      {"hull", {"{box = {size = [0.1, 0.2, 0.3]}}"}},
      {"wheel",
       {"{radius = 0.2, width = 0.1, grouser_count = 12, grouser_height = 0.01, "
        "grouser_thickness = 0.005}"}},
      {"surface", {map}},
      {"compound", {"[{box = {size = [0.1, 0.2, 0.3]}}, {sphere = {radius = 0.1}}]"}},
      {"line", {"{from = [0, 0, 0], to = [1, 0, 0], radius = 0.01}"}},
      {"disc", {"{radius = 0.2, inner_radius = 0.1, half_thickness = 0.01}"}},
      {"polygon", {"{points = [[0, 0], [1, 0], [0, 1]], half_thickness = 0.01}"}},
      {"curve", {points + "}"}},
      {"spline",
       {points + "}",
        points + ", ends = \"clamped\", start_tangent = [1, 0, 0], end_tangent = [0, 1, 0]}"}},
      {"frustum", {"{bottom_radius = 0.2, top_radius = 0.1, height = 0.3, half_thickness = 0.01}"}},
      {"map", {map}},
      {"torus", {"{major_radius = 0.3, minor_radius = 0.1}"}},
      {"superellipsoid", {"{half_axes = [0.1, 0.2, 0.3], exponents = [0.8, 0.9]}"}},
      {"parametric",
       {"{x = \"cos(u)\", y = \"sin(u)\", z = \"v\", u = [-3.141592653589793, 3.141592653589793], "
        "v = [-1, 1]}"}}};
  return all;
}

class ShapeDefinition : public testing::TestWithParam<std::string> {};

TEST_P(ShapeDefinition, IsAllItsParameters) {
  const auto key = std::find_if(shape_keys().begin(), shape_keys().end(),
                                [](const ShapeKey& k) { return k.name == GetParam(); });
  const Guesses guesses = {
      {"x", {"\"1.1*cos(u)\""}},
      {"y", {"\"1.1*sin(u)\""}},
      {"z", {"\"1.1*v\""}},
      {"periodic", {"[\"u\"]"}},
      {"compound",
       {"[{box = {size = [0.1, 0.2, 0.3]}}, {sphere = {radius = 0.11}}]",
        "[{box = {size = [0.1, 0.2, 0.31]}}, {sphere = {radius = 0.1}}]",
        "[{box = {size = [0.1, 0.2, 0.3]}, position = [0, 0, 0.2]}, {sphere = {radius = 0.1}}]",
        "[{box = {size = [0.1, 0.2, 0.3]}}]"}},
      {"mesh.sphere.triangles", {"320"}},
      {"surface.layers", {"[{formula = {z = \"0.1*x*x*y + 1e-9*x\"}}]"}},
      {"surface.surface.layers", {"[{formula = {z = \"0.1*x*x*y + 1e-9*x\"}}]"}}};
  const auto samples = sample_shapes().find(GetParam());
  ASSERT_NE(samples, sample_shapes().end()) << "a new shape needs a sample";
  std::set<std::string_view> kinds;
  for (const ShapeKey& other : shape_keys()) kinds.insert(other.name);
  KeysTried keys;
  for (const std::string& sample : samples->second) {
    const Value document = read_toml_text(
        "[[material]]\nname = \"wood\"\nyoung_modulus = 1e9\n"
        "[[material]]\nname = \"wood_twin\"\nyoung_modulus = 1e9\n"
        "[[shape]]\nname = \"it\"\nbody = \"body\"\nmaterial = \"wood\"\n"
        "repeat = 3\naround = [0, 0, 1]\n" +
            GetParam() + " = " + sample,
        "a shape");
    const Value& shape = document.find("shape")->as_array().front();
    const Value& geometry = *shape.find(GetParam());
    DefinitionChanges changes(document, ".");
    for (const ParameterInfo& info : shape_parameter_infos())
      if (!kinds.contains(info.key))
        changes.try_parameter("shape.0." + info.key, info, shape.find(info.key), {}, keys);
    const std::string path = "shape.0." + GetParam();
    if (key->infos().empty() && !geometry.is_bool()) {
      ParameterInfo whole;
      whole.key = GetParam();
      changes.try_parameter(path, whole, geometry.is_table() ? &geometry : nullptr, guesses, keys);
    }
    for (const ParameterInfo& info : key->infos())
      if (info.key != "file")  // another way to write what has a key of its own
        changes.try_parameter(path + "." + info.key, info, geometry.find(info.key), guesses, keys);
  }
  keys.expect_all();
}

std::vector<std::string> shape_key_names() {
  std::vector<std::string> out;
  for (const ShapeKey& key : shape_keys()) out.emplace_back(key.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Shapes, ShapeDefinition, testing::ValuesIn(shape_key_names()),
                         [](const testing::TestParamInfo<std::string>& row) { return row.param; });

TEST(MaterialDefinition, IsAllItsParameters) {
  const Value document =
      read_toml_text("[[material]]\nname = \"wood\"\nyoung_modulus = 1e9\n", "a material");
  const Value& material = document.find("material")->as_array().front();
  DefinitionChanges changes(document, ".");
  KeysTried keys;
  for (const ParameterInfo& info : material_parameters().infos())
    changes.try_parameter("material.0." + info.key, info, material.find(info.key), {}, keys);
  keys.expect_all();
}

TEST(SoilDefinition, IsAllItsParameters) {
  const TemporaryFolder folder;
  ElevationGrid grid{Vec2(-0.5, -0.5), 0.1, 11, 11, std::vector<double>(121, 0.0)};
  write_elevation_file(grid, folder / "zero.asc");
  grid.heights[60] = 0.01;
  write_elevation_file(grid, folder / "hill.asc");
  const std::string soft = "{type = \"dry-sand\", polygon = [[0, -1], [1, -1], [1, 1]]";
  const Guesses guesses = {
      {"type", {"\"grenville-loam\""}},
      {"layers",
       {"[{depth = 0.02, type = \"dry-sand\"}]", "[{depth = 0.03, type = \"dry-sand\"}]"}},
      {"regions",
       {"[" + soft + "}]", "[" + soft + ", properties = {cohesion = 123.0}}]",
        "[" + soft + ", layers = [{depth = 0.02, type = \"grenville-loam\"}]}]"}},
      {"heights.file", {"\"hill.asc\""}},
      {"reference", {"{file = \"hill.asc\"}"}},
      {"region_map", {"{file = \"zero.asc\"}"}}};
  KeysTried keys, properties;
  for (const char* ground : {"size = [2, 1]", "heights = {file = \"zero.asc\"}"}) {
    // Region maps need regions.
    const Value document = read_toml_text(
        "[[soil]]\nname = \"sand\"\ntype = \"ishigami-simulant\"\nspacing = 0.1\nregions = [{type "
        "= "
        "\"dry-sand\", polygon = [[0, -1], [1, -1], [1, 0]]}]\n" +
            std::string(ground),
        "a soil");
    const Value& soil = document.find("soil")->as_array().front();
    DefinitionChanges changes(document, folder / "");
    for (const ParameterInfo& info : soil_ground_parameter_infos())
      if (info.key != "properties" && info.key != "record_center")  // where recordings look
        changes.try_parameter("soil.0." + info.key, info, soil.find(info.key), guesses, keys);
    const ContactWorldDef def = read_contact_world(document, folder / "");
    const Value values =
        soil_parameters().values(dynamic_cast<const SoilGroundDef&>(*def.soils.front()).soil);
    for (const ParameterInfo& info : soil_parameters().infos())
      changes.try_parameter("soil.0.properties." + info.key, info, values.find(info.key), {},
                            properties);
  }
  keys.expect_all();
  properties.expect_all();
}

TEST(MapDefinition, IsEveryHeightAndHowItIsJoined) {
  const auto world_on = [](const ElevationGrid& grid, ElevationMap::Kind kind) {
    ContactWorldDef def;
    ShapeDef hills;
    hills.name = "hills";
    hills.geometry = SmoothShape{
        "map", std::make_shared<MapSurface>(std::make_shared<ElevationMap>(
                   grid, kind, ElevationMap::Border::extrapolate, Place{}, ElevationGaps::keep))};
    def.shapes = {hills};
    return ContactWorld(def);
  };
  constexpr std::size_t kNodes = 801;
  ElevationGrid grid{Vec2::Zero(), 0.1, kNodes, kNodes, {}};
  for (std::size_t i = 0; i < kNodes * kNodes; ++i)
    grid.heights.push_back(0.01 * static_cast<double>(i % 7));
  const std::vector<std::byte> saved = world_on(grid, ElevationMap::Kind::quintic).save();
  EXPECT_NO_THROW(world_on(grid, ElevationMap::Kind::quintic).restore(saved));
  EXPECT_THROW(world_on(grid, ElevationMap::Kind::cubic).restore(saved), InputError);
  for (const std::size_t node : {kNodes * 401 + 401, kNodes * 402 + 403, std::size_t{1}}) {
    ElevationGrid other = grid;
    other.heights[node] += 1e-6;
    EXPECT_THROW(world_on(other, ElevationMap::Kind::quintic).restore(saved), InputError) << node;
  }
}

TEST(WorldDefinition, HasGravityInItAndTheNumberOfThreadsNot) {
  for (const std::string& model : test::model_scenes()) {
    const ContactWorldDef def = load_scene(test::model_scene(model)).contact;
    const std::vector<std::byte> saved = ContactWorld(def).save();
    ContactWorldDef with_threads = def;
    with_threads.threads = 2;
    EXPECT_NO_THROW(ContactWorld(with_threads).restore(saved)) << model;
    ContactWorldDef elsewhere = def;
    elsewhere.gravity += 1.62;
    EXPECT_THROW(ContactWorld(elsewhere).restore(saved), InputError) << model;
  }
}

}  // namespace
}  // namespace grouser
