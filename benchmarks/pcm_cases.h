// What the benchmark of the polygonal contact model evaluates: shapes, pairs and poses.
//
// The cases are those of Hippmann (2023), "Polygonal contact model revisited", section 4, with
// meshes and poses generated here, the same to the bit on every run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grouser/contact/pcm.h"
#include "grouser/contact/pcm_surface.h"
#include "grouser/contact/world.h"

namespace grouser {

/// Where the moving bodies are and how they move, in the order of PcmCase::bodies.
using Snapshot = std::vector<BodyKinematics>;

struct PcmCase {
  std::string name;
  std::vector<ShapeDef> shapes;
  std::vector<PcmDef> pairs;
  std::vector<std::string> bodies;  ///< those that move
  std::vector<Snapshot> snapshots;  ///< evaluated one after the other

  const TriangleMesh& mesh(const std::string& shape) const;
};

/// Changes a pair before its model is built: another detection, another frame.
using Adjust = std::function<void(PcmDef&)>;

/// The world of a case, on one thread.
ContactWorld build_world(const PcmCase& c, const Adjust& adjust = {});

/// Evaluates a case again and again, snapshot by snapshot.
class PcmRunner {
 public:
  explicit PcmRunner(const PcmCase& c, const Adjust& adjust = {});

  /// Moves all bodies to the next snapshot and evaluates the world.
  void evaluate_next();
  /// The same without a shift: `snapshot` as it is given. Throws if the world has no answer.
  void evaluate_at(std::size_t snapshot);

  std::size_t snapshot_count() const { return case_.snapshots.size(); }
  ContactWorld& world() { return world_; }
  int body(std::size_t number) const { return bodies_[number]; }

  /// Sum over all pairs of a report channel of the model at the present poses; 0 if it has none of
  /// that name.
  double channel_sum(const std::string& channel);
  /// The same for one pair.
  double channel(std::size_t pair, const std::string& channel);
  /// Tests that all pairs take together at the present poses.
  PcmWork work() const;

 private:
  const PcmCase& case_;
  ContactWorld world_;
  std::vector<int> bodies_;
  std::size_t next_ = 0;
};

/// A torus (base, fixed) of 4096 triangles and a sphere (target, moving) of 500, both multiplied by
/// `refinement`. At rest the ball lies in the torus, 8 mm deep with the coarsest meshes. Deep: 22
/// to 26 mm, so that the number of elements grows as the meshes do; at rest the coarse ball, whose
/// faces lie 10 mm below its corners, hardly touches where finer ones do. Apart: 3 m above.
PcmCase torus_and_sphere_at_rest(int refinement = 1);
PcmCase torus_and_sphere_deep(int refinement);
PcmCase torus_and_sphere_apart();

/// The 18 feet of a rover with six rimless wheels on rough ground of 32,768 triangles; six of them
/// are in contact.
PcmCase scout_feet();

/// Three ellipsoids in a funnel whose four triangles are cut at the midpoints of their edges
/// `subdivisions` times.
PcmCase bubbles(int subdivisions);
inline constexpr int kMaxSubdivisions = 6;

/// Heights of a ground on a square grid, row by row.
struct HeightGrid {
  int nodes;    // per side
  double size;  // [m] of a side; the centre is at the origin
  std::vector<double> heights;

  double at(int i, int j) const { return heights[static_cast<std::size_t>(j * nodes + i)]; }
  /// On the triangles of make_ground_mesh.
  double height(double x, double y) const;
};

/// Fractal ground by the diamond-square rule, scaled to this root mean square of the slope.
HeightGrid make_fractal_ground(int nodes, double size, double rms_slope);
TriangleMesh make_ground_mesh(const HeightGrid& grid);
/// A cylinder segment (60 x 57 x 30 mm) with chamfered edges: the sole looks to -z, the flat side
/// is z = 0.
TriangleMesh make_foot_mesh();
/// An inverted pyramid over a square of side 2 `half_width`, apex at the origin, open at the top.
/// Normals look into the funnel.
TriangleMesh make_funnel_mesh(double half_width, double depth, int subdivisions);

}  // namespace grouser
