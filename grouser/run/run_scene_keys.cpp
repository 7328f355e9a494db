// What can stand in a scene file, table by table: with the values of one scene, and as pages of
// documentation.
#include <algorithm>

#include "grouser/assets/asset.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/run/run_scene_tables.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/registry.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/scene/soil_keys.h"
#include "grouser/scene/world_reader.h"
#include "grouser/soil/soil_contact.h"

namespace grouser {

using namespace scene_tables;

namespace {

/// The name of an entry, or the joint or body it belongs to.
std::string entry_name(const Value& entry) {
  for (const char* key : {"name", "joint", "body"})
    if (const Value* name = entry.find(key)) return name->as_text();
  return "";
}

}  // namespace

std::vector<SceneSection> scene_tables::scene_sections(const Value& document) {
  std::vector<SceneSection> out;
  const auto add_one = [&](const std::string& part, const std::vector<ParameterInfo>& parameters) {
    if (const Value* table = document.find(part))
      out.push_back({part, "", "", parameter_settings(parameters, *table)});
  };
  const auto add_all = [&](const std::string& part, const std::vector<ParameterInfo>& parameters) {
    for (const Value& table : tables_of(document, part))
      out.push_back({part, entry_name(table), "", parameter_settings(parameters, table)});
  };
  add_one("simulation", simulation_parameters().infos());
  add_one("mechanism", mechanism_parameters().infos());
  add_all("body", body_parameters().infos());
  add_all("moving_body", moving_body_parameters().infos());
  add_all("material", material_parameters().infos());
  add_all("shape", shape_parameter_infos());
  add_all("soil", soil_ground_parameter_infos());
  add_all("rocks", rocks_parameter_infos());
  add_all("coupling", coupling_parameters().infos());
  add_all("loop", loop_parameters().infos());
  add_all("prescribed", prescribed_parameters().infos());
  add_all("motor", motor_parameters().infos());
  add_all("force", force_parameter_infos());
  add_one("rover", rover_parameters().infos());
  add_all("drive", manoeuvre_parameters().infos());
  if (const Value* initial = document.find("initial"))
    for (const Value::Entry& entry : initial->as_table()) {
      const Value table =
          entry.value.is_table()
              ? entry.value
              : Value(Value::Table{{"position", entry.place, entry.value}}, entry.place);
      out.push_back(
          {"initial", entry.key, "", parameter_settings(initial_parameters().infos(), table)});
    }
  for (const Value& table : tables_of(document, "contact")) {
    const std::string& model = table.find("model")->as_text();
    const ContactModelRow& row = contact_model(model, table.place());
    out.push_back(
        {"contact", entry_name(table), model, parameter_settings(row.parameters(), table)});
  }
  return out;
}

namespace {

/// One page per model; models that share all their keys share a page.
void append_contact_pages(std::vector<ParameterPage>& out) {
  const std::size_t first = out.size();
  for (const ContactModelRow& row : contact_models()) {
    const std::string name = '"' + std::string(row.name) + '"';
    std::vector<ParameterInfo> keys = row.parameters();
    const auto same = std::find_if(
        out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
        [&](const ParameterPage& page) {
          return std::equal(
              keys.begin(), keys.end(), page.keys.begin(), page.keys.end(),
              [](const ParameterInfo& a, const ParameterInfo& b) { return a.key == b.key; });
        });
    if (same == out.end()) {
      out.push_back({"[[contact]] model = " + name, std::string(row.summary), std::move(keys)});
    } else {
      same->table += " or " + name;
      same->meaning += "; " + std::string(row.summary);
    }
  }
  out.push_back({"contact.bekker", "of a wheel on soil by Bekker's formulas",
                 bekker_wheel_parameters().infos()});
  out.push_back({"contact.bekker_janosi", "of a wheel on soil by stress integrals",
                 bekker_janosi_parameters().infos()});
  out.push_back({"contact.terra", "of a wheel on soil by TerRA", terra_parameters().infos()});
  out.push_back({"contact.rheological", "of a wheel on soil by springs and dampers",
                 rheological_parameters().infos()});
}

}  // namespace

std::vector<ParameterPage> scene_keys() {
  std::vector<ParameterPage> out = {
      {"[simulation]", "how long and how exactly", simulation_parameters().infos()},
      {"[mechanism]", "bodies and joints from a file", mechanism_parameters().infos()},
      {"[[body]]", "a free rigid body", body_parameters().infos()},
      {"[[moving_body]]", "a body that moves as told", moving_body_parameters().infos()},
      {"[[material]]", "an elastic material", material_parameters().infos()},
      {"[[shape]]", "a geometry fixed to a body", shape_parameter_infos()},
      {"[[soil]]", "a piece of ground that yields", soil_ground_parameter_infos()},
      {"soil.properties", "of a soil; those of a type of the library are the defaults",
       soil_parameters().infos()},
      {"soil.regions", "parts of the ground that are of another soil",
       soil_region_parameter_infos()},
      {"soil.layers", "soil that lies below another one", soil_layer_parameter_infos()},
      {"[[rocks]]", "rocks of a field, one by one", rocks_parameter_infos()},
      {"[[coupling]]", "a linear relation of joint coordinates, kept exactly",
       coupling_parameters().infos()},
      {"[[loop]]", "closes a loop of bodies, exactly", loop_parameters().infos()},
      {"[[prescribed]]", "a joint that follows a signal, exactly", prescribed_parameters().infos()},
      {"[[motor]]", "a motor on a joint", motor_parameters().infos()},
      {"[[force]]", "a force and a torque on a body from outside, over time",
       force_parameter_infos()},
      {"[rover]", "a rover on wheels: what the mechanism's file does not say",
       rover_parameters().infos()},
      {"rover.drive and rover.steering", "motors of a rover's wheels",
       rover_motor_parameters().infos()},
      {"rover.control", "how a rover is driven", drive_settings_parameters().infos()},
      {"[[drive]]", "manoeuvres of the rover, one after the other", manoeuvre_parameters().infos()},
      {"[initial]", "initial state by joint: a number, or a table with",
       initial_parameters().infos()},
      {"mesh", "a triangle mesh of a shape: one source, and what is done with it",
       mesh_parameter_infos()}};
  for (const ShapeKey& key : shape_keys())
    if (std::vector<ParameterInfo> infos = key.infos(); !infos.empty())
      out.push_back({"shape." + std::string(key.name), std::string(key.meaning), std::move(infos)});
  for (const std::string& shape : mesh_shape_names())
    out.push_back({"mesh." + shape, mesh_shape_meaning(shape), mesh_shape_parameters(shape)});
  for (const AssetKind& kind : asset_kinds())
    for (ParameterPage page : kind.pages()) {
      page.table = "mesh." + page.table;
      out.push_back(std::move(page));
    }
  out.push_back({"[[contact]]",
                 "a contact between shapes; further keys belong to its model",
                 {{"model", "string", "", "", "", "name of a contact model"},
                  {"name", "string", "", "", "model and a number", "of the contact"}}});
  append_contact_pages(out);
  return out;
}

}  // namespace grouser
