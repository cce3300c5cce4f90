#include "cli/testing/update.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <unshade/picture/picture.hpp>
#include <unshade/png/png.hpp>

#include "cli/io/picture_files.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/yaml/yaml.hpp"
#include "core/numbers.hpp"

namespace unshade::cli::testing {

namespace {

/// The end of a string that begins with a quote; its start if it has none, or is of several lines.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '\\' && quote == '"') {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  return at;
}

/// The end of a number, a string in one line, or a list in brackets; its start if it is none of these.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (at >= text.size() || text.substr(at, 2) == "- ") return at;
  if (text[at] == '"' || text[at] == '\'') return text.substr(at, 3) == std::string(3, text[at]) ? at : end_of_string(text, at);
  if (text[at] != '[') {
    std::size_t end = at;
    while (end < text.size() && std::string_view(",]} \t\r\n#").find(text[end]) == std::string_view::npos) ++end;
    return end;
  }
  unsigned depth = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return end + 1;
    } else if (c == '#') {
      end = std::min(text.find('\n', end), text.size());
    } else if (c == '"' || c == '\'') {
      const std::size_t closed = end_of_string(text, end);
      if (closed == end) return at;
      end = closed - 1;
    }
  }
  return at;
}

/// Numbers that JSON does not have, in quotes.
std::string as_json(std::string_view literal) {
  std::string made;
  for (std::size_t at = 0; at < literal.size();) {
    const bool named =
        literal.substr(at).starts_with("nan") || literal.substr(at).starts_with("inf") || literal.substr(at).starts_with("-inf");
    const std::size_t end = std::min(literal.find_first_of(",]", at), literal.size());
    if (!named) {
      made += literal[at++];
      continue;
    }
    made += '"' + std::string(literal.substr(at, end - at)) + '"';
    at = end;
  }
  return made;
}

/// Whole numbers that TOML does not have, as conditions.
std::string as_toml(std::string_view literal) {
  if (literal.starts_with('"')) return std::string(literal);
  std::string made;
  for (std::size_t at = 0; at < literal.size();) {
    const std::size_t end = std::min(literal.find_first_of("[], ", at), literal.size());
    const std::string_view word = literal.substr(at, std::max<std::size_t>(1, end - at));
    const auto whole = as_number<std::uint64_t>(word);
    const bool is_beyond = whole && *whole > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    made += is_beyond ? "\"== " + std::string(word) + '"' : std::string(word);
    at += word.size();
  }
  return made;
}

bool write_file(const std::string& path, std::string_view bytes, Io& io) {
  OutputFile file;
  if (file.open(path) && file.write(bytes) && file.commit()) return true;
  io.report(path, "io", file.fault);
  return false;
}

// A golden picture, in the format that its name says: what a reader of the suite expects to find there.
Exit write_golden(const std::string& path, const picture::Picture& picture, Io& io) {
  const PictureFile* const how = picture_file_of(path);
  if (how == nullptr) {
    io.report(path, "update", "the name of a golden picture must end in .png, .dds or .exr");
    return Exit::invalid;
  }
  const auto bytes = how->write(picture);
  if (!bytes) return io.report(path, bytes.error()), Exit::failed;
  if (const std::string fault = write::make_folders_of(path); !fault.empty()) {
    io.report(path, "io", fault);
    return Exit::failed;
  }
  if (!write_file(path, View(*bytes).text(), io)) return Exit::failed;
  io.report(path, Severity::note, "update", "picture written");
  return Exit::ok;
}

}  // namespace

std::string file_part(std::string_view name) {
  std::string made;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    made += plain ? c : '_';
  }
  return made;
}

Result<Corrected> corrected(std::string_view name, std::string_view text, std::span<const suite::Correction> corrections,
                            const OtherValues& others) {
  Corrected made;
  const auto refuse = [&](std::uint64_t offset, std::string message) {
    made.refused.push_back({ErrorCode::bad_value, offset, "", std::move(message)});
  };
  struct Literal {
    std::string text;
    bool is_refused = false;  ///< with a message
  };
  std::map<std::uint64_t, Literal> by_place;
  for (const suite::Correction& one : corrections) {
    std::string literal = name.ends_with(".json") && !one.text.starts_with('"') ? as_json(one.text)
                          : name.ends_with(".toml")                             ? as_toml(one.text)
                                                                                : one.text;
    const auto [known, is_new] = by_place.try_emplace(one.offset, Literal{literal});
    if (is_new || known->second.text == literal || std::exchange(known->second.is_refused, true)) continue;
    refuse(one.offset, "lanes or tests share this value, and give different ones: `" + known->second.text + "` and `" + literal + '`');
  }
  std::vector<suite::TextRange> ranges;
  for (const auto& [offset, literal] : by_place) {
    if (!ranges.empty() && offset < ranges.back().end) continue;
    ranges.push_back({offset, std::max<std::uint64_t>(offset + 1, end_of_value(text, offset))});
  }
  const auto refuse_at = [&](std::uint64_t begin, const std::string& message) {
    if (!std::exchange(by_place[begin].is_refused, true)) refuse(begin, message);
  };
  for (const suite::OtherUse& one : others.uses ? others.uses(ranges) : std::vector<suite::OtherUse>()) {
    refuse_at(one.offset, one.column.empty()
                              ? "this value is also " + std::string(one.what) + "; give the expectation one of its own"
                              : '`' + one.column + "` is also " + std::string(one.what) + "; give the expectation a column of its own");
  }
  for (const std::uint64_t kept : others.kept) {
    const auto range = std::ranges::upper_bound(ranges, kept, {}, &suite::TextRange::begin);
    if (range == ranges.begin() || kept >= std::prev(range)->end) continue;
    refuse_at(std::prev(range)->begin, "lanes or tests share this value, and it is right for some of them");
  }
  std::size_t copied = 0;
  std::size_t done = 0;
  for (const auto& [offset, literal] : by_place) {
    if (offset < done) continue;  // it is in a list that was replaced or refused
    const std::size_t end = end_of_value(text, offset);
    done = std::max(done, end);
    if (literal.is_refused) continue;
    if (end == offset) {
      refuse(offset, "only numbers, strings of one line and lists in brackets can be replaced");
      continue;
    }
    made.text += text.substr(copied, offset - copied);
    made.text += literal.text;
    ++made.values;
    copied = end;
  }
  made.text += text.substr(copied);
  if (const auto read = yaml::read_by_name(name, made.text); !read) return read.error();
  return made;
}

Exit update(const Collection& tests, std::span<const suite::Outcome> outcomes, Io& io) {
  Exit exit = Exit::ok;
  struct OfFile {
    std::vector<suite::Correction> corrections;
    OtherValues others{};
  };
  std::map<std::string, OfFile> by_file;
  std::map<std::string, const picture::Picture*> goldens;
  std::set<std::string> inputs;
  const auto beside = [](const suite::Outcome& outcome, const std::string& name) {
    return (std::filesystem::path(outcome.file).parent_path() / name).lexically_normal().string();
  };
  for (const suite::Outcome& outcome : outcomes) {
    OfFile& of_file = by_file[outcome.file];
    of_file.corrections.insert(of_file.corrections.end(), outcome.corrections.begin(), outcome.corrections.end());
    of_file.others.kept.insert(of_file.others.kept.end(), outcome.kept.begin(), outcome.kept.end());
    for (const std::string& name : outcome.inputs) inputs.insert(beside(outcome, name));
    if (outcome.elsewhere != 0) {
      io.report(outcome.name, "update", "the expected values are in the file of table.csv, which --update does not change");
      exit = Exit::invalid;
    }
    for (const suite::MadePicture& one : outcome.pictures) {
      if (!one.is_golden) continue;
      const std::string path = beside(outcome, one.name);
      const auto [known, is_new] = goldens.emplace(path, &one.picture);
      if (is_new || known->second->bytes == one.picture.bytes) continue;
      io.report(path, "update", "tests share this picture, and draw different ones");
      exit = Exit::invalid;
    }
  }
  for (auto& [file, all] : by_file) {
    const Input* const input = tests.input(file);
    if (all.corrections.empty() || input == nullptr) continue;
    all.others.uses = [&](std::span<const suite::TextRange> ranges) { return tests.other_uses(file, ranges); };
    const auto made = corrected(file, input->view().text(), all.corrections, all.others);
    if (!made) {
      yaml::report_in(io, *input, made.error());
      exit = worse(exit, Exit::invalid);
      continue;
    }
    for (const Error& one : made->refused) {
      yaml::report_in(io, *input, one);
      exit = worse(exit, Exit::invalid);
    }
    if (made->values == 0) continue;
    if (!write_file(file, made->text, io)) {
      exit = Exit::failed;
    } else {
      io.report(file, Severity::note, "update", std::to_string(made->values) + (made->values == 1 ? " value" : " values") + " written");
    }
  }
  for (const auto& [path, picture] : goldens) {
    if (inputs.contains(path)) {
      io.report(path, "update", "this picture is also an input; give the expectation one of its own");
      exit = worse(exit, Exit::invalid);
    } else {
      exit = worse(exit, write_golden(path, *picture, io));
    }
  }
  return exit;
}

Exit write_pictures(const suite::Outcome& outcome, const std::string& folder, write::PendingFiles& files, Io& io) {
  Exit exit = Exit::ok;
  for (const suite::MadePicture& one : outcome.pictures) {
    if (one.is_golden) continue;
    const std::string test = std::filesystem::path(outcome.file).filename().string() + '.' +
                             (outcome.name.size() > outcome.file.size() + 2 ? outcome.name.substr(outcome.file.size() + 2) : "");
    const std::string path = files.free_path(folder, file_part(test + '.' + one.name), ".png");
    const auto png = png::write_png(one.picture);
    if (!png) io.report(path, png.error());
    if (!png || !files.add(path, View(*png).text(), io)) exit = Exit::failed;
  }
  return exit;
}

}  // namespace unshade::cli::testing
