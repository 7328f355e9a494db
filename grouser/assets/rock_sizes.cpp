#include "grouser/assets/rock_sizes.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

struct Site {
  RockLaw name;
  double k;
  double q;  ///< 0: by the formula
};
/// Golombek and Rapp 1997; later sites with the k that was fitted to them.
constexpr Site kSites[] = {
    {RockLaw::vl1, 0.069, 0.0},   {RockLaw::vl2, 0.176, 0.0},    {RockLaw::pathfinder, 0.19, 0.0},
    {RockLaw::spirit, 0.05, 0.0}, {RockLaw::insight, 0.03, 0.0}, {RockLaw::phoenix, 0.02, 0.0},
};
/// Diameters and numbers used for the design of the ExoMars rover: they cover as much ground as
/// the rocks of vl1 above 0.05 m.
const std::vector<RockClass> kVikingClasses = {{0.05, 2.0}, {0.1, 1.7}, {0.25, 0.8}};

const std::vector<std::string> kLawNames = {"exponential", "power",           "classes", "vl1",
                                            "vl2",         "pathfinder",      "spirit",  "insight",
                                            "phoenix",     "viking-1-classes"};

/// Of diameters [m]. Beyond, volumes and coordinates of rocks would lose their digits.
Range sensible_diameter() {
  return within(1e-6, 1e6);
}
/// The diameters of a law lie apart by this fraction at least: the sampler tells no finer.
constexpr double kLeastSpread = 1e-6;

double rate(const RockSizes& law) {
  return law.q > 0.0 ? law.q : 1.79 + 0.152 / law.k;
}

/// The exponential integral E_2(x), x > 0 (Abramowitz and Stegun 1964, 5.1.11, 5.1.14, 5.1.22).
double exponential_integral_2(double x) {
  GROUSER_ASSERT(x > 0.0);
  if (x <= 1.0) {
    constexpr double kEulerGamma = 0.57721566490153286;
    double series = 0.0, power = 1.0;
    for (int n = 1; n < 25; ++n) {
      power *= -x / n;
      series -= power / n;
    }
    return std::exp(-x) - x * (series - kEulerGamma - std::log(x));
  }
  // Continued fraction, from its far end; 100 steps are plenty at x = 1.
  double tail = x;
  for (int n = 100; n >= 1; --n) tail = x + (n + 1.0) / (1.0 + n / tail);
  return std::exp(-x) / tail;
}

double power_coverage(const RockSizes& law, double from, double to) {
  GROUSER_ASSERT(from > 0.0 && from <= to);
  const double b = law.exponent;
  const double integral = std::abs(b - 2.0) < 1e-9
                              ? std::log(to / from)
                              : (std::pow(to, 2.0 - b) - std::pow(from, 2.0 - b)) / (2.0 - b);
  return 0.25 * kPi * law.number * b * integral;
}

void refuse_unused(bool used, bool changed, const Place& place, const std::string& key,
                   const std::string& law) {
  if (!used && changed) throw InputError(place, key + " has no effect with law = \"" + law + "\"");
}

}  // namespace

RockSizes resolved(const RockSizes& sizes) {
  RockSizes out = sizes;
  if (sizes.law == RockLaw::viking_1_classes) {
    out.law = RockLaw::classes;
    out.classes = kVikingClasses;
  }
  for (const Site& site : kSites)
    if (site.name == sizes.law) out.law = RockLaw::exponential, out.k = site.k, out.q = site.q;
  return out;
}

double cumulative_number(const RockSizes& sizes, double diameter) {
  const RockSizes law = resolved(sizes);
  switch (law.law) {
    case RockLaw::power:
      return law.number * std::pow(diameter, -law.exponent);
    case RockLaw::classes: {
      double sum = 0.0;
      for (const RockClass& c : law.classes)
        if (c.diameter >= diameter) sum += c.number;
      return sum;
    }
    default: {
      const double q = rate(law);
      return 4.0 * law.k * q / (kPi * diameter) * exponential_integral_2(q * diameter);
    }
  }
}

double coverage(const RockSizes& sizes, double from, double to) {
  const RockSizes law = resolved(sizes);
  switch (law.law) {
    case RockLaw::power:
      return power_coverage(law, from, to);
    case RockLaw::classes: {
      double sum = 0.0;
      for (const RockClass& c : law.classes)
        if (c.diameter >= from && c.diameter <= to)
          sum += 0.25 * kPi * c.diameter * c.diameter * c.number;
      return sum;
    }
    default: {
      const double q = rate(law);
      return law.k * (std::exp(-q * from) - std::exp(-q * to));
    }
  }
}

double number_of_rocks(const RockSizes& sizes) {
  const RockSizes law = resolved(sizes);
  if (law.law != RockLaw::classes)
    return cumulative_number(law, law.min_diameter) - cumulative_number(law, law.max_diameter);
  double sum = 0.0;
  for (const RockClass& c : law.classes)
    if (c.diameter >= law.min_diameter && c.diameter <= law.max_diameter) sum += c.number;
  return sum;
}

void require_sound(const RockSizes& sizes, const Place& place, const std::string& path) {
  parameter_table(&sizes).check(sizes, place, path);
  const std::string& law = kLawNames[static_cast<std::size_t>(sizes.law)];
  const RockSizes initial;
  refuse_unused(sizes.law == RockLaw::exponential, sizes.k != initial.k, place, path + ".k", law);
  refuse_unused(sizes.law == RockLaw::exponential, sizes.q != initial.q, place, path + ".q", law);
  const bool power = sizes.law == RockLaw::power;
  refuse_unused(power, sizes.number != initial.number, place, path + ".number", law);
  refuse_unused(power, sizes.exponent != initial.exponent, place, path + ".exponent", law);
  refuse_unused(sizes.law == RockLaw::classes, !sizes.classes.empty(), place, path + ".classes",
                law);

  if (!(sizes.min_diameter < sizes.max_diameter))
    throw InputError(place, path + ".min_diameter must be below max_diameter " +
                                to_text(sizes.max_diameter) + ", is " +
                                to_text(sizes.min_diameter));
  const double most = sizes.max_diameter * (1.0 - kLeastSpread);
  if (sizes.min_diameter > most)
    throw InputError(place, path + ".min_diameter must be at most " + to_text(most) +
                                " (max_diameter less " + to_text(kLeastSpread) + " of it), is " +
                                to_text(sizes.min_diameter));
  if (power && sizes.number == 0.0)
    throw InputError(place, path + ".number is missing: rocks of 1 m and more per area [1/m^2]");
  for (const RockClass& c : sizes.classes) {
    parameters_detail::check_number(c.diameter, place, path + ".classes", sensible_diameter());
    parameters_detail::check_number(c.number, place, path + ".classes", positive());
  }
  if (!std::isfinite(cumulative_number(sizes, sizes.min_diameter)))
    throw InputError(place, path + ": law = \"" + law + "\" has more rocks from min_diameter " +
                                to_text(sizes.min_diameter) + " on than a number can hold");
  if (!(number_of_rocks(sizes) > 0.0))
    throw InputError(place, path + ": law = \"" + law + "\" has no rocks between min_diameter " +
                                to_text(sizes.min_diameter) + " and max_diameter " +
                                to_text(sizes.max_diameter));
}

RockSampler::RockSampler(const RockSizes& sizes) {
  const RockSizes law = resolved(sizes);
  if (law.law == RockLaw::classes) {
    for (const RockClass& c : law.classes)
      if (c.diameter >= law.min_diameter && c.diameter <= law.max_diameter) classes_.push_back(c);
    std::stable_sort(classes_.begin(), classes_.end(), [](const RockClass& a, const RockClass& b) {
      return a.diameter > b.diameter;
    });
    for (RockClass& c : classes_) c.number = highest_ += c.number;
    GROUSER_ASSERT(highest_ > 0.0);
    return;
  }
  // Rocks so large that no random number of 53 bits would ask for them are left out.
  highest_ = cumulative_number(law, law.min_diameter);
  double top = law.max_diameter;
  while (!(cumulative_number(law, top) > 1e-18 * highest_))
    top = law.min_diameter + 0.9 * (top - law.min_diameter);
  lowest_ = cumulative_number(law, top);
  log_number_ = {std::log(lowest_)};
  log_diameter_ = {std::log(top)};
  refine(law, std::log(top), std::log(law.min_diameter), 0);
  GROUSER_ASSERT(log_number_.size() >= 2 && log_diameter_.size() == log_number_.size());
}

/// Appends nodes from `log_from`, which is the last node there, down to `log_to`.
void RockSampler::refine(const RockSizes& sizes, double log_from, double log_to, int depth) {
  const auto log_number = [&](double log_diameter) {
    return std::log(cumulative_number(sizes, std::exp(log_diameter)));
  };
  const double log_middle = 0.5 * (log_from + log_to);
  const double n0 = log_number_.back(), n1 = log_number(log_to), n = log_number(log_middle);
  constexpr double kTolerance = 0.5e-6;
  // Where rounding leaves no rise, or diameters are as good as equal, there is nothing to refine.
  const bool flat = !(n1 > n0) || log_from - log_to < kTolerance;
  const double straight = log_from + (log_to - log_from) * (n - n0) / (n1 - n0);
  // The error at the middle is near the largest. Two levels are always there: a kink cannot hide.
  if (flat || depth >= 30 || (depth >= 2 && std::abs(straight - log_middle) < kTolerance)) {
    log_number_.push_back(n1);
    log_diameter_.push_back(log_to);
    return;
  }
  refine(sizes, log_from, log_middle, depth + 1);
  refine(sizes, log_middle, log_to, depth + 1);
}

double RockSampler::diameter_at(double share) const {
  GROUSER_ASSERT(is_share(share));
  const double number = lowest_ + share * (highest_ - lowest_);
  if (!classes_.empty()) {
    for (const RockClass& c : classes_)
      if (number < c.number) return c.diameter;
    return classes_.back().diameter;
  }
  const double log_number = std::log(number);
  GROUSER_ASSERT(std::is_sorted(log_number_.begin(), log_number_.end()));
  const auto after = std::upper_bound(log_number_.begin() + 1, log_number_.end() - 1, log_number);
  const auto i = static_cast<std::size_t>(after - log_number_.begin());
  // Nodes may be equal by rounding, and the number a little beyond the last ones.
  const double rise = log_number_[i] - log_number_[i - 1];
  const double part =
      rise > 0.0 ? std::clamp((log_number - log_number_[i - 1]) / rise, 0.0, 1.0) : 0.5;
  return std::exp(log_diameter_[i - 1] + part * (log_diameter_[i] - log_diameter_[i - 1]));
}

const ParameterTable<RockSizes>& parameter_table(const RockSizes*) {
  const auto read_classes = [](const Value& value, RockSizes& out, const std::string& path) {
    out.classes.clear();
    for (const Value& entry : value.array_or_throw(path)) {
      const auto pair = parameters_detail::read_numbers(entry, path, 2, positive());
      parameters_detail::check_number(pair[0], entry.place(), path, sensible_diameter());
      out.classes.push_back({pair[0], pair[1]});
    }
  };
  const auto write_classes = [](const RockSizes& in) {
    Value::Array out;
    for (const RockClass& c : in.classes) out.push_back(Value(Value::Array{c.diameter, c.number}));
    return Value(std::move(out));
  };
  static const auto table =
      ParameterTable<RockSizes>()
          .choice("law", &RockSizes::law, kLawNames, "kind of law, or a site on Mars")
          .number("k", &RockSizes::k, "",
                  {.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true},
                  "exponential: fraction of the ground under rocks of all sizes")
          .number("q", &RockSizes::q, "1/m", non_negative(),
                  "exponential: fall of the covered fraction with size; 0: 1.79 + 0.152 / k")
          .number("number", &RockSizes::number, "1/m^2", non_negative(),
                  "power: rocks of 1 m and more per area")
          .number("exponent", &RockSizes::exponent, "", within(0.01, 100.0),
                  "power: of the diameter, without its minus sign")
          .custom("classes", "list of [diameter, number]", read_classes,
                  "classes: diameters [m] and how many rocks of each per area [1/m^2]", false,
                  "none", write_classes)
          .number("min_diameter", &RockSizes::min_diameter, "m", sensible_diameter(),
                  "smaller rocks are left out")
          .number("max_diameter", &RockSizes::max_diameter, "m", sensible_diameter(),
                  "larger rocks are left out");
  return table;
}

}  // namespace grouser
