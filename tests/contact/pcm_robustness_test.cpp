// The polygonal contact model on meshes that are broken in every way files are broken.
//
// What a damage may change is known: a base triangle carries c A u, and a target triangle matters
// to those base triangles whose probe (line, or prism for clipped elements) meets it. All other
// elements must stay as they are to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "grouser/base/error.h"
#include "tests/contact/pcm_pairs.h"

namespace grouser {
namespace {

// --- Damage -------------------------------------------------------------------------------------

/// A mesh after some damage. For each triangle: the number of the clean triangle with the same
/// corners, or -1.
struct Damaged {
  TriangleMesh mesh;
  std::vector<std::int32_t> origin;

  explicit Damaged(const TriangleMesh& clean) : mesh(clean) {
    for (std::size_t i = 0; i < clean.triangle_count(); ++i)
      origin.push_back(static_cast<std::int32_t>(i));
  }
  void add(const std::array<std::int32_t, 3>& triangle) {
    mesh.triangles.push_back(triangle);
    origin.push_back(-1);
  }
  std::int32_t add_vertex(const Vec3& vertex) {
    mesh.vertices.push_back(vertex);
    return static_cast<std::int32_t>(mesh.vertices.size() - 1);
  }
};

/// Where damage is done: mostly near the contact.
class Picker {
 public:
  Picker(const Vec3& focus, Random& numbers) : random(numbers), focus_(focus) {}

  std::size_t triangle(const TriangleMesh& mesh) {
    const auto count = static_cast<std::uint32_t>(mesh.triangle_count());
    if (random.below(5) == 0) return random.below(count);
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t i = 0; i < count; ++i)
      near.emplace_back((face_of(mesh, i).centroid - focus_).norm(), i);
    const std::size_t some = std::min<std::size_t>(12, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(some), near.end());
    return near[random.below(static_cast<std::uint32_t>(some))].second;
  }

  Random& random;

 private:
  Vec3 focus_;
};

double size_of(const TriangleMesh& mesh) {
  return bounding_box(mesh).half_size().maxCoeff();
}

/// Distance of the outermost corner from the origin.
double radius_of(const TriangleMesh& mesh) {
  double radius = 0.0;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i)
    for (int k = 0; k < 3; ++k) radius = std::max(radius, mesh.corner(i, k).norm());
  return radius;
}

/// Some of the triangles around a vertex get a vertex of their own at the same place; answers with
/// its number.
std::int32_t split_vertex(Damaged& damaged, Picker& pick, std::vector<std::size_t>* moved) {
  const std::size_t first = pick.triangle(damaged.mesh);
  const std::int32_t vertex = damaged.mesh.triangles[first][pick.random.below(3)];
  const std::int32_t copy =
      damaged.add_vertex(Vec3(damaged.mesh.vertices[static_cast<std::size_t>(vertex)]));
  for (std::size_t i = 0; i < damaged.mesh.triangle_count(); ++i) {
    auto& t = damaged.mesh.triangles[i];
    if (std::find(t.begin(), t.end(), vertex) == t.end()) continue;
    if (i != first && pick.random.below(2) == 0) continue;
    std::replace(t.begin(), t.end(), vertex, copy);
    if (moved) moved->push_back(i);
  }
  return copy;
}

void duplicate_vertices(Damaged& damaged, Picker& pick) {
  for (int k = 0; k < 4; ++k) split_vertex(damaged, pick, nullptr);
}

/// Split vertices moved by up to 1e-6 of the size.
void open_cracks(Damaged& damaged, Picker& pick) {
  for (int k = 0; k < 3; ++k) {
    std::vector<std::size_t> moved;
    const auto v = static_cast<std::size_t>(split_vertex(damaged, pick, &moved));
    damaged.mesh.vertices[v] +=
        random_in_box(pick.random, Vec3::Constant(0.5e-6 * size_of(damaged.mesh)));
    for (const std::size_t i : moved) damaged.origin[i] = -1;
  }
}

void remove_triangles(Damaged& damaged, Picker& pick) {
  for (std::uint32_t k = 1 + pick.random.below(3); k > 0; --k) {
    const auto i = static_cast<std::ptrdiff_t>(pick.triangle(damaged.mesh));
    damaged.mesh.triangles.erase(damaged.mesh.triangles.begin() + i);
    damaged.origin.erase(damaged.origin.begin() + i);
  }
}

/// A third triangle at an edge, sticking out anywhere.
void add_fins(Damaged& damaged, Picker& pick) {
  for (int k = 0; k < 2; ++k) {
    const std::size_t i = pick.triangle(damaged.mesh);
    const auto t = damaged.mesh.triangles[i];
    const double edge = (damaged.mesh.corner(i, 1) - damaged.mesh.corner(i, 0)).norm();
    const Vec3 tip =
        face_of(damaged.mesh, i).centroid + random_in_box(pick.random, Vec3::Constant(edge));
    const std::int32_t v = damaged.add_vertex(tip);
    if (pick.random.below(2) == 0)
      damaged.add({t[0], t[1], v});
    else
      damaged.add({t[1], t[0], v});
  }
}

void duplicate_triangles(Damaged& damaged, Picker& pick) {
  for (int k = 0; k < 2; ++k) damaged.add(damaged.mesh.triangles[pick.triangle(damaged.mesh)]);
}

void flip_triangles(Damaged& damaged, Picker& pick) {
  std::set<std::size_t> flipped;
  for (int k = 0; k < 2; ++k) flipped.insert(pick.triangle(damaged.mesh));
  for (const std::size_t i : flipped) {
    std::swap(damaged.mesh.triangles[i][1], damaged.mesh.triangles[i][2]);
    damaged.origin[i] = -1;
  }
}

/// Triangles that name a vertex twice or thrice, and one that is no longer whole.
void repeat_vertices(Damaged& damaged, Picker& pick) {
  const auto t = damaged.mesh.triangles[pick.triangle(damaged.mesh)];
  damaged.add({t[0], t[0], t[1]});
  damaged.add({t[2], t[1], t[2]});
  damaged.add({t[0], t[0], t[0]});
  const std::size_t collapsed = pick.triangle(damaged.mesh);
  damaged.mesh.triangles[collapsed][0] = damaged.mesh.triangles[collapsed][1];
  damaged.origin[collapsed] = -1;
}

/// Triangles whose corners lie on a line, exactly or to rounding, or at one place.
void add_lines_and_points(Damaged& damaged, Picker& pick) {
  const std::size_t i = pick.triangle(damaged.mesh);
  const auto t = damaged.mesh.triangles[i];
  const Vec3 a = damaged.mesh.corner(i, 0), b = damaged.mesh.corner(i, 1);
  damaged.add({t[0], damaged.add_vertex(Vec3(0.5 * (a + b))), t[1]});
  damaged.add({t[0], t[1], damaged.add_vertex(Vec3(a + pick.random.uniform() * (b - a)))});
  damaged.add({t[1], t[0], damaged.add_vertex(Vec3(a + pick.random.uniform(1.0, 2.0) * (b - a)))});
  damaged.add({t[2], damaged.add_vertex(Vec3(damaged.mesh.corner(i, 2))),
               damaged.add_vertex(Vec3(damaged.mesh.corner(i, 2)))});
}

void add_unused_vertices(Damaged& damaged, Picker& pick) {
  for (int k = 0; k < 5; ++k)
    damaged.add_vertex(
        random_in_box(pick.random, Vec3::Constant(std::pow(10.0, k) * size_of(damaged.mesh))));
}

void shuffle_triangles(Damaged& damaged, Picker& pick) {
  for (std::size_t i = damaged.origin.size(); i > 1; --i) {
    const std::size_t j = pick.random.below(static_cast<std::uint32_t>(i));
    std::swap(damaged.mesh.triangles[i - 1], damaged.mesh.triangles[j]);
    std::swap(damaged.origin[i - 1], damaged.origin[j]);
  }
}

struct Damage {
  const char* name;
  void (*apply)(Damaged&, Picker&);
  bool harmless;  // the surface and the order of its triangles stay
};
constexpr Damage kDamages[] = {{"duplicate vertices", duplicate_vertices, true},
                               {"cracks", open_cracks, false},
                               {"missing triangles", remove_triangles, false},
                               {"fins", add_fins, false},
                               {"duplicate triangles", duplicate_triangles, false},
                               {"flipped triangles", flip_triangles, false},
                               {"repeated vertices", repeat_vertices, false},
                               {"lines and points", add_lines_and_points, false},
                               {"unused vertices", add_unused_vertices, true},
                               {"shuffled triangles", shuffle_triangles, false}};
constexpr std::size_t kDamageCount = std::size(kDamages);

// --- What a damage may change -------------------------------------------------------------------

using Corners = std::array<Vec3, 3>;

Corners corners_of(const TriangleMesh& mesh, std::size_t i, const Pose& X = {}) {
  return {X * mesh.corner(i, 0), X * mesh.corner(i, 1), X * mesh.corner(i, 2)};
}

/// Triangles that only one of two meshes has, in the frame X leads to.
std::vector<Corners> changed_triangles(const TriangleMesh& clean, const Damaged& damaged,
                                       const Pose& X) {
  std::vector<Corners> out;
  const std::set<std::int32_t> kept(damaged.origin.begin(), damaged.origin.end());
  for (std::size_t i = 0; i < clean.triangle_count(); ++i)
    if (!kept.contains(static_cast<std::int32_t>(i))) out.push_back(corners_of(clean, i, X));
  for (std::size_t i = 0; i < damaged.origin.size(); ++i)
    if (damaged.origin[i] < 0) out.push_back(corners_of(damaged.mesh, i, X));
  return out;
}

// Tests for what could be met are wider than the model's own, by more than its tolerances.
constexpr double kWide = 1e-9;  // [m]

/// Whether the line from a base triangle's centroid inwards meets a triangle.
bool line_meets(const TriangleFace& face, double length, const Corners& t) {
  const Vec3 cross = (t[1] - t[0]).cross(t[2] - t[0]);
  if (cross.norm() == 0.0) return false;
  const Vec3 n = cross.normalized();
  const double facing = n.dot(face.normal);
  if (facing == 0.0) return false;
  const double u = n.dot(face.centroid - t[0]) / facing;
  if (u < -kWide || u > length + kWide) return false;
  const Vec3 q = face.centroid - u * face.normal;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = t[(k + 1) % 3] - t[k];
    if (edge.norm() > 0.0 && n.cross(edge).normalized().dot(q - t[k]) < -kWide) return false;
  }
  return true;
}

/// Whether the boxes around a base triangle's prism and around a triangle meet.
bool prism_may_meet(const TriangleMesh& base, std::size_t i, double length, const Corners& t) {
  Box prism, triangle;
  const Vec3 deep = length * face_of(base, i).normal;
  for (int k = 0; k < 3; ++k) {
    prism.add(Vec3(base.corner(i, k) + Vec3::Constant(kWide)));
    prism.add(Vec3(base.corner(i, k) - Vec3::Constant(kWide)));
    prism.add(Vec3(base.corner(i, k) - deep));
    triangle.add(t[static_cast<std::size_t>(k)]);
  }
  return prism.overlaps(triangle);
}

bool same_bits(const PatchElement& a, const PatchElement& b) {
  return a.p_WC == b.p_WC && a.force_W == b.force_W && a.penetration == b.penetration &&
         a.area == b.area;
}

/// Elements of a report by base triangle.
std::map<std::int32_t, std::vector<PatchElement>> by_triangle(const ContactReport& report) {
  std::map<std::int32_t, std::vector<PatchElement>> out;
  for (const PatchElement& element : report.patch) out[element.index].push_back(element);
  return out;
}

double sum_of_forces(const ContactReport& report) {
  double sum = 0.0;
  for (const PatchElement& element : report.patch) sum += element.force_W.norm();
  return sum;
}

/// One clean contact, one damaged.
struct Trial {
  const MeshPair& pair;
  const Damaged& base;
  const Damaged& target;
  Pose X_BT;
  PcmDef::Elements elements;
  ContactReport before, after;
};

/// Greatest force on one base triangle, by what lies below it in `target` (in the base's frame).
/// A line: c A u. Pieces: pressure on the true surface, c u times its area, and line forces
/// c/2 u^2 along its edges, for every triangle that may be met.
double greatest_force(const TriangleMesh& base, std::size_t i, const std::vector<Corners>& target,
                      double length, double u, PcmDef::Elements elements) {
  const double c = rubber_stiffness();
  if (elements == PcmDef::Elements::centroid) return c * face_of(base, i).area * u;
  double force = 0.0;
  for (const Corners& t : target) {
    if (!prism_may_meet(base, i, length, t)) continue;
    const double area = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    double girth = 0.0;
    for (std::size_t k = 0; k < 3; ++k) girth += (t[(k + 1) % 3] - t[k]).norm();
    force += c * u * area + 0.5 * c * u * u * girth;
  }
  return force;
}

std::vector<Corners> all_triangles(const TriangleMesh& mesh, const Pose& X) {
  std::vector<Corners> out;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) out.push_back(corners_of(mesh, i, X));
  return out;
}

/// Checks that what the damage does not reach is the same to the bit; answers with how much force
/// there may be on all the rest, before and after.
double force_within_reach(const Trial& trial, const std::string& name) {
  const double length = trial.pair.max_penetration;
  const double u = std::max(trial.before.channels[0], trial.after.channels[0]);
  const std::vector<Corners> changed =
      changed_triangles(trial.pair.target, trial.target, trial.X_BT);
  const std::vector<Corners> target_before = all_triangles(trial.pair.target, trial.X_BT);
  const std::vector<Corners> target_after = all_triangles(trial.target.mesh, trial.X_BT);
  const auto before = by_triangle(trial.before), after = by_triangle(trial.after);
  const auto elements_of = [](const auto& elements, std::int32_t i) {
    const auto found = elements.find(i);
    return found == elements.end() ? std::vector<PatchElement>{} : found->second;
  };
  const auto reaches = [&](const Corners& t, std::size_t i) {
    return trial.elements == PcmDef::Elements::centroid
               ? line_meets(face_of(trial.pair.base, i), length, t)
               : prism_may_meet(trial.pair.base, i, length, t);
  };

  double force = 0.0;
  std::vector<bool> kept(trial.pair.base.triangle_count(), false);
  for (std::size_t n = 0; n < trial.base.origin.size(); ++n) {
    const auto now = static_cast<std::int32_t>(n);
    const std::int32_t was = trial.base.origin[n];
    if (was < 0) {
      force += greatest_force(trial.base.mesh, n, target_after, length, u, trial.elements);
      continue;
    }
    const auto i = static_cast<std::size_t>(was);
    kept[i] = true;
    if (std::any_of(changed.begin(), changed.end(),
                    [&](const Corners& t) { return reaches(t, i); })) {
      // A line: the element changes from some u to another, at the same place.
      force += greatest_force(trial.pair.base, i, target_before, length, u, trial.elements);
      if (trial.elements == PcmDef::Elements::clipped)
        force += greatest_force(trial.pair.base, i, target_after, length, u, trial.elements);
      continue;
    }
    const std::vector<PatchElement> a = elements_of(before, was), b = elements_of(after, now);
    EXPECT_TRUE(a.size() == b.size() &&
                std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), same_bits))
        << name << ": base triangle " << was << " is out of reach but changed";
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!kept[i])
      force += greatest_force(trial.pair.base, i, target_before, length, u, trial.elements);
  return force;
}

class PcmRobustness : public testing::TestWithParam<PcmDef::Elements> {};

TEST_P(PcmRobustness, DamageChangesNoMoreThanItReaches) {
  const std::vector<MeshPair> pairs = mesh_pairs();
  std::array<int, kDamageCount> changed{};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const MeshPair& pair = pairs[random.below(static_cast<std::uint32_t>(pairs.size()))];
    const std::size_t first = seed % kDamageCount;
    const std::string name =
        "seed " + std::to_string(seed) + ", " + kDamages[first].name + ", " + pair.name;

    PcmDef pcm;
    pcm.elements = GetParam();
    pcm.max_penetration = pair.max_penetration;
    const bool in_base_frame = random.below(2) == 0 || pcm.elements == PcmDef::Elements::clipped;
    pcm.frame = in_base_frame ? PcmFrame::base : PcmFrame::target;
    PairWorld clean(pair.base, pair.target, pcm);
    Pose X_BT;
    ContactReport before;
    BodyKinematics base, target;
    for (int tries = 0; before.patch.size() < 4; ++tries) {
      ASSERT_LT(tries, 200) << name;
      X_BT = random_pose(pair, random);
      base.X_WB = {rotation_from_vector(random_in_box(random, Vec3::Constant(2.0))),
                   random_in_box(random, Vec3::Constant(1.0))};
      target.X_WB = base.X_WB * X_BT;
      ASSERT_EQ(clean.evaluate(base, target), Status::ok) << name;
      before = clean.report();
    }
    X_BT = base.X_WB.inverse() * target.X_WB;

    // One kind of damage, or three, on one of the bodies or both.
    const Vec3 focus =
        before.patch[random.below(static_cast<std::uint32_t>(before.patch.size()))].p_WC;
    Picker on_base(base.X_WB.inverse() * focus, random),
        on_target(target.X_WB.inverse() * focus, random);
    Damaged broken_base(pair.base), broken_target(pair.target);
    const std::uint32_t where = random.below(3);
    bool harmless = true;
    const int kinds = random.below(3) == 0 ? 3 : 1;
    for (int k = 0; k < kinds; ++k) {
      const Damage& damage = kDamages[k == 0 ? first : random.below(kDamageCount)];
      harmless = harmless && damage.harmless;
      if (where != 1) damage.apply(broken_base, on_base);
      if (where != 0) damage.apply(broken_target, on_target);
    }

    PairWorld broken(broken_base.mesh, broken_target.mesh, pcm);
    ASSERT_EQ(broken.evaluate(base, target), Status::ok) << name;
    const ContactReport after = broken.report();
    const Wrench &F = clean.on_base(), &G = broken.on_base();
    ASSERT_TRUE(G.force.allFinite() && G.torque.allFinite()) << name;

    // Newton's third law, about the world's origin: rounding of sums over a lever of 2 m.
    const double rounding = 1e-12 * (sum_of_forces(before) + sum_of_forces(after));
    const Wrench sum_of_both = [&] {
      Wrench sum = G.moved_by(-base.X_WB.p);
      sum += broken.on_target().moved_by(-target.X_WB.p);
      return sum;
    }();
    EXPECT_LE(sum_of_both.force.norm(), rounding) << name;
    EXPECT_LE(sum_of_both.torque.norm(), rounding) << name;

    // The change is no more than what is within reach carries, and acts in the base or below it.
    const double reach = force_within_reach(
        {pair, broken_base, broken_target, X_BT, GetParam(), before, after}, name);
    const double lever =
        std::max(radius_of(pair.base), radius_of(broken_base.mesh)) + pair.max_penetration;
    EXPECT_LE((G.force - F.force).norm(), reach + rounding) << name;
    EXPECT_LE((G.torque - F.torque).norm(), lever * reach + rounding) << name;
    if (harmless) {
      EXPECT_EQ(G.force, F.force) << name;
      EXPECT_EQ(G.torque, F.torque) << name;
    }
    if (kinds == 1) changed[first] += (G.force - F.force).norm() > rounding;
  }
  // The damage is where it matters: about a third of the variants of these kinds shows.
  for (const std::size_t kind : {1, 2, 3, 4, 5, 6})
    EXPECT_GE(changed[kind], 8) << kDamages[kind].name;
  for (const std::size_t kind : {0, 8, 9}) EXPECT_EQ(changed[kind], 0) << kDamages[kind].name;
}

INSTANTIATE_TEST_SUITE_P(Elements, PcmRobustness,
                         testing::Values(PcmDef::Elements::centroid, PcmDef::Elements::clipped),
                         [](const auto& row) {
                           return row.param == PcmDef::Elements::centroid ? "centroid" : "clipped";
                         });

// --- Meshes that are hardly any -----------------------------------------------------------------

/// Two meshes, one pushed into the other by 0.01 m along z.
struct Push {
  TriangleMesh base, target;
  double scale = 1.0;
  Vec3 p = Vec3(0.01, 0.02, 0.09);  // of the base, of unit scale

  Wrench on_base(PcmDef::Elements elements, ContactReport* report = nullptr) const {
    PcmDef pcm;
    pcm.max_penetration = 0.03 * scale;
    pcm.elements = elements;
    PairWorld world(base, target, pcm);
    EXPECT_EQ(world.evaluate({{Mat3::Identity(), scale * p}, {}}, {}), Status::ok);
    const Wrench sum = [&] {
      Wrench out = world.on_base().moved_by(-scale * p);
      out += world.on_target();
      return out;
    }();
    EXPECT_LE(sum.force.norm(), 1e-12 * world.on_base().force.norm());  // rounding
    EXPECT_TRUE(world.on_base().force.allFinite() && world.on_base().torque.allFinite());
    if (report) *report = world.report();
    return world.on_base();
  }
};

TriangleMesh scaled(TriangleMesh mesh, double by) {
  for (Vec3& v : mesh.vertices) v *= by;
  return mesh;
}

TriangleMesh one_triangle(double size) {
  return {{Vec3(-size, -size, 0), Vec3(size, -size, 0), Vec3(0, 2.0 * size, 0)}, {{0, 1, 2}}};
}

TriangleMesh copies(const TriangleMesh& mesh, int count) {
  TriangleMesh out{mesh.vertices, {}};
  for (int k = 0; k < count; ++k)
    out.triangles.insert(out.triangles.end(), mesh.triangles.begin(), mesh.triangles.end());
  return out;
}

constexpr PcmDef::Elements kBothElements[] = {PcmDef::Elements::centroid,
                                              PcmDef::Elements::clipped};

TEST(PcmSillyMeshes, PointsAndLinesCarryNothing) {
  const TriangleMesh ball = make_sphere({0.1, 320});
  TriangleMesh line = ball, point = ball;  // all vertices on a line, all at one place
  for (Vec3& v : line.vertices) v = Vec3(0.0, 0.0, v.z());
  for (Vec3& v : point.vertices) v = Vec3(0.0, 0.0, -0.09);
  const TriangleMesh twice{ball.vertices, {{0, 0, 1}, {1, 2, 2}, {3, 3, 3}}};
  for (const PcmDef::Elements elements : kBothElements)
    for (const TriangleMesh& mesh : {line, point, twice}) {
      EXPECT_EQ((Push{mesh, make_plane({1, 1, 4, 4})}.on_base(elements).force.norm()), 0.0);
      EXPECT_EQ((Push{make_plane({1, 1, 4, 4}), mesh}.on_base(elements).force.norm()), 0.0);
      EXPECT_EQ((Push{mesh, mesh}.on_base(elements).force.norm()), 0.0);
    }
}

TEST(PcmSillyMeshes, OneTriangleIsASurface) {
  const TriangleMesh ball = make_sphere({0.1, 20 * 8 * 8});
  for (const PcmDef::Elements elements : kBothElements) {
    // As large a target as a plane is, beyond which nothing of the ball reaches.
    const Wrench on_one = Push{ball, one_triangle(10.0)}.on_base(elements);
    const Wrench on_many = Push{ball, make_plane({1, 1, 7, 7})}.on_base(elements);
    ASSERT_GT(on_one.force.z(), 1.0);
    EXPECT_NEAR(on_one.force.z(), on_many.force.z(), 1e-11 * on_many.force.z());  // rounding
  }
  // As base, upside down in a block: c A u.
  TriangleMesh down = one_triangle(0.01);
  reverse_orientation(down);
  const double A = 2.0 * 0.01 * 3.0 * 0.01 / 2.0, u = 0.01;
  for (const PcmDef::Elements elements : kBothElements) {
    const Push push{down, without_groups(make_box({Vec3(0.3, 0.3, 0.2), 3})), 1.0,
                    Vec3(0.013, 0.02, 0.1 - u)};
    const double expected = rubber_stiffness() * A * u;
    EXPECT_NEAR(push.on_base(elements).force.z(), expected, 1e-11 * expected);  // rounding
  }
}

TEST(PcmSillyMeshes, ForcesGrowWithTheCubeOfTheSize) {
  const TriangleMesh ball = make_sphere({0.1, 20 * 6 * 6}), torus = make_torus({0.3, 0.1, 400});
  const Mat3 lying = rotation_from_vector(Vec3(0.3, 0.2, 0.1));
  TriangleMesh floor = make_plane({1, 1, 9, 9});
  for (Vec3& v : floor.vertices) v = lying * v;
  for (const PcmDef::Elements elements : kBothElements)
    for (const TriangleMesh* base : {&ball, &torus}) {
      ContactReport small, large;
      const Wrench F = Push{*base, floor}.on_base(elements, &small);
      ASSERT_GT(F.force.z(), 1.0);
      for (const double scale : {1e6, 1e-6, 0x1p20, 0x1p-20}) {
        const Wrench G =
            Push{scaled(*base, scale), scaled(floor, scale), scale}.on_base(elements, &large);
        const double cube = scale * scale * scale;
        EXPECT_EQ(large.patch.size(), small.patch.size()) << scale;
        // Rounding of depths of 1e-2 among coordinates of 1; powers of two change no bits.
        const double tolerance = std::abs(scale) == 1e6 || scale == 1e-6 ? 1e-12 : 0.0;
        EXPECT_LE((G.force / cube - F.force).norm(), tolerance * F.force.norm()) << scale;
        EXPECT_LE((G.torque / (cube * scale) - F.torque).norm(), tolerance * F.force.norm())
            << scale;
      }
    }
}

TEST(PcmSillyMeshes, ThousandsOfTrianglesInOnePlace) {
  const TriangleMesh ball = make_sphere({0.1, 20 * 3 * 3}), plane = one_triangle(1.0);
  const Wrench once = Push{ball, plane}.on_base(PcmDef::Elements::centroid);
  ASSERT_GT(once.force.z(), 1.0);
  // A target counts where it is met first: once, to the bit.
  EXPECT_EQ((Push{ball, copies(plane, 5000)}.on_base(PcmDef::Elements::centroid).force),
            once.force);
  // So do clipped elements.
  const double piece = Push{ball, plane}.on_base(PcmDef::Elements::clipped).force.z();
  const double pieces = Push{ball, copies(plane, 100)}.on_base(PcmDef::Elements::clipped).force.z();
  EXPECT_NEAR(pieces, piece, 1e-11 * piece);  // rounding
  // Elements of a base add up.
  const Wrench many = Push{copies(ball, 500), plane}.on_base(PcmDef::Elements::centroid);
  EXPECT_NEAR(many.force.z(), 500.0 * once.force.z(), 1e-11 * many.force.z());  // rounding
}

}  // namespace
}  // namespace grouser
