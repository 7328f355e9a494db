#include "grouser/math/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "grouser/base/error.h"
#include "tests/support/allocations.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

Formula of_uv(const std::string& text) {
  return Formula(text, {"u", "v"});
}
double value(const std::string& text, double u = 0.0, double v = 0.0) {
  return of_uv(text).at(u, v).f;
}
std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { of_uv(text); });
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("(1 + 2)*3"), 9.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("8 - 4 - 2"), 2.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-u^2", 3.0), -9.0);
  EXPECT_EQ(value("(-u)^2", 3.0), 9.0);
  EXPECT_EQ(value("2^-u", 2.0), 0.25);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("u - -v", 1.0, 2.0), 3.0);
  EXPECT_EQ(value("+u*-v", 2.0, 3.0), -6.0);
  EXPECT_EQ(value("2 - u", 5.0), -3.0);
  EXPECT_EQ(value("1/u", 4.0), 0.25);
  EXPECT_EQ(value("u/4 - 1 + v*2", 4.0, 3.0), 6.0);
  EXPECT_EQ(value(" .5e1*1.*2E-1 "), 1.0);
  EXPECT_EQ(value("\tpi\n"), std::numbers::pi);
}

TEST(Formula, KnowsItsFunctions) {
  EXPECT_EQ(value("sin(u)", 0.3), std::sin(0.3));
  EXPECT_EQ(value("log(exp(1))"), 1.0);
  EXPECT_EQ(value("atan2(u, v)", 1.0, -1.0), std::atan2(1.0, -1.0));
  EXPECT_EQ(value("min(u, v) + 10*max(u, v)", 1.0, 2.0), 21.0);
  EXPECT_EQ(value("abs(u)", -3.0), 3.0);
  EXPECT_EQ(value("sqrt(2^2 + 12)"), 4.0);
}

TEST(Formula, TakesTheNamesOfItsVariables) {
  const Formula formula("x - 2*y", {"x", "y"});
  EXPECT_EQ(formula.at(3.0, 1.0).f, 1.0);
  EXPECT_EQ(formula.text(), "x - 2*y");
  EXPECT_TRUE(contains(message_of<InputError>([] {
                         Formula("u", {"x", "y"});
                       }),
                       "unknown name 'u'; the variables are x and y"));
}

TEST(Formula, TellsWhetherItIsAVariable) {
  EXPECT_TRUE(of_uv(" (u) ").is_variable(0));
  EXPECT_FALSE(of_uv("u").is_variable(1));
  EXPECT_TRUE(of_uv("v").is_variable(1));
  EXPECT_FALSE(of_uv("u + 0").is_variable(0));
}

class FormulaDerivatives : public testing::TestWithParam<const char*> {};

TEST_P(FormulaDerivatives, AreTheLimitsOfDifferences) {
  const Formula formula = of_uv(GetParam());
  for (const auto& [u, v] : {std::pair(0.37, 0.61), std::pair(0.8, 0.15)}) {
    const Jet jet = formula.at(u, v);
    ASSERT_TRUE(jet.finite());
    const double h = 1e-5;
    const Jet right = formula.at(u + h, v), left = formula.at(u - h, v);
    const Jet up = formula.at(u, v + h), down = formula.at(u, v - h);
    const double tolerance = 1e-8;  // central differences: h^2 times derivatives of a few hundred
    EXPECT_NEAR(jet.fu, (right.f - left.f) / (2 * h), tolerance);
    EXPECT_NEAR(jet.fv, (up.f - down.f) / (2 * h), tolerance);
    EXPECT_NEAR(jet.fuu, (right.fu - left.fu) / (2 * h), tolerance);
    EXPECT_NEAR(jet.fuv, (right.fv - left.fv) / (2 * h), tolerance);
    EXPECT_NEAR(jet.fuv, (up.fu - down.fu) / (2 * h), tolerance);
    EXPECT_NEAR(jet.fvv, (up.fv - down.fv) / (2 * h), tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FormulaDerivatives,
    testing::Values("0.2*u^2 + 0.15*v^2 + 0.05*u*v", "u*v*(1 + u)*(2 - v)", "(u + 2*v)/(1 + u*v)",
                    "1/(1 + u^2 + 3*v^2)", "3 - u/7", "(u + v)^3", "(u*v)^5", "(u + v)^-2",
                    "(u + 3*v)^2.5", "(u + 3*v)^0.5", "(1 + u)^(v + u)", "2^(u*v)", "sin(2*u + v)",
                    "cos(u*v)", "tan(u*v)", "asin(u*v)", "acos(u - v)", "atan(u/v)",
                    "atan2(u, v^2)", "atan2(u + v, u*v)", "sinh(u*v)", "cosh(u - v)",
                    "tanh(u + v^2)", "exp(u*sin(v))", "log(u + v^2)", "sqrt(u + v^2)",
                    "abs(u - 2*v)", "min(u^2, v + 3)", "max(u^2, u*v)", "-u^3*v"));

TEST(Formula, HasExactPowersAtZero) {
  const Jet square = of_uv("u^2").at(0.0, 0.0), cube = of_uv("u^3*v^1").at(0.0, 2.0);
  EXPECT_EQ(square.fuu, 2.0);
  EXPECT_EQ(cube.fuu, 0.0);
  EXPECT_EQ(of_uv("u^7").at(0.0, 0.0).fuu, 0.0);
  EXPECT_EQ(of_uv("u^0").at(0.0, 0.0).f, 1.0);
  EXPECT_TRUE(of_uv("u^1 + u^4 + u^0 + u^2.5").at(0.0, 0.0).finite());
  EXPECT_EQ(value("u^3", -2.0), -8.0);
}

TEST(Formula, SaysWhereItIsNotFinite) {
  EXPECT_FALSE(of_uv("u^0.5").at(0.0, 0.0).finite());
  EXPECT_FALSE(of_uv("u^-1").at(0.0, 0.0).finite());
  EXPECT_FALSE(of_uv("u^-0.5").at(-1.0, 0.0).finite());
  EXPECT_FALSE(of_uv("log(u)").at(-1.0, 0.0).finite());
  EXPECT_FALSE(of_uv("v/u").at(0.0, 1.0).finite());
  EXPECT_FALSE(of_uv("atan2(u, v)").at(0.0, 0.0).finite());
  EXPECT_FALSE(of_uv("1/0").at(0.0, 0.0).finite());
}

TEST(Formula, HasTheDerivativesOfOneSideAtKinks) {
  EXPECT_EQ(of_uv("abs(u)").at(0.0, 0.0).fu, 1.0);
  EXPECT_EQ(of_uv("min(2*u, u)").at(0.0, 0.0).fu, 2.0);
  EXPECT_EQ(of_uv("max(2*u, u)").at(0.0, 0.0).fu, 2.0);
}

TEST(Formula, IsRefusedWithTheCharacterAndWhatWasExpected) {
  const std::pair<const char*, const char*> kRows[] = {
      {"", "at the end of '': expected a number, a name or '('"},
      {"u +", "at the end of 'u +': expected a number, a name or '('"},
      {"0.2 u^2", "at character 5, 'u^2': expected an operator (+ - * / ^) or the end"},
      {"(u + 1", "at the end of '(u + 1': expected an operator (+ - * / ^) or ')'"},
      {"u + 1)", "at character 6, ')': expected an operator (+ - * / ^) or the end"},
      {"u ** 2", "at character 4, '* 2': expected a number, a name or '('"},
      {"sinn(u)", "at character 1, 'sinn(u)': unknown name 'sinn'; did you mean 'sin'?"},
      {"u + x", "at character 5, 'x': unknown name 'x'; the variables are u and v"},
      {"sin u", "at character 5, 'u': expected '(' after sin"},
      {"sin(u, v)",
       "at character 6, ', v)': expected an operator (+ - * / ^) or ')': sin has one argument"},
      {"atan2(u)", "at character 8, ')': expected ',': atan2 has two arguments"},
      {"min(u, v", "at the end of 'min(u, v': expected an operator"},
      {"1e999", "at character 1, '1e999': the number is too large or too small"},
      {".", "at character 1, '.': expected a number"},
      {"u\u00b2 + x", "at character 2, '?? + x': expected an operator"},
      {"\u00b2 + x", "at character 1"},
      {"1 + \u00b2*u + x", "at character 5"},
      {"u == v", "at character 3, '== v'"},
      {"2*pie", "did you mean 'pi'?"},
  };
  for (const auto& [text, expected] : kRows) EXPECT_TRUE(contains(refusal(text), expected));
}

TEST(Formula, RefusesWhatNestsTooDeep) {
  const std::string deep(100000, '(');
  EXPECT_TRUE(contains(refusal(deep), "nested more than 100 deep"));
  EXPECT_TRUE(contains(refusal(std::string(100000, '-') + "u"), "nested more than 100 deep"));
  std::string powers = "u", wide = "u", right = "u";
  for (int i = 0; i < 50000; ++i) powers += "^u";
  EXPECT_TRUE(contains(refusal(powers), "nested more than 100 deep"));
  for (int i = 0; i < 50000; ++i) wide += "+u";
  EXPECT_TRUE(contains(refusal(wide), "more than 2000 steps"));
  for (int i = 0; i < 60; ++i) right = "u*(v + " + right + ")";
  EXPECT_TRUE(contains(refusal(right), "more than 32 numbers wait for each other"));
}

TEST(Formula, IsEvaluatedWithoutAllocating) {
  const Formula formula = of_uv("0.2*u^2 + sin(3*v)*exp(-u^2/4) + min(u, 0.3)");
  const std::size_t before = allocations();
  double sum = 0.0;
  for (int i = 0; i < 10; ++i) sum += formula.at(0.1 * i, 0.3).f;
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace grouser
