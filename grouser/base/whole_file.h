// Files that appear whole or not at all, and their names.
#pragma once

#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace grouser {

/// A file that takes its name when it is whole, also beside other writers of the same name; one
/// that does not get so far leaves no trace but after a kill, and then under a name of its own that
/// ends in ".part". A file that had the name before is replaced; of a symbolic link, its target.
/// What is there and no regular file (a device, a pipe) is not replaced but written to.
class WholeFile {
 public:
  /// Throws RunError if it cannot be created.
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Throws RunError if not all of it could be written.
  void write(std::string_view bytes);
  /// Nothing follows. Throws RunError if not all of it could be written.
  void finish();
  /// The file is whole. Throws RunError if it is not, or cannot take its name.
  void keep();
  /// Keeps two files of which the second means nothing without the first, as heights without their
  /// header. Nothing changes unless both are whole; what happens after that leaves both or no
  /// second, but never one beside a first it does not belong to. For one writer at a time.
  friend void keep_both(WholeFile& first, WholeFile& second);

 private:
  void require_written();

  std::string path_, target_, part_;
  std::ofstream out_;
  bool kept_ = false;
};

/// All of it at once.
void write_file(const std::string& path, std::string_view bytes);

/// Makes an empty file where there was none, with the rights that other new files get, and tells
/// its name; asks for another name as long as there is something of that name, also if that is made
/// by another process or host at the same time. Returns no name, and errno, where that is not why.
std::string make_new_file(const std::function<std::string()>& next_name);

}  // namespace grouser
