// Many files in, many out: where the result of each goes below --output-dir.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"
#include "cli/write/input_files.hpp"

namespace unshade::cli::write {

inline constexpr Option kOutputDir{"output-dir", 'd', Takes::folder,
                                   "DIR",        {},  "write the results into DIR, with the names of the input files"};

/// Places below a folder for the results of files: a file that is named goes there under its name, one of a folder under its path in that.
class ResultPlaces {
 public:
  /// No folder: there are no results, and every file is input.
  explicit ResultPlaces(std::string_view folder);

  struct Operand {
    std::string name;
    std::vector<std::string> files;
  };
  /// The files of the operands after `actions` others, as Io::inputs, but without those in the folder for results: they are of an earlier
  /// run, if that is inside of an operand.
  std::vector<Operand> find(const Args& args, std::size_t actions, Io& io, Exit& exit);
  /// Has another file as input: no result may take its place, nor that of one that was found.
  void protect(const std::string& input) { inputs_.add(Io::input_id(input)); }
  const InputFiles& inputs() const { return inputs_; }

  /// The next operand, whose files follow.
  void begin(const std::string& operand);
  /// Whether the operand is a folder.
  bool is_folder() const { return is_folder_; }
  /// Whether a file of the operand lies in the folder for results.
  bool is_result(const std::string& input) const;
  /// Where the result of `input` goes, its name with `suffix` after. Returns the error: it would take the place of an input or of another
  /// result.
  std::string place(const std::string& input, std::string_view suffix, std::string& output);

 private:
  std::string folder_;
  std::string real_folder_;
  std::string operand_;
  bool is_folder_ = false;
  bool holds_results_ = false;
  std::set<std::string> taken_;
  InputFiles inputs_;
};

/// Makes the folders above a file. Returns the error, or an empty text.
std::string make_folders_of(const std::string& file);

/// A verb's work on one file: `args` has it as the last operand and no --output-dir.
using OneFile = std::function<Exit(const Args& args, Io& io)>;
/// The suffix of a file's name, with its dot: `.ll`. Absent if the verb has no use for it: in folders such files are left out.
using Suffix = std::function<std::optional<std::string>(const Input& input)>;

/// For verbs that print or make something of each file: with --output-dir, calls `run` for each, with a file of its own below the folder
/// for what it writes, under the file's name and a suffix. The first `actions` operands are no files and stay before each. No file is
/// written before all places are known; a file that fails leaves none, and the others go on. Ends in a line that sums up, on standard
/// error.
Exit run_below_folder(const Args& args, Io& io, std::size_t actions, const Suffix& suffix, const OneFile& run);

}  // namespace unshade::cli::write
