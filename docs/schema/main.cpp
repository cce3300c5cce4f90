// Makes the tables of docs/reference/formats from the code:
//   unshade_schema                  prints every table
//   unshade_schema --check PAGE...  exit 1 where a page shows a table other than the code's, or a table is in none of the pages
//   unshade_schema --write PAGE...  puts the code's tables into the pages
// A page that ends in .json is docs/reference/json/document.schema.json, which is made as a whole, as are the patterns of
// packaging/patterns. In a page a table stands between lines `<!-- table NAME -->` and `<!-- end -->`.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "document_schema.hpp"
#include "patterns.hpp"
#include "tables.hpp"

namespace unshade::docs {

void keep_first_table(Text& out, std::string_view printed) {
  printed.remove_prefix(std::min(printed.find("| offset |"), printed.size()));
  printed = printed.substr(0, printed.find("\n\n") == std::string_view::npos ? printed.size() : printed.find("\n\n") + 1);
  // A size that only the model knows shows as 0.
  constexpr std::string_view kNoSize = "records of 0 bytes";
  if (const auto at = printed.find(kNoSize); at != std::string_view::npos) {
    out << printed.substr(0, at) << "bytes";
    printed.remove_prefix(at + kNoSize.size());
  }
  out << printed;
}

namespace {

// At the start of a line: elsewhere it is only mentioned.
constexpr std::string_view kBegin = "\n<!-- table ";
constexpr std::string_view kBeginEnd = " -->";
constexpr std::string_view kEnd = "\n<!-- end -->";

std::vector<Table> all_tables() {
  std::vector<Table> tables;
  for (const auto& some : {container_tables(), dxbc_tables(), debug_tables(), dxil_tables(), token_tables(), dxil_operation_tables(),
                           pica_tables(), vbc_tables()})
    tables.insert(tables.end(), some.begin(), some.end());
  return tables;
}

// From the line end in front of the table to its last row.
std::optional<std::string> text_of(std::string_view name) {
  for (const Table& table : all_tables()) {
    if (table.name != name) continue;
    Text text;
    text << '\n';
    table.print(text);
    text.truncate(text.size() - 1);
    return text.str();
  }
  return std::nullopt;
}

std::optional<std::string> read_file(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) != 0;) text.append(buffer, got);
  std::fclose(file);
  return text;
}

bool write_file(const char* path, std::string_view text) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

// A page with the code's tables in it. Faults are printed.
struct Page {
  std::string text;
  std::set<std::string, std::less<>> shown;
  std::vector<std::string> differing;
  bool broken = false;
};

Page with_tables(const char* path, std::string_view text) {
  Page page;
  const auto fault = [&](const std::string& message) {
    std::fprintf(stderr, "%s: %s\n", path, message.c_str());
    page.broken = true;
  };
  while (!text.empty()) {
    const auto begin = text.find(kBegin);
    if (begin == std::string_view::npos) break;
    const auto name_from = begin + kBegin.size();
    const auto name_end = text.find(kBeginEnd, name_from);
    const auto line_end = text.find('\n', name_from);
    const auto end = text.find(kEnd, name_from);
    if (name_end == std::string_view::npos || line_end == std::string_view::npos || end == std::string_view::npos || name_end > line_end) {
      fault("a table without its end");
      break;
    }
    const std::string name(text.substr(name_from, name_end - name_from));
    const auto current = text_of(name);
    if (!current) fault("the code knows no table " + name);
    const std::string_view shown = text.substr(line_end, end - line_end);
    page.text += text.substr(0, line_end);
    page.text += current ? std::string_view(*current) : shown;
    page.text += kEnd;
    page.shown.insert(name);
    if (current && *current != shown) page.differing.push_back(name);
    text.remove_prefix(end + kEnd.size());
  }
  page.text += text;
  return page;
}

/// The text of a file that is made as a whole.
std::optional<std::string> whole_text(std::string_view path) {
  if (path.ends_with(".json")) return document_schema();
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  for (const PatternFile& file : pattern_files())
    if (file.name == name) return file.text();
  return std::nullopt;
}

int run(bool write, char** paths, int count) {
  std::set<std::string, std::less<>> shown;
  bool fine = true;
  for (int i = 0; i < count; ++i) {
    const auto text = read_file(paths[i]);
    if (!text) {
      std::fprintf(stderr, "%s: cannot be read\n", paths[i]);
      return 2;
    }
    if (const auto whole = whole_text(paths[i])) {
      if (*whole == *text) continue;
      if (!write) {
        std::fprintf(stderr, "%s: not what the code says; `cmake --build BUILD --target docs_tables` rewrites it\n", paths[i]);
        fine = false;
      } else if (!write_file(paths[i], *whole)) {
        std::fprintf(stderr, "%s: cannot be written\n", paths[i]);
        return 2;
      }
      continue;
    }
    const Page page = with_tables(paths[i], *text);
    fine = fine && !page.broken;
    shown.insert(page.shown.begin(), page.shown.end());
    for (const std::string& name : page.differing) {
      if (write) break;
      std::fprintf(stderr, "%s: table %s is not what the code says; `cmake --build BUILD --target docs_tables` rewrites it\n", paths[i],
                   name.c_str());
      fine = false;
    }
    if (write && page.text != *text && !write_file(paths[i], page.text)) {
      std::fprintf(stderr, "%s: cannot be written\n", paths[i]);
      return 2;
    }
  }
  for (const Table& table : all_tables()) {
    if (shown.contains(table.name)) continue;
    std::fprintf(stderr, "table %.*s is in none of the pages\n", static_cast<int>(table.name.size()), table.name.data());
    fine = false;
  }
  return fine ? 0 : 1;
}

int print_all() {
  Text out;
  for (const Table& table : all_tables()) {
    out << kBegin << table.name << kBeginEnd << text_of(table.name).value_or("") << kEnd << '\n';
  }
  return std::fwrite(out.view().data(), 1, out.size(), stdout) == out.size() ? 0 : 2;
}

}  // namespace

}  // namespace unshade::docs

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (argc == 1) return unshade::docs::print_all();
  if (argc > 2 && mode == "--check") return unshade::docs::run(false, argv + 2, argc - 2);
  if (argc > 2 && mode == "--write") return unshade::docs::run(true, argv + 2, argc - 2);
  std::fprintf(stderr, "unshade_schema [--check PAGE... | --write PAGE...]\n");
  return 2;
}
