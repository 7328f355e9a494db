#include "grouser/run/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/hash.h"
#include "grouser/base/stopwatch.h"
#include "grouser/base/text.h"
#include "grouser/base/version.h"
#include "grouser/rover/rover_run.h"
#include "grouser/run/system.h"

namespace grouser {

struct Simulation::Digest : Hash {};

Simulation::~Simulation() = default;

Simulation::Simulation(const Scene& scene) : scene_(scene) {
  mechanism_ = build_mechanism(scene_, extras_);
  world_ = std::make_unique<ContactWorld>(scene_.contact);
  for (std::size_t c = 0; c < world_->contact_count(); ++c)
    for (const std::string& note : world_->contact(c).notes())
      extras_.notes.push_back("contact '" + world_->contact_name(c) + "': " + note);
  for (const std::string& note : rock_notes(scene_.rocks, scene_.contact))
    extras_.notes.push_back(note);
  system_ = std::make_unique<System>(*mechanism_, *world_);
  if (scene_.rover) {
    const std::vector<std::string>& notes = scene_.rover->notes;
    extras_.notes.insert(extras_.notes.end(), notes.begin(), notes.end());
    rover_ =
        std::make_unique<RoverRun>(*scene_.rover, *mechanism_, *world_, scene_.simulation.gravity);
  }
  if (mechanism_->nv() == 0 && scene_.moving_bodies.empty())
    throw InputError(Place{scene_.path, 0, 0},
                     "nothing can move: the scene has no [[body]], no [[moving_body]] and no "
                     "[mechanism] with a joint");
  reports_.resize(world_->contact_count());
  patch_rows_.resize(world_->contact_count());
  sampled_penetration_.resize(world_->contact_count());
  scratch_rates_.resize(system_->size());
  drive_count_ = mechanism_->drive_channels().size();

  const VecX start = system_->initial_state();
  system_->set_state(0.0, {start.data(), system_->size()});
  if (const std::string reason = world_->refuse_start(0.0); !reason.empty())
    throw InputError(Place{scene_.path, 0, 0}, reason);
  find_grounds();
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const std::vector<ReportChannel> channels = world_->contact(c).report_channels();
    for (std::size_t k = 0; k < channels.size(); ++k)
      if (channels[k].name == "elastic_energy") elastic_channels_.emplace_back(c, k);
  }
}

void Simulation::find_grounds() {
  for (std::size_t c = 0; c < world_->contact_count(); ++c)
    if (const std::optional<GroundArea> area = world_->ground_area(c)) {
      // Several contacts may stand on the same ground: it is shown once, as it changes.
      const auto known = std::find_if(grounds_.begin(), grounds_.end(), [&](const Ground& g) {
        return g.area.name == area->name && !(g.area.changes && area->changes);
      });
      if (known != grounds_.end() && !area->changes) continue;
      Ground& ground = known != grounds_.end() ? *known : grounds_.emplace_back();
      ground.contact = c;
      ground.area = *area;
      ground.heights.resize(area->nx * area->ny);
      ground.stamp = world_->ground_heights(c, *area, 0, ground.heights);
      ground.before = ground.heights;
    }
}

/// Rows of the nodes that have changed since the last sample.
void Simulation::take_ground(Ground& ground) {
  ground.rows.clear();
  if (!ground.area.changes) return;
  std::vector<double>& now = ground_now_;
  now.assign(ground.heights.begin(), ground.heights.end());
  ground.stamp = world_->ground_heights(ground.contact, ground.area, ground.stamp, now);
  GROUSER_ASSERT(now.size() == ground.heights.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == ground.heights[i]) continue;
    ground.heights[i] = now[i];
    ground.deepest = std::max(ground.deepest, ground.before[i] - now[i]);
    ground.rows.insert(ground.rows.end(), {static_cast<double>(i), now[i]});
  }
}

namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};

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

}  // namespace

std::vector<RecordingParameter> Simulation::parameters() const {
  std::vector<RecordingParameter> out;
  std::size_t contacts = 0;
  for (const SceneSection& section : scene_.sections) {
    const bool contact = section.part == "contact";
    const std::string name = contact ? world_->contact_name(contacts++) : section.name;
    const std::string title = section.part + (name.empty() ? "" : " " + name);
    for (const ParameterSetting& row : section.settings)
      out.push_back({title, section.model, row.key, row.value, row.unit, row.meaning});
  }
  return out;
}

/// The order of channels here is the order in which take_sample() fills in numbers.
RecordingLayout Simulation::layout() const {
  RecordingLayout out;
  out.grouser_version = version();
  out.scene_path = scene_.path;
  out.scene_text = scene_.text;
  Hash hash;
  hash.add(std::string_view(scene_.text));
  for (const std::string& word : scene_.overrides) {
    hash.add(std::string_view(word));
    out.metadata.emplace_back("set " + std::to_string(out.metadata.size() + 1), word);
  }
  out.scene_hash = hash.digest();
  const auto hidden = [&](const std::string& name) {
    return scene_.rover && std::find(scene_.rover->hidden.begin(), scene_.rover->hidden.end(),
                                     name) != scene_.rover->hidden.end();
  };
  for (const ShapeDef& shape : world_->shapes().shapes())
    if (!hidden(shape.name)) out.shapes.push_back(recorded(shape));
  out.shapes.insert(out.shapes.end(), extras_.geoms.begin(), extras_.geoms.end());
  out.parameters = parameters();

  for (std::size_t b = 1; b < mechanism_->body_names().size(); ++b) {
    const std::string path = "bodies/" + mechanism_->body_names()[b] + "/";
    out.channels.push_back({path + "position", "m", kXyz, "of the body's origin, in the world"});
    out.channels.push_back(
        {path + "orientation", "", {"w", "x", "y", "z"}, "unit quaternion, body to world"});
    out.channels.push_back({path + "velocity", "m/s", kXyz, "of the body's origin"});
    out.channels.push_back({path + "angular_velocity", "rad/s", kXyz, "in the world"});
    out.channels.push_back({path + "speed", "m/s", {""}, "size of velocity"});
    out.channels.push_back({path + "turning", "rad/s", {""}, "size of angular_velocity"});
  }
  for (const Joint& joint : mechanism_->joints()) {
    if (!joint.scalar()) continue;
    const bool hinge = joint.kind == JointKind::hinge;
    const std::string path = "joints/" + joint.name + "/";
    out.channels.push_back({path + "position", hinge ? "rad" : "m", {""}, "joint coordinate"});
    out.channels.push_back({path + "velocity", hinge ? "rad/s" : "m/s", {""}, "joint speed"});
  }
  for (const Mechanism::DriveChannel& drive : mechanism_->drive_channels())
    out.channels.push_back({drive.name, drive.unit, {""}, drive.meaning});
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const std::string path = "contacts/" + world_->contact_name(c) + "/";
    const std::string& first = world_->bodies()[static_cast<std::size_t>(world_->ports(c)[0])];
    out.channels.push_back({path + "force", "N", kXyz, "on body '" + first + "', in the world"});
    out.channels.push_back(
        {path + "torque", "Nm", kXyz, "on body '" + first + "', about its origin, in the world"});
    for (const ReportChannel& channel : world_->contact(c).report_channels())
      out.channels.push_back({path + channel.name, channel.unit, {""}, channel.meaning});
    if (scene_.simulation.record_patches)
      out.patches.push_back(
          {path + "elements",
           {"x", "y", "z", "force_x", "force_y", "force_z", "penetration", "area", "index"},
           {"m", "m", "m", "N", "N", "N", "m", "m^2", ""},
           "contact elements; force on body '" + first + "', in the world"});
  }
  for (const Ground& ground : grounds_) {
    out.soils.push_back({ground.area.name,
                         {ground.area.origin.x(), ground.area.origin.y()},
                         ground.area.spacing,
                         ground.area.nx,
                         ground.area.ny,
                         ground.heights});
    if (!ground.area.changes) continue;
    out.channels.push_back({"soils/" + ground.area.name + "/deepest_rut",
                            "m",
                            {""},
                            "greatest depth below the ground before the run, so far"});
  }
  out.channels.push_back({"system/kinetic_energy", "J", {""}, "of all bodies"});
  out.channels.push_back({"system/potential_energy", "J", {""}, "of gravity and joint springs"});
  out.channels.push_back({"system/total_energy",
                          "J",
                          {""},
                          "kinetic, potential, and elastic energy that contacts report"});
  out.channels.push_back(
      {"system/constraint_gap", "m or rad", {""}, "greatest violation of a position constraint"});
  out.channels.push_back({"system/motor_work", "J", {""}, "done by motors"});
  out.channels.push_back({"system/contact_work",
                          "J",
                          {""},
                          "done by contacts on bodies; negative: dissipated, or stored in soil"});
  out.channels.push_back({"system/joint_work", "J", {""}, "done by dampers in the joints"});
  out.channels.push_back({"system/prescribed_work",
                          "J",
                          {""},
                          "done by what moves prescribed joints and moving bodies"});
  out.channels.push_back({"system/force_work", "J", {""}, "done by external forces"});
  out.channels.push_back({"system/energy_error", "J", {""}, "energy gained without work"});
  if (rover_)
    for (RecordingChannel& channel : rover_->channels()) out.channels.push_back(std::move(channel));
  return out;
}

/// The balance at the state set.
void Simulation::take_energy(double t, RunSummary& summary) {
  const double kinetic = mechanism_->kinetic_energy(), potential = mechanism_->potential_energy();
  if (summary.samples == 0) {
    first_kinetic_ = kinetic;
    first_potential_ = potential;
  }
  RunSummary::Energy& energy = summary.energy;
  energy.kinetic = kinetic - first_kinetic_;
  energy.potential = potential - first_potential_;
  energy.work = system_->work(t);
  energy.error = energy.kinetic + energy.potential - energy.work.sum();
  // What comes in goes out again: half of all of it; or what goes to and fro between two forms.
  const double half =
      0.5 * (std::abs(energy.kinetic + energy.potential) + std::abs(energy.work.motors) +
             std::abs(energy.work.contacts) + std::abs(energy.work.joints) +
             std::abs(energy.work.prescribed) + std::abs(energy.work.forces));
  energy.flow = std::max({energy.flow, half, kinetic, std::abs(energy.potential)});
}

void Simulation::take_sample(double t, std::span<const double> y, RecordingWriter* writer,
                             const RunOptions& options, RunSummary& summary) {
  // An evaluation, so that motor torques and multipliers are those of this state.
  system_->rhs(t, y, scratch_rates_);
  if (summary.samples == 0) system_->begin_work(t, y);
  const Stopwatch recording(summary.seconds.recording);
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
  values_.resize(values_.size() + drive_count_);
  mechanism_->drive_values(std::span(values_).last(drive_count_));
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const Wrench& wrench = world_->port_wrenches(c)[0];
    put3(wrench.force);
    put3(wrench.torque);
    ContactReport& report = reports_[c];
    world_->report(t, c, report);
    values_.insert(values_.end(), report.channels.begin(), report.channels.end());
    patch_rows_[c].clear();
    for (const PatchElement& e : report.patch) {
      sampled_penetration_[c] = std::max(sampled_penetration_[c], e.penetration);
      for (const double x : {e.p_WC.x(), e.p_WC.y(), e.p_WC.z(), e.force_W.x(), e.force_W.y(),
                             e.force_W.z(), e.penetration, e.area, static_cast<double>(e.index)})
        patch_rows_[c].push_back(x);
    }
  }
  for (Ground& ground : grounds_) {
    take_ground(ground);
    if (ground.area.changes) values_.push_back(ground.deepest);
  }
  const double gap = mechanism_->constraint_gap();
  take_energy(t, summary);
  const RunSummary::Energy& energy = summary.energy;
  const double kinetic = first_kinetic_ + energy.kinetic;
  const double potential = first_potential_ + energy.potential;
  double elastic = 0.0;
  for (const auto& [contact, channel] : elastic_channels_)
    elastic += reports_[contact].channels[channel];
  values_.insert(values_.end(), {kinetic, potential, kinetic + potential + elastic, gap,
                                 energy.work.motors, energy.work.contacts, energy.work.joints,
                                 energy.work.prescribed, energy.work.forces, energy.error});
  if (rover_) rover_->sample(t, reports_, energy.work.motors, values_);
  summary.greatest_gap = std::max(summary.greatest_gap, gap);
  digest_->add(t);
  digest_->add(y);
  std::vector<std::span<const double>> patches;
  if (scene_.simulation.record_patches) patches.assign(patch_rows_.begin(), patch_rows_.end());
  for (const Ground& ground : grounds_) patches.emplace_back(ground.rows);
  if (writer) writer->add_sample(t, values_, patches);
  if (options.watcher) options.watcher->add_sample(t, values_, patches);
  if (options.sample) options.sample(t);
  ++summary.samples;
}

namespace {

/// Where the wall time went; what no other part took is the integrator's.
void add_seconds(RunSummary& summary, const RunSeconds& spent) {
  RunSeconds& out = summary.seconds;
  const double recording = out.recording;
  out = spent;
  out.recording = recording;
  out.integrator = std::max(
      0.0, summary.wall_seconds - out.contact - out.mechanism - out.jacobian - out.recording);
}

}  // namespace

RunSummary Simulation::run(const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const SimulationDef& settings = scene_.simulation;
  const double end = settings.duration;
  RunSummary summary;
  digest_ = std::make_unique<Digest>();

  std::unique_ptr<RecordingWriter> writer;
  {
    const Stopwatch recording(summary.seconds.recording);
    if (!options.recording.empty())
      writer = std::make_unique<RecordingWriter>(options.recording, layout());
    if (options.watcher) options.watcher->begin(layout());
  }

  std::unique_ptr<Integrator> integrator;
  try {
    VecX y = system_->initial_state();
    const std::span<double> state(y.data(), system_->size());
    if (rover_) {
      system_->set_state(0.0, state);
      rover_ = std::make_unique<RoverRun>(*scene_.rover, *mechanism_, *world_,
                                          scene_.simulation.gravity);
      rover_->tick(0.0);
    }
    integrator = make_integrator(settings.integrator, *system_);
    integrator->start(0.0, state);
    take_sample(0.0, state, writer.get(), options, summary);
    system_->commit(0.0, state);

    double t = 0.0;
    double next_corner = mechanism_->next_corner(t);  // of a signal: steps end there
    std::uint64_t next_sample = 1;
    while (t < end) {
      const double next_update = world_->next_update();
      const double next_tick = rover_ ? rover_->next_tick() : end;
      const Integrator::Step step =
          integrator->step(std::min({end, next_update, next_tick, next_corner}));
      GROUSER_ASSERT(step.time >= t);
      t = step.time;
      if (t >= next_corner) next_corner = mechanism_->next_corner(t);
      system_->add_work(t, integrator->state());

      // Samples inside the step, with the memory that held during it.
      for (;; ++next_sample) {
        double at = static_cast<double>(next_sample) * settings.output_interval;
        if (std::abs(at - end) < 1e-9 * end) at = end;
        if (at > t) break;
        integrator->interpolate(at, state);
        take_sample(at, state, writer.get(), options, summary);
      }
      system_->commit(t, integrator->state());
      // An update changes the slope of forces, not their value: the integrator goes on.
      if (t >= next_update) system_->update(t, integrator->state());
      GROUSER_ASSERT(world_->next_update() > t);
      // New commands of the driver likewise.
      if (rover_ && t >= next_tick) rover_->tick(t);
      if (step.event) {
        const std::span<const double> now = integrator->state();
        std::copy(now.begin(), now.end(), state.begin());
        integrator->start(t, state);
        system_->begin_work_anew();
      }
      summary.time = t;
      if (writer) writer->flush_if_due();
      if (options.progress && !options.progress(t)) {
        summary.status = RecordingStatus::interrupted;
        summary.message = "interrupted at t = " + to_text(t, 6) + " s of " + to_text(end, 6) + " s";
        break;
      }
      if (rover_ && rover_->ended()) break;
    }
  } catch (const RunError& error) {
    summary.status = RecordingStatus::failed;
    summary.message = error.what();
  }
  summary.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (integrator) summary.integrator = integrator->statistics();
  add_seconds(summary, system_->seconds());
  summary.state_hash = digest_->digest();
  add_warnings(summary);
  const RecordingOutcome outcome{summary.status, summary.message, summary.text(), summary.warnings};
  if (writer) writer->finish(outcome);
  if (options.watcher) options.watcher->finish(outcome);
  return summary;
}

void Simulation::add_warnings(RunSummary& summary) const {
  summary.warnings = extras_.notes;
  for (std::string& warning : world_->warnings()) summary.warnings.push_back(std::move(warning));
  if (rover_) {
    summary.rover = rover_->summary();
    for (std::string& warning : rover_->warnings(scene_.simulation.duration))
      summary.warnings.push_back(std::move(warning));
  }
  for (std::size_t c = 0; c < world_->contact_count(); ++c) {
    const double greatest = std::max(world_->greatest_penetration(c), sampled_penetration_[c]);
    summary.contacts.push_back({world_->contact_name(c), world_->contact_model_name(c), greatest});
    const double allowed = world_->contact(c).max_penetration();
    if (greatest > 0.9 * allowed)
      summary.warnings.push_back("contact '" + world_->contact_name(c) + "' reached " +
                                 to_text(100.0 * greatest / allowed, 3) +
                                 " % of max_penetration (" + to_text(allowed) +
                                 " m); deeper elements are lost, raise it");
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

TextPairs RunSummary::text() const {
  TextPairs out;
  const auto number = [](double x) { return grouser::to_text(x, 4); };
  const auto count = [](std::uint64_t x) { return std::to_string(x); };
  out.emplace_back("simulated time [s]", number(time));
  out.emplace_back("wall time [s]", number(wall_seconds));
  out.emplace_back("real-time factor", number(wall_seconds > 0.0 ? time / wall_seconds : 0.0));
  out.emplace_back("samples", count(samples));
  out.emplace_back("steps", count(integrator.steps));
  out.emplace_back("rejected steps", count(integrator.rejected));
  out.emplace_back("convergence failures", count(integrator.convergence_failures));
  out.emplace_back("evaluations", count(integrator.evaluations));
  out.emplace_back("Jacobians", count(integrator.jacobians));
  out.emplace_back("restarts at events", count(integrator.restarts));
  out.emplace_back("smallest step [s]", number(integrator.smallest_step));
  out.emplace_back("largest step [s]", number(integrator.largest_step));
  out.emplace_back("time in contact [s]", number(seconds.contact));
  out.emplace_back("time in mechanism [s]", number(seconds.mechanism));
  out.emplace_back("time in Jacobians [s]", number(seconds.jacobian));
  out.emplace_back("time in integrator [s]", number(seconds.integrator));
  out.emplace_back("time in recording [s]", number(seconds.recording));
  out.emplace_back("energy gained [J]", number(energy.kinetic + energy.potential));
  out.emplace_back("work of motors [J]", number(energy.work.motors));
  out.emplace_back("work of contacts [J]", number(energy.work.contacts));
  out.emplace_back("work of joint dampers [J]", number(energy.work.joints));
  out.emplace_back("work of prescribed motion [J]", number(energy.work.prescribed));
  out.emplace_back("work of external forces [J]", number(energy.work.forces));
  out.emplace_back("energy error [J]", number(energy.error));
  out.emplace_back("energy error [% of flow]",
                   number(energy.flow > 0.0 ? 100.0 * energy.error / energy.flow : 0.0));
  out.insert(out.end(), rover.begin(), rover.end());
  for (const Contact& contact : contacts)
    out.emplace_back("greatest penetration of " + contact.name + " [m]",
                     number(contact.greatest_penetration));
  return out;
}

}  // namespace grouser
