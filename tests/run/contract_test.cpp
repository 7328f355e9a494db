// What every contact model must keep, checked for every row of the registry and for variants of
// them with other options.
#include "tests/run/contract.h"

#include <filesystem>
#include <set>

#include "grouser/scene/registry.h"
#include "grouser/scene/world_reader.h"
#include "grouser/soil/soil_ground.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

TEST_P(Contract, ItsSceneTouchesAtTheStartAndScattersAroundTouching) {
  EXPECT_GT(depth, 0.0);
  Random random(1);
  int touching = 0;
  for (int i = 0; i < 40; ++i) touching += force_scale(answer(world, scattered(random))) > 0.0;
  EXPECT_GE(touching, 20);
}

TEST_P(Contract, EvaluateIsPure) {
  Random random(2);
  const Situation first = scattered(random);
  const std::uint64_t before = digest(world, answer(world, first));
  const std::vector<std::byte> memory = world.save();
  for (int i = 0; i < 20; ++i) answer(world, scattered(random));
  EXPECT_EQ(digest(world, answer(world, first)), before);
  EXPECT_EQ(world.save(), memory);
}

TEST_P(Contract, CommitIsSilent) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Situation here = scattered(random);
    const std::vector<Wrench> before = answer(world, here);
    const std::vector<double> rates(world.state_derivatives().begin(),
                                    world.state_derivatives().end());
    world.commit(0.0);
    const std::vector<Wrench> after = answer(world, here);
    // What is remembered in frames of bodies is rounded on the way there and back: 1e-16 m of
    // the 1e-4 m by which bristles bend.
    const double tolerance = 1e-11 * force_scale(before);
    for (std::size_t b = 0; b < before.size(); ++b) {
      EXPECT_LE((after[b].force - before[b].force).norm(), tolerance) << "situation " << i;
      EXPECT_LE((after[b].torque - before[b].torque).norm(), tolerance) << "situation " << i;
    }
    // Where a contact point is found by iteration, from what is remembered, it is rounded, too.
    double fastest = 0.0;
    for (const double rate : rates) fastest = std::max(fastest, std::abs(rate));
    for (std::size_t s = 0; s < rates.size(); ++s)
      EXPECT_NEAR(world.state_derivatives()[s], rates[s], 1e-11 * fastest) << "situation " << i;
  }
}

TEST_P(Contract, AnUpdateChangesNoForce) {
  if (world.next_update() > 1e9) return;  // no clock
  Random random(11);
  for (int i = 0; i < 50; ++i) {
    const double time = world.next_update();
    const Situation here = scattered(random);
    put(world, here);
    world.evaluate(time);
    const Wrench before = world.wrench(world.ports(0)[0]);
    world.update(time);
    EXPECT_GT(world.next_update(), time);
    world.evaluate(time);
    const Wrench after = world.wrench(world.ports(0)[0]);
    // Depths are differences of heights, 1e-16 m at a stiffness of 1e7 Pa/m and more: 1e-8 Pa,
    // where cohesion and walls begin within 0.05 Pa.
    EXPECT_LE((after.force - before.force).norm(), 1e-6 * (1.0 + before.force.norm())) << i;
    EXPECT_LE((after.torque - before.torque).norm(), 1e-6 * (1.0 + before.force.norm())) << i;
  }
}

TEST_P(Contract, WrenchesOnAllPortsCancel) {
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    const Situation here = scattered(random);
    const std::vector<Wrench> wrenches = answer(world, here);
    Wrench sum;  // about the world's origin
    for (std::size_t b = 0; b < wrenches.size(); ++b)
      sum += wrenches[b].moved_by(-here.bodies[b].X_WB.p);
    const double scale = force_scale(wrenches);
    EXPECT_LE(sum.force.norm(), 1e-12 * scale);   // rounding of a sum of many elements
    EXPECT_LE(sum.torque.norm(), 1e-12 * scale);  // levers are below 1 m
  }
}

TEST_P(Contract, RigidMotionOfAllBodiesTurnsTheWrenchesAlong) {
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const Situation here = scattered(random);
    const Pose X{rotation_from_vector(random_vector(random, 2.0)), random_vector(random, 3.0)};
    const Twist V{random_vector(random, 1.0), random_vector(random, 1.0)};  // at the new origin
    Situation moved = here;
    for (BodyKinematics& body : moved.bodies) {
      body.X_WB = X * body.X_WB;
      body.V_WB.w = X.R * body.V_WB.w + V.w;
      body.V_WB.v = X.R * body.V_WB.v + V.at(body.X_WB.p);
    }
    const std::vector<Wrench> before = answer(world, here);
    const std::vector<Wrench> after = answer(world, moved);
    // Depths of micrometres are differences of metres: 1e-16 m over the depth, times a margin.
    const double tolerance = force_scale(before) * std::max(1e-9, 1e-13 / depth);
    for (std::size_t b = 0; b < before.size(); ++b) {
      EXPECT_LE((after[b].force - X.R * before[b].force).norm(), tolerance);
      EXPECT_LE((after[b].torque - X.R * before[b].torque).norm(), tolerance);
    }
  }
}

TEST_P(Contract, BodiesMayTradePlaces) {
  // The same shapes on exchanged bodies, with exchanged kinematics: wrenches are exchanged too.
  ContactWorldDef swapped = scene.contact;
  const auto swap_body = [](const std::string& x, const std::string& y, std::string& body) {
    if (body == x)
      body = y;
    else if (body == y)
      body = x;
  };
  const std::string a = world.bodies()[static_cast<std::size_t>(world.ports(0)[0])];
  const std::string b = world.bodies()[static_cast<std::size_t>(world.ports(0)[1])];
  for (ShapeDef& shape : swapped.shapes) swap_body(a, b, shape.body);
  for (auto& soil : swapped.soils) {
    auto copy = std::make_shared<SoilGroundDef>(dynamic_cast<const SoilGroundDef&>(*soil));
    swap_body(a, b, copy->body);
    soil = copy;
  }
  ContactWorld other(swapped);
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    const Situation here = scattered(random);
    Situation there = here;
    there.bodies[static_cast<std::size_t>(other.body(a))] =
        here.bodies[static_cast<std::size_t>(world.body(b))];
    there.bodies[static_cast<std::size_t>(other.body(b))] =
        here.bodies[static_cast<std::size_t>(world.body(a))];
    answer(world, here);
    answer(other, there);
    for (const auto& [mine, theirs] : {std::pair(a, b), std::pair(b, a)}) {
      const Wrench& x = world.wrench(world.body(mine));
      const Wrench& y = other.wrench(other.body(theirs));
      EXPECT_EQ(x.force, y.force);  // the same arithmetic: to the bit
      EXPECT_EQ(x.torque, y.torque);
    }
  }
}

TEST_P(Contract, FarApartNothingActs) {
  Situation apart = start;
  apart.bodies[static_cast<std::size_t>(world.ports(0)[0])].X_WB.p += Vec3(0, 0, 10.0);
  EXPECT_EQ(force_scale(answer(world, apart)), 0.0);
}

TEST_P(Contract, NothingIsAllocatedAfterWarmUp) {
  Random random(7);
  std::vector<Situation> situations;
  for (int i = 0; i < 20; ++i) situations.push_back(scattered(random));
  const auto round = [&] {
    for (const Situation& here : situations) {
      put(world, here);
      world.evaluate(0.0);
      world.commit(0.0);
      world.linearize(0.0);
    }
  };
  round();
  const std::size_t before = allocations();
  round();
  EXPECT_EQ(allocations(), before);
}

/// `value` with every string and key that names a body, shape or contact given a suffix. (Scenes of
/// models call nothing by a keyword.)
Value renamed(const Value& value, const std::vector<std::string>& names,
              const std::string& suffix) {
  const auto rename = [&](const std::string& text) {
    return std::find(names.begin(), names.end(), text) != names.end() ? text + suffix : text;
  };
  if (value.is_text()) return Value(rename(value.as_text()), value.place());
  if (value.is_array()) {
    Value::Array out;
    for (const Value& entry : value.as_array()) out.push_back(renamed(entry, names, suffix));
    return Value(std::move(out), value.place());
  }
  if (value.is_table()) {
    Value::Table out;
    for (const Value::Entry& entry : value.as_table())
      out.push_back({rename(entry.key), entry.place, renamed(entry.value, names, suffix)});
    return Value(std::move(out), value.place());
  }
  return value;
}

TEST_P(Contract, AnyNumberOfThreadsGivesTheSameBits) {
  // Seven copies of the contact on bodies of their own.
  const Value document =
      read_scene_document(test::model_scene(GetParam().model), GetParam().overrides);
  std::vector<std::string> names = {world.contact_name(0)};
  for (const std::string& body : world.bodies())
    if (body != "world") names.push_back(body);
  for (const ShapeDef& shape : scene.contact.shapes) names.push_back(shape.name);
  for (const auto& soil : scene.contact.soils) names.push_back(soil->name);

  ContactWorldDef many;
  many.materials = scene.contact.materials;
  for (int copy = 0; copy < 7; ++copy) {
    const Value value = renamed(document, names, "_" + std::to_string(copy));
    const ContactWorldDef one = read_contact_world(value, scene.folder);
    many.shapes.insert(many.shapes.end(), one.shapes.begin(), one.shapes.end());
    many.soils.insert(many.soils.end(), one.soils.begin(), one.soils.end());
    many.contacts.insert(many.contacts.end(), one.contacts.begin(), one.contacts.end());
  }
  const auto hash_with = [&](int threads) {
    many.threads = threads;
    ContactWorld crowd(many);
    Random random(9);
    Hash hash;
    for (int i = 0; i < 20; ++i) {
      Situation all;
      all.bodies.resize(crowd.bodies().size());
      for (int copy = 0; copy < 7; ++copy) {
        const Situation one = scattered(random);
        for (std::size_t b = 0; b < one.bodies.size(); ++b)
          if (world.bodies()[b] != "world")
            all.bodies[static_cast<std::size_t>(
                crowd.body(world.bodies()[b] + "_" + std::to_string(copy)))] = one.bodies[b];
        all.states.insert(all.states.end(), one.states.begin(), one.states.end());
      }
      hash.add(digest(crowd, answer(crowd, all)));
      crowd.linearize(0.0);
      for (std::size_t c = 0; c < crowd.contact_count(); ++c) {
        const MatX& m = crowd.linearization(c).matrix;
        hash.add(std::span(m.data(), static_cast<std::size_t>(m.size())));
      }
      crowd.commit(0.0);
      if (i % 4 == 3 && crowd.next_update() < 1e9) crowd.update(crowd.next_update());
    }
    return hash.digest();
  };
  const std::uint64_t one = hash_with(1);
  EXPECT_EQ(hash_with(2), one);
  EXPECT_EQ(hash_with(4), one);
}

TEST_P(Contract, LinearizationEqualsCentralDifferencesOnEveryPort) {
  Random random(10);
  for (int trial = 0; trial < 5; ++trial) {
    const Situation here = scattered(random);
    answer(world, here);
    world.commit(0.0);
    answer(world, here);
    world.linearize(0.0);
    const MatX matrix = world.linearization(0).matrix;
    const std::span<const int> ports = world.ports(0);
    for (std::size_t port = 0; port < ports.size(); ++port) {
      for (int number = 0; number < 12; ++number) {
        const double step = number < 6 ? 1e-7 * depth / 1e-3 : 1e-7;
        const auto moved = [&](double amount) {
          Situation there = here;
          BodyKinematics& body = there.bodies[static_cast<std::size_t>(ports[port])];
          const Vec3 axis = amount * Vec3::Unit(number % 3);
          if (number < 3)
            body.X_WB.R = rotation_from_vector(axis) * body.X_WB.R;
          else if (number < 6)
            body.X_WB.p += axis;
          else if (number < 9)
            body.V_WB.w += axis;
          else
            body.V_WB.v += axis;
          answer(world, there);
          VecX out(matrix.rows());
          for (std::size_t i = 0; i < ports.size(); ++i) {
            out.segment<3>(static_cast<Eigen::Index>(6 * i)) = world.port_wrenches(0)[i].torque;
            out.segment<3>(static_cast<Eigen::Index>(6 * i + 3)) = world.port_wrenches(0)[i].force;
          }
          for (std::size_t i = 0; i < world.state_count(); ++i)
            out[static_cast<Eigen::Index>(6 * ports.size() + i)] = world.state_derivatives()[i];
          return out;
        };
        const VecX found = matrix.col(static_cast<Eigen::Index>(12 * port) + number);
        VecX expected = (moved(step) - moved(-step)) / (2.0 * step);
        // A row of nodes of soil may come to touch within the step.
        const VecX closer = (moved(0.1 * step) - moved(-0.1 * step)) / (0.2 * step);
        if ((closer - found).norm() < 0.1 * (expected - found).norm()) expected = closer;
        double allowed = 1e-4;
        if (remembers_friction()) {
          // One-sided: where bristles slide, going on and going back have slopes that differ by
          // 2 % of the largest, and a turn is put together from motions that may be either.
          allowed = 5e-3;
          const VecX middle = moved(0.0);
          const VecX forward = (moved(0.1 * step) - middle) / (0.1 * step);
          const VecX backward = (middle - moved(-0.1 * step)) / (0.1 * step);
          expected = (forward - found).norm() < (backward - found).norm() ? forward : backward;
        }
        const double scale = std::max(
            matrix.middleCols<12>(static_cast<Eigen::Index>(12 * port)).cwiseAbs().maxCoeff(), 1.0);
        // One-sided differences against central ones over a step ten times as long: the laws bend
        // over 1e-3 of their range, so they agree to about 1e-4 of the largest entry.
        EXPECT_LE((expected - found).lpNorm<Eigen::Infinity>(), allowed * scale)
            << "port " << port << " number " << number;
      }
    }
  }
}

TEST_P(Contract, ReportAgreesWithTheWrench) {
  Random random(11);
  ContactReport report;
  for (int i = 0; i < 10; ++i) {
    const std::vector<Wrench> wrenches = answer(world, scattered(random));
    world.report(0.0, 0, report);
    EXPECT_EQ(report.channels.size(), world.contact(0).report_channels().size());
    Vec3 sum = Vec3::Zero();
    for (const PatchElement& element : report.patch) sum += element.force_W;
    const Vec3& force = world.port_wrenches(0)[0].force;
    EXPECT_LE((sum - force).norm(), 1e-12 * (force_scale(wrenches) + 1e-300));
  }
}

TEST_P(Contract, EverythingAHostSeesHasANameAndAMeaning) {
  const ContactModel& model = world.contact(0);
  EXPECT_EQ(model.state_channels().size(), model.state_count());
  EXPECT_EQ(model.event_channels().size(), model.event_count());
  EXPECT_EQ(world.body_channels().size(), world.bodies().size());
  EXPECT_EQ(world.state_channels().size(), world.state_count());
  EXPECT_EQ(world.event_channels().size(), world.event_count());
  ContactReport report;
  world.report(0.0, 0, report);
  EXPECT_EQ(world.report_channels().size(), report.channels.size());

  std::set<std::string> names;
  // Numbers without a unit, by how their names end.
  const std::set<std::string> bare = {"slip",
                                      "contacts",
                                      "off_ground",
                                      "element_count",
                                      "touching_pairs",
                                      "convexity",
                                      "u_first",
                                      "v_first",
                                      "u_second",
                                      "v_second",
                                      "sticking",
                                      "switches",
                                      "slip_seen",
                                      "sheared_seen",
                                      "skid_seen",
                                      "switch",
                                      "first_1",
                                      "first_2",
                                      "first_3",
                                      "second_1",
                                      "second_2",
                                      "second_3",
                                      "states/dissipated_energy"};
  const auto is_bare = [&](const std::string& name) {
    return name.starts_with("bodies/") || std::any_of(bare.begin(), bare.end(), [&](const auto& b) {
             return name.ends_with("/" + b);
           });
  };
  for (const auto& list : {world.body_channels(), world.state_channels(), world.event_channels(),
                           world.report_channels()})
    for (const ReportChannel& channel : list) {
      EXPECT_TRUE(names.insert(channel.name).second) << channel.name << " is there twice";
      EXPECT_EQ(channel.unit.empty(), is_bare(channel.name)) << channel.name;
      EXPECT_GE(channel.meaning.size(), 5u) << channel.name;
    }
}

TEST_P(Contract, HasADocumentationPage) {
  const auto page = std::filesystem::path(GROUSER_SCENES).parent_path() / "docs" / "models" /
                    (std::string(contact_model(GetParam().model, {}).page) + ".md");
  EXPECT_TRUE(std::filesystem::exists(page)) << page;
}

INSTANTIATE_TEST_SUITE_P(Models, Contract, testing::ValuesIn(test::model_variants()),
                         contract_name);

}  // namespace
}  // namespace grouser
