#include "grouser/mechanism/free_bodies.h"

#include <Eigen/LU>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

class FreeBodies final : public Tree {
 public:
  FreeBodies(const std::vector<FreeBody>& bodies, const Vec3& gravity)
      : model_(std::make_shared<Model>(bodies)), gravity_(gravity), state_(bodies.size()) {}

  std::unique_ptr<Tree> clone() const override { return std::make_unique<FreeBodies>(*this); }

  void add_to(Hash& hash) const override {
    hash.add(std::span(gravity_.data(), 3));
    for (const FreeBody& body : bodies()) {
      hash.add(body.name);
      hash.add(body.mass.mass);
      hash.add(std::span(body.mass.center.data(), 3));
      hash.add(std::span(body.mass.inertia.data(), 9));
    }
  }

  Vec3 gravity() const override { return gravity_; }
  void set_gravity(const Vec3& gravity) override { gravity_ = gravity; }

  std::size_t nq() const override { return 7 * bodies().size(); }
  std::size_t nv() const override { return 6 * bodies().size(); }

  std::vector<std::string> body_names() const override {
    std::vector<std::string> names;
    for (const FreeBody& body : bodies()) names.push_back(body.name);
    return names;
  }
  std::vector<Joint> joints() const override {
    std::vector<Joint> joints;
    for (std::size_t i = 0; i < bodies().size(); ++i)
      joints.push_back({bodies()[i].name, JointKind::free, 7 * i, 6 * i, false});
    return joints;
  }
  std::vector<Mass> masses() const override {
    std::vector<Mass> masses;
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const MassProperties& body = bodies()[i].mass;
      masses.push_back(
          {body.mass, body.center, 1.0 / body.mass, model_->inverse_inertia[i].norm()});
    }
    return masses;
  }
  std::vector<int> parts() const override {
    std::vector<int> parts;
    for (std::size_t i = 0; i < bodies().size(); ++i)
      parts.insert(parts.end(), 6, static_cast<int>(i));
    return parts;
  }
  std::vector<int> body_parts() const override {
    std::vector<int> parts;
    for (std::size_t i = 0; i < bodies().size(); ++i) parts.push_back(static_cast<int>(i));
    return parts;
  }

  VecX initial_positions() const override {
    VecX q(static_cast<Eigen::Index>(nq()));
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const Quat rotation(bodies()[i].X_WB.R);
      const auto at = static_cast<Eigen::Index>(7 * i);
      q.segment<3>(at) = bodies()[i].X_WB * bodies()[i].mass.center;
      q.segment<4>(at + 3) << rotation.w(), rotation.x(), rotation.y(), rotation.z();
    }
    return q;
  }
  VecX initial_velocities() const override {
    VecX v(static_cast<Eigen::Index>(nv()));
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const FreeBody& body = bodies()[i];
      const auto at = static_cast<Eigen::Index>(6 * i);
      v.segment<3>(at) = body.V_WB.at(body.X_WB.R * body.mass.center);
      v.segment<3>(at + 3) = body.X_WB.R.transpose() * body.V_WB.w;
    }
    return v;
  }

  void set_positions(std::span<const double> q) override {
    GROUSER_ASSERT(q.size() == nq());
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const double* at = q.data() + 7 * i;
      state_[i].center = Vec3(at[0], at[1], at[2]);
      const Mat3 R = Quat(at[3], at[4], at[5], at[6]).normalized().toRotationMatrix();
      state_[i].offset = -(R * bodies()[i].mass.center);
      state_[i].kinematics.X_WB = {R, state_[i].center + state_[i].offset};
    }
  }

  void set_positions_nearby(std::span<const double> q) override { set_positions(q); }

  void set_velocities(std::span<const double> v) override {
    GROUSER_ASSERT(v.size() == nv());
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const double* at = v.data() + 6 * i;
      State& s = state_[i];
      const Vec3 v_center(at[0], at[1], at[2]);
      const Vec3 w_B(at[3], at[4], at[5]);
      s.w_B = w_B;
      s.v_center = v_center;
      s.kinematics.V_WB.w = s.kinematics.X_WB.R * w_B;
      s.kinematics.V_WB.v = v_center + s.kinematics.V_WB.w.cross(s.offset);
    }
  }

  void kinematics(std::span<BodyKinematics> out) const override {
    GROUSER_ASSERT(out.size() == bodies().size());
    for (std::size_t i = 0; i < bodies().size(); ++i) out[i] = state_[i].kinematics;
  }
  void inverse_dynamics(std::span<const double> a, std::span<double> tau) override {
    bias(tau);
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      using Part = Eigen::Map<const Vec3>;
      Eigen::Map<Vec3>(tau.data() + 6 * i) += bodies()[i].mass.mass * Part(a.data() + 6 * i);
      Eigen::Map<Vec3>(tau.data() + 6 * i + 3) +=
          bodies()[i].mass.inertia * Part(a.data() + 6 * i + 3);
    }
  }
  void bias(std::span<double> tau) override {
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      const Vec3& w_B = state_[i].w_B;
      Eigen::Map<Vec3>(tau.data() + 6 * i) = -bodies()[i].mass.mass * gravity_;
      Eigen::Map<Vec3>(tau.data() + 6 * i + 3) = w_B.cross(bodies()[i].mass.inertia * w_B);
    }
  }

  void add_wrench(std::size_t body, const Wrench& F_B_W, std::span<double> tau) override {
    GROUSER_ASSERT(body < bodies().size() && tau.size() == nv());
    const State& s = state_[body];
    const Vec3 torque_center = F_B_W.torque + s.offset.cross(F_B_W.force);
    Eigen::Map<Vec3>(tau.data() + 6 * body) += F_B_W.force;
    Eigen::Map<Vec3>(tau.data() + 6 * body + 3) += s.kinematics.X_WB.R.transpose() * torque_center;
  }

  void solve_mass(std::span<double> x) override {
    GROUSER_ASSERT(x.size() == nv());
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      Eigen::Map<Vec3>(x.data() + 6 * i) /= bodies()[i].mass.mass;
      Eigen::Map<Vec3> turn(x.data() + 6 * i + 3);
      turn = (model_->inverse_inertia[i] * turn).eval();
    }
  }

  void jacobian(std::size_t body, const Vec3& p_W, Eigen::Ref<MatX> J) override {
    const Mat3& R = state_[body].kinematics.X_WB.R;
    const auto at = static_cast<Eigen::Index>(6 * body);
    J.setZero();
    J.block<3, 3>(0, at + 3) = R;
    J.block<3, 3>(3, at).setIdentity();
    J.block<3, 3>(3, at + 3) = -cross_matrix(p_W - state_[body].center) * R;
  }

  Twist bias_acceleration(std::size_t body) const override {
    const State& s = state_[body];
    const Vec3& w = s.kinematics.V_WB.w;
    return {Vec3::Zero(), w.cross(w.cross(s.offset))};
  }

  void position_rates(std::span<const double> q, std::span<const double> v,
                      std::span<double> rates) const override {
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) rates[7 * i + k] = v[6 * i + k];
      const Vec3 w_B(v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]);
      quaternion_rates(q.data() + 7 * i + 3, w_B, rates.data() + 7 * i + 3);
    }
  }

  void move(std::span<double> q, std::span<const double> v, double h) const override {
    for (std::size_t i = 0; i < bodies().size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) q[7 * i + k] += h * v[6 * i + k];
      double* at = q.data() + 7 * i + 3;
      const Vec3 turn = h * Vec3(v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]);
      Quat rotation(at[0], at[1], at[2], at[3]);
      const double angle = turn.norm();
      if (angle > 0.0) rotation = rotation * Quat(Eigen::AngleAxisd(angle, turn / angle));
      rotation.normalize();
      at[0] = rotation.w();
      at[1] = rotation.x();
      at[2] = rotation.y();
      at[3] = rotation.z();
    }
  }

  double kinetic_energy() override {
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies().size(); ++i)
      sum += 0.5 * bodies()[i].mass.mass * state_[i].v_center.squaredNorm() +
             0.5 * state_[i].w_B.dot(bodies()[i].mass.inertia * state_[i].w_B);
    return sum;
  }
  double potential_energy() override {
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies().size(); ++i)
      sum -= bodies()[i].mass.mass * gravity_.dot(state_[i].center);
    return sum;
  }

 private:
  struct Model {
    explicit Model(const std::vector<FreeBody>& from) : bodies(from) {
      for (const FreeBody& body : bodies) {
        GROUSER_ASSERT(body.mass.mass > 0.0 && body.mass.inertia.determinant() > 0.0);
        inverse_inertia.push_back(body.mass.inertia.inverse());
      }
    }
    std::vector<FreeBody> bodies;
    std::vector<Mat3> inverse_inertia;
  };
  const std::vector<FreeBody>& bodies() const { return model_->bodies; }

  struct State {
    BodyKinematics kinematics;
    Vec3 center;    // of mass, in W
    Vec3 offset;    // from the centre of mass to the body's origin, in W
    Vec3 v_center;  // in W
    Vec3 w_B;
  };
  std::shared_ptr<const Model> model_;
  Vec3 gravity_;
  std::vector<State> state_;
};

}  // namespace

std::unique_ptr<Tree> make_free_bodies(const std::vector<FreeBody>& bodies, const Vec3& gravity) {
  return std::make_unique<FreeBodies>(bodies, gravity);
}

}  // namespace grouser
