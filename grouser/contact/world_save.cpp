// All memory and states of a world as bytes, and back.
//
//   mark        8 bytes  "grouserW"
//   byte order  u32      0x01020304 as the machine writes it
//   format      u32      of what follows; see kFormat
//   definition  u64      ContactModelSet::definition_hash()
//   size        u64      of the content, in bytes
//   checksum    u64      of the content
//   content     clock, states, then each contact: greatest penetration, size of its memory, memory
#include <bit>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/bytes.h"
#include "grouser/contact/world_contact.h"

namespace grouser {

namespace {

struct Head {
  char mark[8] = {'g', 'r', 'o', 'u', 's', 'e', 'r', 'W'};
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t format = 1;
  std::uint64_t definition = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Head) == 40);

[[noreturn]] void refuse(const std::string& why) {
  throw InputError("saved contact world: " + why);
}

/// Takes what save() wrote from the front.
template <class T>
T taken(std::span<const std::byte>& in) {
  T out;
  if (in.size() < sizeof out) refuse("it ends too early");
  std::memcpy(&out, in.data(), sizeof out);
  in = in.subspan(sizeof out);
  return out;
}

/// The content, if all that is before it says it is ours.
std::span<const std::byte> content_of(std::span<const std::byte> saved, std::uint64_t definition) {
  const Head ours;
  if (saved.size() < sizeof ours || std::memcmp(saved.data(), ours.mark, sizeof ours.mark) != 0)
    refuse("these bytes are none");
  const Head head = taken<Head>(saved);
  if (head.byte_order != ours.byte_order) refuse("it is of a machine with another byte order");
  if (head.format != ours.format)
    refuse("its format is " + std::to_string(head.format) + ", this version of grouser knows " +
           std::to_string(ours.format));
  if (head.size != saved.size())
    refuse("it has " + std::to_string(saved.size()) + " bytes of " + std::to_string(head.size));
  if (head.checksum != checksum(saved)) refuse("it is damaged, its checksum is wrong");
  if (head.definition != definition)
    refuse("it is of a world with other parameters, shapes, soils or contacts");
  return saved;
}

}  // namespace

std::vector<std::byte> ContactWorld::save() const {
  Head head;
  std::vector<std::byte> out(sizeof head);
  const double start = start_time_.value_or(std::numeric_limits<double>::quiet_NaN());
  append_bytes(out, &start, sizeof start);
  append_bytes(out, states_.data(), states_.size() * sizeof(double));
  for (const Contact& contact : contacts_) {
    append_bytes(out, &contact.greatest_penetration, sizeof(double));
    const std::size_t at = out.size();
    std::uint64_t size = 0;
    append_bytes(out, &size, sizeof size);
    contact.memory->save(out);
    size = out.size() - at - sizeof size;
    std::memcpy(out.data() + at, &size, sizeof size);
  }
  const std::span<const std::byte> content = std::span<const std::byte>(out).subspan(sizeof head);
  head.definition = models_->definition_hash();
  head.size = content.size();
  head.checksum = checksum(content);
  std::memcpy(out.data(), &head, sizeof head);
  return out;
}

void ContactWorld::restore(std::span<const std::byte> saved) {
  std::span<const std::byte> in = content_of(saved, models_->definition_hash());
  // Read everything before anything is changed: a refusal leaves the world as it was.
  WorldSnapshot read = snapshot();
  const auto start = taken<double>(in);
  read.start_time = std::isnan(start) ? std::nullopt : std::optional(start);
  for (double& state : read.states) state = taken<double>(in);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    read.contacts[c].greatest_penetration = taken<double>(in);
    const auto size = taken<std::uint64_t>(in);
    if (size > in.size()) refuse("it ends too early");
    std::unique_ptr<ContactMemory> memory = contacts_[c].of->memory->clone();
    if (memory->restore(in.first(size)) != size)
      refuse("memory of contact '" + contacts_[c].of->name + "' is too long");
    read.contacts[c].memory = CopyOnWrite<ContactMemory>(std::move(memory));
    in = in.subspan(size);
  }
  if (!in.empty()) refuse("it is too long");
  rewind(read);
}

}  // namespace grouser
