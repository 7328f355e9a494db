#include "apps/cli/parameter_pages.h"

#include <ostream>

#include "apps/cli/text_table.h"

namespace grouser::cli {
namespace {

constexpr std::size_t kWidestKind = 24;  // a choice of many words takes several lines

/// "be positive" -> "positive", "lie in [0, 1]" -> "[0, 1]". That numbers are finite goes without
/// saying.
std::string range_text(const std::string& must) {
  if (must == "be finite") return "";
  if (must == "not be negative") return "not negative";
  for (const std::string words : {"be ", "lie in "})
    if (must.starts_with(words)) return must.substr(words.size());
  return must;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

}  // namespace

void print_page(std::ostream& out, PageStyle style, const std::string& heading,
                const std::string& meaning, const std::vector<ParameterInfo>& parameters) {
  const bool markdown = style == PageStyle::markdown;
  TextTable table({"key", "kind", "unit", "default", "range", "meaning"});
  table.limit(1, kWidestKind);
  for (const ParameterInfo& p : parameters) {
    const bool required = p.default_text.empty();
    table.add({markdown ? code(p.key) : p.key, p.kind, p.unit,
               required   ? "required"
               : markdown ? code(p.default_text)
                          : p.default_text,
               range_text(p.range), p.meaning});
  }
  if (markdown) {
    out << "## " << code(heading) << "\n\n" << meaning << "\n\n";
    table.print_markdown(out);
  } else {
    out << heading << ": " << meaning << '\n';
    table.print(out);
  }
  out << '\n';
}

}  // namespace grouser::cli
