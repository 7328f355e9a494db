// Mechanism and contact world together as one system of differential equations.
//
// State: positions of the mechanism, its velocities, states of the contacts.
#pragma once

#include <limits>

#include "grouser/contact/world.h"
#include "grouser/mechanism/mechanism.h"
#include "grouser/run/integrator.h"
#include "grouser/run/work.h"

namespace grouser {

class System final : public OdeSystem {
 public:
  /// Both must outlive the system. Throws InputError if a contact's body is not in the mechanism.
  System(Mechanism& mechanism, ContactWorld& world);

  std::size_t size() const override { return scales_.size(); }
  std::span<const double> scales() const override { return scales_; }
  std::span<const int> blocks() const override { return blocks_; }
  VecX initial_state() const;

  Status rhs(double t, std::span<const double> y, std::span<double> rates) override;
  Status step_rates(double t, std::span<const double> y, double h,
                    std::span<double> rates) override;

  // A contact's wrench depends only on the poses and twists of its own bodies. So the mechanism is
  // differenced with the wrenches held, which costs no contact evaluation, and gives the change of
  // every body's pose and twist along the way; ContactWorld::linearize() turns those into changes
  // of the wrenches; the response of the mechanism to forces is linear and the same for all.
  Status jacobian(double t, std::span<const double> y, MatX& out) override;
  Status jacobian(double t, std::span<const double> y, Eigen::SparseMatrix<double>& out) override;

  void semi_implicit_step(double h, std::span<double> y, std::span<const double> rates) override;
  void project(double t, std::span<double> y) override;

  std::size_t event_count() const override { return world_.event_count(); }
  Status events(double t, std::span<const double> y, std::span<double> out) override;

  /// Puts mechanism and world into the state y, without evaluating contact.
  void set_state(double t, std::span<const double> y);
  /// The step to (t, y) was accepted.
  void commit(double t, std::span<const double> y);
  void update(double t, std::span<const double> y);

  // Work done on the bodies. A semi-implicit step knows its own: forces times mean velocity. For
  // other steps the powers at their ends are integrated, from the last evaluation there.

  /// Work counts from here on; the last evaluation was here.
  void begin_work(double t, std::span<const double> y);
  /// A step to (t, y) was taken.
  void add_work(double t, std::span<const double> y);
  /// The forces have a kink here.
  void begin_work_anew() { work_.forget(); }
  /// The last step counts up to t alone; other forces hold from here, which the last evaluation
  /// has.
  void begin_work_from(double t, std::span<const double> y);
  /// Since the beginning, at a time within the last step.
  Work work(double t) const { return work_.at(t); }

  /// What work() and the next steps depend on besides mechanism, world and integrator.
  void archive(Archive& a);

  /// Wall time spent so far.
  const RunSeconds& seconds() const { return seconds_; }
  void forget_seconds() { seconds_ = {}; }

 private:
  int part_of(int world_body) const;
  Place place_of_body(const std::string& name) const;
  void position_rates(std::span<const double> y, std::span<double> rates) const;
  Status evaluate(double t, std::span<const double> y, double h, std::span<double> rates);
  static Work power(const ForceShares& shares, std::span<const double> v);

  struct Part;
  Status linearize(double t, std::span<const double> y);
  void push_bodies();
  void difference(bool velocities);
  void scatter_responses();
  template <class Sink>
  void fill_jacobian(Sink&& sink) const;
  template <class Sink>
  void add_contact(std::size_t contact, Sink&& sink) const;

  Mechanism& mechanism_;
  ContactWorld& world_;
  std::size_t nq_, nv_, ns_;
  std::vector<double> scales_;
  std::vector<int> blocks_;
  std::vector<int> mechanism_body_;
  std::vector<Wrench> wrenches_;  // by body of the mechanism
  double projected_time_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> projected_;  // positions and velocities there; resumed as they are

  // Jacobian. Parts do not disturb each other, so the k-th coordinate of every part is moved at the
  // same time, and the k-th body of every part is pushed at the same time.
  struct Part {
    std::vector<std::size_t> q, v;              // coordinates
    std::vector<std::size_t> moved_q, moved_v;  // without those that are held
    std::vector<Eigen::Index> columns;          // of the Jacobian, of the moved
    std::vector<int> bodies;                    // of the world
  };
  struct BodyChange {
    Eigen::Matrix<double, 12, Eigen::Dynamic> by_column;  // turn, shift, w, v per moved coordinate
    MatX response;                                        // accelerations of its part per wrench
  };
  std::vector<Part> parts_;
  std::size_t most_q_ = 0, most_v_ = 0, most_bodies_ = 0;  // moved, of a part
  // Columns: per moved q of a part, per moved v, and for accelerations per unit wrench of a body.
  // Changes, not yet divided by steps.
  MatX position_slopes_;             // of q'
  MatX acceleration_slopes_;         // of v' by tree and constraints
  MatX along_;                       // of the accelerations along the constraints
  MatX return_slopes_;               // of what pulls v' to the projected velocities
  MatX steps_;                       // by part
  std::vector<BodyChange> changes_;  // by world body
  VecX base_y_, base_rates_, base_return_, accelerations_, moved_y_;
  std::vector<BodyKinematics> base_kinematics_;  // by body of the mechanism
  RunSeconds seconds_;

  WorkIntegral work_;
  double evaluated_ = 0.0;   // time of the last evaluation
  ForceShares step_shares_;  // of the next semi-implicit step
  double step_begin_ = 0.0;
  bool step_added_ = false;  // the last step has added its work itself
  VecX mean_v_;
};

}  // namespace grouser
