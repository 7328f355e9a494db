// How a run went and what it cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grouser/record/recording.h"
#include "grouser/run/integrator.h"
#include "grouser/run/work.h"

namespace grouser {

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
    double greatest_softening = 1.0;    ///< by steps of fixed length, 1: none
  };
  std::vector<Contact> contacts;
  /// Where energy came from and went to, until the last sample.
  struct Energy {
    double kinetic = 0.0, potential = 0.0;  ///< gained since the beginning [J]
    Work work;                              ///< [J]
    double flow = 0.0;                      ///< how much changed its form or its place [J]
    double error = 0.0;                     ///< gained without work [J]
    void archive(Archive& a) { a(kinetic, potential, work, flow, error); }
  };
  Energy energy;
  double greatest_gap = 0.0;          ///< of a position constraint, in the samples [m] or [rad]
  std::vector<std::string> warnings;  ///< each once, with counts
  TextPairs rover;                    ///< what there is to say of a rover
  std::uint64_t state_hash = 0;       ///< over the bits of all sampled states

  /// As key and text, for the recording and for people.
  TextPairs text() const;
};

}  // namespace grouser
