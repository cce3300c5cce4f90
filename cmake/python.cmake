# The Python package: put together in build/.../python, where tests import it, with two modules made of the C header and the JSON schemas. The target
# python_wheel makes a wheel of it that has the library and the command inside.
# Debian's Python, which has Debian's modules, before others on the PATH.
find_program(UNSHADE_PYTHON3 python3 HINTS /usr/bin)
if(NOT UNSHADE_PYTHON3)
  message(STATUS "without python3: no Python package")
  return()
endif()

set(python_source ${PROJECT_SOURCE_DIR}/python)
set(python_made ${PROJECT_BINARY_DIR}/python)
file(GLOB python_modules CONFIGURE_DEPENDS ${python_source}/unshade/*.py ${python_source}/unshade/py.typed)
file(GLOB python_schemas CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/reference/json/*.schema.json)
set(python_outputs)
foreach(module IN LISTS python_modules)
  get_filename_component(name ${module} NAME)
  add_custom_command(OUTPUT ${python_made}/unshade/${name} DEPENDS ${module}
    COMMAND ${CMAKE_COMMAND} -E copy ${module} ${python_made}/unshade/${name} VERBATIM)
  list(APPEND python_outputs ${python_made}/unshade/${name})
endforeach()
foreach(name pyproject.toml setup.py wheel_platform.py)
  add_custom_command(OUTPUT ${python_made}/${name} DEPENDS ${python_source}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${python_source}/${name} ${python_made}/${name} VERBATIM)
  list(APPEND python_outputs ${python_made}/${name})
endforeach()
file(CONFIGURE OUTPUT ${python_made}/version.txt CONTENT "${PROJECT_VERSION}\n")
# The scripts leave a file alone that would not change, so the rule needs a stamp.
set(header ${PROJECT_SOURCE_DIR}/include/unshade/unshade.h)
add_custom_command(OUTPUT ${python_made}/made.stamp
  DEPENDS ${header} ${python_schemas} ${python_source}/tools/interface.py ${python_source}/tools/json_types.py
  COMMAND ${CMAKE_COMMAND} -E make_directory ${python_made}/unshade
  COMMAND ${UNSHADE_PYTHON3} ${python_source}/tools/interface.py ${header} ${python_made}/unshade/_c.py
  COMMAND ${UNSHADE_PYTHON3} ${python_source}/tools/json_types.py ${PROJECT_SOURCE_DIR}/docs/reference/json ${python_made}/unshade/json_types.py
  COMMAND ${CMAKE_COMMAND} -E touch ${python_made}/made.stamp
  VERBATIM)
add_custom_target(python_package ALL DEPENDS ${python_outputs} ${python_made}/made.stamp)

# As Debian's packages have it: with --component python alone.
install(DIRECTORY ${python_made}/unshade DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.py PATTERN py.typed)

if(UNSHADE_BUILD_CLI)
  # Of a copy, so that what tests import is not what setuptools leaves behind.
  set(wheel ${PROJECT_BINARY_DIR}/wheel)
  set(wheel_library libunshade.so)
  set(wheel_command unshade)
  if(WIN32)
    set(wheel_library unshade.dll)
    set(wheel_command unshade.exe)
  endif()
  add_custom_target(python_wheel
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${wheel}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${wheel}/source/unshade/bin
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${python_made}/unshade ${wheel}/source/unshade
    COMMAND ${CMAKE_COMMAND} -E copy ${python_made}/pyproject.toml ${python_made}/setup.py ${python_made}/wheel_platform.py ${python_made}/version.txt ${wheel}/source
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/LICENSE ${wheel}/source
    COMMAND ${CMAKE_STRIP} -o ${wheel}/source/unshade/${wheel_library} $<TARGET_FILE:unshade_c>
    COMMAND ${CMAKE_STRIP} -o ${wheel}/source/unshade/bin/${wheel_command} $<TARGET_FILE:unshade_cli>
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${wheel}/source/unshade/__pycache__
    COMMAND ${CMAKE_COMMAND} -E chdir ${wheel}/source ${UNSHADE_PYTHON3} -m build --wheel --no-isolation --outdir ${wheel} .
    DEPENDS python_package unshade_c unshade_cli
    VERBATIM)
endif()

if(UNSHADE_BUILD_TESTS AND UNSHADE_BUILD_CLI)
  set(environment "UNSHADE_LIBRARY=$<TARGET_FILE:unshade_c>" "UNSHADE_COMMAND=${UNSHADE_TESTED_COMMAND}" "PYTHONPATH=${python_made}" "UNSHADE_SOURCE=${PROJECT_SOURCE_DIR}"
    PYTHONDONTWRITEBYTECODE=1)
  add_test(NAME python_types COMMAND ${UNSHADE_PYTHON3} ${python_source}/tests/types_check.py ${python_made} ${python_source})
  set(python_tests python_types)
  if(CMAKE_CROSSCOMPILING)
    foreach(name package notebook wheel)
      unshade_skipped_test(python_${name} "this machine's Python cannot load a library for ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}")
    endforeach()
  else()
    add_test(NAME python_package COMMAND ${UNSHADE_PYTHON3} -m unittest discover -b -s ${python_source}/tests -t ${python_source}/tests)
    add_test(NAME python_notebook COMMAND ${UNSHADE_PYTHON3} ${python_source}/tests/notebook_check.py)
    add_test(NAME python_wheel COMMAND ${UNSHADE_PYTHON3} ${python_source}/tests/wheel_check.py ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${PROJECT_VERSION})
    list(APPEND python_tests python_package python_notebook python_wheel)
  endif()
  set_tests_properties(${python_tests} PROPERTIES ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77)
endif()
