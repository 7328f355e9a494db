// glTF, GLB and COLLADA. The only file that knows assimp.
#include "grouser/mesh/mesh_formats.h"
#include "grouser/mesh/mesh_groups.h"

#ifdef GROUSER_HAVE_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <mutex>
#endif

namespace grouser::mesh_formats {

#ifndef GROUSER_HAVE_ASSIMP

bool can_read_gltf() {
  return false;
}

TriangleMesh read_gltf(const TextFile& text) {
  throw InputError(text.place(),
                   "this build of grouser cannot read glTF files; install assimp "
                   "(libassimp-dev) and build with -DGROUSER_WITH_ASSIMP=ON, or use an OBJ, PLY "
                   "or STL file");
}

TriangleMesh read_collada(const TextFile& text) {
  throw InputError(text.place(),
                   "this build of grouser cannot read COLLADA files; install assimp "
                   "(libassimp-dev) and build with -DGROUSER_WITH_ASSIMP=ON, or use an OBJ, PLY "
                   "or STL file");
}

#else

namespace {

/// GLB is a header of 12 bytes that tells the size of the file, then chunks that tell theirs.
void require_whole_glb(const TextFile& text) {
  const std::string& bytes = text.bytes;
  if (bytes.size() < 12)
    throw InputError(text.place(), "the file is cut off inside its GLB header");
  const std::size_t promised = unsigned_at(bytes, 8);
  if (promised != bytes.size())
    throw InputError(text.place(), std::string("the file is ") +
                                       (bytes.size() < promised ? "cut off" : "too long") +
                                       ": its GLB header promises " + std::to_string(promised) +
                                       " bytes, it has " + std::to_string(bytes.size()));
  std::size_t chunk = 12;
  while (chunk + 8 <= bytes.size()) chunk += 8 + std::size_t{unsigned_at(bytes, chunk)};
  if (chunk != bytes.size())
    throw InputError(text.place(), "the sizes of its GLB chunks do not add up to the file's");
}

/// Listens to assimp while it reads: triangles it leaves out for being bad are told in its log
/// only. The log is one per process, so readers take turns.
class Listener : public Assimp::LogStream {
 public:
  Listener() : turn_(mutex()), own_log_(Assimp::DefaultLogger::isNullLogger()) {
    if (own_log_) Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    Assimp::DefaultLogger::get()->attachStream(this, kKinds);
  }
  ~Listener() override {
    Assimp::DefaultLogger::get()->detachStream(this, kKinds);
    if (own_log_) Assimp::DefaultLogger::kill();
  }
  void write(const char* message) override {
    if (std::string_view(message).find("dropped") != std::string_view::npos) loss_ = message;
  }
  /// What assimp said of things it left out; empty if it left out nothing.
  std::string loss() const {
    const std::size_t begin = loss_.find(": ");  // after severity and thread
    const std::string text = begin == std::string::npos ? loss_ : loss_.substr(begin + 2);
    return text.substr(0, text.find('\n'));
  }

 private:
  static constexpr unsigned kKinds = Assimp::Logger::Warn | Assimp::Logger::Err;
  static std::mutex& mutex() {
    static std::mutex the_mutex;
    return the_mutex;
  }
  std::lock_guard<std::mutex> turn_;
  bool own_log_;
  std::string loss_;
};

Mat3 turn_of(const aiMatrix4x4& m) {
  Mat3 out;
  out << m.a1, m.a2, m.a3, m.b1, m.b2, m.b3, m.c1, m.c2, m.c3;
  return out;
}

/// The name of the material, or else of the mesh. If that has several parts, which are then all of
/// its node, assimp writes "-0", "-1", ... behind their names.
std::string group_name(const aiScene& scene, const aiNode& node, const aiMesh& mesh) {
  std::string name;
  if (mesh.mMaterialIndex < scene.mNumMaterials)
    name = scene.mMaterials[mesh.mMaterialIndex]->GetName().C_Str();
  if (!name.empty()) return name;
  name = mesh.mName.C_Str();
  if (node.mNumMeshes > 1) name = name.substr(0, name.rfind('-'));
  return name.empty() ? std::string(kUnnamedGroup) : name;
}

/// Appends one mesh at the pose, scale and shear of its node.
void add_mesh(TriangleMesh& out, const aiMesh& mesh, const aiMatrix4x4& placement,
              const Place& place) {
  const Mat3 turn = turn_of(placement);
  const Vec3 shift(placement.a4, placement.b4, placement.c4);
  const auto base = static_cast<std::int32_t>(out.vertices.size());
  require_countable(out.vertices.size() + mesh.mNumVertices, place);
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& p = mesh.mVertices[v];
    out.vertices.push_back(turn * Vec3(p.x, p.y, p.z) + shift);
  }
  const bool mirrored = turn.determinant() < 0.0;  // then glTF 2.0 (3.7.4) reverses the triangles
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    std::array<std::int32_t, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      if (face.mIndices[k] >= mesh.mNumVertices)
        throw InputError(place, "a triangle names vertex " + std::to_string(face.mIndices[k]) +
                                    " of a mesh with " + std::to_string(mesh.mNumVertices));
      triangle[k] = base + static_cast<std::int32_t>(face.mIndices[k]);
    }
    if (mirrored) std::swap(triangle[1], triangle[2]);
    out.triangles.push_back(triangle);
  }
}

void add_node(TriangleMesh& out, GroupNumbers& numbers, const aiScene& scene, const aiNode& node,
              const aiMatrix4x4& parent, const Place& place) {
  const aiMatrix4x4 placement = parent * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
    add_mesh(out, mesh, placement, place);
    if (out.groups.size() < out.triangles.size())
      out.groups.resize(out.triangles.size(), numbers.number_of(group_name(scene, node, mesh)));
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i)
    add_node(out, numbers, scene, *node.mChildren[i], placement, place);
}

TriangleMesh read_with_assimp(Assimp::Importer& importer, unsigned steps, const TextFile& text) {
  Listener listener;
  const aiScene* scene = importer.ReadFile(text.path, steps);
  if (!scene) throw InputError(text.place(), std::string("assimp: ") + importer.GetErrorString());
  if (!listener.loss().empty()) throw InputError(text.place(), "assimp: " + listener.loss());

  TriangleMesh mesh;
  GroupNumbers numbers;
  if (scene->mRootNode)
    add_node(mesh, numbers, *scene, *scene->mRootNode, aiMatrix4x4(), text.place());
  if (numbers.names().size() < 2)
    mesh.groups.clear();
  else
    mesh.group_names = numbers.names();
  return mesh;
}

}  // namespace

bool can_read_gltf() {
  return true;
}

TriangleMesh read_gltf(const TextFile& text) {
  if (text.bytes.starts_with("glTF")) require_whole_glb(text);
  Assimp::Importer importer;
  return read_with_assimp(importer, 0, text);
}

TriangleMesh read_collada(const TextFile& text) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  return read_with_assimp(importer, aiProcess_Triangulate, text);
}

#endif

}  // namespace grouser::mesh_formats
