#include "spirv/id_names.hpp"

#include <algorithm>

#include <unshade/spirv/id_map.hpp>

#include "core/characters.hpp"
#include "spirv/lexer.hpp"
#include "spirv/number_text.hpp"

namespace unshade::spirv {

namespace {

// `; id %17`: what a listing says of the id that its line gives a name.
constexpr std::string_view kIdComment = "; id %";

}  // namespace

bool is_id_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

IdNames::IdNames(std::string_view text, bool preserve) : preserve_(preserve) {
  if (!preserve) return;
  Lexer lexer(text);
  IdPlaces seen(text.size() / 8);
  const auto keep = [&](std::uint32_t id) {
    if (seen.find(id) != 0) return;
    seen.add(id);
    kept_.push_back(id);
  };
  std::string_view subject;  // the first id of the line
  bool is_open = false;
  for (;;) {
    const Token token = lexer.next();
    std::string_view comment = lexer.comment();
    if (!subject.empty() && comment.starts_with(kIdComment)) {
      comment.remove_prefix(kIdComment.size());
      comment = comment.substr(0, comment.find_first_not_of("0123456789"));
      if (std::uint32_t id = 0; read_unsigned(comment, id) && named_.emplace(subject, id).second) {
        keep(id);
        // An OpName "17" looks like a number, and is none.
        has_digits_ |= is_digit(subject[0]);
      }
    }
    if (token.is_end()) break;
    if (token.begins_line) {
      is_open = true;
      subject = {};
    }
    if (!token.is_id()) continue;
    const std::string_view name = token.text.substr(1);
    if (std::uint32_t id = 0; is_digit(name[0]) && read_unsigned(name, id)) keep(id);
    if (is_open) subject = name;
    is_open = false;
  }
  std::ranges::sort(kept_);
}

std::uint32_t IdNames::number(std::string_view name) {
  if (preserve_ && !name.empty() && is_digit(name[0]) && !(has_digits_ && named_.contains(name)))
    if (std::uint32_t id = 0; read_unsigned(name, id)) return use(id);
  const auto [found, is_new] = named_.try_emplace(name, 0);
  if (is_new) {
    for (; next_kept_ < kept_.size() && kept_[next_kept_] <= next_; ++next_kept_)
      if (kept_[next_kept_] == next_) ++next_;
    found->second = next_++;
  }
  return use(found->second);
}

std::uint32_t IdNames::use(std::uint32_t id) {
  bound_ = std::max(bound_, id == 0xffff'ffff ? id : id + 1);
  return id;
}

}  // namespace unshade::spirv
