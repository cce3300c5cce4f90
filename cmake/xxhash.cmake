# XXH3 in the room find, where xxHash's header is found (Debian: libxxhash-dev). Its functions are compiled in: nothing is linked.
option(UNSHADE_WITH_XXHASH "name shaders by XXH3 where xxHash is found" ON)
if(UNSHADE_WITH_XXHASH)
  include(CheckIncludeFileCXX)
  check_include_file_cxx(xxhash.h UNSHADE_FOUND_XXHASH)
  if(UNSHADE_FOUND_XXHASH)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/find/xxh3.cpp TARGET_DIRECTORY unshade_find APPEND PROPERTY COMPILE_DEFINITIONS UNSHADE_HAS_XXHASH)
    # Its macros stay in one file.
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/find/xxh3.cpp TARGET_DIRECTORY unshade_find PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  else()
    message(STATUS "without xxHash: no identity xxh3, no index")
  endif()
endif()
