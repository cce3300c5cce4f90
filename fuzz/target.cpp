// The libFuzzer target of every property: UNSHADE_PROPERTY in the environment names the one to try. Without it, prints their names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const unshade::fuzz::Property* property = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const wanted = std::getenv("UNSHADE_PROPERTY");
  for (const auto& one : unshade::fuzz::properties()) {
    if (wanted == nullptr) std::printf("%.*s\n", static_cast<int>(one.name.size()), one.name.data());
    if (wanted != nullptr && one.name == wanted) property = &one;
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
