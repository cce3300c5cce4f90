// YAML (or JSON, which is YAML) and TOML as values; <unshade/present/value.hpp> prints them.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>

namespace unshade::document_text {

/// Reads one document of YAML or JSON. Errors: bad_value if it is none; unsupported for aliases, which documents have no use for, and
/// for more than one document; limit for nesting deeper than limits::kDocumentNesting. Offsets count bytes from the text's start.
Result<Value> read_yaml(std::string_view text);
/// Reads a document of TOML 1.0. Errors: bad_value if it is none; unsupported for dates and times; limit as above. nan, inf and -inf are
/// texts.
Result<Value> read_toml(std::string_view text);
/// By the name of the file: TOML if it ends in `.toml`, else YAML; `<stdin>` is what the text can be read as, or nearly.
Result<Value> read_by_name(std::string_view name, std::string_view text);

/// What comments of present::print_llvm_yaml() say: null if there are none. Offsets of errors and values count in `text`. Errors: those of
/// present::llvm_rest() and read_yaml().
Result<Value> read_llvm_rest(std::string_view text);

}  // namespace unshade::document_text
