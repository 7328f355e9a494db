// What a world tells its host: each thing once, in its place, and nothing to who does not listen.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "grouser/contact/hosted_world.h"
#include "grouser/contact/world.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

/// How often a body was accepted above x = 1, and above x = 2.
struct CrossingMessages {
  std::uint64_t over[2] = {0, 0};
};

/// A model that does as the place of its body says: y < 0 wants a shorter step, y not finite has no
/// answer, z is how deep it is, x beyond 1 and 2 is worth a warning.
class Obedient final : public ContactModel {
 public:
  std::vector<std::string> body_names() const override { return {"body", "world"}; }
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<PlainMemory<CrossingMessages>>();
  }
  Status evaluate(const ContactInput& in, const ContactMemory&, Scratch&,
                  ContactOutput& out) const override {
    const Vec3& p = in.bodies[0].X_WB.p;
    out.wrenches[0] = out.wrenches[1] = {};
    out.penetration = std::max(0.0, p.z());
    if (!std::isfinite(p.y())) return Status::impossible;
    return p.y() < 0.0 ? Status::shorten_step : Status::ok;
  }
  void commit(const ContactInput& in, ContactMemory& memory, Scratch&) const override {
    CrossingMessages& kept = static_cast<PlainMemory<CrossingMessages>&>(memory).value;
    for (int i = 0; i < 2; ++i) kept.over[i] += in.bodies[0].X_WB.p.x() > i + 1.0;
  }
  void report(const ContactInput&, const ContactMemory&, Scratch&, ContactReport&) const override {}
  std::vector<std::string> notes() const override { return {"made for tests"}; }
  std::size_t warning_count() const override { return 2; }
  bool warns(const ContactMemory& memory, std::size_t warning) const override {
    return static_cast<const PlainMemory<CrossingMessages>&>(memory).value.over[warning] > 0;
  }
  std::string warning(const ContactMemory& memory, std::size_t warning) const override {
    const CrossingMessages& kept = static_cast<const PlainMemory<CrossingMessages>&>(memory).value;
    return std::to_string(kept.over[warning]) + " times beyond " + std::to_string(warning + 1);
  }
  double max_penetration() const override { return 0.1; }
};

struct ObedientDef final : ContactDef {
  std::string_view model() const override { return "obedient"; }
  Value values() const override { return Value(Value::Table{}); }
  std::unique_ptr<ContactModel> build(const ShapeTable&) const override {
    return std::make_unique<Obedient>();
  }
};

ContactWorldDef obedient_world() {
  ContactWorldDef def;
  ObedientDef contact;
  contact.name = "it";
  def.add(contact);
  return def;
}

class Messages : public testing::Test {
 protected:
  Messages() : world(obedient_world()), body(world.body("body")) {
    world.set_message_handler([this](const Message& message) { heard.push_back(message); });
  }
  void ask(double time, const Vec3& p) {
    world.set_body(body, {{Mat3::Identity(), p}, {}});
    world.evaluate(time);
  }
  void step(double time, const Vec3& p) {
    ask(time, p);
    world.commit(time);
  }
  /// What was heard since the last question.
  std::vector<std::string> news() {
    std::vector<std::string> out;
    for (const Message& message : heard) out.push_back(message.text);
    heard.clear();
    return out;
  }
  using Texts = std::vector<std::string>;

  ContactWorld world;
  int body;
  std::vector<Message> heard;
};

TEST_F(Messages, NotesAreToldWhenSomebodyListens) {
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Message::Kind::note);
  EXPECT_EQ(heard[0].text, "contact 'it': made for tests");
}

TEST_F(Messages, WarningsAreToldOnceAtTheStepThatBringsThem) {
  news();
  step(0.1, Vec3(0.5, 0, 0));
  EXPECT_EQ(news(), Texts());
  step(0.2, Vec3(1.5, 0, 0));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Message::Kind::warning);
  EXPECT_DOUBLE_EQ(heard[0].time, 0.2);
  EXPECT_EQ(news(), Texts{"contact 'it': 1 times beyond 1"});
  step(0.3, Vec3(1.5, 0, 0));
  EXPECT_EQ(news(), Texts());
  step(0.4, Vec3(2.5, 0, 0));
  EXPECT_EQ(news(), Texts{"contact 'it': 1 times beyond 2"});
  EXPECT_EQ(world.warnings().size(), 2u);
}

TEST_F(Messages, BadAnswersAreToldOnceAtTheNextCommit) {
  news();
  ask(0.1, Vec3(0, -1, 0));
  ask(0.2, Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0));
  ask(0.3, Vec3(0, -1, 0));
  EXPECT_TRUE(heard.empty());
  step(0.05, Vec3::Zero());
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].kind, Message::Kind::warning);
  EXPECT_DOUBLE_EQ(heard[0].time, 0.1);
  EXPECT_NE(heard[0].text.find("a step that is too long"), std::string::npos);
  EXPECT_EQ(heard[1].kind, Message::Kind::error);
  EXPECT_DOUBLE_EQ(heard[1].time, 0.2);
  EXPECT_NE(heard[1].text.find("had no answer"), std::string::npos);
  news();
  ask(0.4, Vec3(0, -1, 0));
  step(0.1, Vec3::Zero());
  EXPECT_TRUE(heard.empty());
}

TEST_F(Messages, ADepthNearTheGreatestIsToldOnce) {
  news();
  step(0.1, Vec3(0, 0, 0.0899));
  EXPECT_TRUE(heard.empty());
  ask(0.2, Vec3(0, 0, 0.099));  // a trial, which is not accepted
  step(0.2, Vec3(0, 0, 0.05));
  EXPECT_TRUE(heard.empty());
  step(0.3, Vec3(0, 0, 0.091));
  EXPECT_EQ(news(), Texts{"contact 'it' reached 91 % of max_penetration (0.1 m)"});
  step(0.4, Vec3(0, 0, 0.095));
  EXPECT_TRUE(heard.empty());
}

TEST_F(Messages, GoingBackTellsNothingAgainButAResetDoes) {
  news();
  const WorldSnapshot before = world.snapshot();
  step(0.1, Vec3(1.5, 0, 0));
  EXPECT_EQ(news().size(), 1u);
  world.rewind(before);
  step(0.1, Vec3(1.5, 0, 0));
  EXPECT_EQ(news(), Texts());
  world.reset();
  step(0.1, Vec3(1.5, 0, 0));
  EXPECT_EQ(news().size(), 1u);
}

TEST_F(Messages, CopiesAreSilentAndMovedWorldsAreNot) {
  news();
  ContactWorld copy = world;
  copy.set_body(body, {{Mat3::Identity(), Vec3(1.5, 0, 0)}, {}});
  copy.evaluate(0.1);
  copy.commit(0.1);
  EXPECT_EQ(news(), Texts());
  ContactWorld moved = std::move(world);
  moved.set_body(body, {{Mat3::Identity(), Vec3(1.5, 0, 0)}, {}});
  moved.evaluate(0.1);
  moved.commit(0.1);
  EXPECT_EQ(news().size(), 1u);
}

TEST_F(Messages, WhatWasBeforeAHandlerIsNoNews) {
  step(0.1, Vec3(1.5, 0, 0.095));
  std::vector<std::string> second;
  world.set_message_handler([&](const Message& message) { second.push_back(message.text); });
  news();
  step(0.2, Vec3(2.5, 0, 0.095));
  EXPECT_EQ(second, (Texts{"contact 'it': made for tests", "contact 'it': 1 times beyond 2"}));
  EXPECT_EQ(news(), Texts());  // the first one hears nothing any more
  world.set_message_handler({});
  world.reset();
  step(0.1, Vec3(2.5, 0, 0));
  EXPECT_EQ(second.size(), 2u);
}

TEST_F(Messages, AHandlerMayEndItselfAndAskTheWorld) {
  std::size_t known = 0;
  world.set_message_handler([&](const Message& message) {
    if (message.kind == Message::Kind::note) return;
    known = world.warnings().size();
    world.set_message_handler({});
  });
  step(0.1, Vec3(1.5, 0, 0));
  EXPECT_EQ(known, 1u);
  known = 0;
  step(0.2, Vec3(2.5, 0, 0));
  EXPECT_EQ(known, 0u);
}

TEST_F(Messages, StepsWithoutNewsAllocateNothing) {
  step(0.1, Vec3(1.5, 0, 0));
  step(0.2, Vec3(1.5, 0, 0));
  const std::size_t before = allocations();
  for (int i = 0; i < 10; ++i) step(0.3 + 0.1 * i, Vec3(1.5, 0, 0));
  EXPECT_EQ(allocations(), before);
}

TEST_F(Messages, AHostThatNeverCommitsHearsThemToo) {
  news();
  HostedWorld hosted(std::move(world));
  for (int again = 0; again < 3; ++again) {
    hosted.set_body(body, {{Mat3::Identity(), Vec3(1.5, 0, 0)}, {}}, 0.1);
    hosted.wrench(body, 0.1);
    hosted.set_body(body, {}, 0.05);
    hosted.wrench(body, 0.05);
  }
  EXPECT_EQ(news(), Texts{"contact 'it': 1 times beyond 1"});
}

}  // namespace
}  // namespace grouser
