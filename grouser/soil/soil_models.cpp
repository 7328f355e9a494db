#include "grouser/soil/soil_models.h"

#include <array>

#include "grouser/soil/scm.h"
#include "grouser/soil/wheel_soil.h"

namespace grouser {

std::span<const ContactModelRow> soil_models() {
  static const std::array rows = {
      model_row<BekkerDef>("wheel on soil by Bekker's closed formulas"),
      model_row<BekkerJanosiContactDef>(
          "wheel on soil by stress integrals (Wong, Reece) with shear that is carried along"),
      model_row<RheologicalContactDef>("wheel on soil as springs and dampers that stick or slip"),
      model_row<ScmDef>(
          "plastic soil: pressure and shear on an elevation grid that keeps its ruts"),
      model_row<TerraContactDef>(
          "wheel on soil by TerRA: plastic and slip sinkage and shear as states"),
  };
  return rows;
}

}  // namespace grouser
