// Files that appear whole or not at all, and their names.
#include "grouser/base/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "grouser/base/error.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

struct WholeFileTest : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) /
                    ("whole_file_" + std::to_string(getpid()) + "_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string path = (folder / "file.txt").string();

  WholeFileTest() { fs::create_directories(folder); }
  ~WholeFileTest() override { fs::remove_all(folder); }

  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
};

TEST_F(WholeFileTest, AppearsWhenItIsWhole) {
  write_file(path, "before");
  {
    WholeFile file(path);
    file.write("af");
    EXPECT_EQ(content(path), "before");
    file.write("ter");
    file.keep();
  }
  EXPECT_EQ(content(path), "after");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFileTest, LeavesNoTraceIfItIsNot) {
  write_file(path, "before");
  { WholeFile(path).write("half"); }
  EXPECT_EQ(content(path), "before");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFileTest, IsOfOneWriterWhenManyWriteAtOnce) {
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'i'; ++letter)
    writers.emplace_back([&, letter] {
      for (int k = 0; k < 20; ++k) write_file(path, std::string(100'000, letter));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string found = content(path);
  ASSERT_EQ(found.size(), 100'000u);
  EXPECT_EQ(found, std::string(100'000, found[0]));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFileTest, ReplacesTheTargetOfALink) {
  write_file(path, "before");
  fs::create_symlink(path, folder / "link");
  write_file((folder / "link").string(), "after");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content(path), "after");
}

TEST_F(WholeFileTest, WritesToWhatIsNoRegularFileWithoutReplacingIt) {
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string heard;
  std::thread reader([&] { heard = content(pipe); });
  write_file(pipe, "through the pipe");
  reader.join();
  EXPECT_EQ(heard, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));

  EXPECT_THROW(write_file("/dev/full", "no room"), RunError);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_THROW(write_file(folder.string(), "a folder"), RunError);
  EXPECT_TRUE(fs::is_directory(folder));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFileTest, TouchesNoUnfinishedFileOfAnotherHost) {
  // Another host may have a process of the same number.
  const std::string same = path + "." + std::to_string(getpid()) + "-";
  for (int k = 0; k < 300; ++k)
    std::ofstream(same + std::to_string(k) + ".part") << "of another host";
  write_file(path, "ours");
  EXPECT_EQ(content(path), "ours");
  EXPECT_EQ(entries(), 301u);
  for (int k = 0; k < 300; ++k)
    EXPECT_EQ(content(same + std::to_string(k) + ".part"), "of another host");
}

TEST_F(WholeFileTest, TakesNoNameThatIsTaken) {
  const std::string taken = (folder / "taken").string(), free = (folder / "free").string();
  write_file(taken, "of another");
  fs::create_symlink(folder / "nowhere", folder / "link");  // not even one to nowhere
  int asked = 0;
  const std::string names[] = {taken, (folder / "link").string(), free};
  EXPECT_EQ(make_new_file([&] { return names[asked++]; }), free);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(content(taken), "of another");
  EXPECT_TRUE(fs::is_regular_file(free));
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  EXPECT_EQ(make_new_file([&] { return taken; }), "");  // and gives up
}

TEST_F(WholeFileTest, HasTheRightsOfAnyNewFile) {
  const mode_t before = umask(027);
  write_file(path, "text");
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST_F(WholeFileTest, KeepsTwoFilesTogether) {
  const std::string header = (folder / "header").string();
  write_file(header, "old header");
  write_file(path, "old");
  {
    WholeFile first(header), second(path);
    first.write("new header");
    second.write("new");
    keep_both(first, second);
  }
  EXPECT_EQ(content(header), "new header");
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(WholeFileTest, LeavesNoSecondFileBesideAnotherFirst) {
  const std::string header = (folder / "header").string();
  write_file(path, "old");
  WholeFile first(header), second(path);
  fs::create_directories(header + "/in the way");  // so that it cannot take its name
  EXPECT_THROW(keep_both(first, second), RunError);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(WholeFileTest, LeavesTwoFilesAsTheyAreIfOneIsNotWhole) {
  const std::string header = (folder / "header").string();
  write_file(header, "old header");
  WholeFile first(header), second("/dev/full");
  first.write("new header");
  second.write("no room");
  EXPECT_THROW(keep_both(first, second), RunError);
  EXPECT_EQ(content(header), "old header");
  EXPECT_THROW(second.keep(), RunError);  // asked again it is no more whole
}

}  // namespace
}  // namespace grouser
