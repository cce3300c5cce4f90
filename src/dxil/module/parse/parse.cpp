// The module block: globals, functions, aliases, symbol tables; and what the other readers share.
#include "dxil/module/parse/parse.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxil/module/outline.hpp>

#include "dxil/module/record_words.hpp"

namespace unshade::dxil::module {

namespace {

// Linkages that stand for a storage class of DLLs, from before that had a field.
constexpr std::uint64_t kDllImportLinkage = 5;
constexpr std::uint64_t kDllExportLinkage = 6;

DllStorage storage_of(std::uint64_t code) { return code <= 2 ? static_cast<DllStorage>(code) : DllStorage::default_; }
DllStorage storage_of_linkage(std::uint64_t linkage) {
  return linkage == kDllImportLinkage ? DllStorage::import : linkage == kDllExportLinkage ? DllStorage::export_ : DllStorage::default_;
}
ThreadLocal thread_local_of(std::uint64_t code) { return code <= 4 ? static_cast<ThreadLocal>(code) : ThreadLocal::general_dynamic; }
Visibility visibility_of(std::uint64_t code, Linkage linkage) {
  if (linkage == Linkage::internal || linkage == Linkage::private_ || code > 2) return Visibility::default_;
  return static_cast<Visibility>(code);
}

// An operand that may be missing.
std::uint64_t at(std::span<const std::uint64_t> o, std::size_t index) { return index < o.size() ? o[index] : 0; }

}  // namespace

ModuleReader::ModuleReader(View stream, bool outline)
    : cursor_(stream), outline_(outline), budget_(stream.size() * limits::kModelPerByte + limits::kModelBase) {
  if (outline) return;
  // About what a common module takes, all of it less than seven times its bytes.
  const std::size_t bytes = stream.size();
  m_.characters.reserve(bytes / 8);
  m_.metadata_operands.reserve(bytes / 8);
  m_.metadata.reserve(bytes / 24);
  m_.constants.reserve(bytes / 48);
  m_.values.reserve(bytes / 48);
}

bool ModuleReader::fail_at(ErrorCode code, const char* name, std::uint32_t index, std::string message) {
  if (error_) return false;
  std::string path;
  for (const Place& place : path_) {
    path += place.name;
    if (place.index != kNone) path += '[' + std::to_string(place.index) + ']';
    path += '/';
  }
  path += std::string(name) + '[' + std::to_string(index) + ']';
  error_ = std::make_unique<Error>(Error{code, cursor_.file_offset(), std::move(path), std::move(message)});
  return false;
}

bool ModuleReader::fail(ErrorCode code, const char* message) { return fail(code, std::string(message)); }

bool ModuleReader::bad_record() { return fail(ErrorCode::bad_value, "invalid or missing operands of the record"); }

bool ModuleReader::over_budget() { return fail(ErrorCode::limit, "the module exceeds the memory limit for its size"); }

bool ModuleReader::bad_reference(const char* what, std::uint64_t id) {
  return fail(ErrorCode::out_of_range, std::string(what) + ' ' + std::to_string(id) + " does not exist");
}

bool ModuleReader::cursor_error() {
  if (error_) return false;
  if (cursor_.ok()) return fail(ErrorCode::truncated, "the bitstream ends within a block");
  return fail(cursor_.error().code, cursor_.error().message);
}

bool ModuleReader::skip_block() {
  if (cursor_.block() != kBlockInfo) return cursor_.skip_block() || cursor_error();
  for (;;) {
    switch (cursor_.next()) {
      case Event::record: break;
      case Event::enter_block:
        if (!cursor_.skip_block()) return cursor_error();
        break;
      case Event::end_block: return true;
      default: return cursor_error();
    }
  }
}

bool ModuleReader::in(const char* name, std::uint32_t index, bool (ModuleReader::*read_block)()) {
  path_.push_back({name, index});
  if (!(this->*read_block)()) return false;
  path_.pop_back();
  return true;
}

StringRange ModuleReader::characters(Operands operands, bool& good) {
  good = spend(operands.size());
  if (!good) return {};
  const StringRange range{static_cast<std::uint32_t>(m_.characters.size()), static_cast<std::uint32_t>(operands.size())};
  m_.characters.resize(m_.characters.size() + operands.size());
  char* out = m_.characters.data() + range.first;
  for (const std::uint64_t operand : operands) *out++ = static_cast<char>(operand);
  return range;
}

bool ModuleReader::read_text(StringRange& text) {
  bool good = false;
  text = characters(cursor_.operands(), good);
  return good;
}

bool ModuleReader::read_text_into(std::vector<StringRange>& texts) {
  StringRange text;
  return read_text(text) && push(texts, text);
}

Result<Module> ModuleReader::read() {
  for (;;) {
    switch (cursor_.next()) {
      case Event::enter_block:
        if (cursor_.block() == bitcode::block_id::module) {
          if (!in("module", kNone, &ModuleReader::read_module)) return std::move(*error_);
          return std::move(m_);
        }
        if (!skip_block()) return std::move(*error_);
        break;
      case Event::end: return Error{ErrorCode::missing, cursor_.file_offset(), "module", "no module in the bitcode"};
      default: cursor_error(); return std::move(*error_);
    }
  }
}

bool ModuleReader::read_module() {
  if (!each([this] { return module_record(); }, [this] { return module_block(); })) return false;
  if (!functions_begun_ && !finish_module()) return false;
  if (next_body_ != pending_bodies_.size()) {
    return fail_at(ErrorCode::missing, "function", pending_bodies_[next_body_], "a function definition has no body");
  }
  return true;
}

bool ModuleReader::module_block() {
  constexpr std::uint32_t kNotInOutlines[] = {bitcode::block_id::attribute_groups, bitcode::block_id::attributes,
                                              bitcode::block_id::symbols};
  if (outline_ && std::ranges::find(kNotInOutlines, cursor_.block()) != std::end(kNotInOutlines)) return skip_block();
  switch (cursor_.block()) {
    case bitcode::block_id::attribute_groups: return in("attribute_groups", kNone, &ModuleReader::read_attribute_groups);
    case bitcode::block_id::attributes: return in("attributes", kNone, &ModuleReader::read_attributes);
    case bitcode::block_id::types: return in("types", kNone, &ModuleReader::read_types);
    case bitcode::block_id::constants: return in("constants", kNone, &ModuleReader::read_constants);
    case bitcode::block_id::metadata: return in("metadata", kNone, &ModuleReader::read_metadata);
    case bitcode::block_id::symbols: return in("symbols", kNone, &ModuleReader::read_symbols);
    case bitcode::block_id::use_lists: return in("use_lists", kNone, &ModuleReader::read_use_lists);
    case bitcode::block_id::function:
      if (!functions_begun_ && !finish_module()) return false;
      if (next_body_ == pending_bodies_.size()) return fail(ErrorCode::bad_value, "a function body without a function");
      if (outline_) return ++next_body_, skip_block();
      return in("function", pending_bodies_[next_body_], &ModuleReader::read_body);
    default: return skip_block();
  }
}

bool ModuleReader::module_record() {
  const Operands o = cursor_.operands();
  switch (cursor_.code()) {
    case bitcode::code::module_version:
      // 1: operands of instructions are counted back from the instruction
      if (o.empty() || o[0] > 1) return fail(ErrorCode::unsupported, "unknown module version");
      relative_ = o[0] == 1;
      return true;
    case bitcode::code::module_triple: m_.has_triple = true; return read_text(m_.triple);
    case bitcode::code::module_data_layout: m_.has_data_layout = true; return read_text(m_.data_layout);
    case bitcode::code::module_assembly: return read_text(m_.inline_asm);
    case bitcode::code::module_source_name: return read_text(m_.source_name);
    case bitcode::code::module_section_name: return read_text_into(m_.sections);
    case bitcode::code::module_dependency: return read_text_into(m_.dependencies);
    case bitcode::code::module_gc_name: return read_text_into(m_.gc_names);
    case bitcode::code::module_comdat: return comdat(o);
    case bitcode::code::module_global: return global(o);
    case bitcode::code::module_function: return function(o);
    case bitcode::code::module_alias: return alias(o);
    case bitcode::code::module_alias_typed:
    case bitcode::code::module_ifunc:
    case bitcode::code::module_purge_values: return fail(ErrorCode::unsupported, "a record of another version of LLVM");
    default: return true;
  }
}

bool ModuleReader::comdat(Operands o) {
  if (o.size() < 2 || o[1] != o.size() - 2) return bad_record();
  Comdat comdat;
  comdat.selection = o[0] >= 1 && o[0] <= 5 ? static_cast<std::uint32_t>(o[0]) : 1;
  bool good = false;
  comdat.name = characters(o.subspan(2), good);
  return good && push(m_.comdats, comdat);
}

bool ModuleReader::alignment(std::uint64_t code, std::uint32_t& bytes) {
  if (code > kLargestAlignment) return bad_record();
  bytes = (1U << code) >> 1;
  return true;
}

bool ModuleReader::section(std::uint64_t code, std::uint32_t& index) {
  if (code > m_.sections.size()) return bad_reference("section", code);
  index = less_one(code);
  return true;
}

bool ModuleReader::attribute_list(std::uint64_t code, std::uint32_t& index) {
  if (outline_) return true;
  if (code > m_.attribute_lists.size()) return bad_reference("attribute list", code);
  index = less_one(code);
  return true;
}

// [type, constant | explicit type << 1 | address space << 2, initializer, linkage, alignment, section, visibility, thread local,
//  unnamed_addr, externally initialized, DLL storage, comdat]
bool ModuleReader::global(Operands o) {
  if (functions_begun_) return fail(ErrorCode::bad_value, "a global after function bodies");
  if (o.size() < 6) return bad_record();
  Global global;
  std::uint32_t type_id = 0;
  if (!type_at(o[0], type_id)) return false;
  global.constant = (o[1] & 1) != 0;
  std::uint32_t pointer = type_id;
  if ((o[1] & 2) != 0) {
    if (o[1] >> 2 > 0xff'ffff || !is_first_class(type_id)) return bad_record();
    global.address_space = static_cast<std::uint32_t>(o[1] >> 2);
    global.type = type_id;
    pointer = pointer_to(type_id, global.address_space);
    if (pointer == kNone) return false;
  } else {
    if (!is(type_id, TypeKind::pointer)) return bad_record();
    global.address_space = type(type_id).number;
    global.type = m_.element_of(type_id);
  }
  global.initializer = less_one(o[2]);
  global.linkage = linkage_of(o[3]);
  if (!alignment(o[4], global.alignment) || !section(o[5], global.section)) return false;
  global.visibility = visibility_of(at(o, 6), global.linkage);
  global.thread_local_mode = thread_local_of(at(o, 7));
  global.unnamed_addr = at(o, 8) != 0;
  global.externally_initialized = at(o, 9) != 0;
  global.dll_storage = o.size() > 10 ? storage_of(o[10]) : storage_of_linkage(o[3]);
  if (at(o, 11) > m_.comdats.size()) return bad_reference("comdat", o[11]);
  global.comdat = less_one(at(o, 11));
  global.value = static_cast<std::uint32_t>(m_.values.size());
  return push(m_.values, {ValueKind::global, pointer, static_cast<std::uint32_t>(m_.globals.size()), {}}) && push(m_.globals, global);
}

// [type, calling convention, declaration, linkage, attributes, alignment, section, visibility, gc, unnamed_addr, prologue, DLL storage,
//  comdat, prefix, personality]
bool ModuleReader::function(Operands o) {
  if (functions_begun_) return fail(ErrorCode::bad_value, "a function record after function bodies");
  if (o.size() < 8) return bad_record();
  Function function;
  if (!type_at(o[0], function.type)) return false;
  if (is(function.type, TypeKind::pointer)) function.type = m_.element_of(function.type);
  if (!is(function.type, TypeKind::function) || o[1] > kLargestConvention) return bad_record();
  const std::uint32_t pointer = pointer_to(function.type, 0);
  if (pointer == kNone) return false;
  function.calling_convention = static_cast<std::uint32_t>(o[1]);
  function.linkage = linkage_of(o[3]);
  if (!attribute_list(o[4], function.attributes) || !alignment(o[5], function.alignment) || !section(o[6], function.section)) return false;
  function.visibility = visibility_of(o[7], function.linkage);
  if (at(o, 8) > m_.gc_names.size()) return bad_reference("gc", o[8]);
  function.gc = less_one(at(o, 8));
  function.unnamed_addr = at(o, 9) != 0;
  function.prologue = less_one(at(o, 10));
  function.dll_storage = o.size() > 11 ? storage_of(o[11]) : storage_of_linkage(o[3]);
  if (at(o, 12) > m_.comdats.size()) return bad_reference("comdat", o[12]);
  function.comdat = less_one(at(o, 12));
  function.prefix = less_one(at(o, 13));
  function.personality = less_one(at(o, 14));
  function.value = static_cast<std::uint32_t>(m_.values.size());
  const auto index = static_cast<std::uint32_t>(m_.functions.size());
  if (o[2] == 0 && !push(pending_bodies_, index)) return false;
  return push(m_.values, {ValueKind::function, pointer, index, {}}) && push(m_.functions, function);
}

// [type, aliasee, linkage, visibility, DLL storage, thread local, unnamed_addr]
bool ModuleReader::alias(Operands o) {
  if (functions_begun_) return fail(ErrorCode::bad_value, "an alias after function bodies");
  if (o.size() < 3 || o[1] >= kMetadataOperand) return bad_record();
  std::uint32_t type_id = 0;
  if (!type_at(o[0], type_id)) return false;
  if (!is(type_id, TypeKind::pointer)) return bad_record();
  Alias alias;
  alias.aliasee = static_cast<std::uint32_t>(o[1]);
  alias.linkage = linkage_of(o[2]);
  alias.visibility = visibility_of(at(o, 3), alias.linkage);
  alias.dll_storage = o.size() > 4 ? storage_of(o[4]) : storage_of_linkage(o[2]);
  alias.thread_local_mode = thread_local_of(at(o, 5));
  alias.unnamed_addr = at(o, 6) != 0;
  alias.value = static_cast<std::uint32_t>(m_.values.size());
  return push(m_.values, {ValueKind::alias, type_id, static_cast<std::uint32_t>(m_.aliases.size()), {}}) && push(m_.aliases, alias);
}

bool ModuleReader::constant_reference(std::uint32_t id, const char* name, std::uint32_t index) {
  if (id == kNone || id < m_.values.size()) return true;
  return fail_at(ErrorCode::out_of_range, name, index, "value " + std::to_string(id) + " does not exist");
}

// All that the module's own records refer to is known when the first body begins.
bool ModuleReader::finish_module() {
  functions_begun_ = true;
  module_values_ = static_cast<std::uint32_t>(m_.values.size());
  for (std::uint32_t i = 0; i < m_.globals.size(); ++i) {
    const Global& global = m_.globals[i];
    if (!constant_reference(global.initializer, "global", i)) return false;
    if (global.initializer != kNone && m_.values[global.initializer].type != global.type)
      return fail_at(ErrorCode::bad_value, "global", i, "the initializer has a different type");
  }
  for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
    const Function& function = m_.functions[i];
    for (const std::uint32_t id : {function.prologue, function.prefix, function.personality})
      if (!constant_reference(id, "function", i)) return false;
  }
  for (std::uint32_t i = 0; i < m_.aliases.size(); ++i)
    if (!constant_reference(m_.aliases[i].aliasee, "alias", i)) return false;
  if (m_.values.size() >= kMetadataOperand / 2 || m_.metadata.size() >= kMetadataOperand / 2)
    return fail(ErrorCode::limit, "too many values");
  return check_constants(0) && check_metadata(m_.metadata, 0);
}

// Names of values and blocks.
bool ModuleReader::read_symbols() {
  return each_record([this] {
    const Operands o = cursor_.operands();
    if (cursor_.code() != bitcode::code::symbols_entry && cursor_.code() != bitcode::code::symbols_block) return true;
    if (o.empty()) return bad_record();
    bool good = false;
    const StringRange name = characters(o.subspan(1), good);
    if (!good) return false;
    if (cursor_.code() == bitcode::code::symbols_block) {
      if (body_ == nullptr || o[0] >= body_->blocks.count) return bad_reference("block", o[0]);
      m_.blocks[body_->blocks.first + static_cast<std::size_t>(o[0])].name = name;
      return true;
    }
    if (o[0] < m_.values.size()) {
      m_.values[static_cast<std::size_t>(o[0])].name = name;
      return true;
    }
    const std::uint64_t local = o[0] - m_.values.size();
    if (body_ == nullptr || local >= m_.local_values.size() - body_->values.first) return bad_reference("value", o[0]);
    m_.local_values[body_->values.first + static_cast<std::size_t>(local)].name = name;
    return true;
  });
}

// [index..., id]
bool ModuleReader::read_use_lists() {
  const auto first = static_cast<std::uint32_t>(m_.use_lists.size());
  const bool good = each_record([this] {
    const Operands o = cursor_.operands();
    if (cursor_.code() != bitcode::code::use_lists_value && cursor_.code() != bitcode::code::use_lists_block) return true;
    if (o.size() < 3) return bad_record();
    UseListOrder list;
    list.of_block = cursor_.code() == bitcode::code::use_lists_block;
    const std::uint64_t values = m_.values.size() + (body_ == nullptr ? 0 : m_.local_values.size() - body_->values.first);
    if (o.back() >= (!list.of_block ? values : body_ == nullptr ? 0 : body_->blocks.count)) return bad_reference("value", o.back());
    list.id = static_cast<std::uint32_t>(o.back());
    list.order = {static_cast<std::uint32_t>(m_.operands.size()), static_cast<std::uint32_t>(o.size() - 1)};
    for (const std::uint64_t index : o.first(o.size() - 1)) {
      if (index >= o.size() - 1) return bad_record();
      if (!add_operand(static_cast<std::uint32_t>(index))) return false;
    }
    return push(m_.use_lists, list);
  });
  const Range added{first, static_cast<std::uint32_t>(m_.use_lists.size()) - first};
  (body_ == nullptr ? m_.module_use_lists : body_->use_lists) = added;
  return good;
}

// --- attributes --------------------------------------------------------------------------------------------------------------------------

bool ModuleReader::read_attribute_groups() {
  return each_record([this] { return cursor_.code() != bitcode::code::attribute_groups_entry || attribute_group(cursor_.operands()); });
}

// [id, slot, attributes...]: each 0 code; 1 code value; 3 text 0; 4 text 0 text 0
bool ModuleReader::attribute_group(Operands o) {
  constexpr std::uint64_t kPlain = 0;
  constexpr std::uint64_t kNumber = 1;
  constexpr std::uint64_t kText = 3;
  constexpr std::uint64_t kTextWithValue = 4;
  if (o.size() < 3 || o[0] > 0xffff'ffff || o[1] > 0xffff'ffff) return bad_record();
  AttributeGroup group;
  group.id = static_cast<std::uint32_t>(o[0]);
  group.slot = static_cast<std::uint32_t>(o[1]);
  group.attributes.first = static_cast<std::uint32_t>(m_.attributes.size());
  std::size_t i = 2;
  const auto text = [&](StringRange& range) {
    const auto end = std::find(o.begin() + static_cast<std::ptrdiff_t>(i), o.end(), 0);
    if (end == o.end()) return bad_record();
    const auto length = static_cast<std::size_t>(end - o.begin()) - i;
    bool good = false;
    range = characters(o.subspan(i, length), good);
    i += length + 1;
    return good;
  };
  while (i < o.size()) {
    Attribute attribute;
    const std::uint64_t form = o[i++];
    if (form == kPlain || form == kNumber) {
      if (o.size() - i < (form == kNumber ? 2U : 1U) || o[i] > 0xffff'ffff) return bad_record();
      attribute.code = static_cast<std::uint32_t>(o[i]);
      attribute.kind = attribute_of(o[i++]);
      if (form == kNumber) attribute.value = o[i++];
    } else if (form == kText || form == kTextWithValue) {
      attribute.kind = AttributeKind::text;
      attribute.has_value = form == kTextWithValue;
      if (!text(attribute.key) || (attribute.has_value && !text(attribute.text))) return false;
    } else {
      return fail(ErrorCode::unsupported, "an attribute of another version of LLVM");
    }
    if (!push(m_.attributes, attribute)) return false;
  }
  group.attributes.count = static_cast<std::uint32_t>(m_.attributes.size()) - group.attributes.first;
  if (!spend(64)) return false;  // what finds it again
  group_ids_[group.id] = static_cast<std::uint32_t>(m_.attribute_groups.size());
  return push(m_.attribute_groups, group);
}

bool ModuleReader::read_attributes() {
  return each_record([this] {
    if (cursor_.code() == bitcode::code::attributes_entry_old) return fail(ErrorCode::unsupported, "attributes of another version of LLVM");
    if (cursor_.code() != bitcode::code::attributes_entry) return true;
    const Operands o = cursor_.operands();
    const Range groups{static_cast<std::uint32_t>(m_.attribute_list_groups.size()), static_cast<std::uint32_t>(o.size())};
    for (const std::uint64_t id : o) {
      const auto found = group_ids_.find(static_cast<std::uint32_t>(id));
      if (id > 0xffff'ffff || found == group_ids_.end()) return bad_reference("attribute group", id);
      if (!push(m_.attribute_list_groups, found->second)) return false;
    }
    return push(m_.attribute_lists, groups);
  });
}

namespace {

Result<Module> read_module(View bitcode, bool outline) {
  const auto extent = find_bitcode(bitcode);
  if (!extent) return extent.error();
  return ModuleReader(extent->stream, outline).read();
}

}  // namespace

Result<Module> parse_outline(View bitcode) { return read_module(bitcode, true); }

}  // namespace unshade::dxil::module

namespace unshade::dxil {

Result<Module> parse_module(View bitcode) { return module::read_module(bitcode, false); }

Result<std::shared_ptr<const Module>> ModuleSource::module(View bitcode) const {
  if (read != nullptr) return read(self, bitcode);
  auto parsed = parse_module(bitcode);
  if (!parsed) return std::move(parsed).error();
  return std::make_shared<const Module>(*std::move(parsed));
}

}  // namespace unshade::dxil
