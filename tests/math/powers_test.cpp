#include "grouser/math/powers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {
namespace {

constexpr double kLeastNormal = std::numeric_limits<double>::min();
constexpr double kGreatest = std::numeric_limits<double>::max();
// Promised is 1e-13. Found is less than ten roundings; more would mean that a coefficient is wrong.
constexpr double kTolerance = 4e-15;

double power(double x, double n) {
  double out = -1.0;
  powers({&x, 1}, n, {&out, 1});
  return out;
}
double exponential(double x) {
  double out = -1.0;
  exponentials({&x, 1}, {&out, 1});
  return out;
}

/// `count` numbers between `lower` and `upper`, as many in each power of ten.
std::vector<double> spread(double lower, double upper, std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    out[i] = lower * std::pow(upper / lower, share);
  }
  return out;
}

/// Greatest relative error of all powers that are ordinary numbers.
double worst_power(const std::vector<double>& x, double n) {
  std::vector<double> out(x.size());
  powers(x, n, out);
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = std::pow(static_cast<long double>(x[i]), static_cast<long double>(n));
    if (exact < 2.0L * kLeastNormal || exact > 0.5L * kGreatest) continue;
    worst = std::max(worst, static_cast<double>(std::abs(out[i] / exact - 1.0L)));
  }
  return worst;
}

constexpr double kExponents[] = {1e-3, 0.11, 0.2, 0.5, 0.79, 1.1, 1.387, 1.6, 2.0, 2.5, 2.999, 3.0};

TEST(Powers, AreRightWhereSoilsUseThem) {
  const std::vector<double> sinkages = spread(1e-9, 10.0, 20001);
  for (const double n : kExponents) EXPECT_LT(worst_power(sinkages, n), kTolerance) << n;
}

TEST(Powers, AreRightOverAllNumbers) {
  std::vector<double> all = spread(1e-150, 1e150, 20001);
  for (const double x : {kLeastNormal, 1e-307, 1e-200, 1e200, 1e307, kGreatest}) all.push_back(x);
  for (const double n : kExponents) EXPECT_LT(worst_power(all, n), kTolerance) << n;
}

TEST(Powers, AreRightAroundOne) {
  std::vector<double> x;
  for (int i = -2000; i <= 2000; ++i) x.push_back(1.0 + 1e-7 * i);
  for (int bit = 20; bit <= 52; ++bit) x.push_back(1.0 + std::ldexp(1.0, -bit));
  for (const double n : kExponents) EXPECT_LT(worst_power(x, n), kTolerance) << n;
}

TEST(Powers, HaveExactValues) {
  for (const double x : {0.0, 1e-310, kLeastNormal, 0.1, 1.0 / 3.0, 7.3, kGreatest})
    EXPECT_EQ(power(x, 1.0), x);
  for (const double n : kExponents) {
    EXPECT_EQ(power(0.0, n), 0.0) << n;
    EXPECT_FALSE(std::signbit(power(0.0, n))) << n;
    EXPECT_EQ(power(1.0, n), 1.0) << n;
  }
}

TEST(Powers, OfWhatIsNoSinkageAreZero) {
  for (const double n : {0.11, 1.1, 2.5})
    for (const double x : {-1e-300, -0.01, -kGreatest, -0.0, 1e-310, 5e-324})
      EXPECT_EQ(power(x, n), 0.0) << x << "^" << n;
  EXPECT_EQ(power(-0.01, 1.0), 0.0);
}

TEST(Powers, EndInZeroAndInfinity) {
  EXPECT_EQ(power(1e-120, 3.0), 0.0);
  EXPECT_EQ(power(kLeastNormal, 1.1), 0.0);
  EXPECT_EQ(power(kLeastNormal, 3.0), 0.0);
  EXPECT_EQ(power(1e120, 3.0), kInfinity);
  EXPECT_EQ(power(kGreatest, 1.1), kInfinity);
  EXPECT_EQ(power(kGreatest, 3.0), kInfinity);
}

TEST(Powers, PassOnWhatIsNoNumber) {
  for (const double n : {0.11, 1.1, 3.0}) {
    EXPECT_TRUE(std::isnan(power(std::nan(""), n)));
    EXPECT_TRUE(std::isnan(power(kInfinity, n)));
  }
  EXPECT_TRUE(std::isnan(power(std::nan(""), 1.0)));
}

TEST(Powers, GrowWithTheirArgument) {
  // 64 roundings apart, errors of less than ten: for n >= 0.5 the results must not fall. The steps
  // lead through the places where the arithmetic changes branch: sqrt(1/2) 2^e, and results
  // sqrt(2) 2^k.
  for (const double n : {0.5, 0.79, 1.1, 1.6, 2.9})
    for (const double seam : {std::sqrt(0.5), std::sqrt(0.5) / 64.0, 1.0, 0.02,
                              std::pow(std::sqrt(2.0) / 32.0, 1.0 / n)}) {
      double last = 0.0;
      for (int i = -500; i <= 500; ++i) {
        const double now = power(seam * (1.0 + 64 * 0x1p-52 * i), n);
        ASSERT_GE(now, last) << n << ", " << seam << ", " << i;
        last = now;
      }
    }
}

TEST(Exponentials, AreRightOverTheirRange) {
  std::vector<double> x;
  for (int i = 0; i <= 70000; ++i) x.push_back(-0.01 * i);
  for (const double size : spread(1e-300, 1.0, 5000)) x.push_back(-size);
  std::vector<double> out(x.size());
  exponentials(x, out);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = std::exp(static_cast<long double>(x[i]));
    ASSERT_LT(std::abs(out[i] / exact - 1.0L), kTolerance) << x[i];
  }
}

TEST(Exponentials, HaveExactEnds) {
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(exponential(-0.0), 1.0);
  EXPECT_EQ(exponential(-5e-324), 1.0);
  EXPECT_GT(exponential(-708.3), 0.0);
  for (const double x : {-709.0, -710.0, -746.0, -1e10, -kGreatest, -kInfinity}) {
    EXPECT_EQ(exponential(x), 0.0) << x;
    EXPECT_FALSE(std::signbit(exponential(x))) << x;
  }
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
}

TEST(Exponentials, NeverExceedOneAndGrow) {
  double last = 0.0;
  for (int i = 0; i <= 200000; ++i) {
    const double now = exponential(-1e-4 * (200000 - i));
    ASSERT_GE(now, last) << i;
    ASSERT_LE(now, 1.0) << i;
    last = now;
  }
}

/// `function` is any of the two.
template <class Function>
void expect_bits_do_not_depend_on_place(const std::vector<double>& x, Function function) {
  std::vector<double> alone(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) function({&x[i], 1}, {&alone[i], 1});
  // All lengths and all offsets against one number at a time.
  for (std::size_t first = 0; first < 8; ++first)
    for (std::size_t count = 0; first + count <= x.size(); ++count) {
      std::vector<double> out(count + 1, -7.0);
      function(std::span(x).subspan(first, count), std::span(out).first(count));
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(out[i], alone[first + i]);
      ASSERT_EQ(out[count], -7.0);  // nothing is written behind the end
    }
  // In place.
  std::vector<double> same = x;
  function(same, same);
  EXPECT_EQ(same, alone);
}

TEST(Powers, DoNotDependOnTheirPlace) {
  const std::vector<double> x = spread(1e-6, 2.0, 37);
  for (const double n : {0.79, 1.0, 1.1})
    expect_bits_do_not_depend_on_place(
        x, [n](std::span<const double> in, std::span<double> out) { powers(in, n, out); });
}

TEST(Exponentials, DoNotDependOnTheirPlace) {
  std::vector<double> x = spread(1e-6, 50.0, 37);
  for (double& value : x) value = -value;
  expect_bits_do_not_depend_on_place(x, exponentials);
}

TEST(Powers, OfExtremesLeaveTheirNeighboursAlone) {
  for (const double extreme : {0.0, -1.0, kGreatest, kInfinity, std::nan("")})
    for (std::size_t place = 0; place < 4; ++place) {
      std::vector<double> x = {0.01, 0.02, 0.03, 0.04};
      x[place] = extreme;
      std::vector<double> out(4);
      powers(x, 1.1, out);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(i == place || out[i] == power(x[i], 1.1));
    }
}

}  // namespace
}  // namespace grouser
