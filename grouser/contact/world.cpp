#include "grouser/contact/world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/contact/world_contact.h"
#include "grouser/contact/world_teller.h"

namespace grouser {

ContactWorld::ContactWorld(const ContactWorldDef& def)
    : ContactWorld(std::make_shared<const ContactModelSet>(def), def.threads) {}

ContactWorld::ContactWorld(std::shared_ptr<const ContactModelSet> models, int threads)
    : models_(std::move(models)),
      kinematics_(models_->bodies().size()),
      wrenches_(models_->bodies().size()),
      states_(models_->state_count()),
      state_derivatives_(models_->state_count()),
      contacts_(models_->contacts().size()),
      linearizations_(contacts_.size()),
      pool_(std::make_unique<WorkerPool>(threads)),
      scratch_(static_cast<std::size_t>(pool_->threads())) {
  const bool parallel = pool_->threads() > 1;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const ContactModelSet::Contact& of = models_->contacts()[c];
    Contact& contact = contacts_[c];
    contact.of = &of;
    contact.model = of.model.get();
    contact.memory = of.memory;
    contact.ports = of.ports;
    contact.kinematics.resize(of.ports.size());
    contact.wrenches.resize(of.ports.size());
    contact.states = std::span(states_).subspan(of.first_state, of.state_count);
    contact.state_derivatives =
        std::span(state_derivatives_).subspan(of.first_state, of.state_count);
    if (of.has_clock || (parallel && of.part_count > 1)) {
      contact.part_scratch.resize(of.part_count);
      contact.part_answers.resize(of.part_count);
    }
    if (!parallel) continue;
    for (std::size_t part = 0; part < (contact.in_parts() ? of.part_count : 1); ++part)
      tasks_.push_back({c, part});
  }
}

ContactWorld::~ContactWorld() = default;
ContactWorld::ContactWorld(ContactWorld&&) noexcept = default;
ContactWorld& ContactWorld::operator=(ContactWorld&&) noexcept = default;

ContactWorld::ContactWorld(const ContactWorld& other) : ContactWorld(other.models_) {
  rewind(other.snapshot());
  step_ = other.step_;
  // What was last answered, too.
  wrenches_ = other.wrenches_;
  state_derivatives_.assign(other.state_derivatives_.begin(), other.state_derivatives_.end());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& from = other.contacts_[c];
    Contact& to = contacts_[c];
    std::copy(from.wrenches.begin(), from.wrenches.end(), to.wrenches.begin());
    to.penetration = from.penetration;
    to.mobilities = from.mobilities;
    to.status = from.status;
    linearizations_[c] = other.linearizations_[c];
  }
}

ContactWorld& ContactWorld::operator=(const ContactWorld& other) {
  if (this != &other) *this = ContactWorld(other);
  return *this;
}

WorldSnapshot ContactWorld::snapshot() const {
  WorldSnapshot out{models_, kinematics_, states_, {}, status_counts_, start_time_};
  out.contacts.reserve(contacts_.size());
  for (const Contact& contact : contacts_)
    out.contacts.push_back(
        {contact.memory, contact.greatest_penetration, contact.greatest_softening});
  return out;
}

void ContactWorld::rewind(const WorldSnapshot& snapshot) {
  if (snapshot.models != models_)
    throw InputError("this snapshot is one of a world with other contact models");
  kinematics_ = snapshot.kinematics;
  std::copy(snapshot.states.begin(), snapshot.states.end(), states_.begin());
  status_counts_ = snapshot.status_counts;
  start_time_ = snapshot.start_time;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    contacts_[c].memory = snapshot.contacts[c].memory;
    contacts_[c].greatest_penetration = snapshot.contacts[c].greatest_penetration;
    contacts_[c].evaluated.reset();
    contacts_[c].greatest_softening = snapshot.contacts[c].greatest_softening;
  }
}

void ContactWorld::reset() {
  WorldSnapshot start;
  start.models = models_;
  start.kinematics.resize(kinematics_.size());
  start.states.resize(states_.size());
  for (const Contact& contact : contacts_) start.contacts.push_back({contact.of->memory, 0.0, 1.0});
  rewind(start);
  if (teller_) forget_told();
}

/// What a time since the start may be off by because of the host's rounding [s].
double ContactWorld::time_rounding(double time) const {
  return std::numeric_limits<double>::epsilon() *
         (std::abs(time) + std::abs(start_time_.value_or(0.0)));
}

/// How near to a moment of a contact's clock is that moment [s].
double ContactWorld::clock_tolerance(const Contact& contact, double time) const {
  return std::max(4.0 * time_rounding(time), 1e-9 * contact.model->update_period());
}

/// A host that counts from 1e6 s has times that are rounded to 1e-10 s, and soil that yields
/// notices that. Most hosts mean a number of few decimals: if one of up to seven is within the
/// rounding, it is taken.
double ContactWorld::unrounded(double time) const {
  const double rounding = 0.5 * time_rounding(time);  // a host rounds to half of that
  for (double scale = 1.0; scale <= 1e7; scale *= 10.0) {
    const double round = std::round(time * scale) / scale;
    if (std::abs(round - time) <= rounding) return round;
  }
  return time;
}

ContactInput ContactWorld::input(const Contact& contact, double time) const {
  if (contact.of->has_clock) {
    // Clocks strike when they should, whatever rounding a host adds to its times.
    if (start_time_.value_or(0.0) != 0.0) time = unrounded(time);
    const double next = contact.model->next_update(*contact.memory);
    if (std::abs(time - next) <= clock_tolerance(contact, time)) time = next;
  }
  return {time, contact.kinematics, contact.states, step_, contact.mobilities};
}

void ContactWorld::set_mobility(int body, const BodyMobility& mobility) {
  GROUSER_ASSERT(mobility.linear >= 0.0 && mobility.angular >= 0.0);
  for (Contact& contact : contacts_)
    for (std::size_t i = 0; i < contact.ports.size(); ++i)
      if (contact.ports[i] == body) {
        contact.mobilities.resize(contact.ports.size());
        contact.mobilities[i] = mobility;
      }
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
  contact.softening = out.softening;
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
  contact.softening = out.softening;
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

Status ContactWorld::evaluate(double host_time) {
  const double time = since_start(host_time);
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
  return worst == Status::ok ? worst : noted(worst, time);
}

void ContactWorld::commit(double host_time) {
  GROUSER_ASSERT(std::isfinite(host_time));
  const double time = since_start(host_time);
  for (Contact& contact : contacts_) {
    if (contact.of->commits) {
      scratch_[0].reset();
      load_ports(contact);
      contact.model->commit(input(contact, time), contact.memory.write(), scratch_[0]);
    }
    contact.greatest_penetration = std::max(contact.greatest_penetration, contact.penetration);
    contact.greatest_softening = std::max(contact.greatest_softening, contact.softening);
  }
  if (teller_) tell(time);
}

double ContactWorld::next_update() const {
  double earliest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_)
    if (contact.of->has_clock)
      earliest = std::min(earliest, contact.model->next_update(*contact.memory));
  return earliest + start_time_.value_or(0.0);
}

void ContactWorld::update(double host_time) {
  const double time = since_start(host_time);
  for (Contact& contact : contacts_) {
    if (!contact.of->has_clock) continue;
    if (contact.model->next_update(*contact.memory) > time + clock_tolerance(contact, time))
      continue;
    for (Scratch& scratch : scratch_) scratch.reset();
    load_ports(contact);
    const bool known = contact.evaluated == time && contact.states.empty() &&
                       contact.kinematics == contact.evaluated_kinematics;
    contact.evaluated.reset();
    contact.model->update(
        input(contact, time), contact.memory.write(),
        {*pool_, scratch_, known ? contact.part_answers : std::span<const void* const>{}});
  }
  if (teller_) tell(time);
}

void ContactWorld::event_functions(double host_time, std::span<double> out) {
  GROUSER_ASSERT(out.size() == event_count());
  const double time = since_start(host_time);
  std::size_t first = 0;
  for (Contact& contact : contacts_) {
    const std::size_t count = contact.of->event_count;
    if (count == 0) continue;
    load_ports(contact);
    scratch_[0].reset();
    contact.model->event_functions(input(contact, time), *contact.memory, scratch_[0],
                                   out.subspan(first, count));
    first += count;
    GROUSER_ASSERT(first <= out.size());
  }
}

double ContactWorld::stored_energy(double host_time) {
  const double time = since_start(host_time);
  double out = 0.0;
  for (Contact& contact : contacts_) {
    scratch_[0].reset();
    load_ports(contact);
    out += contact.model->stored_energy(input(contact, time), *contact.memory, scratch_[0]);
  }
  return out;
}

std::string ContactWorld::refuse_start(double host_time) {
  const double time = since_start(host_time);
  for (Contact& contact : contacts_) {
    scratch_[0].reset();
    load_ports(contact);
    const std::string reason =
        contact.model->refuse_start(input(contact, time), *contact.memory, scratch_[0]);
    if (!reason.empty()) return "contact '" + contact.of->name + "': " + reason;
  }
  return {};
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
  return contacts_[contact].of->name;
}
const std::string& ContactWorld::contact_model_name(std::size_t contact) const {
  return contacts_[contact].of->model_name;
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
  return contacts_[contact].of->first_state;
}
double ContactWorld::greatest_softening(std::size_t contact) const {
  return contacts_[contact].greatest_softening;
}
double ContactWorld::greatest_penetration(std::size_t contact) const {
  return contacts_[contact].greatest_penetration;
}

void ContactWorld::report(double host_time, std::size_t c, ContactReport& out) {
  const double time = since_start(host_time);
  Contact& contact = contacts_[c];
  scratch_[0].reset();
  load_ports(contact);
  contact.model->report(input(contact, time), *contact.memory, scratch_[0], out);
  GROUSER_ASSERT(out.channels.size() == contact.model->report_channels().size());
}

}  // namespace grouser
