// Mechanism and contact world together as one system of differential equations.
//
// State: positions of the mechanism, its velocities, states of the contacts.
#pragma once

#include <functional>

#include "grouser/contact/world.h"
#include "grouser/sim/integrator.h"
#include "grouser/sim/mechanism.h"

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

  // A contact's wrench depends only on the poses and twists of its own bodies. So the tree part of
  // f is differenced with the wrenches held, which costs no contact evaluation, and gives the
  // change of every body's pose and twist along the way; ContactWorld::linearize() turns those into
  // changes of the wrenches; the response of the mechanism to wrenches is linear.
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

  /// Body of the mechanism behind each body of the world.
  std::span<const int> mechanism_bodies() const { return mechanism_body_; }

  /// Wall time spent so far [s].
  struct Seconds {
    double contact = 0.0;
    double mechanism = 0.0;
    double jacobian = 0.0;  ///< contact and mechanism in it do not count above
  };
  const Seconds& seconds() const { return seconds_; }

 private:
  int part_of(int world_body) const;
  Place place_of_body(const std::string& name) const;
  using Sink = std::function<void(Eigen::Index row, Eigen::Index column, double value)>;
  Status fill_jacobian(double t, std::span<const double> y, const Sink& sink);
  void tree_rates(std::span<const double> y, std::span<double> rates);
  void load_responses();
  void difference_columns(double t, bool velocities, const Sink& sink);
  void add_contact_columns(const std::vector<Eigen::Index>& column_of_part, const VecX& steps,
                           const Sink& sink);
  void add_state_columns(const Sink& sink);
  void add_wrench_changes(std::size_t contact, const VecX& changes, Eigen::Index column,
                          const Sink& sink);

  Mechanism& mechanism_;
  ContactWorld& world_;
  std::size_t nq_, nv_, ns_;
  std::vector<double> scales_;
  std::vector<int> blocks_;
  std::vector<int> mechanism_body_;
  std::vector<Wrench> wrenches_;  // by body of the mechanism

  // Jacobian.
  std::vector<std::vector<std::size_t>> part_q_, part_v_;  // coordinates of each part
  std::vector<std::vector<int>> part_bodies_;              // world bodies of each part
  std::vector<MatX> response_;  // by world body: accelerations of its part per wrench
  VecX base_y_, base_rates_, moved_y_, moved_rates_;
  std::vector<BodyKinematics> base_kinematics_;  // by body of the mechanism
  Seconds seconds_;
};

}  // namespace grouser
