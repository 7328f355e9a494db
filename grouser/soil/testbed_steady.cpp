#include "grouser/soil/testbed_steady.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "grouser/base/text.h"

namespace grouser {

void SteadyPart::add(const TestbedSample& now) {
  const std::int64_t pieces = kPieces;
  const auto piece = static_cast<std::size_t>(
      std::min(pieces - 1, taken_ * pieces / std::max<std::int64_t>(1, count_)));
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    Sums& s = sums_[m];
    const double x = now.*kTestbedMeasured[m];
    if (taken_ == 0) s.first = s.least = s.most = x;
    s.sum += x;
    s.square += (x - s.first) * (x - s.first);
    s.least = std::min(s.least, x);
    s.most = std::max(s.most, x);
    s.piece[piece] += x;
  }
  ++in_piece_[piece];
  ++taken_;
}

namespace {

/// Mean of the means of pieces, and the square of its standard error.
struct HalfMean {
  double mean = 0.0, variance = 0.0;
};
HalfMean half_mean(std::span<const double> sums, std::span<const std::int64_t> counts) {
  double n = 0.0, sum = 0.0, square = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (counts[i] == 0) continue;
    n += 1.0;
    sum += sums[i] / static_cast<double>(counts[i]);
  }
  if (n < 2.0) return {sum, 0.0};
  const double mean = sum / n;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (counts[i] == 0) continue;
    const double from_mean = sums[i] / static_cast<double>(counts[i]) - mean;
    square += from_mean * from_mean;
  }
  return {mean, square / (n * (n - 1.0))};
}

}  // namespace

void SteadyPart::tell(TestbedResult& out) const {
  if (taken_ == 0) return;
  const auto n = static_cast<double>(taken_);
  constexpr std::size_t kHalf = kPieces / 2;
  const std::span counts(in_piece_);
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    const Sums& s = sums_[m];
    double TestbedSample::*const member = kTestbedMeasured[m];
    out.mean.*member = s.sum / n;
    const double from_first = out.mean.*member - s.first;
    out.scatter.*member = std::sqrt(std::max(0.0, s.square / n - from_first * from_first));
    out.least.*member = s.least;
    out.most.*member = s.most;
    const std::span pieces(s.piece);
    const HalfMean first = half_mean(pieces.first(kHalf), counts.first(kHalf));
    const HalfMean second = half_mean(pieces.last(kHalf), counts.last(kHalf));
    out.first_half.*member = first.mean;
    out.second_half.*member = second.mean;
    out.chance.*member = std::sqrt(first.variance + second.variance);
  }
}

namespace {

/// More than this share of what is usual is a drift worth telling.
constexpr double kDrift = 0.02;
/// So many standard errors are not chance.
constexpr double kBeyondChance = 3.0;

/// A quantity that a steady wheel keeps.
struct Kept {
  const char* name;
  double TestbedSample::*member;
  double scale;   // of which kDrift is too much
  double factor;  // from SI to what people read
  const char* unit;
};

std::string drift_of(const Kept& kept, const TestbedResult& result) {
  const double before = result.first_half.*kept.member, after = result.second_half.*kept.member;
  const double drift = std::abs(after - before);
  if (!(drift > kDrift * kept.scale && drift > kBeyondChance * (result.chance.*kept.member)))
    return {};
  const auto text = [&](double x) { return to_text(kept.factor * x, 4) + " " + kept.unit; };
  return std::string(kept.name) + " still " + (after > before ? "grows" : "falls") + ": " +
         text(before) + " in the first half of the steady part, " + text(after) +
         " in the second; a longer distance tells where it ends";
}

}  // namespace

std::vector<std::string> testbed_doubts(const TestbedDef& def, const TestbedResult& result) {
  std::vector<std::string> out;
  if (std::abs(result.carried - def.load) > 0.01 * def.load)
    out.push_back("the wheel had not come to rest when it was driven: after " +
                  to_text(result.stood, 3) + " s the soil carried " + to_text(result.carried, 4) +
                  " N of " + to_text(def.load, 4) + " N");

  if (std::abs(result.mean.normal - def.load) > 0.01 * def.load)
    out.push_back("the wheel hops or sinks away: in the mean of the steady part the soil carried " +
                  to_text(result.mean.normal, 4) + " N of " + to_text(def.load, 4) + " N");

  const Kept kept[] = {
      {"sinkage", &TestbedSample::sinkage, std::max(result.mean.sinkage, 1e-3), 1e3, "mm"},
      {"drawbar pull", &TestbedSample::drawbar, def.load, 1.0, "N"},
      {"torque", &TestbedSample::torque, def.load * def.rolling_radius, 1.0, "Nm"}};
  for (const Kept& k : kept)
    if (std::string drift = drift_of(k, result); !drift.empty()) out.push_back(std::move(drift));

  if (result.most.sinkage > result.axle_height)
    out.push_back("the axle is below the undisturbed ground: sinkage reaches " +
                  to_text(1e3 * result.most.sinkage, 4) + " mm of a radius of " +
                  to_text(1e3 * result.axle_height, 4) + " mm; no model is made for that");

  // Pull is thrust without resistance, so thrust is even more.
  const SoilDef& soil = def.soil.soil;
  const double strength = def.load * std::tan(soil.friction_angle);
  const double holds = strength + soil.cohesion * result.contact_area;
  if (def.model == "scm" && result.mean.drawbar > holds)
    out.push_back("drawbar pull of " + to_text(result.mean.drawbar, 4) +
                  " N is more than the soil holds, W tan(phi) + c A = " + to_text(holds, 4) +
                  " N with a contact area of " + to_text(1e4 * result.contact_area, 3) + " cm^2");
  return out;
}

}  // namespace grouser
