#include "grouser/mesh/mesh_shapes.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/mesh/listed_mesh.h"
#include "grouser/mesh/revolved_mesh.h"

namespace grouser {

namespace {

/// Where a definition comes from, for messages: a table in a scene, or C++ code (no table).
struct Origin {
  const Value* table = nullptr;
  std::string path;

  Place place() const { return table ? table->place() : Place{}; }
  Place place(const std::string& key) const {
    const Value* value = table ? table->find(key) : nullptr;
    return value ? value->place() : place();
  }
  std::string key(const std::string& name) const { return path.empty() ? name : path + "." + name; }
};

TriangleMesh build(const TorusMesh&, const Origin&);
TriangleMesh build(const SphereMesh&, const Origin&);
TriangleMesh build(const EllipsoidMesh&, const Origin&);
TriangleMesh build(const BoxMesh&, const Origin&);
TriangleMesh build(const CylinderMesh&, const Origin&);
TriangleMesh build(const ConeMesh&, const Origin&);
TriangleMesh build(const CapsuleMesh&, const Origin&);
TriangleMesh build(const PlaneMesh&, const Origin&);

struct ShapeRow {
  const char* name;
  const char* meaning;
  TriangleMesh (*generate)(const Value& parameters, const std::string& path);
  std::vector<ParameterInfo> (*infos)();
};

template <class Definition>
constexpr ShapeRow row(const char* name) {
  return {name, "a generated mesh",
          [](const Value& parameters, const std::string& path) {
            Definition definition;
            parameter_table(&definition).read(parameters, definition, path);
            return build(definition, {&parameters, path});
          },
          [] { return parameter_table(static_cast<const Definition*>(nullptr)).infos(); }};
}

/// Every shape a scene may name.
constexpr ShapeRow kShapes[] = {
    row<TorusMesh>("torus"),
    row<SphereMesh>("sphere"),
    row<EllipsoidMesh>("ellipsoid"),
    row<BoxMesh>("box"),
    row<CylinderMesh>("cylinder"),
    row<ConeMesh>("cone"),
    row<CapsuleMesh>("capsule"),
    row<PlaneMesh>("plane"),
    {"triangles", "a mesh written out in the scene", read_listed_mesh, listed_mesh_parameters},
};

const ShapeRow& find_shape(const std::string& shape, const Place& place) {
  for (const ShapeRow& candidate : kShapes)
    if (candidate.name == shape) return candidate;
  throw InputError(place,
                   "unknown mesh shape '" + shape + "'" + suggestion(shape, mesh_shape_names()));
}

template <class Definition>
TriangleMesh checked_build(const Definition& definition, const char* name) {
  parameter_table(&definition).check(definition, {}, name);
  return build(definition, {nullptr, name});
}

constexpr double kMostSegments = 4096;

void require_affordable(double triangles, const Origin& origin) {
  if (triangles > kMostTriangles)
    throw InputError(origin.place(), origin.path + " would have about " + to_text(triangles, 3) +
                                         " triangles, at most " + to_text(kMostTriangles, 3) +
                                         " are allowed");
}

/// The n >= least with triangles = per_square n^2; refuses a count that has none.
int square_count(int triangles, int per_square, int least, const Origin& origin) {
  const auto count = [&](int n) { return per_square * n * n; };
  const int n = static_cast<int>(std::sqrt(triangles / static_cast<double>(per_square)));
  const int below = std::max(least, n);
  if (count(below) == triangles) return below;
  std::string nearest = std::to_string(count(below));
  if (count(below) < triangles) nearest += " and " + std::to_string(count(below + 1));
  throw InputError(origin.place("triangles"),
                   origin.key("triangles") + " must be " + std::to_string(per_square) +
                       " times a square, is " + std::to_string(triangles) + "; nearest " +
                       (count(below) < triangles ? "are " : "is ") + nearest);
}

/// Appends a parallelogram of nu x nv cells, corner at `corner`, that looks along u x v. Diagonals
/// alternate, so no direction is favoured.
struct Sheet {
  Vec3 corner;
  Vec3 u;
  Vec3 v;
  int nu;
  int nv;
};
void add_sheet(TriangleMesh& mesh, const Sheet& sheet) {
  const auto base = static_cast<std::int32_t>(mesh.vertices.size());
  for (int j = 0; j <= sheet.nv; ++j)
    for (int i = 0; i <= sheet.nu; ++i) {
      // Both ends exactly, so that neighbouring sheets meet.
      const double a = static_cast<double>(i) / sheet.nu;
      const double b = static_cast<double>(j) / sheet.nv;
      mesh.vertices.push_back(sheet.corner + a * sheet.u + b * sheet.v);
    }
  const auto at = [&](int i, int j) { return base + i + j * (sheet.nu + 1); };
  for (int j = 0; j < sheet.nv; ++j)
    for (int i = 0; i < sheet.nu; ++i) {
      const std::int32_t p = at(i, j), q = at(i + 1, j), r = at(i + 1, j + 1), s = at(i, j + 1);
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({p, q, r});
        mesh.triangles.push_back({p, r, s});
      } else {
        mesh.triangles.push_back({p, q, s});
        mesh.triangles.push_back({q, r, s});
      }
    }
}

TriangleMesh build(const TorusMesh& torus, const Origin& origin) {
  if (torus.minor_radius >= torus.major_radius)
    throw InputError(origin.place("minor_radius"),
                     origin.key("minor_radius") + " must be below major_radius " +
                         to_text(torus.major_radius) + ", is " + to_text(torus.minor_radius));
  const int n_minor = square_count(torus.triangles, 4, 3, origin);
  const int n_major = 2 * n_minor;

  TriangleMesh mesh;
  for (int i = 0; i < n_major; ++i)
    for (int j = 0; j < n_minor; ++j) {
      const double around_axis = 2.0 * kPi * i / n_major;
      const double around_tube = 2.0 * kPi * j / n_minor;
      const double from_axis = torus.major_radius + torus.minor_radius * std::cos(around_tube);
      mesh.vertices.emplace_back(from_axis * std::cos(around_axis),
                                 from_axis * std::sin(around_axis),
                                 torus.minor_radius * std::sin(around_tube));
    }
  const auto at = [&](int i, int j) { return (i % n_major) * n_minor + j % n_minor; };
  for (int i = 0; i < n_major; ++i)
    for (int j = 0; j < n_minor; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

std::vector<Vec3> icosahedron_corners() {
  std::vector<Vec3> corners;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-std::numbers::phi, std::numbers::phi}) {
      corners.emplace_back(0.0, s, t);
      corners.emplace_back(s, t, 0.0);
      corners.emplace_back(t, 0.0, s);
    }
  return corners;
}

/// Appends a flat triangle, cut into f^2 that look away from the origin.
void add_side(TriangleMesh& mesh, const std::array<Vec3, 3>& side, int f) {
  const auto base = static_cast<std::int32_t>(mesh.vertices.size());
  for (int j = 0; j <= f; ++j)
    for (int i = 0; i + j <= f; ++i)
      mesh.vertices.push_back((f - i - j) * side[0] + i * side[1] + j * side[2]);
  const auto at = [&](int i, int j) { return base + j * (f + 1) - j * (j - 1) / 2 + i; };
  const bool outward = side[0].dot(side[1].cross(side[2])) > 0.0;
  const auto add = [&](std::int32_t p, std::int32_t q, std::int32_t r) {
    if (!outward) std::swap(q, r);
    mesh.triangles.push_back({p, q, r});
  };
  for (int j = 0; j < f; ++j)
    for (int i = 0; i + j < f; ++i) {
      add(at(i, j), at(i + 1, j), at(i, j + 1));
      if (i + j + 1 < f) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
}

/// An icosahedron with sides cut into f^2, its vertices moved to an ellipsoid.
TriangleMesh geodesic_ellipsoid(int f, const Vec3& half_axes) {
  const std::vector<Vec3> corners = icosahedron_corners();
  const auto adjacent = [](const Vec3& a, const Vec3& b) { return (a - b).norm() < 2.5; };

  // Corners are taken in the same order by every side, so that points on a common edge come out
  // with the same bits and can be welded.
  TriangleMesh mesh;
  for (std::size_t a = 0; a < corners.size(); ++a)
    for (std::size_t b = a + 1; b < corners.size(); ++b)
      for (std::size_t c = b + 1; c < corners.size(); ++c)
        if (adjacent(corners[a], corners[b]) && adjacent(corners[b], corners[c]) &&
            adjacent(corners[c], corners[a]))
          add_side(mesh, {corners[a], corners[b], corners[c]}, f);
  weld_vertices(mesh);
  for (Vec3& p : mesh.vertices) p = p.cwiseProduct(half_axes / p.norm()).eval();
  return mesh;
}

TriangleMesh build(const SphereMesh& sphere, const Origin& origin) {
  return geodesic_ellipsoid(square_count(sphere.triangles, 20, 1, origin),
                            Vec3::Constant(sphere.radius));
}

TriangleMesh build(const EllipsoidMesh& ellipsoid, const Origin& origin) {
  return geodesic_ellipsoid(square_count(ellipsoid.triangles, 20, 1, origin), ellipsoid.half_axes);
}

TriangleMesh build(const BoxMesh& box, const Origin&) {
  const double longest = box.size.maxCoeff();
  std::array<int, 3> n;
  for (int k = 0; k < 3; ++k)
    n[static_cast<std::size_t>(k)] =
        std::max(1, static_cast<int>(std::lround(box.divisions * box.size[k] / longest)));

  TriangleMesh mesh;
  for (std::size_t k = 0; k < 3; ++k) {
    // The two sides across axis k; u, v and k make a right-handed triple.
    const std::size_t iu = (k + 1) % 3;
    const std::size_t iv = (k + 2) % 3;
    const Vec3 u = box.size[static_cast<int>(iu)] * Vec3::Unit(static_cast<int>(iu));
    const Vec3 v = box.size[static_cast<int>(iv)] * Vec3::Unit(static_cast<int>(iv));
    const Vec3 low = -0.5 * box.size;
    const Vec3 high = low + box.size[static_cast<int>(k)] * Vec3::Unit(static_cast<int>(k));
    const auto group = static_cast<std::int32_t>(2 * k);
    add_sheet(mesh, {high, u, v, n[iu], n[iv]});
    mesh.groups.resize(mesh.triangles.size(), group + 1);
    add_sheet(mesh, {low, v, u, n[iv], n[iu]});
    mesh.groups.resize(mesh.triangles.size(), group);
  }
  mesh.group_names = {"x-", "x+", "y-", "y+", "z-", "z+"};
  weld_vertices(mesh);
  return mesh;
}

TriangleMesh build(const CylinderMesh& cylinder, const Origin& origin) {
  return build(ConeMesh{cylinder.radius, cylinder.radius, cylinder.length, cylinder.segments},
               origin);
}

TriangleMesh build(const ConeMesh& cone, const Origin& origin) {
  const double largest = std::max(cone.base_radius, cone.top_radius);
  const RingSpacing spacing(largest, cone.segments);
  require_affordable(2.0 * cone.segments * spacing.pieces_of(cone.length + 2.0 * largest), origin);

  const double half = 0.5 * cone.length;
  std::vector<Ring> profile;
  std::vector<std::int32_t> groups;  // of the bands between the rings
  const auto append = [&](const ProfilePoint& to, std::int32_t group) {
    append_line(profile, to, spacing);
    groups.resize(profile.size() - 1, group);
  };
  append_point(profile, {0.0, -half}, spacing);
  append({cone.base_radius, -half}, 1);
  append({cone.top_radius, half}, 0);
  if (cone.top_radius > 0.0) append({0.0, half}, 2);
  TriangleMesh mesh = revolve(profile, groups);
  mesh.group_names = {"side", "bottom"};
  if (cone.top_radius > 0.0) mesh.group_names.emplace_back("top");
  return mesh;
}

TriangleMesh build(const CapsuleMesh& capsule, const Origin& origin) {
  const RingSpacing spacing(capsule.radius, capsule.segments);
  require_affordable(
      2.0 * capsule.segments * spacing.pieces_of(capsule.length + kPi * capsule.radius), origin);

  const double half = 0.5 * capsule.length;
  std::vector<Ring> profile;
  append_arc(profile, {capsule.radius, -half, -0.5 * kPi, 0.0}, spacing);
  if (capsule.length > 0.0) append_line(profile, {capsule.radius, half}, spacing);
  append_arc(profile, {capsule.radius, half, 0.0, 0.5 * kPi}, spacing);
  return revolve(profile);
}

TriangleMesh build(const PlaneMesh& plane, const Origin& origin) {
  require_affordable(2.0 * plane.cells_x * plane.cells_y, origin);
  TriangleMesh mesh;
  add_sheet(mesh,
            {Vec3(-0.5 * plane.size_x, -0.5 * plane.size_y, 0.0), plane.size_x * Vec3::UnitX(),
             plane.size_y * Vec3::UnitY(), plane.cells_x, plane.cells_y});
  return mesh;
}

}  // namespace

TriangleMesh make_torus(const TorusMesh& definition) {
  return checked_build(definition, "torus");
}
TriangleMesh make_sphere(const SphereMesh& definition) {
  return checked_build(definition, "sphere");
}
TriangleMesh make_ellipsoid(const EllipsoidMesh& definition) {
  return checked_build(definition, "ellipsoid");
}
TriangleMesh make_box(const BoxMesh& definition) {
  return checked_build(definition, "box");
}
TriangleMesh make_cylinder(const CylinderMesh& definition) {
  return checked_build(definition, "cylinder");
}
TriangleMesh make_cone(const ConeMesh& definition) {
  return checked_build(definition, "cone");
}
TriangleMesh make_capsule(const CapsuleMesh& definition) {
  return checked_build(definition, "capsule");
}
TriangleMesh make_plane(const PlaneMesh& definition) {
  return checked_build(definition, "plane");
}

const ParameterTable<TorusMesh>& parameter_table(const TorusMesh*) {
  static const auto table =
      ParameterTable<TorusMesh>()
          .number("major_radius", &TorusMesh::major_radius, "m", positive(),
                  "from the axis to the middle of the tube")
          .number("minor_radius", &TorusMesh::minor_radius, "m", positive(),
                  "of the tube; less than major_radius")
          .integer("triangles", &TorusMesh::triangles, within(36, kMostTriangles),
                   "how many: 4 n^2, n around the tube and 2 n around the axis");
  return table;
}

const ParameterTable<SphereMesh>& parameter_table(const SphereMesh*) {
  static const auto table =
      ParameterTable<SphereMesh>()
          .number("radius", &SphereMesh::radius, "m", positive(), "of the sphere")
          .integer("triangles", &SphereMesh::triangles, within(20, kMostTriangles),
                   "how many: 20 f^2, the sides of an icosahedron cut into f^2 each");
  return table;
}

const ParameterTable<EllipsoidMesh>& parameter_table(const EllipsoidMesh*) {
  static const auto table =
      ParameterTable<EllipsoidMesh>()
          .vector3("half_axes", &EllipsoidMesh::half_axes, "m", "along x, y and z", positive())
          .integer("triangles", &EllipsoidMesh::triangles, within(20, kMostTriangles),
                   "how many: 20 f^2, those of a sphere, stretched");
  return table;
}

const ParameterTable<BoxMesh>& parameter_table(const BoxMesh*) {
  static const auto table =
      ParameterTable<BoxMesh>()
          .vector3("size", &BoxMesh::size, "m", "edge lengths along x, y and z", positive())
          .integer("divisions", &BoxMesh::divisions, within(1, 1000),
                   "pieces of the longest edge; other edges get pieces about as long");
  return table;
}

const ParameterTable<CylinderMesh>& parameter_table(const CylinderMesh*) {
  static const auto table =
      ParameterTable<CylinderMesh>()
          .number("radius", &CylinderMesh::radius, "m", positive(), "of the mantle")
          .number("length", &CylinderMesh::length, "m", positive(), "along the axis z")
          .integer("segments", &CylinderMesh::segments, within(3, kMostSegments),
                   "pieces of the circumference");
  return table;
}

const ParameterTable<ConeMesh>& parameter_table(const ConeMesh*) {
  static const auto table =
      ParameterTable<ConeMesh>()
          .number("base_radius", &ConeMesh::base_radius, "m", positive(), "at the lower end")
          .number("top_radius", &ConeMesh::top_radius, "m", non_negative(),
                  "at the upper end; 0 is a point")
          .number("length", &ConeMesh::length, "m", positive(), "along the axis z")
          .integer("segments", &ConeMesh::segments, within(3, kMostSegments),
                   "pieces of the larger circumference");
  return table;
}

const ParameterTable<CapsuleMesh>& parameter_table(const CapsuleMesh*) {
  static const auto table =
      ParameterTable<CapsuleMesh>()
          .number("radius", &CapsuleMesh::radius, "m", positive(), "of mantle and ends")
          .number("length", &CapsuleMesh::length, "m", non_negative(),
                  "of the cylinder between the half spheres, along the axis z")
          .integer("segments", &CapsuleMesh::segments, within(4, kMostSegments),
                   "pieces of the circumference");
  return table;
}

const ParameterTable<PlaneMesh>& parameter_table(const PlaneMesh*) {
  static const auto table =
      ParameterTable<PlaneMesh>()
          .number("size_x", &PlaneMesh::size_x, "m", positive(), "extent along x")
          .number("size_y", &PlaneMesh::size_y, "m", positive(), "extent along y")
          .integer("cells_x", &PlaneMesh::cells_x, within(1, kMostTriangles / 2), "along x")
          .integer("cells_y", &PlaneMesh::cells_y, within(1, kMostTriangles / 2), "along y");
  return table;
}

TriangleMesh generate_mesh(const std::string& shape, const Value& parameters,
                           const std::string& path) {
  return find_shape(shape, parameters.place()).generate(parameters, path);
}

std::vector<std::string> mesh_shape_names() {
  std::vector<std::string> names;
  for (const ShapeRow& shape : kShapes) names.emplace_back(shape.name);
  return names;
}

std::string mesh_shape_meaning(const std::string& shape) {
  return find_shape(shape, {}).meaning;
}

std::vector<ParameterInfo> mesh_shape_parameters(const std::string& shape) {
  return find_shape(shape, {}).infos();
}

}  // namespace grouser
