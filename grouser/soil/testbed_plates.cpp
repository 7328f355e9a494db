// Objects pressed into soil, and plates sheared on it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "grouser/base/text.h"
#include "grouser/soil/testbed.h"
#include "grouser/soil/tested_object.h"

namespace grouser {
namespace {

double area_from_above(const TriangleMesh& mesh) {
  double area = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const TriangleFace face = face_of(mesh, t);
    area += std::max(0.0, -face.normal.z()) * face.area;
  }
  return area;
}

/// As a ring that turns, a plate that is sheared pushes no soil ahead.
Value without_walls(Value settings) {
  set_at_path(settings, "side_wall", Value(0.0));
  return settings;
}

/// A plate without mass under a load. At every step it goes where the soil carries the load: a
/// weight with a mass would have to be followed in steps that are short for the elastic soil under
/// it, 1e-5 s and less under some pascals.
class LoadedPlate {
 public:
  /// What is known of it before it is set down.
  struct Setup {
    double load;       // [N]
    double stiffness;  // of the elastic soil under it [N/m]
    double speed;      // greatest, up or down [m/s]
    double h;          // step [s]
  };
  LoadedPlate(const ShearDef& def, const Setup& setup)
      : bed_(def.soil, def.plate, {"scm", without_walls(def.settings), def.gravity, 1, def.place}),
        load_(setup.load),
        stiffness_(setup.stiffness),
        speed_(setup.speed),
        h_(setup.h),
        z_(bed_.touching()) {}

  double time() const { return h_ * static_cast<double>(step_); }
  double load() const { return load_; }
  double sinkage() const { return bed_.touching() - z_; }

  /// Goes on by a step during which the plate has slid to x [m] at a speed [m/s]; the wrench there.
  Wrench step(double x, double speed) {
    const Wrench F = find_height(x, speed);
    bed_.advance(time(), h_);
    ++step_;
    return F;
  }

 private:
  static constexpr double kLoadError = 1e-3;  // of the load
  static constexpr int kMostTrials = 60;

  /// Heights at which the plate is carried by too much and by too little, as far as they are known;
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

  /// Moves the plate up or down to where it is carried, or as far as it gets in a step. The force
  /// falls with the height: a step by the elastic stiffness, then secants, and now and then half of
  /// what is left.
  Wrench find_height(double x, double speed) {
    const double before = z_, reach = speed_ * h_;
    Bracket bracket{before - reach, before + reach};
    double slope = stiffness_, last_z = before, last_excess = 0.0;
    z_ = bracket.inside(before + h_ * v_);
    for (int trial = 1;; ++trial) {
      BodyKinematics body;
      body.X_WB.p = Vec3(x, 0.0, z_);
      body.V_WB.v = Vec3(speed, 0.0, (z_ - before) / h_);
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

/// In which the load comes on a plate, at the least [s].
constexpr double kLoading = 1.0;
/// How much faster than it is dragged a plate is let down at most.
constexpr double kLetDown = 10.0;
/// Over which a plate must rest [s], by how much of its sinkage it may sink meanwhile, and how long
/// it may take to come to rest [s].
constexpr double kResting = 0.1, kRestingShare = 2e-3, kMostSettling = 20.0;

/// The plate stands until it sinks no further. False if it was stopped.
bool stand(LoadedPlate& plate, double h, const TestbedProgress& progress,
           std::vector<std::string>* doubts) {
  const auto window = static_cast<std::int64_t>(std::ceil(kResting / h));
  while (true) {
    const double before = plate.sinkage();
    double least = plate.load(), most = least;
    for (std::int64_t k = 0; k < window; ++k) {
      if (progress && !progress(0.0)) return false;
      const double force = plate.step(0.0, 0.0).force.z();
      least = std::min(least, force);
      most = std::max(most, force);
    }
    const double sunk = plate.sinkage() - before;
    const double error = std::max(most - plate.load(), plate.load() - least);
    const bool carried = error <= 0.01 * plate.load();
    if (carried && std::abs(sunk) <= kRestingShare * plate.sinkage()) return true;
    if (plate.time() < kMostSettling) continue;
    if (doubts)
      doubts->push_back("the plate had not come to rest when it was dragged: after " +
                        to_text(plate.time(), 3) + " s it sinks by " +
                        to_text(1e3 * sunk / kResting, 3) + " mm/s, and the soil carries " +
                        to_text(least, 4) + " to " + to_text(most, 4) + " N of " +
                        to_text(plate.load(), 4) + " N");
    return true;
  }
}

}  // namespace

double plate_sinkage(const SoilGroundDef& soil, const TriangleMesh& plate, double gravity,
                     double pressure) {
  constexpr double kDeepest = 10.0;  // [m]
  const Vec3 half = bounding_box(plate).half_size();
  const std::vector<SoilLayer> layers = soils_of(soil).at(0);
  const auto carried = [&](double z) {
    return layered_pressure(layers, std::min(half.x(), half.y()), gravity, z);
  };
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

std::vector<ShearSample> shear_plate(const ShearDef& def, const TestbedProgress& progress,
                                     std::vector<std::string>* doubts) {
  const double area = area_from_above(*def.plate);
  const double sinkage = plate_sinkage(def.soil, *def.plate, def.gravity, def.pressure);
  if (!std::isfinite(sinkage))
    throw InputError(def.place, "the soil does not carry " + to_text(def.pressure) +
                                    " Pa under this plate within 10 m");
  LoadedPlate::Setup setup;
  setup.load = def.pressure * area;
  setup.stiffness = area * elastic_stiffness_of(def.soil.soil, def.gravity);
  // Down to there in a second or less; then much faster than it is dragged, if sheared soil gives
  // way.
  setup.speed = std::max(2.0 * sinkage / kLoading, kLetDown * def.speed);
  setup.h = def.soil.update_period / 4.0;
  const double h = setup.h;
  LoadedPlate plate(def, setup);
  std::vector<ShearSample> out;
  if (!stand(plate, h, progress, doubts)) return out;
  const auto steps = static_cast<std::int64_t>(std::ceil(def.distance / def.speed / h));
  double least = plate.load();
  for (std::int64_t k = 0; k < steps; ++k) {
    if (progress && !progress(static_cast<double>(k) / static_cast<double>(steps))) break;
    const double slid = def.speed * h * static_cast<double>(k);
    const Wrench F = plate.step(slid, def.speed);
    out.push_back({slid, -F.force.x(), F.force.z(), plate.sinkage()});
    least = std::min(least, F.force.z());
  }
  if (doubts && least < 0.99 * plate.load())
    doubts->push_back("the plate sank faster than it is let down: the soil carried only " +
                      to_text(least, 4) + " N of " + to_text(plate.load(), 4) + " N at times");
  return out;
}

}  // namespace grouser
