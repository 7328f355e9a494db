// Wheels from parameters: tread with grousers, rim and body, or feet on legs without a rim.
//
// The axis of the wheel is y and its centre the origin; x is forward and z up, as in a rover. One
// closed surface with grousers grown out of the tread, in groups "tread", "grousers", "side"
// and "body", or "feet" and "body". The same definition gives the same bits.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Changes whenever the same definition gives another mesh.
inline constexpr int kWheelVersion = 1;

enum class WheelBody { solid, ring, disc, drum, spokes, feet };
enum class GrouserShape { straight, slanted, chevron };

/// Lengths in m, angles in rad. Where zero stands for a choice of the generator the table says
/// which; `docs/assets/wheel.md` has the drawing in words.
struct WheelDef {
  double radius = kRequired;  ///< greatest, without grousers; with feet: to their soles
  double width = kRequired;

  // How far the tread lies below `radius` across the width; flat if neither is given.
  double crown = 0.0;       ///< arc of a circle that falls by this to either side
  std::vector<Vec2> curve;  ///< [place / half the width, drop], from -1 to 1, straight between

  WheelBody body = WheelBody::disc;
  double rim_thickness = 0.0;   ///< where the tread is lowest
  double hub_radius = 0.0;      ///< of disc, drum, spokes and feet
  double hub_width = 0.0;       ///< of disc, spokes and feet
  double disc_thickness = 0.0;  ///< of the disc, or of each side of a drum
  int spoke_count = 6;
  double spoke_width = 0.0;  ///< along the circumference, of spokes and of the legs of feet
  double spoke_depth = 0.0;  ///< along the axis

  int foot_count = 3;
  double foot_length = 0.0;   ///< along the circumference; they are as wide as the wheel
  double foot_height = 0.0;   ///< along the radius
  double foot_chamfer = 0.0;  ///< of the edges of the sole, at 45 degrees

  int grouser_count = 0;
  double grouser_height = 0.0;     ///< above the tread, in the middle
  double grouser_thickness = 0.0;  ///< at the top in the middle, square to its run
  GrouserShape grouser_shape = GrouserShape::straight;
  double grouser_angle = 0.0;       ///< from the axis, on the unrolled tread
  double grouser_width = 0.0;       ///< along the axis
  double grouser_side_angle = 0.0;  ///< of either flank from upright: the foot is thicker
  double grouser_taper = 0.0;       ///< share of the height that is lost towards the ends

  double longest_edge = 0.0;  ///< no edge of a triangle is longer
};

const ParameterTable<WheelDef>& parameter_table(const WheelDef*);

/// Throws InputError with `place` for what cannot be made, with the reason and the limit.
TriangleMesh make_wheel(const WheelDef& definition, const Place& place = {},
                        const std::string& path = "wheel");

/// A wheel that has driven somewhere, as far as its sizes are known.
struct WheelPreset {
  std::string name;
  std::string meaning;  ///< sizes, grousers, and how certain they are
  WheelDef wheel;
};
const std::vector<WheelPreset>& wheel_presets();

}  // namespace grouser
