# Debian packages by component: `cpack` in a build that was configured as scripts/packages.sh does.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(TARGET unshade_cli AND TARGET unshade_c AND TARGET Python3::Interpreter)
  # The archive of a release.
  string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" system)
  set(docs)
  foreach(root IN LISTS CMAKE_FIND_ROOT_PATH)
    list(APPEND docs --docs ${root}/usr/share/doc)
  endforeach()
  add_custom_target(archive
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/packaging/archive.py ${PROJECT_BINARY_DIR} unshade-${PROJECT_VERSION}-${system} ${docs} --docs /usr/share/doc
      --strip ${CMAKE_STRIP}
    DEPENDS unshade_cli unshade_c
    VERBATIM)
endif()
if(WIN32)
  return()
endif()
set(UNSHADE_MAINTAINER "the unshade authors <maintainers@unshade.invalid>" CACHE STRING "who maintains the packages: NAME <ADDRESS>")
set(debian ${PROJECT_SOURCE_DIR}/packaging/debian)
set(made ${PROJECT_BINARY_DIR}/packaging)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME unshade)
set(CPACK_PACKAGE_VENDOR unshade)
set(CPACK_PACKAGE_CONTACT "${UNSHADE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
# The first line of each component's description is its summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(components command runtime development python)
# The explorer, where it was built: `scripts/explore.sh --build-only build/page`.
set(UNSHADE_PAGE "" CACHE PATH "folder of the built explorer, for the package unshade-page; empty: no such package")
if(UNSHADE_PAGE)
  if(NOT EXISTS ${UNSHADE_PAGE}/index.html)
    message(FATAL_ERROR "UNSHADE_PAGE: ${UNSHADE_PAGE} has no index.html; scripts/explore.sh --build-only FOLDER builds the page")
  endif()
  list(APPEND components page)
  install(DIRECTORY ${UNSHADE_PAGE}/ DESTINATION share/unshade/page COMPONENT page EXCLUDE_FROM_ALL)
endif()
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME unshade)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "git, python3-unshade")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "takes compiled shaders apart
unshade disassembles, reflects, validates, compares, edits, assembles, runs
and tests compiled shaders, and draws with them, without a vendor's compiler
or a GPU: DXBC (Direct3D 10 and 11), DXIL (Direct3D 12), SPIR-V, SHBIN
(Nintendo 3DS) and VBC (Vega). It finds them in any files and archives.

This package has the command, its manual page, completions, documentation,
and the types of these files for file(1) and desktops.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libunshade${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "library for compiled shaders
The C interface of unshade, which opens, lists, reflects, validates, compares,
edits, assembles and runs compiled shaders of Direct3D, Vulkan, the Nintendo
3DS and Vega.

This package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libunshade-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libunshade${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "unshade")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "library for compiled shaders (development files)
unshade opens, lists, reflects, validates, compares, edits, assembles and
runs compiled shaders of Direct3D, Vulkan, the Nintendo 3DS and Vega.

This package has the headers for C and C++20, the static libraries, and files
for CMake and pkg-config.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-unshade)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, libunshade${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "unshade")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "compiled shaders opened, listed and edited (Python 3)
unshade opens, lists, reflects, validates, compares, edits, assembles and
runs compiled shaders of Direct3D, Vulkan, the Nintendo 3DS and Vega.

This package has the Python package, with types.")

set(CPACK_DEBIAN_PAGE_PACKAGE_NAME unshade-page)
set(CPACK_DEBIAN_PAGE_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PAGE_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PAGE_PACKAGE_SUGGESTS "python3 | httpd, unshade")
set(CPACK_COMPONENT_PAGE_DESCRIPTION "compiled shaders in a browser
The explorer of unshade shows every byte of a shader beside its listing,
compares and edits shaders, steps through their runs and draws with them:
DXBC, DXIL, SPIR-V, SHBIN and VBC. Nothing is uploaded.

This package has a folder of static files for any web server.")

# ---- what Debian's policy asks for besides ----

find_program(UNSHADE_GZIP gzip)
find_program(UNSHADE_GENSYMBOLS dpkg-gensymbols)
if(NOT UNSHADE_GZIP)
  return()
endif()
# The date of the changelog: that of the commit, or the one that reproducible builds state.
find_package(Git QUIET)
set(seconds $ENV{SOURCE_DATE_EPOCH})
if(seconds STREQUAL "" AND GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(seconds STREQUAL "")
  set(seconds 0)
endif()
set(epoch $ENV{SOURCE_DATE_EPOCH})
set(ENV{SOURCE_DATE_EPOCH} ${seconds})
string(TIMESTAMP UNSHADE_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
if(epoch STREQUAL "")
  unset(ENV{SOURCE_DATE_EPOCH})
else()
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
configure_file(${debian}/changelog.in ${made}/changelog @ONLY)
add_custom_command(OUTPUT ${made}/changelog.gz DEPENDS ${made}/changelog COMMAND ${UNSHADE_GZIP} -9nkf ${made}/changelog VERBATIM)
add_custom_target(unshade_packaging ALL DEPENDS ${made}/changelog.gz)
if(TARGET archive)
  add_dependencies(archive unshade_packaging)
endif()
foreach(component IN LISTS components)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(copyright ${debian}/copyright)
  if(EXISTS ${debian}/${package}.copyright)
    # It also holds what others have written.
    file(READ ${debian}/copyright own)
    file(READ ${debian}/${package}.copyright others)
    set(copyright ${made}/${package}/copyright)
    file(CONFIGURE OUTPUT ${copyright} CONTENT "${own}\n${others}" @ONLY)
  endif()
  # In packages alone.
  install(FILES ${copyright} ${made}/changelog.gz DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  if(EXISTS ${debian}/${package}.lintian-overrides)
    install(FILES ${debian}/${package}.lintian-overrides DESTINATION share/lintian/overrides RENAME ${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${debian}/python/postinst ${debian}/python/prerm)
if(UNSHADE_GENSYMBOLS AND TARGET unshade_c)
  # Every function is of this version: none was released before.
  add_custom_command(TARGET unshade_c POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DGENSYMBOLS=${UNSHADE_GENSYMBOLS} -DPACKAGE=${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} -DVERSION=${PROJECT_VERSION}
      -DLIBRARY=$<TARGET_FILE:unshade_c> -DFOLDER=${made} -P ${PROJECT_SOURCE_DIR}/cmake/symbols.cmake
    VERBATIM)
  # Not by CPack, which would add scripts that call ldconfig beside the trigger.
  file(CONFIGURE OUTPUT ${made}/shlibs
    CONTENT "libunshade ${PROJECT_VERSION_MAJOR} ${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (>= ${PROJECT_VERSION})\n")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${made}/symbols ${made}/shlibs ${debian}/triggers)
endif()
include(CPack)
