#include "dxbc/assemble/rows.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "dxbc/listing/column_words.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::assembler {

using dxcontainer::kNoRegister;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

template <class E>
std::optional<E> value_of(std::string_view text, std::uint32_t most) {
  for (std::uint32_t value = 0; value <= most; ++value)
    if (fxc_text(static_cast<E>(value)) == text) return static_cast<E>(value);
  std::uint32_t number = 0;
  if (Row::number_of(text, number)) return static_cast<E>(number);
  return std::nullopt;
}

// The kind of a raw or structured buffer, by the word in the Dim column; nothing if it is none of these.
std::optional<ResourceKind> buffer_kind(bool is_raw, std::string_view dimension) {
  if (dimension == listing::words::kReadOnly) return is_raw ? ResourceKind::byte_address : ResourceKind::structured;
  if (dimension == listing::words::kReadWrite) return is_raw ? ResourceKind::uav_byte_address : ResourceKind::uav_structured;
  if (is_raw) return std::nullopt;
  if (dimension == listing::words::kAppend) return ResourceKind::uav_append;
  if (dimension == listing::words::kConsume) return ResourceKind::uav_consume;
  if (dimension == listing::words::kCounter) return ResourceKind::uav_structured_with_counter;
  return std::nullopt;
}

// Slot and count, in one of three ways.
bool place(Row& row, BindingColumns columns, Binding& binding) {
  if (!columns.has_hlsl_bind)
    return row.number(binding.bind_point, "a slot") && row.number(binding.bind_count, "a number of elements") && row.ends();
  const std::string_view letters = register_letters(binding.kind);
  if (columns.has_id) {
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

bool narrow(Row& row, std::uint16_t& value, std::string_view what) {
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

}  // namespace

bool read_element(Row row, std::size_t name_words, SignatureElement& element) {
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

bool read_binding(Row row, BindingColumns columns, Binding& binding) {
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
  return place(row, columns, binding);
}

bool read_class_type(Row row, ClassType& type, std::string_view& number) {
  type.name.text = row.word();
  number = row.peek();
  std::uint32_t place = 0;
  return row.number(place, "the class's number") && narrow(row, type.constant_buffer_stride, "a number of registers") &&
         narrow(row, type.texture_count, "a number of textures") && narrow(row, type.sampler_count, "a number of samplers") && row.ends();
}

bool read_class_instance(Row row, ClassInstance& instance) {
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

}  // namespace unshade::dxbc::assembler
