// Serves the page of a running simulation to browsers on this computer.
#pragma once

#include <memory>
#include <string>

#include "grouser/report/live_control.h"
#include "grouser/report/live_feed.h"

namespace grouser {

/// Listens on 127.0.0.1 alone, and answers only requests that were sent to that name or to
/// localhost, and not by pages of another origin: no web site can watch or steer a run.
class LiveServer {
 public:
  /// Begins to serve. port 0: any free one. Throws RunError if the port cannot be had. Both must
  /// outlive the server.
  LiveServer(LiveFeed& feed, LiveControl& control, int port);
  /// Ends all connections; closes the feed.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const;
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port()) + "/"; }
  /// Pages that listen now, and that ever did.
  std::size_t listeners() const;
  std::size_t listeners_ever() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser
