#include "dxbc/assemble/tables.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "dxbc/assemble/lookup.hpp"
#include "dxbc/assemble/row_forms.hpp"
#include "dxbc/listing/column_words.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::assembler {

using dxcontainer::kNoRegister;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

std::optional<CommentLine> CommentLines::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  const auto first = line.find_first_not_of(kBlanks);
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
    const auto end = std::min(rest_.find_first_of(kBlanks), rest_.size());
    const auto word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  std::string_view words(std::size_t count) {
    const auto first = word();
    auto last = first;
    for (; count > 1; --count) last = word();
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
  }
  std::string_view peek() {
    blanks();
    return rest_.substr(0, rest_.find_first_of(kBlanks));
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
    const auto read = as_number<std::uint32_t>(text);
    value = read.value_or(0);
    return read.has_value();
  }
  // Letters of xyzw with blanks among them: `x z`. Letters out of order are left for what comes next to fail at.
  std::uint8_t mask() {
    std::uint8_t mask = 0;
    for (blanks(); !rest_.empty(); rest_.remove_prefix(1)) {
      if (kBlanks.find(rest_[0]) != std::string_view::npos) continue;
      const auto component = find_component(rest_[0]);
      if (!component || mask >> *component != 0) break;
      mask = static_cast<std::uint8_t>(mask | 1U << *component);
    }
    return mask;
  }
  // Whether nothing is left.
  bool ends() { return empty() || fail("the end of the row"); }
  bool fail(std::string_view at, std::string_view what) { return messages_.expected(MessageKind::table_row, at.data(), what); }
  bool fail(std::string_view what) { return fail(peek(), what); }

 private:
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }

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

// Blanks at line ends are cut off.
constexpr std::string_view kBuffersTitle = listing::words::kBuffers.substr(0, listing::words::kBuffers.size() - 1);

bool is_title(std::string_view line) {
  namespace words = listing::words;
  constexpr std::string_view kWhole[] = {words::kFeatures,        kBuffersTitle,      words::kBindings,
                                         words::kSampleFrequency, words::kClassTypes, words::kClassInstances};
  constexpr std::string_view kSignatures[] = {words::kInput, words::kOutput, words::kPatchConstant};
  if (std::ranges::find(kWhole, line) != std::end(kWhole)) return true;
  if (line.ends_with(words::kSignature))
    return std::ranges::find(kSignatures, line.substr(0, line.size() - words::kSignature.size())) != std::end(kSignatures);
  const auto begins = [&](std::string_view word, std::string_view other) {
    return line.starts_with(word) && line.find(other, word.size()) != std::string_view::npos;
  };
  return begins(words::kTessellationDomain, "# of control points") || begins(words::kTessellationOutput, "Partitioning Type") ||
         begins(words::kInterfaceSlots, " total:");
}

bool is_feature(std::string_view line) {
  for (unsigned bit = 0; bit < 64; ++bit)
    if (line == listing::feature_text(bit)) return true;
  return false;
}

bool is_heading(std::string_view text) { return text.starts_with("Name ") || text.starts_with("---") || text.starts_with("+---"); }

class TableReader {
 public:
  TableReader(std::string_view text, Messages& messages) : text_(text), lines_(text), messages_(messages) {}

  SourceTables read() {
    while (const auto line = lines_.next()) section(line->trimmed());
    return std::move(tables_);
  }

 private:
  void section(std::string_view line) {
    const Last before = std::exchange(last_, Last::other);
    if (line.starts_with(listing::words::kGenerated)) {
      const auto creator = line.substr(listing::words::kGenerated.size());
      if (creator == listing::words::kDisassembler) return;
      tables_.rdef.creator.text = creator;
      tables_.has_rdef = true;
    } else if (line == listing::words::kFeatures) {
      features();
    } else if (line == kBuffersTitle) {
      tables_.has_rdef = true;
      read_buffers(lines_, tables_, messages_);
    } else if (line == listing::words::kBindings) {
      tables_.has_rdef = true;
      once(tables_.rdef.bindings.empty(), line);
      bindings();
    } else if (line.ends_with(listing::words::kSignature)) {
      const auto title = line.substr(0, line.size() - listing::words::kSignature.size());
      if (title == listing::words::kInput)
        signature(tables_.input, title);
      else if (title == listing::words::kOutput)
        signature(tables_.output, title);
      else if (title == listing::words::kPatchConstant)
        signature(tables_.patch_constant, title);
      else
        messages_.expected(MessageKind::table_row, line.data(), "Input, Output or Patch Constant");
    } else if (line == listing::words::kSampleFrequency) {
      tables_.sample_frequency = true;
      tables_.sample_frequency_at = line.data();
    } else if (line.starts_with(listing::words::kTessellationDomain)) {
      once(tables_.domain_row.empty(), line);
      rows([&](std::string_view text) { return tables_.domain_row = text, false; });
    } else if (line.starts_with(listing::words::kTessellationOutput)) {
      once(tables_.output_row.empty(), line);
      rows([&](std::string_view text) { return tables_.output_row = text, false; });
    } else if (line == listing::words::kClassTypes) {
      class_types();
    } else if (line == listing::words::kClassInstances) {
      class_instances();
    } else if (line.starts_with(listing::words::kInterfaceSlots)) {
      interface_slots(line.substr(listing::words::kInterfaceSlots.size()));
    } else {
      last_ = before;
      stray(line);
    }
  }

  void once(bool is_first, std::string_view line) {
    if (!is_first) messages_.report(MessageKind::table_row, line.data(), "this table is given twice");
  }

  // A comment that belongs to no table. A line that can only belong to one means that its title is missing or misspelt.
  void stray(std::string_view line) {
    if (line.empty()) return;
    const auto fault = [&](std::string_view what) { messages_.expected(MessageKind::table_row, line.data(), what); };
    // the first line of a listing is empty; a word before what it is generated by says so of the second
    const bool is_second = text_.starts_with("//\n") || text_.starts_with("//\r\n");
    if (is_second && line.starts_with("Generated")) return fault("`Generated by `");
    if (line.starts_with("Name  ")) return fault("the title of this table before it");
    if (line.find(listing::words::kOffset) != std::string_view::npos)
      return fault("`Buffer Definitions:` and the kind of a buffer, such as cbuffer, before it");
    if (line.starts_with(listing::words::kTypeIds) || line.starts_with(listing::words::kTableIds))
      return fault("`Interface slots, N total:` before it");
    if (line.find("sample frequency") != std::string_view::npos || line.starts_with("Pixel Shader runs"))
      return fault(listing::words::kSampleFrequency);
    if (is_feature(line)) return fault("the heading of the note on features before it");
    if (is_row(line)) return fault("no row after the end of its table, which is the first empty line");
  }

  // A line that only tables have, or a row without a fault.
 public:
  bool is_of_table(std::string_view line) {
    namespace words = listing::words;
    SignatureElement element;
    Binding binding;
    return is_title(line) || is_feature(line) || line.starts_with(words::kGenerated) || line.starts_with("Name  ") ||
           line.find(words::kOffset) != std::string_view::npos || line.starts_with(words::kTypeIds) || line.starts_with(words::kTableIds) ||
           TableReader::element(Row(line, messages_), 1, element) || this->binding(line, binding);
  }

 private:
  // Whether it reads as a row of a signature, of bindings, or of the table that ended last, or would but for a fault.
  bool is_row(std::string_view line) const {
    if (has_form_of_element(line) || has_form_of_binding(line)) return true;
    constexpr std::size_t kClassNumbers = 4;
    constexpr std::size_t kInstanceNumbers = 5;
    if (last_ == Last::class_types && has_form_of_numbers(line, kClassNumbers)) return true;
    if (last_ == Last::class_instances && has_form_of_numbers(line, kInstanceNumbers)) return true;
    Messages quiet(text_, true);
    TableReader reader(text_, quiet);
    reader.has_hlsl_bind_ = has_hlsl_bind_;
    reader.has_id_ = has_id_;
    SignatureElement element;
    Binding binding;
    ClassType type;
    ClassInstance instance;
    std::string_view number;
    return TableReader::element(Row(line, quiet), 1, element) || reader.binding(line, binding) ||
           (last_ == Last::class_types && reader.class_type(line, type, number)) ||
           (last_ == Last::class_instances && reader.class_instance(line, instance));
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
    has_hlsl_bind_ = text.find(listing::words::kHlslBind) != std::string_view::npos;
    has_id_ = text.find(" ID ") != std::string_view::npos;
  }

  void features() {
    while (const auto line = lines_.peek()) {
      const auto text = line->trimmed();
      if (text.empty()) return;
      lines_.next();
      unsigned bit = 0;
      while (bit < 64 && listing::feature_text(bit) != text) ++bit;
      if (bit == 64) {
        messages_.expected(MessageKind::table_row, text.data(), "a feature");
        continue;
      }
      tables_.features |= std::uint64_t{1} << bit;
      tables_.features_at = text.data();
    }
  }

  // --- signatures ----------------------------------------------------------------------------------------------------------------------

  void signature(std::optional<Signature>& signature, std::string_view title) {
    once(!signature, title);
    signature.emplace();
    rows([&](std::string_view text) {
      if (text.starts_with(listing::words::kNo) && text.substr(listing::words::kNo.size()) == title) return false;
      // Of names with blanks in them it is the first words with which the rest reads as a row.
      Messages quiet(text_, true);
      SignatureElement found;
      const auto words = static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == ' ' || c == '\t'; })) + 1;
      for (std::size_t count = 1; count <= std::min(words, kMostNameWords); ++count) {
        found = {};
        if (!element(Row(text, quiet), count, found)) continue;
        signature->elements.items.push_back(found);
        return true;
      }
      found = {};
      element(Row(text, messages_), 1, found);
      return true;
    });
  }

  static bool element(Row row, std::size_t name_words, SignatureElement& element) {
    std::string_view name = row.words(name_words);
    // m1:COLOR
    const auto colon = name.find(':');
    if (colon != std::string_view::npos && name.size() > 2 && name[0] == 'm' && is_digit(name[1])) {
      if (!Row::number_of(name.substr(1, colon - 1), element.stream)) return row.fail(name, "a stream such as m1");
      name.remove_prefix(colon + 1);
    }
    element.semantic.text = name;
    if (!row.number(element.semantic_index, "the index of a semantic")) return false;
    const bool has_register = row.peek() != listing::words::kNotApplicable;
    std::string_view special;
    if (has_register) {
      element.mask = row.mask();
      if (!row.number(element.register_index, "a register")) return false;
    } else {
      row.word();
      special = row.word();  // oDepth
      element.mask = 1;
      element.register_index = kNoRegister;
    }
    const auto value_text = row.word();
    std::uint32_t number = 0;
    if (const auto value = listing::system_value_of(value_text)) {
      element.system_value = *value;
    } else if (Row::number_of(value_text, number)) {
      element.system_value = static_cast<SystemValue>(number);
    } else {
      return row.fail(value_text, "a system value");
    }
    if (!has_register) {
      auto expected = dxcontainer::special_register_text(element.semantic.text, element.system_value);
      expected.remove_prefix(expected.find_first_not_of(' '));
      if (special != expected) return row.fail(special, expected);
    }
    const auto format_text = row.word();
    if (const auto format = listing::component_format_of(format_text)) {
      element.component_type = format->type;
      element.min_precision = format->precision;
    } else if (Row::number_of(format_text, number)) {
      element.component_type = static_cast<dxcontainer::ComponentType>(number);
    } else {
      return row.fail(format_text, "a format");
    }
    if (has_register) {
      element.used_mask = row.mask();
    } else if (row.peek() == listing::words::kYes || row.peek() == listing::words::kNotUsed) {
      element.used_mask = row.word() == listing::words::kYes ? 1 : 0;
    }
    return row.empty() || row.fail("a mask of used components");
  }

  // --- bindings ------------------------------------------------------------------------------------------------------------------------

  void bindings() {
    rows([&](std::string_view text) {
      Binding binding;
      if (this->binding(text, binding)) tables_.rdef.bindings.items.push_back(std::move(binding));
      return true;
    });
  }

  // The kind of a raw or structured buffer, by the word in the Dim column; nothing if it is none of these.
  static std::optional<ResourceKind> buffer_kind(bool is_raw, std::string_view dimension) {
    if (dimension == listing::words::kReadOnly) return is_raw ? ResourceKind::byte_address : ResourceKind::structured;
    if (dimension == listing::words::kReadWrite) return is_raw ? ResourceKind::uav_byte_address : ResourceKind::uav_structured;
    if (is_raw) return std::nullopt;
    if (dimension == listing::words::kAppend) return ResourceKind::uav_append;
    if (dimension == listing::words::kConsume) return ResourceKind::uav_consume;
    if (dimension == listing::words::kCounter) return ResourceKind::uav_structured_with_counter;
    return std::nullopt;
  }

  bool binding(std::string_view text, Binding& binding) {
    Row row(text, messages_);
    binding.name.text = row.word();
    const auto type = row.word();
    if (type == listing::words::kComparisonSampler) {
      binding.kind = ResourceKind::sampler;
      binding.flags |= kBindingComparisonSampler;
    } else if (const auto kind = value_of<ResourceKind>(type, 15)) {
      binding.kind = *kind;
    } else {
      return row.fail(type, "cbuffer, tbuffer, texture, sampler, sampler_c or UAV");
    }

    const auto format = row.word();
    const auto dimension = row.word();
    if (format == listing::words::kRaw || format == listing::words::kStructured) {
      const auto kind = buffer_kind(format == listing::words::kRaw, dimension);
      if (!kind) return row.fail(dimension, "r/o, r/w, and for structured buffers append, consume or r/w+cnt");
      if (fxc_text(*kind) != type) return row.fail(type, fxc_text(*kind));
      binding.kind = *kind;
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
      if (!return_type || (*return_type == ReturnType::none && base.size() != format.size())) return row.fail(format, "a format");
      binding.return_type = *return_type;
      // 2dMS4: the longest word counts, digits after it are samples
      std::size_t size = dimension.size();
      auto found = value_of<ResourceDimension>(dimension, 15);
      constexpr std::size_t kMostDigits = 10;
      while (!found && size > 1 && dimension.size() - size < kMostDigits && is_digit(dimension[size - 1]))
        found = value_of<ResourceDimension>(dimension.substr(0, --size), 15);
      if (!found) return row.fail(dimension, "a dimension");
      binding.dimension = *found;
      const bool is_multisampled = dxcontainer::is_multisampled(binding.dimension);
      if (size != dimension.size()) {
        if (!is_multisampled) return row.fail(dimension, "a dimension");
        if (!Row::number_of(dimension.substr(size), binding.sample_count) || binding.sample_count == 0)
          return row.fail(dimension, "a number of samples");
      } else if (!is_multisampled && (binding.kind == ResourceKind::texture || binding.kind == ResourceKind::uav_typed)) {
        binding.sample_count = 0xffff'ffff;
      }
    }
    return place(row, binding);
  }

  // Slot and count, in one of three ways.
  bool place(Row& row, Binding& binding) {
    if (!has_hlsl_bind_)
      return row.number(binding.bind_point, "a slot") && row.number(binding.bind_count, "a number of elements") && row.ends();
    const std::string_view letters = register_letters(binding.kind);
    if (has_id_) {
      auto id = row.word();
      const bool has_letters = id.size() > letters.size() && std::equal(letters.begin(), letters.end(), id.begin(),
                                                                        [](char small, char capital) { return upper(small) == capital; });
      if (!has_letters || !Row::number_of(id.substr(letters.size()), binding.id)) return row.fail(id, "the number of a range, such as T0");
    }
    auto bind = row.word();
    const auto comma = bind.find(',');
    if (comma != std::string_view::npos) {
      constexpr std::string_view kSpace = "space";
      const auto space = bind.substr(comma + 1);
      if (!space.starts_with(kSpace) || !Row::number_of(space.substr(kSpace.size()), binding.space) || binding.space == 0)
        return row.fail(space, "a register space such as space1");
      bind = bind.substr(0, comma);
    }
    if (!bind.starts_with(letters) || !Row::number_of(bind.substr(letters.size()), binding.bind_point))
      return row.fail(bind, "a register such as " + std::string(letters) + '0');
    if (row.peek() == listing::words::kUnbounded) {
      row.word();
      binding.bind_count = 0;
      return row.ends();
    }
    const auto count = row.peek();
    if (!row.number(binding.bind_count, "a number of registers")) return false;
    return binding.bind_count == 0 ? row.fail(count, listing::words::kUnbounded) : row.ends();
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
    return wide <= 0xffff || row.fail(at, "a 16-bit number");
  }

  void class_types() {
    linkage();
    last_ = Last::class_types;
    rows([&](std::string_view text) {
      ClassType type;
      std::string_view number;
      if (!class_type(text, type, number)) return true;
      if (std::uint32_t place = 0; Row::number_of(number, place) && place != linkage().types.size())
        messages_.expected(MessageKind::table_row, number.data(), "the index of the class in this table");
      linkage().types.items.push_back(type);
      return true;
    });
  }
  bool class_type(std::string_view text, ClassType& type, std::string_view& number) {
    Row row(text, messages_);
    type.name.text = row.word();
    number = row.peek();
    std::uint32_t place = 0;
    return row.number(place, "the class's number") && narrow(row, type.constant_buffer_stride, "a number of registers") &&
           narrow(row, type.texture_count, "a number of textures") && narrow(row, type.sampler_count, "a number of samplers") && row.ends();
  }

  void class_instances() {
    last_ = Last::class_instances;
    rows([&](std::string_view text) {
      ClassInstance instance;
      if (class_instance(text, instance)) linkage().instances.items.push_back(instance);
      return true;
    });
  }
  bool class_instance(std::string_view text, ClassInstance& instance) {
    Row row(text, messages_);
    instance.name.text = row.word();
    // lights[3]
    const auto bracket = instance.name.text.find('[');
    std::uint32_t elements = 1;
    if (bracket != std::string_view::npos && instance.name.text.ends_with(']') &&
        Row::number_of(instance.name.text.substr(bracket + 1, instance.name.text.size() - bracket - 2), elements) && elements > 1 &&
        elements <= 0xffff) {
      instance.elements = static_cast<std::uint16_t>(elements);
      instance.name.text = instance.name.text.substr(0, bracket);
    }
    return narrow(row, instance.type, "the class's number") && narrow(row, instance.constant_buffer, "a constant buffer") &&
           narrow(row, instance.constant_buffer_offset, "an offset in registers") && narrow(row, instance.texture, "a texture") &&
           narrow(row, instance.sampler, "a sampler") && row.ends();
  }

  // 6 total:
  void interface_slots(std::string_view rest) {
    const auto blank = rest.find(' ');
    if (!Row::number_of(rest.substr(0, blank), linkage().slot_count) || rest.substr(std::min(blank, rest.size())) != " total:")
      messages_.expected(MessageKind::table_row, rest.data(), "a number of slots, and `total:`");
    next_slot_ = 0;
    rows([&](std::string_view text) {
      slot_row(text);
      return true;
    });
  }

  // | Type ID  |   0-1   |0    1    2
  void slot_row(std::string_view text) {
    const bool has_types = text.starts_with(listing::words::kTypeIds);
    if (!has_types && !text.starts_with(listing::words::kTableIds)) {
      if (text != "Slots") messages_.expected(MessageKind::table_row, text.data(), "a row of types or tables");
      return;
    }
    text.remove_prefix(listing::words::kTypeIds.size());
    const auto bar = text.find('|');
    if (bar == std::string_view::npos) {
      messages_.expected(MessageKind::table_row, text.data(), "`|`");
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
      if (first != next_slot_ || last < first || (dash != std::string_view::npos && last == first)) {
        range.fail(span, "slots from " + std::to_string(next_slot_) + " on");
        return;
      }
      next_slot_ = last + 1;
      slots.emplace_back().span = last - first + 1;
    }
    if (slots.empty()) return;
    for (Row row(text.substr(bar + 1), messages_); !row.empty();) {
      std::uint32_t number = 0;
      const auto at = row.peek();
      if (!row.number(number, "a number")) return;
      if (has_types && number > 0xffff) {
        row.fail(at, "a 16-bit number");
        return;
      }
      if (has_types) {
        slots.back().types.items.push_back({static_cast<std::uint16_t>(number)});
      } else {
        slots.back().tables.items.push_back({number});
      }
    }
    if (!has_types && slots.back().types.size() != slots.back().tables.size())
      messages_.expected(MessageKind::table_row, text.data(), "a function table for each type");
  }

  std::string_view text_;
  CommentLines lines_;
  Messages& messages_;
  SourceTables tables_;
  bool has_hlsl_bind_ = false;
  bool has_id_ = false;
  std::uint32_t next_slot_ = 0;  // of interfaces
  enum class Last : std::uint8_t { other, class_types, class_instances };
  Last last_ = Last::other;  // table, whose rows look like any words and numbers
};

}  // namespace

SourceTables read_tables(std::string_view text, Messages& messages) { return TableReader(text, messages).read(); }

void check_comments_below(std::string_view text, const char* profile, Messages& messages) {
  Messages quiet(text, true);
  TableReader reader(text, quiet);
  // Most lines have no comment.
  for (std::size_t at = text.find("//", static_cast<std::size_t>(profile - text.data()));
       at != std::string_view::npos && !messages.full();) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the first
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.substr(begin, at - begin).find_first_not_of(kBlanks) == std::string_view::npos) {
      const std::string_view line = CommentLines(text.substr(begin, end - begin)).next()->trimmed();
      if (!line.empty() && reader.is_of_table(line))
        messages.expected(MessageKind::table_row, line.data(), "tables only above the profile line");
    }
    at = text.find("//", end);
  }
}

// // Approximately 12 instruction slots used
void read_slot_count(std::string_view text, SourceTables& tables, Messages& messages) {
  constexpr std::string_view kFirstWord = listing::words::kSlotCount.substr(0, listing::words::kSlotCount.size() - 1);
  const auto last = text.rfind(kFirstWord);
  if (last == std::string_view::npos) return;
  std::string_view line = text.substr(last);
  line = line.substr(0, line.find_first_of("\r\n"));
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  if (line.find("slot") == std::string_view::npos && line.find("instruction") == std::string_view::npos) return;  // any comment
  const bool is_count = line.starts_with(listing::words::kSlotCount) && line.ends_with(listing::words::kSlotsUsed) &&
                        line.size() > listing::words::kSlotCount.size() + listing::words::kSlotsUsed.size();
  if (!is_count || !Row::number_of(line.substr(listing::words::kSlotCount.size(),
                                               line.size() - listing::words::kSlotCount.size() - listing::words::kSlotsUsed.size()),
                                   tables.instruction_slots)) {
    messages.expected(MessageKind::table_row, line.data(), "`Approximately N instruction slots used`");
    return;
  }
  tables.slots_at = line.data() + listing::words::kSlotCount.size();
}

}  // namespace unshade::dxbc::assembler
