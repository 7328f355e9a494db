// The smallest program that uses an installed grouser.
#include <grouser/base/text.h>

#include <cstdio>
#include <string>

int main() {
  // The shortest text of 0.1 that reads back to the same number.
  const std::string text = grouser::to_text(0.1);
  std::printf("%s\n", text.c_str());
  return text == "0.1" ? 0 : 1;
}
