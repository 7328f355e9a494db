// Recordings of killed runs: readable by grouser as they are, and by HDF5 tools after `h5clear -s`.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "tests/record/recording_example.h"

namespace {

// The process is killed at the write with this number, from one: after it, or within it where it
// goes from one page of memory to the next, which is where a kill may tear it. Writes that fit into
// a page do not count then.
enum class Kill { after_write, within_write };
long fatal_write = 0;
Kill fatal_kill = Kill::after_write;

}  // namespace

// Takes the place of the system's function in this program.
extern "C" ssize_t pwrite(int file, const void* data, std::size_t size, off_t offset) {
  constexpr std::size_t kPage = 4096;
  const std::size_t left_in_page = kPage - static_cast<std::size_t>(offset) % kPage;
  const bool counts = fatal_kill == Kill::after_write || size > left_in_page;
  const bool fatal = counts && fatal_write > 0 && --fatal_write == 0;
  if (fatal && fatal_kill == Kill::within_write) size = left_in_page;
  const ssize_t done = ::lseek(file, offset, SEEK_SET) < 0 ? -1 : ::write(file, data, size);
  if (fatal) ::raise(SIGKILL);
  return done;
}

namespace grouser {
namespace {

class KilledRecordingTest : public RecordingTest {};

constexpr RecordingOptions kFlushOnDemand = {.flush_samples = 1 << 30, .flush_interval = 1e9};

// The child tells through a pipe how many samples were flushed, and is killed at a random moment.
void kill_and_read(const std::string& path, std::uint64_t seed, std::size_t samples_per_flush) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    RecordingWriter writer(path, plain_layout(), kFlushOnDemand);
    for (std::size_t k = 0;; ++k) {
      add_plain_sample(writer, k);
      if ((k + 1) % samples_per_flush != 0) continue;
      writer.flush();
      const std::size_t flushed = k + 1;
      if (::write(ends[1], &flushed, sizeof flushed) < 0) ::_exit(1);
    }
  }
  ::close(ends[1]);
  std::size_t flushed = 0;
  ASSERT_EQ(::read(ends[0], &flushed, sizeof flushed), ssize_t{sizeof flushed});

  // Keep the pipe empty until the moment comes.
  Random random(seed);
  const auto moment =
      std::chrono::steady_clock::now() + std::chrono::microseconds(random.below(60'000));
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  std::size_t next = 0;
  while (std::chrono::steady_clock::now() < moment)
    if (::read(ends[0], &next, sizeof next) == ssize_t{sizeof next}) flushed = next;
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  while (::read(ends[0], &next, sizeof next) == ssize_t{sizeof next}) flushed = next;
  ::close(ends[0]);

  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::running);
  EXPECT_GE(recording.sample_count(), flushed);
  EXPECT_EQ(recording.sample_count() % samples_per_flush, 0u);  // all of a flush or nothing
  expect_plain(recording);
}

// A short run, killed at one of its writes. False if it has fewer of them.
bool kill_at_write(const std::string& path, long write, Kill kill) {
  SCOPED_TRACE("write " + std::to_string(write));
  constexpr std::size_t kChannels = 1, kSamplesPerFlush = 1100, kFlushes = 2;
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    RecordingWriter writer(path, plain_layout(kChannels), kFlushOnDemand);
    fatal_write = write;
    fatal_kill = kill;
    for (std::size_t k = 0; k < kSamplesPerFlush * kFlushes; ++k) {
      add_plain_sample(writer, k, kChannels);
      if ((k + 1) % kSamplesPerFlush != 0) continue;
      writer.flush();
      if (::write(ends[1], "", 1) < 0) ::_exit(1);
    }
    writer.finish({RecordingStatus::complete, "", {{"key", "value"}}, {"warning"}});
    ::_exit(0);
  }
  ::close(ends[1]);
  std::size_t flushes = 0;
  for (char byte; ::read(ends[0], &byte, 1) == 1;) ++flushes;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));

  const Recording recording = open_recording(path);
  EXPECT_GE(recording.sample_count(), flushes * kSamplesPerFlush);
  EXPECT_EQ(recording.sample_count() % kSamplesPerFlush, 0u);  // all of a flush or nothing
  expect_plain(recording);
  clear_and_dump(path);
  return status != 0;
}

// Goes on from `kept` samples to `count`.
void resume(const std::string& path, std::size_t kept, std::size_t count, std::size_t channels) {
  RecordingOptions options = kFlushOnDemand;
  options.resume_samples = kept;
  RecordingWriter writer(path, plain_layout(channels), options);
  for (std::size_t k = kept; k < count; ++k) add_plain_sample(writer, k, channels);
  writer.finish({RecordingStatus::complete, "", {{"key", "value"}}, {"warning"}});
}

// The recording at `path` after a kill during resume(): nothing of what was to be kept is missing,
// and it may be resumed again.
void expect_resumable(const std::string& path, std::size_t kept, std::size_t channels) {
  {
    const Recording recording = open_recording(path);
    EXPECT_GE(recording.sample_count(), kept);
    expect_plain(recording);
  }
  clear_and_dump(path);
  resume(path, kept, kept + 100, channels);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::complete);
  EXPECT_EQ(recording.sample_count(), kept + 100);
  expect_plain(recording);
}

// Kills the child that resumes a copy of the recording `earlier` at one of its writes, from the
// first to the new file to the last. False if it has fewer of them.
bool kill_resume_at_write(const std::string& earlier, const std::string& path, long write,
                          Kill kill) {
  SCOPED_TRACE("write " + std::to_string(write));
  constexpr std::size_t kChannels = 1, kKept = 1100;
  using std::filesystem::copy_options;
  std::filesystem::copy_file(earlier, path, copy_options::overwrite_existing);
  const pid_t child = ::fork();
  if (child == 0) {
    fatal_write = write;
    fatal_kill = kill;
    resume(path, kKept, 2000, kChannels);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  // In the first half of the writes the new one has not taken its place yet.
  if (bytes_of(path) != bytes_of(earlier)) expect_resumable(path, kKept, kChannels);
  return status != 0;
}

// --- by grouser -------------------------------------------------------------------------------

TEST_F(KilledRecordingTest, AtAnyMomentHoldsWhatWasFlushed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) kill_and_read(file("run.h5"), seed, 50);
}

TEST_F(KilledRecordingTest, InHeavyWritingHoldsWhatWasFlushed) {
  for (std::uint64_t seed = 100; seed < 130; ++seed) kill_and_read(file("run.h5"), seed, 1);
  for (std::uint64_t seed = 200; seed < 220; ++seed) kill_and_read(file("run.h5"), seed, 1500);
}

TEST_F(KilledRecordingTest, HoldsTheChangesOfSoils) {
  const std::string path = file("run.h5");
  constexpr std::size_t kSamples = 700;
  const pid_t child = ::fork();
  if (child == 0) {
    RecordingLayout layout;
    layout.soils = {{"ground", {0.0, 0.0}, 0.1, 2, 2, {1, 2, 3, 4}}};
    RecordingWriter writer(path, layout, kFlushOnDemand);
    for (std::size_t k = 0; k <= kSamples; ++k) {
      if (k == kSamples) writer.flush();  // the last sample waits in memory
      const double change[] = {static_cast<double>(k % 4), -time_of(k)};
      const std::span<const double> patches[] = {change};
      writer.add_sample(time_of(k), {}, patches);
    }
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::running);
  ASSERT_EQ(recording.sample_count(), kSamples);
  ASSERT_EQ(recording.layout().soils.size(), 1u);
  EXPECT_EQ(recording.layout().soils[0].heights, (std::vector<double>{1, 2, 3, 4}));
  const std::vector<double> rows = recording.read_patch("soils/ground/changes", 0, kSamples);
  ASSERT_EQ(rows.size(), 2 * kSamples);
  EXPECT_EQ(rows[2 * 698], 2.0);
  EXPECT_EQ(rows[2 * 698 + 1], -time_of(698));
}

TEST_F(KilledRecordingTest, MayBeResumed) {
  const std::string path = file("run.h5");
  for (std::uint64_t seed = 400; seed < 405 && !HasFailure(); ++seed) {
    kill_and_read(path, seed, 50);
    const std::size_t kept = open_recording(path).sample_count() * 2 / 3;
    resume(path, kept, kept + 1000, 20);
    const Recording recording = open_recording(path);
    EXPECT_EQ(recording.sample_count(), kept + 1000);
    EXPECT_EQ(recording.outcome().status, RecordingStatus::complete);
    expect_plain(recording);
  }
}

TEST_F(KilledRecordingTest, WhileItIsResumedHoldsWhatWasKept) {
  const std::string path = file("run.h5");
  constexpr std::size_t kChannels = 20, kKept = 20'000;
  {
    RecordingWriter writer(path, plain_layout());
    for (std::size_t k = 0; k < kKept + 100; ++k) add_plain_sample(writer, k);
  }
  // Each goes on from what the one before left, and most are killed in the copy.
  Random random(500);
  for (int round = 0; round < 30 && !HasFailure(); ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      resume(path, kKept, kKept + 5000, kChannels);
      ::_exit(0);
    }
    ::usleep(random.below(60'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const Recording recording = open_recording(path);
    EXPECT_GE(recording.sample_count(), kKept);
    expect_plain(recording);
  }
  expect_resumable(path, kKept, kChannels);
}

TEST_F(KilledRecordingTest, MayBeReplaced) {
  const std::string path = file("run.h5");
  kill_and_read(path, 1, 10);
  RecordingWriter(path, plain_layout()).finish({});
  EXPECT_EQ(open_recording(path).outcome().status, RecordingStatus::complete);
}

// HDF5 itself reads zeros where such a file ends.
TEST_F(KilledRecordingTest, CutShortIsRefusedOrRight) {
  const std::string path = file("run.h5");
  kill_and_read(path, 3, 100);
  for (std::uintmax_t length = std::filesystem::file_size(path) - 1; length > 8;
       length = length * 2 / 3) {
    std::filesystem::resize_file(path, length);
    try {
      expect_plain(open_recording(path));
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("damaged or cut short"), std::string::npos)
          << error.what();
    }
  }
}

// --- by HDF5 tools ----------------------------------------------------------------------------

TEST_F(KilledRecordingTest, IsReadableByHdf5OnceCleared) {
  const std::string path = file("run.h5");
  kill_and_read(path, 300, 20);
  EXPECT_NE(std::system(("h5dump '" + path + "' > /dev/null 2>&1").c_str()), 0);
  clear_and_dump(path);
  for (std::uint64_t seed = 301; seed < 305 && !HasFailure(); ++seed) {
    kill_and_read(path, seed, 20);
    clear_and_dump(path);
  }
}

// Not left to chance: at each write of a run, from its first sample to its end.
TEST_F(KilledRecordingTest, IsReadableWhicheverWriteWasTheLast) {
  const auto count_writes = [&](Kill kill) {
    long write = 1;
    while (!HasFailure() && kill_at_write(file("run.h5"), write, kill)) ++write;
    return write - 1;
  };
  EXPECT_GT(count_writes(Kill::after_write), 50);
  EXPECT_GT(count_writes(Kill::within_write), 10);
}

TEST_F(KilledRecordingTest, WhileItIsResumedIsReadableWhicheverWriteWasTheLast) {
  // Left by a kill itself, with samples that are dropped.
  const std::string earlier = file("earlier.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    RecordingWriter writer(earlier, plain_layout(1), kFlushOnDemand);
    for (std::size_t k = 0; k < 1500; ++k) add_plain_sample(writer, k, 1);
    writer.flush();
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const auto count_writes = [&](Kill kill) {
    long write = 1;
    while (!HasFailure() && kill_resume_at_write(earlier, file("run.h5"), write, kill)) ++write;
    return write - 1;
  };
  EXPECT_GT(count_writes(Kill::after_write), 100);
  EXPECT_GT(count_writes(Kill::within_write), 10);
}

}  // namespace
}  // namespace grouser
