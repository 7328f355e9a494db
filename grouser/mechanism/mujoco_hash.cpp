// What the dynamics of a MuJoCo model depend on, as one number.
#include "grouser/mechanism/mujoco_handles.h"

#ifdef GROUSER_HAVE_MUJOCO

namespace grouser {
namespace {

void add(Hash& hash, const mjtNum* x, int count) {
  hash.add(std::span(x, static_cast<std::size_t>(count)));
}
template <class Whole>
void add(Hash& hash, const Whole* x, int count) {
  for (int i = 0; i < count; ++i) hash.add(static_cast<std::uint64_t>(std::int64_t{x[i]}));
}

void add_bodies(const mjModel* m, Hash& hash) {
  for (int b = 1; b < m->nbody; ++b) hash.add(name_of(m, mjOBJ_BODY, b, "body_"));
  add(hash, m->body_parentid, m->nbody);
  add(hash, m->body_pos, 3 * m->nbody);
  add(hash, m->body_quat, 4 * m->nbody);
  add(hash, m->body_ipos, 3 * m->nbody);
  add(hash, m->body_iquat, 4 * m->nbody);
  add(hash, m->body_mass, m->nbody);
  add(hash, m->body_inertia, 3 * m->nbody);
}

void add_joints(const mjModel* m, Hash& hash) {
  for (int j = 0; j < m->njnt; ++j) hash.add(name_of(m, mjOBJ_JOINT, j, "joint_"));
  add(hash, m->jnt_type, m->njnt);
  add(hash, m->jnt_bodyid, m->njnt);
  add(hash, m->jnt_pos, 3 * m->njnt);
  add(hash, m->jnt_axis, 3 * m->njnt);
  add(hash, m->jnt_stiffness, m->njnt);
  add(hash, m->dof_armature, m->nv);
  add(hash, m->dof_damping, m->nv);
  add(hash, m->qpos0, m->nq);
  add(hash, m->qpos_spring, m->nq);
}

/// Springs and dampers between several joints, or along paths by sites and around geoms.
void add_tendons(const mjModel* m, Hash& hash) {
  add(hash, m->tendon_adr, m->ntendon);
  add(hash, m->tendon_num, m->ntendon);
  add(hash, m->tendon_stiffness, m->ntendon);
  add(hash, m->tendon_damping, m->ntendon);
  add(hash, m->tendon_lengthspring, m->ntendon);
  add(hash, m->wrap_type, m->nwrap);
  add(hash, m->wrap_objid, m->nwrap);
  add(hash, m->wrap_prm, m->nwrap);
  add(hash, m->site_bodyid, m->nsite);
  add(hash, m->site_pos, 3 * m->nsite);
  add(hash, m->site_quat, 4 * m->nsite);
  add(hash, m->geom_type, m->ngeom);
  add(hash, m->geom_bodyid, m->ngeom);
  add(hash, m->geom_size, 3 * m->ngeom);
  add(hash, m->geom_pos, 3 * m->ngeom);
  add(hash, m->geom_quat, 4 * m->ngeom);
}

/// The medium in which bodies move, with the drag of their geoms.
void add_medium(const mjModel* m, Hash& hash) {
  hash.add(m->opt.density);
  hash.add(m->opt.viscosity);
  if (m->opt.density == 0.0 && m->opt.viscosity == 0.0) return;
  add(hash, m->opt.wind, 3);
  for (int b = 1; b < m->nbody; ++b)
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; ++g) {
      add(hash, m->geom_fluid + mjNFLUID * g, mjNFLUID);
      add(hash, m->geom_type + g, 1);
      add(hash, m->geom_size + 3 * g, 3);
      add(hash, m->geom_pos + 3 * g, 3);
      add(hash, m->geom_quat + 4 * g, 4);
    }
}

}  // namespace

void add_model(const mjModel* m, Hash& hash) {
  add(hash, m->opt.gravity, 3);
  add_bodies(m, hash);
  add_joints(m, hash);
  add_tendons(m, hash);
  add_medium(m, hash);
}

}  // namespace grouser

#endif
