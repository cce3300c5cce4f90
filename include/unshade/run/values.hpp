// Numbers and errors of the values of a case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::run {

/// Bytes as results have them: pairs of hexadecimal digits.
std::string hex_of(std::span<const std::byte> bytes);
/// An error at a value of the case.
Error fault(const Value& at, std::string path, std::string message, ErrorCode code = ErrorCode::bad_value);
/// A value for a message: a number or a text as it is, of others their kind.
std::string found(const Value& value);
/// A whole number from 0 on, of at most 32 bits.
Result<std::uint32_t> number_of(const Value& value, std::string_view path);
/// The bits of a number as a type of the IR, those above its width 0: floats of the nearest number, integers of whole ones. Texts may be
/// nan, inf and -inf. Errors: bad_value, also of numbers that the type does not reach.
Result<std::uint64_t> bits_of(const Value& value, ir::Type type, std::string_view path);

}  // namespace unshade::run
