#include "grouser/run/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/hash.h"
#include "grouser/base/stopwatch.h"
#include "grouser/base/text.h"
#include "grouser/rover/rover_run.h"
#include "grouser/run/simulation_model.h"
#include "grouser/run/system.h"

namespace grouser {

Simulation::~Simulation() = default;

Simulation::Simulation(const Scene& scene) {
  MechanismExtras extras;
  mechanism_ = build_mechanism(scene, extras);
  world_ = std::make_unique<ContactWorld>(scene.contact);
  system_ = std::make_unique<System>(*mechanism_, *world_);
  if (mechanism_->nv() == 0 && scene.moving_bodies.empty())
    throw InputError(Place{scene.path, 0, 0},
                     "nothing can move: the scene has no [[body]], no [[moving_body]] and no "
                     "[mechanism] with a joint");
  y_ = system_->initial_state();
  system_->set_state(0.0, state());
  if (const std::string reason = world_->refuse_start(0.0); !reason.empty())
    throw InputError(Place{scene.path, 0, 0}, reason);
  std::unique_ptr<RoverRun> rover;
  if (scene.rover)
    rover =
        std::make_unique<RoverRun>(*scene.rover, *mechanism_, *world_, scene.simulation.gravity);
  model_ =
      std::make_shared<const Model>(scene, std::move(extras), *mechanism_, *world_, rover.get());
  put_at_start();
}

Simulation::Simulation(const Simulation& other)
    : model_(other.model_),
      mechanism_(std::make_unique<Mechanism>(*other.mechanism_)),
      world_(std::make_unique<ContactWorld>(other.world_->models())),
      system_(std::make_unique<System>(*mechanism_, *world_)) {
  put_at_start();
  rewind(other.snapshot());
}

const Scene& Simulation::scene() const {
  return model_->scene;
}

const std::vector<std::string>& Simulation::notes() const {
  return model_->extras.notes;
}

bool Simulation::ended() const {
  return rover_ && rover_->ended();
}

/// Everything as if nothing had happened, but for the first sample.
void Simulation::put_at_start() {
  const std::size_t contacts = world_->contact_count();
  world_->reset();
  mechanism_->forget_commands();
  y_ = system_->initial_state();
  system_->set_state(0.0, state());
  if (scene().rover)
    rover_ = std::make_unique<RoverRun>(*scene().rover, *mechanism_, *world_,
                                        scene().simulation.gravity);
  const IntegratorDef& integrator = scene().simulation.integrator;
  const bool holds =
      integrator.method == Method::rk4 || integrator.method == Method::semi_implicit_euler;
  world_->set_step(holds ? integrator.step : 0.0);
  integrator_ = make_integrator(integrator, *system_);
  progress_ = {};
  progress_.digest = Hash().digest();
  progress_.next_corner = mechanism_->next_corner(0.0);
  progress_.penetration.assign(contacts, 0.0);
  progress_.deepest.assign(model_->grounds.size(), 0.0);
  grounds_.clear();
  for (const Model::Ground& ground : model_->grounds)
    grounds_.push_back(
        {{CopyOnWrite(std::make_unique<std::vector<double>>(ground.before)), 0}, {}});
  reports_.resize(contacts);
  patch_rows_.resize(contacts);
  scratch_rates_.resize(system_->size());
  begun_ = values_valid_ = false;
  status_ = RecordingStatus::running;
  message_.clear();
  wall_seconds_ = recording_seconds_ = 0.0;
  system_->forget_seconds();
}

void Simulation::require_no_recording(const char* what) const {
  if (writer_ || options_.watcher)
    throw InputError(std::string(what) +
                     ": a recording or a watcher is there, and has seen what would be undone; "
                     "call finish() first");
}

void Simulation::reset() {
  require_no_recording("reset");
  put_at_start();
}

void Simulation::begin(const RunOptions& options) {
  require_no_recording("begin");
  put_at_start();
  options_ = options;
  const Stopwatch watch(wall_seconds_);
  make_recording(std::nullopt);
  begun_ = true;
  try {
    if (rover_) rover_->tick(0.0);
    integrator_->start(0.0, state());
    take_sample(0.0, state());
    system_->commit(0.0, state());
  } catch (const RunError& error) {
    fail(error.what());
    throw;
  }
}

void Simulation::fail(const std::string& why) {
  status_ = RecordingStatus::failed;
  message_ = why;
  progress_.time = progress_.step_end = progress_.accepted;
  values_valid_ = false;
  if (tell_) tell_({Message::Kind::error, progress_.time, why});
}

void Simulation::set_message_handler(MessageHandler handler) {
  tell_ = std::move(handler);
  stuck_told_ = 0;
  if (tell_)
    for (const std::string& note : notes()) tell_({Message::Kind::note, time(), note});
  // The world's own notes are among these.
  world_->set_message_handler(!tell_ ? MessageHandler{} : [this](const Message& message) {
    if (message.kind != Message::Kind::note) tell_(message);
  });
}

void Simulation::tell_stuck() {
  const std::vector<std::string>& stuck = rover_->stuck();
  stuck_told_ = std::min(stuck_told_, stuck.size());  // it may have been taken back
  while (stuck_told_ < stuck.size())
    tell_({Message::Kind::warning, progress_.accepted, stuck[stuck_told_++]});
}

void Simulation::advance(double time) {
  if (!begun_) begin();
  if (!(time >= progress_.time) || !std::isfinite(time))
    throw InputError("a simulation at t = " + to_text(progress_.time) +
                     " s cannot advance to t = " + to_text(time) + " s");
  if (status_ == RecordingStatus::failed)
    throw RunError("the simulation has failed (" + message_ + "); reset() or rewind() it");
  const Stopwatch watch(wall_seconds_);
  const double slack = rounding();
  try {
    while (progress_.accepted < time - slack) {
      if (!progress_.open()) take_step();
      const bool whole = progress_.step_end <= time + slack;
      take_samples(whole ? progress_.step_end : time);
      if (!whole) break;
      end_step();
    }
  } catch (const RunError& error) {
    fail(error.what());
    throw;
  }
  progress_.time = time;
  values_valid_ = false;
}

/// Within which the time of a host and the end of a step are the same [s].
double Simulation::rounding() const {
  const IntegratorDef& method = scene().simulation.integrator;
  return has_fixed_step(method.method)
             ? 1e-6 * method.step
             : 8.0 * std::numeric_limits<double>::epsilon() * progress_.step_end;
}

/// No step goes beyond it, whatever a host says.
double Simulation::stop_time() const {
  const double end = scene().simulation.duration;
  // After the end of the scene there is none; integrators want one all the same.
  double stop = end;
  if (stop <= progress_.accepted) stop = end * (std::floor(progress_.accepted / end + 1e-9) + 1.0);
  stop = std::min({stop, world_->next_update(), progress_.next_corner});
  return rover_ ? std::min(stop, rover_->next_tick()) : stop;
}

void Simulation::take_step() {
  if (progress_.anew) restart();
  const Integrator::Step step = integrator_->step(stop_time());
  GROUSER_ASSERT(step.time >= progress_.accepted);
  progress_.step_end = step.time;
  progress_.step_event = step.event;
  system_->add_work(step.time, integrator_->state());
}

/// Samples inside the step, with the memory that held during it.
void Simulation::take_samples(double until) {
  const SimulationDef& settings = scene().simulation;
  for (;; ++progress_.next_sample) {
    double at = static_cast<double>(progress_.next_sample) * settings.output_interval;
    if (std::abs(at - settings.duration) < 1e-9 * settings.duration) at = settings.duration;
    if (at > until) break;
    integrator_->interpolate(at, state());
    take_sample(at, state());
  }
}

void Simulation::end_step() {
  const double t = progress_.step_end;
  const bool updates = t >= world_->next_update();
  if (t >= progress_.next_corner) progress_.next_corner = mechanism_->next_corner(t);
  system_->commit(t, integrator_->state());
  // An update changes the slope of forces, not their value: the integrator goes on.
  if (updates) system_->update(t, integrator_->state());
  GROUSER_ASSERT(world_->next_update() > t);
  // New commands of the driver likewise.
  if (rover_ && t >= rover_->next_tick()) {
    rover_->tick(t);
    if (tell_) tell_stuck();
  }
  if (progress_.step_event) {
    const std::span<const double> now = integrator_->state();
    std::copy(now.begin(), now.end(), state().begin());
    integrator_->start(t, state());
    system_->begin_work_anew();
  }
  progress_.accepted = t;
  progress_.step_event = false;
  if (writer_) writer_->flush_if_due();
}

/// The integrator begins again where the host is; a step that goes beyond ends there.
void Simulation::begin_anew() {
  if (!begun_) begin();
  if (progress_.open()) {
    integrator_->interpolate(progress_.time, state());
    system_->project(progress_.time, state());
    progress_.accepted = progress_.step_end = progress_.time;
    progress_.step_event = false;
    progress_.uncommitted = true;
  } else if (!progress_.anew) {
    std::copy(integrator_->state().begin(), integrator_->state().end(), state().begin());
  }
  progress_.anew = true;
  values_valid_ = false;
  system_->set_state(progress_.accepted, state());
}

void Simulation::restart() {
  const double t = progress_.accepted;
  if (progress_.uncommitted) system_->commit(t, state());
  progress_.anew = progress_.uncommitted = false;
  integrator_->start(t, state());
  system_->rhs(t, state(), scratch_rates_);
  system_->begin_work_from(t, state());
}

RunSummary Simulation::run(const RunOptions& options) {
  require_no_recording("run");
  if (!options.checkpoint.empty() && !(options.checkpoint_interval > 0.0))
    throw InputError("checkpoints need the time between two of them");
  if (!options.resume.empty()) resume(options);
  try {
    if (options.resume.empty()) begin(options);
    const double end = scene().simulation.duration;
    const auto next_checkpoint = [&] {
      const double interval = options.checkpoint_interval;
      return options.checkpoint.empty()
                 ? std::numeric_limits<double>::infinity()
                 : interval * (std::floor(progress_.accepted / interval + 1e-9) + 1.0);
    };
    double checkpoint = next_checkpoint();
    std::optional<Stopwatch> watch(std::in_place, wall_seconds_);
    while (progress_.accepted < end && !ended()) {
      if (!progress_.open()) take_step();
      take_samples(progress_.step_end);
      end_step();
      progress_.time = progress_.accepted;
      if (progress_.accepted >= checkpoint) {
        watch.reset();  // which counts the time so far
        write_checkpoint();
        watch.emplace(wall_seconds_);
        checkpoint = next_checkpoint();
      }
      if (options.progress && !options.progress(progress_.accepted)) {
        status_ = RecordingStatus::interrupted;
        message_ = "interrupted at t = " + to_text(progress_.accepted, 6) + " s of " +
                   to_text(end, 6) + " s";
        break;
      }
    }
  } catch (const RunError& error) {
    if (!begun_) throw;  // there is no recording
    fail(error.what());
  }
  values_valid_ = false;
  return finish();
}

RunSummary Simulation::finish() {
  if (status_ == RecordingStatus::running) status_ = RecordingStatus::complete;
  const RunSummary out = summary();
  const RecordingOutcome outcome{out.status, out.message, out.text(), out.warnings};
  RunWatcher* const watcher = options_.watcher;
  const std::unique_ptr<RecordingWriter> writer = std::move(writer_);
  options_ = {};
  if (writer) writer->finish(outcome);
  if (watcher) watcher->finish(outcome);
  if (status_ != RecordingStatus::failed) status_ = RecordingStatus::running;  // it may go on
  return out;
}

RunSummary Simulation::summary() const {
  RunSummary out;
  out.status = status_;
  out.message = message_;
  out.time = progress_.accepted;
  out.wall_seconds = wall_seconds_;
  out.samples = progress_.samples;
  out.integrator = integrator_->statistics();
  // What no other part took is the integrator's.
  out.seconds = system_->seconds();
  out.seconds.recording = recording_seconds_;
  out.seconds.integrator =
      std::max(0.0, wall_seconds_ - out.seconds.contact - out.seconds.mechanism -
                        out.seconds.jacobian - out.seconds.recording);
  out.energy = progress_.energy;
  out.greatest_gap = progress_.greatest_gap;
  out.state_hash = progress_.digest;
  add_warnings(out);
  return out;
}

}  // namespace grouser
