# Warnings are errors everywhere.
add_compile_options(-Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of overlaps and of sizes that cannot be (GCC bugs 105651 and 105329); the second in the standard library's headers,
  # which it no longer knows for the system's own when they are precompiled.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread)
endif()
