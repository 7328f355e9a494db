// What convex contact remembers of parts that touch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/contact/contact.h"

namespace grouser {

/// One pair: how fast the bodies met, and how far sticking friction is stretched. Numbers alone,
/// so that they can be saved as they are.
struct ConvexTouch {
  std::uint64_t key = 0;      ///< of the parts, see NearPair
  double impact_speed = 0.0;  ///< [m/s]
  /// Of a point [m]: stiffness stays as it was where the bodies met, or a force that changes with
  /// the place would be no slope of an energy.
  double hertz_radius = 0.0;
  double stretch_A[3] = {};           ///< of the bristles [m], in the frame of body A
  double stretch_B[3] = {};           ///< the same in the frame of body B
  double twist = 0.0;                 ///< of the bristles about the normal [rad]
  double R_BA[9] = {}, p_BA[3] = {};  ///< pose of body A in B at the last commit
};

class ConvexMemory final : public ContactMemory {
 public:
  std::vector<ConvexTouch> touches;  ///< by key

  const ConvexTouch* find(std::uint64_t key) const {
    const auto found =
        std::lower_bound(touches.begin(), touches.end(), key,
                         [](const ConvexTouch& touch, std::uint64_t k) { return touch.key < k; });
    return found != touches.end() && found->key == key ? &*found : nullptr;
  }

  std::unique_ptr<ContactMemory> clone() const override {
    return std::make_unique<ConvexMemory>(*this);
  }
  void save(std::vector<std::byte>& out) const override {
    const std::uint64_t count = touches.size();
    const std::size_t start = out.size(), bytes = count * sizeof(ConvexTouch);
    out.resize(start + sizeof count + bytes);
    std::memcpy(out.data() + start, &count, sizeof count);
    if (bytes > 0) std::memcpy(out.data() + start + sizeof count, touches.data(), bytes);
  }
  std::size_t restore(std::span<const std::byte> in) override {
    std::uint64_t count = 0;
    if (in.size() < sizeof count) throw InputError("saved contact memory is too short");
    std::memcpy(&count, in.data(), sizeof count);
    if ((in.size() - sizeof count) / sizeof(ConvexTouch) < count)
      throw InputError("saved contact memory is too short");
    touches.resize(count);
    if (count > 0)
      std::memcpy(touches.data(), in.data() + sizeof count, count * sizeof(ConvexTouch));
    return sizeof count + count * sizeof(ConvexTouch);
  }

 private:
  static_assert(std::is_trivially_copyable_v<ConvexTouch>);
};

}  // namespace grouser
