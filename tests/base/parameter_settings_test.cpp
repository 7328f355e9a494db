#include "grouser/base/parameter_settings.h"

#include <gtest/gtest.h>

#include "grouser/base/text.h"

namespace grouser {
namespace {

const std::vector<ParameterInfo> kParameters = {
    {"radius", "number", "m", "be positive", "", "of the tread"},
    {"grousers", "integer", "", "", "12", "around the tread"},
    {"tyre", "\"rigid\" or \"rubber\"", "", "", "\"rigid\"", "what it is made of"},
    {"axis", "3 numbers", "", "", "[0, 1, 0]", "in the body frame"},
    {"target", "signal [rad] or [m]", "", "", "0", "over time"},
    {"layer", "tables by shape name", "", "", "none", "elastic layers"},
};

std::string rows_text(const std::vector<ParameterSetting>& rows) {
  std::string text;
  for (const ParameterSetting& row : rows)
    text += row.key + "|" + row.value + "|" + row.unit + "|" + row.meaning + "\n";
  return text;
}

Value::Entry bare_entry(std::string key, Value value) {
  return {std::move(key), {}, std::move(value)};
}

TEST(ParameterSettings, AreDefaultsWhereNothingIsGiven) {
  EXPECT_EQ(rows_text(parameter_settings(kParameters, Value())),
            "radius||m|of the tread\n"
            "grousers|12||around the tread\n"
            "tyre|rigid||what it is made of\n"
            "axis|[0, 1, 0]||in the body frame\n"
            "target|0|rad or m|over time\n"
            "layer|none||elastic layers\n");
}

TEST(ParameterSettings, AreWhatIsGiven) {
  const Value signal(Value::Table{bare_entry("amplitude", 1.5), bare_entry("form", "sine")});
  const Value layer(Value::Table{bare_entry("thickness", 0.01), bare_entry("young_modulus", 1e5)});
  const Value given(Value::Table{
      bare_entry("radius", 0.1), bare_entry("grousers", 24), bare_entry("tyre", "rubber"),
      bare_entry("axis", Value::Array{1, 0.5, 0}), bare_entry("target", signal),
      bare_entry("layer", Value(Value::Table{bare_entry("wheel", layer)}))});
  EXPECT_EQ(rows_text(parameter_settings(kParameters, given)),
            "radius|0.1|m|of the tread\n"
            "grousers|24||around the tread\n"
            "tyre|rubber||what it is made of\n"
            "axis|[1, 0.5, 0]||in the body frame\n"
            "target|{ amplitude = 1.5, form = \"sine\" }|rad or m|over time\n"
            "layer.wheel.thickness|0.01||elastic layers\n"
            "layer.wheel.young_modulus|" +
                to_text(1e5) + "||elastic layers\n");
}

TEST(ParameterSettings, ShortenLongArrays) {
  const Value given(Value::Table{bare_entry("axis", Value::Array(1000, Value(1)))});
  const std::string text = parameter_settings(kParameters, given)[3].value;
  EXPECT_TRUE(text.starts_with("[1, 1, 1, ")) << text;
  EXPECT_TRUE(text.ends_with("1, ... 1000 in all]")) << text;
  EXPECT_LT(text.size(), 100u);
}

}  // namespace
}  // namespace grouser
