// Values as YAML, as JSON and for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

namespace unshade::shader {
struct LlvmDocument;
}

namespace unshade::present {

/// YAML 1.2 in block style; short lists and maps of single values in one line. What is read back builds the same.
void print_yaml(Text& out, const Value& value);

/// The same as JSON: bytes as hexadecimal text, integers in decimal.
void write_value(const Value& value, Json& json);

/// LLVM's documents in the hand of its YAML writer, so that they compare to what obj2yaml prints. What LLVM has no fields for is written as
/// comments, which its tools ignore.
void print_llvm_yaml(Text& out, const shader::LlvmDocument& document);
/// The text of these comments, which is YAML, with blanks for all else so that offsets stay; empty if there are none. Errors: bad_value for
/// a line that was one of them before an edit.
Result<std::string> llvm_rest(std::string_view text);

/// Bytes as pairs of hexadecimal digits.
void append_hex(Text& out, std::span<const std::byte> bytes);

/// For people: a number, or what holds them: `1.5, 2.0`, `{position = 1.0, 0.0, 0.0; id = 7}`.
void print_value(const Value& value, Text& out);

/// What a resource holds after a run: a line for each element if its values are known, else words in hexadecimal with the same as f32.
/// Lines that are equal to the one before are counted, and lines after the first 64 too.
void print_memory(const Value& resource, Printer& out);

/// Reads a document of JSON; what write_value() printed gives the value that it came from, but for bytes, which are text, and what JSON has
/// no number for. Errors: bad_value; limit for nesting deeper than limits::kDocumentNesting. Offsets count bytes from the text's start.
Result<Value> read_json(std::string_view text);

}  // namespace unshade::present
