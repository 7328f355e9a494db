#include "tests/mechanism/mechanism_cases.h"

#include <cstring>

#include "grouser/base/text_file.h"
#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mechanism_file.h"
#include "tests/run/scene_text.h"
#include "tests/support/temporary_folder.h"

namespace grouser::test {
namespace {

std::shared_ptr<const MechanismModel> from_scene(const std::string& text, const Vec3& gravity) {
  Scene scene = scene_from("[simulation]\nduration = 1.0\n" + text);
  scene.simulation.gravity = gravity;
  MechanismExtras extras;
  return build_mechanism(scene, extras)->model();
}

std::shared_ptr<const MechanismModel> rover(const Vec3& gravity) {
  return from_scene(R"(
[mechanism]
file = "rocker_bogie.xml"
[[motor]]
joints = ["*_spin"]
control = "speed"
target = { amplitude = 2.0, frequency = 0.3 }
stiffness = 50.0
damping = 20.0
limit = 6.0
no_load_speed = 9.0
[[motor]]
joints = ["*_steer"]
control = "position"
target = 0.1
stiffness = 300.0
damping = 40.0
limit = 30.0
[[force]]
body = "rover"
point = [0.1, 0.0, 0.4]
frame = "body"
force_y = { pulse = 30, start = 0.1, duration = 0.5 }
torque_z = 2.0
)",
                    gravity);
}

std::shared_ptr<const MechanismModel> four_bar(const Vec3& gravity) {
  return from_scene(R"(
[mechanism]
file = "four_bar.xml"
[[loop]]
name = "pin"
body_a = "rocker"
point_a = [2, 0, 0]
body_b = "world"
point_b = [2, 0, 0]
[[motor]]
joint = "crank"
name = "crank"
control = "torque"
target = 3.0
[initial]
crank = { position = -0.3, velocity = 2.0 }
)",
                    gravity);
}

std::shared_ptr<const MechanismModel> swung(const Vec3& gravity) {
  return from_scene(R"(
[mechanism]
file = "double_pendulum.xml"
[[moving_body]]
name = "hand"
position = [0, 0, -2]
x = { amplitude = 0.3, frequency = 0.5 }
pitch = { amplitude = 0.1, frequency = 0.7 }
[[loop]]
name = "grip"
body_a = "lower"
point_a = [0, 0, -1]
body_b = "hand"
point_b = [0, 0, 0.3]
[initial]
upper = 0.5
lower = -1.0
)",
                    gravity);
}

/// The arm on a base that floats, its wrist a <mimic>, its shoulder as told.
std::shared_ptr<const MechanismModel> arm(const Vec3& gravity) {
  std::string text =
      read_file(std::string(GROUSER_SCENES) + "/mechanisms/arm.urdf", "a URDF file").bytes;
  const std::string base = "<link name=\"base\">";
  text.insert(text.find(base) + base.size(),
              "<inertial><mass value=\"9\"/><inertia ixx=\"0.2\" iyy=\"0.3\" izz=\"0.4\" "
              "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>");
  const TemporaryFolder folder;
  folder.write("arm.urdf", text);
  MujocoModel model = read_mechanism_file(folder / "arm.urdf", {UrdfBase::floating, gravity});
  MechanismDef def;
  def.trees.push_back(std::move(model.tree));
  def.trees.push_back(
      make_free_bodies({{"ball", {0.5, Vec3::Zero(), 0.002 * Mat3::Identity()}, {}, {}}}, gravity));
  def.couplings = model.couplings;
  def.prescribed.push_back({"shoulder", false, Signal(0.2), {}});
  return std::make_shared<const MechanismModel>(std::move(def));
}

std::shared_ptr<const MechanismModel> pendulum(const Vec3& gravity) {
  return from_scene(R"(
[mechanism]
file = "double_pendulum.xml"
[[prescribed]]
joint = "upper"
speed = { from = 0.0, to = 2.0, start = 0.1, duration = 0.4 }
)",
                    gravity);
}

std::shared_ptr<const MechanismModel> free_bodies(const Vec3& gravity) {
  return from_scene(R"(
[[body]]
name = "a"
mass = 2.0
center = [0.1, 0.0, -0.05]
inertia = [0.3, 0.35, 0.5]
position = [1, 2, 3]
angular_velocity = [0.6, 0.0, 2.0]
[[body]]
name = "b"
mass = 0.7
inertia = [0.1, 0.12, 0.15]
[[force]]
body = "b"
force_x = { amplitude = 3.0, frequency = 1.0 }
)",
                    gravity);
}

std::shared_ptr<const MechanismModel> tendons(const Vec3& gravity) {
  MujocoModel model = load_mujoco(
      "tendons.xml",
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option density='1.2' "
      "viscosity='0.01' wind='1 0 0'/><worldbody><site name='hook' pos='0.5 0 0.2'/>"
      "<body name='a'><joint name='ball' type='ball' damping='0.1' stiffness='2'/>"
      "<inertial pos='0 0 -0.4' mass='2' diaginertia='0.1 0.12 0.05'/><site name='end' pos='0 0 "
      "-0.8'/><body name='b' pos='0 0 -0.8'><joint name='hinge' axis='0 1 0' armature='0.01' "
      "springref='0.2' stiffness='3'/><joint name='slide' type='slide' axis='0 0 1' damping='4'/>"
      "<inertial pos='0.1 0 -0.2' mass='1' diaginertia='0.02 0.03 0.01'/></body></body></worldbody>"
      "<tendon><spatial stiffness='40' damping='2' springlength='0.4'><site site='hook'/>"
      "<site site='end'/></spatial><fixed stiffness='5' damping='1'><joint joint='hinge' "
      "coef='1'/><joint joint='slide' coef='-2'/></fixed></tendon></mujoco>",
      gravity);
  MechanismDef def;
  def.trees.push_back(std::move(model.tree));
  return std::make_shared<const MechanismModel>(std::move(def));
}

template <class Numbers>
void add(std::vector<double>& out, const Numbers& x) {
  out.insert(out.end(), x.data(), x.data() + x.size());
}

}  // namespace

const std::vector<MechanismCase>& mechanism_cases() {
  static const std::vector<MechanismCase> cases = {
      {"rover", rover},       {"four_bar", four_bar},       {"swung", swung},    {"arm", arm},
      {"pendulum", pendulum}, {"free_bodies", free_bodies}, {"tendons", tendons}};
  return cases;
}

std::shared_ptr<const MechanismModel> build_case(const std::string& name, const Vec3& gravity) {
  for (const MechanismCase& candidate : mechanism_cases())
    if (candidate.name == name) return candidate.build(gravity);
  throw InputError("there is no case '" + name + "'");
}

std::vector<MechanismQuestion> make_questions(const std::shared_ptr<const MechanismModel>& model,
                                              std::uint64_t seed) {
  Random random(seed);
  std::vector<MechanismQuestion> out;
  for (int i = 0; i < 5; ++i) {
    MechanismQuestion raw;
    raw.time = i < 2 ? 0.0 : random.uniform(0.0, 0.6);
    const double size = i % 2 == 0 ? 0.02 : 0.3;
    for (const double x : model->initial_positions())
      raw.q.push_back(x + random.uniform(-size, size));
    for (const double x : model->initial_velocities())
      raw.v.push_back(x + random.uniform(-2.0, 2.0));
    out.push_back(raw);
    Mechanism fresh(model);
    fresh.set_state(raw.time, raw.q, raw.v);
    const auto& [time, q, v] = raw;
    MechanismQuestion projected{time, {}, {}};
    add(projected.q, fresh.positions());
    add(projected.v, fresh.velocities());
    out.push_back(projected);
    out.push_back({time, projected.q, v});
    out.push_back({time, q, projected.v});
    // Zeros of both signs are the same numbers, but not the same bits.
    for (const double zero : {0.0, -0.0}) {
      MechanismQuestion still = raw;
      still.q.back() = still.v.back() = zero;
      still.time *= zero;
      out.push_back(still);
    }
  }
  return out;
}

std::vector<Wrench> some_wrenches(const Mechanism& mechanism) {
  std::vector<Wrench> out(mechanism.body_names().size());
  Random random(7);
  for (std::size_t b = 1; b < out.size(); ++b)
    for (Vec3* x : {&out[b].torque, &out[b].force})
      for (double& component : *x) component = random.uniform(-3.0, 3.0);
  return out;
}

std::vector<double> answers(Mechanism& m, const MechanismQuestion& question, Asked asked) {
  const auto& [time, q, v] = question;
  m.set_state(time, q, v);
  const std::vector<Wrench> wrenches = some_wrenches(m);
  std::vector<double> out, a(m.nv()), rates(m.nq());
  add(out, m.positions());
  add(out, m.velocities());
  for (const BodyKinematics& body : m.kinematics()) {
    add(out, body.X_WB.R);
    add(out, body.X_WB.p);
    add(out, body.V_WB.w);
    add(out, body.V_WB.v);
  }
  if (asked == Asked::step)
    m.step_accelerations(2e-3, wrenches, a);
  else
    m.accelerations(wrenches, a);
  add(out, a);
  m.position_rates(rates);
  add(out, rates);
  const ForceShares& shares = m.force_shares();
  for (const VecX* share :
       {&shares.motors, &shares.contacts, &shares.applied, &shares.dampers, &shares.constraints})
    add(out, *share);
  std::vector<double> drives(m.drive_channels().size());
  m.drive_values(drives);
  add(out, drives);
  for (const double x :
       {shares.moving, m.kinetic_energy(), m.potential_energy(), m.constraint_gap()})
    out.push_back(x);
  if (asked != Asked::derivatives) return out;
  m.keep_as_middle(wrenches, a);
  add(out, responses(m, question));
  return out;
}

std::vector<double> responses(Mechanism& m, const MechanismQuestion& question) {
  const auto rows = static_cast<std::size_t>(m.constraint_count());
  const auto nv = static_cast<Eigen::Index>(m.nv());
  std::vector<double> out, forces(m.nv()), along(rows);
  for (const std::size_t moved : {m.nq() - 1, m.nq() / 2, m.nq() + 0, m.nq() + m.nv() / 2}) {
    std::vector<double> q = question.q, v = question.v;
    (moved < m.nq() ? q[moved] : v[moved - m.nq()]) += 1e-7;
    m.set_nearby(q, v);
    m.missing(forces, along);
    add(out, forces);
    add(out, along);
    add(out, m.positions());
    add(out, m.velocities());
  }
  MatX x = MatX::Identity(nv, nv);
  m.respond(x, MatX::Ones(m.constraint_count(), nv));
  add(out, x);
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace grouser::test
