# The room system: what unpack, index and the command ask of the operating system. One half of it is built: that of POSIX or that of Windows. WebAssembly
# has files, and neither processes nor terminals.
if(WIN32)
  set(without /src/system/posix/ /src/system/wasi/)
elseif(UNSHADE_WASM)
  set(without /src/system/windows/ /src/system/folder.cpp /src/system/path.cpp "/src/system/posix/(changes|child|folder|interruption|path|process|program|replace|scratch|terminal|work_folder)")
else()
  set(without /src/system/windows/ /src/system/wasi/)
endif()
unshade_room(system LINKS core WITHOUT ${without})
if(WIN32)
  target_link_libraries(unshade_system PRIVATE shell32)
endif()
