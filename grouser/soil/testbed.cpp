#include "grouser/soil/testbed.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/world.h"
#include "grouser/soil/soil_models.h"

namespace grouser {
namespace {

/// One object on one bed of soil, moved by hand.
class Bed {
 public:
  struct Setup {
    std::string model = "scm";
    Value settings;
    double gravity = 9.81;
    int threads = 1;
    Place place;
  };
  Bed(const SoilGroundDef& soil, const std::shared_ptr<const TriangleMesh>& mesh,
      const Setup& setup) {
    ContactWorldDef def;
    SoilGroundDef bed = soil;
    bed.name = "bed";
    bed.body = "world";
    def.add(bed);
    def.gravity = setup.gravity;
    def.threads = setup.threads;
    ShapeDef shape;
    shape.name = shape.body = "object";
    shape.geometry = MeshShape{mesh};
    def.shapes = {shape};
    Value keys = setup.settings;
    set_at_path(keys, "soil", Value("bed"));
    set_at_path(keys, "objects", Value(Value::Array{Value("object")}));
    def.contacts.push_back(
        find_model(soil_models(), setup.model, setup.place).read(keys, "contact"));
    world_ = std::make_unique<ContactWorld>(def);
    object_ = world_->body("object");
    lowest_ = bounding_box(*mesh).lower.z();
  }

  /// Height of the body's origin at which the object just touches flat ground.
  double touching() const { return -lowest_; }

  const Wrench& ask(double time, const BodyKinematics& body) {
    world_->set_body(object_, body);
    if (world_->evaluate(time) == Status::impossible)
      throw RunError("the object has gone through the ground at t = " + to_text(time, 4) + " s");
    return world_->wrench(object_);
  }
  /// Goes on by a step `h` from the state last asked for: states of the model are led on, and the
  /// soil is updated if its time has come.
  void advance(double time, double h) {
    world_->commit(time);
    for (std::size_t i = 0; i < world_->state_count(); ++i)
      world_->states()[i] += h * world_->state_derivatives()[i];
    const double next = world_->next_update();
    if (time >= next * (1.0 - 1e-12)) world_->update(std::max(time, next));
  }

 private:
  std::unique_ptr<ContactWorld> world_;
  int object_ = 0;
  double lowest_ = 0.0;
};

double area_from_above(const TriangleMesh& mesh) {
  double area = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const TriangleFace face = face_of(mesh, t);
    area += std::max(0.0, -face.normal.z()) * face.area;
  }
  return area;
}

/// A weight that follows its load with strong damping, so that a test is quasi-static.
struct Weight {
  double load, mass, rate;  // rate of damping [1/s]
  double z, v = 0.0;

  void step(double force, double h) {
    // Semi-implicit: stable for any damping.
    v = (v + h * (force - load) / mass) / (1.0 + h * rate);
    z += h * v;
  }
};

constexpr double kDampingRate = 60.0;  // [1/s]

}  // namespace

TestbedResult run_testbed(const TestbedDef& def, const std::function<bool(double)>& progress) {
  Bed bed(def.soil, def.wheel, {def.model, def.settings, def.gravity, def.threads, def.place});
  const double r = def.rolling_radius;
  // The faster of rim and carriage has the given speed.
  const double rim = def.slip >= 0.0 ? def.speed : def.speed * (1.0 + def.slip);
  const double travel = def.slip >= 0.0 ? def.speed * (1.0 - def.slip) : def.speed;
  const double w = rim / r;
  const Vec3 v(travel * std::cos(def.slip_angle), travel * std::sin(def.slip_angle), 0.0);

  const double h = def.soil.update_period / def.steps_per_update;
  const double end = def.distance / def.speed;
  Weight weight{def.load, def.load / 9.81, kDampingRate, bed.touching()};
  TestbedResult out;
  std::size_t steady = 0;
  const auto steps = static_cast<std::int64_t>(std::ceil(end / h));
  const auto every = std::max<std::int64_t>(1, steps / 1000);
  // The load comes on while the wheel stands.
  const auto loading = static_cast<std::int64_t>(std::ceil(1.0 / h));
  BodyKinematics body;
  for (std::int64_t k = 0; k < loading + steps; ++k) {
    const double t = h * static_cast<double>(k);
    const double driven = h * static_cast<double>(std::max<std::int64_t>(0, k - loading));
    const bool drives = k >= loading;
    body.X_WB.p = v * driven + Vec3(0.0, 0.0, weight.z);
    body.X_WB.R = Eigen::AngleAxisd(w * driven, Vec3::UnitY()).toRotationMatrix();
    body.V_WB.v = (drives ? v : Vec3(Vec3::Zero())) + Vec3(0.0, 0.0, weight.v);
    body.V_WB.w = drives ? Vec3(0.0, w, 0.0) : Vec3(Vec3::Zero());
    const Wrench F = bed.ask(t, body);
    const std::int64_t number = k - loading;
    if (drives && number % every == 0) {
      TestbedSample s;
      s.time = driven;
      s.travel = travel * driven;
      s.sinkage = bed.touching() - weight.z;
      s.normal = F.force.z();
      s.drawbar = F.force.x();
      s.side = F.force.y();
      s.torque = -F.torque.y();
      out.samples.push_back(s);
      if (progress && !progress(static_cast<double>(number) / static_cast<double>(steps))) break;
    }
    if (number >= static_cast<std::int64_t>(def.settling * static_cast<double>(steps))) {
      const double now[] = {bed.touching() - weight.z, F.force.z(), F.force.x(), F.force.y(),
                            -F.torque.y()};
      double TestbedSample::*const members[] = {&TestbedSample::sinkage, &TestbedSample::normal,
                                                &TestbedSample::drawbar, &TestbedSample::side,
                                                &TestbedSample::torque};
      for (std::size_t i = 0; i < 5; ++i) {
        out.mean.*members[i] += now[i];
        double& least = out.least.*members[i];
        double& most = out.most.*members[i];
        least = steady == 0 ? now[i] : std::min(least, now[i]);
        most = steady == 0 ? now[i] : std::max(most, now[i]);
      }
      ++steady;
    }
    bed.advance(h * static_cast<double>(k), h);
    weight.step(F.force.z(), h);
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, steady));
  for (double TestbedSample::*member :
       {&TestbedSample::sinkage, &TestbedSample::normal, &TestbedSample::drawbar,
        &TestbedSample::side, &TestbedSample::torque})
    out.mean.*member /= n;
  return out;
}

std::vector<PlateSample> press_plate(const PlateDef& def) {
  Bed bed(def.soil, def.plate, {"scm", def.settings, def.gravity, 1, def.place});
  constexpr double kPulled = 2e-3;  // [m]
  const double h = def.soil.update_period / 4.0;
  std::vector<PlateSample> out;
  double depth = 0.0, direction = 1.0;
  bool reloaded = def.reload == 0.0;
  BodyKinematics body;
  for (std::int64_t k = 0; depth < def.depth; ++k) {
    body.X_WB.p.z() = bed.touching() - depth;
    body.V_WB.v.z() = -direction * def.speed;
    const Wrench F = bed.ask(h * static_cast<double>(k), body);
    out.push_back({depth, F.force.z()});
    bed.advance(h * static_cast<double>(k), h);
    if (!reloaded && direction > 0.0 && depth >= def.reload) direction = -1.0;
    if (direction < 0.0 && depth <= def.reload - kPulled) {
      direction = 1.0;
      reloaded = true;
    }
    depth += direction * def.speed * h;
  }
  return out;
}

std::vector<ShearSample> shear_plate(const ShearDef& def) {
  // As a ring that turns: no soil is pushed ahead.
  Value settings;
  set_at_path(settings, "side_wall", Value(0.0));
  Bed bed(def.soil, def.plate, {"scm", settings, def.gravity, 1, def.place});
  const double load = def.pressure * area_from_above(*def.plate);
  const double h = def.soil.update_period / 4.0;
  Weight weight{load, load / 9.81, kDampingRate, bed.touching()};
  std::vector<ShearSample> out;
  const auto loading = static_cast<std::int64_t>(std::ceil(1.0 / h));
  const auto steps = static_cast<std::int64_t>(std::ceil(def.distance / def.speed / h));
  BodyKinematics body;
  for (std::int64_t k = 0; k < loading + steps; ++k) {
    const double slid = def.speed * h * static_cast<double>(std::max<std::int64_t>(0, k - loading));
    body.X_WB.p = Vec3(slid, 0.0, weight.z);
    body.V_WB.v = Vec3(k >= loading ? def.speed : 0.0, 0.0, weight.v);
    const Wrench F = bed.ask(h * static_cast<double>(k), body);
    if (k >= loading) out.push_back({slid, -F.force.x(), F.force.z(), bed.touching() - weight.z});
    bed.advance(h * static_cast<double>(k), h);
    weight.step(F.force.z(), h);
  }
  return out;
}

}  // namespace grouser
