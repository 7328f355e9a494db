// The two ways of finding contact elements agree to the last bit, and the classic one says what it
// cannot work with.
#include <gtest/gtest.h>

#include "grouser/base/error.h"
#include "tests/contact/pcm_pairs.h"

namespace grouser {
namespace {

using enum PcmDef::Detection;

struct DetectionCase {
  PcmFrame frame;
  bool two_pass;
};

class PcmDetections : public testing::TestWithParam<DetectionCase> {};

TEST_P(PcmDetections, GiveTheSameBits) {
  for (const MeshPair& pair : mesh_pairs()) {
    PcmDef pcm;
    pcm.max_penetration = pair.max_penetration;
    pcm.frame = GetParam().frame;
    pcm.two_pass = GetParam().two_pass;
    pcm.damping = 1e4;
    pcm.friction = 0.3;
    PairWorld penetrating(pair.base, pair.target, pcm);
    pcm.detection = construction;
    PairWorld constructing(pair.base, pair.target, pcm);
    Random random(1);
    int touching = 0;
    for (int trial = 0; trial < 400; ++trial) {
      BodyKinematics base, target;
      base.X_WB = {rotation_from_vector(random_in_box(random, Vec3::Constant(2.0))),
                   random_in_box(random, Vec3::Constant(1.0))};
      target.X_WB = base.X_WB * random_pose(pair, random);
      base.V_WB = {random_in_box(random, Vec3::Constant(1.0)),
                   random_in_box(random, Vec3::Constant(1.0))};
      ASSERT_EQ(penetrating.evaluate(base, target), Status::ok);
      ASSERT_EQ(constructing.evaluate(base, target), Status::ok);
      touching += penetrating.on_base().force.norm() > 0.0;
      for (const auto on : {&PairWorld::on_base, &PairWorld::on_target}) {
        EXPECT_EQ((penetrating.*on)().force, (constructing.*on)().force)
            << pair.name << ", trial " << trial;
        EXPECT_EQ((penetrating.*on)().torque, (constructing.*on)().torque)
            << pair.name << ", trial " << trial;
      }
    }
    EXPECT_GE(touching, 150) << pair.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Options, PcmDetections,
                         testing::Values(DetectionCase{PcmFrame::base, false},
                                         DetectionCase{PcmFrame::target, false},
                                         DetectionCase{PcmFrame::automatic, false},
                                         DetectionCase{PcmFrame::base, true},
                                         DetectionCase{PcmFrame::target, true}),
                         [](const auto& row) {
                           const std::string frame = row.param.frame == PcmFrame::base ? "base"
                                                     : row.param.frame == PcmFrame::target
                                                         ? "target"
                                                         : "auto";
                           return frame + (row.param.two_pass ? "_two_pass" : "");
                         });

/// What building a contact by construction says; empty if it is built.
std::string refusal(const TriangleMesh& base, const TriangleMesh& target) {
  PcmDef pcm;
  pcm.max_penetration = 0.03;
  pcm.detection = construction;
  try {
    PairWorld world(base, target, pcm);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(PcmConstruction, SaysWhatIsUncleanAndHowOften) {
  const TriangleMesh clean = make_sphere({0.1, 20 * 3 * 3});
  const auto message = [&](const TriangleMesh& broken) {
    const std::string begin = "contact.detection \"construction\" needs clean meshes: ",
                      need = ": the search for adjacent triangles needs a clean mesh; ",
                      end = "; use \"penetration\", which does not";
    const std::string as_base = refusal(broken, clean), as_target = refusal(clean, broken);
    if (as_base.empty() && as_target.empty()) return std::string("accepted");
    EXPECT_TRUE(as_base.starts_with(begin + "base" + need)) << as_base;
    EXPECT_TRUE(as_target.starts_with(begin + "target" + need)) << as_target;
    EXPECT_TRUE(as_base.ends_with(end) && as_target.ends_with(end)) << as_base;
    const std::size_t from = (begin + "base" + need).size();
    return as_base.substr(from, as_base.size() - from - end.size());
  };
  EXPECT_EQ(message(clean), "accepted");

  TriangleMesh split = clean;
  split.vertices.push_back(clean.corner(0, 0));
  split.triangles[0][0] = static_cast<std::int32_t>(clean.vertices.size());
  EXPECT_EQ(message(split), "vertices at the place of another one: 1");

  TriangleMesh cracked = split;  // by 1e-8 m: two borders that nearly touch
  cracked.vertices.back() *= 1.0 + 1e-7;
  EXPECT_EQ(message(cracked), "border vertices in a crack, on another border: 2");

  TriangleMesh fin = clean;
  fin.vertices.push_back(Vec3(0, 0, 0.2));
  fin.triangles.push_back({clean.triangles[0][0], clean.triangles[0][1],
                           static_cast<std::int32_t>(clean.vertices.size())});
  EXPECT_EQ(message(fin), "edges with more than two triangles: 1");

  TriangleMesh doubled = clean;
  doubled.triangles.push_back(clean.triangles[7]);
  EXPECT_EQ(message(doubled), "edges with more than two triangles: 3");

  TriangleMesh flipped = clean;
  std::swap(flipped.triangles[5][0], flipped.triangles[5][1]);
  EXPECT_EQ(message(flipped), "edges run through twice in the same direction: 3");

  TriangleMesh repeated = clean;
  repeated.triangles.push_back({4, 4, 9});
  EXPECT_EQ(message(repeated), "triangles that name a vertex twice: 1");

  // An edge with a vertex on it, and a triangle of no area between: no cracks, but degenerate.
  TriangleMesh sheet{
      {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0), Vec3(0.5, 0.5, 0)},
      {{0, 1, 2}, {0, 2, 4}, {0, 4, 3}, {4, 2, 3}}};
  EXPECT_EQ(message(sheet), "degenerate triangles: 1");

  TriangleMesh several = doubled;
  several.triangles.push_back({4, 4, 9});
  EXPECT_EQ(message(several),
            "triangles that name a vertex twice: 1; edges with more than two triangles: 3");
}

TEST(PcmConstruction, TakesHolesSheetsAndUnusedVertices) {
  // Borders are clean. Holes let the search leak out: more is looked at, the same is found.
  for (const MeshPair& pair : mesh_pairs()) {
    TriangleMesh base = pair.base, target = pair.target;
    for (TriangleMesh* mesh : {&base, &target}) {
      mesh->vertices.push_back(Vec3(1, 2, 3));
      for (int k = 0; k < 3; ++k) mesh->triangles.erase(mesh->triangles.begin() + 40 * k);
    }
    PcmDef pcm;
    pcm.max_penetration = pair.max_penetration;
    PairWorld penetrating(base, target, pcm);
    pcm.detection = construction;
    PairWorld constructing(base, target, pcm);
    Random random(2);
    for (int trial = 0; trial < 300; ++trial) {
      BodyKinematics on_pose;
      on_pose.X_WB = random_pose(pair, random);
      ASSERT_EQ(penetrating.evaluate({}, on_pose), Status::ok);
      ASSERT_EQ(constructing.evaluate({}, on_pose), Status::ok);
      EXPECT_EQ(penetrating.on_base().force, constructing.on_base().force)
          << pair.name << ", trial " << trial;
      EXPECT_EQ(penetrating.on_base().torque, constructing.on_base().torque)
          << pair.name << ", trial " << trial;
    }
  }
}

// The three cases in which the detections differ.

/// Force on the base at the identity, by penetration detection and by construction.
std::pair<double, double> both_forces(const TriangleMesh& base, const TriangleMesh& target,
                                      const Pose& X_BT, double max_penetration) {
  PcmDef pcm;
  pcm.max_penetration = max_penetration;
  PairWorld penetrating(base, target, pcm);
  pcm.detection = construction;
  PairWorld constructing(base, target, pcm);
  EXPECT_EQ(penetrating.evaluate({}, {X_BT, {}}), Status::ok);
  EXPECT_EQ(constructing.evaluate({}, {X_BT, {}}), Status::ok);
  return {penetrating.on_base().force.norm(), constructing.on_base().force.norm()};
}

TEST(PcmConstruction, MissesElementsWhoseLinesLeaveTheBase) {
  // The line of an element runs through a thin base and meets the target beyond it, where the
  // target is outside the base and so no part of the active area. Here: five times the plate's
  // thickness, and a block that reaches 0.02 below and 0.18 above the plate's middle.
  const TriangleMesh plate = without_groups(make_box({Vec3(0.2, 0.2, 0.01), 10}));
  const TriangleMesh block = without_groups(make_box({Vec3(0.1, 0.1, 0.2), 1}));
  const auto [penetration, constructed] =
      both_forces(plate, block, {Mat3::Identity(), Vec3(0.0013, 0.0017, 0.08)}, 0.05);
  EXPECT_GT(penetration, 1.0);
  EXPECT_EQ(constructed, 0.0);
}

TEST(PcmConstruction, MissesASheetBehindASheet) {
  // Two sheets that face each other, one 0.01 m through the other, and nowhere crossing.
  TriangleMesh upper = make_plane({0.1, 0.1, 5, 5});
  reverse_orientation(upper);
  const auto [penetration, constructed] =
      both_forces(upper, make_plane({0.3, 0.3, 1, 1}), {Mat3::Identity(), Vec3(0, 0, 0.01)}, 0.05);
  EXPECT_GT(penetration, 1.0);
  EXPECT_EQ(constructed, 0.0);
}

TEST(PcmConstruction, IsExactWhereFacesLieInOnePlane) {
  // Faces that touch do not intersect, whereas centroids are rounded: lines may then be some 1e-17
  // m long, against coordinates of 0.1 m.
  const TriangleMesh block = without_groups(make_box({Vec3(0.4, 0.4, 0.1), 8}));
  const auto [penetration, constructed] =
      both_forces(block, block, {Mat3::Identity(), Vec3(0.05, -0.05, -0.1)}, 0.03);
  EXPECT_EQ(constructed, 0.0);
  EXPECT_LE(penetration, rubber_stiffness() * 0.4 * 0.4 * 1e-16);
}

}  // namespace
}  // namespace grouser
