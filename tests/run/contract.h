// What tests of every contact model stand on: its scene, and situations that scatter around its
// start.
//
// Each model brings a scene scenes/models/<name>.toml with one contact between two bodies that
// touch at the start.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "grouser/base/hash.h"
#include "grouser/base/random.h"
#include "grouser/contact/convex.h"
#include "grouser/contact/world.h"
#include "grouser/run/run_scene.h"
#include "grouser/run/simulation.h"
#include "tests/support/model_variants.h"
#include "tests/support/random_vector.h"

namespace grouser {

using test::ModelVariant;
using test::random_vector;

/// Kinematics of all bodies of a world, and its states.
struct Situation {
  std::vector<BodyKinematics> bodies;
  std::vector<double> states;
};

inline void put(ContactWorld& world, const Situation& situation) {
  for (std::size_t b = 0; b < situation.bodies.size(); ++b)
    world.set_body(static_cast<int>(b), situation.bodies[b]);
  std::copy(situation.states.begin(), situation.states.end(), world.states().begin());
}

inline std::vector<Wrench> answer(ContactWorld& world, const Situation& situation) {
  put(world, situation);
  EXPECT_EQ(world.evaluate(0.0), Status::ok);
  std::vector<Wrench> wrenches;
  for (std::size_t b = 0; b < situation.bodies.size(); ++b)
    wrenches.push_back(world.wrench(static_cast<int>(b)));
  return wrenches;
}

inline std::uint64_t digest(const ContactWorld& world, const std::vector<Wrench>& wrenches) {
  Hash hash;
  for (const Wrench& w : wrenches)
    for (int k = 0; k < 3; ++k) {
      hash.add(w.torque[k]);
      hash.add(w.force[k]);
    }
  hash.add(world.state_derivatives());
  return hash.digest();
}

/// The scene's start, with the depth it has there.
class Contract : public testing::TestWithParam<ModelVariant> {
 protected:
  Contract()
      : scene(load_scene(test::model_scene(GetParam().model), GetParam().overrides)),
        simulation(scene),
        world(scene.contact) {
    start.bodies.resize(world.bodies().size());
    for (std::size_t b = 0; b < start.bodies.size(); ++b) {
      const int body = simulation.mechanism().body(world.bodies()[b], {}, "body");
      start.bodies[b] = simulation.mechanism().kinematics()[static_cast<std::size_t>(body)];
    }
    start.states.assign(world.state_count(), 0.0);
    put(world, start);
    world.evaluate(0.0);
    world.commit(0.0);
    depth = world.greatest_penetration(0);
    world.reset();  // forget the commit
    const std::span<const int> ports = world.ports(0);
    for (const int a : ports)
      for (const int b : ports)
        size = std::max(size, (start.bodies[static_cast<std::size_t>(a)].X_WB.p -
                               start.bodies[static_cast<std::size_t>(b)].X_WB.p)
                                  .norm());
  }

  /// A situation near the start, most of the time in contact.
  Situation scattered(Random& random) const {
    Situation out = start;
    for (const int port : world.ports(0)) {
      BodyKinematics& body = out.bodies[static_cast<std::size_t>(port)];
      body.X_WB.p += random_vector(random, 0.4 * depth);
      body.X_WB.R = rotation_from_vector(random_vector(random, 0.2 * depth / size)) * body.X_WB.R;
      body.V_WB.w += random_vector(random, 1.0);
      body.V_WB.v += random_vector(random, 0.5);
    }
    std::size_t i = 0;
    for (const double scale : world.state_scales()) out.states[i++] = random.uniform(-scale, scale);
    return out;
  }

  /// Friction that is remembered answers otherwise to going on than to going back: its slopes are
  /// one-sided.
  bool remembers_friction() const {
    const auto* convex = dynamic_cast<const ConvexDef*>(scene.contact.contacts.front().get());
    return convex != nullptr && convex->friction_law == FrictionLaw::bristle;
  }

  double force_scale(const std::vector<Wrench>& wrenches) const {
    double scale = 0.0;
    for (const Wrench& w : wrenches) scale = std::max(scale, w.force.norm());
    return scale;
  }

  Scene scene;
  Simulation simulation;
  ContactWorld world;
  Situation start;
  double depth = 0.0;
  double size = 1e-3;
};

/// The same, and a way from situation to situation.
class Way : public Contract {
 protected:
  Way() {
    Random random(8);
    for (int i = 0; i < 20; ++i) situations.push_back(scattered(random));
  }

  /// Through some situations, with clocks; the bits of all answers on the way.
  std::uint64_t proceed(ContactWorld& through, std::size_t from, std::size_t to,
                        bool commits = true) const {
    Hash hash;
    for (std::size_t i = from; i < to; ++i) add_step(through, i, hash, commits);
    return hash.digest();
  }

  /// One of them.
  void add_step(ContactWorld& through, std::size_t i, Hash& hash, bool commits = true) const {
    const double time = 1e-3 * static_cast<double>(i);
    put(through, situations[i]);
    EXPECT_EQ(through.evaluate(time), Status::ok);
    std::vector<Wrench> wrenches;
    for (std::size_t b = 0; b < through.bodies().size(); ++b)
      wrenches.push_back(through.wrench(static_cast<int>(b)));
    hash.add(digest(through, wrenches));
    if (commits) through.commit(time);
    through.update(time);
  }

  std::vector<Situation> situations;
};

/// "convex_brown_mcphee"
inline std::string contract_name(const testing::TestParamInfo<ModelVariant>& row) {
  std::string name = row.param.model + (row.param.name.empty() ? "" : "_" + row.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace grouser
