// grouser info: tells what is in a file.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/geometry/mass_properties.h"
#include "grouser/geometry/mesh_file.h"
#include "grouser/geometry/mesh_groups.h"
#include "grouser/sim/recording.h"

namespace grouser::cli {
namespace {

namespace fs = std::filesystem;

std::string vector_text(const Vec3& x) {
  return "[" + to_text(x.x(), 6) + ", " + to_text(x.y(), 6) + ", " + to_text(x.z(), 6) + "]";
}

// --- meshes -----------------------------------------------------------------------------------

std::string census_text(const MeshCensus& census) {
  const std::pair<std::size_t, const char*> counts[] = {
      {census.boundary_edges, "boundary edges"},
      {census.non_manifold_edges, "non-manifold edges"},
      {census.flipped_edges, "flipped edges"},
      {census.degenerate_triangles, "degenerate triangles"}};
  std::vector<std::string> found;
  for (const auto& [count, what] : counts)
    if (count > 0) found.push_back(std::to_string(count) + " " + what);
  return found.empty() ? "clean" : join(found);
}

TextTable group_table(const TriangleMesh& mesh) {
  TextTable table({"group", "triangles", "area [m^2]"});
  table.align_right(1).align_right(2);
  for (const MeshGroup& group : summarize_groups(mesh))
    table.add({group.name, std::to_string(group.triangles), to_text(group.area, 6)});
  return table;
}

void print_mesh(std::ostream& out, const std::string& path) {
  const TriangleMesh mesh = read_mesh_file(path);
  const MeshCensus census = take_census(mesh);
  const Box box = bounding_box(mesh);
  print_field(out, "mesh", path + " (" + file_size_text(path) + ")");
  print_field(out, "triangles", std::to_string(mesh.triangle_count()));
  print_field(
      out, "vertices",
      std::to_string(mesh.vertices.size()) + " after welding, " + counted(census.edges, "edge"));
  print_field(out, "box", vector_text(box.lower) + " to " + vector_text(box.upper) + " m");
  print_field(out, "size", vector_text(2.0 * box.half_size()) + " m");
  print_field(out, "surface",
              std::string(census.closed() ? "closed" : "open") + ", " + census_text(census));
  print_field(out, "area", to_text(surface_area(mesh), 6) + " m^2");
  if (census.closed()) {
    const double volume = signed_volume(mesh);
    print_field(
        out, "volume",
        to_text(volume, 6) + " m^3" + (volume < 0.0 ? " (inside out: triangles look inward)" : ""));
  }
  if (mesh.group_names.empty()) return;
  out << '\n';
  group_table(mesh).print(out);
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
  for (const RecordingShape& shape : layout.shapes)
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
          {"mesh", mesh_file_suffixes(), print_mesh}};
}

ExitCode info(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(path + ": there is no such file");
  if (fs::is_directory(path, error)) throw InputError(path + ": is a folder, not a file");
  std::string suffix = fs::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
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
