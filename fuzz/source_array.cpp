#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/hlsl/declarations.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string source_array(View file) {
  std::size_t work = 0;
  for (const shader::SourceArray& array : shader::find_source_arrays(file.text())) {
    if (array.begin > array.end || array.end > file.size()) return "an array that does not lie in the text";
    // Arrays may stand inside each other as deep as brackets nest.
    work += array.end - array.begin;
    if (work > 4 * file.size() + 4096) break;
    const shader::SourceBytes read = shader::read_source_array(file, array);
    if (!read.read) {
      if (read.read.error().path.empty() || read.read.error().offset > file.file_offset() + file.size()) return "an error without a place";
      continue;
    }
    if (read.bytes.size() < 16) continue;
    Text text;
    shader::write_source_array(View(read.bytes), "x", shader::SourceLanguage::c, shader::SourceType::byte, text);
    const auto again = shader::find_source_arrays(text.view());
    if (again.size() != 1) return "what is written is not found again";
    const View written(std::as_bytes(std::span(text.view())));
    const shader::SourceBytes back = shader::read_source_array(written, again[0]);
    if (!back.read || back.bytes != read.bytes) return "what is written is read as something else";
  }
  // Nothing in a comment is an array.
  for (const auto language : {shader::SourceLanguage::c, shader::SourceLanguage::rust}) {
    Text comment;
    shader::write_source_comment(file.text(), language, comment);
    if (comment.size() > 8 * file.size() + 64) return "a comment out of proportion";
    if (!shader::find_source_arrays(comment.view()).empty()) return "something got out of the comment";
  }
  return {};
}

namespace {

std::string checked(const shader::Reflection& declared) {
  for (std::size_t at = 0; at < declared.types.size(); ++at) {
    std::uint32_t after = 0;
    for (const shader::Member& member : declared.types[at].members) {
      if (member.type >= at) return "a type that does not stand before the structure of it";
      if (member.offset < after) return "a member before the one before";
      after = member.offset;
    }
  }
  for (const shader::Resource& resource : declared.resources)
    if (resource.buffer != shader::kNone && resource.buffer >= declared.buffers.size()) return "a resource of no buffer";
  for (const shader::Buffer& buffer : declared.buffers) {
    std::uint64_t end = 0;
    if (buffer.kind == shader::BufferKind::cbuffer && buffer.size % 16 != 0) return "a constant buffer of a part of a register";
    for (const shader::Variable& variable : buffer.variables) {
      if (variable.type >= declared.types.size()) return "a member of no type";
      if (variable.offset < end) return "members that overlap";
      end = std::uint64_t{variable.offset} + variable.size;
    }
    if (end > buffer.size) return "a member beyond the end of its buffer";
  }
  return {};
}

}  // namespace

std::string hlsl_declarations(View file) {
  const auto declared = shader::read_hlsl_declarations(file.text());
  if (!declared) {
    const Error& error = declared.error();
    if (error.offset > file.size() || error.message.empty()) return "an error without a place";
    return error.message.size() + error.path.size() > 2 * file.size() + 4096 ? "a message without end" : std::string();
  }
  if (declared->usual.resources.empty()) return "nothing is declared";
  if (std::string fault = checked(declared->usual); !fault.empty()) return fault;
  return checked(declared->native);
}

}  // namespace unshade::fuzz
