// A run: from a scene to a recording, all at once or step by step.
//
//   Simulation simulation(load_scene("scene.toml"));
//   const RunSummary summary = simulation.run(options);          all of it
//
//   simulation.begin();                                          or as a host likes
//   simulation.set_input(simulation.input("motors/arm/target"), 0.3);
//   simulation.advance(0.02);
//   simulation.output_value(simulation.output("joints/arm/position"));
//
// However a run is cut into advances, its steps are the same ones, to the bit: a host that stops
// within a step sees what lies between its ends, and the step is brought to its end later. Only an
// input that is changed there ends it early.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/run/run_scene.h"
#include "grouser/run/run_summary.h"

namespace grouser {

class RoverRun;
class System;

/// Sees a run as its recording does, sample by sample.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void begin(const RecordingLayout& layout) = 0;
  /// As RecordingWriter::add_sample().
  virtual void add_sample(double time, std::span<const double> values,
                          std::span<const std::span<const double>> patches) = 0;
  virtual void finish(const RecordingOutcome& outcome) = 0;
};

struct RunOptions {
  std::string recording;          ///< path of the HDF5 file; empty: none
  RunWatcher* watcher = nullptr;  ///< must outlive the run
  /// Called after every accepted step; returning false interrupts the run. Of run() alone.
  std::function<bool(double time)> progress;
  /// Called with every sample, after the mechanism and world were put there.
  std::function<void(double time)> sample;
  std::string checkpoint;  ///< path of a file from which run() can be resumed; empty: none
  double checkpoint_interval = 0.0;  ///< simulated time between two of them [s]
  /// run() goes on from the checkpoint at this path, and with the recording that belongs to it.
  std::string resume;
};

/// A moment of a simulation to go back to, or to go on from in a copy. It shares what contacts
/// remember until somebody changes it.
struct SimulationSnapshot {
  WorldSnapshot world;
  struct Ground {
    CopyOnWrite<std::vector<double>> heights;
    std::uint64_t stamp = 0;
  };
  std::vector<Ground> grounds;
  std::vector<std::byte> rest;
};

class Simulation {
 public:
  /// Builds everything; throws InputError.
  explicit Simulation(const Scene& scene);
  /// Goes on as the other one would, without its recording and its watcher. Models are shared.
  /// Integrators with error control begin anew.
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  Mechanism& mechanism() { return *mechanism_; }
  ContactWorld& world() { return *world_; }
  System& system() { return *system_; }
  const Scene& scene() const;
  /// What the mechanism file says that is not used.
  const std::vector<std::string>& notes() const;

  /// Runs from the initial state to the end of the scene. A run that fails returns, with the
  /// reason, after closing the recording; only a recording that cannot be made or written throws
  /// RunError.
  RunSummary run(const RunOptions& options = {});

  // Step by step.

  /// Goes to the initial state, makes the recording and takes its first sample.
  void begin(const RunOptions& options = {});
  /// Goes on to this time, which may lie beyond the scene's duration; begins if nobody did. Throws
  /// RunError if it cannot, and then stays where the last step ended; InputError for a time before
  /// time() or none at all.
  void advance(double time);
  /// Where the simulation is [s].
  double time() const { return progress_.time; }
  /// The rover's driver wants the run to end.
  bool ended() const;
  /// Closes the recording.
  RunSummary finish();
  /// How it went so far.
  RunSummary summary() const;

  /// Tells the notes at once, and from now on what comes up: see ContactWorld; that the rover is
  /// stuck; why the run failed. Copies start without one.
  void set_message_handler(MessageHandler handler);

  // Going back. While a recording or a watcher is there these throw InputError: what was written
  // stays written. finish() comes first.

  /// To the initial state, with inputs that follow their definitions.
  void reset();
  SimulationSnapshot snapshot() const;
  /// Throws InputError if the snapshot is one of another simulation than this one and its copies.
  void rewind(const SimulationSnapshot& snapshot);
  /// All of it as bytes, for any simulation of the same definition, also in another process.
  /// restore() throws InputError with the reason if they are of another one, cut or damaged, and
  /// then leaves the simulation as it is. What was saved goes on as the original does, to the bit;
  /// with error control within the tolerance, or to the bit if the original was told to
  /// begin_anew() there.
  std::vector<std::byte> save() const;
  void restore(std::span<const std::byte> saved);
  /// The integrator forgets what was before: a step ends here, and the next one is its first.
  void begin_anew();
  /// Equal for simulations that can restore each other; the duration is not part of it.
  std::uint64_t definition_hash() const;

  // What a host sets and reads, by number or by name. Names are those of channels of recordings:
  // "joints/arm/position", "bodies/ball/velocity.x". An unknown name throws InputError with the
  // nearest one.

  std::span<const ReportChannel> inputs() const;
  std::size_t input(const std::string& name) const;
  /// What holds at time().
  double input_value(std::size_t input) const;
  /// From time() on, until it is set again. Throws InputError for what is not finite.
  void set_input(std::size_t input, double value);
  /// It follows its definition again.
  void release_input(std::size_t input);

  std::span<const ReportChannel> outputs() const;
  std::size_t output(const std::string& name) const;
  double output_value(std::size_t output);
  /// All of them at time().
  std::span<const double> output_values();

 private:
  struct Model;

  /// How far it is. What happens after one of its times has not happened yet.
  struct Progress {
    double time = 0.0;         // of the host
    double accepted = 0.0;     // end of the last step that was committed
    double step_end = 0.0;     // of the integrator's last step; beyond `accepted` while it is open
    bool step_event = false;   // it ended at an event
    bool anew = false;         // the integrator starts again before the next step
    bool uncommitted = false;  // and the end of the last one is still to be committed
    double next_corner = 0.0;
    std::uint64_t next_sample = 1, samples = 0;
    std::uint64_t digest = 0;
    double first_kinetic = 0.0, first_potential = 0.0;
    RunSummary::Energy energy;
    double stored = 0.0;                     // in contacts at the beginning, at most [J]
    double created = 0.0, created_at = 0.0;  // by contacts beyond that [J], and when first [s]
    double greatest_gap = 0.0;
    std::vector<double> penetration;  // by contact, in samples
    std::vector<double> deepest;      // rut so far, by ground [m]
    void archive(Archive& a);
    bool open() const { return step_end > accepted; }
  };
  /// Ground that changes, and what the recording knows of it.
  struct Ground {
    SimulationSnapshot::Ground recorded;
    std::vector<double> rows;  // of one sample: node and height
  };

  void put_at_start();
  void require_no_recording(const char* what) const;
  std::span<double> state() { return {y_.data(), static_cast<std::size_t>(y_.size())}; }
  double stop_time() const;
  void take_step();
  void take_samples(double until);
  void end_step();
  void restart();
  void fail(const std::string& why);
  void tell_stuck();
  void fill_values(double t, std::span<const double> y, bool sample);
  void take_sample(double t, std::span<const double> y);
  RunSummary::Energy energy_at(double t);
  void count_created(double t);
  double take_ground(std::size_t ground, bool sample);
  bool is_set(std::size_t input) const;
  void change_of_forces(double potential_before);
  double rounding() const;
  void add_warnings(RunSummary& summary) const;
  void archive(Archive& a);
  RecordingLayout layout() const;
  void make_recording(std::optional<std::size_t> resumed);
  void resume(const RunOptions& options);
  void write_checkpoint();

  std::shared_ptr<const Model> model_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<ContactWorld> world_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<RoverRun> rover_;
  std::vector<Ground> grounds_;
  Progress progress_;
  bool begun_ = false;
  RecordingStatus status_ = RecordingStatus::running;
  std::string message_;
  double wall_seconds_ = 0.0, recording_seconds_ = 0.0;

  MessageHandler tell_;
  std::size_t stuck_told_ = 0;
  RunOptions options_;
  std::unique_ptr<RecordingWriter> writer_;

  // Buffers of one sample.
  VecX y_;
  std::vector<double> values_, scratch_rates_;
  bool values_valid_ = false;  // those of time()
  std::vector<ContactReport> reports_;
  std::vector<std::vector<double>> patch_rows_;
  std::vector<double> ground_now_;
};

}  // namespace grouser
