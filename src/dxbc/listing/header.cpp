#include "dxbc/listing/column_words.hpp"

#include <algorithm>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program/features.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

using dxcontainer::kNoRegister;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

/// A word of a table, or the number that has none.
void right_or_number(Text& out, std::string_view word, std::uint32_t number, std::size_t width) {
  if (word.empty()) {
    out.dec(number, width);
  } else {
    out.right(word, width);
  }
}

// --- the note on features ----------------------------------------------------------------------------------------------------------

void print_feature_note(Text& out, const ListingTables& tables) {
  std::uint64_t required = tables.major_version >= 5 ? tables.features : 0;
  if ((program::token::kGlobalFlags.get(tables.global_flags) & program::kFlagForceEarlyDepthStencil) != 0)
    required |= 1U << kEarlyDepthStencilFeature;
  if (required == 0) return;
  out << "// " << words::kFeatures << '\n';
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((required >> bit & 1) == 0 || feature_text(bit).empty()) continue;
    out << "//       " << feature_text(bit) << '\n';
  }
  out << "//\n//\n";
}

// --- buffer definitions ------------------------------------------------------------------------------------------------------------

/// Where a declaration's offset comment begins.
constexpr std::size_t kOffsetColumn = 40;

class BufferPrinter {
 public:
  /// `part_bytes`: size of the part, which bounds how far shared types expand.
  BufferPrinter(Text& out, const Rdef& rdef, std::size_t part_bytes)
      : out_(out), rdef_(rdef), end_(out.size() + limits::kExpandedTextBase + part_bytes * limits::kExpandedTextPerByte) {}

  void print(const ConstantBuffer& buffer) {
    out_ << "// ";
    const std::string_view kind = fxc_text(buffer.kind);
    if (kind.empty()) {
      out_ << "buffer kind ";
      out_.dec(static_cast<std::uint32_t>(buffer.kind));
    } else {
      out_ << kind;
    }
    out_ << ' ' << printable(buffer.name.text) << "\n// {\n//\n";
    bool is_first = true;
    for (const Variable& variable : buffer.variables) {
      declare(variable.name.text, variable.type, variable.offset, 2, is_first);
      out_ << words::kSize;
      if (variable.size == 0) {
        out_ << "  " << words::kNotApplicable;
      } else {
        out_.dec(variable.size, 5);
      }
      if (!variable.is_used()) out_ << ' ' << words::kUnused;
      out_ << '\n';
      for (const DefaultValue& value : variable.default_value) print_default(value.bytes);
      is_first = false;
    }
    out_ << "//\n// }\n//\n";
  }

 private:
  /// A variable or member up to its offset, without the line's end.
  void declare(std::string_view name, std::uint32_t type_index, std::uint32_t offset, std::size_t indent, bool is_first) {
    static constexpr Type kUnknownType{};
    const Type& type = type_index < rdef_.types.size() ? rdef_.types[type_index] : kUnknownType;
    std::size_t line = out_.size();
    if (type.is_struct()) {
      if (!is_first) begin_line(indent) << '\n';
      begin_line(indent) << words::kStruct;
      if (!type.name.empty()) out_ << ' ' << printable(type.name.text);
      out_ << '\n';
      begin_line(indent) << "{\n";
      begin_line(indent + 4) << '\n';
      print_members(type, offset, indent + 4);
      out_ << "//\n";
      line = out_.size();
      begin_line(indent) << '}';
    } else {
      begin_line(indent);
      print_type(type);
    }
    out_ << ' ' << printable(name);
    if (type.elements > 1) {
      out_ << '[';
      out_.dec(type.elements) << ']';
    }
    out_ << ';';
    const std::size_t width = out_.size() - line;
    out_.repeat(' ', width < kOffsetColumn ? kOffsetColumn - width : 0) << words::kOffset;
    if (offset == kNoOffset) {
      out_ << ' ' << words::kNotApplicable;
    } else {
      out_.dec(offset, 4);
    }
  }

  void print_members(const Type& type, std::uint32_t offset, std::size_t indent) {
    bool is_first = true;
    for (const Member& member : type.members) {
      // Shared types can name one another so that their expansion grows beyond all bounds, as no compiler writes them.
      if (out_.size() > end_) {
        begin_line(indent) << "...\n";
        return;
      }
      const bool is_placed = offset != kNoOffset && member.offset != kNoOffset;
      declare(member.name.text, member.type, is_placed ? offset + member.offset : member.offset, indent, is_first);
      out_ << '\n';
      is_first = false;
    }
  }

  void print_type(const Type& type) {
    const std::string_view base = fxc_text(type.type);
    switch (type.variable_class) {
      case TypeClass::interface_pointer:
      case TypeClass::interface_class: out_ << words::kInterface << printable(type.name.text); return;
      case TypeClass::matrix_rows: out_ << words::kRowMajor; break;
      default: break;
    }
    if (base.empty()) {
      out_ << "type";
      out_.dec(static_cast<std::uint32_t>(type.type));
    } else {
      out_ << base;
    }
    switch (type.variable_class) {
      case TypeClass::vector: out_.dec(type.columns); break;
      case TypeClass::matrix_rows:
      case TypeClass::matrix_columns:
        out_.dec(type.rows) << 'x';
        out_.dec(type.columns);
        break;
      default: break;
    }
  }

  /// Four dwords a line.
  void print_default(View bytes) {
    for (std::size_t at = 0; bytes.holds(at, 4); at += 4) {
      if (at == 0) {
        out_ << "//      = ";
      } else if (at % 16 == 0) {
        out_ << "\n//        ";
      }
      out_ << "0x";
      out_.hex(bytes.load_unchecked<std::uint32_t>(at), 8) << ' ';
    }
    out_ << '\n';
  }

  Text& begin_line(std::size_t indent) {
    out_ << "// ";
    return out_.repeat(' ', indent);
  }

  Text& out_;
  const Rdef& rdef_;
  std::size_t end_;  // size of the text beyond which structs are not expanded any more
};

// --- resource bindings -------------------------------------------------------------------------------------------------------------

/// The Format column of a resource without an element type; empty for a typed one.
std::string_view untyped_format(const Binding& binding) {
  switch (binding.kind) {
    case ResourceKind::structured:
    case ResourceKind::uav_structured:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume:
    case ResourceKind::uav_structured_with_counter: return words::kStructured;
    case ResourceKind::byte_address:
    case ResourceKind::uav_byte_address: return words::kRaw;
    default: return {};
  }
}

std::string_view binding_dimension(const Binding& binding) {
  switch (binding.kind) {
    case ResourceKind::structured:
    case ResourceKind::byte_address: return words::kReadOnly;
    case ResourceKind::uav_structured:
    case ResourceKind::uav_byte_address: return words::kReadWrite;
    case ResourceKind::uav_append: return words::kAppend;
    case ResourceKind::uav_consume: return words::kConsume;
    case ResourceKind::uav_structured_with_counter: return words::kCounter;
    default: return fxc_text(binding.dimension);
  }
}

std::size_t digits(std::uint32_t value) {
  std::size_t count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

/// `word` and `number`, together right-aligned.
void right_with_number(Text& out, std::string_view word, std::uint32_t number, std::size_t width) {
  const std::size_t size = word.size() + digits(number);
  out.repeat(' ', size < width ? width - size : 0) << word;
  out.dec(number);
}

void print_binding(Text& out, const Binding& binding, const FxcStyle& style, bool has_space) {
  out << "// ";
  out.left(printable(binding.name.text), 30) << ' ';
  if (binding.is_comparison_sampler()) {
    out.right(words::kComparisonSampler, 10);
  } else {
    right_or_number(out, fxc_text(binding.kind), static_cast<std::uint32_t>(binding.kind), 10);
  }
  out << ' ';

  if (const std::string_view format = untyped_format(binding); !format.empty()) {
    out.right(format, 7);
  } else if (binding.return_type == ReturnType::none || binding.components() == 1) {
    right_or_number(out, fxc_text(binding.return_type), static_cast<std::uint32_t>(binding.return_type), 7);
  } else {
    right_with_number(out, fxc_text(binding.return_type), binding.components(), 7);
  }
  out << ' ';

  const std::string_view dimension = binding_dimension(binding);
  const bool is_multisampled = dxcontainer::is_multisampled(binding.dimension);
  if (is_multisampled && binding.sample_count != 0 && binding.sample_count != 0xffff'ffff) {
    right_with_number(out, dimension, binding.sample_count, 11);
  } else {
    right_or_number(out, dimension, static_cast<std::uint32_t>(binding.dimension), 11);
  }
  out << ' ';

  if (!style.hlsl_bind_column) {
    out.dec(binding.bind_point, 4) << ' ';
    out.dec(binding.bind_count, 8) << '\n';
    return;
  }
  const std::string_view letters = register_letters(binding.kind);
  if (has_space) {
    char capitals[2] = {};
    for (std::size_t i = 0; i < letters.size(); ++i) capitals[i] = upper(letters[i]);
    right_with_number(out, {capitals, letters.size()}, binding.id, 7);
    out << ' ';
  }
  constexpr std::string_view kSpace = ",space";
  std::size_t width = letters.size() + digits(binding.bind_point);
  if (binding.space != 0) width += kSpace.size() + digits(binding.space);
  out.repeat(' ', width < 14 ? 14 - width : 0) << letters;
  out.dec(binding.bind_point);
  if (binding.space != 0) {
    out << kSpace;
    out.dec(binding.space);
  }
  out << ' ';
  if (binding.bind_count == 0) {
    out << words::kUnbounded;
  } else {
    out.dec(binding.bind_count, 6);
  }
  out << " \n";
}

void print_bindings(Text& out, const Rdef& rdef, const FxcStyle& style) {
  out << "// " << words::kBindings << "\n//\n";
  if (!style.hlsl_bind_column) {
    out << "// Name                                 Type  Format         Dim Slot Elements\n"
           "// ------------------------------ ---------- ------- ----------- ---- --------\n";
  } else if (!rdef.has_space()) {
    out << "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
           "// ------------------------------ ---------- ------- ----------- -------------- ------\n";
  } else {
    out << "// Name                                 Type  Format         Dim      ID      HLSL Bind  Count\n"
           "// ------------------------------ ---------- ------- ----------- ------- -------------- ------\n";
  }
  for (const Binding& binding : rdef.bindings) print_binding(out, binding, style, rdef.has_space());
  out << "//\n//\n";
}

// --- signatures --------------------------------------------------------------------------------------------------------------------

enum class SignatureUse : std::uint8_t { read, written, pixel_output };

void print_element(Text& out, const SignatureElement& element, const FxcStyle& style, SignatureUse use, bool has_streams) {
  out << "// ";
  const std::string semantic = printable(element.semantic.text);
  std::size_t name_width = semantic.size();
  if (has_streams) {
    out << 'm';
    out.dec(element.stream) << ':';
    name_width += 2 + digits(element.stream);
  }
  out << semantic;
  out.repeat(' ', name_width < 20 ? 20 - name_width : 0) << ' ';
  out.dec(element.semantic_index, 5);

  const SystemValue value = reported_system_value(element, use == SignatureUse::pixel_output);
  const unsigned used = use == SignatureUse::read ? element.used_mask : ~unsigned{element.used_mask};
  if (element.register_index == kNoRegister) {
    out << "    " << words::kNotApplicable;
    out << dxcontainer::special_register_text(element.semantic.text, value);
  } else {
    out << "   ";
    out << WriteMask(element.mask).columns(' ');
    out << ' ';
    out.dec(element.register_index, 8);
  }
  out << ' ';
  right_or_number(out, fxc_text(value), static_cast<std::uint32_t>(value), 8);
  out << ' ';
  right_or_number(out, fxc_text(element.component_type, element.min_precision), static_cast<std::uint32_t>(element.component_type),
                  style.wide_format ? 7 : 6);
  if (element.register_index == kNoRegister) {
    out.right((used & 0xf) != 0 ? words::kYes : words::kNotUsed, 7);
  } else {
    out << "   ";
    out << WriteMask(used).columns(' ');
  }
  out << '\n';
}

void print_signature(Text& out, std::string_view title, const Signature& signature, const FxcStyle& style, SignatureUse use) {
  out << "// " << title << words::kSignature << "\n//\n";
  if (style.wide_format) {
    out << "// Name                 Index   Mask Register SysValue  Format   Used\n"
           "// -------------------- ----- ------ -------- -------- ------- ------\n";
  } else {
    out << "// Name                 Index   Mask Register SysValue Format   Used\n"
           "// -------------------- ----- ------ -------- -------- ------ ------\n";
  }
  if (signature.elements.empty()) {
    out << "// " << words::kNo << title << '\n';
    return;
  }
  const bool has_streams = std::ranges::any_of(signature.elements, [](const SignatureElement& e) { return e.stream != 0; });
  for (const SignatureElement& element : signature.elements) print_element(out, element, style, use, has_streams);
  out << "//\n";
}

// --- statistics and class linkage --------------------------------------------------------------------------------------------------

void print_statistics(Text& out, const Statistics& statistics) {
  if (statistics.tessellator_domain != TessellatorDomain::undefined) {
    out << "// " << words::kTessellationDomain
        << "   # of control points\n"
           "// -------------------- --------------------\n// ";
    out.left(fxc_text(statistics.tessellator_domain), 20) << ' ';
    out.dec(statistics.control_point_count, 20) << "\n//\n";
  }
  if (statistics.tessellator_output != TessellatorOutput::undefined) {
    out << "// " << words::kTessellationOutput
        << "  Partitioning Type \n"
           "// ------------------------------ ------------------\n// ";
    out.left(fxc_text(statistics.tessellator_output), 30) << ' ';
    out.left(fxc_text(statistics.tessellator_partitioning), 18) << "\n//\n";
  }
  if (statistics.sample_frequency != 0) out << "// " << words::kSampleFrequency << "\n//\n";
}

void print_slot_number(Text& out, std::uint16_t slot, std::size_t width) {
  if (slot == kNoSlot) {
    out.right("-", width);
  } else {
    out.dec(slot, width);
  }
}

void left_number(Text& out, std::uint64_t value, std::size_t width) {
  const std::size_t start = out.size();
  out.dec(value);
  const std::size_t size = out.size() - start;
  out.repeat(' ', size < width ? width - size : 0);
}

void print_class_linkage(Text& out, const ClassLinkage& linkage) {
  out << "//\n// " << words::kClassTypes
      << "\n//\n"
         "// Name                             ID CB Stride Texture Sampler\n"
         "// ------------------------------ ---- --------- ------- -------\n";
  for (std::size_t i = 0; i < linkage.types.size(); ++i) {
    const ClassType& type = linkage.types[i];
    out << "// ";
    out.left(printable(type.name.text), 30) << ' ';
    out.dec(i, 4) << ' ';
    out.dec(type.constant_buffer_stride, 9) << ' ';
    out.dec(type.texture_count, 7) << ' ';
    out.dec(type.sampler_count, 7) << '\n';
  }
  out << "//\n";
  if (!linkage.instances.empty()) {
    out << "// " << words::kClassInstances
        << "\n//\n"
           "// Name                        Type CB CB Offset Texture Sampler\n"
           "// --------------------------- ---- -- --------- ------- -------\n";
    for (const ClassInstance& instance : linkage.instances) {
      out << "// ";
      const std::size_t start = out.size();
      out << printable(instance.name.text);
      if (instance.elements > 1) {
        out << '[';
        out.dec(instance.elements) << ']';
      }
      const std::size_t width = out.size() - start;
      out.repeat(' ', width < 27 ? 27 - width : 0) << ' ';
      out.dec(instance.type, 4) << ' ';
      print_slot_number(out, instance.constant_buffer, 2);
      out << ' ';
      print_slot_number(out, instance.constant_buffer_offset, 9);
      out << ' ';
      print_slot_number(out, instance.texture, 7);
      out << ' ';
      print_slot_number(out, instance.sampler, 7);
      out << '\n';
    }
    out << "//\n";
  }
  constexpr std::string_view kRule = "// +----------+---------+---------------------------------------\n";
  out << "// " << words::kInterfaceSlots;
  out.dec(linkage.slot_count) << " total:\n//\n//             Slots\n" << kRule;
  std::uint64_t slot = 0;
  for (const InterfaceSlot& interface : linkage.slots) {
    out << "// " << words::kTypeIds << "   ";
    const std::size_t start = out.size();
    out.dec(slot);
    if (interface.span > 1) {
      out << '-';
      out.dec(slot + interface.span - 1);
    }
    const std::size_t width = out.size() - start;
    out.repeat(' ', width < 5 ? 5 - width : 0) << " |";
    for (const ClassTypeId& id : interface.types) {
      left_number(out, id.type, 4);
      out << ' ';
    }
    out << "\n// " << words::kTableIds << "         |";
    for (const FunctionTableId& id : interface.tables) {
      left_number(out, id.table, 4);
      out << ' ';
    }
    out << '\n' << kRule;
    slot += interface.span;
  }
}

}  // namespace

void print_listing_tables(Text& out, const ListingTables& tables, const FxcVersion& version, ListingPlace place) {
  const FxcStyle style = fxc_style(version);
  out << "//\n// " << words::kGenerated;
  out << printable(tables.rdef ? tables.rdef->creator.text : words::kDisassembler);
  out << "\n//\n//\n";
  if (style.triple_slash && place == ListingPlace::file) out << "///\n";
  if (tables.needs_debug_layer) out << "// Note: SHADER WILL ONLY WORK WITH THE DEBUG SDK LAYER ENABLED.\n//\n//\n";
  if (style.feature_note) print_feature_note(out, tables);
  if (tables.rdef) {
    const Rdef& rdef = *tables.rdef;
    if (!rdef.constant_buffers.empty()) {
      out << "// " << words::kBuffers << "\n//\n";
      BufferPrinter printer(out, rdef, tables.rdef_bytes);
      for (const ConstantBuffer& buffer : rdef.constant_buffers)
        if (!buffer.name.empty()) printer.print(buffer);
      out << "//\n";
    }
    if (!rdef.bindings.empty()) print_bindings(out, rdef, style);
    out << "//\n";
  }
  if (tables.patch_constant) {
    const auto use = tables.stage == Stage::hull ? SignatureUse::written : SignatureUse::read;
    print_signature(out, words::kPatchConstant, *tables.patch_constant, style, use);
    out << "//\n";
  }
  if (tables.input) {
    print_signature(out, words::kInput, *tables.input, style, SignatureUse::read);
    out << "//\n";
  }
  if (tables.output) {
    const auto use = tables.stage == Stage::pixel ? SignatureUse::pixel_output : SignatureUse::written;
    print_signature(out, words::kOutput, *tables.output, style, use);
  }
  if (tables.statistics) print_statistics(out, *tables.statistics);
  if (tables.class_linkage) print_class_linkage(out, *tables.class_linkage);
}

void print_slot_count(Text& out, const ListingTables& tables) {
  out << "// " << words::kSlotCount;
  out.dec(tables.statistics ? tables.statistics->instruction_count : 0) << words::kSlotsUsed << '\n';
}

}  // namespace unshade::dxbc::listing
