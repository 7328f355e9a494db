// A model of another size.
#ifdef GROUSER_HAVE_MUJOCO

#include <cmath>

#include "grouser/mechanism/mujoco_handles.h"

namespace grouser {
namespace {

template <class Number>
void multiply(Number* first, int count, double factor) {
  for (int i = 0; i < count; ++i) first[i] = static_cast<Number>(first[i] * factor);
}

/// Forces grow with s^3, as weights do, and times with s^(1/2).
void scale_joint(mjModel* m, int j, double s) {
  const int type = m->jnt_type[j], q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
  const bool turns = type == mjJNT_HINGE || type == mjJNT_BALL;
  const double arm = turns ? s * s : 1.0;  // from a coordinate in metres to one in radians
  multiply(m->jnt_pos + 3 * j, 3, s);
  multiply(m->jnt_stiffness + j, 1, arm * std::pow(s, 2.0));
  const int count = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
  for (int k = 0; k < count; ++k) {
    const double lever = turns || k >= 3 ? s * s : 1.0;
    multiply(m->dof_damping + v + k, 1, lever * std::pow(s, 2.5));
    multiply(m->dof_armature + v + k, 1, lever * std::pow(s, 3.0));
    multiply(m->dof_frictionloss + v + k, 1, std::sqrt(lever) * std::pow(s, 3.0));
  }
  if (turns) return;
  const int lengths = type == mjJNT_FREE ? 3 : 1;
  multiply(m->qpos0 + q, lengths, s);
  multiply(m->qpos_spring + q, lengths, s);
  if (type == mjJNT_SLIDE) multiply(m->jnt_range + 2 * j, 2, s);
}

void scale_equality(mjModel* m, int e, double s) {
  double* data = m->eq_data + mjNEQDATA * e;
  if (m->eq_type[e] == mjEQ_CONNECT || m->eq_type[e] == mjEQ_WELD) {
    multiply(data, 6, s);  // points on both bodies, or anchor and position
  } else if (m->eq_type[e] == mjEQ_JOINT) {
    // q1 = a0 + a1 q2 + a2 q2^2 + ...
    const auto unit = [&](int joint) {
      return joint >= 0 && m->jnt_type[joint] == mjJNT_SLIDE ? s : 1.0;
    };
    double factor = unit(m->eq_obj1id[e]);
    for (int k = 0; k < 5; ++k, factor /= unit(m->eq_obj2id[e])) data[k] *= factor;
  }
}

}  // namespace

void scale_model(mjModel* m, double s, const std::string& path) {
  if (m->ntendon > 0)
    throw InputError(path + ": a model with tendons cannot be scaled; leave out scale");
  multiply(m->body_pos, 3 * m->nbody, s);
  multiply(m->body_ipos, 3 * m->nbody, s);
  multiply(m->body_mass, m->nbody, std::pow(s, 3.0));
  multiply(m->body_inertia, 3 * m->nbody, std::pow(s, 5.0));
  multiply(m->geom_pos, 3 * m->ngeom, s);
  multiply(m->geom_size, 3 * m->ngeom, s);
  multiply(m->geom_rbound, m->ngeom, s);
  multiply(m->site_pos, 3 * m->nsite, s);
  multiply(m->site_size, 3 * m->nsite, s);
  multiply(m->mesh_vert, 3 * m->nmeshvert, s);
  for (int j = 0; j < m->njnt; ++j) scale_joint(m, j, s);
  for (int e = 0; e < m->neq; ++e) scale_equality(m, e, s);
  const MujocoDataHandle d(mj_makeData(m));
  if (!d) throw RunError("MuJoCo cannot allocate its data");
  mj_setConst(m, d.get());
}

}  // namespace grouser

#endif
