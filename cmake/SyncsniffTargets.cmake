# Target helpers: every target of the project is made here, so that warnings, sanitizers and include roots are one fact.
find_program(SYNCSNIFF_CCACHE ccache)
if(SYNCSNIFF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this ccache keeps nothing that was compiled with a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SYNCSNIFF_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Half of a source's compile time goes into headers that many have in common. Sources still include what they use:
# built with OFF, one that does not fails.
option(SYNCSNIFF_PRECOMPILED_HEADERS "Precompile what many sources include: the standard library, GoogleTest" ON)

# The runtime is linked in: the shared one refuses to start where the user preloads a library, as tests of `run` do.
set(sanitizer_runtime)
if(SYNCSNIFF_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # Clang's is linked in by default
  set(sanitizer_runtime -static-libasan)
endif()

# By itself UBSan prints and goes on; a test must fail.
set(sanitizer_options -fsanitize=${SYNCSNIFF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
if(SYNCSNIFF_ANALYZER)
  list(APPEND sanitizer_options -fno-sanitize=vptr) # LLVM's classes have no type information to compare with
endif()

function(syncsniff_common target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(SYNCSNIFF_SANITIZE)
    target_compile_options(${target} PRIVATE ${sanitizer_options})
    target_link_options(${target} PRIVATE -fsanitize=${SYNCSNIFF_SANITIZE} ${sanitizer_runtime})
  endif()
endfunction()

# syncsniff_precompiled(<target> <header> [OPTIONS...]): the target takes the precompiled header, which is made with these
# compile options, the target's own, on first use.
function(syncsniff_precompiled target header)
  if(NOT SYNCSNIFF_PRECOMPILED_HEADERS)
    return()
  endif()
  get_filename_component(name ${header} NAME_WE)
  set(maker syncsniff_precompiled_${name})
  if(NOT TARGET ${maker})
    add_library(${maker} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled/${name}.cpp)
    syncsniff_common(${maker})
    target_compile_options(${maker} PRIVATE ${ARGN})
    if(name STREQUAL "testing")
      target_link_libraries(${maker} PRIVATE GTest::gtest nlohmann_json::nlohmann_json)
    endif()
    target_precompile_headers(${maker} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${header})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${maker})
endfunction()

# OWN_HEADER: the target has a precompiled header or compile options of its own.
function(syncsniff_library target)
  cmake_parse_arguments(ARG "OWN_HEADER" "" "SOURCES;LIBS" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_link_libraries(${target} PUBLIC ${ARG_LIBS})
  syncsniff_common(${target})
  if(NOT ARG_OWN_HEADER)
    syncsniff_precompiled(${target} standard.h)
  endif()
endfunction()

# yaml-cpp as an archive where there is one: distributions name the shared one by its version (0.7, 0.8), and a package
# that needs one of them does not install where the other is.
find_library(SYNCSNIFF_YAML_ARCHIVE libyaml-cpp.a)
add_library(syncsniff_yaml INTERFACE)
if(SYNCSNIFF_STATIC_YAML AND SYNCSNIFF_YAML_ARCHIVE)
  target_link_libraries(syncsniff_yaml INTERFACE ${SYNCSNIFF_YAML_ARCHIVE})
  target_include_directories(syncsniff_yaml SYSTEM INTERFACE ${YAML_CPP_INCLUDE_DIR})
else()
  target_link_libraries(syncsniff_yaml INTERFACE yaml-cpp)
endif()

# syncsniff_program(<target> COMPONENT <component> [PART] SOURCES ... LIBS ...)
# PART: users do not start it, the driver does; it is installed away from PATH.
function(syncsniff_program target)
  cmake_parse_arguments(ARG "PART" "COMPONENT" "SOURCES;LIBS" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBS})
  syncsniff_common(${target})
  syncsniff_precompiled(${target} standard.h)
  set(folder ${CMAKE_INSTALL_BINDIR})
  if(ARG_PART)
    set(folder ${CMAKE_INSTALL_LIBEXECDIR}/syncsniff)
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION ${folder} COMPONENT ${ARG_COMPONENT})
endfunction()

# A GoogleTest program whose cases run under ctest, one entry a case.
# SERIAL: its tests look at processors, and no other test may run beside them.
function(syncsniff_test target)
  cmake_parse_arguments(ARG "SERIAL" "" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  syncsniff_common(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # The tests' own code, not what it tests: a third of its compile time goes into making it fast.
  set(options $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  if(SYNCSNIFF_SANITIZE MATCHES "undefined")
    list(APPEND options $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=undefined>) # another third
  endif()
  target_compile_options(${target} PRIVATE ${options})
  syncsniff_precompiled(${target} testing.h ${options})
  target_compile_definitions(${target} PRIVATE
    SYNCSNIFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SYNCSNIFF_BUILD_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES RUN_SERIAL ${ARG_SERIAL} LABELS "${ARG_LABELS}")
endfunction()
if(SYNCSNIFF_TESTS)
  include(GoogleTest)
endif()
