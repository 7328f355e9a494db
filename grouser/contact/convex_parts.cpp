#include "grouser/contact/convex_parts.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// The convex pieces of a shape, whatever its kind.
std::vector<ConvexPiece> pieces_of(const ShapeDef& shape) {
  if (const auto* body = std::get_if<ConvexBody>(&shape.geometry)) return body->pieces;
  if (std::holds_alternative<SphereShape>(shape.geometry))
    return {{ConvexShape::sphere(radius_of_sphere(shape, shape.place, "shape.sphere")), {}}};
  if (std::holds_alternative<ElementShape>(shape.geometry))
    throw InputError(shape.place, "shape '" + shape.name + "' is a " +
                                      std::string(geometry_name(shape.geometry)) +
                                      ", which has no inside: convex contact does not know it");
  if (std::holds_alternative<SmoothShape>(shape.geometry))
    throw InputError(shape.place, "shape '" + shape.name + "' is a " +
                                      std::string(geometry_name(shape.geometry)) +
                                      ": convex contact does not know it");
  if (std::holds_alternative<HalfSpaceShape>(shape.geometry))
    return {{ConvexShape::half_space(), {}}};
  try {
    const TriangleMesh& mesh = *std::get<MeshShape>(shape.geometry).mesh;
    return {{ConvexShape::from_hull(make_convex_hull(mesh.vertices)), {}}};
  } catch (const InputError& error) {
    throw InputError(shape.place, "shape '" + shape.name + "': " + error.what());
  }
}

/// Sets box_center and box_half.
void enclose(ContactPart& part) {
  if (part.surface) {
    part.box_center = 0.5 * (part.surface->lower() + part.surface->upper());
    part.box_half = 0.5 * (part.surface->upper() - part.surface->lower());
    return;
  }
  if (part.shape.kind == ConvexKind::half_space) {
    part.box_half.setConstant(kInfinity);
    return;
  }
  const ConvexBounds bounds = bounds_of(part.shape, {});
  part.box_center = 0.5 * (bounds.lower + bounds.upper);
  part.box_half = 0.5 * (bounds.upper - bounds.lower);
}

/// The length that stands for curvature: exact for spheres and capsules; for the others an
/// engineer's choice, half the smallest extent, or half the greatest as in the paper.
void set_radius(ContactPart& part, ConvexDef::RadiusRule rule) {
  if (part.surface) {
    part.flat = true;
    return;
  }
  const bool longest = rule == ConvexDef::RadiusRule::longest_edge;
  switch (part.shape.kind) {
    case ConvexKind::sphere:
    case ConvexKind::capsule:
      part.radius = part.shape.radius;
      return;
    case ConvexKind::half_space:
      part.flat = true;
      return;
    case ConvexKind::box:
    case ConvexKind::hull:
      part.flat = !longest;
      [[fallthrough]];
    default:
      part.radius = longest ? part.box_half.maxCoeff() : part.box_half.minCoeff();
  }
}

/// Whether a part is a half-space or a map.
bool is_ground(const ContactPart& part) {
  return part.surface || part.shape.kind == ConvexKind::half_space;
}

/// Whether a pair of materials is meant, in any order.
bool are(const MaterialPairDef& pair, const MaterialDef& a, const MaterialDef& b) {
  return (pair.first == a.name && pair.second == b.name) ||
         (pair.first == b.name && pair.second == a.name);
}

/// What the contact says of two materials.
struct PairKeys {
  RestitutionDef restitution;
  FrictionDef friction;
};
PairKeys keys_of(const ConvexDef& def, const MaterialDef* a, const MaterialDef* b) {
  PairKeys out{def, def};
  for (const MaterialPairDef& pair : def.material_pairs) {
    if (!a || !b || !are(pair, *a, *b)) continue;
    if (pair.restitution) out.restitution.restitution = pair.restitution;
    if (pair.friction) {
      out.friction.friction = pair.friction;
      out.friction.static_friction = std::nullopt;
    }
    if (pair.static_friction) out.friction.static_friction = pair.static_friction;
  }
  return out;
}

}  // namespace

ContactParts::ContactParts(const ConvexDef& def, const ShapeTable& shapes) {
  add_objects(def, shapes);
  enable_pairs(def);
  combine_materials(def, shapes);
  sort_bodies();
}

void ContactParts::add_objects(const ConvexDef& def, const ShapeTable& shapes) {
  for (const std::string& pattern : def.objects)
    if (!is_pattern(pattern)) shapes.shape(pattern, def.place, "contact.objects");
  for (const ShapeDef& shape : shapes.shapes()) {
    if (std::none_of(def.objects.begin(), def.objects.end(), [&](const std::string& pattern) {
          return matches_pattern(pattern, shape.name);
        }))
      continue;
    auto body = std::find(bodies_.begin(), bodies_.end(), shape.body);
    object_ports_.push_back(static_cast<int>(body - bodies_.begin()));
    if (body == bodies_.end()) bodies_.push_back(shape.body);

    const MaterialDef* material = shapes.material_of(shape);
    auto known = std::find(materials_.begin(), materials_.end(), material);
    const int index = material ? static_cast<int>(known - materials_.begin()) : -1;
    if (material && known == materials_.end()) materials_.push_back(material);

    objects_.push_back(shape.name);
    object_materials_.push_back(index);
    places_.push_back(shape.place);
    const std::size_t first = parts_.size();
    add_parts(def, shape, static_cast<int>(objects_.size()) - 1, index,
              pair_of(material, nullptr).compliance);
    grounds_.push_back(
        std::any_of(parts_.begin() + static_cast<std::ptrdiff_t>(first), parts_.end(), is_ground));
  }
  material_count_ = materials_.size();
  smallest_size_ = kInfinity;
  for (const ContactPart& part : parts_)
    if (!is_ground(part)) smallest_size_ = std::min(smallest_size_, 2.0 * part.box_half.minCoeff());
}

void ContactParts::add_parts(const ConvexDef& def, const ShapeDef& shape, int object, int material,
                             double compliance) {
  for (const ConvexPiece& piece : pieces_of(shape)) {
    ContactPart part;
    part.shape = piece.shape;
    part.surface = piece.surface;
    part.X_BS = shape.X_BS * piece.X_SP;
    part.port = object_ports_.back();
    part.object = object;
    part.material = material;
    part.compliance = compliance;
    enclose(part);
    set_radius(part, def.radius);
    if (!is_ground(part)) part.thickness = part.box_half.minCoeff();
    parts_.push_back(std::move(part));
  }
}

/// Fills in `enabled_` from the groups.
void ContactParts::enable_pairs(const ConvexDef& def) {
  const std::size_t n = objects_.size();
  // The shapes meant by a group's name, a shape's name or a pattern.
  const auto members = [&](const std::string& word, const std::string& key) {
    std::vector<std::string> patterns = {word};
    std::vector<std::string> known = objects_;
    for (const ConvexDef::Group& group : def.groups) {
      known.push_back(group.name);
      if (group.name == word) patterns = group.members;
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < n; ++i)
      if (std::any_of(patterns.begin(), patterns.end(),
                      [&](const std::string& p) { return matches_pattern(p, objects_[i]); }))
        out.push_back(i);
    if (out.empty() && key == "contact.groups")
      throw InputError(
          def.place,
          key + "." + word + ": none of the shapes of this contact is one of " + join(patterns));
    if (out.empty())
      throw InputError(def.place, key + ": '" + word +
                                      "' is no shape of this contact and no group" +
                                      suggestion(word, known));
    return out;
  };
  const auto set = [&](const std::vector<std::array<std::string, 2>>& pairs, const char* key,
                       bool value) {
    for (const auto& [first, second] : pairs)
      for (const std::size_t i : members(first, key))
        for (const std::size_t j : members(second, key))
          enabled_[i * n + j] = enabled_[j * n + i] = value;
  };
  for (const ConvexDef::Group& group : def.groups) members(group.name, "contact.groups");
  enabled_.assign(n * n, def.touch.empty());
  set(def.touch, "contact.touch", true);
  set(def.exclude, "contact.exclude", false);

  std::vector<bool> meet(bodies_.size() * bodies_.size(), false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::size_t a = at(object_ports_[i]), b = at(object_ports_[j]);
      if (a == b) enabled_[i * n + j] = enabled_[j * n + i] = false;
      if (!enabled_[i * n + j]) continue;
      ++enabled_count_;
      meet[std::max(a, b) * bodies_.size() + std::min(a, b)] = true;
    }
  meetings_.assign(meet.size(), -1);
  int meetings = 0;
  for (std::size_t a = 0; a < bodies_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (meet[a * bodies_.size() + b])
        meetings_[a * bodies_.size() + b] = meetings_[b * bodies_.size() + a] = meetings++;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (enabled_[i * n + j] && grounds_[i] && grounds_[j])
        throw InputError(def.place,
                         "shapes '" + objects_[j] + "' and '" + objects_[i] +
                             "' may touch, but both have ground in them (a half_space or "
                             "a surface); exclude the pair");
  if (enabled_count_ == 0)
    throw InputError(def.place,
                     "no two shapes on different bodies may touch: check contact.objects, touch "
                     "and exclude");
}

void ContactParts::combine_materials(const ConvexDef& def, const ShapeTable& shapes) {
  for (const MaterialPairDef& pair : def.material_pairs)
    for (const std::string& name : {pair.first, pair.second})
      shapes.material(name, def.place, "contact.material_pairs");  // throws if there is none
  const std::size_t n = material_count_ + 1;
  surface_pairs_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const MaterialDef* a = i > 0 ? materials_[i - 1] : nullptr;
      const MaterialDef* b = j > 0 ? materials_[j - 1] : nullptr;
      const MaterialPair pair = pair_of(a, b);
      if (pair.compliance == 0.0) continue;
      GROUSER_ASSERT(pair.compliance > 0.0);
      const PairKeys keys = keys_of(def, a, b);
      surface_pairs_[i * n + j] = {
          1.0 / pair.compliance,
          damping_factor(def.restitution_law, restitution_between(keys.restitution, pair)),
          friction_between(keys.friction, pair, def.place, ConvexDef::kUsualFriction)};
    }
  for (std::size_t a = 0; a < objects_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (enabled_[a * objects_.size() + b] && object_materials_[a] < 0 && object_materials_[b] < 0)
        throw InputError(places_[a], "shapes '" + objects_[b] + "' and '" + objects_[a] +
                                         "' may touch, but neither has a material, so both are "
                                         "rigid; give one of them a material");
}

void ContactParts::sort_bodies() {
  sorted_.resize(bodies_.size());
  std::vector<ConvexBounds> boxes;
  for (const ContactPart& part : parts_) {
    const Vec3 center = part.X_BS * part.box_center;
    const Vec3 half = part.X_BS.R.cwiseAbs() * part.box_half;
    boxes.push_back({center - half, center + half});
  }
  for (std::size_t b = 0; b < sorted_.size(); ++b) {
    Body& body = sorted_[b];
    Vec3 lower = Vec3::Constant(kInfinity), upper = -lower;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (at(parts_[i].port) != b) continue;
      if (parts_[i].shape.kind == ConvexKind::half_space) {
        body.half_spaces.push_back(static_cast<int>(i));
        continue;
      }
      body.parts.push_back(static_cast<int>(i));
      body.widest = std::max(body.widest, boxes[i].upper.x() - boxes[i].lower.x());
      lower = lower.cwiseMin(boxes[i].lower);
      upper = upper.cwiseMax(boxes[i].upper);
    }
    if (body.parts.empty()) continue;
    body.box_center = 0.5 * (lower + upper);
    body.box_half = 0.5 * (upper - lower);
    std::stable_sort(body.parts.begin(), body.parts.end(),
                     [&](int i, int j) { return boxes[at(i)].lower.x() < boxes[at(j)].lower.x(); });
    for (const int i : body.parts) {
      body.lower_x.push_back(boxes[at(i)].lower.x());
      body.centers.push_back(0.5 * (boxes[at(i)].lower + boxes[at(i)].upper));
      body.halves.push_back(0.5 * (boxes[at(i)].upper - boxes[at(i)].lower));
    }
  }
}

namespace {

/// Whether the boxes around a part of B and around some things of A are within `margin`, compared
/// along the axes of A.
bool boxes_meet(const Vec3& center_a, const Vec3& half_a, const Vec3& center_b, const Vec3& half_b,
                double margin) {
  return ((center_a - center_b).cwiseAbs().array() <= (half_a + half_b).array() + margin).all();
}

}  // namespace

void ContactParts::add_if_enabled(int a, int b, ScratchList<NearPair>& out) const {
  if (enabled(parts_[at(a)].object, parts_[at(b)].object))
    out.add({std::min(a, b), std::max(a, b)});
}

/// Half-spaces of one body against the parts of another, O, seen from the first, P.
void ContactParts::near_half_spaces(const Body& planes, const Body& others, const Pose& X_PO,
                                    double margin, ScratchList<NearPair>& out) const {
  for (const int plane : planes.half_spaces) {
    const Pose& X_PS = parts_[at(plane)].X_BS;
    const Vec3 n = X_PO.R.transpose() * X_PS.R.col(2);  // in O
    const double height = X_PS.R.col(2).dot(X_PO.p - X_PS.p);
    for (const int i : others.parts) {
      const ContactPart& part = parts_[at(i)];
      const double reach = (part.X_BS.R.transpose() * n).cwiseAbs().dot(part.box_half);
      if (height + n.dot(part.X_BS * part.box_center) - reach < margin)
        add_if_enabled(plane, i, out);
    }
  }
}

void ContactParts::near_of_bodies(std::size_t a, std::size_t b, const Pose& X_AB, double margin,
                                  Scratch& scratch, ScratchList<NearPair>& out) const {
  const Body &A = sorted_[a], &B = sorted_[b];
  near_half_spaces(A, B, X_AB, margin, out);
  near_half_spaces(B, A, X_AB.inverse(), margin, out);
  if (A.parts.empty() || B.parts.empty()) return;
  const Vec3 center_B = X_AB * B.box_center, half_B = X_AB.R.cwiseAbs() * B.box_half;
  if (!boxes_meet(A.box_center, A.box_half, center_B, half_B, margin)) return;

  GROUSER_ASSERT(std::is_sorted(A.lower_x.begin(), A.lower_x.end()));
  // The parts of A that are near the box around all of B.
  const double from = center_B.x() - half_B.x() - A.widest - margin;
  const double to = center_B.x() + half_B.x() + margin;
  const auto first = static_cast<std::size_t>(
      std::lower_bound(A.lower_x.begin(), A.lower_x.end(), from) - A.lower_x.begin());
  const std::span<std::size_t> near = scratch.take<std::size_t>(A.parts.size());
  std::size_t count = 0;
  for (std::size_t k = first; k < A.parts.size() && A.lower_x[k] <= to; ++k)
    if (boxes_meet(A.centers[k], A.halves[k], center_B, half_B, margin)) near[count++] = k;
  if (count == 0) return;

  for (const int j : B.parts) {
    const ContactPart& part = parts_[at(j)];
    const Mat3 R_AS = X_AB.R * part.X_BS.R;
    const Vec3 center = X_AB * (part.X_BS * part.box_center);
    const Vec3 half = R_AS.cwiseAbs() * part.box_half;
    for (const std::size_t k : near.first(count)) {
      const int i = A.parts[k];
      if (boxes_meet(A.centers[k], A.halves[k], center, half, margin) &&
          enabled(parts_[at(i)].object, part.object))
        out.add({std::min(i, j), std::max(i, j)});
    }
  }
}

template <class Visit>
void ContactParts::for_each_meeting(std::span<const BodyKinematics> bodies, double margin,
                                    Scratch& scratch, Visit&& visit) const {
  struct Placed {
    ConvexBounds box;  // in W
    std::size_t port;
  };
  // Swept along x: a body is compared with those that begin before it ends.
  const std::span<Placed> placed = scratch.take<Placed>(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = sorted_[b];
    const Vec3 center = bodies[b].X_WB * body.box_center;
    const Vec3 half = body.half_spaces.empty() ? Vec3(bodies[b].X_WB.R.cwiseAbs() * body.box_half)
                                               : Vec3(Vec3::Constant(kInfinity));
    const Vec3 reach = half.array() + 0.5 * margin;
    placed[b] = {{center - reach, center + reach}, b};
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& p, const Placed& q) {
    return p.box.lower.x() != q.box.lower.x() ? p.box.lower.x() < q.box.lower.x() : p.port < q.port;
  });
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (std::size_t j = i + 1;
         j < placed.size() && placed[j].box.lower.x() <= placed[i].box.upper.x(); ++j) {
      const std::size_t a = placed[i].port, b = placed[j].port;
      const int number = meetings_[a * bodies.size() + b];
      if (number >= 0 && placed[i].box.overlaps(placed[j].box))
        visit(std::max(a, b), std::min(a, b), number);
    }
}

std::span<const NearPair> ContactParts::near_pairs(std::span<const BodyKinematics> bodies,
                                                   double margin, Scratch& scratch,
                                                   Share share) const {
  GROUSER_ASSERT(bodies.size() == sorted_.size() && share.first < share.count && margin >= 0.0);
  ScratchList<NearPair> found(scratch);
  for_each_meeting(bodies, margin, scratch, [&](std::size_t a, std::size_t b, int number) {
    if (static_cast<std::size_t>(number) % share.count != share.first) return;
    // The body with more parts is searched for those of the other.
    if (sorted_[a].parts.size() < sorted_[b].parts.size()) std::swap(a, b);
    near_of_bodies(a, b, bodies[a].X_WB.inverse() * bodies[b].X_WB, margin, scratch, found);
  });
  const std::span<NearPair> pairs = found.items();
  std::sort(pairs.begin(), pairs.end(),
            [](const NearPair& p, const NearPair& q) { return p.key() < q.key(); });
  return pairs;
}

}  // namespace grouser
