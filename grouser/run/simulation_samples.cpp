// What a simulation tells: samples of a recording, outputs, warnings.
#include <algorithm>
#include <bit>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/hash.h"
#include "grouser/base/stopwatch.h"
#include "grouser/base/text.h"
#include "grouser/base/version.h"
#include "grouser/rover/rover_run.h"
#include "grouser/run/simulation_model.h"
#include "grouser/run/system.h"

namespace grouser {
namespace {

PictureShape recorded(const ShapeDef& shape) {
  PictureShape out;
  out.name = shape.name;
  out.body = shape.body;
  out.kind = geometry_name(shape.geometry);
  const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
  const auto* convex = std::get_if<ConvexBody>(&shape.geometry);
  const auto* element = std::get_if<ElementShape>(&shape.geometry);
  const auto* smooth = std::get_if<SmoothShape>(&shape.geometry);
  if (mesh || convex || element || smooth) {
    out.kind = "mesh";
    out.mesh = mesh      ? *mesh->mesh
               : convex  ? mesh_of(*convex)
               : element ? mesh_of(*element)
                         : smooth->surface->mesh();
    for (Vec3& vertex : out.mesh.vertices) vertex = shape.X_BS * vertex;
    return out;
  }
  if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry))
    out.numbers.emplace_back("radius", sphere->radius);
  const Quat q(shape.X_BS.R);
  const std::pair<const char*, double> pose[] = {{"x", shape.X_BS.p.x()},
                                                 {"y", shape.X_BS.p.y()},
                                                 {"z", shape.X_BS.p.z()},
                                                 {"qw", q.w()},
                                                 {"qx", q.x()},
                                                 {"qy", q.y()},
                                                 {"qz", q.z()}};
  for (const auto& [name, value] : pose) out.numbers.emplace_back(name, value);
  return out;
}

std::vector<RecordingParameter> parameters_of(const Scene& scene, const ContactWorld& world) {
  std::vector<RecordingParameter> out;
  std::size_t contacts = 0;
  for (const SceneSection& section : scene.sections) {
    const bool contact = section.part == "contact";
    const std::string name = contact ? world.contact_name(contacts++) : section.name;
    const std::string title = section.part + (name.empty() ? "" : " " + name);
    for (const ParameterSetting& row : section.settings)
      out.push_back({title, section.model, row.key, row.value, row.unit, row.meaning});
  }
  return out;
}

}  // namespace

RecordingLayout Simulation::layout() const {
  const Scene& scene = model_->scene;
  RecordingLayout out;
  out.grouser_version = version();
  out.scene_path = scene.path;
  out.scene_text = scene.text;
  Hash hash;
  hash.add(std::string_view(scene.text));
  for (const std::string& word : scene.overrides) {
    hash.add(std::string_view(word));
    out.metadata.emplace_back("set " + std::to_string(out.metadata.size() + 1), word);
  }
  out.scene_hash = hash.digest();
  const auto hidden = [&](const std::string& name) {
    return scene.rover && std::find(scene.rover->hidden.begin(), scene.rover->hidden.end(), name) !=
                              scene.rover->hidden.end();
  };
  for (const ShapeDef& shape : world_->shapes().shapes())
    if (!hidden(shape.name)) out.shapes.push_back(recorded(shape));
  out.shapes.insert(out.shapes.end(), model_->extras.geoms.begin(), model_->extras.geoms.end());
  out.parameters = parameters_of(scene, *world_);
  out.channels = model_->channels;
  if (scene.simulation.record_patches)
    for (std::size_t c = 0; c < world_->contact_count(); ++c)
      out.patches.push_back(
          {"contacts/" + world_->contact_name(c) + "/elements",
           {"x", "y", "z", "force_x", "force_y", "force_z", "penetration", "area", "index"},
           {"m", "m", "m", "N", "N", "N", "m", "m^2", ""},
           "contact elements; force on body '" +
               world_->bodies()[static_cast<std::size_t>(world_->ports(c)[0])] +
               "', in the world"});
  for (const Model::Ground& ground : model_->grounds)
    out.soils.push_back({ground.area.name,
                         {ground.area.origin.x(), ground.area.origin.y()},
                         ground.area.spacing,
                         ground.area.nx,
                         ground.area.ny,
                         ground.before});
  return out;
}

void Simulation::make_recording(std::optional<std::size_t> resumed) {
  const Stopwatch watch(recording_seconds_);
  RecordingOptions options;
  options.resume_samples = resumed;
  if (!options_.recording.empty())
    writer_ = std::make_unique<RecordingWriter>(options_.recording, layout(), options);
  if (options_.watcher) options_.watcher->begin(layout());
}

/// The deepest rut by now; `rows` gets the nodes that have changed since the last sample.
double Simulation::take_ground(std::size_t ground, bool sample) {
  const Model::Ground& of = model_->grounds[ground];
  Ground& known = grounds_[ground];
  if (sample) known.rows.clear();
  double deepest = progress_.deepest[ground];
  if (!of.area.changes) return deepest;
  const std::vector<double>& before = *known.recorded.heights;
  std::vector<double>& now = ground_now_;
  now.assign(before.begin(), before.end());
  const std::uint64_t stamp =
      world_->ground_heights(of.contact, of.area, known.recorded.stamp, now);
  GROUSER_ASSERT(now.size() == before.size());
  bool changed = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == before[i]) continue;
    changed = true;
    deepest = std::max(deepest, of.before[i] - now[i]);
    if (sample) known.rows.insert(known.rows.end(), {static_cast<double>(i), now[i]});
  }
  if (!sample) return deepest;
  known.recorded.stamp = stamp;
  if (changed) known.recorded.heights.write().swap(now);
  progress_.deepest[ground] = deepest;
  return deepest;
}

/// The balance at the state set.
RunSummary::Energy Simulation::energy_at(double t) {
  const double kinetic = mechanism_->kinetic_energy(), potential = mechanism_->potential_energy();
  RunSummary::Energy energy = progress_.energy;
  energy.kinetic = kinetic - progress_.first_kinetic;
  energy.potential = potential - progress_.first_potential;
  energy.work = system_->work(t);
  energy.error = energy.kinetic + energy.potential - energy.work.sum();
  // What comes in goes out again: half of all of it; or what goes to and fro between two forms.
  const double half =
      0.5 * (std::abs(energy.kinetic + energy.potential) + std::abs(energy.work.motors) +
             std::abs(energy.work.contacts) + std::abs(energy.work.joints) +
             std::abs(energy.work.prescribed) + std::abs(energy.work.forces));
  energy.flow = std::max({energy.flow, half, kinetic, std::abs(energy.potential)});
  return energy;
}

/// What does nothing by itself can give back no more than went into it.
void Simulation::count_created(double t) {
  constexpr double kMargin = 0.01;       // of the flow, for errors of integration
  constexpr double kLeastMargin = 1e-3;  // [J]
  const RunSummary::Energy& energy = progress_.energy;
  const double created = energy.work.contacts - progress_.stored;
  if (!(created > std::max(kMargin * energy.flow, kLeastMargin))) return;
  if (progress_.created == 0.0) progress_.created_at = t;
  progress_.created = std::max(progress_.created, created);
}

/// All channels at a state. A sample counts for the summary, and for what the next one tells.
void Simulation::fill_values(double t, std::span<const double> y, bool sample) {
  // An evaluation, so that motor torques and multipliers are those of this state.
  system_->rhs(t, y, scratch_rates_);
  if (sample && progress_.samples == 0) {
    system_->begin_work(t, y);
    progress_.first_kinetic = mechanism_->kinetic_energy();
    progress_.first_potential = mechanism_->potential_energy();
    progress_.stored = world_->stored_energy(t);
  }
  const Stopwatch recording(recording_seconds_);
  const auto put3 = [&](const Vec3& x) { values_.insert(values_.end(), x.begin(), x.end()); };

  values_.clear();
  for (std::size_t b = 1; b < mechanism_->body_names().size(); ++b) {
    const BodyKinematics& body = mechanism_->kinematics()[b];
    const Quat q(body.X_WB.R);
    put3(body.X_WB.p);
    values_.insert(values_.end(), {q.w(), q.x(), q.y(), q.z()});
    put3(body.V_WB.v);
    put3(body.V_WB.w);
    values_.insert(values_.end(), {body.V_WB.v.norm(), body.V_WB.w.norm()});
  }
  for (const Joint& joint : mechanism_->joints()) {
    if (!joint.scalar()) continue;
    values_.push_back(mechanism_->positions()[static_cast<Eigen::Index>(joint.q)]);
    values_.push_back(mechanism_->velocities()[static_cast<Eigen::Index>(joint.v)]);
  }
  const std::size_t drives = model_->drive_count;
  values_.resize(values_.size() + drives);
  mechanism_->drive_values(std::span(values_).last(drives));
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const Wrench& wrench = world_->port_wrenches(c)[0];
    put3(wrench.force);
    put3(wrench.torque);
    world_->report(t, c, reports_[c]);
    values_.insert(values_.end(), reports_[c].channels.begin(), reports_[c].channels.end());
  }
  for (std::size_t g = 0; g < grounds_.size(); ++g) {
    const double deepest = take_ground(g, sample);
    if (model_->grounds[g].area.changes) values_.push_back(deepest);
  }
  const double gap = mechanism_->constraint_gap();
  const RunSummary::Energy energy = energy_at(t);
  const double kinetic = progress_.first_kinetic + energy.kinetic;
  const double potential = progress_.first_potential + energy.potential;
  double elastic = 0.0;
  for (const auto& [contact, channel] : model_->elastic_channels)
    elastic += reports_[contact].channels[channel];
  values_.insert(values_.end(), {kinetic, potential, kinetic + potential + elastic, gap,
                                 energy.work.motors, energy.work.contacts, energy.work.joints,
                                 energy.work.prescribed, energy.work.forces, energy.error});
  if (rover_) rover_->append_values(reports_, energy.work.motors, values_);
  GROUSER_ASSERT(values_.size() == model_->outputs.size());
  if (!sample) return;
  progress_.energy = energy;
  count_created(t);
  progress_.greatest_gap = std::max(progress_.greatest_gap, gap);
  if (rover_) rover_->count_sample(t, values_);
}

void Simulation::take_sample(double t, std::span<const double> y) {
  fill_values(t, y, true);
  const Stopwatch recording(recording_seconds_);
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    patch_rows_[c].clear();
    for (const PatchElement& e : reports_[c].patch) {
      progress_.penetration[c] = std::max(progress_.penetration[c], e.penetration);
      for (const double x : {e.p_WC.x(), e.p_WC.y(), e.p_WC.z(), e.force_W.x(), e.force_W.y(),
                             e.force_W.z(), e.penetration, e.area, static_cast<double>(e.index)})
        patch_rows_[c].push_back(x);
    }
  }
  auto digest = std::bit_cast<Hash>(progress_.digest);  // goes on from there
  digest.add(t);
  digest.add(y);
  progress_.digest = digest.digest();
  std::vector<std::span<const double>> patches;
  if (scene().simulation.record_patches) patches.assign(patch_rows_.begin(), patch_rows_.end());
  for (const Ground& ground : grounds_) patches.emplace_back(ground.rows);
  if (writer_) writer_->add_sample(t, values_, patches);
  if (options_.watcher) options_.watcher->add_sample(t, values_, patches);
  if (options_.sample) options_.sample(t);
  ++progress_.samples;
}

void Simulation::add_warnings(RunSummary& summary) const {
  summary.warnings = model_->extras.notes;
  for (std::string& warning : world_->warnings()) summary.warnings.push_back(std::move(warning));
  if (rover_) {
    summary.rover = rover_->summary();
    for (std::string& warning : rover_->warnings(scene().simulation.duration))
      summary.warnings.push_back(std::move(warning));
  }
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const double greatest = std::max(world_->greatest_penetration(c), progress_.penetration[c]);
    summary.contacts.push_back({world_->contact_name(c), world_->contact_model_name(c), greatest,
                                world_->greatest_softening(c)});
    const double allowed = world_->contact(c).max_penetration();
    if (greatest > 0.9 * allowed)
      summary.warnings.push_back("contact '" + world_->contact_name(c) + "' reached " +
                                 to_text(100.0 * greatest / allowed, 3) +
                                 " % of max_penetration (" + to_text(allowed) +
                                 " m); deeper elements are lost, raise it");
  }
  if (progress_.created > 0.0) {
    std::string names;
    for (std::size_t c = 0; c < world_->contact_count(); ++c)
      names += (c > 0 ? ", '" : "'") + world_->contact_name(c) + "'";
    summary.warnings.push_back(
        (world_->contact_count() > 1 ? "contacts " : "contact ") + names + " did " +
        to_text(progress_.created + progress_.stored, 3) +
        " J of work on the bodies, first at t = " + to_text(progress_.created_at, 4) +
        " s, where " + to_text(progress_.stored, 3) +
        " J were stored at most: contact does nothing by itself and takes energy; look at how deep "
        "bodies start, at stiffness and at the steps");
  }
  // A balance of next to nothing says nothing.
  constexpr double kWorthATell = 1e-4;  // [J]
  const double error = std::abs(summary.energy.error), flow = summary.energy.flow;
  if (error > std::max(0.05 * flow, kWorthATell))
    summary.warnings.push_back("the energy balance misses " + to_text(summary.energy.error, 3) +
                               " J, " + to_text(100.0 * error / flow, 3) +
                               " % of what flowed; use shorter steps or a smaller tolerance");
  for (const Status status : {Status::shorten_step, Status::impossible}) {
    const std::uint64_t count = world_->status_counts()[static_cast<std::size_t>(status)];
    if (count > 0)
      summary.warnings.push_back(std::to_string(count) + " times a contact evaluation answered '" +
                                 std::string(kStatusNames[static_cast<std::size_t>(status)]) + "'");
  }
}

}  // namespace grouser
