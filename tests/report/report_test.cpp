#include "grouser/report/report.h"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "grouser/base/error.h"
#include "tests/report/page_reader.h"
#include "tests/report/recordings.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

class Report : public ::testing::Test {
 protected:
  Recording recording(const std::string& name = "run.h5", std::size_t count = 5) const {
    return open_recording(
        write_signal(folder_, name, times(count, 0.1), [](double t) { return t * t * t; }));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_ / ""))
      out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }

  const TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

#ifdef GROUSER_HAVE_REPORT_PAGE

TEST_F(Report, IsAPageWithTheDataOfTheRecording) {
  EXPECT_TRUE(have_report_page());
  write_report(recording(), folder_ / "run.html");
  const report::PageReader page(report::container_of(folder_.read("run.html")));
  EXPECT_EQ(page.header["kind"], "report");
  ASSERT_EQ(page.header["runs"].size(), 1u);
  EXPECT_EQ(page.header["runs"][0]["samples"], 5);
  EXPECT_EQ(page.read<double>(page.header["runs"][0]["time"]), times(5, 0.1));
  EXPECT_EQ(folder_.read("run.html").find("@GROUSER_DATA@"), std::string::npos);
  EXPECT_EQ(files(), (Names{"run.h5", "run.html"}));
}

// Whatever is left over in base64, and over many pieces.
TEST_F(Report, HasDataOfAnyLength) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 30'000u}) {
    write_report(recording("run.h5", count), folder_ / "run.html", {.samples = 100'000});
    const report::PageReader page(report::container_of(folder_.read("run.html")));
    EXPECT_EQ(page.read<double>(page.header["runs"][0]["time"]), times(count, 0.1));
  }
}

TEST_F(Report, OfSeveralRecordingsHasARunEach) {
  std::vector<Recording> recordings;
  recordings.push_back(recording("a.h5", 3));
  recordings.push_back(recording("b.h5", 4));
  write_comparison(recordings, folder_ / "compare.html");
  const report::PageReader page(report::container_of(folder_.read("compare.html")));
  EXPECT_EQ(page.header["kind"], "compare");
  ASSERT_EQ(page.header["runs"].size(), 2u);
  EXPECT_EQ(page.header["runs"][0]["name"], "a");
  EXPECT_EQ(page.header["runs"][1]["samples"], 4);
}

TEST_F(Report, TellsRecordingsOfTheSameNameApart) {
  fs::create_directory(folder_ / "x");
  std::vector<Recording> recordings;
  recordings.push_back(recording("a.h5"));
  recordings.push_back(recording("x/a.h5"));
  write_comparison(recordings, folder_ / "compare.html");
  const report::PageReader page(report::container_of(folder_.read("compare.html")));
  EXPECT_EQ(page.header["runs"][0]["name"], folder_ / "a");
  EXPECT_EQ(page.header["runs"][1]["name"], folder_ / "x/a");
}

TEST_F(Report, ReplacesAnOlderPageAlsoThroughALink) {
  folder_.write("run.html", "old");
  write_report(recording(), folder_ / "run.html");
  EXPECT_NE(folder_.read("run.html"), "old");
  folder_.write("target.html", "old");
  fs::create_symlink("target.html", folder_ / "link.html");
  write_report(recording(), folder_ / "link.html");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.html"));
  EXPECT_EQ(folder_.read("target.html"), folder_.read("run.html"));
}

TEST_F(Report, RefusesPlacesThatMakeNoSense) {
  const Recording run = recording();
  const std::string before = folder_.read("run.h5");
  fs::create_directory(folder_ / "folder");
  const auto refusal = [&](const std::string& path) {
    return message_of<InputError>([&] { write_report(run, path); });
  };
  EXPECT_EQ(refusal(folder_ / "folder"),
            folder_ / "folder" + ": is a folder; give the name of a file");
  EXPECT_EQ(refusal(folder_ / "./run.h5"),
            folder_ / "./run.h5" + ": the page would replace the recording");
  EXPECT_EQ(refusal("/dev/null"), "/dev/null: is no regular file");
  EXPECT_EQ(folder_.read("run.h5"), before);
  EXPECT_EQ(files(), (Names{"folder", "run.h5"}));
}

TEST_F(Report, ThatCannotBeWrittenLeavesNothing) {
  const Recording run = recording();
  EXPECT_EQ(message_of<RunError>([&] { write_report(run, folder_ / "none/run.html"); }),
            folder_ / "none/run.html" + ": cannot be written: No such file or directory");

  // A disk that is full after 1000 bytes.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {1000, before.rlim_max};
  folder_.write("run.html", "old");
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      message_of<RunError>([&] { write_report(run, folder_ / "run.html"); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(message, folder_ / "run.html" + ": cannot be written: File too large");
  EXPECT_EQ(folder_.read("run.html"), "old");
  EXPECT_EQ(files(), (Names{"run.h5", "run.html"}));
}

#else

TEST_F(Report, IsRefusedByABuildWithoutThePage) {
  EXPECT_FALSE(have_report_page());
  const Recording run = recording();
  const std::string message =
      message_of<InputError>([&] { write_report(run, folder_ / "run.html"); });
  EXPECT_TRUE(contains(message, "report pages are off in this build; install nodejs and npm"));
  EXPECT_TRUE(contains(message, "-DGROUSER_WITH_REPORT_PAGE=ON"));
  EXPECT_EQ(files(), Names{"run.h5"});
}

#endif

}  // namespace
}  // namespace grouser
