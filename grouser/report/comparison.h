// How far two recordings are apart, as numbers.
#pragma once

#include <string>
#include <vector>

#include "grouser/record/recording.h"

namespace grouser {

/// One column of a channel that both recordings have.
struct ChannelDifference {
  std::string path;
  std::string column;  ///< empty for a channel of a single number
  std::string unit;
  double greatest = 0.0;  ///< of all absolute differences; infinite if only one is a number
  double at_time = 0.0;   ///< where it is [s]
  double rms = 0.0;       ///< root of the mean square, over the samples of the first
  double range = 0.0;     ///< greatest minus smallest value of the channel, in both

  /// The greatest difference as a share of the range; zero without a difference.
  double relative() const;
};

struct RecordingComparison {
  double begin = 0.0, end = 0.0;               ///< of the time that both have in common [s]
  std::size_t samples = 0;                     ///< of the first, in that time
  std::vector<ChannelDifference> differences;  ///< greatest relative one first
  std::vector<std::string> only_first;         ///< paths of channels the other does not have
  std::vector<std::string> only_second;
};

/// Compares at the sample times of `first`, with `second` interpolated linearly between its own.
/// Channels are the same if path, unit and columns are. Of the two quaternions of an orientation
/// those nearest to each other are compared. Without a common time there are no differences.
RecordingComparison compare(const Recording& first, const Recording& second);

}  // namespace grouser
