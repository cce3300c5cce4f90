// What has to hold of VBC files.
#include <algorithm>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/listing.hpp>
#include <unshade/vbc/pack.hpp>
#include <unshade/vbc/repair.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

bool same(const std::vector<std::byte>& a, View b) { return std::equal(a.begin(), a.end(), b.bytes().begin(), b.bytes().end()); }

}  // namespace

std::string vbc_rewrite(View file) {
  if (!vbc::is_vbc(file)) return {};
  const auto parsed = vbc::parse(file);
  if (!parsed) return parsed.error().offset > file.size() ? "an error beyond the file" : std::string();
  if (!same(vbc::write(*parsed), file)) return "a file that nobody changed is written in another way";
  Text text;
  vbc::list_file(*parsed, text, {.assembles_to = spirv::assembles_to});
  const auto again = vbc::assemble(text.view());
  if (!again) return "the listing does not assemble: " + to_string(again.error());
  if (!same(vbc::write(*again), file)) return "the listing assembles to another file";
  const vbc::Repair repaired = vbc::repair(*parsed);
  if (!repaired.is_whole()) return {};
  const auto bytes = vbc::write(repaired.file);
  if (const auto read = vbc::parse(View({bytes.data(), bytes.size()})); !read)
    return "what was repaired is not read: " + to_string(read.error());
  return {};
}

std::string vbc_assemble(View file) {
  const auto made = vbc::assemble(file.text());
  if (!made) {
    if (made.error().offset > file.size() || made.error().path.find(':') == std::string::npos) return "an error without a place";
    return {};
  }
  const auto bytes = vbc::write(*made);
  if (bytes.size() > file.size() * kTextPerByte + kTextBase) return "a file out of proportion";
  const View written({bytes.data(), bytes.size()});
  const auto read = vbc::parse(written);
  if (!read) return "what was made is not read: " + to_string(read.error());
  Text text;
  vbc::list_file(*read, text, {.assembles_to = spirv::assembles_to});
  const auto again = vbc::assemble(text.view());
  if (!again) return "its listing is refused: " + to_string(again.error());
  return same(vbc::write(*again), written) ? std::string() : "its listing gives another file";
}

std::string vbc_pack(View file) {
  const auto packed = vbc::pack({&file, 1});
  if (!packed) return packed.error().path.empty() ? "an error without a path" : std::string();
  const auto bytes = vbc::write(*packed);
  if (const auto read = vbc::parse(View({bytes.data(), bytes.size()})); !read)
    return "what was packed is not read: " + to_string(read.error());
  return {};
}

}  // namespace unshade::fuzz
