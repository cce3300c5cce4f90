#include "cli/verbs/git/textconv.hpp"

#include <unshade/core/text.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::cli::verbs::git {

namespace {

/// The bytes differ if the checksum does, so git shows a change.
void print_unlisted(View file, const Error& error, Io& io) {
  io.out.text << "# ";
  print_safely(io.out.text, to_string(error));
  (io.out.text << "\n# ").dec(file.size()) << " bytes, CRC-32 ";
  io.out.text.hex(find::crc32(file), 8);
  io.out.text << '\n';
}

/// Changes that the listing does not show, such as those of debug information, are in this line: in the checksum of a part, or else in that
/// of the file.
void print_head(const shader::Shader& opened, Text& out) {
  const shader::Summary summary = shader::summarize(opened);
  out << "# " << shader::id(summary.family);
  for (const std::string& word : {summary.profile, summary.creator}) {
    if (word.empty()) continue;
    out << ' ';
    print_safely(out, word);
  }
  (out << ", ").dec(summary.size) << " bytes, CRC-32 ";
  out.hex(find::crc32(opened.file), 8);
  if (summary.digest) out << ", digest " << dxcontainer::id(*summary.digest);
  for (const dxcontainer::Part& part : opened.parts()) {
    out << (&part == opened.parts().data() ? ": " : " ");
    print_safely(out, fourcc_text(part.fourcc));
    (out << ':').dec(part.data.size()) << ':';
    out.hex(find::crc32(part.data), 8);
  }
  out << "\n\n";
}

}  // namespace

Exit print_for_textconv(std::span<const std::string> names, const shader::ListingOptions& asked, Io& io) {
  shader::ListingOptions options = asked;
  options.exact_floats = true;  // rounded ones would hide changes
  Exit exit = Exit::ok;
  Text listing;
  for (const std::string& name : names) {
    const auto input = io.read_bytes(name);
    if (!input) {
      exit = worse(exit, input.exit);
      continue;
    }
    const auto opened = shader::open(input->view());
    if (!opened) {
      if (opened.error().code == ErrorCode::bad_magic && is_text(input->view())) {
        io.out.text << input->view().text();
      } else {
        print_unlisted(input->view(), opened.error(), io);
      }
      continue;
    }
    print_head(*opened, io.out.text);
    listing.clear();
    if (const auto done = shader::disassemble(*opened, listing, options)) {
      print_safely(io.out.text, listing.view(), true);
    } else {
      print_unlisted(input->view(), done.error(), io);
    }
    if (!io.out.keep_going()) break;
  }
  return exit;
}

}  // namespace unshade::cli::verbs::git
