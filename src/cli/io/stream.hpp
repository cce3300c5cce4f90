// Where bytes come from and go to: files in the command, memory in tests.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <unshade/present/printer.hpp>
#include <unshade/system/file.hpp>

namespace unshade::cli {

using present::MemoryStream;
using present::Stream;

class FileStream final : public Stream {
 public:
  explicit FileStream(system::File file) : file_(std::move(file)) {}
  bool write(std::string_view bytes) override;

 private:
  system::File file_;
};

/// Standard input.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  /// Bytes read, 0 at the end, -1 with errno on a fault.
  virtual std::ptrdiff_t read(std::span<std::byte> into) = 0;
};

class FileSource final : public Source {
 public:
  explicit FileSource(system::File file) : file_(std::move(file)) {}
  std::ptrdiff_t read(std::span<std::byte> into) override { return file_.read(into); }

 private:
  system::File file_;
};

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : left_(bytes) {}
  std::ptrdiff_t read(std::span<std::byte> into) override;

 private:
  std::span<const std::byte> left_;
};

/// The standard streams of the process.
struct Host {
  Stream* out = nullptr;
  Stream* err = nullptr;
  Source* in = nullptr;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool no_color = false;          ///< NO_COLOR is set, or the terminal is dumb
  bool (*has_sixel)() = nullptr;  ///< asks the terminal whether it shows sixel graphics; null: it does not
};

}  // namespace unshade::cli
