#include "cli/io/io.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/replace.hpp>

namespace unshade::cli {

namespace {

std::optional<Io::FileId> id_of(const std::optional<system::FileStatus>& status) {
  return status ? std::optional(status->id) : std::nullopt;
}

/// So many bytes of a file are read before it is known which format it has.
constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

/// Reads until `bytes` has `most` or the end is reached. False with errno on a fault.
bool read_up_to(Source& from, std::size_t most, Bytes& bytes, bool& ended) {
  if (bytes.data == nullptr) bytes.data = std::make_unique_for_overwrite<std::byte[]>(most);
  ended = false;
  while (bytes.size < most) {
    const auto count = from.read({bytes.data.get() + bytes.size, most - bytes.size});
    if (count < 0) return false;
    ended = count == 0;
    if (ended) break;
    bytes.size += static_cast<std::size_t>(count);
  }
  return true;
}

/// Reads the rest after what `bytes` has. `expected` bytes in all are tried first; 0 if the size is not known. False with errno on a
/// fault, EFBIG beyond `most`.
bool read_rest(Source& from, std::size_t expected, std::uint64_t most, Bytes& bytes) {
  std::size_t capacity = std::max(expected + 1, 2 * bytes.size);  // one more: the read that finds the end
  for (;;) {
    auto bigger = std::make_unique_for_overwrite<std::byte[]>(capacity);
    std::copy_n(bytes.data.get(), bytes.size, bigger.get());
    bytes.data = std::move(bigger);
    bool ended = false;
    if (!read_up_to(from, capacity, bytes, ended)) return false;
    if (bytes.size > most) {
      errno = EFBIG;
      return false;
    }
    if (ended) return true;
    capacity *= 2;
  }
}

/// Whether a format claims the file that begins so. Of a program database only its end tells whether it holds a shader.
bool is_claimed(View head) { return dxcontainer::is_msf(head) || shader::is_shader(head); }

/// Whether a file's name ends as only names of shaders do. One that is empty or overwritten is not to be passed over.
bool is_named_as_shader(const std::string& path) {
  constexpr std::string_view kEnds[] = {".cso", ".dxbc", ".dxil", ".shbin", ".spv", ".vbc"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return path.ends_with(end); });
}

/// Whether a file in a folder is to be read. One that cannot be read is, so that reading it tells why.
bool looks_like_shader(const std::string& path) {
  if (is_named_as_shader(path)) return true;
  system::File file = system::open_to_read(path, system::Waits::no);
  if (!file) return true;
  FileSource source(std::move(file));
  Bytes bytes;
  bool ended = false;
  if (!read_up_to(source, 4096, bytes, ended)) return true;  // magic and part index of all but strange files
  if (!dxcontainer::is_msf(bytes.view())) return is_claimed(bytes.view());
  return !read_rest(source, 0, limits::kFileBytes, bytes) || shader::is_shader(bytes.view());
}

/// What an operand names: a file and, after a colon, an array in it. A file that is called so wins over one with an array of that name.
std::pair<std::string, std::string> file_and_array(const std::string& name) {
  const auto colon = name.rfind(':');
  const bool may_name = colon != std::string::npos && colon >= paths::drive_letters(name) && colon + 1 != name.size();
  if (!may_name || system::is_there(name)) return {name, {}};
  std::string file = name.substr(0, colon);
  if (file != "-" && !system::is_there(file)) return {name, {}};
  return {std::move(file), name.substr(colon + 1)};
}

/// Collects the files below a folder that are to be read.
class FolderWalk {
 public:
  FolderWalk(Io& io, bool all, std::optional<Io::FileId> output) : io_(io), all_(all), output_(output) {}

  std::vector<std::string> found;
  bool failed = false;

  void run(const std::string& folder) {
    std::vector<std::string> folders{folder};
    while (!folders.empty()) {
      const std::string current = std::move(folders.back());
      folders.pop_back();
      std::vector<system::FolderEntry> entries;
      if (!system::list_folder(current, entries)) fail(current);
      for (const system::FolderEntry& entry : entries) take(entry, system::path_in(current, entry.name), folders);
    }
    std::sort(found.begin(), found.end());
  }

 private:
  void take(const system::FolderEntry& entry, std::string path, std::vector<std::string>& folders) {
    if (entry.is_link) return take_link(std::move(path));
    if (entry.kind == system::FileKind::folder) return folders.push_back(std::move(path));
    if (entry.kind == system::FileKind::regular) take_file(std::move(path));
    // pipes, sockets and devices are no files to read
  }

  void take_link(std::string path) {
    const auto status = system::status_of(path);
    if (!status && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) {
      io_.report(path, Severity::warning, "broken-link", "the target of the link does not exist");
    } else if (!status) {
      fail(path);
    } else if (status->kind == system::FileKind::folder) {
      io_.report(path, Severity::note, "link", "links to folders are not followed: give the link itself to read the shaders there");
    } else if (status->kind == system::FileKind::regular) {
      take_file(std::move(path));
    }
  }

  void take_file(std::string path) {
    const bool takes_any = all_ && !(output_ && Io::file_id(path) == output_);
    if (takes_any || looks_like_shader(path)) found.push_back(std::move(path));
  }

  void fail(const std::string& path) {
    io_.report(path, "io", std::strerror(errno));
    failed = true;
  }

  Io& io_;
  bool all_;
  std::optional<Io::FileId> output_;
};

}  // namespace

Io::Io(Host& host, Stream& stream, bool color, bool err_color)
    : out(stream, color),
      host_(&host),
      stream_(&stream),
      to_terminal_(&stream == host.out && host.out_is_terminal),
      err_color_(err_color) {}

void Io::complain(std::string_view file, std::string_view location, std::string_view rest) {
  // rest: `error[id]: ...`
  Printer err(*host_->err, err_color_);
  print_safely(err.text, file);
  err.text << ':' << location << ' ';
  const auto colon = rest.find(':');
  const auto paint = rest.starts_with("error") ? Paint::error : rest.starts_with("warning") ? Paint::warning : Paint::faint;
  err.painted(paint, rest.substr(0, colon));
  if (colon != std::string_view::npos) print_safely(err.text, rest.substr(colon));
  err.text << '\n';
  out.flush();  // so that products and complaints are in order if both go to one place
  err.flush();
}

bool Io::refuses_bytes(std::string_view verb) {
  if (to_terminal_) report({}, "usage", std::string(verb) + " does not write binary data to a terminal: use -o FILE");
  return to_terminal_;
}

void Io::split_product() {
  if (stream_ == host_->out) return;
  product_.emplace(*stream_, false);
  out = Printer(*host_->out, false);
  to_terminal_ = host_->out_is_terminal;
}

void Io::report(std::string_view file, const Error& error) {
  if (!file.empty()) faults_.push_back({std::string(file), std::string(id(error.code)), error.offset, error.path, error.message});
  const std::string text = to_string(error);
  const auto blank = text.starts_with("0x") ? text.find(' ') : 0;  // after `0x1c:`, if the error has a place
  complain(file, std::string_view(text).substr(0, blank), std::string_view(text).substr(blank == 0 ? 0 : blank + 1));
}

void Io::report(std::string_view file, std::string_view id, std::string_view message) { report(file, Severity::error, id, message); }

void Io::report(std::string_view file, Severity severity, std::string_view id, std::string_view message) {
  if (severity == Severity::error && !file.empty()) faults_.push_back({std::string(file), std::string(id), {}, {}, std::string(message)});
  Text text;
  text << unshade::id(severity) << '[' << id << "]: " << message;
  complain(file.empty() ? "unshade" : file, {}, text.view());
}

void Io::report_in(std::string_view file, std::string_view text, const Error& error, Severity severity) {
  const std::string where = std::string(file) + ':' + line_and_column(text, error.offset);
  report(where, severity, id(error.code), error.path.empty() ? error.message : error.path + ": " + error.message);
}

void Io::report(std::span<const Message> messages) {
  for (const Message& message : messages) {
    std::string where(message.file);
    if (message.line != 0) where += ':' + std::to_string(message.line);
    if (message.column != 0) where += ':' + std::to_string(message.column);
    report(where, message.severity, message.id, message.text);
  }
}

namespace {

/// Whether an error says that a file, whole as it is, is of a kind that has nothing of what a verb does: no digest to sign, no program to
/// list. Errors inside of parts are others.
bool does_not_apply(const Error& error) {
  constexpr std::string_view kWhole[] = {"", "file", "parts", "RTS0", "stages", "sources", "program"};
  return (error.code == ErrorCode::unsupported && error.path == "file") ||
         (error.code == ErrorCode::missing && std::ranges::find(kWhole, error.path) != std::end(kWhole));
}

}  // namespace

bool Io::was_found(std::string_view file) const {
  if (found_.empty()) return false;
  // `shader.h:g_main`: an array of a file
  return found_.contains(file) || found_.contains(file.substr(0, file.rfind(':')));
}

Exit Io::refuse_file(std::string_view file, const Error& error) {
  if (does_not_apply(error) && was_found(file)) {
    ++skipped_[error.message];
    return Exit::ok;
  }
  report(file, error);
  return Exit::invalid;
}

void Io::add_skipped(const std::map<std::string, std::size_t>& skipped) {
  for (const auto& [why, files] : skipped) skipped_[why] += files;
}

void Io::note_skipped(std::string_view verb) {
  for (const auto& [why, files] : take_skipped())
    report({}, Severity::note, verb,
           why + " (" + std::to_string(files) + (files == 1 ? " file of a folder, left out)" : " files of folders, left out)"));
}

std::optional<std::uint64_t> Io::count_of(const Args& args, const Option& option, std::uint64_t otherwise, std::uint64_t most) {
  if (!args.has(option.name)) return otherwise;
  const auto value = as_number<std::uint64_t>(args.value(option.name));
  if (value && *value != 0 && *value <= most) return value;
  report({}, "usage", "--" + std::string(option.name) + " must be a number from 1 to " + std::to_string(most));
  return std::nullopt;
}

std::optional<unsigned> Io::lanes_of(const Args& args, const Option& option) {
  if (!args.has(option.name)) return 0;
  const auto value = as_number<unsigned>(args.value(option.name));
  if (value && *value >= 4 && *value <= 128 && std::has_single_bit(*value)) return value;
  report({}, "usage", "--" + std::string(option.name) + " must be 4, 8, 16, 32, 64 or 128");
  return std::nullopt;
}

std::vector<std::string> Io::inputs(const Args& args, Exit& exit) {
  std::vector<std::string> names;
  for (const std::string& operand : args.operands) {
    const auto status = operand == "-" ? std::nullopt : system::status_of(operand);
    if (!status || status->kind != system::FileKind::folder) {
      names.push_back(operand);
      continue;
    }
    FolderWalk walk(*this, args.has(kAll.name), output_);
    walk.run(operand);
    if (walk.failed) exit = Exit::failed;
    if (walk.found.empty() && !walk.failed) report(operand, Severity::warning, "empty", "no shaders in this folder");
    found_.insert(walk.found.begin(), walk.found.end());
    std::move(walk.found.begin(), walk.found.end(), std::back_inserter(names));
  }
  return names;
}

/// How much of a file is read.
enum class Io::Until : unsigned char {
  claimed,  ///< all of it if a format claims it or it is text that may hold an array
  text,     ///< all of it if it is text
  end,
};

Read Io::read(const std::string& name, Whole whole) {
  const auto [file, wanted] = file_and_array(name);
  Read input = read_file(file, whole == Whole::any ? Until::end : Until::claimed);
  if (input)
    if (const auto fault = pick_array(*input, wanted)) return *fault;
  return input;
}

/// Puts the shader that source text holds in the text's place. `wanted` may be empty. The exit status of the fault if there is one.
std::optional<Exit> Io::pick_array(Input& input, std::string_view wanted) {
  const View file = input.view();
  const bool may_hold_array = !input.is_head && is_text(file) && !shader::is_shader(file);
  if (!may_hold_array && wanted.empty()) return std::nullopt;
  auto found = shader::shader_in_source(file, wanted);
  if (!found) {
    if (wanted.empty() && found.error().code == ErrorCode::missing) return std::nullopt;
    report(input.name, found.error());
    return Exit::invalid;
  }
  if (edited_ && file_id(input.name) == edited_) {
    report(input.name, Error{ErrorCode::unsupported, 0, "file", kInSource});
    return Exit::invalid;
  }
  if (!found->name.empty()) input.name += ':' + found->name;
  input.array = std::move(found->name);
  input.is_source = true;
  input.bytes.size = found->bytes.size();
  input.bytes.data = std::make_unique_for_overwrite<std::byte[]>(input.bytes.size);
  std::copy(found->bytes.begin(), found->bytes.end(), input.bytes.data.get());
  return std::nullopt;
}

bool Io::accepts_text(const Input& input, std::string_view expected) {
  // bytes without zeros may be text, if they do not begin as other files do
  const bool may_be_text = !input.is_head && is_text(input.view()) && shader::file_kind_of(input.view()) == nullptr;
  if (input.view().empty() || may_be_text) return true;
  report(input.name,
         Error{ErrorCode::bad_magic, 0, "file", "expected " + std::string(expected) + ", found " + shader::shown_kind(input.view())});
  return false;
}

Read Io::read_text(const std::string& name) { return read_file(name, Until::text); }

Read Io::read_bytes(const std::string& name) { return read_file(name, Until::end); }

Exit Io::read_pieces(const std::string& name, std::size_t bytes, const std::function<std::optional<std::size_t>(View, bool)>& f) {
  const auto fail = [&] {
    report(name, "io", std::strerror(errno));
    return Exit::failed;
  };
  if (refuses_input(name)) return Exit::failed;
  system::File file = system::open_to_read(name);
  if (!file) return fail();
  FileSource source(std::move(file));
  Bytes piece;
  std::uint64_t offset = 0;
  for (bool ended = false; !ended;) {
    if (!read_up_to(source, bytes, piece, ended)) return fail();
    const auto kept = f(View({piece.data.get(), piece.size}, offset), ended);
    if (!kept) break;
    const std::size_t done = piece.size - std::min(*kept, piece.size);
    std::copy(piece.data.get() + done, piece.data.get() + piece.size, piece.data.get());
    piece.size -= done;
    offset += done;
  }
  return Exit::ok;
}

std::optional<std::vector<std::byte>> Io::read_range(const std::string& name, std::uint64_t offset, std::size_t bytes) {
  if (refuses_input(name)) return std::nullopt;
  const system::File file = system::open_to_read(name);
  std::vector<std::byte> range(bytes);
  std::size_t done = 0;
  while (file && done < bytes) {
    const auto count = file.read_at(offset + done, std::span(range).subspan(done));
    if (count <= 0) {
      if (count != 0) break;
      Text text;
      (text << "the file ends at 0x").hex(offset + done, 8);
      (text << ", before the ").dec(bytes) << " bytes at 0x";
      text.hex(offset, 8) << " that it had";
      report(name, "io", text.view());
      return std::nullopt;
    }
    done += static_cast<std::size_t>(count);
  }
  if (file && done == bytes) return range;
  report(name, "io", std::strerror(errno));
  return std::nullopt;
}

std::optional<Io::FileId> Io::file_id(const std::string& name) { return id_of(system::status_of(name)); }

std::optional<Io::FileId> Io::input_id(const std::string& name) {
  const std::string file = file_and_array(name).first;
  return file != "-" ? file_id(file) : id_of(system::standard(system::Standard::in).status());
}

void Io::set_output(const std::string& name) {
  output_name_ = name;
  output_ = system::regular_file_bytes(name) ? file_id(name) : std::nullopt;
}

void Io::edits(const std::string& name) {
  if (output_ && input_id(name) == output_) edited_ = std::exchange(output_, std::nullopt);
}

bool Io::refuses_input(const std::string& name) {
  if (!output_ || input_id(name) != output_) return false;
  report({}, "usage", "--output names the same file as an input: " + output_name_);
  return true;
}

Result<std::vector<std::byte>> read_whole(const std::string& name) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  const auto size = system::regular_file_bytes(name);
  if (size && *size > kMost) return Error{ErrorCode::limit, 0, "", "the file is larger than 1 GiB"};
  errno = 0;
  const system::File file = size ? system::open_to_read(name) : system::File();
  if (!file) {
    const bool is_other = !size && system::is_there(name);
    const char* const why = is_other ? "it is no regular file" : errno != 0 ? std::strerror(errno) : "No such file or directory";
    return Error{ErrorCode::missing, 0, "", std::string("the file cannot be read: ") + why};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = file.read_at(done, std::span(bytes).subspan(done));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

Read Io::read_file(const std::string& name, Until until) {
  Input input;
  input.name = name == "-" ? "<stdin>" : name;
  const auto fail = [&] {
    report(input.name, "io", errno == EFBIG ? "the file exceeds the size limit of shaders" : std::strerror(errno));
    return Exit::failed;
  };
  if (refuses_input(name)) return Exit::failed;
  system::File file = name == "-" ? system::File() : system::open_to_read(name);
  if (name != "-") {
    const auto status = file ? file.status() : std::nullopt;
    if (!status) return fail();
    if (status->kind == system::FileKind::regular) input.file_bytes = status->bytes;
  }
  FileSource opened(std::move(file));
  Source& source = name == "-" ? *host_->in : opened;
  bool ended = false;
  const std::uint64_t size = input.file_bytes.value_or(0);
  // If all of it fits into one read there is no second one, but for the one that finds the end.
  if (!read_up_to(source, static_cast<std::size_t>(size != 0 && size < kHeadBytes ? size + 1 : kHeadBytes), input.bytes, ended))
    return fail();
  if (ended) return input;

  std::uint64_t most = limits::kFileBytes;
  const bool is_text = input.view().text().find('\0') == std::string_view::npos;
  const bool is_claimed_text = until == Until::claimed && is_text && !is_claimed(input.view());
  if (is_claimed_text) most = limits::kSourceTextBytes;
  if (until == Until::claimed ? !is_text && !is_claimed(input.view()) : until == Until::text && !is_text) {
    input.is_head = true;
    return input;
  }
  const bool done = size <= most ? read_rest(source, static_cast<std::size_t>(size), most, input.bytes) : (errno = EFBIG, false);
  if (done) return input;
  if (errno != EFBIG || !is_claimed_text) return fail();
  report(input.name,
         Error{ErrorCode::limit, 0, "file", "source text of more than " + std::to_string(most >> 20) + " MiB is not searched for shaders"});
  return Exit::invalid;
}

OutputFile::~OutputFile() {
  file_.close();
  if (!temporary_.empty()) system::remove_file(temporary_.c_str());
  release_file(guard_);
}

bool OutputFile::open(std::string path) {
  path_ = std::move(path);
  const auto status = system::status_of(path_);
  if (status && status->kind != system::FileKind::regular) {
    file_ = system::open_to_write(path_);
  } else if (!status || system::may_write(path_)) {
    if (status) path_ = system::real_path(path_);  // not the link, but what it leads to
    file_ = system::make_beside(path_, status ? status->rights : system::new_file_rights(), temporary_);
    if (file_) guard_ = guard_file(temporary_);
  }
  if (!file_) fault = std::strerror(errno);
  return static_cast<bool>(file_);
}

bool OutputFile::write(std::string_view bytes) {
  if (file_.write(bytes)) return true;
  fault = errno == EPIPE ? "the pipe was closed" : std::strerror(errno);
  return false;
}

bool OutputFile::close() {
  if (file_.close()) return true;
  fault = std::strerror(errno);
  return false;
}

bool OutputFile::commit() {
  if (!close()) return false;
  if (!temporary_.empty() && !system::replace_file(temporary_, path_)) {
    fault = std::strerror(errno);
    return false;
  }
  temporary_.clear();
  release_file(std::exchange(guard_, kNoGuard));
  return true;
}

std::string write_whole(const std::string& path, std::string_view bytes) {
  OutputFile file;
  return file.open(path) && file.write(bytes) && file.commit() ? std::string() : file.fault;
}

bool Io::write_file(const std::string& path, std::string_view bytes) {
  std::string fault;
  if (path == "-" && stream_ == host_->out) {
    out.text << bytes;  // behind what was printed
  } else if (path == "-") {
    Printer printer(*host_->out, false);
    printer.text << bytes;
    if (!printer.flush()) fault = host_->out->fault;
  } else {
    fault = write_whole(path, bytes);
  }
  if (!fault.empty()) report(path == "-" ? "<stdout>" : path, "io", fault);
  return fault.empty();
}

}  // namespace unshade::cli
