# What a package has beside the program: man page, completions of shells, a user unit, editors' files where each editor looks for
# them. `cpack --config build/release/CPackConfig.cmake` makes a Debian package and a tarball; tools/build_wheel a wheel for PyPI.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(documents ${CMAKE_BINARY_DIR}/package)
set(writers ${CMAKE_SOURCE_DIR}/tools/package)
# The program's own help is what they are made from.
add_custom_command(
  OUTPUT ${documents}/tenon.1 ${documents}/tenon.bash ${documents}/_tenon ${documents}/tenon.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}
  COMMAND ${Python3_EXECUTABLE} -B ${writers}/man_page.py $<TARGET_FILE:tenon> ${PROJECT_VERSION} > ${documents}/tenon.1
  COMMAND ${Python3_EXECUTABLE} -B ${writers}/completions.py bash $<TARGET_FILE:tenon> > ${documents}/tenon.bash
  COMMAND ${Python3_EXECUTABLE} -B ${writers}/completions.py zsh $<TARGET_FILE:tenon> > ${documents}/_tenon
  COMMAND ${Python3_EXECUTABLE} -B ${writers}/completions.py fish $<TARGET_FILE:tenon> > ${documents}/tenon.fish
  DEPENDS tenon ${writers}/command_help.py ${writers}/man_page.py ${writers}/completions.py
  VERBATIM)
add_custom_target(tenon_manual ALL DEPENDS ${documents}/tenon.1)

install(FILES ${documents}/tenon.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${documents}/tenon.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tenon)
install(FILES ${documents}/_tenon DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${documents}/tenon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES tools/package/tenon.service DESTINATION lib/systemd/user)

# For an editor's own search: `:packadd tenon`, `(require 'tenon)`. Plugin managers take share/tenon/editors.
install(DIRECTORY editors/neovim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nvim/site/pack/tenon/opt/tenon)
install(DIRECTORY editors/emacs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/emacs/site-lisp FILES_MATCHING PATTERN "*.el")
# Made by tools/build_vsix, where it was.
install(FILES ${CMAKE_SOURCE_DIR}/build/vscode/tenon.vsix DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon/editors OPTIONAL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME tenon)
set(CPACK_PACKAGE_VENDOR "the tenon authors")
set(CPACK_PACKAGE_CONTACT "the tenon authors <tenon@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "code completions that parse, from a local model")
set(CPACK_PACKAGE_DESCRIPTION "A language server. It splits the text at the cursor, lets a local model write what stands between both
sides, and offers only what the grammar of the language takes there. Models are fetched by `tenon model pull`.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# The program and its data; the library for other programs is the component `library`.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};tenon;Unspecified;/;${CMAKE_BINARY_DIR};tenon;grammars;/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${TENON_MODULES_DIR})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-venv")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "neovim, emacs")
include(CPack)
