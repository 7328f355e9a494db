#include "grouser/base/plugin.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "grouser/base/text.h"

namespace grouser {
namespace {

using Folders = std::vector<std::string>;

std::string file_name(const std::string& name) {
  return "grouser_" + name + ".so";
}

/// The program or shared library that this code is part of.
struct Home {
  std::string path;
  void* handle = nullptr;  // as dlopen gives it
};

Home home() {
  Dl_info facts;
  link_map* map = nullptr;
  const int found = dladdr1(reinterpret_cast<const void*>(&file_name), &facts,
                            reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  if (found && map && map->l_name && *map->l_name)
    return {map->l_name, dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD)};
  std::error_code error;
  return {std::filesystem::read_symlink("/proc/self/exe", error).string(),
          dlopen(nullptr, RTLD_LAZY)};
}

/// Folders that GROUSER_PLUGIN_PATH names.
void add_given(Folders& out) {
  const char* given = secure_getenv("GROUSER_PLUGIN_PATH");
  if (!given) return;
  std::string_view rest = given;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (!folder.empty()) out.emplace_back(folder);
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
}

/// Folders where the dynamic linker looks for what `home` needs.
void add_library_path(Folders& out, const Home& home) {
  Dl_serinfo size;
  if (!home.handle || dlinfo(home.handle, RTLD_DI_SERINFOSIZE, &size) != 0) return;
  // As dlinfo wants it: a list whose length is known only now, in one piece of memory.
  std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
  auto* list = reinterpret_cast<Dl_serinfo*>(memory.data());
  list->dls_size = size.dls_size;
  list->dls_cnt = size.dls_cnt;
  if (dlinfo(home.handle, RTLD_DI_SERINFO, list) != 0) return;
  const Dl_serpath* folders = list->dls_serpath;
  for (unsigned i = 0; i < list->dls_cnt; ++i) out.emplace_back(folders[i].dls_name);
}

/// All folders where a plugin may be, in the order of preference.
Folders folders() {
  Folders listed;
  add_given(listed);
  const Home here = home();
  const std::filesystem::path folder = std::filesystem::path(here.path).parent_path();
  listed.push_back(folder.string());
  listed.push_back((folder / "grouser").string());
  listed.push_back((folder.parent_path() / GROUSER_PLUGIN_FOLDER).string());
  add_library_path(listed, here);
  Folders out;
  for (const std::string& one : listed)
    if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  return out;
}

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// Opens the first file of that name; a file that does not fit is the answer, not skipped.
OpenedPlugin open_first(const std::string& name, int version) {
  const Folders where = folders();
  for (const std::string& folder : where) {
    const std::string path = folder + "/" + file_name(name);
    if (!is_file(path)) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return {nullptr, path + " cannot be loaded: " + dlerror()};
    const auto entry = reinterpret_cast<const void* (*)()>(dlsym(handle, "grouser_plugin"));
    if (!entry) return {nullptr, path + " is no plugin of grouser"};
    const void* table = entry();
    if (const int found = *static_cast<const int*>(table); found != version)
      return {nullptr, path + " is of another grouser: its interface has version " +
                           std::to_string(found) + ", " + std::to_string(version) + " is needed"};
    return {table, {}};
  }
  return {nullptr, file_name(name) + " is in none of " + join(where)};
}

}  // namespace

bool plugin_exists(const std::string& name) {
  for (const std::string& folder : folders())
    if (is_file(folder + "/" + file_name(name))) return true;
  return false;
}

OpenedPlugin open_plugin(const std::string& name, int version) {
  static std::mutex mutex;
  static std::map<std::string, const void*> opened;
  const std::lock_guard lock(mutex);
  if (const auto found = opened.find(name); found != opened.end()) return {found->second, {}};
  const OpenedPlugin plugin = open_first(name, version);
  if (plugin.table) opened[name] = plugin.table;
  return plugin;
}

void PluginCall::hear(void* self, PluginFault fault, const char* message) {
  auto& call = *static_cast<PluginCall*>(self);
  if (call.thrown_) return;
  call.guarded([&] {
    if (fault == PluginFault::memory) throw std::bad_alloc();
    if (fault == PluginFault::input) throw InputError(message);
    throw RunError(message);
  });
}

void PluginCall::require(PluginAnswer answer) const {
  if (thrown_) std::rethrow_exception(thrown_);
  if (!answer) throw RunError("a plugin failed and does not say why");
}

}  // namespace grouser
