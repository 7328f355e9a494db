#include "tests/cli/child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>

namespace grouser {
namespace {

constexpr unsigned kLongest = 60;  // [s]

std::string all_of(std::FILE* file) {
  std::string text;
  char buffer[4096];
  std::rewind(file);
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  return text;
}

}  // namespace

Child::Child(std::vector<std::string> arguments, const std::string& folder, rlim_t file_limit)
    : out_(std::tmpfile(), std::fclose), err_(std::tmpfile(), std::fclose) {
  if (!out_ || !err_) throw std::runtime_error("no temporary files");
  arguments.insert(arguments.begin(), "grouser");
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);

  // Assets are kept in the folder, not in the user's home.
  std::string cache = "GROUSER_CACHE=" + folder + "/cache";
  std::vector<char*> environment = {cache.data()};
  for (char** word = environ; *word; ++word)
    if (!std::string_view(*word).starts_with("GROUSER_CACHE=")) environment.push_back(*word);
  environment.push_back(nullptr);

  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no child process");
  if (process_ > 0) return;

  // In the child, up to exec: only calls that are safe after fork.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  const rlimit limit = {file_limit, file_limit};
  if (::chdir(folder.c_str()) != 0 || ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(127);
  ::dup2(::fileno(out_.get()), STDOUT_FILENO);
  ::dup2(::fileno(err_.get()), STDERR_FILENO);
  ::alarm(kLongest);
  ::execve(GROUSER_COMMAND, words.data(), environment.data());
  ::_exit(127);
}

Child::~Child() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Child::send(int signal) const {
  ::kill(process_, signal);
}

Ending Child::end() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  Ending ending;
  if (WIFEXITED(status)) ending.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.out = all_of(out_.get());
  ending.err = all_of(err_.get());
  return ending;
}

Ending grouser_command(std::vector<std::string> arguments, const std::string& folder) {
  return Child(std::move(arguments), folder).end();
}

}  // namespace grouser
