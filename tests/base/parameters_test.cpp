#include "grouser/base/parameters.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "tests/support/messages.h"

namespace grouser {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// One parameter of every kind.
struct Spring {
  double stiffness = kRequired;
  double rest_length = 0.0;
};
struct Wheel {
  enum class Tyre { rigid, rubber };

  std::string name;
  double radius = kRequired;
  double friction = 0.3;
  int grousers = 12;
  bool driven = true;
  std::string color = "grey";
  Tyre tyre = Tyre::rigid;
  Eigen::Vector3d axis = {0, 1, 0};
  Eigen::Vector3d size = Eigen::Vector3d::Constant(kRequired);
  Spring spring = {100.0, 0.1};
  double doubled = 0.0;
};

const ParameterTable<Spring>& spring_table() {
  static const auto table =
      ParameterTable<Spring>()
          .number("stiffness", &Spring::stiffness, "N/m", positive(), "of the spring")
          .number("rest_length", &Spring::rest_length, "m", any_number(), "of the spring");
  return table;
}

const ParameterTable<Wheel>& wheel_table() {
  static const auto table =
      ParameterTable<Wheel>()
          .text("name", &Wheel::name, "of the wheel", true)
          .number("radius", &Wheel::radius, "m", positive(), "of the tread")
          .number("friction", &Wheel::friction, "", within(0, 2), "Coulomb coefficient")
          .integer("grousers", &Wheel::grousers, within(0, 100), "around the tread")
          .boolean("driven", &Wheel::driven, "has a motor")
          .text("color", &Wheel::color, "for pictures")
          .choice("tyre", &Wheel::tyre, {"rigid", "rubber"}, "what it is made of")
          .vector3("axis", &Wheel::axis, "", "in the body frame")
          .vector3("size", &Wheel::size, "m", "of its box", positive())
          .nested("spring", &Wheel::spring, spring_table(), "of the suspension")
          .custom(
              "twice", "number",
              [](const Value& v, Wheel& out, const std::string& path) {
                out.doubled = 2.0 * v.number_or_throw(path);
              },
              "half of what is stored", false, "0",
              [](const Wheel& in) { return Value(0.5 * in.doubled); });
  return table;
}

Value::Entry entry(std::string key, Value value) {
  Value::Entry out;
  out.key = std::move(key);
  out.value = std::move(value);
  return out;
}

/// A table with everything that is required, and then `more`. Entry k stands in line k + 1.
Value wheel_text(Value::Table more = {}) {
  Value::Table entries = {entry("name", "left"), entry("radius", 0.125),
                          entry("size", Value::Array{0.25, 0.1, 0.25})};
  for (Value::Entry& added : more) entries.push_back(std::move(added));
  int line = 0;
  for (Value::Entry& each : entries) each.place = {"w.toml", ++line, 1};
  return Value(std::move(entries), {"w.toml", 9, 9});
}

Wheel read(const Value& value) {
  Wheel wheel;
  wheel_table().read(value, wheel, "wheel");
  return wheel;
}

std::string refusal(const Value& value) {
  return message_of<InputError>([&] { read(value); });
}

/// What is said about one value of one key.
std::string refusal(const std::string& key, Value value) {
  return refusal(wheel_text({entry(key, std::move(value))}));
}

TEST(Range, ContainsItsClosedEnds) {
  EXPECT_TRUE(within(0, 0.45).contains(0.0));
  EXPECT_TRUE(within(0, 0.45).contains(0.45));
  EXPECT_FALSE(within(0, 0.45).contains(std::nextafter(0.45, 1.0)));
  EXPECT_FALSE(within(0, 0.45).contains(-1e-300));
  EXPECT_FALSE(positive().contains(0.0));
  EXPECT_TRUE(positive().contains(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(non_negative().contains(0.0));
  EXPECT_TRUE(at_least(20.0).contains(20.0));
  const Range below_one{.upper = 1.0, .upper_open = true};
  EXPECT_FALSE(below_one.contains(1.0));
  EXPECT_TRUE(below_one.contains(-1e300));
}

TEST(Range, NeverContainsWhatIsNotFinite) {
  for (const Range& range : {any_number(), positive(), non_negative(), within(-1, 1), at_least(1)})
    for (const double x : {kNotANumber, kInfinity, -kInfinity}) EXPECT_FALSE(range.contains(x));
}

TEST(Range, SaysWhatMustBeTrue) {
  EXPECT_EQ(any_number().text(), "be finite");
  EXPECT_EQ(positive().text(), "be positive");
  EXPECT_EQ(non_negative().text(), "not be negative");
  EXPECT_EQ(at_least(20).text(), "be at least 20");
  EXPECT_EQ(within(0, 0.45).text(), "lie in [0, 0.45]");
  EXPECT_EQ((Range{.lower = 2.0, .lower_open = true}.text()), "be above 2");
  EXPECT_EQ((Range{.upper = 2.0}.text()), "be at most 2");
  EXPECT_EQ((Range{.upper = 2.0, .upper_open = true}.text()), "be below 2");
  EXPECT_EQ((Range{0.0, 1.0, true, true}.text()), "lie in (0, 1)");
}

TEST(ParameterTable, LeavesDefaultsWhereNothingIsSaid) {
  const Wheel wheel = read(wheel_text());
  EXPECT_EQ(wheel.name, "left");
  EXPECT_EQ(wheel.radius, 0.125);
  EXPECT_EQ(wheel.friction, 0.3);
  EXPECT_EQ(wheel.grousers, 12);
  EXPECT_TRUE(wheel.driven);
  EXPECT_EQ(wheel.color, "grey");
  EXPECT_EQ(wheel.tyre, Wheel::Tyre::rigid);
  EXPECT_EQ(wheel.axis, Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(wheel.spring.stiffness, 100.0);
}

TEST(ParameterTable, ReadsEveryKind) {
  const Wheel wheel = read(
      wheel_text({entry("friction", 1),  // a whole number where a number is wanted
                  entry("grousers", 24), entry("driven", false), entry("color", "red"),
                  entry("tyre", "rubber"), entry("axis", Value::Array{1, 0.5, 0}),
                  entry("spring", Value::Table{entry("stiffness", 2e3)}), entry("twice", 21.0)}));
  EXPECT_EQ(wheel.friction, 1.0);
  EXPECT_EQ(wheel.grousers, 24);
  EXPECT_FALSE(wheel.driven);
  EXPECT_EQ(wheel.color, "red");
  EXPECT_EQ(wheel.tyre, Wheel::Tyre::rubber);
  EXPECT_EQ(wheel.axis, Eigen::Vector3d(1, 0.5, 0));
  EXPECT_EQ(wheel.spring.stiffness, 2e3);
  EXPECT_EQ(wheel.spring.rest_length, 0.1);  // of the struct it is a member of
  EXPECT_EQ(wheel.doubled, 42.0);
}

TEST(ParameterTable, WritesWhatItWouldReadAgain) {
  const Wheel wheel = read(wheel_text({entry("grousers", 24), entry("driven", false),
                                       entry("tyre", "rubber"), entry("twice", 21.0)}));
  const Value written = wheel_table().values(wheel);
  EXPECT_EQ(
      written.inline_text(),
      "{ name = \"left\", radius = 0.125, friction = 0.3, grousers = 24, driven = false, "
      "color = \"grey\", tyre = \"rubber\", axis = [0.0, 1.0, 0.0], size = [0.25, 0.1, 0.25], "
      "spring = { stiffness = 100.0, rest_length = 0.1 }, twice = 21.0 }");
  EXPECT_EQ(wheel_table().values(read(written)).inline_text(), written.inline_text());
}

// Lists and pairs.
struct Track {
  Eigen::Vector2d start = Eigen::Vector2d::Constant(kRequired);
  std::vector<Eigen::Vector2d> line = {};
  std::vector<Spring> springs = {};
};

const ParameterTable<Track>& track_table() {
  static const auto table =
      ParameterTable<Track>()
          .vector2("start", &Track::start, "m", "of the track", non_negative())
          .points("line", &Track::line, "list of [x, y]", "it runs along")
          .list("springs", &Track::springs, spring_table(), "under it");
  return table;
}

Track read_track(const Value& value) {
  Track track;
  track_table().read(value, track, "track");
  return track;
}

TEST(ParameterTable, ReadsAndWritesPairsAndLists) {
  Value text;
  set_at_path(text, "start", Value::Array{1, 2.5});
  set_at_path(text, "line", Value::Array{Value::Array{0, 1}, Value::Array{2, 3}});
  Value spring;
  set_at_path(spring, "stiffness", 7.0);
  set_at_path(text, "springs", Value::Array{spring, spring});
  const Track track = read_track(text);
  EXPECT_EQ(track.start, Eigen::Vector2d(1, 2.5));
  ASSERT_EQ(track.line.size(), 2u);
  EXPECT_EQ(track.line[1], Eigen::Vector2d(2, 3));
  ASSERT_EQ(track.springs.size(), 2u);
  EXPECT_EQ(track.springs[1].stiffness, 7.0);
  EXPECT_EQ(track_table().values(track).inline_text(),
            "{ start = [1.0, 2.5], line = [[0.0, 1.0], [2.0, 3.0]], springs = [{ stiffness = 7.0, "
            "rest_length = 0.0 }, { stiffness = 7.0, rest_length = 0.0 }] }");

  // What is wrong is named with its place in the list.
  set_at_path(text, "line.1", Value::Array{2});
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_track(text); }), "track.line.1"));
  set_at_path(text, "line.1", Value::Array{2, 3});
  set_at_path(text, "springs.0.stiffness", -1.0);
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { read_track(text); }), "track.springs.0.stiffness"));
}

TEST(ParameterTable, ChecksPairsAndListsFilledInByCode) {
  const auto refusal_of = [](const Track& track) {
    return message_of<InputError>([&] { track_table().check(track, {}, "track"); });
  };
  EXPECT_TRUE(contains(refusal_of({}), "track.start"));
  EXPECT_TRUE(contains(refusal_of({.start = {1, -1}}), "track.start must not be negative, is -1"));
  EXPECT_TRUE(contains(refusal_of({.start = {1, 1}, .line = {{0, kNotANumber}}}), "track.line.0"));
  EXPECT_TRUE(contains(refusal_of({.start = {1, 1}, .line = {}, .springs = {{1.0}, {0.0}}}),
                       "track.springs.1.stiffness must be positive"));
}

TEST(ParameterTable, TakesAnyNumbersThatStandInARow) {
  struct Plain {
    std::array<double, 2> pair = {1, 2};
    std::array<double, 3> triple = {kRequired, 0, 0};
    std::vector<std::array<double, 2>> line = {};
  };
  static const auto table = ParameterTable<Plain>()
                                .vector2("pair", &Plain::pair, "", "of numbers")
                                .vector3("triple", &Plain::triple, "", "of numbers")
                                .points("line", &Plain::line, "list of [x, y]", "through points");
  Value text;
  set_at_path(text, "triple", Value::Array{3, 4, 5});
  Value::Array line;  // braces around one array alone may be that array
  line.push_back(Value::Array{6, 7});
  set_at_path(text, "line", line);
  Plain plain;
  table.read(text, plain, "");
  EXPECT_EQ(table.values(plain).inline_text(),
            "{ pair = [1.0, 2.0], triple = [3.0, 4.0, 5.0], line = [[6.0, 7.0]] }");
}

TEST(ParameterTable, MayNameMembersOfABase) {
  struct Named {
    std::string name = "someone";
    Wheel::Tyre tyre = Wheel::Tyre::rubber;
    Eigen::Vector3d size = Eigen::Vector3d::Ones();
  };
  struct Other {
    virtual ~Other() = default;
    double x = 0.0;
  };
  // The base stands behind another one.
  struct Both : Other, Named {};
  static const auto table = ParameterTable<Both>()
                                .number("x", &Both::x, "", any_number(), "of the other")
                                .text("name", &Both::name, "of it")
                                .choice("tyre", &Both::tyre, {"rigid", "rubber"}, "of it")
                                .vector3("size", &Both::size, "m", "of it");
  EXPECT_EQ(table.values(Both()).inline_text(),
            "{ x = 0.0, name = \"someone\", tyre = \"rubber\", size = [1.0, 1.0, 1.0] }");
  Value text;
  set_at_path(text, "name", "else");
  set_at_path(text, "tyre", "rigid");
  Both both;
  table.read(text, both, "");
  EXPECT_EQ(both.name, "else");
  EXPECT_EQ(both.tyre, Wheel::Tyre::rigid);
}

TEST(ParameterTable, MayBeCopied) {
  const auto made_for = [](const std::string& folder) {
    return ParameterTable<Wheel>().custom(
        "file", "string",
        [folder](const Value& v, Wheel& out, const std::string& path) {
          out.name = folder + "/" + v.text_or_throw(path);
        },
        "in a folder whose name is too long to be kept in place");
  };
  auto original = std::make_unique<ParameterTable<Wheel>>(made_for("/a/long/way/from/here/to/it"));
  ParameterTable<Wheel> copy = *original;
  copy.number("radius", &Wheel::radius, "m", positive(), "of the copy alone");
  EXPECT_EQ(original->keys(), std::vector<std::string>{"file"});
  original.reset();
  Value text;
  set_at_path(text, "file", "map");
  set_at_path(text, "radius", 1.0);
  Wheel wheel;
  copy.read(text, wheel, "");
  EXPECT_EQ(wheel.name, "/a/long/way/from/here/to/it/map");
  EXPECT_EQ(wheel.radius, 1.0);
}

TEST(ParameterTable, RefusesUnknownKeysAtTheKey) {
  EXPECT_EQ(refusal("fricton", 0.5),
            "w.toml:4:1: unknown key wheel.fricton; did you mean 'friction'?");
  EXPECT_EQ(refusal("pressure", 0.5),
            "w.toml:4:1: unknown key wheel.pressure; known are name, radius, friction, grousers, "
            "driven, color, tyre, axis, size, spring, twice");
}

TEST(ParameterTable, RefusesMissingKeysAtTheTable) {
  const Value::Entry name = entry("name", "left");
  const Value::Entry radius = entry("radius", 0.1);
  const Place place = {"w.toml", 9, 9};
  EXPECT_EQ(refusal(Value(Value::Table{radius}, place)),
            "w.toml:9:9: wheel.name is missing (of the wheel)");
  EXPECT_EQ(refusal(Value(Value::Table{name}, place)),
            "w.toml:9:9: wheel.radius is missing (of the tread)");
  EXPECT_EQ(refusal(Value(Value::Table{name, radius}, place)),
            "w.toml:9:9: wheel.size is missing (of its box)");
}

TEST(ParameterTable, RefusesWrongKinds) {
  EXPECT_EQ(refusal("friction", "much"), "wheel.friction must be a number, is a string, \"much\"");
  EXPECT_EQ(refusal("grousers", 2.5), "wheel.grousers must be a whole number, is 2.5");
  EXPECT_EQ(refusal("grousers", 2.0), "wheel.grousers must be a whole number, is 2");
  EXPECT_EQ(refusal("driven", 1), "wheel.driven must be true or false, is 1");
  EXPECT_EQ(refusal("color", 3), "wheel.color must be a string, is a number, 3");
  EXPECT_EQ(refusal("axis", 1), "wheel.axis must be an array, is a number, 1");
  EXPECT_EQ(refusal("axis", Value::Array{1, 2}), "wheel.axis must have 3 numbers, has 2");
  EXPECT_EQ(refusal("axis", Value::Array{1, "y", 0}),
            "wheel.axis must be a number, is a string, \"y\"");
  EXPECT_EQ(refusal("spring", 5), "wheel.spring must be a table, is a number, 5");
  EXPECT_EQ(refusal(Value(1.0)), "wheel must be a table, is a number, 1");
}

TEST(ParameterTable, RefusesNumbersOutOfRangeAtTheValue) {
  EXPECT_EQ(refusal("friction", Value(2.5, {"w.toml", 7, 12})),
            "w.toml:7:12: wheel.friction must lie in [0, 2], is 2.5");
  EXPECT_EQ(refusal("friction", kNotANumber), "wheel.friction must lie in [0, 2], is nan");
  EXPECT_EQ(refusal("axis", Value::Array{0, 0, kInfinity}), "wheel.axis must be finite, is inf");
  EXPECT_EQ(refusal("grousers", 101), "wheel.grousers must lie in [0, 100], is 101");
}

TEST(ParameterTable, RefusesIntegersThatDoNotFit) {
  struct Count {
    int n = 0;
  };
  static const auto table =
      ParameterTable<Count>().integer("n", &Count::n, any_number(), "of things");
  const Value huge(Value::Table{entry("n", Value(std::int64_t{1} << 40))});
  Count count;
  EXPECT_EQ(message_of<InputError>([&] { table.read(huge, count, ""); }),
            "n is too large: 1099511627776");
}

TEST(ParameterTable, RefusesWordsThatAreNoChoice) {
  EXPECT_EQ(refusal("tyre", "steel"), "wheel.tyre is 'steel'; it must be one of rigid, rubber");
}

TEST(ParameterTable, NamesTheWholePathInNestedTables) {
  EXPECT_EQ(refusal("spring", Value::Table{entry("stiffness", -1.0)}),
            "wheel.spring.stiffness must be positive, is -1");
  EXPECT_EQ(refusal("spring", Value::Table{entry("stifness", 1.0)}),
            "unknown key wheel.spring.stifness; did you mean 'stiffness'?");
  EXPECT_EQ(refusal("spring", Value::Table{}), "wheel.spring.stiffness is missing (of the spring)");
}

TEST(ParameterTable, LeavesOutThePathOfTheWholeFile) {
  Spring spring;
  EXPECT_EQ(message_of<InputError>([&] { spring_table().read(Value(), spring, ""); }),
            "stiffness is missing (of the spring)");
}

/// What check() says to C++ code that filled in a wheel, after `change`.
template <class Change>
std::string check(Change change) {
  Wheel wheel;
  wheel.name = "left";
  wheel.radius = 0.125;
  wheel.size = {0.25, 0.1, 0.25};
  change(wheel);
  try {
    wheel_table().check(wheel, {"main.cpp", 12, 0}, "wheel");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ParameterTable, ChecksStructsFilledInByCode) {
  EXPECT_EQ(check([](Wheel&) {}), "accepted");
  EXPECT_EQ(check([](Wheel& w) { w.friction = -0.1; }),
            "main.cpp:12: wheel.friction must lie in [0, 2], is -0.1");
  EXPECT_EQ(check([](Wheel& w) { w.radius = kRequired; }),
            "main.cpp:12: wheel.radius is missing (of the tread)");
  EXPECT_EQ(check([](Wheel& w) { w.name.clear(); }),
            "main.cpp:12: wheel.name is missing (of the wheel)");
  EXPECT_EQ(check([](Wheel& w) { w.grousers = -1; }),
            "main.cpp:12: wheel.grousers must lie in [0, 100], is -1");
  EXPECT_EQ(check([](Wheel& w) { w.size.z() = 0.0; }),
            "main.cpp:12: wheel.size must be positive, is 0");
  EXPECT_EQ(check([](Wheel& w) { w.spring.stiffness = kInfinity; }),
            "main.cpp:12: wheel.spring.stiffness must be positive, is inf");
}

TEST(ParameterTable, IncludesTheTableOfABase) {
  struct Painted {
    std::string paint = "white";
  };
  struct PaintedSpring : Painted, Spring {
    double age = 0.0;
  };
  ParameterTable<PaintedSpring> table;
  table.include(spring_table()).number("age", &PaintedSpring::age, "s", positive(), "of it");
  PaintedSpring spring;
  table.read(Value(Value::Table{{"stiffness", {}, Value(3.0)}, {"age", {}, Value(4.0)}}), spring,
             "spring");
  EXPECT_EQ(spring.stiffness, 3.0);
  EXPECT_EQ(spring.age, 4.0);
  EXPECT_EQ(spring.paint, "white");
  EXPECT_EQ(table.keys(), (std::vector<std::string>{"stiffness", "rest_length", "age"}));
  spring.stiffness = -1.0;
  EXPECT_THROW(table.check(spring, {}, "spring"), InputError);
}

TEST(ParameterTable, TellsEverythingForTheDocumentation) {
  const std::vector<ParameterInfo> infos = wheel_table().infos();
  const auto info = [&](const std::string& key) {
    for (const ParameterInfo& i : infos)
      if (i.key == key) return i;
    ADD_FAILURE() << key;
    return ParameterInfo{};
  };
  ASSERT_EQ(infos.size(), 11u);
  EXPECT_EQ(infos[0].key, "name");  // in the order of the declaration
  EXPECT_EQ(info("radius").kind, "number");
  EXPECT_EQ(info("radius").unit, "m");
  EXPECT_EQ(info("radius").range, "be positive");
  EXPECT_EQ(info("radius").meaning, "of the tread");
  EXPECT_EQ(info("tyre").kind, "\"rigid\" or \"rubber\"");
}

TEST(ParameterTable, TakesDefaultsFromTheInitialisers) {
  const auto default_of = [](const std::string& key) {
    for (const ParameterInfo& info : wheel_table().infos())
      if (info.key == key) return info.default_text;
    return std::string("no such key");
  };
  for (const char* required : {"name", "radius", "size"}) EXPECT_EQ(default_of(required), "");
  EXPECT_EQ(default_of("friction"), "0.3");
  EXPECT_EQ(default_of("grousers"), "12");
  EXPECT_EQ(default_of("driven"), "true");
  EXPECT_EQ(default_of("color"), "\"grey\"");
  EXPECT_EQ(default_of("tyre"), "\"rigid\"");
  EXPECT_EQ(default_of("axis"), "[0, 1, 0]");
  EXPECT_EQ(default_of("spring"), "defaults");
  EXPECT_EQ(default_of("twice"), "0");
}

struct Surface {
  enum class Law { linear, cubic, stepped };
  Law law = Law::linear;
  std::optional<double> grip;
  double speed = kRequired;
};
/// A surface whose speed has a default, and that knows two of the laws.
struct Plate : Surface {
  Plate() {
    law = Law::stepped;
    speed = 0.5;
  }
  double size = 1.0;
};

const ParameterTable<Surface>& surface_table() {
  static const auto table =
      ParameterTable<Surface>()
          .choice("law", &Surface::law, {"linear", "cubic", "stepped"}, "of the surface")
          .optional("grip", &Surface::grip, "", within(0, 1), "of the other", "of the surface")
          .number("speed", &Surface::speed, "m/s", positive(), "of the surface")
          .renamed("velocity", "speed");
  return table;
}
const ParameterTable<Plate>& plate_table() {
  static const auto table = ParameterTable<Plate>()
                                .number("size", &Plate::size, "m", positive(), "of the plate")
                                .include(surface_table())
                                .only("law", {"linear", "stepped"});
  return table;
}

Plate plate_of(const std::string& key, const Value& value) {
  Value::Table text{{key, {"p.toml", 2, 1}, value}};
  Plate plate;
  plate_table().read(Value(std::move(text), {"p.toml", 1, 1}), plate, "plate");
  return plate;
}

TEST(ParameterTable, IncludesTheTableOfABaseWithDefaultsOfItsOwn) {
  const std::vector<ParameterInfo> infos = plate_table().infos();
  ASSERT_EQ(infos.size(), 4u);
  EXPECT_EQ(infos[1].default_text, "\"stepped\"");
  EXPECT_EQ(infos[1].kind, "\"linear\" or \"stepped\"");
  EXPECT_EQ(infos[2].default_text, "of the other");
  EXPECT_EQ(infos[3].default_text, "0.5");
  EXPECT_EQ(surface_table().infos()[2].default_text, "");  // required there
  EXPECT_EQ(plate_of("size", 2.0).speed, 0.5);
}

TEST(ParameterTable, NumbersMayBeAbsent) {
  EXPECT_FALSE(plate_of("size", 2.0).grip);
  EXPECT_EQ(plate_of("grip", 0.0).grip, 0.0);
  EXPECT_EQ(message_of<InputError>([] {
              plate_of("grip", Value(2.0, {"p.toml", 2, 8}));
            }),
            "p.toml:2:8: plate.grip must lie in [0, 1], is 2");
  Plate plate;
  EXPECT_EQ(plate_table().values(plate).text(), plate_table().values(Plate()).text());
  EXPECT_EQ(plate_table().values(plate).find("grip"), nullptr);
  plate.grip = 0.25;
  EXPECT_EQ(plate_table().values(plate).find("grip")->as_number(), 0.25);
  plate.grip = -1.0;
  EXPECT_EQ(message_of<InputError>([&] { plate_table().check(plate, {}, "plate"); }),
            "plate.grip must lie in [0, 1], is -1");
}

TEST(ParameterTable, TakesSomeOfTheWordsOfAChoice) {
  EXPECT_EQ(plate_of("law", "stepped").law, Surface::Law::stepped);
  EXPECT_EQ(message_of<InputError>([] {
              plate_of("law", Value("cubic", {"p.toml", 2, 7}));
            }),
            "p.toml:2:7: plate.law is 'cubic'; it must be one of linear, stepped");
  Plate plate;
  plate.law = Surface::Law::cubic;
  EXPECT_EQ(message_of<InputError>([&] { plate_table().check(plate, {}, "plate"); }),
            "plate.law is 'cubic'; it must be one of linear, stepped");
}

TEST(ParameterTable, TellsTheNewNameOfAKey) {
  EXPECT_EQ(message_of<InputError>([] { plate_of("velocity", 1.0); }),
            "p.toml:2:1: plate.velocity is now called plate.speed");
  for (const ParameterInfo& info : plate_table().infos()) EXPECT_NE(info.key, "velocity");
}

}  // namespace
}  // namespace grouser
