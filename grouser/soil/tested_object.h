// One object on one bed of soil, moved by hand: what all tests of the testbed have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

class TestedObject {
 public:
  struct Setup {
    std::string model = "scm";
    Value settings;
    double gravity = 9.81;
    int threads = 1;
    Place place;
  };
  TestedObject(const SoilGroundDef& soil, const std::shared_ptr<const TriangleMesh>& mesh,
               const Setup& setup);

  /// Height of the body's origin at which the object just touches flat ground.
  double touching() const { return -lowest_; }

  /// What a user should know about how the model was built.
  std::vector<std::string> notes() const { return world_->contact(0).notes(); }

  /// The wrench of the soil, without consequences. Throws RunError if there is none.
  const Wrench& ask(double time, const BodyKinematics& body);
  /// Goes on by a step `h` from the state last asked for: states of the model are led on, and the
  /// soil is updated if its time has come.
  void advance(double time, double h);
  /// At the state last asked for [m^2]; 0 if the model does not tell.
  double contact_area(double time);

 private:
  std::unique_ptr<ContactWorld> world_;
  int object_ = 0;
  double lowest_ = 0.0;
  std::optional<std::size_t> area_channel_;
  ContactReport report_;
};

}  // namespace grouser
