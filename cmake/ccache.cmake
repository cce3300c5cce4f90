# Compiles through ccache where it is installed. Included by the presets, so that a plain configure stays plain.
find_program(UNSHADE_CCACHE ccache)
if(UNSHADE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${UNSHADE_CCACHE})
endif()
