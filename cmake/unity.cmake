# unshade_unity(TARGET [NAME...]): with UNSHADE_UNITY, 24 files of a target are compiled as one. The checks use it, which build all from
# nothing: what the files include is read once for all, which takes less than half of the time. Other builds do not, so that a change
# compiles one file, and each file is seen to stand by itself. NAMEs are what many of the target's files have, each for itself: such a name
# gets the file's own suffix.
option(UNSHADE_UNITY "compile 24 files as one" OFF)

# UNSHADE_FILE: what stands for the file in the names that it has for itself.
function(unshade_unity target)
  if(NOT UNSHADE_UNITY)
    return()
  endif()
  set(own_names "#define UNSHADE_JOIN_(name, file) name##_##file\n#define UNSHADE_JOIN(name, file) UNSHADE_JOIN_(name, file)\n")
  foreach(name IN LISTS ARGN)
    string(APPEND own_names "#define ${name} UNSHADE_JOIN(${name}, UNSHADE_FILE)\n")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24 UNITY_BUILD_UNIQUE_ID UNSHADE_FILE
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${own_names}")
  # A program would link all of the 24 files where it needs one: by functions, the linker can drop what nothing refers to (-Wl,--gc-sections).
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # What it sees shadowed is mostly another file's. gcc looks at functions only, and does so in the checks too.
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # gcc collects garbage as its heap grows: below half a gigabyte that takes a twentieth of the time and frees next to nothing.
    target_compile_options(${target} PRIVATE --param=ggc-min-expand=200 --param=ggc-min-heapsize=524288)
  endif()
endfunction()
