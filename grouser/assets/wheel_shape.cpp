#include "grouser/assets/wheel_shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grouser/base/text.h"

namespace grouser {

namespace {

/// Of what is free between neighbours this much must remain, or triangles become slivers.
constexpr double kShareLeft = 1e-3;

/// Refuses what does not fit together, in the words of the table: key, limit, reason, value.
class WheelCheck {
 public:
  WheelCheck(Place place, std::string path) : place_(std::move(place)), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw InputError(place_, full(key) + " " + what);
  }
  void below(const std::string& key, double value, double limit, const std::string& reason) const {
    if (!(value < limit))
      refuse(key,
             "must be below " + to_text(limit, 6) + " (" + reason + "), is " + to_text(value, 6));
  }
  void at_most(const std::string& key, double value, double limit,
               const std::string& reason) const {
    if (!(value <= limit))
      refuse(key,
             "must be at most " + to_text(limit, 6) + " (" + reason + "), is " + to_text(value, 6));
  }
  std::string full(const std::string& key) const { return path_ + "." + key; }
  void affordable(const WheelShape& shape, double triangles) const;

 private:
  Place place_;
  std::string path_;
};

void choose(double& value, double choice) {
  if (value == 0.0) value = choice;
}

/// Nothing may be thinner than this share of the radius, or rounding shows in triangles.
constexpr double kThinnest = 1e-5;

void check_sizes(const WheelDef& def, const WheelCheck& check) {
  const std::pair<const char*, double> sizes[] = {
      {"width", def.width},
      {"rim_thickness", def.rim_thickness},
      {"hub_radius", def.hub_radius},
      {"hub_width", def.hub_width},
      {"disc_thickness", def.disc_thickness},
      {"spoke_width", def.spoke_width},
      {"spoke_depth", def.spoke_depth},
      {"foot_length", def.foot_length},
      {"foot_height", def.foot_height},
      {"foot_chamfer", def.foot_chamfer},
      {"grouser_height", def.grouser_height},
      {"grouser_thickness", def.grouser_thickness},
      {"grouser_width", def.grouser_width},
  };
  const double least = kThinnest * def.radius;
  for (const auto& [key, size] : sizes)
    if (size > 0.0 && size < least)
      check.refuse(key, "must be at least " + to_text(least, 6) +
                            " (a hundred-thousandth of the radius), is " + to_text(size, 6));
}

double default_edge(const WheelDef& def) {
  return def.radius / 12.0;
}

/// What zeros stand for; the table tells the user.
void fill_in_choices(WheelDef& def) {
  choose(def.rim_thickness, def.radius / 20.0);
  choose(def.hub_radius, def.radius / 5.0);
  choose(def.disc_thickness, def.width / 10.0);
  choose(def.spoke_width, def.radius / 10.0);
  choose(def.spoke_depth, def.width / 2.0);
  const double held = def.body == WheelBody::disc || def.body == WheelBody::drum
                          ? def.disc_thickness
                          : def.spoke_depth;
  choose(def.hub_width, std::max(def.width / 2.0, held));
  choose(def.foot_length, def.radius / 2.0);
  choose(def.foot_height, def.radius / 6.0);
  choose(def.grouser_width, def.width);
  choose(def.longest_edge, default_edge(def));
}

/// Sizes that differ by less than anything may be thin are taken as equal.
void even_out(WheelDef& def) {
  const auto follow = [&](double& size, double other) {
    if (std::abs(size - other) < kThinnest * def.radius) size = other;
  };
  follow(def.disc_thickness, def.width);
  follow(def.spoke_depth, def.width);
  follow(def.spoke_width, def.foot_length);
  const bool has_disc = def.body == WheelBody::disc;
  follow(def.hub_width, has_disc ? def.disc_thickness : def.spoke_depth);
}

void check_curve(const WheelDef& def, const WheelCheck& check) {
  if (def.curve.empty()) return;
  if (def.crown > 0.0) check.refuse("crown", "must be 0 where a curve is given");
  if (def.curve.size() < 2 || def.curve.front().x() != -1.0 || def.curve.back().x() != 1.0)
    check.refuse("curve", "must run from a point at -1 to one at 1, in halves of the width");
  for (std::size_t i = 0; i < def.curve.size(); ++i) {
    const std::string key = "curve." + std::to_string(i);
    const Vec2& point = def.curve[i];
    if (i > 0 && !(point.x() - def.curve[i - 1].x() >= kShareLeft))
      check.refuse(key, "must lie at least " + to_text(kShareLeft) + " after the point before, " +
                            to_text(def.curve[i - 1].x()) + ", is at " + to_text(point.x()));
    if (!(point.y() >= 0.0))
      check.refuse(key, "must not rise above the radius: drop is " + to_text(point.y()));
    check.below(key, point.y(), def.radius * (1.0 - kShareLeft), "the radius");
  }
}

void check_tread(const WheelShape& shape, const WheelCheck& check) {
  const WheelDef& def = shape.def;
  check.below("crown", def.crown, def.radius * (1.0 - kShareLeft), "the radius");
  check.at_most("crown", def.crown, def.width / 2.0, "half of the width: a half circle");
  check_curve(def, check);
}

/// Keys of grousers, but for their count, that are not as in `other`.
std::vector<std::string> other_grouser_keys(const WheelDef& def, const WheelDef& other) {
  std::vector<std::string> out;
  const auto compare = [&](const char* key, auto member) {
    if (def.*member != other.*member) out.emplace_back(key);
  };
  compare("grouser_height", &WheelDef::grouser_height);
  compare("grouser_thickness", &WheelDef::grouser_thickness);
  compare("grouser_shape", &WheelDef::grouser_shape);
  compare("grouser_angle", &WheelDef::grouser_angle);
  compare("grouser_width", &WheelDef::grouser_width);
  compare("grouser_side_angle", &WheelDef::grouser_side_angle);
  compare("grouser_taper", &WheelDef::grouser_taper);
  return out;
}

/// Whoever gives sizes of grousers and no count forgot it. But a preset must be able to lose its
/// grousers by their count alone.
void check_absent_grousers(const WheelDef& definition, const WheelCheck& check) {
  const std::vector<std::string> given = other_grouser_keys(definition, WheelDef());
  if (definition.grouser_count > 0 || given.empty()) return;
  for (const WheelPreset& preset : wheel_presets())
    if (other_grouser_keys(definition, preset.wheel).empty()) return;
  check.refuse(given[0], "has no effect without " + check.full("grouser_count") +
                             ": give that too, or leave out keys of grousers");
}

void check_grousers(const WheelShape& shape, const WheelCheck& check) {
  const WheelDef& def = shape.def;
  if (def.grouser_count == 0) return;
  const std::string each = std::to_string(def.grouser_count) + " grousers";
  if (def.body == WheelBody::feet) check.refuse("grouser_count", "must be 0 on feet");
  if (def.grouser_height == 0.0) check.refuse("grouser_height", "must be positive for " + each);
  if (def.grouser_thickness == 0.0)
    check.refuse("grouser_thickness", "must be positive for " + each);
  if (def.grouser_shape == GrouserShape::straight && def.grouser_angle != 0.0)
    check.refuse("grouser_angle",
                 "must be 0 for straight grousers, is " + to_text(def.grouser_angle));
  check.at_most("grouser_height", def.grouser_height, def.radius, "the radius");
  check.at_most("grouser_width", def.grouser_width, def.width, "the width of the wheel");

  // Neighbours lean alike, so they meet all along or nowhere: the foot, which is longer along
  // the circumference the more it leans, must be shorter than the spacing where that is least.
  const double spacing =
      2.0 * shape.lowest_tread * std::sin(std::min(kPi / def.grouser_count, kPi / 2.0));
  const double lean = std::cos(def.grouser_angle);
  const double limit = spacing * (1.0 - kShareLeft) * lean;
  const double flanks = 2.0 * def.grouser_height * std::tan(def.grouser_side_angle);
  std::string reason = "the spacing at the tread";
  if (lean < 1.0) reason += ", square to the slanted run";
  if (flanks > 0.0) reason += ", less " + to_text(flanks, 4) + " for the flanks";
  if (flanks >= limit)
    check.below("grouser_side_angle", def.grouser_side_angle,
                std::atan(limit / (2.0 * def.grouser_height)),
                "feet of neighbours meet at the tread");
  check.below("grouser_thickness", def.grouser_thickness, limit - flanks, reason);
}

void check_body(WheelShape& shape, const WheelCheck& check) {
  const WheelDef& def = shape.def;
  if (def.body == WheelBody::solid) return;
  check.below("rim_thickness", def.rim_thickness, shape.lowest_tread * (1.0 - kShareLeft),
              "the radius where the tread is lowest");
  shape.inner_radius = shape.lowest_tread - def.rim_thickness;
  if (def.body == WheelBody::ring) return;
  check.below("hub_radius", def.hub_radius, shape.inner_radius * (1.0 - kShareLeft),
              "the inside of the rim");
  if (def.body == WheelBody::drum)
    check.below("disc_thickness", def.disc_thickness, def.width / 2.0 * (1.0 - kShareLeft),
                "half of the width");
  if (def.body == WheelBody::disc) {
    check.at_most("disc_thickness", def.disc_thickness, def.width, "the width");
    check.at_most("disc_thickness", def.disc_thickness, def.hub_width, "the width of the hub");
  }
}

/// Of spokes or legs at the hub, which is where they are nearest to each other.
void check_spokes(const WheelDef& def, int count, const WheelCheck& check) {
  const double chord = 2.0 * def.hub_radius * std::sin(std::min(kPi / count, kPi / 2.0));
  check.below("spoke_width", def.spoke_width, chord * (1.0 - kShareLeft),
              "the spacing of " + std::to_string(count) + " at the hub");
  check.at_most("spoke_depth", def.spoke_depth, def.hub_width, "the width of the hub");
  check.at_most("spoke_depth", def.spoke_depth, def.width, "the width");
}

void check_feet(WheelShape& shape, const WheelCheck& check) {
  const WheelDef& def = shape.def;
  if (def.crown > 0.0) check.refuse("crown", "must be 0 for feet, whose soles are cylinders");
  if (!def.curve.empty()) check.refuse("curve", "must not be given for feet");
  check.below("foot_height", def.foot_height, def.radius * (1.0 - kShareLeft), "the radius");
  shape.inner_radius = def.radius - def.foot_height;
  check.below("hub_radius", def.hub_radius, shape.inner_radius * (1.0 - kShareLeft),
              "the inside of the feet");
  const double spacing = 2.0 * shape.inner_radius * std::sin(kPi / def.foot_count);
  check.below("foot_length", def.foot_length, spacing * (1.0 - kShareLeft),
              "the spacing of " + std::to_string(def.foot_count) + " feet at their inside");
  const double smallest = std::min({def.foot_height, def.foot_length / 2.0, def.width / 2.0});
  check.below("foot_chamfer", def.foot_chamfer, smallest * (1.0 - kShareLeft),
              "the height or half the length or width of a foot");
  check.at_most("spoke_width", def.spoke_width, def.foot_length, "the length of a foot");
}

double thinnest_wall(const WheelShape& shape) {
  const WheelDef& def = shape.def;
  switch (def.body) {
    case WheelBody::solid:
      return def.radius;
    case WheelBody::ring:
      return std::min(def.rim_thickness, shape.inner_radius);
    case WheelBody::feet:
      return std::min(def.foot_height, shape.inner_radius - def.hub_radius);
    default:
      return std::min(def.rim_thickness, shape.inner_radius - def.hub_radius);
  }
}

/// Between the feet of neighbours where the tread is lowest, along the circumference.
double narrowest_gap(const WheelShape& shape) {
  const double half = shape.grouser_half_thickness(0.0) / shape.lowest_tread;
  return shape.lowest_tread * (shape.grouser_pitch() - 2.0 * std::asin(half));
}

/// Facets differ from the shape, and must differ by less than what lies between them.
double choose_cell(const WheelShape& shape) {
  const WheelDef& def = shape.def;
  double cell = std::min(def.longest_edge / std::sqrt(2.0), def.radius * kPi / 6.0);
  // Those of the tread hang below their vertices by cell^2 / (8 r), those of the inside of the rim
  // likewise. A quarter of the thinnest wall keeps all triangles between them the right way round.
  cell = std::min(cell, std::sqrt(2.0 * def.radius * thinnest_wall(shape)));
  // The flank of a grouser that runs around by an angle is twisted: the two ways to cut a cell
  // differ by half of that angle times the height, cell^2 sin(angle) / (2 r). A quarter of the gap.
  const double twist = std::abs(std::sin(def.grouser_angle));
  if (def.grouser_count > 0 && twist > 0.0)
    cell = std::min(cell, std::sqrt(0.5 * def.radius * narrowest_gap(shape) / twist));
  return cell;
}

/// The shortest edge, if one of this length makes so many triangles.
double limit_of_edge(double edge, double triangles) {
  return 1.02 * edge * std::sqrt(triangles / kMostTriangles);  // to be safe
}

void WheelCheck::affordable(const WheelShape& shape, double triangles) const {
  if (triangles <= kMostTriangles) return;
  const double edge = shape.def.longest_edge;
  const double thinnest = kThinnest * shape.def.radius;
  if (edge < thinnest && !std::isfinite(triangles)) {
    // Too short for numbers to count with: the limit follows from an edge that is not.
    WheelShape coarser = shape;
    coarser.def.longest_edge = thinnest;
    coarser.cell = choose_cell(coarser);
    const double limit = limit_of_edge(thinnest, estimated_triangles(coarser));
    refuse("longest_edge", "must be at least about " + to_text(limit, 3) +
                               ", or there are more than " + to_text(kMostTriangles, 3) +
                               " triangles, is " + to_text(edge));
  }
  const std::string count = "would make about " + to_text(triangles, 3) + " triangles, at most " +
                            to_text(kMostTriangles, 3) + " are allowed";
  if (shape.cell < 0.5 * edge)
    throw InputError(place_, path_ + " " + count + ": cells of " + to_text(shape.cell, 3) +
                                 " m are needed by a wall of " + to_text(thinnest_wall(shape), 3) +
                                 " m or a narrow gap between slanted grousers");
  const std::string chosen = edge == default_edge(shape.def) ? " (radius / 12) " : " ";
  refuse("longest_edge", "must be at least about " + to_text(limit_of_edge(edge, triangles), 3) +
                             ", " + to_text(edge) + chosen + count);
}

}  // namespace

double WheelShape::drop(double y) const {
  const double half = def.width / 2.0;
  if (def.crown > 0.0) {
    const double arc = (half * half + def.crown * def.crown) / (2.0 * def.crown);
    return y * y / (arc + std::sqrt(std::max(0.0, arc * arc - y * y)));  // no cancellation
  }
  for (std::size_t i = 1; i < def.curve.size(); ++i) {
    const Vec2 &a = def.curve[i - 1], &b = def.curve[i];
    if (y / half > b.x() && i + 1 < def.curve.size()) continue;
    return a.y() + (b.y() - a.y()) * (y / half - a.x()) / (b.x() - a.x());
  }
  return 0.0;
}

double WheelShape::grouser_height(double y) const {
  return def.grouser_height *
         (1.0 - def.grouser_taper * std::min(1.0, std::abs(y) / (def.grouser_width / 2.0)));
}

double WheelShape::grouser_shift(double y) const {
  const double along = def.grouser_shape == GrouserShape::chevron ? std::abs(y) : y;
  return std::tan(def.grouser_angle) * along / def.radius;
}

double WheelShape::grouser_half_thickness(double height) const {
  const double square = def.grouser_thickness / 2.0 +
                        (def.grouser_height - height) * std::tan(def.grouser_side_angle);
  return square / std::cos(def.grouser_angle);
}

std::vector<double> WheelShape::breaks() const {
  const double half = def.width / 2.0;
  std::vector<double> wanted = {-half, half, 0.0};
  if (def.grouser_count > 0)
    wanted.insert(wanted.end(), {-def.grouser_width / 2.0, def.grouser_width / 2.0});
  for (const Vec2& point : def.curve) wanted.push_back(point.x() * half);
  // The first of what nearly coincides stays: sides, middle, grousers, curve.
  std::vector<double> kept;
  for (const double y : wanted)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](double k) { return std::abs(k - y) < 0.5 * kShareLeft * half; }))
      kept.push_back(y);
  std::sort(kept.begin(), kept.end());
  return kept;
}

WheelShape resolve_wheel(const WheelDef& definition, const Place& place, const std::string& path) {
  parameter_table(&definition).check(definition, place, path);
  const WheelCheck check(place, path);
  WheelShape shape;
  shape.def = definition;
  check_sizes(definition, check);
  check_absent_grousers(definition, check);
  fill_in_choices(shape.def);
  even_out(shape.def);

  check_tread(shape, check);
  shape.lowest_tread = shape.tread_radius(shape.def.width / 2.0);
  for (const Vec2& point : shape.def.curve)
    shape.lowest_tread = std::min(shape.lowest_tread, shape.def.radius - point.y());
  check_grousers(shape, check);
  if (shape.def.body == WheelBody::feet) {
    check_feet(shape, check);
    check_spokes(shape.def, shape.def.foot_count, check);
  } else {
    check_body(shape, check);
    if (shape.def.body == WheelBody::spokes) check_spokes(shape.def, shape.def.spoke_count, check);
  }

  shape.cell = choose_cell(shape);
  check.affordable(shape, estimated_triangles(shape));
  return shape;
}

}  // namespace grouser
