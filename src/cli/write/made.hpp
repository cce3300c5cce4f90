// Files that verbs make, and the rules of their formats: what breaks a rule is not written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/validate.hpp>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli::write {

inline constexpr Option kNoValidate{"no-validate", 0, Takes::nothing, {}, {}, "write the file even if it breaks rules of its format"};

using shader::errors_of_made;
using shader::MadeRules;

/// True, and a complaint, if --json is asked of an action that writes bytes: `part extract`.
bool refuses_json(const Args& args, std::string_view action, Io& io);

/// True, and a complaint, if an option names a file to write which is that of -o as well, or one of `others`: one of them would be lost.
/// The same if both are standard output.
bool refuses_second_output(const Args& args, const Option& option, Io& io, std::span<const std::string> others = {});
/// The same of two options that name files to write.
bool refuses_same_output(const Args& args, const Option& option, const Option& other, Io& io);

/// What becomes of errors if only one can be told: the first, and how many there are.
Error as_error(std::span<const Diagnostic> errors);

/// Reports errors, and how many more there are than are told.
void report_errors(std::string_view name, std::span<const Diagnostic> errors, Io& io);
/// Complains of the errors of a file that was to be made, `name` in front, and says how to make it all the same.
void report_made(std::string_view name, std::span<const Diagnostic> errors, Io& io);

/// False, and complaints, if the file breaks rules and --no-validate is not given.
bool accepts_made(View made, std::string_view name, const Args& args, Io& io, const MadeRules& rules = {});

}  // namespace unshade::cli::write
