#include <unshade/present/summary.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace unshade::present {

namespace {

constexpr std::size_t kMaxName = 72;  // characters: longer names push their line to the right instead of all lines

std::string or_dash(std::string_view text) { return text.empty() ? "-" : std::string(text); }

std::string count(std::uint64_t value, std::string_view unit) {
  Text text;
  text.dec(value) << ' ' << unit;
  return text.str();
}

/// One line's texts, in the order of the columns.
struct Columns {
  static constexpr std::size_t kCount = 7;
  std::array<std::string, kCount> text;
  Paint digest = Paint::plain;
};

constexpr std::size_t kName = 0;
constexpr std::size_t kDigest = 5;
constexpr bool kRight[Columns::kCount] = {false, false, false, true, true, false, false};

Columns columns_of(const SummaryRow& row) {
  const shader::Summary& summary = row.summary;
  Columns columns;
  Text name;
  print_safely(name, row.file);
  Text creator;
  print_safely(creator, summary.creator);
  columns.text = {name.str(),
                  std::string(shader::id(summary.family)),
                  or_dash(summary.profile),
                  count(summary.size, "bytes"),
                  summary.instruction_count ? count(*summary.instruction_count, "instructions") : "-",
                  summary.digest ? "digest " + std::string(dxcontainer::id(*summary.digest)) : "-",
                  or_dash(creator.view())};
  if (summary.digest) {
    const bool good = *summary.digest == dxcontainer::DigestState::valid || *summary.digest == dxcontainer::DigestState::valid_debug;
    columns.digest = good ? Paint::good : *summary.digest == dxcontainer::DigestState::wrong ? Paint::error : Paint::warning;
  }
  return columns;
}

void print_parts(const shader::Summary& summary, Printer& out) {
  bool first = true;
  for (std::size_t i = 0; i < summary.parts.size(); ++i) {
    if (!first) out.text << ' ';
    first = false;
    out.painted(part_paint(i), summary.parts[i].fourcc);
    (out.text << ':').dec(summary.parts[i].size);
  }
  if (summary.trailing != 0) {
    (out.text << (first ? "" : " ") << "trailing:").dec(summary.trailing);
    first = false;
  }
  if (first) out.text << '-';
}

}  // namespace

void print_summaries(std::span<const SummaryRow> rows, Printer& out) {
  std::array<std::size_t, Columns::kCount> width{};
  for (const SummaryRow& row : rows) {
    const Columns columns = columns_of(row);
    for (std::size_t i = 0; i < Columns::kCount; ++i) {
      const std::size_t size = columns.text[i].size();
      if (i != kName || size <= kMaxName) width[i] = std::max(width[i], size);
    }
  }
  for (const SummaryRow& row : rows) {
    const Columns columns = columns_of(row);
    for (std::size_t i = 0; i < Columns::kCount; ++i) {
      const std::string& text = columns.text[i];
      const std::size_t blanks = width[i] > text.size() ? width[i] - text.size() : 0;
      if (kRight[i]) out.text.repeat(' ', blanks);
      out.painted(i == kName ? Paint::heading : i == kDigest ? columns.digest : Paint::plain, text);
      out.text.repeat(' ', kRight[i] ? 2 : blanks + 2);
    }
    print_parts(row.summary, out);
    out.text << '\n';
    if (!out.keep_going()) return;
  }
}

void write_summary(const SummaryRow& row, Json& json) {
  const shader::Summary& summary = row.summary;
  json.begin_object();
  json.member("file", row.file);
  json.member("family", shader::id(summary.family));
  json.text_or_null("stage", summary.stage);
  json.text_or_null("profile", summary.profile);
  json.text_or_null("creator", summary.creator);
  json.member("size", summary.size);
  json.key("instructions");
  summary.instruction_count ? json.number(std::uint64_t{*summary.instruction_count}) : json.null();
  json.text_or_null("digest", summary.digest ? dxcontainer::id(*summary.digest) : std::string_view());
  json.objects("parts", summary.parts, [&](const shader::PartSummary& part) {
    json.member("fourcc", part.fourcc);
    json.member("offset", part.offset);
    json.member("size", part.size);
  });
  json.member("trailing", summary.trailing);
  json.end_object();
}

}  // namespace unshade::present
