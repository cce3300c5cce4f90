#include "cli/io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/source_array.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::cli {

namespace {

class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Reads to the end. `expected` bytes are tried first; 0 where the size is not known. False with errno on a fault, EFBIG beyond the limit.
bool read_all(Source& from, std::size_t expected, Bytes& bytes) {
  std::size_t capacity = expected != 0 ? expected + 1 : std::size_t{1} << 16;  // one more: the read that finds the end
  bytes.data = std::make_unique_for_overwrite<std::byte[]>(capacity);
  for (;;) {
    if (bytes.size == capacity) {
      if (capacity > limits::kFileBytes) {
        errno = EFBIG;
        return false;
      }
      auto bigger = std::make_unique_for_overwrite<std::byte[]>(capacity * 2);
      std::memcpy(bigger.get(), bytes.data.get(), bytes.size);
      bytes.data = std::move(bigger);
      capacity *= 2;
    }
    const auto count = from.read({bytes.data.get() + bytes.size, capacity - bytes.size});
    if (count < 0) return false;
    if (count == 0) break;
    bytes.size += static_cast<std::size_t>(count);
  }
  if (bytes.size > limits::kFileBytes) {
    errno = EFBIG;
    return false;
  }
  return true;
}

/// Whether a file begins like a shader. What cannot be read counts as one, so that reading it tells why.
bool looks_like_shader(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return true;
  std::byte head[4096];  // holds magic and part index of all but strange files
  FdSource source(file.get());
  const auto count = source.read(head);
  if (count < 0) return true;
  const View begins(std::span(head, static_cast<std::size_t>(count)));
  if (!dxcontainer::is_msf(begins)) return shader::identify(begins) != shader::Family::unknown;
  // Where a program database has its shader, if it has one, is told at its end.
  const Fd whole(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (whole.get() < 0) return true;
  FdSource all(whole.get());
  Bytes bytes;
  return !read_all(all, 0, bytes) || shader::identify(bytes.view()) != shader::Family::unknown;
}

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
  out.flush();  // so that products and complaints stand in order where both go to one place
  err.flush();
}

bool Io::refuses_bytes(std::string_view verb) {
  if (to_terminal_) report({}, "usage", std::string(verb) + " writes no bytes to a terminal: give it -o FILE");
  return to_terminal_;
}

void Io::split_product() {
  if (stream_ == host_->out) return;
  product_.emplace(*stream_, false);
  out = Printer(*host_->out, false);
  to_terminal_ = host_->out_is_terminal;
}

void Io::report(std::string_view file, const Error& error) {
  const std::string text = to_string(error);
  const auto blank = text.starts_with("0x") ? text.find(' ') : 0;  // behind `0x1c:`, where the error has a place
  complain(file, std::string_view(text).substr(0, blank), std::string_view(text).substr(blank == 0 ? 0 : blank + 1));
}

void Io::report(std::string_view file, std::string_view id, std::string_view message) { report(file, Severity::error, id, message); }

void Io::report(std::string_view file, Severity severity, std::string_view id, std::string_view message) {
  Text text;
  text << unshade::id(severity) << '[' << id << "]: " << message;
  complain(file.empty() ? "unshade" : file, {}, text.view());
}

std::vector<std::string> Io::inputs(const Args& args, Exit& exit) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const std::string& operand : args.operands) {
    struct stat status{};
    if (operand == "-" || ::stat(operand.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
      names.push_back(operand);
      continue;
    }
    std::vector<std::string> found;
    std::error_code fault;
    for (fs::recursive_directory_iterator at(operand, fs::directory_options::skip_permission_denied, fault), end; !fault && at != end;
         at.increment(fault)) {
      std::error_code unreadable;
      if (!at->is_regular_file(unreadable)) continue;
      std::string path = at->path().string();
      if (args.has(kAll.name) || looks_like_shader(path)) found.push_back(std::move(path));
    }
    if (fault) {
      report(operand, "io", std::strerror(fault.value()));
      exit = Exit::failed;
    }
    if (found.empty() && !fault) report(operand, Severity::warning, "empty", "no shaders in this folder");
    std::sort(found.begin(), found.end());
    std::move(found.begin(), found.end(), std::back_inserter(names));
  }
  return names;
}

std::optional<Input> Io::read(const std::string& name) {
  // A file that is called so wins over one with an array of that name.
  struct stat status{};
  std::string file = name;
  std::string wanted;
  const auto colon = name.rfind(':');
  if (colon != std::string::npos && colon + 1 != name.size() && ::stat(name.c_str(), &status) != 0 &&
      (name.substr(0, colon) == "-" || ::stat(name.substr(0, colon).c_str(), &status) == 0)) {
    file.resize(colon);
    wanted = name.substr(colon + 1);
  }
  auto input = read_text(file);
  if (input && !pick_array(*input, wanted)) return std::nullopt;
  return input;
}

/// Puts the shader that source text holds in the text's place. `wanted` may be empty. False where it cannot be told which, or be read.
bool Io::pick_array(Input& input, std::string_view wanted) {
  const View file = input.view();
  const bool is_text = is_source_text(file) && shader::identify(file) == shader::Family::unknown;
  if (!is_text && wanted.empty()) return true;
  auto found = shader::shader_in_source(file, wanted);
  if (!found) {
    if (wanted.empty() && found.error().code == ErrorCode::missing) return true;
    report(input.name, found.error());
    return false;
  }
  if (!found->name.empty()) input.name += ':' + found->name;
  input.array = std::move(found->name);
  input.is_source = true;
  input.bytes.size = found->bytes.size();
  input.bytes.data = std::make_unique_for_overwrite<std::byte[]>(input.bytes.size);
  std::copy(found->bytes.begin(), found->bytes.end(), input.bytes.data.get());
  return true;
}

bool Io::accepts_text(const Input& input) {
  if (input.view().empty() || is_source_text(input.view())) return true;
  const shader::Family family = shader::identify(input.view());
  const std::string found = family == shader::Family::unknown ? "bytes" : "a shader (" + std::string(shader::id(family)) + ')';
  report(input.name, Error{ErrorCode::bad_magic, 0, "file", "text is expected here, not " + found});
  return false;
}

std::optional<Input> Io::read_text(const std::string& name) {
  Input input;
  const auto fail = [&]() -> std::optional<Input> {
    report(input.name, "io", errno == EFBIG ? "larger than any shader file can be" : std::strerror(errno));
    return std::nullopt;
  };
  if (name == "-") {
    input.name = "<stdin>";
    if (!read_all(*host_->in, 0, input.bytes)) return fail();
    return input;
  }
  input.name = name;
  const Fd file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail();
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return fail();
  if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) > limits::kFileBytes) {
    errno = EFBIG;
    return fail();
  }
  FdSource source(file.get());
  if (!read_all(source, S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0, input.bytes)) return fail();
  return input;
}

unsigned new_file_mode() {
  static const mode_t mask = [] {  // only setting it tells what it is
    const mode_t was = ::umask(0);
    ::umask(was);
    return was;
  }();
  return 0666U & ~mask;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool OutputFile::open(std::string path) {
  path_ = std::move(path);
  struct stat status{};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path_ + ".XXXXXX";
    fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (fd_ < 0) {
      temporary_.clear();
    } else {
      ::fchmod(fd_, static_cast<mode_t>(new_file_mode()));  // mkostemp gives 0600
    }
  }
  if (fd_ < 0) fault = std::strerror(errno);
  return fd_ >= 0;
}

bool OutputFile::write(std::string_view bytes) {
  FdStream to(fd_);
  const bool written = to.write(bytes);
  if (!written) fault = to.fault.empty() ? "the pipe was closed" : to.fault;
  return written;
}

bool OutputFile::commit() {
  const int closed = ::close(std::exchange(fd_, -1));
  if (closed != 0 || (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)) {
    fault = std::strerror(errno);
    return false;
  }
  temporary_.clear();
  return true;
}

}  // namespace unshade::cli
