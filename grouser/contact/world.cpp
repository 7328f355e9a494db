#include "grouser/contact/world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/contact/world_contact.h"

namespace grouser {

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

}  // namespace grouser
