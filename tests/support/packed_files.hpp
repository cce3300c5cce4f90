// Compressed files and archives, made in memory, and the places of what is found in them.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>

#include <unshade/unpack/search.hpp>
#include "support/files.hpp"
#include "support/made_files.hpp"

namespace unshade::test {

/// As zlib_of(), in gzip's form.
inline Bytes gzip_of(const Bytes& content) {
  const Bytes packed = zlib_of(content);
  Made gzip;
  gzip.little(0x88b1f, 3).add(Bytes(7)).add(Bytes(packed.begin() + 2, packed.end() - 4));
  const auto size = static_cast<uInt>(content.size());
  return gzip.little(::crc32(0, reinterpret_cast<const Bytef*>(content.data()), size), 4).little(size, 4).bytes;
}

/// A zip of one member, deflated or stored. src: PKWARE's APPNOTE.TXT, 4.3.7, 4.3.12, 4.3.16
inline Bytes zip_of(const std::string& name, const Bytes& content, bool stored = false) {
  Bytes packed = stored ? content : zlib_of(content);
  if (!stored) packed = Bytes(packed.begin() + 2, packed.end() - 4);
  const auto crc =
      static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  Made common;
  common.little(20, 2).little(0, 2).little(stored ? 0 : 8, 2).little(0, 2).little(33, 2);  // version, flags, method, time, date
  common.little(crc, 4).little(packed.size(), 4).little(content.size(), 4);
  common.little(name.size(), 4);  // and no extra field
  Made zip;
  zip.little(0x04034b50, 4).add(common.bytes).letters(name).add(packed);
  const std::size_t directory = zip.bytes.size();
  zip.little(0x02014b50, 4).little(20, 2).add(common.bytes).add(Bytes(14)).letters(name);  // comment, disk, attributes, offset: 0
  const std::size_t end = zip.bytes.size();
  zip.little(0x06054b50, 4).little(0, 4).little(1, 2).little(1, 2);
  return zip.little(end - directory, 4).little(directory, 4).little(0, 2).bytes;
}
/// Its member alone, without the directory.
inline Bytes member_of(const std::string& name, const Bytes& content, bool stored = false) {
  Bytes zip = zip_of(name, content, stored);
  zip.resize(zip.size() - 22 - 46 - name.size());
  return zip;
}

/// Each has an empty member, 600 random bytes and two shaders; libarchive wrote them.
inline Bytes archive_named(const char* name) { return read_bytes(source_dir() / "tests/data/archives" / name); }

using Places = std::vector<std::string>;

/// `a.cso:0x00000000` for each shader, without the name of the file.
inline Places places_of(const SearchedFile& found) {
  Places places;
  for (const FoundShader& shader : found.shaders) {
    Text text;
    if (shader.layers != nullptr) unpack::print_layers(text, *shader.layers);
    (text << ":0x").hex(shader.hit.offset);
    places.push_back(text.str());
  }
  return places;
}
inline Places places_of(const Bytes& file) {
  const SearchedFile found = search_bytes("file", view_of(file), {});
  EXPECT_TRUE(found.faults.empty()) << found.faults.front().error.message;
  return places_of(found);
}
inline std::string at_offset(const std::string& before, std::uint64_t offset) { return (Text() << before << ":0x").hex(offset).str(); }

}  // namespace unshade::test
