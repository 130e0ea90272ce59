/* A parser whose tables have a format of the future: their first number is its version. */
static const unsigned kTables[256] = {99};
__attribute__((visibility("default"))) const void* tree_sitter_future(void) { return kTables; }
