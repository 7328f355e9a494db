// Bodies, joints and geoms of a MuJoCo model, in the words of this project.
#ifdef GROUSER_HAVE_MUJOCO

#include "grouser/mechanism/mujoco_handles.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

constexpr int kFirstHiddenGroup = 3;  // MuJoCo's viewer shows those before it

Pose pose_at(const double* p, const double* q) {
  return make_pose(Eigen::Map<const Vec3>(p), Quat(q[0], q[1], q[2], q[3]));
}

void read_bodies(const mjModel* m, MujocoModel& out) {
  const MujocoDataHandle d(mj_makeData(m));
  if (!d) throw RunError("MuJoCo cannot allocate its data");
  mj_kinematics(m, d.get());
  for (int b = 1; b < m->nbody; ++b) {
    ModelBody body;
    body.name = name_of(m, mjOBJ_BODY, b, "body_");
    body.parent = m->body_parentid[b] - 1;
    body.mass = m->body_mass[b];
    body.center = Eigen::Map<const Vec3>(m->body_ipos + 3 * b);
    body.X_WB = pose_at(d->xpos + 3 * b, d->xquat + 4 * b);
    out.bodies.push_back(std::move(body));
  }
}

void read_joints(const mjModel* m, MujocoModel& out) {
  for (int j = 0; j < m->njnt; ++j) {
    ModelJoint joint;
    joint.name = name_of(m, mjOBJ_JOINT, j, "joint_");
    joint.kind = joint_kind(m->jnt_type[j]);
    joint.body = static_cast<std::size_t>(m->jnt_bodyid[j] - 1);
    joint.axis = Eigen::Map<const Vec3>(m->jnt_axis + 3 * j);
    joint.anchor = Eigen::Map<const Vec3>(m->jnt_pos + 3 * j);
    if (m->jnt_limited[j]) {
      joint.lower = m->jnt_range[2 * j];
      joint.upper = m->jnt_range[2 * j + 1];
    }
    joint.damping = m->dof_damping[m->jnt_dofadr[j]];
    out.joints.push_back(std::move(joint));
  }
}

/// In the geom's frame; empty for kinds that have no surface of their own.
TriangleMesh geom_mesh(const mjModel* m, int g) {
  const double* size = m->geom_size + 3 * g;
  switch (m->geom_type[g]) {
    case mjGEOM_PLANE: {
      const auto extent = [](double half) { return half > 0.0 ? 2.0 * half : 20.0; };
      return make_plane({.size_x = extent(size[0]), .size_y = extent(size[1])});
    }
    case mjGEOM_SPHERE:
      return make_sphere({.radius = size[0], .triangles = 320});
    case mjGEOM_CAPSULE:
      return make_capsule({.radius = size[0], .length = 2.0 * size[1], .segments = 24});
    case mjGEOM_ELLIPSOID:
      return make_ellipsoid({.half_axes = Vec3(size[0], size[1], size[2]), .triangles = 320});
    case mjGEOM_CYLINDER:
      return make_cylinder({.radius = size[0], .length = 2.0 * size[1], .segments = 32});
    case mjGEOM_BOX:
      return make_box({.size = 2.0 * Vec3(size[0], size[1], size[2])});
    case mjGEOM_MESH: {
      const int mesh = m->geom_dataid[g];
      TriangleMesh out;
      const float* vertices = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
      for (int v = 0; v < m->mesh_vertnum[mesh]; ++v)
        out.vertices.emplace_back(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
      const int* faces = m->mesh_face + 3 * m->mesh_faceadr[mesh];
      for (int f = 0; f < m->mesh_facenum[mesh]; ++f)
        out.triangles.push_back({faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]});
      return out;
    }
    default:
      return {};
  }
}

/// The colour that the file gives a geom, itself or by a material; nothing if it gives none.
std::vector<std::pair<std::string, double>> geom_color(const mjModel* m, int g) {
  constexpr float kNone = 0.5f;  // MuJoCo's grey
  const float* rgba = m->geom_rgba + 4 * g;
  if (m->geom_matid[g] >= 0) rgba = m->mat_rgba + 4 * m->geom_matid[g];
  if (rgba[0] == kNone && rgba[1] == kNone && rgba[2] == kNone) return {};
  return {{"red", rgba[0]}, {"green", rgba[1]}, {"blue", rgba[2]}};
}

void read_geoms(const mjModel* m, MujocoModel& out) {
  for (int g = 0; g < m->ngeom; ++g) {
    ModelGeom geom;
    geom.mesh = geom_mesh(m, g);
    if (geom.mesh.triangles.empty()) continue;
    geom.name = name_of(m, mjOBJ_GEOM, g, "geom_");
    geom.body = m->geom_bodyid[g] - 1;
    geom.color = geom_color(m, g);
    geom.shown = m->geom_group[g] < kFirstHiddenGroup;
    geom.X_BG = pose_at(m->geom_pos + 3 * g, m->geom_quat + 4 * g);
    const int type = m->geom_type[g];
    if (type == mjGEOM_SPHERE) geom.kind = ModelGeom::Kind::sphere;
    if (type == mjGEOM_CAPSULE) geom.kind = ModelGeom::Kind::capsule;
    if (type == mjGEOM_CYLINDER) geom.kind = ModelGeom::Kind::cylinder;
    if (geom.kind != ModelGeom::Kind::other) geom.radius = m->geom_size[3 * g];
    if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER)
      geom.length = 2.0 * m->geom_size[3 * g + 1];
    for (Vec3& vertex : geom.mesh.vertices) vertex = geom.X_BG * vertex;
    out.solids.push_back(std::move(geom));
  }
}

}  // namespace

JointKind joint_kind(int type) {
  switch (type) {
    case mjJNT_SLIDE:
      return JointKind::slide;
    case mjJNT_BALL:
      return JointKind::ball;
    case mjJNT_FREE:
      return JointKind::free;
    default:
      return JointKind::hinge;
  }
}

void read_facts(const mjModel* m, MujocoModel& out) {
  read_bodies(m, out);
  read_joints(m, out);
  read_geoms(m, out);
  for (const ModelGeom& geom : out.solids)
    if (geom.shown) out.geoms.push_back(picture_of(geom, out.bodies));
}

}  // namespace grouser

#endif
