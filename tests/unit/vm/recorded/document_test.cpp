// docs/internals/recorded.md: its tables, figures and recordings are those of the code. UNSHADE_BLESS=1 writes them anew.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/recorded/recording.hpp>

#include "support/page_table.hpp"
#include "vm/kernel_list.hpp"
#include "vm/recorded/record.hpp"

namespace unshade::vm {
namespace {

using ir::recorded::info;
using ir::recorded::Lane;
using ir::recorded::Node;
using ir::recorded::Primitive;
using ir::recorded::Recording;
using ir::recorded::text;

constexpr std::string_view kPage = "docs/internals/recorded.md";
constexpr std::size_t kPrimitives = static_cast<std::size_t>(Primitive::second) + 1;

std::string types_text(std::uint8_t types) {
  std::string out;
  for (const Lane type : {Lane::i32, Lane::i64, Lane::f32, Lane::f64})
    if ((types >> static_cast<unsigned>(type) & 1) != 0) out += (out.empty() ? "" : " ") + std::string(text(type));
  return out;
}

/// Of all kernels, by their numbers.
std::map<std::size_t, Recording> all_recordings(Flushing flushing) {
  std::map<std::size_t, Recording> found;
  for (std::size_t number = 0; number < kKernelCount; ++number)
    if (auto made = record_kernel(number, extra_of_kernel(number, 31), flushing)) found.emplace(number, std::move(made->recording));
  return found;
}

/// What takes an instruction, or several.
bool is_operation(const Node& node) {
  return node.primitive != Primitive::operand && node.primitive != Primitive::constant && node.primitive != Primitive::bits;
}

TEST(RecordedDocument, ListsThePrimitives) {
  std::string rows;
  for (std::size_t at = 0; at < kPrimitives; ++at) {
    const auto& row = info(static_cast<Primitive>(at));
    rows += "| `" + std::string(row.text) + "` | `" + std::string(row.shape) + "` | " + types_text(row.types) +
            (row.from != 0 ? ", u: " + types_text(row.from) : "") + " | " + test::cell(row.meaning) + " |\n";
  }
  test::check_table(kPage, "| primitive | shape | types | meaning |\n|---|---|---|---|\n", rows);
}

TEST(RecordedDocument, HasTheFigures) {
  std::string cells[5];
  for (const Flushing flushing : {Flushing::by_mode, Flushing::by_rules}) {
    std::vector<std::size_t> counts;
    std::size_t all = 0, with_calls = 0;
    std::set<std::string> used;
    for (const auto& [number, recording] : all_recordings(flushing)) {
      std::size_t count = 0;
      bool calls = false;
      for (const Node& node : recording.nodes) {
        if (!is_operation(node)) continue;
        ++count;
        if (node.primitive == Primitive::call) calls = true;
        if (node.primitive == Primitive::call || node.primitive == Primitive::second) continue;
        const Lane from = recording.nodes[node.operands[0]].type;
        used.insert(std::string(info(node.primitive).text) + '.' + std::string(text(node.type)) + '.' + std::string(text(from)));
      }
      counts.push_back(count);
      all += count;
      with_calls += calls ? 1 : 0;
    }
    std::ranges::sort(counts);
    cells[0] += std::to_string(counts.size()) + " | ";
    cells[1] +=
        std::to_string(counts.front()) + ", " + std::to_string(counts[counts.size() / 2]) + ", " + std::to_string(counts.back()) + " | ";
    cells[2] += std::to_string(all) + " | ";
    cells[3] += std::to_string(used.size()) + " | ";
    cells[4] += std::to_string(with_calls) + " | ";
  }
  std::string rows;
  const std::string_view names[] = {"kernels", "operations of a kernel: least, median, most", "operations of all",
                                    "primitives with their types, without calls", "kernels with calls"};
  for (std::size_t at = 0; at < 5; ++at) rows += "| " + std::string(names[at]) + " | " + cells[at].substr(0, cells[at].size() - 1) + "\n";
  test::check_table(kPage, "| | by the mode | by rules |\n|---|---:|---:|\n", rows);
}

TEST(RecordedDocument, ListsTheCalls) {
  std::map<std::string, std::string> kernels;
  for (const auto& [number, recording] : all_recordings(Flushing::by_mode)) {
    for (const Node& node : recording.nodes) {
      if (node.primitive != Primitive::call) continue;
      std::string& all = kernels[std::string(text(node.function)) + '.' + std::string(text(node.type))];
      all += (all.empty() ? "`" : ", `") + kernel_name(number) + '`';
    }
  }
  std::string rows;
  for (const auto& [name, names] : kernels) rows += "| `" + name + "` | " + names + " |\n";
  test::check_table(kPage, "| call | kernels |\n|---|---|\n", rows);
}

TEST(RecordedDocument, ShowsRecordingsAsTheyAre) {
  for (const auto& [name, flushing, title] :
       {std::tuple{"fmin.f32", Flushing::by_mode, "fmin.f32"}, std::tuple{"fadd.f32", Flushing::by_rules, "fadd.f32 flushing"},
        std::tuple{"fsin.f32", Flushing::by_mode, "fsin.f32"}}) {
    std::optional<KernelRecording> made;
    for (std::size_t number = 0; number < kKernelCount && !made; ++number)
      if (kernel_name(number) == name) made = record_kernel(number, 0, flushing);
    ASSERT_TRUE(made) << name;
    const std::string text = print(made->recording, title);
    const std::string head = "recording " + std::string(title) + " {\n";
    test::check_page(kPage, head, "\n```", text.substr(head.size()));
  }
}

}  // namespace
}  // namespace unshade::vm
