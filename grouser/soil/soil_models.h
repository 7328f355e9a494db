// The models of objects and wheels on soil: one row each.
#pragma once

#include "grouser/contact/model_row.h"

namespace grouser {

std::span<const ContactModelRow> soil_models();

}  // namespace grouser
