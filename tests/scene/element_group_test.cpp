// Many pairs of elements as one contact: patterns of names, shapes that are repeated.
#include "grouser/contact/element_group.h"

#include <gtest/gtest.h>

#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

const std::string kLaw = "stiffness = 1e6\ndamping = 20\nfriction = 0.3\n";

/// Three balls, each on a body of its own, and two plates on a fourth.
const std::string kShapes = R"(
[[shape]]
name = "ball_1"
body = "b1"
sphere.radius = 0.03
[[shape]]
name = "ball_2"
body = "b2"
sphere.radius = 0.04
[[shape]]
name = "ball_3"
body = "b3"
sphere.radius = 0.05
[[shape]]
name = "floor"
body = "box"
disc.radius = 0.3
[[shape]]
name = "wall"
body = "box"
disc.radius = 0.3
rpy = [0, 1.5707963267948966, 0]
)";

ContactWorldDef read(const std::string& text) {
  return read_contact_world(read_toml_text(text, "s.toml"), "");
}

std::string contact(const std::string& model, const std::string& shapes) {
  return "[[contact]]\nmodel = \"" + model + "\"\n" + shapes + kLaw;
}

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { ContactWorld world(read(text)); });
}

/// Balls close to each other and to the plates, moving.
void put_at_random(ContactWorld& world, Random& random, bool commit) {
  for (const char* name : {"b1", "b2", "b3"}) {
    BodyKinematics body;
    body.X_WB.p =
        Vec3(random.uniform(0.0, 0.1), random.uniform(-0.05, 0.05), random.uniform(0.0, 0.1));
    body.V_WB.v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    body.V_WB.w = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    world.set_body(world.body(name), body);
  }
  world.evaluate(0.0);
  if (commit) world.commit(0.0);
}

TEST(ElementGroup, IsTheSumOfItsPairs) {
  ContactWorld group(read(kShapes + contact("sphere-sphere", "first='ball_*'\nsecond='ball_*'\n") +
                          contact("sphere-disc", "sphere = 'ball_*'\ndisc = '*l*o*'\n") +
                          contact("sphere-disc", "sphere = 'ball_*'\ndisc = 'wall'\n")));
  std::string single;
  for (const char* pair : {"12", "13", "23"})
    single += contact("sphere-sphere",
                      std::string("first='ball_") + pair[0] + "'\nsecond='ball_" + pair[1] + "'\n");
  for (const char* plate : {"floor", "wall"})
    for (const char* ball : {"1", "2", "3"})
      single +=
          contact("sphere-disc", std::string("sphere='ball_") + ball + "'\ndisc='" + plate + "'\n");
  ContactWorld apart(read(kShapes + single));
  ASSERT_EQ(group.contact_count(), 3u);
  ASSERT_EQ(apart.contact_count(), 9u);
  Random a(1), b(1);
  double most = 0.0;
  for (int i = 0; i < 300; ++i) {
    put_at_random(group, a, i % 3 == 0);
    put_at_random(apart, b, i % 3 == 0);
    for (const char* name : {"b1", "b2", "b3", "box"}) {
      const Wrench& one = group.wrench(group.body(name));
      const Wrench& other = apart.wrench(apart.body(name));
      const double size = 1.0 + other.force.norm();
      EXPECT_LE((one.force - other.force).norm(), 1e-12 * size);  // other order of sums
      EXPECT_LE((one.torque - other.torque).norm(), 1e-12 * size);
      most = std::max(most, other.force.norm());
    }
  }
  EXPECT_GT(most, 100.0);
}

TEST(ElementGroup, ReportsSumsOfForcesAndTheDeepestPair) {
  ContactWorld world(read(kShapes + contact("sphere-disc", "sphere='ball_*'\ndisc='floor'\n")));
  const double height[] = {0.0299, 0.0398, 1.0};
  for (int i = 0; i < 3; ++i) {
    BodyKinematics body;
    body.X_WB.p = Vec3(0.1 * i, 0, height[i]);
    world.set_body(world.body("b" + std::to_string(i + 1)), body);
  }
  world.evaluate(0.0);
  ContactReport report;
  world.report(0.0, 0, report);
  const double force = 1e6 * (std::pow(1e-4, 1.5) + std::pow(2e-4, 1.5));
  EXPECT_NEAR(report.channels[0], 2e-4, 1e-15);          // penetration
  EXPECT_NEAR(report.channels[1], force, 1e-9 * force);  // normal force
  EXPECT_EQ(report.patch.size(), 2u);
}

TEST(ElementGroup, ForgetsOnWhichSideRodsWereOnceTheyAreFar) {
  const std::string rod = "line = { from = [-0.1, 0, 0], to = [0.1, 0, 0], radius = 0.01 }\n";
  ContactWorld world(read("[[shape]]\nname='a_1'\nbody='a'\n" + rod +
                          "[[shape]]\nname='b'\nbody='b'\nrpy=[0, 0, 1.5]\n" + rod +
                          contact("line-line", "first='a_*'\nsecond='b'\n")));
  const auto force_at = [&](const Vec3& p) {
    BodyKinematics body;
    body.X_WB.p = p;
    world.set_body(world.body("a"), body);
    world.evaluate(0.0);
    world.commit(0.0);
    return world.wrench(world.body("a")).force.z();
  };
  force_at({0, 0, 0.05});
  EXPECT_GT(force_at({0, 0, 0.019}), 0.0);
  EXPECT_GT(force_at({0, 0, -0.001}), 0.0);  // through, and pushed back
  force_at({0, 0, 0.05});
  EXPECT_EQ(force_at({1, 0, 0.05}), 0.0);
  EXPECT_EQ(force_at({1, 0, -0.05}), 0.0);
  EXPECT_EQ(force_at({0, 0, -0.05}), 0.0);
  EXPECT_LT(force_at({0, 0, -0.019}), 0.0);  // from below
}

TEST(RepeatedShape, IsTurnedAroundTheAxis) {
  const ContactWorldDef def = read(
      "[[shape]]\nname = 'tooth'\nbody = 'gear'\nposition = [2, 0, 1]\nrpy = [0, 0, 0.5]\n"
      "sphere.radius = 1\nrepeat = 4\naround = [0, 0, 3]\n");
  ASSERT_EQ(def.shapes.size(), 4u);
  const Vec3 expected[] = {Vec3(2, 0, 1), Vec3(0, 2, 1), Vec3(-2, 0, 1), Vec3(0, -2, 1)};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(def.shapes[i].name, "tooth_" + std::to_string(i + 1));
    EXPECT_LE((def.shapes[i].X_BS.p - expected[i]).norm(), 1e-15);  // rounding
    const Mat3 R = Eigen::AngleAxisd(0.5 + 0.5 * kPi * static_cast<double>(i), Vec3::UnitZ())
                       .toRotationMatrix();
    EXPECT_LE((def.shapes[i].X_BS.R - R).norm(), 1e-15);
  }
}

TEST(RepeatedShape, OnceIsTheShapeItself) {
  const ContactWorldDef def = read("[[shape]]\nname = 'tooth'\nsphere.radius = 1\nrepeat = 1\n");
  ASSERT_EQ(def.shapes.size(), 1u);
  EXPECT_EQ(def.shapes[0].name, "tooth");
}

TEST(ElementGroupRefusal, NamesPlaceAndKey) {
  EXPECT_TRUE(
      contains(refusal(kShapes + contact("sphere-disc", "sphere = 'bal_*'\ndisc = 'floor'\n")),
               "contact.sphere 'bal_*' fits no shape"));
  EXPECT_TRUE(
      contains(refusal(kShapes + contact("sphere-sphere", "first = '*'\nsecond = 'ball_1'\n")),
               "contact.first: shape 'floor' is a disc, it must be a sphere"));
  EXPECT_TRUE(
      contains(refusal(kShapes + contact("sphere-sphere", "first = '*_1'\nsecond = 'ball_1*'\n")),
               "are on one body"));
  EXPECT_TRUE(contains(message_of<InputError>([] {
                         read("[[shape]]\nname='a'\nsphere.radius=1\nrepeat=2\naround=[0, 0, 0]\n");
                       }),
                       "s.toml:1:1: shape.around must not be zero"));
  EXPECT_TRUE(contains(
      message_of<InputError>([] { read("[[shape]]\nname='a'\nsphere.radius=1\nrepeat=0\n"); }),
      "s.toml:4:8: shape.repeat must"));
}

TEST(Linearization, OfACoupleTurnsAboutTheBody) {
  // Two pegs of a wheel pushed by two others the opposite way: a torque, next to no force. A pivot
  // on the line of action would be far away.
  const std::string text =
      "[[shape]]\nname='peg'\nbody='a'\nline={from=[0.03, 0, 0], to=[0.05, 0, 0], radius=0.005}\n"
      "repeat=2\n[[shape]]\nname='pin'\nbody='b'\nposition=[0.04, 0, 0]\n"
      "line={from=[0, 0, -0.01], to=[0, 0, 0.01], radius=0.005}\nrepeat=2\n" +
      contact("line-line", "first='pin*'\nsecond='peg*'\n");
  ContactWorld world(read(text));
  const auto torque_at = [&](double angle) {
    BodyKinematics body;
    body.X_WB.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    body.X_WB.p = Vec3(0, 1e-9, 0);  // what keeps the force from being zero
    world.set_body(world.body("a"), body);
    EXPECT_EQ(world.evaluate(0.0), Status::ok);
    return world.wrench(world.body("a")).torque.z();
  };
  torque_at(-0.3);
  world.commit(0.0);
  const double angle = -0.2495, h = 1e-7;  // 0.02 mm deep
  const double slope = (torque_at(angle + h) - torque_at(angle - h)) / (2.0 * h);
  EXPECT_GT(std::abs(torque_at(angle)), 1e-3);
  world.linearize(0.0);
  const int port = world.ports(0)[0] == world.body("a") ? 0 : 1;
  const double found = world.linearization(0).matrix(6 * port + 2, 12 * port + 2);
  EXPECT_NEAR(found, slope, 1e-3 * std::abs(slope));  // forward differences of 2e-9
}

}  // namespace
}  // namespace grouser
