// Buffers as HLSL: blocks, their offsets, and default values of variables.
#include <algorithm>
#include <bit>

#include <unshade/core/lanes.hpp>
#include <unshade/shader/hlsl/packing.hpp>

#include "shader/hlsl/printer.hpp"

namespace unshade::shader::hlsl {

// --- buffers ---

void Printer::print_binding(const Resource& resource) {
  if (!vulkan_) return;
  if (resource.attachment != kNone) (out_ << "[[vk::input_attachment_index(").dec(resource.attachment) << ")]] ";
  (out_ << "[[vk::binding(").dec(resource.bind_point) << ", ";
  out_.dec(resource.space) << ")]] ";
}

void Printer::print_register(const Resource& resource, std::string_view letters) {
  out_ << " : register(" << (letters == "cb" ? std::string_view("b") : letters);
  out_.dec(resource.bind_point);
  if (resource.space != 0) (out_ << ", space").dec(resource.space);
  out_ << ')';
}

void Printer::print_count(const Resource& resource) {
  if (resource.bind_count == 1 && resource.dimensions.empty()) return;
  for (const std::uint32_t count : resource.dimensions) {
    out_ << '[';
    if (count != 0) out_.dec(count);
    out_ << ']';
  }
  if (!resource.dimensions.empty()) return;
  out_ << '[';
  if (resource.bind_count != 0) out_.dec(resource.bind_count);
  out_ << ']';
}

void Printer::print_original(std::string_view name, std::string_view printed) {
  if (name == printed) return;
  print_comment_text(out_ << "  // ", name);
}

void Printer::print_buffer(std::uint32_t index) {
  const Buffer& buffer = reflection_.buffers[index];
  const Resource* resource = bound_[index];
  if (buffer.kind == BufferKind::interface_pointers) {
    if (!buffer.variables.empty()) out_ << '\n';
    for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
      print_declaration(out_, buffer.variables[i].type, variable_names_[index][i]);
      out_ << ";\n";
    }
    return;
  }
  if (!is_block(buffer)) return;
  if (is_object(buffer, resource)) return print_object(buffer, *resource, buffer_names_[index]);
  out_ << '\n';
  if (resource != nullptr) print_binding(*resource);
  out_ << (buffer.kind == BufferKind::tbuffer ? "tbuffer " : "cbuffer ") << buffer_names_[index];
  if (resource != nullptr) print_register(*resource);
  print_original(buffer.name, buffer_names_[index]);
  out_ << "\n{\n";
  const bool explicit_offsets = needs_offsets(buffer);
  for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
    const Variable& variable = buffer.variables[i];
    if (is_outside(variable) || print_narrow(out_, variable.type, variable.offset, variable_names_[index][i])) continue;
    out_ << "  ";
    print_declaration(out_, variable.type, variable_names_[index][i]);
    if (explicit_offsets) print_offset(variable.offset);
    print_default(variable);
    out_ << ';';
    if (!variable.used) out_ << "  // unused";
    out_ << '\n';
  }
  out_ << "};\n";
  for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
    if (!is_outside(buffer.variables[i])) continue;
    print_declaration(out_, buffer.variables[i].type, variable_names_[index][i]);
    out_ << ";\n";
  }
}

bool Printer::is_outside(const Variable& variable) const {
  const Type* of = type(variable.type);
  return variable.size == 0 && of != nullptr && !is_numeric(*of);
}

void Printer::print_object(const Buffer& buffer, const Resource& resource, std::string_view name) {
  std::string element;
  if (const std::uint32_t index = object_type(buffer); index != kNone) {
    element = type_names_[index];
  } else {
    element = print_block(buffer, std::string(name) + "_buffer");
  }
  out_ << '\n';
  print_binding(resource);
  out_ << "ConstantBuffer<" << element << "> " << name;
  print_count(resource);
  print_register(resource);
  out_ << ';';
  print_original(buffer.name, name);
  out_ << '\n';
}

std::string Printer::print_block(const Buffer& buffer, std::string_view wanted) {
  std::string name = names_.claim(wanted);
  out_ << "\nstruct " << name << "\n{\n";
  Names members;
  for (const Variable& variable : buffer.variables) {
    print_member(out_, variable.type, variable.offset, members.claim(variable.name));
  }
  out_ << "};\n";
  return name;
}

void Printer::print_offset(std::uint32_t offset) {
  (out_ << " : packoffset(c").dec(offset / kRegisterBytes);
  if (offset % kRegisterBytes != 0) out_ << '.' << component_letter(offset / 4);
  out_ << ')';
}

bool Printer::needs_offsets(const Buffer& buffer) const {
  std::uint64_t end = 0;
  bool is_doubtful_end = false;
  bool needed = false;
  for (const Variable& variable : buffer.variables) {
    const Type* of = type(variable.type);
    if (is_outside(variable) || (vulkan_ && of != nullptr && is_numeric(*of) && is_narrow(of->base))) continue;
    if (of == nullptr || variable.offset % 4 != 0) return false;  // no offset of HLSL says this
    const bool is_plain = (of->type_class == TypeClass::scalar || of->type_class == TypeClass::vector) && of->elements == 0;
    const std::uint64_t size = is_plain ? component_bytes(of->base) * lanes(of->columns) : variable.size;
    const std::uint64_t expected = is_plain ? packed_vector_at(end, component_bytes(of->base), size) : packed_aggregate_at(end);
    const bool is_doubtful = component_bytes(of->base) > kDefaultComponentBytes || (is_doubtful_end && is_plain) ||
                             (is_matrix(*of) && (of->rows == 1 || of->columns == 1));
    if (expected != variable.offset || is_doubtful) needed = true;
    end = std::uint64_t{variable.offset} + size;
    // The last element of an array in SPIR-V fills its stride, where HLSL lets the next variable in.
    is_doubtful_end = !is_plain && (vulkan_ || end % kRegisterBytes != 0);
  }
  return needed;
}

// --- default values ---

std::uint64_t Printer::element_bytes(const Type& of) const {
  if (of.type_class == TypeClass::matrix_rows) return (lanes(of.rows) - 1) * kRegisterBytes + lanes(of.columns) * component_bytes(of.base);
  if (of.type_class == TypeClass::matrix_columns)
    return (lanes(of.columns) - 1) * kRegisterBytes + lanes(of.rows) * component_bytes(of.base);
  if (is_numeric(of)) return lanes(of.columns) * component_bytes(of.base);
  // Only the last member is asked for: nesting is bounded by the reader, and the work is that of a list.
  if (!of.is_struct() || of.members.empty()) return 0;
  const Member& last = of.members.back();
  const Type* of_last = type(last.type);
  if (of_last == nullptr) return 0;
  const std::uint64_t bytes = element_bytes(*of_last);
  return last.offset + (of_last->elements > 1 ? (of_last->elements - 1) * to_next_register(bytes) : 0) + bytes;
}

bool Printer::add_value(Values& values, BaseType base, std::uint64_t offset) {
  if (values.count++ != 0) values.text << ", ";
  if (base == BaseType::double_) {
    const auto bits = values.bytes.load<std::uint64_t>(static_cast<std::size_t>(offset));
    if (!bits || (*bits >> 52 & 0x7ff) == 0x7ff) return false;
    values.text.shortest(std::bit_cast<double>(*bits)) << 'L';
    return true;
  }
  const auto bits = values.bytes.load<std::uint32_t>(static_cast<std::size_t>(offset));
  if (!bits) return false;
  switch (base) {
    case BaseType::bool_: values.text << (*bits != 0 ? "true" : "false"); return true;
    case BaseType::uint_:
    case BaseType::min16uint: values.text.dec(*bits) << 'u'; return true;
    case BaseType::int_:
    case BaseType::min12int:
    case BaseType::min16int:
      if (*bits == 0x8000'0000) {
        values.text << "(-2147483647 - 1)";
      } else {
        values.text.dec_signed(std::bit_cast<std::int32_t>(*bits));
      }
      return true;
    case BaseType::float_:
    case BaseType::min10float:
    case BaseType::min16float:
      if ((*bits >> 23 & 0xff) == 0xff) return false;
      values.text.shortest(std::bit_cast<float>(*bits));
      return true;
    default: return false;
  }
}

bool Printer::add_values(Values& values, std::uint32_t index, std::uint64_t offset) const {
  const Type* of = type(index);
  if (of == nullptr) return false;
  const std::uint64_t stride = to_next_register(element_bytes(*of));
  const std::uint32_t count = std::max(of->elements, 1U);
  for (std::uint32_t i = 0; i < count; ++i, offset += stride) {
    if (values.left == 0 || offset > values.bytes.size()) return false;
    --values.left;
    if (of->is_struct()) {
      for (const Member& member : of->members)
        if (!add_values(values, member.type, offset + member.offset)) return false;
      continue;
    }
    if (!is_numeric(*of)) return false;
    const std::uint32_t rows = is_matrix(*of) ? lanes(of->rows) : 1;
    const std::uint32_t columns = lanes(of->columns);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column) {
        const bool by_columns = of->type_class == TypeClass::matrix_columns;
        const std::uint64_t at =
            offset + (by_columns ? column : row) * kRegisterBytes + (by_columns ? row : column) * component_bytes(of->base);
        if (!add_value(values, of->base, at)) return false;
      }
    }
  }
  return true;
}

void Printer::print_default(const Variable& variable) {
  if (variable.default_value.empty()) return;
  Values values{View({variable.default_value.data(), variable.default_value.size()}), {}, 0, variable.default_value.size() + kMaxLanes};
  if (!add_values(values, variable.type, 0) || values.count == 0) return;
  if (values.count == 1) {
    out_ << " = " << values.text.view();
  } else {
    out_ << " = { " << values.text.view() << " }";
  }
}

}  // namespace unshade::shader::hlsl
