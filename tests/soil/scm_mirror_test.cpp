// Soil has no left and right: wheels that mirror each other leave mirrored ruts.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "grouser/assets/wheel.h"
#include "grouser/contact/world.h"
#include "grouser/soil/scm.h"

namespace grouser {
namespace {

constexpr double kMirrorRadius = 0.12, kMirrorWidth = 0.16, kSpacing = 0.01, kMirrorLoad = 60.0;

struct Pair {
  double track = 0.0;  ///< y of the left wheel [m]
  double roll = 0.0;   ///< of the left wheel, outwards [rad]
  double drift = 0.0;  ///< speed of the left wheel to the left [m/s]
};

/// A left and a right wheel on one ground, each under its load, driven with slip.
class Mirror {
 public:
  explicit Mirror(const Pair& pair) : pair_(pair) {
    SoilGroundDef ground;
    ground.name = "ground";
    ground.soil.k_c = 6800.0;
    ground.soil.k_phi = 210e3;
    ground.soil.n = 0.8;
    ground.soil.cohesion = 500.0;
    ground.soil.friction_angle = 0.5;
    ground.spacing = kSpacing;
    WheelDef wheel;
    wheel.radius = kMirrorRadius;
    wheel.width = kMirrorWidth;
    wheel.grouser_count = 12;
    wheel.grouser_height = 0.01;
    wheel.grouser_thickness = 0.01;
    const auto mesh = std::make_shared<const TriangleMesh>(make_wheel(wheel));
    ContactWorldDef def;
    def.add(ground);
    ScmDef contact;
    contact.soil = "ground";
    contact.objects = {"*"};
    for (const char* name : {"left", "right"}) {
      ShapeDef shape;
      shape.name = shape.body = name;
      shape.geometry = MeshShape{mesh};
      def.shapes.push_back(shape);
    }
    def.add(contact);
    world_ = std::make_unique<ContactWorld>(def);
    for (std::size_t i = 0; i < 2; ++i) bodies_[i] = world_->body(i == 0 ? "left" : "right");
  }

  /// Some seconds; returns the greatest difference of the two forces, relative to the load.
  double drive(double seconds) {
    constexpr double h = 2.5e-3, speed = 0.1, slip = 0.4, mass = kMirrorLoad / 9.81;
    double greatest = 0.0;
    for (const double end = time_ + seconds; time_ < end; time_ += h) {
      for (std::size_t i = 0; i < 2; ++i) {
        const double side = i == 0 ? 1.0 : -1.0;
        BodyKinematics body;
        body.X_WB.p = Vec3((1.0 - slip) * speed * time_, side * (pair_.track + pair_.drift * time_),
                           height_[i]);
        const Mat3 roll = Eigen::AngleAxisd(-side * pair_.roll, Vec3::UnitX()).toRotationMatrix();
        const double rate = speed / kMirrorRadius;
        body.X_WB.R = roll * Eigen::AngleAxisd(rate * time_, Vec3::UnitY()).toRotationMatrix();
        body.V_WB = {rate * (roll * Vec3::UnitY()),
                     Vec3((1.0 - slip) * speed, side * pair_.drift, speed_[i])};
        world_->set_body(bodies_[i], body);
      }
      world_->evaluate(time_);
      const Vec3 left = world_->wrench(bodies_[0]).force, right = world_->wrench(bodies_[1]).force;
      greatest =
          std::max(greatest, (left - Vec3(right.x(), -right.y(), right.z())).norm() / kMirrorLoad);
      for (std::size_t i = 0; i < 2; ++i) {
        speed_[i] += h * (world_->wrench(bodies_[i]).force.z() - kMirrorLoad) / mass;
        height_[i] += h * speed_[i];
      }
      if (time_ >= world_->next_update()) world_->update(time_);
    }
    return greatest;
  }
  double height_difference() const { return std::abs(height_[0] - height_[1]); }

 private:
  Pair pair_;
  std::unique_ptr<ContactWorld> world_;
  std::array<int, 2> bodies_{};
  std::array<double, 2> height_ = {kMirrorRadius + 0.01, kMirrorRadius + 0.01}, speed_{};
  double time_ = 0.0;
};

TEST(ScmMirror, WheelsThatMirrorEachOtherMoveAlike) {
  for (const Pair& pair : {Pair{0.53, 0.0, 0.0},     // edges on lines of nodes
                           Pair{0.535, 0.0, 0.0},    // edges between two of them
                           Pair{0.5317, 0.0, 0.0},   // edges anywhere
                           Pair{0.53, 1e-11, 0.0},   // trembling
                           Pair{0.5317, 0.05, 0.0},  // leaning
                           Pair{0.5317, 0.0, 0.02}}) {
    Mirror mirror(pair);
    const double forces = mirror.drive(3.0);
    const std::string which = "track " + std::to_string(pair.track) + ", roll " +
                              std::to_string(pair.roll) + ", drift " + std::to_string(pair.drift);
    // Rounding; found: 1e-13. Of a leaning wheel the soil is looked at in a window that follows
    // from boxes around its faces, and these are not mirrored; found: 3e-7.
    EXPECT_LT(forces, pair.roll > 1e-3 ? 1e-5 : 1e-9) << which;
    EXPECT_LT(mirror.height_difference(), pair.roll > 1e-3 ? 1e-8 : 1e-12) << which;
  }
}

}  // namespace
}  // namespace grouser
