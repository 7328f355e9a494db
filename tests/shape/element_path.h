// Forces along paths: what is continuous has jumps that shrink with the steps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "grouser/shape/witness_pairs.h"

namespace grouser::test {

/// Force on a and its moment about the origin, by law(depth) = depth^exponent. The radii are
/// unequal, as that moves the point between the surfaces.
inline Vec6 force_of(const WitnessPairs& places, double reach, double exponent) {
  Vec6 sum = Vec6::Zero();
  for (const WitnessPair& place : places) {
    const double law = std::pow(std::max(0.0, reach - place.gap), exponent);
    const Vec3 force = place.share * law * place.normal;
    sum.head<3>() += force;
    sum.tail<3>() += point_between(place, 0.7 * reach, 0.3 * reach).cross(force);
  }
  return sum;
}

/// Pairs of regions that paths went between.
using Crossings = std::set<std::pair<int, int>>;

/// Along a path from 0 to 1.
struct Path {
  double reach;
  std::function<void(double, WitnessPairs&)> places;
  std::function<int(double)> region = [](double) { return 0; };
};

/// The number of places as region: it changes with corners in which both pieces touch.
inline void count_places(Path& path) {
  path.region = [places_at = path.places](double s) {
    WitnessPairs places;
    places_at(s, places);
    return static_cast<int>(places.size());
  };
}

/// How far two answers differ, force and moment each in units of what is largest on the path.
struct Scale {
  double force = 0.0, moment = 0.0;

  void add(const Vec6& answer, double reach) {
    force = std::max(force, answer.head<3>().norm());
    moment = std::max({moment, answer.tail<3>().norm(), reach * force});
  }
  double difference(const Vec6& one, const Vec6& other) const {
    if (force == 0.0) return 0.0;
    const Vec6 change = one - other;
    return std::max(change.head<3>().norm() / force, change.tail<3>().norm() / moment);
  }
};

/// What remains of the change between two points of a path when it is looked at ever more closely,
/// each time in the worst sixteenth: nothing, but for a leap.
inline double leap_between(const Path& path, double exponent, const Scale& scale, double begin,
                           double end) {
  WitnessPairs places;
  const auto answer = [&](double s) {
    path.places(s, places);
    return force_of(places, path.reach, exponent);
  };
  double worst = 0.0;
  for (int level = 0; level < 6; ++level) {
    double worst_begin = begin;
    const double step = (end - begin) / 16.0;
    Vec6 before = answer(begin);
    worst = -1.0;
    for (int i = 0; i < 16; ++i) {
      const Vec6 now = answer(begin + (i + 1) * step);
      const double change = scale.difference(now, before);
      if (change > worst) worst = change, worst_begin = begin + i * step;
      before = now;
    }
    begin = worst_begin;
    end = begin + step;
  }
  return worst;
}

/// The steepest steps of a path are no leaps. `crossings` gets the pairs of regions that the path
/// went between under force.
inline void expect_continuous(const Path& path, int steps, Crossings* crossings = nullptr) {
  WitnessPairs places;
  for (const double exponent : {1.0, 1.5}) {
    Scale scale;
    std::vector<Vec6> answers;
    for (int i = 0; i <= steps; ++i) {
      path.places(static_cast<double>(i) / steps, places);
      answers.push_back(force_of(places, path.reach, exponent));
      scale.add(answers.back(), path.reach);
    }
    std::vector<std::pair<double, int>> changes;
    for (int i = 0; i < steps; ++i) {
      const Vec6 &one = answers[static_cast<std::size_t>(i)],
                 &other = answers[static_cast<std::size_t>(i) + 1];
      changes.emplace_back(scale.difference(one, other), i);
      if (crossings != nullptr && one.norm() > 0.0) {
        const int before = path.region(static_cast<double>(i) / steps);
        const int after = path.region(static_cast<double>(i + 1) / steps);
        if (before != after) crossings->insert(std::minmax(before, after));
      }
    }
    std::sort(changes.rbegin(), changes.rend());
    for (std::size_t k = 0; k < 4; ++k) {
      const double begin = static_cast<double>(changes[k].second) / steps;
      const double leap = leap_between(path, exponent, scale, begin, begin + 1.0 / steps);
      // Steps are 16^6 times shorter now; a corner of the share at a fold still has a slope.
      EXPECT_LT(leap, 1e-4) << "in the step after " << begin << " that changed by "
                            << changes[k].first;
    }
  }
}

}  // namespace grouser::test
