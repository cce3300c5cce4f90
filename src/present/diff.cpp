#include <unshade/present/diff.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <unshade/present/schemas.hpp>

namespace unshade::present {

namespace {

using shader::Change;
using shader::ChangeKind;
using shader::CodeDifference;
using shader::Difference;
using shader::DiffLines;
using shader::FieldChange;
using shader::Hunk;

constexpr std::size_t kMostCharacters = 80;  ///< of a value, such as the bytes of an array's default

struct Mark {
  char sign;
  Paint paint;
};

Mark mark_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::removed: return {'-', Paint::part5};
    case ChangeKind::added: return {'+', Paint::good};
    case ChangeKind::changed: break;
  }
  return {'~', Paint::warning};
}

void print_field(std::string_view value, Printer& out) {
  if (value.empty()) {
    out.text << "none";
    return;
  }
  print_safely(out.text, value.substr(0, kMostCharacters));
  if (value.size() > kMostCharacters) out.text << "...";
}

void print_change(const Change& change, Printer& out) {
  const Mark mark = mark_of(change.kind);
  out.paint(change.meaning ? mark.paint : Paint::faint) << mark.sign;
  if (!change.what.empty()) out.text << ' ' << change.what;
  if (!change.name.empty()) print_safely(out.text << ' ', change.name);
  bool first = change.what.empty();
  for (const FieldChange& field : change.fields) {
    out.text << (first ? " " : &field == change.fields.data() ? ": " : ", ") << field.field << ' ';
    first = false;
    if (change.kind == ChangeKind::changed) {
      print_field(field.before, out);
      out.text << " -> ";
      print_field(field.after, out);
    } else {
      print_field(change.kind == ChangeKind::removed ? field.before : field.after, out);
    }
  }
  out.paint(Paint::plain) << '\n';
}

void print_heading(std::string_view heading, Printer& out) {
  out.text << '\n';
  out.painted(Paint::heading, heading) << '\n';
}

/// The changes that bear on the meaning, or those that do not.
void print_changes(std::string_view heading, const std::vector<Change>& changes, bool meaning, Printer& out, bool& headed) {
  for (const Change& change : changes) {
    if (change.meaning != meaning) continue;
    if (!headed) print_heading(heading, out);
    headed = true;
    print_change(change, out);
    if (!out.keep_going()) return;
  }
}

void print_lines(const DiffLines& lines, std::uint32_t first, std::uint32_t count, char sign, Paint paint, Printer& out) {
  for (std::uint32_t i = first; i < first + count && out.keep_going(); ++i) {
    if (paint != Paint::plain) out.paint(paint);
    print_safely(out.text << sign, lines.line(i), true);
    if (paint != Paint::plain) out.paint(Paint::plain);
    out.text << '\n';
  }
}

/// `12,3`: where lines begin in their listing, and how many there are.
void print_range(const DiffLines& lines, std::uint32_t first, std::uint32_t end, Printer& out) {
  const std::uint32_t number = first < lines.lines.size() ? lines.lines[first].number
                               : lines.lines.empty()      ? 0
                                                          : lines.lines.back().number + 1;
  out.text.dec(number) << ',';
  out.text.dec(end - first);
}

void print_code(const CodeDifference& code, std::uint32_t context, Printer& out) {
  print_heading("code", out);
  out.paint(Paint::faint) << "lines: ";
  out.text.dec(code.removed) << " removed, ";
  out.text.dec(code.added) << " added, ";
  out.text.dec(code.same) << " the same";
  out.paint(Paint::plain) << '\n';
  for (std::size_t i = 0; i < code.hunks.size() && out.keep_going();) {
    // Hunks whose contexts touch are printed as one.
    std::size_t last = i;
    const auto end_of = [](const Hunk& hunk) { return hunk.first_before + hunk.count_before; };
    while (last + 1 < code.hunks.size() && code.hunks[last + 1].first_before - end_of(code.hunks[last]) <= 2 * std::uint64_t{context})
      ++last;
    const Hunk& begin = code.hunks[i];
    const Hunk& end = code.hunks[last];
    const std::uint32_t lead = std::min({context, begin.first_before, begin.first_after});
    const auto after_end = end.first_after + end.count_after;
    const std::uint32_t trail = std::min<std::uint32_t>(context, static_cast<std::uint32_t>(code.before.lines.size()) - end_of(end));
    out.paint(Paint::value) << "@@ -";
    print_range(code.before, begin.first_before - lead, end_of(end) + trail, out);
    out.text << " +";
    print_range(code.after, begin.first_after - lead, after_end + trail, out);
    out.text << " @@";
    out.paint(Paint::plain) << '\n';
    std::uint32_t at = begin.first_before - lead;
    for (; i <= last; ++i) {
      const Hunk& hunk = code.hunks[i];
      print_lines(code.before, at, hunk.first_before - at, ' ', Paint::plain, out);
      print_lines(code.before, hunk.first_before, hunk.count_before, '-', mark_of(ChangeKind::removed).paint, out);
      print_lines(code.after, hunk.first_after, hunk.count_after, '+', mark_of(ChangeKind::added).paint, out);
      at = end_of(hunk);
    }
    print_lines(code.before, at, trail, ' ', Paint::plain, out);
  }
}

void print_verdict(const DiffNames& names, const Difference& difference, Printer& out) {
  print_safely(out.text, names.before);
  print_safely(out.text << " and ", names.after);
  if (difference.same_bytes) {
    out.text << " are the same\n";
  } else if (difference.same_meaning) {
    out.text << " mean the same: only bytes differ\n";
  } else {
    out.text << " differ";
  }
}

bool any(const std::vector<Change>& changes) {
  return std::ranges::any_of(changes, [](const Change& change) { return change.meaning; });
}

void write_changes(std::string_view key, const std::vector<Change>& changes, Json& json) {
  json.objects(key, changes, [&](const Change& change) {
    json.member("kind", id(change.kind));
    json.member("meaning", change.meaning);
    json.text_or_null("what", change.what);
    json.text_or_null("name", change.name);
    json.objects("fields", change.fields, [&](const FieldChange& field) {
      json.member("field", field.field);
      json.text_or_null("before", field.before);
      json.text_or_null("after", field.after);
    });
  });
}

void write_lines(std::string_view key, const DiffLines& lines, std::uint32_t first, std::uint32_t count, Json& json) {
  json.key(key);
  json.begin_array();
  for (std::uint32_t i = first; i < first + count; ++i) {
    json.begin_object();
    json.member("line", lines.lines[i].number);
    json.member("text", lines.line(i));
    json.end_object();
  }
  json.end_array();
}

void write_members_of(const DiffNames& names, const Difference& difference, Json& json) {
  json.member("before", names.before);
  json.member("after", names.after);
  json.member("same_bytes", difference.same_bytes);
  json.member("same_meaning", difference.same_meaning);
  write_changes("summary", difference.summary, json);
  write_changes("parts", difference.parts, json);
  write_changes("interface", difference.interface, json);
  const CodeDifference& code = difference.code;
  json.object_or_null("code", code.compared, [&] {
    json.member("removed", code.removed);
    json.member("added", code.added);
    json.member("same", code.same);
    json.objects("hunks", code.hunks, [&](const Hunk& hunk) {
      write_lines("before", code.before, hunk.first_before, hunk.count_before, json);
      write_lines("after", code.after, hunk.first_after, hunk.count_after, json);
    });
  });
  json.array("notes", difference.notes, [&](const std::string& note) { json.string(note); });
}

}  // namespace

void print_difference(const DiffNames& names, const Difference& difference, std::uint32_t context, Printer& out) {
  if (difference.same_meaning) {
    print_verdict(names, difference, out);
  } else {
    out.paint(Paint::heading);
    print_safely(out.text << "--- ", names.before);
    print_safely(out.text << "\n+++ ", names.after);
    out.paint(Paint::plain) << '\n';
  }
  struct Section {
    std::string_view heading;
    const std::vector<Change>* changes;
  };
  const Section sections[] = {{"summary", &difference.summary}, {"parts", &difference.parts}, {"interface", &difference.interface}};
  for (const Section& section : sections) {
    bool headed = false;
    print_changes(section.heading, *section.changes, true, out, headed);
  }
  if (!difference.code.hunks.empty()) print_code(difference.code, context, out);
  bool headed = false;
  for (const Section& section : sections) print_changes("without a change of meaning", *section.changes, false, out, headed);
  if (!difference.notes.empty()) print_heading("notes", out);
  for (const std::string& note : difference.notes) {
    print_safely(out.text, note);
    out.text << '\n';
  }
}

void print_difference_briefly(const DiffNames& names, const Difference& difference, Printer& out) {
  print_verdict(names, difference, out);
  if (difference.same_meaning) return;
  std::string_view between = " in ";
  const auto say = [&](bool differs, std::string_view what) {
    if (!differs) return;
    out.text << between << what;
    between = ", ";
  };
  for (const Change& change : difference.summary)
    for (const FieldChange& field : change.fields) say(change.meaning, field.field);
  say(any(difference.parts), "parts");
  say(any(difference.interface), "interface");
  say(!difference.code.hunks.empty(), "code");
  out.text << '\n';
}

void write_difference(const DiffNames& names, const Difference& difference, Json& json) {
  begin_document(Schema::diff, json);
  write_members_of(names, difference, json);
  end_document(json);
}

void begin_folders(const DiffNames& folders, Json& json) {
  begin_document(Schema::diff_folders, json);
  json.member("before", folders.before);
  json.member("after", folders.after);
  json.key("pairs");
  json.begin_array();
}

void write_pair(std::string_view path, const DiffNames& names, const Difference& difference, Json& json) {
  json.object([&] {
    json.member("path", path);
    write_members_of(names, difference, json);
  });
}

void end_folders(const FolderSum& sum, std::span<const Fault> faults, Json& json) {
  json.end_array();
  json.array("only_before", sum.only_before, [&](const std::string& file) { json.string(file); });
  json.array("only_after", sum.only_after, [&](const std::string& file) { json.string(file); });
  json.member("same_bytes", std::uint64_t{sum.same_bytes});
  write_faults(faults, json);
  end_document(json);
}

void print_folder_sum(const DiffNames& folders, const FolderSum& sum, Printer& out) {
  const auto list = [&](std::string_view folder, const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      print_safely(out.text << "only in ", folder);
      print_safely(out.text << ": ", file);
      out.text << '\n';
    }
  };
  list(folders.before, sum.only_before);
  list(folders.after, sum.only_after);
  out.text.dec(sum.same_bytes) << " the same, ";
  out.text.dec(sum.same_meaning) << " mean the same, ";
  out.text.dec(sum.different) << " differ, ";
  print_safely(out.text.dec(sum.only_before.size()) << " only in ", folders.before);
  print_safely((out.text << ", ").dec(sum.only_after.size()) << " only in ", folders.after);
  out.text << '\n';
}

}  // namespace unshade::present
