// Finds the constructs of YAML that libfyaml must not be given.
#pragma once

#include <optional>
#include <string_view>

#include <unshade/core/result.hpp>

namespace unshade::cli::yaml {

/// The first thing in a text that libfyaml could not cope with. It is: what is no UTF-8, in directives of which libfyaml 0.7 does not end;
/// control characters, which YAML does not allow, and after a zero libfyaml takes memory that nobody wrote for text; and lists and maps
/// in brackets that nest deeper than limits::kDocumentNesting, of which it keeps hundreds of bytes each before it gives out the first.
/// Errors: bad_value; limit.
std::optional<Error> find_yaml_fault(std::string_view text);

}  // namespace unshade::cli::yaml
