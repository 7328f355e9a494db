// Scenes written inside tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "grouser/run/simulation.h"

namespace grouser {

/// A scene from text, standing in scenes/mechanisms so that its files are found there.
inline Scene scene_from(const std::string& text) {
  static int count = 0;
  const auto folder =
      std::filesystem::temp_directory_path() / ("grouser-scene-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto path = folder / ("scene_" + std::to_string(count++) + ".toml");
  {
    std::ofstream file(path);
    file << text;
  }
  Scene scene = load_scene(path.string());
  scene.folder = std::string(GROUSER_SCENES) + "/mechanisms";
  std::filesystem::remove(path);
  std::error_code ignored;
  std::filesystem::remove(folder, ignored);  // goes away with the last scene
  return scene;
}

/// A ball of radius 0.1 m and 0.5 kg over a floor. Each argument is lines of its table: the first
/// of the simulation, the second where the ball is and how it moves, the third of the contact.
inline std::string ball_on_floor(const std::string& simulation, const std::string& state,
                                 const std::string& contact) {
  return "[simulation]\n" + simulation +
         "[[body]]\nname = \"ball\"\nmass = 0.5\ninertia = [0.002, 0.002, 0.002]\n" + state +
         "[[shape]]\nname = \"ball\"\nbody = \"ball\"\nsphere.radius = 0.1\n"
         "[[shape]]\nname = \"floor\"\nhalf_space = true\n"
         "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\nhalf_space = \"floor\"\n" +
         contact;
}

}  // namespace grouser
