#include "grouser/base/value.h"

#include <gtest/gtest.h>

#include "tests/support/messages.h"

namespace grouser {
namespace {

const Place kHere = {"s.toml", 3, 7};

/// simulation = { duration = 2 }, contact = [{ name = "wheel", friction = 0.3 }, { name = "1" }]
Value small_scene() {
  const Value simulation(Value::Table{{"duration", kHere, Value(2)}});
  const Value wheel(Value::Table{{"name", kHere, Value("wheel")}, {"friction", kHere, Value(0.3)}});
  const Value other(Value::Table{{"name", kHere, Value("1")}});
  return Value(Value::Table{{"simulation", kHere, simulation},
                            {"contact", kHere, Value(Value::Array{wheel, other})}});
}

std::string refusal(Value& root, const std::string& path) {
  return message_of<InputError>([&] { set_at_path(root, path, Value(1, {"--set", 0, 0})); });
}

TEST(Value, IsOfOneKind) {
  EXPECT_TRUE(Value().is_table());
  EXPECT_TRUE(Value(true).is_bool());
  EXPECT_TRUE(Value("text").is_text());  // not a boolean, though a pointer converts to one
  EXPECT_TRUE(Value(Value::Array{}).is_array());
  EXPECT_TRUE(Value(2).is_integer());
  EXPECT_TRUE(Value(2).is_number());
  EXPECT_TRUE(Value(2.5).is_number());
  EXPECT_FALSE(Value(2.5).is_integer());
  EXPECT_FALSE(Value(true).is_number());
}

TEST(Value, GivesIntegersAsNumbers) {
  EXPECT_EQ(Value(2).as_number(), 2.0);
  EXPECT_EQ(Value(std::int64_t{1} << 40).as_integer(), std::int64_t{1} << 40);
}

TEST(Value, FindsKeysOfTables) {
  const Value scene = small_scene();
  EXPECT_EQ(scene.find("simulation")->find("duration")->as_integer(), 2);
  EXPECT_EQ(scene.find("simulate"), nullptr);
  EXPECT_EQ(Value().find("anything"), nullptr);
}

TEST(Value, IsWrittenAsAPersonWould) {
  EXPECT_EQ(Value(true).text(), "true");
  EXPECT_EQ(Value(2).text(), "2");
  EXPECT_EQ(Value(0.1).text(), "0.1");
  EXPECT_EQ(Value("ball").text(), "\"ball\"");
  EXPECT_EQ(Value(Value::Array{1, 2}).text(), "an array of 2");
  EXPECT_EQ(Value().text(), "a table");
}

TEST(Value, IsWrittenWholeInOneLineOfToml) {
  Value value;
  set_at_path(value, "a", 1);
  set_at_path(value, "b c", Value::Array{2.0, -0.5, 1e300, true});
  set_at_path(value, "t", "say \"x\"\n\\");
  set_at_path(value, "empty", Value::Table{});
  EXPECT_EQ(value.inline_text(),
            "{ a = 1, \"b c\" = [2.0, -0.5, 1e+300, true], t = \"say \\\"x\\\"\\u000a\\\\\", "
            "empty = {} }");
}

TEST(Value, RefusesAnotherKindWithPlaceKeyAndWhatItIs) {
  const auto refused = [](const Value& value, auto read) {
    return message_of<InputError>([&] { (value.*read)("contact.friction"); });
  };
  EXPECT_EQ(refused(Value("much", kHere), &Value::number_or_throw),
            "s.toml:3:7: contact.friction must be a number, is a string, \"much\"");
  EXPECT_EQ(refused(Value(0.5, kHere), &Value::text_or_throw),
            "s.toml:3:7: contact.friction must be a string, is a number, 0.5");
  EXPECT_EQ(refused(Value(true), &Value::array_or_throw),
            "contact.friction must be an array, is a boolean, true");
  EXPECT_EQ(refused(Value(Value::Array{}), &Value::table_or_throw),
            "contact.friction must be a table, is an array");
  EXPECT_EQ(refused(Value(), &Value::number_or_throw),
            "contact.friction must be a number, is a table");
}

TEST(TablesOf, AreTheEntriesOfAList) {
  const Value scene = small_scene();
  EXPECT_EQ(tables_of(scene, "contact").size(), 2u);
  EXPECT_TRUE(tables_of(scene, "motor").empty());
}

TEST(TablesOf, RefusesASingleTableAndOtherKinds) {
  const Value scene(Value::Table{{"motor", kHere, Value(Value::Table{}, kHere)},
                                 {"loop", kHere, Value(3, kHere)}});
  EXPECT_EQ(message_of<InputError>([&] { tables_of(scene, "motor"); }),
            "s.toml:3:7: motor must be written [[motor]], there may be many");
  EXPECT_EQ(message_of<InputError>([&] { tables_of(scene, "loop"); }),
            "s.toml:3:7: loop must be an array, is a number, 3");
}

TEST(SetAtPath, ReplacesWhatIsThere) {
  Value scene = small_scene();
  set_at_path(scene, "simulation.duration", Value(5.0));
  EXPECT_EQ(scene.find("simulation")->find("duration")->as_number(), 5.0);
  EXPECT_EQ(scene.as_table().size(), 2u);
}

TEST(SetAtPath, MakesTheTablesOnTheWay) {
  Value scene = small_scene();
  set_at_path(scene, "simulation.gravity.z", Value(-1.62));
  set_at_path(scene, "mechanism.file", Value("rover.xml"));
  EXPECT_EQ(scene.find("simulation")->find("gravity")->find("z")->as_number(), -1.62);
  EXPECT_EQ(scene.find("mechanism")->find("file")->as_text(), "rover.xml");
  EXPECT_EQ(scene.find("simulation")->find("duration")->as_integer(), 2);
}

TEST(SetAtPath, GivesWhatItMakesThePlaceOfTheValue) {
  Value scene;
  set_at_path(scene, "a.b", Value(1, kHere));
  EXPECT_EQ(scene.as_table()[0].place.text(), kHere.text());
  EXPECT_EQ(scene.find("a")->place().text(), kHere.text());
  EXPECT_EQ(scene.find("a")->as_table()[0].place.text(), kHere.text());
}

TEST(SetAtPath, FindsEntriesOfArraysByIndexAndByName) {
  Value scene = small_scene();
  set_at_path(scene, "contact.0.friction", Value(0.5));
  EXPECT_EQ(scene.find("contact")->as_array()[0].find("friction")->as_number(), 0.5);
  set_at_path(scene, "contact.wheel.friction", Value(0.7));
  EXPECT_EQ(scene.find("contact")->as_array()[0].find("friction")->as_number(), 0.7);
}

TEST(SetAtPath, TakesANumberAsAnIndexEvenIfAnEntryBearsIt) {
  Value scene = small_scene();
  set_at_path(scene, "contact.1.friction", Value(0.9));  // the second entry is named "1"
  EXPECT_NE(scene.find("contact")->as_array()[1].find("friction"), nullptr);
  set_at_path(scene, "contact.0.friction", Value(0.1));
  EXPECT_EQ(scene.find("contact")->as_array()[0].find("friction")->as_number(), 0.1);
}

TEST(SetAtPath, ReplacesAWholeEntry) {
  Value scene = small_scene();
  set_at_path(scene, "contact.1", Value(Value::Table{}));
  EXPECT_TRUE(scene.find("contact")->as_array()[1].as_table().empty());
}

TEST(SetAtPath, RefusesPathsWithEmptyParts) {
  Value scene = small_scene();
  for (const std::string path : {"", ".", "simulation.", ".duration", "simulation..duration"})
    EXPECT_EQ(refusal(scene, path), "--set: '" + path + "' is not a key: a part is empty");
}

TEST(SetAtPath, RefusesEntriesThatAreNotThere) {
  Value scene = small_scene();
  EXPECT_EQ(refusal(scene, "contact.2.friction"),
            "--set: contact.2.friction: there are 2 entries, counted from zero; 2 is not one of "
            "them");
  EXPECT_EQ(refusal(scene, "contact.whel.friction"),
            "--set: contact.whel.friction: no entry is named 'whel'; did you mean 'wheel'?");
  EXPECT_EQ(refusal(scene, "contact.-1.friction"),
            "--set: contact.-1.friction: no entry is named '-1'; did you mean '1'?");
}

TEST(SetAtPath, RefusesKeysOfThingsThatHaveNone) {
  Value scene = small_scene();
  EXPECT_EQ(refusal(scene, "simulation.duration.seconds"),
            "--set: simulation.duration.seconds: simulation.duration is a number, it has no key "
            "'seconds'");
}

}  // namespace
}  // namespace grouser
