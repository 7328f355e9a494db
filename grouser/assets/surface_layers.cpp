#include "grouser/assets/surface_layers.h"

#include <cstdio>

#include "grouser/base/hash.h"
#include "grouser/base/text.h"
#include "grouser/map/elevation_file.h"
#include "grouser/math/formula.h"

namespace grouser {
namespace {

using parameters_detail::joined;

struct LayerRow {
  const char* name;
  SurfaceLayer (*read)(const Value& parameters, const std::string& path);
  std::vector<ParameterInfo> (*infos)();
};

template <class Layer>
constexpr LayerRow row(const char* name) {
  return {name,
          [](const Value& parameters, const std::string& path) {
            Layer layer;
            parameter_table(&layer).read(parameters, layer, path);
            return SurfaceLayer{std::move(layer), parameters.place()};
          },
          [] { return parameter_table(static_cast<const Layer*>(nullptr)).infos(); }};
}

/// Every layer a surface may have, in the order of the variant.
constexpr LayerRow kLayers[] = {
    row<NoiseLayer>("noise"),     row<FileLayer>("file"),     row<ProfileLayer>("profile"),
    row<SlopeLayer>("slope"),     row<StairsLayer>("stairs"), row<CraterLayer>("craters"),
    row<FormulaLayer>("formula"),
};

const LayerRow& find_layer(const std::string& name, const Place& place) {
  for (const LayerRow& candidate : kLayers)
    if (candidate.name == name) return candidate;
  throw InputError(place, "unknown layer '" + name + "'" + suggestion(name, surface_layer_names()));
}

/// The fingerprint of the map as it is now: a file that changed is another surface.
Value write_content(const FileLayer& in) {
  if (in.map) return in.content;
  return elevation_fingerprint(read_elevation_file(in.file));
}

/// Steeper than 84 degrees on average is no ground.
Range noise_slope() {
  return {.lower = 0.0, .upper = 10.0, .lower_open = true};
}
Range inclination() {
  return {.lower = -0.5 * kPi, .upper = 0.5 * kPi, .lower_open = true, .upper_open = true};
}

}  // namespace

SurfaceLayer::SurfaceLayer(Shape shape_in, Place place_in)
    : shape(std::move(shape_in)), place(std::move(place_in)) {}
SurfaceLayer::SurfaceLayer(const SurfaceLayer&) = default;
SurfaceLayer::SurfaceLayer(SurfaceLayer&&) noexcept = default;
SurfaceLayer& SurfaceLayer::operator=(const SurfaceLayer&) = default;
SurfaceLayer& SurfaceLayer::operator=(SurfaceLayer&&) noexcept = default;
SurfaceLayer::~SurfaceLayer() = default;

const ParameterTable<NoiseLayer>& parameter_table(const NoiseLayer*) {
  using Layer = NoiseLayer;
  static const auto table =
      ParameterTable<Layer>()
          .choice("kind", &Layer::kind, {"fbm", "ridged", "billow"},
                  "even roughness, sharp crests, or round hills between sharp valleys")
          .number("hurst", &Layer::hurst, "", within(0.01, 0.99),
                  "exponent: height differences grow with distance^hurst")
          .number("slope", &Layer::slope, "", noise_slope(),
                  "rms height difference over the distance `scale`, divided by it")
          .number("scale", &Layer::scale, "m", positive(), "distance at which the slope is meant")
          .number("longest", &Layer::longest, "m", non_negative(),
                  "wavelength; 0: half of the shorter side, at least 2 scale")
          .number("shortest", &Layer::shortest, "m", non_negative(),
                  "wavelength, at most scale; 0: longest / 1000, at most scale / 4")
          .number("lacunarity", &Layer::lacunarity, "", within(1.25, 3.0),
                  "ratio of wavelengths of neighbouring octaves")
          .choice("calibration", &Layer::calibration, {"patch", "ensemble"},
                  "what has the slope: this surface, or the mean over all seeds");
  return table;
}

const ParameterTable<FileLayer>& parameter_table(const FileLayer*) {
  using Layer = FileLayer;
  static const auto table =
      ParameterTable<Layer>()
          .text("file", &Layer::file, "elevation map", true)
          .custom(
              "content", "string",
              [](const Value& value, Layer& out, const std::string& path) {
                out.content = value.text_or_throw(path);
              },
              "fingerprint the map must have; empty: any", false, "\"\"", write_content)
          .choice("kind", &Layer::kind, {"bilinear", "cubic", "quintic", "bspline"},
                  "surface through the heights")
          .choice("border", &Layer::border, {"refuse", "clamp", "extrapolate"},
                  "beyond the map: the surface must not reach there, or how it goes on")
          .number("spacing", &Layer::spacing, "m", non_negative(), "0: as the file says")
          .boolean("centered", &Layer::centered,
                   "move the middle of the map to the centre of the surface")
          .number("height_scale", &Layer::height_scale, "", any_number(), "factor of the heights")
          .number("offset", &Layer::offset, "m", any_number(), "added to the scaled heights");
  return table;
}

const ParameterTable<ProfileLayer>& parameter_table(const ProfileLayer*) {
  using Layer = ProfileLayer;
  static const auto table =
      ParameterTable<Layer>()
          .points("points", &Layer::points, "list of [station, height]", "[m], stations rising",
                  true)
          .number("direction", &Layer::direction, "rad", any_number(), "of rising stations")
          .choice("kind", &Layer::kind, {"linear", "smooth"}, "between the points");
  return table;
}

const ParameterTable<SlopeLayer>& parameter_table(const SlopeLayer*) {
  using Layer = SlopeLayer;
  static const auto table =
      ParameterTable<Layer>()
          .number("angle", &Layer::angle, "rad", inclination(), "inclination")
          .number("direction", &Layer::direction, "rad", any_number(), "uphill")
          .number("from", &Layer::from, "m", any_number(), "station where a ramp begins")
          .number("to", &Layer::to, "m", any_number(), "station where it ends; = from: no ends")
          .number("rounding", &Layer::rounding, "m", non_negative(),
                  "length over which the kinks of a ramp are rounded");
  return table;
}

const ParameterTable<StairsLayer>& parameter_table(const StairsLayer*) {
  using Layer = StairsLayer;
  static const auto table =
      ParameterTable<Layer>()
          .number("height", &Layer::height, "m", any_number(), "of a step; negative: down")
          .integer("count", &Layer::count, within(1, 1e6), "of steps")
          .number("tread", &Layer::tread, "m", positive(), "from riser to riser")
          .number("direction", &Layer::direction, "rad", any_number(), "up the stairs")
          .number("start", &Layer::start, "m", any_number(), "station where the first riser begins")
          .number("riser_width", &Layer::riser_width, "m", non_negative(),
                  "0: the spacing of the surface")
          .number("rounding", &Layer::rounding, "m", non_negative(),
                  "length over which the edges are rounded");
  return table;
}

const ParameterTable<Crater>& parameter_table(const Crater*) {
  static const auto table =
      ParameterTable<Crater>()
          .vector2("position", &Crater::position, "m", "of the centre")
          .number("diameter", &Crater::diameter, "m", positive(), "of the rim")
          .number("degradation", &Crater::degradation, "", within(0, 1),
                  "0: fresh, 1: a shallow bowl without a rim");
  return table;
}

const ParameterTable<CraterLayer>& parameter_table(const CraterLayer*) {
  using Layer = CraterLayer;
  static const auto table =
      ParameterTable<Layer>()
          .number("density", &Layer::density, "1/m^2", non_negative(), "number per area, all sizes")
          .number("exponent", &Layer::exponent, "", positive(), "b of N(>D) ~ D^-b")
          .number("min_diameter", &Layer::min_diameter, "m", non_negative(),
                  "needed if density is given")
          .number("max_diameter", &Layer::max_diameter, "m", non_negative(),
                  "needed if density is given")
          .vector2("degradation", &Layer::degradation, "", "least and greatest, uniform between",
                   within(0, 1))
          .number("depth", &Layer::depth, "", Range{.lower = 0.0, .upper = 0.5, .lower_open = true},
                  "of a fresh one, rim to floor, per diameter")
          .number("rim", &Layer::rim, "", within(0.0, 0.25),
                  "height of a fresh one over the plain, per diameter")
          .list("list", &Layer::list, parameter_table(static_cast<const Crater*>(nullptr)),
                "craters one by one: position [m], diameter [m], degradation");
  return table;
}

const ParameterTable<FormulaLayer>& parameter_table(const FormulaLayer*) {
  using Layer = FormulaLayer;
  static const auto table = ParameterTable<Layer>().custom(
      "z", "string",
      [](const Value& value, Layer& out, const std::string& path) {
        out.z = value.text_or_throw(path);
        try {
          Formula(out.z, {"x", "y"});
        } catch (const InputError& error) {
          throw InputError(value.place(), path + ": " + error.what());
        }
      },
      "height [m], a formula of x and y from the centre of the surface", true, "",
      [](const Layer& in) { return Value(in.z); });
  return table;
}

SurfaceLayer read_surface_layer(const Value& value, const std::string& path) {
  const Value::Table& table = value.table_or_throw(path);
  if (table.size() != 1)
    throw InputError(value.place(), path + " must have one key, the kind of layer (" +
                                        join(surface_layer_names()) + "), has " +
                                        std::to_string(table.size()));
  const Value::Entry& entry = table.front();
  return find_layer(entry.key, entry.place).read(entry.value, joined(path, entry.key));
}

std::string surface_layer_name(const SurfaceLayer& layer) {
  return kLayers[layer.shape.index()].name;
}

Value surface_layer_values(const SurfaceLayer& layer) {
  Value::Table out(1);
  out[0].key = surface_layer_name(layer);
  out[0].value = std::visit([](const auto& shape) { return parameter_table(&shape).values(shape); },
                            layer.shape);
  return out;
}

void check_surface_layer(const SurfaceLayer& layer, const Place& place, const std::string& path) {
  const std::string key = joined(path, surface_layer_name(layer));
  std::visit([&](const auto& shape) { parameter_table(&shape).check(shape, place, key); },
             layer.shape);
}

std::vector<std::string> surface_layer_names() {
  std::vector<std::string> out;
  for (const LayerRow& candidate : kLayers) out.emplace_back(candidate.name);
  return out;
}

std::vector<ParameterInfo> surface_layer_parameters(const std::string& name) {
  return find_layer(name, {}).infos();
}

std::string elevation_fingerprint(const ElevationGrid& grid) {
  std::string out;
  for (const char* salt : {"elevation map", "the same again"}) {
    Hash hash;
    hash.add(salt);
    hash.add(static_cast<std::uint64_t>(grid.nx));
    hash.add(static_cast<std::uint64_t>(grid.ny));
    for (const double x : {grid.origin.x(), grid.origin.y(), grid.spacing}) hash.add(x);
    hash.add(grid.heights);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.digest()));
    out += text;
  }
  return out;
}

}  // namespace grouser
