// How the wrenches of contacts change with poses, twists and states.
#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/contact/world_contact.h"

namespace grouser {

namespace {

// Small against every length and speed at which a law bends, large against rounding.
constexpr double kShift = 2e-9;  // [m], [rad]
constexpr double kSpeed = 1e-9;  // [m/s], [rad/s]

/// Moves a body a little in one of 12 ways: turn about the pivot, shift, spin about it, velocity.
void perturb(BodyKinematics& body, const Vec3& pivot_W, int number, double amount) {
  GROUSER_ASSERT(number >= 0 && number < 12);
  const Vec3 axis = amount * Vec3::Unit(number % 3);
  const Vec3 moved = axis.cross(body.X_WB.p - pivot_W);  // of the origin, by a turn
  switch (number / 3) {
    case 0:
      body.X_WB.R = rotation_from_vector(axis) * body.X_WB.R;
      body.X_WB.p += moved;
      break;
    case 1:
      body.X_WB.p += axis;
      break;
    case 2:
      body.V_WB.w += axis;
      body.V_WB.v += moved;
      break;
    default:
      body.V_WB.v += axis;
      break;
  }
}

/// The point of a wrench's line of action nearest to the body's origin. Turns about it hardly move
/// the contact, so they stay small there however far away the origin is. Forces that nearly cancel
/// leave a couple, whose line of action is nowhere near; then it is the origin.
Vec3 pivot_of(std::span<const BodyKinematics> bodies, std::size_t port, const Wrench& wrench) {
  const Vec3& origin = bodies[port].X_WB.p;
  const double force = wrench.force.squaredNorm();
  if (force == 0.0) return origin;
  const Vec3 lever = wrench.force.cross(wrench.torque) / force;
  double apart = 0.0;
  for (const BodyKinematics& body : bodies) apart = std::max(apart, (body.X_WB.p - origin).norm());
  return lever.norm() > 10.0 * apart ? origin : origin + lever;
}

}  // namespace

void ContactWorld::linearize(double host_time) {
  const double time = since_start(host_time);
  pool_->for_each(contacts_.size(), [&](std::size_t c, int worker) {
    Contact& contact = contacts_[c];
    Scratch& scratch = scratch_[index(worker)];
    const std::size_t ports = contact.ports.size();
    const std::size_t states = contact.states.size();
    const auto rows = static_cast<Eigen::Index>(6 * ports + states);
    const auto columns = static_cast<Eigen::Index>(12 * ports + states);
    MatX& matrix = linearizations_[c].matrix;
    matrix.setZero(rows, columns);
    // Apart and without states: nothing answers.
    if (contact.penetration == 0.0 && states == 0) return;

    load_ports(contact);
    scratch.reset();
    if (ports == 2 && states == 0 &&
        contact.model->linearize(input(contact, time), *contact.memory, scratch,
                                 matrix.middleCols<12>(12))) {
      derive_first_port(c);
      return;
    }
    contact.perturbed_wrenches.resize(ports);
    contact.perturbed_derivatives.resize(states);
    contact.perturbed_states.assign(contact.states.begin(), contact.states.end());
    const void* prepared =
        contact.model->prepare_perturbations(input(contact, time), *contact.memory, scratch);
    const double clock = input(contact, time).time;
    const Scratch::Mark mark = scratch.mark();
    const auto difference = [&](Eigen::Index column, double step) {
      scratch.rewind(mark);
      ContactOutput out{contact.perturbed_wrenches, contact.perturbed_derivatives};
      contact.model->evaluate_perturbed({clock, contact.kinematics, contact.perturbed_states},
                                        *contact.memory, prepared, scratch, out);
      for (std::size_t i = 0; i < ports; ++i) {
        const auto row = static_cast<Eigen::Index>(6 * i);
        matrix.col(column).segment<3>(row) =
            (contact.perturbed_wrenches[i].torque - contact.wrenches[i].torque) / step;
        matrix.col(column).segment<3>(row + 3) =
            (contact.perturbed_wrenches[i].force - contact.wrenches[i].force) / step;
      }
      for (std::size_t i = 0; i < states; ++i)
        matrix(static_cast<Eigen::Index>(6 * ports + i), column) =
            (contact.perturbed_derivatives[i] - contact.state_derivatives[i]) / step;
    };

    for (std::size_t port = 1; port < ports; ++port) {
      const BodyKinematics before = contact.kinematics[port];
      const Vec3 pivot = pivot_of(contact.kinematics, port, contact.wrenches[port]);
      const auto first = static_cast<Eigen::Index>(12 * port);
      for (int number = 0; number < 12; ++number) {
        const double step = number < 6 ? kShift : kSpeed;
        perturb(contact.kinematics[port], pivot, number, step);
        difference(first + number, step);
        contact.kinematics[port] = before;
      }
      // From turns about the pivot to turns about the origin.
      const Mat3 lever = cross_matrix(before.X_WB.p - pivot);
      matrix.middleCols<3>(first) += matrix.middleCols<3>(first + 3) * lever;
      matrix.middleCols<3>(first + 6) += matrix.middleCols<3>(first + 9) * lever;
    }
    for (std::size_t i = 0; i < states; ++i) {
      const double step = 1e-7 * contact.model->state_scale();
      contact.perturbed_states[i] += step;
      difference(static_cast<Eigen::Index>(12 * ports + i), step);
      contact.perturbed_states[i] = contact.states[i];
    }
    derive_first_port(c);
  });
}

/// The columns of port 0 from those of the others.
///
/// A rigid motion of all bodies together turns the wrenches with it and changes nothing else; a
/// rigid velocity added to all bodies changes nothing at all. So a change of port 0 alone equals
/// that common change less the same change of all other ports.
void ContactWorld::derive_first_port(std::size_t c) {
  const Contact& contact = contacts_[c];
  const std::size_t ports = contact.ports.size();
  MatX& matrix = linearizations_[c].matrix;
  const Vec3 p_0 = contact.kinematics[0].X_WB.p;
  const Twist& V_0 = contact.kinematics[0].V_WB;

  const auto block = [&](std::size_t port, int group) {  // turn, shift, w, v
    return matrix.middleCols<3>(static_cast<Eigen::Index>(12 * port) + 3 * group);
  };
  // Velocities first: the turn of port 0 needs them.
  for (std::size_t k = 1; k < ports; ++k) {
    const Mat3 lever = -cross_matrix(contact.kinematics[k].X_WB.p - p_0);  // w -> w x lever
    block(0, 3) -= block(k, 3);
    block(0, 2) -= block(k, 2) + block(k, 3) * lever;
    block(0, 1) -= block(k, 1);
  }
  MatX turned = MatX::Zero(matrix.rows(), 3);  // turn of everything, seen in the wrenches
  for (std::size_t i = 0; i < ports; ++i) {
    const auto row = static_cast<Eigen::Index>(6 * i);
    turned.middleRows<3>(row) = -cross_matrix(contact.wrenches[i].torque);
    turned.middleRows<3>(row + 3) = -cross_matrix(contact.wrenches[i].force);
  }
  for (std::size_t k = 1; k < ports; ++k) {
    const BodyKinematics& body = contact.kinematics[k];
    const Mat3 lever = -cross_matrix(body.X_WB.p - p_0);
    turned -= block(k, 0) + block(k, 1) * lever - block(k, 2) * cross_matrix(body.V_WB.w) -
              block(k, 3) * cross_matrix(body.V_WB.v);
  }
  turned += block(0, 2) * cross_matrix(V_0.w) + block(0, 3) * cross_matrix(V_0.v);
  block(0, 0) = turned;
}

}  // namespace grouser
