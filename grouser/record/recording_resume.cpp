#include "grouser/record/recording_resume.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <span>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"

namespace grouser::recording {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

// --- layouts ----------------------------------------------------------------------------------

// What must be the same, by name, as texts for messages.
struct Trait {
  const char* what;
  std::vector<std::string> texts;
};
using Traits = std::map<std::string, std::vector<Trait>>;

Traits traits_of(const RecordingLayout& layout) {
  Traits all;
  for (const RecordingChannel& channel : layout.channels)
    all["channel '" + channel.path + "'"] = {{"columns", channel.columns},
                                             {"unit", {channel.unit}}};
  for (const RecordingPatch& patch : layout.patches)
    all["patch '" + patch.path + "'"] = {{"columns", patch.columns}, {"units", patch.units}};
  for (const RecordingSoil& soil : layout.soils)
    all["soil '" + soil.name + "'"] = {
        {"nodes", {std::to_string(soil.nx) + " x " + std::to_string(soil.ny)}},
        {"spacing", {to_text(soil.spacing)}},
        {"origin", {to_text(soil.origin[0]), to_text(soil.origin[1])}}};
  return all;
}

// The first difference, or nothing.
std::string difference(const Traits& earlier, const Traits& now) {
  for (const auto& [name, traits] : now)
    if (!earlier.contains(name)) return "it has no " + name;
  for (const auto& [name, traits] : earlier) {
    if (!now.contains(name)) return "this run has no " + name;
    for (std::size_t i = 0; i < traits.size(); ++i) {
      const Trait& wanted = now.at(name)[i];
      if (traits[i].texts != wanted.texts)
        return name + " has " + wanted.what + " '" + join(traits[i].texts) + "' there, '" +
               join(wanted.texts) + "' in this run";
    }
  }
  return {};
}

// To the bit, so that nodes without a height are equal too.
std::string difference_of_heights(const RecordingLayout& earlier, const RecordingLayout& now) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (const RecordingSoil& soil : now.soils) {
    const auto there = std::ranges::find(earlier.soils, soil.name, &RecordingSoil::name);
    GROUSER_ASSERT(there != earlier.soils.end());
    if (!std::ranges::equal(soil.heights, there->heights, {}, bits, bits))
      return "soil '" + soil.name + "' has other heights before the run";
  }
  return {};
}

// --- copies -----------------------------------------------------------------------------------

std::size_t rows_per_block(std::size_t width) {
  return std::max<std::size_t>(1, kBlockBytes / (width * sizeof(double)));
}

}  // namespace

void require_resumable(const Recording& earlier, std::size_t samples,
                       const RecordingLayout& layout) {
  std::string reason = difference(traits_of(earlier.layout()), traits_of(layout));
  if (reason.empty()) reason = difference_of_heights(earlier.layout(), layout);
  if (reason.empty() && earlier.sample_count() < samples)
    reason = "it has " + std::to_string(earlier.sample_count()) + " samples, " +
             std::to_string(samples) + " are to be kept";
  if (!reason.empty()) throw InputError(earlier.path() + ": cannot be resumed: " + reason);
}

void copy_channel(const Recording& earlier, const std::string& path, std::size_t samples,
                  const File& file, Series<double>& to) {
  const std::size_t block = rows_per_block(to.width);
  for (std::size_t first = 0; first < samples && !file.error(); first += block)
    to.append(earlier.read_channel(path, first, std::min(block, samples - first)));
}

void copy_patch(const Recording& earlier, const std::string& path, std::size_t samples,
                const File& file, PatchSeries& to) {
  const std::vector<std::int64_t> offsets = earlier.read_patch_offsets(path);
  // Blocks end between samples.
  const auto block = static_cast<std::int64_t>(rows_per_block(to.data.width));
  for (std::size_t first = 0, end = 0; first < samples && !file.error(); first = end) {
    end = first + 1;
    while (end < samples && offsets[end + 1] - offsets[first] <= block) ++end;
    to.data.append(earlier.read_patch(path, first, end - first));
  }
  if (file.error()) return;
  to.offsets.append(std::span(offsets).subspan(1, samples));  // the first is there already
  to.rows = offsets[samples];
}

}  // namespace grouser::recording
