# The room capi: include/unshade/unshade.h for C. Static beside the other rooms; with UNSHADE_BUILD_SHARED also libunshade.so, which holds all
# rooms and shows nothing but the C interface.
unshade_room(capi LINKS shader)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/capi/object.cpp APPEND PROPERTY COMPILE_DEFINITIONS UNSHADE_VERSION="${PROJECT_VERSION}")

if(UNSHADE_BUILD_SHARED)
  file(GLOB capi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/capi/*.cpp)
  add_library(unshade_c SHARED ${capi_sources})
  add_library(unshade::c ALIAS unshade_c)
  set_target_properties(unshade_c PROPERTIES OUTPUT_NAME unshade EXPORT_NAME c VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(unshade_c
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(unshade_c PRIVATE -fno-rtti)
  target_compile_definitions(unshade_c PRIVATE UNSHADE_BUILDING INTERFACE UNSHADE_SHARED)
  target_link_libraries(unshade_c PRIVATE $<BUILD_INTERFACE:unshade_shader>)
  unshade_options(unshade_c)
  if(NOT APPLE AND NOT WIN32)
    target_link_options(unshade_c PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/unshade.map)
    set_property(TARGET unshade_c APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/unshade.map)
  endif()
endif()
