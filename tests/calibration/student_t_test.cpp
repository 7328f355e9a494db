#include "grouser/calibration/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace grouser {
namespace {

TEST(StudentT, HasTheClosedFormsOfOneAndTwoDegrees) {
  for (const double p : {0.6, 0.9, 0.975, 0.999}) {
    const double cauchy = std::tan(std::numbers::pi * (p - 0.5));
    EXPECT_NEAR(student_t_quantile(p, 1.0), cauchy, 1e-10 * cauchy);  // rounding of p near 1
    const double two = (2.0 * p - 1.0) / std::sqrt(2.0 * p * (1.0 - p));
    EXPECT_NEAR(student_t_quantile(p, 2.0), two, 1e-10 * two);
  }
}

TEST(StudentT, HasTheValuesOfPrintedTables) {
  // Three decimals are printed.
  EXPECT_NEAR(student_t_quantile(0.975, 5.0), 2.571, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 10.0), 2.228, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 30.0), 2.042, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 120.0), 1.658, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 1e6), 1.960, 5e-4);
}

TEST(StudentT, IsSymmetric) {
  EXPECT_DOUBLE_EQ(student_t_quantile(0.025, 7.0), -student_t_quantile(0.975, 7.0));
  EXPECT_DOUBLE_EQ(student_t_probability(0.0, 3.0), 0.5);
}

}  // namespace
}  // namespace grouser
