#include "grouser/soil/wheel_soil.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/soil/wheel_ground.h"

namespace grouser {
namespace {

/// One wheel: where it is on its body, how large, and how each soil of the ground answers it.
struct Wheel {
  std::string name, body;
  Vec3 p_BC = Vec3::Zero();   // centre
  Vec3 axis = Vec3::UnitY();  // unit, in the body's frame
  WheelSize size;
  std::vector<std::unique_ptr<WheelLaw>> laws;  // by number of the soil
  std::shared_ptr<const WheelGround> ground;
  std::size_t port = 0, first_state = 0, state_count = 0, first_event = 0, event_count = 0;
};

class WheelSoilMemory final : public ContactMemory {
 public:
  explicit WheelSoilMemory(std::size_t count) : wheels(count), left_map(count, 0) {}

  std::vector<WheelMemory> wheels;
  std::vector<std::uint8_t> left_map;  // at some accepted step

  std::unique_ptr<ContactMemory> clone() const override {
    return std::make_unique<WheelSoilMemory>(*this);
  }
  void save(std::vector<std::byte>& out) const override {
    append(out, std::as_bytes(std::span(wheels)));
    append(out, std::as_bytes(std::span(left_map)));
  }
  std::size_t restore(std::span<const std::byte> in) override {
    const std::size_t size = wheels.size() * sizeof(WheelMemory) + left_map.size();
    if (in.size() < size) throw InputError("saved contact memory is too short");
    std::memcpy(wheels.data(), in.data(), wheels.size() * sizeof(WheelMemory));
    std::memcpy(left_map.data(), in.data() + wheels.size() * sizeof(WheelMemory), left_map.size());
    return size;
  }

 private:
  static_assert(std::is_trivially_copyable_v<WheelMemory>);
  static void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
};

/// The contact frame of a wheel in the ground's frame T, and its motion there.
struct Stand {
  Vec3 ahead, left, normal, axis, p_TC;
  double height = 0.0;  // of the centre over the ground
  bool inside = true;
  WheelMotion motion;
};

/// What one wheel answers: on the wheel, about its centre, in T.
struct Answer {
  WheelForce force;
  Wrench wrench_T;
  double sinkage = 0.0;
  Status status = Status::ok;
};

class WheelSoil final : public ContactModel {
 public:
  WheelSoil(const SoilGroundDef& ground, std::vector<Wheel> wheels, double gravity)
      : ground_(ground), wheels_(std::move(wheels)), gravity_(gravity) {
    for (Wheel& wheel : wheels_) {
      GROUSER_ASSERT(!wheel.laws.empty());
      const auto known = std::find(bodies_.begin(), bodies_.end(), wheel.body);
      wheel.port = static_cast<std::size_t>(known - bodies_.begin());
      if (known == bodies_.end()) bodies_.push_back(wheel.body);
      wheel.first_state = states_;
      wheel.state_count = wheel.laws[0]->state_count();
      states_ += wheel.state_count;
      wheel.first_event = events_;
      wheel.event_count = wheel.laws[0]->event_count();
      events_ += wheel.event_count;
    }
    bodies_.push_back(ground_.body);
  }

  std::vector<std::string> body_names() const override { return bodies_; }
  std::size_t state_count() const override { return states_; }
  std::vector<ReportChannel> state_channels() const override {
    return of_all_wheels(&WheelLaw::state_channels);
  }
  double state_scale() const override { return 1e-3; }  // sinkages and shear displacements [m]
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<WheelSoilMemory>(wheels_.size());
  }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                  ContactOutput& out) const override {
    const Pose X_WT = ground_pose(in);
    const std::span<Answer> answers = scratch.take<Answer>(wheels_.size());
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      answers[i] = answer_of(in, X_WT, memory, i, out.state_derivatives);
    return gather(in, X_WT, answers, out);
  }

  const void* prepare_perturbations(const ContactInput& in, const ContactMemory& memory,
                                    Scratch& scratch) const override {
    const Pose X_WT = ground_pose(in);
    const std::span<Prepared> prepared = scratch.take<Prepared>(1);
    prepared[0].bodies = scratch.take<BodyKinematics>(in.bodies.size());
    prepared[0].states = scratch.take<double>(states_);
    prepared[0].derivatives = scratch.take<double>(states_);
    prepared[0].answers = scratch.take<Answer>(wheels_.size());
    std::copy(in.bodies.begin(), in.bodies.end(), prepared[0].bodies.begin());
    std::copy(in.states.begin(), in.states.end(), prepared[0].states.begin());
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      prepared[0].answers[i] = answer_of(in, X_WT, memory, i, prepared[0].derivatives);
    return prepared.data();
  }

  /// Only wheels that have been moved, or whose states have, are asked again.
  Status evaluate_perturbed(const ContactInput& in, const ContactMemory& memory, const void* before,
                            Scratch& scratch, ContactOutput& out) const override {
    const auto& prepared = *static_cast<const Prepared*>(before);
    const auto moved = [&](std::size_t port) {
      return !(in.bodies[port] == prepared.bodies[port]);
    };
    const bool all = moved(in.bodies.size() - 1);
    const Pose X_WT = ground_pose(in);
    const std::span<Answer> answers = scratch.take<Answer>(wheels_.size());
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& wheel = wheels_[i];
      const std::span<const double> now = states_of(in, wheel);
      const bool same =
          std::equal(now.begin(), now.end(),
                     prepared.states.begin() + static_cast<std::ptrdiff_t>(wheel.first_state));
      if (all || moved(wheel.port) || !same) {
        answers[i] = answer_of(in, X_WT, memory, i, out.state_derivatives);
        continue;
      }
      answers[i] = prepared.answers[i];
      for (std::size_t k = wheel.first_state; k < wheel.first_state + wheel.state_count; ++k)
        out.state_derivatives[k] = prepared.derivatives[k];
    }
    return gather(in, X_WT, answers, out);
  }

  void commit(const ContactInput& in, ContactMemory& memory, Scratch&) const override {
    const Pose X_WT = ground_pose(in);
    auto& remembered = static_cast<WheelSoilMemory&>(memory);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& wheel = wheels_[i];
      const Stand stand = stand_of(in, X_WT, wheel);
      if (!stand.inside) remembered.left_map[i] = 1;
      if (wheel.event_count == 0) continue;
      law_under(wheel, stand)
          .commit(stand.motion, in.time, states_of(in, wheel), remembered.wheels[i]);
    }
  }

  std::size_t event_count() const override { return events_; }
  std::vector<ReportChannel> event_channels() const override {
    return of_all_wheels(&WheelLaw::event_channels);
  }
  void event_functions(const ContactInput& in, const ContactMemory& memory, Scratch&,
                       std::span<double> out) const override {
    GROUSER_ASSERT(out.size() == events_);
    const Pose X_WT = ground_pose(in);
    const auto& remembered = static_cast<const WheelSoilMemory&>(memory);
    for (std::size_t i = 0; i < wheels_.size() && events_ > 0; ++i) {
      const Wheel& wheel = wheels_[i];
      const Stand stand = stand_of(in, X_WT, wheel);
      law_under(wheel, stand)
          .events(stand.motion, in.time, states_of(in, wheel), remembered.wheels[i],
                  out.subspan(wheel.first_event, wheel.event_count));
    }
  }

  std::vector<ReportChannel> report_channels() const override;
  void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
              ContactReport& out) const override;
  std::vector<std::string> notes() const override;
  /// Of each wheel, that it left the map and that it chatters.
  std::size_t warning_count() const override { return 2 * wheels_.size(); }
  bool warns(const ContactMemory& memory, std::size_t warning) const override;
  std::string warning(const ContactMemory& memory, std::size_t warning) const override;
  std::string refuse_start(const ContactInput& in, const ContactMemory& memory,
                           Scratch& scratch) const override;

  std::optional<GroundArea> ground_area(const ContactInput& in) const override {
    std::vector<Vec3> places;
    for (const Wheel& wheel : wheels_) places.push_back(in.bodies[wheel.port].X_WB.p);
    std::optional<GroundArea> area = recorded_area(ground_, in.bodies.back().X_WB, places);
    if (area) area->changes = false;
    return area;
  }
  std::uint64_t ground_heights(const ContactMemory&, const GroundArea& area, std::uint64_t stamp,
                               std::span<double> heights) const override;

 private:
  struct Prepared {
    std::span<BodyKinematics> bodies;
    std::span<double> states, derivatives;
    std::span<Answer> answers;
  };

  /// The name of a wheel stands before its numbers if there are several.
  std::string prefix_of(const Wheel& wheel) const {
    return wheels_.size() == 1 ? "" : wheel.name + "/";
  }
  std::vector<ReportChannel> of_all_wheels(std::vector<ReportChannel> (WheelLaw::*channels)()
                                               const) const {
    std::vector<ReportChannel> out;
    for (const Wheel& wheel : wheels_)
      for (const ReportChannel& c : (*wheel.laws[0].*channels)())
        out.push_back({prefix_of(wheel) + c.name, c.unit, c.meaning});
    return out;
  }

  static std::span<const double> states_of(const ContactInput& in, const Wheel& wheel) {
    return in.states.subspan(wheel.first_state, wheel.state_count);
  }

  Pose ground_pose(const ContactInput& in) const { return in.bodies.back().X_WB * ground_.X_BT; }
  Stand stand_of(const ContactInput& in, const Pose& X_WT, const Wheel& wheel) const;
  Answer answer_of(const ContactInput& in, const Pose& X_WT, const ContactMemory& memory,
                   std::size_t i, std::span<double> derivatives) const;
  Status gather(const ContactInput& in, const Pose& X_WT, std::span<const Answer> answers,
                ContactOutput& out) const;

  /// The law of the soil that has most of the place under the wheel.
  static const WheelLaw& law_under(const Wheel& wheel, const Stand& stand) {
    const WheelGround::Shares shares = wheel.ground->soils_under(stand.p_TC);
    const auto most = std::max_element(
        shares.begin(), shares.end(),
        [](const auto& one, const auto& other) { return one.share < other.share; });
    return *wheel.laws[most->soil];
  }

  SoilGroundDef ground_;
  std::vector<Wheel> wheels_;
  double gravity_;
  std::vector<std::string> bodies_;  // of the wheels, then of the ground
  std::size_t states_ = 0, events_ = 0;
};

Stand WheelSoil::stand_of(const ContactInput& in, const Pose& X_WT, const Wheel& wheel) const {
  const BodyKinematics& base = in.bodies.back();
  const BodyKinematics& body = in.bodies[wheel.port];
  const Vec3 p_BC_W = body.X_WB.R * wheel.p_BC;
  const Vec3 p_WC = body.X_WB.p + p_BC_W;
  const Vec3 v_W = body.V_WB.at(p_BC_W) - base.V_WB.at(p_WC - base.X_WB.p);
  const Mat3 R_TW = X_WT.R.transpose();

  Stand out;
  out.p_TC = R_TW * (p_WC - X_WT.p);
  out.axis = R_TW * (body.X_WB.R * wheel.axis);
  const WheelGround::Plane plane = wheel.ground->under(out.p_TC);
  out.normal = plane.normal;
  out.height = plane.height;
  out.inside = plane.inside;
  // Forwards is across the axis and along the ground. A wheel that lies on its side has no such
  // direction, and no radius towards the ground either, so any will do.
  const Vec3 across = out.axis.cross(out.normal);
  const double upright = across.norm();
  out.ahead = upright > 1e-6 ? Vec3(across / upright) : out.normal.unitOrthogonal();
  out.left = out.normal.cross(out.ahead);
  GROUSER_ASSERT(!(std::abs(out.left.norm() - 1.0) > 1e-6));

  const Vec3 v_T = R_TW * v_W;
  const Vec3 w_T = R_TW * (body.V_WB.w - base.V_WB.w);
  out.motion.sinkage = wheel.size.radius * upright - plane.height;
  out.motion.sinkage_rate = -v_T.dot(out.normal);
  out.motion.forward = v_T.dot(out.ahead);
  out.motion.lateral = v_T.dot(out.left);
  out.motion.spin = w_T.dot(out.axis);
  out.motion.yaw = w_T.dot(out.normal);
  const double level = out.ahead.head<2>().norm();
  out.motion.slope = level > 0.0 ? out.ahead.z() / level : 0.0;
  return out;
}

void add(WheelForce& sum, const WheelForce& f, double share) {
  for (double WheelForce::*member :
       {&WheelForce::normal, &WheelForce::drawbar, &WheelForce::side, &WheelForce::torque,
        &WheelForce::yaw_torque, &WheelForce::thrust, &WheelForce::length})
    sum.*member += share * f.*member;
}

Answer WheelSoil::answer_of(const ContactInput& in, const Pose& X_WT, const ContactMemory& memory,
                            std::size_t i, std::span<double> derivatives) const {
  const Wheel& wheel = wheels_[i];
  GROUSER_ASSERT(dynamic_cast<const WheelSoilMemory*>(&memory) && derivatives.size() == states_);
  const auto& remembered = static_cast<const WheelSoilMemory&>(memory);
  const Stand stand = stand_of(in, X_WT, wheel);
  const std::span<const double> states = states_of(in, wheel);
  const std::span<double> rates = derivatives.subspan(wheel.first_state, wheel.state_count);

  Answer out;
  out.sinkage = stand.motion.sinkage;
  const WheelGround::Shares soils = wheel.ground->soils_under(stand.p_TC);
  if (soils.size() == 1) {
    out.force =
        wheel.laws[soils[0].soil]->evaluate(stand.motion, states, remembered.wheels[i], rates);
  } else {
    constexpr std::size_t kMostStates = 32;
    std::array<double, kMostStates> sum{};
    GROUSER_ASSERT(rates.size() <= kMostStates);
    for (const auto& [soil, share] : soils) {
      add(out.force, wheel.laws[soil]->evaluate(stand.motion, states, remembered.wheels[i], rates),
          share);
      for (std::size_t s = 0; s < rates.size(); ++s) sum[s] += share * rates[s];
    }
    std::copy_n(sum.begin(), rates.size(), rates.begin());
  }
  const WheelForce& f = out.force;
  out.wrench_T.force = f.normal * stand.normal + f.drawbar * stand.ahead + f.side * stand.left;
  // The side force acts where the wheel stands, the others are given about its centre.
  out.wrench_T.torque = -f.torque * stand.axis + f.yaw_torque * stand.normal +
                        std::max(0.0, stand.height) * f.side * stand.ahead;
  const double sum = out.wrench_T.force.sum() + out.wrench_T.torque.sum();
  // Sunk to its axle, the laws mean nothing any more.
  if (!std::isfinite(sum) || stand.motion.sinkage > wheel.size.radius)
    out.status = Status::impossible;
  return out;
}

Status WheelSoil::gather(const ContactInput& in, const Pose& X_WT, std::span<const Answer> answers,
                         ContactOutput& out) const {
  GROUSER_ASSERT(answers.size() == wheels_.size() && out.wrenches.size() == in.bodies.size());
  const BodyKinematics& base = in.bodies.back();
  const Mat3& R_WT = X_WT.R;
  std::fill(out.wrenches.begin(), out.wrenches.end(), Wrench{});
  out.penetration = 0.0;
  Status worst = Status::ok;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const BodyKinematics& body = in.bodies[wheels_[i].port];
    const Wrench at_centre{R_WT * answers[i].wrench_T.torque, R_WT * answers[i].wrench_T.force};
    // moved_by() goes to a point that lies that far away.
    const Wrench at_body = at_centre.moved_by(-(body.X_WB.R * wheels_[i].p_BC));
    out.wrenches[wheels_[i].port] += at_body;
    out.wrenches.back() += -at_body.moved_by(base.X_WB.p - body.X_WB.p);
    out.penetration = std::max(out.penetration, answers[i].sinkage);
    worst = worse(worst, answers[i].status);
  }
  return worst;
}

std::vector<ReportChannel> WheelSoil::report_channels() const {
  std::vector<ReportChannel> out;
  for (const Wheel& wheel : wheels_) {
    const std::string prefix = prefix_of(wheel);
    const auto add_channel = [&](const ReportChannel& c) {
      out.push_back({prefix + c.name, c.unit, c.meaning});
    };
    add_channel({"sinkage", "m", "of the rim below the undisturbed ground"});
    add_channel({"contact_area", "m^2", "width times length of the contact"});
    add_channel({"normal_force", "N", "across the ground"});
    add_channel({"drawbar_pull", "N", "forwards: across the axis, along the ground"});
    add_channel({"side_force", "N", "to the left, along the ground"});
    add_channel({"drive_torque", "Nm", "about the axis, that the soil asks for"});
    add_channel({"slip", "", "(rim speed - travel) / the larger of them; 0 at rest"});
    for (const ReportChannel& c : wheel.laws[0]->channels()) add_channel(c);
  }
  return out;
}

void WheelSoil::report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                       ContactReport& out) const {
  const auto& remembered = static_cast<const WheelSoilMemory&>(memory);
  const std::span<double> derivatives = scratch.take<double>(states_);
  const Pose X_WT = ground_pose(in);
  out.channels.clear();
  out.patch.clear();
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const Wheel& wheel = wheels_[i];
    const Stand stand = stand_of(in, X_WT, wheel);
    const Answer answer = answer_of(in, X_WT, memory, i, derivatives);
    const WheelForce& f = answer.force;
    const double rim = stand.motion.spin * wheel.size.shear_radius();
    const bool touches = answer.wrench_T.force != Vec3(Vec3::Zero());
    const double area = touches ? wheel.size.width * f.length : 0.0;
    out.channels.insert(out.channels.end(),
                        {std::max(0.0, stand.motion.sinkage), area, f.normal, f.drawbar, f.side,
                         f.torque, reported_slip(rim, stand.motion.forward)});
    law_under(wheel, stand).report(states_of(in, wheel), remembered.wheels[i], out.channels);
    if (touches) {
      const Vec3 p_T = stand.p_TC - stand.height * stand.normal;
      out.patch.push_back({X_WT * p_T, X_WT.R * answer.wrench_T.force, stand.motion.sinkage, area,
                           static_cast<int>(i)});
    }
  }
}

std::vector<std::string> WheelSoil::notes() const {
  std::vector<std::string> out = low_gravity_notes(ground_, gravity_);
  for (const std::vector<SoilLayer>& column : soils_of(ground_))
    if (column.size() > 1) {
      out.push_back("soil '" + ground_.name +
                    "' has layers; wheel models feel the uppermost alone, scm all of them");
      break;
    }
  // Wheels that are alike have the same to say: the first says it.
  std::vector<std::string> said;
  for (const Wheel& wheel : wheels_)
    for (const std::string& note : wheel.laws[0]->notes()) {
      if (std::find(said.begin(), said.end(), note) != said.end()) continue;
      said.push_back(note);
      out.push_back("wheel '" + wheel.name + "': " + note);
    }
  return out;
}

bool WheelSoil::warns(const ContactMemory& memory, std::size_t warning) const {
  const auto& remembered = static_cast<const WheelSoilMemory&>(memory);
  const std::size_t wheel = warning / 2;
  return warning % 2 == 0 ? remembered.left_map[wheel] != 0
                          : remembered.wheels[wheel].most_in_window > kChatter;
}

std::string WheelSoil::warning(const ContactMemory& memory, std::size_t warning) const {
  const std::size_t wheel = warning / 2;
  if (warning % 2 == 0)
    return "wheel '" + wheels_[wheel].name + "' left the soil '" + ground_.name +
           "'; the ground was taken to go on along its border";
  const auto& remembered = static_cast<const WheelSoilMemory&>(memory);
  return "wheel '" + wheels_[wheel].name +
         "' chatters: it switched between sticking and slipping " +
         std::to_string(remembered.wheels[wheel].most_in_window) + " times within a second";
}

std::string WheelSoil::refuse_start(const ContactInput& in, const ContactMemory&, Scratch&) const {
  const Pose X_WT = ground_pose(in);
  for (const Wheel& wheel : wheels_) {
    const Stand stand = stand_of(in, X_WT, wheel);
    if (stand.motion.sinkage > wheel.size.radius)
      return "wheel '" + wheel.name + "' is " + to_text(stand.motion.sinkage, 3) +
             " m below the soil '" + ground_.name + "', deeper than to its axle (" +
             to_text(wheel.size.radius, 3) + " m); put it on the ground";
  }
  return {};
}

std::uint64_t WheelSoil::ground_heights(const ContactMemory&, const GroundArea& area,
                                        std::uint64_t stamp, std::span<double> heights) const {
  GROUSER_ASSERT(heights.size() == area.nx * area.ny);
  if (stamp > 0) return stamp;
  // Viewers get the ground as it was given, not smoothed.
  std::optional<ElevationMap> map;
  if (ground_.heights)
    map.emplace(*ground_.heights, ElevationMap::Kind::bilinear, ElevationMap::Border::clamp);
  const Vec3& origin = ground_.X_BT.p;
  for (std::size_t iy = 0; iy < area.ny; ++iy)
    for (std::size_t ix = 0; ix < area.nx; ++ix) {
      const Vec2 p = area.origin - origin.head<2>() +
                     area.spacing * Vec2(static_cast<double>(ix), static_cast<double>(iy));
      heights[iy * area.nx + ix] = origin.z() + (map ? map->height(p.x(), p.y()) : 0.0);
    }
  return 1;
}

/// The mesh of a wheel in the frame of its shape.
TriangleMesh wheel_mesh(const WheelSoilDef& def, const ShapeDef& shape) {
  if (const auto* given = std::get_if<MeshShape>(&shape.geometry)) return *given->mesh;
  if (const auto* body = std::get_if<ConvexBody>(&shape.geometry)) return mesh_of(*body);
  throw InputError(def.place, "contact.objects: shape '" + shape.name + "' is a " +
                                  std::string(geometry_name(shape.geometry)) +
                                  ", it must be a mesh or a convex body that is a wheel");
}

Wheel make_wheel(const WheelSoilDef& def, const ShapeDef& shape) {
  Wheel wheel;
  wheel.name = shape.name;
  wheel.body = shape.body;
  wheel.axis = axis_of(def, shape);
  const Vec3 axis_S = shape.X_BS.R.transpose() * wheel.axis;
  const TriangleMesh mesh = wheel_mesh(def, shape);
  wheel.size = measure_wheel(mesh, axis_S);
  // In the middle of its width, on the axis.
  const auto [least, most] = extent_along(mesh, axis_S);
  wheel.p_BC = shape.X_BS * (0.5 * (least + most) * axis_S);
  if (def.radius > 0.0) wheel.size.radius = def.radius;
  if (def.width > 0.0) wheel.size.width = def.width;
  if (def.grouser_height >= 0.0) wheel.size.grouser_height = def.grouser_height;
  wheel.size.grouser_share = def.grouser_share;
  if (def.grouser_count >= 0.0) wheel.size.grouser_count = def.grouser_count;
  wheel.size.wall_friction = def.wall_friction;
  if (!(wheel.size.radius > 0.0 && wheel.size.width > 0.0))
    throw InputError(def.place, "contact.objects: shape '" + shape.name +
                                    "' has no width or no radius about contact.axis; is the axis "
                                    "right?");
  return wheel;
}

}  // namespace

std::unique_ptr<ContactModel> WheelSoilDef::build(const ShapeTable& shapes) const {
  check();
  const SoilGroundDef& ground = soil_of(shapes, soil, place, "contact.soil");
  std::vector<Wheel> wheels;
  for (const ShapeDef* shape : shapes_on_soil(*this, shapes)) {
    Wheel wheel = make_wheel(*this, *shape);
    const double length =
        footprint > 0.0 ? footprint : 0.5 * std::min(wheel.size.radius, wheel.size.width);
    wheel.ground = shapes.shared<WheelGround>("wheel ground " + soil + " " + to_text(length),
                                              [&] { return WheelGround(ground, length); });
    for (const std::vector<SoilLayer>& column : soils_of(ground)) {
      const SoilDef top = soil_under(*this, column[0].soil);
      require_soil(top, soil, shapes.gravity(), place);
      if (!(pressure_modulus(top, wheel.size.width, shapes.gravity()) > 0.0))
        throw InputError(place, "soil '" + soil + "' does not carry wheel '" + shape->name +
                                    "': its pressure modulus under a width of " +
                                    to_text(wheel.size.width, 3) + " m is not positive");
      wheel.laws.push_back(law(top, wheel.size, shapes.gravity()));
    }
    wheels.push_back(std::move(wheel));
  }
  return std::make_unique<WheelSoil>(ground, std::move(wheels), shapes.gravity());
}

}  // namespace grouser
