#include <unshade/vbc/listing.hpp>

#include <algorithm>
#include <array>

#include <unshade/spirv/module.hpp>

#include "vbc/code.hpp"
#include "vbc/directives.hpp"
#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

constexpr std::size_t kBytesPerLine = 32;

template <class Bytes>
void hex(Text& out, const Bytes& bytes) {
  for (const auto byte : bytes) out.hex(static_cast<std::uint8_t>(byte), 2);
}

/// The name of an enumerator, or its number.
template <class E>
void enumerator(Text& out, E value) {
  if (const std::string_view name = id(value); !name.empty()) {
    out << name;
  } else {
    out.dec(static_cast<std::uint32_t>(value));
  }
}

void lines_of_bytes(Text& out, const std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    hex(out, std::span(bytes).subspan(at, std::min(kBytesPerLine, bytes.size() - at)));
    out << '\n';
  }
}

template <class Padding>
void padding(Text& out, const Padding& bytes) {
  if (bytes == Padding{}) return;
  out << ' ' << directive::kPadding << ' ';
  hex(out, bytes);
}

void variables(Text& out, std::string_view word, const std::vector<Variable>& all) {
  for (const Variable& v : all) {
    (out << word << ' ').dec(v.location) << ' ';
    print_type(out, v.type, v.components, v.columns, v.array_size);
    padding(out, v.padding);
    out << '\n';
  }
}

void name(Text& out, std::string_view text) {
  const bool is_identifier = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (is_identifier) {
    out << text;
  } else {
    out << directive::kHex;
    hex(out, text);
  }
}

void binding(Text& out, const Binding& b) {
  (out << directive::kBinding << ' ').dec(b.slot) << ' ';
  enumerator(out, b.type);
  out << ' ';
  print_stages(out, b.stages);
  out << ' ';
  if (is_buffer(b.type)) {
    out.dec(b.struct_bytes);
  } else {
    enumerator(out, b.rank);
    out << ' ';
    enumerator(out, b.texel);
    (out << ' ').dec(b.component_bytes) << ' ';
    out.dec(b.components);
  }
  padding(out, b.padding);
  out << '\n';
}

void uniform(Text& out, const Uniform& u) {
  if (u == Uniform{}) return;
  (out << directive::kUniform << ' ').dec(u.size) << ' ';
  print_stages(out, u.stages);
  out << '\n';
  for (const Member& m : u.members) {
    (out << directive::kMember << ' ').dec(m.offset) << ' ';
    print_type(out, m.type, m.components, m.columns, m.array_size);
    out << ' ';
    name(out, m.name);
    out << '\n';
  }
}

void subpass_input(Text& out, const SubpassInput& s) {
  out << directive::kSubpass << ' ';
  enumerator(out, s.texel);
  (out << ' ').dec(s.components);
  padding(out, s.padding);
  if (s.image) {
    out << ' ' << directive::kImage << ' ';
    hex(out, s.image->string);
    (out << ' ').dec(s.image->index) << " 0x";
    out.hex(s.image->padding) << " 0x";
    out.hex(s.image->format);
    if (const std::string text = s.image->name(); !text.empty()) out << "  ; " << text;
  }
  out << '\n';
}

void tables(Text& out, const File& file) {
  (out << directive::kVbc << " ").dec(kVersion) << ' ' << directive::kGraphics << '\n';
  if (file.form.layout != Layout::current)
    out << directive::kLayout << ' ' << id(file.form.layout) << "  ; " << since(file.form.layout) << '\n';
  if (file.form.raw_subpass()) (out << directive::kSubpassBytes << ' ').dec(file.form.subpass_bytes) << '\n';
  out << directive::kTables;
  for (const TableInfo& info : kTableInfos) (out << ' ' << info.name << ' ').dec(file.tables.*info.size);
  out << '\n';
  variables(out, directive::kInput, file.inputs);
  variables(out, directive::kOutput, file.outputs);
  for (const Binding& b : file.bindings) binding(out, b);
  uniform(out, file.uniform);
  for (const SubpassInput& s : file.subpass_inputs) subpass_input(out, s);
}

/// Whether the grammar accounts for every word: the text of such a module says all of it.
bool is_regular(const spirv::Module& module) {
  const spirv::IdTable ids(module);
  std::vector<spirv::Operand> operands;
  for (const spirv::Instruction i : module)
    if (spirv::decode_operands(i, ids, operands) != spirv::Decoded::whole) return false;
  return true;
}

/// The text of a stage's module; false, and nothing if it would not assemble to the same bytes.
bool code(Text& out, const spirv::Module& module, const spirv::ListingOptions& options,
          bool (*assembles_to)(std::string_view text, View module)) {
  const std::size_t from = out.size();
  spirv::list_module(module, out, options);
  if (assembles_to == nullptr || !options.exact || !options.header || is_regular(module)) return true;
  if (assembles_to(out.view().substr(from), module.bytes())) return true;
  out.truncate(from);
  return false;
}

}  // namespace

void list_file(const File& file, Text& out, const ListingOptions& options) {
  if (options.tables) tables(out, file);
  for (std::size_t i = 0; i < kStages; ++i) {
    if (file.stages[i].empty() || (options.stages & stage_bit(i)) == 0) continue;
    const auto module = spirv::parse(view_of(file.stages[i]));
    out << '\n' << directive::kStage << ' ' << id(static_cast<Stage>(i));
    const std::size_t head = out.size();
    out << '\n';
    spirv::ListingOptions how = options.spirv;
    TextOrigins origins;
    if (options.origins != nullptr) how.origins = &origins;
    if (!module || !code(out, *module, how, options.assembles_to)) {
      out.truncate(head);
      origins.clear();
      out << ' ' << directive::kBytes << '\n';
      lines_of_bytes(out, file.stages[i]);
    }
    if (options.origins != nullptr)
      for (const TextOrigin& origin : origins)
        options.origins->push_back({origin.text, file.places.stages[i] + origin.offset, origin.size});
    out << directive::kEnd << '\n';
  }
  if (options.tables && !file.trailing.empty()) {
    out << '\n' << directive::kTrailing << '\n';
    lines_of_bytes(out, file.trailing);
    out << directive::kEnd << '\n';
  }
}

}  // namespace unshade::vbc
