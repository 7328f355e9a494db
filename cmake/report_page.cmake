# The page of reports: copies viewer/ into the build, and lets npm build it there.
# Sets GROUSER_HAVE_REPORT_PAGE and, if it is true, GROUSER_REPORT_PAGE to the file to be built.

# --- while building: cmake -P, with STEP, SOURCE, FOLDER and NPM ---------------------------------
if(CMAKE_SCRIPT_MODE_FILE)
  # run_npm(<what failed> <arguments>)
  function(run_npm failure)
    execute_process(COMMAND ${NPM} ${ARGN} WORKING_DIRECTORY ${FOLDER}
      RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT code EQUAL 0)
      message("${said}")
      message(FATAL_ERROR "The report page: ${failure}. "
                          "-DGROUSER_WITH_REPORT_PAGE=OFF builds grouser without report pages.")
    endif()
  endfunction()

  if(STEP STREQUAL "install")
    file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${FOLDER})
    run_npm("npm could not install its packages (is there a network?)" ci --no-audit --no-fund)
    file(TOUCH ${FOLDER}/installed.stamp)
  elseif(STEP STREQUAL "build")
    # What is gone from the source is gone from the copy.
    file(GLOB old LIST_DIRECTORIES TRUE ${FOLDER}/*)
    list(FILTER old EXCLUDE REGEX "/(node_modules|installed\\.stamp)$")
    file(REMOVE_RECURSE ${old})
    file(COPY ${SOURCE}/ DESTINATION ${FOLDER}
      PATTERN "node_modules" EXCLUDE PATTERN "dist" EXCLUDE)
    run_npm("npm run build failed" run build)
    set(page ${FOLDER}/dist/page.html)
    file(READ ${page} text)
    string(REGEX MATCHALL "@GROUSER_DATA@" marks "${text}")
    list(LENGTH marks count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "${page} must have @GROUSER_DATA@ once, has it ${count} times")
    endif()
    file(TOUCH ${page})
  endif()
  return()
endif()

# --- while configuring ---------------------------------------------------------------------------
set(GROUSER_HAVE_REPORT_PAGE FALSE CACHE INTERNAL "Whether grouser::report has its page")
if(NOT GROUSER_WITH_REPORT_PAGE)
  message(STATUS "Report pages are off (GROUSER_WITH_REPORT_PAGE)")
  return()
endif()
find_program(GROUSER_NODE NAMES node nodejs)
find_program(GROUSER_NPM npm)
mark_as_advanced(GROUSER_NODE GROUSER_NPM)
if(NOT GROUSER_NODE OR NOT GROUSER_NPM)
  message(STATUS "Report pages are off: node or npm was not found (Debian: nodejs, npm)")
  return()
endif()
set(GROUSER_HAVE_REPORT_PAGE TRUE CACHE INTERNAL "Whether grouser::report has its page")

set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(folder ${PROJECT_BINARY_DIR}/viewer)
set(GROUSER_REPORT_PAGE ${folder}/dist/page.html)
set(step ${CMAKE_COMMAND} -DSOURCE=${viewer} -DFOLDER=${folder} -DNPM=${GROUSER_NPM})
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${viewer}/*)
list(FILTER sources EXCLUDE REGEX "^${viewer}/(node_modules|dist)/")

add_custom_command(OUTPUT ${folder}/installed.stamp
  COMMAND ${step} -DSTEP=install -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${viewer}/package.json ${viewer}/package-lock.json
  COMMENT "Installing what the report page is built with" VERBATIM)
add_custom_command(OUTPUT ${GROUSER_REPORT_PAGE}
  COMMAND ${step} -DSTEP=build -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${folder}/installed.stamp ${sources} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Building the report page" VERBATIM)
add_custom_target(grouser_report_page DEPENDS ${GROUSER_REPORT_PAGE})
