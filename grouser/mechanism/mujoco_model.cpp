#include "grouser/mechanism/mujoco_tree.h"

#ifdef GROUSER_HAVE_MUJOCO

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "grouser/base/text_file.h"
#include "grouser/mechanism/mujoco_handles.h"

namespace grouser {

namespace {

using Handler = void (*)(const char*);
std::atomic<Handler> others_error = nullptr, others_warning = nullptr;

/// `ours` in the place of another handler, which is kept in `others`.
void put_before(Handler& place, Handler ours, std::atomic<Handler>& others) {
  const Handler before = std::atomic_ref(place).exchange(ours);
  if (before != ours) others = before;
}

}  // namespace

thread_local int MujocoCall::open_ = 0;

void MujocoCall::on_error(const char* message) {
  if (open_ > 0) throw RunError(std::string("MuJoCo: ") + message);
  if (const Handler other = others_error) return other(message);
  // MuJoCo's own would wait for a key and write a file into the working folder.
  std::fprintf(stderr, "MuJoCo: %s\n", message);
  std::exit(EXIT_FAILURE);
}

void MujocoCall::on_warning(const char* message) {
  if (open_ > 0) return;
  if (const Handler other = others_warning) return other(message);
  std::fprintf(stderr, "MuJoCo: %s\n", message);
}

void MujocoCall::install_handlers() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  put_before(mju_user_error, on_error, others_error);
  put_before(mju_user_warning, on_warning, others_warning);
}

namespace {

/// Reads `text` in place of the file `path`; other files are looked for beside that one.
MujocoHandle load_text(const std::string& path, const std::string& text, std::string& message) {
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  const std::string name = std::filesystem::path(path).filename().string();
  const int size = static_cast<int>(text.size());
  if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), size) != 0)
    throw RunError("MuJoCo cannot hold the model in memory");
  std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], text.data(), text.size());
  char buffer[1000] = "";
  MujocoHandle model(mj_loadXML(path.c_str(), vfs.get(), buffer, sizeof buffer));
  mj_deleteVFS(vfs.get());
  message = buffer;
  return model;
}

MujocoHandle load_file(const std::string& path, std::string& message) {
  if (!std::filesystem::is_regular_file(path))
    throw InputError("mechanism file '" + path + "' does not exist");
  char buffer[1000] = "";
  MujocoHandle model(mj_loadXML(path.c_str(), nullptr, buffer, sizeof buffer));
  message = buffer;
  if (model || message.find("autolimits") == std::string::npos) return model;
  // Since MuJoCo 3 a range alone means a limit; older ones have to be told.
  std::string text = read_file(path, "an MJCF file").bytes;
  const std::size_t begin = text.find("<mujoco");
  const std::size_t end = text.find('>', begin);
  if (end == std::string::npos) return model;
  text.insert(end + 1, "<compiler autolimits=\"true\"/>");
  return load_text(path, text, message);
}

MujocoHandle load(const std::string& path, const std::optional<std::string>& text) {
  MujocoCall::install_handlers();
  const MujocoCall call;
  MujocoHandle model;
  std::string reason;  // several lines
  try {
    model = text ? load_text(path, *text, reason) : load_file(path, reason);
  } catch (const RunError& error) {
    throw InputError(path + ": " + error.what());
  }
  if (!model) {
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

void note_unused(const mjModel* m, std::vector<std::string>& notes) {
  const auto note = [&](int count, const std::string& what) {
    if (count > 0) notes.push_back(std::to_string(count) + " " + what);
  };
  int friction = 0;
  for (int i = 0; i < m->nv; ++i) friction += m->dof_frictionloss[i] > 0.0;
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
                        const Vec3& gravity, double scale) {
  MujocoHandle model = load(path, text);
  if (scale != 1.0) scale_model(model.get(), scale, path);
  MujocoModel out;
  read_equalities(model.get(), path, out);
  read_facts(model.get(), out);
  note_unused(model.get(), out.notes);
  for (int k = 0; k < 3; ++k) model->opt.gravity[k] = gravity[k];
  // Tree dynamics only.
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_EQUALITY | mjDSBL_LIMIT |
                             mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  model->opt.disableflags &= ~(mjDSBL_GRAVITY | mjDSBL_PASSIVE);
  model->opt.enableflags |= mjENBL_ENERGY;
  // What is off needs no room. Places of geoms and sites matter to tendons alone.
  model->njmax = model->nconmax = model->nu = model->na = model->nsensordata = 0;
  model->ncam = model->nlight = model->nuserdata = 0;
  if (model->ntendon == 0) model->ngeom = model->nsite = 0;
  out.tree = make_mujoco_tree(std::move(model));
  return out;
}

}  // namespace grouser

#else

namespace grouser {

bool have_mujoco() {
  return false;
}

MujocoModel load_mujoco(const std::string& path, const std::optional<std::string>&, const Vec3&,
                        double) {
  throw InputError(path +
                   ": this build has no MuJoCo and reads no mechanism files; "
                   "build with GROUSER_WITH_MUJOCO=ON, or use [[body]]");
}

}  // namespace grouser

#endif

namespace grouser {

PictureShape picture_of(const ModelGeom& geom, const std::vector<ModelBody>& bodies) {
  PictureShape shape;
  shape.name = "geoms/" + geom.name;
  shape.body = geom.body < 0 ? "world" : bodies[static_cast<std::size_t>(geom.body)].name;
  shape.mesh = geom.mesh;
  shape.numbers = geom.color;
  return shape;
}

}  // namespace grouser
