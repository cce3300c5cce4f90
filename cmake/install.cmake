# find_package(unshade) and pkg-config for those who use the library.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS unshade unshade_core unshade_dxcontainer unshade_dxbc unshade_dxil unshade_pica unshade_spirv unshade_vbc unshade_shader unshade_capi
  EXPORT unshade-targets)
install(DIRECTORY include/unshade DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT unshade-targets NAMESPACE unshade:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
configure_package_config_file(cmake/unshade-config.cmake.in unshade-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
write_basic_package_version_file(unshade-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/unshade-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/unshade)
# Found from where the file lies, so that an installed tree may be moved.
file(RELATIVE_PATH UNSHADE_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" UNSHADE_PREFIX_FROM_PC "${UNSHADE_PREFIX_FROM_PC}")
configure_file(cmake/unshade.pc.in unshade.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(UNSHADE_BUILD_SHARED)
  install(TARGETS unshade_c EXPORT unshade-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(cmake/unshade-c.pc.in unshade-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unshade-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
