#include "grouser/report/live_feed.h"

#include <nlohmann/json.hpp>

#include "grouser/base/assert.h"
#include "grouser/report/base64.h"
#include "grouser/report/run_page.h"

namespace grouser {

using namespace report;

namespace {

// Between two events with samples; a page draws no faster than that.
constexpr auto kInterval = std::chrono::milliseconds(50);

const char* name_of(LiveFeed::State state) {
  constexpr const char* kNames[] = {"ready", "running", "paused", "finished"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string event(const char* name, std::string_view data) {
  return "event: " + std::string(name) + "\ndata: " + std::string(data) + "\n\n";
}

std::string bytes_of(const PageData& data, const Json& header) {
  std::string bytes;
  data.write(header, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

/// Rows of numbers as columns one after the other.
std::vector<float> as_columns(std::span<const double> rows, std::size_t width) {
  std::vector<float> out(rows.size());
  const std::size_t count = width == 0 ? 0 : rows.size() / width;
  GROUSER_ASSERT(count * width == rows.size());
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t c = 0; c < width; ++c)
      out[c * count + k] = static_cast<float>(rows[k * width + c]);
  return out;
}

}  // namespace

LiveFeed::LiveFeed(std::string name, double duration)
    : name_(std::move(name)), duration_(duration) {}

LiveFeed::~LiveFeed() = default;

void LiveFeed::begin(const RecordingLayout& layout) {
  layout_ = layout;
  columns_ = 0;
  for (const RecordingChannel& channel : layout.channels) columns_ += channel.columns.size();
  patches_.assign(layout.patches.size() + layout.soils.size(), {});
  first_ = 0;
  times_.clear();
  values_.clear();
  time_ = 0.0;
  running_seconds_ = 0.0;
  last_flush_ = Clock::now();

  PageData data;
  const Json header = page_header("live", Json::array({live_run(name_, layout, data)}));
  {
    const std::lock_guard lock(mutex_);
    data_ = bytes_of(data, header);
  }
  set_state(State::running);
}

void LiveFeed::add_sample(double time, std::span<const double> values,
                          std::span<const std::span<const double>> patches) {
  GROUSER_ASSERT(values.size() == columns_ && patches.size() <= patches_.size());
  GROUSER_ASSERT(times_.empty() || times_.back() < time);
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    Rows& rows = patches_[i];
    if (i < patches.size())
      rows.numbers.insert(rows.numbers.end(), patches[i].begin(), patches[i].end());
    rows.ends.push_back(rows.numbers.size());
  }
}

void LiveFeed::reach(double time) {
  time_ = time;
  if (Clock::now() - last_flush_ < kInterval) return;
  flush();
  publish_state();
}

/// Makes an event of the samples that wait.
void LiveFeed::flush() {
  last_flush_ = Clock::now();
  if (times_.empty()) return;
  PageData data;
  const std::size_t count = times_.size();
  Json header = {
      {"first", first_},
      {"count", count},
      {"time", data.add(times_, {count}, Coding::raw)},
      {"values", data.add(as_columns(values_, columns_), {columns_, count}, Coding::raw)},
      {"patches", Json::array()},
      {"soils", Json::array()}};
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const bool soil = i >= layout_.patches.size();
    const std::size_t width = soil ? 2 : layout_.patches[i].columns.size();
    Rows& rows = patches_[i];
    std::vector<std::uint32_t> offsets = {0};
    for (const std::size_t end : rows.ends)
      offsets.push_back(static_cast<std::uint32_t>(end / width));
    const std::vector<float> columns = as_columns(rows.numbers, width);
    const std::size_t all = columns.size() / width;
    Json entry = {{"offsets", data.add(offsets, {offsets.size()}, Coding::raw)}};
    if (soil) {
      std::vector<std::uint32_t> nodes;
      for (std::size_t k = 0; k < all; ++k)
        nodes.push_back(static_cast<std::uint32_t>(rows.numbers[2 * k]));
      entry["nodes"] = data.add(nodes, {all}, Coding::raw);
      entry["values"] = data.add(std::span(columns).last(all), {all}, Coding::raw);
    } else {
      entry["data"] = data.add(columns, {width, all}, Coding::raw);
    }
    header[soil ? "soils" : "patches"].push_back(entry);
    rows = {};
  }
  first_ += count;
  times_.clear();
  values_.clear();
  publish(event("samples", base64(bytes_of(data, header))));
}

void LiveFeed::publish(std::string event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  changed_.notify_all();
}

void LiveFeed::set_state(State state) {
  const Clock::time_point now = Clock::now();
  if (run_state_ == State::running)
    running_seconds_ += std::chrono::duration<double>(now - state_since_).count();
  run_state_ = state;
  state_since_ = now;
  flush();
  publish_state();
}

void LiveFeed::publish_state() {
  double seconds = running_seconds_;
  if (run_state_ == State::running)
    seconds += std::chrono::duration<double>(Clock::now() - state_since_).count();
  const Json state = {{"state", name_of(run_state_)},
                      {"time", time_},
                      {"duration", duration_},
                      {"speed", seconds > 0.0 ? time_ / seconds : 0.0}};
  const std::lock_guard lock(mutex_);
  state_ = event("state", json_text(state));
  ++state_version_;
  changed_.notify_all();
}

void LiveFeed::finish(const RecordingOutcome& outcome) {
  flush();
  publish(event("outcome", json_text(outcome_json(outcome))));
  set_state(State::finished);
}

void LiveFeed::restart() {
  const std::lock_guard lock(mutex_);
  ++run_;
  events_.clear();
  changed_.notify_all();
}

std::string LiveFeed::data() const {
  const std::lock_guard lock(mutex_);
  return data_;
}

LiveFeed::Events LiveFeed::wait(Position& position, std::chrono::milliseconds limit) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [&] {
    return closed_ || position.run != run_ || position.events < events_.size() ||
           position.state != state_version_;
  });
  Events out;
  out.closed = closed_;
  if (position.run != run_) {
    if (position.run != 0) out.text += event("restart", "{}");
    position.run = run_;
    position.events = 0;
  }
  for (; position.events < events_.size(); ++position.events) out.text += events_[position.events];
  if (position.state != state_version_) out.text += state_;
  position.state = state_version_;
  return out;
}

void LiveFeed::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace grouser
