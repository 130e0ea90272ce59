# The library sentencepiece, static and with hidden symbols, as tools/setup_sources builds it:
#   tenon_sentencepiece   for the one source that includes its header (model/text)
# It carries a protobuf-lite of its own, which libtorch's protobuf must not meet: the program would end before main.
if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(TENON_DEPS_DEFAULT "$ENV{XDG_CACHE_HOME}/tenon/deps")
else()
  set(TENON_DEPS_DEFAULT "$ENV{HOME}/.cache/tenon/deps")
endif()
set(TENON_DEPS "${TENON_DEPS_DEFAULT}" CACHE PATH "Where tools/setup puts the libraries that it builds")
set(TENON_SENTENCEPIECE_VERSION 0.2.1)

set(TENON_SENTENCEPIECE_DIR "${TENON_DEPS}/sentencepiece-${TENON_SENTENCEPIECE_VERSION}")
if(NOT EXISTS "${TENON_SENTENCEPIECE_DIR}/lib/libsentencepiece.a")
  message(FATAL_ERROR "${TENON_SENTENCEPIECE_DIR}/lib/libsentencepiece.a is not there. Run tools/setup, which fetches and builds it once, "
                      "or name by -DTENON_DEPS=FOLDER where it lies.")
endif()
add_library(tenon_sentencepiece STATIC IMPORTED GLOBAL)
set_target_properties(tenon_sentencepiece PROPERTIES
  IMPORTED_LOCATION "${TENON_SENTENCEPIECE_DIR}/lib/libsentencepiece.a"
  INTERFACE_INCLUDE_DIRECTORIES "${TENON_SENTENCEPIECE_DIR}/include")
target_link_libraries(tenon_sentencepiece INTERFACE Threads::Threads)
target_link_options(tenon_sentencepiece INTERFACE LINKER:--exclude-libs,ALL)
