// The door for TOML: text to Value, every value with its place.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/value.h"

namespace grouser {

/// Reads a file. A table with the key `include = "other.toml"` gets what stands in that file, next
/// to this one, where it does not say otherwise itself; the paths of such files are added to
/// `included`. Throws InputError with file, line and column.
Value read_toml_file(const std::string& path, std::vector<std::string>* included = nullptr);

/// Reads text; `name` stands for the file in messages.
Value read_toml_text(const std::string& text, const std::string& name);

/// Reads what stands right of `key =`: a TOML value or, if it is none, a bare word as a string.
Value read_toml_value(const std::string& text, const std::string& name);

/// Sets keys of a document as `--set key=value` on a command line does, see set_at_path. Throws
/// InputError.
void apply_settings(Value& document, const std::vector<std::string>& settings);

}  // namespace grouser
