// The bits of a contact world: kinematics, answers, states and memory.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "grouser/base/hash.h"
#include "grouser/contact/world.h"

namespace grouser {

template <class Matrix>
void add_matrix(Hash& hash, const Matrix& matrix) {
  hash.add(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

inline void add_body(Hash& hash, const BodyKinematics& body) {
  add_matrix(hash, body.X_WB.R);
  add_matrix(hash, body.X_WB.p);
  add_matrix(hash, body.V_WB.w);
  add_matrix(hash, body.V_WB.v);
}

/// What the last evaluation answered.
inline void add_answers(Hash& hash, const ContactWorld& world) {
  for (std::size_t c = 0; c < world.contact_count(); ++c)
    for (const Wrench& wrench : world.port_wrenches(c)) {
      add_matrix(hash, wrench.torque);
      add_matrix(hash, wrench.force);
    }
  hash.add(world.state_derivatives());
}

/// A mark, two counts, states and memory: what hashes are made from, whatever save() writes
/// besides.
inline std::vector<std::byte> world_bytes(const ContactWorld& world) {
  std::vector<std::byte> out;
  const auto add = [&](const void* data, std::size_t size) {
    const auto* const bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  const std::uint64_t counts[2] = {world.contact_count(), world.state_count()};
  add("grouser1", 8);
  add(counts, sizeof counts);
  add(world.states().data(), world.states().size_bytes());
  for (std::size_t c = 0; c < world.contact_count(); ++c) world.memory(c).save(out);
  return out;
}

inline void add_bytes(Hash& hash, std::span<const std::byte> bytes) {
  hash.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Greatest force on a port in the last evaluation [N].
inline double greatest_force(const ContactWorld& world) {
  double greatest = 0.0;
  for (std::size_t c = 0; c < world.contact_count(); ++c)
    for (const Wrench& wrench : world.port_wrenches(c))
      greatest = std::max(greatest, wrench.force.norm());
  return greatest;
}

/// Whether states and memory are still what they were at the start.
class StartWatch {
 public:
  explicit StartWatch(const ContactWorld& world)
      : start_(world_bytes(world)), memory_(kBeforeStates + world.state_count() * sizeof(double)) {}

  bool has_states() const { return memory_ > kBeforeStates; }
  bool has_memory() const { return start_.size() > memory_; }
  bool states_moved(std::span<const std::byte> saved) const {
    return !std::ranges::equal(saved.first(memory_), std::span(start_).first(memory_));
  }
  bool memory_changed(std::span<const std::byte> saved) const {
    return !std::ranges::equal(saved.subspan(memory_), std::span(start_).subspan(memory_));
  }

 private:
  static constexpr std::size_t kBeforeStates = 24;  // a mark and two counts
  std::vector<std::byte> start_;
  std::size_t memory_;  // where it begins
};

}  // namespace grouser
