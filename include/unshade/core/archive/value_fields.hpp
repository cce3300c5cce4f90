// Single fields as values, and back: what ValueWriter and ValueReader share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// An integer of `size` bytes by the type of its field: an enumerator's name, a list of flags, a map of bit fields, or a number.
Value field_value(std::uint64_t value, std::size_t size, const FieldType& type);
/// The other way. An empty text, or what is wrong: `no component type is called "flaot"`.
std::string parse_field(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value);

/// Infinities and NaNs are texts: `inf`, `-inf`, `nan`, `nan(0x7f800001)`.
Value real_value(float value);
Value real_value(double value);
std::string parse_real(const Value& from, float& value);
std::string parse_real(const Value& from, double& value);

/// Text, or a map {bytes: ...} if it is none that a text file could hold.
Value text_value(std::string_view text);
std::string parse_text(const Value& from, std::string& text);

Value bytes_value(View bytes);
std::string parse_bytes(const Value& from, std::vector<std::byte>& bytes);

/// A list of numbers of 32 bits; bytes if the size is no multiple of 4.
Value numbers_value(View bytes, Numbers how);
std::string parse_numbers(const Value& from, Numbers how, std::vector<std::byte>& bytes);

}  // namespace unshade
