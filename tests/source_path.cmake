# Where tests find the checkout and the built parsers (source_path.h).
include_guard()
add_library(tenon_source_path STATIC ${CMAKE_CURRENT_LIST_DIR}/source_path.cpp)
target_compile_definitions(tenon_source_path
  PRIVATE TENON_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TENON_BUILT_SYNTAXES="${TENON_SYNTAX_DIR}")
