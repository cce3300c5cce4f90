// Documents of families whose assembly text says all of a file: SPIR-V and VBC.
//
//   text: |
//     OpCapability Shader
//     ...
#include <string>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/text.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>
#include <unshade/vbc/listing.hpp>

#include "shader/document/document.hpp"

namespace unshade::shader::document {

namespace {

constexpr std::string_view kText = "text";

Result<void> add_text(const Text& text, Value& document, DocumentFacts& facts) {
  document.add(kText, text_value(text.view()));
  facts.parts = 1;
  facts.hex_bytes = count_bytes(document);
  return {};
}

Result<std::string> take_text(const Value& document) {
  DocumentReader reader(document);
  reader.take("schema");
  reader.take("family");
  const Value* const value = reader.take(kText);
  std::string text;
  if (value == nullptr) {
    reader.fail(ErrorCode::missing, document, kText, "expected the assembly text of the file");
  } else if (auto problem = parse_text(*value, text); !problem.empty()) {
    reader.fail(ErrorCode::bad_value, *value, kText, std::move(problem));
  }
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return text;
}

/// An assembler's fault, at the text that it was given.
Error at_text(const Value& document, Error error) {
  const Value* const value = document.find(kText);
  error.offset = value != nullptr ? value->text_offset : document.text_offset;
  return std::move(error).within(kText);
}

}  // namespace

Result<void> make_spirv(const Shader& shader, Value& document, DocumentFacts& facts, Hints) {
  Text text;
  spirv::list_module(std::get<spirv::Module>(shader.content), text, {.friendly_names = true, .indent = false, .exact = true});
  return add_text(text, document, facts);
}

Result<FileBytes> build_spirv(const Value& document, std::uint64_t, const BuildOptions&) {
  const auto text = take_text(document);
  if (!text) return text.error();
  auto bytes = spirv::assemble(*text);
  if (!bytes) return at_text(document, std::move(bytes).error());
  return bytes;
}

Result<void> make_vbc(const Shader& shader, Value& document, DocumentFacts& facts, Hints) {
  Text text;
  vbc::list_file(std::get<vbc::File>(shader.content), text, {.assembles_to = spirv::assembles_to});
  return add_text(text, document, facts);
}

Result<FileBytes> build_vbc(const Value& document, std::uint64_t, const BuildOptions&) {
  const auto text = take_text(document);
  if (!text) return text.error();
  const auto file = vbc::assemble(*text);
  if (!file) return at_text(document, file.error());
  return vbc::write(*file);
}

}  // namespace unshade::shader::document
