# Installation: libraries with find_package(grouser), headers, the grouser command, scenes.
option(GROUSER_INSTALL "Install grouser with its CMake package" ${PROJECT_IS_TOP_LEVEL})
if(NOT GROUSER_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(GROUSER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/grouser)

# Linked targets -> how a user of the installed library finds them again. What static libraries link
# privately is linked by the user as well; what plugins link is not.
set(GROUSER_DEPENDENCY_ROWS
  "Eigen3::     -> find_dependency(Eigen3 3.4 NO_MODULE)"
  "Threads::    -> find_dependency(Threads)"
  "tomlplusplus:: -> find_dependency(tomlplusplus)"
  "mujoco::     -> find_dependency(mujoco)"
  "urdfdom::    -> find_dependency(urdfdom)"
  "SUNDIALS::   -> find_dependency(SUNDIALS)"
  "hdf5::       -> grouser_find_hdf5()"
  "ZLIB::       -> find_dependency(ZLIB)"
  "TBB::        -> find_dependency(TBB)"
  "fmt::        -> find_dependency(fmt)"
  "Qhull::      -> find_dependency(Qhull)"
  "nlohmann_json:: ->"  # headers, and ours that include them are not installed
  "grouser::    ->")

# Sets `out` to the lines of grouserConfig.cmake that find what `target` links.
function(grouser_dependencies target out)
  get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
  string(REGEX MATCHALL "[A-Za-z0-9_+]+::[A-Za-z0-9_+]+" names "${linked}")
  set(lines "")
  foreach(name ${names})
    set(found FALSE)
    foreach(row ${GROUSER_DEPENDENCY_ROWS})
      string(REGEX MATCH "^([^ ]+) *-> ?(.*)$" row "${row}")
      set(line "${CMAKE_MATCH_2}")
      if(name MATCHES "^${CMAKE_MATCH_1}")
        set(found TRUE)
        if(line)
          list(APPEND lines "${line}")
        endif()
      endif()
    endforeach()
    if(NOT found)
      message(WARNING "cmake/install.cmake has no row for ${name}, which ${target} links: "
                      "find_package(grouser) will not find it")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES lines)
  list(JOIN lines "\n" lines)
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Libraries: grouser::core and grouser::calibration always, the others if they were built. Each has a
# file of targets of its own, and lines in GROUSER_<NAME>_DEPENDENCIES.
foreach(name core calibration scene sim report)
  string(TOUPPER ${name} NAME)
  string(SUBSTRING ${NAME} 0 1 initial)
  string(SUBSTRING ${name} 1 -1 rest)
  set(GROUSER_${NAME}_DEPENDENCIES "")
  if(TARGET grouser_${name})
    install(TARGETS grouser_${name} EXPORT grouser_${name}_targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT grouser_${name}_targets FILE grouser${initial}${rest}Targets.cmake
      NAMESPACE grouser:: DESTINATION ${GROUSER_PACKAGE_DIR})
    grouser_dependencies(grouser_${name} GROUSER_${NAME}_DEPENDENCIES)
  endif()
endforeach()

# Plugins, where core looks for them.
get_property(plugins GLOBAL PROPERTY GROUSER_PLUGINS)
if(plugins)
  install(TARGETS ${plugins} LIBRARY DESTINATION ${GROUSER_PLUGIN_INSTALL_DIR})
endif()

# Headers keep their paths: #include <grouser/contact/world.h>. Which they are, grouser/grouser.h
# tells, as far as their rooms were built.
set(rooms base math laws mesh map shape assets contact soil calibration)
if(TARGET grouser_scene)
  list(APPEND rooms scene)
endif()
if(TARGET grouser_sim)
  list(APPEND rooms record mechanism rover run)
endif()
if(TARGET grouser_report)
  list(APPEND rooms report)
endif()
install(CODE "
  set(GROUSER_SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(GROUSER_ROOMS \"${rooms}\")
  set(GROUSER_INCLUDE \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\")")

# The CMake package.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/grouserConfig.cmake.in
  ${PROJECT_BINARY_DIR}/grouserConfig.cmake INSTALL_DESTINATION ${GROUSER_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grouserConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/grouserConfig.cmake
  ${PROJECT_BINARY_DIR}/grouserConfigVersion.cmake
  DESTINATION ${GROUSER_PACKAGE_DIR})

# The command and its scenes.
if(TARGET grouser_cli)
  if(GROUSER_SHARED)
    set_target_properties(grouser_cli PROPERTIES
      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS grouser_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/grouser/scenes OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What an installation needs, without tests and benchmarks.
set(installed ${plugins})
foreach(name core calibration scene sim report cli)
  if(TARGET grouser_${name})
    list(APPEND installed grouser_${name})
  endif()
endforeach()
add_custom_target(grouser_installed DEPENDS ${installed})
