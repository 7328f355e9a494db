#include "grouser/mechanism/applied_force.h"

#include <algorithm>
#include <limits>

namespace grouser {
namespace {

struct ForceText {
  ForceDef def;
  std::string name, body;
  Vec3 point = Vec3::Zero();
  ForceDef::Frame frame = ForceDef::Frame::world;
  bool acts = false;  // one of the signals is given
};

ParameterTable<ForceText> force_parameters(const std::string& folder = "") {
  using Text = ForceText;
  ParameterTable<Text> t;
  t.text("name", &Text::name, "of the force; if empty that of the body");
  t.text("body", &Text::body, "a [[body]], or one of the mechanism", true);
  t.vector3("point", &Text::point, "m", "where the force acts, in the body frame");
  t.choice("frame", &Text::frame, {"world", "body"},
           "whose axes the components of force and torque are along");
  const auto signals = [&](const std::string& key, const std::string& unit,
                           std::array<Signal, 3> ForceDef::*member, const std::string& meaning) {
    for (std::size_t i = 0; i < 3; ++i)
      t.custom(
          key + "_" + "xyz"[i], "signal [" + unit + "]",
          [=](const Value& v, Text& out, const std::string& path) {
            (out.def.*member)[i] = Signal::read(v, path, folder);
            out.acts = true;
          },
          meaning, false, "0");
  };
  signals("force", "N", &ForceDef::force, "component of the force");
  signals("torque", "Nm", &ForceDef::torque, "component of a torque besides");
  return t;
}

Vec3 values(const std::array<Signal, 3>& signals, double time,
            std::span<const std::optional<HeldInput>, 3> held) {
  Vec3 out;
  for (std::size_t k = 0; k < 3; ++k)
    out[static_cast<Eigen::Index>(k)] = held[k] ? held[k]->value : signals[k].at(time).value;
  return out;
}

}  // namespace

Wrench AppliedForce::at_point(double time, const Mat3& R_WB, Held held) const {
  Wrench out{values(def_.torque, time, held.last<3>()), values(def_.force, time, held.first<3>())};
  if (def_.frame == ForceDef::Frame::body) out = {R_WB * out.torque, R_WB * out.force};
  return out;
}

Wrench AppliedForce::at_origin(double time, const Mat3& R_WB, Held held) const {
  return at_point(time, R_WB, held).moved_by(-(R_WB * def_.point));
}

double AppliedForce::next_corner(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto* signals : {&def_.force, &def_.torque})
    for (const Signal& signal : *signals) next = std::min(next, signal.next_corner(time));
  return next;
}

std::vector<ForceDef> read_forces(const Value& document, const std::string& folder) {
  std::vector<ForceDef> out;
  const ParameterTable<ForceText> table = force_parameters(folder);
  for (const Value& value : tables_of(document, "force")) {
    ForceText text;
    table.read(value, text, "force");
    ForceDef& def = out.emplace_back(std::move(text.def));
    def.name = text.name.empty() ? text.body : text.name;
    def.body = text.body;
    def.point = text.point;
    def.frame = text.frame;
    def.place = value.place();
    if (!text.acts)
      throw InputError(def.place, "force '" + def.name +
                                      "' needs at least one of force_x, force_y, force_z, "
                                      "torque_x, torque_y and torque_z");
  }
  return out;
}

std::vector<ParameterInfo> force_parameter_infos() {
  return force_parameters().infos();
}

}  // namespace grouser
