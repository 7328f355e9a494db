// What a surface is the sum of.
//
//   layers = [ { noise = { hurst = 0.8, slope = 0.08 } }, { stairs = { height = 0.1, count = 5 } }
//   ]
//
// Each layer is a function of the plane, z(x, y) [m]. Directions are angles from +x towards +y
// [rad]; a station s [m] is the distance from the centre of the surface along a direction.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/map/elevation_map.h"

namespace grouser {

/// Self-affine roughness: a sum of octaves of gradient noise. With nu(L) the root mean square of
/// z(p + L) - z(p), nu ~ L^hurst between `shortest` and a quarter of `longest`, and
/// nu(scale) / scale = slope.
struct NoiseLayer {
  enum class Kind { fbm, ridged, billow };
  /// What has the slope: the surface itself, between its borders, or the mean over all seeds.
  enum class Calibration { patch, ensemble };
  Kind kind = Kind::fbm;
  double hurst = 0.8;
  double slope = kRequired;  ///< a ratio, not an angle
  double scale = 1.0;        ///< [m]
  double longest = 0.0;      ///< wavelength [m]; 0: half of the shorter side, at least 2 scale
  double shortest = 0.0;     ///< wavelength [m]; 0: longest / 1000, at most scale / 4
  double lacunarity = 2.0;   ///< ratio of wavelengths of neighbouring octaves
  Calibration calibration = Calibration::patch;
};

/// Heights from a file, see elevation_file.h.
struct FileLayer {
  /// Beyond the map: the surface must end before, or goes on as ElevationMap::Border says.
  enum class Border { refuse, clamp, extrapolate };
  std::string file = {};
  std::string content = {};  ///< fingerprint of the map; empty: any. See elevation_fingerprint().
  ElevationMap::Kind kind = ElevationMap::Kind::bspline;
  Border border = Border::refuse;
  double spacing = 0.0;  ///< [m]; 0: as the file says
  bool centered = true;  ///< the middle of the map is the centre of the surface
  double height_scale = 1.0;
  double offset = 0.0;  ///< added to the scaled heights [m]
  /// What the file says, once load_files() has read it; no parameter.
  std::shared_ptr<const ElevationGrid> map = {};
};

/// Heights along one direction, the same across it; beyond the ends as high as there.
struct ProfileLayer {
  enum class Kind { linear, smooth };
  std::vector<Vec2> points = {};  ///< station and height
  double direction = 0.0;
  Kind kind = Kind::smooth;  ///< smooth: monotone cubic pieces, flat ends
};

/// A tilted plane, or a ramp: flat before station `from` and after `to`.
struct SlopeLayer {
  double angle = kRequired;  ///< [rad]
  double direction = 0.0;    ///< uphill
  double from = 0.0, to = 0.0;
  double rounding = 0.0;  ///< length over which the two kinks of a ramp are rounded
};

/// Steps up along a direction. A height map has no walls: a riser is as wide as `riser_width`.
struct StairsLayer {
  double height = kRequired;  ///< of a step; negative: down
  int count = 1;
  double tread = 0.3;  ///< from riser to riser
  double direction = 0.0;
  double start = 0.0;        ///< station of the foot of the first riser
  double riser_width = 0.0;  ///< 0: the spacing of the surface
  double rounding = 0.0;     ///< length over which the edges are rounded
};

struct Crater {
  Vec2 position = Vec2::Constant(kRequired);
  double diameter = kRequired;  ///< of the rim [m]
  double degradation = 0.0;     ///< 0: fresh, 1: a shallow bowl without a rim
};

/// Craters by a size-frequency law, or listed one by one, or both.
struct CraterLayer {
  double density = 0.0;   ///< number per area, all diameters [1/m^2]
  double exponent = 2.0;  ///< b of N(>D) ~ D^-b
  double min_diameter = 0.0, max_diameter = 0.0;
  Vec2 degradation = Vec2(0.0, 1.0);  ///< uniform between these
  double depth = 0.2;                 ///< of a fresh one from rim to floor, per diameter
  double rim = 0.03;                  ///< height of a fresh one over the plain, per diameter
  std::vector<Crater> list = {};
};

/// A formula of x and y, from the centre of the surface.
struct FormulaLayer {
  std::string z = {};  ///< [m], see formula.h
};

/// One of them. A class of its own that copies out of line: compilers that look into the variant
/// everywhere warn of members that other kinds have.
struct SurfaceLayer {
  using Shape = std::variant<NoiseLayer, FileLayer, ProfileLayer, SlopeLayer, StairsLayer,
                             CraterLayer, FormulaLayer>;
  SurfaceLayer(Shape shape_in, Place place_in = {});
  SurfaceLayer(const SurfaceLayer&);
  SurfaceLayer(SurfaceLayer&&) noexcept;
  SurfaceLayer& operator=(const SurfaceLayer&);
  SurfaceLayer& operator=(SurfaceLayer&&) noexcept;
  ~SurfaceLayer();

  Shape shape;
  Place place;  ///< where it was read, for messages
};

const ParameterTable<NoiseLayer>& parameter_table(const NoiseLayer*);
const ParameterTable<FileLayer>& parameter_table(const FileLayer*);
const ParameterTable<ProfileLayer>& parameter_table(const ProfileLayer*);
const ParameterTable<SlopeLayer>& parameter_table(const SlopeLayer*);
const ParameterTable<StairsLayer>& parameter_table(const StairsLayer*);
const ParameterTable<CraterLayer>& parameter_table(const CraterLayer*);
const ParameterTable<FormulaLayer>& parameter_table(const FormulaLayer*);
const ParameterTable<Crater>& parameter_table(const Crater*);

/// A table with one key, the kind of layer. Throws InputError with the place.
SurfaceLayer read_surface_layer(const Value& value, const std::string& path);
/// What read_surface_layer() would make the same layer from. Reads the file of a FileLayer whose
/// map is not loaded.
Value surface_layer_values(const SurfaceLayer& layer);
/// Ranges of all parameters of the layer; `path` is that of the layer.
void check_surface_layer(const SurfaceLayer& layer, const Place& place, const std::string& path);

/// "noise", "file", ...: in the order of the documentation.
std::vector<std::string> surface_layer_names();
/// "noise": what kind the layer is.
std::string surface_layer_name(const SurfaceLayer& layer);
/// What the table of a layer may say. Throws InputError for an unknown name.
std::vector<ParameterInfo> surface_layer_parameters(const std::string& name);

/// 128 bits as a text that tells maps apart by all that counts, whatever their file is called.
std::string elevation_fingerprint(const ElevationGrid& grid);

}  // namespace grouser
