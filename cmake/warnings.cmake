# Warnings are errors everywhere.
add_compile_options(-Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)  # g++ 12 warns of overlaps that cannot be (GCC bug 105651)
endif()
