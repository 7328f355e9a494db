// Where an object stands in the ground, and what the soil answers there.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grouser/laws/soil.h"
#include "grouser/soil/soil_surface.h"
#include "grouser/soil/wheel_tread.h"

namespace grouser {

/// An object, prepared once.
struct ScmObject {
  std::string name;
  std::string body;
  std::shared_ptr<const LowerEnvelope> envelope;  ///< of the shape, in the frame of its body
  bool by_vertices = false;
  double size = 0.0;    ///< diagonal of the bounding box [m]
  double radius = 0.0;  ///< greatest distance from the axis [m]
  Vec3 axis = Vec3::UnitY();
  Vec3 p_BA = Vec3::Zero();  ///< a point on the axis: the origin of the shape
  /// Of a wheel with grousers: its envelope is that of the drum through the tips.
  std::shared_ptr<const WheelTread> tread;
  double grouser_thickness = 0.0;            ///< 0: none [m]
  std::vector<TreadStrength> along, across;  ///< along the rim and across it, by soil
  Vec3 half_size = Vec3::Zero();             ///< of the bounding box [m]

  /// How far above the tips soil slides [m].
  double shear_height() const {
    return tread ? (1.0 - along.front().level) * tread->height() : 0.0;
  }
};

/// A soil with what follows from its parameters.
struct ScmSoil {
  SoilDef def;                     ///< of the uppermost layer
  std::vector<SoilLayer> layers;   ///< all of them
  std::vector<double> tan_layers;  ///< tan(phi) of each layer
  double stiffness = 0.0;          ///< of unloading, that of the stiffest layer [Pa/m]
  double tan_friction = 0.0;
  double tan_repose = 0.0;
  PassivePressure passive;  ///< on walls
  double passive_ends = 0.0;
  double wall_friction = 0.0;  ///< tangent of the angle of friction on walls
  double unit_weight = 0.0;    ///< [N/m^3]
  double cohesive = 0.0;       ///< c / tan(phi) [Pa]
  double least_yield = 0.0;    ///< of sheared soil, as a share of its yield pressure
};

/// What the soil remembers of the object that stands in it, on a window of nodes, as it was left by
/// the last update. Nodes outside of it are new.
struct ScmTrace {
  GridWindow nodes;
  std::vector<std::uint8_t> touched;  ///< kPressed, kHeap: in soil above the ground, or 0: not
  static constexpr std::uint8_t kPressed = 1, kHeap = 2;
  /// Share of the shear strength at work: its direction seen from above, its length along the
  /// underside.
  std::vector<double> shear_x, shear_y;
  // Inverse widths 1 / b, b the width of the patch in the laws of pressure, shares of the force and
  // what is loose go from one value to the other until the next update: no jumps when a patch has
  // grown, another object stands on the same node, or loose soil has been pressed.
  std::vector<double> per_width_from, per_width_to;
  std::vector<double> share_from, share_to;
  std::vector<double> loose_from;  ///< [m]; to what the soil says
  std::vector<double> deep_from, deep_to;
  std::vector<double> change_from;  ///< of the ground before the update, at all nodes [m]
  double new_per_width = 0.0;       ///< of nodes that are new [1/m]
  // Of the wedge of soil that the object pushes ahead: height of the heap on it [m], likewise, and
  // how it is sheared.
  double heap_from = 0.0, heap_to = 0.0;
  Vec2 wedge = Vec2::Zero();
  double deepest = 0.0;  ///< that the object stands in the soil [m]
  /// In which soil moved around the object lately, in nodes: towards -x, +x, -y and +y.
  std::array<int, 4> margin = {kLeastMargin, kLeastMargin, kLeastMargin, kLeastMargin};
  static constexpr int kLeastMargin = 3;

  std::optional<std::size_t> find(std::int64_t ix, std::int64_t iy) const {
    if (!nodes.contains(ix, iy)) return std::nullopt;
    const std::size_t i = nodes.index(ix, iy);
    return touched[i] ? std::optional(i) : std::nullopt;
  }
};

/// How an object stands and moves over the grid, T its frame.
struct ScmMotion {
  Pose X_TB;
  Twist V_TB;
  double since_update = 0.0;  ///< [s]
  double phase = 0.0;         ///< of the period that has passed, 0 to 1
};

/// Settings that all objects of a contact share.
struct ScmSettings {
  std::vector<ScmSoil> soils;
  double gravity = 0.0;
  double width = 0.0;
  double damping_ratio = 0.0;
  double side_wall = 1.0;
  double friction_speed = 1e-3;  ///< at which Coulomb friction is in full force [m/s]
  // Close to rest the shear is damped like a spring with a dashpot; faster it is not.
  double rest_speed = 2e-3;    ///< [m/s]
  double rest_damping = 0.03;  ///< [s]
};

/// The nodes an object presses on, side by side. Lives in scratch.
struct ScmFootprint {
  GridWindow window;
  SoilWindow soil;
  std::span<double> underside;  ///< height of the object's underside over all nodes of the window
  std::span<double> coverage;
  double ceiling = 0.0;  ///< above all ground of the window by two spacings or more [m]
  double deepest = 0.0;
  std::size_t beyond_map = 0;  ///< nodes under the object where there is no ground
  int x_begin = 0, x_end = 0, y_begin = 0, y_end = 0;  ///< what is pressed on, in the window

  double heap = 0.0;  ///< height of the soil that lies before the object [m]
  std::size_t count = 0;
  std::span<std::int32_t> node, x, y;  ///< in the window
  std::span<double> depth;             ///< below the surface [m]
  std::span<double> sinkage;           ///< below the reference, less what loose soil gives [m]
  std::span<double> loose;             ///< soil that is loose [m]
  std::span<double> deep;              ///< share of the sinkage at which soil bears all it does
  std::span<double> slope_x, slope_y;  ///< of the underside
  std::span<double> area;              ///< of ground that carries, seen from above [m^2]
  std::span<double> share;             ///< of the object in what carries, 1 where it stands alone
  std::span<double> per_width;         ///< 1 / b [1/m]
  std::span<double> shear_x, shear_y;  ///< as remembered
  std::span<double> fresh;             ///< 1: pressed since the last update, 0: before
  /// Nodes of soil i are first[i] to first[i + 1].
  std::span<std::size_t> first;

  /// Where the object ends with a wall that stands in the soil.
  struct Wall {
    std::size_t entry;     ///< of the lists above
    double out_x, out_y;   ///< outwards, of unit length
    double length, depth;  ///< [m]
  };
  std::span<Wall> walls;
};

ScmFootprint find_footprint(const ScmObject& object, const ScmSettings& settings,
                            const ScmMotion& motion, const SoilSurface& surface,
                            const ScmTrace& trace, Scratch& scratch);

/// Stresses at the nodes of a footprint, and the wrench they make on the object about the origin of
/// its body, in T.
struct ScmStress {
  std::span<double> yield;                      ///< pressure at which the soil gives way [Pa]
  std::span<double> deep;                       ///< as a share of what it would be without shear
  std::span<double> velocity_x, velocity_y;     ///< of the object's surface, all of it
  std::span<double> sliding_x, sliding_y;       ///< along the surface
  std::span<double> shear_x, shear_y;           ///< share of the shear strength, now
  std::span<double> share_x, share_y;           ///< the same with damping close to rest
  std::span<double> force_x, force_y, force_z;  ///< on the object [N]
  // Of the whole object: mean shear, centre of pressure from the origin of the body, and width
  // across the mean shear [m].
  Vec2 mean_shear = Vec2::Zero(), centre = Vec2::Zero();
  double width = 0.0;
  Wrench wrench_T;
};
ScmStress find_stress(const ScmObject& object, const ScmSettings& settings, const ScmMotion& motion,
                      double spacing, const ScmFootprint& footprint, Scratch& scratch);

/// What the soil answers to one object.
struct ScmAnswer {
  ScmFootprint footprint;
  ScmStress stress;
  Status status = Status::ok;
};

}  // namespace grouser
