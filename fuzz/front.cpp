// What the front door does with a file beside reading it: comparing, embedding, taking debug information out, root signatures, sources.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/shader/diff.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/source_files.hpp>

#include "fuzz/properties.hpp"
#include "tests/support/open_first.hpp"

namespace unshade::fuzz {

namespace {

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

bool same(const std::vector<std::byte>& a, View b) { return std::ranges::equal(a, b.bytes()); }

std::string fault_of(const char* what, const Error& error, View file) {
  if (error.path.empty() || error.message.empty()) return std::string(what) + ": an error that says nothing";
  if (error.offset > file.size()) return std::string(what) + ": an error beyond the file: " + to_string(error);
  return {};
}

/// Whether a file of this name would not lie in the folder that it is put into, or below.
bool leads_elsewhere(std::string_view name) {
  if (name.find('\\') != std::string_view::npos) return true;
  for (;;) {
    const auto end = name.find('/');
    const auto piece = name.substr(0, end);
    if (piece.empty() || piece == "." || piece == "..") return true;
    if (end == std::string_view::npos) return false;
    name.remove_prefix(end + 1);
  }
}

}  // namespace

std::string difference(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  const shader::Difference none = shader::compare(*shader, *shader);
  if (!none.same_bytes || !none.same_meaning) return "a file that differs from itself";
  Strip options;
  options.debug = options.reflection = options.names = true;
  const auto stripped = shader::strip(file, options);
  if (!stripped || !stripped->changed) return {};
  const auto other = shader::open(view_of(stripped->bytes));
  if (!other) return {};  // edit_container tells
  const shader::Difference some = shader::compare(*shader, *other);
  if (some.same_bytes) return "files that differ and are said to be the same";
  std::size_t size = some.code.before.text.size() + some.code.after.text.size();
  for (const auto* changes : {&some.summary, &some.parts, &some.interface})
    for (const shader::Change& change : *changes)
      for (const shader::FieldChange& field : change.fields) size += field.before.size() + field.after.size();
  return size <= 2 * (kTextPerByte * file.size() + kTextBase) ? std::string() : "a difference out of proportion";
}

std::string embedding(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  shader::EmbedOptions options;
  options.language = file.size() % 3 == 0   ? shader::SourceLanguage::c
                     : file.size() % 3 == 1 ? shader::SourceLanguage::cpp
                                            : shader::SourceLanguage::rust;
  Text text;
  if (const auto embedded = shader::embed(*shader, options, text); !embedded) return fault_of("embed", embedded.error(), file);
  if (text.size() > 2 * kTextPerByte * file.size() + kTextBase) return "a text out of proportion";
  const View written(std::as_bytes(std::span(text.view())));
  const auto back = shader::shader_in_source(written);
  if (!back) return "what is embedded is not found: " + to_string(back.error());
  return same(back->bytes, file) ? std::string() : "what is embedded is read as something else";
}

std::string debug_file(View file) {
  if (!dxcontainer::is_container(file)) return {};
  const auto container = dxcontainer::parse_container(file);
  if (!container) return {};
  const auto separated = dxil::separate_debug(*container);
  if (!separated) return fault_of("debug information", separated.error(), file);
  const auto pdb = dxcontainer::find_container_in_pdb(view_of(separated->pdb));
  if (!pdb) return "the database that was made holds no container: " + to_string(pdb.error());
  if (const auto identity = dxcontainer::parse_pdb_identity(pdb->msf()); !identity)
    return "the database that was made has no identity: " + to_string(identity.error());
  if (const auto inner = dxcontainer::parse_container(pdb->view()); !inner) return "its container is not read: " + to_string(inner.error());
  if (const auto rest = dxcontainer::parse_container(view_of(separated->stripped)); !rest)
    return "what is left is not read: " + to_string(rest.error());
  return {};
}

std::string sources(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  const auto found = shader::sources_of(*shader);
  if (!found) {
    if (auto fault = fault_of("sources", found.error(), file); !fault.empty()) return fault;
  } else {
    std::size_t size = 0;
    for (const shader::SourceFile& source : found->files) {
      size += source.name.size() + source.text.size();
      const std::string name = shader::safe_file_name(source.name);
      if (leads_elsewhere(name)) return "a name that leads elsewhere: " + name;
    }
    if (size > kTextPerByte * file.size() + kTextBase) return "sources out of proportion";
  }
  const dxil::SourceText texts[] = {{"a.hlsl", "void main() {}\n"}, {"b.hlsli", ""}};
  const auto embedded = shader::embed_sources(file, texts);
  if (!embedded) return fault_of("sources embedded", embedded.error(), file);
  const auto again = shader::open(view_of(embedded->bytes));
  if (!again) return "with sources it does not open: " + to_string(again.error());
  const auto back = shader::sources_of(*again);
  if (!back) return "the sources are not found: " + to_string(back.error());
  return std::ranges::any_of(back->files, [](const auto& f) { return f.text == "void main() {}\n"; }) ? std::string() : "other sources";
}

std::string root_signature_edits(View file) {
  const auto own = shader::root_signature_of(file);
  if (!own) return fault_of("root signature", own.error(), file);
  const auto without = shader::detach_root_signature(file);
  if (!without) return fault_of("detached", without.error(), file);
  const auto again = shader::attach_root_signature(view_of(without->bytes), *own);
  if (!again) return fault_of("attached", again.error(), file);
  const auto back = shader::root_signature_of(view_of(again->edited.bytes));
  if (!back) return "what was attached is not found: " + to_string(back.error());
  return *back == *own ? std::string() : "another root signature than was attached";
}

std::string llvm_document(View file) {
  const auto document = shader::make_llvm_document(file);
  if (!document) return fault_of("document", document.error(), file);
  const auto built = shader::build_llvm_document(document->container, document->rest);
  if (!built) return "its document is refused: " + to_string(built.error());
  return same(*built, file) ? std::string() : "its document gives another file";
}

}  // namespace unshade::fuzz
