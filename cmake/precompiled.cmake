# Two ways to a shorter build from nothing. Both can be switched off; switches are remembered in the build folder.
#
# Unity builds: the sources of a library are compiled ten at a time, as if one file included them. What they share,
# templates of the standard library above all, is made once. Half of the time from nothing; a change of one source
# costs the time of ten. So names in anonymous namespaces differ within a library. ThreadSanitizer's preset compiles
# each source by itself: the gate finds includes that are missing in what it builds.
option(TENON_UNITY_BUILD "Compile the sources of a library ten at a time" ON)
set(TENON_UNITY ${TENON_UNITY_BUILD})
if(TENON_SANITIZE MATCHES "thread|fuzzer")
  set(TENON_UNITY OFF)
endif()
if(TENON_UNITY)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
  # g++ warns of classes in a file that is not the one it was called with.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# The libraries of the calling folder and of those below it, from here on.
macro(tenon_unity_build on)
  if(TENON_UNITY)
    set(CMAKE_UNITY_BUILD ${on})
  endif()
endmacro()

# Precompiled headers: three quarters of the time of an ordinary source go into parsing the standard
# library, Boost's containers and GoogleTest. Each set is compiled once a build folder; the targets of
# a folder that calls tenon_precompile(SET target…) reuse it.
option(TENON_PRECOMPILED_HEADERS "Parse the headers that most sources include once" ON)

set(TENON_STANDARD_HEADERS
    <algorithm> <array> <bit> <cassert> <cstddef> <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span>
    <stop_token> <string> <string_view> <tuple> <unordered_map> <utility> <vector>
    <tl/expected.hpp>)
set(TENON_CONTAINER_HEADERS <boost/container/small_vector.hpp> <boost/unordered/unordered_flat_map.hpp>)

# tenon_precompiled_set(NAME [LIBS lib…] [OPTIONS option…] HEADERS header…): a library of one empty source
# that carries the set NAME. The compiler takes a precompiled header only under the settings that it was made
# with: so the options and the libraries (for their definitions) come with the set to every target that uses it.
function(tenon_precompiled_set name)
  cmake_parse_arguments(arg "" "" "LIBS;OPTIONS;HEADERS" ${ARGN})
  set(TENON_SET_LIBS_${name} "${arg_LIBS}" PARENT_SCOPE)
  set(TENON_SET_OPTIONS_${name} "${arg_OPTIONS}" PARENT_SCOPE)
  if(NOT TENON_PRECOMPILED_HEADERS)
    return()
  endif()
  set(empty ${CMAKE_BINARY_DIR}/precompiled_${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "// carries precompiled headers\n")
  add_library(tenon_precompiled_${name} OBJECT ${empty})
  target_link_libraries(tenon_precompiled_${name} PRIVATE ${arg_LIBS})
  target_compile_options(tenon_precompiled_${name} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(tenon_precompiled_${name} PRIVATE ${arg_HEADERS})
endfunction()

function(tenon_precompile name)
  foreach(target IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE ${TENON_SET_LIBS_${name}})
    target_compile_options(${target} PRIVATE ${TENON_SET_OPTIONS_${name}})
    if(TENON_PRECOMPILED_HEADERS)
      target_precompile_headers(${target} REUSE_FROM tenon_precompiled_${name})
    endif()
  endforeach()
endfunction()

# Every library and program of the calling folder.
function(tenon_precompile_folder name)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "EXECUTABLE")
      tenon_precompile(${name} ${target})
    endif()
  endforeach()
endfunction()

# ThreadSanitizer watches the server. The engine starts no thread and is most of what the server links.
set(unthreaded "")
if(TENON_SANITIZE STREQUAL "thread")
  set(unthreaded -fno-sanitize=thread -O0 -g0)
endif()
# constraint/ is compiled position independent (constraint/CMakeLists.txt), all else is not.
tenon_precompiled_set(constraint
  OPTIONS ${unthreaded}
  HEADERS ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS})
if(TARGET tenon_precompiled_constraint)
  set_target_properties(tenon_precompiled_constraint PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
tenon_precompiled_set(json HEADERS ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} <nlohmann/json.hpp>)
set(TENON_SERVER_HEADERS <chrono> <filesystem> <fmt/format.h> <nlohmann/json.hpp> <spdlog/logger.h>)
tenon_precompiled_set(server
  LIBS nlohmann_json::nlohmann_json spdlog::spdlog fmt::fmt
  HEADERS ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} ${TENON_SERVER_HEADERS})
if(TENON_BUILD_TESTS)
  find_package(GTest REQUIRED)
  # AddressSanitizer watches the code under test. Checks in the tests' own code and in their oracles would
  # take two thirds of the time to compile them. They know by TENON_ADDRESS_SANITIZER that it watches.
  set(unwatched "")
  if(TENON_SANITIZE STREQUAL "address")
    set(unwatched -fno-sanitize=all -DTENON_ADDRESS_SANITIZER)
  endif()
  tenon_precompiled_set(tests
    LIBS GTest::gmock
    OPTIONS ${unwatched}
    HEADERS ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  # Tests that wait more than they compute: half of the time that they take to compile is optimisation.
  tenon_precompiled_set(server_tests
    LIBS GTest::gmock nlohmann_json::nlohmann_json spdlog::spdlog fmt::fmt
    OPTIONS -O0
    HEADERS ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} ${TENON_SERVER_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
endif()
