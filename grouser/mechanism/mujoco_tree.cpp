#include "grouser/mechanism/mujoco_handles.h"

#ifdef GROUSER_HAVE_MUJOCO

#include <cstring>

#include "grouser/base/assert.h"

namespace grouser {

std::string name_of(const mjModel* m, int type, int id, const char* fallback) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : std::string(fallback) + std::to_string(id);
}

namespace {

class MujocoTree final : public Tree {
 public:
  explicit MujocoTree(std::shared_ptr<const mjModel> model)
      : shared_(std::move(model)), view_(*shared_) {
    const MujocoCall call;
    d_.reset(mj_makeData(m_));
    if (!d_) throw RunError("MuJoCo cannot allocate its data");
    jac_.resize(6 * static_cast<std::size_t>(m_->nv));
    diagonal_.assign(static_cast<std::size_t>(m_->nv), 0.0);
    for (int b = 1; b < m_->nbody; ++b) GROUSER_ASSERT(m_->body_parentid[b] < b);
  }
  MujocoTree(const MujocoTree& other)
      : shared_(other.shared_),
        view_(other.view_),
        jac_(other.jac_),
        diagonal_(other.diagonal_),
        factored_(other.factored_) {
    const MujocoCall call;
    d_.reset(mj_copyData(nullptr, m_, other.d_.get()));
    if (!d_) throw RunError("MuJoCo cannot allocate its data");
  }

  std::unique_ptr<Tree> clone() const override { return std::make_unique<MujocoTree>(*this); }
  void add_to(Hash& hash) const override { add_model(m_, hash); }

  Vec3 gravity() const override { return Eigen::Map<const Vec3>(m_->opt.gravity); }
  void set_gravity(const Vec3& gravity) override {
    std::copy_n(gravity.data(), 3, view_.opt.gravity);
  }

  /// Numbers that MuJoCo has put on its stack at most, after every call that is made here. It takes
  /// room by the sizes of a model, not by its state.
  int used_stack() {
    std::vector<double> q(m_->qpos0, m_->qpos0 + m_->nq), v(nv(), 1.0), tau(nv());
    MatX J(6, m_->nv);
    set_positions(q);
    set_velocities(v);
    inverse_dynamics(v, tau);
    bias(tau);
    solve_mass(tau);
    jacobian(static_cast<std::size_t>(m_->nbody) - 2, Vec3::Zero(), J);
    prepare_bias_acceleration();
    bias_acceleration(static_cast<std::size_t>(m_->nbody) - 2);
    kinetic_energy();
    potential_energy();
    move(q, v, 1e-3);
    return d_->maxuse_stack;
  }

  std::size_t nq() const override { return static_cast<std::size_t>(m_->nq); }
  std::size_t nv() const override { return static_cast<std::size_t>(m_->nv); }

  std::vector<std::string> body_names() const override {
    std::vector<std::string> names;
    for (int b = 1; b < m_->nbody; ++b) names.push_back(name_of(m_, mjOBJ_BODY, b, "body_"));
    return names;
  }

  std::vector<Joint> joints() const override {
    std::vector<Joint> joints;
    for (int j = 0; j < m_->njnt; ++j) {
      joints.push_back({name_of(m_, mjOBJ_JOINT, j, "joint_"), joint_kind(m_->jnt_type[j]),
                        static_cast<std::size_t>(m_->jnt_qposadr[j]),
                        static_cast<std::size_t>(m_->jnt_dofadr[j])});
    }
    return joints;
  }

  std::vector<Mass> masses() const override {
    std::vector<Mass> masses;
    for (int b = 1; b < m_->nbody; ++b)
      masses.push_back({m_->body_mass[b], Eigen::Map<const Vec3>(m_->body_ipos + 3 * b),
                        m_->body_invweight0[2 * b], m_->body_invweight0[2 * b + 1]});
    return masses;
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
    const MujocoCall call;
    set_positions_nearby(q);
    mj_crb(m_, d_.get());
    factored_ = false;
  }
  void set_positions_nearby(std::span<const double> q) override {
    const MujocoCall call;
    GROUSER_ASSERT(q.size() == nq());
    std::memcpy(d_->qpos, q.data(), q.size_bytes());
    mj_kinematics(m_, d_.get());
    mj_comPos(m_, d_.get());
    if (m_->ntendon > 0) mj_tendon(m_, d_.get());
  }

  void set_velocities(std::span<const double> v) override {
    const MujocoCall call;
    GROUSER_ASSERT(v.size() == nv());
    std::memcpy(d_->qvel, v.data(), v.size_bytes());
    if (m_->ntendon > 0) {
      mj_fwdVelocity(m_, d_.get());  // the lines below, and the rates of tendons
    } else {
      mj_comVel(m_, d_.get());
      mj_passive(m_, d_.get());
    }
  }

  void kinematics(std::span<BodyKinematics> out) const override {
    GROUSER_ASSERT(out.size() + 1 == static_cast<std::size_t>(m_->nbody));
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
    const MujocoCall call;
    std::memcpy(d_->qacc, a.data(), a.size_bytes());
    mj_rne(m_, d_.get(), 1, tau.data());
    mju_subFrom(tau.data(), d_->qfrc_passive, m_->nv);
  }
  void bias(std::span<double> tau) override {
    const MujocoCall call;
    mj_rne(m_, d_.get(), 0, tau.data());
    mju_subFrom(tau.data(), d_->qfrc_passive, m_->nv);
  }

  void add_wrench(std::size_t body, const Wrench& F_B_W, std::span<double> tau) override {
    GROUSER_ASSERT(body + 1 < static_cast<std::size_t>(m_->nbody) && tau.size() == nv());
    // MuJoCo has the axes of all coordinates about the centre of mass of the kinematic tree; only
    // those between the body and the world count.
    int b = static_cast<int>(body) + 1;
    const Eigen::Map<const Vec3> origin(d_->xpos + 3 * b);
    const Eigen::Map<const Vec3> center(d_->subtree_com + 3 * m_->body_rootid[b]);
    const Vec3 torque_center = F_B_W.torque + (origin - center).cross(F_B_W.force);
    while (b > 0 && m_->body_dofnum[b] == 0) b = m_->body_parentid[b];
    if (b == 0) return;
    for (int i = m_->body_dofadr[b] + m_->body_dofnum[b] - 1; i >= 0; i = m_->dof_parentid[i]) {
      const Eigen::Map<const Vec6> axis(d_->cdof + 6 * i);
      tau[static_cast<std::size_t>(i)] +=
          axis.head<3>().dot(torque_center) + axis.tail<3>().dot(F_B_W.force);
    }
  }

  void joint_springs(std::span<double> stiffness, std::span<double> damping) const override {
    std::fill(stiffness.begin(), stiffness.end(), 0.0);
    std::copy_n(m_->dof_damping, m_->nv, damping.begin());
    for (int j = 0; j < m_->njnt; ++j)
      if (m_->jnt_type[j] == mjJNT_HINGE || m_->jnt_type[j] == mjJNT_SLIDE)
        stiffness[static_cast<std::size_t>(m_->jnt_dofadr[j])] = m_->jnt_stiffness[j];
  }
  void damper_forces(std::span<double> tau) const override {
    for (int i = 0; i < m_->nv; ++i)
      tau[static_cast<std::size_t>(i)] = -m_->dof_damping[i] * d_->qvel[i];
    for (int t = 0; t < m_->ntendon; ++t) {
      const double force = -m_->tendon_damping[t] * d_->ten_velocity[t];
      if (force == 0.0) continue;
      if (mj_isSparse(m_)) {
        const int first = d_->ten_J_rowadr[t];
        for (int k = 0; k < d_->ten_J_rownnz[t]; ++k)
          tau[static_cast<std::size_t>(d_->ten_J_colind[first + k])] +=
              force * d_->ten_J[first + k];
      } else {
        for (int i = 0; i < m_->nv; ++i)
          tau[static_cast<std::size_t>(i)] += force * d_->ten_J[t * m_->nv + i];
      }
    }
  }
  void set_diagonal(std::span<const double> diagonal) override {
    GROUSER_ASSERT(diagonal.size() == nv());
    if (std::equal(diagonal.begin(), diagonal.end(), diagonal_.begin())) return;
    diagonal_.assign(diagonal.begin(), diagonal.end());
    factored_ = false;
  }

  void solve_mass(std::span<double> x) override {
    const MujocoCall call;
    if (!factored_) factor();
    mj_solveM(m_, d_.get(), x.data(), x.data(), 1);
  }

  void jacobian(std::size_t body, const Vec3& p_W, Eigen::Ref<MatX> J) override {
    const MujocoCall call;
    double* rotation = jac_.data();
    double* translation = jac_.data() + 3 * nv();
    mj_jac(m_, d_.get(), translation, rotation, p_W.data(), static_cast<int>(body) + 1);
    using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
    J.topRows<3>() = Eigen::Map<const Rows>(rotation, 3, m_->nv);
    J.bottomRows<3>() = Eigen::Map<const Rows>(translation, 3, m_->nv);
  }

  void prepare_bias_acceleration() override {
    const MujocoCall call;
    mju_zero(d_->qacc, m_->nv);
    mj_rnePostConstraint(m_, d_.get());
  }
  Twist bias_acceleration(std::size_t body) const override {
    const MujocoCall call;
    mjtNum acceleration[6];
    mj_objectAcceleration(m_, d_.get(), mjOBJ_XBODY, static_cast<int>(body) + 1, acceleration, 0);
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
    const MujocoCall call;
    mj_integratePos(m_, q.data(), v.data(), h);
    mj_normalizeQuat(m_, q.data());
  }

  double kinetic_energy() override {
    const MujocoCall call;
    mj_mulM(m_, d_.get(), jac_.data(), d_->qvel);
    return 0.5 * mju_dot(jac_.data(), d_->qvel, m_->nv);
  }
  double potential_energy() override {
    const MujocoCall call;
    mj_energyPos(m_, d_.get());
    return d_->energy[0];
  }

 private:
  int part_of_body(int body) const { return m_->body_rootid[body]; }

  /// Of M + diag(diagonal_); M itself stays as it is.
  void factor() {
    const MujocoCall call;
    double* kept = jac_.data();
    for (int i = 0; i < m_->nv; ++i) {
      double& entry = d_->qM[m_->dof_Madr[i]];
      kept[i] = entry;
      entry += diagonal_[static_cast<std::size_t>(i)];
    }
    mj_factorM(m_, d_.get());
    for (int i = 0; i < m_->nv; ++i) d_->qM[m_->dof_Madr[i]] = kept[i];
    factored_ = true;
  }

  // The model has pointers into memory that all clones share and nobody writes to; the options,
  // with gravity, are a tree's own.
  std::shared_ptr<const mjModel> shared_;
  mjModel view_;
  const mjModel* const m_ = &view_;
  MujocoDataHandle d_;
  std::vector<double> jac_;
  std::vector<double> diagonal_;  // added to M where it is factored
  bool factored_ = false;
};

}  // namespace

std::unique_ptr<Tree> make_mujoco_tree(MujocoHandle model) {
  const std::shared_ptr<mjModel> shared(std::move(model));
  // MuJoCo's stack has room for contacts and their solver, a thousand times what trees take. If it
  // were too small MuJoCo would say so, and the call would throw.
  if (shared->nbody > 1) shared->nstack = 1024 + 4 * MujocoTree(shared).used_stack();
  return std::make_unique<MujocoTree>(shared);
}

}  // namespace grouser

#endif
