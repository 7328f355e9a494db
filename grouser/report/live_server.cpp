#include "grouser/report/live_server.h"

#include <httplib.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "grouser/base/error.h"
#include "grouser/report/report.h"

namespace grouser {
namespace {

// A page may read what this server answers, load nothing from elsewhere and stand in no frame.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
    "'self'; "
    "img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain");
}

}  // namespace

struct LiveServer::Impl {
  Impl(LiveFeed& the_feed, LiveControl& the_control) : feed(the_feed), control(the_control) {}

  void add_routes();
  bool is_ours(const std::string& host) const {
    const std::string at = ":" + std::to_string(port);
    return host == "127.0.0.1" + at || host == "localhost" + at;
  }
  bool is_allowed(const httplib::Request& request) const;
  void listen_to_events(httplib::Response& response);
  void steer(const httplib::Request& request, httplib::Response& response);

  LiveFeed& feed;
  LiveControl& control;
  httplib::Server server;
  int port = 0;
  std::atomic<std::size_t> listeners = 0, listeners_ever = 0;
  std::thread thread;
};

/// Asked by its own name, and not by a page of another origin.
bool LiveServer::Impl::is_allowed(const httplib::Request& request) const {
  if (!is_ours(request.get_header_value("Host"))) return false;
  const std::string origin = request.get_header_value("Origin");
  if (origin.empty()) return true;
  const std::string scheme = "http://";
  return origin.starts_with(scheme) && is_ours(origin.substr(scheme.size()));
}

void LiveServer::Impl::add_routes() {
  server.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        if (is_allowed(request)) return httplib::Server::HandlerResponse::Unhandled;
        refuse(response, 403, "this server answers pages of its own, on 127.0.0.1 or localhost");
        return httplib::Server::HandlerResponse::Handled;
      });
  server.set_default_headers({{"Content-Security-Policy", kPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.Get("/", [](const httplib::Request&, httplib::Response& response) {
    response.set_content(live_page(), "text/html; charset=utf-8");
  });
  server.Get("/data", [this](const httplib::Request&, httplib::Response& response) {
    std::string data = feed.data();
    if (data.empty())
      refuse(response, 503, "the run has not begun yet");
    else
      response.set_content(data, "application/octet-stream");
  });
  server.Get("/events", [this](const httplib::Request&, httplib::Response& response) {
    listen_to_events(response);
  });
  server.Post("/control", [this](const httplib::Request& request, httplib::Response& response) {
    steer(request, response);
  });
}

void LiveServer::Impl::listen_to_events(httplib::Response& response) {
  using namespace std::chrono_literals;
  ++listeners;
  ++listeners_ever;
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, position = LiveFeed::Position{}](std::size_t, httplib::DataSink& sink) mutable {
        LiveFeed::Events events = feed.wait(position, 500ms);
        if (events.closed && events.text.empty()) {
          sink.done();
          return true;
        }
        if (events.text.empty()) events.text = ": still here\n\n";  // fails once the page is gone
        return sink.write(events.text.data(), events.text.size());
      },
      [this](bool) { --listeners; });
}

void LiveServer::Impl::steer(const httplib::Request& request, httplib::Response& response) {
  if (request.get_header_value("X-Grouser") != "page")
    return refuse(response, 403, "the header 'X-Grouser: page' is missing");
  const nlohmann::json order = nlohmann::json::parse(request.body, nullptr, false);
  const auto what = order.is_object() ? order.find("do") : order.end();
  if (what != order.end() && *what == "start")
    control.wish(LiveControl::Wish::run);
  else if (what != order.end() && *what == "pause")
    control.wish(LiveControl::Wish::pause);
  else if (what != order.end() && *what == "restart")
    control.wish(LiveControl::Wish::restart);
  else
    return refuse(response, 400, R"(expected {"do": "start"}, "pause" or "restart")");
  response.status = 204;
}

LiveServer::LiveServer(LiveFeed& feed, LiveControl& control, int port)
    : impl_(std::make_unique<Impl>(feed, control)) {
  httplib::Server& server = impl_->server;
  impl_->add_routes();
  // Every page that listens holds a thread.
  server.new_task_queue = [] { return new httplib::ThreadPool(32); };
  server.set_payload_max_length(1000);
  const std::string host = "127.0.0.1";
  // Not SO_REUSEPORT, as httplib would have it: two servers on one port would share its requests.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  impl_->port =
      port == 0 ? server.bind_to_any_port(host) : (server.bind_to_port(host, port) ? port : -1);
  if (impl_->port <= 0)
    throw RunError("port " + std::to_string(port) +
                   " of 127.0.0.1 cannot be had, another program may use it; give another --port");
  impl_->thread = std::thread([&server] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();
}

LiveServer::~LiveServer() {
  impl_->feed.close();
  impl_->server.stop();
  impl_->thread.join();
}

int LiveServer::port() const {
  return impl_->port;
}
std::size_t LiveServer::listeners() const {
  return impl_->listeners;
}
std::size_t LiveServer::listeners_ever() const {
  return impl_->listeners_ever;
}

}  // namespace grouser
