// The verb scan on compressed files: streams one after the other, damage, and what follows.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>

#include "cli/unpack/packings.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"
#include "support/packed_files.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>

namespace unshade::test {

namespace {

/// With a checksum of the content.
Bytes zstd_of(const Bytes& content) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  Bytes out(ZSTD_compressBound(content.size()));
  out.resize(ZSTD_compress2(context, out.data(), out.size(), content.data(), content.size()));
  ZSTD_freeCCtx(context);
  return out;
}
/// With a checksum of the content.
Bytes lz4_of(const Bytes& content) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  Bytes out(LZ4F_compressFrameBound(content.size(), &preferences));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), content.data(), content.size(), &preferences));
  return out;
}
/// src: lz4_Frame_format.md, "Legacy frame"
Bytes old_lz4_of(const Bytes& content) {
  Bytes out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(content.size()))));
  out.resize(
      static_cast<std::size_t>(LZ4_compress_default(reinterpret_cast<const char*>(content.data()), reinterpret_cast<char*>(out.data()),
                                                    static_cast<int>(content.size()), static_cast<int>(out.size()))));
  return Made{}.little(0x184c2102, 4).little(out.size(), 4).add(out).bytes;
}
Bytes xz_of(const Bytes& content) {
  Bytes out(lzma_stream_buffer_bound(content.size()));
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}
/// A frame of zstd or LZ4 without content.
Bytes skippable(std::size_t size) { return Made{}.little(0x184d2a53, 4).little(size, 4).add(random_bytes(size)).bytes; }

// However few bytes follow, and whatever they are, nothing of the content is lost.
TEST(ScanCompressed, ContentIsWholeWhateverFollows) {
  const Bytes content = Made{sample("lit_vs_4_0.dxbc")}.add(sample("textured_ps_5_0.dxbc")).bytes;
  const std::string second = at_offset("", sample("lit_vs_4_0.dxbc").size());
  const Bytes shader = sample("textured_ps_5_0.dxbc");
  const std::pair<std::string, Bytes> files[] = {{"!(gzip)", gzip_of(content)},
                                                 {"!(xz)", xz_of(content)},
                                                 {"!(zstd)", zstd_of(content)},
                                                 {"!(lz4)", lz4_of(content)},
                                                 {"!(lz4)", old_lz4_of(content)}};
  for (const auto& [form, file] : files) {
    const Places inside = {form + ":0x0", form + second};
    for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{100}})
      EXPECT_EQ(places_of(Made{file}.add(random_bytes(more)).bytes), inside) << more;
    EXPECT_EQ(places_of(Made{file}.add(shader).bytes), (Places{at_offset("", file.size()), inside[0], inside[1]}));
    // the content goes on in the next stream; the older form has no end: the size of a block may follow
    if (form == "!(gzip)" || file.front() == std::byte{2}) continue;
    Text stream;
    (stream << "!(gzip@0x").hex(file.size(), 8) << "):0x0";
    EXPECT_EQ(places_of(Made{file}.add(gzip_of(shader)).bytes), (Places{inside[0], inside[1], stream.str()}));
    const SearchedFile nested = search_bytes("file", view_of(zip_of("in", Made{file}.add(shader).bytes)), {});
    EXPECT_TRUE(nested.faults.empty());
    EXPECT_EQ(nested.shaders.size(), 3U) << form;
  }
}

// The frames of both forms of LZ4 are one content after the other.
TEST(ScanCompressed, FormsOfLz4AreMixed) {
  const Bytes shaders[] = {sample("lit_vs_4_0.dxbc"), sample("textured_ps_5_0.dxbc"), sample("grid_cs_5_0.dxbc")};
  for (const unsigned old : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    Made file{{}};
    for (unsigned k = 0; k < 3; ++k) file.add((old >> k & 1) != 0 ? old_lz4_of(shaders[k]) : lz4_of(shaders[k]));
    const SearchedFile found = search_bytes("file", view_of(file.bytes), {});
    EXPECT_TRUE(found.faults.empty()) << old;
    EXPECT_EQ(found.shaders.size(), 3U) << old;
    const Places places = places_of(file.bytes);
    EXPECT_EQ(std::set(places.begin(), places.end()).size(), 3U) << old;
    Bytes damaged = file.bytes;
    damaged.resize(damaged.size() - 20);
    EXPECT_EQ(search_bytes("file", view_of(damaged), {}).faults.size(), 1U) << old;
  }
}

// Zeros, four at a time, are padding.
TEST(ScanCompressed, StreamsOfXzMayBePadded) {
  const Bytes first = sample("lit_vs_4_0.dxbc");
  for (const std::size_t zeros : {std::size_t{0}, std::size_t{4}, std::size_t{120}, std::size_t{100'000}}) {
    const Bytes file = Made{xz_of(first)}.add(Bytes(zeros)).add(xz_of(sample("textured_ps_5_0.dxbc"))).bytes;
    EXPECT_EQ(places_of(file), (Places{"!(xz):0x0", at_offset("!(xz)", first.size())})) << zeros;
  }
  // others are not, but what follows is searched
  const Bytes file = Made{xz_of(first)}.add(Bytes(3)).add(xz_of(sample("textured_ps_5_0.dxbc"))).bytes;
  EXPECT_EQ(places_of(file).size(), 2U);
}

TEST(ScanCompressed, FramesAreSkipped) {
  const Bytes first = sample("lit_vs_4_0.dxbc");
  const Bytes second = sample("textured_ps_5_0.dxbc");
  for (const bool is_zstd : {true, false}) {
    const auto frame_of = is_zstd ? zstd_of : lz4_of;
    const std::string form = is_zstd ? "!(zstd)" : "!(lz4)";
    for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{20'000}}) {
      const Bytes file = Made{skippable(size)}.add(skippable(3)).add(frame_of(first)).add(skippable(size)).add(frame_of(second)).bytes;
      EXPECT_EQ(places_of(file), (Places{form + ":0x0", at_offset(form, first.size())})) << size;
    }
  }
  EXPECT_EQ(cli::unpack::packing_of(view_of(skippable(4))), nullptr);
}

// The streams behind a damaged one are searched.
TEST(ScanCompressed, DamageDoesNotHideWhatFollows) {
  const Bytes bad = sample("textured_ps_5_0.dxbc");
  const Bytes good = sample("lit_vs_4_0.dxbc");
  struct {
    const char* form;
    Bytes (*stream_of)(const Bytes& content);
  } const rows[] = {{"gzip", gzip_of}, {"xz", xz_of}, {"zstd", zstd_of}, {"lz4", lz4_of}};
  for (const auto& [form, stream_of] : rows) {
    for (const std::size_t zeros : {std::size_t{0}, std::size_t{64}}) {
      for (const bool inside : {false, true}) {
        Bytes damaged = stream_of(bad);
        damaged[inside ? damaged.size() / 2 : damaged.size() - 3] ^= std::byte{0x55};
        const Bytes file = Made{damaged}.add(Bytes(zeros)).add(stream_of(good)).bytes;
        for (const bool nested : {false, true}) {
          const SearchedFile found = search_bytes("file", view_of(nested ? zip_of("in", file) : file), {});
          EXPECT_EQ(found.faults.size(), 1U) << form;
          EXPECT_EQ(std::ranges::count_if(found.shaders, [&](const FoundShader& one) { return one.hit.size == good.size(); }), 1)
              << form << ' ' << zeros << ' ' << inside << ' ' << nested;
        }
      }
    }
  }
}

}  // namespace

}  // namespace unshade::test

#endif
