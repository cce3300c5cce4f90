#include "properties.hpp"

#include <algorithm>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/sm2.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/embedded.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

namespace unshade::fuzz {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

std::string fault_of(const Error& error, View file) {
  if (error.path.empty()) return "an error without a path: " + to_string(error);
  if (error.message.empty()) return "an error without a message: " + to_string(error);
  if (error.offset > file.size()) return "an error beyond the file: " + to_string(error);
  return {};
}

std::string too_long(std::string_view what, std::size_t size, View file) {
  if (size <= kTextPerByte * file.size() + kTextBase) return {};
  return std::string(what) + " of " + std::to_string(size) + " characters from " + std::to_string(file.size()) + " bytes";
}

bool has_value(std::uint32_t index, std::size_t count) { return index == shader::kNone || index < count; }

std::string fault_of(const shader::Reflection& model) {
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    const auto& type = model.types[i];
    // what a type refers to stands before it
    if (!has_value(type.subtype, i) || !has_value(type.base_class, i)) return "a type that refers to a later one";
    for (const auto& member : type.members)
      if (!has_value(member.type, i)) return "a member whose type is a later one";
    for (const auto interface : type.interfaces)
      if (!has_value(interface, i)) return "an interface that is a later type";
  }
  for (const auto& buffer : model.buffers)
    for (const auto& variable : buffer.variables) {
      if (!has_value(variable.type, model.types.size())) return "a variable of a type that is not there";
      if (!variable.default_value.empty() && variable.default_value.size() != variable.size) return "a default value of another size";
    }
  for (const auto& resource : model.resources)
    if (!has_value(resource.buffer, model.buffers.size())) return "a resource with a buffer that is not there";
  return {};
}

std::string fault_of(const Tree& tree, View file) {
  const auto& fields = tree.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    if (field.parent > i || (i != 0 && field.parent == i)) return "a field that stands before its parent";
    if (fields[field.parent].type->kind != FieldKind::group) return "a field below one that is no group";
    if (field.type->kind != FieldKind::group && (field.offset > file.size() || field.size > file.size() - field.offset))
      return "a field beyond the file: " + tree.path(static_cast<std::uint32_t>(i));
  }
  const Coverage coverage = tree.coverage();
  if (coverage.total != file.size() || coverage.named + coverage.padding + coverage.unknown != file.size())
    return "not every byte is covered: " + std::to_string(coverage.named + coverage.padding + coverage.unknown) + " of " +
           std::to_string(file.size());
  for (const Error& error : tree.errors())
    if (auto fault = fault_of(error, file); !fault.empty()) return fault;
  return {};
}

/// Opens the file and calls f with each of its parts until one has a fault.
template <class F>
std::string each_part(View file, F&& f) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  // Properties of single parts need no file with more of them; parts may all be the same bytes, which is for the whole file's properties.
  constexpr std::size_t kParts = 32;
  const auto parts = shader->parts();
  for (std::size_t i = 0; i < std::min(parts.size(), kParts); ++i)
    if (auto fault = f(parts[i]); !fault.empty()) return std::string(parts[i].name()) + ": " + fault;
  return {};
}

template <class Model>
std::string rewritten(const Part& part, Result<Model> (*parse)(const Part&), std::vector<std::byte> (*write)(const Model&), View file) {
  const auto first = parse(part);
  if (!first) return fault_of(first.error(), file);
  const auto written = write(*first);
  Part again = part;
  again.data = View({written.data(), written.size()});
  const auto second = parse(again);
  // How much records may share goes by the size of the part, which is less where bytes behind the last record are left out.
  if (!second && (second.error().code == ErrorCode::overlap || second.error().code == ErrorCode::limit)) return {};
  if (!second) return "what was written is not read: " + to_string(second.error());
  if (write(*second) != written) return "what was written and read is written in another way";
  return {};
}

}  // namespace

std::string open(View file) {
  const auto shader = shader::open(file);
  if (!shader) return fault_of(shader.error(), file);
  const auto summary = shader::summarize(*shader);
  if (const auto* const container = shader->container()) {
    // The container's own bytes: the file, or the stream of a program database, which may be scattered over the file.
    const View bytes = shader->pdb() != nullptr ? shader->pdb()->view() : file;
    if (container->size > bytes.size()) return "a container larger than its file";
    for (const Part& part : container->parts) {
      const std::uint64_t start = part.data.file_offset() - bytes.file_offset();
      if (start > container->size || part.data.size() > container->size - start) return "a part beyond the container";
    }
    if (summary.parts.size() != container->parts.size()) return "a summary with another number of parts";
  }
  return too_long("creator", summary.creator.size(), file);
}

std::string listing(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  shader::ListingOptions options;
  options.checks = &shader::listing_checks();
  for (unsigned variant = 0; variant < 4; ++variant) {
    options.offsets = variant == 1;
    options.bytes = variant == 1;
    options.exact = variant == 2;
    options.lines = variant == 1   ? shader::LineDirectives::never
                    : variant == 2 ? shader::LineDirectives::always
                                   : shader::LineDirectives::automatic;
    options.header = variant != 3;
    Text text;
    if (const auto listed = shader::disassemble(*shader, text, options); !listed)
      if (auto fault = fault_of(listed.error(), file); !fault.empty()) return fault;
    if (auto fault = too_long("listing", text.size(), file); !fault.empty()) return fault;
  }
  Text sources;
  if (const auto listed = shader::list_sources(*shader, sources); !listed)
    if (auto fault = fault_of(listed.error(), file); !fault.empty()) return fault;
  return too_long("sources", sources.size(), file);
}

std::string annotate(View file) {
  const Tree tree = shader::annotate(file);
  if (auto fault = fault_of(tree, file); !fault.empty()) return fault;
  Text text;
  std::size_t sum = 0;
  for (std::uint32_t i = 0; i < tree.fields().size(); ++i) {
    text.clear();
    tree.print_value(text, tree.fields()[i]);
    sum += text.size();
  }
  return too_long("values", sum, file);
}

std::string reflection(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  const auto model = shader::reflect(*shader);
  if (!model) return fault_of(model.error(), file);
  if (auto fault = fault_of(*model); !fault.empty()) return fault;
  Text tables;
  shader::print_reflection(*model, tables);
  if (auto fault = too_long("tables", tables.size(), file); !fault.empty()) return fault;
  Text hlsl;
  shader::print_hlsl(*model, hlsl);
  return too_long("HLSL", hlsl.size(), file);
}

std::string validation(View file) {
  const auto findings = shader::validate(file);
  std::size_t sum = 0;
  std::uint64_t previous = 0;
  for (const Diagnostic& finding : findings) {
    if (finding.rule == nullptr || finding.rule->id.empty()) return "a finding without a rule";
    if (finding.offset > file.size()) return "a finding beyond the file: " + to_string(finding);
    if (finding.offset < previous) return "findings out of order: " + to_string(finding);
    previous = finding.offset;
    sum += to_string(finding).size();
  }
  if (!shader::open(file) && !has_errors(findings)) return "a file that does not open and has no error";
  return too_long("findings", sum, file);
}

std::string level9(View file) {
  return each_part(file, [&](const Part& part) -> std::string {
    if (!dxbc::is_level9(part.fourcc)) return {};
    const auto parsed = dxbc::parse_level9(part);
    if (!parsed) return fault_of(parsed.error(), file);
    Text text;
    dxbc::sm2::Cursor cursor(parsed->program);
    dxbc::sm2::Instruction instruction;
    dxbc::sm2::Operands operands;
    while (cursor.next(instruction)) {
      dxbc::sm2::decode(instruction, cursor.version(), operands);
      dxbc::sm2::print(text, instruction, operands, cursor.version());
    }
    Tree tree(file);
    dxbc::record_level9(part, tree, 0);
    tree.fill_gaps({});
    if (auto fault = fault_of(tree, file); !fault.empty()) return fault;
    return too_long("instructions", text.size(), file);
  });
}

std::string effect(View file) {
  return each_part(file, [&](const Part& part) -> std::string {
    if (part.fourcc != fourcc("FX10")) return {};
    const auto parsed = dxbc::parse_effect(part);
    if (!parsed) return fault_of(parsed.error(), file);
    const auto shaders = dxbc::shaders_of(*parsed);
    for (const dxbc::EffectShaderPlace& shader : shaders) {
      if (shader.bytes.empty() || shader.bytes.file_offset() < file.file_offset() ||
          shader.bytes.file_offset() + shader.bytes.size() > file.file_offset() + file.size())
        return "the shader " + shader.name + " lies beyond the file";
    }
    const auto container = dxcontainer::parse_container(file);
    if (shaders.empty() || !container || container->find(fourcc("FX10"))->data.file_offset() != part.data.file_offset()) return {};
    // Another shader in the place of the first.
    const auto with = dxcontainer::wrap_part(fourcc("PRIV"), {});
    if (!with) return "a container of one part cannot be made";
    const auto replaced = dxbc::replace_shader(*container, 0, View(std::span<const std::byte>(*with)));
    if (!replaced) return {};
    const auto again = dxcontainer::parse_container(View(std::span<const std::byte>(*replaced)));
    if (!again) return "the file with another shader is no container";
    const auto other = dxbc::parse_effect(*again->find(fourcc("FX10")));
    // Records that shared bytes stand apart now, so that the new part may be a larger one; it has to be read all the same.
    if (!other) return "the effect with another shader is not read: " + to_string(other.error());
    if (dxbc::shaders_of(*other).size() != shaders.size()) return "the effect with another shader has more or less of them";
    return {};
  });
}

std::string debug_info(View file) {
  return each_part(file, [&](const Part& part) -> std::string {
    if (!dxbc::is_debug_part(part.fourcc)) return {};
    const auto info = dxbc::parse_debug_info(part);
    if (!info) return fault_of(info.error(), file);
    Text text;
    dxbc::append_sources(text, *info);
    if (auto fault = too_long("sources", text.size(), file); !fault.empty()) return fault;
    // One name may be as long as the part and stand for many components: the caller has to stop, as the listing does.
    for (const auto& location : info->locations) {
      text.clear();
      dxbc::append_component(text, *info, location);
      if (auto fault = too_long("name", text.size(), file); !fault.empty()) return fault;
      if (text.size() > kTextBase) break;
    }
    text.clear();
    dxbc::DebugCursor cursor(*info);
    for (std::uint32_t offset = 8; offset < 8 + 16 * 256; offset += 16) {
      cursor.before(text, offset);
      cursor.after(text, offset, 16);
    }
    if (auto fault = too_long("lines", text.size(), file); !fault.empty()) return fault;
    Tree tree(file);
    dxbc::record_debug_info(part, tree, 0);
    tree.fill_gaps({});
    return fault_of(tree, file);
  });
}

std::string rewrite(View file) {
  return each_part(file, [&](const Part& part) -> std::string {
    if (dxcontainer::is_signature(part.fourcc)) return rewritten(part, dxcontainer::parse_signature, dxcontainer::write_signature, file);
    if (dxbc::is_level9(part.fourcc)) return rewritten(part, dxbc::parse_level9, dxbc::write_level9, file);
    switch (part.fourcc) {
      case fourcc("RDEF"): return rewritten(part, dxbc::parse_rdef, dxbc::write_rdef, file);
      case fourcc("RTS0"): return rewritten(part, dxcontainer::parse_root_signature, dxcontainer::write_root_signature, file);
      case fourcc("STAT"): return rewritten(part, dxbc::parse_statistics, dxbc::write_statistics, file);
      case fourcc("IFCE"): return rewritten(part, dxbc::parse_class_linkage, dxbc::write_class_linkage, file);
      case fourcc("FX10"): return rewritten(part, dxbc::parse_effect, dxbc::write_effect, file);
      default: return {};
    }
  });
}

/// What is wrong with the program that a listing assembles to.
std::string pica_reassembled(const Text& listing, const pica::Program& program, const pica::Object* object) {
  const pica::Source source{"listing", listing.view()};
  const pica::Assembly again = pica::assemble({&source, 1});
  if (!again.ok) return "its listing is refused: " + (again.messages.empty() ? std::string() : to_string(again.messages.front()));
  if (again.object.has_value() != (object != nullptr)) return "its listing gives a file of another kind";
  const auto& code = object != nullptr ? again.object->code.items : again.shbin.program.code.items;
  const auto& descriptors = object != nullptr ? again.object->descriptors.items : again.shbin.program.descriptors.items;
  if (code != program.code.items) return "its listing gives other words";
  if (descriptors != program.descriptors.items) return "its listing gives other descriptors";
  if (object != nullptr && again.object->relocations.items != object->relocations.items) return "its listing gives other relocations";
  return {};
}

/// Whether a program is within what addresses and the assembler's tables reach, and a listing shows all names of its lines.
bool pica_listable(const pica::Shbin& shbin) {
  std::size_t names = 0;
  for (const pica::Line& line : shbin.program.lines) names += shbin.program.file_name(line).size();
  if (names > std::size_t{1} << 17) return false;
  return shbin.program.code.size() <= pica::kProgramWords && shbin.program.descriptors.size() <= pica::kProgramWords &&
         shbin.executables.size() <= 256;
}

std::string pica_rewrite(View file) {
  for (const pica::Embedded& embedded : pica::find_embedded(file))
    if (embedded.offset > file.size() || embedded.bytes > file.size() - embedded.offset) return "an embedded program beyond the file";
  const auto same = [file](const std::vector<std::byte>& written) {
    return written.size() == file.size() && std::equal(written.begin(), written.end(), file.bytes().begin());
  };
  if (pica::is_shbin(file)) {
    auto shbin = pica::parse_shbin(file);
    if (!shbin) return fault_of(shbin.error(), file);
    if (!same(pica::write_shbin(*shbin))) return "a file that nobody changed is written in another way";
    shbin->origin = {};
    const auto fresh = pica::write_shbin(*shbin);
    const auto again = pica::parse_shbin(View({fresh.data(), fresh.size()}));
    if (!again) return "what was laid out anew is not read: " + to_string(again.error());
    if (again->program.code.items != shbin->program.code.items || again->executables.size() != shbin->executables.size())
      return "what was laid out anew is another program";
    if (!pica_listable(*shbin)) return {};
    Text listing;
    pica::list_shbin(*shbin, listing);
    return pica_reassembled(listing, shbin->program, nullptr);
  } else if (pica::is_object(file)) {
    const auto object = pica::parse_object(file);
    if (!object) return fault_of(object.error(), file);
    if (!same(pica::write_object(*object))) return "an object that nobody changed is written in another way";
    const pica::Shbin shbin = pica::from_object(*object);
    if (!pica_listable(shbin)) return {};
    Text listing;
    pica::list_object(*object, listing);
    return pica_reassembled(listing, shbin.program, &*object);
  }
  return {};
}

std::string pica_assemble(View file) {
  pica::AssemblerOptions options;
  options.line_info = file.size() % 2 != 0;
  options.labels = options.line_info;
  options.header = true;
  const pica::Source source{"fuzz", file.text()};
  const pica::Assembly assembly = pica::assemble({&source, 1}, options);
  bool failed = false;
  for (const auto& message : assembly.messages) {
    failed = failed || message.severity == Severity::error;
    if (to_string(message).size() > 4096) return "a message without end";
  }
  if (failed == assembly.ok) return assembly.ok ? "made in spite of an error" : "refused without an error";
  if (!assembly.ok) return {};
  const auto bytes = pica::write_assembly(assembly);
  const View written({bytes.data(), bytes.size()});
  if (bytes.size() > file.size() * kTextPerByte + kTextBase) return "a file out of proportion";
  Text listing;
  if (assembly.object) {
    const auto read = pica::parse_object(written);
    if (!read) return "what was made cannot be read: " + to_string(read.error());
    pica::list_object(*read, listing);
    return pica_reassembled(listing, pica::from_object(*read).program, &*read);
  }
  const auto read = pica::parse_shbin(written);
  if (!read) return "what was made cannot be read: " + to_string(read.error());
  if (read->program.code.items != assembly.shbin.program.code.items) return "the code is read otherwise than it was written";
  pica::list_shbin(*read, listing);
  return pica_reassembled(listing, read->program, nullptr);
}

std::string pica_link(View file) {
  if (!pica::is_shbin(file)) return {};
  const auto parsed = pica::parse_shbin(file);
  if (!parsed) return {};
  const pica::Shbin twice[] = {*parsed, *parsed};
  const auto readable = [](const pica::Shbin& shbin) {
    const auto bytes = pica::write_shbin(shbin);
    return pica::parse_shbin(View({bytes.data(), bytes.size()})).has_value();
  };
  if (const auto linked = pica::link(twice)) {
    if (!readable(*linked)) return "what was linked cannot be read";
    if (linked->program.code.size() != parsed->program.code.size()) return "code that is the same was linked twice";
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(parsed->executables.size(), 4); ++i)
    if (const auto taken = pica::take_executable(*parsed, i); taken && !readable(*taken)) return "what was taken out cannot be read";
  return {};
}

namespace {

/// Calls f with the file if it is bitcode, else with each bitcode in it, until one has a fault.
template <class F>
std::string each_bitcode(View file, F&& f) {
  if (dxil::find_bitcode(file)) return f(file);
  const auto container = dxcontainer::parse_container(file);
  if (!container) return {};
  constexpr std::size_t kPrograms = 4;  // parts may all be the same bytes
  std::size_t count = 0;
  for (const Part& part : container->parts) {
    if (!dxil::is_program(part.fourcc) || count == kPrograms) continue;
    const auto program = dxil::parse_program(part);
    if (!program) continue;
    ++count;
    if (auto fault = f(program->bitcode); !fault.empty()) return fault;
  }
  return {};
}

std::string fault_of(const dxil::Module& m, const dxil::Body* body, const dxil::Instruction& i) {
  const auto value_count = m.values.size() + body->values.count;
  const auto metadata_count = m.metadata.size() + body->metadata.count;
  if (i.type >= m.types.size() || (i.second_type != dxil::kNone && i.second_type >= m.types.size())) return "a type that is not there";
  if (i.attributes != dxil::kNone && i.attributes >= m.attribute_lists.size()) return "attributes that are not there";
  if (i.location != dxil::kNone && i.location >= m.locations.size()) return "a location that is not there";
  if (i.operands.end() > m.operands.size()) return "operands that are not there";
  if (i.value != dxil::kNone && (i.value >= value_count || m.value(body, i.value).type != i.type)) return "a value of another type";
  const auto operands = m.operands_of(i.operands);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    using dxil::Opcode;
    const bool block = (i.opcode == Opcode::br && k < 2) || (i.opcode == Opcode::switch_ && k % 2 == 1) ||
                       (i.opcode == Opcode::indirectbr && k != 0) || (i.opcode == Opcode::invoke && (k == 1 || k == 2)) ||
                       (i.opcode == Opcode::phi && k % 2 == 1);
    const bool number = (i.opcode == Opcode::extractvalue && k != 0) || (i.opcode == Opcode::insertvalue && k > 1) ||
                        (i.opcode == Opcode::landingpad && k % 2 == 0);
    if (number || i.opcode == Opcode::call || i.opcode == Opcode::invoke) continue;  // arguments may be labels
    if (block ? operands[k] >= body->blocks.count : operands[k] >= value_count) return "an operand that is not there";
  }
  for (const std::uint32_t operand : operands)
    if ((operand & dxil::kMetadataOperand) != 0 && i.opcode == dxil::Opcode::call && (operand & ~dxil::kMetadataOperand) >= metadata_count)
      return "metadata that is not there";
  return {};
}

std::string fault_of(const dxil::Module& m) {
  for (const auto& type : m.types)
    for (const std::uint32_t part : m.parts_of(type))
      if (part >= m.types.size()) return "a part of a type that is not there";
  for (const auto& constant : m.constants)
    if (constant.type >= m.types.size() || constant.operands.end() > m.operands.size() || constant.literals.end() > m.literals.size())
      return "a constant out of range";
  for (const auto& body : m.bodies) {
    if (body.blocks.count == 0 || body.blocks.end() > m.blocks.size() || body.instructions.end() > m.instructions.size())
      return "a body out of range";
    std::uint32_t next = body.instructions.first;
    for (std::uint32_t b = body.blocks.first; b < body.blocks.end(); ++b) {
      const auto instructions = m.blocks[b].instructions;
      if (instructions.first != next || instructions.empty()) return "blocks that do not follow each other";
      next = instructions.end();
      if (!dxil::is_terminator(m.instructions[next - 1].opcode)) return "a block without an end";
    }
    if (next != body.instructions.end()) return "instructions in no block";
    for (std::uint32_t i = body.instructions.first; i < body.instructions.end(); ++i)
      if (auto fault = fault_of(m, &body, m.instructions[i]); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string dxil_bitstream(View file) {
  return each_bitcode(file, [&](View bitcode) -> std::string {
    const auto stream = dxil::parse_bitstream(bitcode);
    Text text;
    if (dxil::list_bitcode(bitcode, text).has_value() != stream.has_value()) return "listed though it is not read, or the other way round";
    if (auto fault = too_long("bitcode listing", text.size(), file); !fault.empty()) return fault;
    Tree tree(file);
    dxil::record_bitcode(bitcode, tree, 0);
    tree.fill_gaps({});
    if (auto fault = fault_of(tree, file); !fault.empty()) return fault;
    if (!stream) return fault_of(stream.error(), file);
    const auto written = dxil::write_bitstream(*stream);
    if (!written) return "what was read is not written: " + to_string(written.error());
    if (!std::equal(written->begin(), written->end(), bitcode.bytes().begin(), bitcode.bytes().end()))
      return "a bitstream that nobody changed is written in another way";
    return {};
  });
}

std::string dxil_module(View file) {
  return each_bitcode(file, [&](View bitcode) -> std::string {
    const auto module = dxil::parse_module(bitcode);
    return module ? fault_of(*module) : fault_of(module.error(), file);
  });
}

std::span<const Property> properties() {
  static constexpr Property kProperties[] = {
      {"open", open},
      // an exact listing is compared with what its bytes say: both models and two texts
      {"listing", listing, 192},
      {"annotate", annotate},
      {"reflection", reflection},
      {"validation", validation},
      {"level9", level9},
      {"effect", effect},
      {"debug_info", debug_info},
      {"rewrite", rewrite},
      {"source_array", source_array},
      // a field of a byte or two becomes a name and a value
      {"document", document, 256},
      {"document_build", document_build, 256},
      {"dxbc_assemble", dxbc_assemble},
      {"dxbc_roundtrip", dxbc_roundtrip, 128},
      {"dxil_assemble", dxil_assemble},
      {"dxil_roundtrip", dxil_roundtrip},
      {"pica_rewrite", pica_rewrite},
      {"pica_assemble", pica_assemble},
      {"pica_link", pica_link},
      {"dxil_bitstream", dxil_bitstream},
      {"dxil_module", dxil_module},
      {"spirv_parse", spirv_parse},
      {"spirv_list", spirv_list},
      {"spirv_assemble", spirv_assemble},
      {"spirv_roundtrip", spirv_roundtrip},
      {"vbc_rewrite", vbc_rewrite},
      {"vbc_assemble", vbc_assemble},
      {"vbc_pack", vbc_pack},
      {"root_signature_text", root_signature_text},
      // a member of a few letters has a type and a place in both sizes of numbers of 16 bits
      {"hlsl_declarations", hlsl_declarations, 512},
      {"root_signature_edits", root_signature_edits},
      {"msf_rewrite", msf_rewrite},
      // a member of a struct becomes a dozen fields with names and values, on both sides
      {"difference", difference, 3072},
      {"carving", carving, 128},
      // the listing is cut into lines, each with and without its names
      {"identities", identities, 3072},
      {"embedding", embedding, 192},
      // an instruction of one token is a block, with its line, its box and its ways
      {"control_flow", control_flow, 1024},
      {"debug_file", debug_file},
      {"sources", sources},
      {"llvm_document", llvm_document, 192},
#ifdef UNSHADE_HAS_COMMANDS
      {"document_text", document_text, 256},
      {"unpacking", unpacking, 1024},
#endif
#ifdef UNSHADE_HAS_DATABASE
      // the database is written and searched again for each
      {"damaged_database", damaged_database, 65536},
      {"line_pattern", line_pattern},
#endif
      {"picture", picture},
      // a word of PICA200 becomes up to 32 states, each of some instructions of the IR with operands and a place
      {"lower", lower, 65536},
      {"run", run, 65536},
      {"equivalence", equivalence, 65536},
      {"session", session, 65536},
      {"translation", translation, 65536},
      {"source", source, 65536},
#ifdef UNSHADE_HAS_COMMANDS
      {"case_text", case_text, 1024},
      // a byte of a block is up to 1040 bytes of a picture
      {"exr", exr, 8192},
#endif
      // a line of a few characters is an instruction, and a copy of it for each pass
      {"ir_text", ir_text, 1024},
      // a byte of a few edges is a block, of which there may be many copies
      {"structure", structure, 65536},
      {"recording", recording},
      // a word of four characters is a binding with its buffers
      {"amber_script", amber_script, 1024},
#ifdef UNSHADE_HAS_COMMANDS
      // a name of a table is replaced by a list
      {"suite_text", suite_text, 65536},
      // a target of a few characters has a megabyte
      {"scene_text", scene_text, 65536},
      {"gltf", gltf, 65536},
#endif
      {"edit_container", edit_container},
      {"edit_names", edit_names, 256},
      {"edit_dxil", edit_dxil, 256},
  };
  return kProperties;
}

}  // namespace unshade::fuzz
