#include "grouser/record/recording_hdf5.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>

#include "grouser/base/assert.h"

namespace grouser::recording {
namespace {

// Called from the innermost line outwards; stops after the first with a text.
herr_t keep_first(unsigned, const H5E_error2_t* line, void* out) {
  *static_cast<std::string*>(out) = line->desc ? line->desc : "";
  return static_cast<std::string*>(out)->empty() ? 0 : 1;
}

// Reads texts that stand in the file with `type` through `read(type, bytes)`.
std::vector<std::string> read_texts(hid_t type, hid_t space,
                                    const std::function<herr_t(hid_t, void*)>& read) {
  if (check(H5Tget_class(type)) != H5T_STRING || check(H5Tis_variable_str(type)) > 0)
    throw HdfError("texts of fixed length were expected");
  const std::size_t size = H5Tget_size(type);
  const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space)));
  std::string bytes(count * size, '\0');
  if (count > 0) check(read(text_type(size), bytes.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(text_from(&bytes[i * size], size));
  return texts;
}

// Texts side by side, all as long as the longest.
struct PackedTexts {
  explicit PackedTexts(std::span<const std::string> texts) {
    for (const std::string& text : texts) size = std::max(size, text.size() + 1);
    for (const std::string& text : texts) (bytes += text).resize(bytes.size() - text.size() + size);
  }
  std::size_t size = 1;
  std::string bytes;
};

void write_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, data));
}

}  // namespace

void throw_hdf_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  H5Eclear2(H5E_DEFAULT);
  throw HdfError(text.empty() ? "HDF5 gives no reason" : text);
}

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle make_properties(hid_t kind) {
  return {H5Pcreate(kind), H5Pclose};
}

Handle make_space(std::span<const hsize_t> size) {
  if (size.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose};
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, size));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  check(H5Tset_strpad(type, H5T_STR_NULLTERM));
  return type;
}

Handle summary_type() {
  Handle type(H5Tcreate(H5T_COMPOUND, sizeof(SummaryRow)), H5Tclose);
  check(H5Tinsert(type, "key", offsetof(SummaryRow, key), text_type(sizeof SummaryRow::key)));
  check(H5Tinsert(type, "value", offsetof(SummaryRow, value), text_type(sizeof SummaryRow::value)));
  return type;
}

Handle make_folder(hid_t parent, const std::string& path) {
  const Handle links = make_properties(H5P_LINK_CREATE);
  check(H5Pset_create_intermediate_group(links, 1));
  check(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  return {H5Gcreate2(parent, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const PackedTexts packed(std::span(&text, 1));
  write_attribute(object, name, text_type(packed.size), make_space({}), packed.bytes.data());
}

void write_attribute(hid_t object, const char* name, std::int64_t number) {
  write_attribute(object, name, H5T_NATIVE_INT64, make_space({}), &number);
}

void write_attribute(hid_t object, const char* name, std::span<const std::string> texts) {
  const hsize_t size[] = {texts.size()};
  const PackedTexts packed(texts);
  write_attribute(object, name, text_type(packed.size), make_space(size), packed.bytes.data());
}

void write_attribute(hid_t object, const char* name, std::span<const double> numbers) {
  const hsize_t size[] = {numbers.size()};
  write_attribute(object, name, H5T_NATIVE_DOUBLE, make_space(size), numbers.data());
}

std::vector<std::string> read_texts_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return read_texts(type, space, [&](hid_t in_memory, void* data) {
    return H5Aread(attribute, in_memory, data);
  });
}

std::string read_text_attribute(hid_t object, const char* name) {
  const std::vector<std::string> texts = read_texts_attribute(object, name);
  if (texts.size() != 1) throw HdfError("attribute '" + std::string(name) + "' is not one text");
  return texts.front();
}

std::vector<double> read_numbers_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  std::vector<double> numbers(static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space))));
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data()));
  return numbers;
}

std::int64_t read_integer_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (check(H5Sget_simple_extent_npoints(space)) != 1)
    throw HdfError("attribute '" + std::string(name) + "' is not one number");
  std::int64_t number = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT64, &number));
  return number;
}

namespace {

void write_texts(hid_t parent, const char* name, hid_t space, std::span<const std::string> texts) {
  const PackedTexts packed(texts);
  const Handle type = text_type(packed.size);
  const Handle dataset(H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  if (!texts.empty())
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.bytes.data()));
}

}  // namespace

void write_text(hid_t parent, const char* name, const std::string& text) {
  write_texts(parent, name, make_space({}), std::span(&text, 1));
}

void write_texts(hid_t parent, const char* name, std::span<const std::string> texts) {
  const hsize_t size[] = {texts.size()};
  write_texts(parent, name, make_space(size), texts);
}

std::vector<std::string> read_texts(hid_t parent, const char* name) {
  const Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  return read_texts(type, space, [&](hid_t in_memory, void* data) {
    return H5Dread(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  });
}

namespace {

/// A row with a text of `widths[i]` bytes, the zero included, for each column.
Handle text_row_type(std::span<const char* const> columns, std::span<const std::size_t> widths) {
  std::size_t size = 0;
  for (const std::size_t width : widths) size += width;
  Handle type(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
  std::size_t offset = 0;
  for (std::size_t i = 0; i < columns.size(); offset += widths[i++])
    check(H5Tinsert(type, columns[i], offset, text_type(widths[i])));
  return type;
}

}  // namespace

void write_text_table(hid_t parent, const char* name, std::span<const char* const> columns,
                      const std::vector<std::vector<std::string>>& rows) {
  GROUSER_ASSERT(
      std::ranges::all_of(rows, [&](const auto& row) { return row.size() == columns.size(); }));
  std::vector<std::size_t> widths(columns.size(), 1);
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size() + 1);
  std::string bytes;
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i)
      bytes.append(row[i]).append(widths[i] - row[i].size(), '\0');
  const hsize_t size[] = {rows.size()};
  const Handle type = text_row_type(columns, widths);
  const Handle dataset(
      H5Dcreate2(parent, name, type, make_space(size), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!rows.empty()) check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
}

std::vector<std::vector<std::string>> read_text_table(hid_t parent, const char* name,
                                                      std::span<const char* const> columns) {
  const Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose);
  const Handle in_file(H5Dget_type(dataset), H5Tclose);
  std::vector<std::size_t> widths;
  for (const char* column : columns) {
    const int member = check(H5Tget_member_index(in_file, column));
    const Handle type(H5Tget_member_type(in_file, static_cast<unsigned>(member)), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
      throw HdfError("column '" + std::string(column) + "' has no texts of fixed length");
    widths.push_back(H5Tget_size(type));
  }
  const Handle type = text_row_type(columns, widths);
  const std::vector<hsize_t> size = size_of(dataset);
  if (size.size() != 1) throw HdfError("a table of texts has another shape");
  std::string bytes(size[0] * H5Tget_size(type), '\0');
  if (!bytes.empty()) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));

  std::vector<std::vector<std::string>> rows(size[0]);
  const char* at = bytes.data();
  for (std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < widths.size(); at += widths[i++])
      row.push_back(text_from(at, widths[i]));
  return rows;
}

std::vector<hsize_t> size_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> size(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space))));
  check(H5Sget_simple_extent_dims(space, size.data(), nullptr));
  return size;
}

std::string cut(const std::string& text, std::size_t size) {
  constexpr std::string_view kMark = "...";
  GROUSER_ASSERT(size > kMark.size());
  if (text.size() < size) return text;
  std::size_t end = size - 1 - kMark.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end).append(kMark);
}

std::string text_from(const char* data, std::size_t size) {
  const void* end = std::memchr(data, 0, size);
  return {data, end ? static_cast<std::size_t>(static_cast<const char*>(end) - data) : size};
}

}  // namespace grouser::recording
