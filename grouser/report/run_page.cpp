#include "grouser/report/run_page.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/version.h"
#include "grouser/report/model_pages.h"
#include "grouser/scene/registry.h"

namespace grouser::report {
namespace {

constexpr std::size_t kBlock = 4096;  // samples read at once

using Indices = std::vector<std::size_t>;

Indices every(std::size_t stride, std::size_t count) {
  Indices out;
  for (std::size_t i = 0; i < count; i += stride) out.push_back(i);
  if (count > 0 && out.back() != count - 1) out.push_back(count - 1);
  return out;
}

/// The smallest one that leaves `most` of `count`.
std::size_t stride_for(std::size_t count, std::size_t most) {
  if (count <= most || count < 2) return 1;
  const std::size_t gaps = std::max<std::size_t>(most, 2) - 1;
  return (count - 1 + gaps - 1) / gaps;
}

// --- what was known before the first sample ---------------------------------------------------

Json pairs_json(const TextPairs& pairs) {
  Json out = Json::array();
  for (const auto& [key, text] : pairs) out.push_back(Json::array({key, text}));
  return out;
}

Json parameters_json(const std::vector<RecordingParameter>& parameters) {
  Json sections = Json::array();
  for (const RecordingParameter& p : parameters) {
    if (sections.empty() || sections.back()["section"] != p.section)
      sections.push_back({{"section", p.section}, {"model", p.model}, {"rows", Json::array()}});
    sections.back()["rows"].push_back(Json::array({p.key, p.value, p.unit, p.meaning}));
  }
  return sections;
}

Json shape_json(const PictureShape& shape, PageData& data) {
  Json numbers = Json::array();
  for (const auto& [label, number] : shape.numbers) numbers.push_back(Json::array({label, number}));
  Json out = {
      {"name", shape.name}, {"body", shape.body}, {"kind", shape.kind}, {"numbers", numbers}};
  if (shape.mesh.vertices.empty()) return out;

  std::vector<float> vertices;
  for (const Vec3& vertex : shape.mesh.vertices)
    for (const double x : vertex) vertices.push_back(static_cast<float>(x));
  std::vector<std::uint32_t> triangles;
  for (const auto& triangle : shape.mesh.triangles)
    for (const std::int32_t corner : triangle)
      triangles.push_back(static_cast<std::uint32_t>(corner));
  out["vertices"] = data.add(vertices, {vertices.size() / 3, 3}, Coding::shuffle_zlib);
  out["triangles"] = data.add(triangles, {triangles.size() / 3, 3}, Coding::shuffle_zlib);
  return out;
}

// --- channels ---------------------------------------------------------------------------------

Json channel_head(const RecordingChannel& channel, const Json& numbers) {
  return {{"path", channel.path},
          {"unit", channel.unit},
          {"columns", channel.columns},
          {"description", channel.description},
          {"data", numbers}};
}

/// Column after column, read block by block.
Json channel_json(const Recording& recording, const RecordingChannel& channel,
                  const Indices& samples, PageData& data) {
  const std::size_t width = channel.columns.size();
  const std::size_t n = samples.size();
  std::vector<float> columns(width * n);
  for (std::size_t first = 0, next = 0; next < n; first += kBlock) {
    const std::size_t count = std::min(kBlock, recording.sample_count() - first);
    if (samples[next] >= first + count) continue;
    const std::vector<double> rows = recording.read_channel(channel.path, first, count);
    for (; next < n && samples[next] < first + count; ++next)
      for (std::size_t k = 0; k < width; ++k)
        columns[k * n + next] = static_cast<float>(rows[(samples[next] - first) * width + k]);
  }
  return channel_head(channel, data.add(columns, {width, n}, Coding::shuffle_zlib));
}

// --- patches ----------------------------------------------------------------------------------

/// Which of `samples` keep their contact elements: as many as the limits let through, evenly, and
/// none if not even two fit.
Indices choose_frames(const Recording& recording, const Indices& samples,
                      const ReportLimits& limits) {
  std::vector<std::size_t> rows(samples.size());  // of all patches
  for (const RecordingPatch& patch : recording.layout().patches) {
    const std::vector<std::int64_t> offsets = recording.read_patch_offsets(patch.path);
    for (std::size_t j = 0; j < samples.size(); ++j)
      rows[j] += static_cast<std::size_t>(offsets[samples[j] + 1] - offsets[samples[j]]);
  }
  for (std::size_t stride = stride_for(samples.size(), limits.patch_frames);; stride += 1) {
    Indices frames = every(stride, samples.size());
    std::size_t sum = 0;
    for (const std::size_t j : frames) sum += rows[j];
    if (sum <= limits.patch_rows) return frames;
    if (frames.size() <= 2) return {};
  }
}

Json patch_head(const RecordingPatch& patch) {
  return {{"path", patch.path},
          {"columns", patch.columns},
          {"units", patch.units},
          {"description", patch.description}};
}

Json patch_json(const Recording& recording, const RecordingPatch& patch, const Indices& samples,
                const Indices& frames, PageData& data) {
  const std::size_t width = patch.columns.size();
  std::vector<std::vector<float>> columns(width);
  std::vector<std::uint32_t> offsets = {0};
  for (const std::size_t j : frames) {
    const std::vector<double> rows = recording.read_patch(patch.path, samples[j]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t k = i % width;
      const bool counts = patch.units[k].empty();  // the index of an element stays what it is
      GROUSER_ASSERT(rows.size() % width == 0);
      columns[k].push_back(counts ? static_cast<float>(rows[i]) : rounded(rows[i]));
    }
    offsets.push_back(static_cast<std::uint32_t>(columns[0].size()));
  }
  std::vector<float> all;
  for (const std::vector<float>& column : columns)
    all.insert(all.end(), column.begin(), column.end());
  const std::vector<std::uint32_t> numbers(frames.begin(), frames.end());
  Json out = patch_head(patch);
  out["frames"] = data.add(numbers, {numbers.size()}, Coding::shuffle_zlib);
  out["offsets"] = data.add(offsets, {offsets.size()}, Coding::shuffle_zlib);
  out["data"] = data.add(all, {width, columns[0].size()}, Coding::shuffle_zlib);
  return out;
}

// --- soils ------------------------------------------------------------------------------------

struct SoilChanges {
  std::vector<std::uint32_t> offsets = {0}, nodes;
  std::vector<float> heights;
};

/// Changes by kept sample, told at every `stride`-th of them: each node with its last height since.
/// Gives up beyond `most` rows.
SoilChanges soil_changes(const Recording& recording, const RecordingSoil& soil,
                         const Indices& samples, std::size_t stride, std::size_t most) {
  const std::string path = soil.changes().path;
  const std::vector<std::int64_t> recorded = recording.read_patch_offsets(path);
  SoilChanges out;
  std::map<std::uint32_t, float> now;
  GROUSER_ASSERT(stride > 0 && std::is_sorted(samples.begin(), samples.end()));
  for (std::size_t j = 0; j < samples.size() && out.nodes.size() <= most; ++j) {
    const std::size_t first = j == 0 ? 0 : samples[j - 1] + 1;
    const std::size_t count = samples[j] + 1 - first;
    std::vector<double> rows;
    if (recorded[first + count] > recorded[first]) rows = recording.read_patch(path, first, count);
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      if (!(rows[i] >= 0.0 && rows[i] < static_cast<double>(soil.heights.size())))
        throw InputError(recording.path() + ": '" + path + "' changes a node that is not there");
      now[static_cast<std::uint32_t>(rows[i])] = static_cast<float>(rows[i + 1]);
    }
    if (j % stride == 0 || j + 1 == samples.size()) {
      for (const auto& [node, height] : now) {
        out.nodes.push_back(node);
        out.heights.push_back(height);
      }
      now.clear();
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.nodes.size()));
  }
  return out;
}

Json soil_head(const RecordingSoil& soil, PageData& data) {
  const std::vector<float> heights(soil.heights.begin(), soil.heights.end());
  return {{"name", soil.name},
          {"origin", soil.origin},
          {"spacing", soil.spacing},
          {"nx", soil.nx},
          {"ny", soil.ny},
          {"heights", data.add(heights, {soil.ny, soil.nx}, Coding::shuffle_zlib)}};
}

Json soil_json(const Recording& recording, const RecordingSoil& soil, const Indices& samples,
               const ReportLimits& limits, PageData& data) {
  std::size_t stride = 1;
  SoilChanges changes = soil_changes(recording, soil, samples, stride, limits.soil_rows);
  while (changes.nodes.size() > limits.soil_rows && stride < samples.size())
    changes = soil_changes(recording, soil, samples, stride *= 2, limits.soil_rows);
  Json out = soil_head(soil, data);
  out["offsets"] = data.add(changes.offsets, {changes.offsets.size()}, Coding::shuffle_zlib);
  out["nodes"] = data.add(changes.nodes, {changes.nodes.size()}, Coding::shuffle_zlib);
  out["values"] = data.add(changes.heights, {changes.heights.size()}, Coding::shuffle_zlib);
  return out;
}

/// What is known of a run besides its samples.
Json run_head(const std::string& path, const RecordingLayout& layout,
              const RecordingOutcome& outcome) {
  Json run = {{"name", std::filesystem::path(path).stem().string()},
              {"path", path},
              {"scenePath", layout.scene_path},
              {"sceneText", layout.scene_text},
              {"grouserVersion", layout.grouser_version},
              {"startDate", layout.start_date}};
  run.update(outcome_json(outcome));
  run["metadata"] = pairs_json(layout.metadata);
  run["parameters"] = parameters_json(layout.parameters);
  return run;
}

}  // namespace

std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  return every(stride_for(count, most), count);
}

float rounded(double number) {
  constexpr std::uint32_t kLow = 8;  // bits beyond 16 of the 24 of a float
  const auto x = static_cast<float>(number);
  const auto bits = std::bit_cast<std::uint32_t>(x) + (1u << (kLow - 1));
  const float near = std::bit_cast<float>(bits & ~((1u << kLow) - 1u));
  return std::isfinite(x) && std::isfinite(near) ? near : x;
}

Json outcome_json(const RecordingOutcome& outcome) {
  return {{"status", to_text(outcome.status)},
          {"message", outcome.message},
          {"summary", pairs_json(outcome.summary)},
          {"warnings", outcome.warnings}};
}

/// Where a model is described. A recording may know models that we do not.
std::string_view page_name(std::string_view model) {
  for (const ContactModelRow& row : contact_models())
    if (row.name == model) return row.page;
  return model;
}

Json page_header(const char* kind, const Json& runs) {
  Json models = Json::object();
  for (const Json& run : runs)
    for (const Json& section : run["parameters"]) {
      const std::string model = section["model"];
      if (const std::string_view page = model_page(page_name(model)); !page.empty())
        models[model] = page;
    }
  return {{"kind", kind},
          {"generator", "grouser " + std::string(version())},
          {"modelPages", models},
          {"runs", runs}};
}

Json live_run(const std::string& name, const RecordingLayout& layout, PageData& data) {
  const std::vector<float> nothing;
  const std::vector<std::uint32_t> no_numbers, no_rows = {0};
  Json run = run_head(name, layout, {RecordingStatus::running, {}, {}, {}});
  run["recordedSamples"] = 0;
  run["samples"] = 0;
  run["time"] = data.add(std::vector<double>{}, {0}, Coding::raw);
  for (const char* list : {"channels", "shapes", "patches", "soils"}) run[list] = Json::array();
  for (const RecordingChannel& channel : layout.channels)
    run["channels"].push_back(
        channel_head(channel, data.add(nothing, {channel.columns.size(), 0}, Coding::raw)));
  for (const PictureShape& shape : layout.shapes) run["shapes"].push_back(shape_json(shape, data));
  for (const RecordingPatch& patch : layout.patches) {
    Json entry = patch_head(patch);
    entry["frames"] = data.add(no_numbers, {0}, Coding::raw);
    entry["offsets"] = data.add(no_rows, {1}, Coding::raw);
    entry["data"] = data.add(nothing, {patch.columns.size(), 0}, Coding::raw);
    run["patches"].push_back(entry);
  }
  for (const RecordingSoil& soil : layout.soils) {
    Json entry = soil_head(soil, data);
    entry["offsets"] = data.add(no_rows, {1}, Coding::raw);
    entry["nodes"] = data.add(no_numbers, {0}, Coding::raw);
    entry["values"] = data.add(nothing, {0}, Coding::raw);
    run["soils"].push_back(entry);
  }
  return run;
}

Json run_page(const Recording& recording, const ReportLimits& limits, PageData& data) {
  const RecordingLayout& layout = recording.layout();
  const Indices samples = thinned(recording.sample_count(), limits.samples);
  std::vector<double> time;
  for (const std::size_t k : samples) time.push_back(recording.time()[k]);

  Json run = run_head(recording.path(), layout, recording.outcome());
  run["recordedSamples"] = recording.sample_count();
  run["samples"] = samples.size();
  run["time"] = data.add(time, {time.size()}, Coding::shuffle_zlib);
  for (const char* list : {"channels", "shapes", "patches", "soils"}) run[list] = Json::array();
  for (const RecordingChannel& channel : layout.channels)
    run["channels"].push_back(channel_json(recording, channel, samples, data));
  for (const PictureShape& shape : layout.shapes) run["shapes"].push_back(shape_json(shape, data));
  const Indices frames = choose_frames(recording, samples, limits);
  for (const RecordingPatch& patch : layout.patches)
    run["patches"].push_back(patch_json(recording, patch, samples, frames, data));
  for (const RecordingSoil& soil : layout.soils)
    run["soils"].push_back(soil_json(recording, soil, samples, limits, data));
  return run;
}

}  // namespace grouser::report
