// A thrown ball bounces, slides and rolls: a contact world inside an integrator of one's own.
//
// The integrator is classical Runge-Kutta with a fixed step. It asks for forces four times per
// step, three of them at states it throws away, and tells the world once which state it kept.
#include <grouser/contact/sphere_half_space.h>
#include <grouser/contact/world.h>

#include <algorithm>
#include <cstdio>

namespace {

using grouser::Vec3;
using grouser::VecX;

constexpr double kMass = 0.5;    // [kg]
constexpr double kRadius = 0.1;  // [m]
constexpr double kInertia = 0.4 * kMass * kRadius * kRadius;
const Vec3 kGravity(0.0, 0.0, -9.81);

grouser::ContactWorldDef ball_on_floor() {
  grouser::ShapeDef ball, floor;
  ball.name = ball.body = "ball";
  ball.geometry = grouser::SphereShape{kRadius};
  floor.name = "floor";  // of the body "world"
  floor.geometry = grouser::HalfSpaceShape{};

  grouser::SphereHalfSpaceDef contact;
  contact.sphere = "ball";
  contact.half_space = "floor";
  contact.stiffness = 1e7;
  contact.restitution = 0.6;
  contact.friction = 0.3;

  grouser::ContactWorldDef def;
  def.shapes = {ball, floor};
  def.add(contact);
  return def;
}

/// State: position, velocity, angular velocity, then the states of the contact. The orientation of
/// a ball does not matter.
class Ball {
 public:
  Ball() : world_(ball_on_floor()), body_(world_.body("ball")) {}

  VecX thrown() const {
    VecX y = VecX::Zero(9 + static_cast<Eigen::Index>(world_.state_count()));
    y.head<3>() = Vec3(0.0, 0.0, 0.5);
    y.segment<3>(3) = Vec3(1.0, 0.0, 0.0);
    return y;
  }

  VecX rates(double t, const VecX& y) {
    put(y);
    world_.evaluate(t);
    const grouser::Wrench& F = world_.wrench(body_);
    VecX out(y.size());
    out.head<3>() = y.segment<3>(3);
    out.segment<3>(3) = F.force / kMass + kGravity;
    out.segment<3>(6) = F.torque / kInertia;
    std::copy_n(world_.state_derivatives().begin(), world_.state_count(), out.begin() + 9);
    return out;
  }

  /// The step to (t, y) is kept.
  void keep(double t, const VecX& y) {
    put(y);
    world_.commit(t);
  }

 private:
  void put(const VecX& y) {
    grouser::BodyKinematics ball;
    ball.X_WB.p = y.head<3>();
    ball.V_WB = {y.segment<3>(6), y.segment<3>(3)};
    world_.set_body(body_, ball);
    std::copy(y.begin() + 9, y.end(), world_.states().begin());
  }

  grouser::ContactWorld world_;
  int body_;
};

/// Prints how fast the ball leaves the floor, compared with how fast it came. Gravity acts during
/// the contact too, so slow impacts keep less than the restitution of a free one.
class BounceWatch {
 public:
  void see(double t, const VecX& y) {
    const bool touching = y[2] < kRadius;
    const double speed = y[5];
    if (touching && !touching_) impact_speed_ = -speed;
    if (!touching && touching_)
      std::printf("%8.3f s   %6.3f m/s in, %6.3f m/s out, ratio %.3f\n", t, impact_speed_, speed,
                  speed / impact_speed_);
    touching_ = touching;
  }

 private:
  bool touching_ = false;
  double impact_speed_ = 0.0;
};

}  // namespace

int main() {
  constexpr double kStep = 1e-5;  // [s]
  constexpr int kSteps = 300000;
  Ball ball;
  BounceWatch watch;
  VecX y = ball.thrown();
  ball.keep(0.0, y);
  for (int i = 0; i < kSteps; ++i) {
    const double t = i * kStep;
    const VecX k1 = ball.rates(t, y);
    const VecX k2 = ball.rates(t + 0.5 * kStep, y + 0.5 * kStep * k1);
    const VecX k3 = ball.rates(t + 0.5 * kStep, y + 0.5 * kStep * k2);
    const VecX k4 = ball.rates(t + kStep, y + kStep * k3);
    y += kStep / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    ball.keep(t + kStep, y);
    watch.see(t + kStep, y);
  }
  // Friction acts at the floor, so nearly 5/7 of 1 m/s are left when the ball rolls.
  std::printf("%8.3f s   rolls at %.3f m/s, r w = %.3f m/s\n", kSteps * kStep, y[3],
              kRadius * y[7]);
  return 0;
}
