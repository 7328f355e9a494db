// Rock fields: rocks on a surface, of sizes that follow a law.
//
//   RockFieldDef field = {.area = {20.0, 20.0}, .sizes = {.law = RockLaw::vl2}, .seed = 3};
//   RockField rocks = make_rock_field(field, [&](double x, double y) { return map.at(x, y); });
//   TriangleMesh all = merged(rocks);                           // static rocks: one mesh
//   TriangleMesh one = rock_mesh(rocks, 17);                    // rocks that move: one each,
//   Pose X_WR = rocks.rocks[17].X_WR;                           // where it lies
//   MassProperties mass = rock_mass(rocks, 17, 2700.0);         // and its inertia
//
// There are as many rocks as Poisson's law gives for the number per area, and sizes are drawn
// before places: rocks that find no room at once are tried elsewhere, never made smaller or left
// out. Rocks keep clear of one another and of clear zones by their bounding spheres, seen from
// above, so they do not touch whatever their attitude.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grouser/assets/progress.h"
#include "grouser/assets/rock_sizes.h"
#include "grouser/map/elevation_map.h"
#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A circle or a rectangle along x and y that no rock reaches into.
struct ClearZone {
  Vec2 center = Vec2::Zero();
  double radius = 0.0;       ///< [m]; of a circle
  Vec2 size = Vec2::Zero();  ///< [m]; of a rectangle
};

/// How rocks lie: on their flat side, turned about the vertical of the ground and tilted a little,
/// or anyhow.
enum class RockAttitude { lying, random };

struct RockFieldDef {
  Vec2 area = Vec2::Constant(kRequired);  ///< lengths of the sides along x and y [m]
  Vec2 center = Vec2::Zero();             ///< of the area [m]
  RockSizes sizes;

  // Shape. The diameter D of a rock is that of a disc as large as its outline (an ellipse) seen
  // from above. Two numbers are a range, from which every rock gets a value, uniformly.
  Vec2 height = {0.25, 0.6};     ///< of what stands out of the ground, over D
  Vec2 burial = {0.1, 0.4};      ///< fraction of the height of the rock that is in the ground
  Vec2 elongation = {1.0, 1.4};  ///< length over width of the outline
  double roughness = 0.1;        ///< this and below: see RockDef
  double fine_roughness = 0.02;
  int facets = 18;
  double angularity = 0.6;
  int triangles = 320;
  int shapes = 20;  ///< different rocks; others are these, stretched and turned

  // Place.
  RockAttitude attitude = RockAttitude::lying;
  double tilt = 0.2;     ///< lying: largest angle against the ground [rad]
  double spacing = 0.0;  ///< least gap between two rocks [m]
  std::vector<ClearZone> clear = {};
  int seed = 1;
};

/// Changes whenever the same definition would give another field, kRockVersion too.
inline constexpr int kRockFieldVersion = 1;

/// A field is refused if more rocks are to be expected.
inline constexpr double kMostRocks = 2e6;

/// Largest coordinate of the area over min_diameter: rocks keep a millionth of their diameter.
inline constexpr double kFarthestRock = 1e10;

const ParameterTable<RockFieldDef>& parameter_table(const RockFieldDef*);
const ParameterTable<ClearZone>& parameter_table(const ClearZone*);

/// Rocks to be expected on the area by the law, as if there were no clear zones.
double expected_number(const RockFieldDef& definition);

/// Of the area, from the origin along x or y [m].
double farthest_coordinate(const RockFieldDef& definition);

/// Refuses numbers out of range, ranges that fall, zones without extent, too many rocks or shapes,
/// and rocks too far from the origin for their size.
void require_sound(const RockFieldDef& definition, const Place& place, const std::string& path);

/// Frame R of a rock: its centre of mass, the axes its size is measured along.
struct PlacedRock {
  int shape;        ///< index into RockField::shapes
  double diameter;  ///< [m]
  double burial;    ///< fraction of its height that is in the ground
  double radius;    ///< of the smallest sphere around its centre of mass that holds it [m]
  Vec3 size;        ///< edge lengths of its bounding box in R [m]
  Pose X_WR;
};

struct RockField {
  std::vector<TriangleMesh> shapes;  ///< bounding box 1 x 1 x 1 m, centre of mass at the origin
  std::vector<PlacedRock> rocks;     ///< largest first
  double expected = 0.0;             ///< mean number of rocks by the law, without clear zones
};

/// Height of the ground at (x, y). Where it says `inside = false` no rock can be placed.
using GroundHeight = std::function<SurfaceHeight(double x, double y)>;

/// Rocks with centres in the area. Without `ground` it is the plane z = 0.
///
/// The ground under a rock is taken as the plane that fits it best over the rock's outline. The
/// rock stands up from that plane, and the fraction `burial` of its height above its lowest point,
/// measured across the plane, lies below it. There may be no rocks at all, by chance. Throws
/// InputError at `place` with the reason: numbers out of range, too many rocks, rocks that do not
/// fit, an area that leaves the ground (asked at its corners, its border and within, before rocks
/// are drawn).
RockField make_rock_field(const RockFieldDef& definition, const GroundHeight& ground = {},
                          const Progress& progress = {}, const Place& place = {},
                          const std::string& path = "rocks");

/// A rock in its own frame R.
TriangleMesh rock_mesh(const RockField& field, std::size_t rock);

/// Of a rock in its own frame R, exact for its mesh; `density` in kg/m^3. Errors count rocks
/// from 1.
MassProperties rock_mass(const RockField& field, std::size_t rock, double density);

/// Refuses, before any rock is placed, a sound field whose merged mesh would have more than
/// kMostTriangles with the mean number of rocks; and one that is not sound. Overlapping clear zones
/// count twice, so that what is refused is too large for certain, but for chance.
void require_mergeable(const RockFieldDef& definition, const Place& place = {},
                       const std::string& path = "rocks");

/// All rocks where they lie, one closed part each, in order. Throws InputError at `place` if there
/// are none, or would be more than kMostTriangles.
TriangleMesh merged(const RockField& field, const Progress& progress = {}, const Place& place = {},
                    const std::string& path = "rocks");

}  // namespace grouser
