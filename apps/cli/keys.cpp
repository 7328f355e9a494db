// grouser keys: everything a scene file may say.
#include <iostream>

#include "apps/cli/parameter_pages.h"
#include "apps/cli/verbs.h"
#include "grouser/run/run_scene.h"

namespace grouser::cli {

Action add_keys(CLI::App& verb) {
  const auto markdown = std::make_shared<bool>(false);
  verb.add_flag("--markdown", *markdown, "Markdown tables, for the docs");
  return [markdown] {
    const PageStyle style = *markdown ? PageStyle::markdown : PageStyle::screen;
    for (const ParameterPage& part : scene_keys())
      print_page(std::cout, style, part.table, part.meaning, part.keys);
    return kDone;
  };
}

}  // namespace grouser::cli
