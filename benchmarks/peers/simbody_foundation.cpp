// Compiled as C++17 and without NDEBUG: Debian's headers of Simbody 3.7 fail in C++20, and code
// compiled with NDEBUG does not fit the library.
#include "benchmarks/peers/simbody_foundation.h"

#include <Simbody.h>

namespace grouser {
namespace {

using SimTK::Vec3;

Vec3 vector_of(const std::array<double, 3>& a) {
  return Vec3(a[0], a[1], a[2]);
}

SimTK::ContactGeometry::TriangleMesh mesh_of(const SimbodyFoundation::Mesh& mesh) {
  SimTK::Array_<Vec3> vertices;
  for (const auto& vertex : mesh.vertices) vertices.push_back(vector_of(vertex));
  SimTK::Array_<int> corners;
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle) corners.push_back(corner);
  return SimTK::ContactGeometry::TriangleMesh(vertices, corners);
}

class SimbodyFoundationImpl final : public SimbodyFoundation {
 public:
  explicit SimbodyFoundationImpl(const Setup& setup)
      : matter_(system_),
        forces_(system_),
        contacts_(system_),
        body_(matter_.updGround(),
              SimTK::Body::Rigid(SimTK::MassProperties(10.0, Vec3(0), SimTK::Inertia(4.0)))) {
    const SimTK::ContactSetIndex set = contacts_.createContactSet();
    contacts_.addBody(set, matter_.updGround(), mesh_of(setup.base), SimTK::Transform());
    contacts_.addBody(set, body_, mesh_of(setup.target), SimTK::Transform());
    // Only the base gets a foundation; the other surface is then rigid.
    SimTK::ElasticFoundationForce foundation(forces_, contacts_, set);
    foundation.setBodyParameters(SimTK::ContactSurfaceIndex(0), setup.stiffness, 0.0,
                                 setup.friction, setup.friction, 0.0);
    foundation.setTransitionVelocity(setup.transition_velocity);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }

  std::string version() const override {
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
  }

  std::array<double, 3> evaluate(const Motion& motion) override {
    const auto& q = motion.orientation;
    const SimTK::Rotation R(SimTK::Quaternion(q[0], q[1], q[2], q[3]));
    body_.setQToFitTransform(state_, SimTK::Transform(R, vector_of(motion.p)));
    body_.setUToFitVelocity(state_, SimTK::SpatialVec(vector_of(motion.w), vector_of(motion.v)));
    system_.realize(state_, SimTK::Stage::Dynamics);
    const Vec3 f = system_.getRigidBodyForces(
        state_, SimTK::Stage::Dynamics)[body_.getMobilizedBodyIndex()][1];
    return {f[0], f[1], f[2]};
  }

 private:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::GeneralContactSubsystem contacts_;
  SimTK::MobilizedBody::Free body_;
  SimTK::State state_;
};

}  // namespace

std::unique_ptr<SimbodyFoundation> make_simbody_foundation(const SimbodyFoundation::Setup& setup) {
  return std::make_unique<SimbodyFoundationImpl>(setup);
}

}  // namespace grouser
