#include <unshade/core/result.hpp>

#include <algorithm>
#include <iterator>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/message.hpp>
#include <unshade/core/text.hpp>

namespace unshade {

namespace {

std::string message_of(std::string_view severity, std::string_view id, std::string_view path, std::string_view message) {
  Text text;
  text << severity << '[' << id << "]: ";
  if (!path.empty()) text << path << ": ";
  return (text << message).str();
}

/// `0x1c: `
std::string place(std::uint64_t offset) {
  Text text;
  text << "0x";
  text.hex(offset) << ": ";
  return text.str();
}

}  // namespace

std::string_view id(ErrorCode code) {
  switch (code) {
    case ErrorCode::truncated: return "truncated";
    case ErrorCode::out_of_range: return "out-of-range";
    case ErrorCode::bad_magic: return "bad-magic";
    case ErrorCode::bad_value: return "bad-value";
    case ErrorCode::overlap: return "overlap";
    case ErrorCode::cycle: return "cycle";
    case ErrorCode::limit: return "limit";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::missing: return "missing";
  }
  return "unknown";
}

std::string to_string(const Error& error) {
  // Every format begins with its magic: of the first byte no other fault can tell.
  const bool has_place = error.offset != 0 || error.code == ErrorCode::bad_magic || error.code == ErrorCode::truncated;
  const std::string message = message_of("error", id(error.code), error.path, error.message);
  return has_place ? place(error.offset) + message : message;
}

std::string_view id(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "unknown";
}

ByteOrigin origin_at(std::span<const ByteOrigin> origins, std::uint64_t offset) {
  const auto after = std::ranges::upper_bound(origins, offset, {}, &ByteOrigin::offset);
  return after == origins.begin() ? ByteOrigin{} : *std::prev(after);
}

std::string to_string(const Message& message) {
  std::string out = message.file;
  const auto number = [&](std::uint32_t value) {
    if (value != 0) out += (out.empty() ? "" : ":") + std::to_string(value);
  };
  number(message.line);
  number(message.column);
  if (!out.empty()) out += ": ";
  return (out += id(message.severity)) + '[' + std::string(message.id) + "]: " + message.text;
}

std::string to_string(const Diagnostic& diagnostic) {
  return place(diagnostic.offset) + message_of(id(diagnostic.rule->severity), diagnostic.rule->id, diagnostic.path, diagnostic.message);
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.rule->severity == Severity::error; });
}

}  // namespace unshade
