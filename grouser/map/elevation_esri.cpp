// ESRI grids: heights as text (.asc) or as raw numbers beside a header (.flt, .hdr). Raw numbers
// have 32 bits, or 64 if the header says "nbits 64": that is ours, other programs refuse it.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"
#include "grouser/map/elevation_formats.h"

namespace grouser::elevation_formats {
namespace {

constexpr double kNoData = -9999.0;  // by custom

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Refuses files of more bytes before they are read.
TextFile read_file_up_to(std::uintmax_t most_bytes, const std::string& path, const char* what) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > most_bytes)
    throw InputError(Place{path, 0, 0}, "has " + std::to_string(bytes) + " bytes, too many for " +
                                            what + " (" + std::to_string(most_bytes) + " at most)");
  return read_file(path, what);
}

/// A text that ends within a word may have lost the rest of it.
void refuse_if_cut_off(const TextFile& file) {
  if (std::isspace(static_cast<unsigned char>(file.bytes.back())) == 0)
    throw InputError(file.place(),
                     "seems to be cut off: its last line has no end; if it is whole, end it with a "
                     "line break");
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

  ElevationGrid empty_grid(const ElevationReadOptions& options) const {
    ElevationGrid grid;
    grid.nx = count("ncols");
    grid.ny = count("nrows");
    if (options.spacing) {
      grid.spacing = *options.spacing;
    } else {
      grid.spacing = number("cellsize");
      if (!(grid.spacing > 0.0))
        throw InputError(entries_.at("cellsize").place, "cellsize must be positive");
      grid.origin = Vec2(middle("xllcenter", "xllcorner", grid.spacing),
                         middle("yllcenter", "yllcorner", grid.spacing));
    }
    if (options.origin) grid.origin = *options.origin;
    return grid;
  }
  double no_data() const {
    return entries_.contains("nodata_value") ? number("nodata_value") : kNoData;
  }
  bool lowest_byte_first() const { return choice("byteorder", "LSBFIRST", "MSBFIRST") == 0; }
  /// Of a height.
  std::size_t bytes() const {
    choice("pixeltype", "FLOAT", "FLOAT");
    return choice("nbits", "32", "64") == 0 ? 4 : 8;
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
                              "cellsize", "nodata_value", "byteorder", "nbits", "pixeltype"})
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
  /// 0 or 1: which of two words it is; the first if there is no such line.
  int choice(const std::string& key, const char* first, const char* second) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return 0;
    const std::string word = lower_case(found->second.text);
    if (word == lower_case(first)) return 0;
    if (word == lower_case(second)) return 1;
    const std::string other = std::string(first) == second ? "" : std::string(" or ") + second;
    throw InputError(found->second.place,
                     key + " must be " + first + other + ", is " + in_quotes(found->second.text));
  }
  /// Of the first cell, whichever way it is told.
  double middle(const char* center, const char* corner, double spacing) const {
    return entries_.contains(center) ? number(center) : number(corner) + 0.5 * spacing;
  }

  const TextFile& file_;
  std::map<std::string, Entry> entries_;
};

/// The customary number, or one like it that is no height of the grid.
double unused_number(const ElevationGrid& grid) {
  double out = kNoData;
  while (std::find(grid.heights.begin(), grid.heights.end(), out) != grid.heights.end())
    out = 10.0 * out - 9.0;
  return out;
}

std::string header_text(const ElevationGrid& grid, double no_data) {
  return "ncols " + std::to_string(grid.nx) + "\nnrows " + std::to_string(grid.ny) +
         "\nxllcenter " + to_text(grid.origin.x()) + "\nyllcenter " + to_text(grid.origin.y()) +
         "\ncellsize " + to_text(grid.spacing) + "\nNODATA_value " + to_text(no_data) + "\n";
}

/// Refuses headers that promise more cells than the file has bytes for, before memory is asked for.
void require_room(const ElevationGrid& grid, std::size_t bytes, std::size_t bytes_per_cell,
                  const TextFile& file) {
  if (grid.ny > bytes / bytes_per_cell / grid.nx)
    throw InputError(file.place(), "the header promises " + std::to_string(grid.nx) + " x " +
                                       std::to_string(grid.ny) + " cells, but the file has only " +
                                       std::to_string(bytes) + " bytes for them: it is cut off");
  require_node_count(grid.nx, grid.ny, file.place());
}

/// What a number of the file means.
class Scaling {
 public:
  Scaling(const ElevationReadOptions& options, double no_data)
      : scale_(options.scale.value_or(1.0)),
        offset_(options.offset.value_or(0.0)),
        no_data_(no_data) {}
  double height(double number) const {
    return number == no_data_ || !std::isfinite(number) ? kNoHeight : offset_ + scale_ * number;
  }

 private:
  double scale_, offset_, no_data_;
};

std::string header_path(const std::string& path) {
  std::filesystem::path header = path;
  return header.replace_extension(header.extension() == ".FLT" ? ".HDR" : ".hdr").string();
}

double number_at(std::string_view bytes, bool lowest_first) {
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < bytes.size(); ++b)
    bits = bits << 8 | static_cast<std::uint8_t>(bytes[lowest_first ? bytes.size() - 1 - b : b]);
  return bytes.size() == 8 ? std::bit_cast<double>(bits)
                           : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}

}  // namespace

ElevationGrid read_asc(const std::string& path, const ElevationReadOptions& options) {
  const TextFile file = read_file_up_to(32 * kMostElevationNodes, path, "an elevation map");
  Lines lines(file.bytes);
  const EsriHeader header(file, lines);
  ElevationGrid grid = header.empty_grid(options);
  require_room(grid, lines.rest().size() + 1, 2, file);  // a digit and a blank
  const Scaling scaling(options, header.no_data());
  grid.heights.resize(grid.nx * grid.ny);
  std::size_t k = 0;
  for (std::string_view line; lines.next(line);) {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line), ++k) {
      const std::optional<double> number = to_number(word);
      if (!number)
        throw InputError(file.place(lines.number()),
                         "a height must be a number, is " + in_quotes(word));
      if (k == grid.heights.size())
        throw InputError(file.place(lines.number()), "more heights than the " + std::to_string(k) +
                                                         " that the header promises");
      grid.heights[node_of(grid, k)] = scaling.height(*number);
    }
  }
  if (k < grid.heights.size())
    throw InputError(file.place(), "has " + std::to_string(k) + " heights instead of the " +
                                       std::to_string(grid.heights.size()) +
                                       " that its header promises: it is cut off");
  refuse_if_cut_off(file);
  return grid;
}

void write_asc(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&) {
  const double no_data = unused_number(grid);
  std::string out = header_text(grid, no_data);
  for (std::size_t k = 0; k < grid.heights.size(); ++k) {
    const double z = grid.heights[node_of(grid, k)];
    out += to_text(std::isfinite(z) ? z : no_data);
    out += (k + 1) % grid.nx == 0 ? '\n' : ' ';
  }
  write_file(path, out);
}

ElevationGrid read_flt(const std::string& path, const ElevationReadOptions& options) {
  const TextFile file = read_file_up_to(8 * kMostElevationNodes, path, "an elevation map");
  const TextFile header_file =
      read_file_up_to(1'000'000, header_path(path), "the header of an elevation map");
  Lines lines(header_file.bytes);
  const EsriHeader header(header_file, lines);
  if (!trimmed(lines.rest()).empty())
    throw InputError(header_file.place(lines.number() + 1),
                     "a header has keywords and values only");
  ElevationGrid grid = header.empty_grid(options);
  const std::size_t size = header.bytes();
  require_room(grid, file.bytes.size(), size, file);
  if (file.bytes.size() != size * grid.nx * grid.ny)
    throw InputError(file.place(),
                     "has " + std::to_string(file.bytes.size()) + " bytes instead of " +
                         std::to_string(size * grid.nx * grid.ny) + " for " +
                         std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " cells");
  refuse_if_cut_off(header_file);
  const bool lowest_first = header.lowest_byte_first();
  const double no_data = header.no_data();
  const Scaling scaling(options, size == 8 ? no_data : double{static_cast<float>(no_data)});
  grid.heights.resize(grid.nx * grid.ny);
  for (std::size_t k = 0; k < grid.heights.size(); ++k)
    grid.heights[node_of(grid, k)] = scaling.height(
        number_at(std::string_view(file.bytes).substr(size * k, size), lowest_first));
  return grid;
}

void write_flt(const ElevationGrid& grid, const std::string& path,
               const ElevationWriteOptions& options) {
  ElevationGrid rounded = grid;
  if (!options.all_digits) {
    require_single_precision(grid, Place{path, 0, 0});
    for (double& z : rounded.heights) z = double{static_cast<float>(z)};
  }
  const double no_data = unused_number(rounded);
  std::string out;
  out.reserve(rounded.heights.size() * (options.all_digits ? 8 : 4));
  for (std::size_t k = 0; k < rounded.heights.size(); ++k) {
    const double z = rounded.heights[node_of(rounded, k)];
    const double number = std::isfinite(z) ? z : no_data;
    const std::uint64_t bits = options.all_digits
                                   ? std::bit_cast<std::uint64_t>(number)
                                   : std::bit_cast<std::uint32_t>(static_cast<float>(number));
    for (int b = 0; b < (options.all_digits ? 8 : 4); ++b)
      out += static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * b)));
  }
  WholeFile heights(path), header(header_path(path));
  heights.write(out);
  header.write(header_text(grid, no_data) + "byteorder LSBFIRST\n" +
               (options.all_digits ? "nbits 64\npixeltype FLOAT\n" : ""));
  keep_both(header, heights);
}

}  // namespace grouser::elevation_formats
