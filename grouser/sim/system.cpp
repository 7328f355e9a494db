#include "grouser/sim/system.h"

#include <chrono>
#include <cmath>

namespace grouser {
namespace {

/// Adds the time of its life to a counter.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Constraints and unit quaternions are kept by projection; the raw state follows at this rate so
// that it cannot wander off [1/s].
constexpr double kReturnRate = 10.0;

// Of difference quotients: the square root of rounding, where both errors are about 1e-8.
constexpr double kDifference = 1.5e-8;

Eigen::Index to_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Turn of a body between two nearby poses, as a rotation vector.
Vec3 small_turn(const Mat3& R_from, const Mat3& R_to) {
  const Mat3 D = R_to * R_from.transpose();
  return 0.5 * Vec3(D(2, 1) - D(1, 2), D(0, 2) - D(2, 0), D(1, 0) - D(0, 1));
}

}  // namespace

System::System(Mechanism& mechanism, ContactWorld& world)
    : mechanism_(mechanism),
      world_(world),
      nq_(mechanism.nq()),
      nv_(mechanism.nv()),
      ns_(world.state_count()),
      wrenches_(mechanism.body_names().size()) {
  scales_.assign(nq_ + nv_, 1.0);
  const std::vector<double> state_scales = world.state_scales();
  scales_.insert(scales_.end(), state_scales.begin(), state_scales.end());

  for (const std::string& name : world.bodies())
    mechanism_body_.push_back(mechanism.body(name, place_of_body(name), "shape.body"));

  const auto parts = static_cast<std::size_t>(mechanism.part_count());
  part_q_.resize(parts);
  part_v_.resize(parts);
  part_bodies_.resize(parts);
  response_.resize(mechanism_body_.size());
  for (std::size_t i = 0; i < nq_; ++i)
    part_q_[static_cast<std::size_t>(mechanism.position_parts()[i])].push_back(i);
  for (std::size_t i = 0; i < nv_; ++i)
    part_v_[static_cast<std::size_t>(mechanism.parts()[i])].push_back(i);
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    if (const int part = part_of(static_cast<int>(b)); part >= 0)
      part_bodies_[static_cast<std::size_t>(part)].push_back(static_cast<int>(b));

  blocks_.assign(mechanism.position_parts().begin(), mechanism.position_parts().end());
  blocks_.insert(blocks_.end(), mechanism.parts().begin(), mechanism.parts().end());
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    int part = -1;
    for (const int body : world.ports(c)) part = std::max(part, part_of(body));
    blocks_.insert(blocks_.end(), world.contact(c).state_count(), std::max(part, 0));
  }
}

Place System::place_of_body(const std::string& name) const {
  for (const ShapeDef& shape : world_.shapes().shapes())
    if (shape.body == name) return shape.place;
  return {};
}

int System::part_of(int world_body) const {
  const int body = mechanism_body_[static_cast<std::size_t>(world_body)];
  return mechanism_.body_parts()[static_cast<std::size_t>(body)];
}

VecX System::initial_state() const {
  VecX y = VecX::Zero(to_index(size()));
  y.head(to_index(nq_)) = mechanism_.initial_positions();
  y.segment(to_index(nq_), to_index(nv_)) = mechanism_.initial_velocities();
  return y;
}

void System::set_state(double t, std::span<const double> y) {
  mechanism_.set_state(t, y.first(nq_), y.subspan(nq_, nv_));
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    world_.set_body(static_cast<int>(b),
                    mechanism_.kinematics()[static_cast<std::size_t>(mechanism_body_[b])]);
  std::copy(y.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_), y.end(), world_.states().begin());
}

Status System::rhs(double t, std::span<const double> y, std::span<double> rates) {
  {
    const Stopwatch watch(seconds_.mechanism);
    set_state(t, y);
  }
  Status status;
  {
    const Stopwatch watch(seconds_.contact);
    status = world_.evaluate(t);
  }
  const Stopwatch watch(seconds_.mechanism);
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    wrenches_[static_cast<std::size_t>(mechanism_body_[b])] = world_.wrench(static_cast<int>(b));
  tree_rates(y, rates);
  std::copy(world_.state_derivatives().begin(), world_.state_derivatives().end(),
            rates.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
  const double sum = Eigen::Map<const VecX>(rates.data(), to_index(rates.size())).sum();
  return std::isfinite(sum) ? status : worse(status, Status::impossible);
}

/// q' and v' for the mechanism's state and the wrenches held.
void System::tree_rates(std::span<const double> y, std::span<double> rates) {
  mechanism_.position_rates(rates.first(nq_));
  mechanism_.accelerations(wrenches_, rates.subspan(nq_, nv_));
  const VecX& q = mechanism_.positions();
  const VecX& v = mechanism_.velocities();
  for (std::size_t i = 0; i < nq_; ++i) rates[i] += kReturnRate * (q[to_index(i)] - y[i]);
  for (std::size_t i = 0; i < nv_; ++i)
    rates[nq_ + i] += kReturnRate * (v[to_index(i)] - y[nq_ + i]);
}

void System::semi_implicit_step(double h, std::span<double> y, std::span<const double> rates) {
  for (std::size_t i = nq_; i < y.size(); ++i) y[i] += h * rates[i];
  mechanism_.move(y.first(nq_), y.subspan(nq_, nv_), h);
}

void System::project(double t, std::span<double> y) {
  mechanism_.set_state(t, y.first(nq_), y.subspan(nq_, nv_));
  std::copy_n(mechanism_.positions().data(), nq_, y.data());
  std::copy_n(mechanism_.velocities().data(), nv_, y.data() + nq_);
}

Status System::events(double t, std::span<const double> y, std::span<double> out) {
  set_state(t, y);
  world_.event_functions(t, out);
  return Status::ok;
}

void System::commit(double t, std::span<const double> y) {
  set_state(t, y);
  world_.commit(t);
}

void System::update(double t, std::span<const double> y) {
  set_state(t, y);
  world_.update(t);
}

Status System::jacobian(double t, std::span<const double> y, MatX& out) {
  out.setZero(to_index(size()), to_index(size()));
  return fill_jacobian(t, y, [&](Eigen::Index row, Eigen::Index column, double value) {
    out(row, column) += value;
  });
}

Status System::jacobian(double t, std::span<const double> y, Eigen::SparseMatrix<double>& out) {
  std::vector<Eigen::Triplet<double>> entries;
  const Status status =
      fill_jacobian(t, y, [&](Eigen::Index row, Eigen::Index column, double value) {
        if (value != 0.0) entries.emplace_back(row, column, value);
      });
  out.resize(to_index(size()), to_index(size()));
  out.setFromTriplets(entries.begin(), entries.end());
  return status;
}

Status System::fill_jacobian(double t, std::span<const double> y, const Sink& sink) {
  const Stopwatch watch(seconds_.jacobian);
  const Seconds before = seconds_;
  base_y_ = Eigen::Map<const VecX>(y.data(), to_index(size()));
  base_rates_.resize(to_index(size()));
  const Status status = rhs(t, y, {base_rates_.data(), size()});
  seconds_.contact = before.contact;  // this evaluation counts as Jacobian
  seconds_.mechanism = before.mechanism;
  if (status == Status::impossible) return status;

  world_.linearize(t);
  base_kinematics_.assign(mechanism_.kinematics().begin(), mechanism_.kinematics().end());
  load_responses();
  add_state_columns(sink);
  difference_columns(t, false, sink);
  difference_columns(t, true, sink);
  return status;
}

/// How the accelerations of a body's part answer to the wrench on it. Bodies of different parts do
/// not disturb each other, so one body of every part is asked at a time.
void System::load_responses() {
  VecX x(to_index(nv_));
  for (std::size_t turn = 0;; ++turn) {
    bool any = false;
    for (int k = 0; k < 6; ++k) {
      x.setZero();
      Wrench unit;
      (k < 3 ? unit.torque : unit.force)[k % 3] = 1.0;
      for (const auto& bodies : part_bodies_) {
        if (turn >= bodies.size()) continue;
        any = true;
        const auto b = static_cast<std::size_t>(bodies[turn]);
        mechanism_.add_wrench(mechanism_body_[b], unit, {x.data(), nv_});
      }
      if (!any) return;
      mechanism_.respond({x.data(), nv_});
      for (std::size_t p = 0; p < part_bodies_.size(); ++p) {
        if (turn >= part_bodies_[p].size()) continue;
        MatX& response = response_[static_cast<std::size_t>(part_bodies_[p][turn])];
        response.resize(to_index(part_v_[p].size()), 6);
        for (std::size_t i = 0; i < part_v_[p].size(); ++i)
          response(to_index(i), k) = x[to_index(part_v_[p][i])];
      }
    }
  }
}

/// Columns of positions or velocities: the k-th coordinate of every part is moved at the same time.
void System::difference_columns(double t, bool velocities, const Sink& sink) {
  const auto& coordinates = velocities ? part_v_ : part_q_;
  const std::size_t offset = velocities ? nq_ : 0;
  std::size_t most = 0;
  for (const auto& part : coordinates) most = std::max(most, part.size());

  moved_rates_.resize(to_index(size()));
  std::vector<Eigen::Index> column_of_part(coordinates.size());
  VecX steps(to_index(coordinates.size()));
  for (std::size_t k = 0; k < most; ++k) {
    moved_y_ = base_y_;
    for (std::size_t p = 0; p < coordinates.size(); ++p) {
      column_of_part[p] = -1;
      if (k >= coordinates[p].size()) continue;
      const Eigen::Index column = to_index(offset + coordinates[p][k]);
      column_of_part[p] = column;
      moved_y_[column] += kDifference * std::max(1.0, std::abs(base_y_[column]));
      steps[to_index(p)] = moved_y_[column] - base_y_[column];  // what rounding left of it
    }
    mechanism_.set_state(t, {moved_y_.data(), nq_}, {moved_y_.data() + nq_, nv_});
    tree_rates({moved_y_.data(), size()}, {moved_rates_.data(), size()});
    for (std::size_t p = 0; p < coordinates.size(); ++p) {
      if (column_of_part[p] < 0) continue;
      const auto add = [&](Eigen::Index row) {
        const double slope = (moved_rates_[row] - base_rates_[row]) / steps[to_index(p)];
        sink(row, column_of_part[p], slope);
      };
      for (const std::size_t i : part_q_[p]) add(to_index(i));
      for (const std::size_t i : part_v_[p]) add(to_index(nq_ + i));
    }
    add_contact_columns(column_of_part, steps, sink);
  }
}

/// What the contacts add to the columns just differenced, from the change of the bodies'
/// kinematics.
void System::add_contact_columns(const std::vector<Eigen::Index>& column_of_part, const VecX& steps,
                                 const Sink& sink) {
  Eigen::Matrix<double, 12, 1> change;
  VecX answer;
  for (std::size_t c = 0; c < world_.contact_count(); ++c) {
    const MatX& matrix = world_.linearization(c).matrix;
    const std::span<const int> ports = world_.ports(c);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const int part = part_of(ports[i]);
      if (part < 0 || column_of_part[static_cast<std::size_t>(part)] < 0) continue;
      const auto body =
          static_cast<std::size_t>(mechanism_body_[static_cast<std::size_t>(ports[i])]);
      const BodyKinematics& before = base_kinematics_[body];
      const BodyKinematics& after = mechanism_.kinematics()[body];
      change << small_turn(before.X_WB.R, after.X_WB.R), after.X_WB.p - before.X_WB.p,
          after.V_WB.w - before.V_WB.w, after.V_WB.v - before.V_WB.v;
      change /= steps[part];
      answer.noalias() = matrix.middleCols<12>(to_index(12 * i)) * change;
      add_wrench_changes(c, answer, column_of_part[static_cast<std::size_t>(part)], sink);
    }
  }
}

/// Columns of the contacts' own states.
void System::add_state_columns(const Sink& sink) {
  for (std::size_t c = 0; c < world_.contact_count(); ++c) {
    const MatX& matrix = world_.linearization(c).matrix;
    const std::size_t states = world_.contact(c).state_count();
    for (std::size_t i = 0; i < states; ++i)
      add_wrench_changes(c, matrix.col(matrix.cols() - to_index(states - i)),
                         to_index(nq_ + nv_ + world_.first_state(c) + i), sink);
  }
}

/// Accelerations and state derivatives that a change of one contact's answers brings.
void System::add_wrench_changes(std::size_t c, const VecX& changes, Eigen::Index column,
                                const Sink& sink) {
  const std::span<const int> ports = world_.ports(c);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const int part = part_of(ports[i]);
    if (part < 0) continue;
    const Vec6 wrench = changes.segment<6>(to_index(6 * i));
    const VecX a = response_[static_cast<std::size_t>(ports[i])] * wrench;
    const auto& coordinates = part_v_[static_cast<std::size_t>(part)];
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      sink(to_index(nq_ + coordinates[k]), column, a[to_index(k)]);
  }
  const std::size_t states = world_.contact(c).state_count();
  for (std::size_t i = 0; i < states; ++i)
    sink(to_index(nq_ + nv_ + world_.first_state(c) + i), column,
         changes[to_index(6 * ports.size() + i)]);
}

}  // namespace grouser
