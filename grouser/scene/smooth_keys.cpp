// Shapes with a smooth surface.
#include <array>

#include "grouser/base/text.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/shape/map_surface.h"
#include "grouser/shape/parametric_surface.h"
#include "grouser/shape/smooth_bodies.h"

namespace grouser {
namespace {

struct TorusShape {
  double major_radius = kRequired, minor_radius = kRequired;
};
struct SuperellipsoidShape {
  Vec3 half_axes = Vec3::Constant(kRequired);
  Vec2 exponents = Vec2::Ones();
};
struct MapShape {
  ElevationMap::Kind patch = ElevationMap::Kind::quintic;
};
struct ParametricShape {
  std::string x, y, z;
  Vec2 u = Vec2::Constant(kRequired), v = Vec2::Constant(kRequired);
  bool periodic_u = false, periodic_v = false;
  bool flip = false;
};

const ParameterTable<TorusShape>& table_of(const TorusShape*) {
  using S = TorusShape;
  static const auto table = ParameterTable<S>()
                                .number("major_radius", &S::major_radius, "m", positive(),
                                        "from the axis z to the middle of the tube")
                                .number("minor_radius", &S::minor_radius, "m", positive(),
                                        "of the tube, below the major one");
  return table;
}

const ParameterTable<SuperellipsoidShape>& table_of(const SuperellipsoidShape*) {
  using S = SuperellipsoidShape;
  static const auto table =
      ParameterTable<S>()
          .vector3("half_axes", &S::half_axes, "m", "along x, y and z", positive())
          .vector2("exponents", &S::exponents, "",
                   "seen from the side, and along z: 1 is an ellipse, 0.1 almost a rectangle",
                   within(0.1, 1.0));
  return table;
}

const ParameterTable<MapShape>& table_of(const MapShape*) {
  using S = MapShape;
  static const auto table = [] {
    ParameterTable<S> t;
    const auto later = [](const Value&, S&, const std::string&) {};
    t.custom("file", "string", later, "an elevation map; it may have gaps. Or:", false, "none");
    t.custom("surface", "table", later, "a surface of the generator", false, "none");
    t.custom(
        "patch", "\"cubic\", \"quintic\" or \"bspline\"",
        [](const Value& v, S& out, const std::string& path) {
          constexpr ElevationMap::Kind kKinds[] = {
              ElevationMap::Kind::cubic, ElevationMap::Kind::quintic, ElevationMap::Kind::bspline};
          out.patch =
              kKinds[parameters_detail::read_choice(v, path, {"cubic", "quintic", "bspline"})];
        },
        "between the heights: continuous slope, continuous curvature, or that and more accurate",
        false, "\"quintic\"");
    return t;
  }();
  return table;
}

void read_periodic(const Value& value, ParametricShape& out, const std::string& path) {
  parameters_detail::read_entries(value, path, [&](const Value& entry, const std::string& item) {
    (parameters_detail::read_choice(entry, item, {"u", "v"}) == 0 ? out.periodic_u
                                                                  : out.periodic_v) = true;
  });
}

const ParameterTable<ParametricShape>& table_of(const ParametricShape*) {
  using S = ParametricShape;
  static const auto table =
      ParameterTable<S>()
          .text("x", &S::x, "[m], a formula of u and v: \"(1 + 0.2*cos(v))*cos(u)\"", true)
          .text("y", &S::y, "[m], a formula of u and v", true)
          .text("z", &S::z,
                "[m], a formula of u and v; with x = \"u\" and y = \"v\" a height field", true)
          .vector2("u", &S::u, "", "from and to")
          .vector2("v", &S::v, "", "from and to")
          .custom("periodic", "list of \"u\", \"v\"", read_periodic,
                  "where the end of a range is its beginning", false, "[]")
          .boolean("flip", &S::flip,
                   "outside is where the derivative by u x that by v points; true: the other side");
  return table;
}

template <class Shape>
Shape read_shape(const Value& value, const std::string& path) {
  return read_as(table_of(static_cast<const Shape*>(nullptr)), value, path);
}

/// What `make()` refuses is refused at the place of `value`, with its key.
template <class Make>
auto at_place(const Value& value, const std::string& key, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(value.place(), key + ": " + error.what());
  }
}

Geometry read_torus(const Value& value, const std::string& path, const std::string&) {
  const auto shape = read_shape<TorusShape>(value, path);
  const std::string key = path + ".minor_radius";
  return at_place(*value.find("minor_radius"), key, [&] {
    return SmoothShape{"torus",
                       std::make_shared<TorusSurface>(shape.major_radius, shape.minor_radius)};
  });
}

Geometry read_superellipsoid(const Value& value, const std::string& path, const std::string&) {
  const auto shape = read_shape<SuperellipsoidShape>(value, path);
  return SmoothShape{"superellipsoid",
                     std::make_shared<StarSurface>(shape.half_axes, shape.exponents)};
}

Geometry read_map(const Value& value, const std::string& path, const std::string& folder) {
  const auto shape = read_shape<MapShape>(value, path);
  Value source(Value::Table{}, value.place());
  for (const Value::Entry& entry : value.as_table())
    if (entry.key != "patch") source.as_table().push_back(entry);
  const auto grid = read_map_source(source, path, folder, true, ElevationGaps::keep);
  return SmoothShape{"map", std::make_shared<MapSurface>(std::make_shared<ElevationMap>(
                                *grid, shape.patch, ElevationMap::Border::extrapolate,
                                value.place(), ElevationGaps::keep))};
}

Geometry read_parametric(const Value& value, const std::string& path, const std::string&) {
  const auto shape = read_shape<ParametricShape>(value, path);
  const auto formula = [&](const char* key, const std::string& text) {
    return at_place(*value.find(key), path + "." + key, [&] { return Formula(text, {"u", "v"}); });
  };
  for (const auto& [key, range] : {std::pair("u", shape.u), std::pair("v", shape.v)})
    if (!(range.x() < range.y()))
      throw InputError(value.find(key)->place(), path + "." + key + " must go up, is from " +
                                                     to_text(range.x()) + " to " +
                                                     to_text(range.y()));
  ParametricDef def =
      parametric_formulas(formula("x", shape.x), formula("y", shape.y), formula("z", shape.z));
  def.u = shape.u;
  def.v = shape.v;
  def.periodic_u = shape.periodic_u;
  def.periodic_v = shape.periodic_v;
  def.flip = shape.flip;
  return at_place(value, path, [&] {
    return SmoothShape{"parametric", std::make_shared<ParametricSurface>(def)};
  });
}

template <class Shape>
std::vector<ParameterInfo> infos_of() {
  return table_of(static_cast<const Shape*>(nullptr)).infos();
}

const std::array kSmoothKeys = {
    ShapeKey{"map", "table", "an elevation map as a smooth surface, for smooth contact", read_map,
             infos_of<MapShape>},
    ShapeKey{"torus", "table", "a torus about z, for smooth contact", read_torus,
             infos_of<TorusShape>},
    ShapeKey{"superellipsoid", "table",
             "between an ellipsoid and a box with rounded edges, for smooth contact",
             read_superellipsoid, infos_of<SuperellipsoidShape>},
    ShapeKey{"parametric", "table", "a surface given by formulas, for smooth contact",
             read_parametric, infos_of<ParametricShape>}};

}  // namespace

std::span<const ShapeKey> smooth_keys() {
  return kSmoothKeys;
}

}  // namespace grouser
