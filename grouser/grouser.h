// grouser as its users see it: the headers that are promised, with the types that their
// declarations name (poses, errors, messages, shapes, materials, soils come with what uses them).
//
// A header that is not named here is our own business, even where one of these includes it. An
// installation has these, as far as it has their libraries, and what they include.
#pragma once

// grouser::core: worlds, ...
#include "grouser/base/version.h"
#include "grouser/contact/hosted_world.h"
#include "grouser/contact/world.h"
// ... models of contact, ...
#include "grouser/contact/convex.h"
#include "grouser/contact/elements.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/sphere_half_space.h"
#include "grouser/soil/scm.h"
#include "grouser/soil/wheel_soil.h"
// ... and what they stand on.
#include "grouser/laws/soil_library.h"
#include "grouser/laws/terra.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/testbed.h"

// grouser::calibration
#include "grouser/calibration/wheel_fit.h"

// grouser::scene
#if __has_include("grouser/scene/world_reader.h")
#include "grouser/scene/world_reader.h"
#endif

// grouser::sim: runs, recordings, checkpoints
#if __has_include("grouser/run/simulation.h")
#include "grouser/run/checkpoint.h"
#include "grouser/run/simulation.h"
#endif

// grouser::report
#if __has_include("grouser/report/report.h")
#include "grouser/report/report.h"
#endif
