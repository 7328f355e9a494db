// glTF, GLB and COLLADA. The only file that knows assimp.
//
// This is the plugin grouser_assimp.so; assimp_door.h says what it is asked and answers.
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grouser/math/types.h"
#include "grouser/mesh/assimp_door.h"

namespace grouser {
namespace {

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
  return name;
}

/// Passes on one mesh at the pose, scale and shear of its node.
void pass_on(const aiMesh& mesh, const std::string& name, const aiMatrix4x4& placement,
             const AssimpPartTaker& taker, const Place& place) {
  const Mat3 turn = turn_of(placement);
  const Vec3 shift(placement.a4, placement.b4, placement.c4);
  std::vector<double> vertices;
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& p = mesh.mVertices[v];
    const Vec3 placed = turn * Vec3(p.x, p.y, p.z) + shift;
    vertices.insert(vertices.end(), placed.begin(), placed.end());
  }
  const bool mirrored = turn.determinant() < 0.0;  // then glTF 2.0 (3.7.4) reverses the triangles
  std::vector<std::int32_t> triangles;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    for (std::size_t k = 0; k < 3; ++k) {
      if (face.mIndices[k] >= mesh.mNumVertices)
        throw InputError(place, "a triangle names vertex " + std::to_string(face.mIndices[k]) +
                                    " of a mesh with " + std::to_string(mesh.mNumVertices));
      triangles.push_back(static_cast<std::int32_t>(face.mIndices[k]));
    }
    if (mirrored) std::swap(triangles.end()[-2], triangles.end()[-1]);
  }
  const AssimpPart part{name.c_str(), mesh.mNumVertices, vertices.data(), triangles.size() / 3,
                        triangles.data()};
  continue_if(taker.take(taker.self, &part));
}

void pass_on(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent,
             const AssimpPartTaker& taker, const Place& place) {
  const aiMatrix4x4 placement = parent * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
    pass_on(mesh, group_name(scene, node, mesh), placement, taker, place);
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i)
    pass_on(scene, *node.mChildren[i], placement, taker, place);
}

void read(const std::string& path, bool is_collada, const AssimpPartTaker& taker) {
  const Place place{path, 0, 0};
  Assimp::Importer importer;
  if (is_collada) importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  Listener listener;
  const aiScene* scene = importer.ReadFile(path, is_collada ? aiProcess_Triangulate : 0u);
  if (!scene) throw InputError(place, std::string("assimp: ") + importer.GetErrorString());
  if (!listener.loss().empty()) throw InputError(place, "assimp: " + listener.loss());
  if (scene->mRootNode) pass_on(*scene, *scene->mRootNode, aiMatrix4x4(), taker, place);
}

constexpr AssimpTable kTable = {
    AssimpTable::kVersion,
    [](const char* path, int is_collada, const AssimpPartTaker* taker, const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { read(path, is_collada != 0, *taker); });
    },
};

}  // namespace
}  // namespace grouser

GROUSER_PLUGIN_ENTRY const void* grouser_plugin() {
  return &grouser::kTable;
}
