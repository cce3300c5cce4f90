# The library as WebAssembly modules: unshade.wasm, the C interface, malloc and free, and nothing of a system; unshade-files.wasm, what unpacks and
# indexes, with the files that web/module/system.js gives it. Only with the toolchain of cmake/wasm32-wasi.cmake.
option(UNSHADE_WASM_OPTIMIZE "have wasm-opt optimise the whole module, which takes a minute" ON)
if(UNSHADE_WASM_OPTIMIZE)
  find_program(UNSHADE_WASM_OPT wasm-opt REQUIRED)
endif()

# What is exported are functions of the header, so that the linker keeps them and what they call.
set(header ${PROJECT_SOURCE_DIR}/include/unshade/unshade.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(STRINGS ${header} declarations REGEX "^UNSHADE_API .*unshade_[a-z0-9_]+\\(")
list(TRANSFORM declarations REPLACE ".*[ *](unshade_[a-z0-9_]+)\\(.*" "\\1" OUTPUT_VARIABLE functions)

# unshade_web_module(TARGET LINKED LIBRARIES LIBRARY... EXPORTS FUNCTION...): a module, linked and not yet optimised.
function(unshade_web_module target linked)
  cmake_parse_arguments(MODULE "" "" "LIBRARIES;EXPORTS" ${ARGN})
  list(APPEND MODULE_EXPORTS malloc free unshade_web_out_of_memory)
  list(TRANSFORM MODULE_EXPORTS PREPEND -Wl,--export=)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/web/module/system.cpp)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${linked} SUFFIX .wasm)
  target_link_libraries(${target} PRIVATE ${MODULE_LIBRARIES})
  # -O0: else the driver of clang 19 runs wasm-opt by itself, which has to be told of the features (its --no-wasm-opt links nothing at all).
  # A stack that overflows runs into the start of the memory and traps: it lies below the data.
  target_link_options(${target} PRIVATE -mexec-model=reactor -O0 -Wl,--gc-sections -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=1048576
    ${MODULE_EXPORTS})
  unshade_options(${target})
endfunction()

unshade_web_module(unshade_web unshade-linked LIBRARIES unshade_capi EXPORTS ${functions})
set(modules unshade_web)
set(names unshade)
if(TARGET unshade_index)
  # Only what unpacks and indexes; chdir() tells wasi-libc where relative paths begin.
  set(exported ${functions})
  list(FILTER exported INCLUDE REGEX "^unshade_(version|error_.*|blob_.*|messages_free|message_.*|open|shader_free|unpack.*|packed_.*|index_.*)$")
  unshade_web_module(unshade_files_web unshade-files-linked LIBRARIES unshade_capi_unpack unshade_capi EXPORTS ${exported} chdir)
  list(APPEND modules unshade_files_web)
  list(APPEND names unshade-files)
endif()

# The npm package, which is also what Node and pages load while working on them.
set(package ${PROJECT_BINARY_DIR}/npm)
configure_file(${PROJECT_SOURCE_DIR}/web/npm/package.json.in ${package}/package.json @ONLY)
set(texts ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/web/npm/README.md ${PROJECT_SOURCE_DIR}/web/npm/cli.js ${PROJECT_SOURCE_DIR}/web/npm/verbs.json
  ${PROJECT_SOURCE_DIR}/web/module/instance.js ${PROJECT_SOURCE_DIR}/web/module/drawing.js ${PROJECT_SOURCE_DIR}/web/module/unshade.js ${PROJECT_SOURCE_DIR}/web/module/unshade.d.ts
  ${PROJECT_SOURCE_DIR}/web/module/json.d.ts)
if(TARGET unshade_files_web)
  list(APPEND texts ${PROJECT_SOURCE_DIR}/web/module/files.js ${PROJECT_SOURCE_DIR}/web/module/system.js ${PROJECT_SOURCE_DIR}/web/module/files.d.ts
    ${UNSHADE_BUNDLED_LICENSES})
endif()
set(made)
foreach(module name IN ZIP_LISTS modules names)
  set(optimize ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${module}> ${package}/${name}.wasm)
  if(UNSHADE_WASM_OPTIMIZE)
    set(optimize ${UNSHADE_WASM_OPT} -O3 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int
      --enable-mutable-globals --strip-debug --strip-producers $<TARGET_FILE:${module}> -o ${package}/${name}.wasm)
  endif()
  add_custom_command(OUTPUT ${package}/${name}.wasm COMMAND ${optimize} DEPENDS ${module} VERBATIM)
  list(APPEND made ${package}/${name}.wasm)
endforeach()
# Newer than all that it was made of: tests/web/run.py looks at it.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/npm.stamp
  COMMAND ${CMAKE_COMMAND} -E copy ${texts} ${package}
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/npm.stamp
  DEPENDS ${made} ${texts}
  VERBATIM)
add_custom_target(web ALL DEPENDS ${PROJECT_BINARY_DIR}/npm.stamp)
