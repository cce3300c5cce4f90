// The verb scan on compressed files: streams one after the other, damage, and what follows.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>

#include <unshade/unpack/packings.hpp>
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
constexpr int kLegacyBlock = 1 << 23;
/// As `lz4 -l` makes them: no block, if there is no content. src: lz4_Frame_format.md, "Legacy frame"
Bytes legacy_lz4_of(const Bytes& content, int block_bytes = kLegacyBlock) {
  Made frame;
  frame.little(0x184c2102, 4);
  for (std::size_t at = 0; at < content.size(); at += static_cast<std::size_t>(block_bytes)) {
    const View part = view_of(content).clamped(at, static_cast<std::size_t>(block_bytes));
    const int size = static_cast<int>(part.size());
    Bytes block(static_cast<std::size_t>(LZ4_compressBound(size)));
    block.resize(static_cast<std::size_t>(
        LZ4_compress_default(part.text().data(), reinterpret_cast<char*>(block.data()), size, static_cast<int>(block.size()))));
    frame.little(block.size(), 4).add(block);
  }
  return frame.bytes;
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
                                                 {"!(lz4)", legacy_lz4_of(content)}};
  for (const auto& [form, file] : files) {
    const Places inside = {form + ":0x0", form + second};
    for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{100}})
      EXPECT_EQ(places_of(Made{file}.add(random_bytes(more)).bytes), inside) << more;
    EXPECT_EQ(places_of(Made{file}.add(shader).bytes), (Places{at_offset("", file.size()), inside[0], inside[1]}));
    if (form == "!(gzip)") continue;  // the content goes on in the next stream
    Text stream;
    (stream << "!(gzip@0x").hex(file.size(), 8) << "):0x0";
    const SearchedFile followed = search_bytes("file", view_of(Made{file}.add(gzip_of(shader)).bytes), {});
    EXPECT_EQ(places_of(followed), (Places{inside[0], inside[1], stream.str()}));
    // a legacy frame has no end: the first bytes of gzip are taken for the size of a block
    EXPECT_EQ(followed.faults.size(), file.front() == std::byte{2} ? 1U : 0U);
    const SearchedFile nested = search_bytes("file", view_of(zip_of("in", Made{file}.add(shader).bytes)), {});
    EXPECT_TRUE(nested.faults.empty());
    EXPECT_EQ(nested.shaders.size(), 3U) << form;
  }
}

// As `lz4 -d` reads them: current, legacy and skippable frames are one content, wherever that is cut.
TEST(ScanCompressed, FramesOfLz4AreOneContent) {
  const Bytes shaders[] = {sample("lit_vs_4_0.dxbc"), sample("textured_ps_5_0.dxbc"), sample("grid_cs_5_0.dxbc")};
  const Bytes content = Made{shaders[0]}.add(shaders[1]).add(shaders[2]).bytes;
  const std::size_t cuts[] = {0, shaders[0].size() / 2, shaders[0].size() + shaders[1].size() / 2, content.size()};
  const Places whole = {"!(lz4):0x0", at_offset("!(lz4)", shaders[0].size()), at_offset("!(lz4)", shaders[0].size() + shaders[1].size())};
  for (const unsigned legacy : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    Made file{{}};
    Made with_empty_frames{{}};
    for (unsigned k = 0; k < 3; ++k) {
      const Bytes part(content.begin() + static_cast<std::ptrdiff_t>(cuts[k]), content.begin() + static_cast<std::ptrdiff_t>(cuts[k + 1]));
      const Bytes frame = (legacy >> k & 1) != 0 ? legacy_lz4_of(part) : lz4_of(part);
      file.add(frame);
      with_empty_frames.add(skippable(k)).add(legacy_lz4_of({})).add(frame);
    }
    with_empty_frames.add(skippable(3)).add(legacy_lz4_of({}));
    EXPECT_EQ(places_of(file.bytes), whole) << legacy;
    EXPECT_EQ(places_of(with_empty_frames.bytes), whole) << legacy;
    const SearchedFile cut = search_bytes("file", view_of(file.bytes).clamped(0, file.bytes.size() - 20), {});
    EXPECT_EQ(places_of(cut), (Places{whole[0]})) << legacy;
    ASSERT_EQ(cut.faults.size(), 1U) << legacy;
    EXPECT_EQ(cut.faults[0].error.code, ErrorCode::truncated) << legacy;
  }
  EXPECT_TRUE(places_of(legacy_lz4_of({})).empty());
}

// src: lz4/lz4, programs/lz4io.c: a legacy frame ends where the size of a block would be larger than that of any block.
TEST(ScanCompressed, LegacyBlocksOfLz4AreBounded) {
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  const Bytes frame = legacy_lz4_of(shader);
  const auto most = static_cast<std::uint64_t>(LZ4_compressBound(kLegacyBlock));
  const SearchedFile cut = search_bytes("file", view_of(Made{frame}.little(most, 4).bytes), {});
  EXPECT_EQ(places_of(cut), (Places{"!(lz4):0x0"}));
  ASSERT_EQ(cut.faults.size(), 1U);
  EXPECT_EQ(cut.faults[0].error.code, ErrorCode::truncated);
  EXPECT_EQ(cut.faults[0].error.offset, frame.size());
  EXPECT_EQ(places_of(Made{frame}.little(most + 1, 4).bytes), (Places{"!(lz4):0x0"}));

  const std::size_t across = kLegacyBlock - 100;
  EXPECT_EQ(places_of(legacy_lz4_of(Made{Bytes(across)}.add(shader).bytes)), (Places{at_offset("!(lz4)", across)}));
  const SearchedFile large = search_bytes("file", view_of(legacy_lz4_of(Bytes(kLegacyBlock + 1), kLegacyBlock + 1)), {});
  ASSERT_EQ(large.faults.size(), 1U);
  EXPECT_EQ(large.faults[0].error.code, ErrorCode::bad_value);
  EXPECT_EQ(large.faults[0].error.offset, 4U);
}

// There is no checksum: damage is what no block can be, or a size that reaches beyond the end.
TEST(ScanCompressed, DamagedLegacyFramesDoNotHideWhatFollows) {
  const Bytes first = lz4_of(sample("lit_vs_4_0.dxbc"));
  const Bytes bad = legacy_lz4_of(sample("textured_ps_5_0.dxbc"));
  const Bytes good = sample("grid_cs_5_0.dxbc");
  Bytes before = bad;  // no literals, and a match that begins a byte before the content
  before[8] = before[10] = std::byte{0};
  before[9] = std::byte{1};
  Bytes beyond = bad;
  beyond[6] = std::byte{0x10};  // of the size: 1 MiB more
  const std::pair<Bytes, ErrorCode> rows[] = {{before, ErrorCode::bad_value}, {beyond, ErrorCode::truncated}};
  for (const auto& [damaged, code] : rows) {
    for (const Bytes& next : {lz4_of(good), legacy_lz4_of(good)}) {
      const Bytes file = Made{first}.add(damaged).add(next).bytes;
      for (const std::string around : {"", "!in"}) {
        const SearchedFile found = search_bytes("file", view_of(around.empty() ? file : zip_of("in", file)), {});
        Text stream;
        (stream << around << "!(lz4@0x").hex(first.size() + damaged.size(), 8) << "):0x0";
        EXPECT_EQ(places_of(found), (Places{around + "!(lz4):0x0", stream.str()}));
        ASSERT_EQ(found.faults.size(), 1U);
        EXPECT_EQ(found.faults[0].error.code, code);
        EXPECT_EQ(found.faults[0].error.offset, first.size() + 4);  // of the block, behind the magic number
      }
    }
  }
}

// As the kernel of Linux is in its image.
TEST(ScanCompressed, LegacyFramesAreStreams) {
  Search search;
  search.streams = true;
  const Bytes frame = legacy_lz4_of(sample("lit_vs_4_0.dxbc"));
  const Bytes file = Made{random_bytes(100)}.add(frame).little(0xffffffff, 4).add(random_bytes(33)).bytes;
  const SearchedFile found = search_bytes("file", view_of(file), search);
  EXPECT_EQ(places_of(found), (Places{"!(lz4@0x00000064):0x0"}));
  EXPECT_TRUE(found.faults.empty());

  // each is read up to the end of its block
  Made many{Bytes(1)};
  while (many.bytes.size() < std::size_t{1} << 16) many.little(0x184c2102, 4).little(60'000, 4);
  const SearchedFile given_up = search_bytes("file", view_of(many.bytes), search);
  ASSERT_EQ(given_up.faults.size(), 1U);
  EXPECT_EQ(given_up.faults[0].error.code, ErrorCode::limit);
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
  EXPECT_EQ(unpack::packing_of(view_of(skippable(4))), nullptr);
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
