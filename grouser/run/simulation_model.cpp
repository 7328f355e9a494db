// What is known of a simulation before it begins: channels, inputs, ground, its hash.
#include "grouser/run/simulation_model.h"

#include <algorithm>

#include "grouser/base/hash.h"
#include "grouser/rover/rover_run.h"

namespace grouser {
namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};

}  // namespace

Simulation::Model::Model(const Scene& of, MechanismExtras its_extras, Mechanism& mechanism,
                         ContactWorld& world, const RoverRun* rover)
    : scene(of), extras(std::move(its_extras)) {
  std::vector<std::string>& notes = extras.notes;
  for (std::size_t c = 0; c < world.contact_count(); ++c)
    for (const std::string& note : world.contact(c).notes())
      notes.push_back("contact '" + world.contact_name(c) + "': " + note);
  for (const std::string& note : rock_notes(scene.rocks, scene.contact)) notes.push_back(note);
  if (scene.rover) notes.insert(notes.end(), scene.rover->notes.begin(), scene.rover->notes.end());
  find_grounds(world);
  find_channels(mechanism, world, rover);
  find_inputs(mechanism, rover);
  find_definition(mechanism, world, rover);
}

void Simulation::Model::find_grounds(ContactWorld& world) {
  for (std::size_t c = 0; c < world.contact_count(); ++c)
    if (const std::optional<GroundArea> area = world.ground_area(c)) {
      // Several contacts may stand on the same ground: it is shown once, as it changes.
      const auto known = std::find_if(grounds.begin(), grounds.end(), [&](const Ground& g) {
        return g.area.name == area->name && !(g.area.changes && area->changes);
      });
      if (known != grounds.end() && !area->changes) continue;
      Ground& ground = known != grounds.end() ? *known : grounds.emplace_back();
      ground.contact = c;
      ground.area = *area;
      ground.before.resize(area->nx * area->ny);
      world.ground_heights(c, *area, 0, ground.before);
    }
}

/// Their order is the order in which fill_values() fills in numbers.
void Simulation::Model::find_channels(const Mechanism& mechanism, const ContactWorld& world,
                                      const RoverRun* rover) {
  for (std::size_t b = 1; b < mechanism.body_names().size(); ++b) {
    const std::string path = "bodies/" + mechanism.body_names()[b] + "/";
    channels.push_back({path + "position", "m", kXyz, "of the body's origin, in the world"});
    channels.push_back(
        {path + "orientation", "", {"w", "x", "y", "z"}, "unit quaternion, body to world"});
    channels.push_back({path + "velocity", "m/s", kXyz, "of the body's origin"});
    channels.push_back({path + "angular_velocity", "rad/s", kXyz, "in the world"});
    channels.push_back({path + "speed", "m/s", {""}, "size of velocity"});
    channels.push_back({path + "turning", "rad/s", {""}, "size of angular_velocity"});
  }
  for (const Joint& joint : mechanism.joints()) {
    if (!joint.scalar()) continue;
    const bool hinge = joint.kind == JointKind::hinge;
    const std::string path = "joints/" + joint.name + "/";
    channels.push_back({path + "position", hinge ? "rad" : "m", {""}, "joint coordinate"});
    channels.push_back({path + "velocity", hinge ? "rad/s" : "m/s", {""}, "joint speed"});
  }
  for (const Mechanism::DriveChannel& drive : mechanism.drive_channels())
    channels.push_back({drive.name, drive.unit, {""}, drive.meaning});
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    const std::string path = "contacts/" + world.contact_name(c) + "/";
    const std::string& first = world.bodies()[static_cast<std::size_t>(world.ports(c)[0])];
    channels.push_back({path + "force", "N", kXyz, "on body '" + first + "', in the world"});
    channels.push_back(
        {path + "torque", "Nm", kXyz, "on body '" + first + "', about its origin, in the world"});
    for (const ReportChannel& channel : world.contact(c).report_channels())
      channels.push_back({path + channel.name, channel.unit, {""}, channel.meaning});
  }
  for (const Ground& ground : grounds)
    if (ground.area.changes)
      channels.push_back({"soils/" + ground.area.name + "/deepest_rut",
                          "m",
                          {""},
                          "greatest depth below the ground before the run, so far"});
  channels.push_back({"system/kinetic_energy", "J", {""}, "of all bodies"});
  channels.push_back({"system/potential_energy", "J", {""}, "of gravity and joint springs"});
  channels.push_back({"system/total_energy",
                      "J",
                      {""},
                      "kinetic, potential, and elastic energy that contacts report"});
  channels.push_back(
      {"system/constraint_gap", "m or rad", {""}, "greatest violation of a position constraint"});
  channels.push_back({"system/motor_work", "J", {""}, "done by motors"});
  channels.push_back({"system/contact_work",
                      "J",
                      {""},
                      "done by contacts on bodies; negative: dissipated, or stored in soil"});
  channels.push_back({"system/joint_work", "J", {""}, "done by dampers in the joints"});
  channels.push_back({"system/prescribed_work",
                      "J",
                      {""},
                      "done by what moves prescribed joints and moving bodies"});
  channels.push_back({"system/force_work", "J", {""}, "done by external forces"});
  channels.push_back({"system/energy_error", "J", {""}, "energy gained without work"});
  if (rover)
    for (RecordingChannel& channel : rover->channels()) channels.push_back(std::move(channel));

  drive_count = mechanism.drive_channels().size();
  for (const RecordingChannel& channel : channels)
    for (const std::string& column : channel.columns)
      outputs.push_back({column.empty() ? channel.path : channel.path + "." + column, channel.unit,
                         channel.description});
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    const std::vector<ReportChannel> of_contact = world.contact(c).report_channels();
    for (std::size_t k = 0; k < of_contact.size(); ++k)
      if (of_contact[k].name == "elastic_energy") elastic_channels.emplace_back(c, k);
  }
}

void Simulation::Model::find_inputs(const Mechanism& mechanism, const RoverRun* rover) {
  for (const MechanismInput& input : mechanism.inputs())
    inputs.push_back({input.name, input.unit, input.meaning});
  mechanism_inputs = inputs.size();
  if (!rover) return;
  const std::string until = "; from the driver's next question on, instead of what [[drive]] says";
  inputs.push_back({"drive/forward", "m/s", "speed of the rover along its nose" + until});
  inputs.push_back({"drive/left", "m/s", "speed of the rover to its left" + until});
  inputs.push_back({"drive/yaw_rate", "rad/s", "turning of the rover to the left" + until});
}

/// All that would make it answer otherwise. Not the duration: a run may be made longer.
void Simulation::Model::find_definition(const Mechanism& mechanism, const ContactWorld& world,
                                        const RoverRun* rover) {
  Hash hash;
  const SimulationDef& settings = scene.simulation;
  const IntegratorDef& method = settings.integrator;
  for (const double x :
       {settings.output_interval, static_cast<double>(method.method),
        static_cast<double>(method.jacobian), method.tolerance, method.absolute_tolerance,
        method.max_step, method.step, static_cast<double>(method.dense_limit)})
    hash.add(x);
  hash.add(std::span<const double>(settings.gravity.data(), 3));
  hash.add(mechanism.model()->definition_hash());
  hash.add(world.models()->definition_hash());
  if (rover) hash.add(rover->driver().definition_hash());
  definition = hash.digest();
}

}  // namespace grouser
