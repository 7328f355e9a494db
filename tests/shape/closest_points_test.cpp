#include "grouser/shape/closest_points.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "tests/shape/graph_surface.h"

namespace grouser {
namespace {

/// z = 0.2 x^2 + 0.15 y^2 + 0.05 x y, seen from above.
GraphSurface bowl() {
  return GraphSurface(GraphSurface::Side::above, [](double x, double y) {
    return GraphSurface::Height{0.2 * x * x + 0.15 * y * y + 0.05 * x * y,
                                0.4 * x + 0.05 * y,
                                0.3 * y + 0.05 * x,
                                0.4,
                                0.05,
                                0.3};
  });
}

/// The lower half of an ellipsoid with half axes 0.5, 0.7 and 0.4.
GraphSurface lower_half() {
  return GraphSurface(GraphSurface::Side::below, [](double x, double y) {
    const double a2 = 0.25, b2 = 0.49, c = 0.4;
    const double s = std::sqrt(1.0 - x * x / a2 - y * y / b2);
    const double sx = -x / (a2 * s), sy = -y / (b2 * s);
    return GraphSurface::Height{-c * s,          -c * sx,
                                -c * sy,         c * (1.0 / a2 + sx * sx) / s,
                                c * sx * sy / s, c * (1.0 / b2 + sy * sy) / s};
  });
}

/// The situation of the reference values: the ellipsoid over the bowl, at a height.
struct Reference {
  GraphSurface ground = bowl(), body = lower_half();
  Pose X_12;
  Vec3 velocity = Vec3(0.3, 0.5, -0.2);  // of the body's origin
  Vec3 spin = Vec3(0.7, -0.4, 0.9);

  explicit Reference(double height)
      : X_12{rotation_from_vector(Vec3(0.3, -0.2, 0.5)), Vec3(0.35, -0.2, height)} {}

  ClosestPoints contact() const {
    const auto found = find_closest(ground, body, X_12, {0.35, -0.2}, {0.0, 0.0});
    EXPECT_TRUE(found.has_value());
    return found.value_or(ClosestPoints{});
  }
  ContactRates rates(const ClosestPoints& c) const {
    const auto rates = contact_rates(c, velocity + spin.cross(c.p2 - X_12.p), spin);
    EXPECT_TRUE(rates.has_value());
    return rates.value_or(ContactRates{});
  }
  /// The same a little later.
  Reference after(double time) const {
    Reference out = *this;
    out.X_12.p += time * velocity;
    out.X_12.R = rotation_from_vector(time * spin) * X_12.R;
    return out;
  }
};

TEST(ContactRates, HaveTheReferenceValuesForGapAndOverlap) {
  // Values of the project's handbook, section 6.2; "to 7 digits" is half of the last one.
  struct Row {
    double height, gap;
    std::array<double, 2> u1, u2;
    double gap_rate;
  };
  const std::array rows = {
      Row{0.70, 0.2041, {0.6608289, 0.6439403}, {-0.2231392, -0.3000472}, -0.3539620},
      Row{0.52, 0.0290, {0.6065704, 0.5859936}, {-0.2332823, -0.3041171}, -0.3490934},
      Row{0.45, -0.0393, {0.5873733, 0.5657524}, {-0.2368973, -0.3055995}, -0.3474313},
      Row{0.35, -0.1370, {0.5616477, 0.5388035}, {-0.2417596, -0.3076303}, -0.3452486}};
  for (const Row& row : rows) {
    const Reference situation(row.height);
    const ClosestPoints c = situation.contact();
    const ContactRates rates = situation.rates(c);
    const Vec2 u1 = c.B1.inverse() * rates.t1, u2 = c.B2.inverse() * rates.t2;
    EXPECT_NEAR(c.gap, row.gap, 5.1e-5) << row.height;
    EXPECT_NEAR(u1.x(), row.u1[0], 5.1e-8) << row.height;
    EXPECT_NEAR(u1.y(), row.u1[1], 5.1e-8) << row.height;
    // The lower side of a graph has its coordinates in the order y, x.
    EXPECT_NEAR(u2.y(), row.u2[0], 5.1e-8) << row.height;
    EXPECT_NEAR(u2.x(), row.u2[1], 5.1e-8) << row.height;
    EXPECT_NEAR(rates.gap, row.gap_rate, 5.1e-8) << row.height;
  }
}

TEST(ContactRates, AreThoseOfThePointsFoundALittleLater) {
  for (const double height : {0.7, 0.45, 0.35}) {
    const Reference now(height);
    const ClosestPoints c = now.contact();
    const ContactRates rates = now.rates(c);
    const double h = 1e-5;  // central differences: an error of h^2, and rounding / h
    const ClosestPoints before = now.after(-h).contact(), later = now.after(h).contact();
    const Vec2 u1 = c.B1.inverse() * rates.t1, u2 = c.B2.inverse() * rates.t2;
    EXPECT_NEAR((later.x1.u - before.x1.u) / (2 * h), u1.x(), 1e-8);
    EXPECT_NEAR((later.x1.v - before.x1.v) / (2 * h), u1.y(), 1e-8);
    EXPECT_NEAR((later.x2.u - before.x2.u) / (2 * h), u2.x(), 1e-8);
    EXPECT_NEAR((later.x2.v - before.x2.v) / (2 * h), u2.y(), 1e-8);
    EXPECT_NEAR((later.gap - before.gap) / (2 * h), rates.gap, 1e-8);
  }
}

TEST(ClosestPoints, HaveOppositeNormalsInLine) {
  for (const double height : {0.9, 0.5, 0.3}) {
    const Reference situation(height);
    const ClosestPoints c = situation.contact();
    EXPECT_LT((c.p2 - c.p1 - c.gap * c.n).norm(), 1e-14);
    const GaussFrame body = gauss_frame(situation.body.at(c.x2));
    EXPECT_LT((situation.X_12.R * body.n + c.n).norm(), 1e-14);
    EXPECT_EQ(kind_of(c), ContactKind::nearest);
  }
}

TEST(ClosestPoints, AreNearerThanAnyOthersNearby) {
  const Reference situation(0.7);
  const ClosestPoints c = situation.contact();
  double nearest = 1e9;
  for (int i = -40; i <= 40; ++i)
    for (int j = -40; j <= 40; ++j)
      for (int k = -8; k <= 8; ++k)
        for (int l = -8; l <= 8; ++l) {
          const Vec3 p1 = situation.ground.at({c.x1.u + 0.02 * i, c.x1.v + 0.02 * j}).p;
          const Vec3 p2 =
              situation.X_12 * situation.body.at({c.x2.u + 0.02 * k, c.x2.v + 0.02 * l}).p;
          nearest = std::min(nearest, (p2 - p1).norm());
        }
  EXPECT_NEAR(nearest, c.gap, 1e-12);  // the middle of the grid is the solution itself
}

TEST(ClosestPoints, TellContactsFromSaddles) {
  // A body with a radius of curvature of 1 m over a valley along y that bends as a circle of 0.5 m
  // at its bottom: it stands on the two flanks, and between them is a saddle.
  const auto valley = GraphSurface(GraphSurface::Side::above, [](double x, double) {
    const double s = std::sqrt(0.25 + x * x);
    return GraphSurface::Height{s, x / s, 0.0, 0.25 / (s * s * s), 0.0, 0.0};
  });
  const auto body = GraphSurface(GraphSurface::Side::below, [](double x, double y) {
    return GraphSurface::Height{0.5 * (x * x + y * y), x, y, 1.0, 0.0, 1.0};
  });
  const Pose X_12{Mat3::Identity(), Vec3(0.0, 0.0, 0.6)};
  const auto saddle = find_closest(valley, body, X_12, {0.0, 0.0}, {0.0, 0.0}, Vec3(Vec3::UnitX()));
  ASSERT_TRUE(saddle.has_value());
  EXPECT_EQ(kind_of(*saddle), ContactKind::saddle);
  EXPECT_NEAR(saddle->gap, 0.1, 1e-14);
  for (const double side : {-1.0, 1.0}) {
    const auto flank = find_closest(valley, body, X_12, {0.3 * side, 0.01}, {0.0, 0.3 * side});
    ASSERT_TRUE(flank.has_value());
    EXPECT_EQ(kind_of(*flank), ContactKind::nearest);
    EXPECT_LT(flank->gap, 0.1);
    EXPECT_GT(side * flank->x1.u, 0.1);
  }
  EXPECT_FALSE(find_closest(valley, body, X_12, {0.0, 0.0}, {0.0, 0.0}).has_value())
      << "the top of a saddle is no contact";
}

TEST(ContactRates, DoNotExistWhereBodiesFitEachOther) {
  // A paraboloid in its own mould, at gap 0: every point of it touches.
  const auto height = [](double x, double y) {
    return GraphSurface::Height{x * x + y * y, 2.0 * x, 2.0 * y, 2.0, 0.0, 2.0};
  };
  const GraphSurface mould(GraphSurface::Side::above, height);
  const GraphSurface body(GraphSurface::Side::below, height);
  const ClosestPoints c = pair_at(mould, body, Pose{}, {0.1, 0.2}, {0.2, 0.1});
  EXPECT_FALSE(contact_rates(c, Vec3::UnitX(), Vec3::UnitY()).has_value());
  EXPECT_FALSE(newton_step(mould, body, Pose{}, {0.1, 0.2}, {0.2, 0.1}).has_value());
}

}  // namespace
}  // namespace grouser
