#include "grouser/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include "grouser/base/error.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

std::string reason() {
  return errno != 0 ? std::generic_category().message(errno) : "unknown reason";
}

/// Numbers of processes do not do: those of hosts and containers that share a folder may be equal.
std::string name_of_part(const std::string& target) {
  return target + "." + std::to_string(std::random_device()()) + ".part";
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(path), target_(path) {
  std::error_code ignored;
  if (fs::is_symlink(target_, ignored)) target_ = fs::weakly_canonical(target_, ignored).string();
  const bool special = fs::exists(target_, ignored) && !fs::is_regular_file(target_, ignored);
  part_ = special ? target_ : make_new_file([&] { return name_of_part(target_); });
  if (!part_.empty()) {
    errno = 0;
    out_.open(part_, std::ios::binary | std::ios::trunc);
  }
  if (!out_.is_open()) throw RunError(path_ + ": cannot be written: " + reason());
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

void WholeFile::finish() {
  errno = 0;
  if (out_.is_open()) out_.close();
  require_written();
}

void WholeFile::keep() {
  finish();
  std::error_code error;
  if (part_ != target_) fs::rename(part_, target_, error);
  if (error) throw RunError(path_ + ": cannot be written: " + error.message());
  kept_ = true;
}

void WholeFile::require_written() {
  if (!out_) throw RunError(path_ + ": cannot be written: " + reason());
}

void keep_both(WholeFile& first, WholeFile& second) {
  first.finish();
  second.finish();
  std::error_code error;
  if (second.part_ != second.target_) fs::remove(second.target_, error);
  if (error) throw RunError(second.path_ + ": cannot be written: " + error.message());
  first.keep();
  second.keep();
}

void write_file(const std::string& path, std::string_view bytes) {
  WholeFile file(path);
  file.write(bytes);
  file.keep();
}

std::string make_new_file(const std::function<std::string()>& next_name) {
  for (int trial = 0; trial < 1000; ++trial) {
    const std::string name = next_name();
    const int file = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return name;
    }
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace grouser
