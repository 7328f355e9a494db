// grouser check: builds a scene and tells what it has.
#include <cmath>
#include <iostream>

#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/run/simulation.h"
#include "grouser/run/system.h"

namespace grouser::cli {
namespace {

std::string simulation_text(const SimulationDef& settings) {
  const IntegratorDef& integrator = settings.integrator;
  return to_text(settings.duration, 6) + " s with " +
         method_names()[static_cast<std::size_t>(integrator.method)] +
         (has_fixed_step(integrator.method) ? ", steps of " + to_text(integrator.step, 4) + " s"
                                            : ", tolerance " + to_text(integrator.tolerance, 4)) +
         ", a sample every " + to_text(settings.output_interval, 4) + " s, " +
         counted(static_cast<std::size_t>(settings.threads), "thread");
}

std::string bodies_text(const Mechanism& mechanism) {
  const auto names = mechanism.body_names().subspan(1);  // without the world
  std::string text = std::to_string(names.size());
  if (!names.empty()) text += ": " + join(names);
  return text;
}

std::string joints_text(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Joint& joint : mechanism.joints())
    if (joint.scalar()) names.push_back(joint.name);
  return std::to_string(names.size()) + (names.empty() ? "" : ": ") + join(names);
}

TextTable shape_table(const ShapeTable& shapes) {
  TextTable table({"name", "body", "kind", "triangles", "material"});
  table.align_right(3);
  for (const ShapeDef& shape : shapes.shapes()) {
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    table.add({shape.name, shape.body, std::string(geometry_name(shape.geometry)),
               mesh ? std::to_string(mesh->mesh->triangle_count()) : "", shape.material});
  }
  return table;
}

TextTable contact_table(const ContactWorld& world) {
  TextTable table({"name", "model", "bodies", "states", "greatest depth [m]"});
  table.align_right(3);
  table.align_right(4);
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    std::vector<std::string> bodies;
    for (const int body : world.ports(c))
      bodies.push_back(world.bodies()[static_cast<std::size_t>(body)]);
    table.add({world.contact_name(c), world.contact_model_name(c), join(bodies, " - "),
               std::to_string(world.contact(c).state_count()),
               std::isinf(world.contact(c).max_penetration())
                   ? "any"
                   : to_text(world.contact(c).max_penetration(), 4)});
  }
  return table;
}

std::string mass_text(const Mechanism& mechanism) {
  const Tree::Mass all = mechanism.moving_mass();
  const Vec3& c = all.center;
  const auto number = [](double x) { return to_text(std::abs(x) < 1e-12 ? 0.0 : x, 4); };
  std::string text = to_text(all.mass, 6) + " kg";
  if (all.mass > 0.0)
    text += ", centre at " + number(c.x()) + ", " + number(c.y()) + ", " + number(c.z()) + " m";
  return text;
}

/// Couplings and loops of the mechanism's file are counted, too.
std::string constraints_text(const Scene& scene, const Mechanism& mechanism) {
  return counted(mechanism.coupling_count(), "coupling") + ", " +
         counted(mechanism.loop_count(), "loop") + ", " +
         counted(scene.prescribed.size(), "prescribed joint") + ", " +
         counted(scene.motors.size(), "motor") + ", " +
         counted(scene.forces.size(), "external force");
}

ExitCode check(const SceneArguments& arguments) {
  Simulation simulation(load_scene(arguments.scene, arguments.set));
  const Scene& scene = simulation.scene();
  const Mechanism& mechanism = simulation.mechanism();
  const ContactWorld& world = simulation.world();
  std::ostream& out = std::cout;

  print_field(out, "scene", scene.path + " is in order");
  print_field(out, "simulation", simulation_text(scene.simulation));
  if (!scene.mechanism.file.empty()) print_field(out, "mechanism", scene.mechanism.file);
  print_field(out, "bodies", bodies_text(mechanism));
  print_field(out, "joints", joints_text(mechanism));
  print_field(out, "moving mass", mass_text(mechanism));
  print_field(out, "freedom", counted(mechanism.nv(), "degree", "degrees") + " of freedom");
  print_field(out, "states",
              std::to_string(simulation.system().size()) + ": " +
                  counted(mechanism.nq(), "position") + ", " +
                  counted(mechanism.nv(), "velocity", "velocities") + ", " +
                  std::to_string(world.state_count()) + " of contacts");
  print_field(out, "constraints", constraints_text(scene, mechanism));
  print_field(out, "shapes", std::to_string(world.shapes().shapes().size()));
  shape_table(world.shapes()).print(out);
  print_field(out, "contacts", std::to_string(world.contact_count()));
  contact_table(world).print(out);
  print_fields(out, "notes", simulation.notes());
  return kDone;
}

}  // namespace

Action add_check(CLI::App& verb) {
  const auto arguments = std::make_shared<SceneArguments>();
  arguments->add_to(verb);
  return [arguments] { return check(*arguments); };
}

}  // namespace grouser::cli
