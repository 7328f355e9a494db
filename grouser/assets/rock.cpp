#include "grouser/assets/rock.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grouser/assets/noise.h"
#include "grouser/base/assert.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

/// Parts of a rock that have seeds of their own.
enum RockPart : std::uint64_t { kFacets, kOffset, kCoarse, kFine = 100, kRidges = 200 };

/// Uniform on the unit sphere: points of a cube are thrown until one lies in the ball.
Vec3 random_direction(Random& random) {
  while (true) {
    // One by one: compilers take the arguments of a call in different orders.
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(-1.0, 1.0);
    const double square = p.squaredNorm();
    if (square <= 1.0 && square > 1e-4) return p / std::sqrt(square);
  }
}

/// The smaller of two numbers, with a round transition where they differ by less than `width`.
double smooth_minimum(double a, double b, double width) {
  const double h = std::max(width - std::abs(a - b), 0.0);
  return std::min(a, b) - 0.25 * h * h / width;
}

/// Noise has rare large values, which would be horns and holes: bumps are bent down to at most 1,
/// hollows to at most 2, as what stands out of a rock has been worn off.
double bounded(double noise) {
  return noise / std::sqrt(1.0 + (noise > 0.0 ? 1.0 : 0.25) * noise * noise);
}

/// Distance from the middle to the surface, before the rock is stretched to its size.
class Radius {
 public:
  Radius(const RockDef& rock, double edge);
  double operator()(const Vec3& direction) const;

 private:
  struct Plane {
    Vec3 normal;
    double distance;
  };
  struct Octave {
    double frequency, amplitude;
    std::uint64_t seed;
  };
  static double sum(const std::vector<Octave>& octaves, const Vec3& p);
  double cut(double radius, const Vec3& direction) const;

  Vec3 proportions_, offset_;
  double start_, roughness_, fine_roughness_, edge_width_;
  std::vector<Plane> planes_;
  std::vector<Octave> coarse_, fine_, ridges_;
};

Radius::Radius(const RockDef& rock, double edge)
    : proportions_(rock.size / std::cbrt(rock.size.prod())),
      // What no facet cuts must not stand out as a horn.
      start_(1.0 - (rock.facets > 0 ? 0.12 : 0.0) * rock.angularity),
      roughness_(rock.roughness),
      fine_roughness_(rock.fine_roughness),
      edge_width_(0.015 + 0.25 * (1.0 - rock.angularity) * (1.0 - rock.angularity)) {
  const auto seed = static_cast<std::uint64_t>(rock.seed);

  // Normals keep away from one another: the best of a few tries each.
  Random facets(seed_of_part(seed, kFacets));
  for (int i = 0; i < rock.facets; ++i) {
    Vec3 best = random_direction(facets);
    double nearest = 2.0;
    for (int attempt = 0; attempt < 24; ++attempt) {
      const Vec3 normal = random_direction(facets);
      double closeness = -1.0;
      for (const Plane& plane : planes_) closeness = std::max(closeness, normal.dot(plane.normal));
      if (closeness < nearest) nearest = closeness, best = normal;
    }
    // Rough rocks have facets at very different depths.
    const double depth = rock.angularity * (0.15 + 0.17 * facets.uniform());
    planes_.push_back({best, 1.0 - depth + 0.6 * rock.roughness * facets.uniform(-1.0, 1.0)});
  }

  // The lattice of the noise lies anywhere.
  Random lattice(seed_of_part(seed, kOffset));
  for (int k = 0; k < 3; ++k) offset_[k] = lattice.uniform(0.0, 256.0);

  // A wave of less than two edges cannot be seen; noise varies over a little more than a cell of
  // its lattice. Every roughness keeps one octave, so that it always acts.
  const auto add = [&](std::vector<Octave>& octaves, double frequency, int count, double gain,
                       std::uint64_t part) {
    double amplitude = 1.0, square = 0.0;
    std::vector<Octave> all;
    for (int i = 0; i < count; ++i, frequency *= 2.03, amplitude *= gain) {
      all.push_back({frequency, amplitude, seed_of_part(seed, part + static_cast<unsigned>(i))});
      square += amplitude * amplitude;
    }
    for (Octave& octave : all) {
      octave.amplitude /= std::sqrt(square);
      if (octaves.empty() || octave.frequency * edge <= 0.9) octaves.push_back(octave);
    }
  };
  add(coarse_, 0.7, 3, 0.42, kCoarse);
  add(fine_, 2.9, 6, 0.5, kFine);
  add(ridges_, 2.1, 4, 0.5, kRidges);
}

double Radius::sum(const std::vector<Octave>& octaves, const Vec3& p) {
  double total = 0.0;
  for (const Octave& octave : octaves)
    total += octave.amplitude * gradient_noise(octave.frequency * p, octave.seed);
  return total;
}

double Radius::cut(double radius, const Vec3& direction) const {
  for (const Plane& plane : planes_) {
    const double slope = plane.normal.dot(direction);
    if (slope > 0.1) radius = smooth_minimum(radius, plane.distance / slope, edge_width_);
  }
  return radius;
}

double Radius::operator()(const Vec3& direction) const {
  const Vec3 p = direction.cwiseProduct(proportions_);
  const double shape = bounded(sum(coarse_, p + offset_));
  const double body =
      cut(start_ + 0.7 * roughness_ * shape, direction) * (1.0 + 0.6 * roughness_ * shape);

  // Ridges: noise folded at zero, mean 0 and about rms 1.
  double ridges = 0.0;
  for (const Octave& octave : ridges_)
    ridges += octave.amplitude *
              (0.79 - std::abs(gradient_noise(octave.frequency * (p + offset_), octave.seed))) /
              0.61;
  const double skin = bounded(0.9 * sum(fine_, p + offset_) + 0.44 * ridges);
  return body * (1.0 + fine_roughness_ * skin);
}

/// Refuses a count that is not 20 f^2.
void require_sphere_count(int triangles, const Place& place, const std::string& key) {
  const auto count = [](int f) { return 20 * f * f; };
  const int f = static_cast<int>(std::sqrt(triangles / 20.0));
  if (count(f) == triangles) return;
  throw InputError(place, key + " must be 20 times a square, is " + std::to_string(triangles) +
                              "; nearest are " + std::to_string(count(f)) + " and " +
                              std::to_string(count(f + 1)));
}

void stretch_to(const Vec3& size, TriangleMesh& mesh) {
  const Box box = bounding_box(mesh);
  const Vec3 scale = size.cwiseQuotient(box.upper - box.lower);
  for (Vec3& p : mesh.vertices) p = (p - box.center()).cwiseProduct(scale).eval();
}

}  // namespace

TriangleMesh make_rock(const RockDef& rock, const Place& place, const std::string& path) {
  parameter_table(&rock).check(rock, place, path);
  require_sphere_count(rock.triangles, place, path + ".triangles");

  TriangleMesh mesh = make_sphere({.radius = 1.0, .triangles = rock.triangles});
  const double edge = std::sqrt(4.0 * kPi / rock.triangles * 4.0 / std::sqrt(3.0));
  const Radius radius(rock, edge);
  for (Vec3& p : mesh.vertices) {
    const double r = radius(p);
    GROUSER_ASSERT(r > 0.0);
    p *= r;
  }

  stretch_to(rock.size, mesh);
  const Vec3 center = mass_properties(mesh, 1.0, path).center;
  for (Vec3& p : mesh.vertices) p -= center;
  return mesh;
}

const ParameterTable<RockDef>& parameter_table(const RockDef*) {
  static const auto table =
      ParameterTable<RockDef>()
          .vector3("size", &RockDef::size, "m", "edge lengths of the bounding box",
                   within(1e-6, 1e6))
          .number("roughness", &RockDef::roughness, "", within(0.0, 0.3),
                  "of the whole shape: size of bumps and hollows over the radius")
          .number("fine_roughness", &RockDef::fine_roughness, "", within(0.0, 0.1),
                  "of the skin: size of small bumps and ridges over the radius")
          .integer("facets", &RockDef::facets, within(0, 200), "planes that cut the rock")
          .number("angularity", &RockDef::angularity, "", within(0.0, 1.0),
                  "of the facets; 0: shallow and rounded, 1: deep with sharp edges")
          .integer("triangles", &RockDef::triangles, within(20, kMostTriangles),
                   "how many: 20 f^2, those of a geodesic sphere")
          .integer("seed", &RockDef::seed, non_negative(), "another seed, another rock");
  return table;
}

}  // namespace grouser
