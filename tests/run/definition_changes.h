// A contact world as text, of which one number or word after the other is changed.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "tests/support/messages.h"

namespace grouser::test {

/// Values that cannot be guessed, by key: "friction_law", "rheological.friction_law".
using Guesses = std::map<std::string, std::vector<std::string>>;

/// Which keys there are, and which of them could be changed.
struct KeysTried {
  std::set<std::string> known, changed;
  int worlds = 0;  ///< that were built

  /// A key that no change was found for proves nothing.
  void expect_all() const {
    for (const std::string& key : known)
      EXPECT_TRUE(changed.contains(key)) << key << " could not be changed to anything";
  }
};

class DefinitionChanges {
 public:
  DefinitionChanges(Value document, std::string folder)
      : document_(std::move(document)), folder_(std::move(folder)) {
    const std::optional<ContactWorld> world = built(document_);
    if (!world) throw std::runtime_error("the world to be changed cannot be built");
    saved_ = world->save();
  }

  /// Changes what stands at `path`, `now` if it is there, of which a table tells `info`, unless
  /// that key was changed before. The world must refuse what the first one saved. `more` are values
  /// that cannot be guessed. A table is changed entry by entry.
  void try_parameter(const std::string& path, const ParameterInfo& info, const Value* now,
                     const Guesses& more, KeysTried& keys) {
    keys.known.insert(info.key);
    if (keys.changed.contains(info.key)) return;
    bool any = false;
    if (const auto guesses = more.find(info.key); guesses != more.end())
      for (const std::string& text : guesses->second)
        if (!now || text != now->inline_text()) any |= try_value(path, text, keys);
    if (now && now->is_table()) {
      for (const Value::Entry& entry : now->as_table()) {
        ParameterInfo inner;
        inner.key = info.key + "." + entry.key;
        try_parameter(path + "." + entry.key, inner, &entry.value, more, keys);
        any |= keys.changed.contains(inner.key);
      }
    } else {
      any |= try_values(path, info, now, keys);
    }
    if (any) keys.changed.insert(info.key);
  }

 private:
  std::optional<ContactWorld> built(const Value& document) const {
    try {
      return ContactWorld(read_contact_world(document, folder_));
    } catch (const InputError&) {
      return std::nullopt;  // out of range, or not to be had with the rest
    }
  }

  /// Whether there is a world with that value.
  bool try_value(const std::string& path, const std::string& text, KeysTried& keys) {
    Value document = document_;
    try {
      apply_settings(document, {path + "=" + text});
    } catch (const InputError&) {
      return false;
    }
    std::optional<ContactWorld> other = built(document);
    if (!other) return false;
    ++keys.worlds;
    EXPECT_TRUE(contains(message_of<InputError>([&] { other->restore(saved_); }),
                         "of a world with other parameters"))
        << path << " = " << text;
    return true;
  }

  bool try_values(const std::string& path, const ParameterInfo& info, const Value* now,
                  KeysTried& keys) {
    for (const std::string& text : other_values(info, now))
      if (try_value(path, text, keys)) return true;
    return false;
  }

  static std::vector<std::string> other_values(const ParameterInfo& info, const Value* now) {
    std::vector<std::string> out;
    const auto add = [&](const Value& value) {
      const std::string text = value.inline_text();
      if (text != (now ? now->inline_text() : info.default_text)) out.push_back(text);
    };
    if (now && now->is_integer()) {
      for (const int step : {1, -1}) add(Value(now->as_integer() + step));
    } else if (now && now->is_number()) {
      const double x = now->as_number();
      for (const double y : {0.97 * x + 1e-4, 1.01 * x, 0.99 * x, x + 0.01, x - 0.01})
        add(Value(y));
    } else if (now && now->is_bool()) {
      add(Value(!now->as_bool()));
    } else if (now && now->is_array()) {
      for (const Value& other : other_arrays(*now)) add(other);
    } else if (now && now->is_text()) {
      add(Value(now->as_text() + "_twin"));
    } else if (info.kind == "integer") {
      for (const int n : {2, 3, 5}) add(Value(n));
    } else if (info.kind == "boolean") {
      for (const bool yes : {true, false}) add(Value(yes));
    } else if (info.kind == "string") {
      add(Value("other"));
    } else if (info.kind.find("numbers") != std::string::npos) {
      for (const Value::Array& numbers : {Value::Array{0.11, 0.2}, Value::Array{0.11, 0.2, 0.3},
                                          Value::Array{0.9, 0.1, 0.2, 0.3}})
        add(Value(numbers));
    } else if (info.kind.starts_with("number")) {
      for (const double x : {0.51, 1.5, 0.05}) add(Value(x));
    }
    for (const std::string& word : words_of(info.kind + " " + info.range)) add(Value(word));
    return out;
  }

  /// With another first entry.
  static std::vector<Value> other_arrays(const Value& now) {
    if (now.as_array().empty()) return {};
    const Value& first = now.as_array().front();
    std::vector<Value> others;
    if (first.is_number())
      for (const double factor : {0.9, 1.1})
        others.emplace_back(factor * first.as_number() + 0.013);
    if (first.is_text()) others.emplace_back(first.as_text() + "_twin");
    if (first.is_array() && !first.as_array().empty() && first.as_array()[0].is_number()) {
      others.push_back(first);
      others.back().as_array()[0] = Value(first.as_array()[0].as_number() + 0.001);
    }
    for (Value& other : others) {
      Value changed = now;
      changed.as_array().front() = other;
      other = changed;
    }
    return others;
  }

  /// cubic and quintic, of `"cubic" or "quintic"`.
  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> out;
    std::size_t end = 0;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', end + 1)) {
      end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      out.push_back(text.substr(at + 1, end - at - 1));
    }
    return out;
  }

  Value document_;
  std::string folder_;
  std::vector<std::byte> saved_;
};

}  // namespace grouser::test
