#include "shader/family/assembly.hpp"

#include <charconv>
#include <utility>

namespace unshade::shader::family {

Assembly assembly_of(Result<std::vector<std::byte>> made) {
  Assembly result;
  if (made) {
    result.ok = true;
    result.file = *std::move(made);
    return result;
  }
  const Error& error = made.error();
  Message message{Severity::error, id(error.code), 0, 0, error.message};
  const char* const end = error.path.data() + error.path.size();
  const auto line = std::from_chars(error.path.data(), end, message.line);
  if (line.ptr != end && *line.ptr == ':') std::from_chars(line.ptr + 1, end, message.column);
  result.messages.push_back(std::move(message));
  return result;
}

}  // namespace unshade::shader::family
