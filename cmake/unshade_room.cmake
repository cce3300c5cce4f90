# A build from nothing that nobody looks at for warnings takes less time without.
option(UNSHADE_WARNINGS "ask the compiler for warnings" ON)

# unshade_room(NAME [LINKS ROOM...] [WITHOUT REGEX...]): one room of the library as a static target, from include/unshade/NAME and those src/NAME/**.cpp
# that no REGEX matches.
function(unshade_options target)
  if(UNSHADE_WARNINGS)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # libstdc++ 12's own std::stable_sort calls what it marks as deprecated
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # At -O3 gcc 12 warns of copies that overlap inside std::string's own operator+ and insert(), where none do (gcc's bug 105651).
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Wno-restrict>)
  endif()
  if(UNSHADE_WASM)
    # Sizes and differences of pointers have 32 bits there: what adds a count of 32 bits to one changes its sign, and an index is cut: its bounds
    # have to be checked in 64 bits, of which the warning reminds.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion -Wno-error=shorten-64-to-32)
  endif()
  if(UNSHADE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(UNSHADE_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${UNSHADE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${UNSHADE_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND UNSHADE_SANITIZE MATCHES address)
      # Compiling takes two thirds of the time so: the address sanitizer finds what these two find, and checks by calls.
      target_compile_options(${target} PUBLIC -fno-sanitize=null,object-size PRIVATE "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
    endif()
    # What links the library is compiled with RTTI, by which UBSan finds the type of an object with virtual functions. Those that the library made, such as
    # the control block of a std::shared_ptr, have none.
    target_compile_options(${target} INTERFACE -fno-sanitize=vptr)
  endif()
endfunction()

function(unshade_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;WITHOUT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  foreach(regex IN LISTS ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX ${regex})
  endforeach()
  set(target unshade_${name})
  add_library(${target} STATIC ${sources})
  add_library(unshade::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # The library proper: no exceptions across its surface, no RTTI.
  target_compile_options(${target} PRIVATE -fno-rtti)
  unshade_options(${target})
  unshade_precompiled(${target} room)
  unshade_unity(${target})
  foreach(room IN LISTS ROOM_LINKS)
    target_link_libraries(${target} PUBLIC unshade_${room})
  endforeach()
endfunction()
