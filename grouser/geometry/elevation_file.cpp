#include "grouser/geometry/elevation_file.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"

namespace grouser {
namespace {

constexpr double kNoHeight = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoData = -9999.0;  // by custom

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The header of an ESRI grid: lines of a keyword and a value.
class EsriHeader {
 public:
  /// Takes lines as long as they start with a letter.
  EsriHeader(const TextFile& file, Lines& lines) : file_(file) {
    while (!lines.rest().empty() && starts_with_letter(lines.rest())) {
      std::string_view line;
      lines.next(line);
      const std::string key = lower_case(next_word(line));
      const Place place = file.place(lines.number());
      if (!is_known(key))
        throw InputError(place, "the header of an ESRI grid has no " + in_quotes(key));
      if (!entries_.emplace(key, Entry{std::string(trimmed(line)), place}).second)
        throw InputError(place, in_quotes(key) + " stands twice in the header");
    }
  }

  ElevationGrid empty_grid() const {
    ElevationGrid grid;
    grid.nx = count("ncols");
    grid.ny = count("nrows");
    grid.spacing = number("cellsize");
    if (!(grid.spacing > 0.0))
      throw InputError(entries_.at("cellsize").place, "cellsize must be positive");
    grid.origin = Vec2(middle("xllcenter", "xllcorner", grid.spacing),
                       middle("yllcenter", "yllcorner", grid.spacing));
    return grid;
  }
  double no_data() const {
    return entries_.contains("nodata_value") ? number("nodata_value") : kNoData;
  }
  bool lowest_byte_first() const {
    const auto found = entries_.find("byteorder");
    if (found == entries_.end()) return true;
    const std::string order = lower_case(found->second.text);
    if (order == "lsbfirst") return true;
    if (order == "msbfirst") return false;
    throw InputError(found->second.place, "byteorder must be LSBFIRST or MSBFIRST");
  }

 private:
  struct Entry {
    std::string text;
    Place place;
  };

  static bool starts_with_letter(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
           lower_case(text.substr(0, 3)) != "nan" && lower_case(text.substr(0, 3)) != "inf";
  }
  static bool is_known(const std::string& key) {
    for (const char* known : {"ncols", "nrows", "xllcenter", "xllcorner", "yllcenter", "yllcorner",
                              "cellsize", "nodata_value", "byteorder"})
      if (key == known) return true;
    return false;
  }
  const Entry& entry(const std::string& key) const {
    const auto found = entries_.find(key);
    if (found == entries_.end())
      throw InputError(file_.place(), "the header has no line with " + in_quotes(key));
    return found->second;
  }
  double number(const std::string& key) const {
    const Entry& found = entry(key);
    const std::optional<double> x = to_number(found.text);
    if (!x || !std::isfinite(*x))
      throw InputError(found.place, key + " must be a number, is " + in_quotes(found.text));
    return *x;
  }
  std::size_t count(const std::string& key) const {
    const Entry& found = entry(key);
    const std::optional<std::int64_t> n = to_integer(found.text);
    if (!n || *n < 2 || *n > std::numeric_limits<std::int32_t>::max())
      throw InputError(found.place,
                       key + " must be a whole number of at least 2, is " + in_quotes(found.text));
    return static_cast<std::size_t>(*n);
  }
  /// Of the first cell, whichever way it is told.
  double middle(const char* center, const char* corner, double spacing) const {
    return entries_.contains(center) ? number(center) : number(corner) + 0.5 * spacing;
  }

  const TextFile& file_;
  std::map<std::string, Entry> entries_;
};

std::string header_text(const ElevationGrid& grid) {
  return "ncols " + std::to_string(grid.nx) + "\nnrows " + std::to_string(grid.ny) +
         "\nxllcenter " + to_text(grid.origin.x()) + "\nyllcenter " + to_text(grid.origin.y()) +
         "\ncellsize " + to_text(grid.spacing) + "\nNODATA_value " + to_text(kNoData) + "\n";
}

/// Place in a grid of the k-th cell of a file.
std::size_t node_of(const ElevationGrid& grid, std::size_t k) {
  return (grid.ny - 1 - k / grid.nx) * grid.nx + k % grid.nx;
}

/// Refuses headers that promise more cells than the file has bytes for, before memory is asked for.
void require_room(const ElevationGrid& grid, std::size_t bytes, std::size_t bytes_per_cell,
                  const TextFile& file) {
  if (grid.ny > bytes / bytes_per_cell / grid.nx)
    throw InputError(file.place(), "the header promises " + std::to_string(grid.nx) + " x " +
                                       std::to_string(grid.ny) + " cells, but the file has only " +
                                       std::to_string(bytes) + " bytes for them: it is cut off");
}

ElevationGrid read_asc(const std::string& path) {
  const TextFile file = read_file(path, "an elevation map");
  Lines lines(file.bytes);
  const EsriHeader header(file, lines);
  ElevationGrid grid = header.empty_grid();
  require_room(grid, lines.rest().size() + 1, 2, file);  // a digit and a blank
  const double no_data = header.no_data();
  grid.heights.resize(grid.nx * grid.ny);
  std::size_t k = 0;
  for (std::string_view line; lines.next(line);) {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line), ++k) {
      const Place place = file.place(lines.number());
      const std::optional<double> z = to_number(word);
      if (!z) throw InputError(place, "a height must be a number, is " + in_quotes(word));
      if (k == grid.heights.size())
        throw InputError(
            place, "more heights than the " + std::to_string(k) + " that the header promises");
      grid.heights[node_of(grid, k)] = *z == no_data || !std::isfinite(*z) ? kNoHeight : *z;
    }
  }
  if (k < grid.heights.size())
    throw InputError(file.place(), "has " + std::to_string(k) + " heights instead of the " +
                                       std::to_string(grid.heights.size()) +
                                       " that its header promises: it is cut off");
  return grid;
}

void write_asc(const ElevationGrid& grid, const std::string& path) {
  std::string out = header_text(grid);
  for (std::size_t k = 0; k < grid.heights.size(); ++k) {
    const double z = grid.heights[node_of(grid, k)];
    out += to_text(std::isfinite(z) ? z : kNoData);
    out += (k + 1) % grid.nx == 0 ? '\n' : ' ';
  }
  write_file(path, out);
}

std::string header_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".hdr").string();
}

float float_at(std::string_view bytes, std::size_t k, bool lowest_first) {
  std::uint32_t bits = 0;
  for (std::size_t b = 0; b < 4; ++b)
    bits |= std::uint32_t{static_cast<std::uint8_t>(bytes[4 * k + (lowest_first ? b : 3 - b)])}
            << (8 * b);
  return std::bit_cast<float>(bits);
}

ElevationGrid read_flt(const std::string& path) {
  const TextFile file = read_file(path, "an elevation map");
  const TextFile header_file = read_file(header_path(path), "the header of an elevation map");
  Lines lines(header_file.bytes);
  const EsriHeader header(header_file, lines);
  if (!trimmed(lines.rest()).empty())
    throw InputError(header_file.place(lines.number() + 1),
                     "a header has keywords and values only");
  ElevationGrid grid = header.empty_grid();
  require_room(grid, file.bytes.size(), 4, file);
  if (file.bytes.size() != 4 * grid.nx * grid.ny)
    throw InputError(file.place(),
                     "has " + std::to_string(file.bytes.size()) + " bytes instead of " +
                         std::to_string(4 * grid.nx * grid.ny) + " for " + std::to_string(grid.nx) +
                         " x " + std::to_string(grid.ny) + " cells");
  const auto no_data = static_cast<float>(header.no_data());
  const bool lowest_first = header.lowest_byte_first();
  grid.heights.resize(grid.nx * grid.ny);
  for (std::size_t k = 0; k < grid.heights.size(); ++k) {
    const float z = float_at(file.bytes, k, lowest_first);
    grid.heights[node_of(grid, k)] =
        z == no_data || !std::isfinite(z) ? kNoHeight : static_cast<double>(z);
  }
  return grid;
}

void write_flt(const ElevationGrid& grid, const std::string& path) {
  std::string out;
  for (std::size_t k = 0; k < grid.heights.size(); ++k) {
    const double z = grid.heights[node_of(grid, k)];
    const auto bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(std::isfinite(z) ? z : kNoData));
    for (int b = 0; b < 4; ++b) out += static_cast<char>(bits >> (8 * b) & 255u);
  }
  write_file(header_path(path), header_text(grid) + "byteorder LSBFIRST\n");
  write_file(path, out);
}

struct FormatRow {
  const char* suffix;
  ElevationGrid (*read)(const std::string& path);
  void (*write)(const ElevationGrid& grid, const std::string& path);
};
constexpr FormatRow kFormats[] = {{".asc", read_asc, write_asc}, {".flt", read_flt, write_flt}};

const FormatRow& format_of(const std::string& path) {
  const std::string suffix = lower_case(std::filesystem::path(path).extension().string());
  for (const FormatRow& format : kFormats)
    if (suffix == format.suffix) return format;
  throw InputError(Place{path, 0, 0},
                   (suffix.empty() ? std::string("the name has no suffix that tells its format")
                                   : "'" + suffix + "' is not an elevation format known here") +
                       "; known are " + join(elevation_file_suffixes()));
}

}  // namespace

ElevationGrid read_elevation_file(const std::string& path) {
  return format_of(path).read(path);
}

void write_elevation_file(const ElevationGrid& grid, const std::string& path) {
  format_of(path).write(grid, path);
}

std::vector<std::string> elevation_file_suffixes() {
  std::vector<std::string> out;
  for (const FormatRow& format : kFormats) out.emplace_back(format.suffix);
  return out;
}

}  // namespace grouser
