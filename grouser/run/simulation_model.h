// What copies of a simulation share. Inside the room of runs.
#pragma once

#include <utility>
#include <vector>

#include "grouser/run/simulation.h"

namespace grouser {

struct Simulation::Model {
  Scene scene;
  MechanismExtras extras;
  std::vector<ReportChannel> inputs;
  std::size_t drive_count = 0;       // channels of motors, prescribed joints and forces
  std::size_t mechanism_inputs = 0;  // those of the rover's driver come after them
  std::vector<RecordingChannel> channels;
  std::vector<ReportChannel> outputs;                                 // the columns of the channels
  std::vector<std::pair<std::size_t, std::size_t>> elastic_channels;  // contact, channel
  struct Ground {
    std::size_t contact = 0;
    GroundArea area;
    std::vector<double> before;  // heights at the start
  };
  std::vector<Ground> grounds;
  std::uint64_t definition = 0;

  Model(const Scene& of, MechanismExtras extras, Mechanism& mechanism, ContactWorld& world,
        const RoverRun* rover);

 private:
  void find_grounds(ContactWorld& world);
  void find_channels(const Mechanism& mechanism, const ContactWorld& world, const RoverRun* rover);
  void find_inputs(const Mechanism& mechanism, const RoverRun* rover);
  void find_definition(const Mechanism& mechanism, const ContactWorld& world,
                       const RoverRun* rover);
};

}  // namespace grouser
