#include "grouser/report/report.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "grouser/base/error.h"
#include "grouser/report/page_template.h"
#include "grouser/report/run_page.h"
#include "grouser/sim/simulation.h"

namespace grouser {

using namespace report;

namespace {

namespace fs = std::filesystem;

/// A file that takes its name when it is whole; one that does not get so far leaves no trace.
class PageFile {
 public:
  explicit PageFile(const std::string& path) : path_(path), target_(path) {
    std::error_code ignored;
    if (fs::is_symlink(target_, ignored)) target_ = fs::weakly_canonical(target_, ignored).string();
    errno = 0;
    out_.open(target_ + ".part", std::ios::binary | std::ios::trunc);
    if (!out_) throw RunError(path_ + ": cannot be created: " + reason());
  }
  ~PageFile() {
    if (kept_) return;
    out_.close();
    std::error_code ignored;
    fs::remove(target_ + ".part", ignored);
  }
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  void write(std::string_view bytes) {
    errno = 0;
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    require_written();
  }
  void keep() {
    errno = 0;
    out_.close();
    require_written();
    std::error_code error;
    fs::rename(target_ + ".part", target_, error);
    if (error) throw RunError(path_ + ": cannot be written: " + error.message());
    kept_ = true;
  }

 private:
  static std::string reason() { return std::generic_category().message(errno); }
  void require_written() {
    if (!out_) throw RunError(path_ + ": cannot be written: " + reason());
  }

  std::string path_, target_;
  std::ofstream out_;
  bool kept_ = false;
};

/// Bytes as text, four characters for three; what is left over waits for the next piece.
class Base64 {
 public:
  explicit Base64(PageFile& file) : file_(file) {}

  void write(std::string_view bytes) {
    constexpr std::size_t kFullText = 1 << 16;
    for (const char byte : bytes) {
      waiting_ = waiting_ << 8 | static_cast<unsigned char>(byte);
      if (++count_ == 3) encode();
      if (text_.size() >= kFullText) flush();
    }
  }
  void end() {
    const std::size_t missing = count_ == 0 ? 0 : 3 - count_;
    waiting_ <<= 8 * missing;
    if (missing > 0) encode();
    text_.replace(text_.size() - missing, missing, missing, '=');
    flush();
  }

 private:
  void encode() {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int shift = 18; shift >= 0; shift -= 6) text_ += kLetters[waiting_ >> shift & 63u];
    waiting_ = 0;
    count_ = 0;
  }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

  PageFile& file_;
  std::uint32_t waiting_ = 0;
  std::size_t count_ = 0;  // bytes that wait
  std::string text_;
};

void require_place(const std::string& path, std::span<const Recording> recordings) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw InputError(path + ": is a folder; give the name of a file");
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw InputError(path + ": is no regular file");
  for (const Recording& recording : recordings)
    if (fs::equivalent(path, recording.path(), ignored))
      throw InputError(path + ": the page would replace the recording");
}

/// Runs of the same name are told apart by their paths.
void make_names_distinct(Json& runs) {
  std::set<std::string> names;
  for (const Json& run : runs) names.insert(run["name"].get<std::string>());
  if (names.size() == runs.size()) return;
  for (Json& run : runs)
    run["name"] = fs::path(run["path"].get<std::string>()).replace_extension().string();
}

void write_page(const char* kind, std::span<const Recording> recordings, const std::string& path,
                const ReportLimits& limits) {
  require_report_page();
  require_place(path, recordings);
  PageData data;
  Json header = {
      {"kind", kind}, {"generator", "grouser " + grouser_version()}, {"runs", Json::array()}};
  for (const Recording& recording : recordings)
    header["runs"].push_back(run_page(recording, limits, data));
  make_names_distinct(header["runs"]);

  const std::string_view page = page_template();
  const std::size_t mark = page.find(kDataMark);
  PageFile file(path);
  file.write(page.substr(0, mark));
  Base64 text(file);
  data.write(header, [&](std::string_view bytes) { text.write(bytes); });
  text.end();
  file.write(page.substr(mark + kDataMark.size()));
  file.keep();
}

}  // namespace

bool have_report_page() {
  return !page_template().empty();
}

void require_report_page() {
  if (!have_report_page())
    throw InputError(
        "report pages are off in this build; install nodejs and npm, configure with "
        "-DGROUSER_WITH_REPORT_PAGE=ON and build again");
}

void write_report(const Recording& recording, const std::string& path, const ReportLimits& limits) {
  write_page("report", std::span(&recording, 1), path, limits);
}

void write_comparison(std::span<const Recording> recordings, const std::string& path,
                      const ReportLimits& limits) {
  write_page("compare", recordings, path, limits);
}

}  // namespace grouser
