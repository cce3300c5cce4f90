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

/// Changes of parts that the listing does not show, such as debug information, are in this line.
void print_head(const shader::Summary& summary, Text& out) {
  out << "# " << shader::id(summary.family);
  for (const std::string& word : {summary.profile, summary.creator}) {
    if (word.empty()) continue;
    out << ' ';
    print_safely(out, word);
  }
  (out << ", ").dec(summary.size) << " bytes";
  if (summary.digest) out << ", digest " << dxcontainer::id(*summary.digest);
  for (const shader::PartSummary& part : summary.parts) {
    out << (&part == summary.parts.data() ? ": " : " ");
    print_safely(out, part.fourcc);
    (out << ':').dec(part.size);
  }
  out << "\n\n";
}

}  // namespace

Exit print_for_textconv(std::span<const std::string> names, const shader::ListingOptions& options, Io& io) {
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
    print_head(shader::summarize(*opened), io.out.text);
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
