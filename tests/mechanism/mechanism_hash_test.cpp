// The hash of a definition: another number, another hash.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "tests/mechanism/mechanism_cases.h"

namespace grouser {
namespace {

/// Something of every kind; the text has a mark @ before every number that may be changed.
struct Everything {
  std::string mjcf =
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option density='@1.2' "
      "viscosity='@0.01' wind='@1 @0 @0'/><worldbody><site name='hook' pos='@0.5 @0 @0.2'/>"
      "<body name='a' pos='@0 @0 @0.1' quat='@1 @0 @0 @0'><joint name='ja' type='ball' "
      "damping='@0.1' stiffness='@2'/><inertial pos='@0.1 @0 @-0.4' quat='@1 @0 @0 @0' mass='@2' "
      "diaginertia='@0.1 @0.12 @0.15'/><site name='end' pos='@0 @0 @-0.8'/><body name='b' "
      "pos='@0 @0 @-0.8'><joint name='jb' pos='@0.1 @0 @0' axis='@0 @1 @0' armature='@0.01' "
      "springref='@0.2' stiffness='@3' damping='@4'/><joint name='jc' type='slide' axis='@0 @0 "
      "@1' ref='@0.3'/><inertial pos='@0.1 @0 @-0.2' mass='@1' diaginertia='@0.03 @0.03 "
      "@0.04'/></body></body></worldbody><tendon><spatial stiffness='@40' damping='@2' "
      "springlength='@0.4'><site site='hook'/><site site='end'/></spatial><fixed stiffness='@5' "
      "damping='@1'><joint joint='jb' coef='@1'/><joint joint='jc' coef='@-2'/></fixed>"
      "</tendon></mujoco>";
  FreeBody body{"free",
                {2.0, Vec3(0.1, 0.2, -0.05), Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal())},
                {Mat3::Identity(), Vec3(1, 2, 3)},
                {Vec3(0.5, -1, 2), Vec3(1, 0, -1)}};
  Vec3 gravity = Vec3(0.1, 0.2, -9.81);
  MovingBodyDef moving;
  CouplingDef coupling{"c", {{"jb", 1.0}, {"jc", 2.0}}, 0.6, {}};
  LoopDef loop;
  PrescribedJointDef prescribed;
  MotorDef motor;
  ForceDef force;
  MechanismDef::InitialJoint initial{"jb", {0.2}, {}, {0.3}, {}, {}};

  Everything() {
    moving.name = "hand";
    loop.name = "pin";
    loop.body_a = "free";
    loop.body_b = "hand";
    loop.find_b = true;
    motor.name = "m";
    motor.joint = "jc";
    motor.limit = 9.0;
    force.name = "push";
    force.body = "a";
    prescribed.joint = "jc";
    prescribed.speed = true;
  }

  std::uint64_t hash() const {
    std::string text = mjcf;
    std::erase(text, '@');
    MechanismDef def;
    def.trees.push_back(load_mujoco("all.xml", text, gravity).tree);
    def.trees.push_back(make_free_bodies({body}, gravity));
    def.moving_bodies = {moving};
    def.couplings = {coupling};
    def.loops = {loop};
    def.prescribed = {prescribed};
    def.motors = {motor};
    def.forces = {force};
    def.initial = {initial};
    return MechanismModel(std::move(def)).definition_hash();
  }
};

TEST(MechanismHash, IsThatOfTheDefinition) {
  EXPECT_EQ(Everything().hash(), Everything().hash());
  for (const test::MechanismCase& tested : test::mechanism_cases())
    EXPECT_EQ(tested.build(test::kEarth)->definition_hash(),
              tested.build(test::kEarth)->definition_hash())
        << tested.name;
}

TEST(MechanismHash, ChangesWithEveryNumberOfAMechanismFile) {
  const Everything base;
  std::set<std::uint64_t> known = {base.hash()};
  std::size_t count = 0;
  for (std::size_t at = base.mjcf.find('@'); at != std::string::npos;
       at = base.mjcf.find('@', at + 1)) {
    Everything other;
    // The last digit becomes another one.
    const std::size_t end = other.mjcf.find_first_of(" '", at);
    char& digit = other.mjcf[end - 1];
    digit = digit == '9' ? '8' : static_cast<char>(digit + 1);
    ++count;
    known.insert(other.hash());
  }
  // Two quaternions and two axes that are longer are the same turns and axes.
  EXPECT_EQ(known.size() - 1, count - 4);
  EXPECT_GT(count, 60u);
}

TEST(MechanismHash, ChangesWithEveryPartOfTheDefinition) {
  using Change = std::function<void(Everything&)>;
  const SignalTable table(std::vector<double>{0.0, 1.0, 2.0}, std::vector<double>{0.0, 1.0, 0.5},
                          {});
  const std::vector<Change> changes = {
      [](Everything&) {},
      [](Everything& e) { e.mjcf.replace(e.mjcf.find("name='b'"), 8, "name='z'"); },
      [](Everything& e) { e.body.name = "loop", e.loop.body_a = "loop"; },
      [](Everything& e) { e.body.mass.mass = 2.1; },
      [](Everything& e) { e.body.mass.center.x() = 0.2; },
      [](Everything& e) { e.body.mass.inertia(0, 0) = 0.35; },
      [](Everything& e) { e.body.X_WB.p.y() = 2.5; },
      [](Everything& e) { e.body.V_WB.w.z() = 2.5; },
      [](Everything& e) { e.gravity.x() = 0.0; },
      [](Everything& e) { e.moving.name = e.loop.body_b = "fist"; },
      [](Everything& e) { e.moving.X_WB.p.x() = 0.1; },
      [](Everything& e) { e.moving.axis = Vec3::UnitX(); },
      [](Everything& e) { e.moving.x = Signal(1.0); },
      [](Everything& e) { e.moving.y = Signal(1.0); },
      [](Everything& e) { e.moving.yaw = Signal(1.0); },
      [](Everything& e) { e.moving.angle = Signal(1.0); },
      [](Everything& e) { e.coupling.name = "d"; },
      [](Everything& e) { e.coupling.joints[1].second = 2.5; },
      [](Everything& e) { e.coupling.offset = 0.7; },
      [](Everything& e) { e.loop.name = "weld"; },
      [](Everything& e) { e.loop.kind = LoopDef::Kind::weld; },
      [](Everything& e) { e.loop.point_a.x() = 0.1; },
      [](Everything& e) { e.prescribed.speed = false, e.prescribed.signal = Signal(0.2); },
      [](Everything& e) { e.prescribed.signal = Signal(0.2); },
      [&](Everything& e) { e.prescribed.signal = Signal(table); },
      [](Everything& e) { e.motor.name = "n"; },
      [](Everything& e) { e.motor.joint = "jb"; },
      [](Everything& e) { e.motor.control = MotorDef::Control::torque; },
      [](Everything& e) { e.motor.target = Signal(2.0); },
      [](Everything& e) { e.motor.stiffness = 2.0; },
      [](Everything& e) { e.motor.damping = 2.0; },
      [](Everything& e) { e.motor.limit = 2.0; },
      [](Everything& e) { e.motor.torque_constant = 2.0; },
      [](Everything& e) { e.motor.no_load_speed = 2.0; },
      [](Everything& e) { e.force.name = "pull"; },
      [](Everything& e) { e.force.body = "b"; },
      [](Everything& e) { e.force.point.x() = 1.0; },
      [](Everything& e) { e.force.frame = ForceDef::Frame::body; },
      [](Everything& e) { e.force.force[0] = Signal(1.0); },
      [](Everything& e) { e.force.torque[0] = Signal(1.0); },
      [](Everything& e) { e.initial.position = {0.25}; },
      [](Everything& e) { e.initial.velocity = {0.35}; }};
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Everything changed;
    changes[i](changed);
    const auto [line, is_new] = known.emplace(changed.hash(), i);
    EXPECT_TRUE(is_new) << "change " << i << " is as change " << line->second;
  }
}

TEST(MechanismHash, ChangesWithEveryPointOfATable) {
  const auto hash_of = [](std::vector<double> times, std::vector<double> values,
                          SignalTable::Options options) {
    Hash hash;
    Signal(SignalTable(times, values, options)).add_to(hash);
    return hash.digest();
  };
  const std::vector<double> t = {0, 1, 2, 3}, x = {0, 1, 0.3, 0};
  std::map<std::uint64_t, int> known;
  known[hash_of(t, x, {})];
  known[hash_of({0, 1.5, 2, 3}, x, {})];
  known[hash_of(t, {0, 1.5, 0.3, 0}, {})];
  known[hash_of(t, x, {.interpolation = SignalTable::Interpolation::monotone})];
  known[hash_of(t, x, {.interpolation = SignalTable::Interpolation::linear})];
  known[hash_of(t, x, {.ends = SignalTable::Ends::straight})];
  known[hash_of(t, x, {.periodic = true})];
  EXPECT_EQ(known.size(), 7u);
}

TEST(MechanismHash, IsTheSameInAnotherProcess) {
  constexpr const char* kAsk = "GROUSER_TEST_PRINTS_HASH";
  const auto text = [] {
    std::string out;
    for (const test::MechanismCase& tested : test::mechanism_cases())
      out += "hash " + std::to_string(tested.build(test::kEarth)->definition_hash()) + "\n";
    return out;
  }();
  if (std::getenv(kAsk)) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  // Whichever part of a suite this process runs, the other one runs this test.
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX " +
                              std::string(kAsk) + "=1 '" + self +
                              "' --gtest_filter=MechanismHash.IsTheSameInAnotherProcess";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string printed;
  char line[256];
  while (std::fgets(line, sizeof line, pipe))
    if (std::string(line).starts_with("hash ")) printed += line;
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(printed, text);
}

}  // namespace
}  // namespace grouser
