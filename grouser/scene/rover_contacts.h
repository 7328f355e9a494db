// The contacts of a rover: from its wheels, chassis and a few words of [rover] to ordinary shapes
// and contacts of a world.
#pragma once

#include <string>
#include <vector>

#include "grouser/mesh/picture_shape.h"
#include "grouser/scene/rover_facts.h"
#include "grouser/scene/scene_rocks.h"

namespace grouser {

/// What [rover] says of contact, and what became of it.
struct RoverContactDef {
  std::string soil;  ///< empty: the only [[soil]]
  std::string model = "scm";
  Value contact;                       ///< further keys of the wheels' contact with soil
  Value mesh;                          ///< of the wheels, instead of what the mechanism has
  double radius = 0.0;                 ///< [m]; 0: measured
  double width = 0.0;                  ///< [m]; 0: measured
  bool chassis = true;                 ///< whether it touches obstacles, too
  std::vector<std::string> obstacles;  ///< name patterns of shapes
  bool has_obstacles = false;          ///< they were given; else all rocks are
  Value obstacle_contact;              ///< further keys of the contact with obstacles
  std::string material;                ///< of wheels and chassis there; empty: a stiff one
  RoverFacts facts;
  Place place;

  // Found out by add_rover_contacts().
  std::vector<std::string> soil_objects;  ///< shape of every wheel in the soil contact
  std::string soil_contact;               ///< its name; empty: none
  std::vector<std::string> hidden;        ///< shapes that pictures have in a better form
  std::vector<double> reach;              ///< of every wheel, with grousers [m]
};

/// What the contacts of a rover are added to.
struct RoverContactSite {
  ContactWorldDef& contact;
  const std::vector<SceneRocks>& rocks;
  const std::vector<PictureShape>& geoms;  ///< of the mechanism, of which the chassis is made
  double euler_step = 0.0;                 ///< [s]; 0: another integrator than semi-implicit Euler
  std::string folder;                      ///< files are looked up relative to it
};

/// Adds the shapes of wheels and chassis, their contact with soil and with obstacles. Sizes of
/// wheels are measured. Throws InputError at `rover.place`.
void add_rover_contacts(RoverContactDef& rover, RoverContactSite site);

}  // namespace grouser
