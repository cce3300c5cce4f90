#include <unshade/dxil/assemble.hpp>

#include <algorithm>
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

/// Warnings of comments that differ from those in the listing of a container with this bitcode. `keeps_container`: the container is the
/// result, so that a note tells which names it lacks.
void warn_of_comments(std::string_view text, const std::vector<listing::PlacedComment>& comments, View bitcode, View container,
                      bool keeps_container, Assembly& made) {
  if (comments.empty()) return;
  const auto module = parse_module(bitcode);
  if (!module) return;
  listing::CommentOptions options;
  options.whole = false;
  std::string sections;
  if (const auto parsed = dxcontainer::parse_container(container); !container.empty() && parsed) sections = listing::list_sections(*parsed);
  // Names of resources and members are often in another part alone, of which a text says nothing but in its tables.
  options.has_names = names_all(read_program_metadata(*module));
  if (keeps_container && !options.has_names && has_names_in_tables(text, comments))
    made.notes.emplace_back(
        "names in the tables of buffers and resources are not part of the module, so that the new container lacks them");
  const listing::ListedComments now = listing::list_comments(*module, bitcode.size(), std::move(sections));
  for (AssemblerMessage& message : listing::find_edited_comments(text, comments, now, nullptr, options))
    made.messages.push_back(std::move(message));
}

/// What a module lacks that a container is made of, if the text has it, or should.
AssemblerMessage lack_of(std::string_view text, const Module& module) {
  const ProgramMetadata program = read_program_metadata(module);
  const std::string name = !program.present ? "!dx.version" : program.entries.empty() ? "!dx.entryPoints" : "!dx.shaderModel";
  const std::size_t at = text.find("\n" + name + ' ');
  AssemblerMessage message;
  message.code = ErrorCode::missing;
  std::tie(message.line, message.column) = listing::line_and_column(text, at == std::string_view::npos ? 0 : at + 1);
  message.text = "no container can be made: " + name + " must state the kind of program";
  return message;
}

}  // namespace

Assembly failed_assembly(const Error& error) {
  Assembly result;
  result.messages.push_back({error.code, 0, 0, error.path.empty() ? error.message : error.path + ": " + error.message});
  return result;
}

Assembly assemble_module(std::string_view text, Module& module, const Module* like, std::vector<listing::PlacedComment>* comments) {
  AssemblerMessage message;
  Assembly result;
  if (!parse_commented_text(text, module, message, like, comments)) {
    result.messages.push_back(std::move(message));
    return result;
  }
  auto bitcode = write_module(module);
  if (!bitcode) return failed_assembly(bitcode.error());
  result.ok = true;
  result.file = *std::move(bitcode);
  return result;
}

}  // namespace unshade::dxil::assembler

namespace unshade::dxil {

Assembly assemble(std::string_view text) {
  Module module;
  std::vector<listing::PlacedComment> comments;
  Assembly made = assembler::assemble_module(text, module, nullptr, &comments);
  if (!made.ok) return made;
  // The tables before a module follow from the parts around it, which bitcode alone does not have: they are made for comparing.
  std::vector<std::byte> container;
  if (std::ranges::any_of(comments, [](const listing::PlacedComment& comment) { return comment.by == listing::PlacedComment::By::text; }))
    if (auto around = make_container(View(made.file))) container = *std::move(around);
  assembler::warn_of_comments(text, comments, View(made.file), View(container), false, made);
  return made;
}

Assembly assemble_container(std::string_view text) {
  Module module;
  std::vector<listing::PlacedComment> comments;
  Assembly made = assembler::assemble_module(text, module, nullptr, &comments);
  if (!made.ok) return made;
  auto container = make_container(View(made.file));
  if (!container) {
    if (container.error().code != ErrorCode::missing) return assembler::failed_assembly(container.error());
    Assembly failed;
    failed.messages.push_back(assembler::lack_of(text, module));
    return failed;
  }
  assembler::warn_of_comments(text, comments, View(made.file), View(*container), true, made);
  made.file = *std::move(container);
  return made;
}

}  // namespace unshade::dxil
