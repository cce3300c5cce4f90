// Writes an edited module. src: DXC BitcodeWriter.cpp
#include <algorithm>
#include <bit>
#include <string>

#include <unshade/dxil/edit.hpp>

#include "dxil/edit/numbering.hpp"
#include "dxil/module/abbreviations.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/type_table.hpp"
#include "dxil/module/write.hpp"

namespace unshade::dxil::edit {

namespace {

using module::Abbreviation;
using module::choose;

std::vector<std::uint64_t> characters(std::string_view text) {
  std::vector<std::uint64_t> result;
  result.reserve(text.size());
  for (const char c : text) result.push_back(static_cast<unsigned char>(c));
  return result;
}

}  // namespace

class Writer {
 public:
  Writer(const ModuleEdit& edit, bool prunes_types)
      : e_(edit),
        m_(edit.module_),
        in_(edit.stream_),
        numbers_(edit, prunes_types),
        types_(numbers_.types()),
        constant_abbreviations_(edit.constant_abbreviations_) {}

  bool lacks_types() const { return numbers_.lacks_types(); }

  Result<std::vector<std::byte>> write() {
    out_.before = in_.before;
    out_.behind = in_.behind;
    out_.trailing_zeros = in_.trailing_zeros;
    out_.definitions = in_.definitions;
    out_.operands = in_.operands;
    if (types_) resize_abbreviations();
    std::size_t piece = 0;
    std::size_t irregular = 0;
    for (std::uint32_t i = 0; i < in_.items.size();) {
      if (piece < e_.pieces_.size() && e_.pieces_[piece].begin == i) {
        const Piece& p = e_.pieces_[piece++];
        write_piece(p);
        i = p.end;
        continue;
      }
      while (irregular < in_.irregularities.size() && in_.irregularities[irregular].item < i) ++irregular;
      for (; irregular < in_.irregularities.size() && in_.irregularities[irregular].item == i; ++irregular) {
        out_.irregularities.push_back(in_.irregularities[irregular]);
        out_.irregularities.back().item = static_cast<std::uint32_t>(out_.items.size());
      }
      out_.items.push_back(in_.items[i++]);
    }
    return write_bitstream(out_);
  }

 private:
  using Kind = BitstreamItem::Kind;
  using Piece = ModuleEdit::Piece;
  using Handle = ModuleEdit::Handle;
  using RefKind = ModuleEdit::RefKind;
  using Record = ModuleEdit::Record;

  std::span<const std::uint64_t> operands(const BitstreamItem& item) const { return {in_.operands.data() + item.first, item.count}; }

  // --- types ---

  /// Abbreviations hold types in as few bits as the table needs.
  void resize_abbreviations() {
    const std::uint64_t old_width = module::TypeOrder::width_of(m_.file_types);
    std::uint64_t largest = 0;
    std::uint64_t old_largest = 0;
    for (const Global& global : m_.globals) {
      old_largest = std::max<std::uint64_t>(old_largest, global.type);
      if (!numbers_.is_removed(global.value)) largest = std::max<std::uint64_t>(largest, numbers_.type_id(global.type));
    }
    const auto resize = [&](std::uint64_t block, std::span<AbbreviationOperand> layout) {
      const std::size_t operand = module::type_width_operand(block, layout);
      if (operand != 0 && layout[operand].value == old_width) layout[operand].value = types_->width();
      // Of globals it is the largest that they have.
      if (block == bitcode::block_id::module && layout.size() > 1 && layout[0].encoding == Encoding::literal &&
          layout[0].value == bitcode::code::module_global && layout[1].encoding == Encoding::fixed &&
          layout[1].value == module::TypeOrder::width_of(old_largest))
        layout[1].value = module::TypeOrder::width_of(largest);
    };
    std::vector<std::uint64_t> blocks;
    std::uint64_t described = ~std::uint64_t{0};
    for (const BitstreamItem& item : in_.items) {
      if (item.kind == Kind::enter_block) blocks.push_back(item.code);
      if (item.kind == Kind::end_block && !blocks.empty()) blocks.pop_back();
      const bool is_info = !blocks.empty() && blocks.back() == kBlockInfo;
      if (is_info && item.kind == Kind::record && item.code == block_info::kSetBlock && item.count > 0) described = operands(item)[0];
      if (item.kind == Kind::definition && !blocks.empty())
        resize(is_info ? described : blocks.back(), std::span(out_.definitions).subspan(item.first, item.count));
    }
    for (Abbreviation& abbreviation : constant_abbreviations_) resize(bitcode::block_id::constants, abbreviation);
  }

  void write_types(const Piece& piece) {
    std::unordered_map<std::uint32_t, std::string_view> names;  // by the item of the old one
    for (const auto& [type, name] : e_.type_names_) names.emplace(e_.type_items_[type].name, name);
    const auto write_name = [&](std::uint32_t item) {
      const auto name = names.find(item);
      if (name == names.end()) return out_.items.push_back(in_.items[item]);
      const auto text = characters(name->second);
      out_.add_record(bitcode::code::types_struct_name, choose(e_.type_abbreviations_, bitcode::code::types_struct_name, text), text);
    };
    const auto is = [&](std::uint32_t i, std::uint32_t code) { return in_.items[i].kind == Kind::record && in_.items[i].code == code; };
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      if (!types_ && is(i, bitcode::code::types_struct_name)) {
        write_name(i);
      } else if (types_ && is(i, bitcode::code::types_count)) {
        const std::uint64_t count[] = {types_->order().size()};
        out_.add_record(bitcode::code::types_count, in_.items[i].abbreviation, count);
      } else if (!types_ || in_.items[i].kind != Kind::record) {
        if (types_ && i + 1 == piece.end) write_numbered_types(write_name);
        out_.items.push_back(in_.items[i]);
      }
    }
  }
  template <class WriteName>
  void write_numbered_types(WriteName&& write_name) {
    for (const std::uint32_t type : types_->order()) {
      const ModuleEdit::TypeItems items = e_.type_items_[type];
      if (items.name != 0) write_name(items.name);
      const BitstreamItem& item = in_.items[items.record];
      values_.assign(operands(item).begin(), operands(item).end());
      renumber(bitcode::block_id::types, item.code, values_);
      out_.add_record(item.code, item.abbreviation, values_);
    }
  }

  // --- items ---

  /// Types and values of the module that a record refers to.
  void renumber(std::uint32_t block, std::uint32_t code, std::vector<std::uint64_t>& values) {
    module::for_each_operand(bitcode::record_operands(block, code), values, [&](char letter, std::size_t i, std::size_t) {
      if (module::is_type(letter)) values[i] = numbers_.type_id(values[i]);
      const std::uint64_t bias = letter == 'o' ? 1 : 0;
      if ((letter != 'a' && letter != 'o') || values[i] < bias || !numbers_.is_value(values[i] - bias)) return false;
      const std::uint32_t id = numbers_.value_id(values[i] - bias);
      if (id != kNone) values[i] = id + bias;
      return false;
    });
  }

  void write_piece(const Piece& piece) {
    switch (piece.kind) {
      case Piece::Kind::global:
        if (!numbers_.is_removed(piece.index)) write_global(in_.items[piece.begin]);
        return;
      case Piece::Kind::constants: return write_module_constants(piece);
      case Piece::Kind::metadata: return write_metadata(piece);
      case Piece::Kind::function: return write_function(piece);
      case Piece::Kind::symbols: return write_symbols(piece);
      case Piece::Kind::use_lists: return write_use_lists(piece.begin, piece.end, false);
      case Piece::Kind::types: return write_types(piece);
    }
  }

  void write_global(const BitstreamItem& item) {
    std::vector<std::uint64_t> values(operands(item).begin(), operands(item).end());
    renumber(bitcode::block_id::module, item.code, values);
    out_.add_record(item.code, item.abbreviation, values);
  }

  void write_constants(const std::vector<Handle>& order, std::span<const Abbreviation> abbreviations) {
    std::uint32_t type = kNone;
    std::vector<std::uint64_t> values;
    for (const Handle handle : order) {
      const ModuleEdit::ConstantNode& node = e_.constant(handle);
      if (node.type != type) {
        type = node.type;
        const std::uint64_t id[] = {numbers_.type_id(type)};
        out_.add_record(bitcode::code::constants_set_type, choose(abbreviations, bitcode::code::constants_set_type, id), id);
      }
      values.assign(e_.pool(node.operands).begin(), e_.pool(node.operands).end());
      renumber(bitcode::block_id::constants, node.code, values);
      // LLVM has an abbreviation for null too, and does not use it.
      const bool plain = node.code == bitcode::code::constants_null;
      out_.add_record(node.code, plain ? abbreviation::kUnabbreviated : choose(abbreviations, node.code, values), values);
    }
  }

  void write_module_constants(const Piece& piece) {
    if (numbers_.constants().empty()) return;
    std::vector<Abbreviation> abbreviations = constant_abbreviations_;
    // Members of an aggregate take as many bits as the largest id needs.
    const auto old_width = static_cast<std::uint64_t>(std::bit_width(e_.module_values_));
    const auto width = static_cast<std::uint64_t>(std::bit_width(numbers_.module_values()));
    out_.items.push_back(in_.items[piece.begin]);
    for (std::uint32_t i = piece.begin + 1; i < piece.end; ++i) {
      if (in_.items[i].kind != Kind::definition) continue;
      BitstreamItem item = in_.items[i];
      Abbreviation layout(in_.definitions.begin() + item.first, in_.definitions.begin() + item.first + item.count);
      if (layout.size() == 3 && layout[0].encoding == Encoding::literal && layout[0].value == bitcode::code::constants_aggregate &&
          layout[2].encoding == Encoding::fixed && layout[2].value == old_width) {
        layout[2].value = width;
        item.first = static_cast<std::uint32_t>(out_.definitions.size());
        out_.definitions.insert(out_.definitions.end(), layout.begin(), layout.end());
      }
      out_.items.push_back(item);
      abbreviations.push_back(std::move(layout));
    }
    write_constants(numbers_.constants(), abbreviations);
    out_.end_block();
  }

  void write_metadata(const Piece& piece) {
    out_.items.push_back(in_.items[piece.begin]);
    for (std::uint32_t i = piece.begin + 1; i < piece.end; ++i)
      if (in_.items[i].kind == Kind::definition) out_.items.push_back(in_.items[i]);
    std::vector<std::uint64_t> values;
    const auto add = [&](std::uint32_t code) { out_.add_record(code, choose(e_.metadata_abbreviations_, code, values), values); };
    for (const std::uint32_t id : numbers_.metadata()) {
      const Metadata& node = m_.metadata[id];
      if (node.kind == MetadataKind::string) {
        values = characters(m_.string_of(node));
      } else if (node.kind == MetadataKind::value) {
        values = {node.type, node.value};
        renumber(bitcode::block_id::metadata, bitcode::code::metadata_value, values);
      } else {
        const auto from = m_.metadata_operands_of(node.operands);
        values.assign(from.begin(), from.end());
        module::renumber_links(m_, node, values, [&](std::uint32_t link) { return numbers_.node_id(link); });
      }
      add(module::node_code(node));
    }
    for (std::size_t i = 0; i < m_.named_metadata.size(); ++i) {
      if (e_.named_removed_[i]) continue;
      values = characters(m_.text(m_.named_metadata[i].name));
      add(bitcode::code::metadata_name);
      values.clear();
      for (const std::uint64_t id : m_.metadata_operands_of(m_.named_metadata[i].nodes)) values.push_back(numbers_.node_id(id));
      add(bitcode::code::metadata_named_node);
    }
    out_.end_block();
  }

  /// Values that are no more take their order with them.
  void write_use_lists(std::uint32_t begin, std::uint32_t end, bool of_function) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const BitstreamItem& item = in_.items[i];
      if (item.kind != Kind::record || item.code != bitcode::code::use_lists_value || item.count == 0) {
        out_.items.push_back(item);
        continue;
      }
      values_.assign(operands(item).begin(), operands(item).end());
      const std::uint64_t id = values_.back();
      const std::uint64_t known = e_.module_values_ + (of_function ? std::uint64_t{m_.bodies[index_].values.count} : 0);
      if (id >= known) continue;
      const std::uint32_t now = numbers_.value_id(e_.handle(of_function ? index_ : kNone, static_cast<std::uint32_t>(id)));
      if (now == kNone) continue;
      values_.back() = now;
      out_.add_record(item.code, item.abbreviation, values_);
    }
  }

  void write_symbols(const Piece& piece) {
    struct Entry {
      std::string name;
      BitstreamItem item;
      bool renamed = false;
    };
    std::vector<Entry> entries;
    bool plain = true;
    bool changed = false;
    for (std::uint32_t i = piece.begin + 1; i + 1 < piece.end; ++i) {
      const BitstreamItem& item = in_.items[i];
      if (item.kind != Kind::record || item.code != bitcode::code::symbols_entry || item.count == 0) {
        plain = false;
        break;
      }
      Entry& entry = entries.emplace_back();
      entry.item = item;
      const auto values = operands(item);
      const auto value = static_cast<std::uint32_t>(values[0]);
      if (numbers_.is_removed(value)) {
        entries.pop_back();
        changed = true;
        continue;
      }
      const auto name = e_.value_names_.find(value);
      entry.renamed = name != e_.value_names_.end();
      changed = changed || entry.renamed;
    }
    if (!plain || !changed) {
      out_.items.insert(out_.items.end(), in_.items.begin() + piece.begin, in_.items.begin() + piece.end);
      return;
    }
    for (Entry& entry : entries)
      for (const std::uint64_t c : operands(entry.item).subspan(1)) entry.name.push_back(static_cast<char>(c));
    const auto earlier = [](const Entry& a, const Entry& b) { return a.name < b.name; };  // as unsigned characters
    const bool sorted = std::is_sorted(entries.begin(), entries.end(), earlier);
    for (Entry& entry : entries)
      if (entry.renamed) entry.name = e_.value_names_.at(static_cast<std::uint32_t>(operands(entry.item)[0]));
    if (sorted) std::stable_sort(entries.begin(), entries.end(), earlier);
    if (entries.empty()) return;
    out_.items.push_back(in_.items[piece.begin]);
    for (const Entry& entry : entries) {
      std::vector<std::uint64_t> values = characters(entry.name);
      const std::uint64_t id = operands(entry.item)[0];
      values.insert(values.begin(), id < e_.module_values_ ? numbers_.value_id(id) : id);
      out_.add_record(bitcode::code::symbols_entry,
                      entry.renamed ? choose(e_.symbol_abbreviations_, bitcode::code::symbols_entry, values) : entry.item.abbreviation,
                      values);
    }
    out_.end_block();
  }

  // --- functions ---

  void write_function(const Piece& piece) {
    index_ = piece.index;
    const ModuleEdit::Body& body = e_.bodies_[index_];
    std::vector<Handle> order = numbers_.enter_function(index_);
    const auto constants = static_cast<std::uint32_t>(order.size());
    next_value_ = numbers_.module_values() + body.parameters + constants;
    // Attachments name instructions by their number.
    instruction_numbers_.clear();
    written_instructions_ = 0;

    out_.items.push_back(in_.items[piece.begin]);
    std::uint32_t record = 0;
    std::size_t inserted = 0;
    for (std::uint32_t i = piece.begin + 1; i + 1 < piece.end; ++i) {
      const BitstreamItem& item = in_.items[i];
      if (item.kind == Kind::record) {
        for (; inserted < body.inserted.size() && body.inserted[inserted].before == record; ++inserted)
          write_record(body.inserted[inserted].record);
        const Record& written = body.records[record++];
        if (written.instruction) instruction_numbers_.push_back(written_instructions_);
        if (!written.removed) write_record(written);
        if (written.code == bitcode::code::function_declare_blocks && !order.empty()) {
          out_.enter_block(bitcode::block_id::constants, module::kConstantsWidth);
          write_constants(order, constant_abbreviations_);
          out_.end_block();
          order.clear();
        }
        continue;
      }
      const std::uint32_t end = end_of_block(i);
      const bool is_gone = item.code == bitcode::block_id::metadata && !uses_own_metadata(body);
      if (item.code != bitcode::block_id::constants && !is_gone) write_own_block(i, end);
      i = end - 1;
    }
    out_.end_block();
    numbers_.leave_function();
  }

  /// Whether anything does that has not been removed; true if nothing has been.
  bool uses_own_metadata(const ModuleEdit::Body& body) const {
    bool uses = std::ranges::none_of(body.records, &Record::removed);
    for (const Record& record : body.records) {
      if (record.removed) continue;
      Numbering::for_refs(e_, record, [&](RefKind kind, std::uint64_t value) {
        uses = uses || (kind == RefKind::metadata && value >= e_.module_metadata_ && value < numbers_.own_metadata_end());
      });
    }
    return uses;
  }

  std::uint32_t end_of_block(std::uint32_t begin) const {
    std::size_t depth = 0;
    for (std::uint32_t i = begin; i < in_.items.size(); ++i) {
      if (in_.items[i].kind == Kind::enter_block) ++depth;
      if (in_.items[i].kind == Kind::end_block && --depth == 0) return i + 1;
    }
    return static_cast<std::uint32_t>(in_.items.size());
  }

  void write_record(const Record& record) {
    values_.assign(e_.pool(record.operands).begin(), e_.pool(record.operands).end());
    for (std::uint32_t i = record.refs.first; i < record.refs.end(); ++i) {
      std::uint64_t& value = values_[e_.refs_[i].position];
      switch (e_.refs_[i].kind) {
        case RefKind::relative: value = static_cast<std::uint32_t>(next_value_ - numbers_.value_id(value)); break;
        case RefKind::absolute: value = numbers_.value_id(value); break;
        case RefKind::distance: {
          const auto distance = static_cast<std::int64_t>(next_value_) - numbers_.value_id(value);
          value = distance >= 0 ? static_cast<std::uint64_t>(distance) << 1 : static_cast<std::uint64_t>(-distance) << 1 | 1;
          break;
        }
        case RefKind::metadata: value = static_cast<std::uint32_t>(next_value_ - numbers_.metadata_id(value)); break;
        case RefKind::metadata_or_null: value = value == 0 ? 0 : numbers_.metadata_id(value - 1) + 1; break;
      }
    }
    for (std::uint32_t i = record.types.first; i < record.types.end(); ++i) {
      std::uint64_t& type = values_[e_.type_positions_[i]];
      type = numbers_.type_id(type);
    }
    out_.add_record(record.code, record.abbreviation, values_);
    if (record.instruction) ++written_instructions_;
    if (record.result != kNone) ++next_value_;
  }

  /// Symbols, metadata and attachments of a function.
  void write_own_block(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t block = in_.items[begin].code;
    if (block == bitcode::block_id::use_lists) return write_use_lists(begin, end, true);
    if (block == bitcode::block_id::symbols && e_.names_removed_ && !keeps_a_name(begin, end)) return;
    for (std::uint32_t i = begin; i < end; ++i) {
      const BitstreamItem& item = in_.items[i];
      if (item.kind != Kind::record) {
        out_.items.push_back(item);
        continue;
      }
      values_.assign(operands(item).begin(), operands(item).end());
      if (block == bitcode::block_id::symbols && is_nameless(item)) continue;
      if (block == bitcode::block_id::symbols && item.code == bitcode::code::symbols_entry && !values_.empty())
        values_[0] = own_value(values_[0]);
      if (block == bitcode::block_id::metadata && item.code == bitcode::code::metadata_value && values_.size() == 2) {
        values_[0] = numbers_.type_id(values_[0]);
        values_[1] = own_value(values_[1]);
      }
      if (block == bitcode::block_id::attachments && item.code == bitcode::code::attachments_attachment) {
        const std::size_t first = values_.size() % 2;
        if (first == 1 && values_[0] < instruction_numbers_.size()) values_[0] = instruction_numbers_[static_cast<std::size_t>(values_[0])];
        for (std::size_t k = first + 1; k < values_.size(); k += 2) values_[k] = numbers_.metadata_id(values_[k]);
      }
      out_.add_record(item.code, item.abbreviation, values_);
    }
  }
  /// Whether an entry names what has no name any more: a block, an instruction.
  bool is_nameless(const BitstreamItem& item) const {
    if (item.code == bitcode::code::symbols_block) return e_.names_removed_;
    if (item.code != bitcode::code::symbols_entry || item.count == 0) return false;
    const std::uint64_t id = operands(item)[0];
    if (id < e_.module_values_ || id >= e_.module_values_ + std::uint64_t{m_.bodies[index_].values.count}) return false;
    const Handle handle = e_.handle(index_, static_cast<std::uint32_t>(id));
    const bool is_instruction = (handle & ModuleEdit::kLocal) != 0 && (handle & ~ModuleEdit::kLocal) >= m_.bodies[index_].parameters;
    return is_instruction && (e_.names_removed_ || numbers_.value_id(handle) == kNone);
  }
  bool keeps_a_name(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t i = begin; i < end; ++i)
      if (in_.items[i].kind == Kind::record && !is_nameless(in_.items[i])) return true;
    return false;
  }
  std::uint64_t own_value(std::uint64_t id) const {
    if (id >= e_.module_values_ + std::uint64_t{m_.bodies[index_].values.count}) return id;
    const std::uint32_t now = numbers_.value_id(e_.handle(index_, static_cast<std::uint32_t>(id)));
    return now == kNone ? id : now;
  }

  const ModuleEdit& e_;
  const Module& m_;
  const Bitstream& in_;
  Numbering numbers_;
  const module::TypeOrder* types_;  // null if types keep their numbers
  Bitstream out_;
  std::vector<Abbreviation> constant_abbreviations_;
  // of the function at hand
  std::uint32_t index_ = 0;
  std::uint32_t next_value_ = 0;
  std::uint32_t written_instructions_ = 0;
  std::vector<std::uint32_t> instruction_numbers_;
  std::vector<std::uint64_t> values_;
};

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Result<std::vector<std::byte>> ModuleEdit::write() const {
  if (prunes_types_ && type_items_.size() == module_.file_types) {
    edit::Writer writer(*this, true);
    auto written = writer.write();
    if (!writer.lacks_types()) return written;
  }
  return edit::Writer(*this, false).write();
}

}  // namespace unshade::dxil
