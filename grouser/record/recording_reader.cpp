#include <algorithm>
#include <cmath>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/record/recording.h"
#include "grouser/record/recording_file.h"
#include "grouser/record/recording_hdf5.h"
#include "grouser/record/recording_layout.h"
#include "grouser/record/recording_superblock.h"

namespace grouser {

using namespace recording;

struct Recording::Impl {
  std::string path;
  std::shared_ptr<File> file;
  Handle hdf;
  RecordingLayout layout;
  std::vector<RecordingPatch> patches;  // and the changes of soils
  RecordingOutcome outcome;
  std::vector<double> time;

  void require_samples(std::size_t first, std::size_t count) const {
    if (first <= time.size() && count <= time.size() - first) return;
    throw InputError(path + ": has " + std::to_string(time.size()) + " samples, asked were " +
                     std::to_string(count) + " from " + std::to_string(first));
  }
};

namespace {

constexpr std::string_view kStatusTexts[] = {"running", "complete", "interrupted", "failed"};

Handle open_dataset(hid_t parent, const std::string& path) {
  return {H5Dopen2(parent, path.c_str(), H5P_DEFAULT), H5Dclose};
}

Handle open_group(hid_t parent, const std::string& path) {
  return {H5Gopen2(parent, path.c_str(), H5P_DEFAULT), H5Gclose};
}

// Rows of a dataset; refuses what the dataset does not have.
template <class Number>
std::vector<Number> read_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count) {
  std::vector<hsize_t> size = size_of(dataset);
  if (size.empty() || first > size[0] || count > size[0] - first)
    throw HdfError("a dataset has too few rows");
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = first;
  size[0] = count;
  std::size_t numbers = 1;
  for (const hsize_t n : size) numbers *= n;
  std::vector<Number> out(numbers);
  if (numbers == 0) return out;
  const Handle rows(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(rows, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  check(H5Dread(dataset, type, make_space(size), rows, H5P_DEFAULT, out.data()));
  return out;
}

std::vector<double> read_numbers(hid_t dataset, hsize_t first, hsize_t count) {
  return read_rows<double>(dataset, H5T_NATIVE_DOUBLE, first, count);
}

bool has_link(hid_t parent, const char* name) {
  return check(H5Lexists(parent, name, H5P_DEFAULT)) > 0;
}

hsize_t row_count(hid_t dataset) {
  const std::vector<hsize_t> size = size_of(dataset);
  return size.empty() ? 0 : size[0];
}

// --- opening ----------------------------------------------------------------------------------

// As a file at rest, or as one that is being written or was left by a killed run. A writer that
// ends in between does no harm.
Handle open_hdf5(const std::shared_ptr<File>& file, const std::string& path) {
  const Handle access = make_properties(H5P_FILE_ACCESS);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  use_file(access, file);
  unsigned mode = H5F_ACC_RDONLY;
  if (is_being_written(*file)) {
    mode |= H5F_ACC_SWMR_READ;
    // A structure caught half written is read again, after a pause that doubles from 1 ns: 0.1 s in
    // all. HDF5's own choice of 100 attempts would outlast us on a damaged file.
    check(H5Pset_metadata_read_attempts(access, 27));
  }
  return {H5Fopen(path.c_str(), mode, access), H5Fclose};
}

void require_recording(hid_t hdf, const std::string& path) {
  std::string format;
  if (check(H5Aexists(hdf, "format")) > 0) format = read_text_attribute(hdf, "format");
  if (format != kFormatName)
    throw InputError(path + ": is an HDF5 file but not a grouser recording (attribute 'format' " +
                     (format.empty() ? "is missing" : "is '" + format + "'") + ")");
  const std::int64_t version = read_integer_attribute(hdf, "format_version");
  if (version != kFormatVersion)
    throw InputError(path + ": has recording format " + std::to_string(version) +
                     ", this program reads format " + std::to_string(kFormatVersion));
}

// --- parts ------------------------------------------------------------------------------------

// A sample counts once its time is there: the writer writes time last, and a row of time whose
// number did not make it to the file reads as NaN.
std::vector<double> read_time(hid_t hdf) {
  const Handle dataset = open_dataset(hdf, "time");
  std::vector<double> time = read_numbers(dataset, 0, row_count(dataset));
  time.erase(std::find_if(time.begin(), time.end(), [](double t) { return std::isnan(t); }),
             time.end());
  if (std::adjacent_find(time.begin(), time.end(), std::greater_equal<>()) != time.end())
    throw HdfError("time does not increase");
  return time;
}

herr_t add_attribute(hid_t group, const char* name, const H5A_info_t*, void* out) {
  try {
    static_cast<TextPairs*>(out)->emplace_back(name, read_text_attribute(group, name));
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

void read_scene(hid_t hdf, RecordingLayout& layout) {
  layout.grouser_version = read_text_attribute(hdf, "grouser_version");
  layout.start_date = read_text_attribute(hdf, "start_date");
  const Handle scene = open_group(hdf, "scene");
  layout.scene_path = read_text_attribute(scene, "path");
  layout.scene_hash = std::strtoull(read_text_attribute(scene, "hash").c_str(), nullptr, 16);
  const std::vector<std::string> texts = read_texts(scene, "text");
  if (texts.size() == 1) layout.scene_text = texts.front();
  if (has_link(scene, "parameters"))  // older recordings have none
    for (std::vector<std::string>& row : read_text_table(scene, "parameters", kParameterColumns))
      layout.parameters.push_back({row[0], row[1], row[2], row[3], row[4], row[5]});
  const Handle metadata = open_group(hdf, "metadata");
  hsize_t position = 0;
  check(H5Aiterate2(metadata, H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, add_attribute,
                    &layout.metadata));
}

void read_series(hid_t hdf, RecordingLayout& layout) {
  for (const std::string& path : read_texts(hdf, "contents/channels")) {
    const Handle dataset = open_dataset(hdf, path);
    layout.channels.push_back({path, read_text_attribute(dataset, "unit"),
                               read_texts_attribute(dataset, "columns"),
                               read_text_attribute(dataset, "description")});
    const std::vector<hsize_t> size = size_of(dataset);
    if (size.size() != 2 || size[1] != layout.channels.back().columns.size())
      throw HdfError("channel '" + path + "' has another width than columns");
  }
  for (const std::string& path : read_texts(hdf, "contents/patches")) {
    const Handle group = open_group(hdf, path);
    const Handle data = open_dataset(group, "data");
    layout.patches.push_back({path, read_texts_attribute(data, "columns"),
                              read_texts_attribute(data, "units"),
                              read_text_attribute(group, "description")});
  }
}

TriangleMesh read_mesh(hid_t group) {
  TriangleMesh mesh;
  const Handle vertices = open_dataset(group, "vertices");
  const std::vector<double> corners = read_numbers(vertices, 0, row_count(vertices));
  const Handle triangles = open_dataset(group, "triangles");
  const auto indices =
      read_rows<std::int32_t>(triangles, H5T_NATIVE_INT32, 0, row_count(triangles));
  if (size_of(vertices) != std::vector<hsize_t>{corners.size() / 3, 3} ||
      size_of(triangles) != std::vector<hsize_t>{indices.size() / 3, 3})
    throw HdfError("a mesh needs three columns");
  for (std::size_t i = 0; i < corners.size(); i += 3)
    mesh.vertices.emplace_back(corners[i], corners[i + 1], corners[i + 2]);
  for (std::size_t i = 0; i < indices.size(); i += 3)
    mesh.triangles.push_back({indices[i], indices[i + 1], indices[i + 2]});
  return mesh;
}

void read_shapes(hid_t hdf, RecordingLayout& layout) {
  const Handle folder = open_group(hdf, "shapes");
  for (const std::string& name : read_texts(hdf, "contents/shapes")) {
    const Handle group = open_group(folder, name);
    PictureShape shape;
    shape.name = name;
    shape.body = read_text_attribute(group, "body");
    shape.kind = read_text_attribute(group, "kind");
    if (check(H5Aexists(group, "numbers")) > 0) {
      const std::vector<std::string> labels = read_texts_attribute(group, "labels");
      const std::vector<double> numbers = read_numbers_attribute(group, "numbers");
      for (std::size_t i = 0; i < std::min(labels.size(), numbers.size()); ++i)
        shape.numbers.emplace_back(labels[i], numbers[i]);
    }
    if (has_link(group, "vertices")) shape.mesh = read_mesh(group);
    layout.shapes.push_back(std::move(shape));
  }
}

void read_soils(hid_t hdf, RecordingLayout& layout) {
  if (!has_link(hdf, "contents/soils")) return;  // older recordings have none
  for (const std::string& name : read_texts(hdf, "contents/soils")) {
    const Handle heights = open_dataset(hdf, "soils/" + name + "/heights");
    const std::vector<hsize_t> size = size_of(heights);
    const std::vector<double> origin = read_numbers_attribute(heights, "origin");
    const std::vector<double> spacing = read_numbers_attribute(heights, "spacing");
    if (size.size() != 2 || origin.size() != 2 || spacing.size() != 1)
      throw HdfError("soil '" + name + "' is no grid");
    layout.soils.push_back({name,
                            {origin[0], origin[1]},
                            spacing[0],
                            size[1],
                            size[0],
                            read_numbers(heights, 0, size[0])});
  }
}

std::string read_fixed_text(hid_t parent, const char* name, std::size_t size) {
  const Handle dataset = open_dataset(parent, name);
  std::string bytes(size, '\0');
  check(H5Dread(dataset, text_type(size), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  return text_from(bytes.data(), bytes.size());
}

RecordingOutcome read_outcome(hid_t hdf) {
  RecordingOutcome outcome;
  const Handle group = open_group(hdf, "outcome");
  const std::string status = read_fixed_text(group, "status", kStatusSize);
  const auto* found = std::find(std::begin(kStatusTexts), std::end(kStatusTexts), status);
  if (found == std::end(kStatusTexts)) throw HdfError("status '" + status + "' is unknown");
  outcome.status = static_cast<RecordingStatus>(found - std::begin(kStatusTexts));
  outcome.message = read_fixed_text(group, "message", kMessageSize);

  const Handle summary = open_dataset(group, "summary");
  for (const SummaryRow& row :
       read_rows<SummaryRow>(summary, summary_type(), 0, row_count(summary)))
    outcome.summary.emplace_back(text_from(row.key, sizeof row.key),
                                 text_from(row.value, sizeof row.value));
  const Handle warnings = open_dataset(group, "warnings");
  for (const WarningRow& row :
       read_rows<WarningRow>(warnings, text_type(sizeof(WarningRow)), 0, row_count(warnings)))
    outcome.warnings.push_back(text_from(row.text, sizeof row.text));
  return outcome;
}

// --- looking things up ------------------------------------------------------------------------

template <class Item>
const Item& find_path(const std::vector<Item>& items, std::string_view path,
                      const std::string& file, const char* what) {
  for (const Item& item : items)
    if (item.path == path) return item;
  std::vector<std::string> known;
  for (const Item& item : items) known.push_back(item.path);
  throw InputError(file + ": has no " + what + " '" + std::string(path) + "'" +
                   suggestion(path, known));
}

// Runs `read`; what HDF5 refuses means that the file is not what it should be.
template <class Read>
auto reading(const std::string& path, const std::string& what, const Read& read) {
  silence_hdf5();
  try {
    return read();
  } catch (const HdfError& error) {
    throw InputError(path + ": " + what + " cannot be read, the recording is damaged or cut short" +
                     " (HDF5: " + error.what() + ")");
  }
}

}  // namespace

std::string_view to_text(RecordingStatus status) {
  GROUSER_ASSERT(static_cast<std::size_t>(status) < std::size(kStatusTexts));
  return kStatusTexts[static_cast<std::size_t>(status)];
}

Recording open_recording(const std::string& path) {
  auto impl = std::make_unique<Recording::Impl>();
  impl->path = path;
  try {
    impl->file = std::make_shared<File>(path, File::Mode::read);
  } catch (const std::runtime_error& error) {
    throw InputError(path + ": cannot be opened as a recording: " + error.what());
  }
  if (!has_hdf5_signature(*impl->file))
    throw InputError(path + ": is not an HDF5 file; expected a grouser recording");
  reading(path, "the file", [&] {
    impl->hdf = open_hdf5(impl->file, path);
    require_recording(impl->hdf, path);
    // In this order: a recording that says "complete" is, and all series have a row for each time.
    impl->outcome = read_outcome(impl->hdf);
    impl->time = read_time(impl->hdf);
    read_scene(impl->hdf, impl->layout);
    read_series(impl->hdf, impl->layout);
    read_shapes(impl->hdf, impl->layout);
    read_soils(impl->hdf, impl->layout);
    impl->patches = all_patches(impl->layout);
  });
  return Recording(std::move(impl));
}

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const std::string& Recording::path() const {
  return impl_->path;
}
const RecordingLayout& Recording::layout() const {
  return impl_->layout;
}
const RecordingOutcome& Recording::outcome() const {
  return impl_->outcome;
}
std::size_t Recording::sample_count() const {
  return impl_->time.size();
}
const std::vector<double>& Recording::time() const {
  return impl_->time;
}

std::vector<double> Recording::read_channel(std::string_view path) const {
  return read_channel(path, 0, sample_count());
}

std::vector<double> Recording::read_channel(std::string_view path, std::size_t first,
                                            std::size_t count) const {
  const RecordingChannel& channel = find_path(impl_->layout.channels, path, impl_->path, "channel");
  impl_->require_samples(first, count);
  return reading(impl_->path, "channel '" + channel.path + "'", [&] {
    return read_numbers(open_dataset(impl_->hdf, channel.path), first, count);
  });
}

std::vector<double> Recording::read_patch(std::string_view path, std::size_t sample) const {
  return read_patch(path, sample, 1);
}

std::vector<double> Recording::read_patch(std::string_view path, std::size_t first,
                                          std::size_t count) const {
  const RecordingPatch& patch = find_path(impl_->patches, path, impl_->path, "patch");
  impl_->require_samples(first, count);
  return reading(impl_->path, "patch '" + patch.path + "'", [&] {
    const Handle offsets = open_dataset(impl_->hdf, patch.path + "/offsets");
    const auto begin = read_rows<std::int64_t>(offsets, H5T_NATIVE_INT64, first, 1)[0];
    const auto end = read_rows<std::int64_t>(offsets, H5T_NATIVE_INT64, first + count, 1)[0];
    if (begin < 0 || end < begin) throw HdfError("offsets do not increase");
    return read_numbers(open_dataset(impl_->hdf, patch.path + "/data"), static_cast<hsize_t>(begin),
                        static_cast<hsize_t>(end - begin));
  });
}

std::vector<std::int64_t> Recording::read_patch_offsets(std::string_view path) const {
  const RecordingPatch& patch = find_path(impl_->patches, path, impl_->path, "patch");
  return reading(impl_->path, "patch '" + patch.path + "'", [&] {
    const Handle dataset = open_dataset(impl_->hdf, patch.path + "/offsets");
    auto offsets = read_rows<std::int64_t>(dataset, H5T_NATIVE_INT64, 0, sample_count() + 1);
    if (offsets[0] != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
      throw HdfError("offsets do not increase from zero");
    return offsets;
  });
}

}  // namespace grouser
