#include "grouser/record/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "grouser/base/assert.h"
#include "grouser/record/recording_hdf5.h"
#include "grouser/record/recording_superblock.h"

namespace grouser::recording {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

namespace {

[[noreturn]] void throw_errno(int number) {
  throw std::runtime_error(reason_of(number));
}

// Keeps a second writer out. Locks of this kind belong to the open file and do not touch the ones
// HDF5 readers may take; where they do not exist, writers are on their own.
void lock_for_writing([[maybe_unused]] int descriptor) {
#ifdef F_OFD_SETLK
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES))
    throw std::runtime_error("another run is writing it");
#endif
}

}  // namespace

File::File(const std::string& path, Mode mode) {
  // O_NONBLOCK: a pipe is refused below, not waited for.
  const int flags = mode == Mode::read     ? O_RDONLY
                    : mode == Mode::create ? O_RDWR | O_CREAT
                                           : O_RDWR;
  descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) throw_errno(errno);
  try {
    struct stat info = {};
    if (::fstat(descriptor_, &info) != 0) throw_errno(errno);
    if (S_ISDIR(info.st_mode)) throw_errno(EISDIR);
    if (!S_ISREG(info.st_mode)) throw std::runtime_error("it is not a regular file");
    size_ = static_cast<std::uint64_t>(info.st_size);
    if (mode != Mode::read) lock_for_writing(descriptor_);
    if (mode == Mode::create) {
      if (::ftruncate(descriptor_, 0) != 0) throw_errno(errno);
      size_ = 0;
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

File::~File() {
  ::close(descriptor_);
}

std::ptrdiff_t File::read(std::uint64_t offset, void* data, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t n = ::pread(descriptor_, static_cast<char*>(data) + done, count - done,
                              static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<std::ptrdiff_t>(done);
}

void File::write(std::uint64_t offset, const void* data, std::size_t count) {
  if (!abandoned_ && !overwrite(offset, {static_cast<const char*>(data), count})) fail(errno);
  size_ = std::max(size_, offset + count);
}

void File::resize(std::uint64_t size) {
  if (!abandoned_ && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
  size_ = size;
}

void File::sync() {
  // EINVAL and ENOTSUP: a file system that cannot sync.
  if (!abandoned_ && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
}

bool File::overwrite(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

void File::fail(int error) {
  error_ = error;
  abandoned_ = true;
}

namespace {

// What HDF5 holds; the public part comes first, as HDF5 casts.
struct DriverFile {
  H5FD_t base;
  haddr_t allocated_end = 0;
  std::shared_ptr<File> file;
};
DriverFile* cast(H5FD_t* file) {
  return reinterpret_cast<DriverFile*>(file);
}
const DriverFile* cast(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* driver_open(const char*, unsigned flags, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (!info) return nullptr;
  auto* opened = new DriverFile{};
  opened->base.access_flags = flags;
  opened->file = **static_cast<const std::shared_ptr<File>* const*>(info);
  return &opened->base;
}

herr_t driver_close(H5FD_t* file) {
  delete cast(file);
  return 0;
}

// No H5FD_FEAT_ACCUMULATE_METADATA: a structure is to reach the file in one write.
herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

// Ends the allocated space at `end`. HDF5 itself puts this end into the superblock after it has
// written what refers to the new space. A run killed in between would leave addresses past the end:
// readers without SWMR mode refuse them, and h5clear cuts the file there. So the file and the end
// in its superblock grow first.
void set_allocated_end(DriverFile& self, haddr_t end) {
  const bool writes = (self.base.access_flags & H5F_ACC_RDWR) != 0;
  if (writes && end > self.allocated_end && is_being_written(*self.file)) {
    if (end > self.file->size()) self.file->resize(end);
    write_allocated_end(*self.file, end);
  }
  self.allocated_end = end;
}

// Allocates at the end of the file. A kill may tear a write apart where it goes from one page of
// memory to the next, and a torn structure is a lost recording, so structures stay within a page.
// (The index of a series outgrows a page after some four million samples.)
haddr_t driver_alloc(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  constexpr haddr_t kPage = 4096;
  DriverFile& self = *cast(file);
  haddr_t begin = self.allocated_end;
  const haddr_t left_in_page = kPage - begin % kPage;
  GROUSER_ASSERT(size > 0);
  if (type != H5FD_MEM_DRAW && size > left_in_page && size <= kPage) begin += left_in_page;
  set_allocated_end(self, begin + size);
  return begin;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return cast(file)->allocated_end;
}
herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  set_allocated_end(*cast(file), end);
  return 0;
}
haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) {
  return cast(file)->file->size();
}

// HDF5 reads structures speculatively, past the end of the file if need be, and expects zeros
// there. Numbers past the end mean that the file was cut short.
herr_t driver_read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t offset, std::size_t count,
                   void* data) {
  const std::ptrdiff_t n = cast(file)->file->read(offset, data, count);
  if (n < 0) return -1;
  const auto got = static_cast<std::size_t>(n);
  if (got < count && type == H5FD_MEM_DRAW) return -1;
  std::memset(static_cast<char*>(data) + got, 0, count - got);
  return 0;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t count,
                    const void* data) {
  cast(file)->file->write(offset, data, count);
  return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& self = *cast(file);
  if (self.allocated_end != self.file->size()) self.file->resize(self.allocated_end);
  return 0;
}

// See recording.h. HDF5 marks a file as being written only for drivers that have these two.
herr_t driver_lock(H5FD_t*, hbool_t) {
  return 0;
}
herr_t driver_unlock(H5FD_t*) {
  return 0;
}

// No `cmp`: every opening stands alone, so a recording read in the process that writes it is as
// fresh as in any other.
H5FD_class_t make_driver() {
  H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(511);  // 256 to 511: unregistered drivers
#endif
  driver.name = "grouser_recording";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(const std::shared_ptr<File>*);
  driver.open = driver_open;
  driver.close = driver_close;
  driver.query = driver_query;
  driver.alloc = driver_alloc;
  driver.get_eoa = driver_get_eoa;
  driver.set_eoa = driver_set_eoa;
  driver.get_eof = driver_get_eof;
  driver.read = driver_read;
  driver.write = driver_write;
  driver.truncate = driver_truncate;
  driver.lock = driver_lock;
  driver.unlock = driver_unlock;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

void use_file(hid_t access, const std::shared_ptr<File>& file) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t driver_id = check(H5FDregister(&driver));
  const std::shared_ptr<File>* info = &file;
  check(H5Pset_driver(access, driver_id, &info));
}

}  // namespace grouser::recording
