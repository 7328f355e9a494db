# How every target of the project is compiled.

add_library(grouser_options INTERFACE)
target_compile_features(grouser_options INTERFACE cxx_std_20)
# -ffp-contract=off: the same source gives the same bits whatever the compiler fuses.
target_compile_options(grouser_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
# Two of three coordinates in a register and the third beside it: putting them together again costs
# more than it saves (a tenth of a PCM evaluation). Ours alone: see "No unaligned packets in Eigen" in
# docs/architecture.md.
target_compile_definitions(grouser_options INTERFACE EIGEN_UNALIGNED_VECTORIZE=0)
# The layout of Eigen's types that grouser/math/types.h wants, whatever processor is compiled for.
target_compile_definitions(grouser_options INTERFACE EIGEN_MAX_ALIGN_BYTES=16)
# g++ 12 sees overlapping copies in "literal" + std::string where there are none.
target_compile_options(grouser_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# clang's warning means constants of other files as well if files are compiled together.
if(GROUSER_UNITY)
  target_compile_options(grouser_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()
if(GROUSER_WERROR)
  target_compile_options(grouser_options INTERFACE -Werror)
endif()
# Objects that hold what -Wodr compares and no code, see scripts/check_odr.sh.
if(GROUSER_ODR)
  target_compile_options(grouser_options INTERFACE -flto -fno-fat-lto-objects)
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

# grouser_library(<target> [sources]): static, or shared with GROUSER_SHARED. A shared one shows what is
# in namespace grouser, and nothing of the libraries that were compiled into it; it calls its own copy
# of an inline function, not that of a program which compiled Eigen otherwise.
function(grouser_library target)
  if(GROUSER_SHARED)
    add_library(${target} SHARED ${ARGN})
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic-functions
      $<$<NOT:$<BOOL:${GROUSER_SANITIZE}>>:-Wl,--no-undefined>)
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports} INSTALL_RPATH "$ORIGIN"
      DEFINE_SYMBOL ""  # nothing asks for it, and a compiler cache would have to look twice
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  else()
    add_library(${target} STATIC ${ARGN})
  endif()
  string(REPLACE "grouser_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(grouser::${name} ALIAS ${target})
  grouser_unity(${target})
endfunction()

# grouser_unity(<target>): up to GROUSER_UNITY files of one folder are compiled as one, once all sources
# of the target are known. Most of a build otherwise goes into reading the same headers again. Every
# file is complete in itself all the same, and names of a room are unique; files with compile options
# of their own stay alone.
function(grouser_unity target)
  if(GROUSER_UNITY)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL grouser_join_files ${target})")
  endif()
endfunction()
function(grouser_join_files target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(home ${target} SOURCE_DIR)
  set(folders "")
  foreach(source ${sources})
    if(source MATCHES "\\.cpp$")
      get_filename_component(source ${source} ABSOLUTE BASE_DIR ${home})
      get_filename_component(folder ${source} DIRECTORY)
      list(APPEND folders ${folder})
      list(APPEND files_of_${folder} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    # Batches of about the same number of files.
    list(LENGTH files_of_${folder} count)
    math(EXPR batches "(${count} + ${GROUSER_UNITY} - 1) / ${GROUSER_UNITY}")
    get_filename_component(room ${folder} NAME)
    set(index 0)
    foreach(file ${files_of_${folder}})
      math(EXPR batch "${index} * ${batches} / ${count}")
      set_source_files_properties(${file} TARGET_DIRECTORY ${target}
        PROPERTIES UNITY_GROUP ${room}_${batch})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A large unit may grow by a share of its size only; then calls in inner loops stay calls, 5 to 12 %
  # more instructions (benchmarks convex and pcm). What is many files may grow like many files.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:--param=large-unit-insns=100000>)
endfunction()

# Plugins: libraries that core opens when something needs them (grouser/base/plugin.h). Programs of
# the build tree find them by their RUNPATH, which an installation takes away.
set(GROUSER_PLUGIN_BUILD_DIR ${PROJECT_BINARY_DIR}/plugins)
set(GROUSER_PLUGIN_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/grouser)
list(APPEND CMAKE_BUILD_RPATH ${GROUSER_PLUGIN_BUILD_DIR})

# What every plugin has a copy of, hidden and without any state.
set(base ${PROJECT_SOURCE_DIR}/grouser/base)
add_library(grouser_plugin_base OBJECT EXCLUDE_FROM_ALL
  ${base}/assert.cpp ${base}/error.cpp ${base}/text.cpp ${base}/text_file.cpp)
set_target_properties(grouser_plugin_base PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(grouser_plugin_base PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(grouser_plugin_base PRIVATE grouser_options)
grouser_unity(grouser_plugin_base)

# grouser_plugin(<name> [FOR_TESTS] USER <target> LIBRARIES <targets> SOURCES <files>):
# grouser_<name>.so, built before <target>, which opens it. One for tests lies beside them, and is
# not installed.
function(grouser_plugin name)
  cmake_parse_arguments(ARG "FOR_TESTS" "USER" "LIBRARIES;SOURCES" ${ARGN})
  add_library(grouser_${name} MODULE ${ARG_SOURCES} $<TARGET_OBJECTS:grouser_plugin_base>)
  set_target_properties(grouser_${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${GROUSER_PLUGIN_BUILD_DIR}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(grouser_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(grouser_${name} PRIVATE grouser_options ${ARG_LIBRARIES})
  # Of a static library that a plugin links, nothing is seen either.
  target_link_options(grouser_${name} PRIVATE -Wl,--exclude-libs,ALL)
  add_dependencies(${ARG_USER} grouser_${name})
  if(ARG_FOR_TESTS)
    set_target_properties(grouser_${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  else()
    set_property(GLOBAL APPEND PROPERTY GROUSER_PLUGINS grouser_${name})
  endif()
endfunction()
