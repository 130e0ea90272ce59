# The library that others link, in two forms made of the same objects as the program:
#   tenon::tenon         libtenon.so; its only names are those of include/tenon
#   tenon::tenon_static  libtenon.a; whoever links it also links fmt, ICU and xxHash
# Installed with headers and package files as the component `library`; `find_package(tenon)` finds it.
include(CMakePackageConfigHelpers)
find_package(ICU REQUIRED COMPONENTS uc)

# Every room below constraint/ is a static library.
set(objects "")
get_property(rooms DIRECTORY constraint PROPERTY SUBDIRECTORIES)
foreach(room IN LISTS rooms)
  get_property(targets DIRECTORY ${room} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endif()
  endforeach()
endforeach()

function(tenon_library_form target type)
  add_library(${target} ${type} ${objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME tenon LINKER_LANGUAGE CXX
                        ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_libraries(${target} PUBLIC tl::expected PRIVATE fmt::fmt ICU::uc xxhash)
endfunction()

tenon_library_form(tenon_shared SHARED)
target_link_options(tenon_shared PRIVATE LINKER:--no-undefined)
set_target_properties(tenon_shared PROPERTIES EXPORT_NAME tenon VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(tenon::tenon ALIAS tenon_shared)

tenon_library_form(tenon_static STATIC)
add_library(tenon::tenon_static ALIAS tenon_static)

# Both forms, for `cmake --build … --target tenon_libraries`.
add_custom_target(tenon_libraries DEPENDS tenon_shared tenon_static)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
# One export a form: the shared one needs none of what the static one is linked with.
install(TARGETS tenon_shared EXPORT tenon LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(TARGETS tenon_static EXPORT tenon_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(EXPORT tenon FILE tenonTargets.cmake NAMESPACE tenon:: DESTINATION ${package} COMPONENT library)
install(EXPORT tenon_static FILE tenonStaticTargets.cmake NAMESPACE tenon:: DESTINATION ${package} COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        FILES_MATCHING PATTERN "*.h")

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/tenonConfig.cmake.in ${CMAKE_BINARY_DIR}/tenonConfig.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_DATADIR)
# Before 1.0 a minor version may change what a program was compiled against.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tenonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tenonConfig.cmake ${CMAKE_BINARY_DIR}/tenonConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)
