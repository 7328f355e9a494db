#include "grouser/contact/material.h"

#include <gtest/gtest.h>

#include "tests/support/messages.h"

namespace grouser {
namespace {

MaterialDef material(std::optional<double> friction, std::optional<double> peak = {},
                     std::optional<double> restitution = {}) {
  MaterialDef out;
  out.young_modulus = 1e9;
  out.poisson_ratio = 0.0;
  out.friction = friction;
  out.static_friction = peak;
  out.restitution = restitution;
  return out;
}

FrictionDef keys(std::optional<double> friction, std::optional<double> peak = {}) {
  FrictionDef out;
  out.friction = friction;
  out.static_friction = peak;
  return out;
}

TEST(MaterialPair, IsTheHarmonicMean) {
  const MaterialDef rough = material(0.6, 0.9, 0.2), slick = material(0.2, {}, 0.6);
  const MaterialPair pair = pair_of(&rough, &slick);
  EXPECT_DOUBLE_EQ(*pair.friction, 0.3);
  EXPECT_DOUBLE_EQ(*pair.restitution, 0.3);
  EXPECT_DOUBLE_EQ(*pair.static_friction, 2.0 * 0.9 * 0.2 / 1.1);  // without a peak: friction
  EXPECT_DOUBLE_EQ(pair.compliance, 2e-9);
  EXPECT_EQ(pair_of(&slick, &rough).friction, pair.friction);
}

TEST(MaterialPair, WhatOneDoesNotSayItLeavesToTheOther) {
  const MaterialDef silent = material({}), rough = material(0.5);
  EXPECT_EQ(pair_of(&rough, &silent).friction, 0.5);
  EXPECT_EQ(pair_of(nullptr, &rough).friction, 0.5);
  EXPECT_DOUBLE_EQ(pair_of(nullptr, &rough).compliance, 1e-9);
  EXPECT_FALSE(pair_of(&silent, &silent).friction);
  EXPECT_FALSE(pair_of(&rough, &rough).static_friction);
  EXPECT_FALSE(pair_of(nullptr, nullptr).restitution);
  EXPECT_EQ(pair_of(nullptr, nullptr).compliance, 0.0);
}

TEST(FrictionBetween, TheContactComesBeforeItsMaterials) {
  const MaterialDef rough = material(0.5, 0.75);
  const MaterialPair pair = pair_of(&rough, &rough);
  EXPECT_EQ(friction_between(keys({}), pair, {}).sliding, 0.5);
  EXPECT_EQ(friction_between(keys({}), pair, {}).peak, 0.75);
  EXPECT_EQ(friction_between(keys(0.25), pair, {}).sliding, 0.25);
  EXPECT_EQ(friction_between(keys(0.25), pair, {}).peak, 0.25);  // not that of the materials
  EXPECT_EQ(friction_between(keys({}, 1.0), pair, {}).sliding, 0.5);
  EXPECT_EQ(friction_between(keys({}, 1.0), pair, {}).peak, 1.0);
  EXPECT_FALSE(friction_between(keys(0.0), pair, {}, 0.5).acts());
}

TEST(FrictionBetween, IsTheUsualIfNothingSays) {
  EXPECT_FALSE(friction_between(keys({}), {}, {}).acts());
  EXPECT_EQ(friction_between(keys({}), {}, {}, 0.5).sliding, 0.5);
  EXPECT_EQ(friction_between(keys({}), {}, {}, 0.5).peak, 0.5);
  EXPECT_EQ(restitution_between({}, {}), 0.5);
}

TEST(FrictionBetween, RefusesNumbersThatDoNotFit) {
  const auto refused = [](const FrictionDef& def) {
    return message_of<InputError>([&] { friction_between(def, {}, {"s.toml", 3, 1}); });
  };
  EXPECT_EQ(refused(keys(0.5, 0.4)),
            "s.toml:3:1: contact.static_friction must be at least the friction while sliding "
            "(0.5), is 0.4");
  EXPECT_EQ(refused(keys({}, 0.4)),
            "s.toml:3:1: contact.static_friction is given, but neither contact.friction nor a "
            "material tells the friction while sliding");
  FrictionDef slow;
  slow.friction_speed = 0.2;
  slow.slip_speed = 0.1;
  EXPECT_EQ(refused(slow),
            "s.toml:3:1: contact.slip_speed must be greater than contact.friction_speed (0.2), is "
            "0.1");
}

TEST(RestitutionBetween, TheContactComesBeforeItsMaterials) {
  const MaterialDef lively = material({}, {}, 0.75);
  RestitutionDef contact;
  EXPECT_EQ(restitution_between(contact, pair_of(&lively, nullptr)), 0.75);
  contact.restitution = 0.25;
  EXPECT_EQ(restitution_between(contact, pair_of(&lively, nullptr)), 0.25);
}

}  // namespace
}  // namespace grouser
