#include "grouser/mechanism/urdf_mjcf.h"

#include <urdf_model/model.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/urdf_geometry.h"
#include "grouser/mechanism/urdf_inertia.h"

namespace grouser {
namespace {

Vec3 to_vector(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}
Quat to_quaternion(const urdf::Rotation& q) {
  return Quat(q.w, q.x, q.y, q.z);
}
Pose to_pose(const urdf::Pose& pose) {
  return make_pose(to_vector(pose.position), to_quaternion(pose.rotation));
}

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view key, const std::string& value) {
  return " " + std::string(key) + "=\"" + escaped(value) + "\"";
}

std::string attribute(std::string_view key, std::initializer_list<double> values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(to_text(value));
  return attribute(key, join(words, " "));
}

std::string attribute(std::string_view key, const Vec3& v) {
  return attribute(key, {v.x(), v.y(), v.z()});
}

/// pos and quat, leaving out what is zero.
std::string placement(const Vec3& p, const Quat& q) {
  std::string out;
  if (!p.isZero(0.0)) out += attribute("pos", p);
  if (q.w() != 1.0) out += attribute("quat", {q.w(), q.x(), q.y(), q.z()});
  return out;
}

class Converter {
 public:
  Converter(const UrdfTree& tree, const urdf::ModelInterface& model, UrdfBase base,
            UrdfConversion& result)
      : tree_(tree), model_(model), base_(base), result_(result) {}

  void convert() {
    for (const std::string& link : tree_.links) {
      masses_[link] = link_mass(link);
      list_geometry(link);
    }
    for (const TreeJoint& joint : tree_.joints) read_mimic(joint);
    refuse_mimic_loops();

    line(0, "<mujoco" + attribute("model", model_.getName()) + ">");
    line(1,
         "<compiler angle=\"radian\" coordinate=\"local\" autolimits=\"true\" "
         "inertiafromgeom=\"false\" balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\"/>");
    line(1, "<worldbody>");
    write_root();
    line(1, "</worldbody>");
    line(0, "</mujoco>");
    note_limits();
  }

 private:
  urdf::LinkConstSharedPtr link_of(const std::string& name) const {
    const auto link = model_.getLink(name);
    if (!link)
      throw InputError(tree_.link_places.at(name), "urdfdom lost link " + quoted_name(name));
    return link;
  }
  urdf::JointConstSharedPtr joint_of(const TreeJoint& at) const {
    const auto joint = model_.getJoint(at.name);
    if (!joint) throw InputError(at.place, "urdfdom lost joint " + quoted_name(at.name));
    return joint;
  }
  bool is_fixed(const TreeJoint& joint) const {
    return joint_of(joint)->type == urdf::Joint::FIXED;
  }
  void note(const std::string& text) { result_.notes.push_back(text); }
  void line(int depth, const std::string& text) {
    result_.mjcf += std::string(2 * depth, ' ') + text + "\n";
  }

  // What the links weigh.
  MassProperties link_mass(const std::string& name);
  MassProperties welded_mass(const std::string& name, std::vector<std::string>& carriers) const;
  void list_geometry(const std::string& name);

  // What the joints do.
  void read_mimic(const TreeJoint& at);
  void refuse_mimic_loops() const;
  void note_limits();

  // What is written. `weighed` says that the masses of a body and of the bodies welded to it stand
  // already at the body that carries them.
  void write_root();
  void write_body(const TreeJoint& at, int depth, bool weighed);
  void write_children(const std::string& link, int depth, bool weighed);
  bool write_moving_mass(const std::string& link, int depth);
  std::string estimated_inertial(const std::string& link) const;
  void write_mass(const std::string& who, const MassProperties& body, int depth);
  void write_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_axis_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_planar_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_floating_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_part(const TreeJoint& at, const char* suffix, const char* type, const Vec3* axis,
                  int depth);
  Vec3 unit_axis(const TreeJoint& at, const urdf::Joint& joint) const;

  const UrdfTree& tree_;
  const urdf::ModelInterface& model_;
  UrdfBase base_;
  UrdfConversion& result_;
  std::map<std::string, MassProperties> masses_;
};

MassProperties Converter::link_mass(const std::string& name) {
  const auto link = link_of(name);
  MassProperties body;
  if (!link->inertial) return body;
  const urdf::Inertial& given = *link->inertial;
  const auto refuse = [&](const std::string& what) {
    throw InputError(tree_.link_places.at(name), "link " + quoted_name(name) + ": " + what);
  };

  const Pose X_LI = to_pose(given.origin);
  Mat3 inertia_I;
  inertia_I << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz,
      given.iyz, given.izz;
  if (given.mass < 0.0) refuse("mass must not be negative, is " + to_text(given.mass) + " kg");
  if (given.mass == 0.0 && !inertia_I.isZero(0.0)) refuse("inertia without mass is impossible");
  const std::string why = impossible_inertia(principal_inertia(inertia_I).moments);
  if (!why.empty()) refuse(why);

  body.mass = given.mass;
  body.center = X_LI.p;
  body.inertia = X_LI.R * inertia_I * X_LI.R.transpose();
  body.inertia = 0.5 * (body.inertia + body.inertia.transpose()).eval();
  return body;
}

/// The mass of a link and of everything welded to it, in the frame of the link.
MassProperties Converter::welded_mass(const std::string& name,
                                      std::vector<std::string>& carriers) const {
  MassProperties sum = masses_.at(name);
  if (sum.mass > 0.0) carriers.push_back(name);
  const auto children = tree_.children.find(name);
  if (children == tree_.children.end()) return sum;
  for (const TreeJoint* at : children->second) {
    if (!is_fixed(*at)) continue;
    const Pose X_LC = to_pose(joint_of(*at)->parent_to_joint_origin_transform);
    sum = welded(sum, X_LC, welded_mass(at->child, carriers));
  }
  return sum;
}

void Converter::list_geometry(const std::string& name) {
  const auto link = link_of(name);
  const auto list = [&](const auto& part, UrdfGeometry::Use use) {
    if (!part || !part->geometry) return;
    UrdfGeometry entry{name,        use, UrdfGeometry::Kind::mesh, "", to_pose(part->origin),
                       Vec3::Ones()};
    if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(part->geometry.get())) {
      entry.file = mesh->filename;
      entry.size = to_vector(mesh->scale);
    } else if (const auto* box = dynamic_cast<const urdf::Box*>(part->geometry.get())) {
      entry.kind = UrdfGeometry::Kind::box;
      entry.size = to_vector(box->dim);
    } else if (const auto* rod = dynamic_cast<const urdf::Cylinder*>(part->geometry.get())) {
      entry.kind = UrdfGeometry::Kind::cylinder;
      entry.size = {rod->radius, rod->length, 0.0};
    } else if (const auto* ball = dynamic_cast<const urdf::Sphere*>(part->geometry.get())) {
      entry.kind = UrdfGeometry::Kind::sphere;
      entry.size = {ball->radius, 0.0, 0.0};
    }
    result_.geometries.push_back(std::move(entry));
  };
  for (const auto& part : link->visual_array) list(part, UrdfGeometry::Use::visual);
  for (const auto& part : link->collision_array) list(part, UrdfGeometry::Use::collision);
}

bool has_one_coordinate(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
         joint.type == urdf::Joint::PRISMATIC;
}

void Converter::read_mimic(const TreeJoint& at) {
  const auto joint = joint_of(at);
  if (!joint->mimic) return;
  const urdf::JointMimic& mimic = *joint->mimic;
  const std::string who = "joint " + quoted_name(at.name);
  const auto refuse = [&](const std::string& what) {
    throw InputError(at.place_of("mimic"), who + what);
  };

  if (joint->type == urdf::Joint::FIXED) {
    note(who + " is fixed, its <mimic> is ignored");
    return;
  }
  if (!has_one_coordinate(*joint)) refuse(" cannot mimic: it has more than one coordinate");
  const auto other = model_.getJoint(mimic.joint_name);
  if (!other) {
    refuse(" mimics the unknown joint " + quoted_name(mimic.joint_name) +
           suggestion(mimic.joint_name, tree_.joint_names()));
  }
  if (!has_one_coordinate(*other)) {
    refuse(" mimics " + quoted_name(mimic.joint_name) +
           ", which is not a revolute, continuous or prismatic joint");
  }
  result_.couplings.push_back({at.name, mimic.joint_name, mimic.multiplier, mimic.offset});
}

void Converter::refuse_mimic_loops() const {
  std::map<std::string, std::string> leader;
  for (const JointCoupling& coupling : result_.couplings) leader[coupling.joint] = coupling.other;
  for (const TreeJoint& at : tree_.joints) {
    auto next = leader.find(at.name);
    for (std::size_t i = 0; i < leader.size() && next != leader.end(); ++i) {
      if (next->second == at.name)
        throw InputError(at.place_of("mimic"), "joint " + quoted_name(at.name) + " mimics itself");
      next = leader.find(next->second);
    }
  }
}

void Converter::note_limits() {
  std::vector<std::string> driven;
  for (const TreeJoint& at : tree_.joints) {
    const auto joint = joint_of(at);
    if (joint->limits && (joint->limits->effort > 0.0 || joint->limits->velocity > 0.0))
      driven.push_back(at.name);
    if (joint->safety) note("<safety_controller> of joint " + quoted_name(at.name) + " is ignored");
  }
  if (!driven.empty()) note("effort and velocity limits are not used (" + join(driven) + ")");
}

void Converter::write_root() {
  const std::string& root = tree_.root;
  if (root == "world") {
    if (base_ == UrdfBase::floating)
      throw InputError(tree_.link_places.at(root), "the root link 'world' cannot float");
    if (masses_[root].mass > 0.0) note("the mass of the root link 'world' is ignored");
    write_children(root, 2, false);
    return;
  }
  line(2, "<body" + attribute("name", root) + ">");
  bool weighed = false;
  if (base_ == UrdfBase::floating) {
    line(3, "<freejoint" + attribute("name", root + "_free") + "/>");
    if (std::ranges::count(tree_.joint_names(), root + "_free") > 0) {
      throw InputError(tree_.link_places.at(root),
                       "joint " + quoted_name(root + "_free") +
                           " has the name that the joint of the floating base needs");
    }
    weighed = write_moving_mass(root, 3);
  } else {
    write_mass(root, masses_[root], 3);
  }
  write_children(root, 3, weighed);
  line(2, "</body>");
}

void Converter::write_children(const std::string& link, int depth, bool weighed) {
  const auto children = tree_.children.find(link);
  if (children == tree_.children.end()) return;
  for (const TreeJoint* at : children->second) write_body(*at, depth, weighed);
}

void Converter::write_body(const TreeJoint& at, int depth, bool weighed) {
  const auto joint = joint_of(at);
  const std::string& link = at.child;
  if (link == "world") {
    throw InputError(tree_.link_places.at(link),
                     "only the root link may be called 'world', which names the fixed world");
  }
  const urdf::Pose& origin = joint->parent_to_joint_origin_transform;
  line(depth, "<body" + attribute("name", link) +
                  placement(to_vector(origin.position), to_quaternion(origin.rotation)) + ">");
  write_joint(at, *joint, depth + 1);
  if (joint->type != urdf::Joint::FIXED)
    weighed = write_moving_mass(link, depth + 1);
  else if (!weighed)
    write_mass(link, masses_[link], depth + 1);
  write_children(link, depth + 1, weighed);
  line(depth, "</body>");
}

/// The inertial of a body with joints; true if it holds the masses of the welded links, too.
bool Converter::write_moving_mass(const std::string& link, int depth) {
  const MassProperties& own = masses_[link];
  if (can_move(own)) {
    write_mass(link, own, depth);
    return false;
  }
  std::vector<std::string> carriers;
  const MassProperties all = welded_mass(link, carriers);
  if (!can_move(all)) {
    const bool weightless = all.mass <= kLeastMass;
    throw InputError(
        tree_.link_places.at(link),
        "link " + quoted_name(link) + " moves but has " +
            (weightless ? "no mass" : "no inertia about one of its axes") +
            ", and nothing welded to it adds any: give it an <inertial> with mass and three "
            "positive moments, however small" +
            (weightless ? ", or fix its joint; mass behind a further joint does not count" : "") +
            estimated_inertial(link));
  }
  note("link " + quoted_name(link) + (own.mass > 0.0 ? " has too little inertia" : " has no mass") +
       " of its own: the masses of the links welded together (" + join(carriers) +
       ") are written there");
  write_mass(link, all, depth);
  return true;
}

/// What a user might write for a link that has geometry but no mass.
std::string Converter::estimated_inertial(const std::string& link) const {
  constexpr double kUsualDensity = 300.0;  // of hollow machines [kg/m^3]
  UrdfMeshes meshes(tree_.link_places.at(link).file);
  const auto body = solid_link(result_.geometries, link, kUsualDensity, meshes);
  if (!body) return "";
  const auto number = [](const char* key, double x) {
    return std::string(" ") + key + "=\"" + to_text(std::abs(x) < 1e-12 ? 0.0 : x, 3) + "\"";
  };
  const Vec3& c = body->center;
  const Mat3& I = body->inertia;
  return "; its geometry, at " + to_text(kUsualDensity) + " kg/m^3, would have <inertial>" +
         "<origin xyz=\"" + to_text(c.x(), 3) + " " + to_text(c.y(), 3) + " " + to_text(c.z(), 3) +
         "\"/><mass" + number("value", body->mass) + "/><inertia" + number("ixx", I(0, 0)) +
         number("iyy", I(1, 1)) + number("izz", I(2, 2)) + number("ixy", I(0, 1)) +
         number("ixz", I(0, 2)) + number("iyz", I(1, 2)) + "/></inertial>";
}

void Converter::write_mass(const std::string& link, const MassProperties& body, int depth) {
  if (body.mass <= 0.0) return;
  PrincipalInertia principal = principal_inertia(body.inertia);
  if (remove_rounding(principal.moments) > 1e-9) {
    note("link " + quoted_name(link) +
         ": its largest principal moment of inertia is lowered by rounding to meet the triangle "
         "inequality");
  }
  const Quat q(principal.axes);
  line(depth, "<inertial" + attribute("pos", body.center) + placement(Vec3::Zero(), q) +
                  attribute("mass", {body.mass}) + attribute("diaginertia", principal.moments) +
                  "/>");
}

Vec3 Converter::unit_axis(const TreeJoint& at, const urdf::Joint& joint) const {
  const Vec3 axis = to_vector(joint.axis);
  const double length = axis.stableNorm();
  if (length == 0.0) {
    throw InputError(at.place_of("axis"),
                     "joint " + quoted_name(at.name) + ": the axis must not be zero");
  }
  return axis / length;
}

void Converter::write_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  if (joint.dynamics && (joint.dynamics->damping < 0.0 || joint.dynamics->friction < 0.0)) {
    throw InputError(at.place_of("dynamics"), "joint " + quoted_name(at.name) +
                                                  ": damping and friction must not be negative");
  }
  switch (joint.type) {
    case urdf::Joint::FIXED:
      return;
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
    case urdf::Joint::PRISMATIC:
      return write_axis_joint(at, joint, depth);
    case urdf::Joint::PLANAR:
      return write_planar_joint(at, joint, depth);
    case urdf::Joint::FLOATING:
      return write_floating_joint(at, joint, depth);
    case urdf::Joint::UNKNOWN:
      break;
  }
  throw InputError(at.place, "joint " + quoted_name(at.name) + " has no known type");
}

void Converter::write_axis_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  std::string text = "<joint" + attribute("name", at.name);
  text += attribute("type", std::string(joint.type == urdf::Joint::PRISMATIC ? "slide" : "hinge"));
  text += attribute("axis", unit_axis(at, joint));
  if (joint.type != urdf::Joint::CONTINUOUS && joint.limits) {
    const auto [lower, upper] = std::pair(joint.limits->lower, joint.limits->upper);
    if (lower > upper) {
      throw InputError(at.place_of("limit"), "joint " + quoted_name(at.name) +
                                                 ": the lower limit " + to_text(lower) +
                                                 " exceeds the upper limit " + to_text(upper));
    }
    if (lower < upper) text += attribute("range", {lower, upper});
    if (lower == upper) {
      note("joint " + quoted_name(at.name) + ": lower and upper limit are both " + to_text(lower) +
           ", taken as no limits; use type=\"fixed\" to lock it");
    }
  }
  if (joint.dynamics && joint.dynamics->damping > 0.0)
    text += attribute("damping", {joint.dynamics->damping});
  if (joint.dynamics && joint.dynamics->friction > 0.0)
    text += attribute("frictionloss", {joint.dynamics->friction});
  line(depth, text + "/>");
}

void Converter::write_planar_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  const Vec3 normal = unit_axis(at, joint);
  Quat turn(0.0, 1.0, 0.0, 0.0);  // half a turn about x, where the short way is not unique
  if (normal.z() > -1.0 + 1e-12) turn = Quat::FromTwoVectors(Vec3::UnitZ(), normal);
  const Vec3 x = turn * Vec3::UnitX();
  const Vec3 y = turn * Vec3::UnitY();
  write_part(at, "_x", "slide", &x, depth);
  write_part(at, "_y", "slide", &y, depth);
  write_part(at, "_yaw", "hinge", &normal, depth);
  if (joint.limits || joint.dynamics)
    note("limits, damping and friction of planar joint " + quoted_name(at.name) + " are ignored");
}

void Converter::write_floating_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  if (joint.limits || joint.dynamics)
    note("limits, damping and friction of floating joint " + quoted_name(at.name) + " are ignored");
  if (at.parent == "world") {
    line(depth, "<freejoint" + attribute("name", at.name) + "/>");
    return;
  }
  const Mat3 axes = Mat3::Identity();
  const std::array<Vec3, 3> directions = {axes.col(0), axes.col(1), axes.col(2)};
  write_part(at, "_x", "slide", &directions[0], depth);
  write_part(at, "_y", "slide", &directions[1], depth);
  write_part(at, "_z", "slide", &directions[2], depth);
  write_part(at, "_ball", "ball", nullptr, depth);
}

/// One of several MJCF joints that together make up a URDF joint.
void Converter::write_part(const TreeJoint& at, const char* suffix, const char* type,
                           const Vec3* axis, int depth) {
  const std::string name = at.name + suffix;
  for (const TreeJoint& other : tree_.joints) {
    if (other.name != name) continue;
    throw InputError(other.place, "joint " + quoted_name(name) +
                                      " has the name that a part of joint " + quoted_name(at.name) +
                                      " needs");
  }
  line(depth, "<joint" + attribute("name", name) + attribute("type", std::string(type)) +
                  (axis ? attribute("axis", *axis) : "") + "/>");
}

}  // namespace

void write_mjcf(const UrdfTree& tree, const urdf::ModelInterface& model, UrdfBase base,
                UrdfConversion& result) {
  Converter(tree, model, base, result).convert();
}

}  // namespace grouser
