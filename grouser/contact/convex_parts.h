// Convex contact before any body has moved: parts, who may touch whom, and what a pair is made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/scratch.h"
#include "grouser/contact/convex.h"
#include "grouser/shape/convex_shape.h"
#include "grouser/shape/convex_surface.h"

namespace grouser {

/// A convex piece of a shape, fixed to a body.
struct ContactPart {
  ConvexShape shape;
  std::shared_ptr<const ConvexSurface> surface;  ///< if not null, instead of shape
  Pose X_BS;
  Vec3 box_center = Vec3::Zero();  ///< of a box along the axes of S around the part
  Vec3 box_half = Vec3::Zero();    ///< half its edges; infinite for a half-space
  double radius = 0.0;             ///< for Hertz's stiffness [m]; 0: plane
  bool flat = false;               ///< its radius counts only against another flat one
  double thickness = 0.0;          ///< of the column that gives way [m]; 0: that of the other part
  double compliance = 0.0;         ///< (1 - nu^2) / E [1/Pa]; 0: rigid
  int port = 0;                    ///< body
  int object = 0;                  ///< shape
  int material = -1;               ///< -1: rigid

  /// A map has no kind.
  bool is(ConvexKind kind) const { return !surface && shape.kind == kind; }
};

/// What two materials do together.
struct SurfacePair {
  double effective_modulus = 0.0;  ///< E* [Pa]; 0: both are rigid
  double damping = 0.0;            ///< factor a of Hunt and Crossley
  DryFriction friction;
};

/// Two parts whose boxes overlap; the index of the first is the smaller one.
struct NearPair {
  int first = 0, second = 0;
  std::uint64_t key() const {
    return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(second);
  }
};

/// The parts of all objects, and which of them may touch.
class ContactParts {
 public:
  /// Throws InputError at the place of the contact or shape.
  ContactParts(const ConvexDef& def, const ShapeTable& shapes);

  const std::vector<std::string>& body_names() const { return bodies_; }
  std::span<const ContactPart> parts() const { return parts_; }
  const ContactPart& operator[](int part) const { return parts_[static_cast<std::size_t>(part)]; }
  const SurfacePair& surfaces(const ContactPart& a, const ContactPart& b) const {
    return surface_pairs_[material_index(a) * (material_count_ + 1) + material_index(b)];
  }
  const std::string& object_name(int object) const {
    return objects_[static_cast<std::size_t>(object)];
  }
  /// Pairs of shapes that may touch.
  std::size_t enabled_count() const { return enabled_count_; }
  /// Smallest edge of a box around a part [m].
  double smallest_size() const { return smallest_size_; }

  /// Some of the pairs of bodies: every `count`-th, beginning with number `first`.
  struct Share {
    std::size_t first = 0, count = 1;
  };
  /// Pairs that may touch and whose boxes come within `margin` [m] of each other, by key.
  std::span<const NearPair> near_pairs(std::span<const BodyKinematics> bodies, double margin,
                                       Scratch& scratch, Share share = {0, 1}) const;

 private:
  /// The parts of a body, sorted by the lower end of their boxes along its x axis.
  struct Body {
    std::vector<int> parts;
    std::vector<double> lower_x;        // of parts, ascending
    std::vector<Vec3> centers, halves;  // of the boxes of parts, along the axes of the body
    double widest = 0.0;                // greatest extent of a box along x
    std::vector<int> half_spaces;       // of parts, kept apart
    Vec3 box_center = Vec3::Zero(), box_half = Vec3::Constant(-1.0);  // around parts, in B
  };
  void add_objects(const ConvexDef& def, const ShapeTable& shapes);
  void add_parts(const ConvexDef& def, const ShapeDef& shape, int object, int material,
                 double compliance);
  void enable_pairs(const ConvexDef& def);
  void combine_materials(const ConvexDef& def, const ShapeTable& shapes);
  void sort_bodies();
  /// Calls visit(a, b, number) for bodies that may meet and whose boxes do, in an order that
  /// depends on where they are alone.
  template <class Visit>
  void for_each_meeting(std::span<const BodyKinematics> bodies, double margin, Scratch& scratch,
                        Visit&& visit) const;
  void near_of_bodies(std::size_t a, std::size_t b, const Pose& X_AB, double margin,
                      Scratch& scratch, ScratchList<NearPair>& out) const;
  void near_half_spaces(const Body& planes, const Body& others, const Pose& X_PO, double margin,
                        ScratchList<NearPair>& out) const;
  void add_if_enabled(int a, int b, ScratchList<NearPair>& out) const;
  std::size_t material_index(const ContactPart& part) const {
    return static_cast<std::size_t>(part.material + 1);
  }
  bool enabled(int a, int b) const {
    GROUSER_ASSERT(a >= 0 && b >= 0 && std::max(a, b) < static_cast<int>(objects_.size()));
    return enabled_[static_cast<std::size_t>(a) * objects_.size() + static_cast<std::size_t>(b)];
  }

  std::vector<std::string> bodies_;
  std::vector<ContactPart> parts_;
  std::vector<std::string> objects_;  // names of shapes
  std::vector<Place> places_;         // of shapes
  std::vector<int> object_ports_, object_materials_;
  std::vector<bool> grounds_;  // objects with a half-space or a surface in them
  std::vector<const MaterialDef*> materials_;
  std::vector<bool> enabled_;  // by object and object
  /// By port and port: number of a pair of bodies with parts that may touch, or -1.
  std::vector<int> meetings_;
  std::size_t enabled_count_ = 0;
  std::size_t material_count_ = 0;
  std::vector<SurfacePair> surface_pairs_;
  std::vector<Body> sorted_;  // by port
  double smallest_size_ = 0.0;
};

}  // namespace grouser
