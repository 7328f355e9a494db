#include "grouser/sim/urdf_reader.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "grouser/base/error.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

// ---- Outline of the XML text: urdfdom forgets lines, and this finds them again ------------------

struct Element {
  std::string tag;
  std::map<std::string, std::string> attributes;
  int parent = -1;  ///< index of the enclosing element, -1 for the outermost
  Place place;

  std::string attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

/// Reads the elements of an XML text in the order of the text and refuses what does not nest.
class OutlineReader {
 public:
  OutlineReader(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  std::vector<Element> read() {
    while (advance_to(text_.find('<', at_))) {
      if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">"))
        continue;
      if (next_is("</"))
        close_element();
      else
        open_element();
    }
    if (!open_.empty()) {
      const Element& element = elements_[open_.back()];
      throw InputError(element.place, "malformed XML: <" + element.tag + "> is never closed");
    }
    if (elements_.empty())
      throw InputError(Place{path_}, "holds no XML element, <robot> is needed");
    return std::move(elements_);
  }

 private:
  static constexpr std::string_view kSpace = " \t\r\n";

  Place place() const { return {path_, line_, static_cast<int>(at_ - line_start_) + 1}; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(place(), "malformed XML: " + what);
  }
  bool next_is(std::string_view start) const {
    return std::string_view(text_).substr(at_, start.size()) == start;
  }

  /// Moves to `position`, counting lines; false at the end of the text.
  bool advance_to(std::size_t position) {
    const bool found = position != std::string::npos;
    const std::size_t end = found ? position : text_.size();
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
    return found;
  }

  /// Passes over `start` ... `end` if it comes next.
  bool skip(std::string_view start, std::string_view end) {
    if (!next_is(start)) return false;
    const std::size_t position = text_.find(end, at_ + start.size());
    if (position == std::string::npos) refuse(std::string(start) + " is never closed");
    return advance_to(position + end.size());
  }

  std::string take_until(std::string_view stops) {
    const std::size_t begin = at_;
    if (!advance_to(text_.find_first_of(stops, at_))) refuse("the text ends inside a tag");
    return text_.substr(begin, at_ - begin);
  }

  void skip_space() {
    if (!advance_to(text_.find_first_not_of(kSpace, at_))) refuse("the text ends inside a tag");
  }

  void close_element() {
    const Place here = place();
    advance_to(at_ + 2);
    const std::string tag = take_until(" \t\r\n>");
    take_until(">");
    if (open_.empty()) throw InputError(here, "malformed XML: </" + tag + "> closes nothing");
    const Element& element = elements_[open_.back()];
    if (element.tag != tag) {
      throw InputError(here, "malformed XML: </" + tag + "> cannot close <" + element.tag +
                                 "> of line " + std::to_string(element.place.line));
    }
    open_.pop_back();
  }

  void open_element() {
    Element element;
    element.place = place();
    element.parent = open_.empty() ? -1 : static_cast<int>(open_.back());
    advance_to(at_ + 1);
    element.tag = take_until(" \t\r\n/>");
    for (skip_space(); !next_is("/") && !next_is(">"); skip_space()) read_attribute(element);
    const bool empty = next_is("/");
    if (empty) advance_to(at_ + 1);
    if (!next_is(">")) refuse("'/' inside <" + element.tag + ">");
    if (!empty) open_.push_back(elements_.size());
    elements_.push_back(std::move(element));
  }

  void read_attribute(Element& element) {
    const std::string key = take_until(" \t\r\n=/>");
    skip_space();
    if (!next_is("=")) refuse("attribute '" + key + "' of <" + element.tag + "> has no value");
    advance_to(at_ + 1);
    skip_space();
    if (!next_is("\"") && !next_is("'")) refuse("attribute '" + key + "' wants a quoted value");
    const char quote = text_[at_];
    advance_to(at_ + 1);
    element.attributes[key] = decoded(take_until({&quote, 1}));
    advance_to(at_ + 1);
  }

  static std::string decoded(std::string value) {
    constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    for (std::size_t at = value.find('&'); at != std::string::npos; at = value.find('&', at + 1)) {
      for (const auto& [name, character] : kEntities) {
        if (value.compare(at, name.size(), name) != 0) continue;
        value.replace(at, name.size(), 1, character);
        break;
      }
    }
    return value;
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  std::vector<Element> elements_;
  std::vector<std::size_t> open_;
};

// ---- Tree of links and joints -------------------------------------------------------------------

struct TreeJoint {
  std::string name;
  std::string parent;
  std::string child;
  Place place;
  std::map<std::string, Place> parts;  ///< where <axis>, <limit>, <mimic>, ... stand

  Place place_of(const std::string& part) const {
    const auto found = parts.find(part);
    return found == parts.end() ? place : found->second;
  }
};

struct Tree {
  std::vector<std::string> links;  ///< in the order of the text
  std::map<std::string, Place> link_places;
  std::vector<TreeJoint> joints;
  std::map<std::string, std::vector<const TreeJoint*>> children;  ///< joints below a link
  std::map<std::string, const TreeJoint*> above;                  ///< joint above a link
  std::string root;

  std::vector<std::string> joint_names() const {
    std::vector<std::string> names;
    for (const TreeJoint& joint : joints) names.push_back(joint.name);
    return names;
  }
};

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

/// The children of <robot> that are links and joints, with unique names.
Tree collect_names(const std::vector<Element>& elements) {
  const Element& robot = elements.front();
  if (robot.tag != "robot")
    throw InputError(robot.place, "the outermost element must be <robot>, is <" + robot.tag + ">");

  Tree tree;
  std::map<std::pair<std::string, std::string>, int> lines;
  std::map<int, std::size_t> joint_of_element;
  for (int i = 1; i < static_cast<int>(elements.size()); ++i) {
    const Element& element = elements[i];
    if (element.tag.starts_with("xacro:")) {
      throw InputError(element.place, "<" + element.tag +
                                          "> is a xacro macro: expand the file first, with "
                                          "'xacro in.xacro > out.urdf'");
    }
    if (const auto owner = joint_of_element.find(element.parent); owner != joint_of_element.end()) {
      TreeJoint& joint = tree.joints[owner->second];
      joint.parts.emplace(element.tag, element.place);
      if (element.tag == "parent") joint.parent = element.attribute("link");
      if (element.tag == "child") joint.child = element.attribute("link");
    }
    if (element.parent != 0 || (element.tag != "link" && element.tag != "joint")) continue;

    const std::string name = element.attribute("name");
    if (name.empty()) throw InputError(element.place, "a " + element.tag + " needs a name");
    const auto [first, is_new] = lines.emplace(std::pair(element.tag, name), element.place.line);
    if (!is_new) {
      throw InputError(element.place, element.tag + " " + quoted(name) +
                                          " is defined twice, first in line " +
                                          std::to_string(first->second));
    }
    if (element.tag == "link") {
      tree.links.push_back(name);
      tree.link_places[name] = element.place;
    } else {
      joint_of_element[i] = tree.joints.size();
      tree.joints.push_back({name, "", "", element.place, {}});
    }
  }
  if (tree.links.empty()) throw InputError(robot.place, "the robot has no links");
  return tree;
}

/// Hangs the links on their joints; every joint must find its links, every link has one parent.
void connect(Tree& tree) {
  for (const TreeJoint& joint : tree.joints) {
    const std::array<std::pair<std::string, std::string>, 2> ends = {
        {{"parent", joint.parent}, {"child", joint.child}}};
    for (const auto& [role, link] : ends) {
      const std::string who = "joint " + quoted(joint.name);
      if (link.empty())
        throw InputError(joint.place_of(role), who + " needs <" + role + " link=\"...\"/>");
      if (!tree.link_places.contains(link)) {
        throw InputError(joint.place_of(role), who + ": no " + role + " link is called " +
                                                   quoted(link) + suggestion(link, tree.links));
      }
    }
    const auto [other, is_new] = tree.above.emplace(joint.child, &joint);
    if (!is_new) {
      throw InputError(joint.place_of("child"),
                       "link " + quoted(joint.child) + " hangs on two joints, " +
                           quoted(other->second->name) + " and " + quoted(joint.name) +
                           ": URDF describes trees, close loops in the scene");
    }
    tree.children[joint.parent].push_back(&joint);
  }
}

/// Finds the one root and refuses links that cannot be reached from it.
void find_root(Tree& tree) {
  for (const std::string& link : tree.links) {
    if (tree.above.contains(link)) continue;
    if (!tree.root.empty()) {
      throw InputError(tree.link_places[link], "two root links, " + quoted(tree.root) + " and " +
                                                   quoted(link) +
                                                   ": all links but one hang on a joint");
    }
    tree.root = link;
  }
  const std::string loop = "the joints form a loop through link ";
  if (tree.root.empty()) {
    const std::string& link = tree.links.front();
    throw InputError(tree.link_places[link], loop + quoted(link) + ", so there is no root link");
  }

  std::set<std::string> reached = {tree.root};
  std::vector<std::string> waiting = {tree.root};
  while (!waiting.empty()) {
    const std::string link = std::move(waiting.back());
    waiting.pop_back();
    for (const TreeJoint* joint : tree.children[link]) {
      reached.insert(joint->child);
      waiting.push_back(joint->child);
    }
  }
  for (const std::string& link : tree.links) {
    if (reached.contains(link)) continue;
    throw InputError(tree.link_places[link],
                     loop + quoted(link) + ", apart from the root link " + quoted(tree.root));
  }
}

// ---- urdfdom ------------------------------------------------------------------------------------

/// Listens to what urdfdom would print. Broken geometry is worth a note only, for grouser does not
/// need it; urdfdom goes on after broken links, so every other error must be asked for.
class Listener : public console_bridge::OutputHandler {
 public:
  Listener() : lock_(mutex()), level_(console_bridge::getLogLevel()) {
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_WARN);
    console_bridge::useOutputHandler(this);
  }
  ~Listener() override {
    console_bridge::restorePreviousOutputHandler();
    console_bridge::setLogLevel(level_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR) {
      if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
      return;
    }
    errors.push_back(text);
    if (!text.starts_with("Could not parse visual") &&
        !text.starts_with("Could not parse collision"))
      return;
    notes.push_back(join(errors, "; "));
    errors.clear();
  }

  std::vector<std::string> errors;
  std::vector<std::string> notes;

 private:
  static std::mutex& mutex() {
    static std::mutex the_mutex;  // console_bridge has one handler per process
    return the_mutex;
  }
  std::lock_guard<std::mutex> lock_;
  console_bridge::LogLevel level_;
};

/// The place of the link or joint that a message of urdfdom names, as [name] or 'name'.
Place place_of_message(const std::string& message, const Tree& tree, const std::string& path) {
  const auto names = [&](const std::string& name) {
    return message.find("[" + name + "]") != std::string::npos ||
           message.find(quoted(name)) != std::string::npos;
  };
  for (const TreeJoint& joint : tree.joints) {
    if (names(joint.name)) return joint.place;
  }
  for (const auto& [link, place] : tree.link_places) {
    if (names(link)) return place;
  }
  return {path};
}

urdf::ModelInterfaceSharedPtr parse(const std::string& text, const std::string& path,
                                    const Tree& tree, std::vector<std::string>& notes) {
  Listener listener;
  urdf::ModelInterfaceSharedPtr model;
  try {
    model = urdf::parseURDF(text);
  } catch (const std::exception& error) {
    listener.errors.push_back(error.what());
  }
  if (!model || !listener.errors.empty()) {
    std::erase(listener.errors, "joint xml is not initialized correctly");
    std::string message = join(listener.errors, "; ");
    if (message.empty()) message = "urdfdom cannot read this file";
    throw InputError(place_of_message(message, tree, path), message);
  }
  notes = listener.notes;
  return model;
}

Vec3 to_vector(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}
Quat to_quaternion(const urdf::Rotation& q) {
  return Quat(q.w, q.x, q.y, q.z);
}
Pose to_pose(const urdf::Pose& pose) {
  return make_pose(to_vector(pose.position), to_quaternion(pose.rotation));
}

// ---- Mass and inertia ---------------------------------------------------------------------------

constexpr double kLeastMass = 1e-14;  // kg, kg m^2; MuJoCo refuses moving bodies below 1e-15
/// A triangle inequality missed by less than this share is the rounding of a file with few digits.
constexpr double kRounding = 1e-3;

struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< columns in the link frame, right-handed
};

/// Our own decomposition, since MuJoCo's stops at off-diagonal elements of 1e-12 kg m^2.
PrincipalInertia principal_inertia(const Mat3& inertia) {
  if (inertia.isDiagonal(0.0)) return {inertia.diagonal(), Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  PrincipalInertia result{solver.eigenvalues(), solver.eigenvectors()};
  if (result.axes.determinant() < 0.0) result.axes.col(2) *= -1.0;
  return result;
}

std::string text_of(const Vec3& v, int digits, std::string_view separator) {
  const std::array<std::string, 3> words = {to_text(v.x(), digits), to_text(v.y(), digits),
                                            to_text(v.z(), digits)};
  return join(words, separator);
}

/// Why no rigid body has these principal moments; empty if one has.
std::string impossible_inertia(const Vec3& moments) {
  const double largest = moments.maxCoeff();
  if (moments.minCoeff() < -1e-12 * std::abs(largest)) {
    return "inertia is not positive definite, its principal moments are " +
           text_of(moments, 6, ", ") + " kg m^2";
  }
  const double others = moments.sum() - largest;
  if (largest - others > kRounding * largest) {
    return "inertia violates the triangle inequality: the principal moment " + to_text(largest, 6) +
           " kg m^2 exceeds the sum of the other two, " + to_text(others, 6);
  }
  return "";
}

/// Takes rounding out of moments that are possible but for it: none negative, largest <= sum of the
/// others as MuJoCo will compute it. Returns the share by which the largest was lowered.
double remove_rounding(Vec3& moments) {
  moments = moments.cwiseMax(0.0);
  int largest = 0;
  const double before = moments.maxCoeff(&largest);
  const double others = moments[(largest + 1) % 3] + moments[(largest + 2) % 3];
  if (before <= others) return 0.0;
  moments[largest] = others;
  return (before - others) / before;
}

/// The mass properties of two bodies welded together, in the frame of `a`.
MassProperties welded(const MassProperties& a, const Pose& X_AB, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  if (sum.mass == 0.0) return sum;
  const Vec3 center_b = X_AB * b.center;
  sum.center = (a.mass * a.center + b.mass * center_b) / sum.mass;
  const auto shifted = [&](double mass, const Vec3& offset) {
    const Mat3 cross = cross_matrix(offset);
    return Mat3(-mass * cross * cross);
  };
  sum.inertia = a.inertia + X_AB.R * b.inertia * X_AB.R.transpose() +
                shifted(a.mass, a.center - sum.center) + shifted(b.mass, center_b - sum.center);
  return sum;
}

bool can_move(const MassProperties& body) {
  return body.mass > kLeastMass && principal_inertia(body.inertia).moments.minCoeff() > kLeastMass;
}

// ---- MJCF ---------------------------------------------------------------------------------------

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
  Converter(const Tree& tree, const urdf::ModelInterface& model, UrdfBase base,
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
    if (!link) throw InputError(tree_.link_places.at(name), "urdfdom lost link " + quoted(name));
    return link;
  }
  urdf::JointConstSharedPtr joint_of(const TreeJoint& at) const {
    const auto joint = model_.getJoint(at.name);
    if (!joint) throw InputError(at.place, "urdfdom lost joint " + quoted(at.name));
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
  void write_mass(const std::string& who, const MassProperties& body, int depth);
  void write_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_axis_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_planar_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_floating_joint(const TreeJoint& at, const urdf::Joint& joint, int depth);
  void write_part(const TreeJoint& at, const char* suffix, const char* type, const Vec3* axis,
                  int depth);
  Vec3 unit_axis(const TreeJoint& at, const urdf::Joint& joint) const;

  const Tree& tree_;
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
    throw InputError(tree_.link_places.at(name), "link " + quoted(name) + ": " + what);
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
  using Kind = UrdfGeometry::Kind;
  const auto link = link_of(name);
  const auto list = [&](const auto& part, UrdfGeometry::Use use) {
    if (!part || !part->geometry) return;
    UrdfGeometry entry{name, use, Kind::mesh, "", to_pose(part->origin), Vec3::Ones()};
    if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(part->geometry.get())) {
      entry.file = mesh->filename;
      entry.size = to_vector(mesh->scale);
    } else if (const auto* box = dynamic_cast<const urdf::Box*>(part->geometry.get())) {
      entry.kind = Kind::box;
      entry.size = to_vector(box->dim);
    } else if (const auto* rod = dynamic_cast<const urdf::Cylinder*>(part->geometry.get())) {
      entry.kind = Kind::cylinder;
      entry.size = {rod->radius, rod->length, 0.0};
    } else if (const auto* ball = dynamic_cast<const urdf::Sphere*>(part->geometry.get())) {
      entry.kind = Kind::sphere;
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
  const std::string who = "joint " + quoted(at.name);
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
    refuse(" mimics the unknown joint " + quoted(mimic.joint_name) +
           suggestion(mimic.joint_name, tree_.joint_names()));
  }
  if (!has_one_coordinate(*other)) {
    refuse(" mimics " + quoted(mimic.joint_name) +
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
        throw InputError(at.place_of("mimic"), "joint " + quoted(at.name) + " mimics itself");
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
    if (joint->safety) note("<safety_controller> of joint " + quoted(at.name) + " is ignored");
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
                       "joint " + quoted(root + "_free") +
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
        "link " + quoted(link) + " moves but has " +
            (weightless ? "no mass" : "no inertia about one of its axes") +
            ", and nothing welded to it adds any: give it an <inertial> with mass and three "
            "positive moments, however small" +
            (weightless ? ", or fix its joint; mass behind a further joint does not count" : ""));
  }
  note("link " + quoted(link) + (own.mass > 0.0 ? " has too little inertia" : " has no mass") +
       " of its own: the masses of the links welded together (" + join(carriers) +
       ") are written there");
  write_mass(link, all, depth);
  return true;
}

void Converter::write_mass(const std::string& link, const MassProperties& body, int depth) {
  if (body.mass <= 0.0) return;
  PrincipalInertia principal = principal_inertia(body.inertia);
  if (remove_rounding(principal.moments) > 1e-9) {
    note("link " + quoted(link) +
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
                     "joint " + quoted(at.name) + ": the axis must not be zero");
  }
  return axis / length;
}

void Converter::write_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  if (joint.dynamics && (joint.dynamics->damping < 0.0 || joint.dynamics->friction < 0.0)) {
    throw InputError(at.place_of("dynamics"),
                     "joint " + quoted(at.name) + ": damping and friction must not be negative");
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
  throw InputError(at.place, "joint " + quoted(at.name) + " has no known type");
}

void Converter::write_axis_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  std::string text = "<joint" + attribute("name", at.name);
  text += attribute("type", std::string(joint.type == urdf::Joint::PRISMATIC ? "slide" : "hinge"));
  text += attribute("axis", unit_axis(at, joint));
  if (joint.type != urdf::Joint::CONTINUOUS && joint.limits) {
    const auto [lower, upper] = std::pair(joint.limits->lower, joint.limits->upper);
    if (lower > upper) {
      throw InputError(at.place_of("limit"), "joint " + quoted(at.name) + ": the lower limit " +
                                                 to_text(lower) + " exceeds the upper limit " +
                                                 to_text(upper));
    }
    if (lower < upper) text += attribute("range", {lower, upper});
    if (lower == upper) {
      note("joint " + quoted(at.name) + ": lower and upper limit are both " + to_text(lower) +
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
    note("limits, damping and friction of planar joint " + quoted(at.name) + " are ignored");
}

void Converter::write_floating_joint(const TreeJoint& at, const urdf::Joint& joint, int depth) {
  if (joint.limits || joint.dynamics)
    note("limits, damping and friction of floating joint " + quoted(at.name) + " are ignored");
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
    throw InputError(other.place, "joint " + quoted(name) + " has the name that a part of joint " +
                                      quoted(at.name) + " needs");
  }
  line(depth, "<joint" + attribute("name", name) + attribute("type", std::string(type)) +
                  (axis ? attribute("axis", *axis) : "") + "/>");
}

}  // namespace

UrdfConversion convert_urdf(const std::string& urdf_text, const std::string& path, UrdfBase base) {
  // structure first: urdfdom goes on after some of its errors and knows no lines
  Tree tree = collect_names(OutlineReader(urdf_text, path).read());
  connect(tree);
  find_root(tree);

  UrdfConversion result;
  const urdf::ModelInterfaceSharedPtr model = parse(urdf_text, path, tree, result.notes);
  Converter(tree, *model, base, result).convert();
  return result;
}

}  // namespace grouser
