// grouser plot: channels of a recording over time, as a picture.
#include <filesystem>
#include <iostream>

#include "apps/cli/curve_plot.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/error.h"
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/base/whole_file.h"
#include "grouser/record/recording.h"

namespace grouser::cli {
namespace {

constexpr std::size_t kMostPlotted = 2000;  // of a curve: more than a screen shows

struct PlotArguments {
  std::string recording;
  std::string out;
  std::vector<std::string> channels;
};

/// What a pattern leaves open: "front_left" for "wheels/*/slip" and "wheels/front_left/slip".
std::string curve_name(const std::string& pattern, const std::string& path) {
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos) return path;
  const std::size_t tail = pattern.size() - pattern.rfind('*') - 1;
  return path.substr(star, path.size() - star - tail);
}

/// Every sample, or the smallest and greatest of a few in their order: peaks are kept.
CurvePanel::Curve thinned_curve(const std::vector<double>& time, const std::vector<double>& rows,
                                std::size_t width, std::size_t column) {
  CurvePanel::Curve out;
  const std::size_t count = time.size();
  const std::size_t few = std::max<std::size_t>(1, 2 * count / kMostPlotted);
  const auto add = [&](std::size_t k) {
    out.x.push_back(time[k]);
    out.y.push_back(rows[k * width + column]);
  };
  for (std::size_t first = 0; first < count; first += few) {
    std::size_t low = first, high = first;
    for (std::size_t k = first; k < std::min(count, first + few); ++k) {
      if (rows[k * width + column] < rows[low * width + column]) low = k;
      if (rows[k * width + column] > rows[high * width + column]) high = k;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return out;
}

CurvePanel panel_of(const Recording& recording, const std::string& pattern) {
  CurvePanel panel;
  std::vector<std::string> names;
  for (const RecordingChannel& channel : recording.layout().channels) {
    names.push_back(channel.path);
    const bool whole = matches_pattern(pattern, channel.path);
    std::vector<double> rows;
    for (std::size_t k = 0; k < channel.columns.size(); ++k) {
      const std::string& column = channel.columns[k];
      const std::string path = whole ? channel.path : channel.path + "." + column;
      if (!whole && !matches_pattern(pattern, path)) continue;
      if (rows.empty()) rows = recording.read_channel(channel.path);
      if (panel.title.empty())
        panel.title = path.substr(path.rfind('/') + 1) +
                      (channel.unit.empty() ? "" : " [" + channel.unit + "]");
      CurvePanel::Curve curve = thinned_curve(recording.time(), rows, channel.columns.size(), k);
      curve.name = curve_name(pattern, path);
      if (whole && !column.empty()) curve.name += " " + column;
      panel.curves.push_back(std::move(curve));
    }
  }
  if (panel.curves.empty())
    throw InputError(recording.path() + ": no channel is called '" + pattern + "'" +
                     suggestion(pattern, names));
  return panel;
}

ExitCode plot(const PlotArguments& arguments) {
  const Recording recording = open_recording(arguments.recording);
  std::vector<CurvePanel> panels;
  for (const std::string& pattern : arguments.channels)
    panels.push_back(panel_of(recording, pattern));
  const std::filesystem::path path = arguments.recording;
  const std::string out = arguments.out.empty()
                              ? std::filesystem::path(path).replace_extension(".svg").string()
                              : arguments.out;
  write_file(out, draw_curves(path.stem().string(), "time [s]", panels,
                              {.columns = 1, .panel_width = 860}));
  print_field(std::cout, "picture", out);
  return kDone;
}

}  // namespace

Action add_plot(CLI::App& verb) {
  const auto arguments = std::make_shared<PlotArguments>();
  verb.add_option("recording", arguments->recording, "Recording (HDF5)")->required();
  verb.add_option("channels", arguments->channels,
                  "Channels, or columns of them such as bodies/ball/position.z, with * for any "
                  "letters; one "
                  "panel each")
      ->required();
  verb.add_option("-o,--out", arguments->out, "File to write (SVG); default: beside the recording")
      ->type_name("FILE");
  return [arguments] { return plot(*arguments); };
}

}  // namespace grouser::cli
