// A saved world is refused by a world of which anything is defined otherwise: every parameter that
// the tables know is changed, one at a time.
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "grouser/map/elevation_file.h"
#include "grouser/scene/registry.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/scene/soil_keys.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "tests/run/contract.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

/// A world as text, and one number of it, or word, changed after the other.
class Changes {
 public:
  Changes(Value document, std::string folder)
      : document_(std::move(document)), folder_(std::move(folder)) {
    const std::optional<ContactWorld> world = built(document_);
    if (!world) throw std::runtime_error("the world to be changed is none");
    saved_ = world->save();
  }

  /// Changes what stands at `path`, of which the table tells `info`. A table is changed entry by
  /// entry. `more` are values that may fit besides those that can be guessed.
  void try_parameter(const std::string& path, const ParameterInfo& info, const Value* now,
                     const std::vector<std::string>& more = {}) {
    bool any = false;
    for (const std::string& text : more) any |= try_value(path, text);
    if (now && now->is_table()) {
      for (const Value::Entry& entry : now->as_table())
        if (try_leaf(path + "." + entry.key, {}, &entry.value)) any = true;
    } else {
      any |= try_leaf(path, info, now);
    }
    EXPECT_TRUE(any) << path << " could not be changed to anything";
  }

  int tried() const { return tried_; }

 private:
  std::optional<ContactWorld> built(const Value& document) const {
    try {
      return ContactWorld(read_contact_world(document, folder_));
    } catch (const InputError&) {
      return std::nullopt;  // out of range, or not to be had with the rest
    }
  }

  /// Whether there is a world with that value; it must refuse what the first one saved.
  bool try_value(const std::string& path, const std::string& text) {
    Value document = document_;
    try {
      apply_settings(document, {path + "=" + text});
    } catch (const InputError&) {
      return false;
    }
    std::optional<ContactWorld> other = built(document);
    if (!other) return false;
    ++tried_;
    EXPECT_TRUE(contains(message_of<InputError>([&] { other->restore(saved_); }),
                         "of a world with other parameters"))
        << path << " = " << text;
    return true;
  }

  bool try_leaf(const std::string& path, const ParameterInfo& info, const Value* now) {
    if (now && now->is_table()) {
      bool all = true;
      for (const Value::Entry& entry : now->as_table())
        all &= try_leaf(path + "." + entry.key, {}, &entry.value);
      EXPECT_TRUE(all) << path;
      return all;
    }
    for (const std::string& text : other_values(info, now))
      if (try_value(path, text)) return true;
    return false;
  }

  static std::vector<std::string> other_values(const ParameterInfo& info, const Value* now) {
    std::vector<std::string> out;
    const auto add_number = [&](double x) { out.push_back(Value(x).inline_text()); };
    const bool is_number = now ? now->is_number() : info.kind.starts_with("number");
    if (now && now->is_integer()) {
      for (const int step : {1, -1}) out.push_back(std::to_string(now->as_integer() + step));
    } else if (is_number) {
      const double x = now ? now->as_number() : 0.5;
      for (const double y : {0.97 * x + 1e-4, 1.01 * x, 0.99 * x, x + 0.01, 1.5, 0.05})
        if (!now || y != x) add_number(y);
    } else if (now && now->is_bool()) {
      out.emplace_back(now->as_bool() ? "false" : "true");
    } else if (now && now->is_array()) {
      add_other_arrays(*now, out);
    }
    if (!now && info.kind == "integer") out.insert(out.end(), {"2", "3", "5"});
    if (!now && info.kind == "boolean") out.insert(out.end(), {"true", "false"});
    for (const char* numbers : {"[0.1, 0.2]", "[0.1, 0.2, 0.3]", "[0.9, 0.1, 0.2, 0.3]"})
      if (!now && info.kind.find("numbers") != std::string::npos) out.emplace_back(numbers);
    // Words: those that the table tells, and the name of a twin.
    for (const std::string& word : words_of(info.kind + " " + info.range))
      if (!now || !now->is_text() || now->as_text() != word) out.push_back("\"" + word + "\"");
    if (now && now->is_text()) out.push_back("\"" + now->as_text() + "_twin\"");
    return out;
  }

  /// Another first entry.
  static void add_other_arrays(const Value& now, std::vector<std::string>& out) {
    if (now.as_array().empty()) return;
    const Value& first = now.as_array().front();
    std::vector<Value> others;
    if (first.is_number())
      for (const double factor : {0.9, 1.1}) others.emplace_back(factor * first.as_number() + 0.01);
    if (first.is_text()) others.emplace_back(first.as_text() + "_twin");
    if (first.is_array() && !first.as_array().empty() && first.as_array()[0].is_number()) {
      Value moved = first;
      moved.as_array()[0] = Value(first.as_array()[0].as_number() + 0.001);
      others.push_back(moved);
    }
    for (const Value& other : others) {
      Value changed = now;
      changed.as_array().front() = other;
      out.push_back(changed.inline_text());
    }
  }

  /// "cubic", "quintic" of `"cubic" or "quintic"`
  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      out.push_back(text.substr(at + 1, end - at - 1));
      at = end;
    }
    return out;
  }

  Value document_;
  std::string folder_;
  std::vector<std::byte> saved_;
  int tried_ = 0;
};

/// Every shape, material and soil has a twin of another name, so that a contact can have that one.
void add_twins(Value& document, const std::string& kind) {
  Value* all = document.find(kind);
  if (!all) return;
  const Value::Array originals = all->as_array();
  for (Value twin : originals) {
    *twin.find("name") = Value(twin.find("name")->as_text() + "_twin");
    all->as_array().push_back(twin);
  }
}

class ContactDefinition : public testing::TestWithParam<ModelVariant> {
 protected:
  ContactDefinition() : document(read_scene_document(scene_path(), GetParam().overrides, nullptr)) {
    for (const char* kind : {"material", "shape", "soil"}) add_twins(document, kind);
  }
  static std::string scene_path() { return test::model_scene(GetParam().model); }
  static std::string folder() { return std::filesystem::path(scene_path()).parent_path().string(); }

  Value document;
};

TEST_P(ContactDefinition, IsAllItsParameters) {
  const ContactModelRow& row = contact_model(GetParam().model, {});
  const ContactWorldDef def = read_contact_world(document, folder());
  // With all defaults written out.
  const Value complete = def.contacts.front()->values();
  Value& contact = document.find("contact")->as_array().front();
  contact = merged(contact, complete);
  Changes changes(document, folder());
  const std::string& a = def.shapes[0].name;
  const std::string& b = def.shapes[1 % def.shapes.size()].name;
  // What cannot be guessed.
  const std::map<std::string, std::vector<std::string>> more = {
      {"group", {"{block = {\"z+\" = {friction = 0.87}}}"}},
      {"groups", {"{some = [\"" + a + "\"]}"}},
      {"touch", {"[[\"" + a + "\", \"" + b + "\"]]"}},
      {"ignore", {"[[\"" + a + "\", \"" + b + "\"]]"}},
      {"pairs", {"[{first = \"" + a + "\", second = \"" + b + "\", friction = 0.87}]"}},
      {"axes", {"{" + a + " = [0.01, 1, 0]}"}},
      {"properties", {"{cohesion = 123.0}"}}};
  for (const ParameterInfo& info : row.parameters()) {
    const auto known = more.find(info.key);
    changes.try_parameter("contact.0." + info.key, info, complete.find(info.key),
                          known == more.end() ? std::vector<std::string>() : known->second);
  }
  EXPECT_GE(changes.tried(), static_cast<int>(row.parameters().size()));
}

/// One of each kind, so that every key has something to change.
const std::map<std::string_view, std::string>& sample_shapes() {
  static const std::string map =
      "surface = {size = [1, 1], spacing = 0.1, layers = [{formula = {z = \"0.1*x*x*y\"}}]}";
  static const std::map<std::string_view, std::string> all = {
      {"mesh", "{sphere = {radius = 0.1, triangles = 80}}"},
      {"sphere", "{radius = 0.1}"},
      {"half_space", "true"},
      {"box", "{size = [0.1, 0.2, 0.3]}"},
      {"cylinder", "{radius = 0.1, length = 0.3}"},
      {"capsule", "{radius = 0.1, length = 0.3}"},
      {"cone", "{radius = 0.1, length = 0.3}"},
      {"ellipsoid", "{half_axes = [0.1, 0.2, 0.3]}"},
      {"hull", "{box = {size = [0.1, 0.2, 0.3]}}"},
      {"wheel",
       "{radius = 0.2, width = 0.1, grouser_count = 12, grouser_height = 0.01, "
       "grouser_thickness = 0.005}"},
      {"surface", "{" + map + "}"},
      {"compound",
       "[{box = {size = [0.1, 0.2, 0.3]}, position = [0, 0, 0.1]}, {sphere = {radius = "
       "0.1}}]"},
      {"line", "{from = [0, 0, 0], to = [1, 0, 0], radius = 0.01}"},
      {"disc", "{radius = 0.2, inner_radius = 0.1, half_thickness = 0.01, side = \"front\"}"},
      {"polygon", "{points = [[0, 0], [1, 0], [0, 1]], half_thickness = 0.01}"},
      {"curve", "{points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], radius = 0.01}"},
      {"spline",
       "{points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], ends = \"clamped\", start_tangent = "
       "[1, 0, 0], end_tangent = [0, 1, 0], radius = 0.01}"},
      {"frustum", "{bottom_radius = 0.2, top_radius = 0.1, height = 0.3, half_thickness = 0.01}"},
      {"map", "{" + map + "}"},
      {"torus", "{major_radius = 0.3, minor_radius = 0.1}"},
      {"superellipsoid", "{half_axes = [0.1, 0.2, 0.3], exponents = [0.8, 0.9]}"},
      {"parametric", "{x = \"u\", y = \"v\", z = \"0.1*u*v\", u = [-1, 1], v = [-1, 1]}"}};
  return all;
}

TEST(DefinitionOfAShape, IsAllItsParameters) {
  for (const ShapeKey& key : shape_keys()) {
    SCOPED_TRACE(key.name);
    const auto sample = sample_shapes().find(key.name);
    ASSERT_NE(sample, sample_shapes().end()) << "a new shape needs a sample here";
    const Value document = read_toml_text(
        "[[material]]\nname = \"wood\"\nyoung_modulus = 1e9\n[[material]]\nname = "
        "\"wood_twin\"\nyoung_modulus = 1e9\n[[shape]]\nname = \"it\"\nbody = \"body\"\nmaterial = "
        "\"wood\"\nrepeat = 3\naround = [0, 0, 1]\nposition = [0.1, 0.2, 0.3]\n" +
            std::string(key.name) + " = " + sample->second,
        "a shape");
    Changes changes(document, ".");
    const Value& shape = document.find("shape")->as_array().front();
    std::set<std::string_view> kinds;
    for (const ShapeKey& other : shape_keys()) kinds.insert(other.name);
    for (const ParameterInfo& info : shape_parameter_infos())
      if (!kinds.contains(info.key))
        changes.try_parameter("shape.0." + info.key, info, shape.find(info.key));
    const Value& geometry = *shape.find(key.name);
    const std::string path = "shape.0." + std::string(key.name);
    for (const ParameterInfo& info : key.infos())
      if (info.key != "file")  // what stands in it has keys of its own
        changes.try_parameter(path + "." + info.key, info, geometry.find(info.key),
                              info.key == "periodic" ? std::vector<std::string>{"[\"u\"]"}
                                                     : std::vector<std::string>());
    if (key.infos().empty() && geometry.is_table()) changes.try_parameter(path, {}, &geometry);
    if (geometry.is_array())
      changes.try_parameter(path, {}, nullptr,
                            {"[{box = {size = [0.1, 0.2, 0.3]}, position = [0, 0, 0.2]}, {sphere = "
                             "{radius = 0.1}}]",
                             "[{box = {size = [0.1, 0.2, 0.3]}, position = [0, 0, 0.1]}, {sphere = "
                             "{radius = 0.11}}]"});
  }
}

TEST(DefinitionOfAMaterial, IsAllItsParameters) {
  const Value document =
      read_toml_text("[[material]]\nname = \"wood\"\nyoung_modulus = 1e9\n", "a material");
  Changes changes(document, ".");
  const Value& material = document.find("material")->as_array().front();
  for (const ParameterInfo& info : material_parameters().infos())
    changes.try_parameter("material.0." + info.key, info, material.find(info.key));
}

TEST(DefinitionOfASoil, IsAllItsParameters) {
  const TemporaryFolder folder;
  ElevationGrid grid;
  grid.origin = Vec2(-1.0, -1.0);
  grid.spacing = 1.0;
  grid.nx = grid.ny = 3;
  grid.heights.assign(9, 0.0);
  write_elevation_file(grid, folder / "zero.asc");
  const std::string soft = "type = \"dry-sand\"";
  const std::map<std::string, std::vector<std::string>> more = {
      {"type", {"\"grenville-loam\""}},
      {"layers", {"[{depth = 0.02, " + soft + "}]", "[{depth = 0.03, " + soft + "}]"}},
      {"regions",
       {"[{" + soft + ", polygon = [[0, -1], [1, -1], [1, 1]]}]",
        "[{" + soft + ", polygon = [[0, -1], [1, -1], [1, 0.9]]}]",
        "[{" + soft + ", polygon = [[0, -1], [1, -1], [1, 1]], layers = [{depth = 0.02, " + soft +
            "}]}]"}},
      {"reference", {"{file = \"zero.asc\"}"}},
      {"region_map", {"{file = \"zero.asc\"}"}}};
  const std::string surface =
      "{surface = {size = [1, 1], spacing = 0.1, layers = [{formula = {z = \"0.01*x\"}}]}}";
  // Flat ground has a size, other ground has heights.
  for (const bool flat : {true, false}) {
    const Value document = read_toml_text(
        std::string("[[soil]]\nname = \"sand\"\ntype = \"ishigami-simulant\"\nspacing = 0.05\n") +
            (flat ? "size = [2, 1]" : "heights = " + surface),
        "a soil");
    Changes changes(document, folder / ".");
    const Value& soil = document.find("soil")->as_array().front();
    for (const ParameterInfo& info : soil_ground_parameter_infos()) {
      if (info.key == (flat ? "heights" : "size") || info.key == "properties") continue;
      const auto known = more.find(info.key);
      changes.try_parameter("soil.0." + info.key, info, soil.find(info.key),
                            known == more.end() ? std::vector<std::string>() : known->second);
    }
    const ContactWorldDef def = read_contact_world(document, folder / ".");
    const Value properties =
        soil_parameters().values(dynamic_cast<const SoilGroundDef&>(*def.soils.front()).soil);
    for (const ParameterInfo& info : soil_parameters().infos())
      changes.try_parameter("soil.0.properties." + info.key, info, properties.find(info.key));
  }
}

TEST(Definition, IsTheSameWhereNothingIsDefinedOtherwise) {
  for (const std::string& model : test::model_scenes()) {
    const ContactWorldDef def = load_scene(test::model_scene(model)).contact;
    const std::vector<std::byte> saved = ContactWorld(def).save();
    ContactWorldDef with_threads = def;
    with_threads.threads = 2;
    EXPECT_NO_THROW(ContactWorld(with_threads).restore(saved)) << model;
    ContactWorldDef elsewhere = def;
    elsewhere.gravity *= 0.5;
    if (def.gravity > 0.0) {
      EXPECT_THROW(ContactWorld(elsewhere).restore(saved), InputError);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ContactDefinition, testing::ValuesIn(test::model_variants()),
                         contract_name);

}  // namespace
}  // namespace grouser
