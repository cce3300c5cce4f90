#include "dxbc/as_tables.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "dxbc/as_lookup.hpp"
#include "dxbc/listing_header.hpp"
#include "dxbc/listing_words.hpp"

namespace unshade::dxbc {

using dxcontainer::kNoRegister;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

std::optional<CommentLine> CommentLines::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  const auto first = line.find_first_not_of(" \t");
  std::string_view text = first == std::string_view::npos ? std::string_view{} : line.substr(first);
  if (!text.starts_with("//") && text.find_first_not_of(" \t\r") != std::string_view::npos) return std::nullopt;
  if (text.starts_with("//")) text.remove_prefix(2);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return CommentLine{text};
}

namespace {

// Words of a row, blanks between them.
class Row {
 public:
  Row(std::string_view text, Messages& messages) : rest_(text), messages_(messages) {}

  std::string_view word() {
    blanks();
    const auto end = std::min(rest_.find(' '), rest_.size());
    const auto word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  std::string_view peek() {
    blanks();
    return rest_.substr(0, rest_.find(' '));
  }
  bool empty() {
    blanks();
    return rest_.empty();
  }
  bool number(std::uint32_t& value, std::string_view what) {
    const auto text = word();
    return number_of(text, value) || fail(text, what);
  }
  static bool number_of(std::string_view text, std::uint32_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
  }
  // Letters of xyzw with blanks among them: `x z`.
  std::uint8_t mask() {
    std::uint8_t mask = 0;
    for (blanks(); !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_[0] == ' ') continue;
      const auto lane = std::string_view("xyzw").find(rest_[0]);
      if (lane == std::string_view::npos) break;
      mask = static_cast<std::uint8_t>(mask | 1U << lane);
    }
    return mask;
  }
  bool fail(std::string_view at, std::string_view what) { return messages_.expected(Message::table_row, at.data(), what); }
  bool fail(std::string_view what) { return fail(peek(), what); }

 private:
  void blanks() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
  }

  std::string_view rest_;
  Messages& messages_;
};

template <class E>
std::optional<E> value_of(std::string_view text, std::uint32_t most) {
  for (std::uint32_t value = 0; value <= most; ++value)
    if (fxc_text(static_cast<E>(value)) == text) return static_cast<E>(value);
  std::uint32_t number = 0;
  if (Row::number_of(text, number)) return static_cast<E>(number);
  return std::nullopt;
}

bool is_heading(std::string_view text) { return text.starts_with("Name ") || text.starts_with("---") || text.starts_with("+---"); }

class TableReader {
 public:
  TableReader(std::string_view text, Messages& messages) : text_(text), lines_(text), messages_(messages) {}

  SourceTables read() {
    while (const auto line = lines_.next()) section(line->trimmed());
    if (const auto last = text_.rfind(words::kSlotCount); last != std::string_view::npos) {
      const auto rest = text_.substr(last + words::kSlotCount.size());
      std::from_chars(rest.data(), rest.data() + rest.size(), tables_.instruction_slots);
    }
    return std::move(tables_);
  }

 private:
  void section(std::string_view line) {
    if (line.starts_with(words::kGenerated)) {
      const auto creator = line.substr(words::kGenerated.size());
      if (creator.starts_with(words::kDisassembler)) return;
      tables_.rdef.creator.text = creator;
      tables_.has_rdef = true;
    } else if (line == words::kFeatures) {
      features();
    } else if (line == words::kBuffers.substr(0, words::kBuffers.size() - 1)) {  // blanks at line ends are cut off
      tables_.has_rdef = true;
      read_buffers(lines_, tables_, messages_);
    } else if (line == words::kBindings) {
      tables_.has_rdef = true;
      bindings();
    } else if (line.ends_with(words::kSignature)) {
      const auto title = line.substr(0, line.size() - words::kSignature.size());
      if (title == words::kInput) signature(tables_.input, title);
      if (title == words::kOutput) signature(tables_.output, title);
      if (title == words::kPatchConstant) signature(tables_.patch_constant, title);
    } else if (line == words::kSampleFrequency) {
      tables_.sample_frequency = true;
    } else if (line == words::kClassTypes) {
      class_types();
    } else if (line == words::kClassInstances) {
      class_instances();
    } else if (line.starts_with(words::kInterfaceSlots)) {
      interface_slots(line.substr(words::kInterfaceSlots.size()));
    }
  }

  // Rows of a table: heading lines are skipped; an empty line ends it, or `row`, which tells whether there may be more.
  template <class F>
  void rows(F row) {
    bool begun = false;
    while (const auto line = lines_.peek()) {
      const auto text = line->trimmed();
      if (text.empty() && begun) return;
      lines_.next();
      if (text.empty()) continue;
      if (is_heading(text)) {
        heading(text);
        continue;
      }
      begun = true;
      if (messages_.full() || !row(text)) return;
    }
  }
  void heading(std::string_view text) {
    if (!text.starts_with("Name ")) return;
    has_hlsl_bind_ = text.find(words::kHlslBind) != std::string_view::npos;
    has_id_ = text.find(" ID ") != std::string_view::npos;
  }

  void features() {
    while (const auto line = lines_.peek()) {
      const auto text = line->trimmed();
      if (text.empty()) return;
      lines_.next();
      unsigned bit = 0;
      while (bit < 64 && feature_text(bit) != text) ++bit;
      if (bit == 64) {
        messages_.expected(Message::table_row, text.data(), "a feature");
        continue;
      }
      tables_.features |= std::uint64_t{1} << bit;
    }
  }

  // --- signatures ----------------------------------------------------------------------------------------------------------------------

  void signature(std::optional<Signature>& signature, std::string_view title) {
    signature.emplace();
    rows([&](std::string_view text) {
      if (text.starts_with(words::kNo) && text.substr(words::kNo.size()) == title) return false;
      SignatureElement element;
      if (this->element(text, element)) signature->elements.items.push_back(element);
      return true;
    });
  }

  bool element(std::string_view text, SignatureElement& element) {
    Row row(text, messages_);
    std::string_view name = row.word();
    // m1:COLOR
    if (name.size() > 2 && name[0] == 'm' && is_digit(name[1])) {
      const auto colon = name.find(':');
      if (colon != std::string_view::npos && Row::number_of(name.substr(1, colon - 1), element.stream)) name.remove_prefix(colon + 1);
    }
    element.semantic.text = name;
    if (!row.number(element.semantic_index, "the index of a semantic")) return false;
    const bool has_register = row.peek() != words::kNotApplicable;
    if (has_register) {
      element.mask = row.mask();
      if (!row.number(element.register_index, "a register")) return false;
    } else {
      row.word();
      row.word();  // oDepth
      element.mask = 1;
      element.register_index = kNoRegister;
    }
    const auto value_text = row.word();
    std::uint32_t number = 0;
    if (const auto value = system_value_of(value_text)) {
      element.system_value = *value;
    } else if (Row::number_of(value_text, number)) {
      element.system_value = static_cast<SystemValue>(number);
    } else {
      return row.fail(value_text, "a system value");
    }
    const auto format_text = row.word();
    if (const auto format = component_format_of(format_text)) {
      element.component_type = format->type;
      element.min_precision = format->precision;
    } else if (Row::number_of(format_text, number)) {
      element.component_type = static_cast<dxcontainer::ComponentType>(number);
    } else {
      return row.fail(format_text, "a format");
    }
    if (has_register) {
      element.used_mask = row.mask();
    } else if (row.peek() == words::kYes || row.peek() == words::kNotUsed) {
      element.used_mask = row.word() == words::kYes ? 1 : 0;
    }
    return row.empty() || row.fail("components that are used");
  }

  // --- bindings ------------------------------------------------------------------------------------------------------------------------

  void bindings() {
    rows([&](std::string_view text) {
      Binding binding;
      if (this->binding(text, binding)) tables_.rdef.bindings.items.push_back(std::move(binding));
      return true;
    });
  }

  static ResourceKind kind_of(ResourceKind kind, std::string_view format, std::string_view dimension) {
    const bool is_raw = format == words::kRaw;
    if (!is_raw && format != words::kStructured) return kind;
    if (dimension == words::kReadOnly) return is_raw ? ResourceKind::byte_address : ResourceKind::structured;
    if (dimension == words::kAppend) return ResourceKind::uav_append;
    if (dimension == words::kConsume) return ResourceKind::uav_consume;
    if (dimension == words::kCounter) return ResourceKind::uav_structured_with_counter;
    return is_raw ? ResourceKind::uav_byte_address : ResourceKind::uav_structured;
  }

  bool binding(std::string_view text, Binding& binding) {
    Row row(text, messages_);
    binding.name.text = row.word();
    const auto type = row.word();
    if (type == words::kComparisonSampler) {
      binding.kind = ResourceKind::sampler;
      binding.flags |= kBindingComparisonSampler;
    } else if (const auto kind = value_of<ResourceKind>(type, 15)) {
      binding.kind = *kind;
    } else {
      return row.fail(type, "cbuffer, tbuffer, texture, sampler, sampler_c or UAV");
    }

    const auto format = row.word();
    const auto dimension = row.word();
    binding.kind = kind_of(binding.kind, format, dimension);
    if (format == words::kRaw || format == words::kStructured) {
      // observed: what such buffers are said to return, and their dimension
      binding.return_type = ReturnType::mixed;
      binding.dimension = ResourceDimension::buffer;
    } else {
      std::string_view base = format;
      if (!base.empty() && base.back() >= '2' && base.back() <= '4' && base.size() > 1) {
        binding.flags |= static_cast<std::uint32_t>(base.back() - '1') << kBindingComponentShift;
        base.remove_suffix(1);
      }
      const auto return_type = value_of<ReturnType>(base, 15);
      if (!return_type) return row.fail(format, "a format");
      binding.return_type = *return_type;
      // 2dMS4: the longest word counts, digits behind it are samples
      std::size_t size = dimension.size();
      auto found = value_of<ResourceDimension>(dimension, 15);
      constexpr std::size_t kMostDigits = 10;
      while (!found && size > 1 && dimension.size() - size < kMostDigits && is_digit(dimension[size - 1]))
        found = value_of<ResourceDimension>(dimension.substr(0, --size), 15);
      if (!found) return row.fail(dimension, "a dimension");
      binding.dimension = *found;
      const bool is_multisampled =
          binding.dimension == ResourceDimension::texture2d_ms || binding.dimension == ResourceDimension::texture2d_ms_array;
      if (size != dimension.size()) {
        if (!Row::number_of(dimension.substr(size), binding.sample_count)) return row.fail(dimension, "a number of samples");
      } else if (!is_multisampled && (binding.kind == ResourceKind::texture || binding.kind == ResourceKind::uav_typed)) {
        binding.sample_count = 0xffff'ffff;
      }
    }
    return place(row, binding);
  }

  // Slot and count, in one of three ways.
  bool place(Row& row, Binding& binding) {
    if (!has_hlsl_bind_) return row.number(binding.bind_point, "a slot") && row.number(binding.bind_count, "a number of elements");
    if (has_id_) {
      auto id = row.word();
      while (!id.empty() && is_name_start(id[0])) id.remove_prefix(1);
      if (!Row::number_of(id, binding.id)) return row.fail(id, "the number of a range");
    }
    auto bind = row.word();
    const auto comma = bind.find(',');
    if (comma != std::string_view::npos) {
      auto space = bind.substr(comma + 1);
      while (!space.empty() && is_name_start(space[0])) space.remove_prefix(1);
      if (!Row::number_of(space, binding.space)) return row.fail(space, "a register space");
      bind = bind.substr(0, comma);
    }
    auto number = bind;
    while (!number.empty() && is_name_start(number[0])) number.remove_prefix(1);
    if (!Row::number_of(number, binding.bind_point)) return row.fail(bind, "a register such as t0");
    if (row.peek() == words::kUnbounded) {
      binding.bind_count = 0;
      return true;
    }
    return row.number(binding.bind_count, "a number of registers");
  }

  // --- class linkage -------------------------------------------------------------------------------------------------------------------

  ClassLinkage& linkage() {
    if (!tables_.class_linkage) tables_.class_linkage.emplace();
    return *tables_.class_linkage;
  }
  static bool narrow(Row& row, std::uint16_t& value, std::string_view what) {
    if (row.peek() == "-") {
      row.word();
      value = kNoSlot;
      return true;
    }
    const auto at = row.peek();
    std::uint32_t wide = 0;
    if (!row.number(wide, what)) return false;
    value = static_cast<std::uint16_t>(wide);
    return wide <= 0xffff || row.fail(at, "a number of 16 bits");
  }

  void class_types() {
    linkage();
    rows([&](std::string_view text) {
      Row row(text, messages_);
      ClassType type;
      type.name.text = row.word();
      std::uint32_t place = 0;
      if (row.number(place, "the class's number") && narrow(row, type.constant_buffer_stride, "a number of registers") &&
          narrow(row, type.texture_count, "a number of textures") && narrow(row, type.sampler_count, "a number of samplers"))
        linkage().types.items.push_back(type);
      return true;
    });
  }

  void class_instances() {
    rows([&](std::string_view text) {
      Row row(text, messages_);
      ClassInstance instance;
      instance.name.text = row.word();
      // lights[3]
      const auto bracket = instance.name.text.find('[');
      std::uint32_t elements = 1;
      if (bracket != std::string_view::npos && instance.name.text.ends_with(']') &&
          Row::number_of(instance.name.text.substr(bracket + 1, instance.name.text.size() - bracket - 2), elements) && elements <= 0xffff) {
        instance.elements = static_cast<std::uint16_t>(elements);
        instance.name.text = instance.name.text.substr(0, bracket);
      }
      if (narrow(row, instance.type, "the class's number") && narrow(row, instance.constant_buffer, "a constant buffer") &&
          narrow(row, instance.constant_buffer_offset, "an offset in registers") && narrow(row, instance.texture, "a texture") &&
          narrow(row, instance.sampler, "a sampler"))
        linkage().instances.items.push_back(instance);
      return true;
    });
  }

  // 6 total:
  void interface_slots(std::string_view rest) {
    if (!Row::number_of(rest.substr(0, rest.find(' ')), linkage().slot_count))
      messages_.expected(Message::table_row, rest.data(), "a number of slots");
    rows([&](std::string_view text) {
      slot_row(text);
      return true;
    });
  }

  // | Type ID  |   0-1   |0    1    2
  void slot_row(std::string_view text) {
    const bool has_types = text.starts_with(words::kTypeIds);
    if (!has_types && !text.starts_with(words::kTableIds)) return;
    text.remove_prefix(words::kTypeIds.size());
    const auto bar = text.find('|');
    if (bar == std::string_view::npos) {
      messages_.expected(Message::table_row, text.data(), "`|`");
      return;
    }
    auto& slots = linkage().slots.items;
    if (has_types) {
      Row range(text.substr(0, bar), messages_);
      const auto span = range.word();
      const auto dash = span.find('-');
      std::uint32_t first = 0;
      std::uint32_t last = 0;
      const bool good = Row::number_of(span.substr(0, dash), first) &&
                        (dash == std::string_view::npos ? (last = first, true) : Row::number_of(span.substr(dash + 1), last));
      if (!good) {
        range.fail(span, "slots such as 0 or 1-3");
        return;
      }
      slots.emplace_back().span = last - first + 1;
    }
    if (slots.empty()) return;
    for (Row row(text.substr(bar + 1), messages_); !row.empty();) {
      std::uint32_t number = 0;
      if (!row.number(number, "a number")) return;
      if (has_types) {
        slots.back().types.items.push_back({static_cast<std::uint16_t>(number)});
      } else {
        slots.back().tables.items.push_back({number});
      }
    }
    if (!has_types && slots.back().types.size() != slots.back().tables.size())
      messages_.expected(Message::table_row, text.data(), "a function table for each type");
  }

  std::string_view text_;
  CommentLines lines_;
  Messages& messages_;
  SourceTables tables_;
  bool has_hlsl_bind_ = false;
  bool has_id_ = false;
};

}  // namespace

SourceTables read_tables(std::string_view text, Messages& messages) { return TableReader(text, messages).read(); }

}  // namespace unshade::dxbc
