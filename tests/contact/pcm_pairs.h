// Pairs of clean meshes and poses in which they touch, for tests of the polygonal contact model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/world.h"
#include "grouser/laws/elastic_foundation.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {

/// Two meshes, and where the second one is in the frame of the first: p +- wander, turned by up to
/// `turn` about any axis. Not all such poses touch.
struct MeshPair {
  std::string name;
  TriangleMesh base;
  TriangleMesh target;
  double max_penetration;  ///< below the thickness of all walls
  Vec3 p;
  Vec3 wander;
  double turn;

  MeshPair exchanged() const {
    return {name + ", exchanged", target, base, max_penetration, p, wander, turn, !is_exchanged};
  }
  bool is_exchanged = false;
};

inline Vec3 random_in_box(Random& random, const Vec3& half) {
  return {random.uniform(-half.x(), half.x()), random.uniform(-half.y(), half.y()),
          random.uniform(-half.z(), half.z())};
}

inline TriangleMesh without_groups(TriangleMesh mesh) {
  mesh.groups.clear();
  mesh.group_names.clear();
  return mesh;
}

/// Closed on closed, convex on not convex, closed on a sheet; each also with exchanged roles.
inline std::vector<MeshPair> mesh_pairs() {
  std::vector<MeshPair> pairs = {
      {"ball and block", make_sphere({0.1, 20 * 5 * 5}),
       without_groups(make_box({Vec3(0.3, 0.2, 0.1), 9})), 0.03, Vec3(0, 0, -0.13),
       Vec3(0.18, 0.13, 0.03), 0.4},
      {"torus and sphere", make_torus({0.3, 0.1, 4 * 10 * 10}), make_sphere({0.3, 20 * 4 * 4}),
       0.05, Vec3(0, 0, 0.2), Vec3(0.25, 0.25, 0.2), 3.0},
      {"box and sheet", without_groups(make_box({Vec3(0.2, 0.15, 0.1), 6})),
       make_plane({0.6, 0.5, 12, 10}), 0.03, Vec3(0, 0, -0.045), Vec3(0.3, 0.25, 0.02), 0.2}};
  const std::size_t count = pairs.size();
  for (std::size_t i = 0; i < count; ++i) pairs.push_back(pairs[i].exchanged());
  return pairs;
}

/// Pose of the target in the base's frame.
inline Pose random_pose(const MeshPair& pair, Random& random) {
  const Pose X{rotation_from_vector(random_in_box(random, Vec3::Constant(pair.turn))),
               pair.p + random_in_box(random, pair.wander)};
  return pair.is_exchanged ? X.inverse() : X;
}

inline constexpr PcmLayer kRubber{1e6, 0.4, 0.01};
inline double rubber_stiffness() {
  return layer_stiffness(kRubber.young_modulus, kRubber.poisson_ratio, kRubber.thickness);
}

/// A contact of two free bodies "base" and "target" with one rubber layer.
class PairWorld {
 public:
  PairWorld(const TriangleMesh& base, const TriangleMesh& target, PcmDef pcm)
      : world_(definition(base, target, std::move(pcm))) {}

  /// Answers with the status of the evaluation.
  Status evaluate(const BodyKinematics& base, const BodyKinematics& target) {
    world_.set_body(world_.body("base"), base);
    world_.set_body(world_.body("target"), target);
    return world_.evaluate(0.0);
  }
  const Wrench& on_base() const { return world_.wrench(world_.body("base")); }
  const Wrench& on_target() const { return world_.wrench(world_.body("target")); }
  ContactReport report() {
    ContactReport report;
    world_.report(0.0, 0, report);
    return report;
  }

 private:
  static ContactWorldDef definition(const TriangleMesh& base, const TriangleMesh& target,
                                    PcmDef pcm) {
    ContactWorldDef def;
    for (const auto& [name, mesh] : {std::pair("base", &base), std::pair("target", &target)}) {
      ShapeDef shape;
      shape.name = shape.body = name;
      shape.geometry = MeshShape{std::make_shared<TriangleMesh>(*mesh)};
      def.shapes.push_back(std::move(shape));
    }
    pcm.base = "base";
    pcm.target = "target";
    pcm.layer["base"] = kRubber;
    def.add(pcm);
    return def;
  }
  ContactWorld world_;
};

}  // namespace grouser
