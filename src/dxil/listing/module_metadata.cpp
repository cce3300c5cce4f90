// Metadata: named lists, nodes, records of debug information.
#include <algorithm>

#include <unshade/core/text/characters.hpp>

#include "dxil/listing/module.hpp"
#include "dxil/module/debug_words.hpp"

namespace unshade::dxil::listing {

namespace {

constexpr std::uint64_t value_of(std::string_view text) {
  for (const module::DebugWord& word : module::kDwarfTags)
    if (word.text == text) return word.value;
  return 0;
}
constexpr std::uint64_t kBaseType = value_of("DW_TAG_base_type");
constexpr std::uint64_t kTemplateValue = value_of("DW_TAG_template_value_parameter");
constexpr std::uint64_t kAutoVariable = value_of("DW_TAG_auto_variable");
static_assert(kBaseType != 0 && kTemplateValue != 0 && kAutoVariable != 0);

/// A word of DWARF, or its number if it has none.
void print_word(Text& out, std::span<const module::DebugWord> words, std::uint64_t value) {
  const auto word =
      std::lower_bound(words.begin(), words.end(), value, [](const module::DebugWord& a, std::uint64_t b) { return a.value < b; });
  if (word != words.end() && word->value == value) {
    out << word->text;
  } else {
    out.dec(value);
  }
}

void print_flag_words(Text& out, std::uint64_t flags) {
  constexpr std::uint64_t kAccess = 3;  // private, protected, public: one field
  bool first = true;
  const auto separate = [&] {
    if (!first) out << " | ";
    first = false;
  };
  for (const module::DebugWord& word : module::kDebugFlags) {
    const bool access = word.value <= kAccess;
    if (access ? (flags & kAccess) != word.value : (flags & word.value) == 0) continue;
    separate();
    out << word.text;
    flags &= ~(access ? kAccess : word.value);
  }
  if (flags != 0 || first) {
    separate();
    out.dec(flags);
  }
}

const module::ExpressionOperation* find_operation_word(std::uint64_t code) {
  for (const module::ExpressionOperation& operation : module::kExpressionOperations)
    if (operation.code == code) return &operation;
  return nullptr;
}

/// Whether all words are operations with their arguments; a piece has to be the last.
bool is_valid_expression(std::span<const std::uint64_t> words) {
  for (std::size_t i = 0; i < words.size();) {
    const module::ExpressionOperation* operation = find_operation_word(words[i]);
    if (operation == nullptr || operation->arguments >= words.size() - i) return false;
    i += 1 + operation->arguments;
    if (operation == &module::kExpressionOperations[2]) return i == words.size();
  }
  return true;
}

constexpr std::int64_t unfold_sign(std::uint64_t word) { return static_cast<std::int64_t>((word & 1) != 0 ? ~(word >> 1) : word >> 1); }

}  // namespace

void IrPrinter::print_metadata_identifier(std::string_view name) {
  if (name.empty()) {
    out_ << "<empty name> ";
    return;
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_letter(c) || c == '-' || c == '$' || c == '.' || c == '_' || (i != 0 && c >= '0' && c <= '9')) {
      out_ << c;
    } else {
      constexpr char kDigits[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out_ << '\\' << kDigits[byte >> 4] << kDigits[byte & 0xf];
    }
  }
}

void IrPrinter::print_metadata_slot(std::uint32_t slot) {
  out_ << '!';
  out_.dec(slot);
}

void IrPrinter::print_named_metadata() {
  if (!module_.named_metadata.empty()) out_ << '\n';
  for (const NamedMetadata& named : module_.named_metadata) {
    if (full()) return;
    out_ << '!';
    print_metadata_identifier(module_.text(named.name));
    out_ << " = !{";
    bool first = true;
    for (const std::uint64_t id : module_.metadata_operands_of(named.nodes)) {
      if (!first) out_ << ", ";
      first = false;
      const std::uint32_t slot = metadata_.slot_of(nullptr, static_cast<std::uint32_t>(id));
      if (slot == kNone) {
        out_ << "<badref>";
      } else {
        print_metadata_slot(slot);
      }
    }
    out_ << "}\n";
  }
}

void IrPrinter::print_metadata_nodes() {
  const auto& nodes = metadata_.nodes();
  if (!nodes.empty()) out_ << '\n';
  std::uint32_t body = kNone;
  for (std::uint32_t i = 0; i < nodes.size() && !full(); ++i) {
    print_metadata_slot(i);
    out_ << " = ";
    if (nodes[i].body != body) {
      body = nodes[i].body;
      enter_values(body == kNone ? nullptr : &module_.bodies[body]);  // which have no numbers here
    }
    if (nodes[i].id == kNone) {
      print_location(module_.locations[nodes[i].location]);
    } else {
      print_node(module_.metadata_at(body_, nodes[i].id));
    }
    out_ << '\n';
  }
  enter_values(nullptr);
}

void IrPrinter::print_metadata(std::uint32_t id) {
  if (full()) return;
  const Metadata& metadata = module_.metadata_at(body_, id);
  if (metadata.kind == MetadataKind::string) {
    out_ << "!\"";
    print_escaped(out_, module_.string_of(metadata));
    out_ << '"';
  } else if (metadata.kind == MetadataKind::value) {
    print_typed_value(metadata.value);
  } else if (const std::uint32_t slot = metadata_.slot_of(body_, id); slot != kNone) {
    print_metadata_slot(slot);
  } else {
    out_ << "<0x0>";  // LLVM prints an address
  }
}

void IrPrinter::print_location(const Location& location) {
  out_ << '!' << node_text(MetadataKind::location) << "(line: ";
  out_.dec(location.line);
  if (location.column != 0) {
    out_ << ", column: ";
    out_.dec(location.column);
  }
  out_ << ", scope: ";
  print_metadata(location.scope);
  if (location.inlined_at != kNone) {
    out_ << ", inlinedAt: ";
    print_metadata(location.inlined_at);
  }
  out_ << ')';
}

void IrPrinter::print_node(const Metadata& node) {
  if (node.distinct) out_ << "distinct ";
  if (node.kind == MetadataKind::node) {
    out_ << "!{";
    bool first = true;
    for (const std::uint64_t operand : module_.metadata_operands_of(node.operands)) {
      if (!first) out_ << ", ";
      first = false;
      if (operand == 0) {
        out_ << "null";
      } else {
        print_metadata(static_cast<std::uint32_t>(operand - 1));
      }
      if (full()) break;
    }
    out_ << '}';
    return;
  }
  out_ << '!' << node_text(node.kind) << '(';
  if (node.kind == MetadataKind::expression) {
    print_expression_node(node);
  } else {
    print_fields(node);
  }
  out_ << ')';
}

void IrPrinter::print_expression_node(const Metadata& node) {
  auto words = module_.metadata_operands_of(node.operands);
  words = words.subspan(std::min<std::size_t>(words.size(), 1));
  const bool valid = is_valid_expression(words);
  for (std::size_t i = 0; i < words.size();) {
    if (i != 0) out_ << ", ";
    const module::ExpressionOperation* operation = valid ? find_operation_word(words[i]) : nullptr;
    if (operation == nullptr) {
      out_.dec(words[i++]);
      continue;
    }
    out_ << operation->text;
    ++i;
    for (std::size_t k = 0; k < operation->arguments; ++k) {
      out_ << ", ";
      out_.dec(words[i++]);
    }
  }
}

void IrPrinter::print_fields(const Metadata& node) {
  const auto record = module_.metadata_operands_of(node.operands);
  bool first = true;
  for (const NodeField& field : node_fields(node.kind)) {
    // Records of older writers may be shorter than a field's place.
    const std::uint64_t word = field.operand < record.size() ? record[field.operand] : 0;
    const Metadata* string =
        field.form == FieldForm::string && word != 0 ? &module_.metadata_at(body_, static_cast<std::uint32_t>(word - 1)) : nullptr;
    const bool empty = word == 0 || (string != nullptr && module_.string_of(*string).empty());
    if (field.print == FieldPrint::value && empty) continue;
    if (field.print == FieldPrint::other) {
      if (node.kind == MetadataKind::basic_type && word == kBaseType) continue;
      if (node.kind == MetadataKind::template_value && word == kTemplateValue) continue;
      if (node.kind == MetadataKind::local_variable && word == 0 && record[1] == kAutoVariable) continue;
      if (field.form == FieldForm::rest && field.operand >= record.size()) continue;
    }
    if (!first) out_ << ", ";
    first = false;
    out_ << field.text << ": ";
    switch (field.form) {
      case FieldForm::node:
        if (word == 0) {
          out_ << "null";
        } else {
          print_metadata(static_cast<std::uint32_t>(word - 1));
        }
        break;
      case FieldForm::id: print_metadata(static_cast<std::uint32_t>(word)); break;
      case FieldForm::string:
        out_ << '"';
        if (string != nullptr) print_escaped(out_, module_.string_of(*string));
        out_ << '"';
        break;
      case FieldForm::u:
      case FieldForm::line:
      case FieldForm::column: out_.dec(word); break;
      case FieldForm::i: out_.dec_signed(static_cast<std::int64_t>(word)); break;
      case FieldForm::s: out_.dec_signed(unfold_sign(word)); break;
      case FieldForm::boolean: out_ << (word != 0 ? "true" : "false"); break;
      case FieldForm::tag: print_word(out_, module::kDwarfTags, word); break;
      case FieldForm::language: print_word(out_, module::kDwarfLanguages, word); break;
      case FieldForm::encoding: print_word(out_, module::kDwarfEncodings, word); break;
      case FieldForm::virtuality: print_word(out_, module::kDwarfVirtualities, word); break;
      case FieldForm::flags: print_flag_words(out_, word); break;
      case FieldForm::rest:
        out_ << '{';
        for (std::size_t i = field.operand; i < record.size() && !full(); ++i) {
          if (i != field.operand) out_ << ", ";
          if (record[i] == 0) {
            out_ << "null";
          } else {
            print_metadata(static_cast<std::uint32_t>(record[i] - 1));
          }
        }
        out_ << '}';
        break;
    }
  }
}

}  // namespace unshade::dxil::listing
