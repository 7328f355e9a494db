// Convex contact: forces and impacts against closed forms, who may touch whom, refusals.
#include "grouser/contact/convex.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/shape/convex_surface.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

constexpr double kModulus = 1e7, kPoisson = 0.3;
const double kEffective = kModulus / (1.0 - kPoisson * kPoisson);  // against a rigid body

ShapeDef shape_of(const std::string& name, Geometry geometry, const std::string& material) {
  ShapeDef shape;
  shape.name = shape.body = name;
  shape.geometry = std::move(geometry);
  shape.material = material;
  return shape;
}

Geometry convex(ConvexShape shape) {
  return ConvexBody{"test", {{std::move(shape), {}}}};
}

ConvexShape a_hull(std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 30; ++i)
    points.push_back(
        0.15 * Vec3(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0))
                   .normalized());
  return ConvexShape::from_hull(make_convex_hull(points));
}

const std::vector<std::pair<std::string, ConvexShape>>& some_shapes() {
  static const std::vector<std::pair<std::string, ConvexShape>> shapes = {
      {"sphere", ConvexShape::sphere(0.12)},
      {"capsule", ConvexShape::capsule(0.08, 0.2)},
      {"ellipsoid", ConvexShape::ellipsoid(Vec3(0.15, 0.1, 0.12))},
      {"box", ConvexShape::box(Vec3(0.3, 0.2, 0.25))},
      {"cylinder", ConvexShape::cylinder(0.12, 0.25)},
      {"cone", ConvexShape::cone(0.15, 0.3)},
      {"hull", a_hull(3)}};
  return shapes;
}

/// An elastic body against a rigid one.
ContactWorldDef world_of_pair(Geometry body, Geometry ground, double restitution = 0.5,
                              double friction = 0.0, const ConvexDef& contact = {}) {
  ContactWorldDef def;
  MaterialDef material;
  material.name = "elastic";
  material.young_modulus = kModulus;
  material.poisson_ratio = kPoisson;
  material.restitution = restitution;
  material.friction = friction;
  def.materials = {material};
  def.shapes = {shape_of("body", std::move(body), "elastic"),
                shape_of("ground", std::move(ground), "")};
  def.add(contact);
  return def;
}

/// Force and torque on the body, at rest.
Wrench wrench_at(ContactWorld& world, const Pose& X, const Twist& V = {}) {
  world.set_body(world.body("body"), {X, V});
  EXPECT_EQ(world.evaluate(0.0), Status::ok);
  return world.wrench(world.body("body"));
}

Pose at_height(double z) {
  return {Mat3::Identity(), Vec3(0.0, 0.0, z)};
}

TEST(Convex, ASphereOnAPlaneIsHertz) {
  ContactWorld world(world_of_pair(SphereShape{0.2}, HalfSpaceShape{}));
  const double stiffness = 4.0 / 3.0 * kEffective * std::sqrt(0.2);
  for (const double depth : {1e-6, 1e-4, 1e-2}) {
    const Wrench wrench = wrench_at(world, at_height(0.2 - depth));
    EXPECT_NEAR(wrench.force.z(), stiffness * std::pow(depth, 1.5),
                1e-9 * wrench.force.z());  // depth is a difference of 0.2: 1e-16 / 1e-6
    EXPECT_EQ(wrench.force.head<2>().norm(), 0.0);
  }
}

TEST(Convex, AFaceCarriesLikeTheColumnBelowIt) {
  // E' / H per area and depth, H half the smallest extent; at an edge and a corner by the volume
  // under the plane.
  ContactWorld world(
      world_of_pair(convex(ConvexShape::box(Vec3(0.4, 0.3, 0.2))), HalfSpaceShape{}));
  const double stiffness = kEffective / 0.1, depth = 1e-4;
  const auto force = [&](const Mat3& R) {
    const double reach = (R.row(2).cwiseAbs() * Vec3(0.2, 0.15, 0.1))(0);
    return wrench_at(world, {R, Vec3(0.0, 0.0, reach - depth)}).force.z();
  };
  const double face = stiffness * 0.4 * 0.3 * depth;
  EXPECT_NEAR(force(Mat3::Identity()), face, 1e-9 * face);
  const double edge = stiffness * 0.4 * 0.5 * depth * depth * (std::tan(0.5) + 1.0 / std::tan(0.5));
  EXPECT_NEAR(force(rotation_from_vector(Vec3(0.5, 0.0, 0.0))), edge, 1e-8 * edge);
  const Mat3 R = rotation_from_vector(Vec3(0.5, 0.7, 0.0));
  const double corner = stiffness * std::pow(depth, 3) / (6.0 * std::abs(R.row(2).prod()));
  EXPECT_NEAR(force(R), corner, 1e-7 * corner);
}

TEST(Convex, TwoColumnsGiveWayTogether) {
  // Half the one and half the other, one after the other under the same pressure.
  ContactWorldDef def = world_of_pair(convex(ConvexShape::box(Vec3(0.4, 0.4, 0.2))),
                                      convex(ConvexShape::box(Vec3(1.0, 1.0, 0.6))));
  MaterialDef soft = def.materials[0];
  soft.name = "soft";
  soft.young_modulus = 0.1 * kModulus;
  def.materials.push_back(soft);
  def.shapes[1].material = "soft";
  ContactWorld world(def);
  const double depth = 1e-4;
  const double compliance = 0.1 / kEffective + 0.3 / (0.1 * kEffective);
  EXPECT_NEAR(wrench_at(world, at_height(0.4 - depth)).force.z(), 0.16 * depth / compliance,
              2e-3 * 0.16 * depth / compliance);  // at its rim a face carries less, over one depth
}

TEST(Convex, ATiltedBoxIsPushedBack) {
  // Moment about the centre of the face: stiffness times slope times the second moment of area.
  ContactWorld world(
      world_of_pair(convex(ConvexShape::box(Vec3(0.4, 0.4, 0.2))), HalfSpaceShape{}));
  const double depth = 1e-4, tilt = 1e-5;
  const Mat3 R = rotation_from_vector(Vec3(0.0, tilt, 0.0));
  const Wrench wrench = wrench_at(world, {R, Vec3(0.0, 0.0, 0.1 - depth)});
  const Vec3 foot = R * Vec3(0.0, 0.0, -0.1);
  const Vec3 moment = wrench.torque - foot.cross(wrench.force);
  const double expected = -kEffective / 0.1 * tilt * std::pow(0.4, 4) / 12.0;
  EXPECT_NEAR(moment.y(), expected, 1e-2 * std::abs(expected));  // the sides add depth / size
}

TEST(Convex, AHullOfABoxIsABox) {
  const Vec3 size(0.4, 0.3, 0.2);
  const ConvexHull hull = make_convex_hull(box_hull(0.5 * size).vertices);
  ContactWorld box(world_of_pair(convex(ConvexShape::box(size)), HalfSpaceShape{}));
  ContactWorld same(world_of_pair(convex(ConvexShape::from_hull(hull)), HalfSpaceShape{}));
  ContactWorld mesh(world_of_pair(
      MeshShape{std::make_shared<const TriangleMesh>(make_box({size, 3}))}, HalfSpaceShape{}));
  const Pose X{rotation_from_vector(Vec3(0.001, 0.002, 0.4)), Vec3(0.0, 0.0, 0.0999)};
  const Wrench expected = wrench_at(box, X);
  EXPECT_GT(expected.force.z(), 1.0);
  for (ContactWorld* other : {&same, &mesh}) {
    const Wrench wrench = wrench_at(*other, X);
    EXPECT_LE((wrench.force - expected.force).norm(), 1e-9 * expected.force.norm());
    EXPECT_LE((wrench.torque - expected.torque).norm(), 1e-9 * expected.force.norm());
  }
}

/// An impact straight down without gravity, stepped by RK4.
struct Impact {
  double rebound = 0.0;  // by the impact speed
  double time = 0.0;     // of contact [s]
  double depth = 0.0;    // greatest [m]
};
Impact impact_of(ContactWorldDef def, double height, double mass, double speed, double step) {
  ContactWorld world(def);
  double z = height, v = -speed, t = 0.0;
  const auto acceleration = [&](double at, double rate) {
    return wrench_at(world, at_height(at), {Vec3::Zero(), Vec3(0.0, 0.0, rate)}).force.z() / mass;
  };
  Impact out;
  wrench_at(world, at_height(z), {Vec3::Zero(), Vec3(0.0, 0.0, v)});
  world.commit(0.0);
  while (z <= height && t < 10.0) {
    const double k1 = acceleration(z, v), v2 = v + 0.5 * step * k1;
    const double k2 = acceleration(z + 0.5 * step * v, v2), v3 = v + 0.5 * step * k2;
    const double k3 = acceleration(z + 0.5 * step * v2, v3), v4 = v + step * k3;
    const double k4 = acceleration(z + step * v3, v4);
    z += step / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    t += step;
    wrench_at(world, at_height(z), {Vec3::Zero(), Vec3(0.0, 0.0, v)});
    world.commit(t);
    out.depth = std::max(out.depth, height - z);
  }
  out.rebound = v / speed;
  out.time = t - (z - height) / v;
  return out;
}

TEST(Convex, ContactTimeAndDepthAreThoseOfHertz) {
  const double mass = 0.5, speed = 1.0, radius = 0.2;
  const double stiffness = 4.0 / 3.0 * kEffective * std::sqrt(radius);
  const double depth = std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
  const double time = 2.9433 * depth / speed;
  const Impact impact = impact_of(world_of_pair(SphereShape{radius}, HalfSpaceShape{}, 1.0), radius,
                                  mass, speed, time / 1000.0);
  EXPECT_NEAR(impact.depth, depth, 1e-5 * depth);  // greatest of 1000 samples
  EXPECT_NEAR(impact.time, time, 1e-4 * time);     // 2.9433 has five digits
  EXPECT_NEAR(impact.rebound, 1.0, 1e-6);
}

TEST(Convex, TheWantedRestitutionIsTheOneOneGets) {
  for (const double e : {0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) {
    const Impact ball =
        impact_of(world_of_pair(SphereShape{0.2}, HalfSpaceShape{}, e), 0.2, 0.5, 1.0, 1e-6);
    EXPECT_NEAR(ball.rebound, e, 1e-3) << "ball, e = " << e;
    const Impact box =
        impact_of(world_of_pair(convex(ConvexShape::box(Vec3(0.3, 0.3, 0.4))), HalfSpaceShape{}, e),
                  0.2, 0.5, 1.0, 1e-6);
    EXPECT_NEAR(box.rebound, e, 1e-3) << "box, e = " << e;
  }
}

/// A body of 1 kg in free flight that hits a resting one: poses by RK4, without gravity and
/// friction.
struct Tumbling {
  Pose X;
  Vec3 v, L;  // velocity, angular momentum
};
struct TumblingBody {
  ContactWorld world;
  Vec3 inertia;

  Vec3 turning(const Tumbling& s) const {
    return s.X.R * (s.X.R.transpose() * s.L).cwiseQuotient(inertia);
  }
  double energy(const Tumbling& s) const {
    return 0.5 * s.v.squaredNorm() + 0.5 * s.L.dot(turning(s));
  }
  Wrench wrench(const Tumbling& s) { return wrench_at(world, s.X, {turning(s), s.v}); }
  bool touches(const Tumbling& s) { return !wrench(s).force.isZero(0.0); }
  void step(Tumbling& s, double h) {
    struct Rates {
      Vec3 v, w, a, torque;
    };
    const auto rates_at = [&](const Rates& rates, double share) {
      Tumbling moved = s;
      moved.X.p += share * h * rates.v;
      moved.X.R = rotation_from_vector(share * h * rates.w) * s.X.R;
      moved.v += share * h * rates.a;
      moved.L += share * h * rates.torque;
      const Wrench wrench = this->wrench(moved);
      return Rates{moved.v, turning(moved), wrench.force, wrench.torque};
    };
    const Rates none{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    const Rates k1 = rates_at(none, 0.0), k2 = rates_at(k1, 0.5), k3 = rates_at(k2, 0.5),
                k4 = rates_at(k3, 1.0);
    const auto mean = [&](Vec3 Rates::*x) -> Vec3 {
      return h / 6.0 * (k1.*x + 2.0 * (k2.*x) + 2.0 * (k3.*x) + k4.*x);
    };
    // Turns do not commute; to fourth order this is the one of the means.
    const Vec3 turn = mean(&Rates::w) + h * h / 12.0 * (k4.w - k1.w).cross(0.5 * (k1.w + k4.w));
    s.X.p += mean(&Rates::v);
    s.X.R = Quat(rotation_from_vector(turn) * s.X.R).normalized().toRotationMatrix();
    s.v += mean(&Rates::a);
    s.L += mean(&Rates::torque);
    wrench(s);
    world.commit(0.0);
  }
};

/// Energy after an impact at a random attitude, as a share of that before, less 1.
double energy_change(const ConvexShape& body, const Vec3& inertia, const Geometry& ground,
                     double restitution, Random& random) {
  const auto vector = [&](double size) {
    Vec3 out;  // one after the other: compilers evaluate arguments in orders of their own
    for (double& x : out) x = random.uniform(-size, size);
    return out;
  };
  TumblingBody sim{ContactWorld(world_of_pair(convex(body), ground, restitution)), inertia};
  Tumbling s{
      {rotation_from_vector(vector(3.0)), vector(0.03)}, Vec3(0.0, 0.0, -1.0), 0.01 * vector(1.0)};
  // Down to where they nearly touch.
  for (double z = 3.0, drop = 1.5; drop > 1e-5; drop *= 0.5) {
    s.X.p.z() = z - drop;
    if (!sim.touches(s)) z -= drop;
    s.X.p.z() = z;
  }
  const double before = sim.energy(s);
  int apart = 0;
  for (int i = 0; i < 20000 && apart < 200; ++i) {
    sim.step(s, 2e-5);
    apart = sim.touches(s) ? 0 : apart + 1;
  }
  return sim.energy(s) / before - 1.0;
}

TEST(Convex, ImpactsKeepEnergyWhateverTheAttitude) {
  const std::vector<std::pair<std::string, Geometry>> grounds = {
      {"plane", HalfSpaceShape{}},
      {"block", convex(ConvexShape::box(Vec3(2.0, 2.0, 2.0)))},
      {"pole", convex(ConvexShape::capsule(0.1, 0.6))},
      {"ball", SphereShape{0.3}},
      {"egg", convex(ConvexShape::ellipsoid(Vec3(0.4, 0.3, 0.2)))},
      {"drum", convex(ConvexShape::cylinder(0.3, 0.4))},
      {"tip", convex(ConvexShape::cone(0.3, 0.5))},
      {"stone", convex(a_hull(5))}};
  const Vec3 inertia(0.004, 0.005, 0.006);
  for (const auto& [name, shape] : some_shapes())
    for (const auto& [below, ground] : grounds) {
      Random random(11);
      for (int i = 0; i < 2; ++i)
        EXPECT_LT(std::abs(energy_change(shape, inertia, ground, 1.0, random)), 1e-3)
            << name << " on " << below << ", " << i;
      // With losses none gains.
      EXPECT_LT(energy_change(shape, inertia, ground, 0.5, random), 0.0) << name << " on " << below;
    }
}

TEST(Convex, PublishedFormulasGiveWhatTheyGive) {
  // Restitution that follows from the formulas for the damping, by the energy integral.
  struct Row {
    RestitutionLaw law;
    double wanted, obtained;
  };
  for (const Row& row :
       {Row{RestitutionLaw::flores, 0.5, 0.470},
        Row{RestitutionLaw::lankarani_nikravesh, 0.5, 0.725},
        Row{RestitutionLaw::gonthier, 0.3, 0.304}, Row{RestitutionLaw::hu_guo, 0.8, 0.799},
        Row{RestitutionLaw::hunt_crossley, 0.7, 0.768}}) {
    ConvexDef contact;
    contact.restitution_law = row.law;
    const Impact impact =
        impact_of(world_of_pair(SphereShape{0.2}, HalfSpaceShape{}, row.wanted, 0.0, contact), 0.2,
                  0.5, 1.0, 2e-6);
    EXPECT_NEAR(impact.rebound, row.obtained, 1e-3) << row.wanted;
  }
}

// Who may touch whom.

/// Five boxes in a row along x, each 1 mm inside the next, on bodies of their own.
ContactWorldDef row_of_boxes(const ConvexDef& contact) {
  ContactWorldDef def = world_of_pair(SphereShape{1.0}, HalfSpaceShape{}, 0.5, 0.0, contact);
  def.shapes.clear();
  for (const char* name : {"wheel_1", "wheel_2", "body", "step_1", "step_2"})
    def.shapes.push_back(shape_of(name, convex(ConvexShape::box(Vec3::Constant(0.1))), "elastic"));
  return def;
}

/// Pairs of neighbours in the row that press on each other, as letters: "ab bc".
std::string touching(const ConvexDef& contact) {
  ContactWorld world(row_of_boxes(contact));
  std::string out;
  const std::vector<std::string> names = {"wheel_1", "wheel_2", "body", "step_1", "step_2"};
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    // Two at a time; the others are far away.
    for (std::size_t k = 0; k < names.size(); ++k)
      world.set_body(world.body(names[k]),
                     {{Mat3::Identity(), Vec3(10.0 * static_cast<double>(k + 1), 0.0, 0.0)}, {}});
    world.set_body(world.body(names[i]), {});
    world.set_body(world.body(names[i + 1]), {{Mat3::Identity(), Vec3(0.099, 0.0, 0.0)}, {}});
    world.evaluate(0.0);
    if (world.wrench(world.body(names[i])).force.x() < 0.0)
      out += std::string(1, static_cast<char>('a' + i)) + static_cast<char>('b' + i) + " ";
  }
  return out;
}

TEST(Convex, GroupsSayWhoMayTouchWhom) {
  ConvexDef contact;
  EXPECT_EQ(touching(contact), "ab bc cd de ");
  contact.groups = {{"rover", {"wheel_*", "body"}}, {"course", {"step_*"}}};
  contact.touch = {{"rover", "course"}};
  EXPECT_EQ(touching(contact), "cd ");
  contact.touch = {{"rover", "course"}, {"rover", "rover"}};
  contact.exclude = {{"wheel_1", "wheel_*"}};
  EXPECT_EQ(touching(contact), "bc cd ");
  contact.touch = {{"step_1", "*"}};
  contact.exclude = {};
  EXPECT_EQ(touching(contact), "cd de ");
}

TEST(Convex, RefusesWhatCannotBe) {
  const auto message = [](const ConvexDef& contact) {
    return message_of<InputError>([&] { ContactWorld{row_of_boxes(contact)}; });
  };
  ConvexDef contact;
  contact.touch = {{"wheel_1", "stp_1"}};
  EXPECT_TRUE(contains(message(contact), "'stp_1' is no shape of this contact and no group"));
  EXPECT_TRUE(contains(message(contact), "step_1"));
  contact.touch = {{"wheel_1", "wheel_1"}};
  EXPECT_TRUE(contains(message(contact), "no two shapes"));
  contact = {};
  contact.objects = {"weel_1"};
  EXPECT_TRUE(contains(message(contact), "there is no shape 'weel_1'"));
  contact = {};
  contact.material_pairs = {{"elastic", "steel", 0.5, 0.5}};
  EXPECT_TRUE(contains(message(contact), "there is no material 'steel'"));
  contact = {};
  contact.points = 0;
  EXPECT_TRUE(contains(message(contact), "contact.points"));

  ContactWorldDef rigid = row_of_boxes({});
  for (ShapeDef& shape : rigid.shapes) shape.material.clear();
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { ContactWorld{rigid}; }), "neither has a material"));
  ContactWorldDef grounds = world_of_pair(HalfSpaceShape{}, HalfSpaceShape{});
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { ContactWorld{grounds}; }), "both have ground in them"));
  ContactWorldDef bad = world_of_pair(SphereShape{0.1}, HalfSpaceShape{});
  bad.materials[0].restitution = 1.5;
  EXPECT_TRUE(contains(message_of<InputError>([&] { ContactWorld{bad}; }), "material.restitution"));
  ElevationGrid large;
  large.nx = large.ny = 300;
  large.heights.assign(large.nx * large.ny, 0.0);
  EXPECT_TRUE(contains(message_of<InputError>([&] { ConvexSurface{large}; }),
                       "89401 cells, more than the 65536 a convex surface may have"));
  const ConvexBody broken{"cylinder", {{ConvexShape::cylinder(0.1, std::nan("")), {}}}};
  EXPECT_TRUE(contains(
      message_of<InputError>([&] { ContactWorld{world_of_pair(broken, HalfSpaceShape{})}; }),
      "no positive number"));
}

TEST(Convex, MaterialsCombineByTheHarmonicMeanOrByPair) {
  // A ball pushed over a plate: friction is mu F, mu of both together.
  const auto friction = [](double one, double other, std::vector<MaterialPairDef> pairs) {
    ConvexDef contact;
    contact.friction_law = FrictionLaw::tanh;
    contact.material_pairs = std::move(pairs);
    ContactWorldDef def = world_of_pair(SphereShape{0.2}, HalfSpaceShape{}, 0.5, one, contact);
    def.materials.push_back(def.materials[0]);
    def.materials[1].name = "other";
    def.materials[1].friction = other;
    def.shapes[1].material = "other";
    ContactWorld world(def);
    const Wrench wrench = wrench_at(world, at_height(0.199), {Vec3::Zero(), Vec3(1.0, 0.0, 0.0)});
    return -wrench.force.x() / wrench.force.z();
  };
  EXPECT_NEAR(friction(0.4, 0.4, {}), 0.4, 1e-12);
  EXPECT_NEAR(friction(0.2, 0.6, {}), 0.3, 1e-12);
  EXPECT_EQ(friction(0.0, 0.0, {}), 0.0);
  EXPECT_EQ(friction(0.0, 0.6, {}), 0.0);
  EXPECT_NEAR(friction(0.2, 0.6, {{"other", "elastic", 0.5, 0.9}}), 0.9, 1e-12);
}

// Shapes made of several pieces.

TEST(Convex, AMapIsTheSameAsAPlateWhereItIsFlat) {
  ElevationGrid grid;
  grid.origin = Vec2(-1.0, -1.0);
  grid.spacing = 0.13;
  grid.nx = grid.ny = 17;
  grid.heights.assign(grid.nx * grid.ny, 0.0);
  ConvexPiece map;
  map.surface = std::make_shared<const ConvexSurface>(grid);
  const Geometry surface = ConvexBody{"surface", {map}};
  for (const ConvexShape& shape :
       {ConvexShape::box(Vec3(0.4, 0.3, 0.2)), ConvexShape::cylinder(0.15, 0.2),
        ConvexShape::sphere(0.1), ConvexShape::capsule(0.1, 0.2)}) {
    ContactWorld on_map(world_of_pair(convex(shape), surface)),
        on_plane(world_of_pair(convex(shape), HalfSpaceShape{}));
    const Pose X{rotation_from_vector(Vec3(0.0004, -0.0003, 0.3)), Vec3(0.07, 0.11, 0.0995)};
    const Wrench expected = wrench_at(on_plane, X), found = wrench_at(on_map, X);
    const std::string kind(kConvexKindNames[static_cast<std::size_t>(shape.kind)]);
    EXPECT_GT(expected.force.z(), 1.0) << kind;
    // Facets of a cylinder's lid follow the deepest point, which is another one in every cell.
    const double tolerance = shape.kind == ConvexKind::cylinder ? 1e-2 : 1e-6;
    EXPECT_LE((found.force - expected.force).norm(), tolerance * expected.force.norm()) << kind;
    EXPECT_LE((found.torque - expected.torque).norm(), tolerance * 0.2 * expected.force.norm())
        << kind;
  }
}

TEST(Convex, AWheelStandsOnItsGrousers) {
  ConvexWheelDef wheel;
  wheel.radius = 0.2;
  wheel.width = 0.1;
  wheel.grouser_count = 12;
  wheel.grouser_height = 0.02;
  wheel.grouser_thickness = 0.01;
  const ConvexBody body = make_convex_wheel(wheel);
  EXPECT_EQ(body.pieces.size(), 13u);
  ContactWorld world(world_of_pair(body, HalfSpaceShape{}));
  EXPECT_EQ(wrench_at(world, at_height(0.2201)).force.z(), 0.0);
  EXPECT_GT(wrench_at(world, at_height(0.2199)).force.z(), 0.0);
  // Between two grousers the wheel is lower: half the thickness inside the rim's polygon.
  const Mat3 between = rotation_from_vector(Vec3(0.0, kPi / 12.0, 0.0));
  const double lowest = 0.22 * std::cos(kPi / 12.0) + 0.005 * std::sin(kPi / 12.0);
  EXPECT_EQ(wrench_at(world, {between, Vec3(0, 0, lowest + 1e-5)}).force.z(), 0.0);
  EXPECT_GT(wrench_at(world, {between, Vec3(0, 0, lowest - 1e-5)}).force.z(), 0.0);
}

// The force is a continuous function of the pose.

/// Greatest change of the force between neighbouring points of a path, by the greatest force: A
/// slides past B from one side to the other, turning, about 10 mm deep.
double greatest_jump(ContactWorld& world, std::uint64_t seed, int steps, double offset) {
  Random random(seed);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  const Mat3 R_start = rotation_from_vector(vector(3.0));
  const Vec3 turn = vector(1.0);
  const Vec3 side = vector(0.05);
  Vec3 before = Vec3::Zero();
  double jump = 0.0, greatest = 0.0;
  for (int k = 0; k <= steps; ++k) {
    const double s = static_cast<double>(k) / steps;
    const Pose X{rotation_from_vector(s * turn) * R_start, Vec3(0.6 * (s - 0.5), side.y(), offset)};
    const Vec3 force = wrench_at(world, X).force;
    if (k > 0) jump = std::max(jump, (force - before).norm());
    greatest = std::max(greatest, force.norm());
    before = force;
  }
  return greatest > 0.0 ? jump / greatest : 0.0;
}

TEST(Convex, TheForceOfPartsWithFacesIsContinuous) {
  // Eight times finer, the greatest change must be several times smaller. Facets of round parts
  // may leave a jump of a few hundredths where the shortest way out changes sides.
  for (const auto& [name_a, a] : some_shapes())
    for (const auto& [name_b, b] : some_shapes()) {
      const bool faces_a = name_a == "box" || name_a == "hull";
      const bool faces_b = name_b == "box" || name_b == "hull";
      if (!faces_a || !faces_b) continue;
      ContactWorld world(world_of_pair(convex(a), convex(b)));
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const double coarse = greatest_jump(world, seed, 500, 0.24);
        const double fine = greatest_jump(world, seed, 8000, 0.24);
        EXPECT_LE(fine, std::max(0.25 * coarse, 2e-3)) << name_a << ", " << name_b << ", " << seed;
      }
    }
}

TEST(Convex, EveryPairPushesApartAndPushesBackAlike) {
  for (const auto& [name_a, a] : some_shapes())
    for (const auto& [name_b, b] : some_shapes()) {
      ContactWorld world(world_of_pair(convex(a), convex(b), 0.5, 0.5));
      Random random(5);
      int touches = 0;
      for (int i = 0; i < 200; ++i) {
        const auto vector = [&](double size) {
          return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                      random.uniform(-size, size));
        };
        const Pose X{rotation_from_vector(vector(3.0)), vector(1.0).normalized() * 0.2};
        const Twist V{vector(1.0), vector(0.3)};
        const Wrench wrench = wrench_at(world, X, V);
        ASSERT_TRUE(wrench.force.allFinite() && wrench.torque.allFinite());
        const Wrench other = world.wrench(world.body("ground"));
        if (wrench.force.isZero(0.0)) continue;
        ++touches;
        // About the same point both cancel.
        const Wrench moved = other.moved_by(X.p);
        EXPECT_LE((wrench.force + moved.force).norm(), 1e-12 * wrench.force.norm());
        EXPECT_LE((wrench.torque + moved.torque).norm(), 1e-11 * wrench.force.norm());
      }
      EXPECT_GT(touches, 20) << name_a << ", " << name_b;
    }
}

}  // namespace
}  // namespace grouser
