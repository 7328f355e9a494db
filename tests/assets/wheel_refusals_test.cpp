#include <gtest/gtest.h>

#include "grouser/assets/wheel.h"
#include "grouser/base/error.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

WheelDef plain_wheel() {
  WheelDef def;
  def.radius = 0.25;
  def.width = 0.2;
  return def;
}

/// What make_wheel says to a wheel with this change.
template <class Change>
std::string complaint(Change&& change) {
  WheelDef def = plain_wheel();
  change(def);
  return message_of<InputError>([&] { make_wheel(def, Place{"scene.toml", 3, 8}, "wheel"); });
}

void give_grousers(WheelDef& def) {
  def.grouser_count = 24;
  def.grouser_height = 0.02;
  def.grouser_thickness = 0.01;
}

TEST(WheelRefusals, NameMissingAndNegativeSizes) {
  EXPECT_TRUE(contains(message_of<InputError>([] { make_wheel({}); }), "wheel.radius is missing"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.width = -0.1; }),
                       "scene.toml:3:8: wheel.width must lie in [1e-06, 1e+06], is -0.1"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.rim_thickness = -1e-3; }),
                       "wheel.rim_thickness must"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.grouser_count = -1; }),
                       "wheel.grouser_count must lie in [0, 1000], is -1"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.grouser_height = kRequired; }),
                       "wheel.grouser_height must"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.spoke_width = 1e-9; }),
                       "wheel.spoke_width must be at least 2.5e-06"));
}

TEST(WheelRefusals, NameTheSpacingGrousersDoNotFitInto) {
  const auto thick = [](WheelDef& w) {
    give_grousers(w);
    w.grouser_thickness = 0.07;
  };
  // 2 * 0.25 * sin(pi / 24), less a thousandth.
  EXPECT_TRUE(contains(complaint(thick),
                       "wheel.grouser_thickness must be below 0.0651978 (the "
                       "spacing at the tread), is 0.07"));
  EXPECT_TRUE(contains(complaint([&](WheelDef& w) {
                         thick(w);
                         w.grouser_thickness = 0.04;
                         w.grouser_shape = GrouserShape::chevron;
                         w.grouser_angle = 1.0;
                       }),
                       "wheel.grouser_thickness must be below 0.0352265 (the spacing at the tread, "
                       "square to the slanted run), is 0.04"));
  EXPECT_TRUE(contains(complaint([&](WheelDef& w) {
                         thick(w);
                         w.grouser_thickness = 0.06;
                         w.grouser_side_angle = 0.3;
                       }),
                       "less 0.01237 for the flanks), is 0.06"));
  EXPECT_TRUE(contains(complaint([&](WheelDef& w) {
                         thick(w);
                         w.grouser_side_angle = 1.2;
                       }),
                       "wheel.grouser_side_angle must be below 1.02"));
  // A crown brings feet together at the sides.
  EXPECT_TRUE(contains(complaint([&](WheelDef& w) {
                         thick(w);
                         w.crown = 0.1;
                         w.grouser_thickness = 0.05;
                       }),
                       "wheel.grouser_thickness must be below 0.0391187"));
}

TEST(WheelRefusals, NameWhatElseGrousersNeed) {
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.grouser_count = 24; }),
                       "wheel.grouser_height must be positive for 24 grousers"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         give_grousers(w);
                         w.grouser_angle = 0.2;
                       }),
                       "wheel.grouser_angle must be 0 for straight grousers, is 0.2"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         give_grousers(w);
                         w.grouser_width = 0.3;
                       }),
                       "wheel.grouser_width must be at most 0.2 (the width of the wheel), is 0.3"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         give_grousers(w);
                         w.body = WheelBody::feet;
                       }),
                       "wheel.grouser_count must be 0 on feet"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         give_grousers(w);
                         w.grouser_height = 1e5;
                       }),
                       "wheel.grouser_height must be at most 0.25 (the radius), is 100000"));
}

TEST(WheelRefusals, NameKeysOfGrousersWithoutACount) {
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.grouser_height = 0.05; }),
                       "scene.toml:3:8: wheel.grouser_height has no effect without "
                       "wheel.grouser_count"));
  const auto refused = [](auto change, const std::string& key) {
    EXPECT_TRUE(contains(complaint(change), "wheel." + key + " has no effect")) << key;
  };
  refused([](WheelDef& w) { w.grouser_thickness = 0.01; }, "grouser_thickness");
  refused([](WheelDef& w) { w.grouser_shape = GrouserShape::chevron; }, "grouser_shape");
  refused([](WheelDef& w) { w.grouser_angle = 0.1; }, "grouser_angle");
  refused([](WheelDef& w) { w.grouser_width = 0.1; }, "grouser_width");
  refused([](WheelDef& w) { w.grouser_side_angle = 0.1; }, "grouser_side_angle");
  refused([](WheelDef& w) { w.grouser_taper = 0.1; }, "grouser_taper");
}

TEST(WheelRefusals, LetPresetsLoseTheirGrousersByTheCountAlone) {
  for (const WheelPreset& preset : wheel_presets()) {
    SCOPED_TRACE(preset.name);
    WheelDef def = preset.wheel;
    def.grouser_count = 0;
    WheelDef plain = def;
    plain.grouser_height = plain.grouser_thickness = plain.grouser_angle = 0.0;
    plain.grouser_shape = GrouserShape::straight;
    EXPECT_EQ(make_wheel(def).vertices, make_wheel(plain).vertices);
    def.grouser_height = 0.0123;  // of no preset
    EXPECT_TRUE(contains(message_of<InputError>([&] { make_wheel(def); }),
                         "wheel.grouser_height has no effect without wheel.grouser_count"));
  }
}

TEST(WheelRefusals, NameRimsAndHubsThatDoNotFit) {
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.rim_thickness = 0.25; }),
                       "wheel.rim_thickness must be below 0.24975"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.hub_radius = 0.24; }),
                       "wheel.hub_radius must be below 0.237262 (the inside of the rim), is 0.24"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.disc_thickness = 0.21; }),
                       "wheel.disc_thickness must be at most 0.2 (the width), is 0.21"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.body = WheelBody::drum;
                         w.disc_thickness = 0.1;
                       }),
                       "wheel.disc_thickness must be below 0.0999 (half of the width)"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.hub_width = 0.01; }),
                       "wheel.disc_thickness must be at most 0.01 (the width of the hub)"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.body = WheelBody::spokes;
                         w.spoke_count = 8;
                         w.spoke_width = 0.04;
                       }),
                       "wheel.spoke_width must be below 0.0382301 (the spacing of 8 at the hub)"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.body = WheelBody::spokes;
                         w.spoke_depth = 0.3;
                         w.hub_width = 0.4;
                       }),
                       "wheel.spoke_depth must be at most 0.2 (the width), is 0.3"));
}

TEST(WheelRefusals, NameTreadsThatCannotBe) {
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.width = 1.0;
                         w.crown = 0.25;
                       }),
                       "wheel.crown must be below 0.24975 (the radius), is 0.25"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.crown = 0.12; }),
                       "wheel.crown must be at most 0.1 (half of the width: a half circle)"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.curve = {{-1.0, 0.0}, {0.5, 0.0}};
                       }),
                       "wheel.curve must run from a point at -1 to one at 1"));
  EXPECT_TRUE(
      contains(complaint([](WheelDef& w) {
                 w.curve = {{-1.0, 0.0}, {0.5, 0.0}, {0.4, 0.0}, {1.0, 0.0}};
               }),
               "wheel.curve.2 must lie at least 0.001 after the point before, 0.5, is at 0.4"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.curve = {{-1.0, -0.1}, {1.0, 0.0}};
                       }),
                       "wheel.curve.0 must not rise above the radius"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.curve = {{-1.0, 0.3}, {1.0, 0.0}};
                       }),
                       "wheel.curve.0 must be below 0.24975 (the radius), is 0.3"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.curve = {{-1.0, 0.0}, {1.0, kRequired}};
                       }),
                       "wheel.curve.1 must"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.crown = 0.01;
                         w.curve = {{-1.0, 0.0}, {1.0, 0.0}};
                       }),
                       "wheel.crown must be 0 where a curve is given"));
}

TEST(WheelRefusals, NameFeetThatDoNotFit) {
  const auto feet = [](auto&& change) {
    return complaint([&](WheelDef& w) {
      w.body = WheelBody::feet;
      change(w);
    });
  };
  EXPECT_TRUE(contains(feet([](WheelDef& w) { w.foot_height = 0.25; }),
                       "wheel.foot_height must be below 0.24975 (the radius), is 0.25"));
  EXPECT_TRUE(contains(feet([](WheelDef& w) {
                         w.foot_height = 0.05;
                         w.foot_length = 0.4;
                       }),
                       "wheel.foot_length must be below 0.346064 (the spacing of 3 feet"));
  EXPECT_TRUE(contains(feet([](WheelDef& w) { w.foot_chamfer = 0.05; }),
                       "wheel.foot_chamfer must be below 0.041625"));
  EXPECT_TRUE(contains(feet([](WheelDef& w) {
                         w.foot_length = 0.04;
                         w.spoke_width = 0.05;
                       }),
                       "wheel.spoke_width must be at most 0.04 (the length of a foot)"));
  EXPECT_TRUE(
      contains(feet([](WheelDef& w) { w.crown = 0.01; }), "wheel.crown must be 0 for feet"));
}

TEST(WheelRefusals, NameTheFinestEdge) {
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.longest_edge = 1e-5; }),
                       "wheel.longest_edge must be at least about 0.000"));
  for (const double edge : {1e-100, 1e-160, 1e-300, 5e-324}) {
    const std::string found = complaint([&](WheelDef& w) { w.longest_edge = edge; });
    EXPECT_TRUE(contains(found, "wheel.longest_edge must be at least about 0.000")) << found;
    EXPECT_FALSE(contains(found, "nan") || contains(found, "inf")) << found;
  }
  EXPECT_TRUE(contains(complaint([](WheelDef& w) { w.width = 1e6; }), "(radius / 12) would make"));
  EXPECT_TRUE(contains(complaint([](WheelDef& w) {
                         w.rim_thickness = 3e-6;
                         w.width = 20.0;
                       }),
                       "m are needed by a wall of 3e-06 m"));
}

TEST(WheelRefusals, KnowThePlaceOfABadCurve) {
  const Place place{"scene.toml", 4, 2};
  Value table(Value::Table{{"radius", {}, 0.25},
                           {"width", {}, 0.2},
                           {"curve", {}, Value(Value::Array{Value(Value::Array{1.0}, place)})}});
  WheelDef def;
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { parameter_table(&def).read(table, def, "wheel"); }),
               "scene.toml:4:2: wheel.curve.0 must"));
}

}  // namespace
}  // namespace grouser
