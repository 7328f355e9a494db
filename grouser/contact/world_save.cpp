// All memory and states of a world as bytes, and back; see base/sealed_bytes.h for what is around
// them. Content: clock, states, then each contact: greatest penetration,
// size of its memory, memory.
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/bytes.h"
#include "grouser/base/sealed_bytes.h"
#include "grouser/contact/world_contact.h"

namespace grouser {

namespace {

constexpr Seal kSeal = {{'g', 'r', 'o', 'u', 's', 'e', 'r', 'W'},
                        2,
                        "saved contact world",
                        "a world with other parameters, shapes, soils or contacts"};

}  // namespace

std::vector<std::byte> ContactWorld::save() const {
  std::vector<std::byte> out = kSeal.open();
  const double start = start_time_.value_or(std::numeric_limits<double>::quiet_NaN());
  append_bytes(out, &start, sizeof start);
  append_bytes(out, states_.data(), states_.size() * sizeof(double));
  for (const Contact& contact : contacts_) {
    append_bytes(out, &contact.greatest_penetration, sizeof(double));
    append_bytes(out, &contact.greatest_softening, sizeof(double));
    const std::size_t at = out.size();
    std::uint64_t size = 0;
    append_bytes(out, &size, sizeof size);
    contact.memory->save(out);
    size = out.size() - at - sizeof size;
    std::memcpy(out.data() + at, &size, sizeof size);
  }
  kSeal.close(out, models_->definition_hash());
  return out;
}

void ContactWorld::restore(std::span<const std::byte> saved) {
  std::span<const std::byte> in = kSeal.content_of(saved, models_->definition_hash());
  const auto take = [&](auto& x) {
    if (in.size() < sizeof x) kSeal.refuse("it ends too early");
    std::memcpy(&x, in.data(), sizeof x);
    in = in.subspan(sizeof x);
  };
  // Read everything before anything is changed: a refusal leaves the world as it was.
  WorldSnapshot read = snapshot();
  double start = 0.0;
  take(start);
  read.start_time = std::isnan(start) ? std::nullopt : std::optional(start);
  for (double& state : read.states) take(state);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    take(read.contacts[c].greatest_penetration);
    take(read.contacts[c].greatest_softening);
    std::uint64_t size = 0;
    take(size);
    if (size > in.size()) kSeal.refuse("it ends too early");
    std::unique_ptr<ContactMemory> memory = contacts_[c].of->memory->clone();
    if (memory->restore(in.first(size)) != size)
      kSeal.refuse("memory of contact '" + contacts_[c].of->name + "' is too long");
    read.contacts[c].memory = CopyOnWrite<ContactMemory>(std::move(memory));
    in = in.subspan(size);
  }
  if (!in.empty()) kSeal.refuse("it is too long");
  rewind(read);
}

}  // namespace grouser
