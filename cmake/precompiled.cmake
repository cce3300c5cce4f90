# unshade_precompiled(TARGET HEADER...): with UNSHADE_PRECOMPILE, what most files of a target include is compiled once. The checks use it, which build all from
# nothing; other builds do not, so that ccache works well and each file is seen to include what it needs.
option(UNSHADE_PRECOMPILE "precompile the headers that most files include" OFF)

set(UNSHADE_COMMON_HEADERS <algorithm> <array> <bit> <charconv> <cstddef> <cstdint> <cstring> <map> <memory> <optional> <set> <span> <string> <string_view>
  <type_traits> <unordered_map> <utility> <vector> <unshade/core/result.hpp> <unshade/core/text.hpp> <unshade/core/tree.hpp> <unshade/core/view.hpp>)

# The first target of a kind compiles the headers, those after it take its file: all of a kind have the same flags.
function(unshade_precompiled target kind)
  # gcc 12 forgets with precompiled headers which of them are the system's, and warns of what optimisation makes of std::string: only for
  # what is compiled without.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  if((kind STREQUAL test AND UNSHADE_QUICK_TESTS) OR " ${CMAKE_CXX_FLAGS_${configuration}} " MATCHES " -O0 ")
    set(optimised OFF)
  else()
    set(optimised ON)
  endif()
  if(NOT UNSHADE_PRECOMPILE OR (CMAKE_CXX_COMPILER_ID STREQUAL GNU AND optimised))
    return()
  endif()
  # A library is compiled as position independent, a program as position independent for programs: two kinds of flags.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    string(APPEND kind _program)
  endif()
  get_property(first GLOBAL PROPERTY unshade_precompiled_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${UNSHADE_COMMON_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY unshade_precompiled_${kind} ${target})
  endif()
endfunction()
