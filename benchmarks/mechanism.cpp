// One right-hand side without contact of a rocker-bogie rover with 20 degrees of freedom and an
// exact differential, beside plain mj_forward on the same model with everything it does not need
// switched off.
#include <mujoco/mujoco.h>

#include "benchmarks/side_by_side.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/run/system.h"

int main() {
  using namespace grouser;
  const std::string path = std::string(GROUSER_SCENES) + "/mechanisms/rocker_bogie.xml";

  // Ours: tree, differential, quaternion rates, projection.
  MujocoModel model = load_mujoco(path, std::nullopt, Vec3(0, 0, -9.81));
  MechanismDef def;
  def.trees.push_back(std::move(model.tree));
  def.couplings = model.couplings;  // the differential
  Mechanism mechanism(std::move(def));
  ContactWorld world{ContactWorldDef{}};
  System system(mechanism, world);
  VecX y = system.initial_state(), rates(y.size());
  y.tail(static_cast<Eigen::Index>(mechanism.nv())).setConstant(0.1);
  double t = 0.0;
  const auto ours = [&] {
    y[0] += 1e-9;  // a new state every time: nothing may be reused
    system.rhs(t, {y.data(), system.size()}, {rates.data(), system.size()});
  };

  // MuJoCo alone: the differential would be one of its soft constraints; here there is none.
  char error[1000];
  mjModel* m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (!m) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_SENSOR | mjDSBL_ACTUATION;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nv; ++i) d->qvel[i] = 0.1;
  const auto theirs = [&] {
    d->qpos[0] += 1e-9;
    mj_forward(m, d);
  };

  Contender a{"grouser: right-hand side, 20 dof, exact differential", {}};
  Contender b{"MuJoCo: mj_forward, 20 dof, no constraint", {}};
  for (int round = 0; round < 30; ++round) {
    a.seconds.push_back(time_of(2000, ours));
    b.seconds.push_back(time_of(2000, theirs));
  }
  print_header();
  print_line(a, b);
  print_line(b, b);
  mj_deleteData(d);
  mj_deleteModel(m);
}
