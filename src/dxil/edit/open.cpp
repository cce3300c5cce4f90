// Takes a module apart for edits.
#include <algorithm>
#include <string>
#include <utility>

#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/query.hpp>

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::edit {

namespace {

std::uint64_t hash_of(std::uint64_t hash, std::uint64_t value) {
  hash ^= value;
  hash *= 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 29;
}

}  // namespace

class Loader {
 public:
  explicit Loader(ModuleEdit& edit) : e_(edit), m_(edit.module_), s_(edit.stream_) {}

  Result<void> load() {
    if (!check_values()) return std::move(*error_);
    for (at_ = 0; at_ < s_.items.size(); ++at_) {
      if (s_.items[at_].kind != Kind::enter_block) continue;
      if (s_.items[at_].code == bitcode::block_id::module) {
        if (!module_block()) return std::move(*error_);
        break;
      }
      skip_block();
    }
    if (e_.constants_.size() < m_.values.size() - e_.globals_) return unsupported_error("constants of the module");
    if (e_.bodies_.size() != m_.bodies.size()) return unsupported_error("bodies of functions");
    for (std::uint32_t i = 0; i < m_.metadata.size(); ++i) {
      const Metadata& node = m_.metadata[i];
      if (node.kind == MetadataKind::string) e_.texts_.try_emplace(std::string(m_.string_of(node)), i);
      if (node.kind == MetadataKind::value) e_.metadata_values_.try_emplace(node.value, i);
    }
    e_.module_metadata_ = static_cast<std::uint32_t>(m_.metadata.size());
    e_.named_removed_.assign(m_.named_metadata.size(), false);
    return {};
  }

 private:
  using Kind = BitstreamItem::Kind;
  using Piece = ModuleEdit::Piece;
  using Handle = ModuleEdit::Handle;
  using RefKind = ModuleEdit::RefKind;

  Error unsupported_error(std::string what) const {
    const std::size_t item = std::min<std::size_t>(at_, s_.items.size() - 1);
    return {ErrorCode::unsupported, s_.before.file_offset() + s_.before.size() + s_.items[item].bit / 8, "module",
            what + " are not laid out as LLVM 3.7 does"};
  }
  bool unsupported(std::string what) {
    error_ = unsupported_error(std::move(what));
    return false;
  }

  std::span<const std::uint64_t> operands(const BitstreamItem& item) const { return {s_.operands.data() + item.first, item.count}; }
  std::span<const AbbreviationOperand> definition(const BitstreamItem& item) const {
    return {s_.definitions.data() + item.first, item.count};
  }

  /// From the item that enters a block to the one that ends it.
  void skip_block() {
    std::size_t depth = 0;
    for (; at_ < s_.items.size(); ++at_) {
      if (s_.items[at_].kind == Kind::enter_block) ++depth;
      if (s_.items[at_].kind == Kind::end_block && --depth == 0) return;
    }
  }

  /// Globals, functions and aliases have the first ids, constants the rest.
  bool check_values() {
    const auto constant = [](const Value& value) { return value.kind == ValueKind::constant; };
    e_.globals_ = static_cast<std::uint32_t>(m_.globals.size() + m_.functions.size() + m_.aliases.size());
    e_.module_values_ = static_cast<std::uint32_t>(m_.values.size());
    if (e_.globals_ > m_.values.size() || std::any_of(m_.values.begin(), m_.values.begin() + e_.globals_, constant))
      return unsupported("values of the module");
    return true;
  }

  void add_piece(Piece::Kind kind, std::size_t begin, std::size_t end, std::uint32_t index = 0) {
    e_.pieces_.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), index});
  }

  bool module_block() {
    bool relative = false;
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::record) {
        if (item.code == bitcode::code::module_version) relative = item.count > 0 && operands(item)[0] == 1;
        if (item.code == bitcode::code::module_global || item.code == bitcode::code::module_function ||
            item.code == bitcode::code::module_alias)
          add_piece(Piece::Kind::global, at_, at_ + 1, globals_++);
      }
      if (item.kind != Kind::enter_block) continue;
      const std::size_t begin = at_;
      switch (item.code) {
        case kBlockInfo: info_block(); break;
        case bitcode::block_id::constants:
          if (has_constants_) return unsupported("constants of the module");
          has_constants_ = true;
          if (!constants_block(kNone)) return false;
          add_piece(Piece::Kind::constants, begin, at_ + 1);
          break;
        case bitcode::block_id::metadata:
          if (!metadata_block()) return false;
          break;
        case bitcode::block_id::symbols:
          skip_block();
          add_piece(Piece::Kind::symbols, begin, at_ + 1);
          break;
        case bitcode::block_id::types: types_block(); break;
        case bitcode::block_id::use_lists:
          skip_block();
          add_piece(Piece::Kind::use_lists, begin, at_ + 1);
          e_.keeps_uses_ = true;
          break;
        case bitcode::block_id::function:
          if (!relative) return unsupported("absolute value ids");
          if (!function_block()) return false;
          add_piece(Piece::Kind::function, begin, at_ + 1, static_cast<std::uint32_t>(e_.bodies_.size() - 1));
          break;
        default: skip_block(); break;
      }
    }
    return true;
  }

  void info_block() {
    std::uint64_t target = ~std::uint64_t{0};
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::enter_block) {
        skip_block();
        continue;
      }
      if (item.kind == Kind::record && item.code == block_info::kSetBlock && item.count > 0) target = operands(item)[0];
      if (item.kind != Kind::definition) continue;
      const auto layout = definition(item);
      if (target == bitcode::block_id::function) {
        ++function_abbreviations_;
        if (layout.size() == 4 && layout[0].encoding == Encoding::literal && layout[0].value == bitcode::code::function_binary)
          e_.binary_abbreviation_ = abbreviation::kFirst + function_abbreviations_ - 1;
      }
      if (auto* const list = abbreviations_of(target)) list->emplace_back(layout.begin(), layout.end());
    }
  }
  std::vector<std::vector<AbbreviationOperand>>* abbreviations_of(std::uint64_t block) {
    switch (block) {
      case bitcode::block_id::constants: return &e_.constant_abbreviations_;
      case bitcode::block_id::metadata: return &e_.metadata_abbreviations_;
      case bitcode::block_id::symbols: return &e_.symbol_abbreviations_;
      case bitcode::block_id::types: return &e_.type_abbreviations_;
      default: return nullptr;
    }
  }

  /// Names of structs come before the structs.
  void types_block() {
    std::uint32_t name = 0;
    const std::size_t begin = at_;
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::enter_block) skip_block();
      if (item.kind == Kind::definition) e_.type_abbreviations_.emplace_back(definition(item).begin(), definition(item).end());
      if (item.kind != Kind::record || item.code == bitcode::code::types_count) continue;
      if (item.code == bitcode::code::types_struct_name) {
        name = static_cast<std::uint32_t>(at_);
        continue;
      }
      const bool is_named = item.code == bitcode::code::types_named_struct || item.code == bitcode::code::types_opaque;
      e_.type_items_.push_back({static_cast<std::uint32_t>(at_), is_named ? std::exchange(name, 0U) : 0U});
    }
    add_piece(Piece::Kind::types, begin, at_ + 1);
  }

  /// Of the module, or of the body that is being read.
  bool constants_block(std::uint32_t body) {
    std::uint32_t type = e_.integer_type(32);
    struct Raw {
      std::uint32_t type, code;
      std::size_t item;
    };
    std::vector<Raw> raw;
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::enter_block) return unsupported("constants");
      if (item.kind == Kind::definition && body != kNone) return unsupported("constants of a function");
      if (item.kind != Kind::record) continue;
      if (item.code == bitcode::code::constants_set_type)
        type = static_cast<std::uint32_t>(operands(item)[0]);
      else
        raw.push_back({type, item.code, at_});
    }
    if (body == kNone) {
      for (const Raw& constant : raw) {
        const auto from = operands(s_.items[constant.item]);
        const Range range{static_cast<std::uint32_t>(e_.pool_.size()), static_cast<std::uint32_t>(from.size())};
        e_.pool_.insert(e_.pool_.end(), from.begin(), from.end());
        bool good = true;
        module::for_each_constant_operand(constant.code, from, [&](std::size_t i) { good = good && from[i] < m_.values.size(); });
        if (!good) return unsupported("constants");
        const Handle handle = e_.globals_ + static_cast<std::uint32_t>(e_.constants_.size());
        e_.constants_.push_back({constant.type, constant.code, range});
        e_.interned_.emplace(e_.hash(constant.type, constant.code, e_.pool(range)), handle);
      }
      return true;
    }
    // Of a function: a constant may come before its parts.
    const auto base = static_cast<std::uint32_t>(m_.values.size()) + m_.bodies[body].parameters;
    std::vector<Handle> handles(raw.size(), kNone);
    const auto resolve = [&](const auto& self, std::size_t i, unsigned depth) -> bool {
      if (handles[i] != kNone) return true;
      if (depth == 0) return false;
      const auto from = operands(s_.items[raw[i].item]);
      std::vector<std::uint64_t> own(from.begin(), from.end());
      bool good = true;
      module::for_each_constant_operand(raw[i].code, from, [&](std::size_t k) {
        if (!good || own[k] < m_.values.size()) return;
        good = own[k] >= base && own[k] - base < raw.size() && self(self, static_cast<std::size_t>(own[k] - base), depth - 1);
        if (good) own[k] = handles[static_cast<std::size_t>(own[k] - base)];
      });
      if (good) handles[i] = e_.intern(raw[i].type, raw[i].code, own);
      return good;
    };
    constexpr unsigned kDeepest = 80;  // the reader has refused deeper ones
    for (std::size_t i = 0; i < raw.size(); ++i)
      if (!resolve(resolve, i, kDeepest)) return unsupported("constants of a function");
    e_.bodies_.back().constants = std::move(handles);
    return true;
  }

  bool metadata_block() {
    const std::size_t begin = at_;
    bool nodes = false;
    bool kinds = false;
    std::vector<std::vector<AbbreviationOperand>> local;
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::enter_block) return unsupported("metadata");
      if (item.kind == Kind::definition) local.emplace_back(definition(item).begin(), definition(item).end());
      if (item.kind == Kind::record) (item.code == bitcode::code::metadata_kind ? kinds : nodes) = true;
    }
    if (!nodes) return true;  // copied
    if (has_metadata_ || kinds) return unsupported("metadata");
    has_metadata_ = true;
    e_.metadata_abbreviations_.insert(e_.metadata_abbreviations_.end(), local.begin(), local.end());
    add_piece(Piece::Kind::metadata, begin, at_ + 1);
    return true;
  }

  // --- functions ---

  bool function_block() {
    const auto index = static_cast<std::uint32_t>(e_.bodies_.size());
    const dxil::Body& model = m_.bodies[index];
    ModuleEdit::Body& body = e_.bodies_.emplace_back();
    body.parameters = model.parameters;
    body.locals = model.parameters;
    next_instruction_ = model.instructions.first;
    bool has_constants = false;
    for (++at_; at_ < s_.items.size() && s_.items[at_].kind != Kind::end_block; ++at_) {
      const BitstreamItem& item = s_.items[at_];
      if (item.kind == Kind::definition) return unsupported("functions");
      if (item.kind == Kind::record) {
        if (!record(item, index, body)) return false;
        continue;
      }
      switch (item.code) {
        case bitcode::block_id::constants:
          if (has_constants || !body.instructions.empty()) return unsupported("constants of a function");
          has_constants = true;
          if (!constants_block(index)) return false;
          break;
        case bitcode::block_id::use_lists: e_.keeps_uses_ = true; [[fallthrough]];
        default: skip_block(); break;
      }
    }
    return next_instruction_ == model.instructions.end() || unsupported("instructions");
  }

  bool record(const BitstreamItem& item, std::uint32_t index, ModuleEdit::Body& body) {
    const auto from = operands(item);
    const dxil::Body& model = m_.bodies[index];
    ModuleEdit::Record record;
    record.code = item.code;
    record.abbreviation = item.abbreviation;
    record.operands = {static_cast<std::uint32_t>(e_.pool_.size()), item.count};
    record.refs.first = static_cast<std::uint32_t>(e_.refs_.size());
    record.types.first = static_cast<std::uint32_t>(e_.type_positions_.size());
    e_.pool_.insert(e_.pool_.end(), from.begin(), from.end());
    record.instruction = item.code != bitcode::code::function_declare_blocks && item.code != bitcode::code::function_location &&
                         item.code != bitcode::code::function_location_again;
    if (record.instruction && next_instruction_ == model.instructions.end()) return unsupported("instructions");
    // The id that the next value gets: operands count back from it.
    next_value_ = static_cast<std::uint32_t>(m_.values.size() + body.constants.size()) + body.locals;
    first_operand_ = record.operands.first;
    index_ = index;
    const std::string_view letters = bitcode::record_operands(bitcode::block_id::function, item.code);
    if (letters.empty() && !from.empty()) return unsupported("instructions");
    operand_refs_.clear();
    bool good = true;
    module::for_each_operand(letters, from, [&](char letter, std::size_t i, std::size_t place) {
      if (!good) return false;
      if (letter == 'e') letter = argument_letter(place);
      switch (letter) {
        case 'v':
        case 'u':
        case '=':
        case '*':
        case '/':
        case '?': good = reference(from[i], i, RefKind::relative, place); break;
        case 'V':
        case 'z': good = reference(from[i], i, RefKind::relative, kNone); break;
        case 's': good = reference(from[i], i, RefKind::distance, place); break;
        case 'a': good = reference(from[i], i, RefKind::absolute, place); break;
        case 'm': add_reference(i, RefKind::metadata_or_null, from[i], place); break;
        case 'M': add_reference(i, RefKind::metadata, next_value_ - static_cast<std::uint32_t>(from[i]), place); break;
        default:
          if (module::is_type(letter)) e_.type_positions_.push_back(static_cast<std::uint32_t>(i));
      }
      return (letter == 'v' || letter == 'V' || letter == 'z') && is_later(from[i]);
    });
    if (!good) return false;
    // In the order in which LLVM keeps them in memory; those without a place there in that of the record.
    const auto order = [](const OperandRef& operand) { return std::pair(operand.place, operand.ref.position); };
    if (!std::ranges::is_sorted(operand_refs_, {}, order)) std::ranges::sort(operand_refs_, {}, order);
    for (const OperandRef& operand : operand_refs_) e_.refs_.push_back(operand.ref);
    record.refs.count = static_cast<std::uint32_t>(e_.refs_.size()) - record.refs.first;
    record.types.count = static_cast<std::uint32_t>(e_.type_positions_.size()) - record.types.first;
    if (record.instruction) {
      body.instructions.push_back(static_cast<std::uint32_t>(body.records.size()));
      if (m_.instructions[next_instruction_++].value != kNone) record.result = ModuleEdit::kLocal | body.locals++;
    }
    body.records.push_back(record);
    return true;
  }

  /// The letter of an argument, M for a metadata id that is counted back like a value.
  char argument_letter(std::size_t place) const {
    const std::uint32_t parameter = parameter_type(m_, m_.instructions[next_instruction_], place);
    if (parameter == kNone) return 'v';
    const TypeKind kind = m_.types[parameter].kind;
    return kind == TypeKind::metadata ? 'M' : kind == TypeKind::label ? 'b' : 'u';
  }

  /// Whether an operand is a value that comes later; its type follows then.
  bool is_later(std::uint64_t operand) const { return next_value_ - static_cast<std::uint32_t>(operand) >= next_value_; }

  bool reference(std::uint64_t operand, std::size_t position, RefKind kind, std::size_t place) {
    auto id = static_cast<std::uint32_t>(operand);
    if (kind == RefKind::relative) id = next_value_ - id;
    if (kind == RefKind::distance) {
      const std::uint64_t distance = (operand & 1) == 0 ? operand >> 1 : 0 - (operand >> 1);
      id = next_value_ - static_cast<std::uint32_t>(distance);
    }
    const dxil::Body& model = m_.bodies[index_];
    if (id >= m_.values.size() && id - m_.values.size() >= model.values.count) return unsupported("operands");
    add_reference(position, kind, e_.handle(index_, id), place);
    return true;
  }
  void add_reference(std::size_t position, RefKind kind, std::uint64_t value, std::size_t place) {
    operand_refs_.push_back({place, {static_cast<std::uint32_t>(position), kind}});
    e_.pool_[first_operand_ + position] = value;
  }

  ModuleEdit& e_;
  Module& m_;
  const Bitstream& s_;
  std::optional<Error> error_;
  std::size_t at_ = 0;
  bool has_constants_ = false;
  bool has_metadata_ = false;
  std::uint32_t function_abbreviations_ = 0;
  std::uint32_t globals_ = 0;  ///< value ids so far
  std::uint32_t next_instruction_ = 0;
  std::uint32_t next_value_ = 0;
  std::uint32_t first_operand_ = 0;
  std::uint32_t index_ = 0;
  struct OperandRef {
    std::size_t place;  ///< in the model's instruction
    ModuleEdit::Ref ref;
  };
  std::vector<OperandRef> operand_refs_;  ///< of the record at hand
};

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Result<ModuleEdit> ModuleEdit::open(View bitcode) {
  auto module = parse_module(bitcode);
  if (!module) return std::move(module).error();
  auto stream = parse_bitstream(bitcode);
  if (!stream) return std::move(stream).error();
  return open(*std::move(module), *std::move(stream));
}

Result<ModuleEdit> ModuleEdit::open(Module module, Bitstream stream) {
  ModuleEdit edit;
  edit.module_ = std::move(module);
  edit.stream_ = std::move(stream);
  if (auto loaded = edit::Loader(edit).load(); !loaded) return std::move(loaded).error();
  return edit;
}

std::uint64_t ModuleEdit::hash(std::uint32_t type, std::uint32_t code, std::span<const std::uint64_t> operands) {
  std::uint64_t hash = edit::hash_of(type, code);
  for (const std::uint64_t operand : operands) hash = edit::hash_of(hash, operand);
  return hash;
}

ModuleEdit::Handle ModuleEdit::intern(std::uint32_t type, std::uint32_t code, std::span<const std::uint64_t> operands) {
  const std::uint64_t key = hash(type, code, operands);
  const auto [first, last] = interned_.equal_range(key);
  for (auto i = first; i != last; ++i) {
    const ConstantNode& node = constant(i->second);
    if (node.type == type && node.code == code && std::ranges::equal(pool(node.operands), operands)) return i->second;
  }
  const Handle handle = globals_ + static_cast<std::uint32_t>(constants_.size());
  constants_.push_back({type, code, {static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(operands.size())}});
  pool_.insert(pool_.end(), operands.begin(), operands.end());
  interned_.emplace(key, handle);
  return handle;
}

ModuleEdit::Handle ModuleEdit::handle(std::uint32_t body, std::uint32_t value) const {
  if (body == kNone || value < module_values_) return value;
  const Body& b = bodies_[body];
  const std::uint32_t local = value - module_values_;
  if (local < b.parameters) return kLocal | local;
  const auto constants = static_cast<std::uint32_t>(b.constants.size());
  return local - b.parameters < constants ? b.constants[local - b.parameters] : kLocal | (local - constants);
}

}  // namespace unshade::dxil
