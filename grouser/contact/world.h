// The hub: named bodies as ports, contact models between them.
//
//   ContactWorld world(def);                 from definition structs or a scene
//   const int ball = world.body("ball");
//   world.set_body(ball, kinematics);        pose and twist in
//   world.evaluate(t);                       as often as you like
//   world.wrench(ball);                      wrench out
//   world.commit(t);                         once per accepted step
//   world.update(t);                         when world.next_update() has come
//
// A world is data beside the models it asks: copies share the models, and what they remember until
// one of them changes it. Copies may work in different threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/message.h"
#include "grouser/base/parallel.h"
#include "grouser/contact/model_set.h"

namespace grouser {

/// How the wrenches of one contact answer to small changes of what they depend on.
///
/// Rows: for each port torque about its body's origin and force (6 numbers), then the state
/// derivatives. Columns: for each port a turn of the body (rotation vector, in W), a shift of its
/// origin, a change of w and of v (12 numbers), then the states.
struct ContactLinearization {
  MatX matrix;
};

/// A moment of a world to go back to. It shares what the world remembers until one of them changes
/// it.
struct WorldSnapshot {
  std::shared_ptr<const ContactModelSet> models;
  std::vector<BodyKinematics> kinematics;
  std::vector<double> states;
  struct Contact {
    CopyOnWrite<ContactMemory> memory;
    double greatest_penetration = 0.0, greatest_softening = 1.0;
  };
  std::vector<Contact> contacts;
  std::array<std::uint64_t, 3> status_counts{};
  std::optional<double> start_time;
};

class ContactWorld {
 public:
  /// Builds the models, and a world with as many threads as the definition says.
  explicit ContactWorld(const ContactWorldDef& def);
  /// A world of models that are there already, before anything has happened.
  explicit ContactWorld(std::shared_ptr<const ContactModelSet> models, int threads = 1);
  ~ContactWorld();
  /// The copy goes on as the other one would, to the bit, with one thread of its own.
  ContactWorld(const ContactWorld& other);
  ContactWorld& operator=(const ContactWorld& other);
  ContactWorld(ContactWorld&&) noexcept;
  ContactWorld& operator=(ContactWorld&&) noexcept;

  const std::shared_ptr<const ContactModelSet>& models() const { return models_; }

  WorldSnapshot snapshot() const;
  /// Goes back; the next thing to ask for is evaluate(). Throws InputError if the snapshot is one
  /// of other models.
  void rewind(const WorldSnapshot& snapshot);
  /// Back to where nothing has happened.
  void reset();

  // Ports. Body 0 is "world"; it rests at the origin unless a host moves it.
  std::span<const std::string> bodies() const { return models_->bodies(); }
  /// Throws InputError with the nearest name if no contact has such a body.
  int body(const std::string& name) const { return models_->body(name); }
  void set_body(int body, const BodyKinematics& kinematics) {
    GROUSER_ASSERT(index(body) < kinematics_.size());
    kinematics_[index(body)] = kinematics;
  }
  const BodyKinematics& kinematics(int body) const { return kinematics_[index(body)]; }
  /// For hosts that hold forces over steps of a fixed length [s]: with it and with the mobilities
  /// of the bodies, contacts are no stiffer than such steps can bear. 0, the default: they are what
  /// they are.
  void set_step(double step) { step_ = step; }
  void set_mobility(int body, const BodyMobility& mobility);

  /// What bodies, states, event functions and reports are called and mean.
  std::vector<ReportChannel> body_channels() const { return models_->body_channels(); }
  std::vector<ReportChannel> state_channels() const { return models_->state_channels(); }
  std::vector<ReportChannel> event_channels() const { return models_->event_channels(); }
  std::vector<ReportChannel> report_channels() const { return models_->report_channels(); }

  // Continuous states of all contacts, one after the other.
  std::size_t state_count() const { return states_.size(); }
  std::span<double> states() { return states_; }
  std::span<const double> states() const { return states_; }
  std::span<const double> state_derivatives() const { return state_derivatives_; }
  /// Typical size of each state.
  std::vector<double> state_scales() const { return models_->state_scales(); }

  /// Wrenches and state derivatives at the kinematics and states set before. Reads memory only.
  Status evaluate(double time);
  /// Sum over contacts of the wrench on a body, about its origin, in W.
  const Wrench& wrench(int body) const {
    GROUSER_ASSERT(index(body) < wrenches_.size());
    return wrenches_[index(body)];
  }

  /// The step to (time, kinematics, states) was accepted: the models remember.
  void commit(double time);
  /// Earliest time at which a model wants to be updated; infinity if none does.
  double next_update() const;
  /// Updates the models whose time has come: also those of which it will come within 1e-9 of their
  /// period, or within the rounding of `time`.
  void update(double time);
  /// Clocks of models run from the time of the first question, or from here.
  void start(double time) { start_time_ = time; }

  /// The most that all contacts together can give back, with the kinematics set [J]; infinity: not
  /// known.
  double stored_energy(double time);
  /// Why a run cannot start from the kinematics set, with the contact's name; empty if it can.
  std::string refuse_start(double time);
  /// What a user should know about how the run went, one sentence each.
  std::vector<std::string> warnings() const;

  /// Tells the notes of all models at once, and from now on, at the end of commit() and update(),
  /// what has become worth telling: that a contact answered `shorten_step` or `impossible`, that it
  /// came to 90 % of its greatest penetration, and warnings(). Each of it once, until reset() or
  /// another handler. An empty handler ends it; copies start without one. It is called in the
  /// thread of the caller, and may ask this world, or give it another handler.
  void set_message_handler(MessageHandler handler);

  std::size_t event_count() const { return models_->event_count(); }
  void event_functions(double time, std::span<double> out);

  /// Answers of every contact to small changes, by forward differences: all contacts together in
  /// 12 (perturbed) evaluations per moved port plus one per state, not one per state of the host.
  /// The first port of a contact follows from rigid-motion symmetry. Needs a preceding evaluate();
  /// leaves its results in place.
  void linearize(double time);
  const ContactLinearization& linearization(std::size_t contact) const {
    GROUSER_ASSERT(contact < linearizations_.size());
    return linearizations_[contact];
  }

  // Contacts one by one.
  std::size_t contact_count() const { return linearizations_.size(); }
  const std::string& contact_name(std::size_t contact) const;
  const std::string& contact_model_name(std::size_t contact) const;
  const ContactModel& contact(std::size_t contact) const;
  /// Bodies at the contact's ports.
  std::span<const int> ports(std::size_t contact) const;
  std::span<const Wrench> port_wrenches(std::size_t contact) const;
  std::size_t first_state(std::size_t contact) const;
  /// By how much a fixed step has made it softer, at most; 1: not at all.
  double greatest_softening(std::size_t contact) const;
  /// Greatest penetration in the evaluations before a commit so far [m].
  double greatest_penetration(std::size_t contact) const;
  void report(double time, std::size_t contact, ContactReport& out);

  /// Ground that changes, see ContactModel; the area is that of the kinematics set.
  std::optional<GroundArea> ground_area(std::size_t contact);
  std::uint64_t ground_heights(std::size_t contact, const GroundArea& area, std::uint64_t stamp,
                               std::span<double> heights) const;
  const ContactMemory& memory(std::size_t contact) const;

  const ShapeTable& shapes() const { return models_->shapes(); }

  /// All memory and states, bit for bit, for any world of the same definition, also in another
  /// process. restore() throws InputError with the reason if `saved` is of another definition or
  /// format, cut or damaged, and then leaves the world as it is. Poses and twists are the host's.
  std::vector<std::byte> save() const;
  void restore(std::span<const std::byte> saved);

  /// How often evaluations answered each status.
  const std::array<std::uint64_t, 3>& status_counts() const { return status_counts_; }

 private:
  struct Contact;
  struct Teller;
  Status noted(Status worst, double time);
  void tell(double time);
  void forget_told();
  static std::size_t index(int body) { return static_cast<std::size_t>(body); }
  ContactInput input(const Contact& contact, double time) const;
  double time_rounding(double time) const;
  double clock_tolerance(const Contact& contact, double time) const;
  double unrounded(double time) const;
  Status evaluate_contact(Contact& contact, double time, Scratch& scratch);
  void evaluate_part(Contact& contact, std::size_t part, double time);
  void gather_parts(Contact& contact, double time, Scratch& scratch);
  void evaluate_in_parallel(double time);
  void load_ports(Contact& contact) const;
  void derive_first_port(std::size_t contact);

  std::shared_ptr<const ContactModelSet> models_;
  std::vector<BodyKinematics> kinematics_;
  std::vector<Wrench> wrenches_;
  std::vector<double> states_;
  std::vector<double> state_derivatives_;
  std::vector<Contact> contacts_;
  std::vector<ContactLinearization> linearizations_;
  std::array<std::uint64_t, 3> status_counts_{};
  std::optional<double> start_time_;
  double step_ = 0.0;  // of the host, see set_step()
  /// Since the start, which is now if there was none.
  double since_start(double time) {
    if (!start_time_) start_time_ = time;
    return time - *start_time_;
  }
  std::unique_ptr<WorkerPool> pool_;
  std::vector<Scratch> scratch_;  // one per worker
  struct Task {
    std::size_t contact, part;
  };
  std::vector<Task> tasks_;         // what an evaluation consists of; empty with one thread
  std::unique_ptr<Teller> teller_;  // null: nobody listens
};

}  // namespace grouser
