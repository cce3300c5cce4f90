#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/present/run/run.hpp>
#include <unshade/present/value.hpp>
#include <unshade/run/run.hpp>

namespace unshade::present {

namespace {

/// Lanes that are shown.
constexpr std::size_t kMostLanes = 64;

}  // namespace

void print_result(const Value& result, Printer& out) {
  for (const auto& [rows, row] : run::kResultRows) {
    const Value* const list = result.find(rows);
    if (list == nullptr) continue;
    std::size_t lane = 0;
    for (const Value& one : *list->as_list()) {
      if (lane == kMostLanes) {
        out.text << "... ";
        out.text.dec(list->as_list()->size() - lane);
        out.text << " more\n";
        break;
      }
      out.paint(Paint::heading);
      out.text << row << ' ';
      out.text.dec(lane++);
      out.paint(Paint::plain);
      out.text << '\n';
      for (const Value::Member& member : *one.as_map()) {
        out.text << "  " << member.key << " = ";
        print_value(member.value, out.text);
        out.text << '\n';
      }
    }
  }
  for (const Value::Member& member : *result.find("resources")->as_map()) {
    out.paint(Paint::heading);
    if (const Value* const set = member.value.find("set")) {
      out.text << "set ";
      out.text.dec(set->as_integer()->magnitude) << ", binding ";
      out.text.dec(member.value.find("binding")->as_integer()->magnitude);
      if (const std::size_t index = member.key.find('['); index != std::string::npos)
        out.text << std::string_view(member.key).substr(index);
    } else {
      out.text << member.key;
    }
    if (const Value* const name = member.value.find("name")) out.text << "  " << *name->as_text();
    out.paint(Paint::plain);
    out.text << '\n';
    print_memory(member.value, out);
    if (const Value* const counter = member.value.find("counter")) {
      out.text << "  counter ";
      out.text.dec(counter->as_integer()->magnitude);
      out.text << '\n';
    }
  }
}

// A message in the words of the shader: its last line end is that of the line here, others are indented.
void print_messages(const Value& result, Printer& out) {
  const Value* const messages = result.find("messages");
  if (messages == nullptr) return;
  out.painted(Paint::heading, "messages");
  out.text << '\n';
  for (const Value& one : *messages->as_list()) {
    const Value* const thread = one.find("thread");
    out.text << (thread != nullptr ? "  thread " : "  lane ");
    if (thread != nullptr) {
      const Value::List& axes = *thread->as_list();
      for (const Value& axis : axes) (out.text << (&axis == axes.data() ? "" : " ")).dec(axis.as_integer()->magnitude);
    } else {
      out.text.dec(one.find("lane")->as_integer()->magnitude);
    }
    out.text << ": ";
    if (one.find("error") != nullptr) out.painted(Paint::error, "error: ");
    std::string_view text = *one.find("text")->as_text();
    if (text.ends_with('\n')) text.remove_suffix(1);
    for (bool first = true;; first = false) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      print_safely(out.text << (first ? "" : "    "), text.substr(0, end));
      out.text << '\n';
      if (end == text.size()) break;
      text.remove_prefix(end + 1);
    }
  }
  if (const Value* const more = result.find("more_messages")) {
    out.text << "... and ";
    out.text.dec(more->as_integer()->magnitude);
    out.text << " more messages\n";
  }
}

namespace {

// A mean with one digit behind the point.
void print_mean(std::uint64_t sum, std::uint64_t count, std::size_t width, Text& text) {
  const std::uint64_t tenths = (sum * 10 + count / 2) / count;
  text.dec(tenths / 10, width) << '.';
  text.dec(tenths % 10);
}

}  // namespace

void print_profile(const vm::Profile& profile, std::span<const std::string> lines, Printer& out) {
  const std::uint64_t most = profile.lanes.empty() ? 0 : *std::ranges::max_element(profile.lanes);
  const bool has_memory = std::ranges::any_of(profile.bytes, [](std::uint64_t bytes) { return bytes != 0; });
  const std::string_view no_memory = has_memory ? "                      " : "";
  out.paint(Paint::heading);
  out.text << "       waves   lanes  " << (has_memory ? "       bytes  ranges  " : "") << "instruction\n";
  out.paint(Paint::plain);
  for (std::size_t at = 0; at < std::max(lines.size(), profile.waves.size()); ++at) {
    const std::uint64_t waves = at < profile.waves.size() ? profile.waves[at] : 0;
    if (waves == 0) {
      out.text << "                      " << no_memory;
    } else {
      const std::uint64_t lanes = profile.lanes[at];
      out.paint(lanes * 4 >= most * 3 ? Paint::error : lanes * 4 >= most ? Paint::warning : Paint::value);
      out.text.dec(waves, 12) << ' ';
      print_mean(lanes, waves, 5, out.text);
      out.text << "  ";
      out.paint(Paint::plain);
      if (profile.bytes[at] != 0) {
        out.text.dec(profile.bytes[at], 12) << ' ';
        print_mean(profile.ranges[at], waves, 5, out.text);
        out.text << "  ";
      } else {
        out.text << no_memory;
      }
    }
    if (at < lines.size()) print_safely(out.text, lines[at]);
    out.text << '\n';
  }
}

Value profile_rows(const vm::Profile& profile, std::span<const std::string> lines) {
  Value rows = Value::list();
  for (std::size_t at = 0; at < profile.waves.size(); ++at) {
    if (profile.waves[at] == 0) continue;
    Value row = Value::map();
    row.add("instruction", Value::integer(at));
    if (at < lines.size()) row.add("text", Value::text(lines[at]));
    row.add("waves", Value::integer(profile.waves[at]));
    row.add("lanes", Value::integer(profile.lanes[at]));
    if (profile.bytes[at] != 0) {
      row.add("bytes", Value::integer(profile.bytes[at]));
      row.add("ranges", Value::integer(profile.ranges[at]));
    }
    rows.push(std::move(row));
  }
  return rows;
}

void print_result_files(std::span<const ResultFile> files, Printer& out) {
  for (const ResultFile& one : files) {
    print_safely(out.text, one.name);
    out.text << "  ";
    out.paint(Paint::value);
    out.text << one.type;
    out.paint(Paint::plain);
    out.text << " [";
    for (std::size_t k = 0; k < one.shape.size(); ++k) (out.text << (k == 0 ? "" : ", ")).dec(one.shape[k]);
    out.text << "]  ";
    print_safely(out.text, one.file);
    out.text << '\n';
  }
}

Value result_file_rows(std::span<const ResultFile> files) {
  Value all = Value::list();
  for (const ResultFile& one : files) {
    Value shape = Value::list();
    for (const std::uint64_t size : one.shape) shape.push(Value::integer(size));
    Value row = Value::map();
    row.add("name", Value::text(one.name));
    row.add("file", Value::text(one.file));
    row.add("type", Value::text(one.type));
    row.add("shape", std::move(shape));
    all.push(std::move(row));
  }
  return all;
}

}  // namespace unshade::present
