# Precompiled headers: three quarters of the time of an ordinary source go into parsing the standard
# library, Boost's containers and GoogleTest. Each set is compiled once a build folder; the targets of
# a folder that calls tenon_precompile(SET target…) reuse it.
option(TENON_PRECOMPILED_HEADERS "Parse the headers that most sources include once" ON)

set(TENON_STANDARD_HEADERS
    <algorithm> <array> <bit> <cassert> <cstddef> <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span>
    <stop_token> <string> <string_view> <tuple> <unordered_map> <utility> <vector>
    <tl/expected.hpp>)
set(TENON_CONTAINER_HEADERS <boost/container/small_vector.hpp> <boost/unordered/unordered_flat_map.hpp>)

# A library of one empty source that carries the set NAME of headers.
function(tenon_precompiled_set name)
  if(NOT TENON_PRECOMPILED_HEADERS)
    return()
  endif()
  set(empty ${CMAKE_BINARY_DIR}/precompiled_${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "// carries precompiled headers\n")
  add_library(tenon_precompiled_${name} OBJECT ${empty})
  target_precompile_headers(tenon_precompiled_${name} PRIVATE ${ARGN})
endfunction()

function(tenon_precompile name)
  if(NOT TENON_PRECOMPILED_HEADERS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM tenon_precompiled_${name})
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

# constraint/ is compiled position independent (constraint/CMakeLists.txt), all else is not: the compiler
# takes a precompiled header only under the setting that it was made with.
tenon_precompiled_set(constraint ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS})
if(TARGET tenon_precompiled_constraint)
  set_target_properties(tenon_precompiled_constraint PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
tenon_precompiled_set(json ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} <nlohmann/json.hpp>)
if(TENON_BUILD_TESTS)
  find_package(GTest REQUIRED)
  tenon_precompiled_set(tests ${TENON_STANDARD_HEADERS} ${TENON_CONTAINER_HEADERS} <gmock/gmock.h>
                        <gtest/gtest.h>)
  if(TARGET tenon_precompiled_tests)
    target_link_libraries(tenon_precompiled_tests PRIVATE GTest::gmock)  # for its definitions
  endif()
endif()
