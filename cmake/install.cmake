# Installation: libraries with find_package(grouser), headers, the grouser command, scenes.
option(GROUSER_INSTALL "Install grouser with its CMake package" ${PROJECT_IS_TOP_LEVEL})
if(NOT GROUSER_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(GROUSER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/grouser)

# Linked targets -> how a user of the installed library finds them again. The libraries are static,
# so whatever they link privately is linked by the user as well.
set(GROUSER_DEPENDENCY_ROWS
  "Eigen3::     -> find_dependency(Eigen3 3.4 NO_MODULE)"
  "Threads::    -> find_dependency(Threads)"
  "assimp::     -> find_dependency(assimp)"
  "Ceres::      -> find_dependency(Ceres)"
  "tomlplusplus:: -> find_dependency(tomlplusplus)"
  "mujoco::     -> find_dependency(mujoco)"
  "urdfdom::    -> find_dependency(urdfdom)"
  "SUNDIALS::   -> find_dependency(SUNDIALS)"
  "hdf5::       -> grouser_find_hdf5()"
  "ZLIB::       -> find_dependency(ZLIB)"
  "TBB::        -> find_dependency(TBB)"
  "fmt::        -> find_dependency(fmt)"
  "GDAL::       -> find_dependency(GDAL)"
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

# Libraries: grouser::core and grouser::calibration always, grouser::sim and grouser::report if they
# were built. Each has a
# file of targets of its own, and lines in GROUSER_<NAME>_DEPENDENCIES.
foreach(name core calibration scene sim report)
  string(TOUPPER ${name} NAME)
  string(SUBSTRING ${NAME} 0 1 initial)
  string(SUBSTRING ${name} 1 -1 rest)
  set(GROUSER_${NAME}_DEPENDENCIES "")
  if(TARGET grouser_${name})
    set_target_properties(grouser_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS grouser_${name} EXPORT grouser_${name}_targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT grouser_${name}_targets FILE grouser${initial}${rest}Targets.cmake
      NAMESPACE grouser:: DESTINATION ${GROUSER_PACKAGE_DIR})
    grouser_dependencies(grouser_${name} GROUSER_${NAME}_DEPENDENCIES)
  endif()
endforeach()

# Headers keep their paths: #include <grouser/contact/world.h>.
set(GROUSER_HEADERLESS_ROOMS "")
if(NOT TARGET grouser_sim)
  set(GROUSER_HEADERLESS_ROOMS PATTERN "sim" EXCLUDE PATTERN "report" EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/grouser/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grouser
  FILES_MATCHING PATTERN "*.h" PATTERN "recording_*.h" EXCLUDE
  PATTERN "page_*.h" EXCLUDE PATTERN "fit_*.h" EXCLUDE PATTERN "run_page.h" EXCLUDE
  PATTERN "mujoco_handles.h" EXCLUDE PATTERN "rover_wheel_size.h" EXCLUDE ${GROUSER_HEADERLESS_ROOMS})

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
  install(TARGETS grouser_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/grouser/scenes OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
