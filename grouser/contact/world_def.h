// What a contact world is made of, as plain definitions: fill them in from C++, or let
// grouser/scene read them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "grouser/base/hash.h"
#include "grouser/base/parameters.h"
#include "grouser/contact/contact.h"
#include "grouser/contact/material.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/convex_body.h"
#include "grouser/shape/element_shapes.h"
#include "grouser/shape/smooth_shape.h"

namespace grouser {

inline constexpr double kStandardGravity = 9.81;  ///< [m/s^2]

/// The shape frame S has its origin at the centre. With radius 0 it is a point, which only contact
/// elements know.
struct SphereShape {
  double radius = kRequired;  ///< [m]
};
const ParameterTable<SphereShape>& sphere_parameters();
/// Everything below z = 0 of the shape frame is inside; the outward normal is +z.
struct HalfSpaceShape {};
struct MeshShape {
  std::shared_ptr<const TriangleMesh> mesh;  ///< in the shape frame
};
using Geometry = std::variant<std::monostate, MeshShape, SphereShape, HalfSpaceShape, ConvexBody,
                              ElementShape, SmoothShape>;

/// "mesh", "sphere", ...: the scene's keyword for the geometry.
std::string_view geometry_name(const Geometry& geometry);

/// A geometry fixed to a body.
struct ShapeDef {
  std::string name;
  std::string body = "world";
  std::string material;  ///< empty: rigid
  Pose X_BS;
  Geometry geometry;
  Place place;
};
/// The radius of a sphere, for models that need one; throws InputError at `place`, naming `key`, if
/// it is a point.
double radius_of_sphere(const ShapeDef& sphere, const Place& place, const std::string& key);

/// A piece of ground that contact models yield on; which kind it is they know (grouser/soil).
struct GroundDef {
  std::string name;
  std::string body = "world";
  Place place;

  virtual ~GroundDef() = default;
  /// Checks ranges and references, throws InputError at `place`.
  virtual void check() const = 0;
  /// All that a contact on it depends on.
  virtual void add_to(Hash& hash) const = 0;
};

/// The shapes and materials of a world by name, for building contact models.
class ShapeTable {
 public:
  ShapeTable(std::vector<ShapeDef> shapes, std::vector<MaterialDef> materials,
             std::vector<std::shared_ptr<const GroundDef>> soils = {},
             double gravity = kStandardGravity);

  /// Throws InputError at `place`, naming `key`, if there is no such shape.
  const ShapeDef& shape(const std::string& name, const Place& place, const std::string& key) const;
  /// The same, and refuses a shape whose geometry is not a G.
  template <class G>
  const ShapeDef& shape_of(const std::string& name, const Place& place,
                           const std::string& key) const {
    const ShapeDef& found = shape(name, place, key);
    if (!std::holds_alternative<G>(found.geometry)) refuse_geometry(found, G{}, place, key);
    return found;
  }
  /// The same for elements: `E` is a LineShape, DiscShape, ...
  template <class E>
  const ShapeDef& element_of(const std::string& name, const Place& place,
                             const std::string& key) const {
    const ShapeDef& found = shape(name, place, key);
    const auto* element = std::get_if<ElementShape>(&found.geometry);
    if (!element || !std::holds_alternative<E>(*element))
      refuse_geometry(found, ElementShape(E{}), place, key);
    return found;
  }
  /// The material of a shape; null if it is rigid.
  const MaterialDef* material_of(const ShapeDef& shape) const;
  /// What two shapes do together by their materials.
  MaterialPair materials_of(const ShapeDef& first, const ShapeDef& second) const {
    return pair_of(material_of(first), material_of(second));
  }
  /// A material; throws InputError like shape().
  const MaterialDef& material(const std::string& name, const Place& place,
                              const std::string& key) const;

  const std::vector<ShapeDef>& shapes() const { return shapes_; }
  const std::vector<MaterialDef>& materials() const { return materials_; }
  const std::vector<std::shared_ptr<const GroundDef>>& soils() const { return soils_; }

  /// A piece of ground; throws InputError like shape().
  const GroundDef& soil(const std::string& name, const Place& place, const std::string& key) const;
  /// [m/s^2]; some soils are the weaker the less they weigh.
  double gravity() const { return gravity_; }

  /// What contacts prepare from shapes and can share: made by `make()` when `key` is first asked
  /// for. Keys say which T it is.
  template <class T, class Make>
  std::shared_ptr<const T> shared(const std::string& key, Make&& make) const {
    std::shared_ptr<const void>& kept = shared_[key];
    if (!kept) kept = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(kept);
  }

 private:
  [[noreturn]] static void refuse_geometry(const ShapeDef& found, const Geometry& wanted,
                                           const Place& place, const std::string& key);
  std::vector<ShapeDef> shapes_;
  std::vector<MaterialDef> materials_;
  std::vector<std::shared_ptr<const GroundDef>> soils_;
  double gravity_;
  mutable std::map<std::string, std::shared_ptr<const void>> shared_;
};

/// Hertz's stiffness [N/m^1.5] of two shapes, from their materials and a radius [m]; one without
/// material is rigid. Throws InputError at `place` if both are.
double hertz_stiffness_of(const ShapeTable& shapes, const ShapeDef& first, const ShapeDef& second,
                          double radius, const Place& place);

/// Base of the definitions of all contact models.
struct ContactDef {
  std::string name;
  Place place;

  virtual ~ContactDef() = default;
  /// The model's name in the registry.
  virtual std::string_view model() const = 0;
  /// All its parameters with their values.
  virtual Value values() const = 0;
  /// Checks ranges and references, throws InputError at `place`.
  virtual std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const = 0;
};

struct ContactWorldDef {
  std::vector<MaterialDef> materials;
  std::vector<ShapeDef> shapes;
  std::vector<std::shared_ptr<const GroundDef>> soils;
  std::vector<std::shared_ptr<const ContactDef>> contacts;
  double gravity = kStandardGravity;  ///< [m/s^2]
  int threads = 1;

  /// Adds a contact or a piece of ground given by value: `def.add(pcm)`.
  template <class Def>
  void add(const Def& part) {
    if constexpr (std::is_base_of_v<GroundDef, Def>)
      soils.push_back(std::make_shared<const Def>(part));
    else
      contacts.push_back(std::make_shared<const Def>(part));
  }
};

/// Throws InputError if two definitions (or pointers to them) bear the same name. `what` is the
/// table's key.
template <class Def>
void require_unique_names(const std::vector<Def>& defs, const std::string& what);

namespace world_def_detail {
[[noreturn]] void refuse_duplicate(const Place& place, const std::string& what,
                                   const std::string& name, const Place& first);
}

template <class Def>
void require_unique_names(const std::vector<Def>& defs, const std::string& what) {
  const auto at = [&](std::size_t i) -> const auto& {
    if constexpr (requires { defs[i]->name; })
      return *defs[i];
    else
      return defs[i];
  };
  for (std::size_t i = 0; i < defs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (at(i).name == at(j).name)
        world_def_detail::refuse_duplicate(at(i).place, what, at(i).name, at(j).place);
}

}  // namespace grouser
