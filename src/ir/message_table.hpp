// Messages of a module that is made, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

class MessageTable {
 public:
  explicit MessageTable(Module& module) : module_(module) {}

  /// The number of a message. If all of them together are too long it is `...`, and `values` becomes empty.
  std::uint32_t add(MessageFormat message, std::vector<Id>& values) {
    std::string key = key_of(message);
    auto known = numbers_.find(key);
    if (known == numbers_.end() && bytes_ + key.size() > limits::kMessageBytes) {
      values.clear();
      message = MessageFormat{message.kind, "...", {}};
      key = key_of(message);
      known = numbers_.find(key);
    }
    if (known != numbers_.end()) return known->second;
    bytes_ += key.size();
    const auto number = static_cast<std::uint32_t>(module_.messages.size());
    module_.messages.push_back(std::move(message));
    numbers_.emplace(std::move(key), number);
    return number;
  }

 private:
  static std::string key_of(const MessageFormat& message) {
    std::string key(1, static_cast<char>(message.kind));
    for (const Type type : message.types) key += static_cast<char>(1 + static_cast<unsigned>(type));
    key += '\0';
    return key += message.text;
  }

  Module& module_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::size_t bytes_ = 0;
};

}  // namespace unshade::ir
