#include "grouser/rover/manoeuvre.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "grouser/base/text.h"

namespace grouser {
namespace {

using Def = ManoeuvreDef;
using Kind = ManoeuvreDef::Kind;

/// What each kind needs, what says how long it lasts (exactly one of them), and what it may have.
struct KindRow {
  std::string name;
  std::vector<std::string> needs;
  std::vector<std::string> one_of;
  std::vector<std::string> may_have;
};
const std::vector<KindRow>& kinds() {
  static const std::vector<KindRow> table = {
      {"straight", {"speed"}, {"distance", "duration"}, {}},
      {"arc", {"speed", "radius"}, {"distance", "angle", "duration"}, {}},
      {"crab", {"speed", "direction"}, {"distance", "duration"}, {}},
      {"point_turn", {"angle"}, {}, {"rate"}},
      {"climb", {"speed", "distance"}, {}, {}},
      {"step", {"speed", "distance"}, {}, {"patience"}},
      {"path", {"speed", "waypoints"}, {}, {"lookahead", "tolerance"}},
      {"table", {}, {"file", "rows"}, {}},
      {"wait", {"duration"}, {}, {}},
  };
  return table;
}
const KindRow& row_of(Kind kind) {
  return kinds()[static_cast<std::size_t>(kind)];
}
std::vector<std::string> kind_names() {
  std::vector<std::string> out;
  for (const KindRow& row : kinds()) out.push_back(row.name);
  return out;
}

/// Numbers that may be left out, depending on the kind.
struct NumberRow {
  std::string key;
  double Def::*member;
  std::string unit;
  Range range;
  std::string meaning;
  std::string default_text;
};
const std::vector<NumberRow>& numbers() {
  constexpr double kLongest = 1e9;
  static const std::vector<NumberRow> table = {
      {"speed", &Def::speed, "m/s", any_number(), "of the rover; negative: backwards", "none"},
      {"distance",
       &Def::distance,
       "m",
       {0.0, kLongest, true},
       "to go: by odometry, as if no wheel slipped; of climb and step really travelled",
       "none"},
      {"duration",
       &Def::duration,
       "s",
       {0.0, kLongest, true},
       "instead of a distance, ramps of speed included; or how long to wait",
       "none"},
      {"angle", &Def::angle, "rad", any_number(),
       "to turn by odometry; of a point turn positive to the left", "none"},
      {"radius", &Def::radius, "m", any_number(), "of an arc; positive: to the left", "none"},
      {"direction", &Def::direction, "rad", any_number(),
       "of a crab from the rover's x axis, positive to the left", "none"},
      {"rate", &Def::rate, "rad/s", positive(), "of a point turn",
       "the fastest wheel rolls at " + to_text(kDefaultTurnSpeed) + " m/s"},
      {"patience",
       &Def::patience,
       "s",
       {0.0, 1e6, true},
       "of a step: so long without progress is stuck",
       to_text(kDefaultPatience)},
      {"lookahead", &Def::lookahead, "m", positive(),
       "of a path: how far ahead the point is that the rover steers for", "the wheel base"},
      {"tolerance", &Def::tolerance, "m", positive(),
       "of a path: how near its end must be to the last waypoint", to_text(kDefaultTolerance)},
  };
  return table;
}

bool given(const Def& def, const std::string& key) {
  for (const NumberRow& row : numbers())
    if (row.key == key) return !std::isnan(def.*(row.member));
  if (key == "waypoints") return !def.waypoints.empty();
  if (key == "file") return !def.file.empty();
  return def.file.empty() && !def.table.rows.empty();  // rows
}

std::string meaning_of(const std::string& key) {
  for (const ParameterInfo& info : manoeuvre_parameters().infos())
    if (info.key == key) return info.meaning;
  return "";
}

/// Where a key stands if the definition was read from a text, else where the definition does.
class Places {
 public:
  Places(const Def& def, const Value* text) : def_(def), text_(text) {}
  bool given(const std::string& key) const {
    return text_ ? text_->find(key) != nullptr : grouser::given(def_, key);
  }
  Place of(const std::string& key) const {
    const Value* value = text_ ? text_->find(key) : nullptr;
    return value ? value->place() : def_.place;
  }

 private:
  const Def& def_;
  const Value* text_;
};

void check_keys(const Def& def, const Places& places) {
  const KindRow& row = row_of(def.kind);
  const std::string who = "drive '" + row.name + "'";
  std::vector<std::string> known = row.needs;
  known.insert(known.end(), row.one_of.begin(), row.one_of.end());
  known.insert(known.end(), row.may_have.begin(), row.may_have.end());
  for (const ParameterInfo& info : manoeuvre_parameters().infos())
    if (info.key != "manoeuvre" && places.given(info.key) &&
        std::find(known.begin(), known.end(), info.key) == known.end())
      throw InputError(places.of(info.key),
                       who + " has no " + info.key + "; it has " + join(known));
  for (const std::string& key : row.needs)
    if (!places.given(key))
      parameters_detail::refuse_missing(def.place, who + ": drive." + key, meaning_of(key));
  if (row.one_of.empty()) return;
  const auto count = std::count_if(row.one_of.begin(), row.one_of.end(),
                                   [&](const std::string& key) { return places.given(key); });
  if (count == 1) return;
  // The last one that is too many is where the user looks.
  Place place = def.place;
  if (count > 1)
    for (const std::string& key : row.one_of)
      if (places.given(key)) place = places.of(key);
  throw InputError(place, who + " needs " + (count > 1 ? "only one of " : "one of ") +
                              join(row.one_of) + (count > 1 ? ", has more" : ""));
}

void check_numbers(const Def& def, const Places& places) {
  for (const NumberRow& row : numbers())
    if (places.given(row.key))
      parameters_detail::check_number(def.*(row.member), places.of(row.key), "drive." + row.key,
                                      row.range);
  if (places.given("speed") && def.speed == 0.0)
    throw InputError(places.of("speed"),
                     "drive.speed must not be 0: the manoeuvre would never end; to stand still, "
                     "manoeuvre = \"wait\"");
  if (places.given("radius") && def.radius == 0.0)
    throw InputError(places.of("radius"),
                     "drive.radius must not be 0; to turn on the spot, manoeuvre = \"point_turn\"");
  if (places.given("angle") && def.angle == 0.0)
    throw InputError(places.of("angle"), "drive.angle must not be 0");
  if (def.kind == Kind::arc && places.given("angle") && def.angle < 0.0)
    throw InputError(places.of("angle"), "drive.angle of an arc must be positive, is " +
                                             to_text(def.angle) +
                                             ": radius and speed have the sign of the turn");
}

void check_waypoints(const Def& def, const Places& places) {
  if (def.kind != Kind::path) return;
  if (def.waypoints.empty())
    throw InputError(places.of("waypoints"), "drive.waypoints must have at least one point");
  for (std::size_t i = 0; i < def.waypoints.size(); ++i) {
    const std::string key = "drive.waypoints." + std::to_string(i);
    if (!def.waypoints[i].allFinite())
      throw InputError(places.of("waypoints"), key + " must be finite");
    if (i > 0 && def.waypoints[i] == def.waypoints[i - 1])
      throw InputError(places.of("waypoints"), key + " is the same as the one before it");
  }
}

void check(const Def& def, const Value* text) {
  const Places places(def, text);
  check_keys(def, places);
  check_numbers(def, places);
  check_waypoints(def, places);
  if (def.kind == Kind::table) check_drive_table(def.table, def.place, "drive.rows");
}

}  // namespace

std::string_view name_of(ManoeuvreDef::Kind kind) {
  return row_of(kind).name;
}

const ParameterTable<ManoeuvreDef>& manoeuvre_parameters() {
  static const auto table = [] {
    ParameterTable<Def> t;
    t.custom(
        "manoeuvre", join(kind_names(), " | "),
        [](const Value& v, Def& out, const std::string& path) {
          out.kind = static_cast<Kind>(parameters_detail::read_choice(v, path, kind_names()));
        },
        "what to do", true);
    for (const NumberRow& row : numbers())
      t.custom(
          row.key, "number [" + row.unit + "]",
          [row](const Value& v, Def& out, const std::string& path) {
            out.*(row.member) = parameters_detail::read_number(v, path, row.range);
          },
          row.meaning, false, row.default_text);
    t.points("waypoints", &Def::waypoints, "list of [x, y]",
             "of a path, in the world [m]; it starts where the rover stands");
    t.text("file", &Def::file,
           "of a table: comma-separated, with columns time, speed, and curvature or yaw_rate, "
           "direction");
    t.custom(
        "rows", "list of [time, speed, curvature, direction]",
        [](const Value& v, Def& out, const std::string& path) {
          out.table = read_drive_rows(v, path);
        },
        "of a table without a file; the last two numbers may be left out");
    return t;
  }();
  return table;
}

const ParameterTable<DriveDef>& drive_settings_parameters() {
  static const auto table = [] {
    ParameterTable<DriveDef> t;
    add_drive_settings(t);
    return t;
  }();
  return table;
}

std::vector<ManoeuvreDef> read_drive(const Value& document, const std::string& folder) {
  std::vector<ManoeuvreDef> out;
  for (const Value& value : tables_of(document, "drive")) {
    ManoeuvreDef& def = out.emplace_back();
    def.place = value.place();
    manoeuvre_parameters().read(value, def, "drive");
    const Value* file = value.find("file");
    if (file && def.file.empty())
      throw InputError(file->place(), "drive.file must name a file, is empty");
    if (def.kind == Kind::table && file && !value.find("rows")) {
      const std::string path = (std::filesystem::path(folder) / def.file).string();
      if (!std::filesystem::exists(path))
        throw InputError(file->place(), "drive.file: there is no file '" + path + "'");
      def.table = read_drive_table(path);
    }
    check(def, &value);
  }
  return out;
}

void check_manoeuvre(const ManoeuvreDef& def) {
  check(def, nullptr);
}

}  // namespace grouser
