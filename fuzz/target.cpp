// The libFuzzer target of every property: UNSHADE_PROPERTY in the environment names the one to try. Without it, prints their names.
// With UNSHADE_SEEDS, the path of a list of paths, nothing is fuzzed: each file is tried in a process of its own, and a line
// `PATH<tab>REASON` printed for those that break the property. libFuzzer would end with the first of them.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const unshade::fuzz::Property* property = nullptr;

constexpr unsigned kSeedSeconds = 10;

/// In a process of its own: exits with 0, or writes what is broken into the pipe and exits with 1, or dies.
[[noreturn]] void try_seed(const std::string& path, int pipe) {
  alarm(kSeedSeconds);
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::string fault = property->holds(unshade::View(std::as_bytes(std::span(bytes))));
  const bool told = fault.empty() || write(pipe, fault.data(), fault.size()) >= 0;
  _exit(fault.empty() && told ? 0 : 1);
}

int try_seeds(const char* list) {
  std::ifstream paths(list);
  for (std::string path; std::getline(paths, path);) {
    int ends[2];
    if (pipe(ends) != 0) return 2;
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) try_seed(path, ends[1]);
    close(ends[1]);
    std::string reason;
    char buffer[256];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) reason.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 2;
    if (status == 0) continue;
    if (WIFSIGNALED(status))
      reason = WTERMSIG(status) == SIGALRM ? "takes over " + std::to_string(kSeedSeconds) + " seconds"
                                           : "signal " + std::to_string(WTERMSIG(status));
    for (char& c : reason)
      if (c == '\n') c = ' ';
    std::printf("%s\t%s\n", path.c_str(), reason.empty() ? "a sanitizer's finding" : reason.c_str());
  }
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const wanted = std::getenv("UNSHADE_PROPERTY");
  for (const auto& one : unshade::fuzz::properties()) {
    if (wanted == nullptr) std::printf("%.*s\n", static_cast<int>(one.name.size()), one.name.data());
    if (wanted != nullptr && one.name == wanted) property = &one;
  }
  if (const char* const seeds = std::getenv("UNSHADE_SEEDS"); property != nullptr && seeds != nullptr) {
    const int status = try_seeds(seeds);
    std::fflush(stdout);
    _exit(status);
  }
  if (property != nullptr) return 0;
  if (wanted != nullptr) std::fprintf(stderr, "there is no property %s\n", wanted);
  std::exit(wanted == nullptr ? 0 : 2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const unshade::View file({reinterpret_cast<const std::byte*>(data), size});
  if (const std::string fault = property->holds(file); !fault.empty()) {
    std::fprintf(stderr, "property does not hold: %s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
