// Contact of two convex bodies beside libccd, FCL and Bullet: time of one query at random poses
// with 2 mm of overlap, and how far the answers are from ours.
//
//   convex                        all pairs
//   convex box_box hulls          some of them
//   convex --cases                names for --callgrind
//   convex --callgrind CASE       queries of one pair for benchmarks/count_instructions.sh
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "benchmarks/instruction_count.h"
#include "benchmarks/peers/convex_peer.h"
#include "benchmarks/side_by_side.h"
#include "grouser/base/random.h"
#include "grouser/shape/convex_contact.h"

namespace {

using namespace grouser;

constexpr int kRounds = 60;
constexpr double kRoundSeconds = 2e-3;
constexpr double kOverlap = 2e-3;
constexpr std::size_t kPoses = 500;

struct Poses {
  Pose X_WA, X_WB;
};

Vec3 random_unit(Random& random) {
  for (;;) {
    const Vec3 v(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    if (v.norm() < 1.0 && v.norm() > 0.1) return v.normalized();
  }
}

Pose random_turn(Random& random) {
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  return make_pose(Vec3::Zero(), Quat(number(), number(), number(), number()));
}

/// A comes from a random side and is moved along the normal until the overlap is right.
std::vector<Poses> random_poses(const ConvexShape& a, const ConvexShape& b) {
  Random random(11);
  std::vector<Poses> all;
  while (all.size() < kPoses) {
    Poses poses{random_turn(random), random_turn(random)};
    poses.X_WB.p = random_unit(random);
    poses.X_WA.p = poses.X_WB.p + random_unit(random);
    for (int i = 0; i < 30; ++i) {
      const ConvexContact c = find_convex_contact(a, poses.X_WA, b, poses.X_WB);
      poses.X_WA.p += (c.depth - kOverlap) * c.normal_W;
    }
    const double depth = find_convex_contact(a, poses.X_WA, b, poses.X_WB).depth;
    if (std::abs(depth - kOverlap) < 1e-6) all.push_back(poses);
  }
  return all;
}

ConvexShape rock(std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i)
    points.push_back(Vec3(0.25, 0.2, 0.15).cwiseProduct(random_unit(random)));
  return ConvexShape::from_hull(make_convex_hull(points));
}

/// Least and median of what a peer says of the overlap, as a share of it.
void print_answers(ConvexPeer& peer, const std::vector<Poses>& poses) {
  std::vector<double> depths;
  for (const Poses& p : poses) depths.push_back(peer.find(p.X_WA, p.X_WB) / kOverlap);
  std::sort(depths.begin(), depths.end());
  const auto at = [&](double share) {
    return depths[static_cast<std::size_t>(share * static_cast<double>(depths.size() - 1))];
  };
  std::printf("   depth / true depth of %-30s 5 %%: %6.3f  median: %6.3f  95 %%: %6.3f\n",
              peer.name().c_str(), at(0.05), at(0.5), at(0.95));
}

struct PairCase {
  const char* name;
  const char* title;
  ConvexShape a, b;
};
std::vector<PairCase> pair_cases() {
  const ConvexShape box = ConvexShape::box({0.4, 0.3, 0.2});
  return {{"cylinder_box", "cylinder and box", ConvexShape::cylinder(0.15, 0.3), box},
          {"box_box", "box and box", box, ConvexShape::box({0.25, 0.35, 0.45})},
          {"hulls", "hulls of 200 vertices", rock(1), rock(2)}};
}

int run_for_callgrind(const char* name) {
  for (const PairCase& pair : pair_cases()) {
    if (std::strcmp(pair.name, name) != 0) continue;
    const std::vector<Poses> poses = random_poses(pair.a, pair.b);
    double sum = 0.0;
    return count_instructions(poses.size(), [&] {
      for (const Poses& p : poses) sum += find_convex_contact(pair.a, p.X_WA, pair.b, p.X_WB).depth;
    });
  }
  return refuse_case(name);
}

void section(const char* title, const ConvexShape& a, const ConvexShape& b) {
  const std::vector<Poses> poses = random_poses(a, b);
  std::vector<std::unique_ptr<ConvexPeer>> peers;
  const auto add = [&](std::vector<std::unique_ptr<ConvexPeer>> more, const char* name) {
    if (more.empty()) std::printf("this build has no %s: scripts/setup.sh --benchmarks\n", name);
    for (auto& peer : more) peers.push_back(std::move(peer));
  };
  std::printf("\n== %s\n", title);
  add(make_libccd_peers(a, b), "libccd");
  add(make_fcl_peers(a, b), "FCL");
  add(make_bullet_peers(a, b), "Bullet");

  Race race;
  double sum = 0.0;
  race.add(
      "grouser",
      [&] {
        for (const Poses& p : poses) sum += find_convex_contact(a, p.X_WA, b, p.X_WB).depth;
      },
      poses.size());
  for (auto& peer : peers)
    race.add(
        peer->name(),
        [&, p = peer.get()] {
          for (const Poses& pose : poses) sum += p->find(pose.X_WA, pose.X_WB);
        },
        poses.size());
  race.run(kRounds, kRoundSeconds);

  std::printf("%-40s %12s %12s %9s %9s\n", "", "fastest", "median", "/ ours", "by round");
  for (std::size_t i = 0; i < race.size(); ++i)
    std::printf("%-40s %9.3f us %9.3f us %9.2f %9.2f\n", race[i].name.c_str(),
                1e6 * race[i].fastest(), 1e6 * race[i].median(),
                race[i].fastest() / race[0].fastest(), median_ratio(race[i], race[0]));
  for (auto& peer : peers) print_answers(*peer, poses);
  if (!std::isfinite(sum)) std::printf("   a depth is not finite\n");
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    return argc < 2 || std::any_of(argv + 1, argv + argc,
                                   [&](const char* word) { return std::strcmp(word, name) == 0; });
  };
  if (argc == 2 && std::strcmp(argv[1], "--cases") == 0) {
    for (const PairCase& pair : pair_cases()) std::printf("%s\n", pair.name);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--callgrind") == 0) return run_for_callgrind(argv[2]);
  for (const PairCase& pair : pair_cases())
    if (wanted(pair.name)) section(pair.title, pair.a, pair.b);
  return 0;
}
