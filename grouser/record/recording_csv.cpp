#include <algorithm>
#include <functional>
#include <ostream>
#include <set>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/base/whole_file.h"
#include "grouser/record/recording.h"

namespace grouser {
namespace {

bool selects(std::string_view prefix, std::string_view path) {
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  return path == prefix || (path.starts_with(prefix) && path.substr(prefix.size())[0] == '/');
}

// Every channel path and every leading part of one.
std::vector<std::string> selectable(const std::vector<RecordingChannel>& channels) {
  std::set<std::string> names;
  for (const RecordingChannel& channel : channels) {
    names.insert(channel.path);
    for (std::size_t end = 0; (end = channel.path.find('/', end)) != std::string::npos; ++end)
      names.insert(channel.path.substr(0, end));
  }
  return {names.begin(), names.end()};
}

// In layout order, each once.
std::vector<const RecordingChannel*> select(const Recording& recording,
                                            std::span<const std::string> selection) {
  const std::vector<RecordingChannel>& channels = recording.layout().channels;
  for (const std::string& prefix : selection)
    if (std::none_of(channels.begin(), channels.end(),
                     [&](const auto& channel) { return selects(prefix, channel.path); }))
      throw InputError(recording.path() + ": has no channel '" + prefix + "'" +
                       suggestion(prefix, selectable(channels)));
  std::vector<const RecordingChannel*> selected;
  for (const RecordingChannel& channel : channels)
    if (selection.empty() ||
        std::any_of(selection.begin(), selection.end(),
                    [&](const auto& prefix) { return selects(prefix, channel.path); }))
      selected.push_back(&channel);
  return selected;
}

// RFC 4180: a field with a separator, quote or line break stands in quotes.
std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string header(const RecordingChannel& channel, const std::string& column) {
  std::string name = channel.path;
  if (!column.empty()) name += "." + column;
  if (!channel.unit.empty()) name += " [" + channel.unit + "]";
  return csv_field(name);
}

using Sink = std::function<void(std::string_view)>;

/// The table, block by block: a long recording need not fit into memory.
void write_table(const Recording& recording, std::span<const std::string> selection,
                 const Sink& sink) {
  const std::vector<const RecordingChannel*> channels = select(recording, selection);
  std::string text = "time [s]";
  for (const RecordingChannel* channel : channels)
    for (const std::string& column : channel->columns) text += ',' + header(*channel, column);
  sink(text + '\n');

  constexpr std::size_t kBlock = 4096;
  for (std::size_t first = 0; first < recording.sample_count(); first += kBlock) {
    const std::size_t count = std::min(kBlock, recording.sample_count() - first);
    std::vector<std::vector<double>> blocks;
    for (const RecordingChannel* channel : channels)
      blocks.push_back(recording.read_channel(channel->path, first, count));
    GROUSER_ASSERT(blocks.size() == channels.size());
    text.clear();
    for (std::size_t row = 0; row < count; ++row) {
      text += to_text(recording.time()[first + row]);
      for (std::size_t i = 0; i < channels.size(); ++i) {
        const std::size_t width = channels[i]->columns.size();
        GROUSER_ASSERT(blocks[i].size() == count * width);
        for (std::size_t k = 0; k < width; ++k) text += ',' + to_text(blocks[i][row * width + k]);
      }
      text += '\n';
    }
    sink(text);
  }
}

}  // namespace

void export_csv(const Recording& recording, std::ostream& out,
                std::span<const std::string> selection) {
  write_table(recording, selection, [&](std::string_view text) { out << text; });
  out.flush();
  if (!out) throw RunError(recording.path() + ": the table could not be written");
}

void export_csv(const Recording& recording, const std::string& path,
                std::span<const std::string> selection) {
  select(recording, selection);  // a wrong selection leaves no file
  WholeFile file(path);
  write_table(recording, selection, [&](std::string_view text) { file.write(text); });
  file.keep();
}

}  // namespace grouser
