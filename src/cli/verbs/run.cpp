#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/run.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/io/png.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/yaml/yaml.hpp"

namespace unshade::cli::verbs::run {

namespace {

constexpr Option kEntry{"entry", 'e', Takes::text,
                        "NAME",  {},  "the entry point of a module with several (default: the case's, else the first)"};
constexpr Option kWave{"wave", 'w', Takes::text, "N", {}, "lanes of a wave: 4, 8, 16, 32, 64 or 128 (default: the case's, else 32)"};
constexpr Option kBudget{"budget", 0,  Takes::text,
                         "N",      {}, "operations that a wave may execute before it is stopped (default: 4294967296)"};
constexpr Option kProfile{"profile", 0, Takes::nothing, {}, {}, "how often each instruction ran, and with how many active lanes"};
constexpr Option kOptions[] = {kOptimize, kEntry, kWave, kBudget, kProfile, kJson};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Files that a case names stand beside it.
struct Files {
  Io& io;
  std::filesystem::path folder;
};

Result<std::vector<std::byte>> read_file(void* self, std::string_view path) {
  Files& files = *static_cast<Files*>(self);
  const std::string name = (files.folder / std::filesystem::path(path)).string();
  const auto size = Io::file_bytes(name);
  if (!size || *size > 0x4000'0000)
    return Error{ErrorCode::missing, 0, "", "the file `" + name + "` cannot be read, or is larger than 1 GiB"};
  auto bytes = files.io.read_range(name, 0, static_cast<std::size_t>(*size));
  if (!bytes) return Error{ErrorCode::missing, 0, "", "the file `" + name + "` cannot be read"};
  return std::move(*bytes);
}

void print_list(const Value& value, Printer& out) {
  bool first = true;
  for (const Value& one : *value.as_list()) {
    if (!first) out.text << ", ";
    first = false;
    if (const Real* const real = one.as_real()) {
      out.text.shortest(real->narrow);
    } else if (const Integer* const whole = one.as_integer()) {
      if (whole->negative) out.text << '-';
      out.text.dec(whole->magnitude);
    } else if (const std::string* const text = one.as_text()) {
      out.text << *text;
    }
  }
}

// Bytes of a resource as words: as f32 beside them.
void print_words(std::string_view hex, Printer& out) {
  constexpr std::size_t kShown = 64;
  std::vector<std::byte> bytes;
  from_hex(hex, bytes);
  const std::size_t words = bytes.size() / 4;
  for (std::size_t row = 0; row < words && row < kShown; row += 4) {
    out.text << "  ";
    out.text.hex(static_cast<std::uint32_t>(row * 4), 4);
    out.text << ' ';
    for (std::size_t at = row; at < std::min(words, row + 4); ++at) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at * 4, 4);
      out.text << "  ";
      out.text.hex(word, 8);
      float real = 0;
      std::memcpy(&real, &word, 4);
      out.text << " (";
      out.text.shortest(real);
      out.text << ')';
    }
    out.text << '\n';
  }
  if (words > kShown) {
    out.text << "  ... ";
    out.text.dec(words - kShown);
    out.text << " more words\n";
  }
}

void print_result(const Value& result, Io& io) {
  Printer& out = io.out;
  for (const std::string_view rows : {"lanes", "vertices"}) {
    const Value* const list = result.find(rows);
    if (list == nullptr) continue;
    std::size_t lane = 0;
    for (const Value& one : *list->as_list()) {
      out.paint(Paint::heading);
      out.text << (rows == "lanes" ? "lane " : "vertex ");
      out.text.dec(lane++);
      out.paint(Paint::plain);
      out.text << '\n';
      for (const Value::Member& member : *one.as_map()) {
        out.text << "  " << member.key << " = ";
        if (member.value.as_list() != nullptr) {
          print_list(member.value, out);
        } else if (const Integer* const whole = member.value.as_integer()) {
          out.text.dec(whole->magnitude);
        } else {
          out.text << "true";
        }
        out.text << '\n';
      }
    }
  }
  for (const Value::Member& member : *result.find("resources")->as_map()) {
    out.paint(Paint::heading);
    out.text << member.key;
    if (const Value* const name = member.value.find("name")) out.text << "  " << *name->as_text();
    out.paint(Paint::plain);
    out.text << '\n';
    print_words(*member.value.find("hex")->as_text(), out);
    if (const Value* const counter = member.value.find("counter")) {
      out.text << "  counter ";
      out.text.dec(counter->as_integer()->magnitude);
      out.text << '\n';
    }
  }
}

Exit run_shader(const Args& args, Io& io) {
  const auto input = io.read(args.operands[0]);
  if (!input) return input.exit;
  const auto opened = shader::open(input->view());
  if (!opened) return io.report(input->name, opened.error()), Exit::invalid;

  Value given = Value::map();
  Files files{io, {}};
  std::optional<Read> text;
  if (args.operands.size() > 1) {
    text = io.read_text(args.operands[1]);
    if (!*text) return text->exit;
    if (!io.accepts_text(**text)) return Exit::invalid;
    auto parsed = yaml::read_by_name((*text)->name, (*text)->view().text());
    if (!parsed) return yaml::report_in(io, **text, parsed.error()), Exit::invalid;
    given = std::move(*parsed);
    files.folder = std::filesystem::path(args.operands[1]).parent_path();
  }

  shader::RunOptions options;
  options.read_file = read_file;
  options.read_picture = [](void*, std::span<const std::byte> file) { return read_png(file); };
  options.self = &files;
  for (const auto& [option, store] : {std::pair{&kWave, 0}, std::pair{&kBudget, 1}}) {
    if (!args.has(option->name)) continue;
    const auto value = number(args.value(option->name));
    if (!value || *value == 0) {
      io.report({}, "usage", "--" + std::string(option->name) + " must be a whole number above 0");
      return Exit::failed;
    }
    if (store == 0) {
      options.wave = static_cast<unsigned>(std::min<std::uint64_t>(*value, 1024));
    } else {
      options.operations = *value;
    }
  }

  options.optimize = args.value(kOptimize.name) == "0" ? 0 : 1;
  shader::LowerOptions lowering;
  lowering.entry = args.value(kEntry.name);
  const Value* const entry = given.find("entry");
  if (lowering.entry.empty() && entry != nullptr && entry->as_text() != nullptr) lowering.entry = *entry->as_text();
  auto module = shader::lower(*opened, lowering);
  if (!module) return io.report(input->name, module.error()), Exit::invalid;
  const auto reflection = shader::reflect(*opened);
  if (reflection) options.reflection = &*reflection;
  vm::Profile profile;
  if (args.has(kProfile.name)) options.observer.profile = &profile;

  auto result = shader::run(std::move(*module), given, options);
  if (!result) {
    // the rest is said of the case
    const bool of_shader = !text || result.error().code == ErrorCode::unsupported;
    of_shader ? io.report(input->name, result.error()) : yaml::report_in(io, **text, result.error());
    return Exit::invalid;
  }
  const bool finished = *result->find("stop")->as_text() == "finished";
  if (args.has(kProfile.name)) {
    Value rows = Value::list();
    for (std::size_t at = 0; at < profile.waves.size(); ++at) {
      if (profile.waves[at] == 0) continue;
      Value row = Value::map();
      row.add("instruction", Value::integer(at));
      row.add("waves", Value::integer(profile.waves[at]));
      row.add("lanes", Value::integer(profile.lanes[at]));
      rows.push(std::move(row));
    }
    result->add("profile", std::move(rows));
  }
  if (args.has(kJson.name)) {
    Value document = Value::map();
    document.add("schema", Value::text("unshade.run/1"));
    for (Value::Member& member : *result->as_map()) document.add(member.key, std::move(member.value));
    Json json(io.out);
    yaml::write_value(document, json);
    io.out.text << '\n';
    return finished ? Exit::ok : Exit::invalid;
  }
  print_result(*result, io);
  if (args.has(kProfile.name)) {
    io.out.text << "instruction  waves  lanes\n";
    for (const Value& row : *result->find("profile")->as_list()) {
      for (const std::string_view name : {"instruction", "waves", "lanes"}) {
        io.out.text.dec(row.find(name)->as_integer()->magnitude);
        io.out.text << (name == "lanes" ? "\n" : "  ");
      }
    }
  }
  if (!finished) {
    const Value* const why = result->find("fault");
    io.report(input->name, "stopped", why != nullptr ? *why->as_text() : "a wave executed more operations than --budget allows");
    return Exit::invalid;
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade run shader.cso", "on inputs made up: buffers that count up, constants of zeros"},
    {"unshade run shader.cso case.toml", "on what the case gives"},
    {"unshade run --json --wave 64 shader.dxil case.json", "in waves of 64 lanes, the result as JSON"},
};

}  // namespace

const Verb kVerb{
    .name = "run",
    .summary = "run a shader on the CPU",
    .description =
        "Executes a shader without a GPU: a compute shader over a grid of thread groups, any other stage over lanes whose inputs the case "
        "gives. A case is TOML, YAML or JSON: constants by variable, resources by name or binding, inputs by semantic. Without one, "
        "everything "
        "is "
        "made up, so that there is something to see.",
    .operands = {"FILE [CASE]", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 the shader finished, 1 the file or the case is not valid, or the shader was stopped, 2 usage or I/O error",
    .run = run_shader,
};

}  // namespace unshade::cli::verbs::run
