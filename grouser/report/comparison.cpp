#include "grouser/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

bool same_channel(const RecordingChannel& a, const RecordingChannel& b) {
  return a.path == b.path && a.unit == b.unit && a.columns == b.columns;
}

bool has_channel(const RecordingLayout& layout, const RecordingChannel& wanted) {
  return std::any_of(
      layout.channels.begin(), layout.channels.end(),
      [&](const RecordingChannel& channel) { return same_channel(channel, wanted); });
}

std::vector<std::string> missing_in(const RecordingLayout& other, const RecordingLayout& mine) {
  std::vector<std::string> out;
  for (const RecordingChannel& channel : mine.channels)
    if (!has_channel(other, channel)) out.push_back(channel.path);
  return out;
}

/// Rows of one channel over time.
struct Rows {
  std::vector<double> time;
  std::vector<double> values;
  std::size_t width = 1;

  double at(std::size_t row, std::size_t column) const { return values[row * width + column]; }
};

/// q and -q are the same orientation: turns every row to the side of the one before.
void make_continuous(Rows& quaternions) {
  GROUSER_ASSERT(quaternions.width == 4 &&
                 quaternions.values.size() == 4 * quaternions.time.size());
  for (std::size_t row = 1; row < quaternions.time.size(); ++row) {
    double dot = 0.0;
    for (std::size_t k = 0; k < 4; ++k) dot += quaternions.at(row, k) * quaternions.at(row - 1, k);
    if (dot < 0.0)
      for (std::size_t k = 0; k < 4; ++k) quaternions.values[row * 4 + k] *= -1.0;
  }
}

/// Linear between samples; `time` lies within them.
std::vector<double> interpolated(const Rows& rows, double time) {
  const auto after = std::lower_bound(rows.time.begin(), rows.time.end(), time);
  GROUSER_ASSERT(after != rows.time.end() && rows.time.front() <= time);
  const auto right = static_cast<std::size_t>(after - rows.time.begin());
  const std::size_t left = *after == time ? right : right - 1;
  const double share =
      left == right ? 0.0 : (time - rows.time[left]) / (rows.time[right] - rows.time[left]);
  std::vector<double> out(rows.width);
  for (std::size_t k = 0; k < rows.width; ++k) {
    const double x = rows.at(left, k);
    out[k] = share == 0.0 ? x : x + share * (rows.at(right, k) - x);
  }
  return out;
}

double absolute_difference(double a, double b) {
  if (std::isfinite(a) && std::isfinite(b)) return std::abs(a - b);
  return std::isfinite(a) == std::isfinite(b) ? 0.0 : std::numeric_limits<double>::infinity();
}

/// Rows `first` to `end` of `a` against `b`; one difference per column.
std::vector<ChannelDifference> differences(const RecordingChannel& channel, const Rows& a,
                                           const Rows& b, std::size_t first, std::size_t end) {
  GROUSER_ASSERT(first < end && end <= a.time.size() && a.width == b.width);
  std::vector<ChannelDifference> out;
  for (const std::string& column : channel.columns)
    out.push_back({channel.path, column, channel.unit, 0.0, a.time[first], 0.0, 0.0});
  const bool quaternion = channel.columns == std::vector<std::string>{"w", "x", "y", "z"};
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (std::size_t row = first; row < end; ++row) {
    std::vector<double> other = interpolated(b, a.time[row]);
    double dot = 0.0;
    for (std::size_t k = 0; k < a.width; ++k) dot += a.at(row, k) * other[k];
    if (quaternion && dot < 0.0)
      for (double& x : other) x = -x;
    for (std::size_t k = 0; k < a.width; ++k) {
      const double apart = absolute_difference(a.at(row, k), other[k]);
      out[k].rms += apart * apart;
      if (apart > out[k].greatest) {
        out[k].greatest = apart;
        out[k].at_time = a.time[row];
      }
      for (const double x : {a.at(row, k), other[k]}) {
        if (!std::isfinite(x)) continue;
        lowest = std::min(lowest, x);
        highest = std::max(highest, x);
      }
    }
  }
  for (ChannelDifference& difference : out) {
    difference.rms = std::sqrt(difference.rms / static_cast<double>(end - first));
    difference.range = std::max(0.0, highest - lowest);
  }
  return out;
}

Rows read_rows(const Recording& recording, const RecordingChannel& channel) {
  Rows rows{recording.time(), recording.read_channel(channel.path), channel.columns.size()};
  if (channel.columns == std::vector<std::string>{"w", "x", "y", "z"}) make_continuous(rows);
  return rows;
}

}  // namespace

double ChannelDifference::relative() const {
  if (greatest == 0.0) return 0.0;
  return range > 0.0 ? greatest / range : std::numeric_limits<double>::infinity();
}

RecordingComparison compare(const Recording& first, const Recording& second) {
  RecordingComparison out;
  out.only_first = missing_in(second.layout(), first.layout());
  out.only_second = missing_in(first.layout(), second.layout());
  const std::vector<double>& a = first.time();
  const std::vector<double>& b = second.time();
  if (a.empty() || b.empty()) return out;
  const auto begin = std::lower_bound(a.begin(), a.end(), b.front()) - a.begin();
  const auto end = std::upper_bound(a.begin(), a.end(), b.back()) - a.begin();
  if (begin >= end) return out;
  out.begin = a[static_cast<std::size_t>(begin)];
  out.end = a[static_cast<std::size_t>(end) - 1];
  out.samples = static_cast<std::size_t>(end - begin);

  for (const RecordingChannel& channel : first.layout().channels) {
    if (!has_channel(second.layout(), channel)) continue;
    for (ChannelDifference& difference :
         differences(channel, read_rows(first, channel), read_rows(second, channel),
                     static_cast<std::size_t>(begin), static_cast<std::size_t>(end)))
      out.differences.push_back(std::move(difference));
  }
  std::stable_sort(out.differences.begin(), out.differences.end(),
                   [](const auto& x, const auto& y) { return x.relative() > y.relative(); });
  return out;
}

}  // namespace grouser
