// The polygonal contact model beside its peers, on the cases of Hippmann (2023), section 4.
//
//   pcm                            all sections
//   pcm torus scout                some of them
//   pcm --cases                    names for --callgrind
//   pcm --callgrind CASE [VARIANT] evaluates one case for benchmarks/count_instructions.sh
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

#include "benchmarks/instruction_count.h"
#include "benchmarks/pcm_cases.h"
#include "benchmarks/peers/embree_rays.h"
#include "benchmarks/peers/plain_detection.h"
#include "benchmarks/peers/simbody_foundation.h"
#include "benchmarks/side_by_side.h"
#include "grouser/contact/pcm_surface.h"
#include "grouser/laws/elastic_foundation.h"

namespace {

using namespace grouser;

/// A way to evaluate the pairs of a case: a line or column in every table below. The first is what
/// the others and the peers are compared with.
struct Variant {
  std::string name;
  Adjust adjust;
};
const std::vector<Variant> kVariants = {
    {"grouser", {}},
    {"grouser, base's frame", [](PcmDef& d) { d.frame = PcmFrame::base; }},
    {"grouser, target's frame", [](PcmDef& d) { d.frame = PcmFrame::target; }},
    {"grouser, construction", [](PcmDef& d) { d.detection = PcmDef::Detection::construction; }},
    {"grouser, clipped", [](PcmDef& d) { d.elements = PcmDef::Elements::clipped; }},
};

constexpr int kRounds = 150;
constexpr double kRoundSeconds = 1e-3;

// ------------------------------------------------------------------------------------- runners

/// One per variant, or for the first ones alone.
std::vector<std::unique_ptr<PcmRunner>> make_runners(const PcmCase& c,
                                                     std::size_t variants = kVariants.size()) {
  std::vector<std::unique_ptr<PcmRunner>> runners;
  for (std::size_t i = 0; i < variants; ++i)
    runners.push_back(std::make_unique<PcmRunner>(c, kVariants[i].adjust));
  return runners;
}

/// Adds a case to a race, one entry per variant; a call goes once through the snapshots.
void add_variants(Race& race, std::vector<std::unique_ptr<PcmRunner>>& runners) {
  for (std::size_t i = 0; i < runners.size(); ++i) {
    PcmRunner* runner = runners[i].get();
    const std::size_t count = runner->snapshot_count();
    race.add(
        kVariants[i].name,
        [runner, count] {
          for (std::size_t k = 0; k < count; ++k) runner->evaluate_next();
        },
        count);
  }
}

/// The plain detection on all pairs and snapshots of a case.
class PlainRunner {
 public:
  using Frame = PlainDetection::Frame;

  explicit PlainRunner(const PcmCase& c, Frame frame = Frame::larger) : case_(c) {
    const auto place_of = [&c](const std::string& shape) {
      for (const ShapeDef& def : c.shapes)
        if (def.name == shape)
          for (std::size_t i = 0; i < c.bodies.size(); ++i)
            if (c.bodies[i] == def.body) return static_cast<int>(i);
      return -1;  // fixed
    };
    for (const PcmDef& pair : c.pairs)
      pairs_.push_back(
          {PlainDetection(c.mesh(pair.base), c.mesh(pair.target), pair.max_penetration, frame),
           place_of(pair.base), place_of(pair.target)});
  }

  void evaluate_next() { evaluate_at(next_++ % case_.snapshots.size()); }
  void evaluate_at(std::size_t snapshot) {
    elements_ = 0;
    for (Pair& pair : pairs_) {
      const Pose X_WB = pose(snapshot, pair.base), X_WT = pose(snapshot, pair.target);
      elements_ += pair.detection.find(X_WB.inverse() * X_WT);
    }
  }

  std::size_t elements() const { return elements_; }
  PlainDetection::Counters counters() const {
    PlainDetection::Counters sum;
    for (const Pair& pair : pairs_) {
      sum.box_tests += pair.detection.counters().box_tests;
      sum.ray_tests += pair.detection.counters().ray_tests;
    }
    return sum;
  }

 private:
  struct Pair {
    PlainDetection detection;
    int base, target;  // numbers of the bodies
  };
  Pose pose(std::size_t snapshot, int body) const {
    return body < 0 ? Pose{} : case_.snapshots[snapshot][static_cast<std::size_t>(body)].X_WB;
  }

  const PcmCase& case_;
  std::vector<Pair> pairs_;
  std::size_t elements_ = 0;
  std::size_t next_ = 0;
};

void add_plain(Race& race, const std::string& name, PlainRunner& plain, std::size_t snapshots) {
  race.add(
      name,
      [&plain, snapshots] {
        for (std::size_t k = 0; k < snapshots; ++k) plain.evaluate_next();
      },
      snapshots);
}

/// The plain detection with both assignments of the frames.
struct PlainPair {
  explicit PlainPair(const PcmCase& c)
      : larger(c, PlainDetection::Frame::larger), smaller(c, PlainDetection::Frame::smaller) {}

  void add_to(Race& race, const PcmCase& c) {
    add_plain(race, "plain, in the larger mesh's frame, no forces", larger, c.snapshots.size());
    add_plain(race, "plain, in the smaller mesh's frame, no forces", smaller, c.snapshots.size());
  }

  PlainRunner larger, smaller;
};

// -------------------------------------------------------------------------------------- tables

void print_title(const std::string& title) {
  std::printf("\n== %s\n", title.c_str());
}

void print_columns() {
  std::printf("%-46s %12s %12s %9s %9s  %s\n", "", "fastest", "median", "/ ours", "by round",
              "wanted");
}

/// Ratios to `ours`: of the fastest times, and the median of those of each round.
void print_row(const Contender& c, const Contender& ours, const std::string& wanted) {
  std::printf("%-46s %9.3f us %9.3f us %9.2f %9.2f  %s\n", c.name.c_str(), 1e6 * c.fastest(),
              1e6 * c.median(), c.fastest() / ours.fastest(), median_ratio(c, ours),
              wanted.c_str());
}

void print_missing(const std::string& peer) {
  std::printf("%-46s this build has no %s: scripts/setup.sh --benchmarks\n", peer.c_str(),
              peer.c_str());
}

/// The work of the variants, means over the snapshots. `where`: of several sizes.
void print_counters(std::vector<std::unique_ptr<PcmRunner>>& runners,
                    const std::string& where = {}) {
  for (std::size_t i = 0; i < runners.size(); ++i) {
    double elements = 0.0, boxes = 0.0, triangles = 0.0, rays = 0.0;
    const auto count = static_cast<double>(runners[i]->snapshot_count());
    for (std::size_t k = 0; k < runners[i]->snapshot_count(); ++k) {
      runners[i]->evaluate_at(k);
      elements += runners[i]->channel_sum("element_count") / count;
      const PcmWork work = runners[i]->work();
      boxes += static_cast<double>(work.box_tests) / count;
      triangles += static_cast<double>(work.triangle_tests) / count;
      rays += static_cast<double>(work.ray_tests) / count;
    }
    std::printf("   %s%s: %.1f elements, %.0f box tests, %.0f triangle tests, %.0f ray tests\n",
                kVariants[i].name.c_str(), where.c_str(), elements, boxes, triangles, rays);
  }
}

void print_plain_counters(PlainRunner& plain) {
  plain.evaluate_at(0);
  const PlainDetection::Counters n = plain.counters();
  std::printf("   plain: %zu elements, %llu box tests, %llu ray tests\n", plain.elements(),
              static_cast<unsigned long long>(n.box_tests),
              static_cast<unsigned long long>(n.ray_tests));
}

// ----------------------------------------------------------------------------- torus and sphere

SimbodyFoundation::Mesh simbody_mesh(const TriangleMesh& mesh) {
  SimbodyFoundation::Mesh out;
  for (const Vec3& v : mesh.vertices) out.vertices.push_back({v.x(), v.y(), v.z()});
  for (const auto& t : mesh.triangles) out.triangles.push_back({t[0], t[1], t[2]});
  return out;
}

SimbodyFoundation::Motion simbody_motion(const BodyKinematics& body) {
  const Quat q(body.X_WB.R);
  const auto numbers = [](const Vec3& v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
  return {{q.w(), q.x(), q.y(), q.z()},
          numbers(body.X_WB.p),
          numbers(body.V_WB.w),
          numbers(body.V_WB.v)};
}

void torus_section() {
  const PcmCase c = torus_and_sphere_at_rest();
  const PcmDef& pair = c.pairs[0];
  const BodyKinematics ball = c.snapshots[0][0];
  const Pose X_TB = ball.X_WB.inverse();  // the base is fixed at the origin
  const TriangleMesh &torus = c.mesh("torus"), &sphere = c.mesh("sphere");

  auto runners = make_runners(c);
  runners[0]->evaluate_at(0);
  const Vec3 force = runners[0]->world().wrench(runners[0]->body(0)).force;
  print_title("torus and sphere at rest");
  std::printf("   %zu and %zu triangles, greatest penetration %.2f mm, %.0f elements\n",
              torus.triangle_count(), sphere.triangle_count(),
              1e3 * runners[0]->channel(0, "penetration"), runners[0]->channel(0, "element_count"));

  Race race;
  add_variants(race, runners);
  PlainPair plain(c);
  plain.add_to(race, c);

  // Embree, told and not told that the rays of a packet run alike.
  std::vector<std::unique_ptr<EmbreeRays>> embree;
  for (const bool coherent : {true, false}) {
    embree.push_back(make_embree_rays({torus, sphere, pair.max_penetration, coherent}));
    if (EmbreeRays* peer = embree.back().get())
      race.add("Embree " + peer->version() + (coherent ? ", coherent" : ", incoherent") +
                   " packets, no forces",
               [peer, X_TB] { peer->find(X_TB); });
  }

  const PcmLayer& layer = pair.layer.at("torus");
  const auto simbody = make_simbody_foundation(
      {simbody_mesh(torus), simbody_mesh(sphere),
       layer_stiffness(layer.young_modulus, layer.poisson_ratio, layer.thickness),
       pair.friction.value_or(0.0), pair.friction_speed});
  const SimbodyFoundation::Motion motion = simbody_motion(ball);
  if (simbody)
    race.add("Simbody " + simbody->version() + " ElasticFoundationForce",
             [peer = simbody.get(), motion] { peer->evaluate(motion); });

  race.run(kRounds, kRoundSeconds);
  print_columns();
  for (std::size_t i = 0; i < race.size(); ++i) {
    const std::string& name = race[i].name;
    print_row(race[i], race[0],
              i == 0                        ? "<= 25 us"
              : name.starts_with("Embree")  ? ">= 2"
              : name.starts_with("Simbody") ? ">= 60"
                                            : "");
  }
  if (!embree[0]) print_missing("Embree");
  if (!simbody) print_missing("Simbody");

  // Do they answer the same question?
  print_counters(runners);
  print_plain_counters(plain.larger);
  if (embree[0]) {
    const std::size_t found = embree[0]->find(X_TB);
    std::printf("   Embree: %zu elements, %zu rays\n", found, embree[0]->ray_count());
  }
  std::printf("   force on the ball: grouser %.4g %.4g %.4g N\n", force.x(), force.y(), force.z());
  if (simbody) {
    const std::array<double, 3> f = simbody->evaluate(motion);
    std::printf("                      Simbody %.4g %.4g %.4g N\n", f[0], f[1], f[2]);
  }
}

// ------------------------------------------------------------------------ cases without a peer

/// Ours, the first variants of it, and the plain detection on one case.
void plain_section(const PcmCase& c, std::size_t variants, const std::string& wanted) {
  auto runners = make_runners(c, variants);
  PlainPair plain(c);
  Race race;
  add_variants(race, runners);
  plain.add_to(race, c);
  race.run(kRounds, kRoundSeconds);
  print_columns();
  for (std::size_t i = 0; i < race.size(); ++i) print_row(race[i], race[0], i == 0 ? wanted : "");
  print_counters(runners);
  print_plain_counters(plain.larger);
}

void apart_section() {
  print_title("torus and sphere, 3 m apart");
  plain_section(torus_and_sphere_apart(), 1, "<= 0.3 us");
}

/// Share of the triangles whose slope lies between two angles [degrees].
double slope_share(const TriangleMesh& ground, double from, double to) {
  double count = 0.0;
  for (std::size_t i = 0; i < ground.triangle_count(); ++i) {
    const double slope = std::acos(face_of(ground, i).normal.z()) * 180.0 / kPi;
    if (slope >= from && slope < to) count += 1.0;
  }
  return count / static_cast<double>(ground.triangle_count());
}

void scout_section() {
  const PcmCase c = scout_feet();
  print_title("Scout feet");
  std::printf("   18 feet of %zu triangles on %zu triangles; elements per foot:",
              c.mesh("foot_0_0").triangle_count(), c.mesh("ground").triangle_count());
  PcmRunner runner(c);
  runner.evaluate_at(0);
  double deepest = 0.0;
  for (std::size_t pair = 0; pair < c.pairs.size(); ++pair) {
    std::printf("%s %.0f", pair % 3 == 0 && pair > 0 ? "," : "",
                runner.channel(pair, "element_count"));
    deepest = std::max(deepest, runner.channel(pair, "penetration"));
  }
  std::printf(
      "\n   greatest penetration %.1f mm; %.0f %% of the ground slopes by 10 to 20 degrees\n",
      1e3 * deepest, 100.0 * slope_share(c.mesh("ground"), 10.0, 20.0));
  plain_section(c, kVariants.size(), "<= 50 us");
}

// ------------------------------------------------------------------------------------- scaling

/// Three sizes of one case.
void print_scaling(const std::vector<PcmCase>& cases) {
  std::vector<std::vector<std::unique_ptr<PcmRunner>>> runners;
  Race race;
  for (const PcmCase& c : cases) {
    runners.push_back(make_runners(c, 1));
    add_variants(race, runners.back());
  }
  race.run(kRounds, kRoundSeconds);

  std::printf("%-46s %12s %12s %9s %9s %9s %9s  %s\n", "", "fastest", "median", "ratio", "by round",
              "elements", "ratio", "wanted");
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const std::size_t coarser = k == 0 ? 0 : k - 1;
    const auto elements = [&](std::size_t size) {
      runners[size][0]->evaluate_at(0);
      return runners[size][0]->channel(0, "element_count");
    };
    const std::string name = race[k].name + ", " +
                             std::to_string(cases[k].mesh("torus").triangle_count()) + " / " +
                             std::to_string(cases[k].mesh("sphere").triangle_count());
    std::printf("%-46s %9.3f us %9.3f us %9.2f %9.2f %9.0f %9.2f  %s\n", name.c_str(),
                1e6 * race[k].fastest(), 1e6 * race[k].median(),
                race[k].fastest() / race[coarser].fastest(), median_ratio(race[k], race[coarser]),
                elements(k), elements(k) / elements(coarser), k == 0 ? "" : "time ratio <= 4.5");
  }
}

void scaling_section() {
  std::vector<PcmCase> rest, deep;
  for (const int refinement : {1, 4, 16}) {
    rest.push_back(torus_and_sphere_at_rest(refinement));
    deep.push_back(torus_and_sphere_deep(refinement));
  }
  print_title("scaling: torus and sphere refined together, in the pose of rest");
  print_scaling(rest);
  print_title("scaling: the same, 22 to 26 mm deep");
  print_scaling(deep);
}

// ------------------------------------------------------------------------------------- bubbles

void bubbles_section() {
  print_title("bubbles: microseconds per evaluation, by triangles of the container");
  std::vector<PcmCase> cases;
  for (int n = 0; n <= kMaxSubdivisions; ++n) cases.push_back(bubbles(n));
  std::vector<std::vector<std::unique_ptr<PcmRunner>>> runners;
  std::vector<std::unique_ptr<PlainRunner>> plain;
  Race race;
  for (const PcmCase& c : cases) {
    runners.push_back(make_runners(c));
    add_variants(race, runners.back());
    plain.push_back(std::make_unique<PlainRunner>(c));
    add_plain(race, "plain", *plain.back(), c.snapshots.size());
  }
  race.run(kRounds / 3, kRoundSeconds);

  const std::size_t columns = kVariants.size() + 1;
  std::printf("%12s %10s", "subdivisions", "triangles");
  for (std::size_t j = 0; j < columns; ++j)
    std::printf(" %22s", j + 1 < columns ? kVariants[j].name.c_str() : "plain, no forces");
  std::printf(" %12s %12s %10s\n", "box tests", "ray tests", "elements");
  std::vector<std::size_t> best(columns, 0);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    std::printf("%12zu %10zu", k, cases[k].mesh("funnel").triangle_count());
    for (std::size_t j = 0; j < columns; ++j) {
      const Contender& here = race[k * columns + j];
      std::printf(" %22.2f", 1e6 * here.fastest());
      if (here.fastest() < race[best[j] * columns + j].fastest()) best[j] = k;
    }
    // The counts are those of the plain detection, means over the snapshots.
    double boxes = 0.0, rays = 0.0, elements = 0.0;
    const auto count = static_cast<double>(cases[k].snapshots.size());
    for (std::size_t s = 0; s < cases[k].snapshots.size(); ++s) {
      plain[k]->evaluate_at(s);
      boxes += static_cast<double>(plain[k]->counters().box_tests) / count;
      rays += static_cast<double>(plain[k]->counters().ray_tests) / count;
      elements += static_cast<double>(plain[k]->elements()) / count;
    }
    std::printf(" %12.0f %12.0f %10.1f\n", boxes, rays, elements);
  }
  std::printf("%-23s", "   optimum, triangles:");
  for (std::size_t j = 0; j < columns; ++j)
    std::printf(" %22zu", cases[best[j]].mesh("funnel").triangle_count());
  std::printf("  (wanted: 64 to 4096)\n");
  for (std::size_t k = 0; k < cases.size(); ++k)
    print_counters(runners[k],
                   ", " + std::to_string(cases[k].mesh("funnel").triangle_count()) + " triangles");
}

// ---------------------------------------------------------------------------- instruction counts

using MakeCase = std::function<PcmCase()>;

/// Name on the command line and case.
std::vector<std::pair<std::string, MakeCase>> counted_cases() {
  std::vector<std::pair<std::string, MakeCase>> cases = {
      {"torus", [] { return torus_and_sphere_at_rest(1); }},
      {"torus-4", [] { return torus_and_sphere_at_rest(4); }},
      {"torus-16", [] { return torus_and_sphere_at_rest(16); }},
      {"apart", [] { return torus_and_sphere_apart(); }},
      {"scout", [] { return scout_feet(); }}};
  for (int n = 0; n <= kMaxSubdivisions; ++n)
    cases.push_back({"bubbles-" + std::to_string(n), [n] { return bubbles(n); }});
  return cases;
}

int run_for_callgrind(const std::string& name, const std::string& variant) {
  constexpr std::size_t kEvaluations = 64;
  for (const auto& [case_name, make] : counted_cases()) {
    if (case_name != name) continue;
    for (const Variant& v : kVariants) {
      if (!variant.empty() && v.name != variant) continue;
      const PcmCase c = make();
      PcmRunner runner(c, v.adjust);
      const std::size_t count = std::max(kEvaluations, c.snapshots.size());
      return count_instructions(count, [&] {
        for (std::size_t i = 0; i < count; ++i) runner.evaluate_next();
      });
    }
    std::fprintf(stderr, "pcm: no variant '%s'\n", variant.c_str());
    return 2;
  }
  return refuse_case(name.c_str());
}

struct Section {
  const char* name;
  void (*run)();
};
constexpr Section kSections[] = {{"torus", torus_section},
                                 {"apart", apart_section},
                                 {"scout", scout_section},
                                 {"scaling", scaling_section},
                                 {"bubbles", bubbles_section}};

int usage() {
  std::fprintf(stderr,
               "Usage: pcm [SECTION...] | --cases | --callgrind CASE [VARIANT]\n  sections:");
  for (const Section& section : kSections) std::fprintf(stderr, " %s", section.name);
  std::fprintf(stderr, "\n");
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "--cases") {
    for (const auto& entry : counted_cases()) std::printf("%s\n", entry.first.c_str());
    return 0;
  }
  if (!arguments.empty() && arguments[0] == "--callgrind") {
    if (arguments.size() < 2 || arguments.size() > 3) return usage();
    return run_for_callgrind(arguments[1], arguments.size() == 3 ? arguments[2] : "");
  }
  for (const std::string& wanted : arguments) {
    bool known = false;
    for (const Section& section : kSections) known = known || wanted == section.name;
    if (!known) return usage();
  }
  for (const Section& section : kSections)
    if (arguments.empty() ||
        std::find(arguments.begin(), arguments.end(), section.name) != arguments.end())
      section.run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pcm: %s\n", error.what());
    return 1;
  }
}
