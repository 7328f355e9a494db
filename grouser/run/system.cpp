#include "grouser/run/system.h"

#include <chrono>
#include <cmath>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/base/stopwatch.h"

namespace grouser {
namespace {

/// Adds the time since the last lap to a counter.
class Laps {
 public:
  void add_to(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
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
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    world.set_mobility(static_cast<int>(b), mechanism.mobility(mechanism_body_[b]));

  parts_.resize(static_cast<std::size_t>(mechanism.part_count()));
  changes_.resize(mechanism_body_.size());
  for (std::size_t i = 0; i < nq_; ++i)
    parts_[static_cast<std::size_t>(mechanism.position_parts()[i])].q.push_back(i);
  for (std::size_t i = 0; i < nv_; ++i)
    parts_[static_cast<std::size_t>(mechanism.parts()[i])].v.push_back(i);
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    if (const int part = part_of(static_cast<int>(b)); part >= 0)
      parts_[static_cast<std::size_t>(part)].bodies.push_back(static_cast<int>(b));
  for (Part& part : parts_) {
    for (const std::size_t i : part.q)
      if (!mechanism.holds_position(i)) part.moved_q.push_back(i);
    for (const std::size_t i : part.v)
      if (!mechanism.holds_velocity(i)) part.moved_v.push_back(i);
    for (const std::size_t i : part.moved_q) part.columns.push_back(to_index(i));
    for (const std::size_t i : part.moved_v) part.columns.push_back(to_index(nq_ + i));
    most_q_ = std::max(most_q_, part.moved_q.size());
    most_v_ = std::max(most_v_, part.moved_v.size());
    most_bodies_ = std::max(most_bodies_, part.bodies.size());
    for (const int b : part.bodies)
      changes_[static_cast<std::size_t>(b)].by_column.resize(12, to_index(part.columns.size()));
  }

  blocks_.assign(mechanism.position_parts().begin(), mechanism.position_parts().end());
  blocks_.insert(blocks_.end(), mechanism.parts().begin(), mechanism.parts().end());
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    int part = -1;
    for (const int body : world.ports(c)) part = std::max(part, part_of(body));
    blocks_.insert(blocks_.end(), world.contact(c).state_count(), std::max(part, 0));
  }
  GROUSER_ASSERT(scales_.size() == nq_ + nv_ + ns_ && blocks_.size() == scales_.size());
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
  GROUSER_ASSERT(y.size() == size());
  const std::span<const double> q = y.first(nq_), v = y.subspan(nq_, nv_);
  const std::span<const double> qv = y.first(nq_ + nv_);
  // What was projected last is not projected again, whatever was asked about in between.
  if (t == projected_time_ && std::equal(qv.begin(), qv.end(), projected_.begin()))
    mechanism_.resume(t, q, v);
  else
    mechanism_.set_state(t, q, v);
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    world_.set_body(static_cast<int>(b),
                    mechanism_.kinematics()[static_cast<std::size_t>(mechanism_body_[b])]);
  std::copy(y.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_), y.end(), world_.states().begin());
}

Status System::rhs(double t, std::span<const double> y, std::span<double> rates) {
  return evaluate(t, y, 0.0, rates);
}

Status System::step_rates(double t, std::span<const double> y, double h, std::span<double> rates) {
  const Status status = evaluate(t, y, h, rates);
  step_shares_ = mechanism_.force_shares();
  step_begin_ = t;
  return status;
}

/// Rates at a state; with h > 0 those of a semi-implicit step.
Status System::evaluate(double t, std::span<const double> y, double h, std::span<double> rates) {
  GROUSER_ASSERT(rates.size() == size() && h >= 0.0);
  Laps laps;
  set_state(t, y);
  laps.add_to(seconds_.mechanism);
  const Status status = world_.evaluate(t);
  laps.add_to(seconds_.contact);
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  for (std::size_t b = 0; b < mechanism_body_.size(); ++b)
    wrenches_[static_cast<std::size_t>(mechanism_body_[b])] = world_.wrench(static_cast<int>(b));
  position_rates(y, rates.first(nq_));
  if (h > 0.0)
    mechanism_.step_accelerations(h, wrenches_, rates.subspan(nq_, nv_));
  else
    mechanism_.accelerations(wrenches_, rates.subspan(nq_, nv_));
  evaluated_ = t;
  const VecX& v = mechanism_.velocities();
  for (std::size_t i = 0; i < nv_; ++i)
    rates[nq_ + i] += kReturnRate * (v[to_index(i)] - y[nq_ + i]);
  std::copy(world_.state_derivatives().begin(), world_.state_derivatives().end(),
            rates.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
  const double sum = Eigen::Map<const VecX>(rates.data(), to_index(rates.size())).sum();
  laps.add_to(seconds_.mechanism);
  return std::isfinite(sum) ? status : worse(status, Status::impossible);
}

/// q' in the mechanism's state, which is that of y, projected.
void System::position_rates(std::span<const double> y, std::span<double> rates) const {
  mechanism_.position_rates(rates);
  const VecX& q = mechanism_.positions();
  for (std::size_t i = 0; i < nq_; ++i) rates[i] += kReturnRate * (q[to_index(i)] - y[i]);
}

void System::semi_implicit_step(double h, std::span<double> y, std::span<const double> rates) {
  GROUSER_ASSERT(h > 0.0 && y.size() == size() && rates.size() == size());
  mean_v_ = Eigen::Map<const VecX>(y.data() + nq_, to_index(nv_));
  for (std::size_t i = nq_; i < y.size(); ++i) y[i] += h * rates[i];
  mean_v_ = 0.5 * (mean_v_ + Eigen::Map<const VecX>(y.data() + nq_, to_index(nv_)));
  work_.add_step(step_begin_ + h, h * power(step_shares_, {mean_v_.data(), nv_}));
  step_added_ = true;
  mechanism_.move(y.first(nq_), y.subspan(nq_, nv_), h);
}

void System::project(double t, std::span<double> y) {
  Laps laps;
  mechanism_.set_state(t, y.first(nq_), y.subspan(nq_, nv_));
  std::copy_n(mechanism_.positions().data(), nq_, y.data());
  std::copy_n(mechanism_.velocities().data(), nv_, y.data() + nq_);
  projected_time_ = t;
  projected_.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
  laps.add_to(seconds_.mechanism);
}

Work System::power(const ForceShares& shares, std::span<const double> v) {
  const Eigen::Map<const VecX> velocities(v.data(), to_index(v.size()));
  return {shares.motors.dot(velocities), shares.contacts.dot(velocities) + shares.moving,
          shares.dampers.dot(velocities), shares.constraints.dot(velocities) - shares.moving,
          shares.applied.dot(velocities)};
}

void System::begin_work(double t, std::span<const double> y) {
  work_.start(t, power(mechanism_.force_shares(), y.subspan(nq_, nv_)));
  step_added_ = false;
}

void System::begin_work_from(double t, std::span<const double> y) {
  work_.go_on_from(t, power(mechanism_.force_shares(), y.subspan(nq_, nv_)));
  step_added_ = false;
}

void System::archive(Archive& a) {
  ForceShares& s = step_shares_;
  a(work_, evaluated_, s.motors, s.contacts, s.applied, s.dampers, s.constraints, s.moving,
    step_begin_, step_added_, projected_time_, projected_, seconds_);
}

void System::add_work(double t, std::span<const double> y) {
  if (!step_added_) {
    // A step may end before its last evaluation, at an event; a stop time is met up to rounding.
    if (std::abs(evaluated_ - t) > 1e-12 * std::max(1.0, std::abs(t))) {
      mean_v_.resize(to_index(size()));
      rhs(t, y, {mean_v_.data(), size()});
    }
    work_.add(t, power(mechanism_.force_shares(), y.subspan(nq_, nv_)));
  }
  step_added_ = false;
}

Status System::events(double t, std::span<const double> y, std::span<double> out) {
  GROUSER_ASSERT(out.size() == event_count());
  set_state(t, y);
  world_.event_functions(t, out);
  return Status::ok;
}

void System::commit(double t, std::span<const double> y) {
  Laps laps;
  set_state(t, y);
  laps.add_to(seconds_.mechanism);
  world_.commit(t);
  laps.add_to(seconds_.contact);
}

void System::update(double t, std::span<const double> y) {
  Laps laps;
  set_state(t, y);
  laps.add_to(seconds_.mechanism);
  world_.update(t);
  laps.add_to(seconds_.contact);
}

Status System::jacobian(double t, std::span<const double> y, MatX& out) {
  const Stopwatch watch(seconds_.jacobian);
  const Status status = linearize(t, y);
  if (status == Status::impossible) return status;
  out.setZero(to_index(size()), to_index(size()));
  fill_jacobian(
      [&](Eigen::Index row, Eigen::Index column, double value) { out(row, column) += value; });
  return status;
}

Status System::jacobian(double t, std::span<const double> y, Eigen::SparseMatrix<double>& out) {
  const Stopwatch watch(seconds_.jacobian);
  const Status status = linearize(t, y);
  if (status == Status::impossible) return status;
  std::vector<Eigen::Triplet<double>> entries;
  fill_jacobian([&](Eigen::Index row, Eigen::Index column, double value) {
    if (value != 0.0) entries.emplace_back(row, column, value);
  });
  out.resize(to_index(size()), to_index(size()));
  out.setFromTriplets(entries.begin(), entries.end());
  return status;
}

/// Everything fill_jacobian() puts together.
Status System::linearize(double t, std::span<const double> y) {
  const RunSeconds before = seconds_;
  base_y_ = Eigen::Map<const VecX>(y.data(), to_index(size()));
  base_rates_.resize(to_index(size()));
  const Status status = rhs(t, y, {base_rates_.data(), size()});
  seconds_ = before;  // this evaluation counts as Jacobian
  if (status == Status::impossible) return status;

  world_.linearize(t);
  base_kinematics_.assign(mechanism_.kinematics().begin(), mechanism_.kinematics().end());
  base_return_ = mechanism_.velocities() - base_y_.segment(to_index(nq_), to_index(nv_));

  const Eigen::Index moves = to_index(most_q_ + most_v_);
  position_slopes_.setZero(to_index(nq_), moves);
  return_slopes_.setZero(to_index(nv_), moves);
  steps_.setZero(to_index(parts_.size()), moves);
  acceleration_slopes_.setZero(to_index(nv_), moves + to_index(6 * most_bodies_));
  along_.setZero(mechanism_.constraint_count(), acceleration_slopes_.cols());

  push_bodies();
  accelerations_ = base_rates_.segment(to_index(nq_), to_index(nv_)) - kReturnRate * base_return_;
  mechanism_.keep_as_middle(wrenches_, {accelerations_.data(), nv_});
  difference(false);
  difference(true);
  mechanism_.respond(acceleration_slopes_, along_);
  scatter_responses();
  return status;
}

/// Columns of unit wrenches: the k-th body of every part is pushed at the same time.
void System::push_bodies() {
  for (const Part& part : parts_) {
    Eigen::Index column = to_index(most_q_ + most_v_);
    for (const int b : part.bodies)
      for (int k = 0; k < 6; ++k) {
        Wrench unit;
        (k < 3 ? unit.torque : unit.force)[k % 3] = 1.0;
        mechanism_.add_wrench(mechanism_body_[static_cast<std::size_t>(b)], unit,
                              {acceleration_slopes_.col(column++).data(), nv_});
      }
  }
}

/// Columns of positions or velocities: the k-th coordinate of every part is moved at the same time.
void System::difference(bool velocities) {
  const std::size_t offset = velocities ? nq_ : 0;
  for (std::size_t k = 0; k < (velocities ? most_v_ : most_q_); ++k) {
    const Eigen::Index column = to_index(velocities ? most_q_ + k : k);
    moved_y_ = base_y_;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto& coordinates = velocities ? parts_[p].moved_v : parts_[p].moved_q;
      if (k >= coordinates.size()) continue;
      const Eigen::Index i = to_index(offset + coordinates[k]);
      moved_y_[i] += kDifference * std::max(1.0, std::abs(base_y_[i]));
      steps_(to_index(p), column) = moved_y_[i] - base_y_[i];  // what rounding left of it
    }
    mechanism_.set_nearby({moved_y_.data(), nq_}, {moved_y_.data() + nq_, nv_});
    position_rates({moved_y_.data(), size()}, {position_slopes_.col(column).data(), nq_});
    position_slopes_.col(column) -= base_rates_.head(to_index(nq_));
    return_slopes_.col(column) =
        mechanism_.velocities() - moved_y_.segment(to_index(nq_), to_index(nv_)) - base_return_;
    mechanism_.missing({acceleration_slopes_.col(column).data(), nv_},
                       {along_.col(column).data(), static_cast<std::size_t>(along_.rows())});

    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const double step = steps_(to_index(p), column);
      if (step == 0.0) continue;
      for (const int b : parts_[p].bodies) {
        const auto body = static_cast<std::size_t>(mechanism_body_[static_cast<std::size_t>(b)]);
        const BodyKinematics& before = base_kinematics_[body];
        const BodyKinematics& after = mechanism_.kinematics()[body];
        auto change = changes_[static_cast<std::size_t>(b)].by_column.col(
            to_index(velocities ? parts_[p].moved_q.size() + k : k));
        change << small_turn(before.X_WB.R, after.X_WB.R), after.X_WB.p - before.X_WB.p,
            after.V_WB.w - before.V_WB.w, after.V_WB.v - before.V_WB.v;
        change /= step;
      }
    }
  }
}

/// Accelerations that answer to the unit wrenches, by body.
void System::scatter_responses() {
  for (const Part& part : parts_) {
    Eigen::Index column = to_index(most_q_ + most_v_);
    for (const int b : part.bodies) {
      MatX& response = changes_[static_cast<std::size_t>(b)].response;
      response.resize(to_index(part.v.size()), 6);
      for (std::size_t i = 0; i < part.v.size(); ++i)
        response.row(to_index(i)) = acceleration_slopes_.block<1, 6>(to_index(part.v[i]), column);
      column += 6;
    }
  }
}

template <class Sink>
void System::fill_jacobian(Sink&& sink) const {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
      const std::size_t qs = part.moved_q.size();
      const Eigen::Index pass = to_index(k < qs ? k : most_q_ + k - qs);
      GROUSER_ASSERT(steps_(to_index(p), pass) != 0.0);
      const double scale = 1.0 / steps_(to_index(p), pass);
      for (const std::size_t i : part.q)
        sink(to_index(i), part.columns[k], scale * position_slopes_(to_index(i), pass));
      for (const std::size_t i : part.v)
        sink(to_index(nq_ + i), part.columns[k],
             scale * (acceleration_slopes_(to_index(i), pass) +
                      kReturnRate * return_slopes_(to_index(i), pass)));
    }
  }
  // Those that are held return, and nothing else notices.
  for (std::size_t i = 0; i < nq_; ++i)
    if (mechanism_.holds_position(i)) sink(to_index(i), to_index(i), -kReturnRate);
  for (std::size_t i = 0; i < nv_; ++i)
    if (mechanism_.holds_velocity(i)) sink(to_index(nq_ + i), to_index(nq_ + i), -kReturnRate);
  for (std::size_t c = 0; c < world_.contact_count(); ++c) add_contact(c, sink);
}

/// What one contact adds: its bodies move, its wrenches and states answer, other bodies follow.
template <class Sink>
void System::add_contact(std::size_t c, Sink&& sink) const {
  const MatX& matrix = world_.linearization(c).matrix;
  GROUSER_ASSERT(matrix.allFinite());
  const std::span<const int> ports = world_.ports(c);
  const Eigen::Index states = to_index(world_.contact(c).state_count());
  const Eigen::Index wrench_rows = to_index(6 * ports.size());
  const Eigen::Index first_state = to_index(nq_ + nv_ + world_.first_state(c));

  // answers: of wrenches and states, by column.
  const auto add = [&](const MatX& answers, std::span<const Eigen::Index> columns) {
    if (columns.empty()) return;  // a body that moves as told
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const int part = part_of(ports[j]);
      if (part < 0) continue;
      const MatX a = changes_[static_cast<std::size_t>(ports[j])].response *
                     answers.middleRows<6>(to_index(6 * j));
      const std::vector<std::size_t>& rows = parts_[static_cast<std::size_t>(part)].v;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const Eigen::Index column = columns[k];
        const double* slope = a.col(to_index(k)).data();
        for (const std::size_t row : rows) sink(to_index(nq_ + row), column, *slope++);
      }
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (Eigen::Index i = 0; i < states; ++i)
        sink(first_state + i, columns[k], answers(wrench_rows + i, to_index(k)));
  };

  for (std::size_t i = 0; i < ports.size(); ++i)
    if (const int part = part_of(ports[i]); part >= 0)
      add(matrix.middleCols<12>(to_index(12 * i)) *
              changes_[static_cast<std::size_t>(ports[i])].by_column,
          parts_[static_cast<std::size_t>(part)].columns);
  if (states == 0) return;
  std::vector<Eigen::Index> columns(static_cast<std::size_t>(states));
  std::iota(columns.begin(), columns.end(), first_state);
  add(matrix.rightCols(states), columns);
}

}  // namespace grouser
