// Makes many shaders out of few: unshade_many_shaders SHADERS DIR COUNT. Of each file below SHADERS in turn a copy with another constant,
// in packs as games have them, a fifth in files of their own: `DIR/pack-0.bin`, `DIR/loose/12/3456.bin`. For scripts/find/measure_index.py.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade {

namespace {

constexpr std::size_t kPackBytes = std::size_t{64} << 20;
constexpr std::uint32_t kOne = 0x3f80'0000;  // 1.0

void put_word(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t word) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(word >> (8 * i) & 0xff);
}

struct Base {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ones;  // where the constant 1.0 is, or another word that may change
  bool is_container = false;
};

/// Where a copy may differ: constants of 1.0, else a word whose value means little.
Base base_of(std::vector<std::byte> bytes) {
  Base base;
  base.bytes = std::move(bytes);
  const auto opened = shader::open(test::view_of(base.bytes));
  if (!opened) return {};
  const View view = test::view_of(base.bytes);
  base.is_container = opened->container() != nullptr && opened->pdb() == nullptr && opened->container()->size == base.bytes.size();
  if (opened->container() != nullptr && !base.is_container) return {};
  for (const dxcontainer::Part& part : opened->parts()) {
    if (part.fourcc != dxcontainer::fourcc("SHEX") && part.fourcc != dxcontainer::fourcc("SHDR")) continue;
    for (std::size_t at = part.offset + 16; at + 4 <= part.offset + 8 + part.data.size(); at += 4)
      if (view.load_unchecked<std::uint32_t>(at) == kOne) base.ones.push_back(at);
  }
  if (opened->family == shader::Family::spirv)
    for (std::size_t at = 20; at + 4 <= base.bytes.size(); at += 4)
      if (view.load_unchecked<std::uint32_t>(at) == kOne) base.ones.push_back(at);
  if (!base.ones.empty()) return base;
  if (opened->family == shader::Family::spirv) base.ones = {8};  // the generator
  for (const dxcontainer::Part& part : opened->parts()) {
    if (part.fourcc == dxcontainer::fourcc("HASH")) base.ones = {part.offset + 12};
    if (part.fourcc == dxcontainer::fourcc("STAT") && base.ones.empty()) base.ones = {part.offset + 8};
  }
  return base;
}

std::vector<std::byte> variant_of(const Base& base, std::uint32_t number) {
  std::vector<std::byte> bytes = base.bytes;
  if (base.ones.empty() || number == 0) return bytes;
  put_word(bytes, base.ones[number % base.ones.size()], kOne + number);
  if (base.is_container) {
    const dxcontainer::Digest digest = dxcontainer::compute_digest(test::view_of(bytes));
    std::copy(digest.begin(), digest.end(), bytes.begin() + 4);
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

int make(const std::filesystem::path& shaders, const std::filesystem::path& folder, std::uint32_t count) {
  std::vector<Base> bases;
  for (const auto& path : test::files_below(shaders, "")) {
    Base base = base_of(test::read_bytes(path));
    if (!base.bytes.empty()) bases.push_back(std::move(base));
  }
  if (bases.empty()) return 1;
  std::vector<std::byte> pack;
  std::size_t packs = 0;
  std::uint64_t total = 0;
  const auto flush = [&] {
    if (!pack.empty()) write_file(folder / ("pack-" + std::to_string(packs++) + ".bin"), pack);
    pack.clear();
  };
  std::filesystem::create_directories(folder);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto bytes = variant_of(bases[i % bases.size()], i / static_cast<std::uint32_t>(bases.size()));
    total += bytes.size();
    if (i % 5 == 0) {
      const auto inner = folder / "loose" / std::to_string(i / 5000);
      std::filesystem::create_directories(inner);
      write_file(inner / (std::to_string(i) + ".bin"), bytes);
      continue;
    }
    pack.insert(pack.end(), bytes.begin(), bytes.end());
    pack.resize(pack.size() + i % 61, std::byte{0xcc});
    if (pack.size() >= kPackBytes) flush();
  }
  flush();
  std::printf("%u shaders of %zu, %llu bytes\n", count, bases.size(), static_cast<unsigned long long>(total));
  return 0;
}

}  // namespace

}  // namespace unshade

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: unshade_many_shaders SHADERS DIR COUNT\n", stderr);
    return 2;
  }
  return unshade::make(argv[1], argv[2], static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10)));
}
