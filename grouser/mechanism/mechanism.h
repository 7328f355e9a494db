// A mechanism: trees of bodies, what couples them, what drives them.
//
// Constraints phi(q, t) = 0 (couplings, closed loops, prescribed joints) are kept exactly: whatever
// state an integrator asks about is first projected onto them, and the accelerations there solve
//
//   M a + c = tau + J^T lambda,   J a = gamma
//
// so any integrator may be used, nothing drifts, and lambda is the drive torque or loop force.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/mechanism/mechanism_model.h"
#include "grouser/mechanism/semidefinite.h"

namespace grouser {

/// Generalised forces by what exerts them, for the work they do.
struct ForceShares {
  VecX motors, contacts;
  VecX applied;         ///< external forces
  VecX dampers;         ///< in the joints
  VecX constraints;     ///< couplings, loops, prescribed joints
  double moving = 0.0;  ///< power of contacts on moving bodies, which whatever moves them takes [W]
};

/// What a mechanism was told while it ran. With time, positions and velocities, all that its
/// answers depend on.
struct MechanismCommands {
  std::vector<std::optional<MotorCommand>> motors;  ///< in the order of their definition
  std::vector<std::optional<HeldInput>> inputs;     ///< those that are set
};

/// The data of a mechanism beside its model: state, commands and what follows from them. A copy
/// goes on as the original would, to the bit, and may do so in another thread.
///
/// Answers depend on time, positions and velocities, commands, inputs and wrenches, never on what
/// was asked before: what is kept to save time is used only where the same bits would follow.
class Mechanism {
 public:
  /// Throws InputError for unknown names and constraints that cannot be assembled.
  explicit Mechanism(MechanismDef def);
  explicit Mechanism(std::shared_ptr<const MechanismModel> model);

  const std::shared_ptr<const MechanismModel>& model() const { return model_; }

  std::size_t nq() const { return model_->nq_; }
  std::size_t nv() const { return model_->nv_; }
  /// Body 0 is "world"; then moving bodies, then those of the trees.
  std::span<const std::string> body_names() const { return model_->body_names_; }
  int body(const std::string& name, const Place& place, const std::string& key) const {
    return model_->body(name, place, key);
  }
  std::span<const Joint> joints() const { return model_->joints_; }
  std::size_t coupling_count() const { return model_->couplings_.size(); }
  std::size_t loop_count() const { return model_->loops_.size(); }
  /// Independent part of each velocity coordinate and of each body (-1: cannot move): coordinates
  /// of different parts influence each other only through contact.
  std::span<const int> parts() const { return model_->parts_; }
  std::span<const int> position_parts() const { return model_->position_parts_; }
  std::span<const int> body_parts() const { return model_->body_parts_; }
  int part_count() const { return model_->part_count_; }
  /// Coordinates that follow a signal: whatever an integrator asks, projection puts them there and
  /// moves nothing else.
  bool holds_position(std::size_t i) const { return model_->held_q_[i]; }
  bool holds_velocity(std::size_t i) const { return model_->held_v_[i]; }

  /// The assembled initial state.
  const VecX& initial_positions() const { return model_->initial_q_; }
  const VecX& initial_velocities() const { return model_->initial_v_; }

  /// Projects (q, v) onto the constraints at time t and computes kinematics there.
  void set_state(double time, std::span<const double> q, std::span<const double> v);
  /// The same without projection, for a state that was projected before: positions() and
  /// velocities() of this mechanism or another, to the bit. (Projected once more, rounding may turn
  /// the last bits of quaternions and velocities.)
  void resume(double time, std::span<const double> q, std::span<const double> v);
  /// The projected state.
  const VecX& positions() const { return q_; }
  const VecX& velocities() const { return v_; }
  std::span<const BodyKinematics> kinematics() const { return kinematics_; }

  /// Accelerations at the state set, under wrenches on all bodies (about their origins, in W), that
  /// come on top of the external forces of the definition.
  void accelerations(std::span<const Wrench> wrenches, std::span<double> a);
  /// Mean accelerations of an Euler step of length h that ends at q + h (v + h a) and v + h a, with
  /// the forces of motors, springs and dampers of the joints at its end: stable however stiff these
  /// are. A motor at its limit stays there.
  void step_accelerations(double h, std::span<const Wrench> wrenches, std::span<double> a);
  /// What acted in either.
  const ForceShares& force_shares() const { return shares_; }
  /// q' for the velocities set.
  void position_rates(std::span<double> rates) const;
  /// x += J^T F of one body.
  void add_wrench(int body, const Wrench& F_B_W, std::span<double> x) const;

  // Derivatives. Near a state, the change of the accelerations is what M and the constraints there
  // answer to the forces that are missing if the accelerations are kept. So a difference needs
  // kinematics and inverse dynamics of the nearby state, but no mass matrix.

  /// The state set and its last accelerations() become the middle of the nearby states. Commands
  /// and inputs stay as they are until the last of these is done with.
  void keep_as_middle(std::span<const Wrench> wrenches, std::span<const double> a);
  /// Like set_state() at the time of the middle; the next set_state() computes everything anew.
  void set_nearby(std::span<const double> q, std::span<const double> v);
  /// What is missing in the nearby state under the wrenches and accelerations of the middle:
  /// generalised forces, and accelerations along the constraints.
  void missing(std::span<double> forces, std::span<double> along);
  /// Number of constraints.
  Eigen::Index constraint_count() const { return model_->row_count_; }
  /// Columns x <- change of the accelerations in the middle under generalised forces x and
  /// accelerations along the constraints.
  void respond(MatX& x, const MatX& along);

  /// q <- q moved by v over h; normalises quaternions.
  void move(std::span<double> q, std::span<const double> v, double h) const;

  double kinetic_energy();
  double potential_energy();
  /// Mass of all bodies that can move, and their common centre in W at the state set.
  Tree::Mass moving_mass() const;
  /// How a body gives way, at most; not at all if it cannot move by itself.
  BodyMobility mobility(int body) const;

  // Motors, in the order of their definition.
  std::size_t motor_count() const { return model_->motors_.size(); }
  /// Throws InputError if there is none of this name.
  std::size_t motor(const std::string& name, const Place& place = {},
                    const std::string& key = "motor") const {
    return model_->motor(name, place, key);
  }
  const MotorDef& motor_def(std::size_t motor) const { return model_->motors_[motor].def(); }
  /// From now on the motor follows commands instead of its target.
  void command_motor(std::size_t motor, const MotorCommand& command);
  /// Torque or force at the last accelerations().
  double motor_torque(std::size_t motor) const { return torques_[motor]; }
  double motor_position(std::size_t motor) const;
  double motor_speed(std::size_t motor) const;

  /// The next time after this one where a signal of a force, motor, prescribed joint or moving body
  /// has a corner, or infinity: see Signal::next_corner().
  double next_corner(double time) const;

  // Inputs: numbers that a host sets, which then hold until they are changed or released.

  std::span<const MechanismInput> inputs() const { return model_->inputs_; }
  /// Throws InputError with the nearest name if there is none of this name.
  std::size_t input(const std::string& name) const { return model_->input(name); }
  /// What holds at the time of the state set.
  double input_value(std::size_t i) const;
  /// Throws InputError for a number that is not finite. A motor under speed control with stiffness
  /// goes on from where its target is at the time of the state set.
  void set_input(std::size_t i, double value);
  /// From now on it is as the definition says, or a motor's command.
  void release_input(std::size_t i);

  /// Commands and inputs, to come back to.
  const MechanismCommands& commands() const { return commands_; }
  void set_commands(const MechanismCommands& commands);
  /// As if nothing had been told.
  void forget_commands();
  /// The same as bytes; for a mechanism with the same definition_hash(). Throws InputError, and
  /// changes nothing then, if what is read is of another one.
  void archive(Archive& a);

  /// What drives and holds, at the last accelerations(): one entry per channel.
  struct DriveChannel {
    std::string name;  ///< "motors/wheel_1/effort", "prescribed/arm/effort", ...
    std::string unit;
    std::string meaning;
  };
  std::vector<DriveChannel> drive_channels() const;
  void drive_values(std::span<double> out) const;
  /// Greatest violation of a position constraint at the state set [m] or [rad].
  double constraint_gap();

 private:
  friend class MechanismModel;
  using Loop = MechanismModel::Loop;
  using BodyPlace = MechanismModel::BodyPlace;
  using LinearRow = MechanismModel::LinearRow;
  struct MotorStep {  // of the last step_accelerations()
    Motor::StepTorque gains, least, most;
    int side = 0;  // 1: at the greatest torque, -1: at the least
    int side_at(double a) const {
      const double wanted = gains.at(a);
      return wanted > most.at(a) ? 1 : wanted < least.at(a) ? -1 : 0;
    }
    const Motor::StepTorque& torque() const { return side == 0 ? gains : side > 0 ? most : least; }
  };

  void project_state(std::span<const double> v, bool new_positions);
  bool stays();
  bool knows(double time) const;
  void begin_state(double time, std::span<const double> q);
  void set_tree_positions();
  void set_tree_velocities();
  void update_moving_bodies(double time);
  void project_positions(int iterations);
  void project_velocities();
  void fill_jacobian();
  void loop_jacobian(const Loop& loop);
  void position_residual(VecX& phi) const;
  void acceleration_targets(VecX& gamma) const;
  void add_wrenches(std::span<const Wrench> wrenches, std::span<double> x) const;
  void add_applied(std::span<double> x) const;
  void append_force_channels(std::vector<DriveChannel>& out) const;
  std::size_t force_values(std::span<double> out) const;
  MotorOrder order_of(std::size_t motor) const;
  AppliedForce::Held held_of(std::size_t force) const;
  double torque_of(std::size_t motor) const;
  double time_now() const;
  void apply_inputs();
  void passive_forces(std::span<const Wrench> wrenches);
  void set_diagonal(const VecX& diagonal);
  void solve_accelerations(std::span<double> a);
  void prepare_motors(double h);
  bool sort_motors(std::span<const double> a);
  void tree_solve(double* x);
  void prepare_response();
  void respond(double* x);
  void imbalance(VecX& forces, VecX& along) const;

  std::shared_ptr<const MechanismModel> model_;
  std::vector<TreeCopy> trees_;
  MechanismCommands commands_;
  std::vector<Wrench> pushes_;  // inputs of bodies: as many as bodies are pushed, or none

  double time_ = 0.0;
  VecX q_, v_;
  std::vector<BodyKinematics> kinematics_;
  std::vector<Twist> moving_acceleration_;
  std::vector<double> torques_;  // of the motors at the last accelerations
  std::vector<MotorStep> motor_steps_;
  VecX tau_;
  VecX passive_;  // generalised forces without those of motors and constraints
  ForceShares shares_;
  VecX diagonal_;  // what the trees add to the mass matrix
  VecX step_diagonal_, no_diagonal_;
  // Constraints at the state set.
  MatX J_;            // rows x nv
  MatX J_positions_;  // the same with zero rows for prescribed speeds
  MatX response_J_;   // J_ where the response was prepared
  MatX inverse_JT_;   // M^-1 J^T there, nv x rows
  VecX lambda_, phi_, gamma_;
  VecX forces_;  // multipliers at the last accelerations()
  MatX jac_a_, jac_b_;
  VecX mobility_;  // how willingly each coordinate gives way to a projection
  SemidefiniteSolver normal_, position_normal_, schur_;
  bool schur_ready_ = false;
  bool linear_filled_ = false;           // rows of couplings are in J_
  bool jacobian_is_here_ = true;         // J_ is that of q_
  std::vector<double> last_q_, last_v_;  // what was last asked about; empty: nothing is known
  bool as_is_ = false;                   // it was not projected
  VecX before_v_;                        // velocities that the trees have

  // Derivatives.
  bool nearby_ = false;  // the trees keep the mass matrix of the middle
  std::vector<double> middle_q_;
  VecX middle_a_, middle_lambda_;
  std::vector<Wrench> middle_wrenches_;
  VecX middle_wrench_forces_;  // J^T F of the wrenches
  VecX middle_forces_, middle_along_;
};

}  // namespace grouser
