// The verb scan on caches of Vulkan's shaders and on captures of RenderDoc, which are written here after the descriptions of their formats.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/files.hpp"
#include "support/made_files.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <zstd.h>
#endif

namespace unshade::test {

namespace {

Bytes module_bytes() { return read_bytes(source_dir() / "tests/data/spirv/odd.spv"); }

Bytes varints_of(const Bytes& words) {
  Bytes out;
  const View view = view_of(words);
  for (std::size_t at = 0; at + 4 <= words.size(); at += 4) {
    auto word = view.load_unchecked<std::uint32_t>(at);
    for (; word > 0x7f; word >>= 7) out.push_back(static_cast<std::byte>((word & 0x7f) | 0x80));
    out.push_back(static_cast<std::byte>(word));
  }
  return out;
}

/// src: Fossilize, fossilize_db.cpp: version 6; the entry of a module is JSON, a zero, and the module as varints.
Bytes fossilize_file(bool is_deflated) {
  const Bytes module = varints_of(module_bytes());
  Made entry;
  entry.text(R"({"version":6,"shaderModules":{"0123456789abcdef":{"varintOffset":0,"varintSize":)" + std::to_string(module.size()) +
             R"(,"codeSize":)" + std::to_string(module_bytes().size()) + R"(,"flags":0}}})");
  entry.add(module);
  const Bytes stored = is_deflated ? zlib_of(entry.bytes) : entry.bytes;
  Made file;
  file.little(0x81, 1).letters({"FOSSILIZEDB\0\0\0\x06", 15}).letters("0000000000000000000000040123456789abcdef");
  file.little(stored.size(), 4).little(is_deflated ? 2 : 1, 4).little(0, 4).little(entry.bytes.size(), 4).add(stored);
  return file.bytes;
}

/// src: vkd3d-proton, libs/vkd3d/cache.c: a stream with one entry of SPIR-V.
Bytes vkd3d_file() {
  const Bytes module = varints_of(module_bytes());
  Made file;
  file.letters("VKS\x04").add(Bytes(44)).little(0x1234, 8).little(0x5678, 8).little(module.size() + 12, 4).little(1, 4).little(0, 4);
  return file.little(module_bytes().size(), 4).little(module.size(), 4).add(module).add(Bytes(64, std::byte{0xff})).bytes;
}

void expect_module(const SearchedFile& found, const char* form) {
  ASSERT_EQ(found.shaders.size(), 1U) << form;
  const FoundShader& shader = found.shaders.front();
  EXPECT_EQ(shader.hit.family, shader::Family::spirv);
  EXPECT_EQ(shader.hit.offset, 0U);
  EXPECT_EQ(shader.hit.size, module_bytes().size());
  EXPECT_EQ(shader.layers->back().form, form);
}

TEST(ScanCaches, FindModulesOfVarintsUnasked) {
  expect_module(search_bytes("x.foz", view_of(fossilize_file(true)), {}), "varint");
  expect_module(search_bytes("x.foz", view_of(fossilize_file(false)), {}), "varint");
  expect_module(search_bytes("vkd3d-proton.cache", view_of(vkd3d_file()), {}), "varint");
  Search plain;
  plain.unpack = false;
  EXPECT_TRUE(search_bytes("x.foz", view_of(fossilize_file(true)), plain).shaders.empty());
}

TEST(ScanCaches, ModulesOfVarintsAreFoundAnywhereIfAsked) {
  const Bytes file = Made{Bytes(1000, std::byte{0x83})}.add(varints_of(module_bytes())).bytes;
  Search search;
  search.streams = true;
  expect_module(search_bytes("file", view_of(file), search), "varint");
  EXPECT_TRUE(search_bytes("file", view_of(file), {}).shaders.empty());
}

TEST(ScanCaches, EveryTruncationEnds) {
  const Bytes file = fossilize_file(false);
  for (std::size_t size = 0; size < file.size(); size += 7) {
    Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    for (const FoundShader& shader : search_bytes("cut", view_of(cut), {}).shaders) EXPECT_LE(shader.hit.size, module_bytes().size());
  }
}

#if defined(UNSHADE_HAS_ARCHIVES)

enum class Packing : std::uint32_t { none = 0, lz4 = 2, zstd = 4 };

/// Blocks as RenderDoc writes them: each with its size before it; of LZ4 each looks back into the one before.
Bytes blocks_of(const Bytes& bytes, Packing packing) {
  if (packing == Packing::none) return bytes;
  const std::size_t most = packing == Packing::lz4 ? std::size_t{64} << 10 : std::size_t{128} << 10;
  Made out;
  LZ4_stream_t* const stream = LZ4_createStream();
  for (std::size_t at = 0; at < bytes.size(); at += most) {
    const std::size_t size = std::min(most, bytes.size() - at);
    Bytes block(std::max(ZSTD_compressBound(size), static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(size)))));
    if (packing == Packing::lz4)
      block.resize(static_cast<std::size_t>(LZ4_compress_fast_continue(stream, reinterpret_cast<const char*>(bytes.data() + at),
                                                                       reinterpret_cast<char*>(block.data()), static_cast<int>(size),
                                                                       static_cast<int>(block.size()), 1)));
    else
      block.resize(ZSTD_compress(block.data(), block.size(), bytes.data() + at, size, 7));
    out.little(block.size(), 4).add(block);
  }
  LZ4_freeStream(stream);
  return out.bytes;
}

Bytes section_of(std::string_view name, const Bytes& content, Packing packing) {
  const Bytes stored = blocks_of(content, packing);
  Made section;
  section.little(0, 4).little(1, 4).little(stored.size(), 8).little(content.size(), 8).little(0, 8);
  return section.little(static_cast<std::uint32_t>(packing), 4).little(name.size() + 1, 4).text(name).add(stored).bytes;
}

/// src: RenderDoc, rdcfile.cpp, version 0x102: a header with a thumbnail, and sections.
Bytes capture_of(const Bytes& frame, Packing packing) {
  Made file;
  file.letters({"RDOC\0\0\0\0", 8}).little(0x102, 4).little(32 + 8 + 5 + 13 + 16, 4).letters({"v1.29 abcdef\0\0\0\0", 16});
  file.little(0, 4).little(5, 4).letters("thumb").add(Bytes(13 + 16));
  file.add(section_of("renderdoc/internal/framecapture", frame, packing));
  return file.add(section_of("renderdoc/ui/notes", Bytes(100, std::byte{' '}), Packing::none)).bytes;
}

/// Shaders among other bytes, across blocks.
Bytes frame_bytes() {
  Made frame{Bytes(50'000, std::byte{7})};
  for (int i = 0; i < 40; ++i) frame.add(sample("lit_vs_4_0.dxbc")).add(sample("textured_ps_5_0.dxbc"));
  return frame.bytes;
}

TEST(ScanCaptures, FindShadersInAllForms) {
  for (const Packing packing : {Packing::none, Packing::lz4, Packing::zstd}) {
    const SearchedFile found = search_bytes("x.rdc", view_of(capture_of(frame_bytes(), packing)), {});
    EXPECT_TRUE(found.faults.empty());
    ASSERT_EQ(found.shaders.size(), 80U) << static_cast<unsigned>(packing);
    EXPECT_EQ(found.shaders.front().hit.offset, 50'000U);
    EXPECT_EQ(found.shaders.front().layers->back().member, "renderdoc/internal/framecapture");
  }
}

TEST(ScanCaptures, SayWhatIsDamaged) {
  const Bytes whole = capture_of(frame_bytes(), Packing::zstd);
  Bytes damaged = whole;
  damaged[200] ^= std::byte{0xff};
  EXPECT_FALSE(search_bytes("x.rdc", view_of(damaged), {}).faults.empty());
  for (std::size_t size = 9; size < whole.size() - 200; size += 97) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const SearchedFile found = search_bytes("cut", view_of(cut), {});
    EXPECT_FALSE(found.faults.empty()) << size;
    for (const auto& fault : found.faults) EXPECT_FALSE(fault.error.message.empty());
  }
  Bytes old = whole;
  old[8] = std::byte{0x36};
  old[9] = std::byte{0};
  EXPECT_EQ(search_bytes("old", view_of(old), {}).faults.front().error.code, ErrorCode::unsupported);
}

#endif

}  // namespace

}  // namespace unshade::test
