// The container that hands data to a report page: docs/page_data.md tells its bytes.
//
// Only grouser/report and hosts of live pages include this header; it is not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grouser::report {

using Json = nlohmann::ordered_json;

/// How the bytes of a block are stored.
enum class Coding {
  raw,
  zlib,
  shuffle_zlib,  ///< the first bytes of all numbers, then the second ones, ...: smaller for floats
};

/// `json` in one line. Bytes that are no UTF-8 become U+FFFD, numbers that are not finite null, and
/// "<" is escaped, so that the text may stand inside HTML.
std::string json_text(const Json& json);

class PageData {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  /// Adds a block and answers the reference to it, for the header. The last extent of `shape` runs
  /// fastest.
  Json add(std::span<const float> numbers, const std::vector<std::size_t>& shape, Coding coding);
  Json add(std::span<const double> numbers, const std::vector<std::size_t>& shape, Coding coding);
  Json add(std::span<const std::uint32_t> numbers, const std::vector<std::size_t>& shape,
           Coding coding);

  /// Hands the whole container to `sink`, piece by piece.
  void write(const Json& header, const Sink& sink) const;

 private:
  Json add_block(const char* type, std::span<const std::byte> bytes, std::size_t number_size,
                 const std::vector<std::size_t>& shape, Coding coding);

  std::string blocks_;
};

}  // namespace grouser::report
