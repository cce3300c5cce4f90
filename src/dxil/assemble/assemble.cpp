#include <unshade/dxil/assemble.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/assemble/module.hpp"
#include "dxil/listing/comments.hpp"
#include "dxil/listing/text_lines.hpp"

namespace unshade::dxil::assembler {

namespace {

/// Whether a module names its resources and the members of their structures.
bool names_all(const ProgramMetadata& program) {
  if (program.structs.empty()) return false;
  for (const auto* list : {&program.shader_resources, &program.unordered_access, &program.constant_buffers, &program.samplers})
    for (const ProgramResource& resource : *list)
      if (resource.name.empty()) return false;
  for (const StructAnnotation& annotation : program.structs)
    for (const FieldAnnotation& field : annotation.fields)
      if (field.name.empty()) return false;
  return true;
}

/// Whether a text has the tables in which names stand.
bool has_names_in_tables(std::string_view text, const std::vector<listing::PlacedComment>& comments) {
  for (const listing::PlacedComment& comment : comments) {
    if (comment.by != listing::PlacedComment::By::text) continue;
    const std::string_view line = text.substr(comment.begin, comment.end - comment.begin);
    if (line.starts_with("; Buffer Definitions:") || line.starts_with("; Resource Bindings:")) return true;
  }
  return false;
}

/// What a text's module gives besides its bitcode.
struct Assembled {
  Module module;
  ProgramMetadata program;
  std::vector<listing::PlacedComment> comments;
  Assembly made;

  explicit Assembled(std::string_view text) : made(assemble_module(text, module, nullptr, &comments)) {
    if (made.ok) program = read_program_metadata(module);
  }
};

/// Warnings of comments that differ from those in the listing of a container with this program. `parts`: derived from it.
/// `keeps_container`: the container is the result, so that a note tells which names it lacks.
void warn_of_comments(std::string_view text, Assembled& of, const std::vector<DerivedPart>& parts, bool keeps_container) {
  if (of.comments.empty()) return;
  listing::CommentOptions options;
  options.whole = false;
  // Names of resources and members are often in another part alone, of which a text says nothing but in its tables.
  options.has_names = names_all(of.program);
  if (keeps_container && !options.has_names && has_names_in_tables(text, of.comments))
    of.made.notes.emplace_back("the module does not store the names in the tables of buffers and resources: the new container lacks them");
  const std::size_t bytes = of.made.file.size();
  std::vector<dxcontainer::Part> around;
  for (const DerivedPart& part : parts) around.push_back({part.fourcc, 0, View(part.data)});
  const auto list = [&](const listing::AskedDxc& dxc) {
    const std::string sections = around.empty() ? std::string() : listing::list_sections(of.program, around, bytes, dxc);
    return listing::ListedPair{listing::list_comments(of.module, bytes, dxc, sections), std::nullopt};
  };
  auto found = listing::find_comments_of_no_dxc(text, of.comments, list, options);
  std::ranges::move(found, std::back_inserter(of.made.messages));
}

/// What a module lacks that a container is made of, if the text has it, or should.
Message lack_of(std::string_view text, const ProgramMetadata& program) {
  const std::string name = !program.present ? "!dx.version" : program.entries.empty() ? "!dx.entryPoints" : "!dx.shaderModel";
  const std::size_t at = text.find("\n" + name + ' ');
  Message message;
  message.id = id(ErrorCode::missing);
  std::tie(message.line, message.column) = listing::line_and_column(text, at == std::string_view::npos ? 0 : at + 1);
  message.text = "no container can be made: " + name + " must state the kind of program";
  return message;
}

}  // namespace

Assembly failed_assembly(const Error& error) {
  Assembly result;
  result.messages.push_back(
      {Severity::error, id(error.code), 0, 0, error.path.empty() ? error.message : error.path + ": " + error.message});
  return result;
}

Assembly assemble_module(std::string_view text, Module& module, const Module* like, std::vector<listing::PlacedComment>* comments) {
  Message message;
  Assembly result;
  if (!parse_commented_text(text, module, message, like, comments)) {
    result.messages.push_back(std::move(message));
    return result;
  }
  if (!message.text.empty()) result.messages.push_back(std::move(message));
  auto bitcode = write_module(module);
  if (!bitcode) return failed_assembly(bitcode.error());
  result.ok = true;
  result.file = *std::move(bitcode);
  return result;
}

}  // namespace unshade::dxil::assembler

namespace unshade::dxil {

Assembly assemble(std::string_view text) {
  assembler::Assembled of(text);
  if (!of.made.ok || of.comments.empty()) return std::move(of.made);
  // The tables before a module follow from the parts around it, which bitcode alone does not have.
  const bool has_tables = of.comments.front().by == listing::PlacedComment::By::text;
  assembler::warn_of_comments(text, of, has_tables ? derive_parts(of.program) : std::vector<DerivedPart>(), false);
  return std::move(of.made);
}

Assembly assemble_container(std::string_view text) {
  assembler::Assembled of(text);
  if (!of.made.ok) return std::move(of.made);
  const std::vector<DerivedPart> parts = derive_parts(of.program);
  auto container = make_container(of.program, View(of.made.file), parts);
  if (!container) {
    if (container.error().code != ErrorCode::missing) return assembler::failed_assembly(container.error());
    Assembly failed;
    failed.messages.push_back(assembler::lack_of(text, of.program));
    return failed;
  }
  assembler::warn_of_comments(text, of, parts, true);
  of.made.file = *std::move(container);
  return std::move(of.made);
}

}  // namespace unshade::dxil
