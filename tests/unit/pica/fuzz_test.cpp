// The properties of every reader, over damaged samples.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/cost.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(PicaFuzz, DamagedSamplesKeepEveryProperty) {
  std::uint32_t state = 7;
  const auto random = [&] { return state = state * 1664525U + 1013904223U, state >> 8; };
  for (const char* name : {"control.v.shbin", "particle.g.shbin", "skin_quad.shbin", "variable.g.shbin"}) {
    const auto good = read_bytes(source_dir() / "tests/data/pica" / name);
    for (int round = 0; round < effort(150, 40); ++round) {
      auto bytes = good;
      for (unsigned k = 1 + random() % 4; k != 0; --k) {
        const std::size_t at = random() % bytes.size();
        constexpr std::uint8_t kValues[] = {0, 1, 0xff, 0x80, 0x40};
        bytes[at] = static_cast<std::byte>(random() % 2 == 0 ? kValues[random() % 5] : random());
      }
      if (random() % 8 == 0) bytes.resize(random() % bytes.size());
      expect_properties_at_fair_cost(view_of(bytes), std::string(name) + " round " + std::to_string(round));
      if (HasFailure()) return;
    }
  }
}

void put(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t value) {
  if (bytes.size() < at + 4) bytes.resize(at + 4);
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

// Executables that all have the same tables, or as many records of one kind as fit.
TEST(PicaFuzz, FilesThatMultiplyThemselvesStayCheap) {
  for (const std::size_t table : {0x18U, 0x20U, 0x28U, 0x30U, 0x38U}) {
    const std::size_t stride = table == 0x18 ? 20 : table == 0x20 ? 16 : table == 0x38 ? 1 : 8;
    for (const unsigned executables : {1U, 400U}) {
      std::vector<std::byte> bytes;
      put(bytes, 0, 0x424c'5644);
      put(bytes, 4, executables);
      const std::size_t program = 8 + 4 * std::size_t{executables};
      put(bytes, program, 0x504c'5644);
      const std::size_t code = program + 0x28;
      put(bytes, program + 8, 0x28);
      put(bytes, program + 12, 300);
      for (std::size_t i = 0; i < 300; ++i) put(bytes, code + 4 * i, static_cast<std::uint32_t>(0x0202'0000 + (i % 96 << 12)));
      const std::size_t first = code + 1200;
      const std::size_t data = first + 64 * std::size_t{executables};
      const std::size_t count = 60000 / stride;
      bytes.resize(data + count * stride, std::byte{'a'});
      for (std::size_t i = 0; i < executables; ++i) {
        const std::size_t at = first + 64 * i;
        put(bytes, 8 + 4 * i, static_cast<std::uint32_t>(at));
        put(bytes, at, 0x454c'5644);
        put(bytes, at + table, static_cast<std::uint32_t>(data - at));
        if (i == 0 || executables < 2) put(bytes, at + table + 4, static_cast<std::uint32_t>(count));
      }
      expect_properties_at_fair_cost(view_of(bytes), std::to_string(table) + ' ' + std::to_string(executables));
    }
  }
}

}  // namespace

}  // namespace unshade::test
