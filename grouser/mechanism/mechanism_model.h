// What a mechanism is made of: all that is fixed once it is built, for any number of copies of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grouser/mechanism/applied_force.h"
#include "grouser/mechanism/constraints.h"
#include "grouser/mechanism/motor.h"
#include "grouser/mechanism/tree.h"

namespace grouser {

struct MechanismDef {
  std::vector<std::unique_ptr<Tree>> trees;
  std::vector<MovingBodyDef> moving_bodies;
  std::vector<CouplingDef> couplings;
  std::vector<LoopDef> loops;
  std::vector<PrescribedJointDef> prescribed;
  std::vector<MotorDef> motors;
  std::vector<ForceDef> forces;
  /// Initial coordinates of joints that differ from the trees' own; empty: as the tree has it.
  struct InitialJoint {
    std::string joint;
    std::vector<double> position;          ///< 1 number, or 3 for a free joint
    std::vector<double> quaternion;        ///< w x y z, of a ball or free joint
    std::vector<double> velocity;          ///< 1 number, or 3 for a free joint
    std::vector<double> angular_velocity;  ///< 3 numbers along the body's axes, ball or free joint
    Place place;
  };
  std::vector<InitialJoint> initial;
};

/// A number that a host may set while a mechanism runs.
struct MechanismInput {
  std::string name;  ///< "gravity/z", "motors/wheel_1/target", "bodies/chassis/force_x", ...
  std::string unit;
  std::string meaning;
};

/// Trees, joints, constraints, motors and forces, assembled at time 0. Immutable: mechanisms in any
/// number of threads may use it at the same time.
class MechanismModel {
 public:
  /// Throws InputError for unknown names and constraints that cannot be assembled.
  explicit MechanismModel(MechanismDef def);
  MechanismModel(const MechanismModel&) = delete;
  MechanismModel& operator=(const MechanismModel&) = delete;

  std::size_t nq() const { return nq_; }
  std::size_t nv() const { return nv_; }
  /// Body 0 is "world"; then moving bodies, then those of the trees.
  std::span<const std::string> body_names() const { return body_names_; }
  int body(const std::string& name, const Place& place, const std::string& key) const;
  std::span<const Joint> joints() const { return joints_; }
  /// Throws InputError if there is none of this name.
  std::size_t motor(const std::string& name, const Place& place, const std::string& key) const;

  /// The assembled initial state.
  const VecX& initial_positions() const { return initial_q_; }
  const VecX& initial_velocities() const { return initial_v_; }

  /// Gravity, targets of motors, components of external forces, and a wrench for every body that
  /// has mass and can move.
  std::span<const MechanismInput> inputs() const { return inputs_; }
  /// Throws InputError with the nearest name if there is none of this name.
  std::size_t input(const std::string& name) const;

  /// Equal for mechanisms that answer alike, also in another process.
  std::uint64_t definition_hash() const { return hash_; }

 private:
  friend class Mechanism;

  struct BodyPlace {
    int tree = -1;    // -1: not in a tree
    int moving = -1;  // -1: not a moving body
    std::size_t index = 0;
  };
  struct LinearRow {  // sum of factor * v coordinate
    std::vector<std::size_t> q, v;
    std::vector<double> factor;
    double offset = 0.0;
    int prescribed = -1;   // whose signal adds to the offset
    bool position = true;  // false: a speed is prescribed, positions are free
  };
  struct Loop {
    LoopDef def;
    int a = 0, b = 0;
    Eigen::Index row = 0;
  };

  const Joint& joint(const std::string& name, const Place& place, const std::string& key) const;
  const Joint& scalar_joint(const std::string& name, const Place& place,
                            const std::string& key) const;
  void add_bodies(MechanismDef& def);
  void add_rows(MechanismDef& def);
  void add_motors(std::vector<MotorDef>& defs);
  void find_parts();
  void add_forces(std::vector<ForceDef>& defs);
  void add_inputs();
  void set_initial(const MechanismDef::InitialJoint& initial, VecX& mobility);
  void assemble(const VecX& mobility);
  std::uint64_t make_hash() const;

  std::vector<TreeCopy> trees_;               // as they are before a state is set
  std::vector<std::size_t> tree_q_, tree_v_;  // first coordinate of each tree
  std::vector<std::size_t> tree_bodies_;      // number of bodies of each tree
  std::vector<std::size_t> quaternions_;      // first coordinate of each quaternion
  std::vector<MovingBodyDef> moving_;
  std::vector<std::string> body_names_;
  std::vector<BodyPlace> places_;
  std::vector<Tree::Mass> masses_;  // of all bodies
  std::vector<Joint> joints_;
  std::vector<int> parts_, position_parts_, body_parts_;
  int part_count_ = 0;
  std::vector<bool> held_q_, held_v_;
  std::size_t nq_ = 0, nv_ = 0;

  std::vector<LinearRow> rows_;
  std::vector<PrescribedJointDef> prescribed_;
  std::vector<CouplingDef> couplings_;
  std::vector<Loop> loops_;
  std::vector<Motor> motors_;
  std::vector<AppliedForce> applied_;
  Eigen::Index row_count_ = 0;
  VecX stiffness_, damping_;  // in the joints

  // Inputs: gravity, a target for each motor, six components for each force and each pushed body.
  std::vector<MechanismInput> inputs_;
  std::size_t first_motor_input_ = 0, first_force_input_ = 0, first_body_input_ = 0;
  std::vector<int> pushed_;  // bodies that have mass and can move

  VecX initial_q_, initial_v_;
  std::uint64_t hash_ = 0;
};

}  // namespace grouser
