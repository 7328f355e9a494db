// grouser info: tells what is in a file.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

#include "apps/cli/geometry_facts.h"
#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/record/recording.h"

namespace grouser::cli {
namespace {

namespace fs = std::filesystem;

// --- meshes and maps --------------------------------------------------------------------------

void print_mesh(std::ostream& out, const std::string& path) {
  const TriangleMesh mesh = read_mesh_file(path);
  print_field(out, "mesh", path + " (" + file_size_text(path) + ")");
  print_mesh_facts(out, mesh);
}

void print_map(std::ostream& out, const std::string& path) {
  const ElevationGrid grid = read_elevation_file(path);
  print_field(out, "map", path + " (" + file_size_text(path) + ")");
  print_map_facts(out, grid);
}

// --- recordings -------------------------------------------------------------------------------

std::string status_text(RecordingStatus status) {
  switch (status) {
    case RecordingStatus::complete:
      return "complete";
    case RecordingStatus::running:
      return "running, or killed before it ended: partial";
    default:
      return std::string(to_text(status)) + ": partial";
  }
}

std::string samples_text(const Recording& recording) {
  const std::vector<double>& time = recording.time();
  std::string text = std::to_string(time.size());
  if (!time.empty())
    text += ", from " + to_text(time.front(), 6) + " s to " + to_text(time.back(), 6) + " s";
  return text;
}

TextTable channel_table(const RecordingLayout& layout) {
  TextTable table({"channel", "unit", "columns", "meaning"});
  for (const RecordingChannel& channel : layout.channels)
    table.add({channel.path, channel.unit,
               channel.columns.size() == 1 ? "1" : join(channel.columns, " "),
               channel.description});
  return table;
}

TextTable patch_table(const RecordingLayout& layout) {
  TextTable table({"patch", "columns", "meaning"});
  for (const RecordingPatch& patch : layout.patches)
    table.add({patch.path, std::to_string(patch.columns.size()), patch.description});
  return table;
}

TextTable shape_table(const RecordingLayout& layout) {
  TextTable table({"shape", "body", "kind", "triangles"});
  table.align_right(3);
  for (const PictureShape& shape : layout.shapes)
    table.add({shape.name, shape.body, shape.kind,
               shape.mesh.triangles.empty() ? "" : std::to_string(shape.mesh.triangle_count())});
  return table;
}

TextTable soil_table(const RecordingLayout& layout) {
  TextTable table({"soil", "nodes", "spacing [m]"});
  for (const RecordingSoil& soil : layout.soils)
    table.add({soil.name, std::to_string(soil.nx) + " x " + std::to_string(soil.ny),
               to_text(soil.spacing, 6)});
  return table;
}

void print_recording(std::ostream& out, const std::string& path) {
  const Recording recording = open_recording(path);
  const RecordingLayout& layout = recording.layout();
  const RecordingOutcome& outcome = recording.outcome();

  print_field(out, "recording", path + " (" + file_size_text(path) + ")");
  print_field(out, "status", status_text(outcome.status));
  if (!outcome.message.empty()) print_field(out, "reason", outcome.message);
  print_field(out, "scene", layout.scene_path);
  for (const auto& [key, text] : layout.metadata) print_field(out, key, text);
  print_field(out, "started", layout.start_date + " with grouser " + layout.grouser_version);
  print_field(out, "samples", samples_text(recording));
  for (const TextTable& table :
       {channel_table(layout), patch_table(layout), shape_table(layout), soil_table(layout)}) {
    if (table.empty()) continue;
    out << '\n';
    table.print(out);
  }
  TextTable summary({"", ""});
  for (const auto& [key, text] : outcome.summary) summary.add({key, text});
  if (!summary.empty()) out << "\nsummary\n";
  summary.print(out);
  if (!outcome.warnings.empty()) out << '\n';
  print_fields(out, "warnings", outcome.warnings);
}

// --- kinds of files ---------------------------------------------------------------------------

struct FileKind {
  const char* name;
  std::vector<std::string> suffixes;
  void (*print)(std::ostream& out, const std::string& path);
};

std::vector<FileKind> file_kinds() {
  return {{"recording", {".h5", ".hdf5"}, print_recording},
          {"mesh", mesh_file_suffixes(), print_mesh},
          {"elevation map", elevation_file_suffixes(), print_map}};
}

ExitCode info(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(path + ": there is no such file");
  if (fs::is_directory(path, error)) throw InputError(path + ": is a folder, not a file");
  const std::string suffix = suffix_of(path);
  std::string known;
  for (const FileKind& kind : file_kinds()) {
    if (std::find(kind.suffixes.begin(), kind.suffixes.end(), suffix) != kind.suffixes.end()) {
      kind.print(std::cout, path);
      return kDone;
    }
    known +=
        (known.empty() ? "" : "; ") + std::string(kind.name) + " (" + join(kind.suffixes) + ")";
  }
  if (suffix == ".toml") throw InputError(path + ": is a scene; see 'grouser check'");
  throw InputError(path + ": is of no known kind; known are " + known);
}

}  // namespace

Action add_info(CLI::App& verb) {
  const auto path = std::make_shared<std::string>();
  verb.add_option("file", *path, "Recording or mesh file")->required();
  return [path] { return info(*path); };
}

}  // namespace grouser::cli
