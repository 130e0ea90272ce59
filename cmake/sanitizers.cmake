# TENON_SANITIZE: empty, "address" (with undefined behaviour), "thread" or "fuzzer" (clang's libFuzzer
# with both of the first). Every object of a build folder gets the same flags, but for tests that
# AddressSanitizer does not watch (precompiled.cmake) and kernels (model/kernels/CMakeLists.txt).
set(TENON_SANITIZE "" CACHE STRING "Sanitizer of this build folder: address, thread, fuzzer or empty")
set_property(CACHE TENON_SANITIZE PROPERTY STRINGS "" address thread fuzzer)

if(TENON_SANITIZE STREQUAL "address")
  # Three checks of UBSan are left out: they take a third of the time to compile. AddressSanitizer
  # stops where a null pointer is read or written; objects of a wrong type or size are its to find too.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,vptr,object-size
                      -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
elseif(TENON_SANITIZE STREQUAL "thread")
  # Boost.Asio has fences, which ThreadSanitizer does not model; the locks beside them order memory.
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -Wno-tsan)
  add_link_options(-fsanitize=thread)
elseif(TENON_SANITIZE STREQUAL "fuzzer")
  # Warnings are g++'s to judge.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined -Wno-error)
  add_link_options(-fsanitize=address,undefined)
elseif(TENON_SANITIZE)
  message(FATAL_ERROR "TENON_SANITIZE is '${TENON_SANITIZE}'; it may be address, thread, fuzzer or empty")
endif()
if(TENON_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of variables in inlined library code that it instrumented itself.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
