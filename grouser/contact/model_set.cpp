#include "grouser/contact/model_set.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"

namespace grouser {

ContactModelSet::ContactModelSet(const ContactWorldDef& def)
    : shapes_(def.shapes, def.materials, def.soils, def.gravity) {
  add_body("world");
  for (const ShapeDef& shape : def.shapes) add_body(shape.body);

  for (const auto& contact_def : def.contacts) {
    Contact contact;
    contact.name = contact_def->name;
    contact.model_name = contact_def->model();
    contact.place = contact_def->place;
    contact.def = contact_def;
    if (contact.name.empty())
      contact.name = contact.model_name + "_" + std::to_string(contacts_.size());
    contact.model = contact_def->build(shapes_);
    for (const std::string& name : contact.model->body_names())
      contact.ports.push_back(add_body(name));
    for (std::size_t i = 0; i < contact.ports.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (contact.ports[i] == contact.ports[j])
          throw InputError(contact_def->place,
                           "contact '" + contact.name +
                               "' is between two shapes of the same body '" +
                               body_names_[static_cast<std::size_t>(contact.ports[i])] + "'");
    for (const Contact& other : contacts_)
      if (other.name == contact.name)
        world_def_detail::refuse_duplicate(contact_def->place, "contact", contact.name,
                                           other.place);
    const ContactModel& model = *contact.model;
    contact.memory = CopyOnWrite<ContactMemory>(model.make_memory());
    contact.first_state = state_count_;
    contact.state_count = model.state_count();
    contact.event_count = model.event_count();
    GROUSER_ASSERT(model.state_channels().size() == contact.state_count);
    GROUSER_ASSERT(model.event_channels().size() == contact.event_count);
    contact.part_count = model.part_count();
    contact.has_clock = std::isfinite(model.next_update(*contact.memory));
    std::vector<std::byte> remembered;
    contact.memory->save(remembered);
    contact.commits = !remembered.empty() && model.commits();
    state_count_ += contact.state_count;
    event_count_ += contact.event_count;
    contacts_.push_back(std::move(contact));
  }
}

int ContactModelSet::add_body(const std::string& name) {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found != body_names_.end()) return static_cast<int>(found - body_names_.begin());
  body_names_.push_back(name);
  return static_cast<int>(body_names_.size()) - 1;
}

int ContactModelSet::body(const std::string& name) const {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found == body_names_.end())
    throw InputError("no contact has a body '" + name + "'" + suggestion(name, body_names_));
  return static_cast<int>(found - body_names_.begin());
}

std::vector<double> ContactModelSet::state_scales() const {
  std::vector<double> scales;
  for (const Contact& contact : contacts_)
    scales.insert(scales.end(), contact.state_count, contact.model->state_scale());
  return scales;
}

std::vector<ReportChannel> ContactModelSet::body_channels() const {
  std::vector<ReportChannel> out;
  for (std::size_t b = 0; b < body_names_.size(); ++b) {
    std::vector<std::string> touched;
    for (const Contact& contact : contacts_)
      if (std::find(contact.ports.begin(), contact.ports.end(), static_cast<int>(b)) !=
          contact.ports.end())
        touched.push_back(contact.name);
    out.push_back({"bodies/" + body_names_[b], "",
                   "pose and twist in, wrench out; " +
                       (touched.empty() ? "in no contact" : "in contacts " + join(touched))});
  }
  return out;
}

std::vector<ReportChannel> ContactModelSet::of_all_contacts(
    const std::string& kind, std::vector<ReportChannel> (ContactModel::*channels)() const) const {
  std::vector<ReportChannel> out;
  for (const Contact& contact : contacts_)
    for (const ReportChannel& channel : (*contact.model.*channels)())
      out.push_back(
          {"contacts/" + contact.name + "/" + kind + channel.name, channel.unit, channel.meaning});
  return out;
}

std::vector<ReportChannel> ContactModelSet::state_channels() const {
  return of_all_contacts("states/", &ContactModel::state_channels);
}
std::vector<ReportChannel> ContactModelSet::event_channels() const {
  return of_all_contacts("events/", &ContactModel::event_channels);
}
std::vector<ReportChannel> ContactModelSet::report_channels() const {
  return of_all_contacts("", &ContactModel::report_channels);
}

}  // namespace grouser
