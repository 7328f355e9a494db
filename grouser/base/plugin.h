// Libraries that are opened when something first needs them.
//
// A library that few programs need is linked by a plugin, grouser_<name>.so, and not by grouser. A
// plugin exports one function, grouser_plugin(), which returns a table of functions. Core and
// plugin share plain structs alone, no object and no exception: whatever a plugin uses of grouser's
// own sources it has hidden in itself, and what goes wrong is told as text.
//
// A plugin is looked for, in this order,
//   in the folders of the environment variable GROUSER_PLUGIN_PATH, with ":" between them;
//   beside the program or library that contains core, and in the folder "grouser" there;
//   in <prefix>/lib/grouser, if that program is <prefix>/bin/...;
//   where that program or library looks for its own libraries (LD_LIBRARY_PATH, RUNPATH, system).
#pragma once

#include <exception>
#include <new>
#include <string>

#include "grouser/base/error.h"

namespace grouser {

// --- what both sides know ------------------------------------------------------------------------

enum class PluginFault : int { input, run, memory };

/// Takes the message of an InputError, of a RunError, or none.
struct PluginErrors {
  void* self;
  void (*tell)(void* self, PluginFault fault, const char* message);
};

/// Functions of plugins, and those they call back, answer whether they did what they should. A
/// plugin that did not has told why, unless it was a call back that did not.
using PluginAnswer = int;

// --- core's side ---------------------------------------------------------------------------------

/// A table of functions, or why there is none, as the end of a sentence: "grouser_gdal.so is in
/// none of ..., ...".
struct OpenedPlugin {
  const void* table = nullptr;
  std::string why_not = {};
};

/// Is there such a plugin? It is not opened.
bool plugin_exists(const std::string& name);

/// Opens a plugin, once; it stays open. Its table starts with its version, an int, which must be
/// the given one. May be called by several threads at once.
OpenedPlugin open_plugin(const std::string& name, int version);

/// Hears what goes wrong during one call of a plugin.
class PluginCall {
 public:
  PluginCall() = default;
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  const PluginErrors* errors() const { return &errors_; }

  /// For functions that a plugin calls back: does the work, and keeps what it throws.
  template <class Work>
  PluginAnswer guarded(Work&& work) noexcept {
    try {
      work();
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return 0;
    }
  }

  /// Throws what was kept or told if the plugin did not do what it should.
  void require(PluginAnswer answer) const;

 private:
  std::exception_ptr thrown_;
  PluginErrors errors_{this, hear};
  static void hear(void* self, PluginFault fault, const char* message);
};

// --- the plugin's side ---------------------------------------------------------------------------

/// A function of core was called back and did not do what it should: leave without a word.
struct PluginStopped {};

inline void continue_if(PluginAnswer answer) {
  if (!answer) throw PluginStopped{};
}

/// Does the work of a plugin's function; no exception leaves it.
template <class Work>
PluginAnswer plugin_answer(const PluginErrors& errors, Work&& work) noexcept {
  const auto tell = [&](PluginFault fault, const char* message) {
    errors.tell(errors.self, fault, message);
  };
  try {
    work();
    return 1;
  } catch (const PluginStopped&) {
  } catch (const InputError& error) {
    tell(PluginFault::input, error.what());
  } catch (const std::bad_alloc&) {
    tell(PluginFault::memory, "");
  } catch (const std::exception& error) {
    tell(PluginFault::run, error.what());
  } catch (...) {
    tell(PluginFault::run, "a plugin failed and does not say why");
  }
  return 0;
}

/// Before the one function that a plugin exports.
#define GROUSER_PLUGIN_ENTRY extern "C" __attribute__((visibility("default")))

}  // namespace grouser
