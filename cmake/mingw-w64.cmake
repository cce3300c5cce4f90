# Toolchain of 64-bit Windows: Debian's mingw-w64 with posix threads, lld 19, and wine, which runs what was built (scripts/windows.sh). Programs and DLLs need
# nothing but Windows' own libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# Windows 10.
set(CMAKE_SYSTEM_VERSION 10.0)

set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Files may be larger than 2 GiB.
set(definitions "-D_FILE_OFFSET_BITS=64 -D_WIN32_WINNT=0x0A00")
set(CMAKE_C_FLAGS_INIT ${definitions})
# Square roots by the processor's instruction: the C library's rounds twice, and errno is why gcc would call it.
set(CMAKE_CXX_FLAGS_INIT "${definitions} -fno-math-errno")
# binutils takes minutes for what lld links in a second. No time stamp in what is linked, so that the same comes out of the same.
set(link "-static -B/usr/lib/llvm-19/bin -fuse-ld=lld -Wl,--no-insert-timestamp")
set(CMAKE_EXE_LINKER_FLAGS_INIT ${link})
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${link})
set(CMAKE_MODULE_LINKER_FLAGS_INIT ${link})

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(UNSHADE_WINE NAMES wine wine64)
if(UNSHADE_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${UNSHADE_WINE})
endif()
