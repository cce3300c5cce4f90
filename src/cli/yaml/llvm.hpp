// LLVM's documents as text, in the hand of its YAML writer, so that they compare to what obj2yaml prints.
#pragma once

#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>
#include <unshade/shader/document.hpp>

namespace unshade::cli::yaml {

/// What LLVM has no fields for is written as comments, which its tools ignore.
void print_llvm_yaml(Text& out, const shader::LlvmDocument& document);

/// The contents of these comments: null if there are none. Offsets of errors and values count in `text`. Errors: those of read_yaml().
Result<Value> read_llvm_rest(std::string_view text);

}  // namespace unshade::cli::yaml
