#include "grouser/soil/scm.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/laws/wheel_soil.h"
#include "grouser/math/checks.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/scm_update.h"

namespace grouser {
namespace {

/// Vertex projection is used by itself where edges are shorter than this share of the spacing.
constexpr double kDense = 0.25;
/// Spacings up to this share of the smallest size of an object see it well.
constexpr double kCoarse = 0.25;
/// Spacings up to this share of the thickness of grousers see them, where each counts by itself.
constexpr double kUnresolved = 0.5;
/// Rims whose radius is off its mean by less than this share of the spacing are round. Wheels that
/// are open, or have so many times the faces of a drum, are replaced by it then.
constexpr double kRound = 0.1;
constexpr std::size_t kManyFaces = 2;
/// Triangles of a sphere's mesh are as large as a cell.
constexpr double kTrianglesPerCell = 1.0;

class Scm final : public ContactModel {
 public:
  Scm(const ScmDef& def, const SoilGroundDef& ground, ScmSettings settings,
      std::vector<ScmObject> objects)
      : def_(def),
        ground_(ground),
        settings_(std::move(settings)),
        objects_(std::move(objects)),
        X_BT_(soil_grid_pose(ground)),
        grid_(make_soil_ground(ground)) {
    for (const ScmObject& object : objects_) {
      const auto known = std::find(bodies_.begin(), bodies_.end(), object.body);
      port_of_.push_back(static_cast<std::size_t>(known - bodies_.begin()));
      if (known == bodies_.end()) bodies_.push_back(object.body);
    }
    bodies_.push_back(ground_.body);
  }

  std::vector<std::string> body_names() const override { return bodies_; }

  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<ScmMemory>(SoilSurface(grid_), objects_.size(),
                                       settings_.width > 0.0 ? settings_.width : kFirstWidth,
                                       ground_.update_period);
  }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                  ContactOutput& out) const override {
    const std::span<const void*> parts = scratch.take<const void*>(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i)
      parts[i] = evaluate_part(in, memory, i, scratch);
    return gather_parts(in, memory, parts, scratch, out);
  }

  std::size_t part_count() const override { return objects_.size(); }

  const void* evaluate_part(const ContactInput& in, const ContactMemory& memory, std::size_t i,
                            Scratch& scratch) const override {
    const std::span<ScmAnswer> answer = scratch.take<ScmAnswer>(1);
    GROUSER_ASSERT(i < objects_.size() && dynamic_cast<const ScmMemory*>(&memory));
    const auto& remembered = static_cast<const ScmMemory&>(memory);
    const ScmMotion motion = motion_of(in, remembered, i);
    answer[0].footprint = find_footprint(objects_[i], settings_, motion, remembered.surface,
                                         remembered.traces[i], scratch);
    answer[0].stress =
        find_stress(objects_[i], settings_, motion, ground_.spacing, answer[0].footprint, scratch);
    answer[0].status = status_of(answer[0].stress, answer[0].footprint, motion, i);
    return answer.data();
  }

  Status gather_parts(const ContactInput& in, const ContactMemory&,
                      std::span<const void* const> parts, Scratch&,
                      ContactOutput& out) const override {
    GROUSER_ASSERT(parts.size() == objects_.size() && out.wrenches.size() == in.bodies.size());
    const BodyKinematics& base = in.bodies.back();
    const Mat3 R_WT = base.X_WB.R * X_BT_.R;
    std::fill(out.wrenches.begin(), out.wrenches.end(), Wrench{});
    out.penetration = 0.0;
    Status worst = Status::ok;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const auto& answer = *static_cast<const ScmAnswer*>(parts[i]);
      const Wrench& F_T = answer.stress.wrench_T;
      const Wrench F_W{R_WT * F_T.torque, R_WT * F_T.force};
      out.wrenches[port_of_[i]] += F_W;
      const Vec3 lever = base.X_WB.p - in.bodies[port_of_[i]].X_WB.p;
      out.wrenches.back() += -F_W.moved_by(lever);
      out.penetration = std::max(out.penetration, answer.footprint.deepest);
      worst = worse(worst, answer.status);
    }
    return worst;
  }

  void commit(const ContactInput&, ContactMemory&, Scratch&) const override {}
  bool commits() const override { return false; }  // an update remembers

  const void* prepare_perturbations(const ContactInput& in, const ContactMemory& memory,
                                    Scratch& scratch) const override {
    const std::span<Prepared> prepared = scratch.take<Prepared>(1);
    prepared[0].bodies = scratch.take<BodyKinematics>(in.bodies.size());
    std::copy(in.bodies.begin(), in.bodies.end(), prepared[0].bodies.begin());
    prepared[0].parts = scratch.take<const void*>(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i)
      prepared[0].parts[i] = evaluate_part(in, memory, i, scratch);
    return prepared.data();
  }

  /// Only objects whose own body, or the ground's, has been moved are asked again.
  Status evaluate_perturbed(const ContactInput& in, const ContactMemory& memory, const void* before,
                            Scratch& scratch, ContactOutput& out) const override {
    const auto& prepared = *static_cast<const Prepared*>(before);
    const auto moved = [&](std::size_t port) {
      return !(in.bodies[port] == prepared.bodies[port]);
    };
    const bool all = moved(in.bodies.size() - 1);
    const std::span<const void*> parts = scratch.take<const void*>(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i)
      parts[i] =
          all || moved(port_of_[i]) ? evaluate_part(in, memory, i, scratch) : prepared.parts[i];
    return gather_parts(in, memory, parts, scratch, out);
  }

  double next_update(const ContactMemory& memory) const override {
    return static_cast<const ScmMemory&>(memory).next;
  }
  double update_period() const override { return ground_.update_period; }

  void update(const ContactInput& in, ContactMemory& memory, Workers workers) const override {
    auto& remembered = static_cast<ScmMemory&>(memory);
    GROUSER_ASSERT(in.time >= remembered.next - 1e-9 * ground_.update_period);
    GROUSER_ASSERT(workers.parts.empty() || workers.parts.size() == objects_.size());
    std::vector<ScmMotion> motions;
    std::vector<const ScmAnswer*> answers;
    for (std::size_t i = 0; i < objects_.size(); ++i)
      motions.push_back(motion_of(in, remembered, i));
    for (const void* part : workers.parts) answers.push_back(static_cast<const ScmAnswer*>(part));
    update_soil({ground_, settings_, objects_, motions, answers}, in.time, remembered, workers);
    // Multiples of the period, without adding up rounding errors.
    const double period = ground_.update_period;
    remembered.next = period * (std::floor(in.time / period + 1e-6) + 1.0);
    GROUSER_ASSERT(remembered.next > in.time);
  }

  std::vector<ReportChannel> report_channels() const override;
  void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
              ContactReport& out) const override;

  std::vector<std::string> notes() const override;
  /// Of each object, that it reached beyond the map; then of each, that it was buried; then, that
  /// soil was lost.
  std::size_t warning_count() const override { return 2 * objects_.size() + 1; }
  bool warns(const ContactMemory& memory, std::size_t warning) const override;
  std::string warning(const ContactMemory& memory, std::size_t warning) const override;
  std::string refuse_start(const ContactInput& in, const ContactMemory& memory,
                           Scratch& scratch) const override;

  double stored_energy(const ContactInput& in, const ContactMemory& memory,
                       Scratch& scratch) const override;

  std::optional<GroundArea> ground_area(const ContactInput& in) const override;
  std::uint64_t ground_heights(const ContactMemory& memory, const GroundArea& area,
                               std::uint64_t stamp, std::span<double> heights) const override;
  std::optional<GroundMaps> ground_maps(const ContactMemory& memory) const override;

 private:
  static constexpr double kFirstWidth = 0.05;  // before anything has touched [m]
  struct Prepared {
    std::span<BodyKinematics> bodies;
    std::span<const void*> parts;
  };

  ScmMotion motion_of(const ContactInput& in, const ScmMemory& memory, std::size_t object) const {
    const BodyKinematics& base = in.bodies.back();
    const BodyKinematics& body = in.bodies[port_of_[object]];
    const Pose X_WT = base.X_WB * X_BT_;
    const Vec3 v_W = body.V_WB.v - base.V_WB.at(body.X_WB.p - base.X_WB.p);
    ScmMotion motion;
    motion.X_TB = X_WT.inverse() * body.X_WB;
    motion.V_TB = {X_WT.R.transpose() * (body.V_WB.w - base.V_WB.w), X_WT.R.transpose() * v_W};
    motion.since_update = std::max(0.0, in.time - memory.time);
    motion.phase = std::min(1.0, motion.since_update / ground_.update_period);
    GROUSER_ASSERT(is_share(motion.phase));
    return motion;
  }

  Status status_of(const ScmStress& stress, const ScmFootprint& footprint, const ScmMotion& motion,
                   std::size_t object) const {
    const double sum = stress.wrench_T.force.sum() + stress.wrench_T.torque.sum();
    if (!std::isfinite(sum) || !motion.X_TB.p.allFinite()) return Status::impossible;
    // Deeper than it is large: it would have to come up through the ground.
    return footprint.deepest > objects_[object].size ? Status::impossible : Status::ok;
  }

  ScmDef def_;
  SoilGroundDef ground_;
  ScmSettings settings_;
  std::vector<ScmObject> objects_;
  Pose X_BT_;
  std::shared_ptr<const SoilGround> grid_;
  std::vector<std::string> bodies_;   // of the objects, then of the ground
  std::vector<std::size_t> port_of_;  // by object
};

std::vector<ReportChannel> Scm::report_channels() const {
  std::vector<ReportChannel> out;
  for (const ScmObject& object : objects_) {
    const std::string prefix = objects_.size() == 1 ? "" : object.name + "/";
    const std::string who = objects_.size() == 1 ? "" : " of " + object.name;
    out.push_back({prefix + "sinkage", "m",
                   "lowest point" + who + " in contact below the undisturbed ground"});
    out.push_back({prefix + "contact_area", "m^2", "seen from above"});
    out.push_back({prefix + "normal_force", "N", "along the ground's z"});
    out.push_back({prefix + "drawbar_pull", "N", "forwards: across the axis, along the ground"});
    out.push_back({prefix + "side_force", "N", "along the axis"});
    out.push_back({prefix + "drive_torque", "Nm", "about the axis, that the soil asks for"});
    out.push_back({prefix + "slip", "", "(rim speed - travel) / the larger of them; 0 at rest"});
  }
  out.push_back({"displaced_volume", "m^3", "soil moved aside so far"});
  out.push_back({"compacted_volume", "m^3", "soil compacted so far"});
  return out;
}

void Scm::report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                 ContactReport& out) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  const Pose X_WT = in.bodies.back().X_WB * X_BT_;
  out.channels.clear();
  out.patch.clear();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const ScmObject& object = objects_[i];
    const ScmMotion motion = motion_of(in, remembered, i);
    const ScmFootprint f = find_footprint(object, settings_, motion, remembered.surface,
                                          remembered.traces[i], scratch);
    const ScmStress stress = find_stress(object, settings_, motion, ground_.spacing, f, scratch);
    double sinkage = 0.0, area = 0.0;
    for (std::size_t n = 0; n < f.count; ++n) {
      const auto node = static_cast<std::size_t>(f.node[n]);
      sinkage = std::max(sinkage, f.soil.ground[node] - f.underside[node]);
      area += f.area[n];
      const auto ix = f.window.ix0 + f.node[n] % f.window.nx;
      const auto iy = f.window.iy0 + f.node[n] / f.window.nx;
      const Vec3 p_T(ground_.spacing * static_cast<double>(ix),
                     ground_.spacing * static_cast<double>(iy), f.underside[node]);
      const Vec3 force_T(stress.force_x[n], stress.force_y[n], stress.force_z[n]);
      out.patch.push_back({X_WT * p_T, X_WT.R * force_T, f.depth[n], f.area[n], f.node[n]});
    }
    // Forwards is across the axis and along the ground.
    const Vec3 axis = motion.X_TB.R * object.axis;
    const Vec3 across = axis.cross(Vec3::UnitZ());
    const Vec3 ahead = across.norm() > 1e-9 ? Vec3(across.normalized()) : Vec3(Vec3::UnitX());
    const Vec3 p_T = motion.X_TB.R * object.p_BA;
    const Wrench at_axis = stress.wrench_T.moved_by(p_T);
    const double travel = motion.V_TB.at(p_T).dot(ahead);
    const double rim = motion.V_TB.w.dot(axis) * object.radius;
    out.channels.insert(
        out.channels.end(),
        {sinkage, area, stress.wrench_T.force.z(), stress.wrench_T.force.dot(ahead),
         stress.wrench_T.force.dot(axis), -at_axis.torque.dot(axis), reported_slip(rim, travel)});
  }
  out.channels.insert(out.channels.end(), {remembered.displaced, remembered.compacted});
}

std::vector<std::string> Scm::notes() const {
  std::vector<std::string> out = low_gravity_notes(ground_, settings_.gravity);
  if (!def_.properties.as_table().empty())
    out.push_back("contact.properties are for wheel models; scm takes those of soil '" +
                  ground_.name + "'");
  for (const ScmObject& object : objects_) {
    const Vec3 size = 2.0 * object.half_size;
    const double least = std::min({size.x(), size.y(), size.z()});
    if (ground_.spacing > kCoarse * std::min(least, object.radius))
      out.push_back("object '" + object.name + "': soil.spacing " + to_text(ground_.spacing, 3) +
                    " m is coarse for something " + to_text(least, 3) + " m small; " +
                    to_text(kCoarse * std::min(least, object.radius), 2) + " m or less is fine");
  }
  // Else they are taken in the mean.
  if (def_.envelope != ScmDef::Envelope::automatic)
    for (const ScmObject& object : objects_)
      if (object.grouser_thickness > 0.0 &&
          ground_.spacing > kUnresolved * object.grouser_thickness)
        out.push_back("object '" + object.name + "': soil.spacing " + to_text(ground_.spacing, 3) +
                      " m does not resolve grousers " + to_text(object.grouser_thickness, 2) +
                      " m thick: nodes see them or not; with envelope = \"automatic\" they are "
                      "taken in the mean, else " +
                      to_text(kUnresolved * object.grouser_thickness, 2) + " m or less is fine");
  for (const ScmObject& object : objects_)
    if (object.by_vertices) out.push_back("object '" + object.name + "' is found by its vertices");
  return out;
}

bool Scm::warns(const ContactMemory& memory, std::size_t warning) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  const std::size_t count = objects_.size();
  if (warning < count) return remembered.beyond_map[warning] > 0;
  if (warning < 2 * count)
    return remembered.deepest[warning - count] > objects_[warning - count].radius;
  return remembered.lost > 0.0;
}

std::string Scm::warning(const ContactMemory& memory, std::size_t warning) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  const std::size_t count = objects_.size();
  if (warning >= count && warning < 2 * count) {
    const ScmObject& object = objects_[warning - count];
    return "object '" + object.name + "' was " + to_text(remembered.deepest[warning - count], 3) +
           " m deep in the soil '" + ground_.name + "', beyond its axle (radius " +
           to_text(object.radius, 3) + " m); the laws of soil do not reach so far";
  }
  if (warning == 2 * count)
    return to_text(remembered.lost, 3) + " m^3 of soil '" + ground_.name + "' found no place to go";
  return "object '" + objects_[warning].name + "' reached beyond the soil '" + ground_.name +
         "' in " + std::to_string(remembered.beyond_map[warning]) + " of " +
         std::to_string(remembered.updates) + " updates; nothing carries it there";
}

std::string Scm::refuse_start(const ContactInput& in, const ContactMemory& memory,
                              Scratch& scratch) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const ScmMotion motion = motion_of(in, remembered, i);
    const ScmFootprint f = find_footprint(objects_[i], settings_, motion, remembered.surface,
                                          remembered.traces[i], scratch);
    if (f.deepest > objects_[i].size)
      return "object '" + objects_[i].name + "' is " + to_text(f.deepest, 3) +
             " m below the soil '" + ground_.name + "', deeper than it is large (" +
             to_text(objects_[i].size, 3) + " m); put it on the ground";
  }
  return {};
}

/// On the elastic line, p^2 / (2 K_e) per area, and of the shear, which falls back over K.
double Scm::stored_energy(const ContactInput& in, const ContactMemory& memory,
                          Scratch& scratch) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  double out = 0.0;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const ScmMotion motion = motion_of(in, remembered, i);
    const ScmFootprint f = find_footprint(objects_[i], settings_, motion, remembered.surface,
                                          remembered.traces[i], scratch);
    const ScmStress stress =
        find_stress(objects_[i], settings_, motion, ground_.spacing, f, scratch);
    for (std::size_t s = 0; s < settings_.soils.size(); ++s) {
      const ScmSoil& soil = settings_.soils[s];
      for (std::size_t n = f.first[s]; n < f.first[s + 1]; ++n) {
        const double p = std::min(soil.stiffness * f.depth[n], stress.yield[n]);
        const double sheared = std::hypot(stress.shear_x[n], stress.shear_y[n]) *
                               (soil.def.cohesion + p * soil.tan_friction);
        out += f.area[n] * (0.5 * p * p / soil.stiffness + sheared * soil.def.shear_modulus);
      }
    }
  }
  return out;
}

std::optional<GroundArea> Scm::ground_area(const ContactInput& in) const {
  std::vector<Vec3> objects;
  for (const std::size_t port : port_of_) objects.push_back(in.bodies[port].X_WB.p);
  return recorded_area(ground_, in.bodies.back().X_WB, objects);
}

std::uint64_t Scm::ground_heights(const ContactMemory& memory, const GroundArea& area,
                                  std::uint64_t stamp, std::span<double> heights) const {
  const auto& remembered = static_cast<const ScmMemory&>(memory);
  GROUSER_ASSERT(heights.size() == area.nx * area.ny);
  const double z = X_BT_.p.z();
  const auto node = [&](double at, double from) {
    return static_cast<std::int64_t>(std::round((at - from) / area.spacing));
  };
  const std::int64_t x0 = node(area.origin.x(), X_BT_.p.x()),
                     y0 = node(area.origin.y(), X_BT_.p.y());
  const auto nx = static_cast<std::int64_t>(area.nx), ny = static_cast<std::int64_t>(area.ny);
  if (stamp == 0) {
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x)
        heights[static_cast<std::size_t>(y * nx + x)] =
            z + remembered.surface.height(x0 + x, y0 + y);
    return remembered.updates + 1;
  }
  remembered.surface.for_each_change(stamp - 1, [&](std::int64_t ix, std::int64_t iy, double h) {
    const std::int64_t x = ix - x0, y = iy - y0;
    if (x >= 0 && x < nx && y >= 0 && y < ny) heights[static_cast<std::size_t>(y * nx + x)] = z + h;
  });
  return remembered.updates + 1;
}

std::optional<GroundMaps> Scm::ground_maps(const ContactMemory& memory) const {
  const SoilSurface& surface = static_cast<const ScmMemory&>(memory).surface;
  GridWindow nodes = surface.touched();
  if (!grid_->flat()) {
    nodes.ix0 = grid_->first()[0];
    nodes.iy0 = grid_->first()[1];
    nodes.nx = static_cast<int>(grid_->last()[0] - nodes.ix0 + 1);
    nodes.ny = static_cast<int>(grid_->last()[1] - nodes.iy0 + 1);
  }
  if (nodes.empty()) return std::nullopt;
  GroundMaps out;
  out.name = ground_.name;
  out.heights.spacing = ground_.spacing;
  out.heights.nx = static_cast<std::size_t>(nodes.nx);
  out.heights.ny = static_cast<std::size_t>(nodes.ny);
  const Vec2 from = ground_.heights ? ground_.heights->origin : Vec2(Vec2::Zero());
  out.heights.origin =
      from + ground_.spacing * Vec2(static_cast<double>(nodes.ix0), static_cast<double>(nodes.iy0));
  out.reference = out.heights;
  for (ElevationGrid* grid : {&out.heights, &out.reference}) grid->heights.reserve(nodes.size());
  Scratch scratch;
  for (int y = 0; y < nodes.ny; ++y) {  // a row at a time
    scratch.reset();
    const SoilWindow row = surface.read({nodes.ix0, nodes.iy0 + y, nodes.nx, 1}, scratch);
    for (std::size_t i = 0; i < row.ground.size(); ++i) {
      const std::size_t soil = row.soil.empty() ? 0 : row.soil[i];
      GROUSER_ASSERT(soil < settings_.soils.size());
      out.heights.heights.push_back(row.height(i));
      out.reference.heights.push_back(row.reference[i] -
                                      settings_.soils[soil].def.compaction * row.loose[i]);
    }
  }
  return out;
}

/// The mesh of an object in the frame of its body.
TriangleMesh mesh_of(const ScmDef& def, const ShapeDef& shape, double spacing) {
  TriangleMesh mesh;
  if (const auto* given = std::get_if<MeshShape>(&shape.geometry)) {
    mesh = *given->mesh;
  } else if (std::holds_alternative<SphereShape>(shape.geometry)) {
    const double radius = radius_of_sphere(shape, def.place, "contact.objects");
    const double cell = spacing * spacing * kTrianglesPerCell;
    const double wanted = 4.0 * kPi * radius * radius / cell;
    // Spheres have 20 f^2 triangles.
    const int f = static_cast<int>(std::lround(std::sqrt(std::clamp(wanted, 320.0, 81920.0) / 20)));
    mesh = make_sphere({.radius = radius, .triangles = 20 * f * f});
  } else {
    throw InputError(def.place, "contact.objects: shape '" + shape.name + "' is a " +
                                    std::string(geometry_name(shape.geometry)) +
                                    ", it must be a mesh or a sphere");
  }
  for (Vec3& vertex : mesh.vertices) vertex = shape.X_BS * vertex;
  return mesh;
}

/// What is prepared of meshes. Objects of one mesh share one: wheels that are alike then find it in
/// the processor's cache.
class Undersides {
 public:
  struct Underside {
    TriangleMesh mesh;
    Vec3 axis, centre;
    std::shared_ptr<const WheelTread> tread;  // null: without grousers
    std::shared_ptr<const LowerEnvelope> envelope;
    double grouser_thickness = 0.0;  // also where they count one by one
  };
  explicit Undersides(double spacing) : tolerance_(kRound * spacing) {}

  const Underside& of(const TriangleMesh& mesh, const Vec3& axis, const Vec3& centre,
                      bool as_wheel) {
    for (const Underside& known : made_)
      if (known.mesh.vertices == mesh.vertices && known.mesh.triangles == mesh.triangles &&
          known.axis == axis && known.centre == centre)
        return known;
    Underside made{mesh, axis, centre, nullptr, nullptr, 0.0};
    const auto tread = find_tread(mesh, axis, centre, tolerance_);
    if (tread) made.grouser_thickness = tread->thickness;
    if (as_wheel) made.tread = tread;
    made.envelope = std::make_shared<const LowerEnvelope>(made.tread ? made.tread->drum : mesh);
    if (as_wheel && !made.tread) simplify(made);
    return made_.emplace_back(std::move(made));
  }

 private:
  /// A wheel of many triangles, or of loose ones, whose rim is round is taken as a drum.
  void simplify(Underside& underside) const {
    const auto drum = find_drum(underside.mesh, underside.axis, underside.centre, tolerance_);
    if (!drum) return;
    auto round = std::make_shared<const LowerEnvelope>(*drum);
    if (!underside.envelope->closed() ||
        underside.envelope->face_count() > kManyFaces * round->face_count())
      underside.envelope = std::move(round);
  }

  double tolerance_;
  std::deque<Underside> made_;
};

ScmObject make_object(const ScmDef& def, const ShapeDef& shape, const SoilGroundDef& ground,
                      const ScmSettings& settings, Undersides& undersides) {
  const TriangleMesh mesh = mesh_of(def, shape, ground.spacing);
  ScmObject object;
  object.name = shape.name;
  object.body = shape.body;
  const Box box = bounding_box(mesh);
  object.half_size = box.half_size();
  object.size = 2.0 * object.half_size.norm();
  if (!(ground.spacing < object.size))
    throw InputError(def.place, "object '" + shape.name + "' is " + to_text(object.size, 3) +
                                    " m large; soil.spacing " + to_text(ground.spacing, 3) +
                                    " m must be smaller, a tenth of it or less");
  object.axis = axis_of(def, shape);
  object.p_BA = shape.X_BS.p;
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 from = vertex - object.p_BA;
    object.radius = std::max(object.radius, (from - from.dot(object.axis) * object.axis).norm());
  }
  const Undersides::Underside& underside =
      undersides.of(mesh, object.axis, object.p_BA, def.envelope == ScmDef::Envelope::automatic);
  object.tread = underside.tread;
  object.grouser_thickness = underside.grouser_thickness;
  object.envelope = underside.envelope;
  for (const ScmSoil& soil : settings.soils) {
    const auto strength = [&](const Grousers& grousers) {
      return tread_strength(soil.def, grousers, def.wall_friction, settings.gravity);
    };
    object.along.push_back(strength(object.tread ? object.tread->along : Grousers{}));
    object.across.push_back(strength(object.tread ? object.tread->across : Grousers{}));
  }
  object.by_vertices = def.envelope == ScmDef::Envelope::vertices ||
                       (!object.tread && def.envelope == ScmDef::Envelope::automatic &&
                        object.envelope->longest_edge() < kDense * ground.spacing);
  return object;
}

}  // namespace

const ParameterTable<ScmDef>& ScmDef::parameters() {
  static const auto table = soil_contact_parameters<ScmDef>();
  return table;
}

std::unique_ptr<ContactModel> ScmDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const SoilGroundDef& ground = soil_of(shapes, soil, place, "contact.soil");
  ScmSettings settings;
  settings.gravity = shapes.gravity();
  settings.width = width;
  settings.damping_ratio = damping_ratio;
  settings.side_wall = side_wall;
  for (const std::vector<SoilLayer>& layers : soils_of(ground)) {
    const SoilDef& top = layers[0].soil;
    for (const SoilLayer& layer : layers)
      require_soil(layer.soil, ground.name, settings.gravity, place);
    ScmSoil column;
    column.def = top;
    column.layers = layers;
    column.tan_friction = std::tan(top.friction_angle);
    column.tan_repose = std::tan(repose_angle_of(top));
    for (const SoilLayer& layer : layers) {
      column.tan_layers.push_back(std::tan(layer.soil.friction_angle));
      column.stiffness =
          std::max(column.stiffness, elastic_stiffness_of(layer.soil, settings.gravity));
    }
    column.passive = passive_pressure(top, wall_friction, settings.gravity);
    column.passive_ends = passive_ends(top, wall_friction);
    column.wall_friction = wall_friction * column.tan_friction;
    column.unit_weight = top.density * settings.gravity;
    column.least_yield = std::pow(top.slip_sinkage, -top.n);
    column.cohesive = top.cohesion / std::max(1e-3, column.tan_friction);
    settings.soils.push_back(std::move(column));
  }
  std::vector<ScmObject> made;
  Undersides undersides(ground.spacing);
  for (const ShapeDef* shape : shapes_on_soil(*this, shapes))
    made.push_back(make_object(*this, *shape, ground, settings, undersides));
  return std::make_unique<Scm>(*this, ground, std::move(settings), std::move(made));
}

ScmBalance scm_balance(const ContactMemory& memory) {
  const auto& remembered = dynamic_cast<const ScmMemory&>(memory);
  return {remembered.surface.volume_change(), remembered.compacted, remembered.displaced,
          remembered.lost, remembered.surface.tile_count()};
}

}  // namespace grouser
