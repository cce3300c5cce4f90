// Values as YAML and JSON, and YAML (or JSON, which is YAML) and TOML as values.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"

namespace unshade::cli::yaml {

/// YAML 1.2 in block style; short lists and maps of single values in one line. What is read back by read_yaml() builds the same.
void print_yaml(Text& out, const Value& value);

/// The same as JSON: bytes as hexadecimal text, integers in decimal.
void write_value(const Value& value, Json& json);

/// Bytes as pairs of hexadecimal digits.
void append_hex(Text& out, std::span<const std::byte> bytes);

/// Reads one document of YAML or JSON. Errors: bad_value if it is none; unsupported for aliases, which documents have no use for, and
/// for more than one document; limit for nesting deeper than limits::kDocumentNesting. Offsets count bytes from the text's start.
Result<Value> read_yaml(std::string_view text);
/// Reads a document of TOML 1.0. Errors: bad_value if it is none; unsupported for dates and times; limit as above. nan, inf and -inf are
/// texts.
Result<Value> read_toml(std::string_view text);
/// By the name of the file: TOML if it ends in `.toml`, else YAML.
Result<Value> read_by_name(std::string_view name, std::string_view text);

/// Line and column, from 1, of an offset in a text.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPlace place_in(std::string_view text, std::size_t offset);
/// Reports a fault of a text by line and column: `shader.yaml:12:7: error[bad-value]: parts[0]/RDEF/...`.
void report_in(Io& io, const Input& input, const Error& error, Severity severity = Severity::error);

}  // namespace unshade::cli::yaml
