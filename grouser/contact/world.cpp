#include "grouser/contact/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {

/// A model in its place: which bodies it connects, what it remembers, what it last answered.
struct ContactWorld::Contact {
  std::string name;
  std::string model_name;
  Place place;
  std::unique_ptr<ContactModel> model;
  std::unique_ptr<ContactMemory> memory;
  std::vector<int> ports;                  // bodies
  std::vector<BodyKinematics> kinematics;  // of the ports, as the model is asked
  std::vector<Wrench> wrenches;            // on the ports
  std::span<double> states;
  std::span<double> state_derivatives;
  // The same, of a perturbed evaluation.
  std::vector<Wrench> perturbed_wrenches;
  std::vector<double> perturbed_states;
  std::vector<double> perturbed_derivatives;
  std::size_t first_state = 0;
  double penetration = 0.0;  // in the last evaluation
  double greatest_penetration = 0.0;
  Status status = Status::ok;
  // Of a model that is evaluated in parts: a scratch and an answer each. A model with a clock is,
  // so that an update right after an evaluation can use what that one found.
  std::vector<Scratch> part_scratch;
  std::vector<const void*> part_answers;
  std::optional<double> evaluated;  // time of the answers, as long as they hold
  std::vector<BodyKinematics> evaluated_kinematics;

  bool in_parts() const { return !part_answers.empty(); }

  /// What every model promises of an answer: finite numbers, and wrenches that cancel.
  bool is_sound(Status answer) const {
    if (answer == Status::impossible) return true;
    Wrench sum;  // about the origin of the first body
    double size = 0.0;
    for (std::size_t i = 0; i < wrenches.size(); ++i) {
      const Vec3 lever = kinematics[i].X_WB.p - kinematics[0].X_WB.p;
      sum += wrenches[i].moved_by(-lever);
      size += wrenches[i].torque.norm() + wrenches[i].force.norm() * (1.0 + lever.norm());
    }
    return penetration >= 0.0 && all_finite(state_derivatives) && std::isfinite(size) &&
           sum.force.norm() + sum.torque.norm() <= 1e-9 * size;
  }
};

ContactWorld::ContactWorld(const ContactWorldDef& def)
    : shapes_(def.shapes, def.materials, def.soils, def.gravity) {
  add_body("world");
  for (const ShapeDef& shape : def.shapes) add_body(shape.body);

  std::size_t state_count = 0;
  for (const auto& contact_def : def.contacts) {
    Contact contact;
    contact.name = contact_def->name;
    contact.model_name = contact_def->model();
    contact.place = contact_def->place;
    if (contact.name.empty())
      contact.name = contact.model_name + "_" + std::to_string(contacts_.size());
    contact.model = contact_def->build(shapes_);
    contact.memory = contact.model->make_memory();
    for (const std::string& name : contact.model->body_names())
      contact.ports.push_back(add_body(name));
    for (std::size_t i = 0; i < contact.ports.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (contact.ports[i] == contact.ports[j])
          throw InputError(contact_def->place, "contact '" + contact.name +
                                                   "' is between two shapes of the same body '" +
                                                   body_names_[index(contact.ports[i])] + "'");
    for (const Contact& other : contacts_)
      if (other.name == contact.name)
        world_def_detail::refuse_duplicate(contact_def->place, "contact", contact.name,
                                           other.place);
    contact.kinematics.resize(contact.ports.size());
    contact.wrenches.resize(contact.ports.size());
    contact.perturbed_wrenches.resize(contact.ports.size());
    contact.perturbed_states.resize(contact.model->state_count());
    contact.perturbed_derivatives.resize(contact.model->state_count());
    contact.first_state = state_count;
    state_count += contact.model->state_count();
    event_count_ += contact.model->event_count();
    contacts_.push_back(std::move(contact));
  }

  kinematics_.resize(body_names_.size());
  wrenches_.resize(body_names_.size());
  states_.resize(state_count);
  state_derivatives_.resize(state_count);
  for (Contact& contact : contacts_) {
    const std::size_t count = contact.model->state_count();
    contact.states = std::span(states_).subspan(contact.first_state, count);
    contact.state_derivatives = std::span(state_derivatives_).subspan(contact.first_state, count);
  }
  linearizations_.resize(contacts_.size());
  pool_ = std::make_unique<WorkerPool>(def.threads);
  scratch_.resize(static_cast<std::size_t>(pool_->threads()));
  const bool parallel = pool_->threads() > 1;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    const std::size_t parts = contact.model->part_count();
    const bool has_clock = std::isfinite(contact.model->next_update(*contact.memory));
    if (has_clock || (parallel && parts > 1)) {
      contact.part_scratch.resize(parts);
      contact.part_answers.resize(parts);
    }
    if (!parallel) continue;
    for (std::size_t part = 0; part < (contact.in_parts() ? parts : 1); ++part)
      tasks_.push_back({c, part});
  }
}

ContactWorld::~ContactWorld() = default;
ContactWorld::ContactWorld(ContactWorld&&) noexcept = default;

int ContactWorld::add_body(const std::string& name) {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found != body_names_.end()) return static_cast<int>(found - body_names_.begin());
  body_names_.push_back(name);
  return static_cast<int>(body_names_.size()) - 1;
}

int ContactWorld::body(const std::string& name) const {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found == body_names_.end())
    throw InputError("no contact has a body '" + name + "'" + suggestion(name, body_names_));
  return static_cast<int>(found - body_names_.begin());
}

ContactInput ContactWorld::input(const Contact& contact, double time) const {
  return {time, contact.kinematics, contact.states};
}

void ContactWorld::load_ports(Contact& contact) const {
  for (std::size_t i = 0; i < contact.ports.size(); ++i)
    contact.kinematics[i] = kinematics_[index(contact.ports[i])];
}

Status ContactWorld::evaluate_contact(Contact& contact, double time, Scratch& scratch) {
  scratch.reset();
  load_ports(contact);
  ContactOutput out{contact.wrenches, contact.state_derivatives};
  const Status status =
      contact.model->evaluate(input(contact, time), *contact.memory, scratch, out);
  contact.penetration = out.penetration;
  GROUSER_ASSERT(contact.is_sound(status));
  return status;
}

void ContactWorld::evaluate_part(Contact& contact, std::size_t part, double time) {
  GROUSER_ASSERT(part < contact.part_answers.size());
  Scratch& scratch = contact.part_scratch[part];
  scratch.reset();
  contact.part_answers[part] =
      contact.model->evaluate_part(input(contact, time), *contact.memory, part, scratch);
}

void ContactWorld::gather_parts(Contact& contact, double time, Scratch& scratch) {
  scratch.reset();
  ContactOutput out{contact.wrenches, contact.state_derivatives};
  contact.status = contact.model->gather_parts(input(contact, time), *contact.memory,
                                               contact.part_answers, scratch, out);
  contact.penetration = out.penetration;
  GROUSER_ASSERT(contact.is_sound(contact.status));
  contact.evaluated = time;
  contact.evaluated_kinematics = contact.kinematics;
}

/// All contacts at the same time, and their parts if they have some.
void ContactWorld::evaluate_in_parallel(double time) {
  for (Contact& contact : contacts_) load_ports(contact);
  pool_->for_each(tasks_.size(), [&](std::size_t i, int worker) {
    Contact& contact = contacts_[tasks_[i].contact];
    if (contact.in_parts())
      evaluate_part(contact, tasks_[i].part, time);
    else
      contact.status = evaluate_contact(contact, time, scratch_[index(worker)]);
  });
  pool_->for_each(contacts_.size(), [&](std::size_t c, int worker) {
    if (contacts_[c].in_parts()) gather_parts(contacts_[c], time, scratch_[index(worker)]);
  });
}

Status ContactWorld::evaluate(double time) {
  if (!tasks_.empty()) {
    evaluate_in_parallel(time);
  } else {
    for (Contact& contact : contacts_) {
      if (!contact.in_parts()) {
        contact.status = evaluate_contact(contact, time, scratch_[0]);
        continue;
      }
      load_ports(contact);
      for (std::size_t part = 0; part < contact.part_answers.size(); ++part)
        evaluate_part(contact, part, time);
      gather_parts(contact, time, scratch_[0]);
    }
  }

  // In index order, so that the number of threads does not show in the sums.
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  Status worst = Status::ok;
  for (const Contact& contact : contacts_) {
    for (std::size_t i = 0; i < contact.ports.size(); ++i)
      wrenches_[index(contact.ports[i])] += contact.wrenches[i];
    worst = worse(worst, contact.status);
    ++status_counts_[static_cast<std::size_t>(contact.status)];
  }
  return worst;
}

void ContactWorld::commit(double time) {
  GROUSER_ASSERT(std::isfinite(time));
  for (Contact& contact : contacts_) {
    scratch_[0].reset();
    load_ports(contact);
    contact.model->commit(input(contact, time), *contact.memory, scratch_[0]);
    contact.greatest_penetration = std::max(contact.greatest_penetration, contact.penetration);
  }
}

double ContactWorld::next_update() const {
  double earliest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_)
    earliest = std::min(earliest, contact.model->next_update(*contact.memory));
  return earliest;
}

void ContactWorld::update(double time) {
  for (Contact& contact : contacts_) {
    if (contact.model->next_update(*contact.memory) > time) continue;
    for (Scratch& scratch : scratch_) scratch.reset();
    load_ports(contact);
    const bool known = contact.evaluated == time && contact.states.empty() &&
                       contact.kinematics == contact.evaluated_kinematics;
    contact.evaluated.reset();
    contact.model->update(
        input(contact, time), *contact.memory,
        {*pool_, scratch_, known ? contact.part_answers : std::span<const void* const>{}});
  }
}

void ContactWorld::event_functions(double time, std::span<double> out) {
  GROUSER_ASSERT(out.size() == event_count_);
  std::size_t first = 0;
  for (Contact& contact : contacts_) {
    const std::size_t count = contact.model->event_count();
    if (count == 0) continue;
    load_ports(contact);
    scratch_[0].reset();
    contact.model->event_functions(input(contact, time), *contact.memory, scratch_[0],
                                   out.subspan(first, count));
    first += count;
    GROUSER_ASSERT(first <= out.size());
  }
}

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

void ContactWorld::linearize(double time) {
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
    std::copy(contact.states.begin(), contact.states.end(), contact.perturbed_states.begin());
    const void* prepared =
        contact.model->prepare_perturbations(input(contact, time), *contact.memory, scratch);
    const Scratch::Mark mark = scratch.mark();
    const auto difference = [&](Eigen::Index column, double step) {
      scratch.rewind(mark);
      ContactOutput out{contact.perturbed_wrenches, contact.perturbed_derivatives};
      contact.model->evaluate_perturbed({time, contact.kinematics, contact.perturbed_states},
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

std::string ContactWorld::refuse_start(double time) {
  for (Contact& contact : contacts_) {
    scratch_[0].reset();
    load_ports(contact);
    const std::string reason =
        contact.model->refuse_start(input(contact, time), *contact.memory, scratch_[0]);
    if (!reason.empty()) return "contact '" + contact.name + "': " + reason;
  }
  return {};
}

std::vector<std::string> ContactWorld::warnings() const {
  std::vector<std::string> out;
  for (const Contact& contact : contacts_)
    for (const std::string& warning : contact.model->warnings(*contact.memory))
      out.push_back("contact '" + contact.name + "': " + warning);
  return out;
}

std::optional<GroundArea> ContactWorld::ground_area(std::size_t c) {
  load_ports(contacts_[c]);
  return contacts_[c].model->ground_area(input(contacts_[c], 0.0));
}

std::uint64_t ContactWorld::ground_heights(std::size_t c, const GroundArea& area,
                                           std::uint64_t stamp, std::span<double> heights) const {
  GROUSER_ASSERT(c < contacts_.size() && heights.size() == area.nx * area.ny);
  return contacts_[c].model->ground_heights(*contacts_[c].memory, area, stamp, heights);
}

const ContactMemory& ContactWorld::memory(std::size_t contact) const {
  return *contacts_[contact].memory;
}

const std::string& ContactWorld::contact_name(std::size_t contact) const {
  return contacts_[contact].name;
}
const std::string& ContactWorld::contact_model_name(std::size_t contact) const {
  return contacts_[contact].model_name;
}
const ContactModel& ContactWorld::contact(std::size_t contact) const {
  return *contacts_[contact].model;
}
std::span<const int> ContactWorld::ports(std::size_t contact) const {
  return contacts_[contact].ports;
}
std::span<const Wrench> ContactWorld::port_wrenches(std::size_t contact) const {
  return contacts_[contact].wrenches;
}
std::size_t ContactWorld::first_state(std::size_t contact) const {
  return contacts_[contact].first_state;
}
double ContactWorld::greatest_penetration(std::size_t contact) const {
  return contacts_[contact].greatest_penetration;
}

std::vector<double> ContactWorld::state_scales() const {
  std::vector<double> scales;
  for (const Contact& contact : contacts_)
    scales.insert(scales.end(), contact.states.size(), contact.model->state_scale());
  return scales;
}

void ContactWorld::report(double time, std::size_t c, ContactReport& out) {
  Contact& contact = contacts_[c];
  scratch_[0].reset();
  load_ports(contact);
  contact.model->report(input(contact, time), *contact.memory, scratch_[0], out);
  GROUSER_ASSERT(out.channels.size() == contact.model->report_channels().size());
}

namespace {

constexpr char kSaveMark[8] = {'g', 'r', 'o', 'u', 's', 'e', 'r', '1'};

void append(std::vector<std::byte>& out, const void* data, std::size_t size) {
  const std::size_t start = out.size();
  out.resize(start + size);
  if (size > 0) std::memcpy(out.data() + start, data, size);
}

std::span<const std::byte> take(std::span<const std::byte>& in, std::size_t size) {
  if (in.size() < size) throw InputError("saved contact world is too short");
  const std::span<const std::byte> taken = in.first(size);
  in = in.subspan(size);
  return taken;
}

}  // namespace

std::vector<std::byte> ContactWorld::save() const {
  std::vector<std::byte> out;
  const std::uint64_t counts[2] = {contacts_.size(), states_.size()};
  append(out, kSaveMark, sizeof kSaveMark);
  append(out, counts, sizeof counts);
  append(out, states_.data(), states_.size() * sizeof(double));
  for (const Contact& contact : contacts_) contact.memory->save(out);
  return out;
}

void ContactWorld::restore(std::span<const std::byte> saved) {
  std::uint64_t counts[2];
  if (std::memcmp(take(saved, sizeof kSaveMark).data(), kSaveMark, sizeof kSaveMark) != 0)
    throw InputError("this is not a saved contact world");
  std::memcpy(counts, take(saved, sizeof counts).data(), sizeof counts);
  if (counts[0] != contacts_.size() || counts[1] != states_.size())
    throw InputError("saved contact world has " + std::to_string(counts[0]) + " contacts and " +
                     std::to_string(counts[1]) + " states, this one has " +
                     std::to_string(contacts_.size()) + " and " + std::to_string(states_.size()));
  const auto states = take(saved, states_.size() * sizeof(double));
  // Read everything before anything is changed: a refusal leaves the world as it was.
  std::vector<std::unique_ptr<ContactMemory>> memories;
  for (const Contact& contact : contacts_) {
    memories.push_back(contact.memory->clone());
    saved = saved.subspan(memories.back()->restore(saved));
  }
  if (!saved.empty()) throw InputError("saved contact world is too long");
  GROUSER_ASSERT(memories.size() == contacts_.size());
  for (Contact& contact : contacts_) contact.evaluated.reset();
  if (!states_.empty()) std::memcpy(states_.data(), states.data(), states.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i].memory = std::move(memories[i]);
}

}  // namespace grouser
