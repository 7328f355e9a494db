#include "grouser/calibration/wheel_keys.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/calibration/wheel_fit.h"
#include "grouser/laws/soil_library.h"
#include "grouser/laws/terra.h"

namespace grouser {
namespace {

const std::vector<std::string> kModels = {"bekker", "bekker-janosi", "terra", "rheological"};

WheelModelDef wheel(const std::string& model) {
  WheelModelDef def;
  def.model = model;
  def.soil = library_soil("dry-sand", {}, "soil").soil;
  def.size.radius = 0.125;
  def.size.width = 0.1;
  if (model == "rheological") set_at_path(def.keys, "rheological.nominal_load", Value(100.0));
  return def;
}

SteadyQuery query(double slip) {
  SteadyQuery out;
  out.load = 100.0;
  out.slip = slip;
  return out;
}

/// What is refused; empty if nothing.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(WheelKeys, StartFromWhatTheModelMakesOfTheSoil) {
  const WheelModelDef def = wheel("terra");
  const std::vector<WheelKey> keys = wheel_keys(def);
  const TerraWheel made = make_terra_wheel({}, def.soil, def.size, def.gravity);
  EXPECT_EQ(wheel_key(keys, "terra.stiffness").value, made.C_N);
  EXPECT_EQ(wheel_key(keys, "terra.friction").value, made.mu);
  EXPECT_EQ(wheel_key(keys, "terra.slip_sinkage").value, TerraDef().slip_sinkage);
  EXPECT_EQ(wheel_key(keys, "properties.n").value, def.soil.n);
  EXPECT_EQ(wheel_key(keys, "properties.n").range.upper, 3.0);
  EXPECT_TRUE(wheel_key(keys, "properties.n").range.upper_open);
}

TEST(WheelKeys, GivenOnesStayAsTheyAre) {
  WheelModelDef def = wheel("terra");
  set_at_path(def.keys, "terra.friction", Value(0.3));
  set_at_path(def.keys, "terra.resistance_cohesion", Value(0.0));
  set_at_path(def.keys, "properties.shear_modulus", Value(0.005));
  const std::vector<WheelKey> keys = wheel_keys(def);
  EXPECT_EQ(wheel_key(keys, "terra.friction").value, 0.3);
  EXPECT_EQ(wheel_key(keys, "terra.resistance_cohesion").value, 0.0);
  EXPECT_EQ(wheel_key(keys, "properties.shear_modulus").value, 0.005);
  EXPECT_EQ(wheel_key(keys, "terra.shear_modulus").value, 0.005);  // follows the soil
}

TEST(WheelKeys, AutomaticValuesGivenChangeNothing) {
  // A start taken from the soil, written out, is the same wheel: nothing jumps where a fit begins.
  for (const std::string& model : kModels) {
    const WheelModelDef def = wheel(model);
    const UsualKeys usual = usual_keys(model, kWheelQuantities);
    EXPECT_FALSE(usual.fitted.empty());
    EXPECT_TRUE(usual.left_out.empty());
    std::vector<double> values;
    std::vector<std::string> names;
    const std::vector<WheelKey> keys = wheel_keys(def);
    for (const std::string& name : usual.fitted) {
      if (name == "terra.resistance_cohesion") continue;  // starts at 100 Pa or more
      names.push_back(name);
      values.push_back(wheel_key(keys, name).value);
    }
    for (const double slip : {0.0, 0.2, 0.5}) {
      const SteadyWheel automatic = wheel_prediction(def, {})({}, query(slip));
      const SteadyWheel given = wheel_prediction(def, names)(values, query(slip));
      for (const WheelQuantity q : kWheelQuantities) {
        const double x = value_of(automatic, q);
        // The same formulas, a few of them inverted.
        EXPECT_NEAR(value_of(given, q), x, 1e-9 * (std::abs(x) + 1.0)) << model << " " << slip;
      }
    }
  }
}

TEST(WheelKeys, UsualOnesHaveBoundsAroundTheirStart) {
  for (const std::string& model : kModels) {
    const std::vector<WheelKey> keys = wheel_keys(wheel(model));
    for (const std::string& name : usual_keys(model, kWheelQuantities).fitted) {
      const WheelKey& key = wheel_key(keys, name);
      const FitParameter p = default_bounds(key);
      EXPECT_LE(p.lower, p.start) << name;
      EXPECT_GE(p.upper, p.start) << name;
      EXPECT_TRUE(key.range.contains(p.lower) && key.range.contains(p.upper)) << name;
      // Zero would be another wheel.
      const bool zero_is_zero = !key.automatic || name == "terra.resistance_cohesion";
      EXPECT_TRUE(zero_is_zero || p.lower > 0.0) << name;
    }
  }
}

TEST(WheelKeys, LeaveOutWhatWasNotMeasured) {
  const std::vector<WheelQuantity> sinkage = {WheelQuantity::sinkage};
  const UsualKeys usual = usual_keys("terra", sinkage);
  EXPECT_EQ(usual.fitted, (std::vector<std::string>{"terra.stiffness", "terra.slip_sinkage",
                                                    "terra.slip_reach"}));
  EXPECT_EQ(usual.left_out.size(), 4u);
}

TEST(WheelKeys, AreFoundAgainInDataThatTheyMade) {
  for (const std::string& model : kModels) {
    // Every usual key a third above its start, and back from there.
    const WheelModelDef def = wheel(model);
    const std::vector<WheelKey> keys = wheel_keys(def);
    WheelFitDef fit;
    std::vector<std::string> names = usual_keys(model, kWheelQuantities).fitted;
    std::vector<double> truth;
    for (const std::string& name : names) {
      fit.parameters.push_back(default_bounds(wheel_key(keys, name)));
      const FitParameter& p = fit.parameters.back();
      truth.push_back(p.start > 0.0 ? 1.3 * p.start : 0.1 * p.upper);
    }
    fit.predict = wheel_prediction(def, names);
    fit.radius = def.size.radius;
    for (const double slip : {0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7}) {
      WheelRow row;
      row.slip = slip;
      row.load = 100.0;
      row.speed = 0.05;
      row.slip_angle = slip == 0.1 || slip == 0.3 ? 0.3 : 0.0;
      for (const WheelQuantity q : kWheelQuantities)
        row[q] = value_of(fit.predict(truth, query_of(row)), q);
      fit.data.rows.push_back(row);
    }
    const WheelFitResult result = fit_wheel(fit);
    for (std::size_t k = 0; k < truth.size(); ++k)
      // Exact data; what models solve by iteration leaves some digits of entangled keys.
      EXPECT_NEAR(result.fit.parameters[k].value, truth[k], 1e-3 * truth[k]) << names[k];
  }
}

TEST(WheelKeyRefusals, NameTheNearest) {
  const std::vector<WheelKey> keys = wheel_keys(wheel("terra"));
  EXPECT_NE(refusal([&] { wheel_key(keys, "terra.fricton"); }).find("'terra.friction'?"),
            std::string::npos);
  EXPECT_NE(refusal([&] { wheel_key(keys, "terra.cells"); }), "");  // no real number
  EXPECT_NE(refusal([&] { wheel_keys(wheel("tera")); }).find("'terra'"), std::string::npos);
  WheelModelDef def = wheel("terra");
  set_at_path(def.keys, "terra.fricton", Value(0.3));
  EXPECT_NE(refusal([&] { wheel_keys(def); }).find("fricton"), std::string::npos);
}

TEST(WheelKeyRefusals, WantBoundsWhereNoneFollow) {
  WheelModelDef def = wheel("bekker");
  def.soil.k_c = 0.0;
  const std::vector<WheelKey> keys = wheel_keys(def);
  EXPECT_NE(refusal([&] { default_bounds(wheel_key(keys, "properties.k_c")); }), "");
}

}  // namespace
}  // namespace grouser
