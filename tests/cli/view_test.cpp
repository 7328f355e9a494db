// grouser view: what it prints, refuses and leaves behind. What pages see of it is tested in
// tests/viewer and tests/report.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using ViewVerb = CommandTest;

#ifdef GROUSER_HAVE_REPORT_PAGE

/// A port of this computer that is taken as long as it lives.
class TakenPort {
 public:
  TakenPort() {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(socket_, 1);
    socklen_t size = sizeof address;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    number = ntohs(address.sin_port);
  }
  ~TakenPort() { close(socket_); }
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;

  int number = 0;

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
};

TEST_F(ViewVerb, PrintsItsAddressAndEndsOnASignal) {
  folder_.write("ball.toml", kBall);
  Child child({"view", "ball.toml", "--out", "ball"}, folder_ / "");
  // The run is over at once; the server waits for a page.
  for (int i = 0; i < 1000; ++i) {
    if (info("ball").find("status        complete") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  child.send(SIGINT);
  const Ending ending = child.end();
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_EQ(ending.out.find("http://127.0.0.1:"), 0u) << ending.out;
  EXPECT_TRUE(contains(ending.out, "status        complete"));
  EXPECT_TRUE(contains(info("ball"), "samples       11"));
}

TEST_F(ViewVerb, EndsOnASignalWhileItWaits) {
  folder_.write("ball.toml", kBall);
  Child child({"view", "ball.toml", "--wait"}, folder_ / "");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  child.send(SIGINT);
  const Ending ending = child.end();
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "status        interrupted"));
}

TEST_F(ViewVerb, RefusesAPortThatIsTaken) {
  folder_.write("ball.toml", kBall);
  const TakenPort port;
  const std::string number = std::to_string(port.number);
  expect_refusal(grouser({"view", "ball.toml", "--port", number}), 1,
                 {"port " + number + " of 127.0.0.1 cannot be had", "give another --port"});
}

TEST_F(ViewVerb, RefusesWhatIsNoPortOrScene) {
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"view", "ball.toml", "--port", "70000"}), 2, {"--port", "70000"});
  expect_refusal(grouser({"view", "none.toml"}), 2, {"none.toml"});
  folder_.write("bad.toml", replaced(kBall, "mass", "mas"));
  expect_refusal(grouser({"view", "bad.toml"}), 2, {"bad.toml:", "did you mean 'mass'?"});
}

#else

TEST_F(ViewVerb, SaysThatThisBuildHasNoPage) {
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"view", "ball.toml"}), 2, {"report pages are off in this build"});
}

#endif

}  // namespace
}  // namespace grouser
