// URDF to MJCF, judged by MuJoCo: the kinematics, masses and mass matrix it computes from the
// conversion against a direct evaluation of the URDF written here; and the mechanism files.
#include "grouser/mechanism/urdf_reader.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <fstream>
#include <memory>
#include <random>
#include <sstream>

#include "grouser/base/error.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

// ---- MuJoCo -------------------------------------------------------------------------------------

struct Mechanism {
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data{nullptr, mj_deleteData};

  int body(const std::string& name) const {
    const int id = mj_name2id(model.get(), mjOBJ_BODY, name.c_str());
    EXPECT_GE(id, 0) << "no body " << name;
    return std::max(id, 0);
  }
  int joint(const std::string& name) const {
    const int id = mj_name2id(model.get(), mjOBJ_JOINT, name.c_str());
    EXPECT_GE(id, 0) << "no joint " << name;
    return std::max(id, 0);
  }
  mjtNum& coordinate(const std::string& name) const {
    return data->qpos[model->jnt_qposadr[joint(name)]];
  }
  Pose X_WB(const std::string& name) const {
    const int id = body(name);
    Pose pose;
    pose.p = Vec3(data->xpos + 3 * id);
    pose.R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->xmat + 9 * id);
    return pose;
  }
  double total_mass() const {
    double sum = 0.0;
    for (int b = 0; b < model->nbody; ++b) sum += model->body_mass[b];
    return sum;
  }
  MatX mass_matrix() const {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(model->nv, model->nv);
    mj_fullM(model.get(), M.data(), data->qM);
    return M;
  }
};

Mechanism load_mjcf(const std::string& text) {
  auto files = std::make_unique<mjVFS>();  // two megabytes
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "m.xml", static_cast<int>(text.size()));
  std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));
  char message[1000] = "";
  Mechanism mechanism;
  mechanism.model.reset(mj_loadXML("m.xml", files.get(), message, sizeof message));
  mj_deleteVFS(files.get());
  if (!mechanism.model) throw std::runtime_error(std::string(message) + "\n" + text);
  mechanism.data.reset(mj_makeData(mechanism.model.get()));
  mj_forward(mechanism.model.get(), mechanism.data.get());
  return mechanism;
}

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(GROUSER_SCENES) + "/mechanisms/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// ---- A robot as a table, and what URDF means by it ----------------------------------------------

struct Row {
  std::string type;  // of the joint above the link
  int parent;        // row, -1 for the base
  Vec3 xyz, rpy, axis;
  double mass;
  Vec3 com_xyz, com_rpy;
  Vec6 inertia;  // ixx ixy ixz iyy iyz izz
};

std::string link_name(int row) {
  return "link" + std::to_string(row);
}
std::string joint_name(int row) {
  return "joint" + std::to_string(row);
}

std::string words(const Vec3& v) {
  return to_text(v.x()) + " " + to_text(v.y()) + " " + to_text(v.z());
}

std::string origin(const Vec3& xyz, const Vec3& rpy) {
  return "<origin xyz='" + words(xyz) + "' rpy='" + words(rpy) + "'/>";
}

std::string inertial(double mass, const Vec3& xyz, const Vec3& rpy, const Vec6& inertia) {
  constexpr const char* kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  std::string text =
      "<inertial>" + origin(xyz, rpy) + "<mass value='" + to_text(mass) + "'/><inertia";
  for (int i = 0; i < 6; ++i)
    text += std::string(" ") + kNames[i] + "='" + to_text(inertia[i]) + "'";
  return text + "/></inertial>";
}

std::string urdf_of(const std::vector<Row>& rows) {
  std::string text = "<robot name='table'><link name='link-1'/>\n";
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const Row& row = rows[i];
    text += "<link name='" + link_name(i) + "'>";
    if (row.mass > 0) text += inertial(row.mass, row.com_xyz, row.com_rpy, row.inertia);
    text += "</link>\n<joint name='" + joint_name(i) + "' type='" + row.type + "'><parent link='" +
            link_name(row.parent) + "'/><child link='" + link_name(i) + "'/>" +
            origin(row.xyz, row.rpy) + "<axis xyz='" + words(row.axis) + "'/>" +
            "<limit lower='-3' upper='3' effort='0' velocity='0'/></joint>\n";
  }
  return text + "</robot>";
}

/// URDF: roll about x, then pitch about y, then yaw about z, all fixed axes.
Mat3 rotation(const Vec3& rpy) {
  return rotation_from_vector({0, 0, rpy.z()}) * rotation_from_vector({0, rpy.y(), 0}) *
         rotation_from_vector({rpy.x(), 0, 0});
}

std::vector<Pose> poses(const std::vector<Row>& rows, const VecX& q) {
  std::vector<Pose> X_W(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const Vec3 axis = row.axis.normalized();
    Pose motion;
    if (row.type == "revolute" || row.type == "continuous")
      motion.R = rotation_from_vector(q[i] * axis);
    if (row.type == "prismatic") motion.p = q[i] * axis;
    const Pose X_PL = Pose{rotation(row.rpy), row.xyz} * motion;
    X_W[i] = row.parent < 0 ? X_PL : X_W[row.parent] * X_PL;
  }
  return X_W;
}

/// Sum of m Jv' Jv + Jw' I Jw over the links, with geometric Jacobians.
MatX mass_matrix(const std::vector<Row>& rows, const VecX& q) {
  const int n = static_cast<int>(rows.size());
  const std::vector<Pose> X_W = poses(rows, q);
  MatX M = MatX::Zero(n, n);
  for (int link = 0; link < n; ++link) {
    const Row& row = rows[link];
    const Vec3 com_W = X_W[link] * row.com_xyz;
    MatX J_v = MatX::Zero(3, n), J_w = MatX::Zero(3, n);
    for (int i = link; i >= 0; i = rows[i].parent) {
      const Vec3 axis_W = X_W[i].R * rows[i].axis.normalized();
      if (rows[i].type == "prismatic") J_v.col(i) = axis_W;
      if (rows[i].type == "revolute" || rows[i].type == "continuous") {
        J_w.col(i) = axis_W;
        J_v.col(i) = axis_W.cross(com_W - X_W[i].p);
      }
    }
    const Vec6& I = row.inertia;
    Mat3 inertia;
    inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    const Mat3 R_WI = X_W[link].R * rotation(row.com_rpy);
    const Mat3 inertia_W = R_WI * inertia * R_WI.transpose();
    M += row.mass * J_v.transpose() * J_v + J_w.transpose() * inertia_W * J_w;
  }
  return M;
}

Vec6 six(double a, double b, double c, double d, double e, double f) {
  return (Vec6() << a, b, c, d, e, f).finished();
}

/// Branching chain: every kind of axis joint, fixed joints in between, nothing aligned.
std::vector<Row> table_robot() {
  const Vec6 a = six(0.3, 0.02, -0.03, 0.4, 0.05, 0.5);
  const Vec6 b = six(0.02, 0.004, 0.001, 0.03, -0.003, 0.025);
  return {
      {"revolute",
       -1,
       {0.1, 0.2, 0.3},
       {0.4, -1.1, 2.0},
       {1, 2, 3},
       5,
       {0.1, 0.0, 0.2},
       {1.0, 0.5, -0.7},
       a},
      {"fixed",
       0,
       {0.3, -0.1, 0.2},
       {-2.0, 0.7, 0.1},
       {1, 0, 0},
       1.5,
       {0.0, 0.1, 0.0},
       {0.2, 0.3, 0.4},
       b},
      {"prismatic",
       1,
       {0.0, 0.4, 0.1},
       {0.3, 1.5707963267948966, -0.2},
       {0, -1, 0.5},
       2,
       {0.05, 0.06, 0.07},
       {0.0, 0.0, 0.9},
       a},
      {"continuous",
       2,
       {-0.2, 0.1, 0.6},
       {3.0, 0.2, 1.0},
       {0, 0, -4},
       0.7,
       {0.2, 0.1, 0.0},
       {0.1, 0.0, 0.0},
       b},
      {"fixed",
       3,
       {0.1, 0.1, 0.1},
       {0.5, 0.5, 0.5},
       {1, 0, 0},
       0.3,
       {0.1, 0.2, 0.3},
       {-0.4, 0.2, 2.0},
       b},
      {"revolute",
       1,
       {0.5, 0.0, -0.3},
       {0.0, -0.3, 0.8},
       {0, 1, 0},
       1.1,
       {0.0, 0.0, -0.2},
       {0.6, -0.6, 0.6},
       a},
  };
}

// ---- Kinematics and inertia ---------------------------------------------------------------------

TEST(UrdfConversion, HasTheKinematicsOfTheUrdf) {
  const std::vector<Row> rows = table_robot();
  const Mechanism mechanism = load_mjcf(convert_urdf(urdf_of(rows), "table.urdf").mjcf);
  EXPECT_EQ(mechanism.model->nv, 4);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-3.0, 3.0);
  for (int trial = 0; trial < 20; ++trial) {
    VecX q = VecX::Zero(rows.size());
    for (int i = 0; i < q.size(); ++i) {
      if (rows[i].type == "fixed") continue;
      q[i] = angle(random);
      mechanism.coordinate(joint_name(i)) = q[i];
    }
    mj_kinematics(mechanism.model.get(), mechanism.data.get());
    const std::vector<Pose> expected = poses(rows, q);
    for (int i = 0; i < q.size(); ++i) {
      const Pose X_WB = mechanism.X_WB(link_name(i));
      EXPECT_LT((X_WB.p - expected[i].p).norm(), 1e-14) << link_name(i);  // a few roundings
      EXPECT_LT((X_WB.R - expected[i].R).norm(), 1e-14) << link_name(i);
    }
  }
}

TEST(UrdfConversion, HasTheMassMatrixOfTheUrdf) {
  const std::vector<Row> rows = table_robot();
  const Mechanism mechanism = load_mjcf(convert_urdf(urdf_of(rows), "table.urdf").mjcf);
  EXPECT_NEAR(mechanism.total_mass(), 5 + 1.5 + 2 + 0.7 + 0.3 + 1.1, 1e-14);
  const std::vector<int> moving = {0, 2, 3, 5};
  const VecX q = (VecX(6) << 0.3, 0, -0.2, 1.9, 0, -1.1).finished();
  for (const int i : moving) mechanism.coordinate(joint_name(i)) = q[i];
  mj_forward(mechanism.model.get(), mechanism.data.get());
  const MatX M = mechanism.mass_matrix();
  const MatX expected = mass_matrix(rows, q);
  for (const int i : moving) {
    for (const int j : moving) {
      const double value = M(mechanism.model->jnt_dofadr[mechanism.joint(joint_name(i))],
                             mechanism.model->jnt_dofadr[mechanism.joint(joint_name(j))]);
      EXPECT_NEAR(value, expected(i, j), 1e-13 * expected.norm()) << i << " " << j;
    }
  }
}

TEST(UrdfConversion, KeepsTinyInertiasThatMuJoCoWouldTakeAsDiagonal) {
  std::vector<Row> rows = {table_robot()[0]};
  rows[0].mass = 1e-9;
  rows[0].inertia *= 1e-12;  // off-diagonal elements below MuJoCo's 1e-12
  rows[0].com_xyz.setZero();
  const Mechanism mechanism = load_mjcf(convert_urdf(urdf_of(rows), "tiny.urdf").mjcf);
  const double expected = mass_matrix(rows, VecX::Zero(1))(0, 0);
  EXPECT_NEAR(mechanism.mass_matrix()(0, 0), expected, 1e-13 * expected);
}

TEST(UrdfConversion, CollectsWeldedMassWhereTheMovingLinkHasNone) {
  std::vector<Row> rows = table_robot();
  rows[0].mass = 0.0;  // link1 is welded to it, and link2 behind a joint does not count
  rows[0].inertia.setZero();
  rows[3].mass = 0.0;
  rows[3].inertia.setZero();
  rows.push_back(rows[4]);  // a second link welded to link0
  rows.back().parent = 0;
  const UrdfConversion conversion = convert_urdf(urdf_of(rows), "table.urdf");
  ASSERT_EQ(conversion.notes.size(), 2u);
  EXPECT_EQ(conversion.notes[0],
            "link 'link0' has no mass of its own: the masses of the links welded together (link1, "
            "link6) are written there");
  const Mechanism mechanism = load_mjcf(conversion.mjcf);
  const MatX expected = mass_matrix(rows, VecX::Zero(7));
  EXPECT_NEAR(mechanism.mass_matrix()(0, 0), expected(0, 0), 1e-13 * expected.norm());
  EXPECT_NEAR(mechanism.mass_matrix()(2, 2), expected(3, 3), 1e-13 * expected.norm());
}

TEST(UrdfConversion, LowersARoundedPlateToTheTriangleInequality) {
  std::vector<Row> rows = {table_robot()[0]};
  rows[0].inertia = six(0.3333, 0, 0, 0.3333, 0, 0.6667);  // a plate, written with four digits
  const UrdfConversion conversion = convert_urdf(urdf_of(rows), "plate.urdf");
  ASSERT_EQ(conversion.notes.size(), 1u);
  EXPECT_NE(conversion.notes[0].find("link 'link0'"), std::string::npos);
  EXPECT_EQ(load_mjcf(conversion.mjcf).model->nv, 1);
}

// ---- Joints -------------------------------------------------------------------------------------

constexpr const char* kSolid =
    "<inertial><mass value='2'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

/// base -> tip with one joint; both links are solid.
std::string one_joint(const std::string& type, const std::string& inside,
                      const std::string& root = "base") {
  return "<robot name='r'>\n<link name='" + root + "'>" + kSolid + "</link>\n<link name='tip'>" +
         kSolid + "</link>\n<joint name='j' type='" + type + "'>\n<parent link='" + root +
         "'/><child link='tip'/>\n" + inside + "</joint></robot>";
}

TEST(UrdfJoint, CarriesLimitsDampingAndFriction) {
  const Mechanism mechanism =
      load_mjcf(convert_urdf(one_joint("prismatic",
                                       "<axis xyz='0 0 5'/><limit lower='-0.5' upper='2' "
                                       "effort='3' velocity='1'/><dynamics damping='4' "
                                       "friction='0.25'/>"),
                             "r.urdf")
                    .mjcf);
  const mjModel& m = *mechanism.model;
  ASSERT_EQ(m.njnt, 1);
  EXPECT_EQ(m.jnt_type[0], mjJNT_SLIDE);
  EXPECT_EQ(m.jnt_axis[2], 1.0);
  EXPECT_TRUE(m.jnt_limited[0]);
  EXPECT_EQ(m.jnt_range[0], -0.5);
  EXPECT_EQ(m.jnt_range[1], 2.0);
  EXPECT_EQ(m.dof_damping[0], 4.0);
  EXPECT_EQ(m.dof_frictionloss[0], 0.25);
}

TEST(UrdfJoint, ContinuousHasNoLimits) {
  const Mechanism mechanism = load_mjcf(
      convert_urdf(one_joint("continuous", "<limit effort='3' velocity='1'/>"), "r.urdf").mjcf);
  EXPECT_FALSE(mechanism.model->jnt_limited[0]);
  EXPECT_EQ(mechanism.model->jnt_axis[0], 1.0);  // URDF's default axis is x
}

TEST(UrdfJoint, EqualLimitsAreNoLimits) {
  const UrdfConversion conversion =
      convert_urdf(one_joint("revolute", "<limit effort='0' velocity='1'/>"), "r.urdf");
  EXPECT_FALSE(load_mjcf(conversion.mjcf).model->jnt_limited[0]);
  ASSERT_EQ(conversion.notes.size(), 2u);
  EXPECT_NE(conversion.notes[0].find("both 0, taken as no limits"), std::string::npos);
  EXPECT_EQ(conversion.notes[1], "effort and velocity limits are not used (j)");
}

TEST(UrdfJoint, PlanarSlidesInThePlaneAndTurnsAboutItsNormal) {
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(1, -2, 0.5)}) {
    const std::string inside =
        "<origin xyz='1 2 3' rpy='0.3 0.2 0.1'/><axis xyz='" + words(normal) + "'/>";
    const Mechanism mechanism = load_mjcf(convert_urdf(one_joint("planar", inside), "r.urdf").mjcf);
    ASSERT_EQ(mechanism.model->nv, 3);
    const Pose X_WJ{rotation({0.3, 0.2, 0.1}), {1, 2, 3}};
    mechanism.coordinate("j_x") = 0.3;
    mechanism.coordinate("j_y") = 0.4;
    mechanism.coordinate("j_yaw") = 0.7;
    mj_kinematics(mechanism.model.get(), mechanism.data.get());
    const Pose X_JB = X_WJ.inverse() * mechanism.X_WB("tip");
    EXPECT_NEAR(X_JB.p.norm(), 0.5, 1e-14);
    EXPECT_NEAR(X_JB.p.dot(normal), 0.0, 1e-14);
    EXPECT_LT((X_JB.R - rotation_from_vector(0.7 * normal.normalized())).norm(), 1e-14);
    if (normal == Vec3::UnitZ()) {
      EXPECT_LT((X_JB.p - Vec3(0.3, 0.4, 0)).norm(), 1e-14);
    }
  }
}

TEST(UrdfJoint, FloatingIsFreeUnderTheWorldAndSlidesWithABallElsewhere) {
  const std::string inside = "<origin xyz='1 2 3' rpy='0.3 0.2 0.1'/>";
  const Mechanism free =
      load_mjcf(convert_urdf(one_joint("floating", inside, "world"), "r.urdf").mjcf);
  EXPECT_EQ(free.model->nv, 6);
  EXPECT_EQ(free.model->jnt_type[free.joint("j")], mjJNT_FREE);

  const Mechanism held = load_mjcf(convert_urdf(one_joint("floating", inside), "r.urdf").mjcf);
  EXPECT_EQ(held.model->nv, 6);
  held.coordinate("j_y") = 0.5;
  const Quat turn(Eigen::AngleAxisd(0.4, Vec3(1, 2, 2) / 3.0));
  mjtNum* ball = &held.coordinate("j_ball");
  ball[0] = turn.w(), ball[1] = turn.x(), ball[2] = turn.y(), ball[3] = turn.z();
  mj_kinematics(held.model.get(), held.data.get());
  const Pose expected =
      Pose{rotation({0.3, 0.2, 0.1}), {1, 2, 3}} * make_pose(Vec3(0, 0.5, 0), turn);
  EXPECT_LT((held.X_WB("tip").p - expected.p).norm(), 1e-14);
  EXPECT_LT((held.X_WB("tip").R - expected.R).norm(), 1e-14);
}

TEST(UrdfBase, FloatsWhenAsked) {
  const std::string text = one_joint("fixed", "");
  EXPECT_EQ(load_mjcf(convert_urdf(text, "r.urdf").mjcf).model->nv, 0);
  const Mechanism floating = load_mjcf(convert_urdf(text, "r.urdf", UrdfBase::floating).mjcf);
  EXPECT_EQ(floating.model->nv, 6);
  EXPECT_EQ(floating.model->jnt_type[floating.joint("base_free")], mjJNT_FREE);
}

// ---- Mimic, geometry, notes ---------------------------------------------------------------------

TEST(UrdfConversion, ReadsTheArm) {
  const UrdfConversion arm = convert_urdf(file_text("arm.urdf"), "arm.urdf");
  const Mechanism mechanism = load_mjcf(arm.mjcf);
  EXPECT_EQ(mechanism.model->nv, 3);
  EXPECT_NEAR(mechanism.total_mass(), 7.5, 1e-14);
  EXPECT_GT(mechanism.body("tool"), 0);

  ASSERT_EQ(arm.couplings.size(), 1u);
  EXPECT_EQ(arm.couplings[0].joint, "wrist");
  EXPECT_EQ(arm.couplings[0].other, "elbow");
  EXPECT_EQ(arm.couplings[0].multiplier, -1.0);
  EXPECT_EQ(arm.couplings[0].offset, 0.1);

  ASSERT_EQ(arm.geometries.size(), 3u);
  EXPECT_EQ(arm.geometries[0].kind, UrdfGeometry::Kind::cylinder);
  EXPECT_EQ(arm.geometries[0].size, Vec3(0.1, 0.2, 0));
  EXPECT_EQ(arm.geometries[1].link, "upper_arm");
  EXPECT_EQ(arm.geometries[1].file, "package://arm/upper_arm.stl");
  EXPECT_EQ(arm.geometries[1].size, Vec3::Constant(0.001));
  EXPECT_EQ(arm.geometries[1].X_LG.p, Vec3(0.2, 0, 0));
  EXPECT_EQ(arm.geometries[2].use, UrdfGeometry::Use::collision);
  EXPECT_EQ(arm.notes,
            std::vector<std::string>{"effort and velocity limits are not used (shoulder, elbow)"});
}

TEST(UrdfConversion, MimicDefaultsToTheSameMotion) {
  std::string text = urdf_of(table_robot());
  const std::string joint3 = "<joint name='joint3' type='continuous'>";
  text.insert(text.find(joint3) + joint3.size(), "<mimic joint='joint0'/>");
  const UrdfConversion conversion = convert_urdf(text, "table.urdf");
  ASSERT_EQ(conversion.couplings.size(), 1u);
  EXPECT_EQ(conversion.couplings[0].joint, "joint3");
  EXPECT_EQ(conversion.couplings[0].other, "joint0");
  EXPECT_EQ(conversion.couplings[0].multiplier, 1.0);
  EXPECT_EQ(conversion.couplings[0].offset, 0.0);
}

TEST(UrdfConversion, BrokenGeometryIsANote) {
  const UrdfConversion conversion = convert_urdf(
      "<robot name='r'><link name='a'><visual><geometry><capsule radius='1'/></geometry></visual>"
      "</link></robot>",
      "r.urdf");
  ASSERT_EQ(conversion.notes.size(), 1u);
  EXPECT_EQ(conversion.notes[0],
            "Unknown geometry type 'capsule'; Could not parse visual element for Link [a]");
}

TEST(UrdfConversion, KeepsNamesThatNeedEscapes) {
  const std::string text = "<robot name='r'><link name='a &amp; &quot;b&quot; &lt;c&gt;'/></robot>";
  EXPECT_GT(load_mjcf(convert_urdf(text, "r.urdf").mjcf).body("a & \"b\" <c>"), 0);
}

// ---- Refusals -----------------------------------------------------------------------------------

/// What convert_urdf says to `text`, and that it prints nothing.
std::string urdf_refusal(const std::string& text, UrdfBase base = UrdfBase::fixed) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::string message = "accepted";
  try {
    convert_urdf(text, "bad.urdf", base);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
  return message;
}

std::string robot(const std::string& inside) {
  return "<robot name='r'>\n" + inside + "</robot>";
}

std::string link(const std::string& name, const std::string& inside = kSolid) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'>\n<parent link='" + parent +
         "'/>\n<child link='" + child + "'/>\n" + inside + "</joint>\n";
}

TEST(UrdfRefusal, OfXml) {
  EXPECT_EQ(urdf_refusal(""), "bad.urdf: holds no XML element, <robot> is needed");
  EXPECT_EQ(urdf_refusal("  \n<!-- nothing -->\n"),
            "bad.urdf: holds no XML element, <robot> is needed");
  EXPECT_EQ(urdf_refusal("<mujoco/>"),
            "bad.urdf:1:1: the outermost element must be <robot>, is <mujoco>");
  EXPECT_EQ(urdf_refusal("<robot name='r'>\n  <link name='a'>\n</robot>"),
            "bad.urdf:3:1: malformed XML: </robot> cannot close <link> of line 2");
  EXPECT_EQ(urdf_refusal("<robot name='r'>\n <link name='a'/>"),
            "bad.urdf:1:1: malformed XML: <robot> is never closed");
  EXPECT_EQ(urdf_refusal("<robot name='r'>\n <link name=a/></robot>"),
            "bad.urdf:2:13: malformed XML: attribute 'name' wants a quoted value");
  EXPECT_EQ(urdf_refusal("<robot name='r"),
            "bad.urdf:1:15: malformed XML: the text ends inside a tag");
  EXPECT_EQ(urdf_refusal("<robot name='r'><!-- </robot>"),
            "bad.urdf:1:17: malformed XML: <!-- is never closed");
  EXPECT_EQ(urdf_refusal("</robot>"), "bad.urdf:1:1: malformed XML: </robot> closes nothing");
  EXPECT_EQ(urdf_refusal(robot("<xacro:wheel side='left'/>")),
            "bad.urdf:2:1: <xacro:wheel> is a xacro macro: expand the file first, with "
            "'xacro in.xacro > out.urdf'");
  EXPECT_EQ(urdf_refusal("<robot><link name='a'/></robot>"),
            "bad.urdf: No name given for the robot.");
}

TEST(UrdfRefusal, OfStructure) {
  EXPECT_EQ(urdf_refusal(robot("")), "bad.urdf:1:1: the robot has no links");
  EXPECT_EQ(urdf_refusal(robot("<link/>")), "bad.urdf:2:1: a link needs a name");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b") + link("a"))),
            "bad.urdf:4:1: link 'a' is defined twice, first in line 2");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b") + link("c") + joint("j", "a", "b") +
                               joint("j", "b", "c"))),
            "bad.urdf:9:1: joint 'j' is defined twice, first in line 5");
  EXPECT_EQ(urdf_refusal(robot(link("arm") + link("b") + joint("j", "amr", "b"))),
            "bad.urdf:5:1: joint 'j': no parent link is called 'amr'; did you mean 'arm'?");
  EXPECT_EQ(urdf_refusal(robot(link("arm") + link("b") + joint("j", "arm", "hand"))),
            "bad.urdf:6:1: joint 'j': no child link is called 'hand'; known are arm, b");
  EXPECT_EQ(urdf_refusal(robot(link("a") + "<joint name='j' type='fixed'/>")),
            "bad.urdf:3:1: joint 'j' needs <parent link=\"...\"/>");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b"))),
            "bad.urdf:3:1: two root links, 'a' and 'b': all links but one hang on a joint");
  EXPECT_EQ(
      urdf_refusal(robot(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a"))),
      "bad.urdf:2:1: the joints form a loop through link 'a', so there is no root link");
  EXPECT_EQ(urdf_refusal(robot(link("r") + link("a") + link("b") + joint("j", "a", "b") +
                               joint("k", "b", "a"))),
            "bad.urdf:3:1: the joints form a loop through link 'a', apart from the root link 'r'");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b") + link("c") + joint("j", "a", "b") +
                               joint("k", "a", "c") + joint("l", "b", "c"))),
            "bad.urdf:15:1: link 'c' hangs on two joints, 'k' and 'l': URDF describes trees, close "
            "loops in the scene");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("world") + joint("j", "a", "world"))),
            "bad.urdf:3:1: only the root link may be called 'world', which names the fixed world");
}

TEST(UrdfRefusal, OfJoints) {
  const auto with = [](const std::string& inside, const std::string& type = "continuous") {
    return urdf_refusal(robot(link("a") + link("b") + joint("j", "a", "b", inside, type)));
  };
  EXPECT_EQ(with("<axis xyz='0 0 0'/>"), "bad.urdf:7:1: joint 'j': the axis must not be zero");
  EXPECT_EQ(with("<limit lower='1' upper='-1' effort='1' velocity='1'/>", "revolute"),
            "bad.urdf:7:1: joint 'j': the lower limit 1 exceeds the upper limit -1");
  EXPECT_EQ(with("<dynamics damping='-1'/>"),
            "bad.urdf:7:1: joint 'j': damping and friction must not be negative");
  EXPECT_EQ(with("", "banana"), "bad.urdf:4:1: Joint [j] has no known type [banana]");
  EXPECT_EQ(with("", "revolute"),
            "bad.urdf:4:1: Joint [j] is of type REVOLUTE but it does not specify limits");
  EXPECT_EQ(with("<axis xyz='0 1'/>"),
            "bad.urdf:4:1: Malformed axis element for joint [j]: Parser found 2 elements but 3 "
            "expected while parsing vector [0 1]");
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b") + link("c") +
                               joint("j", "a", "b", "", "planar") + joint("j_yaw", "b", "c"))),
            "bad.urdf:9:1: joint 'j_yaw' has the name that a part of joint 'j' needs");
}

TEST(UrdfRefusal, OfMimic) {
  const auto with = [](const std::string& inside, const std::string& type = "continuous") {
    return urdf_refusal(robot(link("a") + link("b") + link("c") +
                              joint("elbow", "a", "b", "<mimic joint='wrist'/>") +
                              joint("wrist", "b", "c", inside, type)));
  };
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b") + link("c") + joint("elbow", "a", "b") +
                               joint("wrist", "b", "c", "<mimic joint='elbw'/>"))),
            "bad.urdf:12:1: joint 'wrist' mimics the unknown joint 'elbw'; did you mean 'elbow'?");
  EXPECT_EQ(with("<mimic joint='elbow'/>"), "bad.urdf:8:1: joint 'elbow' mimics itself");
  EXPECT_EQ(with("", "fixed"),
            "bad.urdf:8:1: joint 'elbow' mimics 'wrist', which is not a revolute, continuous or "
            "prismatic joint");
  EXPECT_EQ(with("", "continuous"), "accepted");
}

TEST(UrdfRefusal, OfMassAndInertia) {
  const auto with = [](double mass, const Vec6& inertia) {
    return urdf_refusal(robot(link("a") + link("b", inertial(mass, {0, 0, 0}, {0, 0, 0}, inertia)) +
                              joint("j", "a", "b")));
  };
  const std::string place = "bad.urdf:3:1: link 'b'";
  EXPECT_EQ(with(-1, six(1, 0, 0, 1, 0, 1)), place + ": mass must not be negative, is -1 kg");
  EXPECT_EQ(with(0, six(1, 0, 0, 1, 0, 1)), place + ": inertia without mass is impossible");
  EXPECT_EQ(with(1, six(1, 0, 0, -0.5, 0, 1)),
            place +
                ": inertia is not positive definite, its principal moments are 1, -0.5, 1 "
                "kg m^2");
  EXPECT_EQ(with(1, six(1, 2, 0, 1, 0, 1)),
            place +
                ": inertia is not positive definite, its principal moments are -1, 1, 3 "
                "kg m^2");
  EXPECT_EQ(with(1, six(1, 0, 0, 1, 0, 2.5)),
            place +
                ": inertia violates the triangle inequality: the principal moment 2.5 kg m^2 "
                "exceeds the sum of the other two, 2");
  EXPECT_EQ(with(1, six(0, 0, 0, 0, 0, 0)),
            place +
                " moves but has no inertia about one of its axes, and nothing welded to it "
                "adds any: give it an <inertial> with mass and three positive moments, however "
                "small");
  const std::string weightless =
      " moves but has no mass, and nothing welded to it adds any: give it an <inertial> with mass "
      "and three positive moments, however small, or fix its joint; mass behind a further joint "
      "does not count";
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b", "") + joint("j", "a", "b"))),
            place + weightless);
  EXPECT_EQ(urdf_refusal(robot(link("a") + link("b", "") + link("c") + joint("j", "a", "b") +
                               joint("k", "b", "c"))),
            place + weightless);
  EXPECT_EQ(urdf_refusal(robot(link("a", "")), UrdfBase::floating),
            "bad.urdf:2:1: link 'a'" + weightless);
  EXPECT_EQ(urdf_refusal(robot(link("a", "<inertial><mass value='x'/></inertial>"))),
            "bad.urdf:2:1: Inertial: mass [x] is not a float; Could not parse inertial element for "
            "Link [a]");
}

// ---- Mechanism files ----------------------------------------------------------------------------

TEST(Mechanisms, RockerBogieStandsOnSixWheels) {
  const Mechanism rover = load_mjcf(file_text("rocker_bogie.xml"));
  EXPECT_EQ(rover.model->nv, 20);
  EXPECT_NEAR(rover.total_mass(), 180.0, 1e-12);
  EXPECT_EQ(rover.X_WB("rover").p, Vec3(0, 0, 0.5));
  for (const std::string side : {"left", "right"}) {
    rover.joint("rocker_" + side);
    rover.joint("bogie_" + side);
    for (const std::string row : {"front", "middle", "rear"}) {
      const std::string wheel = "wheel_" + row + "_" + side;
      const Pose X_WB = rover.X_WB(wheel);
      EXPECT_EQ(X_WB.p.z() - 0.125, 0.0) << wheel;  // exact, see the file
      EXPECT_EQ(X_WB.R, Mat3::Identity()) << wheel;
      EXPECT_NEAR(std::abs(X_WB.p.y()), 0.53, 1e-15);
      const mjtNum* axis = rover.model->jnt_axis + 3 * rover.joint(wheel + "_spin");
      EXPECT_EQ(Vec3(axis), Vec3::UnitY());
      if (row != "middle") rover.joint(wheel + "_steer");
    }
    EXPECT_NEAR(rover.X_WB("wheel_front_" + side).p.x() - rover.X_WB("wheel_rear_" + side).p.x(),
                1.4, 1e-15);
  }
}

TEST(Mechanisms, FourBarIsAssembledAtZero) {
  const Mechanism four_bar = load_mjcf(file_text("four_bar.xml"));
  EXPECT_EQ(four_bar.model->nv, 3);
  EXPECT_EQ(four_bar.X_WB("coupler").p, Vec3(1, 0, 0));
  EXPECT_LT((four_bar.X_WB("rocker").p - Vec3(1.5, 0, std::sqrt(15.0) / 2)).norm(), 1e-14);
  EXPECT_LT((four_bar.X_WB("rocker") * Vec3(2, 0, 0) - Vec3(2, 0, 0)).norm(), 1e-14);
}

TEST(Mechanisms, DoublePendulumHasTheMassMatrixOfItsComment) {
  const Mechanism pendulum = load_mjcf(file_text("double_pendulum.xml"));
  ASSERT_EQ(pendulum.model->nv, 2);
  pendulum.coordinate("upper") = 0.4;
  pendulum.coordinate("lower") = 1.1;
  mj_forward(pendulum.model.get(), pendulum.data.get());
  const double c = 1.2 * 0.5 * std::cos(1.1);  // T = 0.8 a'^2 + 0.2 b'^2 + c a' b', b' = a' + l'
  const MatX M = pendulum.mass_matrix();
  EXPECT_NEAR(M(0, 0), 2 * (0.8 + 0.2 + c), 1e-14);
  EXPECT_NEAR(M(0, 1), 0.4 + c, 1e-14);
  EXPECT_NEAR(M(1, 1), 0.4, 1e-14);
}

TEST(Mechanisms, TopHasTheInertiaOfItsComment) {
  const Mechanism top = load_mjcf(file_text("top.xml"));
  ASSERT_EQ(top.model->nv, 3);
  const Vec3 expected(1.05e-3, 1.05e-3, 4e-4);
  EXPECT_LT((top.mass_matrix() - MatX(expected.asDiagonal())).norm(), 1e-17);
}

}  // namespace
}  // namespace grouser
