# tree-sitter, from the sources that tools/setup_sources fetches:
#   tenon_tree_sitter   the library, static and with hidden symbols
#   tenon_syntaxes      one loadable module for each language of tools/syntaxes.txt: NAME.so with the function
#                       tree_sitter_NAME. server/syntax loads a module when a file needs it.
# A parser is table data, which no optimisation makes faster: -O1 compiles all in half a minute.
enable_language(C)
set(CMAKE_C_STANDARD 11)
if(TENON_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${TENON_CCACHE})
endif()
set(TENON_TREE_SITTER_DIR "${TENON_DEPS}/tree-sitter-0.26.1")
set(TENON_GRAMMARS_DIR "${TENON_DEPS}/tree-sitter-grammars-0.13.0")
# Where the modules lie: the folder syntax/ of the build, share/tenon/syntax of an installation.
set(TENON_SYNTAX_DIR "${CMAKE_BINARY_DIR}/syntax")

foreach(needed "${TENON_TREE_SITTER_DIR}/src/lib.c" "${TENON_GRAMMARS_DIR}/python/src/parser.c")
  if(NOT EXISTS "${needed}")
    message(FATAL_ERROR "${needed} is not there. Run tools/setup, which fetches it once, "
                        "or name by -DTENON_DEPS=FOLDER where it lies.")
  endif()
endforeach()

add_library(tenon_tree_sitter STATIC "${TENON_TREE_SITTER_DIR}/src/lib.c")
target_include_directories(tenon_tree_sitter SYSTEM PUBLIC "${TENON_TREE_SITTER_DIR}/include"
                           PRIVATE "${TENON_TREE_SITTER_DIR}/src")
target_compile_options(tenon_tree_sitter PRIVATE -w -O2)
set_target_properties(tenon_tree_sitter PROPERTIES C_EXTENSIONS ON C_VISIBILITY_PRESET hidden)

add_custom_target(tenon_syntaxes)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/syntaxes.txt")
file(STRINGS "${CMAKE_SOURCE_DIR}/tools/syntaxes.txt" syntaxes REGEX "^[^#]")
foreach(syntax IN LISTS syntaxes)
  string(REGEX MATCH "^[^ ]+" name "${syntax}")
  set(folder "${TENON_GRAMMARS_DIR}/${name}/src")
  set(sources "${folder}/parser.c")
  if(EXISTS "${folder}/scanner.c")
    list(APPEND sources "${folder}/scanner.c")
  endif()
  set(module tenon_syntax_${name})
  add_library(${module} MODULE ${sources})
  # C# comes without the headers that every grammar shares; those of HTML are of its version.
  target_include_directories(${module} PRIVATE "${folder}" "${TENON_GRAMMARS_DIR}/html/src")
  if(EXISTS "${CMAKE_SOURCE_DIR}/cmake/${name}")  # what its distribution lacks
    target_include_directories(${module} PRIVATE "${CMAKE_SOURCE_DIR}/cmake/${name}")
  endif()
  target_compile_options(${module} PRIVATE -w -g0 -fno-sanitize=all -O1)
  target_link_options(${module} PRIVATE -s -fno-sanitize=all)
  set_target_properties(${module} PROPERTIES C_EXTENSIONS ON C_VISIBILITY_PRESET hidden PREFIX "" OUTPUT_NAME ${name}
                        LIBRARY_OUTPUT_DIRECTORY "${TENON_SYNTAX_DIR}")
  set_source_files_properties("${folder}/scanner.c" PROPERTIES COMPILE_OPTIONS -O2)
  add_dependencies(tenon_syntaxes ${module})
  install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon/syntax)
endforeach()
