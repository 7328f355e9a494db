#include "benchmarks/peers/embree_rays.h"

#include <embree3/rtcore.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "grouser/mesh/box_tree.h"

// Packing is vectorised for the processor at hand, as Embree is.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GROUSER_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define GROUSER_CLONES
#endif

namespace grouser {
namespace {

constexpr int kLanes = 8;
// Eight numbers at a time, by the compiler's own vectors. Comparisons give -1 and 0, which is how
// Embree marks the rays in use.
using Floats = float __attribute__((vector_size(4 * kLanes)));
using Ints = int __attribute__((vector_size(4 * kLanes)));

/// Eight penetration lines that lie close together, in the base frame.
struct Packet {
  std::array<Floats, 3> start{}, normal{};
  Ints used{};
};

/// A pose in single precision, row by row, and what pack() needs to know besides.
struct Frame {
  std::array<std::array<float, 3>, 3> R;
  std::array<float, 3> p;
  std::array<float, 3> lower, upper;  // of the target's box
  float length;                       // of the lines
};

/// Writes a packet of lines as rays in the target frame. Rays whose line has its box outside the
/// target's are switched off. Returns how many are left.
GROUSER_CLONES
int pack(const Packet& packet, const Frame& f, RTCRayHit8& rays, Ints& valid) {
  float* const origins[] = {rays.ray.org_x, rays.ray.org_y, rays.ray.org_z};
  float* const directions[] = {rays.ray.dir_x, rays.ray.dir_y, rays.ray.dir_z};
  valid = packet.used;
  for (std::size_t k = 0; k < 3; ++k) {
    const Floats start = f.R[k][0] * packet.start[0] + f.R[k][1] * packet.start[1] +
                         f.R[k][2] * packet.start[2] + f.p[k];
    const Floats direction = -(f.R[k][0] * packet.normal[0] + f.R[k][1] * packet.normal[1] +
                               f.R[k][2] * packet.normal[2]);
    const Floats end = start + f.length * direction;
    valid &= ((start <= f.upper[k]) | (end <= f.upper[k])) &
             ((start >= f.lower[k]) | (end >= f.lower[k]));
    std::memcpy(origins[k], &start, sizeof start);
    std::memcpy(directions[k], &direction, sizeof direction);
  }
  const Floats zero = {}, length = zero + f.length;
  const Ints none = {}, all = ~none;  // RTC_INVALID_GEOMETRY_ID has all bits set
  std::memcpy(rays.ray.tnear, &zero, sizeof zero);
  std::memcpy(rays.ray.tfar, &length, sizeof length);
  std::memcpy(rays.ray.time, &zero, sizeof zero);
  std::memcpy(rays.ray.mask, &all, sizeof all);
  std::memcpy(rays.ray.flags, &none, sizeof none);
  std::memcpy(rays.hit.geomID, &all, sizeof all);
  std::memcpy(rays.hit.instID[0], &all, sizeof all);
  int count = 0;
  for (int i = 0; i < kLanes; ++i) count -= valid[i];
  return count;
}

/// Rays that meet a triangle from inside.
GROUSER_CLONES
int count_elements(const RTCRayHit8& rays) {
  int count = 0;
  for (int i = 0; i < kLanes; ++i) {
    const float facing = rays.hit.Ng_x[i] * rays.ray.dir_x[i] +
                         rays.hit.Ng_y[i] * rays.ray.dir_y[i] +
                         rays.hit.Ng_z[i] * rays.ray.dir_z[i];
    count += int{rays.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID} & int{facing > 0.0f};
  }
  return count;
}

class EmbreeRaysImpl final : public EmbreeRays {
 public:
  explicit EmbreeRaysImpl(const Setup& setup) {
    device_ = rtcNewDevice("threads=1");
    if (!device_) throw std::runtime_error("Embree gives no device");
    load_target(setup.target);
    load_lines(setup.base, setup.max_penetration);
    rtcInitIntersectContext(&context_);
    context_.flags = setup.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                    : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  }
  ~EmbreeRaysImpl() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreeRaysImpl(const EmbreeRaysImpl&) = delete;
  EmbreeRaysImpl& operator=(const EmbreeRaysImpl&) = delete;

  std::string version() const override {
    const auto number = rtcGetDeviceProperty(device_, RTC_DEVICE_PROPERTY_VERSION);
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  }
  std::size_t ray_count() const override { return rays_; }

  std::size_t find(const Pose& X_TB) override {
    Frame frame = frame_;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) frame.R[index(k)][index(j)] = static_cast<float>(X_TB.R(k, j));
      frame.p[index(k)] = static_cast<float>(X_TB.p[k]);
    }
    const Box near_B = target_box_in_base_frame(X_TB.inverse());

    std::size_t elements = 0;
    rays_ = 0;
    alignas(32) RTCRayHit8 rays{};
    Ints valid;
    for (std::size_t n = 0; n < packets_.size(); ++n) {
      if (!packet_boxes_[n].overlaps(near_B)) continue;
      const int count = pack(packets_[n], frame, rays, valid);
      if (count == 0) continue;
      rays_ += static_cast<std::size_t>(count);
      rtcIntersect8(reinterpret_cast<const int*>(&valid), scene_, &context_, &rays);
      elements += static_cast<std::size_t>(count_elements(rays));
    }
    return elements;
  }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }

  void load_target(const TriangleMesh& mesh) {
    scene_ = rtcNewScene(device_);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_NONE);  // not robust
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    auto* vertices = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), mesh.vertices.size()));
    for (const Vec3& vertex : mesh.vertices)
      for (int k = 0; k < 3; ++k) *vertices++ = static_cast<float>(vertex[k]);
    auto* corners = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(unsigned), mesh.triangle_count()));
    for (const auto& triangle : mesh.triangles)
      for (const std::int32_t corner : triangle) *corners++ = static_cast<unsigned>(corner);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    box_T_ = bounding_box(mesh);
    for (int k = 0; k < 3; ++k) {
      frame_.lower[index(k)] = static_cast<float>(box_T_.lower[k]);
      frame_.upper[index(k)] = static_cast<float>(box_T_.upper[k]);
    }
  }

  /// Packets in the order of a box tree, so that the lines of one are close together.
  void load_lines(const TriangleMesh& mesh, double length) {
    frame_.length = static_cast<float>(length);
    std::vector<Box> boxes(mesh.triangle_count());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const TriangleFace face = face_of(mesh, i);
      boxes[i].add(face.centroid);
      boxes[i].add(Vec3(face.centroid - length * face.normal));
    }
    const BoxTree tree(boxes);
    const std::size_t count = tree.primitives().size();
    packets_.resize((count + kLanes - 1) / kLanes);
    packet_boxes_.resize(packets_.size());
    for (std::size_t n = 0; n < count; ++n) {
      const auto line = static_cast<std::size_t>(tree.primitives()[n]);
      const TriangleFace face = face_of(mesh, line);
      Packet& packet = packets_[n / kLanes];
      const std::size_t lane = n % kLanes;
      for (std::size_t k = 0; k < 3; ++k) {
        packet.start[k][lane] = static_cast<float>(face.centroid[static_cast<Eigen::Index>(k)]);
        packet.normal[k][lane] = static_cast<float>(face.normal[static_cast<Eigen::Index>(k)]);
      }
      packet.used[static_cast<int>(lane)] = -1;
      packet_boxes_[n / kLanes].add(boxes[line]);
    }
  }

  Box target_box_in_base_frame(const Pose& X_BT) const {
    const Vec3 center = X_BT * box_T_.center();
    const Vec3 half = X_BT.R.cwiseAbs() * box_T_.half_size();
    return {center - half, center + half};
  }

  RTCDevice device_ = nullptr;
  RTCScene scene_ = nullptr;
  RTCIntersectContext context_;
  Box box_T_;
  Frame frame_{};  // the pose is filled in by find()
  std::vector<Packet> packets_;
  std::vector<Box> packet_boxes_;
  std::size_t rays_ = 0;
};

}  // namespace

std::unique_ptr<EmbreeRays> make_embree_rays(const EmbreeRays::Setup& setup) {
  return std::make_unique<EmbreeRaysImpl>(setup);
}

}  // namespace grouser
