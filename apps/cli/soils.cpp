// grouser soils: the soils of the library.
#include <iostream>
#include <memory>

#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/laws/soil_library.h"

namespace grouser::cli {
namespace {

void list_soils() {
  TextTable table({"name", "k_c", "k_phi", "n", "c [Pa]", "phi [rad]", "K [m]", "", "soil"});
  for (std::size_t column = 1; column < 7; ++column) table.align_right(column);
  for (const LibrarySoil& soil : soil_library())
    table.add({soil.name, to_text(soil.soil.k_c, 4), to_text(soil.soil.k_phi, 4),
               to_text(soil.soil.n, 4), to_text(soil.soil.cohesion, 4),
               to_text(soil.soil.friction_angle, 3), to_text(soil.soil.shear_modulus, 3),
               std::string(1, letter_of(soil.confidence)), soil.meaning});
  table.print(std::cout, 0);
  std::cout
      << "\nk_c and k_phi in SI units of Bekker's law, or without unit in Reece's. H, M, L: how "
         "far the transcription is to be trusted.\n'grouser soils NAME' tells all about one.\n";
}

void tell_soil(const LibrarySoil& soil) {
  print_field(std::cout, "soil", soil.name + ": " + soil.meaning);
  print_field(std::cout, "source",
              soil.source + " (confidence " + std::string(1, letter_of(soil.confidence)) + ")");
  if (!soil.assumed.empty())
    print_field(std::cout, "usual values", join(soil.assumed) + ": assumed, not of the source");
  if (!soil.remark.empty()) print_field(std::cout, "remark", soil.remark);
  TextTable table({"key", "value", "unit", "meaning"});
  table.align_right(1);
  const Value values = soil_parameters().values(soil.soil);
  for (const ParameterInfo& info : soil_parameters().infos()) {
    const Value* value = values.find(info.key);
    table.add({info.key, value ? value->text() : "", info.unit, info.meaning});
  }
  print_field(std::cout, "properties", table);
}

}  // namespace

Action add_soils(CLI::App& verb) {
  const auto name = std::make_shared<std::string>();
  verb.add_option("name", *name, "A soil of the library; without it all are listed");
  return [name] {
    if (name->empty())
      list_soils();
    else
      tell_soil(library_soil(*name, {}, "soil"));
    return kDone;
  };
}

}  // namespace grouser::cli
