// The laws of wheels on soil as the contact model asks for them.
#include <algorithm>

#include "grouser/base/text.h"
#include "grouser/soil/soil_models.h"
#include "grouser/soil/wheel_soil.h"
#include "grouser/soil/wheel_tread.h"

namespace grouser {
namespace {

/// x and y of the shear displacement of cells under a wheel, the first at the front.
void add_shear_cells(int cells, std::vector<ReportChannel>& out) {
  for (int k = 1; k <= cells; ++k) {
    const std::string cell = " of the soil, cell " + std::to_string(k) + " from the front";
    out.push_back({"shear_x_" + std::to_string(k), "m", "forward shear" + cell});
    out.push_back({"shear_y_" + std::to_string(k), "m", "sideward shear" + cell});
  }
}

/// Of soil around a wheel, see WallState.
void add_wall_state(std::vector<ReportChannel>& out) {
  out.push_back({"displaced_seen", "m", "how far soil beside the wheel is pushed aside"});
  out.push_back({"skid_seen", "", "skid over the last contact length"});
}

class BekkerLaw final : public WheelLaw {
 public:
  explicit BekkerLaw(const BekkerWheel& wheel) : wheel_(wheel) {}
  WheelForce evaluate(const WheelMotion& motion, std::span<const double>, const WheelMemory&,
                      std::span<double>) const override {
    return bekker_force(wheel_, motion);
  }
  SteadyWheel steady(const SteadyQuery& query) const override {
    return bekker_steady(wheel_, query);
  }

 private:
  BekkerWheel wheel_;
};

class BekkerJanosiLaw final : public WheelLaw {
 public:
  explicit BekkerJanosiLaw(const BekkerJanosiWheel& wheel) : wheel_(wheel) {}
  std::size_t state_count() const override { return grouser::state_count(wheel_); }
  std::vector<ReportChannel> state_channels() const override {
    std::vector<ReportChannel> out;
    add_shear_cells(wheel_.def.cells, out);
    out.push_back({"slip_seen", "", "slip over the last contact length, positive if it drives"});
    out.push_back({"sheared_seen", "", "share of the soil that the slip vector has sheared"});
    add_wall_state(out);
    return out;
  }
  WheelForce evaluate(const WheelMotion& motion, std::span<const double> states, const WheelMemory&,
                      std::span<double> derivatives) const override {
    return bekker_janosi_force(wheel_, motion, states, derivatives);
  }
  SteadyWheel steady(const SteadyQuery& query) const override {
    return bekker_janosi_steady(wheel_, query);
  }

 private:
  BekkerJanosiWheel wheel_;
};

class TerraLaw final : public WheelLaw {
 public:
  explicit TerraLaw(const TerraWheel& wheel) : wheel_(wheel) {}
  std::size_t state_count() const override { return wheel_.state_count(); }
  std::vector<ReportChannel> state_channels() const override {
    std::vector<ReportChannel> out = channels();
    add_shear_cells(static_cast<int>(wheel_.N), out);
    add_wall_state(out);
    return out;
  }
  WheelForce evaluate(const WheelMotion& motion, std::span<const double> states, const WheelMemory&,
                      std::span<double> derivatives) const override {
    return terra_force(wheel_, motion, states, derivatives);
  }
  SteadyWheel steady(const SteadyQuery& query) const override {
    return terra_steady(wheel_, query);
  }
  std::vector<ReportChannel> channels() const override {
    return {{"plastic_sinkage", "m", "by which the soil has yielded"},
            {"slip_sinkage", "m", "by which slip has dug the wheel in"}};
  }
  void report(std::span<const double> states, const WheelMemory&,
              std::vector<double>& out) const override {
    out.insert(out.end(), {states[0], states[1]});
  }

 private:
  TerraWheel wheel_;
};

class RheologicalLaw final : public WheelLaw {
 public:
  explicit RheologicalLaw(const RheologicalWheel& wheel) : wheel_(wheel) {}
  std::size_t state_count() const override { return RheologicalWheel::kStates; }
  std::vector<ReportChannel> state_channels() const override {
    return {{"plastic_sinkage", "m", "by which the soil has yielded"},
            {"stretch_x", "m", "of the stuck spring, forwards"},
            {"stretch_y", "m", "of the stuck spring, sidewards"},
            {"integral_x", "m s", "of stretch_x over time"},
            {"integral_y", "m s", "of stretch_y over time"}};
  }
  WheelForce evaluate(const WheelMotion& motion, std::span<const double> states,
                      const WheelMemory& memory, std::span<double> derivatives) const override {
    return rheological_force(wheel_, motion, states, memory, derivatives);
  }
  void commit(const WheelMotion& motion, double time, std::span<const double> states,
              WheelMemory& memory) const override {
    rheological_commit(wheel_, motion, time, states, memory);
  }
  std::size_t event_count() const override { return RheologicalWheel::kEvents; }
  std::vector<ReportChannel> event_channels() const override {
    return {{"switch", "",
             "stuck: what is left of the friction limit, as a share of the nominal load; slipping: "
             "speed over lock_speed, less 1"},
            {"dwell", "s", "until a wheel that is slow sticks; 1 if it does not wait for that"}};
  }
  void events(const WheelMotion& motion, double time, std::span<const double> states,
              const WheelMemory& memory, std::span<double> out) const override {
    rheological_events(wheel_, motion, time, states, memory, out);
  }
  SteadyWheel steady(const SteadyQuery& query) const override {
    return rheological_steady(wheel_, query);
  }
  std::vector<ReportChannel> channels() const override {
    return {{"plastic_sinkage", "m", "by which the soil has yielded"},
            {"sticking", "", "1: held at an anchor, 0: slips"},
            {"switches", "", "between sticking and slipping, so far"}};
  }
  void report(std::span<const double> states, const WheelMemory& memory,
              std::vector<double>& out) const override {
    out.insert(out.end(), {states[0], memory.mode == WheelMemory::Mode::stick ? 1.0 : 0.0,
                           static_cast<double>(memory.switches)});
  }
  std::vector<std::string> notes() const override {
    if (wheel_.def.nominal_load > 0.0) return {};
    return {"rheological.nominal_load is not given; springs are made for " +
            to_text(wheel_.nominal_load, 3) + " N"};
  }

 private:
  RheologicalWheel wheel_;
};

}  // namespace

template <>
std::unique_ptr<WheelLaw> BekkerDef::law(const SoilDef& on, const WheelSize& size,
                                         double gravity) const {
  return std::make_unique<BekkerLaw>(make_bekker_wheel(bekker, on, size, gravity));
}
template <>
std::unique_ptr<WheelLaw> BekkerJanosiContactDef::law(const SoilDef& on, const WheelSize& size,
                                                      double gravity) const {
  return std::make_unique<BekkerJanosiLaw>(
      make_bekker_janosi_wheel(bekker_janosi, on, size, gravity));
}
template <>
std::unique_ptr<WheelLaw> TerraContactDef::law(const SoilDef& on, const WheelSize& size,
                                               double gravity) const {
  return std::make_unique<TerraLaw>(make_terra_wheel(terra, on, size, gravity));
}
template <>
std::unique_ptr<WheelLaw> RheologicalContactDef::law(const SoilDef& on, const WheelSize& size,
                                                     double gravity) const {
  return std::make_unique<RheologicalLaw>(make_rheological_wheel(rheological, on, size, gravity));
}

SoilDef soil_under(const WheelSoilDef& def, const SoilDef& soil) {
  SoilDef out;
  soil_parameters().read(merged(soil_parameters().values(soil), def.properties), out,
                         "contact.properties");
  return out;
}

std::unique_ptr<WheelLaw> make_wheel_law(const WheelSoilDef& def, const SoilDef& soil,
                                         const WheelSize& size, double gravity) {
  return def.law(soil_under(def, soil), size, gravity);
}

std::shared_ptr<const WheelSoilDef> read_wheel_soil(const std::string& model, const Value& table,
                                                    const std::string& path) {
  if (std::find(std::begin(kWheelModels), std::end(kWheelModels), model) ==
      std::end(kWheelModels)) {
    const std::vector<std::string> names = wheel_model_names();
    throw InputError(table.place(), "'" + model + "' is no model of a wheel on soil" +
                                        suggestion(model, names) + " (of " + join(names) + ")");
  }
  Value complete = table;
  if (!complete.find("soil")) set_at_path(complete, "soil", Value("soil"));
  if (!complete.find("objects"))
    set_at_path(complete, "objects", Value(Value::Array{Value("wheel")}));
  const std::shared_ptr<ContactDef> def =
      find_model(soil_models(), model, table.place()).read(complete, path);
  return std::dynamic_pointer_cast<const WheelSoilDef>(def);
}

std::pair<double, double> extent_along(const TriangleMesh& mesh, const Vec3& axis) {
  std::pair<double, double> out(1e300, -1e300);
  for (const Vec3& vertex : mesh.vertices) {
    out.first = std::min(out.first, vertex.dot(axis));
    out.second = std::max(out.second, vertex.dot(axis));
  }
  return out;
}

WheelSize measure_wheel(const TriangleMesh& mesh, const Vec3& axis) {
  const Vec3 a = axis.normalized();
  const auto radius_of = [&](const Vec3& p) { return (p - p.dot(a) * a).norm(); };
  double tip = 0.0;
  for (const Vec3& vertex : mesh.vertices) tip = std::max(tip, radius_of(vertex));
  // Area that faces outwards, by the radius of the triangle's highest corner.
  std::vector<std::pair<double, double>> outwards;
  double all = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const TriangleFace face = face_of(mesh, t);
    double radius = 0.0;
    Vec3 middle = Vec3::Zero();
    for (const int index : mesh.triangles[t]) {
      const Vec3& corner = mesh.vertices[static_cast<std::size_t>(index)];
      radius = std::max(radius, radius_of(corner));
      middle += corner / 3.0;
    }
    const Vec3 across = middle - middle.dot(a) * a;
    if (face.normal.dot(across) < 0.7 * across.norm()) continue;
    outwards.emplace_back(radius, face.area);
    all += face.area;
  }
  std::sort(outwards.begin(), outwards.end());
  WheelSize size;
  const auto [least, most] = extent_along(mesh, a);
  size.width = most - least;
  size.radius = tip;
  double sum = 0.0;
  for (const auto& [radius, area] : outwards) {
    sum += area;
    if (sum < 0.5 * all) continue;
    if (tip - radius > 0.01 * tip) size.radius = radius;
    break;
  }
  size.grouser_height = tip - size.radius;
  // Blades across the whole tread; what stands apart counts by its share of the width.
  if (size.grouser_height > 0.0)
    if (const auto tread = find_tread(mesh, a, 0.5 * (least + most) * a))
      size.grouser_count = tread->along.density / tread->height() * 2.0 * kPi * size.radius;
  return size;
}

}  // namespace grouser
