#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/record/recording.h"
#include "grouser/record/recording_file.h"
#include "grouser/record/recording_hdf5.h"
#include "grouser/record/recording_layout.h"
#include "grouser/record/recording_resume.h"
#include "grouser/record/recording_series.h"

namespace grouser {

using namespace recording;

namespace {

constexpr hsize_t kChunkRows = 512;
constexpr hsize_t kPatchChunkBytes = 1 << 16;
using Clock = std::chrono::steady_clock;

}  // namespace

struct RecordingWriter::Impl {
  Impl(const std::string& wanted_path, const RecordingLayout& layout,
       const RecordingOptions& wanted_options);

  // Making the file, in this order.
  void create(const RecordingLayout& layout, const std::string& start_date);
  void make_channels(const std::vector<RecordingChannel>& layout);
  void make_patches(const std::vector<RecordingPatch>& layout);
  void make_outcome();
  void copy_samples(const Recording& earlier, const RecordingLayout& layout);

  void flush();
  void write_waiting();
  void finish(const RecordingOutcome& outcome);
  bool write_ending(RecordingStatus status, const std::string& message);

  // Carries out `action`; a failure closes everything, leaves its reason in the file and throws.
  template <class Action>
  void attempt(const std::string& doing, const Action& action);
  [[noreturn]] void fail(const std::string& doing, const std::string& reason);
  void require_open() const;
  herr_t close_all();

  std::string path;
  RecordingOptions options;
  std::shared_ptr<File> file;
  Handle hdf;
  Series<double> time;
  std::vector<Series<double>> channels;
  std::vector<PatchSeries> patches;
  Handle summary, warnings;
  std::optional<std::uint64_t> status_offset, message_offset;  // bytes from the start of the file

  std::size_t values_per_sample = 0;
  std::size_t waiting_bytes = 0;
  double last_time = -std::numeric_limits<double>::infinity();
  hsize_t flushed_samples = 0;
  double last_flushed_time = 0.0;
  Clock::time_point last_flush = Clock::now();
  std::string failure;  // of an earlier call
  bool finished = false;
};

// --- making the file --------------------------------------------------------------------------

RecordingWriter::Impl::Impl(const std::string& wanted_path, const RecordingLayout& layout,
                            const RecordingOptions& wanted_options)
    : path(wanted_path), options(wanted_options) {
  namespace fs = std::filesystem;
  silence_hdf5();
  require_usable(layout);
  const std::string cannot = path + ": cannot create the recording: ";
  std::string target = path;
  std::string part;
  std::optional<File> replaced;      // locked until the new one is in its place
  std::optional<Recording> earlier;  // to go on from
  try {
    // What is there already must be a recording that may be replaced, not a folder or a device.
    if (fs::is_symlink(path)) target = fs::canonical(path).string();
    if (fs::exists(target)) replaced.emplace(target, File::Mode::replace);
    if (options.resume_samples) {
      earlier = open_recording(path);
      require_resumable(*earlier, *options.resume_samples, layout);
    }
    part = target + ".part";
    file = std::make_shared<File>(part, File::Mode::create);
  } catch (const InputError&) {
    throw;
  } catch (const fs::filesystem_error& error) {
    throw RunError(cannot + error.code().message());
  } catch (const std::runtime_error& error) {
    throw RunError(cannot + error.what());
  }

  // Build it under another name, then put it in place in one step.
  const auto discard = [&] {
    file->abandon();
    close_all();
    std::error_code ignored;
    fs::remove(part, ignored);
  };
  std::string reason;
  try {
    create(layout, earlier ? earlier->layout().start_date : layout.start_date);
    if (earlier) copy_samples(*earlier, layout);
    std::error_code error;
    if (!file->error()) fs::rename(part, target, error);
    if (error) reason = error.message();
  } catch (const HdfError& error) {
    reason = error.what();
  } catch (...) {  // the earlier one is damaged
    discard();
    throw;
  }
  if (file->error()) reason = reason_of(file->error());
  if (reason.empty()) return;
  discard();
  throw RunError(cannot + reason);
}

void RecordingWriter::Impl::create(const RecordingLayout& layout, const std::string& start_date) {
  // Version 1.10 is the first format with SWMR, and the last one that all readers know.
  const Handle access = make_properties(H5P_FILE_ACCESS);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  use_file(access, file);
  // Rows are only appended, so a chunk or two of each series in memory are enough. (Said for the
  // file: HDF5 forgets what was said for a dataset when SWMR mode starts.)
  check(H5Pset_cache(access, 0, 11, 2 * kPatchChunkBytes, 1.0));
  // The driver places everything, see driver_alloc().
  const Handle creation = make_properties(H5P_FILE_CREATE);
  check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_NONE, false, 1));
  hdf = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);

  write_scene(hdf, layout, start_date);
  write_shapes(hdf, layout.shapes);
  write_soils(hdf, layout.soils);
  make_channels(layout.channels);
  make_patches(all_patches(layout));
  make_outcome();
  check(H5Fflush(hdf, H5F_SCOPE_LOCAL));
  if (!file->error()) check(H5Fstart_swmr_write(hdf));
}

void RecordingWriter::Impl::make_channels(const std::vector<RecordingChannel>& layout) {
  const hsize_t time_chunk[] = {kChunkRows};
  time = make_series(hdf, "time", time_chunk);
  write_attribute(time.dataset, "unit", std::string("s"));
  write_attribute(time.dataset, "description", std::string("time of each sample"));
  for (const RecordingChannel& channel : layout) {
    const hsize_t chunk[] = {kChunkRows, channel.columns.size()};
    channels.push_back(make_series(hdf, channel.path, chunk));
    write_attribute(channels.back().dataset, "unit", channel.unit);
    write_attribute(channels.back().dataset, "columns", channel.columns);
    write_attribute(channels.back().dataset, "description", channel.description);
    values_per_sample += channel.columns.size();
  }
}

void RecordingWriter::Impl::make_patches(const std::vector<RecordingPatch>& layout) {
  for (const RecordingPatch& wanted : layout) {
    const std::size_t width = wanted.columns.size();
    const Handle group = make_folder(hdf, wanted.path);
    write_attribute(group, "description", wanted.description);

    PatchSeries patch;
    const hsize_t rows = std::max<hsize_t>(1, kPatchChunkBytes / (width * sizeof(double)));
    const hsize_t data_chunk[] = {rows, width};
    patch.data = make_series(group, "data", data_chunk);
    write_attribute(patch.data.dataset, "columns", wanted.columns);
    write_attribute(patch.data.dataset, "units", wanted.units);

    const hsize_t offsets_chunk[] = {kChunkRows};
    patch.offsets.dataset =
        make_growing(group, "offsets", H5T_NATIVE_INT64, offsets_chunk, nullptr);
    write_attribute(patch.offsets.dataset, "description",
                    std::string("sample k has the rows offsets[k] to offsets[k + 1] of data"));
    patch.offsets.waiting.push_back(0);
    patch.offsets.write();
    patches.push_back(std::move(patch));
  }
}

// Status and message get their bytes on the disk now, so that a full disk can still say so.
void RecordingWriter::Impl::make_outcome() {
  const Handle group = make_folder(hdf, "outcome");
  const auto reserve = [&](const char* name, std::size_t size, std::string text) {
    text.resize(size, '\0');
    const Handle type = text_type(size);
    const Handle creation = make_properties(H5P_DATASET_CREATE);
    check(H5Pset_layout(creation, H5D_CONTIGUOUS));
    check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
    const Handle dataset(
        H5Dcreate2(group, name, type, make_space({}), H5P_DEFAULT, creation, H5P_DEFAULT),
        H5Dclose);
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF) throw_hdf_error();
    return offset;
  };
  status_offset = reserve("status", kStatusSize, std::string(to_text(RecordingStatus::running)));
  message_offset = reserve("message", kMessageSize, "");
  const hsize_t chunk[] = {16};
  summary = make_growing(group, "summary", summary_type(), chunk, nullptr);
  warnings = make_growing(group, "warnings", text_type(sizeof(WarningRow)), chunk, nullptr);
}

// As if they had been added, and on the disk before the earlier recording is given up.
void RecordingWriter::Impl::copy_samples(const Recording& earlier, const RecordingLayout& layout) {
  const std::size_t count = *options.resume_samples;
  for (std::size_t i = 0; i < channels.size(); ++i)
    copy_channel(earlier, layout.channels[i].path, count, *file, channels[i]);
  const std::vector<RecordingPatch> wanted = all_patches(layout);
  for (std::size_t i = 0; i < patches.size(); ++i)
    copy_patch(earlier, wanted[i].path, count, *file, patches[i]);
  if (file->error()) return;
  time.append(std::span(earlier.time()).first(count));
  check(H5Fflush(hdf, H5F_SCOPE_LOCAL));
  file->sync();
  if (count == 0) return;
  last_time = last_flushed_time = earlier.time()[count - 1];
  flushed_samples = count;
}

// --- samples ----------------------------------------------------------------------------------

// The last row of time is what makes a sample count, so it is written when all else is on file.
void RecordingWriter::Impl::write_waiting() {
  for (Series<double>& channel : channels) channel.write();
  for (PatchSeries& patch : patches) {
    patch.data.write();
    patch.offsets.write();
  }
  check(H5Fflush(hdf, H5F_SCOPE_LOCAL));
  time.write();
  check(H5Dflush(time.dataset));
  // All series have a row for each time.
  GROUSER_ASSERT(
      std::ranges::all_of(channels, [&](const auto& c) { return c.written == time.written; }));
}

void RecordingWriter::Impl::flush() {
  last_flush = Clock::now();
  if (time.waiting.empty()) return;
  attempt("writing samples up to " + to_text(last_time, 6) + " s", [&] { write_waiting(); });
  waiting_bytes = 0;
  flushed_samples = time.written;
  last_flushed_time = last_time;
}

// --- the end ----------------------------------------------------------------------------------

void RecordingWriter::Impl::finish(const RecordingOutcome& outcome) {
  GROUSER_ASSERT(!finished);
  flush();
  attempt("writing the outcome", [&] {
    std::vector<SummaryRow> rows(outcome.summary.size());  // zeros
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [key, value] = outcome.summary[i];
      cut(key, sizeof rows[i].key).copy(rows[i].key, sizeof rows[i].key);
      cut(value, sizeof rows[i].value).copy(rows[i].value, sizeof rows[i].value);
    }
    if (!rows.empty()) append_rows(summary, summary_type(), 0, rows.size(), rows.data());

    std::vector<WarningRow> lines(outcome.warnings.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      cut(outcome.warnings[i], sizeof lines[i].text).copy(lines[i].text, sizeof lines[i].text);
    if (!lines.empty())
      append_rows(warnings, text_type(sizeof(WarningRow)), 0, lines.size(), lines.data());
    check(H5Fflush(hdf, H5F_SCOPE_LOCAL));
  });
  // The status comes last: "complete" means that everything is there.
  attempt("closing", [&] {
    check(close_all());
    file->sync();
    if (!file->error() && !write_ending(outcome.status, outcome.message))
      throw HdfError(reason_of(errno));
    file->sync();
  });
  finished = true;
}

bool RecordingWriter::Impl::write_ending(RecordingStatus status, const std::string& message) {
  GROUSER_ASSERT(status_offset && message_offset);
  std::string text(to_text(status));
  text.resize(kStatusSize, '\0');
  std::string reason = cut(message, kMessageSize);
  reason.resize(kMessageSize, '\0');
  return file->overwrite(*message_offset, reason) && file->overwrite(*status_offset, text);
}

herr_t RecordingWriter::Impl::close_all() {
  for (Series<double>& channel : channels) channel.dataset.close();
  for (PatchSeries& patch : patches) {
    patch.data.dataset.close();
    patch.offsets.dataset.close();
  }
  time.dataset.close();
  summary.close();
  warnings.close();
  return hdf.close();
}

template <class Action>
void RecordingWriter::Impl::attempt(const std::string& doing, const Action& action) {
  std::string reason;
  try {
    action();
  } catch (const HdfError& error) {
    reason = error.what();
  }
  if (file->error()) reason = reason_of(file->error());
  if (!reason.empty()) fail(doing, reason);
}

void RecordingWriter::Impl::fail(const std::string& doing, const std::string& reason) {
  file->abandon();
  close_all();
  failure = path + ": " + doing + " failed: " + reason + "; the recording keeps " +
            std::to_string(flushed_samples) + " samples";
  if (flushed_samples > 0) failure += " up to " + to_text(last_flushed_time, 6) + " s";
  write_ending(RecordingStatus::failed, failure);
  throw RunError(failure);
}

void RecordingWriter::Impl::require_open() const {
  if (!failure.empty()) throw RunError(failure);
  if (finished) throw RunError(path + ": the recording is finished already");
}

// --- the public face --------------------------------------------------------------------------

RecordingWriter::RecordingWriter(const std::string& path, const RecordingLayout& layout,
                                 const RecordingOptions& options)
    : impl_(std::make_unique<Impl>(path, layout, options)) {}

RecordingWriter::~RecordingWriter() {
  if (impl_->finished || !impl_->failure.empty()) return;
  try {
    impl_->finish({RecordingStatus::failed, "the run was left before its end", {}, {}});
  } catch (...) {
    // The file says so itself; there is nobody to tell.
  }
}

void RecordingWriter::add_sample(double time, std::span<const double> values,
                                 std::span<const std::span<const double>> patches) {
  Impl& self = *impl_;
  self.require_open();
  const auto refuse = [&](const std::string& what) {
    throw RunError(self.path + ": sample at " + to_text(time) + " s " + what);
  };
  if (!std::isfinite(time) || time <= self.last_time)
    refuse("must come after " + to_text(self.last_time) + " s");
  if (values.size() != self.values_per_sample)
    refuse("has " + std::to_string(values.size()) + " values instead of " +
           std::to_string(self.values_per_sample));
  if (patches.size() != self.patches.size())
    refuse("has " + std::to_string(patches.size()) + " patches instead of " +
           std::to_string(self.patches.size()));
  for (std::size_t i = 0; i < patches.size(); ++i)
    if (patches[i].size() % self.patches[i].data.width != 0)
      refuse("has a patch whose last row is incomplete");

  for (Series<double>& channel : self.channels) {
    channel.waiting.insert(channel.waiting.end(), values.begin(), values.begin() + channel.width);
    values = values.subspan(channel.width);
  }
  GROUSER_ASSERT(values.empty());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    PatchSeries& patch = self.patches[i];
    patch.data.waiting.insert(patch.data.waiting.end(), patches[i].begin(), patches[i].end());
    patch.rows += static_cast<std::int64_t>(patches[i].size() / patch.data.width);
    patch.offsets.waiting.push_back(patch.rows);
    self.waiting_bytes += patches[i].size_bytes();
  }
  self.time.waiting.push_back(time);
  self.waiting_bytes += self.values_per_sample * sizeof(double);
  self.last_time = time;

  if (self.time.waiting.size() >= self.options.flush_samples ||
      self.waiting_bytes >= self.options.flush_bytes)
    self.flush();
  else
    flush_if_due();
}

void RecordingWriter::flush() {
  impl_->require_open();
  impl_->flush();
}

void RecordingWriter::flush_if_due() {
  impl_->require_open();
  const std::chrono::duration<double> passed = Clock::now() - impl_->last_flush;
  if (passed.count() >= impl_->options.flush_interval) impl_->flush();
}

void RecordingWriter::finish(const RecordingOutcome& outcome) {
  impl_->require_open();
  impl_->finish(outcome);
}

}  // namespace grouser
