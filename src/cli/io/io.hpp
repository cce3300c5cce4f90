// Input and output of a verb: files to read, standard output, and error messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/present/files.hpp>
#include <unshade/system/file.hpp>

#include "cli/io/guard.hpp"
#include "cli/io/printer.hpp"
#include "cli/io/stream.hpp"
#include "cli/line/args.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli {

/// A file's bytes, owned. Not a vector: bytes that are read need no zeros first.
struct Bytes {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;

  View view() const { return View({data.get(), size}); }
};

/// One input file.
struct Input {
  std::string name;        ///< as given or found, with the array's: `shader.h:g_main`; `<stdin>` for standard input
  std::string array;       ///< of source text: the array that held the bytes, if it has a name
  bool is_source = false;  ///< the bytes come out of source text: they are not the file's
  bool is_head = false;    ///< no format claims the file, and it is no text: the bytes are its first ones, the rest was not read
  std::optional<std::uint64_t> file_bytes;  ///< size of a regular file
  Bytes bytes;

  View view() const { return bytes.view(); }
};

/// An input, or the exit status for the fault that was reported instead.
struct Read : std::optional<Input> {
  Read(Input input) : std::optional<Input>(std::move(input)) {}  // NOLINT: converts as optional does
  Read(Exit status) : exit(status) {}                            // NOLINT

  Exit exit = Exit::ok;
};

/// Why no version of a shader can replace the source text that it lies in.
inline constexpr const char* kInSource = "the shader is embedded in source text, which cannot be overwritten with a binary";

/// Which files are read to their end; of others only the first bytes are, which tell that they are no shaders.
enum class Whole : unsigned char {
  shaders,  ///< files of a known format, and text, which may hold arrays
  any,      ///< all files
};

using present::Fault;

class Io {
 public:
  Io(Host& host, Stream& out, bool color, bool err_color);

  Printer out;

  /// `FILE:0x1c: error[out-of-range]: path: message` on standard error.
  void report(std::string_view file, const Error& error);
  /// `FILE: error[io]: message` or, without a file, `unshade: error[usage]: message`.
  void report(std::string_view file, std::string_view id, std::string_view message);
  /// The same with another severity; `file` may end in a line and column.
  void report(std::string_view file, Severity severity, std::string_view id, std::string_view message);
  /// A fault of a text by line and column: `shader.yaml:12:7: error[bad-value]: parts[0]/RDEF/...`.
  void report_in(std::string_view file, std::string_view text, const Error& error, Severity severity = Severity::error);
  void report_in(const Input& input, const Error& error, Severity severity = Severity::error) {
    report_in(input.name, input.view().text(), error, severity);
  }
  /// Reports messages on texts at their places, each in the file that it names.
  void report(std::span<const Message> messages);
  /// Reports what is wrong with the command line.
  Exit refuse_usage(std::string_view message) { return report({}, "usage", message), Exit::failed; }
  /// The number of an option, from 1 to `most`, or `otherwise` without the option; nothing, and a report, if it is another.
  std::optional<std::uint64_t> count_of(const Args& args, const Option& option, std::uint64_t otherwise, std::uint64_t most);
  /// The lanes of a wave, 4 to 128, that an option states; 0 if it was not given. Nothing, and a complaint, for other numbers.
  std::optional<unsigned> lanes_of(const Args& args, const Option& option);
  /// Writes a file whole or not at all: false, and a complaint. `-` is standard output.
  bool write_file(const std::string& path, std::string_view bytes);
  /// True, and a complaint, if a document that JSON has for one file alone is printed already. `shown`: how many are.
  bool refuses_second_document(std::string_view file, std::size_t shown) {
    if (shown != 0) report(file, "usage", "a JSON document must be of a single file");
    return shown != 0;
  }
  /// Reports what is wrong with a file. Of a file that was found in a folder, what does not apply to it is noted instead, see
  /// note_skipped().
  Exit refuse_file(std::string_view file, const Error& error);
  /// Whether a file was found in a folder, so that nobody said that it has what a verb asks of it.
  bool was_found(std::string_view file) const;
  /// Says that this input was found in a folder, for an Io that is given it by name.
  void set_found(std::string name) { found_.insert(std::move(name)); }
  /// How many files of folders were left out, by why. Taken from here.
  std::map<std::string, std::size_t> take_skipped() { return std::exchange(skipped_, {}); }
  void add_skipped(const std::map<std::string, std::size_t>& skipped);
  bool has_skipped() const { return !skipped_.empty(); }
  /// A note for each reason.
  void note_skipped(std::string_view verb);

  /// Names of all inputs, folders replaced by the shaders in them (all files in them with `all`), in the order of their paths. A file is
  /// taken for a shader if a format claims its first bytes, or if its name ends as only shaders' do. What -o is to replace counts only if
  /// it is a shader: else it is what the same command wrote before. Reports folders that cannot be read (and sets `exit`), links that
  /// are broken, and links to folders, which are not followed.
  std::vector<std::string> inputs(const Args& args, Exit& exit);
  /// Reads a shader from a file or, by the name `-`, standard input; of source text, the array in it that is one, or the one named after
  /// a colon (`shader.h:g_main`). Text without such an array comes as it is. Reports faults.
  Read read(const std::string& name, Whole whole = Whole::shaders);
  /// The bytes of a file, or of standard input, as they are; of a file that is no text, only the first ones (see accepts_text).
  Read read_text(const std::string& name);
  /// All bytes of a file, or of standard input, as they are.
  Read read_bytes(const std::string& name);

  /// Reads a regular file piece by piece: calls `f(piece, is_last)` with pieces of `bytes` bytes, fewer at the end, which know where in the
  /// file they lie. `f` returns how many bytes at the piece's end the next one is to begin with, or nullopt to read no more.
  Exit read_pieces(const std::string& name, std::size_t bytes, const std::function<std::optional<std::size_t>(View, bool)>& f);

  /// Bytes of a regular file. Reports faults; a file that ends before is one.
  std::optional<std::vector<std::byte>> read_range(const std::string& name, std::uint64_t offset, std::size_t bytes);
  /// What a file is, whatever names and links lead to it. Nothing if it is not there.
  using FileId = system::FileId;
  static std::optional<FileId> file_id(const std::string& name);
  /// That of an operand: of standard input by the name `-`, and of the file that holds an array (`shader.h:g_main`).
  static std::optional<FileId> input_id(const std::string& name);

  /// The file that -o names. If it is there it is to be replaced: it cannot be read as an input, but for that of which a verb makes
  /// another version.
  void set_output(const std::string& name);
  /// Says that the verb makes another version of this file, which may replace it.
  void edits(const std::string& name);
  /// True, and a complaint, if a file, or standard input by the name `-`, is what -o is to replace. All that reads here asks this itself.
  bool refuses_input(const std::string& name);

  /// For verbs that take text: false, and a complaint, if the input is bytes.
  bool accepts_text(const Input& input, std::string_view expected = "text");

  /// The errors reported so far that name a file.
  const std::vector<Fault>& faults() const { return faults_; }
  /// Adds those of another Io, whose standard error went elsewhere.
  void add_faults(const std::vector<Fault>& faults) { faults_.insert(faults_.end(), faults.begin(), faults.end()); }

  Host& host() { return *host_; }
  bool to_terminal() const { return to_terminal_; }
  bool err_color() const { return err_color_; }
  /// True, and a complaint, if the product of `verb` would be bytes on a terminal.
  bool refuses_bytes(std::string_view verb);
  /// For verbs that make a file, before they write JSON: from here on `out` is standard output, and if -o names a file, write_bytes()
  /// goes there. Nothing but the product ever gets into that file.
  void split_product();
  /// Whether it has been split so.
  bool has_product_file() const { return product_.has_value(); }
  /// The product of a verb that makes a file.
  void write_bytes(std::span<const std::byte> bytes) { write_product({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }
  void write_product(std::string_view text) { (product_ ? *product_ : out).text << text; }
  /// Whether anything is in the file of -o, if there is one, else whether anything was printed.
  bool wrote_product() const { return product_ ? product_->wrote() : out.wrote(); }
  bool flush_product() { return !product_ || product_->flush(); }

 private:
  enum class Until : unsigned char;
  Read read_file(const std::string& name, Until until);
  std::optional<Exit> pick_array(Input& input, std::string_view wanted);
  void complain(std::string_view file, std::string_view location, std::string_view rest);

  Host* host_;
  Stream* stream_;
  std::optional<Printer> product_;
  bool to_terminal_;
  bool err_color_;
  std::vector<Fault> faults_;
  std::set<std::string, std::less<>> found_;
  std::map<std::string, std::size_t> skipped_;
  std::string output_name_;
  std::optional<FileId> output_;  // a regular file that is to be replaced
  std::optional<FileId> edited_;  // the same, if it is the input that another version is made of
};

/// Calls `body(input)`, which returns an Exit, for each file that can be read; stops when nobody listens. Returns the worst status.
template <class Body>
Exit for_each_input(std::span<const std::string> names, Io& io, Body body) {
  Exit exit = Exit::ok;
  for (const std::string& name : names) {
    const Read input = io.read(name);
    exit = worse(exit, input ? body(*input) : input.exit);
    if (!io.out.keep_going()) break;
  }
  return exit;
}

/// The same of all inputs.
template <class Body>
Exit for_each_input(const Args& args, Io& io, Body body) {
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args, exit);
  return worse(exit, for_each_input(names, io, body));
}

/// All bytes of a file that another file names. Errors: missing, also above 1 GiB.
Result<std::vector<std::byte>> read_whole(const std::string& name);

/// A text file that appears under its name only when it is complete.
class OutputFile final : public Stream {
 public:
  ~OutputFile() override;
  /// False and `fault` if it cannot be made. A file that is there is to be replaced, unless it may not be written, and its rights are kept.
  /// What is no regular file (/dev/null, a pipe) is written in place.
  bool open(std::string path);
  bool write(std::string_view bytes) override;
  /// Nothing more is to be written. False and `fault` if that fails.
  bool close();
  /// Renames the temporary file. False and `fault` if that fails.
  bool commit();

 private:
  system::File file_;
  std::string path_;
  std::string temporary_;  // empty if written in place
  std::size_t guard_ = kNoGuard;
};

/// Writes a file whole or not at all. Returns the error, or an empty text.
std::string write_whole(const std::string& path, std::string_view bytes);

}  // namespace unshade::cli
