// Stands in for urdf_reader.cpp in a build without urdfdom or MuJoCo.
#include "grouser/base/error.h"
#include "grouser/mechanism/urdf_reader.h"

namespace grouser {

UrdfConversion convert_urdf(const std::string&, const std::string& path, UrdfBase) {
  throw InputError(path +
                   ": this build reads no URDF; build with GROUSER_WITH_URDF=ON and "
                   "GROUSER_WITH_MUJOCO=ON");
}

}  // namespace grouser
