// The contract between contact models and everything that uses them.
//
// A contact model is immutable parameters plus a few functions of (kinematics, states, memory):
//
//   evaluate  what force acts now? Pure: an integrator asks at states it will throw away.
//   commit    this step was accepted: remember. The only writer of memory, and silent: the force at
//             the accepted state is the same before and after.
//   update    a clock of the model's own has struck (soil): forces may change slope, not value.
//
// The force depends on where the bodies are and move relative to each other, not on where all of
// them are together (rigid-motion symmetry), and the wrenches on all ports cancel (Newton's third
// law). tests/run/contract_test.cpp proves all this for every row of the registry.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/base/parallel.h"
#include "grouser/base/scratch.h"
#include "grouser/base/status.h"
#include "grouser/map/elevation_map.h"
#include "grouser/math/spatial.h"

namespace grouser {

/// Everything a model may ask about the outside. `bodies[i]` belongs to port i of the model.
struct ContactInput {
  double time = 0.0;  ///< since the start of the world [s]
  std::span<const BodyKinematics> bodies;
  std::span<const double> states;
  /// How long the answer will be held [s], by a host whose steps have a fixed length and are
  /// explicit in contact; 0: the host takes care itself. A model may be no stiffer then than
  /// bodies of these mobilities can bear.
  double step = 0.0;
  std::span<const BodyMobility> mobilities = {};  ///< by port; empty: unknown
};

/// Everything a model answers. `wrenches[i]` acts on port i, about its body's origin, in W. The
/// caller zeroes nothing: the model writes every entry.
struct ContactOutput {
  std::span<Wrench> wrenches;
  std::span<double> state_derivatives;
  double penetration = 0.0;  ///< greatest depth found [m], 0 when apart
  double softening = 1.0;    ///< greatest factor by which ContactInput::step made it softer
};

/// What a model remembers between accepted steps.
class ContactMemory {
 public:
  virtual ~ContactMemory() = default;
  virtual std::unique_ptr<ContactMemory> clone() const = 0;
  /// Appends the memory, bit for bit.
  virtual void save(std::vector<std::byte>& out) const = 0;
  /// Reads back what save() wrote at the start of `in`, returns the number of bytes used. Throws
  /// InputError if `in` is too short.
  virtual std::size_t restore(std::span<const std::byte> in) = 0;
};

/// One contact element of a patch: for pictures and statistics.
struct PatchElement {
  Vec3 p_WC = Vec3::Zero();     ///< where the force acts
  Vec3 force_W = Vec3::Zero();  ///< on port 0 [N]
  double penetration = 0.0;     ///< [m]
  double area = 0.0;            ///< [m^2], 0 for a point contact
  int index = 0;                ///< of the base triangle, grid node, ...
};

/// What a number of a model is, for hosts and recordings: one that it reports besides force and
/// torque, one of its states, one of its event functions.
struct ReportChannel {
  std::string name;  ///< no two of a list are alike
  std::string unit;  ///< empty: it has none
  std::string meaning;
};

struct ContactReport {
  std::vector<double> channels;  ///< in the order of report_channels()
  std::vector<PatchElement> patch;
};

/// A grid of heights that recorders and viewers show: node (ix, iy) at origin + spacing (ix, iy).
struct GroundArea {
  std::string name;
  Vec2 origin = Vec2::Zero();  ///< in the world [m]
  double spacing = 0.0;        ///< [m]
  std::size_t nx = 0, ny = 0;
  bool changes = true;  ///< false: only shown; another contact may change the same ground
};

/// Ground as maps, in the frame of the ground: what is there, and from where sinkage counts.
struct GroundMaps {
  std::string name;
  ElevationGrid heights, reference;
};

/// Threads that share the work of an update, each with memory of its own.
struct Workers {
  WorkerPool& pool;
  std::span<Scratch> scratch;
  /// What evaluate_part() left in scratch for the very situation of the update, by part; empty if
  /// the last evaluation was of another one. A commit may have come in between.
  std::span<const void* const> parts = {};
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;

  /// Bodies this model connects, by name, one per port. At least two; "world" may be one of them.
  virtual std::vector<std::string> body_names() const = 0;

  /// Continuous states the host integrates, and how far from zero they typically are (for error
  /// control).
  virtual std::size_t state_count() const { return 0; }
  /// What they are, one by one.
  virtual std::vector<ReportChannel> state_channels() const { return {}; }
  virtual double state_scale() const { return 1.0; }

  virtual std::unique_ptr<ContactMemory> make_memory() const = 0;

  virtual Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                          ContactOutput& out) const = 0;
  virtual void commit(const ContactInput& in, ContactMemory& memory, Scratch& scratch) const = 0;
  /// False: commit() has nothing to remember, and need not be called.
  virtual bool commits() const { return true; }

  // An evaluation that takes long may fall into parts that can run at the same time. All parts and
  // then gather_parts() give what evaluate() gives, to the last bit.

  virtual std::size_t part_count() const { return 1; }
  /// Something in scratch that gather_parts() understands. Every part has a scratch of its own.
  virtual const void* evaluate_part(const ContactInput&, const ContactMemory&, std::size_t /*part*/,
                                    Scratch&) const {
    return nullptr;
  }
  virtual Status gather_parts(const ContactInput& in, const ContactMemory& memory,
                              std::span<const void* const> /*parts*/, Scratch& scratch,
                              ContactOutput& out) const {
    return evaluate(in, memory, scratch, out);
  }

  // For difference quotients a model may find out once what does not change under perturbations of
  // 1e-8 (which elements touch) and use it for all of them.

  /// Something in scratch that evaluate_perturbed() understands; null if there is nothing to save.
  virtual const void* prepare_perturbations(const ContactInput&, const ContactMemory&,
                                            Scratch&) const {
    return nullptr;
  }
  /// Like evaluate(), for a situation close to the prepared one.
  virtual Status evaluate_perturbed(const ContactInput& in, const ContactMemory& memory,
                                    const void* /*prepared*/, Scratch& scratch,
                                    ContactOutput& out) const {
    return evaluate(in, memory, scratch, out);
  }

  /// Derivatives by formula, for models of two bodies without states: out is how the torques and
  /// forces of both ports (rows as in ContactOutput) change when the body of port 1 is turned about
  /// its origin, shifted, or gets another w or v (columns, in W). False: differences are taken.
  virtual bool linearize(const ContactInput&, const ContactMemory&, Scratch&,
                         Eigen::Ref<Eigen::Matrix<double, 12, 12>>) const {
    return false;
  }

  /// Time of the next update; infinity if the model has no clock. Times count from the start of the
  /// world.
  virtual double next_update(const ContactMemory&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Of the clock, if there is one [s].
  virtual double update_period() const { return std::numeric_limits<double>::infinity(); }
  virtual void update(const ContactInput&, ContactMemory&, Workers) const {}

  /// Functions whose sign changes are worth locating (first touch, stick/slip).
  virtual std::size_t event_count() const { return 0; }
  virtual std::vector<ReportChannel> event_channels() const { return {}; }
  virtual void event_functions(const ContactInput&, const ContactMemory&, Scratch&,
                               std::span<double>) const {}

  virtual std::vector<ReportChannel> report_channels() const { return {}; }
  virtual void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                      ContactReport& out) const = 0;

  /// What a user should know about how the model was built, one sentence each.
  virtual std::vector<std::string> notes() const { return {}; }

  // What a user should know about how the run went.

  /// How many things there are that the model may warn of.
  virtual std::size_t warning_count() const { return 0; }
  /// Whether it does; asked for at every step, so no text is made.
  virtual bool warns(const ContactMemory&, std::size_t /*warning*/) const { return false; }
  /// One sentence about something of which warns() is true.
  virtual std::string warning(const ContactMemory&, std::size_t /*warning*/) const { return {}; }

  /// Why a run cannot start like this; empty if it can.
  virtual std::string refuse_start(const ContactInput&, const ContactMemory&, Scratch&) const {
    return {};
  }

  /// The most that the contact can give back of what bodies have put into it [J]; infinity: not
  /// known.
  virtual double stored_energy(const ContactInput&, const ContactMemory&, Scratch&) const {
    return std::numeric_limits<double>::infinity();
  }

  // Ground, if the model has some.

  /// The area to show, given where the bodies are at the start.
  virtual std::optional<GroundArea> ground_area(const ContactInput&) const { return std::nullopt; }
  /// Sets the heights of an area, node by node, where they have changed since `stamp`; returns the
  /// stamp of now. With stamp 0 it sets all of them.
  virtual std::uint64_t ground_heights(const ContactMemory&, const GroundArea&,
                                       std::uint64_t /*stamp*/, std::span<double>) const {
    return 0;
  }

  /// All ground that was touched, or all of a map; a ground that starts from these maps is the
  /// same.
  virtual std::optional<GroundMaps> ground_maps(const ContactMemory&) const { return std::nullopt; }

  /// Depth [m] beyond which the model is no longer valid; infinity if there is none. The host
  /// warns when 90 % of it are reached.
  virtual double max_penetration() const { return std::numeric_limits<double>::infinity(); }
};

/// Memory made of one trivially copyable struct.
template <class T>
class PlainMemory final : public ContactMemory {
 public:
  T value{};

  std::unique_ptr<ContactMemory> clone() const override {
    return std::make_unique<PlainMemory>(*this);
  }
  void save(std::vector<std::byte>& out) const override {
    if constexpr (!std::is_empty_v<T>) {
      const std::size_t start = out.size();
      out.resize(start + sizeof(T));
      std::memcpy(out.data() + start, &value, sizeof(T));
    }
  }
  std::size_t restore(std::span<const std::byte> in) override {
    if constexpr (std::is_empty_v<T>) return 0;
    if (in.size() < sizeof(T)) throw InputError("saved contact memory is too short");
    std::memcpy(&value, in.data(), sizeof(T));
    return sizeof(T);
  }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
};

/// For models that remember nothing.
struct NoMemory {};

}  // namespace grouser
