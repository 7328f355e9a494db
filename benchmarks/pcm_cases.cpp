#include "benchmarks/pcm_cases.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

ShapeDef mesh_shape(const std::string& name, const std::string& body,
                    std::shared_ptr<const TriangleMesh> mesh) {
  ShapeDef def;
  def.name = name;
  def.body = body;
  def.geometry = MeshShape{std::move(mesh)};
  return def;
}

std::shared_ptr<const TriangleMesh> share(TriangleMesh mesh) {
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

}  // namespace

const TriangleMesh& PcmCase::mesh(const std::string& shape) const {
  for (const ShapeDef& def : shapes)
    if (def.name == shape) return *std::get<MeshShape>(def.geometry).mesh;
  throw std::logic_error("case '" + name + "' has no shape '" + shape + "'");
}

ContactWorld build_world(const PcmCase& c, const Adjust& adjust) {
  ContactWorldDef def;
  def.shapes = c.shapes;
  for (PcmDef pair : c.pairs) {
    if (adjust) adjust(pair);
    def.add(pair);
  }
  return ContactWorld(def);
}

PcmRunner::PcmRunner(const PcmCase& c, const Adjust& adjust)
    : case_(c), world_(build_world(c, adjust)) {
  for (const std::string& name : c.bodies) bodies_.push_back(world_.body(name));
}

void PcmRunner::evaluate_next() {
  const Snapshot& snapshot = case_.snapshots[next_ % case_.snapshots.size()];
  // A new state every time: nothing may be reused. Too small a shift to change what touches.
  const double shift = 1e-10 * static_cast<double>(next_++ % 16);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyKinematics body = snapshot[i];
    body.X_WB.p.z() += shift;
    world_.set_body(bodies_[i], body);
  }
  world_.evaluate(0.0);
}

void PcmRunner::evaluate_at(std::size_t snapshot) {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    world_.set_body(bodies_[i], case_.snapshots[snapshot][i]);
  if (world_.evaluate(0.0) != Status::ok)
    throw std::logic_error("case '" + case_.name + "' cannot be evaluated");
}

double PcmRunner::channel(std::size_t pair, const std::string& channel) {
  const std::vector<ReportChannel> channels = world_.contact(pair).report_channels();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name != channel) continue;
    ContactReport report;
    world_.report(0.0, pair, report);
    return report.channels[i];
  }
  return 0.0;
}

double PcmRunner::channel_sum(const std::string& name) {
  double sum = 0.0;
  for (std::size_t i = 0; i < world_.contact_count(); ++i) sum += channel(i, name);
  return sum;
}

PcmWork PcmRunner::work() const {
  PcmWork sum;
  for (std::size_t c = 0; c < world_.contact_count(); ++c) {
    std::vector<BodyKinematics> bodies;
    for (const int body : world_.ports(c)) bodies.push_back(world_.kinematics(body));
    const PcmWork work = pcm_work(world_.contact(c), {0.0, bodies, {}});
    sum.box_tests += work.box_tests;
    sum.triangle_tests += work.triangle_tests;
    sum.ray_tests += work.ray_tests;
  }
  return sum;
}

// ---------------------------------------------------------------------------- torus and sphere

namespace {

PcmCase torus_and_sphere(const std::string& name, int refinement, double height) {
  PcmCase c;
  c.name = name;
  c.shapes = {mesh_shape("torus", "world", share(make_torus({1.0, 0.3, 4096 * refinement}))),
              mesh_shape("sphere", "ball", share(make_sphere({1.0, 500 * refinement})))};
  PcmDef pair;
  pair.base = "torus";
  pair.target = "sphere";
  pair.layer["torus"] = {1e5, 0.4, 0.01};
  pair.max_penetration = 0.03;
  pair.damping = 1e4;
  pair.friction = 0.3;
  c.pairs = {pair};
  c.bodies = {"ball"};
  // Turned a little so that no symmetry helps, and moving so that damping and friction act.
  const Pose X_WB{rotation_from_vector(Vec3(0.11, -0.07, 0.23)), Vec3(0, 0, height)};
  const Twist V_WB{Vec3(0.02, 0.01, -0.03), Vec3(0.01, -0.005, -0.002)};
  c.snapshots = {{{X_WB, V_WB}}};
  return c;
}

}  // namespace

PcmCase torus_and_sphere_at_rest(int refinement) {
  return torus_and_sphere("torus and sphere", refinement, 0.8142);
}

PcmCase torus_and_sphere_deep(int refinement) {
  return torus_and_sphere("torus and sphere, deep", refinement, 0.79);
}

PcmCase torus_and_sphere_apart() {
  return torus_and_sphere("torus and sphere apart", 1, 3.0);
}

// --------------------------------------------------------------------------------- Scout feet

namespace {

/// Adds a band of triangles between two rings of `count` vertices each.
void join_rings(TriangleMesh& mesh, std::int32_t lower, std::int32_t upper, std::int32_t count) {
  for (std::int32_t k = 0; k < count; ++k) {
    const std::int32_t next = (k + 1) % count;
    mesh.triangles.push_back({lower + k, upper + next, lower + next});
    mesh.triangles.push_back({lower + k, upper + k, upper + next});
  }
}

/// Adds a fan from a point to a ring; `up`: the ring runs counter-clockwise seen from outside.
void close_ring(TriangleMesh& mesh, std::int32_t tip, std::int32_t ring, std::int32_t count,
                bool up) {
  for (std::int32_t k = 0; k < count; ++k) {
    const std::int32_t next = (k + 1) % count;
    if (up)
      mesh.triangles.push_back({tip, ring + k, ring + next});
    else
      mesh.triangles.push_back({tip, ring + next, ring + k});
  }
}

}  // namespace

TriangleMesh make_foot_mesh() {
  constexpr double kRadius = 0.030, kWidth = 0.057, kChamfer = 0.003;
  constexpr int kArcPieces = 12, kTopPieces = 6, kWidthPieces = 7;

  // Profile in the plane x, z, counter-clockwise seen from -y: half circle below, flat above, the
  // two corners cut off.
  std::vector<Vec3> profile;
  const double cut = kChamfer / kRadius;
  for (int k = 0; k <= kArcPieces; ++k) {
    const double angle = kPi + cut + (kPi - 2.0 * cut) * k / kArcPieces;
    profile.push_back(kRadius * Vec3(std::cos(angle), 0, std::sin(angle)));
  }
  for (int k = 0; k <= kTopPieces; ++k)
    profile.push_back(Vec3((kRadius - kChamfer) * (1.0 - 2.0 * k / kTopPieces), 0, 0));
  const Vec3 middle(0, 0, -4.0 * kRadius / (3.0 * kPi));  // centroid of a half disc

  // Rings from the middle of one side over its chamfer along the foot to the other side.
  struct Loop {
    double y;
    double scale;
  };
  const double end = 0.5 * kWidth, narrow = 1.0 - kChamfer / kRadius;
  std::vector<Loop> loops = {{-end, 0.35}, {-end, 0.65}, {-end, narrow}};
  for (int k = 0; k <= kWidthPieces; ++k)
    loops.push_back({(end - kChamfer) * (2.0 * k / kWidthPieces - 1.0), 1.0});
  loops.insert(loops.end(), {{end, narrow}, {end, 0.65}, {end, 0.35}});

  TriangleMesh mesh;
  for (const Loop& loop : loops)
    for (const Vec3& p : profile)
      mesh.vertices.push_back(middle + loop.scale * (p - middle) + loop.y * Vec3::UnitY());
  const auto count = static_cast<std::int32_t>(profile.size());
  const auto last = static_cast<std::int32_t>(mesh.vertices.size()) - count;
  const std::int32_t first_tip = last + count;
  mesh.vertices.push_back(middle - end * Vec3::UnitY());
  mesh.vertices.push_back(middle + end * Vec3::UnitY());
  for (std::int32_t ring = 0; ring < last; ring += count)
    join_rings(mesh, ring, ring + count, count);
  close_ring(mesh, first_tip, 0, count, true);
  close_ring(mesh, first_tip + 1, last, count, false);
  return mesh;
}

HeightGrid make_fractal_ground(int nodes, double size, double rms_slope) {
  constexpr double kRoughness = 0.9;  // exponent by which the displacement falls with the scale
  HeightGrid grid{nodes, size, std::vector<double>(static_cast<std::size_t>(nodes * nodes), 0.0)};
  const auto at = [&grid](int i, int j) -> double& {
    return grid.heights[static_cast<std::size_t>(j * grid.nodes + i)];
  };
  const auto inside = [nodes](int i) { return i >= 0 && i < nodes; };
  Random random(2023);

  // Mean of four neighbours plus a displacement that falls with the scale; the neighbours stand
  // diagonally, then straight.
  const auto displace = [&](int i, int j, int step, bool diagonal, double scale) {
    double sum = 0.0;
    int count = 0;
    for (int side = 0; side < 4; ++side) {
      const int a = side % 2 == 0 ? step : -step;
      const int b = side < 2 ? step : -step;
      const int di = diagonal ? a : (side < 2 ? a : 0);
      const int dj = diagonal ? b : (side < 2 ? 0 : a);
      if (!inside(i + di) || !inside(j + dj)) continue;
      sum += at(i + di, j + dj);
      ++count;
    }
    at(i, j) = sum / count + random.uniform(-scale, scale);
  };
  double scale = 1.0;
  for (int step = (nodes - 1) / 2; step >= 1; step /= 2) {
    for (int j = step; j < nodes; j += 2 * step)
      for (int i = step; i < nodes; i += 2 * step) displace(i, j, step, true, scale);
    for (int j = 0; j < nodes; j += step)
      for (int i = (j / step) % 2 == 0 ? step : 0; i < nodes; i += 2 * step)
        displace(i, j, step, false, scale);
    scale *= std::pow(0.5, kRoughness);
  }

  // To the wanted slope.
  const double cell = size / (nodes - 1);
  double squares = 0.0;
  for (int j = 0; j + 1 < nodes; ++j)
    for (int i = 0; i + 1 < nodes; ++i) {
      const double dx = (at(i + 1, j) - at(i, j)) / cell, dy = (at(i, j + 1) - at(i, j)) / cell;
      squares += dx * dx + dy * dy;
    }
  const double factor = rms_slope / std::sqrt(squares / ((nodes - 1) * (nodes - 1)));
  for (double& h : grid.heights) h *= factor;
  return grid;
}

double HeightGrid::height(double x, double y) const {
  const double cell = size / (nodes - 1);
  const double a = (x + 0.5 * size) / cell, b = (y + 0.5 * size) / cell;
  const int i = std::clamp(static_cast<int>(a), 0, nodes - 2);
  const int j = std::clamp(static_cast<int>(b), 0, nodes - 2);
  const double u = a - i, v = b - j;
  const double h00 = at(i, j), h11 = at(i + 1, j + 1);
  return u >= v ? h00 + u * (at(i + 1, j) - h00) + v * (h11 - at(i + 1, j))
                : h00 + v * (at(i, j + 1) - h00) + u * (h11 - at(i, j + 1));
}

TriangleMesh make_ground_mesh(const HeightGrid& grid) {
  TriangleMesh mesh;
  const double cell = grid.size / (grid.nodes - 1);
  for (int j = 0; j < grid.nodes; ++j)
    for (int i = 0; i < grid.nodes; ++i)
      mesh.vertices.push_back(
          Vec3(i * cell - 0.5 * grid.size, j * cell - 0.5 * grid.size, grid.at(i, j)));
  for (std::int32_t j = 0; j + 1 < grid.nodes; ++j)
    for (std::int32_t i = 0; i + 1 < grid.nodes; ++i) {
      const std::int32_t a = j * grid.nodes + i, b = a + 1, d = a + grid.nodes, e = d + 1;
      mesh.triangles.push_back({a, b, e});
      mesh.triangles.push_back({a, e, d});
    }
  return mesh;
}

PcmCase scout_feet() {
  constexpr int kWheels = 6, kFeetPerWheel = 3;
  constexpr double kSpoke = 0.175;  // from the hub to the flat side of a foot [m]
  PcmCase c;
  c.name = "Scout feet";
  const HeightGrid ground = make_fractal_ground(129, 10.0, std::tan(12.0 * kPi / 180.0));
  const auto foot_mesh = share(make_foot_mesh());
  if (!take_census(*foot_mesh).closed()) throw std::logic_error("the foot is not watertight");
  c.shapes = {mesh_shape("ground", "world", share(make_ground_mesh(ground)))};
  PcmDef pair;
  pair.target = "ground";
  pair.max_penetration = 0.01;
  pair.damping = 2e4;
  pair.friction = 0.7;

  // Each wheel stands on its lowest foot, a few millimetres deep, at a phase of its own.
  Random random(18);
  Snapshot snapshot;
  for (int wheel = 0; wheel < kWheels; ++wheel) {
    const double phase = random.uniform(-0.8, 0.8), yaw = random.uniform(-0.15, 0.15);
    const double depth = random.uniform(0.003, 0.005);
    const Vec3 p_WH(0.4 * (wheel / 2 - 1) + 0.7, wheel % 2 == 0 ? 0.3 : -0.3, 0.0);
    const Mat3 R_WH = rotation_from_vector(Vec3(0, 0, yaw));
    std::vector<Pose> feet;
    double clearance = 1e300;  // between the hub's wheel and the ground, the hub being at z = 0
    for (int foot = 0; foot < kFeetPerWheel; ++foot) {
      const double angle = phase + 2.0 * kPi * foot / kFeetPerWheel;
      const Mat3 R_HB = rotation_from_vector(Vec3(0, angle, 0));
      feet.push_back({R_WH * R_HB, p_WH - R_WH * (R_HB * Vec3(0, 0, kSpoke))});
      for (const Vec3& vertex : foot_mesh->vertices) {
        const Vec3 p = feet.back() * vertex;
        clearance = std::min(clearance, p.z() - ground.height(p.x(), p.y()));
      }
    }
    for (int foot = 0; foot < kFeetPerWheel; ++foot) {
      Pose& X_WB = feet[static_cast<std::size_t>(foot)];
      X_WB.p.z() -= clearance + depth;
      const std::string name = "foot_" + std::to_string(wheel) + "_" + std::to_string(foot);
      c.shapes.push_back(mesh_shape(name, name, foot_mesh));
      pair.base = name;
      pair.layer = {{name, {5e6, 0.4, 0.01}}};
      c.pairs.push_back(pair);
      c.bodies.push_back(name);
      snapshot.push_back({X_WB, {Vec3(0, 2.0, 0), Vec3(0.02, 0, -0.01)}});
    }
  }
  c.snapshots = {snapshot};
  return c;
}

// ------------------------------------------------------------------------------------ bubbles

TriangleMesh make_funnel_mesh(double half_width, double depth, int subdivisions) {
  TriangleMesh mesh;
  mesh.vertices = {Vec3::Zero(), Vec3(half_width, half_width, depth),
                   Vec3(-half_width, half_width, depth), Vec3(-half_width, -half_width, depth),
                   Vec3(half_width, -half_width, depth)};
  for (std::int32_t k = 0; k < 4; ++k) mesh.triangles.push_back({0, 1 + k, 1 + (k + 1) % 4});
  for (int pass = 0; pass < subdivisions; ++pass) {
    TriangleMesh finer;
    for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
      const Vec3 &a = mesh.corner(i, 0), &b = mesh.corner(i, 1), &d = mesh.corner(i, 2);
      const auto first = static_cast<std::int32_t>(finer.vertices.size());
      finer.vertices.insert(finer.vertices.end(),
                            {a, b, d, 0.5 * (a + b), 0.5 * (b + d), 0.5 * (d + a)});
      for (const auto& [i0, i1, i2] :
           {std::array{0, 3, 5}, std::array{3, 1, 4}, std::array{5, 4, 2}, std::array{3, 4, 5}})
        finer.triangles.push_back({first + i0, first + i1, first + i2});
    }
    weld_vertices(finer);
    mesh = std::move(finer);
  }
  return mesh;
}

namespace {

constexpr double kFunnelHalfWidth = 1.0, kFunnelDepth = 0.8;
const Vec3 kBubbleHalfAxes(0.1, 0.2, 0.1);

/// How far an ellipsoid reaches in a direction (unit) from its centre.
double reach(const Mat3& R_WB, const Vec3& direction_W) {
  return kBubbleHalfAxes.cwiseProduct(R_WB.transpose() * direction_W).norm();
}

/// Normal of wall k, into the funnel.
Vec3 wall_normal(int k) {
  const Vec3 outward = k % 2 == 0 ? Vec3(0, k == 0 ? 1 : -1, 0) : Vec3(k == 1 ? -1 : 1, 0, 0);
  return (kFunnelHalfWidth * Vec3::UnitZ() - kFunnelDepth * outward).normalized();
}

/// Least distance of an ellipsoid to a wall; negative if it is that deep inside.
double wall_clearance(const Pose& X_WB) {
  double least = 1e300;
  for (int k = 0; k < 4; ++k)
    least = std::min(least, wall_normal(k).dot(X_WB.p) - reach(X_WB.R, -wall_normal(k)));
  return least;
}

/// About how deep the vertices of ellipsoid b lie in ellipsoid a; negative if they are apart.
double overlap(const TriangleMesh& mesh, const Pose& X_WA, const Pose& X_WB) {
  const Pose X_AB = X_WA.inverse() * X_WB;
  double least = 1e300;
  for (const Vec3& vertex : mesh.vertices)
    least = std::min(least, (X_AB * vertex).cwiseQuotient(kBubbleHalfAxes).norm());
  return (1.0 - least) * kBubbleHalfAxes.minCoeff();
}

/// A seeded collection of what a run passes through: bubbles that press on a wall, on each other,
/// and fly. Depths stay below `deepest`.
class BubblePoses {
 public:
  BubblePoses(const TriangleMesh& mesh, double deepest) : mesh_(mesh), deepest_(deepest) {}

  Snapshot make(std::size_t count) {
    std::vector<Pose> poses;
    while (poses.size() < count) {
      const bool on_another = !poses.empty() && random_.uniform() < 0.3;
      const Pose candidate = on_another                ? on_bubble(poses.back())
                             : random_.uniform() < 0.5 ? on_wall()
                                                       : in_flight();
      if (fits(candidate, poses)) poses.push_back(candidate);
    }
    Snapshot snapshot;
    for (const Pose& X_WB : poses)
      snapshot.push_back({X_WB, {random_vector(1.0), random_vector(0.5)}});
    return snapshot;
  }

 private:
  Vec3 random_vector(double size) {
    return Vec3(random_.uniform(-size, size), random_.uniform(-size, size),
                random_.uniform(-size, size));
  }
  Mat3 random_turn() { return rotation_from_vector(random_vector(1.8)); }

  /// Above the funnel's middle.
  Pose in_flight() {
    return {random_turn(), Vec3(random_.uniform(-0.5, 0.5), random_.uniform(-0.5, 0.5),
                                random_.uniform(0.3, 0.9))};
  }
  Pose on_wall() {
    const Vec3 n = wall_normal(static_cast<int>(random_.below(4)));
    Pose X_WB = in_flight();
    X_WB.p += (reach(X_WB.R, -n) - deepest_ * random_.uniform(0.2, 0.9) - n.dot(X_WB.p)) * n;
    return X_WB;
  }
  /// Moved towards another until they overlap as much as wanted.
  Pose on_bubble(const Pose& other) {
    const Vec3 direction = (random_vector(1.0) + 0.5 * Vec3::UnitZ()).normalized();
    const Mat3 R = random_turn();
    const double wanted = deepest_ * random_.uniform(0.2, 0.8);
    double near = 0.1, far = 0.5;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (near + far);
      (overlap(mesh_, other, {R, other.p + middle * direction}) > wanted ? near : far) = middle;
    }
    return {R, other.p + far * direction};
  }
  bool fits(const Pose& X_WB, const std::vector<Pose>& others) const {
    if (wall_clearance(X_WB) < -deepest_) return false;
    for (const Pose& other : others)
      if (overlap(mesh_, other, X_WB) > deepest_) return false;
    return true;
  }

  const TriangleMesh& mesh_;
  double deepest_;
  Random random_{9};
};

}  // namespace

PcmCase bubbles(int subdivisions) {
  constexpr std::size_t kBubbles = 3, kSnapshots = 60;
  PcmCase c;
  c.name = "bubbles";
  TriangleMesh ellipsoid = make_sphere({1.0, 980});
  for (Vec3& vertex : ellipsoid.vertices) vertex = vertex.cwiseProduct(kBubbleHalfAxes);
  const auto mesh = share(std::move(ellipsoid));
  c.shapes = {mesh_shape("funnel", "world",
                         share(make_funnel_mesh(kFunnelHalfWidth, kFunnelDepth, subdivisions)))};

  PcmDef pair;
  pair.max_penetration = 0.015;
  pair.damping = 1e3;
  pair.friction = 0.3;
  const auto add_pair = [&](const std::string& base, const std::string& target) {
    pair.base = base;
    pair.target = target;
    pair.layer = {{base, {1e5, 0.4, 0.01}}};
    c.pairs.push_back(pair);
  };
  for (std::size_t i = 0; i < kBubbles; ++i) {
    const std::string name = "bubble_" + std::to_string(i);
    c.shapes.push_back(mesh_shape(name, name, mesh));
    c.bodies.push_back(name);
    add_pair(name, "funnel");
  }
  for (std::size_t i = 0; i < kBubbles; ++i)
    for (std::size_t j = 0; j < i; ++j) add_pair(c.bodies[i], c.bodies[j]);

  BubblePoses poses(*mesh, 0.008);
  for (std::size_t k = 0; k < kSnapshots; ++k) c.snapshots.push_back(poses.make(kBubbles));
  return c;
}

}  // namespace grouser
