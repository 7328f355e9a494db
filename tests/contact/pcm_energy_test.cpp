// Hippmann (2023), figure 2: a box with sharp edges slides over another one at constant depth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/contact/pcm_pairs.h"

namespace grouser {
namespace {

/// What a slide of the target along x does to the elastic energy E and the work W against the
/// contact force.
struct Slide {
  double greatest_energy = 0.0;
  double least_energy = 1e300;
  double greatest_error = 0.0;  // |E - W|
  double greatest_jump = 0.0;   // of E from step to step

  double error() const { return greatest_error / greatest_energy; }
};

Slide slide(const TriangleMesh& base, const TriangleMesh& target, PcmDef::Elements elements,
            const Mat3& R, double z) {
  PcmDef pcm;
  pcm.max_penetration = 0.03;
  pcm.elements = elements;
  PairWorld world(base, target, pcm);
  const auto at = [&](double x) {
    EXPECT_EQ(world.evaluate({}, {{R, Vec3(x, 0.0013, z)}, {}}), Status::ok);
  };
  // From beside the base over it and off again. Midpoint rule.
  constexpr int kSteps = 2000;
  constexpr double kFrom = -0.5, kTo = 0.5, kStep = (kTo - kFrom) / kSteps;
  Slide out;
  double work = 0.0, before = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    at(kFrom + (i + 0.5) * kStep);
    work -= world.on_target().force.x() * kStep;
    at(kFrom + (i + 1) * kStep);
    const double energy = world.report().channels[3];
    out.greatest_energy = std::max(out.greatest_energy, energy);
    out.least_energy = std::min(out.least_energy, energy);
    out.greatest_error = std::max(out.greatest_error, std::abs(energy - work));
    out.greatest_jump = std::max(out.greatest_jump, std::abs(energy - before));
    before = energy;
  }
  return out;
}

TEST(PcmSharpEdges, ClippedElementsKeepEnergyWhereCentroidElementsMakeIt) {
  // The base is the divided top of a box alone: sides of a closed one would also see a box that
  // hangs over its edge, up to max_penetration deep.
  const TriangleMesh top = make_plane({0.5, 0.3, 12, 8});
  const TriangleMesh box = without_groups(make_box({Vec3(0.2, 0.12, 0.1), 2}));
  const double depth = 0.01;
  for (const double turn : {0.0, 0.35}) {
    const Mat3 R = rotation_from_vector(Vec3(0, 0, turn));
    const Slide centroid = slide(top, box, PcmDef::Elements::centroid, R, 0.05 - depth);
    const Slide clipped = slide(top, box, PcmDef::Elements::clipped, R, 0.05 - depth);
    // Measured: 1 and 6e-15 straight, where the force is constant while an edge passes, 1 and 2e-6
    // turned. What clipped elements have left is the midpoint rule where the force bends or, if an
    // edge reaches the base within a step, jumps: half a step of 2000, 2.5e-4 m, over 0.2 m.
    EXPECT_GT(centroid.error(), 0.9) << "turned by " << turn;
    EXPECT_LT(clipped.error(), 2e-3) << "turned by " << turn;
    EXPECT_GT(centroid.error(), 10.0 * clipped.error()) << "turned by " << turn;
    // The energy itself goes up in stairs with one, and evenly with the other.
    EXPECT_GT(centroid.greatest_jump, 2.0 * clipped.greatest_jump) << "turned by " << turn;
    // Well on the base all is flat, and both are right: c/2 A u^2.
    const double flat = 0.5 * rubber_stiffness() * 0.2 * 0.12 * depth * depth;
    EXPECT_NEAR(clipped.greatest_energy, flat, 1e-9 * flat);   // rounding
    EXPECT_NEAR(centroid.greatest_energy, flat, 0.15 * flat);  // number of centroids below the box
  }
}

TEST(PcmSharpEdges, ExchangedAssignmentHasNoJumps) {
  // Case c) of the figure: the box is the base, and the sheet below it goes on in all directions.
  const TriangleMesh box = without_groups(make_box({Vec3(0.2, 0.12, 0.1), 6}));
  const Slide slid = slide(box, make_plane({3.0, 2.0, 30, 20}), PcmDef::Elements::centroid,
                           Mat3::Identity(), -0.04);
  const double flat = 0.5 * rubber_stiffness() * 0.2 * 0.12 * 0.01 * 0.01;
  EXPECT_NEAR(slid.greatest_energy, flat, 1e-9 * flat);  // rounding
  EXPECT_NEAR(slid.least_energy, flat, 1e-9 * flat);
}

}  // namespace
}  // namespace grouser
