# syncsniff_add_check(<target> [NAME <name>] [ALL] [FAIL_LEVEL <level>] [ARGS <argument>...])
#
# Adds a target <name> (default: <target>_syncsniff) that checks the sources of <target> with `syncsniff check`; the target
# syncsniff_check checks all of them. Building it fails when there is a finding of FAIL_LEVEL or above (info, low, medium,
# high, never; syncsniff's own default without it). ALL: checked in every build.
#
#   find_package(syncsniff REQUIRED)
#   add_executable(train main.cpp step.cu)
#   syncsniff_add_check(train FAIL_LEVEL high)          # cmake --build build --target train_syncsniff
#
# The check reads compile_commands.json, so nothing is compiled for it. Where sources are generated, or include generated
# headers, say who makes them: add_dependencies(train_syncsniff <target>).

find_program(SYNCSNIFF_EXECUTABLE syncsniff DOC "The program syncsniff"
  HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin ${CMAKE_CURRENT_LIST_DIR}/../../../../bin)

# Targets made from here on write their commands down; find_package() runs in the caller's scope.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Relative sources lie in the folder that the target was made in, or, generated ones, in its build folder.
function(_syncsniff_find_sources target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_folder ${target} SOURCE_DIR)
  get_target_property(build_folder ${target} BINARY_DIR)
  set(found)
  foreach(source IN LISTS sources)
    if(source MATCHES "^[$]<" OR IS_ABSOLUTE "${source}")
      list(APPEND found "${source}")
    elseif(EXISTS "${source_folder}/${source}")
      list(APPEND found "${source_folder}/${source}")
    elseif(source)
      list(APPEND found "${build_folder}/${source}")
    endif()
  endforeach()
  set(checked ${found})
  list(FILTER checked INCLUDE REGEX "^[$]<|[.](c|C|cc|cp|cpp|CPP|cxx|c[+][+]|cu)$")
  if(NOT checked)
    message(FATAL_ERROR "syncsniff_add_check: ${target}: has no C, C++ or CUDA source of its own to check")
  endif()
  set_target_properties(${target} PROPERTIES SYNCSNIFF_SOURCES "${found}")
endfunction()

function(syncsniff_add_check target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "ALL" "NAME;FAIL_LEVEL" "ARGS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "syncsniff_add_check: ${ARG_UNPARSED_ARGUMENTS}: unknown; known are NAME, ALL, FAIL_LEVEL, ARGS")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "syncsniff_add_check: ${target}: no such target; call it after add_executable or add_library")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    message(FATAL_ERROR "syncsniff_add_check: ${target}: is another name of ${aliased}; write that one")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "^Ninja|Makefiles$")
    message(FATAL_ERROR "syncsniff_add_check: the generator ${CMAKE_GENERATOR} writes no compile_commands.json; "
                        "use Ninja or Unix Makefiles")
  endif()
  if(NOT SYNCSNIFF_EXECUTABLE)
    message(FATAL_ERROR "syncsniff_add_check: the program syncsniff was not found; install it, or set SYNCSNIFF_EXECUTABLE")
  endif()
  set(levels info low medium high never)
  if(DEFINED ARG_FAIL_LEVEL AND NOT ARG_FAIL_LEVEL IN_LIST levels)
    message(FATAL_ERROR "syncsniff_add_check: FAIL_LEVEL ${ARG_FAIL_LEVEL}: use info, low, medium, high or never")
  endif()

  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON) # it may have been made before find_package()
  if(NOT ARG_NAME)
    set(ARG_NAME ${target}_syncsniff)
  endif()
  set(always)
  if(ARG_ALL)
    set(always ALL)
  endif()
  set(level)
  if(DEFINED ARG_FAIL_LEVEL)
    set(level --fail-level=${ARG_FAIL_LEVEL})
  endif()
  # target_sources() may add some until the folder's end.
  get_target_property(folder ${target} SOURCE_DIR)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${folder}]] CALL _syncsniff_find_sources [[${target}]])")
  set(sources "$<FILTER:$<TARGET_PROPERTY:${target},SYNCSNIFF_SOURCES>,INCLUDE,[.](c|C|cc|cp|cpp|CPP|cxx|c[+][+]|cu)$>")
  add_custom_target(${ARG_NAME} ${always}
    COMMAND ${SYNCSNIFF_EXECUTABLE} check -p ${CMAKE_BINARY_DIR} ${level} ${ARG_ARGS} -- "${sources}"
    WORKING_DIRECTORY ${folder} COMMAND_EXPAND_LISTS VERBATIM USES_TERMINAL
    COMMENT "syncsniff check: the sources of ${target}")
  if(NOT TARGET syncsniff_check)
    add_custom_target(syncsniff_check)
  endif()
  add_dependencies(syncsniff_check ${ARG_NAME})
endfunction()
