// PLY (Turk 1994): a header that promises elements with properties, then their rows as text or as
// little- or big-endian bytes. Read are x, y, z of "vertex" and the list of "face".
//
// PLY knows no groups. Files written here have the number of a face's group as its property
// "group", and lines "obj_info group NUMBER NAME" in the header, numbers from zero in order.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "grouser/base/text.h"
#include "grouser/mesh/mesh_formats.h"

namespace grouser::mesh_formats {

namespace {

enum class Encoding { text, little_endian, big_endian };

/// What the numbers of a property are made of.
struct Kind {
  std::size_t size = 0;
  bool is_signed = false;
  bool is_float = false;
  bool operator==(const Kind&) const = default;
};

struct KindRow {
  const char* name;
  Kind kind;
};
constexpr KindRow kKinds[] = {
    {"char", {1, true, false}},    {"int8", {1, true, false}},    {"uchar", {1, false, false}},
    {"uint8", {1, false, false}},  {"short", {2, true, false}},   {"int16", {2, true, false}},
    {"ushort", {2, false, false}}, {"uint16", {2, false, false}}, {"int", {4, true, false}},
    {"int32", {4, true, false}},   {"uint", {4, false, false}},   {"uint32", {4, false, false}},
    {"float", {4, true, true}},    {"float32", {4, true, true}},  {"double", {8, true, true}},
    {"float64", {8, true, true}},
};

struct Property {
  std::string name;
  Kind kind;
  bool is_list = false;
  Kind count_kind;  // of a list
  bool operator==(const Property&) const = default;
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;

  /// Its place among the properties, or -1.
  int find(std::string_view property) const {
    for (std::size_t i = 0; i < properties.size(); ++i)
      if (properties[i].name == property) return static_cast<int>(i);
    return -1;
  }
};

struct Header {
  Encoding encoding = Encoding::text;
  std::vector<Element> elements;
  std::vector<std::string> group_names;
};

Kind kind_named(std::string_view name, const Place& place) {
  for (const KindRow& row : kKinds)
    if (name == row.name) return row.kind;
  throw InputError(place, in_quotes(name) + " is not a PLY number type");
}

Encoding encoding_named(std::string_view name, const Place& place) {
  if (name == "ascii") return Encoding::text;
  if (name == "binary_little_endian") return Encoding::little_endian;
  if (name == "binary_big_endian") return Encoding::big_endian;
  throw InputError(place, in_quotes(name) +
                              " is not a PLY format; known are ascii, binary_little_endian, "
                              "binary_big_endian");
}

Property read_property(std::string_view line, const Place& place) {
  Property property;
  std::string_view word = next_word(line);
  property.is_list = word == "list";
  if (property.is_list) {
    property.count_kind = kind_named(next_word(line), place);
    word = next_word(line);
  }
  property.kind = kind_named(word, place);
  property.name = next_word(line);
  return property;
}

/// Reads up to and including "end_header".
Header read_header(Lines& lines, const TextFile& text) {
  std::string_view line;
  if (!lines.next(line) || next_word(line) != "ply")
    throw InputError(text.place(1), "a PLY file starts with 'ply'");
  Header header;
  bool has_format = false;
  while (lines.next(line)) {
    const Place place = text.place(lines.number());
    const std::string_view keyword = next_word(line);
    if (keyword == "end_header") {
      if (!has_format) throw InputError(place, "the PLY header does not tell its format");
      return header;
    } else if (keyword == "format") {
      header.encoding = encoding_named(next_word(line), place);
      has_format = true;
    } else if (keyword == "element") {
      Element element;
      element.name = next_word(line);
      const std::optional<std::int64_t> count = to_integer(next_word(line));
      if (!count || *count < 0)
        throw InputError(place, "a PLY element needs a name and a number of rows");
      element.count = *count;
      header.elements.push_back(element);
    } else if (keyword == "property") {
      if (header.elements.empty()) throw InputError(place, "a PLY property must follow an element");
      header.elements.back().properties.push_back(read_property(line, place));
    } else if (keyword == "obj_info") {
      if (next_word(line) != "group") continue;
      if (to_integer(next_word(line)) == static_cast<std::int64_t>(header.group_names.size()))
        header.group_names.emplace_back(trimmed(line));
    } else if (keyword != "comment" && !keyword.empty()) {
      throw InputError(place, in_quotes(keyword) + " is not expected in a PLY header");
    }
  }
  throw InputError(text.place(lines.number()), "the file is cut off inside its PLY header");
}

/// The numbers after the header, row by row, whatever their encoding.
class Rows {
 public:
  Rows(const TextFile& text, Lines lines, Encoding encoding)
      : text_(text), lines_(lines), encoding_(encoding), bytes_(lines.rest()) {}

  /// Before each row.
  void begin(const Element& element, std::int64_t row) {
    element_ = &element;
    row_ = row;
    if (encoding_ != Encoding::text) return;
    do {
      if (!lines_.next(line_)) refuse_short();
    } while (line_.find_first_not_of(" \t") == std::string_view::npos);
  }

  double next(const Kind& kind) {
    return encoding_ == Encoding::text ? next_of_text() : next_of_bytes(kind);
  }

  /// After each row.
  void end() {
    if (encoding_ == Encoding::text && !next_word(line_).empty())
      throw InputError(place(), "row " + std::to_string(row_) + " of element " + element_->name +
                                    " has more numbers than the header promises");
  }

  /// After the last row.
  void finish() {
    if (encoding_ == Encoding::text)
      for (std::string_view line; lines_.next(line);)
        if (!next_word(line).empty())
          throw InputError(place(), "the file goes on after all rows the PLY header promises");
    if (encoding_ != Encoding::text && !bytes_.empty())
      throw InputError(text_.place(), "the file has " + std::to_string(bytes_.size()) +
                                          " bytes more than the PLY header promises");
  }

  Place place() const {
    return encoding_ == Encoding::text ? text_.place(lines_.number()) : text_.place();
  }

  [[noreturn]] void refuse_short() const {
    throw InputError(text_.place(), "the file is cut off: the PLY header promises " +
                                        std::to_string(element_->count) + " rows of element " +
                                        element_->name + ", it ends in row " +
                                        std::to_string(row_));
  }

 private:
  double next_of_text() {
    const std::string_view word = next_word(line_);
    if (word.empty()) {
      if (lines_.rest().empty()) refuse_short();
      throw InputError(place(), "row " + std::to_string(row_) + " of element " + element_->name +
                                    " has fewer numbers than the header promises");
    }
    const std::optional<double> x = to_number(word);
    if (!x) throw InputError(place(), in_quotes(word) + " is not a number");
    return *x;
  }

  double next_of_bytes(const Kind& kind) {
    if (bytes_.size() < kind.size) refuse_short();
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < kind.size; ++k) {
      const std::size_t at = encoding_ == Encoding::big_endian ? k : kind.size - 1 - k;
      bits = (bits << 8) | static_cast<std::uint8_t>(bytes_[at]);
    }
    bytes_.remove_prefix(kind.size);
    if (kind.is_float)
      return kind.size == 8
                 ? std::bit_cast<double>(bits)
                 : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (!kind.is_signed) return static_cast<double>(bits);
    const std::size_t unused = 64 - 8 * kind.size;
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  const TextFile& text_;
  Lines lines_;
  Encoding encoding_;
  std::string_view bytes_;  // what is left, if not text
  std::string_view line_;   // what is left of the row, if text
  const Element* element_ = nullptr;
  std::int64_t row_ = 0;
};

/// The row's numbers: one per property, or the entries of a list.
void read_row(Rows& rows, const Element& element, std::int64_t row,
              std::vector<std::vector<double>>& out) {
  rows.begin(element, row);
  out.resize(element.properties.size());
  for (std::size_t p = 0; p < element.properties.size(); ++p) {
    const Property& property = element.properties[p];
    out[p].clear();
    double count = 1.0;
    if (property.is_list) count = rows.next(property.count_kind);
    if (!(count >= 0.0) || count != std::floor(count))
      throw InputError(rows.place(), "a list of PLY element " + element.name + " has " +
                                         to_text(count) + " entries");
    for (double k = 0.0; k < count; ++k) out[p].push_back(rows.next(property.kind));
  }
  rows.end();
}

void add_vertex(TriangleMesh& mesh, const std::array<double, 3>& p, const Place& place,
                std::int64_t row) {
  for (const double x : p)
    if (!std::isfinite(x))
      throw InputError(place, "vertex " + std::to_string(row) +
                                  ": a coordinate must be finite, is " + to_text(x));
  require_countable(mesh.vertices.size() + 1, place);
  mesh.vertices.emplace_back(p[0], p[1], p[2]);
}

void add_face(Polygons& faces, const std::vector<double>& corners, const Place& place) {
  for (const double v : corners) {
    if (!(v >= 0.0 && v <= std::numeric_limits<std::int32_t>::max()) || v != std::floor(v))
      throw InputError(place, "a face's corner must be the number of a vertex, is " + to_text(v));
    faces.add_corner(static_cast<std::int64_t>(v));
  }
  faces.end_polygon(place);
}

std::int32_t group_number(double x, std::size_t names, const Place& place) {
  if (!(x >= 0.0 && x < static_cast<double>(names)) || x != std::floor(x))
    throw InputError(place, "a face's group is " + to_text(x) + ", but the header names " +
                                std::to_string(names));
  return static_cast<std::int32_t>(x);
}

/// Are the rows those of files written here, and can they be copied as they stand?
bool has_our_layout(const Header& header) {
  constexpr Kind kByte{1, false, false}, kInteger{4, true, false}, kDouble{8, true, true};
  const auto number = [](const char* name, const Kind& kind) {
    return Property{name, kind, false, {}};
  };
  std::vector<Property> face = {Property{"vertex_indices", kInteger, true, kByte}};
  if (!header.group_names.empty()) face.push_back(number("group", kInteger));
  return std::endian::native == std::endian::little && header.encoding == Encoding::little_endian &&
         header.elements.size() == 2 && header.elements[0].name == "vertex" &&
         header.elements[1].name == "face" &&
         header.elements[0].properties == std::vector<Property>{number("x", kDouble),
                                                                number("y", kDouble),
                                                                number("z", kDouble)} &&
         header.elements[1].properties == face;
}

/// Takes a number off the front.
template <class T>
T taken(const char*& bytes) {
  T out;
  std::memcpy(&out, bytes, sizeof(T));
  bytes += sizeof(T);
  return out;
}

/// Reads sound files of our layout, some fifteen times as fast as row by row. No mesh if anything
/// is wrong or not a triangle: row by row it turns out what.
std::optional<TriangleMesh> read_our_layout(const Header& header, std::string_view bytes) {
  const bool grouped = !header.group_names.empty();
  const auto vertices = static_cast<std::uint64_t>(header.elements[0].count);
  const auto faces = static_cast<std::uint64_t>(header.elements[1].count);
  const std::uint64_t face_size = grouped ? 17 : 13;
  if (vertices > std::numeric_limits<std::int32_t>::max() || faces == 0 ||
      faces > bytes.size() / face_size || bytes.size() != 24 * vertices + face_size * faces)
    return {};

  TriangleMesh mesh;
  const char* next = bytes.data();
  mesh.vertices.reserve(vertices);
  for (std::uint64_t i = 0; i < vertices; ++i) {
    const double x = taken<double>(next), y = taken<double>(next), z = taken<double>(next);
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) return {};
    mesh.vertices.emplace_back(x, y, z);
  }
  // As unsigned numbers those below zero are too large as well.
  mesh.triangles.reserve(faces);
  mesh.groups.reserve(grouped ? faces : 0);
  for (std::uint64_t i = 0; i < faces; ++i) {
    if (*next++ != 3) return {};
    std::array<std::int32_t, 3> triangle;
    for (std::int32_t& v : triangle) {
      v = taken<std::int32_t>(next);
      if (static_cast<std::uint32_t>(v) >= vertices) return {};
    }
    mesh.triangles.push_back(triangle);
    if (!grouped) continue;
    mesh.groups.push_back(taken<std::int32_t>(next));
    if (static_cast<std::uint32_t>(mesh.groups.back()) >= header.group_names.size()) return {};
  }
  mesh.group_names = header.group_names;
  return mesh;
}

}  // namespace

TriangleMesh read_ply(const TextFile& text) {
  Lines lines(text.bytes);
  const Header header = read_header(lines, text);
  if (has_our_layout(header))
    if (std::optional<TriangleMesh> mesh = read_our_layout(header, lines.rest()))
      return *std::move(mesh);
  Rows rows(text, lines, header.encoding);

  TriangleMesh mesh;
  Polygons faces(0);
  std::vector<std::int32_t> groups;
  std::vector<std::vector<double>> row;
  for (const Element& element : header.elements) {
    const bool is_vertex = element.name == "vertex";
    const bool is_face = element.name == "face";
    const int x = element.find("x"), y = element.find("y"), z = element.find("z");
    if (is_vertex && (x < 0 || y < 0 || z < 0))
      throw InputError(text.place(), "the PLY vertices have no x, y and z");
    const int list = std::max(element.find("vertex_indices"), element.find("vertex_index"));
    if (is_face && (list < 0 || !element.properties[static_cast<std::size_t>(list)].is_list))
      throw InputError(text.place(), "the PLY faces have no list vertex_indices");
    const int group = is_face && !header.group_names.empty() ? element.find("group") : -1;
    if (element.properties.empty()) continue;

    for (std::int64_t i = 0; i < element.count; ++i) {
      read_row(rows, element, i, row);
      const auto number = [&](int p) {
        const std::vector<double>& entries = row[static_cast<std::size_t>(p)];
        return entries.empty() ? 0.0 : entries[0];
      };
      if (is_vertex) add_vertex(mesh, {number(x), number(y), number(z)}, rows.place(), i);
      if (is_face) add_face(faces, row[static_cast<std::size_t>(list)], rows.place());
      if (group >= 0)
        groups.push_back(group_number(number(group), header.group_names.size(), rows.place()));
    }
  }
  rows.finish();

  faces.add_to(mesh, text, groups);
  if (!groups.empty()) mesh.group_names = header.group_names;
  if (header.encoding == Encoding::text) refuse_if_cut_off(mesh, text);
  return mesh;
}

}  // namespace grouser::mesh_formats
