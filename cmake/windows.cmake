# Windows, by mingw-w64.
enable_language(RC)
set(CMAKE_RC_FLAGS_DEBUG "")
set(CMAKE_RC_FLAGS_RELWITHDEBINFO "")
set(CMAKE_RC_FLAGS_RELEASE "")

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # In unity builds an object has more than 65,279 sections: each function is one.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wa,-mbig-obj>)
  # gcc takes the stack for aligned to 32 and 64 bytes where Windows aligns it to 16 (its bug 54412), so that AVX's aligned moves fault. Debian's gcc emits
  # unaligned ones itself; elsewhere the assembler, from binutils 2.38 on, does.
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-Wa,-muse-unaligned-vector-move UNSHADE_HAS_UNALIGNED_VECTOR_MOVE)
  if(UNSHADE_HAS_UNALIGNED_VECTOR_MOVE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wa,-muse-unaligned-vector-move>)
  endif()
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # As gcc's libstdc++ has its objects for std::call_once.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-femulated-tls>)
endif()

# CMake's own words for it, --push-state and --pop-state, are not among lld's.
set(CMAKE_CXX_LINK_LIBRARY_USING_WHOLE_ARCHIVE "LINKER:--whole-archive" "<LINK_ITEM>" "LINKER:--no-whole-archive")
set(CMAKE_CXX_LINK_LIBRARY_USING_WHOLE_ARCHIVE_SUPPORTED TRUE)

# unshade_version_resource(TARGET FILE [MANIFEST]): the version that Explorer shows of FILE, and the manifest of a program.
function(unshade_version_resource target file)
  set(UNSHADE_RESOURCE_FILE ${file})
  string(REPLACE "." "," UNSHADE_RESOURCE_VERSION ${PROJECT_VERSION},0)
  set(UNSHADE_RESOURCE_TYPE VFT_DLL)
  set(UNSHADE_RESOURCE_MANIFEST)
  if(ARGC GREATER 2)
    set(UNSHADE_RESOURCE_TYPE VFT_APP)
    set(UNSHADE_RESOURCE_MANIFEST "1 24 \"${ARGV2}\"")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/windows/version.rc.in ${PROJECT_BINARY_DIR}/${file}.rc @ONLY)
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/${file}.rc)
endfunction()
