#include "grouser/scene/scene_rocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "grouser/assets/asset.h"
#include "grouser/assets/rock_field.h"
#include "grouser/base/assert.h"
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/contact/convex.h"
#include "grouser/mesh/convex_hull.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/simpler_hull.h"
#include "grouser/soil/soil_contact.h"
#include "grouser/soil/soil_surface.h"

namespace grouser {
namespace {

constexpr const char* kStone = "stone";

/// A [[rocks]] as it stands in the scene.
struct RocksText {
  std::string name = "rock";
  const Value* field = nullptr;
  std::string soil;
  bool free = false;
  double free_below = 0.0;
  double density = 2700.0;
  std::string material = kStone;
  int corners = 40;
};

const ParameterTable<RocksText>& rocks_parameters() {
  using Text = RocksText;
  static const auto table =
      ParameterTable<Text>()
          .text("name", &Text::name, "shapes and free bodies are called by it: name_1, name_2, ...")
          .custom(
              "field", "table",
              [](const Value& v, Text& out, const std::string&) { out.field = &v; },
              "which rocks lie where, with the keys of `mesh.rocks`; places are in the frame of "
              "the "
              "soil",
              true)
          .custom(
              "soil", "string",
              [](const Value& v, Text& out, const std::string& path) {
                out.soil = parameters_detail::read_text(v, path);
              },
              "a [[soil]] on whose heights the rocks lie", false,
              "the only one; without any, field.ground or z = 0")
          .boolean("free", &Text::free, "whether all rocks can move")
          .number("free_below", &Text::free_below, "m", non_negative(),
                  "rocks of a smaller diameter can move, larger ones are fixed")
          .number("density", &Text::density, "kg/m^3", positive(), "of rocks that move")
          .text("material", &Text::material,
                "of the surfaces; \"stone\" is there without a [[material]]")
          .integer("corners", &Text::corners, within(8, 1000),
                   "at most, of a rock: those of its hull that matter most");
  return table;
}

/// Heights of a soil before anything touched it, in its frame T: those of its nodes, and straight
/// lines between them.
class SoilHeights {
 public:
  explicit SoilHeights(const SoilGroundDef& soil) : soil_(soil), limits_(soil_grid_limits(soil)) {
    if (!soil.heights) return;
    origin_ = soil.heights->origin;
    // A map as fine as the soil is asked itself: it may be too large to copy.
    if (soil.heights->spacing != soil.spacing) ground_ = make_soil_ground(soil);
  }

  SurfaceHeight at(double x, double y) const {
    SurfaceHeight out;
    const double u = (x - origin_.x()) / soil_.spacing, v = (y - origin_.y()) / soil_.spacing;
    out.inside = inside(u, 0) && inside(v, 1);
    if (!soil_.heights) return out;
    const std::int64_t ix = cell(u, 0), iy = cell(v, 1);
    GROUSER_ASSERT(limits_.first[0] <= ix && ix < limits_.last[0] && limits_.first[1] <= iy &&
                   iy < limits_.last[1]);
    const double s = u - static_cast<double>(ix), t = v - static_cast<double>(iy);
    out.z = (1.0 - t) * ((1.0 - s) * node(ix, iy) + s * node(ix + 1, iy)) +
            t * ((1.0 - s) * node(ix, iy + 1) + s * node(ix + 1, iy + 1));
    return out;
  }

 private:
  bool inside(double u, std::size_t axis) const {
    constexpr double kRounding = 1e-6;  // of a cell
    return u >= static_cast<double>(limits_.first[axis]) - kRounding &&
           u <= static_cast<double>(limits_.last[axis]) + kRounding;
  }
  std::int64_t cell(double u, std::size_t axis) const {
    return static_cast<std::int64_t>(std::clamp(std::floor(u),
                                                static_cast<double>(limits_.first[axis]),
                                                static_cast<double>(limits_.last[axis] - 1)));
  }
  double node(std::int64_t ix, std::int64_t iy) const {
    if (ground_) return ground_->height(ix, iy);
    return soil_.heights->height(static_cast<std::size_t>(ix), static_cast<std::size_t>(iy));
  }

  const SoilGroundDef& soil_;
  GridLimits limits_;
  Vec2 origin_ = Vec2::Zero();
  std::shared_ptr<const SoilGround> ground_;  // null: the map of the soil
};

/// The soil that rocks lie on; null: none.
const SoilGroundDef* soil_of(const RocksText& text, const Value& value,
                             const ContactWorldDef& contact) {
  const auto& soils = contact.soils;
  std::vector<std::string> names;
  for (const auto& soil : soils) names.push_back(soil->name);
  const auto at = [&](std::size_t i) { return dynamic_cast<const SoilGroundDef*>(soils[i].get()); };
  const bool own_ground = text.field->is_table() && text.field->find("ground");
  if (!text.soil.empty()) {
    const Place& place = value.find("soil")->place();
    if (own_ground)
      throw InputError(place, "rocks.soil and rocks.field.ground are both given; give one");
    const auto found = std::find(names.begin(), names.end(), text.soil);
    if (found == names.end())
      throw InputError(
          place, "rocks.soil: there is no soil '" + text.soil + "'" + suggestion(text.soil, names));
    return at(static_cast<std::size_t>(found - names.begin()));
  }
  if (own_ground || soils.empty()) return nullptr;
  if (soils.size() > 1)
    throw InputError(value.place(), "rocks.soil is missing: the scene has " +
                                        std::to_string(soils.size()) + " soils, " + join(names));
  return at(0);
}

/// Rocks in the frame of the soil, or of the world.
RockField make_field(const RocksText& text, const SoilHeights* heights, const std::string& folder) {
  const std::string path = "rocks.field";
  const AssetKind& kind = *find_asset_kind("rocks");
  const Value parameters = with_preset(kind, *text.field, path);
  RockField field;
  if (heights) {
    RockFieldDef def;
    parameter_table(&def).read(parameters, def, path);
    field = make_rock_field(
        def, [&](double x, double y) { return heights->at(x, y); }, {}, text.field->place(), path);
  } else {
    field = kind.read(parameters, path, folder)->make_rocks();
  }
  if (field.rocks.empty())
    throw InputError(text.field->place(),
                     path + ": there are no rocks in this area; their expected number is " +
                         to_text(field.expected, 3) +
                         ", clear zones left aside; take a larger area, or more rocks in it");
  if (field.rocks.size() > kMostSceneRocks)
    throw InputError(text.field->place(),
                     path + " has " + std::to_string(field.rocks.size()) + " rocks, at most " +
                         std::to_string(kMostSceneRocks) +
                         " can be touched one by one; take a greater sizes.min_diameter, or a "
                         "smaller area");
  return field;
}

/// How a free rock is set down: on soil of these layers, or, without, where it touches.
struct Bed {
  std::vector<SoilLayer> layers;
  double gravity = kStandardGravity;  // [m/s^2]
  GroundHeight height;
};

/// Heights of a hull's underside above the ground, at points of a grid seen from above.
struct Clearances {
  std::vector<double> heights;  // [m]
  double cell = 0.0;            // area that each stands for [m^2]
};

Clearances clearances_of(const ConvexHull& hull, const Pose& X_TR, const GroundHeight& ground) {
  constexpr int kAcross = 24;
  Vec3 lower = X_TR * hull.vertices[0], upper = lower;
  for (const Vec3& p : hull.vertices) {
    lower = lower.cwiseMin(X_TR * p);
    upper = upper.cwiseMax(X_TR * p);
  }
  Clearances out;
  out.cell = (upper - lower).head<2>().prod() / (kAcross * kAcross);
  for (int iy = 0; iy < kAcross; ++iy)
    for (int ix = 0; ix < kAcross; ++ix) {
      const double x = lower.x() + (ix + 0.5) / kAcross * (upper.x() - lower.x());
      const double y = lower.y() + (iy + 0.5) / kAcross * (upper.y() - lower.y());
      double bottom = lower.z(), top = upper.z();
      for (std::size_t f = 0; f < hull.face_count(); ++f) {
        const Vec3 n = X_TR.R * hull.normals[f];
        const double left = hull.offsets[f] + n.dot(X_TR.p) - n.x() * x - n.y() * y;
        if (n.z() < 0.0) bottom = std::max(bottom, left / n.z());
        if (n.z() > 0.0) top = std::min(top, left / n.z());
        if (n.z() == 0.0 && left < 0.0) top = -std::numeric_limits<double>::infinity();
      }
      if (bottom < top) out.heights.push_back(bottom - ground(x, y).z);
    }
  return out;
}

/// Moves a rock up or down until the ground carries it: what a buried rock would do at the start
/// of a run is jump.
void set_down(const ConvexHull& hull, double mass, const Bed& bed, Pose& X_TR) {
  const Clearances clear = clearances_of(hull, X_TR, bed.height);
  GROUSER_ASSERT(!clear.heights.empty() && clear.cell > 0.0 && mass > 0.0);
  const auto [lowest, highest] = std::minmax_element(clear.heights.begin(), clear.heights.end());
  double touching = *lowest, deep = *highest;
  if (!bed.layers.empty()) {
    const double area = clear.cell * static_cast<double>(clear.heights.size());
    const double width = 0.5 * std::sqrt(area / kPi);  // of a patch half as wide as the rock
    const auto load = [&](double lowered) {
      double sum = 0.0;
      for (const double height : clear.heights)
        sum += clear.cell * layered_pressure(bed.layers, width, bed.gravity, lowered - height);
      return sum;
    };
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (touching + deep);
      (load(middle) < mass * bed.gravity ? touching : deep) = middle;
    }
  }
  X_TR.p.z() -= touching;
}

/// Hulls of all rocks of a field, in their frames R. Rocks of one shape keep the same corners.
class RockHulls {
 public:
  RockHulls(const RockField& field, std::size_t corners) : field_(field) {
    for (const TriangleMesh& shape : field.shapes)
      corners_.push_back(main_corners(shape.vertices, corners, "rocks.field"));
  }
  ConvexHull hull(std::size_t i) const {
    GROUSER_ASSERT(i < field_.rocks.size());
    GROUSER_ASSERT(static_cast<std::size_t>(field_.rocks[i].shape) < corners_.size());
    const PlacedRock& rock = field_.rocks[i];
    std::vector<Vec3> points = corners_[static_cast<std::size_t>(rock.shape)];
    for (Vec3& p : points) p = p.cwiseProduct(rock.size).eval();
    return make_convex_hull(points, "rock " + std::to_string(i + 1));
  }

 private:
  const RockField& field_;
  std::vector<std::vector<Vec3>> corners_;
};

/// Adds one [[rocks]].
class RockAdder {
 public:
  RockAdder(const RocksText& text, const Value& value, RockSite& site)
      : text_(text), place_(value.place()), site_(site), soil_(soil_of(text, value, site.contact)) {
    if (soil_) heights_.emplace(*soil_);
    if (soil_ && soil_->body != "world" && can_move())
      throw InputError(place_, "rocks can be free on ground that stands still only; soil '" +
                                   soil_->name + "' is fixed to body '" + soil_->body + "'");
  }

  SceneRocks add() {
    const RockField field = make_field(text_, heights_ ? &*heights_ : nullptr, site_.folder);
    const RockHulls hulls(field, static_cast<std::size_t>(text_.corners));
    if (soil_) bed_.layers = soils_of(*soil_)[0];
    bed_.gravity = site_.contact.gravity;
    bed_.height = [this](double x, double y) {
      return heights_ ? heights_->at(x, y) : SurfaceHeight{};
    };
    SceneRocks out{text_.name, soil_ ? soil_->name : "", {}, {}, place_};
    for (std::size_t i = 0; i < field.rocks.size(); ++i) {
      const std::string name = text_.name + "_" + std::to_string(i + 1);
      const PlacedRock& rock = field.rocks[i];
      const bool moves = text_.free || rock.diameter < text_.free_below;
      (moves ? out.free : out.fixed).push_back(name);
      add_rock(name, hulls.hull(i), rock.X_WR, moves);
    }
    return out;
  }

 private:
  bool can_move() const { return text_.free || text_.free_below > 0.0; }

  void add_rock(const std::string& name, const ConvexHull& hull, Pose X_TR, bool moves) {
    ShapeDef shape;
    shape.name = name;
    shape.material = text_.material;
    shape.place = place_;
    const auto mesh = std::make_shared<const TriangleMesh>(mesh_of(hull));
    shape.geometry = MeshShape{mesh};
    const Pose X_BT = soil_ ? soil_->X_BT : Pose{};
    if (moves) {
      const double mass = mass_properties(*mesh, text_.density, name).mass;
      // With a ground of its own in the field its heights are not known here.
      if (soil_ || !text_.field->find("ground")) set_down(hull, mass, bed_, X_TR);
      const Pose X_WR = X_BT * X_TR;
      BodyDef body;
      body.name = shape.body = name;
      body.density = text_.density;
      body.place = place_;
      body.placement.position = X_WR.p;
      const Quat q(X_WR.R);
      body.placement.quaternion = {q.w(), q.x(), q.y(), q.z()};
      site_.bodies.push_back(std::move(body));
    } else {
      shape.body = soil_ ? soil_->body : "world";
      shape.X_BS = X_BT * X_TR;
    }
    site_.contact.shapes.push_back(std::move(shape));
  }

  const RocksText& text_;
  Place place_;
  RockSite& site_;
  const SoilGroundDef* soil_;
  std::optional<SoilHeights> heights_;
  Bed bed_;
};

/// Whether a contact has a shape of that name among its objects.
bool takes_part(const std::vector<std::string>& objects, const std::string& name) {
  return std::any_of(objects.begin(), objects.end(),
                     [&](const std::string& pattern) { return matches_pattern(pattern, name); });
}

}  // namespace

MaterialDef stone() {
  MaterialDef out;
  out.name = kStone;
  out.young_modulus = 1e9;
  out.poisson_ratio = 0.25;
  out.restitution = 0.5;
  out.friction = 0.6;
  return out;
}

std::vector<SceneRocks> add_rocks(const Value& document, RockSite site) {
  std::vector<SceneRocks> out;
  for (const Value& value : tables_of(document, "rocks")) {
    RocksText text;
    rocks_parameters().read(value, text, "rocks");
    if (text.free && text.free_below > 0.0)
      throw InputError(value.find("free_below")->place(),
                       "rocks.free and rocks.free_below are both given; give one");
    out.push_back(RockAdder(text, value, site).add());
    std::vector<MaterialDef>& materials = site.contact.materials;
    const bool known = std::any_of(materials.begin(), materials.end(),
                                   [](const MaterialDef& m) { return m.name == kStone; });
    if (text.material == kStone && !known) materials.push_back(stone());
  }
  return out;
}

std::vector<std::string> rock_notes(const std::vector<SceneRocks>& all,
                                    const ContactWorldDef& world) {
  std::vector<std::string> out;
  for (const SceneRocks& rocks : all) {
    std::size_t fallen = 0, untouched = 0;
    const auto count = [&](const std::string& name, bool free) {
      bool carried = false, touched = false;
      for (const auto& contact : world.contacts) {
        if (const auto* on_soil = dynamic_cast<const SoilContactDef*>(contact.get()))
          carried = carried || takes_part(on_soil->objects, name);
        if (const auto* convex = dynamic_cast<const ConvexDef*>(contact.get()))
          touched = touched || takes_part(convex->objects, name);
      }
      fallen += free && !carried && !touched;
      untouched += !free && !touched;
    };
    for (const std::string& name : rocks.free) count(name, true);
    for (const std::string& name : rocks.fixed) count(name, false);
    const auto of_all = [&](std::size_t some) {
      return std::to_string(some) + " of " +
             std::to_string(rocks.free.size() + rocks.fixed.size()) + " rocks '" + rocks.name +
             "_*'";
    };
    if (fallen > 0)
      out.push_back(of_all(fallen) +
                    " are free and no object of a contact with soil, so nothing carries them");
    if (untouched > 0)
      out.push_back(of_all(untouched) +
                    " are fixed and no object of a convex contact, so nothing touches them");
  }
  return out;
}

std::vector<ParameterInfo> rocks_parameter_infos() {
  return rocks_parameters().infos();
}

}  // namespace grouser
