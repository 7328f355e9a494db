// All contact models there are, whatever room they live in.
#pragma once

#include "grouser/contact/model_row.h"

namespace grouser {

/// By name.
std::span<const ContactModelRow> contact_models();

/// The row of that name; throws InputError at `place` with the nearest name if there is none.
const ContactModelRow& contact_model(const std::string& name, const Place& place);

}  // namespace grouser
