// The server of a live view: what it answers, to whom, and what it refuses.
#include "grouser/report/live_server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <thread>

namespace grouser {
namespace {

using namespace std::chrono_literals;

RecordingLayout one_channel() {
  RecordingLayout layout;
  layout.channels.push_back({"bodies/ball/position", "m", {"x", "y", "z"}, "of the origin"});
  return layout;
}

struct LiveServerTest : testing::Test {
  LiveFeed feed{"bounce", 2.0};
  LiveControl control{LiveControl::Wish::run};
  std::unique_ptr<LiveServer> server = std::make_unique<LiveServer>(feed, control, 0);
  httplib::Client client{"127.0.0.1", server->port()};
  std::atomic<bool> heard_samples = false;

  void add(double time) { feed.add_sample(time, std::vector<double>{time, 0.0, 1.0}, {}); }
  /// Everything a new listener hears until it has heard `word`.
  std::string listen_until(const std::string& word) {
    std::string heard;
    client.set_read_timeout(30s);
    client.Get("/events", [&](const char* data, std::size_t size) {
      heard.append(data, size);
      if (heard.find("event: samples") != std::string::npos) heard_samples = true;
      return heard.find(word) == std::string::npos;
    });
    return heard;
  }
  int order(const std::string& body, const httplib::Headers& headers = {{"X-Grouser", "page"}}) {
    const auto answer = client.Post("/control", headers, body, "application/json");
    return answer ? answer->status : -1;
  }
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++number;
  return number;
}

TEST_F(LiveServerTest, HasNoDataBeforeTheRunBegins) {
  EXPECT_EQ(client.Get("/data")->status, 503);
  feed.begin(one_channel());
  const auto answer = client.Get("/data");
  ASSERT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body.substr(0, 4), "GRPD");
  EXPECT_NE(answer->body.find("bodies/ball/position"), std::string::npos);
}

TEST_F(LiveServerTest, ServesThePageAndNothingElse) {
  const auto page = client.Get("/");
  ASSERT_EQ(page->status, 200);
  EXPECT_NE(page->body.find("<!doctype html>"), std::string::npos);
  EXPECT_EQ(page->body.find("@GROUSER_DATA@"), std::string::npos);
  EXPECT_NE(page->get_header_value("Content-Security-Policy").find("frame-ancestors 'none'"),
            std::string::npos);
  EXPECT_EQ(client.Get("/etc/passwd")->status, 404);
}

TEST_F(LiveServerTest, RefusesOtherNamesAndOrigins) {
  feed.begin(one_channel());
  const std::string port = ":" + std::to_string(server->port());
  for (const char* path : {"/", "/data", "/events"}) {
    EXPECT_EQ(client.Get(path, {{"Host", "example.org" + port}})->status, 403) << path;
    EXPECT_EQ(client.Get(path, {{"Host", "127.0.0.1"}})->status, 403) << path;
    EXPECT_EQ(client.Get(path, {{"Origin", "http://example.org"}})->status, 403) << path;
    EXPECT_EQ(client.Get(path, {{"Origin", "null"}})->status, 403) << path;
  }
  EXPECT_EQ(client.Get("/data", {{"Host", "localhost" + port}})->status, 200);
  EXPECT_EQ(client.Get("/data", {{"Origin", "http://127.0.0.1" + port}})->status, 200);
  EXPECT_EQ(order(R"({"do": "pause"})", {{"X-Grouser", "page"}, {"Origin", "http://evil.example"}}),
            403);
  EXPECT_EQ(control.wish(), LiveControl::Wish::run);
}

TEST_F(LiveServerTest, PassesOnWhatThePageWants) {
  EXPECT_EQ(order(R"({"do": "pause"})"), 204);
  EXPECT_EQ(control.wish(), LiveControl::Wish::pause);
  EXPECT_EQ(order(R"({"do": "start"})"), 204);
  EXPECT_EQ(control.wish(), LiveControl::Wish::run);
  EXPECT_EQ(order(R"({"do": "restart"})"), 204);
  EXPECT_EQ(control.wish(), LiveControl::Wish::restart);

  EXPECT_EQ(order(R"({"do": "pause"})", {}), 403);  // a form of another page has no such header
  for (const char* nonsense : {"", "{", "[]", "1", R"({"do": 1})", R"({"do": "explode"})"})
    EXPECT_EQ(order(nonsense), 400) << nonsense;
  EXPECT_EQ(order(std::string(5000, 'x')), 413);
  EXPECT_EQ(control.wish(), LiveControl::Wish::restart);
}

TEST_F(LiveServerTest, TellsALateListenerEverything) {
  feed.begin(one_channel());
  for (int k = 0; k < 5; ++k) {
    add(0.1 * k);
    feed.reach(0.1 * k);
    std::this_thread::sleep_for(60ms);  // so that they are sent in several events
  }
  feed.finish({RecordingStatus::complete, "", {{"steps", "5"}}, {"a warning"}});
  const std::string heard = listen_until("\"finished\"");
  EXPECT_GE(count(heard, "event: samples\n"), 2u);
  EXPECT_EQ(count(heard, "event: outcome\n"), 1u);
  EXPECT_NE(heard.find("a warning"), std::string::npos);
  EXPECT_EQ(server->listeners_ever(), 1u);
}

TEST_F(LiveServerTest, TellsListenersOfARestart) {
  feed.begin(one_channel());
  add(0.0);
  feed.finish({});
  std::thread later([&] {
    while (!heard_samples) std::this_thread::sleep_for(5ms);
    feed.restart();
    feed.begin(one_channel());
    add(0.0);
    feed.finish({RecordingStatus::complete, "second", {}, {}});
  });
  const std::string heard = listen_until("second");
  later.join();
  EXPECT_EQ(count(heard, "event: restart\n"), 1u);
  EXPECT_EQ(count(heard, "event: samples\n"), 2u);
}

TEST_F(LiveServerTest, EndsItsListenersWhenItEnds) {
  feed.begin(one_channel());
  std::thread listener([&] { listen_until("never"); });
  while (server->listeners() == 0) std::this_thread::sleep_for(5ms);
  server.reset();
  listener.join();
}

TEST_F(LiveServerTest, RefusesAPortThatIsTaken) {
  const int port = server->port();
  try {
    const LiveServer second(feed, control, port);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("port " + std::to_string(port)), std::string::npos);
  }
}

TEST(LiveControl, WaitsWhilePaused) {
  LiveControl control(LiveControl::Wish::pause);
  std::atomic<bool> waiting = true;
  std::thread run([&] {
    EXPECT_TRUE(control.go_on([] { return false; }));
    waiting = false;
  });
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(waiting);
  control.wish(LiveControl::Wish::run);
  run.join();
  EXPECT_FALSE(waiting);

  control.wish(LiveControl::Wish::restart);
  EXPECT_FALSE(control.go_on([] { return false; }));
  control.restarted();
  EXPECT_TRUE(control.go_on([] { return false; }));
  control.wish(LiveControl::Wish::pause);
  EXPECT_FALSE(control.go_on([] { return true; }));  // a signal ends the waiting
}

}  // namespace
}  // namespace grouser
