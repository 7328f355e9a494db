#include "grouser/assets/rock_field.h"

#include <algorithm>
#include <cmath>

#include "grouser/assets/noise.h"
#include "grouser/assets/rock.h"
#include "grouser/assets/rock_placement.h"
#include "grouser/base/text.h"
#include "grouser/mesh/mass_properties.h"

namespace grouser {
namespace {

/// Parts of a field that have seeds of their own.
enum FieldPart : std::uint64_t { kSizes, kShapes, kRocks, kPlaces };

/// A rock for which fewer than one place in this many is free does not fit.
constexpr int kTries = 5000;

std::string percent(double fraction) {
  return to_text(100.0 * fraction, 3) + " %";
}

std::string text_of(const Vec2& p) {
  return "[" + to_text(p.x(), 6) + ", " + to_text(p.y(), 6) + "]";
}

/// Refuses an area with a place beyond the ground, whether or not a rock would come to lie there.
void require_ground(const RockFieldDef& def, const GroundHeight& ground, const Place& place,
                    const std::string& path) {
  constexpr int kSteps = 16;
  // An area as large as the ground may be larger by rounding.
  const Vec2 margin = 1e-9 * def.area + Vec2::Constant(1e-15 * farthest_coordinate(def));
  const Vec2 half = (0.5 * def.area - margin).cwiseMax(0.0);
  for (int iy = 0; iy <= kSteps; ++iy)
    for (int ix = 0; ix <= kSteps; ++ix) {
      const Vec2 p =
          def.center + half.cwiseProduct(Vec2(2.0 * ix / kSteps - 1.0, 2.0 * iy / kSteps - 1.0));
      if (!ground(p.x(), p.y()).inside)
        throw InputError(place, path + ".area, from " + text_of(def.center - 0.5 * def.area) +
                                    " to " + text_of(def.center + 0.5 * def.area) +
                                    ", leaves the ground: there is none at " + text_of(p));
    }
}

/// Different rocks, each with a bounding box of 1 x 1 x 1.
std::vector<TriangleMesh> make_shapes(const RockFieldDef& def, const Progress& progress,
                                      const Place& place, const std::string& path) {
  // As noise is of the same size in all directions, proportions are those of the middle rock.
  const double elongation = std::sqrt(def.elongation.mean());
  const double height = def.height.mean() / (1.0 - def.burial.mean());
  RockDef rock{.size = {elongation, 1.0 / elongation, height},
               .roughness = def.roughness,
               .fine_roughness = def.fine_roughness,
               .facets = def.facets,
               .angularity = def.angularity,
               .triangles = def.triangles};
  const std::uint64_t seed = seed_of_part(static_cast<std::uint64_t>(def.seed), kShapes);
  std::vector<TriangleMesh> shapes;
  for (int i = 0; i < def.shapes; ++i) {
    if (progress) progress(0.5 * i / def.shapes);
    rock.seed = static_cast<int>(seed_of_part(seed, static_cast<std::uint64_t>(i)) >> 33);
    shapes.push_back(make_rock(rock, place, path));
    for (Vec3& p : shapes.back().vertices) p = p.cwiseQuotient(rock.size).eval();
  }
  return shapes;
}

std::vector<double> draw_diameters(const RockFieldDef& def) {
  Random random(seed_of_part(static_cast<std::uint64_t>(def.seed), kSizes));
  const RockSampler sampler(def.sizes);
  const std::int64_t count = draw_poisson(expected_number(def), random);
  std::vector<double> diameters(static_cast<std::size_t>(count));
  for (double& diameter : diameters) diameter = sampler.draw(random);
  std::sort(diameters.begin(), diameters.end(), std::greater<>());
  return diameters;
}

double draw_from(const Vec2& range, Random& random) {
  return random.uniform(range.x(), range.y());
}

/// Uniform over all rotations: a point of the ball in four dimensions as a quaternion.
Mat3 random_rotation(Random& random) {
  while (true) {
    Eigen::Vector4d q;
    for (int k = 0; k < 4; ++k) q[k] = random.uniform(-1.0, 1.0);
    const double square = q.squaredNorm();
    if (square <= 1.0 && square > 1e-4)
      return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }
}

/// Everything of a rock but its place; its attitude is that on level ground.
PlacedRock draw_rock(const RockFieldDef& def, const std::vector<TriangleMesh>& shapes,
                     double diameter, Random& random) {
  PlacedRock rock;
  rock.diameter = diameter;
  rock.shape = static_cast<int>(random.below(static_cast<std::uint32_t>(shapes.size())));
  rock.burial = draw_from(def.burial, random);
  const double elongation = std::sqrt(draw_from(def.elongation, random));
  const double height = draw_from(def.height, random) / (1.0 - rock.burial);
  rock.size = diameter * Vec3(elongation, 1.0 / elongation, height);

  if (def.attitude == RockAttitude::random) {
    rock.X_WR.R = random_rotation(random);
  } else {
    const double yaw = random.uniform(-kPi, kPi), toward = random.uniform(-kPi, kPi);
    const double angle = random.uniform(0.0, def.tilt);
    rock.X_WR.R = rotation_from_vector(angle * Vec3(std::cos(toward), std::sin(toward), 0.0)) *
                  rotation_from_vector(Vec3(0.0, 0.0, yaw));
  }
  double square = 0.0;
  for (const Vec3& p : shapes[static_cast<std::size_t>(rock.shape)].vertices)
    square = std::max(square, p.cwiseProduct(rock.size).squaredNorm());
  rock.radius = std::sqrt(square);
  return rock;
}

/// Whether a disc reaches into a zone.
bool reaches(const ClearZone& zone, const Vec2& center, double radius) {
  const Vec2 offset = (center - zone.center).cwiseAbs();
  if (zone.radius > 0.0) return offset.norm() < zone.radius + radius;
  return (offset - 0.5 * zone.size).cwiseMax(0.0).norm() < radius ||
         (offset - 0.5 * zone.size).maxCoeff() < 0.0;
}
bool reaches_any(const std::vector<ClearZone>& zones, const Vec2& center, double radius) {
  return std::any_of(zones.begin(), zones.end(),
                     [&](const ClearZone& zone) { return reaches(zone, center, radius); });
}

/// Gives rocks their places, in order.
class Placement {
 public:
  Placement(const RockFieldDef& def, std::size_t count)
      : def_(def),
        lower_(def.center - 0.5 * def.area),
        upper_(def.center + 0.5 * def.area),
        // About one cell per rock: most cells hold none or one, whatever the sizes.
        grid_(lower_, upper_,
              std::max(std::sqrt(def.area.prod() / (static_cast<double>(count) + 1.0)),
                       def.area.maxCoeff() / 1e6)) {}

  /// A free place, or none after many tries. A rock whose first place is in a clear zone is
  /// `dropped`: this makes as many fewer rocks as there is less ground, whatever their size.
  enum class Outcome { placed, dropped, no_room };
  Outcome place(double radius, Random& random, Vec2& center) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
      for (int k = 0; k < 2; ++k) center[k] = random.uniform(lower_[k], upper_[k]);
      if (attempt == 0 && reaches_any(def_.clear, center, 0.0)) return Outcome::dropped;
      if (reaches_any(def_.clear, center, radius)) continue;
      if (!grid_.is_free(center, radius, def_.spacing)) continue;
      grid_.add(center, radius);
      covered_ += kPi * std::pow(radius + 0.5 * def_.spacing, 2);
      return Outcome::placed;
    }
    return Outcome::no_room;
  }

  /// Share of the area under discs of the rocks and their spacing.
  double covered() const { return covered_ / def_.area.prod(); }

 private:
  const RockFieldDef& def_;
  Vec2 lower_, upper_;
  DiscGrid grid_;
  double covered_ = 0.0;
};

struct GroundPlane {
  double z;
  Vec3 normal;
};

/// The plane that fits the ground best at the middle and on two rings within the outline.
GroundPlane ground_under(const PlacedRock& rock, const Vec2& center, const GroundHeight& ground) {
  // Literals: compilers and libraries round sines differently.
  constexpr double kDiagonal = 0.70710678118654752;
  constexpr double kRing[][2] = {
      {1.0, 0.0},  {kDiagonal, kDiagonal},   {0.0, 1.0},  {-kDiagonal, kDiagonal},
      {-1.0, 0.0}, {-kDiagonal, -kDiagonal}, {0.0, -1.0}, {kDiagonal, -kDiagonal}};
  constexpr int kPoints = 2 * 8 + 1;
  double sum = ground(center.x(), center.y()).z, sum_x = 0.0, sum_y = 0.0, square = 0.0;
  for (const double ring : {0.25, 0.5}) {
    for (const auto& direction : kRing) {
      const double r = ring * rock.diameter, x = r * direction[0], y = r * direction[1];
      const double z = ground(center.x() + x, center.y() + y).z;
      sum += z, sum_x += x * z, sum_y += y * z, square += x * x;
    }
  }
  return {sum / kPoints, Vec3(-sum_x / square, -sum_y / square, 1.0).normalized()};
}

/// The shortest rotation that turns z to `normal`, which looks up.
Mat3 rotation_from_vertical(const Vec3& normal) {
  const Mat3 turn = cross_matrix(Vec3::UnitZ().cross(normal));
  return Mat3::Identity() + turn + turn * turn / (1.0 + normal.z());
}

/// Turns the rock with the ground and lowers it until its burial is right.
void settle(PlacedRock& rock, const Vec2& center, const GroundPlane& plane,
            const TriangleMesh& shape) {
  rock.X_WR.R = rotation_from_vertical(plane.normal) * rock.X_WR.R;
  const Vec3 up = (rock.X_WR.R.transpose() * plane.normal).cwiseProduct(rock.size);
  double lowest = 0.0, highest = 0.0;
  for (const Vec3& p : shape.vertices) {
    lowest = std::min(lowest, up.dot(p));
    highest = std::max(highest, up.dot(p));
  }
  // The centre stays above its place; heights are measured across the plane.
  const double above = -lowest - rock.burial * (highest - lowest);
  rock.X_WR.p = Vec3(center.x(), center.y(), plane.z + above / plane.normal.z());
}

}  // namespace

RockField make_rock_field(const RockFieldDef& def, const GroundHeight& ground,
                          const Progress& progress, const Place& place, const std::string& path) {
  require_sound(def, place, path);
  if (ground) require_ground(def, ground, place, path);
  RockField field;
  field.expected = expected_number(def);
  field.shapes = make_shapes(def, progress, place, path);
  const std::vector<double> diameters = draw_diameters(def);

  const auto seed = static_cast<std::uint64_t>(def.seed);
  const std::uint64_t rock_seed = seed_of_part(seed, kRocks);
  Random places(seed_of_part(seed, kPlaces));
  Placement placement(def, diameters.size());
  const GroundHeight level = [](double, double) { return SurfaceHeight{}; };
  const GroundHeight& surface = ground ? ground : level;

  for (std::size_t i = 0; i < diameters.size(); ++i) {
    if (progress && i % 1024 == 0)
      progress(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(diameters.size()));
    Random random(seed_of_part(rock_seed, i));
    PlacedRock rock = draw_rock(def, field.shapes, diameters[i], random);
    Vec2 center;
    const Placement::Outcome outcome = placement.place(rock.radius, places, center);
    if (outcome == Placement::Outcome::dropped) continue;
    if (outcome == Placement::Outcome::no_room)
      throw InputError(place, path + ": rock " + std::to_string(i + 1) + " of " +
                                  std::to_string(diameters.size()) + ", of diameter " +
                                  to_text(rock.diameter, 3) +
                                  " m, does not fit: no free place in " + std::to_string(kTries) +
                                  " tries, with " + percent(placement.covered()) +
                                  " of the area under larger rocks and their spacing");
    if (!surface(center.x(), center.y()).inside)
      throw InputError(place,
                       path + ".area leaves the ground: there is none at " + text_of(center));
    settle(rock, center, ground_under(rock, center, surface),
           field.shapes[static_cast<std::size_t>(rock.shape)]);
    field.rocks.push_back(rock);
  }
  if (progress) progress(1.0);
  return field;
}

TriangleMesh rock_mesh(const RockField& field, std::size_t index) {
  const PlacedRock& rock = field.rocks[index];
  TriangleMesh mesh = field.shapes[static_cast<std::size_t>(rock.shape)];
  for (Vec3& p : mesh.vertices) p = p.cwiseProduct(rock.size).eval();
  return mesh;
}

MassProperties rock_mass(const RockField& field, std::size_t rock, double density) {
  return mass_properties(rock_mesh(field, rock), density, "rock " + std::to_string(rock + 1));
}

TriangleMesh merged(const RockField& field, const Progress& progress, const Place& place,
                    const std::string& path) {
  if (field.rocks.empty())
    throw InputError(place,
                     path + ": there are no rocks in this area; their expected number is " +
                         to_text(field.expected, 3) +
                         ", clear zones left aside; take a larger area, or more rocks in it");
  std::size_t vertices = 0, triangles = 0;
  for (const PlacedRock& rock : field.rocks) {
    const TriangleMesh& shape = field.shapes[static_cast<std::size_t>(rock.shape)];
    vertices += shape.vertices.size();
    triangles += shape.triangle_count();
  }
  if (static_cast<double>(triangles) > kMostTriangles)
    throw InputError(place, path + " merged to one mesh would have " + std::to_string(triangles) +
                                " triangles, at most " + to_text(kMostTriangles, 3) +
                                " are allowed");

  TriangleMesh mesh;
  mesh.vertices.reserve(vertices);
  mesh.triangles.reserve(triangles);
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    if (progress && i % 1024 == 0)
      progress(static_cast<double>(i) / static_cast<double>(field.rocks.size()));
    const PlacedRock& rock = field.rocks[i];
    const TriangleMesh& shape = field.shapes[static_cast<std::size_t>(rock.shape)];
    const auto base = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Vec3& p : shape.vertices)
      mesh.vertices.push_back(rock.X_WR * p.cwiseProduct(rock.size));
    for (const auto& t : shape.triangles)
      mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
  if (progress) progress(1.0);
  return mesh;
}

}  // namespace grouser
