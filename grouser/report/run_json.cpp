#include "grouser/report/run_json.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "grouser/base/version.h"

namespace grouser::report {

using Json = nlohmann::ordered_json;

std::string run_json(const RunSummary& summary, const std::string& scene,
                     const std::string& recording) {
  std::array<char, 20> hash;
  std::snprintf(hash.data(), hash.size(), "%016llx",
                static_cast<unsigned long long>(summary.state_hash));
  Json json;
  json["grouser"] = version();
  json["scene"] = scene;
  json["recording"] = recording;
  json["status"] = to_text(summary.status);
  json["message"] = summary.message;
  json["time"] = summary.time;
  json["wall_seconds"] = summary.wall_seconds;
  json["samples"] = summary.samples;
  json["state_hash"] = hash.data();
  const IntegratorStatistics& steps = summary.integrator;
  json["integrator"] = {{"steps", steps.steps},
                        {"rejected", steps.rejected},
                        {"convergence_failures", steps.convergence_failures},
                        {"evaluations", steps.evaluations},
                        {"jacobians", steps.jacobians},
                        {"restarts", steps.restarts},
                        {"smallest_step", steps.smallest_step},
                        {"largest_step", steps.largest_step}};
  const RunSeconds& spent = summary.seconds;
  json["seconds"] = {{"contact", spent.contact},
                     {"mechanism", spent.mechanism},
                     {"jacobians", spent.jacobian},
                     {"integrator", spent.integrator},
                     {"recording", spent.recording}};
  const RunSummary::Energy& energy = summary.energy;
  json["energy"] = {{"kinetic", energy.kinetic},    {"potential", energy.potential},
                    {"motors", energy.work.motors}, {"contacts", energy.work.contacts},
                    {"joints", energy.work.joints}, {"prescribed", energy.work.prescribed},
                    {"forces", energy.work.forces}, {"flow", energy.flow},
                    {"error", energy.error}};
  json["greatest_gap"] = summary.greatest_gap;
  json["contacts"] = Json::array();
  for (const RunSummary::Contact& contact : summary.contacts)
    json["contacts"].push_back({{"name", contact.name},
                                {"model", contact.model},
                                {"greatest_penetration", contact.greatest_penetration}});
  json["rover"] = Json::object();
  for (const auto& [key, text] : summary.rover) json["rover"][key] = text;
  json["warnings"] = summary.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grouser::report
