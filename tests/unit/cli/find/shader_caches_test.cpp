// The verb scan on caches of Vulkan's shaders and on captures of RenderDoc, which are written here after the descriptions of their formats.
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "cli/verbs/find/search_files.hpp"
#include "support/files.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <zstd.h>
#endif

namespace unshade::test {

namespace {

using cli::verbs::scan::FoundShader;
using cli::verbs::scan::Search;
using cli::verbs::scan::search_bytes;
using cli::verbs::scan::SearchedFile;
using Bytes = std::vector<std::byte>;

void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
void append(Bytes& bytes, std::string_view text) {
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
}
void append_number(Bytes& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
}

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

Bytes deflated(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes out(size);
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 9);
  out.resize(size);
  return out;
}

/// src: Fossilize, fossilize_db.cpp: version 6; the entry of a module is JSON, a zero, and the module as varints.
Bytes fossilize_file(bool is_deflated) {
  const Bytes module = varints_of(module_bytes());
  Bytes entry;
  append(entry, R"({"version":6,"shaderModules":{"0123456789abcdef":{"varintOffset":0,"varintSize":)" + std::to_string(module.size()) +
                    R"(,"codeSize":)" + std::to_string(module_bytes().size()) + R"(,"flags":0}}})");
  append_number(entry, 0, 1);
  append(entry, module);
  const Bytes stored = is_deflated ? deflated(entry) : entry;
  Bytes file;
  append(file, std::string_view("\x81"
                                "FOSSILIZEDB\0\0\0\x06",
                                16));
  append(file, "0000000000000000000000040123456789abcdef");
  append_number(file, stored.size(), 4);
  append_number(file, is_deflated ? 2 : 1, 4);
  append_number(file, 0, 4);
  append_number(file, entry.size(), 4);
  append(file, stored);
  return file;
}

/// src: vkd3d-proton, libs/vkd3d/cache.c: a stream with one entry of SPIR-V.
Bytes vkd3d_file() {
  const Bytes module = varints_of(module_bytes());
  Bytes file;
  append(file, std::string_view("VKS\x04", 4));
  append(file, Bytes(44));
  append_number(file, 0x1234, 8);
  append_number(file, 0x5678, 8);
  append_number(file, module.size() + 12, 4);
  append_number(file, 1, 4);
  append_number(file, 0, 4);
  append_number(file, module_bytes().size(), 4);
  append_number(file, module.size(), 4);
  append(file, module);
  append(file, Bytes(64, std::byte{0xff}));
  return file;
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
  Bytes file(1000, std::byte{0x83});
  append(file, varints_of(module_bytes()));
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
  Bytes out;
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
    append_number(out, block.size(), 4);
    append(out, block);
  }
  LZ4_freeStream(stream);
  return out;
}

void append_section(Bytes& file, std::string_view name, const Bytes& content, Packing packing) {
  const Bytes stored = blocks_of(content, packing);
  append_number(file, 0, 4);
  append_number(file, 1, 4);
  append_number(file, stored.size(), 8);
  append_number(file, content.size(), 8);
  append_number(file, 0, 8);
  append_number(file, static_cast<std::uint32_t>(packing), 4);
  append_number(file, name.size() + 1, 4);
  append(file, name);
  append_number(file, 0, 1);
  append(file, stored);
}

/// src: RenderDoc, rdcfile.cpp, version 0x102: a header with a thumbnail, and sections.
Bytes capture_of(const Bytes& frame, Packing packing) {
  Bytes file;
  append(file, std::string_view("RDOC\0\0\0\0", 8));
  append_number(file, 0x102, 4);
  append_number(file, 32 + 8 + 5 + 13 + 16, 4);
  append(file, std::string_view("v1.29 abcdef\0\0\0\0", 16));
  append_number(file, 0, 4);
  append_number(file, 5, 4);
  append(file, "thumb");
  append(file, Bytes(13 + 16));
  append_section(file, "renderdoc/internal/framecapture", frame, packing);
  append_section(file, "renderdoc/ui/notes", Bytes(100, std::byte{' '}), Packing::none);
  return file;
}

/// Shaders among other bytes, across blocks.
Bytes frame_bytes() {
  Bytes frame(50'000, std::byte{7});
  for (int i = 0; i < 40; ++i) {
    append(frame, sample("lit_vs_4_0.dxbc"));
    append(frame, sample("textured_ps_5_0.dxbc"));
  }
  return frame;
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
