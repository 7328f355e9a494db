#include "grouser/contact/smooth_contact.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/contact/smooth_saddles.h"

namespace grouser {
namespace {

/// Ports: the body comes first, what it stands on second.
constexpr std::size_t kSecond = 0, kFirst = 1;

/// Below this, curvature of the gap times R, points cannot be tracked: bodies fit each other.
constexpr double kTooFlat = 1e-3;
/// With this rate [1/s] a stretch that has drifted off the tangent plane comes back into it.
constexpr double kBackToPlane = 100.0;

struct SlottedContact {
  ClosestPoints at;
  int slot;
  bool is_new = false;  ///< found anew, not by integration
};

/// All contacts of an evaluation.
struct Situation {
  Pose X_W1, X_12;
  InlineList<SlottedContact, kMostSmoothContacts> contacts;
  int left_out = 0;
};

/// What acts at one place.
struct PlaceForce {
  Vec3 p_W, n_W;
  Vec3 turn_W;  // how fast the normal turns, seen from the first body [1/s]
  double depth = 0.0, depth_rate = 0.0;
  double spring = 0.0, force = 0.0;  // along the normal [N]
  Vec3 velocity_W;                   // of the second body over the first
};

class SmoothContact final : public ContactModel {
 public:
  SmoothContact(SmoothPair pair, ContactSearch search)
      : pair_(std::move(pair)), search_(std::move(search)) {
    per_slot_ = (has_stretch() ? kFrictionStates : 0) + (pair_.integrated ? 6 : 0);
    energy_scale_ = penalty_energy(pair_.normal, 0.03 * pair_.radius) / state_scale();
    GROUSER_ASSERT(energy_scale_ > 0.0 && pair_.slots <= static_cast<int>(kMostSmoothContacts));
  }

  std::vector<std::string> body_names() const override { return pair_.bodies; }
  std::size_t state_count() const override {
    return per_slot_ * static_cast<std::size_t>(pair_.slots) + 1;
  }
  std::vector<ReportChannel> state_channels() const override;
  double state_scale() const override { return 1e-3 * pair_.radius; }
  std::unique_ptr<ContactMemory> make_memory() const override { return std::make_unique<Memory>(); }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch&,
                  ContactOutput& out) const override {
    GROUSER_ASSERT(in.states.size() == state_count() &&
                   out.state_derivatives.size() == state_count());
    GROUSER_ASSERT(in.bodies.size() == 2 && out.wrenches.size() == 2);
    const Situation now = situation(in, remembered(memory), 0.0);
    const Answer answer = answer_of(in, now, out.state_derivatives);
    const double where = now.X_12.p.sum() + now.X_12.R.sum();
    out.wrenches[kSecond] = answer.on_second;
    out.wrenches[kFirst] = answer.on_first;
    out.penetration = answer.depth;
    const double sum = answer.on_first.force.sum() + answer.on_first.torque.sum();
    return std::isfinite(sum + where) ? Status::ok : Status::impossible;
  }

  void commit(const ContactInput& in, ContactMemory& memory, Scratch&) const override {
    SmoothMemory& kept = static_cast<Memory&>(memory).value;
    const Situation now = situation(in, kept, pair_.margin);
    count(now, kept);
    for (SmoothSlot& slot : kept.slots) slot.active = slot.touching = 0;
    for (const SlottedContact& contact : now.contacts) {
      const ClosestPoints& c = contact.at;
      if (c.gap > pair_.margin) continue;
      SmoothSlot& slot = kept.slots[static_cast<std::size_t>(contact.slot)];
      slot.active = 1;
      slot.touching = c.gap < 0.0 && is_on_ground(c);
      slot.chart1 = c.x1.chart;
      slot.chart2 = c.x2.chart;
      slot.u1 = c.x1.u;
      slot.v1 = c.x1.v;
      slot.u2 = c.x2.u;
      slot.v2 = c.x2.v;
      if (!pair_.integrated || !contact.is_new) continue;
      const std::span<const double> states = coordinate_states(in.states, contact.slot);
      const Vec3 one = search_.first().numbers(c.x1), two = search_.second().numbers(c.x2);
      for (std::size_t i = 0; i < 3; ++i) {
        slot.base1[i] = one[static_cast<Eigen::Index>(i)] - states[i];
        slot.base2[i] = two[static_cast<Eigen::Index>(i)] - states[3 + i];
      }
    }
  }

  std::size_t event_count() const override { return static_cast<std::size_t>(pair_.slots); }
  std::vector<ReportChannel> event_channels() const override {
    std::vector<ReportChannel> out;
    for (int slot = 0; slot < pair_.slots; ++slot)
      out.push_back({slot_name(slot) + "touch", "m",
                     "gap at this contact, at most the margin; negative where bodies overlap"});
    return out;
  }
  void event_functions(const ContactInput& in, const ContactMemory& memory, Scratch&,
                       std::span<double> out) const override {
    GROUSER_ASSERT(out.size() == event_count());
    std::fill(out.begin(), out.end(), pair_.margin);
    const Situation now = situation(in, remembered(memory), pair_.margin);
    for (const SlottedContact& contact : now.contacts)
      if (is_on_ground(contact.at))
        out[static_cast<std::size_t>(contact.slot)] = std::min(contact.at.gap, pair_.margin);
  }

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "greatest depth"},
            {"gap", "m", "smallest gap of the tracked contacts, at most the margin"},
            {"contacts", "", "how many touch"},
            {"normal_force", "N", "sum over all contacts"},
            {"friction_force", "N", "sum over all contacts"},
            {"drilling_torque", "N m", "about the normal, sum over all contacts"},
            {"sliding_speed", "m/s", "where it is deepest"},
            {"u_first", "", "where it is deepest: coordinates on the first surface"},
            {"v_first", "", "the same"},
            {"u_second", "", "and on the second"},
            {"v_second", "", "the same"},
            {"convexity", "", "curvature of the gap there times R; tracking ends at 0"},
            {"elastic_energy", "J", "stored in all springs of the contact"},
            {"power", "W", "that goes into the contact"},
            {"dissipated_power", "W", "power that is lost"},
            {"dissipated_energy", "J", "lost since the start"},
            {"off_ground", "", "contacts without ground: beyond a border, or over a gap of a map"}};
  }

  void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
              ContactReport& out) const override {
    const Situation now = situation(in, remembered(memory), pair_.margin);
    const std::span<double> rates = scratch.take<double>(state_count());
    out.patch.clear();
    const Answer answer = answer_of(in, now, rates, &out.patch);
    const SlottedContact* nearest = nullptr;
    double off_ground = 0.0;
    for (const SlottedContact& contact : now.contacts) {
      if (!is_on_ground(contact.at))
        off_ground += 1.0;
      else if (!nearest || contact.at.gap < nearest->at.gap)
        nearest = &contact;
    }
    const double power = -(in.bodies[kFirst].V_WB.v.dot(answer.on_first.force) +
                           in.bodies[kFirst].V_WB.w.dot(answer.on_first.torque) +
                           in.bodies[kSecond].V_WB.v.dot(answer.on_second.force) +
                           in.bodies[kSecond].V_WB.w.dot(answer.on_second.torque));
    SurfaceCoordinates x1, x2;
    double convexity = 1.0;
    if (nearest) {
      x1 = nearest->at.x1;
      x2 = with_second(nearest->at, now.X_12).x2;
      if (pair_.swapped) std::swap(x1, x2);
      convexity = gap_curvatures(nearest->at)[0] * pair_.radius;
    }
    out.channels = {answer.depth,
                    nearest ? std::min(nearest->at.gap, pair_.margin) : pair_.margin,
                    answer.touching,
                    answer.normal,
                    answer.friction,
                    answer.drilling,
                    answer.sliding,
                    x1.u,
                    x1.v,
                    x2.u,
                    x2.v,
                    convexity,
                    answer.stored,
                    power,
                    answer.dissipated,
                    in.states.back() * energy_scale_,
                    off_ground};
  }

  std::size_t warning_count() const override { return std::size(kCounts); }
  bool warns(const ContactMemory& memory, std::size_t warning) const override {
    return remembered(memory).counts.*kCounts[warning] > 0;
  }
  std::string warning(const ContactMemory& memory, std::size_t warning) const override {
    const std::string what[] = {
        "a contact lay beyond the border of a surface, where there is no force",
        "a contact lay over a gap of the map, where there is no force",
        std::string("the bodies fitted each other so closely that contact points were searched ") +
            "for, not tracked",
        "a contact that carried a force could not be followed and was searched for",
        "there were more contacts than contact.contacts (" + std::to_string(pair_.slots) +
            ") allows; those left out had no force"};
    static_assert(std::size(what) == std::size(kCounts));
    const std::uint64_t steps = remembered(memory).counts.*kCounts[warning];
    return "in " + std::to_string(steps) + (steps == 1 ? " step " : " steps ") + what[warning];
  }

 private:
  using Memory = PlainMemory<SmoothMemory>;
  static constexpr std::size_t kFrictionStates = 4;  // stretch in B of the first body, and twist
  /// What there are warnings of.
  static constexpr std::uint64_t SmoothCounts::*kCounts[] = {
      &SmoothCounts::beyond, &SmoothCounts::no_data, &SmoothCounts::too_flat, &SmoothCounts::lost,
      &SmoothCounts::left_out};

  /// Sums of an evaluation.
  struct Answer {
    Wrench on_first, on_second;
    double depth = 0.0, touching = 0.0;
    double normal = 0.0, friction = 0.0, drilling = 0.0, sliding = 0.0;
    double stored = 0.0, dissipated = 0.0;
  };

  /// "contact_1/", "contact_2/": places that contacts come to and leave.
  static std::string slot_name(int slot) { return "contact_" + std::to_string(slot + 1) + "/"; }

  static const SmoothMemory& remembered(const ContactMemory& memory) {
    GROUSER_ASSERT(dynamic_cast<const Memory*>(&memory));
    return static_cast<const Memory&>(memory).value;
  }
  /// Whether friction has states.
  bool has_stretch() const {
    return pair_.friction.law == FrictionLaw::spring_slider && pair_.friction.acts();
  }
  static bool is_on_ground(const ClosestPoints& c) {
    return c.status1 == SurfaceStatus::ok && c.status2 == SurfaceStatus::ok;
  }
  bool is_too_flat(const ClosestPoints& c) const {
    return !(gap_curvatures(c)[0] * pair_.radius > kTooFlat);
  }

  template <class T>
  std::span<T> slot_states(std::span<T> states, int slot) const {
    GROUSER_ASSERT(slot >= 0 && slot < pair_.slots && states.size() == state_count());
    return states.subspan(per_slot_ * static_cast<std::size_t>(slot), per_slot_);
  }
  template <class T>
  std::span<T> coordinate_states(std::span<T> states, int slot) const {
    return slot_states(states, slot).subspan(has_stretch() ? kFrictionStates : 0);
  }

  /// A ball on a map is found without coordinates on the ball.
  ClosestPoints with_second(const ClosestPoints& c, const Pose& X_12) const {
    if (!search_.leaves_second()) return c;
    ClosestPoints out = c;
    out.x2 = search_.second().foot(X_12.R.transpose() * (c.p2 - X_12.p)).at;
    return out;
  }

  /// Where integrated coordinates say a contact is; none if points cannot be tracked like that.
  std::optional<ClosestPoints> integrated(const Pose& X_12, const SmoothSlot& slot,
                                          std::span<const double> states) const {
    Vec3 one, two;
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      one[i] = slot.base1[k] + states[k];
      two[i] = slot.base2[k] + states[3 + k];
    }
    const ClosestPoints c =
        pair_at(search_.first(), search_.second(), X_12, search_.first().coordinates(one),
                search_.second().coordinates(two));
    // Far from a solution the equations of motion do not hold.
    const double drift = (c.p2 - c.p1 - c.gap * c.n).norm();
    if (!(drift < 0.01 * pair_.radius) || is_too_flat(c)) return std::nullopt;
    return c;
  }

  /// All contacts: those in memory, followed, and new ones with gaps below `margin`.
  Situation situation(const ContactInput& in, const SmoothMemory& memory, double margin) const {
    Situation out;
    out.X_W1 = in.bodies[kFirst].X_WB * pair_.X_B1;
    out.X_12 = out.X_W1.inverse() * (in.bodies[kSecond].X_WB * pair_.X_B2);
    FoundContacts found;
    InlineList<bool, FoundContacts::kMost> is_new;
    const auto slots = static_cast<std::size_t>(pair_.slots);
    bool is_taken[kMostSmoothContacts] = {};
    for (std::size_t s = 0; s < slots; ++s) {
      const SmoothSlot& slot = memory.slots[s];
      if (!slot.active) continue;
      std::optional<ClosestPoints> at;
      if (pair_.integrated)
        at = integrated(out.X_12, slot, coordinate_states(in.states, static_cast<int>(s)));
      const bool searched = !at;
      if (!at)
        at = search_.follow(out.X_12,
                            {{slot.u1, slot.v1, slot.chart1}, {slot.u2, slot.v2, slot.chart2}});
      if (!at || !search_.add(*at, static_cast<int>(s), found)) continue;
      is_taken[s] = true;
      is_new.add(searched);
    }
    search_.search(out.X_12, margin, found);
    GROUSER_ASSERT(is_new.size() <= found.all.size());
    out.left_out = found.left_out;

    std::size_t next = 0;
    for (std::size_t i = 0; i < found.all.size(); ++i) {
      FoundContact& contact = found.all[i];
      const bool fresh = contact.known < 0 || is_new[i];
      if (contact.known < 0) {
        while (next < slots && is_taken[next]) ++next;
        if (next == slots) {
          ++out.left_out;
          continue;
        }
        contact.known = static_cast<int>(next++);
      }
      const bool complete = pair_.integrated && fresh;
      GROUSER_ASSERT(!out.contacts.full());
      out.contacts.add(
          {complete ? with_second(contact.at, out.X_12) : contact.at, contact.known, fresh});
    }
    return out;
  }

  void count(const Situation& now, SmoothMemory& kept) const {
    SmoothCounts& counts = kept.counts;
    bool beyond = false, no_data = false, lost = false;
    const ClosestPoints* deepest = nullptr;
    bool is_there[kMostSmoothContacts] = {};
    for (const SlottedContact& contact : now.contacts) {
      is_there[contact.slot] = true;
      if (contact.at.gap >= 0.0) continue;
      if (!deepest || contact.at.gap < deepest->gap) deepest = &contact.at;
      for (const SurfaceStatus status : {contact.at.status1, contact.at.status2}) {
        beyond |= status == SurfaceStatus::beyond;
        no_data |= status == SurfaceStatus::no_data;
      }
    }
    // One of several may become flat and vanish in another; the last one may not.
    for (std::size_t s = 0; s < kept.slots.size(); ++s)
      lost |= kept.slots[s].touching != 0 && !is_there[s] && !deepest;
    counts.beyond += beyond;
    counts.no_data += no_data;
    counts.too_flat += deepest && is_too_flat(*deepest);
    counts.lost += lost;
    counts.left_out += now.left_out > 0;
  }

  /// How the contact moves over both surfaces; none where the bodies fit each other.
  static std::optional<ContactRates> rates_of(const ContactInput& in, const Situation& now,
                                              const ClosestPoints& c) {
    const BodyKinematics &one = in.bodies[kFirst], &two = in.bodies[kSecond];
    const Vec3 p2_W = now.X_W1 * c.p2;
    const Vec3 velocity_W = two.V_WB.at(p2_W - two.X_WB.p) - one.V_WB.at(p2_W - one.X_WB.p);
    const Mat3 R_1W = now.X_W1.R.transpose();
    return contact_rates(c, R_1W * velocity_W, R_1W * (two.V_WB.w - one.V_WB.w));
  }

  PlaceForce force_at(const ContactInput& in, const Situation& now, const ClosestPoints& c) const {
    PlaceForce out;
    out.turn_W = Vec3::Zero();
    out.depth = -c.gap;
    out.p_W = now.X_W1 * Vec3(0.5 * (c.p1 + c.p2));
    out.n_W = now.X_W1.R * c.n;
    const BodyKinematics &one = in.bodies[kFirst], &two = in.bodies[kSecond];
    out.velocity_W = two.V_WB.at(out.p_W - two.X_WB.p) - one.V_WB.at(out.p_W - one.X_WB.p);
    out.depth_rate = -out.n_W.dot(out.velocity_W);
    if (out.depth <= 0.0 || !is_on_ground(c)) return out;
    const PenaltyParts law = penalty_parts(pair_.normal, out.depth);
    out.spring = law.spring;
    out.force = law.force(out.depth_rate);
    return out;
  }

  static void add(const ContactInput& in, const Vec3& p_W, const Vec3& force_W, Answer& out) {
    out.on_second.add_force_at(p_W - in.bodies[kSecond].X_WB.p, force_W);
    out.on_first.add_force_at(p_W - in.bodies[kFirst].X_WB.p, -force_W);
  }

  /// Forces, energies and rates of states; elements of the patch, if they are asked for.
  Answer answer_of(const ContactInput& in, const Situation& now, std::span<double> rates,
                   std::vector<PatchElement>* patch = nullptr) const {
    Answer out;
    rest_rates(in, now, rates, out);
    const std::size_t count = now.contacts.size();
    PlaceForce forces[kMostSmoothContacts];
    double carried[kMostSmoothContacts];  // what friction counts of a normal force
    double weight[kMostSmoothContacts];
    InlineList<Deep, kMostSmoothContacts> deep;
    for (std::size_t i = 0; i < count; ++i) {
      forces[i] = force_at(in, now, now.contacts[i].at);
      carried[i] = forces[i].force;
      weight[i] = 1.0;
      if (forces[i].spring > 0.0) deep.add({&now.contacts[i].at, forces[i].depth, i});
    }
    // Contacts that have grown together: what both have counts once.
    if (deep.size() > 1)
      for (const Saddle& saddle :
           find_saddles(search_, now.X_12, {deep.begin(), deep.size()}, pair_.radius)) {
        const PlaceForce common = force_at(in, now, saddle.at);
        const double force = saddle.weight * common.force;
        add(in, common.p_W, -force * common.n_W, out);
        weight[saddle.vanishing] = saddle.weight;
        carried[saddle.vanishing] -= saddle.share * common.force;
        carried[saddle.staying] -= (1.0 - saddle.share) * force;
        out.normal -= force;
        out.stored -= saddle.weight * penalty_energy(pair_.normal, common.depth);
        out.dissipated -= saddle.weight * (common.force - common.spring) * common.depth_rate;
      }
    for (std::size_t i = 0; i < count; ++i) {
      const PlaceForce& f = forces[i];
      const int slot = now.contacts[i].slot;
      Vec3 force_W = weight[i] * f.force * f.n_W;
      if (f.spring > 0.0) {
        out.normal += weight[i] * f.force;
        out.touching += 1.0;
        out.stored += weight[i] * penalty_energy(pair_.normal, f.depth);
        out.dissipated += weight[i] * (f.force - f.spring) * f.depth_rate;
      }
      const Vec3 across_W = f.velocity_W + f.depth_rate * f.n_W;
      const double pressing = weight[i] * std::max(0.0, carried[i]);
      if (has_stretch()) {
        const ClosestPoints& c = now.contacts[i].at;
        if (const auto moved = rates_of(in, now, c)) {
          const Vec2 turn = c.K1 * moved->t1;
          forces[i].turn_W = now.X_W1.R * Vec3(turn.x() * c.e1 + turn.y() * c.e2);
        }
        force_W += add_friction(in, f, across_W, pressing, slot_states(in.states, slot),
                                slot_states(rates, slot), out);
      } else if (pressing > 0.0 && pair_.friction.acts()) {
        force_W += add_friction_of_speed(in, f, across_W, pressing, out);
      }
      if (f.depth > out.depth && f.spring > 0.0) {
        out.depth = f.depth;
        out.sliding = across_W.norm();
      }
      if (f.spring > 0.0) {
        add(in, f.p_W, force_W, out);
        if (patch) patch->push_back({f.p_W, force_W, f.depth, 0.0, slot});
      }
      if (pair_.integrated) coordinate_rates(in, now, now.contacts[i], rates);
    }
    rates.back() = out.dissipated / energy_scale_;
    return out;
  }

  /// Springs of places without a contact relax; coordinates of nothing stay.
  void rest_rates(const ContactInput& in, const Situation& now, std::span<double> rates,
                  Answer& out) const {
    std::fill(rates.begin(), rates.end(), 0.0);
    if (!has_stretch()) return;
    bool is_used[kMostSmoothContacts] = {};
    for (const SlottedContact& contact : now.contacts) is_used[contact.slot] = true;
    for (int slot = 0; slot < pair_.slots; ++slot) {
      if (is_used[slot]) continue;
      PlaceForce nothing;
      nothing.p_W = nothing.n_W = nothing.turn_W = nothing.velocity_W = Vec3::Zero();
      add_friction(in, nothing, Vec3::Zero(), 0.0, slot_states(in.states, slot),
                   slot_states(rates, slot), out);
    }
  }

  /// The force on the second body across the normal, by a law of the sliding speed; adds the torque
  /// about it. Sliding and spinning share what friction there is, a turn counting as what it slides
  /// at the radius of the torque.
  Vec3 add_friction_of_speed(const ContactInput& in, const PlaceForce& f, const Vec3& across_W,
                             double carried, Answer& out) const {
    const double radius = pair_.drilling_limit * std::sqrt(f.depth);
    const double spin = f.n_W.dot(in.bodies[kSecond].V_WB.w - in.bodies[kFirst].V_WB.w);
    const double sliding = across_W.norm(), speed = std::hypot(sliding, radius * spin);
    const double per_speed = friction_per_speed(pair_.friction, carried, speed);
    const double torque = per_speed * radius * radius * spin;
    out.dissipated += per_speed * speed * speed;
    out.drilling += torque;
    out.on_second.torque -= torque * f.n_W;
    out.on_first.torque += torque * f.n_W;
    out.friction += per_speed * sliding;
    return -per_speed * across_W;
  }

  /// The same by springs with sliders.
  Vec3 add_friction(const ContactInput& in, const PlaceForce& f, const Vec3& across_W,
                    double carried, std::span<const double> states, std::span<double> rates,
                    Answer& out) const {
    GROUSER_ASSERT(!(carried < 0.0) && states.size() >= kFrictionStates &&
                   rates.size() == states.size());
    const Mat3& R_WB = in.bodies[kFirst].X_WB.R;
    const Vec3 stretch_W = R_WB * Vec3(states[0], states[1], states[2]);
    const double off_plane = f.n_W.dot(stretch_W);
    const Vec3 in_plane_W = stretch_W - off_plane * f.n_W;
    const double limit = pair_.friction.sliding * carried;
    const double twist = states[3] / pair_.radius;
    const double spin = f.n_W.dot(in.bodies[kSecond].V_WB.w - in.bodies[kFirst].V_WB.w);
    const auto sliding = spring_slider(pair_.sliding, in_plane_W, across_W, limit);
    const double torque_limit =
        limit > 0.0 ? limit * pair_.drilling_limit * std::sqrt(f.depth) : 0.0;
    const bool drills = pair_.drilling.stiffness > 0.0;
    const auto drilling = drills ? spring_slider(pair_.drilling, twist, spin, torque_limit)
                                 : SliderAnswer<double>{0.0, 0.0, 0.0};

    // Seen from the first body, the middle between both turns with half the spin.
    const Vec3 rate_W =
        sliding.rate + 0.5 * spin * f.n_W.cross(in_plane_W) - kBackToPlane * off_plane * f.n_W;
    const Vec3 rate_B = R_WB.transpose() * rate_W;
    for (std::size_t i = 0; i < 3; ++i) rates[i] = rate_B[static_cast<Eigen::Index>(i)];
    rates[3] = drilling.rate * pair_.radius;

    // What is off the plane is not stretched; as the plane turns, part of the stretch goes there.
    out.stored += spring_slider_energy(pair_.sliding, in_plane_W);
    out.dissipated +=
        sliding.dissipated + pair_.sliding.stiffness * off_plane * f.turn_W.dot(in_plane_W);
    if (drills) {
      out.stored += spring_slider_energy(pair_.drilling, twist);
      out.dissipated += drilling.dissipated;
      out.drilling += drilling.force;
      out.on_second.torque -= drilling.force * f.n_W;
      out.on_first.torque += drilling.force * f.n_W;
    }
    out.friction += sliding.force.norm();
    return -sliding.force;
  }

  /// How integrated coordinates change: as the contact moves, and back from drift.
  void coordinate_rates(const ContactInput& in, const Situation& now, const SlottedContact& contact,
                        std::span<double> rates) const {
    const ClosestPoints& c = contact.at;
    const auto moved = rates_of(in, now, c);
    const auto drift = newton_step(search_.first(), search_.second(), now.X_12, c.x1, c.x2);
    if (!moved || !drift) return;  // too flat: found anew at the next step
    const std::span<double> out = coordinate_states(rates, contact.slot);
    const GaussFrame on_first{c.p1, c.e1, c.e2, c.n, c.B1, c.K1};
    const Mat3 R_21 = now.X_12.R.transpose();
    const GaussFrame on_second{
        R_21 * (c.p2 - now.X_12.p), R_21 * c.e1, R_21 * c.e2, -(R_21 * c.n), c.B2, c.K2};
    const Vec3 rate1 =
        search_.first().numbers_step(on_first, moved->t1 + pair_.drift_rate * drift->t1);
    const Vec3 rate2 =
        search_.second().numbers_step(on_second, moved->t2 + pair_.drift_rate * drift->t2);
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = rate1[static_cast<Eigen::Index>(i)];
      out[3 + i] = rate2[static_cast<Eigen::Index>(i)];
    }
  }

  SmoothPair pair_;
  ContactSearch search_;
  std::size_t per_slot_ = 0;
  double energy_scale_ = 1.0;  // [J] of one unit of the state
};

std::vector<ReportChannel> SmoothContact::state_channels() const {
  std::vector<ReportChannel> out;
  for (int slot = 0; slot < pair_.slots; ++slot) {
    const std::string name = slot_name(slot);
    if (has_stretch()) {
      for (const char* axis : {"x", "y", "z"})
        out.push_back({name + "stretch_" + axis, "m",
                       std::string("of the spring of friction, along ") + axis +
                           " of the body that is stood on"});
      out.push_back({name + "twist", "m", "of the spring against drilling, angle times R"});
    }
    if (!pair_.integrated) continue;
    for (const char* surface : {"first", "second"})
      for (const char* number : {"1", "2", "3"})
        out.push_back({name + surface + "_" + number, "",
                       "way of the contact over the " + std::string(surface) +
                           " surface since it was found, in coordinates of the surface"});
  }
  out.push_back({"dissipated_energy", "",
                 "lost since the start, in units of " + to_text(energy_scale_, 6) + " J"});
  return out;
}

}  // namespace

std::unique_ptr<ContactModel> make_smooth_contact(SmoothPair pair, ContactSearch search) {
  return std::make_unique<SmoothContact>(std::move(pair), std::move(search));
}

}  // namespace grouser
