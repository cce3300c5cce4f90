# The room khronos: SPIRV-Tools' validator and SPIRV-Cross' decompiler behind functions of our own, where they are found (Debian: spirv-tools,
# libspirv-cross-c-shared-dev). The library proper builds without.
option(UNSHADE_WITH_KHRONOS "use SPIRV-Tools and SPIRV-Cross where they are found" ON)
if(UNSHADE_WITH_KHRONOS)
  find_package(SPIRV-Tools QUIET)
  # Static, so that the command starts without looking for it.
  foreach(library core glsl cpp reflect msl hlsl c)
    find_package(spirv_cross_${library} QUIET)
  endforeach()
  if(TARGET SPIRV-Tools-static AND TARGET spirv-cross-c)
    unshade_room(khronos LINKS spirv)
    target_link_libraries(unshade_khronos PRIVATE SPIRV-Tools-static spirv-cross-c)
  else()
    message(STATUS "without SPIRV-Tools and SPIRV-Cross: decompile writes no MSL, and validate does not ask spirv-val")
  endif()
endif()
