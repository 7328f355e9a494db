#include "grouser/sim/mujoco_tree.h"

#ifdef GROUSER_HAVE_MUJOCO

#include <mujoco/mujoco.h>

#include <cstring>
#include <filesystem>
#include <mutex>

#include "grouser/base/text.h"
#include "grouser/geometry/mesh_shapes.h"

namespace grouser {
namespace {

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using Model = std::unique_ptr<mjModel, ModelDeleter>;
using Data = std::unique_ptr<mjData, DataDeleter>;

/// MuJoCo's own handlers abort the process or write a log file into the working folder.
void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_error = [](const char* message) { throw RunError(std::string("MuJoCo: ") + message); };
    mju_user_warning = [](const char*) {};  // what matters comes back as an error
  });
}

std::string name_of(const mjModel* m, int type, int id, const char* fallback) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : std::string(fallback) + std::to_string(id);
}

class MujocoTree final : public Tree {
 public:
  explicit MujocoTree(Model model) : m_(std::move(model)), d_(mj_makeData(m_.get())) {
    if (!d_) throw RunError("MuJoCo cannot allocate its data");
    jac_.resize(6 * static_cast<std::size_t>(m_->nv));
  }

  std::size_t nq() const override { return static_cast<std::size_t>(m_->nq); }
  std::size_t nv() const override { return static_cast<std::size_t>(m_->nv); }

  std::vector<std::string> body_names() const override {
    std::vector<std::string> names;
    for (int b = 1; b < m_->nbody; ++b) names.push_back(name_of(m_.get(), mjOBJ_BODY, b, "body_"));
    return names;
  }

  std::vector<Joint> joints() const override {
    std::vector<Joint> joints;
    for (int j = 0; j < m_->njnt; ++j) {
      JointKind kind = JointKind::hinge;
      if (m_->jnt_type[j] == mjJNT_SLIDE) kind = JointKind::slide;
      if (m_->jnt_type[j] == mjJNT_BALL) kind = JointKind::ball;
      if (m_->jnt_type[j] == mjJNT_FREE) kind = JointKind::free;
      joints.push_back({name_of(m_.get(), mjOBJ_JOINT, j, "joint_"), kind,
                        static_cast<std::size_t>(m_->jnt_qposadr[j]),
                        static_cast<std::size_t>(m_->jnt_dofadr[j])});
    }
    return joints;
  }

  std::vector<int> parts() const override {
    std::vector<int> parts;
    for (int i = 0; i < m_->nv; ++i) parts.push_back(part_of_body(m_->dof_bodyid[i]));
    return parts;
  }
  std::vector<int> body_parts() const override {
    std::vector<int> parts;
    for (int b = 1; b < m_->nbody; ++b)
      parts.push_back(m_->body_weldid[b] == 0 ? -1 : part_of_body(b));
    return parts;
  }

  VecX initial_positions() const override { return Eigen::Map<const VecX>(m_->qpos0, m_->nq); }
  VecX initial_velocities() const override { return VecX::Zero(m_->nv); }

  void set_positions(std::span<const double> q) override {
    set_positions_nearby(q);
    mj_crb(m_.get(), d_.get());
    mj_factorM(m_.get(), d_.get());
  }
  void set_positions_nearby(std::span<const double> q) override {
    std::memcpy(d_->qpos, q.data(), q.size_bytes());
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    if (m_->ntendon > 0) mj_tendon(m_.get(), d_.get());
  }

  void set_velocities(std::span<const double> v) override {
    std::memcpy(d_->qvel, v.data(), v.size_bytes());
    if (m_->ntendon > 0) {
      mj_fwdVelocity(m_.get(), d_.get());  // the lines below, and the rates of tendons
    } else {
      mj_comVel(m_.get(), d_.get());
      mj_passive(m_.get(), d_.get());
    }
  }

  void kinematics(std::span<BodyKinematics> out) const override {
    for (int b = 1; b < m_->nbody; ++b) {
      BodyKinematics& body = out[static_cast<std::size_t>(b - 1)];
      body.X_WB.R =
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d_->xmat + 9 * b);
      body.X_WB.p = Eigen::Map<const Vec3>(d_->xpos + 3 * b);
      // MuJoCo keeps twists about the centre of mass of the whole kinematic tree.
      const Eigen::Map<const Vec6> twist(d_->cvel + 6 * b);
      const Vec3 center = Eigen::Map<const Vec3>(d_->subtree_com + 3 * m_->body_rootid[b]);
      body.V_WB.w = twist.head<3>();
      body.V_WB.v = twist.tail<3>() + body.V_WB.w.cross(body.X_WB.p - center);
    }
  }

  void inverse_dynamics(std::span<const double> a, std::span<double> tau) override {
    std::memcpy(d_->qacc, a.data(), a.size_bytes());
    mj_rne(m_.get(), d_.get(), 1, tau.data());
    mju_subFrom(tau.data(), d_->qfrc_passive, m_->nv);
  }
  void bias(std::span<double> tau) override {
    mj_rne(m_.get(), d_.get(), 0, tau.data());
    mju_subFrom(tau.data(), d_->qfrc_passive, m_->nv);
  }

  void add_wrench(std::size_t body, const Wrench& F_B_W, std::span<double> tau) override {
    const int b = static_cast<int>(body) + 1;
    mj_applyFT(m_.get(), d_.get(), F_B_W.force.data(), F_B_W.torque.data(), d_->xpos + 3 * b, b,
               tau.data());
  }

  void solve_mass(std::span<double> x) override {
    mj_solveM(m_.get(), d_.get(), x.data(), x.data(), 1);
  }

  void jacobian(std::size_t body, const Vec3& p_W, Eigen::Ref<MatX> J) override {
    double* rotation = jac_.data();
    double* translation = jac_.data() + 3 * nv();
    mj_jac(m_.get(), d_.get(), translation, rotation, p_W.data(), static_cast<int>(body) + 1);
    using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
    J.topRows<3>() = Eigen::Map<const Rows>(rotation, 3, m_->nv);
    J.bottomRows<3>() = Eigen::Map<const Rows>(translation, 3, m_->nv);
  }

  void prepare_bias_acceleration() override {
    mju_zero(d_->qacc, m_->nv);
    mj_rnePostConstraint(m_.get(), d_.get());
  }
  Twist bias_acceleration(std::size_t body) const override {
    mjtNum acceleration[6];
    mj_objectAcceleration(m_.get(), d_.get(), mjOBJ_XBODY, static_cast<int>(body) + 1, acceleration,
                          0);
    // MuJoCo lets the world accelerate upwards instead of adding gravity.
    const Eigen::Map<const Vec3> gravity(m_->opt.gravity);
    return {Vec3(acceleration[0], acceleration[1], acceleration[2]),
            Vec3(acceleration[3], acceleration[4], acceleration[5]) + gravity};
  }

  void position_rates(std::span<const double> q, std::span<const double> v,
                      std::span<double> rates) const override {
    for (int j = 0; j < m_->njnt; ++j) {
      auto iq = static_cast<std::size_t>(m_->jnt_qposadr[j]);
      auto iv = static_cast<std::size_t>(m_->jnt_dofadr[j]);
      switch (m_->jnt_type[j]) {
        case mjJNT_FREE:
          for (int k = 0; k < 3; ++k) rates[iq++] = v[iv++];
          [[fallthrough]];
        case mjJNT_BALL:
          quaternion_rates(q.data() + iq, Vec3(v[iv], v[iv + 1], v[iv + 2]), rates.data() + iq);
          break;
        default:
          rates[iq] = v[iv];
      }
    }
  }

  void move(std::span<double> q, std::span<const double> v, double h) const override {
    mj_integratePos(m_.get(), q.data(), v.data(), h);
    mj_normalizeQuat(m_.get(), q.data());
  }

  double kinetic_energy() override {
    mj_mulM(m_.get(), d_.get(), jac_.data(), d_->qvel);
    return 0.5 * mju_dot(jac_.data(), d_->qvel, m_->nv);
  }
  double potential_energy() override {
    mj_energyPos(m_.get(), d_.get());
    return d_->energy[0];
  }

 private:
  int part_of_body(int body) const { return m_->body_rootid[body]; }

  Model m_;
  Data d_;
  std::vector<double> jac_;
};

Model load(const std::string& path, const std::optional<std::string>& text) {
  install_handlers();
  char message[1000] = "";
  Model model;
  try {
    if (text) {
      const auto vfs = std::make_unique<mjVFS>();
      mj_defaultVFS(vfs.get());
      const char* name = "model.xml";
      const int size = static_cast<int>(text->size());
      if (mj_makeEmptyFileVFS(vfs.get(), name, size) != 0)
        throw RunError("MuJoCo cannot hold the model in memory");
      std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name)], text->data(), text->size());
      model.reset(mj_loadXML(name, vfs.get(), message, sizeof message));
      mj_deleteVFS(vfs.get());
    } else {
      if (!std::filesystem::is_regular_file(path))
        throw InputError("mechanism file '" + path + "' does not exist");
      model.reset(mj_loadXML(path.c_str(), nullptr, message, sizeof message));
    }
  } catch (const RunError& error) {
    throw InputError(path + ": " + error.what());
  }
  if (!model) {
    std::string reason = message;  // several lines
    while (!reason.empty() && reason.back() == '\n') reason.pop_back();
    for (std::size_t at = reason.find('\n'); at != std::string::npos; at = reason.find('\n', at))
      reason.replace(at, 1, "; ");
    throw InputError(path + ": MuJoCo rejects the model: " + reason);
  }
  return model;
}

/// The part of the name of a constraint that MuJoCo gives or that counts it.
std::string equality_name(const mjModel* m, int e) {
  return name_of(m, mjOBJ_EQUALITY, e, "equality_");
}

void read_equalities(const mjModel* m, const std::string& path, MujocoModel& out) {
  const Place place{path, 0, 0};
  const auto body = [&](int id) {
    return id == 0 ? std::string("world") : name_of(m, mjOBJ_BODY, id, "body_");
  };
  for (int e = 0; e < m->neq; ++e) {
    const std::string name = equality_name(m, e);
    const double* data = m->eq_data + mjNEQDATA * e;
    const int a = m->eq_obj1id[e], b = m->eq_obj2id[e];
    if (!m->eq_active[e]) {
      out.notes.push_back("equality '" + name + "' is inactive in the file and left out");
      continue;
    }
    if (m->eq_type[e] == mjEQ_JOINT) {
      if (data[2] != 0.0 || data[3] != 0.0 || data[4] != 0.0)
        throw InputError(place, "equality '" + name +
                                    "' is a polynomial of degree above one; "
                                    "only linear couplings of joints are supported");
      // MuJoCo couples the deviations from the reference positions.
      CouplingDef coupling{name, {}, 0.0, place};
      const auto joint = [&](int id) { return name_of(m, mjOBJ_JOINT, id, "joint_"); };
      const double reference_a = m->qpos0[m->jnt_qposadr[a]];
      coupling.joints.emplace_back(joint(a), 1.0);
      coupling.offset = reference_a + data[0];
      if (b >= 0) {
        coupling.joints.emplace_back(joint(b), -data[1]);
        coupling.offset -= data[1] * m->qpos0[m->jnt_qposadr[b]];
      }
      out.couplings.push_back(coupling);
    } else if (m->eq_type[e] == mjEQ_CONNECT || m->eq_type[e] == mjEQ_WELD) {
      LoopDef loop;
      loop.name = name;
      loop.place = place;
      loop.body_a = body(a);
      loop.body_b = body(b);
      if (m->eq_type[e] == mjEQ_WELD) {
        // Bodies stand to each other as the compiler stored it: anchor, position, quaternion.
        loop.kind = LoopDef::Kind::weld;
        loop.point_a = Vec3(data[3], data[4], data[5]);
        loop.R_AB = Quat(data[6], data[7], data[8], data[9]).normalized().toRotationMatrix();
      } else {
        loop.point_a = Vec3(data[0], data[1], data[2]);
        loop.find_b = true;
      }
      out.loops.push_back(loop);
    } else {
      throw InputError(place, "equality '" + name +
                                  "' is of a kind that is not supported; "
                                  "supported are joint, connect and weld");
    }
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

std::vector<RecordingShape> read_geoms(const mjModel* m) {
  constexpr int kFirstHiddenGroup = 3;
  std::vector<RecordingShape> out;
  for (int g = 0; g < m->ngeom; ++g) {
    if (m->geom_group[g] >= kFirstHiddenGroup) continue;
    RecordingShape shape;
    shape.mesh = geom_mesh(m, g);
    if (shape.mesh.triangles.empty()) continue;
    const double* q = m->geom_quat + 4 * g;
    const Pose X_BG{Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix(),
                    Eigen::Map<const Vec3>(m->geom_pos + 3 * g)};
    for (Vec3& vertex : shape.mesh.vertices) vertex = X_BG * vertex;
    const int body = m->geom_bodyid[g];
    shape.body = body == 0 ? "world" : name_of(m, mjOBJ_BODY, body, "body_");
    shape.name = "geoms/" + name_of(m, mjOBJ_GEOM, g, "geom_");
    out.push_back(std::move(shape));
  }
  return out;
}

void note_unused(const mjModel* m, std::vector<std::string>& notes) {
  const auto note = [&](int count, const std::string& what) {
    if (count > 0) notes.push_back(std::to_string(count) + " " + what);
  };
  int limited = 0, friction = 0;
  for (int j = 0; j < m->njnt; ++j) limited += m->jnt_limited[j];
  for (int i = 0; i < m->nv; ++i) friction += m->dof_frictionloss[i] > 0.0;
  note(limited, "joint limits are not enforced");
  note(friction, "joint friction losses are not applied");
  note(m->nu, "actuators are not used; drive joints with [[motor]] or [[prescribed]]");
  note(m->nsensor, "sensors are not used");
  int mocap = 0;
  for (int b = 1; b < m->nbody; ++b) mocap += m->body_mocapid[b] >= 0;
  note(mocap, "mocap bodies stay where the file puts them; move bodies with [[moving_body]]");
  int colliding = 0;
  for (int g = 0; g < m->ngeom; ++g) colliding += m->geom_contype[g] || m->geom_conaffinity[g];
  note(colliding, "geoms do not collide; contact comes from [[contact]] alone");
}

}  // namespace

bool have_mujoco() {
  return true;
}

MujocoModel load_mujoco(const std::string& path, const std::optional<std::string>& text,
                        const Vec3& gravity) {
  Model model = load(path, text);
  MujocoModel out;
  read_equalities(model.get(), path, out);
  out.geoms = read_geoms(model.get());
  note_unused(model.get(), out.notes);
  for (int k = 0; k < 3; ++k) model->opt.gravity[k] = gravity[k];
  // Tree dynamics only.
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_EQUALITY | mjDSBL_LIMIT |
                             mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  model->opt.disableflags &= ~(mjDSBL_GRAVITY | mjDSBL_PASSIVE);
  model->opt.enableflags |= mjENBL_ENERGY;
  out.tree = std::make_unique<MujocoTree>(std::move(model));
  return out;
}

}  // namespace grouser

#else

namespace grouser {

bool have_mujoco() {
  return false;
}

MujocoModel load_mujoco(const std::string& path, const std::optional<std::string>&, const Vec3&) {
  throw InputError(path +
                   ": this build has no MuJoCo and reads no mechanism files; "
                   "build with GROUSER_WITH_MUJOCO=ON, or use [[body]]");
}

}  // namespace grouser

#endif
