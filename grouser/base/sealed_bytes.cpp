#include "grouser/base/sealed_bytes.h"

#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/hash.h"

namespace grouser {
namespace {

struct Head {
  std::array<char, 8> mark;
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t format = 0;
  std::uint64_t definition = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Head) == 40);

}  // namespace

void Seal::refuse(const std::string& why) const {
  throw InputError(std::string(what) + ": " + why);
}

std::vector<std::byte> Seal::open() const {
  return std::vector<std::byte>(sizeof(Head));
}

void Seal::close(std::vector<std::byte>& sealed, std::uint64_t of_definition) const {
  GROUSER_ASSERT(sealed.size() >= sizeof(Head));
  const std::span<const std::byte> content =
      std::span<const std::byte>(sealed).subspan(sizeof(Head));
  Head head{mark};
  head.format = format;
  head.definition = of_definition;
  head.size = content.size();
  head.checksum = checksum(content);
  std::memcpy(sealed.data(), &head, sizeof head);
}

std::span<const std::byte> Seal::content_of(std::span<const std::byte> sealed,
                                            std::uint64_t of_definition) const {
  Head head{};
  if (sealed.size() < sizeof head || std::memcmp(sealed.data(), mark.data(), mark.size()) != 0)
    refuse("these bytes are none");
  std::memcpy(&head, sealed.data(), sizeof head);
  const std::span<const std::byte> content = sealed.subspan(sizeof head);
  if (head.byte_order != Head{}.byte_order) refuse("it is of a machine with another byte order");
  if (head.format != format)
    refuse("its format is " + std::to_string(head.format) + ", this version of grouser knows " +
           std::to_string(format));
  if (head.size != content.size())
    refuse("it has " + std::to_string(content.size()) + " bytes of " + std::to_string(head.size));
  if (head.checksum != checksum(content)) refuse("it is damaged, its checksum is wrong");
  if (head.definition != of_definition) refuse("it is of " + std::string(definition));
  return content;
}

}  // namespace grouser
