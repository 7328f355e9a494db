// The file under a recording, and the HDF5 driver that reads and writes through it.
//
// HDF5 does not recover from a write that fails: closing the file fails too, again at exit. So it
// is never told. After the first failure this file keeps the error, and ignores all further writes;
// the disk then holds what it would hold had the process been killed at that moment, which is what
// SWMR mode keeps readable, and HDF5 closes in peace. The writer asks for the error after each
// operation.
//
// Only recording_*.cpp include this header.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace grouser::recording {

/// "No space left on device" for ENOSPC.
std::string reason_of(int error);

class File {
 public:
  enum class Mode { read, create, replace };

  /// Opens a regular file: to read it, to create or empty it, or to see whether it may be replaced.
  /// The latter two lock it against other writers (not against readers) as long as it is open.
  /// Throws std::runtime_error with the reason.
  File(const std::string& path, Mode mode);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }
  /// Bytes read, less than `count` at the end of the file; negative: failed.
  std::ptrdiff_t read(std::uint64_t offset, void* data, std::size_t count) const;
  void write(std::uint64_t offset, const void* data, std::size_t count);
  void resize(std::uint64_t size);
  /// Waits until everything is on the disk.
  void sync();

  /// errno of the first write that failed, or zero.
  int error() const { return error_; }
  /// Ignores all further writes.
  void abandon() { abandoned_ = true; }
  /// Overwrites bytes that exist, even after a failure: needs no space. True if it worked.
  bool overwrite(std::uint64_t offset, std::string_view bytes);

 private:
  void fail(int error);

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  int error_ = 0;
  bool abandoned_ = false;
};

/// Makes the file access property list `access` use `file`, which must stay in place until the HDF5
/// file is open.
void use_file(hid_t access, const std::shared_ptr<File>& file);

}  // namespace grouser::recording
