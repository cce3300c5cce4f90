# The machine's kernels: one file for each instruction set, optimised in every build that does not have to be compiled quickly, since nothing
# that runs is faster than they are.
option(UNSHADE_FAST_KERNELS "optimise the machine's kernels whatever the build type" ON)
set(fast $<$<BOOL:${UNSHADE_FAST_KERNELS}>:-O2>)
# Kernels of f32 run while the processor flushes denormals, which clang else takes for numbers other than 0.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fdenormal-fp-math=dynamic UNSHADE_HAS_DYNAMIC_DENORMALS)
if(UNSHADE_HAS_DYNAMIC_DENORMALS)
  list(APPEND fast -fdenormal-fp-math=dynamic)
endif()
# Sanitizers in straight-line code over lanes take 8 GB and minutes of compiling for each instruction set. They see the same rules in one lane
# (constant folding, tests of the numeric rules); slots are within the machine's memory by construction, see prepare.cpp.
if(UNSHADE_SANITIZE)
  list(APPEND fast -fno-sanitize=all)
endif()
option(UNSHADE_AVX_KERNELS "compile the machine's kernels for AVX2 and AVX-512 too, chosen when a program starts" ON)

# FILE, with the options of its instruction set.
function(unshade_kernels file)
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${fast};${ARGN}" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON
    HEADER_FILE_ONLY OFF)
endfunction()

file(GLOB kernels src/vm/kernels_*.cpp src/vm/portable/*.cpp src/vm/sampling/wide_*.cpp src/draw/wide/least.cpp src/draw/wide/avx2.cpp)
set_source_files_properties(${kernels} PROPERTIES HEADER_FILE_ONLY ON)
unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/kernels_narrow.cpp)
unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/sampling/wide_least.cpp)
unshade_kernels(${PROJECT_SOURCE_DIR}/src/draw/wide/least.cpp)
# Recordings have lanes of their own, and each an object of its own, so that programs that ask for none link none.
set(recordings src/vm/recorded/kernels.cpp src/vm/recorded/record.cpp src/vm/recorded/record_flushing.cpp)
set_source_files_properties(${recordings} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
if(UNSHADE_SANITIZE)
  set_source_files_properties(${recordings} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()
# The evaluator computes as kernels do.
set_source_files_properties(src/ir/recorded/evaluate.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
if(UNSHADE_HAS_DYNAMIC_DENORMALS)
  set_source_files_properties(src/ir/recorded/evaluate.cpp PROPERTIES COMPILE_OPTIONS -fdenormal-fp-math=dynamic)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/kernels_sse2.cpp)
  if(UNSHADE_AVX_KERNELS)
    target_compile_definitions(unshade_vm PRIVATE UNSHADE_HAS_AVX_KERNELS)
    target_compile_definitions(unshade_draw PRIVATE UNSHADE_HAS_AVX_KERNELS)
    set(avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl)
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/kernels_avx2.cpp -mavx2)
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/kernels_avx512.cpp ${avx512})
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/sampling/wide_avx2.cpp -mavx2)
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/draw/wide/avx2.cpp -mavx2)
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/sampling/wide_avx512.cpp ${avx512})
  endif()
else()
  foreach(name kernels kernels_flushing kernels_narrow_flushing)
    unshade_kernels(${PROJECT_SOURCE_DIR}/src/vm/portable/${name}.cpp)
  endforeach()
endif()
