#include "spirv/text/id_names.hpp"

#include <algorithm>
#include <utility>

#include <unshade/core/text/characters.hpp>
#include <unshade/spirv/id_map.hpp>

#include "spirv/grammar/number_text.hpp"
#include "spirv/text/lexer.hpp"

namespace unshade::spirv::text {

namespace {

// `; id %17`: what a listing says of the id that its line gives a name.
constexpr std::string_view kIdComment = "; id %";

/// Decimal, as numbers of ids are printed, of whatever size: others are names.
bool is_decimal(std::string_view text) {
  return !text.empty() && (text[0] != '0' || text.size() == 1) && std::ranges::all_of(text, is_digit);
}

bool is_id_number(std::string_view text, std::uint32_t& id) { return is_decimal(text) && grammar::read_unsigned(text, id); }

/// `; id %17`, or what is meant to be: `;ID %17`.
bool is_id_comment(std::string_view comment) {
  constexpr std::string_view kBlanks = " \t;";
  const auto skip = [&] { comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size())); };
  skip();
  if (comment.size() < 2 || !same_letters(comment.substr(0, 2), "id")) return false;
  comment.remove_prefix(2);
  skip();
  return comment.size() > 1 && comment[0] == '%' && is_digit(comment[1]);
}

/// The first of some lines of comments that states the number of an id; empty if none does.
std::string_view find_id_comment(std::string_view comments) {
  while (!comments.empty()) {
    const std::size_t end = std::min(comments.find('\n'), comments.size());
    if (is_id_comment(comments.substr(0, end))) return comments.substr(comments.find(';'));
    comments.remove_prefix(std::min(end + 1, comments.size()));
  }
  return {};
}

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
  std::vector<std::string_view> numbers;  // what looks like one, the first time
  std::vector<std::string_view> large;    // numbers that no id can have, but a comment may state another
  const auto keep = [&](std::uint32_t id) {
    if (seen.find(id) != 0) return false;
    seen.add(id);
    kept_.push_back(id);
    return true;
  };
  const auto fail = [&](std::string_view at, std::string message) {
    if (fault_.message.empty()) fault_ = {static_cast<std::size_t>(at.data() - text.data()), std::move(message)};
  };
  IdMap<std::string_view> owners(text.size() / 8);  // of numbers in comments: the name that each is for
  std::string_view subject;                         // the first id of the line
  bool is_open = false;
  for (;;) {
    const Token token = lexer.next();
    std::string_view comment = lexer.comment();
    if (const std::string_view line = find_id_comment(lexer.comment_lines()); !line.empty())
      fail(line, "expected '; id %' at the end of the line that has the id");
    if (!comment.empty() && is_id_comment(comment)) {
      if (!comment.starts_with(kIdComment)) fail(comment, "expected a comment of the form '; id %17'");
      if (subject.empty()) fail(comment, "expected an id in the line of '; id %'");
    }
    if (!subject.empty() && comment.starts_with(kIdComment)) {
      comment.remove_prefix(kIdComment.size());
      const std::string_view digits = comment.substr(0, comment.find_first_of(" \t\r;"));
      std::uint32_t id = 0;
      if (!is_id_number(digits, id)) {
        fail(comment, "expected the number of an id after '; id %'");
      } else if (const auto [found, is_new] = named_.emplace(subject, id); !is_new) {
        if (found->second != id) fail(comment, '%' + std::string(subject) + " is already id " + std::to_string(found->second));
      } else {
        if (std::string_view& owner = owners[id]; owner.empty()) {
          owner = subject;
        } else {
          fail(comment, "id " + std::to_string(id) + " is already that of %" + std::string(owner));
        }
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
    if (std::uint32_t id = 0; is_id_number(name, id)) {
      if (keep(id) || !owners.get(id).empty()) numbers.push_back(name);
    } else if (is_decimal(name)) {
      large.push_back(name);
    }
    if (is_open) subject = name;
    is_open = false;
  }
  // What looked like a number until its comment stated another one.
  if (has_digits_)
    std::erase_if(kept_, [&](std::uint32_t id) {
      const auto name = named_.find(std::to_string(id));
      return name != named_.end() && name->second != id && owners.get(id).empty();
    });
  std::ranges::sort(kept_);
  for (const std::string_view name : large)
    if (!named_.contains(name)) fail(name, '%' + std::string(name.substr(0, 32)) + " exceeds the largest number of an id, 4294967295");
  for (const std::string_view name : numbers) {
    std::uint32_t id = 0;
    is_id_number(name, id);
    if (const std::string_view owner = owners.get(id); !owner.empty() && owner != name && !named_.contains(name))
      fail(name, "id " + std::to_string(id) + " is named %" + std::string(owner));
  }
}

std::uint32_t IdNames::number(std::string_view name) {
  if (std::uint32_t id = 0; preserve_ && is_id_number(name, id) && !(has_digits_ && named_.contains(name))) return use(id);
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

}  // namespace unshade::spirv::text
