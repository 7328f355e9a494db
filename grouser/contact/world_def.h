// What a contact world is made of, as plain definitions: fill them in from C++ or read them from a
// scene.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/contact/contact.h"
#include "grouser/contact/convex_body.h"
#include "grouser/contact/element_shapes.h"
#include "grouser/contact/smooth_shapes.h"
#include "grouser/contact/soil_ground.h"
#include "grouser/geometry/triangle_mesh.h"

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

/// An elastic material; the thickness of the layer it forms on a surface (elastic foundation), and
/// what it does in convex contact.
struct MaterialDef {
  std::string name;
  double young_modulus = kRequired;
  double poisson_ratio = 0.3;
  double thickness = 0.01;
  double restitution = 0.5;
  double friction = 0.5;
  Place place;
};
const ParameterTable<MaterialDef>& material_parameters();

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

/// The keys of a [[shape]], for documentation.
std::vector<ParameterInfo> shape_parameter_infos();

/// Where a pose stands in a scene: position, and orientation as rpy or quaternion.
struct PlacementDef {
  Vec3 position = Vec3::Zero();
  Vec3 rpy = Vec3::Zero();
  std::vector<double> quaternion;  ///< w x y z; empty: use rpy
  Pose pose() const;
};
/// Adds the keys position, rpy and quaternion, stored in a PlacementDef member of T.
template <class T>
ParameterTable<T>& add_placement(ParameterTable<T>& table, PlacementDef T::*placement);

/// The shapes and materials of a world by name, for building contact models.
class ShapeTable {
 public:
  ShapeTable(std::vector<ShapeDef> shapes, std::vector<MaterialDef> materials,
             std::vector<SoilGroundDef> soils = {}, double gravity = kStandardGravity);

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
  /// A material; throws InputError like shape().
  const MaterialDef& material(const std::string& name, const Place& place,
                              const std::string& key) const;

  const std::vector<ShapeDef>& shapes() const { return shapes_; }
  const std::vector<SoilGroundDef>& soils() const { return soils_; }

  /// A piece of ground; throws InputError like shape().
  const SoilGroundDef& soil(const std::string& name, const Place& place,
                            const std::string& key) const;
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
  std::vector<SoilGroundDef> soils_;
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
  /// Checks ranges and references, throws InputError at `place`.
  virtual std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const = 0;
};

struct ContactWorldDef {
  std::vector<MaterialDef> materials;
  std::vector<ShapeDef> shapes;
  std::vector<SoilGroundDef> soils;
  std::vector<std::shared_ptr<const ContactDef>> contacts;
  double gravity = kStandardGravity;  ///< [m/s^2]
  int threads = 1;

  /// Adds a contact given by value: `def.add(pcm)`.
  template <class Def>
  void add(const Def& contact) {
    contacts.push_back(std::make_shared<const Def>(contact));
  }
};

/// Reads the [[material]], [[shape]], [[soil]] and [[contact]] parts of a scene. Files named in it
/// are looked up relative to `folder`. Names must be unique.
ContactWorldDef read_contact_world(const Value& scene, const std::string& folder);

/// Throws InputError if two definitions bear the same name. `what` is the table's key.
template <class Def>
void require_unique_names(const std::vector<Def>& defs, const std::string& what);

namespace world_def_detail {
[[noreturn]] void refuse_duplicate(const Place& place, const std::string& what,
                                   const std::string& name, const Place& first);
}

template <class T>
ParameterTable<T>& add_placement(ParameterTable<T>& table, PlacementDef T::*placement) {
  const auto read3 = [placement](Vec3 PlacementDef::*member) {
    return [placement, member](const Value& v, T& out, const std::string& path) {
      const std::vector<double> x = parameters_detail::read_numbers(v, path, 3, any_number());
      (out.*placement).*member = Vec3(x[0], x[1], x[2]);
    };
  };
  table.custom("position", "3 numbers [m]", read3(&PlacementDef::position),
               "origin in the parent frame", false, "[0, 0, 0]");
  table.custom("rpy", "3 numbers [rad]", read3(&PlacementDef::rpy),
               "rotation about the fixed axes x, then y, then z", false, "[0, 0, 0]");
  table.custom(
      "quaternion", "4 numbers",
      [placement](const Value& v, T& out, const std::string& path) {
        std::vector<double> q = parameters_detail::read_numbers(v, path, 4, any_number());
        if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-12)
          throw InputError(v.place(), path + " must not be zero");
        if (!(out.*placement).rpy.isZero(0.0))
          throw InputError(v.place(), path + " and rpy are both given; give one");
        (out.*placement).quaternion = std::move(q);
      },
      "orientation as w, x, y, z (any length); instead of rpy", false, "[1, 0, 0, 0]");
  return table;
}

template <class Def>
void require_unique_names(const std::vector<Def>& defs, const std::string& what) {
  for (std::size_t i = 0; i < defs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (defs[i].name == defs[j].name)
        world_def_detail::refuse_duplicate(defs[i].place, what, defs[i].name, defs[j].place);
}

}  // namespace grouser
