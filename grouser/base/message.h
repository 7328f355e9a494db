// What a host is told while it works, besides answers: notes, warnings, errors.
#pragma once

#include <functional>
#include <string>

namespace grouser {

struct Message {
  enum class Kind {
    note,     ///< how something was built
    warning,  ///< results may be worse than they look
    error,    ///< there was no answer
  };
  Kind kind = Kind::note;
  double time = 0.0;  ///< of the host [s]
  std::string text;   ///< one sentence
};

/// Called in the thread of the call that had something to tell.
using MessageHandler = std::function<void(const Message&)>;

}  // namespace grouser
