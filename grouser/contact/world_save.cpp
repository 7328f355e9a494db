// All memory and states of a world as bytes, and back.
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/contact/world_contact.h"

namespace grouser {

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
    memories.push_back(contact.of->memory->clone());
    saved = saved.subspan(memories.back()->restore(saved));
  }
  if (!saved.empty()) throw InputError("saved contact world is too long");
  GROUSER_ASSERT(memories.size() == contacts_.size());
  for (Contact& contact : contacts_) contact.evaluated.reset();
  if (!states_.empty()) std::memcpy(states_.data(), states.data(), states.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    contacts_[i].memory = CopyOnWrite<ContactMemory>(std::move(memories[i]));
}

}  // namespace grouser
