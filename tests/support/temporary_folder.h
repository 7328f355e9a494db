// A folder that is gone after the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace grouser {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // One per process and test: tests run side by side.
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        "grouser_" + std::to_string(getpid()) + "_" + test->test_suite_name() + "_" + test->name();
    for (char& c : name)
      if (c == '/') c = '_';  // of parametrised tests
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file and tells its path.
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return *this / name;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace grouser
