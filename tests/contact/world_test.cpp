#include "grouser/contact/world.h"

#include <gtest/gtest.h>

#include "grouser/contact/sphere_half_space.h"
#include "grouser/sim/toml_reader.h"

namespace grouser {
namespace {

std::string message_of(const std::string& scene) {
  try {
    ContactWorld world(read_contact_world(read_toml_text(scene, "s.toml"), "."));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kBall = "[[shape]]\nname = \"ball\"\nbody = \"ball\"\nsphere.radius = 0.1\n";
const std::string kFloor = "[[shape]]\nname = \"floor\"\nhalf_space = true\n";

TEST(WorldFromScene, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(message_of(kBall + kFloor), "accepted");
  EXPECT_EQ(message_of(kBall + kBall),
            "s.toml:5:1: shape.name 'ball' is used twice; first at s.toml:1:1");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsphere.radius = -1\n"),
            "s.toml:3:17: shape.sphere.radius must be positive, is -1");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsphere.radius = nan\n"),
            "s.toml:3:17: shape.sphere.radius must be positive, is nan");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsfere.radius = 1\n"),
            "s.toml:3:1: unknown key shape.sfere; did you mean 'sphere'?");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\n"),
            "s.toml:1:1: shape 'x' needs exactly one of mesh, sphere, half_space; it has 0");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nmesh.file = \"none.obj\"\n").substr(0, 38),
            "s.toml:3:13: shape.mesh.file: ./none.o");
  EXPECT_EQ(message_of(kBall + kFloor + "[[contact]]\nmodel = \"pmc\"\n"),
            "s.toml:9:9: contact.model 'pmc' is unknown; did you mean 'pcm'? (of pcm, "
            "sphere-half-space)");
  EXPECT_EQ(message_of(kBall + kFloor +
                       "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\n"),
            "s.toml:8:1: contact.half_space is missing (shape of kind half_space)");
  EXPECT_EQ(message_of(kBall + kFloor +
                       "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\n"
                       "half_space = \"flor\"\nstiffness = 1e6\n"),
            "s.toml:8:1: contact.half_space: there is no shape 'flor'; did you mean 'floor'?");
}

TEST(World, KnowsItsBodiesByName) {
  const ContactWorld world(read_contact_world(read_toml_text(kBall + kFloor, "s.toml"), "."));
  EXPECT_EQ(world.body("world"), 0);
  EXPECT_EQ(world.body("ball"), 1);
  try {
    world.body("bal");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no contact has a body 'bal'; did you mean 'ball'?");
  }
}

TEST(World, SumsTheWrenchesOfAllContactsOfABody) {
  const auto contact = [](const std::string& name) {
    return "[[contact]]\nname = \"" + name +
           "\"\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\nhalf_space = \"floor\"\n"
           "stiffness = 1e6\n";
  };
  ContactWorld world(read_contact_world(
      read_toml_text(kBall + kFloor + contact("a") + contact("b"), "s.toml"), "."));
  world.set_body(1, {{Mat3::Identity(), Vec3(0, 0, 0.0999)}, {}});
  world.evaluate(0.0);
  EXPECT_EQ(world.wrench(1).force.z(), 2.0 * world.port_wrenches(0)[0].force.z());
  EXPECT_EQ(world.wrench(0).force.z(), -world.wrench(1).force.z());
}

}  // namespace
}  // namespace grouser
