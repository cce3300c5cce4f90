// Lists of messages, for those that make them.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/unshade.h>
#include <unshade/core/diagnostic.hpp>
#include <unshade/core/message.hpp>

#include "capi/object.hpp"

struct unshade_messages {
  unshade::capi::Texts texts;
  std::vector<unshade_message> list;
  bool errors = false;

  void add(unshade::Severity severity, std::string_view rule, std::string_view path, std::string_view text, std::uint64_t offset,
           std::uint32_t line, std::uint32_t column) {
    errors = errors || severity == unshade::Severity::error;
    list.push_back({sizeof(unshade_message), texts.add(unshade::id(severity)), texts.add(rule), texts.add(path), texts.add(text), offset,
                    line, column});
  }
};

namespace unshade::capi {

/// Those of an assembler.
inline std::unique_ptr<unshade_messages> make_messages(std::span<const Message> messages) {
  auto made = std::make_unique<unshade_messages>();
  for (const Message& message : messages) made->add(message.severity, message.id, {}, message.text, 0, message.line, message.column);
  return made;
}

/// The first error of a text, with its place in it: `3:14: expected a register`.
inline unshade_code fail_by_first(unshade_error** error, std::span<const Message> messages) {
  const auto first = std::ranges::find(messages, Severity::error, &Message::severity);
  std::string text = "the text has errors";
  if (first != messages.end()) {
    text = first->text;
    if (first->line != 0)
      text = std::to_string(first->line) + ':' + (first->column != 0 ? std::to_string(first->column) + ": " : " ") + text;
  }
  return fail(error, UNSHADE_BAD_VALUE, 0, {}, text);
}

}  // namespace unshade::capi
