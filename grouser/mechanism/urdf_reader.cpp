#include "grouser/mechanism/urdf_reader.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <mutex>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/urdf_mjcf.h"
#include "grouser/mechanism/urdf_tree.h"

namespace grouser {

namespace {

/// Listens to what urdfdom would print. Broken geometry is worth a note only, for grouser does not
/// need it; urdfdom goes on after broken links, so every other error must be asked for.
class Listener : public console_bridge::OutputHandler {
 public:
  Listener() : lock_(mutex()), level_(console_bridge::getLogLevel()) {
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_WARN);
    console_bridge::useOutputHandler(this);
  }
  ~Listener() override {
    console_bridge::restorePreviousOutputHandler();
    console_bridge::setLogLevel(level_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR) {
      if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
      return;
    }
    errors.push_back(text);
    if (!text.starts_with("Could not parse visual") &&
        !text.starts_with("Could not parse collision"))
      return;
    notes.push_back(join(errors, "; "));
    errors.clear();
  }

  std::vector<std::string> errors;
  std::vector<std::string> notes;

 private:
  static std::mutex& mutex() {
    static std::mutex the_mutex;  // console_bridge has one handler per process
    return the_mutex;
  }
  std::lock_guard<std::mutex> lock_;
  console_bridge::LogLevel level_;
};

/// The place of the link or joint that a message of urdfdom names, as [name] or 'name'.
Place place_of_message(const std::string& message, const UrdfTree& tree, const std::string& path) {
  const auto names = [&](const std::string& name) {
    return message.find("[" + name + "]") != std::string::npos ||
           message.find(quoted_name(name)) != std::string::npos;
  };
  for (const TreeJoint& joint : tree.joints) {
    if (names(joint.name)) return joint.place;
  }
  for (const auto& [link, place] : tree.link_places) {
    if (names(link)) return place;
  }
  return {path};
}

urdf::ModelInterfaceSharedPtr parse(const std::string& text, const std::string& path,
                                    const UrdfTree& tree, std::vector<std::string>& notes) {
  Listener listener;
  urdf::ModelInterfaceSharedPtr model;
  try {
    model = urdf::parseURDF(text);
  } catch (const std::exception& error) {
    listener.errors.push_back(error.what());
  }
  if (!model || !listener.errors.empty()) {
    std::erase(listener.errors, "joint xml is not initialized correctly");
    std::string message = join(listener.errors, "; ");
    if (message.empty()) message = "urdfdom cannot read this file";
    throw InputError(place_of_message(message, tree, path), message);
  }
  notes = listener.notes;
  return model;
}

}  // namespace

UrdfConversion convert_urdf(const std::string& urdf_text, const std::string& path, UrdfBase base) {
  // structure first: urdfdom goes on after some of its errors and knows no lines
  const UrdfTree tree = read_tree(urdf_text, path);
  UrdfConversion result;
  const urdf::ModelInterfaceSharedPtr model = parse(urdf_text, path, tree, result.notes);
  write_mjcf(tree, *model, base, result);
  return result;
}

}  // namespace grouser
