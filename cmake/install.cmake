# find_package(unshade) and pkg-config for those who use the library. Components are those of the packages: command (src/cli), runtime (libunshade.so),
# development, and python, which is installed only when it is asked for.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

install(TARGETS unshade unshade_core unshade_dxcontainer unshade_dxbc unshade_dxil unshade_pica unshade_spirv unshade_vbc unshade_ir unshade_texel unshade_vm unshade_draw unshade_shader unshade_write unshade_find unshade_picture unshade_run unshade_scene unshade_suite unshade_amber unshade_present unshade_capi unshade_capi_alone
  EXPORT unshade-targets)
install(DIRECTORY include/unshade DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN system EXCLUDE PATTERN khronos EXCLUDE PATTERN unpack EXCLUDE PATTERN index EXCLUDE PATTERN png EXCLUDE PATTERN document_text EXCLUDE)
install(EXPORT unshade-targets NAMESPACE unshade:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
configure_package_config_file(cmake/unshade-config.cmake.in unshade-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
write_basic_package_version_file(unshade-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/unshade-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
# What help and the headers point at.
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.schema.json PATTERN schema EXCLUDE)
# For file(1) and desktops.
install(FILES packaging/magic/unshade DESTINATION ${CMAKE_INSTALL_DATADIR}/unshade RENAME magic COMPONENT command)
install(DIRECTORY packaging/patterns DESTINATION ${CMAKE_INSTALL_DATADIR}/unshade COMPONENT command)
install(FILES packaging/mime/unshade.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT command)
# What a program in C, whose compiler adds no C++ library, needs beside the archives.
set(UNSHADE_LIBS_PRIVATE)
foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  if(library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
    string(APPEND UNSHADE_LIBS_PRIVATE " -l${library}")
  endif()
endforeach()
if(CMAKE_THREAD_LIBS_INIT)
  string(APPEND UNSHADE_LIBS_PRIVATE " ${CMAKE_THREAD_LIBS_INIT}")
endif()
# Found from where the file lies, so that an installed tree may be moved.
file(RELATIVE_PATH UNSHADE_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" UNSHADE_PREFIX_FROM_PC "${UNSHADE_PREFIX_FROM_PC}")
configure_file(cmake/unshade.pc.in unshade.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(UNSHADE_BUILD_SHARED)
  install(TARGETS unshade_c EXPORT unshade-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  configure_file(cmake/unshade-c.pc.in unshade-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET unshade_khronos)
  # A component of its own, as it needs other libraries: find_package(unshade COMPONENTS khronos), unshade::khronos; or pkg-config unshade-khronos.
  install(TARGETS unshade_khronos EXPORT unshade-khronos-targets)
  install(DIRECTORY include/unshade/khronos DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/unshade)
  install(EXPORT unshade-khronos-targets NAMESPACE unshade:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
  configure_file(cmake/unshade-khronos.pc.in unshade-khronos.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade-khronos.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
# Of rooms that stand on libraries which were compiled with them, only what is linked is installed.
if(TARGET unshade_unpack AND NOT UNSHADE_LIBRARY_SOURCES)
  # Likewise: find_package(unshade COMPONENTS unpack), unshade::unpack and unshade::index. The room system is what they link, and has no headers for others.
  install(TARGETS unshade_unpack unshade_system EXPORT unshade-unpack-targets)
  install(DIRECTORY include/unshade/unpack DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/unshade)
  if(TARGET unshade_index)
    install(TARGETS unshade_index EXPORT unshade-unpack-targets)
    install(DIRECTORY include/unshade/index DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/unshade)
  endif()
  install(EXPORT unshade-unpack-targets NAMESPACE unshade:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
endif()
foreach(room png document_text)
  if(TARGET unshade_${room} AND NOT UNSHADE_LIBRARY_SOURCES)
    # Likewise: find_package(unshade COMPONENTS png document_text), unshade::png and unshade::document_text.
    install(TARGETS unshade_${room} EXPORT unshade-${room}-targets)
    install(DIRECTORY include/unshade/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/unshade)
    install(EXPORT unshade-${room}-targets NAMESPACE unshade:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
  endif()
endforeach()
