#include "dxil/module/write.hpp"

#include <algorithm>
#include <bit>

#include <unshade/dxil/assemble.hpp>

#include "dxil/module/attribute_order.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::module {

namespace {

constexpr AbbreviationOperand literal(std::uint64_t value) { return {Encoding::literal, value}; }
constexpr AbbreviationOperand fixed(std::uint64_t width) { return {Encoding::fixed, width}; }
constexpr AbbreviationOperand vbr(std::uint64_t width) { return {Encoding::vbr, width}; }
constexpr AbbreviationOperand kArray{Encoding::array, 0};
constexpr AbbreviationOperand kChar6{Encoding::char6, 0};

/// Abbreviations of symbols, in the order in which write_block_info() defines them.
enum SymbolAbbreviation : std::uint32_t { kEntry8 = abbreviation::kFirst, kEntry7, kEntry6, kBlock6 };
/// The same of types.
enum TypeAbbreviation : std::uint32_t { kPointer = abbreviation::kFirst, kFunction, kLiteralStruct, kStructName, kNamedStruct, kArrayType };

bool is_all_char6(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_char6(static_cast<unsigned char>(c)); });
}

/// The number that LLVM writes: of the two that old and new files have for some, the new one. src: DXC BitcodeWriter.cpp
std::uint64_t linkage_code(Linkage linkage) {
  const bool has_comdat =
      linkage == Linkage::weak || linkage == Linkage::weak_odr || linkage == Linkage::linkonce || linkage == Linkage::linkonce_odr;
  std::uint64_t found = 0;
  constexpr std::uint64_t kCodes = 20;
  for (std::uint64_t code = kCodes; code-- > 0;) {
    if (linkage_of(code) != linkage) continue;
    found = code;
    if (has_comdat) break;
  }
  return found;
}

std::uint64_t attribute_code(AttributeKind kind) {
  constexpr std::uint64_t kCodes = 48;
  for (std::uint64_t code = 0; code < kCodes; ++code)
    if (attribute_of(code) == kind) return code;
  return 0;
}

std::uint64_t type_code(const Type& type) {
  switch (type.kind) {
    case TypeKind::void_: return bitcode::code::types_void_;
    case TypeKind::half: return bitcode::code::types_half;
    case TypeKind::float_: return bitcode::code::types_float_;
    case TypeKind::double_: return bitcode::code::types_double_;
    case TypeKind::x86_fp80: return bitcode::code::types_x86_fp80;
    case TypeKind::fp128: return bitcode::code::types_fp128;
    case TypeKind::ppc_fp128: return bitcode::code::types_ppc_fp128;
    case TypeKind::label: return bitcode::code::types_label;
    case TypeKind::metadata: return bitcode::code::types_metadata;
    case TypeKind::x86_mmx: return bitcode::code::types_x86_mmx;
    case TypeKind::integer: return bitcode::code::types_integer;
    case TypeKind::function: return bitcode::code::types_function;
    case TypeKind::structure:
      return type.literal  ? bitcode::code::types_literal_struct
             : type.opaque ? bitcode::code::types_opaque
                           : bitcode::code::types_named_struct;
    case TypeKind::array: return bitcode::code::types_array;
    case TypeKind::pointer: return bitcode::code::types_pointer;
    case TypeKind::vector: return bitcode::code::types_vector;
  }
  return 0;
}

std::uint64_t log2_plus_one(std::uint32_t alignment) { return static_cast<std::uint64_t>(std::bit_width(alignment)); }

std::uint64_t signed_word(std::uint64_t value) { return static_cast<std::int64_t>(value) >= 0 ? value << 1 : (0 - value) << 1 | 1; }

}  // namespace

ModuleWriter::ModuleWriter(const Module& module)
    : m_(module),
      numbers_(enumerate(module), true),
      attributes_(module),
      globals_(static_cast<std::uint32_t>(module.globals.size() + module.functions.size() + module.aliases.size())),
      module_values_(numbers_.module_values()),
      type_bits_(numbers_.types()->width()),
      section_numbers_(module.sections.size(), 0),
      gc_numbers_(module.gc_names.size(), 0),
      comdat_numbers_(module.comdats.size(), 0) {}

// --- items -------------------------------------------------------------------------------------------------------------------------------

Abbreviation ModuleWriter::define(std::initializer_list<AbbreviationOperand> operands) {
  BitstreamItem item;
  item.kind = BitstreamItem::Kind::definition;
  item.first = static_cast<std::uint32_t>(out_.definitions.size());
  item.count = static_cast<std::uint32_t>(operands.size());
  out_.definitions.insert(out_.definitions.end(), operands);
  out_.items.push_back(item);
  return operands;
}

void ModuleWriter::emit_text(std::uint32_t code, std::string_view text, std::uint32_t abbreviation) {
  Values values;
  values.reserve(text.size());
  for (const char c : text) values.push_back(static_cast<unsigned char>(c));
  emit(code, values, abbreviation);
}

// --- the module --------------------------------------------------------------------------------------------------------------------------

Result<std::vector<std::byte>> ModuleWriter::write() {
  enter(bitcode::block_id::module, kModuleWidth);
  emit(bitcode::code::module_version, {1});  // value ids count back from the instruction
  write_block_info();
  write_attributes();
  write_types();
  write_module_info();
  write_constants();
  write_metadata();
  write_kinds();
  std::vector<Symbol> symbols;
  for (std::uint32_t i = 0; i < globals_; ++i)
    if (!m_.values[i].name.empty()) symbols.push_back({m_.text(m_.values[i].name), i, false});
  write_symbols(symbols);
  for (const Body& body : m_.bodies) write_body(body);
  leave();
  auto bits = write_bitstream(out_);
  if (!bits) return bits;
  // A module that contradicts itself is refused as it would be if it were read.
  if (const auto module = parse_module(View(*bits)); !module) return module.error();
  return bits;
}

void ModuleWriter::write_block_info() {
  const auto set = [&](std::uint32_t block) { emit(block_info::kSetBlock, {block}); };
  enter(kBlockInfo, kBlockInfoWidth);
  set(bitcode::block_id::symbols);
  define({fixed(3), vbr(8), kArray, fixed(8)});
  define({literal(bitcode::code::symbols_entry), vbr(8), kArray, fixed(7)});
  define({literal(bitcode::code::symbols_entry), vbr(8), kArray, kChar6});
  define({literal(bitcode::code::symbols_block), vbr(8), kArray, kChar6});
  set(bitcode::block_id::constants);
  constant_abbreviations_ = {define({literal(bitcode::code::constants_set_type), fixed(type_bits_)}),
                             define({literal(bitcode::code::constants_integer), vbr(8)}),
                             define({literal(bitcode::code::constants_cast), fixed(4), fixed(type_bits_), vbr(8)}),
                             define({literal(bitcode::code::constants_null)})};
  set(bitcode::block_id::function);
  const auto instruction = [&](std::initializer_list<AbbreviationOperand> operands) {
    define(operands);
    const bool any = std::ranges::find(operands, Encoding::array, &AbbreviationOperand::encoding) != operands.end();
    instruction_abbreviations_.emplace_back(operands.begin()->value, any ? kAnyOperands : operands.size() - 1);
  };
  instruction({literal(bitcode::code::function_load), vbr(6), fixed(type_bits_), vbr(4), fixed(1)});
  instruction({literal(bitcode::code::function_binary), vbr(6), vbr(6), fixed(4)});
  instruction({literal(bitcode::code::function_binary), vbr(6), vbr(6), fixed(4), fixed(7)});
  instruction({literal(bitcode::code::function_cast), vbr(6), fixed(type_bits_), fixed(4)});
  instruction({literal(bitcode::code::function_ret)});
  instruction({literal(bitcode::code::function_ret), vbr(6)});
  instruction({literal(bitcode::code::function_unreachable)});
  instruction({literal(bitcode::code::function_getelementptr), fixed(1), fixed(type_bits_), kArray, vbr(6)});
  leave();
}

void ModuleWriter::write_attributes() {
  Values values;
  const auto text = [&](std::string_view characters) {
    for (const char c : characters) values.push_back(static_cast<unsigned char>(c));
    values.push_back(0);
  };
  if (!attributes_.groups.order.empty()) {
    enter(bitcode::block_id::attribute_groups, kAttributesWidth);
    for (std::size_t i = 0; i < attributes_.groups.order.size(); ++i) {
      const AttributeGroup& group = m_.attribute_groups[attributes_.groups.order[i]];
      values = {i + 1, group.slot};
      for (std::uint32_t k = group.attributes.first; k < group.attributes.end(); ++k) {
        const Attribute& attribute = m_.attributes[k];
        if (attribute.kind == AttributeKind::text) {
          values.push_back(attribute.text.empty() ? 3 : 4);
          text(m_.text(attribute.key));
          if (!attribute.text.empty()) text(m_.text(attribute.text));
          continue;
        }
        values.push_back(has_number(attribute.kind) ? 1 : 0);
        values.push_back(attribute_code(attribute.kind));
        if (has_number(attribute.kind)) values.push_back(attribute.value);
      }
      emit(bitcode::code::attribute_groups_entry, values);
    }
    leave();
  }
  if (attributes_.lists.order.empty()) return;
  enter(bitcode::block_id::attributes, kAttributesWidth);
  for (const std::uint32_t list : attributes_.lists.order) {
    values.clear();
    const Range range = m_.attribute_lists[list];
    for (std::uint32_t i = range.first; i < range.end(); ++i)
      values.push_back(std::uint64_t{attributes_.groups.ids[m_.attribute_list_groups[i]]} + 1);
    emit(bitcode::code::attributes_entry, values);
  }
  leave();
}

void ModuleWriter::write_types() {
  enter(bitcode::block_id::types, kTypesWidth);
  define({literal(bitcode::code::types_pointer), fixed(type_bits_), literal(0)});
  define({literal(bitcode::code::types_function), fixed(1), kArray, fixed(type_bits_)});
  define({literal(bitcode::code::types_literal_struct), fixed(1), kArray, fixed(type_bits_)});
  define({literal(bitcode::code::types_struct_name), kArray, kChar6});
  define({literal(bitcode::code::types_named_struct), fixed(1), kArray, fixed(type_bits_)});
  define({literal(bitcode::code::types_array), vbr(8), fixed(type_bits_)});
  emit(bitcode::code::types_count, {numbers_.types()->order().size()});
  for (const std::uint32_t type : numbers_.types()->order()) write_type(type);
  leave();
}

void ModuleWriter::write_type(std::uint32_t id) {
  const Type& type = m_.types[id];
  const auto parts = m_.parts_of(type);
  values_.clear();
  std::uint32_t used = abbreviation::kUnabbreviated;
  switch (type.kind) {
    case TypeKind::integer: values_.push_back(type.number); break;
    case TypeKind::pointer:
      values_ = {type_id(parts[0]), type.number};
      if (type.number == 0) used = kPointer;
      break;
    case TypeKind::function:
      values_.push_back(type.variadic ? 1 : 0);
      for (const std::uint32_t part : parts) values_.push_back(type_id(part));
      used = kFunction;
      break;
    case TypeKind::structure: {
      const std::string_view name = m_.text(type.name);
      if (!type.literal && !name.empty())
        emit_text(bitcode::code::types_struct_name, name, is_all_char6(name) ? kStructName : abbreviation::kUnabbreviated);
      values_.push_back(type.packed ? 1 : 0);
      for (const std::uint32_t part : parts) values_.push_back(type_id(part));
      if (type.literal)
        used = kLiteralStruct;
      else if (!type.opaque)
        used = kNamedStruct;
      break;
    }
    case TypeKind::array: used = kArrayType; [[fallthrough]];
    case TypeKind::vector: values_ = {type.count, type_id(parts[0])}; break;
    default: break;
  }
  emit(static_cast<std::uint32_t>(type_code(type)), values_, used);
}

void ModuleWriter::write_module_info() {
  const auto comdat = [&](std::uint32_t id) {
    if (id == kNone || comdat_numbers_[id] != 0) return;
    comdat_numbers_[id] = ++comdats_;
    const std::string_view name = m_.text(m_.comdats[id].name);
    Values values{m_.comdats[id].selection, name.size()};
    for (const char c : name) values.push_back(static_cast<unsigned char>(c));
    emit(bitcode::code::module_comdat, values);
  };
  for (const Global& global : m_.globals) comdat(global.comdat);
  for (const Function& function : m_.functions) comdat(function.comdat);
  if (!m_.triple.empty()) emit_text(bitcode::code::module_triple, m_.text(m_.triple));
  if (!m_.data_layout.empty()) emit_text(bitcode::code::module_data_layout, m_.text(m_.data_layout));
  if (!m_.inline_asm.empty()) emit_text(bitcode::code::module_assembly, m_.text(m_.inline_asm));
  const auto section = [&](std::uint32_t id) {
    if (id == kNone || m_.sections[id].empty() || section_numbers_[id] != 0) return;
    section_numbers_[id] = ++sections_;
    emit_text(bitcode::code::module_section_name, m_.text(m_.sections[id]));
  };
  for (const Global& global : m_.globals) section(global.section);
  for (const Function& function : m_.functions) {
    section(function.section);
    if (function.gc == kNone || gc_numbers_[function.gc] != 0) continue;
    gc_numbers_[function.gc] = ++gc_names_;
    emit_text(bitcode::code::module_gc_name, m_.text(m_.gc_names[function.gc]));
  }
  write_globals();
  write_functions_info();
  write_aliases();
}

std::uint32_t ModuleWriter::section_number(std::uint32_t section) { return section == kNone ? 0 : section_numbers_[section]; }

void ModuleWriter::write_globals() {
  if (m_.globals.empty()) return;
  std::uint64_t largest_type = 0;
  std::uint64_t largest_alignment = 0;
  for (const Global& global : m_.globals) {
    largest_type = std::max(largest_type, type_id(global.type));
    largest_alignment = std::max(largest_alignment, log2_plus_one(global.alignment));
  }
  for (const Function& function : m_.functions) largest_alignment = std::max(largest_alignment, log2_plus_one(function.alignment));
  const auto width = [](std::uint64_t most) { return static_cast<std::uint64_t>(std::bit_width(most)); };
  define({literal(bitcode::code::module_global), fixed(width(largest_type)), vbr(6), vbr(6), fixed(5),
          largest_alignment == 0 ? literal(0) : fixed(width(largest_alignment)), sections_ == 0 ? literal(0) : fixed(width(sections_))});
  for (const Global& global : m_.globals) {
    values_ = {type_id(global.type),
               std::uint64_t{global.address_space} << 2 | 2 | (global.constant ? 1U : 0U),
               global.initializer == kNone ? 0 : std::uint64_t{value_id(global.initializer)} + 1,
               linkage_code(global.linkage),
               log2_plus_one(global.alignment),
               section_number(global.section)};
    const bool more = global.thread_local_mode != ThreadLocal::none || global.visibility != Visibility::default_ || global.unnamed_addr ||
                      global.externally_initialized || global.dll_storage != DllStorage::default_ || global.comdat != kNone;
    if (more)
      for (const std::uint64_t value :
           {static_cast<std::uint64_t>(global.visibility), static_cast<std::uint64_t>(global.thread_local_mode),
            std::uint64_t{global.unnamed_addr}, std::uint64_t{global.externally_initialized},
            static_cast<std::uint64_t>(global.dll_storage), std::uint64_t{global.comdat == kNone ? 0 : comdat_numbers_[global.comdat]}})
        values_.push_back(value);
    emit(bitcode::code::module_global, values_, more ? abbreviation::kUnabbreviated : abbreviation::kFirst);
  }
}

void ModuleWriter::write_functions_info() {
  const auto data = [&](std::uint32_t id) { return id == kNone ? 0 : std::uint64_t{value_id(id)} + 1; };
  for (const Function& f : m_.functions)
    emit(bitcode::code::module_function,
         {type_id(f.type), f.calling_convention, f.body == kNone ? 1U : 0U, linkage_code(f.linkage), list_id(f.attributes),
          log2_plus_one(f.alignment), section_number(f.section), static_cast<std::uint64_t>(f.visibility),
          f.gc == kNone ? 0U : gc_numbers_[f.gc], f.unnamed_addr ? 1U : 0U, data(f.prologue), static_cast<std::uint64_t>(f.dll_storage),
          f.comdat == kNone ? 0U : comdat_numbers_[f.comdat], data(f.prefix), data(f.personality)});
}

void ModuleWriter::write_aliases() {
  for (const Alias& a : m_.aliases)
    emit(bitcode::code::module_alias,
         {type_id(m_.values[a.value].type), value_id(a.aliasee), linkage_code(a.linkage), static_cast<std::uint64_t>(a.visibility),
          static_cast<std::uint64_t>(a.dll_storage), static_cast<std::uint64_t>(a.thread_local_mode), a.unnamed_addr ? 1U : 0U});
}

// --- constants ---------------------------------------------------------------------------------------------------------------------------

void ModuleWriter::write_constants() {
  if (numbers_.constants().empty()) return;
  enter(bitcode::block_id::constants, kConstantsWidth);
  std::vector<Abbreviation> all = constant_abbreviations_;
  all.push_back(
      define({literal(bitcode::code::constants_aggregate), kArray, fixed(static_cast<std::uint64_t>(std::bit_width(module_values_)))}));
  all.push_back(define({literal(bitcode::code::constants_string), kArray, fixed(8)}));
  all.push_back(define({literal(bitcode::code::constants_c_string), kArray, fixed(7)}));
  all.push_back(define({literal(bitcode::code::constants_c_string), kArray, kChar6}));
  write_constants(numbers_.constants(), all);
  leave();
}

void ModuleWriter::write_constants(std::span<const std::uint32_t> ids, std::span<const Abbreviation> abbreviations) {
  std::uint32_t type = kNone;
  Values values;
  for (const std::uint32_t id : ids) {
    const Constant& constant = m_.constants[m_.values[id].index];
    std::uint32_t code = bitcode::code::constants_set_type;
    if (constant.type != type) {
      values = {type_id(constant.type)};
      emit(code, values, choose(abbreviations, code, values));
    }
    type = constant.type;
    values.clear();
    write_constant(constant, values, code);
    // LLVM has an abbreviation for null too, and does not use it.
    emit(code, values, code == bitcode::code::constants_null ? abbreviation::kUnabbreviated : choose(abbreviations, code, values));
  }
}

void ModuleWriter::write_constant(const Constant& c, Values& values, std::uint32_t& code) const {
  const auto operands = m_.operands_of(c.operands);
  const auto literals = m_.literals_of(c.literals);
  code = constant_code(c.kind);
  switch (c.kind) {
    case ConstantKind::integer: values = {signed_word(c.bits)}; return;
    case ConstantKind::wide_integer: {
      // Words above the highest that is not zero are left out.
      std::vector<std::uint64_t> words(literals.begin(), literals.end());
      if (const std::uint32_t rest = m_.types[c.type].number % 64; rest != 0) words.back() &= (std::uint64_t{1} << rest) - 1;
      while (words.size() > 1 && words.back() == 0) words.pop_back();
      for (const std::uint64_t word : words) values.push_back(signed_word(word));
      return;
    }
    case ConstantKind::real:
      values = {c.bits};
      if (!literals.empty()) values.assign(literals.begin(), literals.end());
      if (m_.types[c.type].kind == TypeKind::x86_fp80) values = {literals[1] << 48 | literals[0] >> 16, literals[0] & 0xffff};
      return;
    case ConstantKind::data:
    case ConstantKind::string:
    case ConstantKind::c_string: values.assign(literals.begin(), literals.end()); return;
    case ConstantKind::getelementptr:
      if ((c.flags & flag::kInBounds) != 0) code = bitcode::code::constants_getelementptr_inbounds;
      break;
    case ConstantKind::shufflevector:
      if (m_.values[operands[0]].type != c.type) code = bitcode::code::constants_shufflevector_wide;
      break;
    case ConstantKind::inline_asm:
    case ConstantKind::block_address: code = bitcode::code::constants_undef; return;  // the parser makes none
    default: break;
  }
  const auto [operation, flags] = operation_code(c.opcode, c.flags);
  OperandLetters letters(bitcode::record_operands(bitcode::block_id::constants, code));
  while (const char letter = letters.next()) {
    const std::size_t i = letters.place();
    if (i == operands.size() && (letter == 'a' || letter == 'q')) return;
    switch (letter) {
      case 'a': values.push_back(value_id(operands[i])); break;
      case 'q':
      case 'Q': values.push_back(type_id(m_.values[operands[i]].type)); break;
      case 'S': values.push_back(type_id(c.second_type)); break;
      case 'k': values.push_back(operation); break;
      case 'd': values.push_back(static_cast<std::uint64_t>(c.predicate)); break;
      case 'f':
        if (flags != 0) values.push_back(flags);
        break;
      default: break;
    }
  }
}

// --- metadata ----------------------------------------------------------------------------------------------------------------------------

void ModuleWriter::write_metadata() {
  const auto& order = numbers_.metadata();
  if (order.empty() && m_.named_metadata.empty()) return;
  enter(bitcode::block_id::metadata, kMetadataWidth);
  const auto has = [&](MetadataKind kind) {
    return std::ranges::any_of(order, [&](std::uint32_t id) { return m_.metadata[id].kind == kind; });
  };
  std::vector<Abbreviation> all;
  if (has(MetadataKind::string)) all.push_back(define({literal(bitcode::code::metadata_string), kArray, fixed(8)}));
  if (has(MetadataKind::location))
    all.push_back(define({literal(bitcode::code::metadata_location), fixed(1), vbr(6), vbr(8), vbr(6), vbr(6)}));
  if (has(MetadataKind::generic))
    all.push_back(define({literal(bitcode::code::metadata_generic), fixed(1), vbr(6), fixed(1), vbr(6), kArray, vbr(6)}));
  if (!m_.named_metadata.empty()) all.push_back(define({literal(bitcode::code::metadata_name), kArray, fixed(8)}));
  const auto add = [&](std::uint32_t code) { emit(code, values_, choose(all, code, values_)); };
  const auto put_text = [&](std::string_view text) {
    values_.clear();
    for (const char c : text) values_.push_back(static_cast<unsigned char>(c));
  };
  for (const std::uint32_t id : order) {
    const Metadata& node = m_.metadata[id];
    if (node.kind == MetadataKind::string) {
      put_text(m_.string_of(node));
    } else if (node.kind == MetadataKind::value) {
      values_ = {type_id(node.type), value_id(node.value)};
    } else {
      const auto record = m_.metadata_operands_of(node.operands);
      values_.assign(record.begin(), record.end());
      renumber_links(m_, node, values_, [&](std::uint32_t link) { return metadata_id(link); });
    }
    add(node_code(node));
  }
  for (const NamedMetadata& named : m_.named_metadata) {
    put_text(m_.text(named.name));
    add(bitcode::code::metadata_name);
    values_.clear();
    for (const std::uint64_t id : m_.metadata_operands_of(named.nodes)) values_.push_back(metadata_id(id));
    add(bitcode::code::metadata_named_node);
  }
  leave();
}

void ModuleWriter::write_kinds() {
  if (m_.metadata_kinds.empty()) return;
  enter(bitcode::block_id::metadata, kMetadataWidth);
  for (const MetadataKindName& kind : m_.metadata_kinds) {
    values_ = {kind.id};
    for (const char c : m_.text(kind.name)) values_.push_back(static_cast<unsigned char>(c));
    emit(bitcode::code::metadata_kind, values_);
  }
  leave();
}

void ModuleWriter::write_symbols(std::vector<Symbol>& symbols) {
  if (symbols.empty()) return;
  std::ranges::sort(symbols, [](const Symbol& a, const Symbol& b) { return a.name < b.name; });
  enter(bitcode::block_id::symbols, kSymbolsWidth);
  for (const Symbol& symbol : symbols) {
    const bool narrow = is_all_char6(symbol.name);
    const bool ascii = std::ranges::none_of(symbol.name, [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
    values_ = {symbol.id};
    for (const char c : symbol.name) values_.push_back(static_cast<unsigned char>(c));
    if (symbol.is_block)
      emit(bitcode::code::symbols_block, values_, narrow ? kBlock6 : kEntry8);
    else
      emit(bitcode::code::symbols_entry, values_, narrow ? kEntry6 : ascii ? kEntry7 : kEntry8);
  }
  leave();
}

}  // namespace unshade::dxil::module

namespace unshade::dxil {

Result<std::vector<std::byte>> write_module(const Module& module) { return module::ModuleWriter(module).write(); }

}  // namespace unshade::dxil
