// Metadata of the module and of functions, and what hangs on instructions.
#include <algorithm>
#include <array>

#include "dxil/module/parse/parse.hpp"

namespace unshade::dxil::module {

namespace {

// What a record of a kind has to be like, and which of its operands refer to others: a bit for each operand.
struct NodeShape {
  MetadataKind kind = MetadataKind::string;
  std::uint8_t least = 0;
  std::uint8_t most = 0;  // 0: any number
  std::uint32_t nodes = 0;
  std::uint32_t ids = 0;
  std::uint32_t strings = 0;
  std::uint8_t rest_of_nodes = 0;  // operands from this one on are nodes; 0: none are
};

constexpr std::uint32_t kFirstCode = 7;
constexpr auto kNodeShapes = [] {
  std::array<NodeShape, 33> shapes{};
#define DXIL_NODE(code, id, text, least_, most_) \
  shapes[code].kind = MetadataKind::id;          \
  shapes[code].least = least_;                   \
  shapes[code].most = most_;
#include <unshade/dxil/debug_nodes.def>
  struct Row {
    MetadataKind kind;
    std::uint8_t operand;
    FieldForm form;
  };
  constexpr Row kRows[] = {
#define DXIL_FIELD(node, operand, text, form, print) {MetadataKind::node, operand, FieldForm::form},
#include <unshade/dxil/debug_nodes.def>
  };
  for (const Row& row : kRows)
    for (NodeShape& shape : shapes) {
      if (shape.least == 0 || shape.kind != row.kind) continue;
      const std::uint32_t bit = 1U << row.operand;
      if (row.form == FieldForm::node) shape.nodes |= bit;
      if (row.form == FieldForm::id) shape.ids |= bit;
      if (row.form == FieldForm::string) shape.strings |= bit;
      if (row.form == FieldForm::rest && row.kind == MetadataKind::generic) shape.rest_of_nodes = row.operand;
    }
  return shapes;
}();

const NodeShape* node_shape_of(std::uint32_t code) {
  return code < kNodeShapes.size() && kNodeShapes[code].least != 0 ? &kNodeShapes[code] : nullptr;
}
const NodeShape* node_shape_of(MetadataKind kind) {
  for (std::uint32_t code = kFirstCode; code < kNodeShapes.size(); ++code)
    if (kNodeShapes[code].least != 0 && kNodeShapes[code].kind == kind) return &kNodeShapes[code];
  return nullptr;
}

}  // namespace

bool ModuleReader::read_metadata() {
  if (body_ == nullptr && functions_begun_) return fail(ErrorCode::bad_value, "module metadata after function bodies");
  if (!outline_) return each_record([this] { return metadata_record(); });
  for (record_ = 0;; ++record_) {
    switch (cursor_.next()) {
      case Event::record:
        // Kinds of attachments have a block of their own.
        if (record_ == 0 && cursor_.code() == bitcode::code::metadata_kind) return cursor_.skip_block() || cursor_error();
        if (!metadata_record()) return false;
        break;
      case Event::enter_block:
        if (!skip_block()) return false;
        break;
      case Event::end_block: return true;
      default: return cursor_error();
    }
  }
}

bool ModuleReader::add_metadata(const Metadata& metadata) { return push(body_ == nullptr ? m_.metadata : m_.local_metadata, metadata); }

bool ModuleReader::metadata_record() {
  const Operands o = cursor_.operands();
  switch (cursor_.code()) {
    case bitcode::code::metadata_string: {
      Metadata string;
      bool good = false;
      string.operands = characters(o, good);
      return good && add_metadata(string);
    }
    case bitcode::code::metadata_old_function_node:
      if (o.size() != 2) return fail(ErrorCode::unsupported, "metadata of another version of LLVM");
      [[fallthrough]];
    case bitcode::code::metadata_value: {
      Metadata value{.kind = MetadataKind::value};
      if (o.size() != 2 || o[1] >= kMetadataOperand || !type_at(o[0], value.type)) return error_ ? false : bad_record();
      if (is(value.type, TypeKind::metadata) || is(value.type, TypeKind::void_)) return bad_record();
      value.value = static_cast<std::uint32_t>(o[1]);
      return add_metadata(value);
    }
    case bitcode::code::metadata_node:
    case bitcode::code::metadata_distinct_node: return metadata_node(MetadataKind::node, o);
    case bitcode::code::metadata_name: return named_metadata();
    case bitcode::code::metadata_kind: return metadata_kind(o);
    case bitcode::code::metadata_old_node: return fail(ErrorCode::unsupported, "metadata of another version of LLVM");
    case bitcode::code::metadata_named_node: return fail(ErrorCode::bad_value, "named metadata without its name");
    default: {
      const NodeShape* const shape = node_shape_of(cursor_.code());
      if (shape == nullptr) return true;
      if (o.size() < shape->least || (shape->most != 0 && o.size() > shape->most)) return bad_record();
      return metadata_node(shape->kind, o);
    }
  }
}

bool ModuleReader::metadata_node(MetadataKind kind, Operands o) {
  Metadata node{.kind = kind};
  node.distinct = kind == MetadataKind::node ? cursor_.code() == bitcode::code::metadata_distinct_node : (o[0] & 1) != 0;
  node.operands = {static_cast<std::uint32_t>(m_.metadata_operands.size()), static_cast<std::uint32_t>(o.size())};
  if (!spend(o.size() * sizeof(std::uint64_t))) return false;
  m_.metadata_operands.insert(m_.metadata_operands.end(), o.begin(), o.end());
  return add_metadata(node);
}

// The name, then a record with its nodes.
bool ModuleReader::named_metadata() {
  if (body_ != nullptr) return fail(ErrorCode::bad_value, "named metadata in a function");
  NamedMetadata named;
  if (!read_text(named.name)) return false;
  if (cursor_.next() != Event::record || cursor_.code() != bitcode::code::metadata_named_node)
    return cursor_.ok() ? fail(ErrorCode::bad_value, "a name without nodes") : cursor_error();
  const Operands o = cursor_.operands();
  named.nodes = {static_cast<std::uint32_t>(m_.metadata_operands.size()), static_cast<std::uint32_t>(o.size())};
  if (!spend(o.size() * sizeof(std::uint64_t))) return false;
  m_.metadata_operands.insert(m_.metadata_operands.end(), o.begin(), o.end());
  return push(m_.named_metadata, named);
}

// [id, characters]
bool ModuleReader::metadata_kind(Operands o) {
  if (o.size() < 2 || o[0] > 0xffff'ffff) return bad_record();
  MetadataKindName kind;
  kind.id = static_cast<std::uint32_t>(o[0]);
  bool good = false;
  kind.name = characters(o.subspan(1), good);
  if (!good || !spend(64)) return false;
  if (find_kind(kind.id) != kNone) return fail(ErrorCode::overlap, "a metadata kind with two names");
  const auto index = static_cast<std::uint32_t>(m_.metadata_kinds.size());
  if (kind.id != index) kind_ids_.emplace(kind.id, index);
  return push(m_.metadata_kinds, kind);
}

// Kinds are numbered as they come, in all files but strange ones.
std::uint32_t ModuleReader::find_kind(std::uint64_t id) const {
  if (id < m_.metadata_kinds.size() && m_.metadata_kinds[static_cast<std::size_t>(id)].id == id) return static_cast<std::uint32_t>(id);
  const auto found = id < kNone ? kind_ids_.find(static_cast<std::uint32_t>(id)) : kind_ids_.end();
  return found == kind_ids_.end() ? kNone : found->second;
}

bool ModuleReader::is_string(std::uint64_t id) const {
  return m_.metadata_at(body_, static_cast<std::uint32_t>(id)).kind == MetadataKind::string;
}

bool ModuleReader::check_node(const Metadata& node, std::size_t index) {
  const std::uint64_t count = metadata_count();
  const auto operands = m_.metadata_operands_of(node.operands);
  const auto missing = [&](std::uint64_t id) {
    return fail_at(ErrorCode::out_of_range, "node", static_cast<std::uint32_t>(index),
                   "metadata " + std::to_string(id) + " does not exist");
  };
  if (node.kind == MetadataKind::node) {
    for (const std::uint64_t operand : operands)
      if (operand > count) return missing(operand - 1);
    return true;
  }
  const NodeShape& shape = *node_shape_of(node.kind);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::uint64_t operand = operands[i];
    const std::uint32_t bit = i < 32 ? 1U << i : 0;
    if ((shape.ids & bit) != 0) {
      if (operand >= count) return missing(operand);
    } else if (((shape.nodes | shape.strings) & bit) != 0 || (shape.rest_of_nodes != 0 && i >= shape.rest_of_nodes)) {
      if (operand > count) return missing(operand - 1);
      if ((shape.strings & bit) != 0 && operand != 0 && !is_string(operand - 1)) {
        return fail_at(ErrorCode::bad_value, "node", static_cast<std::uint32_t>(index),
                       "metadata " + std::to_string(operand - 1) + " is not a string");
      }
    }
  }
  return true;
}

bool ModuleReader::check_metadata(const std::vector<Metadata>& nodes, std::size_t first) {
  const std::uint64_t values = m_.values.size() + (body_ == nullptr ? 0 : m_.local_values.size() - body_->values.first);
  for (std::size_t i = first; i < nodes.size(); ++i) {
    const Metadata& node = nodes[i];
    if (node.kind == MetadataKind::string) continue;
    if (node.kind == MetadataKind::value) {
      const auto index = static_cast<std::uint32_t>(i - first);
      if (node.value >= values)
        return fail_at(ErrorCode::out_of_range, "node", index, "value " + std::to_string(node.value) + " does not exist");
      if (value_at(node.value).type != node.type) return fail_at(ErrorCode::bad_value, "node", index, "the value has a different type");
    } else if (!check_node(node, i - first)) {
      return false;
    }
  }
  if (body_ != nullptr) return true;
  for (std::uint32_t i = 0; i < m_.named_metadata.size(); ++i)
    for (const std::uint64_t id : m_.metadata_operands_of(m_.named_metadata[i].nodes)) {
      if (id >= m_.metadata.size())
        return fail_at(ErrorCode::out_of_range, "named", i, "metadata " + std::to_string(id) + " does not exist");
      const MetadataKind kind = m_.metadata[static_cast<std::size_t>(id)].kind;
      if (kind == MetadataKind::string || kind == MetadataKind::value)
        return fail_at(ErrorCode::bad_value, "named", i, "metadata " + std::to_string(id) + " is not a node");
    }
  return true;
}

// [instruction, (kind, node)...], or without an instruction for the function
bool ModuleReader::read_attachments() {
  if (body_->attachments.count != 0) return fail(ErrorCode::bad_value, "a second attachment block");
  body_->attachments.first = static_cast<std::uint32_t>(m_.attachments.size());
  const bool good = each_record([this] {
    const Operands o = cursor_.operands();
    if (cursor_.code() != bitcode::code::attachments_attachment) return true;
    if (o.empty()) return bad_record();
    Attachment attachment;
    std::size_t i = o.size() % 2;
    if (i == 1) {
      if (o[0] >= m_.instructions.size() - body_->instructions.first) return bad_reference("instruction", o[0]);
      attachment.instruction = static_cast<std::uint32_t>(o[0]);
    }
    for (; i < o.size(); i += 2) {
      attachment.kind = find_kind(o[i]);
      if (attachment.kind == kNone) return bad_reference("kind of metadata", o[i]);
      if (o[i + 1] >= metadata_count()) return bad_reference("metadata", o[i + 1]);
      attachment.node = static_cast<std::uint32_t>(o[i + 1]);
      if (!push(m_.attachments, attachment)) return false;
    }
    return true;
  });
  body_->attachments.count = static_cast<std::uint32_t>(m_.attachments.size()) - body_->attachments.first;
  const auto begin = m_.attachments.begin() + body_->attachments.first;
  const auto earlier = [](const Attachment& a, const Attachment& b) { return a.instruction + 1 < b.instruction + 1; };  // kNone first
  if (!std::is_sorted(begin, m_.attachments.end(), earlier)) std::stable_sort(begin, m_.attachments.end(), earlier);
  return good;
}

}  // namespace unshade::dxil::module
