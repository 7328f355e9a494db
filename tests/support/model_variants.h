// The contact models as tests try them: the scene of each, and options that lead to other laws, or
// to the same one on another way.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace grouser::test {

/// A scene of scenes/models, with what is set in it.
struct ModelVariant {
  std::string model;                   ///< scenes/models/<model>.toml
  std::string name;                    ///< of the options; empty: as the scene has them
  std::vector<std::string> overrides;  ///< "contact.0.friction_law=tanh"
};

inline void PrintTo(const ModelVariant& variant, std::ostream* out) {
  *out << variant.model << (variant.name.empty() ? "" : " ") << variant.name;
}

/// Names of the scenes, sorted: a new model is tried without further work.
std::vector<std::string> model_scenes();

/// Path of the scene of a model.
std::string model_scene(const std::string& model);

/// Every scene as it is and with other options, sorted by models.
std::vector<ModelVariant> model_variants();

}  // namespace grouser::test
