// Files of the operating system: what they are, and their bytes. Names are UTF-8. What fails sets errno, on Windows too, so that
// std::strerror() has the words for it.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unshade::system {

/// What a file is, whatever names and links lead to it: a device, or volume, and a number there.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const FileId&, const FileId&) = default;
};

enum class FileKind : unsigned char {
  regular,
  folder,
  other,  ///< a pipe, a device such as /dev/null and NUL, a terminal
};

struct FileStatus {
  FileKind kind = FileKind::other;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  ///< nanoseconds since the start of 1970
  unsigned rights = 0;        ///< the bits of chmod(); on Windows whether it may be written
  FileId id;
};

/// Of what a name leads to, through links.
std::optional<FileStatus> status_of(const std::string& path);
/// The size in bytes of a regular file; nothing if it is none, or cannot be looked at.
std::optional<std::uint64_t> regular_file_bytes(const std::string& path);

/// An open file, pipe or terminal.
class File {
 public:
  /// A descriptor of POSIX, a handle of Windows.
  using Native = std::intptr_t;
  static constexpr Native kNone = -1;
  enum class Owned : bool { no, yes };

  File() = default;
  explicit File(Native native, Owned owned = Owned::yes) : native_(native), owned_(owned == Owned::yes) {}
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File() { close(); }

  explicit operator bool() const { return native_ != kNone; }
  Native native() const { return native_; }

  /// Bytes read, fewer than asked for if there are no more yet; 0 at the end; -1 on a fault.
  std::ptrdiff_t read(std::span<std::byte> into);
  /// The same at an offset of a regular file. From any thread.
  std::ptrdiff_t read_at(std::uint64_t offset, std::span<std::byte> into) const;
  /// Writes all bytes as they are. False on a fault: EPIPE if nobody reads the pipe.
  bool write(std::string_view bytes);
  std::optional<FileStatus> status() const;
  /// True if nothing is open, or if it is not owned.
  bool close();

 private:
  Native native_ = kNone;
  bool owned_ = false;
  // The first bytes of a character whose others are still to be written: consoles of Windows take whole ones.
  std::array<char, 4> begun_{};
  unsigned char begun_bytes_ = 0;
};

/// Whether opening a pipe waits until somebody writes to it.
enum class Waits : bool { no, yes };

File open_to_read(const std::string& path, Waits waits = Waits::yes);
/// What is there, to be written in place.
File open_to_write(const std::string& path);
/// What is there, or a new file, to be written at its end.
File open_to_append(const std::string& path);

/// The standard streams of this process.
enum class Standard : unsigned char { in, out, err };
File standard(Standard which);

/// A path for a library that hands it to the operating system itself.
std::string native_path(const std::string& path);

}  // namespace unshade::system
