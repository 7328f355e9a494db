// Tree dynamics: bodies joined without loops, M(q) a + c(q, v) = tau.
//
// Where the equations come from (MuJoCo, or our own free bodies) is hidden behind this class;
// constraints, motors and contact are added above it, in Mechanism.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/hash.h"
#include "grouser/math/spatial.h"

namespace grouser {

enum class JointKind { hinge, slide, ball, free };

/// Where a joint's coordinates stand. A ball joint has 4 positions (quaternion w x y z) and 3
/// velocities, a free joint 7 and 6, the others one of each.
struct Joint {
  std::string name;
  JointKind kind;
  std::size_t q;  ///< index of the first position coordinate
  std::size_t v;  ///< index of the first velocity coordinate
  /// For a free joint: its position is that of the body's origin, its velocities are that of the
  /// origin in W and w in the body frame. (Not so where the centre of mass is the coordinate.)
  bool at_origin = true;
  bool scalar() const { return kind == JointKind::hinge || kind == JointKind::slide; }
};

/// What never changes (masses, joints) is shared by a tree and its clones; each has a state and a
/// gravity of its own, so they may be used in different threads at the same time.
class Tree {
 public:
  virtual ~Tree() = default;
  virtual std::unique_ptr<Tree> clone() const = 0;
  /// Adds every number that answers depend on, gravity included, and the names.
  virtual void add_to(Hash& hash) const = 0;

  /// In W [m/s^2].
  virtual Vec3 gravity() const = 0;
  virtual void set_gravity(const Vec3& gravity) = 0;

  virtual std::size_t nq() const = 0;
  virtual std::size_t nv() const = 0;
  virtual std::vector<std::string> body_names() const = 0;
  virtual std::vector<Joint> joints() const = 0;
  /// Mass and centre of mass (in the body's frame) of every body.
  struct Mass {
    double mass = 0.0;
    Vec3 center = Vec3::Zero();
    /// How it gives way to a force at its centre [1/kg] and to a torque [1/(kg m^2)], at most.
    double linear_mobility = 0.0, angular_mobility = 0.0;
  };
  virtual std::vector<Mass> masses() const = 0;
  /// Number of the independent part each velocity coordinate belongs to: coordinates of different
  /// parts do not meet in M or c.
  virtual std::vector<int> parts() const = 0;
  /// The same for bodies; -1 for a body that cannot move.
  virtual std::vector<int> body_parts() const = 0;
  virtual VecX initial_positions() const = 0;
  virtual VecX initial_velocities() const = 0;

  /// Kinematics, mass matrix and its factor. Quaternions need not be of unit length.
  virtual void set_positions(std::span<const double> q) = 0;
  /// Kinematics alone: solve_mass() goes on with the mass matrix of the last set_positions().
  virtual void set_positions_nearby(std::span<const double> q) = 0;
  /// Twists, after either.
  virtual void set_velocities(std::span<const double> v) = 0;

  /// One entry per body.
  virtual void kinematics(std::span<BodyKinematics> out) const = 0;
  /// tau <- M a + c. In c are Coriolis forces, gravity, springs and dampers of the joints.
  virtual void inverse_dynamics(std::span<const double> a, std::span<double> tau) = 0;
  /// tau <- c.
  virtual void bias(std::span<double> tau) = 0;
  /// tau += J^T F for a wrench about the body's origin, in W.
  virtual void add_wrench(std::size_t body, const Wrench& F_B_W, std::span<double> tau) = 0;
  /// x <- M^-1 x.
  virtual void solve_mass(std::span<double> x) = 0;

  /// Stiffness and damping of the springs and dampers in hinges and slides, by velocity coordinate;
  /// other joints have their damping alone.
  virtual void joint_springs(std::span<double> stiffness, std::span<double> damping) const {
    std::fill(stiffness.begin(), stiffness.end(), 0.0);
    std::fill(damping.begin(), damping.end(), 0.0);
  }
  /// tau <- forces of dampers at the velocities set, which are in c.
  virtual void damper_forces(std::span<double> tau) const {
    std::fill(tau.begin(), tau.end(), 0.0);
  }
  /// From now on solve_mass() has M + diag(d); only coordinates of hinges and slides and those with
  /// damping may have a d other than zero.
  virtual void set_diagonal(std::span<const double>) {}
  /// Rows w (3) and v (3) of the point p_W fixed to the body, by velocity coordinate: 6 x nv.
  virtual void jacobian(std::size_t body, const Vec3& p_W, Eigen::Ref<MatX> J) = 0;
  /// Acceleration of the body at its origin for a = 0: angular and linear. Needs
  /// prepare_bias_acceleration() after set_velocities().
  virtual void prepare_bias_acceleration() {}
  virtual Twist bias_acceleration(std::size_t body) const = 0;

  /// q' for given v, at any q.
  virtual void position_rates(std::span<const double> q, std::span<const double> v,
                              std::span<double> rates) const = 0;
  /// q <- q moved by v over the time h, on the manifold; normalises quaternions.
  virtual void move(std::span<double> q, std::span<const double> v, double h) const = 0;

  virtual double kinetic_energy() = 0;
  virtual double potential_energy() = 0;
};

/// A tree that is copied with what has it.
class TreeCopy {
 public:
  explicit TreeCopy(std::unique_ptr<Tree> tree) : tree_(std::move(tree)) {}
  TreeCopy(const TreeCopy& other) : tree_(other.tree_->clone()) {}
  TreeCopy(TreeCopy&&) = default;
  TreeCopy& operator=(const TreeCopy& other) {
    tree_ = other.tree_->clone();
    return *this;
  }
  TreeCopy& operator=(TreeCopy&&) = default;

  Tree* operator->() const { return tree_.get(); }

 private:
  std::unique_ptr<Tree> tree_;
};

/// q' of a unit or nearly unit quaternion for an angular velocity in the body frame: q w / 2.
inline void quaternion_rates(const double* q, const Vec3& w_B, double* rates) {
  rates[0] = 0.5 * (-q[1] * w_B.x() - q[2] * w_B.y() - q[3] * w_B.z());
  rates[1] = 0.5 * (q[0] * w_B.x() + q[2] * w_B.z() - q[3] * w_B.y());
  rates[2] = 0.5 * (q[0] * w_B.y() + q[3] * w_B.x() - q[1] * w_B.z());
  rates[3] = 0.5 * (q[0] * w_B.z() + q[1] * w_B.y() - q[2] * w_B.x());
}

}  // namespace grouser
