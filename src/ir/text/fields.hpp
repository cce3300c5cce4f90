// What print() makes of names and of the fields that operations and records have, apart: the archive that prints a description.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/ir/module.hpp>

#include "ir/describe.hpp"
#include "ir/text/literals.hpp"

namespace unshade::ir {

// What can stand after % and @ and is no number.
constexpr bool is_label(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (const char c : text)
    if (!words::is_label_character(c)) return false;
  return true;
}

inline void quote(Text& out, std::string_view text) {
  out << '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (c >= ' ' && c < '\x7f') {
      out << c;
    } else {
      out << "\\x";
      out.hex(static_cast<unsigned char>(c), 2);
    }
  }
  out << '"';
}

/// Names of variables, resources or functions: their own, or their number. Messages have numbers.
struct Labels {
  std::vector<std::string> texts;

  explicit Labels(const std::vector<MessageFormat>& list) {
    for (std::size_t at = 0; at < list.size(); ++at) texts.push_back(std::to_string(at));
  }

  template <class Named>
  explicit Labels(const std::vector<Named>& list) {
    std::unordered_set<std::string_view> taken;
    for (const Named& named : list) {
      const bool own = is_label(named.name) && taken.insert(named.name).second;
      texts.push_back(own ? named.name : std::to_string(texts.size()));
    }
  }
};

/// The labels of all that a module has, by Symbol.
struct ModuleLabels {
  explicit ModuleLabels(const Module& module)
      : of{Labels(module.variables), Labels(module.resources), Labels(module.functions), Labels(module.messages)} {}
  Labels of[words::kSymbols];
};

/// Prints fields, each after a blank.
class FieldArchive {
 public:
  FieldArchive(const ModuleLabels& labels, Text& out) : out_(out), labels_(labels) {}

  template <class T>
  void key(std::string_view name, const T& value, const T& otherwise) {
    if (value == otherwise) return;
    out_ << ' ' << name;
    if constexpr (!std::is_same_v<T, bool>) value_of(value);
  }
  template <class E>
  void word(E value) {
    const auto text = words::word(value);
    out_ << ' ';
    if (text.empty()) {
      out_.dec(static_cast<std::uint64_t>(value));
    } else {
      out_ << text;
    }
  }
  void number(std::uint32_t value) {
    out_ << ' ';
    out_.dec(value);
  }
  void bits(std::span<const std::string_view> names, std::uint32_t value) {
    out_ << ' ';
    print_bits(names, value);
  }
  void symbol(words::Symbol kind, std::uint32_t index) {
    const auto& texts = labels_.of[static_cast<std::size_t>(kind)].texts;
    out_ << " @" << (index < texts.size() ? std::string_view(texts[index]) : "?");
  }
  void element(const ElementExtra& extra) {
    word(extra.signature);
    out_.dec(extra.element);
    out_ << '.' << "xyzw"[extra.column];
  }
  void builtin(const BuiltinExtra& extra) {
    word(extra.builtin);
    if (extra.component < 4 &&
        (extra.component != 0 || static_cast<std::size_t>(extra.builtin) >= kBuiltinCount || info(extra.builtin).components > 1)) {
      out_ << '.' << "xyzw"[extra.component];
    }
  }
  void flags(Flags set) {
    if (set == Flags::none) return;
    out_ << " {";
    print_bits(words::kFlags, static_cast<std::uint32_t>(set));
    out_ << '}';
  }

 protected:
  void value_of(float value) {
    out_ << ' ';
    print_literal(out_, Type::f32, std::bit_cast<std::uint32_t>(value));
  }
  void value_of(const std::vector<std::byte>& value) {
    out_ << " 0x";
    for (const std::byte byte : value) out_.hex(static_cast<unsigned>(byte), 2);
  }
  void value_of(const std::string& value) {
    out_ << ' ';
    quote(out_, value);
  }
  void value_of(const std::array<std::uint32_t, 3>& value) {
    for (const std::uint32_t one : value) number(one);
  }
  void value_of(const std::vector<std::uint32_t>& value) {
    number(static_cast<std::uint32_t>(value.size()));
    for (const std::uint32_t one : value) number(one);
  }
  void value_of(const std::vector<dxcontainer::OutputTopology>& value) {
    number(static_cast<std::uint32_t>(value.size()));
    for (const auto one : value) word(one);
  }
  void value_of(const std::vector<Type>& value) {
    number(static_cast<std::uint32_t>(value.size()));
    for (const Type one : value) word(one);
  }
  template <class T>
  void value_of(T value) {
    if constexpr (std::is_enum_v<T>) {
      word(value);
    } else {
      number(value);
    }
  }

  void print_bits(std::span<const std::string_view> names, std::uint32_t value) {
    std::string_view between;
    for (std::size_t at = 0; at < names.size(); ++at) {
      if ((value >> at & 1) != 0) out_ << std::exchange(between, "|") << names[at];
    }
    const std::uint32_t rest = value >> names.size() << names.size();
    if (rest == 0 && !between.empty()) return;
    out_ << between;
    out_.dec(rest);
  }

  Text& out_;
  const ModuleLabels& labels_;
};

}  // namespace unshade::ir
