#include "grouser/report/page_data.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grouser/base/assert.h"

namespace grouser::report {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie");

constexpr std::size_t kAlignment = 8;
constexpr std::uint32_t kVersion = 1;
constexpr const char* kCodingNames[] = {"raw", "zlib", "shuffle-zlib"};

void append_u32(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8)
    out.push_back(static_cast<char>((number >> shift) & 0xffu));
}

std::string shuffled(std::span<const std::byte> bytes, std::size_t number_size) {
  const std::size_t count = bytes.size() / number_size;
  GROUSER_ASSERT(count * number_size == bytes.size());
  std::string out(bytes.size(), '\0');
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < number_size; ++k)
      out[k * count + i] = static_cast<char>(bytes[i * number_size + k]);
  return out;
}

std::string compressed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int answer =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION);
  if (answer != Z_OK) throw std::bad_alloc();  // the bound leaves no other reason
  out.resize(size);
  return out;
}

}  // namespace

std::string json_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c == '<')  // stands in strings only
      out += "\\u003c";
    else
      out += c;
  return out;
}

Json PageData::add(std::span<const float> numbers, const std::vector<std::size_t>& shape,
                   Coding coding) {
  return add_block("f32", std::as_bytes(numbers), sizeof(float), shape, coding);
}

Json PageData::add(std::span<const double> numbers, const std::vector<std::size_t>& shape,
                   Coding coding) {
  return add_block("f64", std::as_bytes(numbers), sizeof(double), shape, coding);
}

Json PageData::add(std::span<const std::uint32_t> numbers, const std::vector<std::size_t>& shape,
                   Coding coding) {
  return add_block("u32", std::as_bytes(numbers), sizeof(std::uint32_t), shape, coding);
}

Json PageData::add_block(const char* type, std::span<const std::byte> bytes,
                         std::size_t number_size, const std::vector<std::size_t>& shape,
                         Coding coding) {
  std::size_t numbers = 1;
  for (const std::size_t extent : shape) numbers *= extent;
  if (numbers * number_size != bytes.size())
    throw std::logic_error("a block of page data has another shape than numbers");

  const std::string_view plain(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  blocks_.resize((blocks_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
  const std::size_t at = blocks_.size();
  if (coding == Coding::raw) blocks_ += plain;
  if (coding == Coding::zlib) blocks_ += compressed(plain);
  if (coding == Coding::shuffle_zlib) blocks_ += compressed(shuffled(bytes, number_size));
  return {{"type", type},
          {"shape", shape},
          {"at", at},
          {"bytes", blocks_.size() - at},
          {"coding", kCodingNames[static_cast<std::size_t>(coding)]}};
}

void PageData::write(const Json& header, const Sink& sink) const {
  std::string text = json_text(header);
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  if (text.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("the header of page data is too long");
  std::string head = "GRPD";
  append_u32(head, kVersion);
  append_u32(head, static_cast<std::uint32_t>(text.size()));
  append_u32(head, 0);
  sink(head);
  sink(text);
  sink(blocks_);
}

}  // namespace grouser::report
