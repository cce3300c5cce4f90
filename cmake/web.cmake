# The library as a WebAssembly module, unshade.wasm: the C interface, malloc and free, and nothing of a system but what web/module/unshade.js
# gives it. Only with the toolchain of cmake/wasm32-wasi.cmake.
option(UNSHADE_WASM_OPTIMIZE "have wasm-opt optimise the whole module, which takes a minute" ON)
if(UNSHADE_WASM_OPTIMIZE)
  find_program(UNSHADE_WASM_OPT wasm-opt REQUIRED)
endif()

# What is exported are the functions of the header, so that the linker keeps them and what they call.
set(header ${PROJECT_SOURCE_DIR}/include/unshade/unshade.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(STRINGS ${header} declarations REGEX "^UNSHADE_API .*unshade_[a-z0-9_]+\\(")
set(exports -Wl,--export=malloc -Wl,--export=free -Wl,--export=unshade_web_out_of_memory)
foreach(declaration IN LISTS declarations)
  string(REGEX REPLACE ".*[ *](unshade_[a-z0-9_]+)\\(.*" "-Wl,--export=\\1" export "${declaration}")
  list(APPEND exports ${export})
endforeach()

add_executable(unshade_web ${PROJECT_SOURCE_DIR}/web/module/system.cpp)
set_target_properties(unshade_web PROPERTIES OUTPUT_NAME unshade-linked SUFFIX .wasm)
target_link_libraries(unshade_web PRIVATE unshade_capi)
# -O0: else the driver of clang 19 runs wasm-opt by itself, which has to be told of the features (its --no-wasm-opt links nothing at all).
# A stack that overflows runs into the start of the memory and traps: it lies below the data.
target_link_options(unshade_web PRIVATE -mexec-model=reactor -O0 -Wl,--gc-sections -Wl,--strip-all -Wl,--stack-first
  -Wl,-z,stack-size=1048576 ${exports})
unshade_options(unshade_web)

# The npm package, which is also what Node and pages load while working on them.
set(package ${PROJECT_BINARY_DIR}/npm)
configure_file(${PROJECT_SOURCE_DIR}/web/npm/package.json.in ${package}/package.json @ONLY)
set(texts ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/web/npm/README.md ${PROJECT_SOURCE_DIR}/web/npm/cli.js ${PROJECT_SOURCE_DIR}/web/npm/verbs.json
  ${PROJECT_SOURCE_DIR}/web/module/instance.js ${PROJECT_SOURCE_DIR}/web/module/drawing.js ${PROJECT_SOURCE_DIR}/web/module/unshade.js ${PROJECT_SOURCE_DIR}/web/module/unshade.d.ts
  ${PROJECT_SOURCE_DIR}/web/module/json.d.ts)
set(optimize ${CMAKE_COMMAND} -E copy $<TARGET_FILE:unshade_web> ${package}/unshade.wasm)
if(UNSHADE_WASM_OPTIMIZE)
  set(optimize ${UNSHADE_WASM_OPT} -O3 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals
    --strip-debug --strip-producers $<TARGET_FILE:unshade_web> -o ${package}/unshade.wasm)
endif()
add_custom_command(OUTPUT ${package}/unshade.wasm COMMAND ${optimize} DEPENDS unshade_web VERBATIM)
# Newer than all that it was made of: tests/web/run.py looks at it.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/npm.stamp
  COMMAND ${CMAKE_COMMAND} -E copy ${texts} ${package}
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/npm.stamp
  DEPENDS ${package}/unshade.wasm ${texts}
  VERBATIM)
add_custom_target(web ALL DEPENDS ${PROJECT_BINARY_DIR}/npm.stamp)
