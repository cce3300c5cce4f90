// Lists of messages, for those that make them.
#pragma once

#include <memory>
#include <span>
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

}  // namespace unshade::capi
