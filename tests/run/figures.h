// Numbers of a run by channel, for tests of scenes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "grouser/run/simulation.h"

namespace grouser {

/// Numbers of a run by channel, at its samples.
class Figures final : public RunWatcher {
 public:
  void begin(const RecordingLayout& layout) override {
    for (const RecordingChannel& channel : layout.channels)
      for (const std::string& column : channel.columns)
        names_.push_back(channel.path + (column.empty() ? "" : "." + column));
  }
  void add_sample(double time, std::span<const double> values,
                  std::span<const std::span<const double>>) override {
    time_.push_back(time);
    rows_.emplace_back(values.begin(), values.end());
  }
  void finish(const RecordingOutcome&) override {}

  std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(found, names_.end()) << name;
    return static_cast<std::size_t>(found - names_.begin());
  }
  double last(const std::string& name) const { return rows_.back()[column(name)]; }
  double at(double time, const std::string& name) const {
    const auto found = std::lower_bound(time_.begin(), time_.end(), time - 1e-9);
    return rows_[static_cast<std::size_t>(found - time_.begin())][column(name)];
  }
  const std::vector<double>& time() const { return time_; }
  /// A number at all samples from a time on.
  std::vector<double> all(const std::string& name, double from = 0.0) const {
    const std::size_t c = column(name);
    std::vector<double> out;
    for (std::size_t i = 0; i < time_.size(); ++i)
      if (time_[i] >= from) out.push_back(rows_[i][c]);
    return out;
  }
  /// The mean from a time on.
  double mean(double from, const std::string& name) const {
    const std::vector<double> x = all(name, from);
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  }
  /// Of all channels "wheels/<wheel>/<what>" at the end.
  std::vector<double> wheels(const std::string& what) const {
    std::vector<double> out;
    for (std::size_t c = 0; c < names_.size(); ++c)
      if (names_[c].starts_with("wheels/") && names_[c].ends_with("/" + what))
        out.push_back(rows_.back()[c]);
    return out;
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> time_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace grouser
