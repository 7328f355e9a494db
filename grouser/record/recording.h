// The recording of a run: one HDF5 file that Python, MATLAB and Julia open as it is.
//
// A writer makes every group, dataset and attribute first and only appends afterwards (HDF5's
// "single writer, multiple readers" mode). A run killed at any moment leaves a file that holds
// everything up to the last flush, and other processes may read while the run goes on. They need
// the SWMR flag for that (h5py: `File(path, "r", swmr=True)`), and also for the file of a killed
// run unless `h5clear -s` is called on it once; open_recording() finds out by itself. Neither
// writer nor reader takes HDF5's file locks, so readers never shut each other out; two writers of
// the same path do.
//
// HDF5's printing of its error stack is switched off for the calling thread. A writer or a
// recording belongs to one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grouser/mesh/picture_shape.h"

namespace grouser {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// A numeric series with a fixed number of columns: a dataset [samples x columns].
struct RecordingChannel {
  std::string path;  ///< "bodies/ball/position"
  std::string unit;
  std::vector<std::string> columns = {""};  ///< {"x", "y", "z"}; {""} for a single number
  std::string description;
};

/// A series with any number of rows per sample, such as the elements of a contact patch: `data`
/// [rows of all samples x columns] and `offsets` [samples + 1]; sample k has the rows
/// offsets[k] to offsets[k + 1].
struct RecordingPatch {
  std::string path;  ///< "contacts/ball_on_torus/elements"
  std::vector<std::string> columns;
  std::vector<std::string> units;  ///< one per column
  std::string description;
};

/// A parameter of the scene as it was used, given or by default.
struct RecordingParameter {
  std::string section;  ///< "simulation", "contact ball_on_torus"
  std::string model;    ///< of a contact; else empty
  std::string key;
  std::string value;
  std::string unit;
  std::string meaning;

  bool operator==(const RecordingParameter&) const = default;
};

/// A grid of heights that changes: ground that is pressed and torn. Node (ix, iy) has the number
/// iy * nx + ix and lies at origin + spacing * (ix, iy).
struct RecordingSoil {
  std::string name;
  std::array<double, 2> origin = {0.0, 0.0};  ///< x and y of node (0, 0), in the world [m]
  double spacing = 0.0;                       ///< [m]
  std::size_t nx = 0;
  std::size_t ny = 0;
  std::vector<double> heights;  ///< of the nodes by number, before the run [m]

  /// What happens to it, as a patch: rows of a node and the height it has from that sample on.
  RecordingPatch changes() const;
};

/// Everything known before the first sample.
struct RecordingLayout {
  std::string grouser_version;
  std::string scene_path;
  std::string scene_text;
  std::uint64_t scene_hash = 0;
  std::string start_date;  ///< ISO 8601; if empty the writer takes the present, in UTC
  TextPairs metadata;
  std::vector<RecordingChannel> channels;
  std::vector<RecordingPatch> patches;
  std::vector<PictureShape> shapes;
  std::vector<RecordingParameter> parameters;
  std::vector<RecordingSoil> soils;
};

enum class RecordingStatus {
  running,  ///< still running, or killed
  complete,
  interrupted,
  failed,
};
std::string_view to_text(RecordingStatus status);

/// How the run ended. Texts longer than their place in the file (message 4 kB, keys 128 bytes,
/// values and warnings 1 kB) are cut and end in "...".
struct RecordingOutcome {
  RecordingStatus status = RecordingStatus::complete;
  std::string message;
  TextPairs summary;
  std::vector<std::string> warnings;
};

struct RecordingOptions {
  std::size_t flush_samples = 256;    ///< flush when so many samples wait in memory ...
  double flush_interval = 1.0;        ///< ... or so much wall time has passed [s] ...
  std::size_t flush_bytes = 1 << 24;  ///< ... or they take so much memory
  /// Go on from the recording that is at the path: its first so many samples are kept.
  std::optional<std::size_t> resume_samples = std::nullopt;
};

class RecordingWriter {
 public:
  /// Makes the file, under the name `path`.part until it is complete enough to be read; a file that
  /// was at `path` is replaced at that moment. Throws InputError if the layout makes no sense
  /// (paths that clash, a soil without spacing) and RunError if the file cannot be made.
  ///
  /// With `resume_samples` the samples and the start date of the recording at `path` are copied
  /// first, so at every moment there is a recording that holds them; later samples are dropped.
  /// That recording may have ended in any way, by a kill too. Throws InputError, and leaves it
  /// alone, if there is none, if it has fewer samples, or if its channels, patches or soils are not
  /// those of the layout.
  RecordingWriter(const std::string& path, const RecordingLayout& layout,
                  const RecordingOptions& options = {});

  /// Without a finish() before, ends the file as "failed". Never throws.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  // After a failed write all of these throw RunError. The file then holds what was flushed before,
  // and says "failed" with the reason.

  /// Adds a sample: `values` are all channels one after the other in layout order, `patches[i]` the
  /// rows of patch i one after the other. Behind the patches of the layout come the changes of its
  /// soils. Times are finite and strictly increasing.
  void add_sample(double time, std::span<const double> values,
                  std::span<const std::span<const double>> patches = {});

  /// Writes what waits in memory, so that it survives a kill and readers see it.
  void flush();

  /// The same, if the flush interval is over. For loops in which samples may be far apart.
  void flush_if_due();

  /// Flushes, writes the outcome and closes the file. Nothing may follow.
  void finish(const RecordingOutcome& outcome);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A recording opened for reading: the state at the moment of opening. Open it again to see more of
/// a running one. Throws InputError, with the path, if the file turns out to be damaged.
class Recording {
 public:
  struct Impl;
  explicit Recording(std::unique_ptr<Impl> impl);
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  const std::string& path() const;
  const RecordingLayout& layout() const;
  const RecordingOutcome& outcome() const;
  std::size_t sample_count() const;

  /// Sample times [s].
  const std::vector<double>& time() const;

  /// A channel, row after row: all samples, or `count` of them from `first`.
  /// An unknown path throws InputError with the nearest one.
  std::vector<double> read_channel(std::string_view path) const;
  std::vector<double> read_channel(std::string_view path, std::size_t first,
                                   std::size_t count) const;

  /// The rows of a patch, one after the other: those of one sample, or of `count` from `first`. The
  /// changes of a soil are read as the patch "soils/<name>/changes".
  std::vector<double> read_patch(std::string_view path, std::size_t sample) const;
  std::vector<double> read_patch(std::string_view path, std::size_t first, std::size_t count) const;

  /// Sample k has the rows offsets[k] to offsets[k + 1] of the patch.
  std::vector<std::int64_t> read_patch_offsets(std::string_view path) const;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Throws InputError if there is no readable recording at `path`.
Recording open_recording(const std::string& path);

/// Writes time and the selected channels as comma-separated values, one row per sample, with
/// `path.column [unit]` as header. `selection` has channel paths or leading parts of them
/// ("bodies/ball"); empty selects all.
void export_csv(const Recording& recording, std::ostream& out,
                std::span<const std::string> selection = {});
void export_csv(const Recording& recording, const std::string& path,
                std::span<const std::string> selection = {});

}  // namespace grouser
