// grouser models: the contact models there are.
#include <iostream>

#include "apps/cli/parameter_pages.h"
#include "apps/cli/verbs.h"
#include "grouser/scene/registry.h"

namespace grouser::cli {

Action add_models(CLI::App& verb) {
  const auto markdown = std::make_shared<bool>(false);
  verb.add_flag("--markdown", *markdown, "Markdown tables, for the docs");
  return [markdown] {
    const PageStyle style = *markdown ? PageStyle::markdown : PageStyle::screen;
    for (const ContactModelRow& row : contact_models())
      print_page(std::cout, style, std::string(row.name), std::string(row.summary),
                 row.parameters());
    return kDone;
  };
}

}  // namespace grouser::cli
