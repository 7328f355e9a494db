#include "grouser/record/recording_layout.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <set>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/record/recording_hdf5.h"

namespace grouser::recording {
namespace {

// HDF5 would answer a clash of names with a riddle, in the middle of the work.
class PathBook {
 public:
  void add(const std::string& path) {
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = path.find('/', begin);
      const std::string part = path.substr(begin, end - begin);
      if (part.empty() || part == "." || part.find('\0') != std::string::npos)
        throw InputError("recording path '" + path + "' has a part that is empty or '.'");
      if (end != std::string::npos) folders_.insert(path.substr(0, end));
    }
    if (!paths_.insert(path).second)
      throw InputError("recording path '" + path + "' is used twice");
  }
  // Nothing may be a folder and a series at once.
  void check_folders() const {
    for (const std::string& path : paths_)
      if (folders_.contains(path))
        throw InputError("recording path '" + path + "' is also a part of a longer path");
  }

 private:
  std::set<std::string> paths_, folders_;
};

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string hex_text(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

void require_usable(const RecordingSoil& soil) {
  const std::string who = "recording soil '" + soil.name + "'";
  if (!std::isfinite(soil.spacing) || !(soil.spacing > 0.0))
    throw InputError(who + ": spacing must be positive, is " + to_text(soil.spacing));
  if (soil.nx < 2 || soil.ny < 2)
    throw InputError(who + " needs at least 2 x 2 nodes, has " + std::to_string(soil.nx) + " x " +
                     std::to_string(soil.ny));
  if (soil.heights.size() != soil.nx * soil.ny)
    throw InputError(who + " has " + std::to_string(soil.heights.size()) + " heights for " +
                     std::to_string(soil.nx) + " x " + std::to_string(soil.ny) + " nodes");
}

std::vector<std::vector<std::string>> rows_of(const std::vector<RecordingParameter>& parameters) {
  std::vector<std::vector<std::string>> rows;
  for (const RecordingParameter& p : parameters)
    rows.push_back({p.section, p.model, p.key, p.value, p.unit, p.meaning});
  return rows;
}

template <class Get, class Items>
std::vector<std::string> names_of(const Items& items, Get get) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.*get);
  return names;
}

}  // namespace

void require_usable(const RecordingLayout& layout) {
  PathBook book;
  for (const char* reserved : {"time", "scene", "metadata", "contents", "shapes", "outcome"})
    book.add(reserved);
  for (const RecordingChannel& channel : layout.channels) {
    if (channel.columns.empty())
      throw InputError("recording channel '" + channel.path + "' has no columns");
    book.add(channel.path);
  }
  for (const RecordingSoil& soil : layout.soils) {
    require_usable(soil);
    book.add("soils/" + soil.name + "/heights");
  }
  for (const RecordingPatch& patch : all_patches(layout)) {
    if (patch.columns.empty() || patch.columns.size() != patch.units.size())
      throw InputError("recording patch '" + patch.path + "' needs columns, and a unit for each");
    book.add(patch.path);
  }
  book.check_folders();

  PathBook shapes;
  for (const PictureShape& shape : layout.shapes) shapes.add(shape.name);
  shapes.check_folders();

  std::set<std::string> keys;
  for (const auto& [key, text] : layout.metadata)
    if (key.empty() || !keys.insert(key).second)
      throw InputError("recording metadata key '" + key + "' is empty or used twice");
}

std::vector<RecordingPatch> all_patches(const RecordingLayout& layout) {
  std::vector<RecordingPatch> all = layout.patches;
  for (const RecordingSoil& soil : layout.soils) all.push_back(soil.changes());
  return all;
}

void write_scene(hid_t hdf, const RecordingLayout& layout, const std::string& start_date) {
  write_attribute(hdf, "format", std::string(kFormatName));
  write_attribute(hdf, "format_version", kFormatVersion);
  write_attribute(hdf, "grouser_version", layout.grouser_version);
  write_attribute(hdf, "start_date", start_date.empty() ? date_now() : start_date);

  const Handle scene = make_folder(hdf, "scene");
  write_attribute(scene, "path", layout.scene_path);
  write_attribute(scene, "hash", hex_text(layout.scene_hash));
  write_text(scene, "text", layout.scene_text);
  write_text_table(scene, "parameters", kParameterColumns, rows_of(layout.parameters));

  const Handle ordered = make_properties(H5P_GROUP_CREATE);
  check(H5Pset_attr_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  const Handle metadata(H5Gcreate2(hdf, "metadata", H5P_DEFAULT, ordered, H5P_DEFAULT), H5Gclose);
  for (const auto& [key, text] : layout.metadata) write_attribute(metadata, key.c_str(), text);

  const Handle contents = make_folder(hdf, "contents");
  write_texts(contents, "channels", names_of(layout.channels, &RecordingChannel::path));
  write_texts(contents, "patches", names_of(layout.patches, &RecordingPatch::path));
  write_texts(contents, "shapes", names_of(layout.shapes, &PictureShape::name));
  write_texts(contents, "soils", names_of(layout.soils, &RecordingSoil::name));
}

void write_shapes(hid_t hdf, const std::vector<PictureShape>& shapes) {
  const Handle folder = make_folder(hdf, "shapes");
  const auto write = [](hid_t parent, const char* name, hid_t type, hsize_t rows,
                        const void* data) {
    const hsize_t size[] = {rows, 3};
    Handle dataset(
        H5Dcreate2(parent, name, type, make_space(size), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (rows > 0) check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    return dataset;
  };
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  for (const PictureShape& shape : shapes) {
    const Handle group = make_folder(folder, shape.name);
    write_attribute(group, "body", shape.body);
    write_attribute(group, "kind", shape.kind);
    if (!shape.numbers.empty()) {
      std::vector<std::string> labels;
      std::vector<double> numbers;
      for (const auto& [label, number] : shape.numbers) {
        labels.push_back(label);
        numbers.push_back(number);
      }
      write_attribute(group, "labels", labels);
      write_attribute(group, "numbers", numbers);
    }
    if (shape.mesh.vertices.empty()) continue;
    const Handle vertices = write(group, "vertices", H5T_NATIVE_DOUBLE, shape.mesh.vertices.size(),
                                  shape.mesh.vertices.data());
    write_attribute(vertices, "unit", std::string("m"));
    write_attribute(vertices, "description", std::string("corners in the frame of the body"));
    const Handle triangles = write(group, "triangles", H5T_NATIVE_INT32,
                                   shape.mesh.triangles.size(), shape.mesh.triangles.data());
    write_attribute(triangles, "description",
                    std::string("rows of vertices, from zero; counter-clockwise from outside"));
  }
}

void write_soils(hid_t hdf, const std::vector<RecordingSoil>& soils) {
  for (const RecordingSoil& soil : soils) {
    const Handle folder = make_folder(hdf, "soils/" + soil.name);
    const hsize_t size[] = {soil.ny, soil.nx};
    GROUSER_ASSERT(soil.heights.size() == soil.nx * soil.ny);
    const Handle heights(H5Dcreate2(folder, "heights", H5T_NATIVE_DOUBLE, make_space(size),
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    check(H5Dwrite(heights, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, soil.heights.data()));
    write_attribute(heights, "unit", std::string("m"));
    write_attribute(heights, "description", std::string("before the run"));
    write_attribute(heights, "origin", soil.origin);
    write_attribute(heights, "spacing", std::span(&soil.spacing, 1));
  }
}

}  // namespace grouser::recording

namespace grouser {

RecordingPatch RecordingSoil::changes() const {
  return {"soils/" + name + "/changes",
          {"node", "height"},
          {"", "m"},
          "node iy * nx + ix has this height from the sample on"};
}

}  // namespace grouser
