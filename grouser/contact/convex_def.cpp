#include "grouser/contact/convex.h"
#include "grouser/contact/convex_patch.h"

namespace grouser {
namespace {

using Words = std::array<std::string, 2>;

const ParameterTable<MaterialPairDef>& material_pair_parameters() {
  using Pair = MaterialPairDef;
  static const auto table =
      ParameterTable<Pair>()
          .text("first", &Pair::first, "a material", true)
          .text("second", &Pair::second, "the other material, or the same", true)
          .optional("restitution", &Pair::restitution, "", within(0.0, 1.0), "as without the pair",
                    "rebound / impact speed")
          .optional("friction", &Pair::friction, "", non_negative(), "as without the pair",
                    "Coulomb coefficient")
          .optional("static_friction", &Pair::static_friction, "", non_negative(), "as friction",
                    "coefficient at the peak before sliding");
  return table;
}

std::vector<std::string> read_words(const Value& value, const std::string& path) {
  std::vector<std::string> out;
  parameters_detail::read_entries(value, path, [&](const Value& entry, const std::string& item) {
    out.push_back(parameters_detail::read_text(entry, item));
  });
  if (out.empty()) throw InputError(value.place(), path + " must name at least one shape");
  return out;
}

Value words_value(std::span<const std::string> words) {
  Value::Array out;
  for (const std::string& word : words) out.emplace_back(word);
  return Value(std::move(out));
}

/// `[["rover", "course"], ...]`.
void add_pairs(ParameterTable<ConvexDef>& table, std::string key,
               std::vector<Words> ConvexDef::*member, std::string meaning, std::string absent) {
  table.custom(
      std::move(key), "list of pairs of names",
      [member](const Value& v, ConvexDef& out, const std::string& path) {
        (out.*member).clear();
        parameters_detail::read_entries(v, path, [&](const Value& entry, const std::string& item) {
          const std::vector<std::string> words = read_words(entry, item);
          if (words.size() != 2)
            throw InputError(entry.place(),
                             item + " must be two names, has " + std::to_string(words.size()));
          (out.*member).push_back({words[0], words[1]});
        });
      },
      std::move(meaning), false, std::move(absent),
      [member](const ConvexDef& in) {
        Value::Array out;
        for (const Words& pair : in.*member) out.push_back(words_value(pair));
        return Value(std::move(out));
      });
}

/// `{ rover = ["wheel_*", "body"], ... }`.
void add_groups(ParameterTable<ConvexDef>& table) {
  table.custom(
      "groups", "table of lists of names",
      [](const Value& v, ConvexDef& out, const std::string& path) {
        out.groups.clear();
        for (const Value::Entry& entry : v.table_or_throw(path))
          out.groups.push_back(
              {entry.key, read_words(entry.value, parameters_detail::joined(path, entry.key))});
      },
      "names for sets of shapes, with * for any letters", false, "none",
      [](const ConvexDef& in) {
        Value::Table out;
        for (const ConvexDef::Group& group : in.groups) {
          Value::Entry& entry = out.emplace_back();
          entry.key = group.name;
          entry.value = words_value(group.members);
        }
        return Value(std::move(out));
      });
}

}  // namespace

const ParameterTable<ConvexDef>& ConvexDef::parameters() {
  static const auto table = [] {
    ParameterTable<ConvexDef> t;
    t.custom(
        "objects", "list of names",
        [](const Value& v, ConvexDef& out, const std::string& path) {
          out.objects = read_words(v, path);
        },
        "shapes that take part, with * for any letters", false, "[\"*\"]",
        [](const ConvexDef& in) { return words_value(in.objects); });
    add_groups(t);
    add_pairs(t, "touch", &ConvexDef::touch, "groups or shapes that may touch each other", "all");
    add_pairs(t, "exclude", &ConvexDef::exclude,
              "groups or shapes that may not, whatever touch says", "none");
    t.choice("radius", &ConvexDef::radius, {"curvature", "longest-edge"},
             "R of Hertz's stiffness: radius of curvature, of other parts half their smallest "
             "extent, flat ones counting as planes; or always half the greatest extent");
    t.include(impact_parameters());
    t.include(friction_parameters());
    t.only("friction_law", friction_words({FrictionLaw::bristle}));
    t.number("rolling_resistance", &ConvexDef::rolling_resistance, "", non_negative(),
             "torque against rolling / (R F_n)");
    t.number("rolling_speed", &ConvexDef::rolling_speed, "rad/s", positive(),
             "where rolling resistance is nearly fully there");
    t.integer("points", &ConvexDef::points, within(1, kMostPoints),
              "of an area of contact, where its speed of approach is asked; with 1 or 2 rocking "
              "is not damped both ways");
    t.list("material_pairs", &ConvexDef::material_pairs, material_pair_parameters(),
           "what two materials do together, where it is not the harmonic mean");
    return t;
  }();
  return table;
}

}  // namespace grouser
