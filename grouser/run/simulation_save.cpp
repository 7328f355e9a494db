// Moments of a simulation: to go back to, to go on from elsewhere, to resume from.
#include <array>
#include <filesystem>

#include "grouser/base/archive.h"
#include "grouser/base/sealed_bytes.h"
#include "grouser/rover/rover_run.h"
#include "grouser/run/checkpoint.h"
#include "grouser/run/simulation_model.h"
#include "grouser/run/system.h"

namespace grouser {
namespace {

constexpr Seal kSimulationSeal = {
    {'g', 'r', 'o', 'u', 's', 'e', 'r', 'S'},
    1,
    "saved simulation",
    "a simulation with another mechanism, contact, drive or integrator"};

/// What a recording knows of a ground: the heights that are not what they were before the run.
void archive_ground(Archive& a, const std::vector<double>& before,
                    CopyOnWrite<std::vector<double>>& heights) {
  std::vector<std::uint64_t> nodes;
  std::vector<double> values;
  if (!a.reading())
    for (std::size_t i = 0; i < before.size(); ++i)
      if ((*heights)[i] != before[i]) {
        nodes.push_back(i);
        values.push_back((*heights)[i]);
      }
  a(nodes, values);
  if (!a.reading()) return;
  auto all = std::make_unique<std::vector<double>>(before);
  if (nodes.size() != values.size()) throw InputError("a list of another length is expected");
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k] >= all->size()) throw InputError("a ground is smaller");
    (*all)[nodes[k]] = values[k];
  }
  heights = CopyOnWrite<std::vector<double>>(std::move(all));
}

}  // namespace

void Simulation::Progress::archive(Archive& a) {
  a(time, accepted, step_end, step_event, anew, uncommitted, next_corner, next_sample, samples,
    digest, first_kinetic, first_potential, energy, stored, created, created_at, greatest_gap,
    penetration, deepest);
}

/// All but world and grounds. Where steps cannot be told, the last one ends at the host's time.
void Simulation::archive(Archive& a) {
  const bool exact = has_fixed_step(scene().simulation.integrator.method);
  a(begun_, status_, message_, wall_seconds_, recording_seconds_);
  Progress progress = progress_;
  VecX y = y_;
  if (!a.reading() && begun_ && !progress.anew) {
    y = Eigen::Map<const VecX>(integrator_->state().data(), y_.size());
    if (!exact) {
      progress.anew = true;
      if (progress.open()) {
        integrator_->interpolate(progress.time, {y.data(), static_cast<std::size_t>(y.size())});
        progress.accepted = progress.step_end = progress.time;
        progress.step_event = false;
        progress.uncommitted = true;
      }
    }
  }
  a(progress, y);
  if (a.reading()) {
    progress_ = progress;
    y_ = y;
  }
  integrator_->archive(a);
  system_->archive(a);
  mechanism_->archive(a);
  if (rover_) rover_->archive(a);
}

SimulationSnapshot Simulation::snapshot() const {
  SimulationSnapshot out;
  out.world = world_->snapshot();
  for (const Ground& ground : grounds_) out.grounds.push_back(ground.recorded);
  Archive a(out.rest);
  const_cast<Simulation*>(this)->archive(a);  // writing changes nothing
  return out;
}

void Simulation::rewind(const SimulationSnapshot& snapshot) {
  require_no_recording("rewind");
  put_at_start();
  world_->rewind(snapshot.world);
  for (std::size_t g = 0; g < grounds_.size(); ++g) grounds_[g].recorded = snapshot.grounds[g];
  Archive a{std::span<const std::byte>(snapshot.rest)};
  archive(a);
}

std::vector<std::byte> Simulation::save() const {
  SimulationSnapshot now = snapshot();
  std::vector<std::byte> world = world_->save();
  std::vector<std::byte> out = kSimulationSeal.open();
  Archive a(out);
  a(world, now.world.status_counts, now.rest);
  for (std::size_t g = 0; g < grounds_.size(); ++g)
    archive_ground(a, model_->grounds[g].before, now.grounds[g].heights);
  kSimulationSeal.close(out, model_->definition);
  return out;
}

void Simulation::restore(std::span<const std::byte> saved) {
  require_no_recording("restore");
  const SimulationSnapshot before = snapshot();
  try {
    Archive a(kSimulationSeal.content_of(saved, model_->definition));
    std::vector<std::byte> world;
    SimulationSnapshot read;
    std::array<std::uint64_t, 3> status_counts{};
    a(world, status_counts, read.rest);
    read.grounds.resize(grounds_.size());
    for (std::size_t g = 0; g < grounds_.size(); ++g)
      archive_ground(a, model_->grounds[g].before, read.grounds[g].heights);
    if (!a.rest().empty()) kSimulationSeal.refuse("it is too long");
    world_->restore(world);
    read.world = world_->snapshot();
    read.world.status_counts = status_counts;
    rewind(read);
  } catch (const InputError&) {
    rewind(before);
    throw;
  }
}

std::uint64_t Simulation::definition_hash() const {
  return model_->definition;
}

void Simulation::write_checkpoint() {
  // An integrator that cannot tell its past begins anew, so that a resumed run does the same.
  if (!has_fixed_step(scene().simulation.integrator.method)) begin_anew();
  if (writer_) writer_->flush();
  const auto complete = [](const std::string& path) {
    return path.empty() ? path : std::filesystem::absolute(path).string();
  };
  grouser::write_checkpoint(
      options_.checkpoint, {complete(scene().path), scene().overrides, complete(options_.recording),
                            options_.checkpoint_interval, save()});
}

void Simulation::resume(const RunOptions& options) {
  try {
    restore(read_checkpoint(options.resume).state);
  } catch (const InputError& error) {
    throw InputError(Place{options.resume, 0, 0}, error.what());
  }
  options_ = options;
  make_recording(progress_.samples);
}

}  // namespace grouser
