# Tests of a build for another machine, whose programs run by an emulator (CMAKE_CROSSCOMPILING_EMULATOR). Programs that CMake's tests start run by it as they
# are; scripts that start the command get a script of that name.
set(UNSHADE_TESTED_COMMAND $<TARGET_FILE:unshade_cli>)
set(UNSHADE_TIMEOUT_FACTOR 1)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(UNSHADE_TIMEOUT_FACTOR 10)
  # Python is this machine's: the emulator does not run it.
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(TARGET Python3::Interpreter)
    set_property(TARGET Python3::Interpreter PROPERTY CROSSCOMPILING_EMULATOR "")
  endif()
  if(TARGET unshade_cli)
    set(UNSHADE_TESTED_COMMAND ${PROJECT_BINARY_DIR}/emulated/unshade)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" words)
    file(GENERATE OUTPUT ${UNSHADE_TESTED_COMMAND} CONTENT "#!/bin/sh\nexec '${words}' '$<TARGET_FILE:unshade_cli>' \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endif()

# unshade_timeout(VARIABLE SECONDS): how long a test may take that takes less than SECONDS on this machine.
function(unshade_timeout variable seconds)
  math(EXPR scaled "${seconds} * ${UNSHADE_TIMEOUT_FACTOR}")
  set(${variable} ${scaled} PARENT_SCOPE)
endfunction()

# unshade_skipped_test(NAME REASON): a test that the emulator cannot run, reported as skipped.
function(unshade_skipped_test name reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()
