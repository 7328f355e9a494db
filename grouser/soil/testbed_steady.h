// Means and scatter of the steady part of a wheel test.
#pragma once

#include <array>
#include <cstdint>

#include "grouser/soil/testbed.h"

namespace grouser {

/// What is measured; times and travel are not.
inline constexpr std::array<double TestbedSample::*, 5> kTestbedMeasured = {
    &TestbedSample::sinkage, &TestbedSample::normal, &TestbedSample::drawbar, &TestbedSample::side,
    &TestbedSample::torque};

/// Takes `count` moments at equal distances, one after the other, and tells about them.
class SteadyPart {
 public:
  explicit SteadyPart(std::int64_t count) : count_(count) {}

  void add(const TestbedSample& now);
  /// Statistics of what came so far.
  void tell(TestbedResult& out) const;

 private:
  static constexpr std::size_t kPieces = 20;  // half of them in each half

  struct Sums {
    double first = 0.0;  // the first value: squares are of the distance from it
    double sum = 0.0, square = 0.0;
    double least = 0.0, most = 0.0;
    std::array<double, kPieces> piece{};
  };
  std::array<Sums, kTestbedMeasured.size()> sums_;
  std::array<std::int64_t, kPieces> in_piece_{};
  std::int64_t count_, taken_ = 0;
};

}  // namespace grouser
