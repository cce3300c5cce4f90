// What verbs that change files have in common: one file goes to standard output or -o, many are changed in place or go into a folder.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/present/schemas.hpp>
#include <unshade/shader/edit.hpp>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::write {

inline constexpr Option kInPlace{"in-place", 'i', Takes::nothing, {}, {}, "overwrite the input files"};

inline constexpr Option kJobs{"jobs", 'j', Takes::text, "N", {}, "number of files to process at once (default: the number of processors)"};

/// How the verb calls itself.
struct EditingVerb {
  std::string_view name;   ///< `strip`
  present::Schema schema;  ///< of its JSON
  /// Results are checked by the rules of their format: one that breaks a rule more often than the file it is made of is refused, unless
  /// --no-validate is given (kNoValidate is an option of the verb).
  bool validates = false;
  std::span<const std::string_view> always{};  ///< rules that results may not break even if their files did
  std::span<const std::string> sources{};      ///< other files that the edit is made of: no result may take their place in a folder
};

/// Is called on several threads at once.
using EditFile = std::function<Result<shader::Edited>(const shader::Shader& shader)>;

/// Does `edit` to the operands, files and folders alike. The verb has the options kInPlace, kOutputDir, kJobs, kAll and kJson.
/// Messages and JSON come in the order of the files, however many are worked on at once.
/// A file whose edit fails is reported and stays as it is, and the others go on. In place, files that did not change are not written; every
/// file is there whole at any time. Program databases that are found in folders are left as they are, with a note. Several files end in a
/// line that sums up, on standard error.
Exit run_edits(const Args& args, Io& io, const EditingVerb& verb, const EditFile& edit);

/// The same for one file, whatever other operands there are.
Exit run_edit(const Args& args, Io& io, const EditingVerb& verb, const std::string& file, const EditFile& edit);

}  // namespace unshade::cli::write
