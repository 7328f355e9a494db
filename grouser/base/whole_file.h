// Files that appear whole or not at all.
#pragma once

#include <fstream>
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
  /// The file is whole. Throws RunError if it cannot take its name.
  void keep();

 private:
  void require_written();

  std::string path_, target_, part_;
  std::ofstream out_;
  bool kept_ = false;
};

/// All of it at once.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace grouser
