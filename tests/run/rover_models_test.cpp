// The rover models of scenes/rovers and the rocker-bogie one: what they weigh, how they stand, what
// their suspensions do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "grouser/mechanism/mujoco_tree.h"
#include "tests/run/motion.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

struct Model {
  const char* file;  // in scenes
  double mass, radius, width, gravity;
  std::vector<std::string> wheels;  // without side
  std::vector<std::string> steered;
  std::set<std::string> others;  // joints that are neither spin nor steering
};

const std::vector<Model>& models() {
  static const std::vector<Model> all = {
      {"mechanisms/rocker_bogie.xml",
       180.0,
       0.125,
       0.16,
       3.71,
       {"front", "middle", "rear"},
       {"front", "rear"},
       {"rover_free", "rocker_left", "rocker_right", "bogie_left", "bogie_right"}},
      {"rovers/exomars.xml",
       310.0,
       0.1425,
       0.12,
       3.71,
       {"front", "middle", "rear"},
       {"front", "middle", "rear"},
       {"rover_free", "bogie_left", "bogie_right", "bogie_rear"}},
      {"rovers/viper.xml",
       430.0,
       0.25,
       0.2,
       1.62,
       {"front", "rear"},
       {"front", "rear"},
       {"rover_free", "rocker_left", "rocker_right"}},
      {"rovers/mmx.xml",
       25.0,
       0.107,
       0.05,
       0.0057,
       {"front", "rear"},
       {},
       {"rover_free", "leg_front_left", "leg_front_right", "leg_rear_left", "leg_rear_right"}},
  };
  return all;
}

std::string path_of(const Model& model) {
  return std::string(GROUSER_SCENES) + "/" + model.file;
}

std::vector<std::string> wheels_of(const Model& model) {
  std::vector<std::string> wheels;
  for (const std::string& row : model.wheels)
    for (const char* side : {"_left", "_right"}) wheels.push_back("wheel_" + row + side);
  return wheels;
}

/// The other one of a pair, or the same.
std::string mirrored(std::string name) {
  const std::size_t left = name.find("left"), right = name.find("right");
  if (left != std::string::npos) return name.replace(left, 4, "right");
  if (right != std::string::npos) return name.replace(right, 5, "left");
  return name;
}

Mechanism mechanism_of(const Model& model) {
  MujocoModel loaded = load_mujoco(path_of(model), std::nullopt, Vec3(0, 0, -model.gravity));
  MechanismDef def;
  def.couplings = loaded.couplings;
  def.trees.push_back(std::move(loaded.tree));
  return Mechanism(std::move(def));
}

class RoverModels : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(All, RoverModels, testing::ValuesIn(models()),
                         [](const testing::TestParamInfo<Model>& model) {
                           const std::string file = model.param.file;
                           const std::size_t from = file.find('/') + 1;
                           return file.substr(from, file.find('.') - from);
                         });

TEST_P(RoverModels, HaveTheJointsThatTheirFilesPromise) {
  std::set<std::string> expected = GetParam().others;
  for (const std::string& wheel : wheels_of(GetParam())) expected.insert(wheel + "_spin");
  for (const std::string& row : GetParam().steered)
    for (const char* side : {"_left", "_right"}) expected.insert("wheel_" + row + side + "_steer");
  const Mechanism rover = mechanism_of(GetParam());
  std::set<std::string> found;
  for (const Joint& joint : rover.joints()) found.insert(joint.name);
  EXPECT_EQ(found, expected);
}

TEST_P(RoverModels, WeighWhatTheyShould) {
  Mechanism rover = mechanism_of(GetParam());
  VecX q = rover.initial_positions();
  const VecX v = VecX::Zero(static_cast<Eigen::Index>(rover.nv()));
  const auto energy = [&] {
    rover.set_state(0.0, {q.data(), rover.nq()}, {v.data(), rover.nv()});
    return rover.potential_energy();
  };
  const double below = energy();
  q[2] += 1.0;
  const double mass = (energy() - below) / GetParam().gravity;
  EXPECT_NEAR(mass, GetParam().mass, 1e-9 * mass);  // rounding of the difference
}

TEST_P(RoverModels, StandOnTheGroundWithAllWheels) {
  const Model& model = GetParam();
  Mechanism rover = mechanism_of(model);
  const VecX &q = rover.initial_positions(), &v = rover.initial_velocities();
  rover.set_state(0.0, {q.data(), rover.nq()}, {v.data(), rover.nv()});
  const auto pose = [&](const std::string& body) {
    return rover.kinematics()[static_cast<std::size_t>(rover.body(body, {}, "body"))].X_WB;
  };
  const double height = pose("wheel_front_left").p.z();
  EXPECT_NEAR(height, model.radius, 1e-15);
  for (const std::string& wheel : wheels_of(model)) {
    EXPECT_EQ(pose(wheel).p.z(), height) << wheel;  // to the bit
    EXPECT_EQ(pose(wheel).R, Mat3::Identity()) << wheel;
  }
  // The sizes of wheels can be taken from their geoms.
  const MujocoModel loaded = load_mujoco(path_of(model), std::nullopt, Vec3::Zero());
  for (const std::string& wheel : wheels_of(model)) {
    const auto geom =
        std::find_if(loaded.geoms.begin(), loaded.geoms.end(),
                     [&](const PictureShape& shape) { return shape.name == "geoms/" + wheel; });
    ASSERT_NE(geom, loaded.geoms.end()) << wheel;
    double radius = 0.0, width = 0.0;
    for (const Vec3& p : geom->mesh.vertices) {
      radius = std::max(radius, std::hypot(p.x(), p.z()));
      width = std::max(width, 2.0 * std::abs(p.y()));
    }
    EXPECT_NEAR(radius, model.radius, 1e-12);
    EXPECT_NEAR(width, model.width, 1e-12);
  }
}

/// Coordinates or speeds of the mirrored rover: left and right change places, and turns about x and
/// z, and the way along y, change sign.
VecX mirrored(const Mechanism& rover, const VecX& x, bool positions) {
  VecX out = x;
  const auto at = [&](const Joint& joint) {
    return static_cast<Eigen::Index>(positions ? joint.q : joint.v);
  };
  for (const Joint& joint : rover.joints()) {
    if (joint.kind == JointKind::free) {
      // Quaternions have w before x, y, z.
      const Eigen::Index first = at(joint), turn = first + (positions ? 4 : 3);
      for (const Eigen::Index i : {first + 1, turn, turn + 2}) out[i] = -x[i];
      continue;
    }
    const bool flips = joint.name.ends_with("_steer") || joint.name == "bogie_rear";
    for (const Joint& other : rover.joints()) {
      if (other.name == mirrored(joint.name)) out[at(joint)] = (flips ? -1.0 : 1.0) * x[at(other)];
    }
  }
  return out;
}

TEST_P(RoverModels, AreMirrorSymmetric) {
  Mechanism rover = mechanism_of(GetParam());
  const auto nv = static_cast<Eigen::Index>(rover.nv());
  // Where bodies are, to the bit.
  const VecX &q0 = rover.initial_positions(), &v0 = rover.initial_velocities();
  rover.set_state(0.0, {q0.data(), rover.nq()}, {v0.data(), rover.nv()});
  for (const std::string& name : rover.body_names()) {
    const auto place = [&](const std::string& body) {
      return rover.kinematics()[static_cast<std::size_t>(rover.body(body, {}, "body"))].X_WB.p;
    };
    const Vec3 here = place(name), there = place(mirrored(name));
    EXPECT_EQ(here, Vec3(there.x(), -there.y(), there.z())) << name;
  }
  // Masses and axes: a mirrored state has mirrored accelerations.
  VecX q = q0, v(nv);
  for (Eigen::Index i = 3; i < q.size(); ++i) q[i] += 0.2 * std::sin(3.0 * static_cast<double>(i));
  q.segment<4>(3).normalize();
  for (Eigen::Index i = 0; i < nv; ++i) v[i] = std::cos(2.0 * static_cast<double>(i));
  const auto accelerations = [&](const VecX& positions, const VecX& speeds) {
    rover.set_state(0.0, {positions.data(), rover.nq()}, {speeds.data(), rover.nv()});
    const std::vector<Wrench> none(rover.body_names().size());
    VecX a(nv);
    rover.accelerations(none, {a.data(), rover.nv()});
    return a;
  };
  const VecX a = accelerations(q, v);
  const VecX b = accelerations(mirrored(rover, q, true), mirrored(rover, v, false));
  EXPECT_LE((mirrored(rover, b, false) - a).norm(), 1e-11 * a.norm());  // rounding
  EXPECT_GT((b - a).norm(), 1e-2 * a.norm());  // the state is no mirror of itself
}

/// A scene in which the rover stands on soil, its wheels locked; `lifted` stands on a plate that
/// rises.
std::string standing(const Model& model, const std::string& simulation,
                     const std::string& lifted = "") {
  std::string text = "[mechanism]\nfile = \"" + path_of(model) + "\"\n[simulation]\n" + simulation +
                     "gravity = [0, 0, " + std::to_string(-model.gravity) + "]\n";
  std::string objects;
  for (const std::string& wheel : wheels_of(model)) {
    text += "[[prescribed]]\njoint = \"" + wheel + "_spin\"\nposition = 0\n";
    text += "[[shape]]\nname = \"" + wheel + "\"\nbody = \"" + wheel +
            "\"\nmesh.wheel = { radius = " + std::to_string(model.radius) +
            ", width = " + std::to_string(model.width) + " }\n";
    if (wheel != lifted) objects += "\"" + wheel + "\", ";
  }
  for (const std::string& row : model.steered) {
    for (const char* side : {"_left", "_right"})
      text += "[[prescribed]]\njoint = \"wheel_" + row + side + "_steer\"\nposition = 0\n";
  }
  for (const std::string& joint : model.others) {
    if (joint.starts_with("leg_"))
      text += "[[prescribed]]\njoint = \"" + joint + "\"\nposition = 0\n";
  }
  const auto soil = [](const std::string& name, const std::string& body) {
    return "[[soil]]\nname = \"" + name + "\"\nbody = \"" + body +
           "\"\ntype = \"dry-sand\"\nspacing = 0.05\nsize = [6, 6]\n";
  };
  // Soil beside the wheels would hold those that are pushed aside, and the suspension is asked
  // here.
  const auto contact = [](const std::string& name, const std::string& list) {
    return "[[contact]]\nname = \"" + name + "\"\nmodel = \"terra\"\nsoil = \"" + name +
           "\"\nobjects = [" + list + "]\nterra.side_wall = 0\n";
  };
  text += soil("ground", "world") + contact("ground", objects);
  if (!lifted.empty()) {
    text += "[[moving_body]]\nname = \"plate\"\nz = { to = 0.1, start = 0.5, duration = 2 }\n" +
            soil("plate", "plate") + contact("plate", "\"" + lifted + "\"");
  }
  return text;
}

/// Upward forces on wheels, by body, when the run has come to its end.
std::map<std::string, double> loads_of(Simulation& simulation) {
  std::map<std::string, double> loads;
  const ContactWorld& world = simulation.world();
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    const auto bodies = world.ports(c);
    for (std::size_t p = 0; p < bodies.size(); ++p) {
      const std::string name(world.bodies()[static_cast<std::size_t>(bodies[p])]);
      if (name.starts_with("wheel_")) loads[name] += world.port_wrenches(c)[p].force.z();
    }
  }
  return loads;
}

TEST_P(RoverModels, StandWithLoadsThatAddUpToTheirWeight) {
  const Model& model = GetParam();
  // What falls and swings takes longer where gravity is low.
  const double pace = std::sqrt(3.71 / model.gravity);
  Simulation simulation(scene_from(standing(
      model, "duration = " + std::to_string(4.0 * pace) + "\noutput_interval = 1\n" +
                 "integrator = \"implicit-euler\"\nstep = " + std::to_string(2e-3 * pace) + "\n")));
  const RunSummary summary = simulation.run();
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  const std::map<std::string, double> loads = loads_of(simulation);
  const double weight = model.mass * model.gravity;
  // Left and right differ by rounding. Four stiff legs on the ground are one too many: there it is
  // amplified by what the soil has been through.
  const bool stiff = model.others.contains("leg_front_left");
  double sum = 0.0;
  for (const auto& [wheel, load] : loads) {
    sum += load;
    EXPECT_NEAR(load, loads.at(mirrored(wheel)), (stiff ? 1e-3 : 1e-9) * weight) << wheel;
    EXPECT_NEAR(load, weight / static_cast<double>(loads.size()), 0.01 * weight) << wheel;
  }
  EXPECT_EQ(loads.size(), 2 * model.wheels.size());
  EXPECT_NEAR(sum, weight, 1e-3 * weight);
}

/// Angles of joints and loads of wheels while one wheel is lifted by 0.1 m.
struct Lift {
  std::map<std::string, std::vector<double>> angles;
  std::map<std::string, double> loads;
};

const Lift& lift(const Model& model) {
  static std::map<std::string, Lift> known;
  const auto [found, missing] = known.try_emplace(model.file);
  Lift& out = found->second;
  if (!missing) return out;
  Simulation simulation(scene_from(standing(
      model, "duration = 4\noutput_interval = 0.02\nintegrator = \"implicit-euler\"\nstep = 2e-3\n",
      "wheel_front_left")));
  RunOptions options;
  options.sample = [&](double) {
    for (const Joint& joint : simulation.mechanism().joints())
      out.angles[joint.name].push_back(
          simulation.mechanism().positions()[static_cast<Eigen::Index>(joint.q)]);
  };
  const RunSummary summary = simulation.run(options);
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  out.loads = loads_of(simulation);
  return out;
}

TEST(RoverSuspensions, OfRockersKeepTheDifferentialWhileAWheelIsLifted) {
  for (const Model& model : models()) {
    if (!model.others.contains("rocker_left")) continue;
    const Lift lifted = lift(model);
    const std::vector<double>&left = lifted.angles.at("rocker_left"),
          &right = lifted.angles.at("rocker_right");
    for (std::size_t i = 0; i < left.size(); ++i)
      EXPECT_LE(std::abs(left[i] + right[i]), 1e-9) << model.file;
    EXPECT_LT(left.back(), -0.02) << model.file;  // the nose of the left one goes up
  }
}

TEST(RoverSuspensions, KeepAllWheelsOnTheGroundWhileOneIsLifted) {
  for (const Model& model : models()) {
    if (model.others.contains("leg_front_left")) continue;  // has none
    const double weight = model.mass * model.gravity;
    double sum = 0.0;
    for (const auto& [wheel, load] : lift(model).loads) {
      // A wheel more or less of a rigid rover would carry nothing.
      EXPECT_GT(load, 0.5 * weight / static_cast<double>(wheels_of(model).size()))
          << model.file << " " << wheel;
      sum += load;
    }
    EXPECT_NEAR(sum, weight, 5e-3 * weight) << model.file;  // still swaying a little
  }
}

TEST(RoverSuspensions, OfThreeBogiesTurnUnderALiftedWheel) {
  // The bogie turns by about 0.1 / 0.65 in the world; the rover pitches and rolls along a little.
  const Model& model = models()[1];
  const double turn = lift(model).angles.at("bogie_left").back();
  EXPECT_LT(turn, -0.08);
  EXPECT_GT(turn, -0.16);
}

}  // namespace
}  // namespace grouser
