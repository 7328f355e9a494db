// A run: from a scene to a recording.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/record/recording.h"
#include "grouser/run/run_scene.h"
#include "grouser/run/work.h"

namespace grouser {

class RoverRun;
class System;

/// How a run ended and what it cost.
struct RunSummary {
  RecordingStatus status = RecordingStatus::complete;
  std::string message;  ///< why it was interrupted or failed
  double time = 0.0;    ///< simulated [s]
  double wall_seconds = 0.0;
  std::size_t samples = 0;
  IntegratorStatistics integrator;
  RunSeconds seconds;
  struct Contact {
    std::string name;
    std::string model;
    double greatest_penetration = 0.0;  ///< [m]
  };
  std::vector<Contact> contacts;
  /// Where energy came from and went to, until the last sample.
  struct Energy {
    double kinetic = 0.0, potential = 0.0;  ///< gained since the beginning [J]
    Work work;                              ///< [J]
    double flow = 0.0;                      ///< how much changed its form or its place [J]
    double error = 0.0;                     ///< gained without work [J]
  };
  Energy energy;
  double greatest_gap = 0.0;          ///< of a position constraint, in the samples [m] or [rad]
  std::vector<std::string> warnings;  ///< each once, with counts
  TextPairs rover;                    ///< what there is to say of a rover
  std::uint64_t state_hash = 0;       ///< over the bits of all sampled states

  /// As key and text, for the recording and for people.
  TextPairs text() const;
};

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
  /// Called after every accepted step; returning false interrupts the run.
  std::function<bool(double time)> progress;
  /// Called with every sample, after the mechanism and world were put there.
  std::function<void(double time)> sample;
};

class Simulation {
 public:
  /// Builds everything; throws InputError.
  explicit Simulation(const Scene& scene);

  Mechanism& mechanism() { return *mechanism_; }
  ContactWorld& world() { return *world_; }
  System& system() { return *system_; }
  const Scene& scene() const { return scene_; }
  /// What the mechanism file says that is not used.
  const std::vector<std::string>& notes() const { return extras_.notes; }

  /// Runs from the initial state. A run that fails returns, with the reason, after closing the
  /// recording; only a recording that cannot be made or written throws RunError.
  RunSummary run(const RunOptions& options = {});

 private:
  /// Ground that changes, and what the recording knows of it.
  struct Ground {
    std::size_t contact = 0;
    GroundArea area;
    std::uint64_t stamp = 0;
    std::vector<double> heights;  // as recorded
    std::vector<double> before;   // at the start
    std::vector<double> rows;     // of one sample: node and height
    double deepest = 0.0;         // rut so far [m]
  };

  RecordingLayout layout() const;
  std::vector<RecordingParameter> parameters() const;
  void take_sample(double t, std::span<const double> y, RecordingWriter* writer,
                   const RunOptions& options, RunSummary& summary);
  void take_energy(double t, RunSummary& summary);
  void add_warnings(RunSummary& summary) const;
  void find_grounds();
  void take_ground(Ground& ground);

  Scene scene_;
  MechanismExtras extras_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<ContactWorld> world_;
  std::unique_ptr<System> system_;
  std::unique_ptr<RoverRun> rover_;  // of the present run

  // Buffers of one sample.
  std::vector<double> values_, scratch_rates_;
  std::vector<ContactReport> reports_;
  std::vector<std::vector<double>> patch_rows_;
  std::vector<double> sampled_penetration_;
  std::vector<std::pair<std::size_t, std::size_t>> elastic_channels_;  // contact, channel
  std::vector<Ground> grounds_;
  std::vector<double> ground_now_;
  double first_kinetic_ = 0.0, first_potential_ = 0.0;
  std::size_t drive_count_ = 0;
  struct Digest;
  std::unique_ptr<Digest> digest_;

 public:
  ~Simulation();
};

}  // namespace grouser
