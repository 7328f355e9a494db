// Simbody's ElasticFoundationForce between two meshes, as a peer.
//
// This header knows no other of the project: Debian's Simbody is C++17 at most.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace grouser {

class SimbodyFoundation {
 public:
  struct Mesh {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<int, 3>> triangles;
  };
  /// The base is fixed and elastic, the target moves and is rigid.
  struct Setup {
    Mesh base, target;
    double stiffness;            ///< per area [Pa/m]
    double friction;             ///< Coulomb coefficient
    double transition_velocity;  ///< at which friction is fully there [m/s]
  };
  /// Of the target: orientation as a quaternion (w x y z), position, angular velocity, velocity.
  struct Motion {
    std::array<double, 4> orientation;
    std::array<double, 3> p, w, v;
  };

  virtual ~SimbodyFoundation() = default;
  virtual std::string version() const = 0;
  /// Force on the target [N] at this motion.
  virtual std::array<double, 3> evaluate(const Motion& motion) = 0;
};

/// Null in a build without Simbody.
std::unique_ptr<SimbodyFoundation> make_simbody_foundation(const SimbodyFoundation::Setup& setup);

}  // namespace grouser
