// Reads the container of a report page, as docs/page_data.md tells it.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grouser/report/page_data.h"

namespace grouser::report {

class PageReader {
 public:
  explicit PageReader(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "GRPD");
    EXPECT_EQ(number(bytes, 4), 1u);
    const std::size_t length = number(bytes, 8);
    EXPECT_EQ(length % 8, 0u);
    EXPECT_EQ(number(bytes, 12), 0u);
    header = Json::parse(bytes.substr(16, length));
    blocks_ = bytes.substr(16 + length);
  }

  template <class Number>
  std::vector<Number> read(const Json& reference) const {
    EXPECT_EQ(reference.at("type"), type_name(Number{}));
    std::size_t count = 1;
    for (const std::size_t extent : reference.at("shape")) count *= extent;
    const std::size_t at = reference.at("at");
    EXPECT_EQ(at % 8, 0u);
    std::string bytes = blocks_.substr(at, reference.at("bytes").get<std::size_t>());
    const std::string coding = reference.at("coding");
    if (coding != "raw") bytes = inflated(bytes, count * sizeof(Number));
    if (coding == "shuffle-zlib") bytes = unshuffled(bytes, sizeof(Number));
    EXPECT_EQ(bytes.size(), count * sizeof(Number));
    std::vector<Number> out(count);
    if (count > 0) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }

  Json header;

 private:
  static const char* type_name(float) { return "f32"; }
  static const char* type_name(double) { return "f64"; }
  static const char* type_name(std::uint32_t) { return "u32"; }

  static std::uint32_t number(const std::string& bytes, std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t k = 0; k < 4; ++k)
      out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
    return out;
  }
  static std::string inflated(const std::string& bytes, std::size_t size) {
    std::string out(size + 1, '\0');  // a byte more shows whether there is more
    uLongf got = out.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &got,
                         reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
              Z_OK);
    out.resize(got);
    return out;
  }
  static std::string unshuffled(const std::string& bytes, std::size_t size) {
    const std::size_t count = bytes.size() / size;
    std::string out(bytes.size(), '\0');
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < size; ++k) out[i * size + k] = bytes[k * count + i];
    return out;
  }

  std::string blocks_;
};

/// The bytes of a container.
inline std::string bytes_of(const PageData& data, const Json& header) {
  std::string out;
  data.write(header, [&](std::string_view bytes) { out += bytes; });
  return out;
}

/// The bytes of the container in a page.
inline std::string container_of(const std::string& html) {
  const std::string begin = "<script id=\"grouser-data\" type=\"text/plain\">";
  const std::size_t first = html.find(begin) + begin.size();
  const std::string text = html.substr(first, html.find("</script>", first) - first);
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t waiting = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    waiting = waiting << 6 | static_cast<std::uint32_t>(letters.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<char>(waiting >> bits & 0xffu));
  }
  return out;
}

}  // namespace grouser::report
