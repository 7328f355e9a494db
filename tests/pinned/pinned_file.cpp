#include "tests/pinned/pinned_file.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "grouser/base/error.h"

namespace grouser {
namespace {

constexpr const char* kHeader =
    "# Pinned results, see pinned_test.cpp. `pinned_test --write` writes this file anew; "
    "CHANGELOG.md "
    "says\n"
    "# under Numerics why a line moved.\n"
    "#\n"
    "# run:   hash | largest force [N] | last position [m] | last speed [m/s], of the first body\n"
    "# sweep: hash | largest force [N] | sum of forces [N] | sum of torques [Nm]\n";

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

}  // namespace

std::string hex_text(std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

PinnedFile read_pinned_file() {
  std::ifstream in(GROUSER_PINNED);
  if (!in) throw RunError(std::string(GROUSER_PINNED) + " cannot be read");
  PinnedFile file;
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    if (text.empty() || text[0] == '#') continue;
    std::istringstream words(text);
    std::string name, hash, number;
    PinnedResult result;
    words >> name >> hash;
    while (words >> number) result.numbers.push_back(std::strtod(number.c_str(), nullptr));
    char* end = nullptr;
    result.hash = std::strtoull(hash.c_str(), &end, 16);
    if (hash.size() != 16 || *end != '\0' || !file.emplace(name, result).second)
      throw RunError(std::string(GROUSER_PINNED) + ":" + std::to_string(line) +
                     ": not a line of a case of its own");
  }
  return file;
}

void write_pinned_file(const std::vector<PinnedCase>& cases, const PinnedFile& results) {
  std::ofstream out(GROUSER_PINNED);
  out << kHeader;
  for (const PinnedCase& pinned : cases) {
    const PinnedResult& result = results.at(pinned.name());
    out << pinned.name() << ' ' << hex_text(result.hash);
    for (const double x : result.numbers) out << ' ' << number_text(x);
    out << '\n';
  }
  if (!out.flush()) throw RunError(std::string(GROUSER_PINNED) + " cannot be written");
}

std::string differences(PinnedCase::Kind kind, const PinnedResult& old_one,
                        const PinnedResult& new_one) {
  const std::vector<std::string>& names = number_names(kind);
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double before = i < old_one.numbers.size() ? old_one.numbers[i] : std::nan("");
    const double now = new_one.numbers[i];
    char relative[32];
    std::snprintf(relative, sizeof relative, "%.1e", (now - before) / std::abs(before));
    out += "  " + names[i] + ": " + number_text(before) + " -> " + number_text(now) +
           (now == before ? " (the same)" : " (relative " + std::string(relative) + ")") + "\n";
  }
  return out;
}

}  // namespace grouser
