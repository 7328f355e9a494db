// Soil contact model: objects that press into plastic soil (Krenn, Gibbesch, Hirzinger 2008).
//
// The ground is a grid of heights. Over every node the underside of an object is found; pressure
// follows the sinkage (Bekker, Reece), shear stress the way the surface has slid (Janosi,
// Hanamoto). Between updates of the soil the forces are functions of pose and velocity. At an
// update, a clock of its own, the soil yields, is carried along, piles up beside the object and
// slides down to its angle of repose; forces do not jump there. docs/models/scm.md has the
// equations.
#pragma once

#include "grouser/soil/soil_contact.h"

namespace grouser {

struct ScmDef final : SoilContactDef {
  static constexpr std::string_view kModel = "scm";
  static const ParameterTable<ScmDef>& parameters();
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

/// Of the soil of an SCM contact, for tests and hosts. Throws std::bad_cast for other models.
struct ScmBalance {
  double surface = 0.0;    ///< volume of the ground compared with the undisturbed one [m^3]
  double compacted = 0.0;  ///< lost by compaction [m^3]
  double displaced = 0.0;  ///< moved aside in total, some of it several times [m^3]
  double lost = 0.0;       ///< found no place, at the rim of the map [m^3]
  std::size_t tiles = 0;
};
ScmBalance scm_balance(const ContactMemory& memory);

}  // namespace grouser
