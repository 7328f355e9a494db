// PLY and GLB files, byte by byte. Both have their lowest bytes first.
#include <bit>
#include <cmath>
#include <limits>

#include "grouser/base/text.h"
#include "grouser/mesh/mesh_formats.h"

namespace grouser::mesh_formats {

namespace {

void append_double(std::string& out, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  append_unsigned(out, static_cast<std::uint32_t>(bits));
  append_unsigned(out, static_cast<std::uint32_t>(bits >> 32));
}

/// As a text of JSON.
std::string json_text(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ')
      out += std::string("\\u00") + kDigits[code >> 4] + kDigits[code & 15];
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out + "\"";
}

std::string list_of(const std::vector<std::string>& words) {
  return "[" + join(words, ",") + "]";
}

/// Corners of the triangles of one group, one after another.
struct Primitive {
  int material = -1;  // none
  std::vector<std::uint32_t> corners;
};

/// In the order of the groups; empty ones are left out.
std::vector<Primitive> primitives_of(const TriangleMesh& mesh) {
  std::vector<Primitive> all(mesh.groups.empty() ? 1 : mesh.group_names.size());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Primitive& primitive = all[mesh.groups.empty() ? 0 : static_cast<std::size_t>(mesh.groups[t])];
    for (const std::int32_t v : mesh.triangles[t])
      primitive.corners.push_back(static_cast<std::uint32_t>(v));
  }
  std::vector<Primitive> out;
  for (std::size_t g = 0; g < all.size(); ++g) {
    if (all[g].corners.empty()) continue;
    if (!mesh.groups.empty()) all[g].material = static_cast<int>(g);
    out.push_back(std::move(all[g]));
  }
  return out;
}

/// Coordinates in single precision. glTF knows no infinity, so what is too large is refused.
std::vector<Eigen::Vector3f> single_precision(const TriangleMesh& mesh) {
  std::vector<Eigen::Vector3f> out;
  out.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) {
    if (p.cwiseAbs().maxCoeff() > double{std::numeric_limits<float>::max()})
      throw InputError("a coordinate of " + to_text(p.cwiseAbs().maxCoeff()) +
                       " is too large for the single precision of glTF");
    out.push_back(p.cast<float>());
  }
  return out;
}

std::string numbers(const Eigen::Vector3f& p) {
  return "[" + to_text(double{p.x()}) + "," + to_text(double{p.y()}) + "," +
         to_text(double{p.z()}) + "]";
}

/// What the bytes of the buffer are: positions first, then the corners of each primitive.
std::string gltf_json(const std::vector<Eigen::Vector3f>& positions,
                      const std::vector<Primitive>& primitives,
                      const std::vector<std::string>& materials, Comments comments) {
  Eigen::Vector3f lower = positions[0], upper = positions[0];
  for (const Eigen::Vector3f& p : positions) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  // Numbers of the specification: 5126 float, 5125 unsigned, 34962 vertices, 34963 corners.
  const std::size_t position_bytes = 12 * positions.size();
  std::size_t bytes = position_bytes;
  std::vector<std::string> parts;
  std::vector<std::string> views = {R"({"buffer":0,"byteOffset":0,"byteLength":)" +
                                    std::to_string(position_bytes) + R"(,"target":34962})"};
  std::vector<std::string> accessors = {
      R"({"bufferView":0,"componentType":5126,"count":)" + std::to_string(positions.size()) +
      R"(,"type":"VEC3","min":)" + numbers(lower) + R"(,"max":)" + numbers(upper) + "}"};
  for (const Primitive& primitive : primitives) {
    const std::string number = std::to_string(views.size());
    const std::size_t size = 4 * primitive.corners.size();
    parts.push_back(R"({"attributes":{"POSITION":0},"indices":)" + number +
                    (primitive.material < 0
                         ? std::string()
                         : R"(,"material":)" + std::to_string(primitive.material)) +
                    R"(,"mode":4})");
    views.push_back(R"({"buffer":0,"byteOffset":)" + std::to_string(bytes) + R"(,"byteLength":)" +
                    std::to_string(size) + R"(,"target":34963})");
    accessors.push_back(R"({"bufferView":)" + number + R"(,"componentType":5125,"count":)" +
                        std::to_string(primitive.corners.size()) + R"(,"type":"SCALAR"})");
    bytes += size;
  }
  std::vector<std::string> lines, names;
  for (const std::string& comment : comments) lines.push_back(json_text(comment));
  for (const std::string& name : materials) names.push_back(R"({"name":)" + json_text(name) + "}");

  return R"({"asset":{"version":"2.0","generator":"grouser")" +
         (lines.empty() ? "" : R"(,"extras":{"comments":)" + list_of(lines) + "}") +
         R"(},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":)" +
         list_of(parts) + "}]" + (names.empty() ? "" : R"(,"materials":)" + list_of(names)) +
         R"(,"accessors":)" + list_of(accessors) + R"(,"bufferViews":)" + list_of(views) +
         R"(,"buffers":[{"byteLength":)" + std::to_string(bytes) + "}]}";
}

}  // namespace

std::string ply_bytes(const TriangleMesh& mesh, Comments comments) {
  std::string out = "ply\nformat binary_little_endian 1.0\n";
  for (const std::string& comment : comments) out += "comment " + comment + "\n";
  const bool grouped = !mesh.groups.empty();
  for (std::size_t g = 0; grouped && g < mesh.group_names.size(); ++g)
    out += "obj_info group " + std::to_string(g) + " " + on_one_line(mesh.group_names[g]) + "\n";
  out += "element vertex " + std::to_string(mesh.vertices.size()) +
         "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
         std::to_string(mesh.triangle_count()) + "\nproperty list uchar int vertex_indices\n" +
         (grouped ? "property int group\n" : "") + "end_header\n";
  out.reserve(out.size() + 24 * mesh.vertices.size() + 17 * mesh.triangle_count());
  for (const Vec3& p : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) append_double(out, p[axis]);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    out += '\3';
    for (const std::int32_t v : mesh.triangles[t])
      append_unsigned(out, static_cast<std::uint32_t>(v));
    if (grouped) append_unsigned(out, static_cast<std::uint32_t>(mesh.groups[t]));
  }
  return out;
}

std::string glb_bytes(const TriangleMesh& mesh, Comments comments) {
  const std::vector<Eigen::Vector3f> positions = single_precision(mesh);
  const std::vector<Primitive> primitives = primitives_of(mesh);
  std::string json =
      gltf_json(positions, primitives,
                mesh.groups.empty() ? std::vector<std::string>() : mesh.group_names, comments);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const std::size_t buffer = 12 * positions.size() + 12 * mesh.triangle_count();
  const std::size_t size = 12 + 8 + json.size() + 8 + buffer;
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw InputError("the mesh takes " + std::to_string(size) + " bytes, a GLB file has 4 GiB");

  std::string out = "glTF";
  out.reserve(size);
  append_unsigned(out, 2);
  append_unsigned(out, static_cast<std::uint32_t>(size));
  append_unsigned(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  append_unsigned(out, static_cast<std::uint32_t>(buffer));
  out += std::string_view("BIN\0", 4);
  for (const Eigen::Vector3f& p : positions)
    for (int axis = 0; axis < 3; ++axis)
      append_unsigned(out, std::bit_cast<std::uint32_t>(p[axis]));
  for (const Primitive& primitive : primitives)
    for (const std::uint32_t v : primitive.corners) append_unsigned(out, v);
  return out;
}

}  // namespace grouser::mesh_formats
