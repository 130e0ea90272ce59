# Writes OUTPUT, which defines kBuildId (constraint/cache/cache_file.h): a hash of the sources below ROOT that
# lay out what is cached, those of constraint/ and the token id, and of COMPILER.
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/constraint/*.h ${ROOT}/constraint/*.cpp
     ${ROOT}/include/tenon/token_id.h)
list(SORT sources)
set(all "${COMPILER}\n")
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 low)
string(SUBSTRING ${hash} 16 16 high)
file(WRITE ${OUTPUT} "#include \"constraint/cache/cache_file.h\"

namespace tenon::constraint {

const BuildId kBuildId{0x${low}, 0x${high}};

}  // namespace tenon::constraint
")
