#include "grouser/base/error.h"

namespace grouser {

std::string Place::text() const {
  std::string out = file;
  if (line > 0) out += ":" + std::to_string(line);
  if (line > 0 && column > 0) out += ":" + std::to_string(column);
  return out;
}

InputError::InputError(const Place& place, const std::string& message)
    : Error(place.known() ? place.text() + ": " + message : message) {}

}  // namespace grouser
