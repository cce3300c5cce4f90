// What Debian's libbz2.a, which goes into libunshade.so, takes for the standard streams. It is compiled for programs, and so reads libc's
// variables at addresses that only a program has; --wrap lets it read these. It uses them in an assertion that ends the process, and in
// functions that nothing calls.
#include <cstdio>

extern "C" {
extern std::FILE* __real_stdin;   // NOLINT: the names that --wrap gives them
extern std::FILE* __real_stdout;  // NOLINT
extern std::FILE* __real_stderr;  // NOLINT

std::FILE* __wrap_stdin = nullptr;   // NOLINT
std::FILE* __wrap_stdout = nullptr;  // NOLINT
std::FILE* __wrap_stderr = nullptr;  // NOLINT
}

namespace {

[[gnu::constructor]] void take_standard_streams() {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}

}  // namespace
