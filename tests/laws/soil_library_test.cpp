#include "grouser/laws/soil_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {
namespace {

constexpr double kOneDegree = kPi / 180.0;
constexpr double kEarthGravity = 9.81;

const LibrarySoil& soil(const std::string& name) {
  return library_soil(name, {}, "soil");
}

TEST(SoilLibrary, HasSoilsEnoughWithNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const LibrarySoil& entry : soil_library()) names.insert(entry.name);
  EXPECT_EQ(names.size(), soil_library().size());
  EXPECT_EQ(names.size(), 40u);
}

TEST(SoilLibrary, NamesAreSmallLettersDigitsAndDashes) {
  for (const LibrarySoil& entry : soil_library()) {
    ASSERT_FALSE(entry.name.empty());
    EXPECT_TRUE(std::all_of(entry.name.begin(), entry.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    })) << entry.name;
    EXPECT_NE(entry.name.front(), '-') << entry.name;
  }
}

TEST(SoilLibrary, EntriesAreInRangeAndSayWhereTheyComeFrom) {
  for (const LibrarySoil& entry : soil_library()) {
    SCOPED_TRACE(entry.name);
    EXPECT_NO_THROW(soil_parameters().check(entry.soil, {}, "soil"));
    EXPECT_FALSE(entry.meaning.empty());
    EXPECT_FALSE(entry.source.empty());
    EXPECT_NE(std::string("HML").find(letter_of(entry.confidence)), std::string::npos);
  }
}

TEST(SoilLibrary, PlaceholdersAreKeysOfTheSoil) {
  const std::vector<std::string> keys = soil_parameters().keys();
  for (const LibrarySoil& entry : soil_library())
    for (const std::string& key : entry.assumed)
      EXPECT_NE(std::find(keys.begin(), keys.end(), key), keys.end()) << entry.name << ": " << key;
}

TEST(SoilLibrary, EverySoilCarriesAWheel) {
  // 20 mm deep under a patch of 0.1 m. A modulus in kilopascals would fall out.
  for (const LibrarySoil& entry : soil_library()) {
    const double p = soil_pressure(entry.soil, 0.1, kEarthGravity, 0.02);
    EXPECT_GT(p, 400.0) << entry.name;  // snow
    EXPECT_LT(p, 1.2e6) << entry.name;  // heavy clay
    EXPECT_GT(elastic_stiffness_of(entry.soil, kEarthGravity), p / 0.02) << entry.name;
  }
}

TEST(SoilLibrary, HasTheNumbersOfTheLiterature) {
  const LibrarySoil& lete = soil("lete-sand");
  EXPECT_EQ(lete.soil.pressure, SoilDef::Pressure::bekker);
  EXPECT_EQ(lete.soil.n, 0.79);
  EXPECT_EQ(lete.soil.k_c, 102e3);
  EXPECT_EQ(lete.soil.k_phi, 5301e3);
  EXPECT_EQ(lete.soil.cohesion, 1300.0);
  EXPECT_DOUBLE_EQ(lete.soil.friction_angle, 31.1 * kOneDegree);
  EXPECT_EQ(lete.soil.shear_modulus, 0.012);
  EXPECT_EQ(lete.soil.density, 1600.0);
  EXPECT_EQ(lete.source, "Wong (2008) Table 2.3");
  EXPECT_EQ(letter_of(lete.confidence), 'H');
  EXPECT_EQ(lete.assumed, std::vector<std::string>{"density"});

  const LibrarySoil& moon = soil("lunar-nominal");
  EXPECT_EQ(moon.soil.k_phi, 820e3);
  EXPECT_EQ(moon.soil.shear_modulus, 0.0178);
  EXPECT_EQ(moon.soil.density, 0.5 * (1520.0 + 1660.0));
  EXPECT_TRUE(moon.assumed.empty());

  const LibrarySoil& ding = soil("ding-simulant");
  EXPECT_EQ(ding.soil.k_c, 15.6e3);
  EXPECT_DOUBLE_EQ(ding.soil.shear_modulus, 0.5 * (0.0097 + 0.0131));
  EXPECT_EQ(letter_of(ding.confidence), 'M');

  const LibrarySoil& dry = soil("dry-sand");
  EXPECT_EQ(dry.soil.k_phi, 1528.43e3);
  EXPECT_EQ(dry.assumed, std::vector<std::string>{"shear_modulus"});
  EXPECT_EQ(letter_of(soil("grc-1").confidence), 'L');
}

TEST(SoilLibrary, ConvertsThePressureOfTheMojaveSimulant) {
  // Given as 254 kPa (z / 0.16 m)^1.387; kept with five digits.
  EXPECT_NEAR(soil_pressure(soil("mms").soil, 0.16, kEarthGravity, 0.16), 254e3, 254e3 * 1e-5);
}

TEST(SoilLibrary, ReecesSoilsKnowGravity) {
  for (const LibrarySoil& entry : soil_library()) {
    const bool reece = entry.soil.pressure == SoilDef::Pressure::reece;
    EXPECT_EQ(reece, entry.name == "mars-soil-reece" || entry.name == "mars-sand-reece")
        << entry.name;
    const double here = soil_pressure(entry.soil, 0.1, kEarthGravity, 0.02);
    EXPECT_EQ(reece, soil_pressure(entry.soil, 0.1, 3.72, 0.02) != here) << entry.name;
  }
}

TEST(SoilLibrary, SuggestsTheNearestName) {
  try {
    library_soil("lette-sand", {"a.toml", 3, 8}, "contact.soil");
    FAIL() << "no complaint";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.toml:3:8: contact.soil: there is no soil 'lette-sand'; did you mean 'lete-sand'?");
  }
}

}  // namespace
}  // namespace grouser
