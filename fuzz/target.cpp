// One libFuzzer target: UNSHADE_FUZZ_PROPERTY names the function of properties.hpp that it runs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const unshade::View file({reinterpret_cast<const std::byte*>(data), size});
  if (const std::string fault = unshade::fuzz::UNSHADE_FUZZ_PROPERTY(file); !fault.empty()) {
    std::fprintf(stderr, "property does not hold: %s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
