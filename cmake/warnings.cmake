# Warnings are errors everywhere.
add_compile_options(-Wall -Wextra -Wpedantic -Werror)
