// Layers ready to be evaluated: a field is a function of the plane with its derivatives.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "grouser/assets/surface_layers.h"

namespace grouser {

class SurfaceField {
 public:
  virtual ~SurfaceField() = default;
  virtual SurfaceHeight at(double x, double y) const = 0;
  /// Adds the heights at (x[i], y) to z[i], with the same bits as at().
  virtual void add_row(std::span<const double> x, double y, std::span<double> z) const;
};

/// What a layer has to know of the surface it belongs to, and of the text it comes from.
struct LayerContext {
  Vec2 lower = Vec2::Zero(), upper = Vec2::Zero();  ///< corners of the surface [m]
  Vec2 center = Vec2::Zero();
  double spacing = 0.0;
  std::uint64_t seed = 0;
  Place place;
  std::string path;  ///< of the layer's table

  Vec2 size() const { return upper - lower; }
  [[noreturn]] void refuse(const std::string& key, const std::string& reason) const;
};

/// Precondition: ranges are checked. Throws InputError for parameters that do not go together.
std::unique_ptr<SurfaceField> make_field(const NoiseLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const FileLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const ProfileLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const SlopeLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const StairsLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const CraterLayer&, const LayerContext&);
std::unique_ptr<SurfaceField> make_field(const FormulaLayer&, const LayerContext&);

}  // namespace grouser
