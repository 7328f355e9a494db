#include "grouser/mesh/listed_mesh.h"

#include "grouser/mesh/mesh_groups.h"

namespace grouser {

namespace {

using parameters_detail::joined;

struct ListedMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 3>> faces;
  std::vector<std::string> groups;
};

/// Calls `read(entry, key of the entry)` for each of one or more.
template <class Read>
void read_entries(const Value& value, const std::string& path, Read&& read) {
  const Value::Array& entries = value.array_or_throw(path);
  if (entries.empty()) throw InputError(value.place(), path + " must not be empty");
  for (std::size_t i = 0; i < entries.size(); ++i)
    read(entries[i], joined(path, std::to_string(i)));
}

void read_vertices(const Value& value, ListedMesh& out, const std::string& path) {
  read_entries(value, path, [&](const Value& entry, const std::string& key) {
    const std::vector<double> x = parameters_detail::read_numbers(entry, key, 3, any_number());
    out.vertices.emplace_back(x[0], x[1], x[2]);
  });
}

void read_faces(const Value& value, ListedMesh& out, const std::string& path) {
  read_entries(value, path, [&](const Value& entry, const std::string& key) {
    const Value::Array& corners = entry.array_or_throw(key);
    if (corners.size() != 3)
      throw InputError(entry.place(), key + " must have 3 numbers of vertices, has " +
                                          std::to_string(corners.size()));
    auto& face = out.faces.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      face[k] =
          static_cast<std::int32_t>(parameters_detail::read_integer(corners[k], key, any_number()));
  });
}

void read_groups(const Value& value, ListedMesh& out, const std::string& path) {
  read_entries(value, path, [&](const Value& entry, const std::string& key) {
    out.groups.push_back(entry.text_or_throw(key));
    if (out.groups.back().empty()) throw InputError(entry.place(), key + " must not be empty");
  });
}

const ParameterTable<ListedMesh>& listed_mesh_table() {
  static const auto table =
      ParameterTable<ListedMesh>()
          .custom("vertices", "list of 3 numbers [m]", read_vertices,
                  "positions, counted from zero", true)
          .custom("faces", "list of 3 integers", read_faces,
                  "vertices of the triangles, counter-clockwise seen from "
                  "outside",
                  true)
          .custom("groups", "list of strings", read_groups, "for each face the name of its group");
  return table;
}

/// Every corner must be a vertex, and each another one. `faces` is where they were read.
void require_sound_faces(const ListedMesh& mesh, const Value& faces, const std::string& path) {
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Value& entry = faces.as_array()[f];
    const std::string key = joined(path, std::to_string(f));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t v = mesh.faces[f][k];
      const Place& place = entry.as_array()[k].place();
      if (v < 0 || v >= static_cast<std::int64_t>(mesh.vertices.size()))
        throw InputError(place, key + " names vertex " + std::to_string(v) + ", but there are " +
                                    std::to_string(mesh.vertices.size()) + ", counted from 0");
      if (v == mesh.faces[f][(k + 1) % 3])
        throw InputError(place, key + " names vertex " + std::to_string(v) + " twice");
    }
  }
}

}  // namespace

TriangleMesh read_listed_mesh(const Value& parameters, const std::string& path) {
  ListedMesh listed;
  listed_mesh_table().read(parameters, listed, path);
  require_sound_faces(listed, *parameters.find("faces"), joined(path, "faces"));
  if (!listed.groups.empty() && listed.groups.size() != listed.faces.size())
    throw InputError(parameters.find("groups")->place(),
                     joined(path, "groups") + " must have a name for each of the " +
                         std::to_string(listed.faces.size()) + " faces, has " +
                         std::to_string(listed.groups.size()));

  TriangleMesh mesh{std::move(listed.vertices), std::move(listed.faces)};
  GroupNumbers numbers;
  for (const std::string& name : listed.groups) mesh.groups.push_back(numbers.number_of(name));
  mesh.group_names = numbers.names();
  return mesh;
}

std::vector<ParameterInfo> listed_mesh_parameters() {
  return listed_mesh_table().infos();
}

}  // namespace grouser
