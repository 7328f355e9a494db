#include "grouser/assets/rock_sizes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/messages.h"

namespace grouser {
namespace {

struct SiteRow {
  RockLaw site;
  double q;
  double printed[5];  // numbers per m^2 at the diameters below
  double digit[5];    // unit of the last digit printed
};
constexpr double kDiameters[] = {0.05, 0.1, 0.25, 0.5, 1.0};
const SiteRow kTable[] = {
    {RockLaw::vl1, 3.993, {4.03, 1.37, .209, .0265, .00113}, {.01, .01, .001, 1e-4, 1e-5}},
    {RockLaw::vl2, 2.654, {7.94, 2.99, .593, .110, .00971}, {.01, .01, .001, .001, 1e-5}},
    {RockLaw::pathfinder, 2.590, {8.43, 3.19, .641, .122, .0111}, {.01, .01, .001, .001, 1e-4}},
    {RockLaw::spirit, 4.83, {3.24, 1.03, .135, .0136, 3.7e-4}, {.01, .01, .001, 1e-4, 1e-5}},
    {RockLaw::insight, 6.857, {2.27, .63, .0573, .0033, 3.2e-5}, {.01, .01, 1e-4, 1e-4, 1e-6}},
    {RockLaw::phoenix, 9.39, {1.65, .389, .023, 6.8e-4, 1.8e-6}, {.01, .001, .001, 1e-5, 1e-7}},
};

TEST(RockSizes, GiveTheNumbersOfTheSitesOnMars) {
  for (const SiteRow& row : kTable)
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(cumulative_number({.law = row.site}, kDiameters[i]), row.printed[i],
                  0.5001 * row.digit[i]);  // rounded to the last digit
}

TEST(RockSizes, AreTheIntegralOfTheExponentialLaw) {
  for (const double k : {0.01, 0.069, 0.4}) {
    const RockSizes sizes{.law = RockLaw::exponential, .k = k};
    const double q = 1.79 + 0.152 / k;
    for (const double from : {0.01, 0.1, 0.3, 1.0}) {
      // Simpson's rule in s = log x: the error falls with the fourth power of the step.
      const int n = 2000;
      const double span = std::log(40.0 / q + from) - std::log(from), h = span / n;
      double sum = 0.0;
      for (int i = 0; i <= n; ++i) {
        const double x = from * std::exp(i * h);
        const double weight = i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * 4.0 / (kPi * x) * k * q * std::exp(-q * x);
      }
      const double number = cumulative_number(sizes, from);
      EXPECT_NEAR(number, sum * h / 3.0, 1e-8 * number);
    }
  }
}

TEST(RockSizes, AreSmoothWhereTheFormulaChanges) {
  const RockSizes sizes{.law = RockLaw::exponential, .k = 0.1, .q = 1.0};
  const double below = cumulative_number(sizes, 1.0), above = cumulative_number(sizes, 1.0 + 1e-9);
  // Slope times step, about -(2 + q D) N 1e-9, and rounding.
  EXPECT_NEAR((below - above) / below, 2.5e-9, 1e-9);
}

TEST(RockSizes, OfAPowerLawAndOfClassesAreSums) {
  const RockSizes power{.law = RockLaw::power, .number = 0.003, .exponent = 2.5};
  EXPECT_NEAR(cumulative_number(power, 0.1), 0.003 * std::pow(10.0, 2.5), 1e-15);
  const RockSizes square{.law = RockLaw::power, .number = 0.003, .exponent = 2.0};
  // Integral of pi/4 x^2 times 2 c x^-3.
  EXPECT_NEAR(coverage(square, 0.1, 1.0), 0.5 * kPi * 0.003 * std::log(10.0), 1e-15);
  const RockSizes near_square{.law = RockLaw::power, .number = 0.003, .exponent = 2.0 + 1e-6};
  EXPECT_NEAR(coverage(near_square, 0.1, 1.0), coverage(square, 0.1, 1.0), 1e-7);

  const RockSizes classes{.law = RockLaw::viking_1_classes};
  EXPECT_DOUBLE_EQ(cumulative_number(classes, 0.05), 4.5);
  EXPECT_DOUBLE_EQ(cumulative_number(classes, 0.06), 2.5);
  EXPECT_DOUBLE_EQ(cumulative_number(classes, 0.25), 0.8);
  EXPECT_EQ(cumulative_number(classes, 0.26), 0.0);
  EXPECT_DOUBLE_EQ(number_of_rocks(classes), 4.5);
}

TEST(RockSizes, OfTheVikingClassesCoverAsMuchGroundAsTheLawTheyStandFor) {
  // Both are 5.65 %, to the digits of the table of classes.
  EXPECT_NEAR(coverage({.law = RockLaw::viking_1_classes}, 0.05, 2.0), 0.0565, 5e-5);
  EXPECT_NEAR(coverage({.law = RockLaw::vl1}, 0.05, 1e3), 0.0565, 5e-5);
}

TEST(RockSampler, InvertsTheLaw) {
  std::vector<RockSizes> laws;
  for (const SiteRow& row : kTable) laws.push_back({.law = row.site});
  laws.push_back(
      {.law = RockLaw::exponential, .k = 0.3, .min_diameter = 0.001, .max_diameter = 90});
  laws.push_back({.law = RockLaw::power, .number = 0.01, .exponent = 3.2});
  for (const RockSizes& law : laws) {
    const RockSampler sampler(law);
    EXPECT_LT(sampler.nodes(), 10000u);
    const double all = number_of_rocks(law);
    for (double share = 1e-6; share < 1.0; share += 0.00713) {
      const double wanted = cumulative_number(law, law.max_diameter) + share * all;
      double low = law.min_diameter, high = law.max_diameter;
      for (int i = 0; i < 100; ++i) {
        const double middle = std::sqrt(low * high);
        (cumulative_number(law, middle) > wanted ? low : high) = middle;
      }
      EXPECT_NEAR(sampler.diameter_at(share), low, 1e-6 * low);  // what the table promises
    }
    EXPECT_NEAR(sampler.diameter_at(1.0), law.min_diameter, 1e-12 * law.min_diameter);
  }
  EXPECT_LT(RockSampler(laws.back()).nodes(), 8u);  // straight in logarithms
}

// Sizes that are refused below; the sampler must end even so.
TEST(RockSampler, EndsWhereRoundingLeavesNoSlope) {
  const RockSizes flat{.law = RockLaw::power, .number = 1e18, .exponent = 1e-15};
  const RockSizes narrow{.law = RockLaw::power,
                         .number = 1e17,
                         .min_diameter = 1.0,
                         .max_diameter = 1.0000000000000002};
  for (const RockSizes& law : {flat, narrow}) {
    const RockSampler sampler(law);
    EXPECT_LT(sampler.nodes(), 100000u);  // a few steps of rounding, each halved 23 times
    for (const double share : {0.0, 0.3, 0.999999}) {
      const double diameter = sampler.diameter_at(share);
      // Rounding of logarithm and exponential.
      EXPECT_GE(diameter, (1.0 - 1e-15) * law.min_diameter);
      EXPECT_LE(diameter, (1.0 + 1e-15) * law.max_diameter);
    }
  }
}

TEST(RockSampler, InvertsTheFlattestAndNarrowestLawsAllowed) {
  const RockSizes flat{.law = RockLaw::power,
                       .number = 1e18,
                       .exponent = 0.01,
                       .min_diameter = 1e-6,
                       .max_diameter = 1e6};
  EXPECT_LT(RockSampler(flat).nodes(), 8u);  // straight in logarithms
  EXPECT_NEAR(RockSampler(flat).diameter_at(1.0), 1e-6, 1e-12);
  const RockSizes narrow{.law = RockLaw::vl1, .min_diameter = 1.0, .max_diameter = 1.00001};
  const double middle = RockSampler(narrow).diameter_at(0.5);
  EXPECT_NEAR(middle, 1.000005, 1e-6);  // what the table promises
}

TEST(RockSampler, DrawsClassesByTheirNumbers) {
  const RockSampler sampler({.law = RockLaw::viking_1_classes});
  EXPECT_EQ(sampler.diameter_at(0.0), 0.25);
  EXPECT_EQ(sampler.diameter_at(0.8 / 4.5 - 1e-9), 0.25);
  EXPECT_EQ(sampler.diameter_at(0.8 / 4.5 + 1e-9), 0.1);
  EXPECT_EQ(sampler.diameter_at(2.5 / 4.5 + 1e-9), 0.05);
  EXPECT_EQ(sampler.diameter_at(1.0 - 1e-16), 0.05);
}

TEST(RockSampler, LeavesOutClassesBeyondTheDiametersAskedFor) {
  const RockSampler sampler(
      {.law = RockLaw::viking_1_classes, .min_diameter = 0.06, .max_diameter = 0.2});
  EXPECT_EQ(sampler.diameter_at(0.0), 0.1);
  EXPECT_EQ(sampler.diameter_at(0.999), 0.1);
}

TEST(Poisson, HasItsMeanAsVariance) {
  Random random(1);
  for (const double mean : {0.3, 7.0, 100.0}) {
    const int n = 20000;
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < n; ++i) {
      const auto x = static_cast<double>(draw_poisson(mean, random));
      sum += x, square += x * x;
    }
    const double average = sum / n, variance = square / n - average * average;
    EXPECT_NEAR(average, mean, 4.0 * std::sqrt(mean / n));
    // The variance of (x - mean)^2 is mean + 2 mean^2.
    EXPECT_NEAR(variance, mean, 4.0 * std::sqrt((mean + 2.0 * mean * mean) / n));
  }
  EXPECT_EQ(draw_poisson(0.0, random), 0);
}

TEST(RockSizes, RefuseWhatMakesNoSense) {
  const auto complaint = [](const RockSizes& sizes) {
    return message_of<InputError>([&] { require_sound(sizes, {}, "sizes"); });
  };
  EXPECT_EQ(complaint({.law = RockLaw::exponential, .k = 0.0}), "sizes.k must lie in (0, 1), is 0");
  EXPECT_EQ(complaint({.law = RockLaw::exponential, .k = 1.2}),
            "sizes.k must lie in (0, 1), is 1.2");
  EXPECT_EQ(complaint({.min_diameter = 2.0, .max_diameter = 0.5}),
            "sizes.min_diameter must be below max_diameter 0.5, is 2");
  EXPECT_EQ(complaint({.min_diameter = 2.0}),
            "sizes.min_diameter must be below max_diameter 2, is 2");
  EXPECT_EQ(complaint({.min_diameter = -1.0}),
            "sizes.min_diameter must lie in [1e-06, 1e+06], is -1");
  EXPECT_EQ(complaint({.max_diameter = 1e7}),
            "sizes.max_diameter must lie in [1e-06, 1e+06], is 1e+07");
  EXPECT_EQ(
      complaint({.min_diameter = 1.0, .max_diameter = 1.0000000000000002}),
      "sizes.min_diameter must be at most 0.9999990000000002 (max_diameter less 1e-06 of it), "
      "is 1");
  EXPECT_EQ(complaint({.law = RockLaw::power, .number = 1e18, .exponent = 1e-15}),
            "sizes.exponent must lie in [0.01, 100], is 1e-15");
  EXPECT_EQ(complaint({.law = RockLaw::power, .number = 1e300, .exponent = 100.0}),
            "sizes: law = \"power\" has more rocks from min_diameter 0.05 on than a number can "
            "hold");
  EXPECT_EQ(complaint({.law = RockLaw::classes, .classes = {{1e7, 2.0}}}),
            "sizes.classes must lie in [1e-06, 1e+06], is 1e+07");
  EXPECT_EQ(complaint({.law = RockLaw::vl2, .k = 0.1}), "sizes.k has no effect with law = \"vl2\"");
  EXPECT_EQ(complaint({.law = RockLaw::exponential, .exponent = 3.0}),
            "sizes.exponent has no effect with law = \"exponential\"");
  EXPECT_EQ(complaint({.law = RockLaw::power}),
            "sizes.number is missing: rocks of 1 m and more per area [1/m^2]");
  EXPECT_EQ(complaint({.law = RockLaw::classes, .classes = {{0.1, -2.0}}}),
            "sizes.classes must be positive, is -2");
  EXPECT_EQ(complaint({.law = RockLaw::classes}),
            "sizes: law = \"classes\" has no rocks between min_diameter 0.05 and max_diameter 2");
  EXPECT_EQ(complaint({.law = RockLaw::viking_1_classes, .min_diameter = 0.3}),
            "sizes: law = \"viking-1-classes\" has no rocks between min_diameter 0.3 and "
            "max_diameter 2");
}

TEST(RockSizes, AreReadAndWrittenWithAllTheirParameters) {
  const RockSizes sizes{.law = RockLaw::classes, .classes = {{0.1, 2.0}, {0.2, 0.5}}};
  const auto& table = parameter_table(&sizes);
  EXPECT_EQ(table.values(sizes).as_table().size(), table.infos().size());
  RockSizes again;
  table.read(table.values(sizes), again, "sizes");
  EXPECT_EQ(table.values(again).inline_text(), table.values(sizes).inline_text());
  EXPECT_EQ(again.law, RockLaw::classes);
  ASSERT_EQ(again.classes.size(), 2u);
  EXPECT_EQ(again.classes[1].number, 0.5);
}

}  // namespace
}  // namespace grouser
