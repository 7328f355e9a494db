// The model behind SmoothDef.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/contact/smooth_memory.h"
#include "grouser/laws/friction.h"
#include "grouser/laws/penalty.h"
#include "grouser/laws/spring_slider.h"
#include "grouser/shape/contact_search.h"

namespace grouser {

/// Everything about a pair that does not change.
struct SmoothPair {
  std::vector<std::string> bodies;  ///< of the second surface, of the first
  Pose X_B1, X_B2;                  ///< frames of the surfaces in those of their bodies
  bool swapped = false;             ///< the first surface is `second` of the scene
  PenaltyNormal normal;
  DryFriction friction;
  SpringSlider sliding, drilling;
  double drilling_limit = 0.0;  ///< torque / (friction force sqrt(depth)) [m^0.5]
  double radius = 0.0;          ///< R of Hertz [m]
  double margin = 0.0;          ///< [m]
  int slots = 0;
  bool integrated = false;
  double drift_rate = 0.0;  ///< [1/s]
};

std::unique_ptr<ContactModel> make_smooth_contact(SmoothPair pair, ContactSearch search);

}  // namespace grouser
