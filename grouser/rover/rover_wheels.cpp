#include "grouser/rover/rover_wheels.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/rover/rover_wheel_size.h"

namespace grouser {
namespace {

const double kLateral = std::cos(kPi / 4.0);  // cosine of the greatest angle to the rover's y
const double kUpright = std::cos(kPi / 6.0);  // the same for steering, to its z

bool called_like_a_wheel(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name.find("wheel") != std::string::npos;
}

/// The tree of a model, asked about bodies and joints by their indices; -1: none.
class Finder {
 public:
  Finder(const MujocoModel& model, const RoverSearch& search) : model_(model), search_(search) {}

  RoverFacts find() {
    find_chassis();
    weigh();
    wheel_bodies_ = search_.wheels.empty() ? bodies_like_wheels() : bodies_by_pattern();
    drop_carriers(wheel_bodies_);
    for (const int body : wheel_bodies_) facts_.wheels.push_back(describe(body));
    if (!unmeasured_.empty())
      note("the file has no geometry of " + join(unmeasured_) + ": how large " +
           (unmeasured_.size() > 1 ? "they are" : "it is") + " is not known");
    note_shared_steering();
    look_at_suspension();
    return std::move(facts_);
  }

 private:
  const ModelBody& body_of(int body) const { return model_.bodies[static_cast<std::size_t>(body)]; }
  const ModelJoint& joint_of(int joint) const {
    return model_.joints[static_cast<std::size_t>(joint)];
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw InputError(search_.place, "rover." + key + ": " + what);
  }
  void note(const std::string& text) { facts_.notes.push_back(text); }

  std::vector<int> joints_of(int body) const {
    std::vector<int> out;
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (static_cast<int>(model_.joints[j].body) == body) out.push_back(static_cast<int>(j));
    return out;
  }
  /// Whether `body` is carried by `other`, directly or not.
  bool hangs_on(int body, int other) const {
    for (int b = body_of(body).parent; b >= 0; b = body_of(b).parent)
      if (b == other) return true;
    return false;
  }
  bool in_rover(int body) const { return hangs_on(body, chassis_); }
  /// The body that a body without joints is welded to.
  int welded_to(int body) const {
    while (body != chassis_ && body >= 0 && joints_of(body).empty()) body = body_of(body).parent;
    return body;
  }
  Vec3 axis_R(int joint) const {
    const ModelJoint& j = joint_of(joint);
    return X_RW_.R * model_.bodies[j.body].X_WB.R * j.axis;
  }
  Vec3 anchor_R(int joint) const {
    const ModelJoint& j = joint_of(joint);
    return X_RW_ * (model_.bodies[j.body].X_WB * j.anchor);
  }

  // The rover.
  void find_chassis();
  void weigh();

  // Its wheels.
  std::vector<int> bodies_like_wheels();
  std::vector<int> bodies_by_pattern() const;
  std::vector<std::string> bodies_that_roll() const;
  void drop_carriers(std::vector<int>& wheels);
  int nearest_to_lateral(int body) const;
  int spin_joint(int body) const;
  int steering_joint(int spin) const;
  RoverWheel describe(int body);
  void measure(int body, const Vec3& anchor_B, RoverWheel& wheel);

  // What carries them.
  void note_shared_steering();
  void look_at_suspension();
  bool coupled(const std::string& joint) const;

  const MujocoModel& model_;
  const RoverSearch& search_;
  RoverFacts facts_;
  std::vector<std::string> unmeasured_;  // wheels
  std::vector<int> wheel_bodies_;        // of facts_.wheels
  int chassis_ = -1;
  Pose X_RW_;
};

// --- the rover
// ------------------------------------------------------------------------------------

void Finder::find_chassis() {
  std::vector<int> free;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    if (model_.joints[j].kind != JointKind::free) continue;
    free.push_back(static_cast<int>(j));
    names.push_back(model_.bodies[model_.joints[j].body].name);
  }
  if (free.empty())
    refuse("body",
           "no body of the mechanism is free to move; give the body of the rover a <freejoint>, or "
           "write mechanism.base = \"floating\" for a URDF");
  int found = -1;
  if (!search_.chassis.empty()) {
    const auto at = std::find(names.begin(), names.end(), search_.chassis);
    if (at == names.end())
      refuse("body", quoted_name(search_.chassis) + " is no body with a free joint" +
                         suggestion(search_.chassis, names));
    found = free[static_cast<std::size_t>(at - names.begin())];
  } else if (free.size() == 1) {
    found = free[0];
  } else {
    // Of several free bodies, the only one that others hang on: the rest are rocks and the like.
    for (const int joint : free) {
      const int body = static_cast<int>(joint_of(joint).body);
      const bool carries = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                       [&](const ModelBody& b) { return b.parent == body; });
      if (carries && found >= 0) refuse("body", "which is it, of " + join(names) + "?");
      if (carries) found = joint;
    }
    if (found < 0) refuse("body", "which is it, of " + join(names) + "?");
  }
  chassis_ = static_cast<int>(joint_of(found).body);
  facts_.chassis = body_of(chassis_).name;
  facts_.free_joint = joint_of(found).name;
  X_RW_ = body_of(chassis_).X_WB.inverse();
}

void Finder::weigh() {
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
    if (b != chassis_ && !in_rover(b)) continue;
    const ModelBody& body = body_of(b);
    facts_.mass += body.mass;
    facts_.p_RM += body.mass * (X_RW_ * (body.X_WB * body.center));
  }
  if (facts_.mass > 0.0) facts_.p_RM /= facts_.mass;
}

// --- its wheels
// -----------------------------------------------------------------------------------

/// The hinge of a body, or of the one it is welded to, whose axis is nearest to the rover's y.
int Finder::nearest_to_lateral(int body) const {
  const int moved = welded_to(body);
  if (moved < 0 || moved == chassis_) return -1;
  int best = -1;
  for (const int joint : joints_of(moved)) {
    if (joint_of(joint).kind != JointKind::hinge) continue;
    if (best < 0 || std::abs(axis_R(joint).y()) > std::abs(axis_R(best).y())) best = joint;
  }
  return best;
}

int Finder::spin_joint(int body) const {
  const int joint = nearest_to_lateral(body);
  return joint >= 0 && std::abs(axis_R(joint).y()) >= kLateral ? joint : -1;
}

/// Bodies that might be wheels by how they move, for messages.
std::vector<std::string> Finder::bodies_that_roll() const {
  std::vector<std::string> out;
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
    if (!in_rover(b) || joints_of(b).empty() || spin_joint(b) < 0) continue;
    const bool carries =
        std::any_of(model_.joints.begin(), model_.joints.end(),
                    [&](const auto& j) { return hangs_on(static_cast<int>(j.body), b); });
    if (!carries) out.push_back(body_of(b).name);
  }
  return out;
}

std::vector<int> Finder::bodies_like_wheels() {
  std::vector<int> out;
  std::vector<std::string> rigid;
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
    if (!in_rover(b) || !called_like_a_wheel(body_of(b).name)) continue;
    if (spin_joint(b) >= 0)
      out.push_back(b);
    else
      rigid.push_back(body_of(b).name);
  }
  // What carries a wheel, or hangs on one, is called so for a reason.
  std::erase_if(rigid, [&](const std::string& name) {
    return std::any_of(out.begin(), out.end(), [&](int wheel) {
      for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b)
        if (body_of(b).name == name) return hangs_on(b, wheel) || hangs_on(wheel, b);
      return false;
    });
  });
  if (out.empty()) {
    const std::vector<std::string> rolling = bodies_that_roll();
    refuse("wheels",
           (rigid.empty() ? std::string("no body of the rover is called like a wheel")
                          : "no hinge turns " + join(rigid) + " about the rover's y axis") +
               (rolling.empty() ? "; x must be forward, y left, z up"
                                : "; name the wheels, perhaps of " + join(rolling)));
  }
  if (!rigid.empty())
    note(join(rigid) + (rigid.size() > 1 ? " are called like wheels" : " is called like a wheel") +
         ", but no hinge turns " + (rigid.size() > 1 ? "them" : "it") +
         " about the rover's y axis: not taken as " + (rigid.size() > 1 ? "wheels" : "a wheel"));
  return out;
}

std::vector<int> Finder::bodies_by_pattern() const {
  std::vector<std::string> names;
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b)
    if (in_rover(b)) names.push_back(body_of(b).name);
  for (const std::string& pattern : search_.wheels)
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return matches_pattern(pattern, name); }))
      refuse("wheels",
             "no body of the rover is called " + quoted_name(pattern) + suggestion(pattern, names));
  std::vector<int> out;
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b)
    if (in_rover(b) &&
        std::any_of(search_.wheels.begin(), search_.wheels.end(), [&](const std::string& pattern) {
          return matches_pattern(pattern, body_of(b).name);
        }))
      out.push_back(b);
  return out;
}

/// Leaves one body per wheel; refuses what cannot roll.
void Finder::drop_carriers(std::vector<int>& wheels) {
  const std::vector<int> all = wheels;
  const auto is_other_wheel = [&](int body, int other) {
    return spin_joint(other) >= 0 && spin_joint(other) != spin_joint(body);
  };
  std::erase_if(wheels, [&](int body) {
    return std::any_of(all.begin(), all.end(), [&](int other) {
      if (hangs_on(other, body)) return is_other_wheel(body, other);
      if (!hangs_on(body, other)) return false;
      return spin_joint(other) >= 0 &&
             (spin_joint(body) < 0 || spin_joint(body) == spin_joint(other));
    });
  });
  for (const int body : wheels) {
    const int joint = nearest_to_lateral(body);
    const std::string who = quoted_name(body_of(body).name);
    if (joint < 0) refuse("wheels", "no hinge turns body " + who);
    if (spin_joint(body) >= 0) continue;
    const Vec3 a = axis_R(joint);
    refuse("wheels", "hinge " + quoted_name(joint_of(joint).name) + " turns body " + who +
                         " about " + to_text(a.x(), 3) + ", " + to_text(a.y(), 3) + ", " +
                         to_text(a.z(), 3) +
                         " of the rover, not about its lateral axis y; in the frame of " +
                         quoted_name(facts_.chassis) + " x must be forward, y left, z up");
  }
}

/// The nearest upright hinge between a wheel's spin and the chassis.
int Finder::steering_joint(int spin) const {
  const auto upright = [&](int joint) {
    return joint_of(joint).kind == JointKind::hinge && std::abs(axis_R(joint).z()) >= kUpright;
  };
  for (int body = static_cast<int>(joint_of(spin).body); body != chassis_;
       body = body_of(body).parent) {
    std::vector<int> joints = joints_of(body);
    std::reverse(joints.begin(), joints.end());  // the last one is nearest to the body
    for (const int joint : joints)
      if (joint != spin && upright(joint)) return joint;
  }
  return -1;
}

RoverWheel Finder::describe(int body) {
  const int spin = spin_joint(body);
  RoverWheel wheel;
  wheel.body = body_of(body).name;
  wheel.spin_joint = joint_of(spin).name;
  wheel.spin_sign = axis_R(spin).y() > 0.0 ? 1.0 : -1.0;
  const Pose X_RB = X_RW_ * body_of(body).X_WB;
  wheel.axis = wheel.spin_sign * (X_RB.R.transpose() * axis_R(spin));
  const Vec3 anchor_B = X_RB.inverse() * anchor_R(spin);
  wheel.p_BC = anchor_B;
  measure(body, anchor_B, wheel);
  wheel.p_RC = X_RB * wheel.p_BC;

  wheel.p_RS = wheel.p_RC;
  const int steering = steering_joint(spin);
  if (steering < 0) return wheel;
  const ModelJoint& joint = joint_of(steering);
  const Vec3 axis = axis_R(steering), anchor = anchor_R(steering);
  wheel.steering_joint = joint.name;
  wheel.steering_sign = axis.z() > 0.0 ? 1.0 : -1.0;
  wheel.p_RS = anchor + (wheel.p_RC.z() - anchor.z()) / axis.z() * axis;
  wheel.steering_least = joint.lower.value_or(-kInfinity);
  wheel.steering_most = joint.upper.value_or(kInfinity);
  if (wheel.steering_sign < 0.0) {
    std::swap(wheel.steering_least, wheel.steering_most);
    wheel.steering_least = -wheel.steering_least;
    wheel.steering_most = -wheel.steering_most;
  }
  return wheel;
}

void Finder::measure(int body, const Vec3& anchor_B, RoverWheel& wheel) {
  // Geoms of everything that turns with the wheel; those that are shown, if any are.
  std::vector<const ModelGeom*> geoms;
  bool shown = false;
  for (const ModelGeom& geom : model_.solids)
    if (geom.body >= 0 && welded_to(geom.body) == welded_to(body)) {
      geoms.push_back(&geom);
      shown = shown || geom.shown;
    }
  std::erase_if(geoms, [&](const ModelGeom* geom) { return shown && !geom->shown; });
  if (geoms.empty()) {
    unmeasured_.push_back(wheel.body);
    return;
  }
  std::vector<TurningGeom> turning;
  const Pose X_BW = body_of(body).X_WB.inverse();
  for (const ModelGeom* geom : geoms) turning.push_back({geom, X_BW * body_of(geom->body).X_WB});
  measure_geoms(turning, anchor_B, wheel);
  if (wheel.width > 3.0 * wheel.radius)
    note("wheel " + quoted_name(wheel.body) + " is " + to_text(wheel.width, 3) +
         " m wide with a radius of " + to_text(wheel.radius, 3) +
         " m: its geometry seems to hold more than a wheel");
}

// --- what carries them
// ------------------------------------------------------------------------------

void Finder::note_shared_steering() {
  for (std::size_t i = 0; i < facts_.wheels.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!facts_.wheels[i].steering_joint.empty() &&
          facts_.wheels[i].steering_joint == facts_.wheels[k].steering_joint)
        note("joint " + quoted_name(facts_.wheels[i].steering_joint) + " steers both " +
             quoted_name(facts_.wheels[k].body) + " and " + quoted_name(facts_.wheels[i].body));
}

bool Finder::coupled(const std::string& joint) const {
  return std::any_of(model_.couplings.begin(), model_.couplings.end(), [&](const CouplingDef& c) {
    return std::any_of(c.joints.begin(), c.joints.end(),
                       [&](const auto& entry) { return entry.first == joint; });
  });
}

/// Rockers without a differential, or many wheels without any suspension.
void Finder::look_at_suspension() {
  struct Rocker {
    int joint;
    int wheels;
    double side;  // sum over its wheels
  };
  std::vector<Rocker> rockers;
  bool any_hinge = false;
  for (std::size_t i = 0; i < facts_.wheels.size(); ++i) {
    const RoverWheel& wheel = facts_.wheels[i];
    int outermost = -1;
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const ModelJoint& joint = model_.joints[j];
      const int body = static_cast<int>(joint.body);
      const bool on_the_way = body == wheel_bodies_[i] || hangs_on(wheel_bodies_[i], body);
      if (!on_the_way || !in_rover(body) || joint.name == wheel.spin_joint ||
          joint.name == wheel.steering_joint)
        continue;
      any_hinge = true;
      if (outermost < 0) outermost = static_cast<int>(j);  // parents stand before their children
    }
    if (outermost < 0) continue;
    auto known = std::find_if(rockers.begin(), rockers.end(),
                              [&](const Rocker& r) { return r.joint == outermost; });
    if (known == rockers.end()) known = rockers.insert(rockers.end(), {outermost, 0, 0.0});
    ++known->wheels;
    known->side += wheel.p_RC.y();
  }
  if (!any_hinge && facts_.wheels.size() >= 6)
    note("no joint between the chassis and its " + std::to_string(facts_.wheels.size()) +
         " wheels lets them follow the ground: are rockers or bogies fixed in the file?");
  if (rockers.size() != 2 || rockers[0].side * rockers[1].side >= 0.0) return;
  if (!model_.loops.empty()) return;  // a linkage may do it
  for (const Rocker& rocker : rockers) {
    const ModelJoint& joint = joint_of(rocker.joint);
    if (rocker.wheels < 2 || joint.kind != JointKind::hinge || coupled(joint.name)) return;
    if (std::abs(axis_R(rocker.joint).y()) < kLateral) return;
  }
  for (const Rocker& rocker : rockers)
    facts_.loose_rockers.emplace_back(joint_of(rocker.joint).name,
                                      axis_R(rocker.joint).y() > 0.0 ? 1.0 : -1.0);
}

}  // namespace

RoverFacts find_rover(const MujocoModel& model, const RoverSearch& search) {
  return Finder(model, search).find();
}

}  // namespace grouser
