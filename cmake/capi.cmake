# The room capi: include/unshade/unshade.h for C. Static beside the other rooms; with UNSHADE_BUILD_SHARED also libunshade.so, which is linked from
# the rooms' archives and shows nothing but the C interface.
unshade_room(capi LINKS present find suite shader)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/capi/object.cpp APPEND PROPERTY COMPILE_DEFINITIONS UNSHADE_VERSION="${PROJECT_VERSION}")

if(UNSHADE_BUILD_SHARED)
  # What the header needs on Windows to say dllexport; says nothing elsewhere.
  target_compile_definitions(unshade_capi PRIVATE UNSHADE_BUILDING UNSHADE_SHARED)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unshade_c.cpp CONTENT "// libunshade is the rooms; some generators want a source.\n")
  add_library(unshade_c SHARED ${PROJECT_BINARY_DIR}/unshade_c.cpp)
  add_library(unshade::c ALIAS unshade_c)
  # The interface keeps what it has (structs grow by struct_size, enumerators keep their numbers), so minor versions share a SONAME.
  set_target_properties(unshade_c PROPERTIES OUTPUT_NAME unshade EXPORT_NAME c VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(unshade_c INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(unshade_c INTERFACE UNSHADE_SHARED)
  # All of capi; of the other rooms what it uses.
  target_link_libraries(unshade_c PRIVATE $<BUILD_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,unshade_capi>>)
  unshade_options(unshade_c)
  if(NOT APPLE AND NOT WIN32)
    target_link_options(unshade_c PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/unshade.map)
    set_property(TARGET unshade_c APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/unshade.map)
  endif()
endif()
