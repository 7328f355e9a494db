#include "grouser/base/version.h"

namespace grouser {

std::string_view version() {
  return GROUSER_VERSION;
}

}  // namespace grouser
