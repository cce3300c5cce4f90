// A message about a place in a text, as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/diagnostic.hpp>

namespace unshade {

/// `3:14: error[as.syntax]: message`; line and column count from 1.
inline std::string message_text(std::size_t line, std::size_t column, const Rule& rule, std::string_view message) {
  std::string out = std::to_string(line) + ':' + std::to_string(column) + ": ";
  out += id(rule.severity);
  out += '[';
  out += rule.id;
  out += "]: ";
  out += message;
  return out;
}

}  // namespace unshade
