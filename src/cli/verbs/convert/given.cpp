#include "cli/verbs/convert/given.hpp"

#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/document_text/document_text.hpp>

#include "cli/line/args.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs {

using unshade::write::NewNames;
using unshade::write::SourceName;

bool GivenNames::read_table(const Value& from, Table& into, Io& io) {
  const auto refuse = [&](const Value& value, const std::string& message) {
    io.report_in(*names_file_, Error{ErrorCode::bad_value, value.text_offset, "", message});
    return false;
  };
  if (from.as_map() == nullptr) return refuse(from, "expected a table of names, found " + std::string(id(from.kind())));
  for (const Value::Member& member : *from.as_map()) {
    const std::string* const name = member.value.as_text();
    if (name == nullptr) return refuse(member.value, "expected a name in quotes, found " + std::string(id(member.value.kind())));
    into.emplace(member.key, *name);
  }
  return true;
}

bool GivenNames::read_names(const Value& document, Io& io) {
  NewNames& made = names_.emplace();
  for (const Value::Member& member : *document.as_map()) {
    if (member.key == "names") {
      if (!read_table(member.value, made.names, io)) return false;
      continue;
    }
    if (member.key != "members" || member.value.as_map() == nullptr) {
      const bool is_known = member.key == "members";
      io.report_in(*names_file_, Error{ErrorCode::bad_value, is_known ? member.value.text_offset : member.key_offset, "",
                                       is_known ? "expected tables such as [members.cb0]"
                                                : "unknown table `" + member.key + "`: expected [names] or [members.NAME]"});
      return false;
    }
    for (const Value::Member& one : *member.value.as_map())
      if (!read_table(one.value, made.members[one.key], io)) return false;
  }
  return true;
}

bool GivenNames::read_layout(const std::string& name, Io& io) {
  const Read input = io.read_text(name);
  if (!input || !io.accepts_text(*input, "declarations in HLSL")) return false;
  auto declarations = shader::read_hlsl_declarations(input->view().text());
  if (!declarations) return io.report_in(*input, declarations.error()), false;
  declarations_ = *std::move(declarations);
  return true;
}

bool GivenNames::read(const Args& args, Io& io) {
  names_out_ = args.value(kNamesOut.name);
  if (write::refuses_second_output(args, kNamesOut, io, args.operands)) return false;
  if (args.has(kLayout.name) && !read_layout(std::string(args.value(kLayout.name)), io)) return false;
  if (!args.has(kNames.name)) return true;
  Read input = io.read_text(std::string(args.value(kNames.name)));
  if (!input || !io.accepts_text(*input, "names in TOML")) return false;
  names_file_.emplace(std::move(*input));
  auto document = document_text::read_toml(names_file_->view().text());
  if (!document) return io.report_in(*names_file_, document.error()), false;
  document_ = *std::move(document);
  add_places("", document_);
  return read_names(document_, io);
}

std::size_t GivenNames::place_of(std::string_view path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? 0 : found->second;
}

void GivenNames::add_places(const std::string& path, const Value& value) {
  if (value.as_map() == nullptr) return;
  for (const Value::Member& member : *value.as_map()) {
    const std::string inner = path.empty() ? member.key : path + '/' + member.key;
    places_.emplace(inner, member.value.as_map() != nullptr ? member.key_offset : member.value.text_offset);
    add_places(inner, member.value);
  }
}

bool GivenNames::apply(unshade::write::SourceOptions& options, Io& io) {
  if (declarations_) options.declarations = &*declarations_;
  if (!names_) return true;
  options.names = &*names_;
  const auto [found, is_new] = checked_.emplace(options.language, true);
  if (!is_new) return found->second;
  const auto good = unshade::write::check_names(*names_, options.language);
  found->second = good.has_value();
  if (!good) io.report_in(*names_file_, Error{good.error().code, place_of(good.error().path), "", good.error().message});
  return found->second;
}

bool GivenNames::report(std::string_view shader, const Error& error, Io& io) const {
  const bool is_ours =
      names_ && error.code == ErrorCode::overlap && (error.path.starts_with("names/") || error.path.starts_with("members/"));
  if (is_ours) io.report_in(*names_file_, Error{error.code, place_of(error.path), std::string(shader), error.message});
  return is_ours;
}

void GivenNames::add(const std::string& shader, const unshade::write::SourceText& text, Io& io) {
  for (const std::string& note : text.notes) io.report(shader, Severity::note, "layout", note);
  ++texts_;
  if (!names_ && names_out_.empty()) return;
  for (const SourceName& one : text.names)
    if (known_.emplace(one.within, one.name).second) all_.push_back(one);
}

namespace {

void print_key(Text& out, std::string_view name) {
  if (is_identifier(name)) {
    out << name;
  } else {
    print_quoted(out, name);
  }
}

void print_entry(Text& out, std::string_view name, std::string_view shown) {
  print_key(out, name);
  out << " = ";
  print_quoted(out, shown);
  out << '\n';
}

}  // namespace

// All names as they are without new ones, or with those that are given, and what is given for other shaders.
std::string GivenNames::file() const {
  struct Group {
    SourceName::Kind kind;
    std::string_view title;
  };
  using Kind = SourceName::Kind;
  constexpr Group kGroups[] = {{Kind::resource, "resources"},
                               {Kind::structure, "structures"},
                               {Kind::interface, "inputs and outputs"},
                               {Kind::variable, "variables of all functions"},
                               {Kind::local, "variables of functions"}};
  Text out;
  out << "# Names for `unshade decompile --names`: change what is on the right.\n\n[names]\n";
  const auto shown = [](const SourceName& one) -> const std::string& { return one.is_given ? one.shown : one.name; };
  for (const Group& group : kGroups) {
    bool is_first = true;
    for (const SourceName& one : all_) {
      if (one.kind != group.kind) continue;
      if (is_first) out << "# " << group.title << '\n';
      is_first = false;
      print_entry(out, one.name, shown(one));
    }
  }
  const auto add_others = [&](const std::string& within, const Table& table) {
    bool is_first = true;
    for (const auto& [name, given] : table) {
      const bool is_shown =
          known_.contains({within, name}) || (within.empty() && std::ranges::any_of(all_, [&, &key = name](const SourceName& one) {
                                                return one.kind == Kind::constant && one.name == key;
                                              }));
      if (is_shown) continue;
      if (is_first) out << "# of other shaders\n";
      is_first = false;
      print_entry(out, name, given);
    }
  };
  if (names_) add_others("", names_->names);
  // in the order of the texts
  std::vector<std::string> withins;
  std::set<std::string> listed;
  for (const SourceName& one : all_)
    if (!one.within.empty() && listed.insert(one.within).second) withins.push_back(one.within);
  if (names_)
    for (const auto& [within, table] : names_->members)
      if (listed.insert(within).second) withins.push_back(within);
  for (const std::string& within : withins) {
    out << "\n[members.";
    print_key(out, within);
    out << "]\n";
    for (const SourceName& one : all_)
      if (one.within == within) print_entry(out, one.name, shown(one));
    if (names_)
      if (const auto table = names_->members.find(within); table != names_->members.end()) add_others(within, table->second);
  }
  return out.str();
}

Exit GivenNames::finish(Io& io) const {
  if (names_ && texts_ != 0) {
    const std::string_view why = texts_ == 1 ? "the text has no such name" : "no text has such a name";
    std::multimap<std::size_t, std::string> unused;  // in the order of the file
    for (std::string& path : unshade::write::unused_names(*names_, all_)) {
      const std::size_t place = place_of(path);
      std::ranges::replace(path, '/', '.');
      unused.emplace(place, std::move(path));
    }
    LineCounter lines(names_file_->view().text());
    for (const auto& [place, name] : unused) {
      const LinePlace at = lines.at(place);
      io.report(names_file_->name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column), Severity::warning, "unused-name",
                name + ": " + std::string(why));
    }
  }
  if (names_out_.empty() || texts_ == 0) return Exit::ok;
  return io.write_file(names_out_, file()) ? Exit::ok : Exit::failed;
}

}  // namespace unshade::cli::verbs
