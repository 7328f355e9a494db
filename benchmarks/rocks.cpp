// Contact of a rover with the rocks of a field: time of one evaluation over places along a drive,
// by the shape of its wheels and the corners of the rocks.
//
// Six wheels and five boxes of a chassis stand on flat ground among rocks of the Viking classes;
// wheels stand on the rocks that are under them. Groups leave wheels and chassis against rocks.
#include "benchmarks/side_by_side.h"
#include "grouser/assets/rock_field.h"
#include "grouser/contact/convex.h"
#include "grouser/contact/convex_parts.h"
#include "grouser/contact/convex_patch.h"
#include "grouser/contact/world.h"
#include "grouser/mesh/simpler_hull.h"

namespace {

using namespace grouser;

constexpr int kRounds = 20;
constexpr int kPlaces = 200;
constexpr double kRadius = 0.14, kWidth = 0.12, kGrouser = 0.012;

enum class Wheel { cylinder, grousers };

struct Case {
  std::string name;
  Wheel wheel = Wheel::cylinder;
  std::size_t corners = 40;
  double min_diameter = 0.05;
  Vec2 area = {12.0, 6.0};
};

RockField field_of(const Case& one) {
  RockFieldDef def;
  def.area = one.area;
  def.sizes.law = RockLaw::viking_1_classes;
  def.sizes.min_diameter = one.min_diameter;
  def.seed = 4;
  return make_rock_field(def);
}

ContactWorldDef world_of(const Case& one) {
  ContactWorldDef def;
  MaterialDef stone;
  stone.name = "stone";
  stone.young_modulus = 2e7;
  def.materials.push_back(stone);
  const auto add = [&](const std::string& name, const std::string& body, Geometry geometry,
                       const Pose& X_BS) {
    ShapeDef shape;
    shape.name = name;
    shape.body = body;
    shape.material = "stone";
    shape.geometry = std::move(geometry);
    shape.X_BS = X_BS;
    def.shapes.push_back(std::move(shape));
  };
  for (int w = 0; w < 6; ++w) {
    const std::string name = "wheel_" + std::to_string(w);
    ConvexWheelDef wheel{kRadius, kWidth, 0, kGrouser, 0.01};
    if (one.wheel == Wheel::grousers)
      wheel.grouser_count = 24;
    else
      wheel.radius += kGrouser;
    add(name, name, make_convex_wheel(wheel), {});
  }
  for (int b = 0; b < 5; ++b)
    add("box_" + std::to_string(b), "chassis",
        ConvexBody{"box", {{ConvexShape::box({0.3, 0.2, 0.1}), {}}}},
        {Mat3::Identity(), Vec3(0.25 * (b - 2), 0.2 * (b % 2 * 2 - 1), 0.35)});
  const RockField rocks = field_of(one);
  for (std::size_t i = 0; i < rocks.rocks.size(); ++i)
    add("rock_" + std::to_string(i), "world",
        ConvexBody{"hull",
                   {{ConvexShape::from_hull(
                         make_convex_hull(main_corners(rock_mesh(rocks, i).vertices, one.corners))),
                     {}}}},
        rocks.rocks[i].X_WR);
  ConvexDef contact;
  contact.touch = {{"wheel_*", "rock_*"}, {"box_*", "rock_*"}};
  def.add(contact);
  return def;
}

/// A world and the places of the rover in it.
class Drive {
 public:
  explicit Drive(const Case& one)
      : name_(one.name), def_(world_of(one)), world_(def_), parts_(contact(), world_.shapes()) {
    for (int i = 0; i < kPlaces; ++i) {
      const double x = (0.8 * i / kPlaces - 0.4) * one.area.x();
      std::vector<BodyKinematics> bodies(world_.bodies().size());
      for (int w = 0; w < 6; ++w) {
        const Vec3 p(x + 0.45 * (w / 2 - 1), w % 2 == 0 ? 0.4 : -0.4, 0.0);
        place("wheel_" + std::to_string(w), p, bodies);
      }
      bodies[static_cast<std::size_t>(world_.body("chassis"))].X_WB.p = Vec3(x, 0.0, 0.0);
      places_.push_back(bodies);
    }
  }

  const std::string& name() const { return name_; }
  double seconds() {
    double sum = 0.0;
    for (const std::vector<BodyKinematics>& bodies : places_) {
      set(bodies);
      double fastest = time_of(1, [&] { world_.evaluate(0.0); });
      for (int k = 0; k < 3; ++k)
        fastest = std::min(fastest, time_of(1, [&] { world_.evaluate(0.0); }));
      sum += fastest;
    }
    return sum / kPlaces;
  }
  void print_counts() {
    double near = 0.0, touching = 0.0;
    for (const std::vector<BodyKinematics>& bodies : places_) {
      scratch_.reset();
      const std::span<const NearPair> pairs = parts_.near_pairs(ports(bodies), 0.0, scratch_);
      near += static_cast<double>(pairs.size());
      for (const NearPair& pair : pairs) touching += touch(pair, ports(bodies));
    }
    std::printf("%-44s %6zu shapes; boxes of %.2f pairs overlap, %.2f touch\n", name_.c_str(),
                def_.shapes.size(), near / kPlaces, touching / kPlaces);
  }

 private:
  const ConvexDef& contact() const { return dynamic_cast<const ConvexDef&>(*def_.contacts[0]); }
  void set(const std::vector<BodyKinematics>& bodies) {
    for (std::size_t b = 0; b < bodies.size(); ++b) world_.set_body(static_cast<int>(b), bodies[b]);
  }
  std::vector<BodyKinematics> ports(const std::vector<BodyKinematics>& bodies) const {
    std::vector<BodyKinematics> out;
    for (const std::string& name : parts_.body_names())
      out.push_back(bodies[static_cast<std::size_t>(world_.body(name))]);
    return out;
  }
  double touch(const NearPair& pair, const std::vector<BodyKinematics>& bodies) {
    const ContactPart &a = parts_[pair.first], &b = parts_[pair.second];
    ConvexPatch patch;
    const auto pose = [&](const ContactPart& part) {
      return bodies[static_cast<std::size_t>(part.port)].X_WB * part.X_BS;
    };
    find_patch(a, pose(a), b, pose(b), parts_.surfaces(a, b).effective_modulus, 4, scratch_, patch);
    return patch.normal_force > 0.0 ? 1.0 : 0.0;
  }
  /// On the ground, 2 cm deep, or as high as a millimetre deep in a rock.
  void place(const std::string& wheel, Vec3 p, std::vector<BodyKinematics>& bodies) {
    const auto port = static_cast<std::size_t>(world_.body(wheel));
    p.z() = kRadius - 0.02;
    double low = p.z(), high = p.z() + 0.3;
    const auto depth = [&](double z) {
      bodies[port].X_WB.p = Vec3(p.x(), p.y(), z);
      scratch_.reset();
      double deepest = 0.0;
      const std::vector<BodyKinematics> at = ports(bodies);
      for (const NearPair& pair : parts_.near_pairs(at, 0.0, scratch_)) {
        const ContactPart &a = parts_[pair.first], &b = parts_[pair.second];
        if (parts_.object_name(a.object) != wheel && parts_.object_name(b.object) != wheel)
          continue;
        const auto pose = [&](const ContactPart& part) {
          return at[static_cast<std::size_t>(part.port)].X_WB * part.X_BS;
        };
        deepest = std::max(deepest, find_contact(a, pose(a), b, pose(b), 0.0).depth);
      }
      return deepest;
    };
    if (depth(low) < 1e-3) return;
    for (int i = 0; i < 20; ++i) {
      const double middle = 0.5 * (low + high);
      (depth(middle) > 1e-3 ? low : high) = middle;
    }
    depth(low);
  }

  std::string name_;
  ContactWorldDef def_;
  ContactWorld world_;
  ContactParts parts_;
  Scratch scratch_;
  std::vector<std::vector<BodyKinematics>> places_;
};

}  // namespace

int main() {
  const std::vector<Case> cases = {
      {"cylinders, rocks of 40 corners"},
      {"cylinders, rocks of 20 corners", Wheel::cylinder, 20},
      {"cylinders, rocks of 60 corners", Wheel::cylinder, 60},
      {"cylinders, rocks with all corners", Wheel::cylinder, 1000},
      {"wheels with 24 grousers, 40 corners", Wheel::grousers, 40},
      {"cylinders, rocks of 0.08 m and more", Wheel::cylinder, 40, 0.08},
      {"cylinders, 10 times the area", Wheel::cylinder, 40, 0.05, {40.0, 18.0}},
  };
  std::vector<std::unique_ptr<Drive>> drives;
  for (const Case& one : cases) {
    drives.push_back(std::make_unique<Drive>(one));
    drives.back()->print_counts();
  }
  print_header();
  std::vector<Contender> contenders;
  for (const auto& drive : drives) contenders.push_back({drive->name(), {}});
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t i = 0; i < drives.size(); ++i)
      contenders[i].seconds.push_back(drives[i]->seconds());
  for (const Contender& contender : contenders) print_line(contender, contenders[0]);
}
