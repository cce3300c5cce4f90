// One value of a document changed: what is built of it has to be refused with a place, or to read back with exactly that change.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"
#include "cli/io/stream.hpp"
#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::test {

/// A step from a value to one inside of it.
struct Step {
  std::string key;
  std::size_t index = 0;
  bool is_key = false;
};
using Steps = std::vector<Step>;

inline std::string to_string(const Steps& steps) {
  std::string text;
  for (const Step& step : steps) text += step.is_key ? '/' + step.key : '[' + std::to_string(step.index) + ']';
  return text;
}

inline Value* go(Value& from, const Steps& steps) {
  Value* at = &from;
  for (const Step& step : steps) {
    Value* next = nullptr;
    if (step.is_key && at->as_map() != nullptr) {
      for (Value::Member& member : *at->as_map())
        if (member.key == step.key) next = &member.value;
    } else if (!step.is_key && at->as_list() != nullptr && step.index < at->as_list()->size()) {
      next = &(*at->as_list())[step.index];
    }
    if (next == nullptr) return nullptr;
    at = next;
  }
  return at;
}

/// Every single value of a document.
inline void collect_leaves(const Value& value, Steps& here, std::vector<Steps>& leaves) {
  if (const Value::Map* const map = value.as_map()) {
    for (const Value::Member& member : *map) {
      here.push_back({member.key, 0, true});
      collect_leaves(member.value, here, leaves);
      here.pop_back();
    }
  } else if (const Value::List* const list = value.as_list()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      here.push_back({{}, i, false});
      collect_leaves((*list)[i], here, leaves);
      here.pop_back();
    }
  } else {
    leaves.push_back(here);
  }
}

/// The last key on the way to a value.
inline std::string_view key_of(const Steps& steps) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (step->is_key) return step->key;
  return {};
}

/// Names that stand at a key in any document: enumerators, and names that are as good as another.
using Words = std::map<std::string, std::set<std::string>, std::less<>>;

class DocumentEdits {
 public:
  /// Samples of all families, as documents without hints.
  DocumentEdits() {
    for (const char* folder : {"dxbc", "dxil", "pica", "spirv", "vbc"})
      for (const char* extension : {".dxbc", ".dxil", ".shbin", ".spv", ".vbc"})
        for (const auto& path : files_below(source_dir() / "tests/data" / folder, extension)) {
          Sample sample{path.filename().string(), read_bytes(path), {}, {}, {}};
          const auto plain = shader::make_document(view_of(sample.bytes), nullptr, shader::Hints::dropped);
          const auto hinted = shader::make_document(view_of(sample.bytes));
          if (!plain || !hinted) continue;
          sample.plain = *plain;
          sample.hinted = *hinted;
          Steps here;
          collect_leaves(sample.plain, here, sample.leaves);
          for (const Steps& leaf : sample.leaves)
            if (const std::string* const text = go(sample.plain, leaf)->as_text(); text != nullptr && text->find('\n') == std::string::npos)
              words_[std::string(key_of(leaf))].insert(*text);
          samples_.push_back(std::move(sample));
        }
  }

  struct Sample {
    std::string name;
    std::vector<std::byte> bytes;
    Value plain, hinted;
    std::vector<Steps> leaves;
  };
  const std::vector<Sample>& samples() const { return samples_; }

  /// What a value may be changed to. Not the family: a container of parts that all have is told by its parts when it is read back.
  std::vector<Value> others(const Value& value, std::string_view key, std::uint64_t seed) const {
    std::vector<Value> made;
    if (key == "family") return made;
    if (const Integer* const integer = value.as_integer()) {
      Integer other = *integer;
      other.magnitude ^= 1;
      if (other.magnitude == 0) other.negative = false;
      made.push_back(Value::integer(other));
      made.push_back(Value::integer(integer->magnitude + 16 + seed % 7));
    } else if (const Real* const real = value.as_real()) {
      made.push_back(Value::real(real->narrow == 0 ? 1.5F : real->narrow * 2));
    } else if (const bool* const boolean = value.as_boolean()) {
      made.push_back(Value::boolean(!*boolean));
    } else if (const Value::Bytes* const bytes = value.as_bytes(); bytes != nullptr && !bytes->empty()) {
      Value::Bytes other = *bytes;
      other[seed % other.size()] ^= std::byte{1};
      made.push_back(Value::bytes(View(std::span<const std::byte>(other))));
    } else if (const std::string* const text = value.as_text(); text != nullptr && text->find('\n') != std::string::npos) {
      for (std::uint64_t i = 0; i < 4; ++i)
        if (std::string other = with_other_digit(*text, seed * 4 + i); other != *text) made.push_back(Value::text(std::move(other)));
    } else if (text != nullptr) {
      made.push_back(Value::text(*text + 'q'));
      if (text->size() > 1) made.push_back(Value::text(text->substr(1)));
      if (const auto known = words_.find(key); known != words_.end()) {
        auto word = known->second.begin();
        std::advance(word, seed % known->second.size());
        if (*word != *text) made.push_back(Value::text(*word));
      }
    }
    return made;
  }

  /// A text of several lines, an assembly language, with one digit changed. Not one of raw tokens, which may take in what
  /// follows, nor of numbers with an exponent, which are rounded.
  static std::string with_other_digit(std::string text, std::uint64_t seed) {
    std::vector<std::size_t> digits;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
      if (has(".tokens") || has("p+") || has("p-") || has("e-") || has("e+")) continue;
      for (std::size_t i = begin; i < end; ++i)
        if (text[i] >= '0' && text[i] <= '9') digits.push_back(i);
    }
    if (digits.empty()) return text;
    char& digit = text[digits[(seed * 0x9e37'79b9'7f4a'7c15 >> 20) % digits.size()]];
    digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
    return text;
  }

  enum class Format { yaml, json };  // of the text between

  /// Changes a value. Empty, or what is wrong.
  std::string fault_of(const Sample& sample, const Steps& leaf, const Value& other, Format format = Format::yaml) const {
    Value edited = sample.plain;
    *go(edited, leaf) = other;
    for (const bool with_hints : {false, true}) {
      Value document = with_hints ? sample.hinted : edited;
      if (with_hints) {
        Value* const at = go(document, leaf);
        if (at == nullptr || !(*at == *go(const_cast<Value&>(sample.plain), leaf))) continue;
        *at = other;
      }
      const std::string what = sample.name + to_string(leaf) + (with_hints ? " with hints" : "") + ": " + shown(*go(edited, leaf)) +
                               ", was " + shown(*go(const_cast<Value&>(sample.plain), leaf)) + ": ";
      const std::string text = format == Format::yaml ? yaml_of(document) : json_of(document);
      const auto read = document_text::read_yaml(text);
      if (!read) return what + "the text is refused: " + unshade::to_string(read.error());
      const auto built = shader::build_document(*read, {shader::Hints::fitting, nullptr});
      if (!built) {
        const bool has_place = built.error().offset != 0 || !built.error().path.empty();
        if (built.error().message.empty() || !has_place) return what + "refused without a place: " + unshade::to_string(built.error());
        continue;
      }
      const auto again = shader::make_document(view_of(*built), nullptr, shader::Hints::dropped);
      if (!again) return what + "what is built cannot be opened: " + unshade::to_string(again.error());
      if (!says_all(edited, *again) && !renumbers_types(key_of(leaf)))
        return what + "reads back otherwise" + difference(edited, *again, "");
    }
    return {};
  }

 private:
  /// Whether `got` has all that `wanted` has. What it has more are defaults of members that the edit made known; lists of names are sets.
  static bool says_all(const Value& wanted, const Value& got) {
    const auto is_name = [](const Value& value) { return value.as_text() != nullptr; };
    if (const Value::Map* const map = wanted.as_map(); map != nullptr && got.as_map() != nullptr)
      return std::all_of(map->begin(), map->end(), [&](const Value::Member& member) {
        const Value* const other = got.find(member.key);
        // what is zero may be left out
        return other != nullptr ? says_all(member.value, *other) : member.value == Value::integer(0);
      });
    if (const Value::Map* const map = wanted.as_map())  // a record of which a single field is left
      return std::all_of(map->begin(), map->end(),
                         [&](const Value::Member& member) { return member.value == got || member.value == Value::integer(0); });
    if (const Value::List* const list = wanted.as_list();
        list != nullptr && got.as_list() != nullptr && list->size() == got.as_list()->size()) {
      if (std::all_of(list->begin(), list->end(), is_name)) return std::is_permutation(list->begin(), list->end(), got.as_list()->begin());
      return std::equal(list->begin(), list->end(), got.as_list()->begin(), says_all);
    }
    if (const std::string *a = wanted.as_text(), *b = got.as_text(); a != nullptr && b != nullptr && a->find('\n') != std::string::npos)
      return words_of(*a) == words_of(*b);
    return wanted == got;
  }
  /// The words of an assembly text without what follows from the rest of it: comments, blanks, and names of ids in SPIR-V, which are made
  /// of values. Numbers as the 32-bit floats that they are read as: `0.35` is listed as `0.349999994`.
  static std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      if (text[i] == ';') {
        i = std::min(text.find('\n', i), text.size());
        continue;
      }
      if (text[i] == '"')
        end = std::min(text.find_first_of("\"\n", end), text.size() - 1) + 1;
      else if (text[i] == '%' || is_letter(text[i]))
        while (end < text.size() && is_letter(text[end])) ++end;
      std::string word(text.substr(i, end - i));
      i = end;
      if (word[0] == '%') word = '%';
      char* number_end = nullptr;
      if (const float number = std::strtof(word.c_str(), &number_end); number_end == word.c_str() + word.size())
        word = std::to_string(number);
      if (word != " ") words.push_back(std::move(word));
    }
    return words;
  }
  /// Types that nobody refers to are no part of a file, so that those behind them have other numbers then.
  static bool renumbers_types(std::string_view key) { return key == "type" || key == "subtype" || key == "base_class"; }
  static std::string yaml_of(const Value& value) {
    Text text;
    present::print_yaml(text, value);
    return text.str();
  }
  static std::string json_of(const Value& value) {
    cli::MemoryStream stream;
    cli::Printer printer(stream, false);
    cli::Json json(printer);
    present::write_value(value, json);
    json.finish();
    printer.flush();
    return stream.text;
  }
  static std::string shown(const Value& value) {
    const std::string text = yaml_of(value);
    return text.substr(0, text.size() > 60 ? 60 : text.size() - 1);
  }
  static std::string difference(const Value& wanted, const Value& got, std::string path) {
    if (wanted.as_map() != nullptr && got.as_map() != nullptr) {
      for (const auto& member : *wanted.as_map()) {
        const Value* const other = got.find(member.key);
        if (other == nullptr) return " at " + path + '/' + member.key + ": not there";
        if (!(*other == member.value)) return difference(member.value, *other, path + '/' + member.key);
      }
      for (const auto& member : *got.as_map())
        if (wanted.find(member.key) == nullptr) return " at " + path + '/' + member.key + ": is new";
    }
    if (wanted.as_list() != nullptr && got.as_list() != nullptr) {
      if (wanted.as_list()->size() != got.as_list()->size()) return " at " + path + ": other size";
      for (std::size_t i = 0; i < wanted.as_list()->size(); ++i)
        if (!((*wanted.as_list())[i] == (*got.as_list())[i]))
          return difference((*wanted.as_list())[i], (*got.as_list())[i], path + '[' + std::to_string(i) + ']');
    }
    if (const std::string *a = wanted.as_text(), *b = got.as_text(); a != nullptr && b != nullptr && a->find('\n') != std::string::npos) {
      const auto differ = static_cast<std::size_t>(std::mismatch(a->begin(), a->end(), b->begin(), b->end()).first - a->begin());
      const std::size_t begin = a->rfind('\n', differ) + 1;
      return " at " + path + ": `" + a->substr(begin, a->find('\n', differ) - begin) + "` became `" +
             b->substr(begin, b->find('\n', std::min(differ, b->size())) - begin) + '`';
    }
    return " at " + path + ": " + shown(wanted) + " became " + shown(got);
  }

  std::vector<Sample> samples_;
  Words words_;
};

}  // namespace unshade::test
