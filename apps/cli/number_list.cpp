#include "apps/cli/number_list.h"

#include <cmath>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"

namespace grouser::cli {

double number_of(const std::string& text, const std::string& what) {
  const std::optional<double> number = to_number(trimmed(text));
  if (!number || !std::isfinite(*number))
    throw InputError(what + " must be a number, is " + in_quotes(text));
  return *number;
}

namespace {

constexpr double kMostInSeries = 10000;

/// "0:1:0.25" taken apart.
std::vector<double> series_of(const std::string& word, const std::string& option) {
  const std::size_t first_colon = word.find(':'), second_colon = word.find(':', first_colon + 1);
  if (second_colon == std::string::npos || word.find(':', second_colon + 1) != std::string::npos)
    throw InputError(option + " must be a number or FIRST:LAST:STEP, is " + in_quotes(word));
  const double first = number_of(word.substr(0, first_colon), option + " " + word);
  const double last =
      number_of(word.substr(first_colon + 1, second_colon - first_colon - 1), option + " " + word);
  const double step = number_of(word.substr(second_colon + 1), option + " " + word);
  const double steps = (last - first) / step;
  if (!(step != 0.0 && steps >= 0.0))
    throw InputError(option + ": the step must lead from " + to_text(first) + " to " +
                     to_text(last) + ", is " + to_text(step));
  if (steps > kMostInSeries)
    throw InputError(option + ": " + in_quotes(word) + " has more than " + to_text(kMostInSeries) +
                     " numbers; a larger step has less");
  std::vector<double> out;
  for (double i = 0.0; i <= steps * (1.0 + 1e-12) + 1e-9; i += 1.0) {
    const double x = first + i * step;
    // As it would be written, without the rounding of the sum.
    out.push_back(std::abs(x) < 1e-9 * std::abs(step) ? 0.0 : *to_number(to_text(x, 12)));
  }
  return out;
}

}  // namespace

std::vector<double> numbers_of(const std::vector<std::string>& words, const std::string& option,
                               const Range& range) {
  std::vector<double> out;
  for (const std::string& word : words) {
    if (word.find(':') == std::string::npos)
      out.push_back(number_of(word, option));
    else
      for (const double number : series_of(word, option)) out.push_back(number);
  }
  for (const double number : out) parameters_detail::check_number(number, {}, option, range);
  return out;
}

}  // namespace grouser::cli
