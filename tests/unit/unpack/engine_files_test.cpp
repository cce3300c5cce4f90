// The verb scan on files of engines and browsers, which are written here after the descriptions of their formats: bundles and shaders of
// Unity, libraries of Unreal Engine, combos of Source 2, caches of Chrome.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <unshade/unpack/packings.hpp>
#include "fuzz/properties.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"
#include "unpack/engines/unity.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <lz4hc.h>
#include <lzma.h>

namespace unshade::test {

namespace {

Bytes lz4_of(const Bytes& bytes) {
  Bytes out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))));
  out.resize(static_cast<std::size_t>(LZ4_compress_HC(reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()),
                                                      static_cast<int>(bytes.size()), static_cast<int>(out.size()), 9)));
  return out;
}

/// LZMA's properties, and what a raw encoder makes: without a size, and without a mark at the end.
Bytes lzma_of(const Bytes& bytes) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 6);
  lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  Bytes out(bytes.size() + 65536);
  std::size_t size = 5;
  EXPECT_EQ(lzma_properties_encode(filters, reinterpret_cast<std::uint8_t*>(out.data())), LZMA_OK);
  EXPECT_EQ(lzma_raw_buffer_encode(filters, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                   reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

enum class Form : std::uint32_t { none = 0, lzma = 1, lz4 = 2, lz4_high = 3 };

Bytes packed_by(Form form, const Bytes& bytes) {
  if (form == Form::none) return bytes;
  return form == Form::lzma ? lzma_of(bytes) : lz4_of(bytes);
}

struct BundleOptions {
  Form info = Form::lz4_high;
  Form blocks = Form::lz4_high;
  std::uint32_t format = 6;
  bool info_at_end = false;
  bool is_padded = false;
  std::string revision = "2019.2.6f1";
};

using Files = std::vector<std::pair<std::string, Bytes>>;

Bytes bundle_of(const Files& files, const BundleOptions& options) {
  Bytes content;
  for (const auto& file : files) content.insert(content.end(), file.second.begin(), file.second.end());
  // blocks of 128 KiB, of LZMA one
  Made info;
  Bytes blocks;
  const std::size_t most = options.blocks == Form::lzma ? content.size() : std::size_t{1} << 17;
  std::vector<std::pair<std::size_t, std::size_t>> sizes;
  for (std::size_t at = 0; at < content.size(); at += most) {
    const Bytes block(content.begin() + static_cast<std::ptrdiff_t>(at),
                      content.begin() + static_cast<std::ptrdiff_t>(std::min(content.size(), at + most)));
    const Bytes packed = packed_by(options.blocks, block);
    sizes.emplace_back(block.size(), packed.size());
    blocks.insert(blocks.end(), packed.begin(), packed.end());
  }
  info.bytes.resize(16);
  info.big(sizes.size(), 4);
  for (const auto& [size, packed] : sizes) info.big(size, 4).big(packed, 4).big(static_cast<std::uint32_t>(options.blocks), 2);
  info.big(files.size(), 4);
  std::size_t offset = 0;
  for (const auto& [name, bytes] : files) {
    info.big(offset, 8).big(bytes.size(), 8).big(4, 4).text(name);
    offset += bytes.size();
  }
  const Bytes packed_info = packed_by(options.info, info.bytes);
  const std::uint32_t flags =
      static_cast<std::uint32_t>(options.info) | 0x40U | (options.info_at_end ? 0x80U : 0U) | (options.is_padded ? 0x200U : 0U);
  Made bundle;
  bundle.text("UnityFS").big(options.format, 4).text("5.x.x").text(options.revision);
  bundle.big(0, 8).big(packed_info.size(), 4).big(info.bytes.size(), 4).big(flags, 4);
  if (options.format >= 7) bundle.align(16);
  if (!options.info_at_end) bundle.add(packed_info);
  if (options.is_padded) bundle.align(16);
  bundle.add(blocks);
  if (options.info_at_end) bundle.add(packed_info);
  return bundle.bytes;
}

/// Of Unity 2019.3 and later each platform has a list of segments; before, one.
Bytes shader_object(bool has_lists, const std::vector<std::vector<Bytes>>& platforms) {
  Made object;
  object.letters("m_ParsedForm").align(4).little(platforms.size(), 4);
  for (std::size_t i = 0; i < platforms.size(); ++i) object.little(i == 0 ? 4 : 18, 4);
  Made offsets, packed_sizes, sizes, blob;
  for (const auto& segments : platforms) {
    if (has_lists)
      for (Made* const list : {&offsets, &packed_sizes, &sizes}) list->little(segments.size(), 4);
    for (const Bytes& segment : segments) {
      const Bytes packed = lz4_of(segment);
      offsets.little(blob.bytes.size(), 4);
      packed_sizes.little(packed.size(), 4);
      sizes.little(segment.size(), 4);
      blob.add(packed);
    }
  }
  for (const Made* const list : {&offsets, &packed_sizes, &sizes}) object.little(platforms.size(), 4).add(list->bytes);
  return object.little(blob.bytes.size(), 4).add(blob.bytes).align(4).text("end").bytes;
}

/// A program as a segment has it: a list of programs, and one with a few bytes before the container.
Bytes segment_of(const Bytes& shader) {
  return Made{}.little(1, 4).little(16, 4).little(38 + shader.size(), 4).little(0, 4).add(Bytes(38, std::byte{3})).add(shader).bytes;
}
Bytes segment_of(const char* name) { return segment_of(sample(name)); }

/// A serialized file with an object in it, of format 21 or 22.
Bytes serialized_file(bool is_long, const Bytes& object) {
  Made file;
  const std::size_t size = 4096 + object.size();
  if (is_long) {
    file.big(0, 4).big(0, 4).big(22, 4).big(0, 4).little(0, 4).big(1000, 4).big(size, 8).big(4096, 8).big(0, 8);
    file.text("2021.3.5f1");
  } else {
    file.big(1000, 4).big(size, 4).big(21, 4).big(4096, 4).little(0, 4).text("2019.4.1f1");
  }
  return file.align(4096).add(object).bytes;
}

/// Every truncation and many changed bytes are searched, and what is cut off is said.
void expect_bounded(const Bytes& file, std::size_t head) {
  std::mt19937 random(9);
  for (int i = 0; i < 60; ++i) {
    Bytes damaged = file;
    if (i % 3 == 0) damaged.resize(random() % file.size());
    for (int change = 0; change < i && !damaged.empty(); ++change)
      damaged[random() % std::min(damaged.size(), head)] = static_cast<std::byte>(random());
    EXPECT_EQ(fuzz::unpacking(view_of(damaged)), "") << i;
  }
}

const Bytes& lit() {
  static const Bytes bytes = sample("lit_vs_4_0.dxbc");
  return bytes;
}

TEST(ScanUnity, ReadsBundlesOfAllForms) {
  const Files files = {{"CAB-one", Made{}.add(random_bytes(200'000)).add(lit()).bytes},
                       {"CAB-one.resS", Made{}.add(lit()).add(random_bytes(70'000)).bytes}};
  for (const Form info : {Form::none, Form::lzma, Form::lz4})
    for (const Form blocks : {Form::none, Form::lzma, Form::lz4, Form::lz4_high})
      for (const bool at_end : {false, true})
        for (const bool is_padded : {false, true}) {
          BundleOptions options{info, blocks, is_padded ? 8U : 6U, at_end, is_padded, is_padded ? "2022.3.1f1" : "2019.2.6f1"};
          const SearchedFile found = search_bytes("x.bundle", view_of(bundle_of(files, options)), {});
          for (const auto& fault : found.faults) ADD_FAILURE() << fault.error.message;
          ASSERT_EQ(found.shaders.size(), 2U);
          EXPECT_EQ(found.shaders[0].layers->back().member, "CAB-one");
          EXPECT_EQ(found.shaders[0].hit.offset, 200'000U);
          EXPECT_EQ(found.shaders[1].layers->back().member, "CAB-one.resS");
          EXPECT_EQ(found.shaders[1].hit.offset, 0U);
        }
}

TEST(ScanUnity, SaysWhatIsWrongWithABundle) {
  const Files files = {{"CAB", lit()}};
  const auto first_fault = [](const Bytes& bytes) {
    const SearchedFile found = search_bytes("x", view_of(bytes), {});
    return found.faults.empty() ? ErrorCode{} : found.faults.front().error.code;
  };
  BundleOptions options;
  options.format = 5;
  EXPECT_EQ(first_fault(bundle_of(files, options)), ErrorCode::unsupported);
  options = {};
  options.is_padded = true;  // of this version of Unity the flag means encryption
  EXPECT_EQ(first_fault(bundle_of(files, options)), ErrorCode::unsupported);
  const Bytes whole = bundle_of(files, {});
  Bytes cut = whole;
  cut.resize(cut.size() - 100);
  EXPECT_EQ(first_fault(cut), ErrorCode::bad_value);
  cut.resize(20);
  EXPECT_EQ(first_fault(cut), ErrorCode::truncated);
  for (const Form form : {Form::none, Form::lzma, Form::lz4})
    expect_bounded(bundle_of(files, {form, form, 7, false, false, "2020.3.40f1"}), 200);
}

TEST(ScanUnity, FindsThePrograms) {
  for (const bool has_lists : {false, true})
    for (const bool is_long : {false, true}) {
      std::vector<std::vector<Bytes>> platforms = {{segment_of("lit_vs_4_0.dxbc")}, {segment_of("textured_ps_5_0.dxbc")}};
      if (has_lists) platforms[0].push_back(segment_of("textured_ps_5_0.dxbc"));
      const Bytes file = serialized_file(is_long, Made{}.add(random_bytes(1000)).add(shader_object(has_lists, platforms)).bytes);
      ASSERT_TRUE(unpack::is_unity_serialized(view_of(file)));
      const SearchedFile found = search_bytes("x.assets", view_of(file), {});
      ASSERT_EQ(found.shaders.size(), has_lists ? 3U : 2U);
      EXPECT_EQ(found.shaders[0].hit.size, lit().size());
      EXPECT_EQ(found.shaders[0].hit.offset, 16U + 38U);
      EXPECT_EQ(found.shaders[0].layers->back().form, "unity");
      // in a bundle too
      const SearchedFile in_bundle = search_bytes("x", view_of(bundle_of({{"CAB", file}}, {})), {});
      EXPECT_EQ(in_bundle.shaders.size(), found.shaders.size());
      // and in other files if asked
      const Bytes other = Made{}.add(random_bytes(999)).add(shader_object(has_lists, platforms)).bytes;
      EXPECT_TRUE(search_bytes("x", view_of(other), {}).shaders.empty());
      Search search;
      search.streams = true;
      EXPECT_EQ(search_bytes("x", view_of(other), search).shaders.size(), found.shaders.size());
      expect_bounded(file, file.size());
    }
}

/// Of Vulkan: SMOL-V.
TEST(ScanUnity, FindsTheModulesOfVulkan) {
  const Bytes module = read_bytes(source_dir() / "tests/data/archives/odd.smolv");
  const Bytes file = serialized_file(true, shader_object(true, {{segment_of(module)}, {segment_of("lit_vs_4_0.dxbc")}}));
  const SearchedFile found = search_bytes("x.assets", view_of(file), {});
  ASSERT_EQ(found.shaders.size(), 2U);
  const auto spirv = std::find_if(found.shaders.begin(), found.shaders.end(),
                                  [](const FoundShader& shader) { return shader.hit.family == shader::Family::spirv; });
  ASSERT_NE(spirv, found.shaders.end());
  EXPECT_EQ(spirv->hit.size, read_bytes(source_dir() / "tests/data/spirv/odd.spv").size());
  ASSERT_EQ(spirv->layers->size(), 2U);
  EXPECT_EQ(spirv->layers->front().form, "unity");
  EXPECT_EQ(spirv->layers->back().form, "smolv");
}

TEST(ScanUnity, TakesNoOtherListsForPrograms) {
  // lists that agree, and a blob that is no LZ4, or makes another size
  Made object =
      Made{}.little(1, 4).little(4, 4).little(1, 4).little(0, 4).little(1, 4).little(64, 4).little(1, 4).little(200, 4).little(64, 4);
  object.add(random_bytes(64));
  Search search;
  search.streams = true;
  const SearchedFile found = search_bytes("x", view_of(object.bytes), search);
  EXPECT_TRUE(found.shaders.empty());
  EXPECT_TRUE(found.faults.empty());
}

/// src: CUE4Parse, FSerializedShaderArchive.cs
Bytes unreal_library(const std::vector<std::pair<Bytes, std::size_t>>& shaders, std::size_t maps) {
  Made file;
  const Bytes hashes = random_bytes(20 * (maps + shaders.size()));
  const auto split = hashes.begin() + static_cast<std::ptrdiff_t>(20 * maps);
  file.little(2, 4).little(maps, 4).add(Bytes(hashes.begin(), split)).little(shaders.size(), 4).add(Bytes(split, hashes.end()));
  file.little(maps, 4).add(Bytes(16 * maps)).little(shaders.size(), 4);
  std::size_t offset = 0;
  for (const auto& [code, size] : shaders) {
    file.little(offset, 8).little(code.size(), 4).little(size, 4).little(3, 1);
    offset += code.size();
  }
  file.little(0, 4).little(1, 4).little(0, 4);
  for (const auto& shader : shaders) file.add(shader.first);
  return file.bytes;
}

TEST(ScanUnreal, ReadsLibrariesAndCountsWhatItCannotRead) {
  const Bytes code = Made{}.add(random_bytes(70)).add(lit()).text("Main").bytes;
  const Bytes zlib = [&] {
    uLongf size = compressBound(static_cast<uLong>(code.size()));
    Bytes out(size);
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(code.data()), static_cast<uLong>(code.size()));
    out.resize(size);
    return out;
  }();
  for (const std::size_t maps : {std::size_t{1}, std::size_t{5000}}) {
    const Bytes file =
        unreal_library({{code, code.size()}, {lz4_of(code), code.size()}, {zlib, code.size()}, {random_bytes(900), 2000}}, maps);
    const SearchedFile found = search_bytes("x.ushaderbytecode", view_of(file), {});
    // the one that is stored is found again in the file as it is, which is searched since there is a fault
    std::vector<std::string> forms;
    for (const FoundShader& shader : found.shaders) forms.push_back(shader.layers == nullptr ? "plain" : shader.layers->back().form);
    EXPECT_EQ(forms, (std::vector<std::string>{"plain", "ushaderlib", "lz4", "zlib"}));
    for (const FoundShader& shader : found.shaders) {
      EXPECT_EQ(shader.hit.size, lit().size());
      if (shader.layers == nullptr) continue;
      EXPECT_EQ(shader.hit.offset, 70U);
    }
    ASSERT_EQ(found.faults.size(), 1U);
    EXPECT_EQ(found.faults[0].error.code, ErrorCode::unsupported);
    EXPECT_NE(found.faults[0].error.message.find("1 of 4 shaders"), std::string::npos);
    expect_bounded(file, 400);
  }
  // as many zeros, and lists that do not fit each other, are none
  EXPECT_EQ(unpack::packing_of(view_of(Made{}.little(2, 4).little(1, 4).add(Bytes(100)).bytes)), nullptr);
  EXPECT_EQ(unpack::packing_of(view_of(Made{}.little(2, 4).little(1, 4).add(random_bytes(20)).little(1, 4).add(random_bytes(100)).bytes)),
            nullptr);
}

/// The head that the Source engines write before LZMA.
Bytes source_lzma(const Bytes& bytes) {
  const Bytes packed = lzma_of(bytes);
  return Made{}.letters("LZMA").little(bytes.size(), 4).little(packed.size() - 5, 4).add(packed).bytes;
}

TEST(ScanSource, FindsCombosOfLzma) {
  const Bytes combo = Made{}.add(random_bytes(100)).add(lit()).add(random_bytes(16)).bytes;
  const Bytes file = Made{}
                         .letters("vcs2")
                         .little(63, 4)
                         .add(random_bytes(777))
                         .little(combo.size(), 4)
                         .add(source_lzma(combo))
                         .add(random_bytes(99))
                         .bytes;
  const SearchedFile found = search_bytes("x_ps.vcs", view_of(file), {});
  ASSERT_EQ(found.shaders.size(), 1U);
  EXPECT_EQ(found.shaders[0].layers->back().form, "source-lzma");
  EXPECT_EQ(found.shaders[0].hit.offset, 100U);
  expect_bounded(file, file.size());
  // a stream whose sizes are not its own is none
  Bytes wrong = file;
  constexpr std::string_view kMagic = "LZMA";
  const std::size_t at = view_of(file).text().find(kMagic);
  for (const std::size_t field : {4U, 8U}) {
    wrong = file;
    wrong[at + field] ^= std::byte{1};
    EXPECT_TRUE(search_bytes("x_ps.vcs", view_of(wrong), {}).shaders.empty()) << field;
  }
}

TEST(ScanChrome, FindsWhatIsDeflatedInItsCaches) {
  const Bytes blob = Made{}.add(random_bytes(50)).add(lit()).bytes;
  const Bytes packed = zlib_of(blob);
  const Bytes blocks = Made{}.little(0xc104cac3, 4).little(0x20000, 4).add(Bytes(8184)).text("key").add(packed).add(Bytes(300)).bytes;
  const Bytes simple =
      Made{}.little(0xfcfb6d1ba7725c30, 8).little(5, 4).little(3, 4).little(0, 4).letters("key").add(packed).add(Bytes(40)).bytes;
  for (const Bytes& file : {blocks, simple}) {
    const SearchedFile found = search_bytes("data_3", view_of(file), {});
    ASSERT_EQ(found.shaders.size(), 1U);
    EXPECT_EQ(found.shaders[0].layers->back().form, "zlib");
    EXPECT_EQ(found.shaders[0].hit.offset, 50U);
  }
}

}  // namespace

}  // namespace unshade::test

#endif
