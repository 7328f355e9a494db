# How every target of the project is compiled.

add_library(grouser_options INTERFACE)
target_compile_features(grouser_options INTERFACE cxx_std_20)
# -ffp-contract=off: the same source gives the same bits whatever the compiler fuses.
target_compile_options(grouser_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
# g++ 12 sees overlapping copies in "literal" + std::string where there are none.
target_compile_options(grouser_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(GROUSER_WERROR)
  target_compile_options(grouser_options INTERFACE -Werror)
endif()
# Objects that carry what -Wodr compares, see scripts/check_odr.sh; programs are linked as ever.
if(GROUSER_ODR AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(grouser_options INTERFACE -flto -ffat-lto-objects)
  target_link_options(grouser_options INTERFACE -fno-lto)
endif()
if(GROUSER_SANITIZE)
  target_compile_options(grouser_options INTERFACE
    -fsanitize=${GROUSER_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(grouser_options INTERFACE -fsanitize=${GROUSER_SANITIZE})
  # A report is a failure, not a line of output.
  if(GROUSER_SANITIZE MATCHES "undefined")
    target_compile_options(grouser_options INTERFACE -fno-sanitize-recover=all)
  endif()
endif()

# GROUSER_ASSERT (base/assert.h): where bugs are looked for, unless the user decides.
if(NOT GROUSER_ASSERTIONS STREQUAL "")
  target_compile_definitions(grouser_options INTERFACE
    GROUSER_ASSERTIONS=$<BOOL:${GROUSER_ASSERTIONS}>)
elseif(GROUSER_SANITIZE)
  target_compile_definitions(grouser_options INTERFACE GROUSER_ASSERTIONS=1)
else()
  target_compile_definitions(grouser_options INTERFACE GROUSER_ASSERTIONS=$<CONFIG:Debug>)
endif()

# grouser_precompile(<target> [headers]): what most files of a target include. A third of the time of
# a build goes into reading it.
function(grouser_precompile target)
  if(GROUSER_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <functional> <map> <memory>
      <optional> <span> <string> <variant> <vector> ${ARGN})
    # From a precompiled header g++ 12 no longer knows that these are warnings of its own library.
    target_compile_options(${target} PRIVATE
      "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
  endif()
endfunction()
