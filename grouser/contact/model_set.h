// The contact models of a world: what is prepared once and never changes, for any number of worlds.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/copy_on_write.h"
#include "grouser/contact/world_def.h"

namespace grouser {

/// Parameters, prepared surfaces, trees and maps. Immutable: worlds in any number of threads may
/// use it at the same time.
class ContactModelSet {
 public:
  /// Builds all models; throws InputError.
  explicit ContactModelSet(const ContactWorldDef& def);
  ContactModelSet(const ContactModelSet&) = delete;
  ContactModelSet& operator=(const ContactModelSet&) = delete;

  /// A model in its place.
  struct Contact {
    std::string name;
    std::string model_name;
    Place place;
    std::shared_ptr<const ContactDef> def;
    std::unique_ptr<const ContactModel> model;
    std::vector<int> ports;  ///< bodies
    std::size_t first_state = 0, state_count = 0;
    std::size_t event_count = 0;
    std::size_t part_count = 1;
    bool has_clock = false;
    bool commits = true;                ///< there is something to remember of accepted steps
    CopyOnWrite<ContactMemory> memory;  ///< before anything has happened
  };
  std::span<const Contact> contacts() const { return contacts_; }

  /// Body 0 is "world".
  std::span<const std::string> bodies() const { return body_names_; }
  /// Throws InputError with the nearest name if no contact has such a body.
  int body(const std::string& name) const;

  std::size_t state_count() const { return state_count_; }
  std::size_t event_count() const { return event_count_; }
  /// Typical size of each state.
  std::vector<double> state_scales() const;

  // What hosts see, by name, in the order in which worlds have it. Names are paths, and no two of
  // all four lists are alike.

  /// "bodies/<body>": what touches what there.
  std::vector<ReportChannel> body_channels() const;
  /// "contacts/<contact>/states/<state>"
  std::vector<ReportChannel> state_channels() const;
  /// "contacts/<contact>/events/<event>": what is zero at an event.
  std::vector<ReportChannel> event_channels() const;
  /// "contacts/<contact>/<channel>", as in recordings: one contact's ContactReport after the other.
  std::vector<ReportChannel> report_channels() const;

  const ShapeTable& shapes() const { return shapes_; }

  /// Of the definition: equal for worlds whose contacts answer alike, also in another process.
  std::uint64_t definition_hash() const;

 private:
  int add_body(const std::string& name);
  std::vector<ReportChannel> of_all_contacts(const std::string& kind,
                                             std::vector<ReportChannel> (ContactModel::*channels)()
                                                 const) const;

  ShapeTable shapes_;
  std::vector<std::string> body_names_;
  std::vector<Contact> contacts_;
  std::size_t state_count_ = 0, event_count_ = 0;
  // Of large maps and meshes it takes milliseconds: when it is first asked for.
  mutable std::once_flag hashed_;
  mutable std::uint64_t hash_ = 0;
};

}  // namespace grouser
