#include "tests/pinned/pinned_cases.h"

#include <algorithm>

#include "tests/support/model_variants.h"

namespace grouser {

std::string PinnedCase::name() const {
  return (kind == Kind::run ? "run/" : "sweep/") + model + (variant.empty() ? "" : "." + variant);
}

std::vector<PinnedCase> pinned_cases() {
  using Kind = PinnedCase::Kind;
  // Bits of an integrator with error control hang on every evaluation, also those it throws away.
  const std::vector<std::string> with_bdf = {"pcm", "smooth", "sphere-half-space", "terra"};
  std::vector<PinnedCase> cases;
  for (const std::string& scene : test::model_scenes()) {
    cases.push_back({Kind::run, scene, "", {"simulation.integrator=semi-implicit-euler"}});
    // Goes through derivatives of forces.
    cases.push_back({Kind::run, scene, "implicit", {"simulation.integrator=implicit-euler"}});
    if (std::find(with_bdf.begin(), with_bdf.end(), scene) != with_bdf.end())
      cases.push_back({Kind::run, scene, "bdf", {"simulation.integrator=bdf"}});
  }
  for (const test::ModelVariant& variant : test::model_variants())
    cases.push_back({Kind::sweep, variant.model, variant.name, variant.overrides});
  return cases;
}

const std::vector<std::string>& number_names(PinnedCase::Kind kind) {
  static const std::vector<std::string> run = {"largest force [N]", "last position [m]",
                                               "last speed [m/s]"};
  static const std::vector<std::string> sweep = {"largest force [N]", "sum of forces [N]",
                                                 "sum of torques [Nm]"};
  return kind == PinnedCase::Kind::run ? run : sweep;
}

PinnedResult result_of(const PinnedCase& pinned, int threads) {
  return pinned.kind == PinnedCase::Kind::run ? run_result(pinned, threads)
                                              : sweep_result(pinned, threads);
}

}  // namespace grouser
