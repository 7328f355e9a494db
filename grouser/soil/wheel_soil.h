// Wheels on soil without a grid: a force in a microsecond or less.
//
// Under every wheel stands a contact frame on the ground, made from height and slope of the
// elevation map smoothed over the size of the wheel's footprint. How the wheel stands and moves in
// that frame goes into a law (Bekker, Bekker-Janosi, TerRA, rheological), forces come out. The
// ground itself does not change.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grouser/laws/wheel_soil.h"
#include "grouser/soil/soil_contact.h"

namespace grouser {

/// What a law remembers of one wheel between steps.
using WheelMemory = RheologicalMemory;

/// How soil answers one wheel.
class WheelLaw {
 public:
  virtual ~WheelLaw() = default;

  virtual std::size_t state_count() const { return 0; }
  virtual std::vector<ReportChannel> state_channels() const { return {}; }
  virtual WheelForce evaluate(const WheelMotion& motion, std::span<const double> states,
                              const WheelMemory& memory, std::span<double> derivatives) const = 0;
  virtual void commit(const WheelMotion&, double /*time*/, std::span<const double> /*states*/,
                      WheelMemory&) const {}
  virtual std::size_t event_count() const { return 0; }
  virtual std::vector<ReportChannel> event_channels() const { return {}; }
  virtual void events(const WheelMotion&, double /*time*/, std::span<const double> /*states*/,
                      const WheelMemory&, std::span<double>) const {}

  /// Where the wheel comes to when it goes on steadily.
  virtual SteadyWheel steady(const SteadyQuery& query) const = 0;

  /// Numbers besides those of all laws.
  virtual std::vector<ReportChannel> channels() const { return {}; }
  virtual void report(std::span<const double> /*states*/, const WheelMemory&,
                      std::vector<double>&) const {}
  /// What a user should know about how the law was made.
  virtual std::vector<std::string> notes() const { return {}; }
};

struct WheelSoilDef : SoilContactDef {
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const final;
  /// On soil of one kind. Does not look at `properties`.
  virtual std::unique_ptr<WheelLaw> law(const SoilDef& soil, const WheelSize& size,
                                        double gravity) const = 0;

 protected:
  virtual void check() const = 0;
};

enum class WheelModel { bekker, bekker_janosi, terra, rheological };
inline constexpr std::string_view kWheelModels[] = {"bekker", "bekker-janosi", "terra",
                                                    "rheological"};
inline std::vector<std::string> wheel_model_names() {
  return {std::begin(kWheelModels), std::end(kWheelModels)};
}

/// A model of the registry that is a wheel on soil.
template <WheelModel kind>
struct WheelContactDef final : WheelSoilDef {
  static constexpr std::string_view kModel = kWheelModels[static_cast<std::size_t>(kind)];
  static const ParameterTable<WheelContactDef>& parameters() {
    static const auto table = soil_contact_parameters<WheelContactDef>();
    return table;
  }
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<WheelLaw> law(const SoilDef& soil, const WheelSize& size,
                                double gravity) const override;

 protected:
  void check() const override { parameters().check(*this, place, "contact"); }
};
using BekkerDef = WheelContactDef<WheelModel::bekker>;
using BekkerJanosiContactDef = WheelContactDef<WheelModel::bekker_janosi>;
using TerraContactDef = WheelContactDef<WheelModel::terra>;
using RheologicalContactDef = WheelContactDef<WheelModel::rheological>;

/// A wheel model by name with the keys of a [[contact]], of which soil and objects may be left out.
/// Throws InputError, also if the model is none of wheels.
std::shared_ptr<const WheelSoilDef> read_wheel_soil(const std::string& model, const Value& table,
                                                    const std::string& path);

/// `soil` with the properties that a definition changes.
SoilDef soil_under(const WheelSoilDef& def, const SoilDef& soil);

/// The law of a definition on `soil`, with the properties that it changes.
std::unique_ptr<WheelLaw> make_wheel_law(const WheelSoilDef& def, const SoilDef& soil,
                                         const WheelSize& size, double gravity);

/// Least and greatest coordinate of a mesh along a direction.
std::pair<double, double> extent_along(const TriangleMesh& mesh, const Vec3& axis);

/// Sizes of a wheel as a mesh that turns about `axis` through the origin. The rim is where at least
/// half of what faces outwards lies; what stands higher by more than a hundredth are grousers.
WheelSize measure_wheel(const TriangleMesh& mesh, const Vec3& axis);

}  // namespace grouser
