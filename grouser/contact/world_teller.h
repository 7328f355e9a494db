// Who listens to a world, and what was told. Inside the contact room, for the world.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grouser/contact/world.h"

namespace grouser {

struct ContactWorld::Teller {
  struct Told {
    bool shorten_step = false, impossible = false, deep = false;
    std::vector<bool> warnings;
  };
  MessageHandler handler;
  std::vector<Told> contacts;
  std::vector<Message> waiting;

  void add(Message::Kind kind, double time, const std::string& contact, const std::string& what) {
    waiting.push_back({kind, time, "contact '" + contact + "'" + what});
  }
  /// The handler may give the world another one, so nothing here is used after the first call.
  void deliver() {
    const std::vector<Message> messages = std::exchange(waiting, {});
    if (messages.empty()) return;
    const MessageHandler listener = handler;
    for (const Message& message : messages) listener(message);
  }
};

}  // namespace grouser
