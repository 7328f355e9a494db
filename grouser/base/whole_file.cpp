#include "grouser/base/whole_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "grouser/base/error.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

std::string reason() {
  return errno != 0 ? std::generic_category().message(errno) : "unknown reason";
}

/// A name that no other process and no other thread uses.
std::string name_of_part(const std::string& target) {
  static std::atomic<unsigned> count = 0;
  return target + "." + std::to_string(getpid()) + "-" + std::to_string(count++) + ".part";
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(path), target_(path) {
  std::error_code ignored;
  if (fs::is_symlink(target_, ignored)) target_ = fs::weakly_canonical(target_, ignored).string();
  const bool special = fs::exists(target_, ignored) && !fs::is_regular_file(target_, ignored);
  part_ = special ? target_ : name_of_part(target_);
  errno = 0;
  out_.open(part_, std::ios::binary | std::ios::trunc);
  if (!out_) throw RunError(path_ + ": cannot be written: " + reason());
}

WholeFile::~WholeFile() {
  if (kept_) return;
  out_.close();
  std::error_code ignored;
  if (part_ != target_) fs::remove(part_, ignored);
}

void WholeFile::write(std::string_view bytes) {
  errno = 0;
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require_written();
}

void WholeFile::keep() {
  errno = 0;
  out_.close();
  require_written();
  std::error_code error;
  if (part_ != target_) fs::rename(part_, target_, error);
  if (error) throw RunError(path_ + ": cannot be written: " + error.message());
  kept_ = true;
}

void WholeFile::require_written() {
  if (!out_) throw RunError(path_ + ": cannot be written: " + reason());
}

void write_file(const std::string& path, std::string_view bytes) {
  WholeFile file(path);
  file.write(bytes);
  file.keep();
}

}  // namespace grouser
