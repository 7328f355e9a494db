// Recordings made by hand, for tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grouser/record/recording.h"
#include "tests/support/temporary_folder.h"

namespace grouser {

/// A recording with one channel of one number, `signal` of time.
inline std::string write_signal(const TemporaryFolder& folder, const std::string& name,
                                const std::vector<double>& times,
                                const std::function<double(double)>& signal) {
  RecordingLayout layout;
  layout.channels = {{"system/signal", "J", {""}, "made by hand"}};
  RecordingWriter writer(folder / name, layout);
  for (const double t : times) {
    const double value[] = {signal(t)};
    writer.add_sample(t, value);
  }
  writer.finish({});
  return folder / name;
}

/// `count` times from zero.
inline std::vector<double> times(std::size_t count, double step) {
  std::vector<double> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(step * static_cast<double>(k));
  return out;
}

}  // namespace grouser
