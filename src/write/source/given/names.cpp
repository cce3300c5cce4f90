#include "write/source/given/names.hpp"

#include <algorithm>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>

namespace unshade::write {

namespace {

std::string path_of(std::string_view within, std::string_view name) {
  return within.empty() ? "names/" + std::string(name) : "members/" + std::string(within) + '/' + std::string(name);
}

std::string why_not(ShadingLanguage language, std::string_view name) {
  const std::string_view word = language == ShadingLanguage::hlsl ? "HLSL" : "GLSL";
  std::string made = quoted(name) + " cannot be a name in " + std::string(word);
  if (is_identifier(name)) return made + (is_keyword(language, name) ? ": it is a keyword" : ": it is reserved");
  return made + ": identifiers consist of letters, digits and _, and do not begin with a digit";
}

/// Calls `visit(within, name, new_name)` for each entry that changes something, until it returns false.
template <class Visit>
void for_each_entry(const NewNames& names, Visit visit) {
  const auto all = [&](std::string_view within, const NewNames::Table& table) {
    return std::ranges::all_of(table,
                               [&](const auto& entry) { return entry.first == entry.second || visit(within, entry.first, entry.second); });
  };
  if (!all("", names.names)) return;
  for (const auto& [within, table] : names.members)
    if (!all(within, table)) return;
}

}  // namespace

Result<void> check_names(const NewNames& names, ShadingLanguage language) {
  std::optional<Error> error;
  for_each_entry(names, [&](std::string_view within, std::string_view name, std::string_view new_name) {
    if (!may_be_identifier(language, new_name)) error = Error{ErrorCode::bad_value, 0, path_of(within, name), why_not(language, new_name)};
    return !error;
  });
  if (error) return *std::move(error);
  return {};
}

std::vector<std::string> unused_names(const NewNames& names, std::span<const SourceName> all) {
  std::set<std::string, std::less<>> fitting;
  for (const SourceName& one : all) {
    if (one.within.empty() || one.kind == SourceName::Kind::constant) fitting.insert(path_of("", one.name));
    if (!one.within.empty()) fitting.insert(path_of(one.within, one.name));
  }
  std::vector<std::string> made;
  for_each_entry(names, [&](std::string_view within, std::string_view name, std::string_view) {
    if (std::string path = path_of(within, name); !fitting.contains(path)) made.push_back(std::move(path));
    return true;
  });
  return made;
}

}  // namespace unshade::write

namespace unshade::write::source {

namespace {

/// What a text calls that is no method: words before a parenthesis.
std::set<std::string_view> called_functions(std::string_view text) {
  std::set<std::string_view> made;
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    std::size_t first = open;
    while (first > 0 && is_name_character(text[first - 1])) --first;
    if (first != open && (first == 0 || text[first - 1] != '.')) made.insert(text.substr(first, open - first));
  }
  return made;
}

bool hides_functions(SourceName::Kind kind) { return kind != SourceName::Kind::member && kind != SourceName::Kind::structure; }

}  // namespace

const std::string* Names::given(std::string_view within, std::string_view name, Kind kind) const {
  if (given_ == nullptr) return nullptr;
  const auto in = [&](const NewNames::Table& table) -> const std::string* {
    const auto found = table.find(name);
    return found == table.end() || found->second == name ? nullptr : &found->second;
  };
  if (!within.empty())
    if (const auto table = given_->members.find(within); table != given_->members.end())
      if (const std::string* const found = in(table->second); found != nullptr) return found;
  return within.empty() || kind == Kind::constant ? in(given_->names) : nullptr;
}

void Names::refuse(const SourceName& of, const std::string& why) {
  if (!conflict_) conflict_ = Error{ErrorCode::overlap, 0, path_of_given(of), quoted(of.shown) + " is taken: " + why};
}

// Where NewNames has it.
std::string Names::path_of_given(const SourceName& of) const {
  const auto table = given_->members.find(of.within);
  return path_of(table != given_->members.end() && table->second.contains(of.name) ? of.within : "", of.name);
}

// What is in the text of a name: the new one, else what is wanted, with letters after it where another is called so already.
std::string Names::show(const Name& wanted, std::string_view plain, std::uint64_t key, SourceName& made) {
  if (given_ == nullptr) return std::string(plain);
  if (const std::string* const found = given(made.within, plain, made.kind); found != nullptr) {
    made.is_given = true;
    made.shown = *found;
    const auto [owner, is_new] = owners_.emplace(*found, all_.size());
    if (!is_new)
      refuse(made, "it is the new name of " + quoted(all_[owner->second].name) + " too");
    else if (known_.contains(*found))
      refuse(made, "something else in the text has this name");
    (void)shown_.claim(*found, key);
    known_.insert(*found);
    return *found;
  }
  const bool is_derived = wanted.shown != wanted.plain;
  if (!is_derived)
    if (const auto owner = owners_.find(plain); owner != owners_.end())
      refuse(all_[owner->second], "something else in the text has this name");
  std::string shown = shown_.claim(is_derived ? std::string_view(wanted.shown) : plain, key);
  known_.insert(shown);
  return shown;
}

Name Names::claim(const Name& wanted, std::uint64_t key, Kind kind) {
  SourceName made;
  made.kind = kind;
  made.name = plain_.claim(wanted.plain, key);
  made.shown = show(wanted, made.name, key, made);
  Name name{made.name, made.shown};
  all_.push_back(std::move(made));
  return name;
}

std::string Names::claim_constant(std::string_view within, const Name& wanted, std::uint64_t key) {
  SourceName made;
  made.kind = Kind::constant;
  made.within = within;
  made.name = plain_.claim(wanted.plain, key);
  made.shown = show(wanted, made.name, key, made);
  std::string shown = made.shown;
  all_.push_back(std::move(made));
  return shown;
}

std::string Names::member(std::string_view within, std::string_view name) {
  // one structure may be that of several buffers
  const auto [known, is_new] = members_.try_emplace({std::string(within), std::string(name)}, all_.size());
  if (!is_new) return all_[known->second].shown;
  SourceName made;
  made.kind = Kind::member;
  made.within = within;
  made.name = made.shown = name;
  if (const std::string* const found = given(within, name, made.kind); found != nullptr) {
    made.shown = *found;
    made.is_given = true;
  }
  for (auto other = members_.lower_bound({std::string(within), {}}); given_ != nullptr && other != members_.end(); ++other) {
    if (other->first.first != within) break;
    if (other == known) continue;
    const SourceName& of = all_[other->second];
    if (of.shown != made.shown) continue;
    const SourceName& renamed = made.is_given ? made : of;
    refuse(renamed, quoted((made.is_given ? of : made).name) + " of " + quoted(within) + " has this name too");
  }
  all_.push_back(std::move(made));
  return all_.back().shown;
}

std::string Names::reserve(std::string_view wanted, std::uint64_t key) {
  std::string plain = plain_.claim(wanted, key);
  if (given_ == nullptr) return plain;
  if (const auto owner = owners_.find(plain); owner != owners_.end())
    refuse(all_[owner->second], "something else in the text has this name");
  std::string shown = shown_.claim(plain, key);
  known_.insert(shown);
  return shown;
}

std::set<std::string> Names::hidden_functions(std::string_view text) const {
  const std::set<std::string_view> called = called_functions(text);
  std::set<std::string> made;
  for (const SourceName& one : all_)
    if (!one.is_given && hides_functions(one.kind) && called.contains(one.shown)) made.insert(one.shown);
  return made;
}

std::optional<Error> Names::conflict(std::string_view text) const {
  if (conflict_) return conflict_;
  if (given_ == nullptr) return std::nullopt;
  const std::set<std::string_view> called = called_functions(text);
  for (const SourceName& one : all_) {
    if (!one.is_given || !hides_functions(one.kind) || !called.contains(one.shown)) continue;
    return Error{ErrorCode::overlap, 0, path_of_given(one), quoted(one.shown) + " is taken: it is a function that the text calls"};
  }
  return std::nullopt;
}

}  // namespace unshade::write::source
