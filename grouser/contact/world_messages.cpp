// What a world tells its host, each thing once.
#include <utility>

#include "grouser/base/text.h"
#include "grouser/contact/world_contact.h"
#include "grouser/contact/world_teller.h"

namespace grouser {

namespace {
/// The share of the greatest penetration that is worth a warning.
constexpr double kDeep = 0.9;
}  // namespace

void ContactWorld::set_message_handler(MessageHandler handler) {
  teller_.reset();
  if (!handler) return;
  teller_ = std::make_unique<Teller>();
  teller_->handler = std::move(handler);
  for (const Contact& contact : contacts_) {
    // What has happened already is no news.
    Teller::Told& told = teller_->contacts.emplace_back();
    told.deep = contact.greatest_penetration >= kDeep * contact.model->max_penetration();
    for (std::size_t w = 0; w < contact.model->warning_count(); ++w)
      told.warnings.push_back(contact.model->warns(*contact.memory, w));
    for (const std::string& note : contact.model->notes())
      teller_->add(Message::Kind::note, start_time_.value_or(0.0), contact.of->name, ": " + note);
  }
  teller_->deliver();
}

void ContactWorld::forget_told() {
  teller_->waiting.clear();
  for (Teller::Told& told : teller_->contacts)
    told = {false, false, false, std::vector<bool>(told.warnings.size())};
}

/// An evaluation was not answered well: told at the next commit. Returns `worst`.
Status ContactWorld::noted(Status worst, double time) {
  if (!teller_) return worst;
  const double host_time = time + *start_time_;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Teller::Told& told = teller_->contacts[c];
    if (contacts_[c].status == Status::shorten_step && !std::exchange(told.shorten_step, true))
      teller_->add(Message::Kind::warning, host_time, contacts_[c].of->name,
                   " was asked about a step that is too long for it");
    if (contacts_[c].status == Status::impossible && !std::exchange(told.impossible, true))
      teller_->add(Message::Kind::error, host_time, contacts_[c].of->name,
                   " had no answer: what it was asked is not finite, or beyond what its model is "
                   "made for");
  }
  return worst;
}

void ContactWorld::tell(double time) {
  const double host_time = time + *start_time_;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    Teller::Told& told = teller_->contacts[c];
    const double allowed = contact.model->max_penetration();
    if (!told.deep && contact.greatest_penetration >= kDeep * allowed) {
      told.deep = true;
      teller_->add(Message::Kind::warning, host_time, contact.of->name,
                   " reached " + to_text(100.0 * contact.greatest_penetration / allowed, 3) +
                       " % of max_penetration (" + to_text(allowed) + " m)");
    }
    for (std::size_t w = 0; w < told.warnings.size(); ++w)
      if (!told.warnings[w] && contact.model->warns(*contact.memory, w)) {
        told.warnings[w] = true;
        teller_->add(Message::Kind::warning, host_time, contact.of->name,
                     ": " + contact.model->warning(*contact.memory, w));
      }
  }
  teller_->deliver();
}

std::vector<std::string> ContactWorld::warnings() const {
  std::vector<std::string> out;
  for (const Contact& contact : contacts_)
    for (std::size_t w = 0; w < contact.model->warning_count(); ++w)
      if (contact.model->warns(*contact.memory, w))
        out.push_back("contact '" + contact.of->name +
                      "': " + contact.model->warning(*contact.memory, w));
  return out;
}

}  // namespace grouser
