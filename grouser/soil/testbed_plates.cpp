// Objects pressed into soil, and a ring that turns on it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/soil/revolved.h"
#include "grouser/soil/testbed.h"
#include "grouser/soil/tested_object.h"

namespace grouser {
namespace {

/// Segments of the ring: its edges are within 0.03 % of circles.
constexpr int kRingSides = 128;

/// A ring so tall that the ground does not close over it.
std::shared_ptr<const TriangleMesh> ring_of(const ShearDef& def, double sinkage) {
  const double height = std::max(0.02, 2.0 * sinkage);
  // Facets that enclose as much as the circle.
  const double angle = 2.0 * kPi / kRingSides, out = std::sqrt(angle / std::sin(angle));
  const double inner = out * def.inner_radius, outer = out * def.outer_radius;
  const Vec2 outline[] = {
      {-0.5 * height, outer}, {0.5 * height, outer}, {0.5 * height, inner}, {-0.5 * height, inner}};
  return std::make_shared<const TriangleMesh>(revolved(outline, kRingSides));
}

/// The sides of the ring slide along the soil beside it; what is measured is the soil under it.
Value ring_settings(Value settings) {
  set_at_path(settings, "side_wall", Value(0.0));
  set_at_path(settings, "axis", Value(Value::Array{Value(0.0), Value(0.0), Value(1.0)}));
  return settings;
}

/// A ring without mass under a load. At every step it goes where the soil carries the load: a
/// weight with a mass would have to be followed in steps that are short for the elastic soil under
/// it, 1e-5 s and less under some pascals.
class LoadedRing {
 public:
  /// What is known of it before it is set down.
  struct Setup {
    double load;       // [N]
    double stiffness;  // of the elastic soil under it [N/m]
    double speed;      // greatest, up or down [m/s]
    double h;          // step [s]
  };
  LoadedRing(const ShearDef& def, const std::shared_ptr<const TriangleMesh>& ring,
             const Setup& setup)
      : bed_(def.soil, ring, {"scm", ring_settings(def.settings), def.gravity, 1, def.place}),
        load_(setup.load),
        stiffness_(setup.stiffness),
        speed_(setup.speed),
        h_(setup.h),
        z_(bed_.touching()) {}

  double time() const { return h_ * static_cast<double>(step_); }
  double load() const { return load_; }
  double sinkage() const { return bed_.touching() - z_; }

  /// Goes on by a step at whose end the ring has turned by an angle [rad] at a rate [rad/s]; the
  /// wrench there.
  Wrench step(double angle, double rate) {
    const Wrench F = find_height(angle, rate);
    bed_.advance(time(), h_);
    ++step_;
    return F;
  }

 private:
  static constexpr double kLoadError = 1e-3;  // of the load
  static constexpr int kMostTrials = 60;

  /// Heights at which the ring is carried by too much and by too little, as far as they are known;
  /// else how far it gets in a step.
  struct Bracket {
    double low, high;
    bool low_known = false, high_known = false;

    /// Whether there is nothing left to try beyond z.
    bool ends_at(double z, double excess) const {
      return excess > 0.0 ? z >= high && !high_known : z <= low && !low_known;
    }
    void narrow(double z, double excess) {
      (excess > 0.0 ? low : high) = z;
      (excess > 0.0 ? low_known : high_known) = true;
    }
    double inside(double z) const {
      if (z > low && z < high) return z;
      if (z <= low && !low_known) return low;
      if (z >= high && !high_known) return high;
      return 0.5 * (low + high);
    }
  };

  /// Moves the ring up or down to where it is carried, or as far as it gets in a step. The force
  /// falls with the height: a step by the elastic stiffness, then secants, and now and then half of
  /// what is left.
  Wrench find_height(double angle, double rate) {
    const double before = z_, reach = speed_ * h_;
    Bracket bracket{before - reach, before + reach};
    double slope = stiffness_, last_z = before, last_excess = 0.0;
    z_ = bracket.inside(before + h_ * v_);
    for (int trial = 1;; ++trial) {
      BodyKinematics body;
      body.X_WB.p = Vec3(0.0, 0.0, z_);
      body.X_WB.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
      body.V_WB.v = Vec3(0.0, 0.0, (z_ - before) / h_);
      body.V_WB.w = Vec3(0.0, 0.0, rate);
      const Wrench F = bed_.ask(time(), body);
      const double excess = F.force.z() - load_;
      if (std::abs(excess) <= kLoadError * load_ || bracket.ends_at(z_, excess) ||
          trial == kMostTrials) {
        v_ = (z_ - before) / h_;
        return F;
      }
      bracket.narrow(z_, excess);
      if (trial > 1 && z_ != last_z) slope = (last_excess - excess) / (z_ - last_z);
      if (!(slope > 0.0)) slope = stiffness_;
      last_z = z_;
      last_excess = excess;
      z_ =
          bracket.inside(trial % 5 == 0 ? 0.5 * (bracket.low + bracket.high) : z_ + excess / slope);
    }
  }

  TestedObject bed_;
  double load_, stiffness_, speed_, h_;
  double z_, v_ = 0.0;
  std::int64_t step_ = 0;
};

/// In which the load comes on the ring, at the least [s].
constexpr double kLoading = 1.0;
/// How much faster than it slides the ring is let down at most.
constexpr double kLetDown = 10.0;
/// Over which the ring must rest [s], by how much of its sinkage it may sink meanwhile, and how
/// long it may take to come to rest [s].
constexpr double kResting = 0.1, kRestingShare = 2e-3, kMostSettling = 20.0;

/// Of the stress that came in the last tenth of the distance, that tells of a test cut short.
constexpr double kStillGrows = 0.01;

/// The ring stands until it sinks no further. False if it was stopped.
bool stand(LoadedRing& ring, double h, const TestbedProgress& progress,
           std::vector<std::string>* doubts) {
  const auto window = static_cast<std::int64_t>(std::ceil(kResting / h));
  while (true) {
    const double before = ring.sinkage();
    double least = ring.load(), most = least;
    for (std::int64_t k = 0; k < window; ++k) {
      if (progress && !progress(0.0)) return false;
      const double force = ring.step(0.0, 0.0).force.z();
      least = std::min(least, force);
      most = std::max(most, force);
    }
    const double sunk = ring.sinkage() - before;
    const double error = std::max(most - ring.load(), ring.load() - least);
    const bool carried = error <= 0.01 * ring.load();
    if (carried && std::abs(sunk) <= kRestingShare * ring.sinkage()) return true;
    if (ring.time() < kMostSettling) continue;
    if (doubts)
      doubts->push_back("the ring had not come to rest when it was turned: after " +
                        to_text(ring.time(), 3) + " s it sinks by " +
                        to_text(1e3 * sunk / kResting, 3) + " mm/s, and the soil carries " +
                        to_text(least, 4) + " to " + to_text(most, 4) + " N of " +
                        to_text(ring.load(), 4) + " N");
    return true;
  }
}

}  // namespace

double patch_sinkage(const SoilGroundDef& soil, double b, double gravity, double pressure) {
  constexpr double kDeepest = 10.0;  // [m]
  const std::vector<SoilLayer> layers = soils_of(soil).at(0);
  const auto carried = [&](double z) { return layered_pressure(layers, b, gravity, z); };
  if (!(carried(kDeepest) >= pressure)) return std::numeric_limits<double>::infinity();
  double low = 0.0, high = kDeepest;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (carried(middle) < pressure ? low : high) = middle;
  }
  return high;
}

std::vector<PlateSample> press_plate(const PlateDef& def, const TestbedProgress& progress) {
  TestedObject bed(def.soil, def.plate, {"scm", def.settings, def.gravity, 1, def.place});
  const double h = def.soil.update_period / 4.0;
  std::vector<PlateSample> out;
  double depth = 0.0, direction = 1.0;
  std::size_t reloads = 0;
  BodyKinematics body;
  for (std::int64_t k = 0; depth < def.depth; ++k) {
    if (progress && !progress(depth / def.depth)) break;
    body.X_WB.p.z() = bed.touching() - depth;
    body.V_WB.v.z() = -direction * def.speed;
    const Wrench F = bed.ask(h * static_cast<double>(k), body);
    out.push_back({depth, F.force.z()});
    bed.advance(h * static_cast<double>(k), h);
    if (direction < 0.0) {
      if (F.force.z() <= 0.0) direction = 1.0;
    } else if (reloads < def.reloads.size() && depth >= def.reloads[reloads]) {
      direction = -1.0;
      ++reloads;
    }
    depth += direction * def.speed * h;
  }
  return out;
}

double ShearDef::area() const {
  return kPi * (outer_radius * outer_radius - inner_radius * inner_radius);
}
double ShearDef::middle() const {
  return 0.5 * (outer_radius + inner_radius);
}
double ShearDef::first_moment() const {
  return 2.0 / 3.0 * kPi * (std::pow(outer_radius, 3) - std::pow(inner_radius, 3));
}

std::vector<ShearSample> shear_ring(const ShearDef& def, const TestbedProgress& progress,
                                    std::vector<std::string>* doubts) {
  GROUSER_ASSERT(def.inner_radius > 0.0 && def.inner_radius < def.outer_radius);
  const double area = def.area();
  const double sinkage =
      patch_sinkage(def.soil, def.outer_radius - def.inner_radius, def.gravity, def.pressure);
  if (!std::isfinite(sinkage))
    throw InputError(def.place, "the soil does not carry " + to_text(def.pressure) +
                                    " Pa under this ring within 10 m");
  LoadedRing::Setup setup;
  setup.load = def.pressure * area;
  setup.stiffness = area * elastic_stiffness_of(def.soil.soil, def.gravity);
  // Down to there in a second or less; then much faster than it slides, if sheared soil gives way.
  setup.speed = std::max(2.0 * sinkage / kLoading, kLetDown * def.speed);
  setup.h = def.soil.update_period / 4.0;
  const double h = setup.h;
  LoadedRing ring(def, ring_of(def, sinkage), setup);
  std::vector<ShearSample> out;
  if (!stand(ring, h, progress, doubts)) return out;
  const auto steps = static_cast<std::int64_t>(std::ceil(def.distance / def.speed / h));
  double least = ring.load();
  for (std::int64_t k = 0; k <= steps; ++k) {
    if (progress && !progress(static_cast<double>(k) / static_cast<double>(steps))) break;
    const double slid = def.speed * h * static_cast<double>(k);
    const Wrench F = ring.step(slid / def.middle(), def.speed / def.middle());
    const double torque = -F.torque.z();
    out.push_back({slid, torque, torque / def.first_moment(), F.force.z() / area, ring.sinkage()});
    least = std::min(least, F.force.z());
  }
  if (doubts && least < 0.99 * ring.load())
    doubts->push_back("the ring sank faster than it is let down: the soil carried only " +
                      to_text(least, 4) + " N of " + to_text(ring.load(), 4) + " N at times");
  const double before = out[out.size() * 9 / 10].stress, last = out.back().stress;
  if (doubts && last - before > kStillGrows * last)
    doubts->push_back("shear stress still grows: by " + to_text(100.0 * (last / before - 1.0), 2) +
                      " % over the last tenth of the distance; a longer one is needed");
  return out;
}

}  // namespace grouser
