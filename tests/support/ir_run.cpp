#include "support/ir_run.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/types.hpp>
#include <unshade/vm/machine.hpp>

#include "ir/text/literals.hpp"
#include "ir/words.hpp"

namespace unshade::test {

namespace {

/// A component of a signature, a builtin, or a buffer, with a value for each lane, or for each number of the buffer.
struct Values {
  enum class Place : std::uint8_t { input, output, patch, builtin, buffer, discarded } place = Place::input;
  std::string_view name;        // as the line has it
  std::uint32_t index = 0;      // of the component, builtin or resource
  std::uint32_t component = 0;  // of the builtin
  ir::Type type = ir::Type::b1;
  std::vector<std::uint64_t> bits;
};

std::string shown(const Values& values) {
  Text text;
  text << values.name;
  if (values.place == Values::Place::buffer) text << ' ' << ir::text(values.type);
  for (const std::uint64_t bits : values.bits) {
    text << ' ';
    ir::print_literal(text, values.type, bits);
  }
  return text.str();
}

std::string shown(const std::vector<Values>& list) {
  std::string text;
  for (const Values& values : list) text += (text.empty() ? "" : ", ") + shown(values);
  return text;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (const auto part = trimmed(text.substr(at, end - at)); !part.empty()) parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

/// A line, read for a module.
struct Line {
  std::uint32_t lanes = 0;
  std::array<std::uint32_t, 3> groups{1, 1, 1};
  std::uint32_t wave = 0;
  std::uint32_t function = 0;
  std::vector<Values> given, expected;
};

class Reader {
 public:
  Reader(std::string_view text, const ir::Module& module) : text_(text), module_(module) {}

  /// What is wrong with the line, or nothing.
  std::string read(Line& line) {
    constexpr std::string_view kRun = "run(", kEquals = "==";
    const std::size_t equals = text_.find(kEquals);
    const std::size_t close = equals == text_.npos ? text_.npos : text_.rfind(')', equals);
    if (!text_.starts_with(kRun) || close == text_.npos) return "run(...) == ...";
    for (const auto item : split_at(text_.substr(kRun.size(), close - kRun.size()), ',')) read_item(item, line, line.given);
    for (const auto item : split_at(text_.substr(equals + kEquals.size()), ',')) read_item(item, line, line.expected);
    if (fault_.empty() && line.expected.empty()) return "a result after ==";
    if (line.lanes == 0) {
      line.lanes = 1;
      for (const auto* list : {&line.given, &line.expected})
        for (const Values& values : *list)
          if (values.place != Values::Place::buffer) line.lanes = std::max(line.lanes, static_cast<std::uint32_t>(values.bits.size()));
    }
    for (auto* list : {&line.given, &line.expected})
      for (Values& values : *list) spread(values, line.lanes);
    return fault_;
  }

 private:
  void fail(std::string expected) {
    if (fault_.empty()) fault_ = std::move(expected);
  }
  std::uint32_t number(std::string_view text) {
    const auto value = as_number<std::uint32_t>(text);
    if (!value) fail("a number, found " + std::string(text));
    return value.value_or(0);
  }

  void read_item(std::string_view item, Line& line, std::vector<Values>& list) {
    const auto words = split_at(item, ' ');
    const std::string_view word = words[0];
    const bool has_one = words.size() == 2;
    if (word == "lanes" && has_one) {
      line.lanes = number(words[1]);
    } else if (word == "wave" && has_one) {
      line.wave = number(words[1]);
    } else if (word == "function" && has_one) {
      const auto found = std::ranges::find(module_.functions, words[1].substr(words[1].starts_with('@') ? 1 : 0), &ir::Function::name);
      if (found == module_.functions.end()) return fail("a function of the module, found " + std::string(words[1]));
      line.function = static_cast<std::uint32_t>(found - module_.functions.begin());
    } else if (word == "groups" && words.size() >= 2 && words.size() <= 4) {
      for (std::size_t k = 1; k < words.size(); ++k) line.groups[k - 1] = number(words[k]);
    } else {
      Values& values = list.emplace_back();
      values.name = word;
      std::size_t first = 1;
      if (word.starts_with('@')) {
        find_buffer(values, words.size() > 1 ? words[1] : std::string_view());
        first = 2;
      } else if (word == "discarded") {
        values.place = Values::Place::discarded;
      } else {
        find_component(values);
      }
      if (!fault_.empty()) return;
      for (std::size_t k = first; k < words.size(); ++k) {
        const auto bits = ir::parse_literal(values.type, words[k]);
        if (!bits) return fail("a value of type " + std::string(ir::text(values.type)) + ", found " + std::string(words[k]));
        values.bits.push_back(*bits);
      }
      if (values.bits.empty()) fail("values after " + std::string(word));
    }
  }

  void find_buffer(Values& values, std::string_view type) {
    values.place = Values::Place::buffer;
    const auto found = std::ranges::find(module_.resources, values.name.substr(1), &ir::Resource::name);
    if (found == module_.resources.end()) return fail("a resource of the module, found " + std::string(values.name));
    values.index = static_cast<std::uint32_t>(found - module_.resources.begin());
    const auto known = ir::type_of(type);
    if (!known || ir::bit_width(*known) < 8 || *known == ir::Type::f24) return fail("a type after " + std::string(values.name));
    values.type = *known;
  }

  // `in0.x`, of an array `in0[2].x`; `thread_id.x`
  void find_component(Values& values) {
    std::string_view name = values.name;
    const std::size_t dot = std::min(name.rfind('.'), name.size());
    const auto column = name.size() == dot + 2 ? std::string_view("xyzw").find(name[dot + 1]) : dot == name.size() ? 0 : name.npos;
    name = name.substr(0, dot);
    if (const auto builtin = ir::words::value_of<ir::Builtin>(name); builtin && column < ir::info(*builtin).components) {
      values.place = Values::Place::builtin;
      values.index = static_cast<std::uint32_t>(*builtin);
      values.component = static_cast<std::uint32_t>(column);
      values.type = ir::info(*builtin).type;
      return;
    }
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    const std::size_t bracket = std::min(name.find('['), name.size());
    const auto kind = ir::words::value_of<ir::SignatureKind>(name.substr(0, digits));
    const auto index = as_number<std::uint32_t>(name.substr(digits, bracket - digits));
    const auto row = bracket == name.size() ? std::optional<std::uint32_t>(0)
                                            : as_number<std::uint32_t>(name.substr(bracket + 1, name.size() - bracket - 2));
    const auto* const elements = kind ? &module_.signatures.of(*kind) : nullptr;
    if (elements == nullptr || !index || !row || *index >= elements->size() || *row >= (*elements)[*index].rows ||
        column >= (*elements)[*index].columns) {
      return fail("an element of a signature, a builtin or a resource of the module, found " + std::string(values.name));
    }
    const ir::Element& element = (*elements)[*index];
    values.place = *kind == ir::SignatureKind::input    ? Values::Place::input
                   : *kind == ir::SignatureKind::output ? Values::Place::output
                                                        : Values::Place::patch;
    values.index = vm::component_of(*elements, *index) + *row * element.columns + static_cast<std::uint32_t>(column);
    values.type = element.type;
  }

  // One value is that of all lanes.
  void spread(Values& values, std::uint32_t lanes) {
    if (values.place == Values::Place::buffer) return;
    if (values.bits.size() == 1) values.bits.resize(lanes, values.bits[0]);
    if (values.bits.size() != lanes)
      fail("one value of " + std::string(values.name) + " or " + std::to_string(lanes) + ", found " + std::to_string(values.bits.size()));
  }

  std::string_view text_;
  const ir::Module& module_;
  std::string fault_;
};

/// Operations that a run may take, so that a loop without an end is a fault.
constexpr vm::Limits kLimits{.operations = 1U << 20};

/// What one run gives.
class Execution {
 public:
  Execution(const Line& line, const vm::Program& program) : line_(line), module_(program.module()), memory_(module_.resources.size()) {
    resources_ = vm::empty_resources(module_);
    for (const auto* list : {&line_.expected, &line_.given})
      for (const Values& values : *list)
        if (values.place == Values::Place::buffer) bind(values, list == &line_.given);
  }

  std::string run(const vm::Program& program, bool is_watched) {
    vm::Profile profile;
    vm::Observer observer;
    if (is_watched) observer.profile = &profile;
    std::optional<Result<vm::Report>> report;
    if (vm::runs_in_groups(module_.stage)) {
      report = vm::dispatch(program, resources_, line_.groups, kLimits, observer);
    } else {
      give_lanes();
      report = vm::run_lanes(program, resources_, lanes_, kLimits, observer);
    }
    if (!*report) return to_string(report->error());
    if ((*report)->stop != vm::Stop::finished) return std::string(id((*report)->stop)) + ": " + (*report)->fault;
    std::vector<Values> got = line_.expected;
    for (Values& values : got) read(values);
    return shown(got);
  }

 private:
  // Buffers that only results name have zeros.
  void bind(const Values& values, bool is_given) {
    auto& bytes = memory_[values.index];
    const std::size_t width = ir::bit_width(values.type) / 8;
    bytes.assign(std::max(bytes.size(), values.bits.size() * width), std::byte{0});
    for (std::size_t k = 0; is_given && k < values.bits.size() * width; ++k)
      bytes[k] = static_cast<std::byte>(values.bits[k / width] >> k % width * 8);
    auto& row = resources_.rows[values.index];
    row.resize(1);
    row[0].bytes = bytes;
    row[0].stride = module_.resources[values.index].stride;
  }

  void give_lanes() {
    lanes_.count = line_.lanes;
    lanes_.inputs.resize(std::size_t{vm::components_of(module_.signatures.input)} * line_.lanes);
    if (module_.stage == Stage::domain) lanes_.patch.resize(std::size_t{vm::components_of(module_.signatures.patch)} * line_.lanes);
    lanes_.builtins.resize(ir::kBuiltinCount);
    for (const Values& values : line_.given) {
      if (values.place == Values::Place::buffer) continue;
      auto& to = values.place == Values::Place::builtin ? lanes_.builtins[values.index]
                 : values.place == Values::Place::patch ? lanes_.patch
                                                        : lanes_.inputs;
      const bool is_builtin = values.place == Values::Place::builtin;
      if (is_builtin) to.resize(std::size_t{ir::info(static_cast<ir::Builtin>(values.index)).components} * line_.lanes);
      const std::size_t first = std::size_t{is_builtin ? values.component : values.index} * line_.lanes;
      for (std::size_t lane = 0; lane < values.bits.size() && first + lane < to.size(); ++lane) to[first + lane] = values.bits[lane];
    }
  }

  void read(Values& values) const {
    if (values.place == Values::Place::buffer) {
      const auto& bytes = memory_[values.index];
      const std::size_t width = ir::bit_width(values.type) / 8;
      std::ranges::fill(values.bits, 0);
      for (std::size_t k = 0; k < values.bits.size() * width; ++k)
        values.bits[k / width] |= std::to_integer<std::uint64_t>(bytes[k]) << k % width * 8;
      return;
    }
    for (std::size_t lane = 0; lane < values.bits.size(); ++lane) {
      const auto& from = values.place == Values::Place::patch ? lanes_.patch : lanes_.outputs;
      const std::size_t at = std::size_t{values.index} * line_.lanes + lane;
      values.bits[lane] = values.place == Values::Place::discarded ? lane < lanes_.discarded.size() && lanes_.discarded[lane]
                          : at < from.size()                       ? from[at]
                                                                   : 0;
    }
  }

  const Line& line_;
  const ir::Module& module_;
  std::vector<std::vector<std::byte>> memory_;  // by resource
  vm::Resources resources_;
  vm::Lanes lanes_;
};

}  // namespace

std::optional<RunFault> run_ir(std::string_view text, const Validated<ir::Module>& module) {
  Line line;
  if (auto fault = Reader(text, *module).read(line); !fault.empty()) return RunFault{std::move(fault), std::string(text)};
  const std::string expected = shown(line.expected);
  for (const unsigned wave : {4U, 32U, 128U}) {
    const bool is_allowed = wave >= module->modes.wave_min && wave <= module->modes.wave_max;
    if (line.wave != 0 ? wave != 4 : !is_allowed) continue;
    const unsigned size = line.wave != 0 ? line.wave : wave;
    const auto program = vm::prepare(module, {.wave = size, .function = line.function});
    if (!program) return RunFault{expected, to_string(program.error())};
    for (const bool is_watched : {false, true}) {
      const std::string got = Execution(line, *program).run(*program, is_watched);
      if (got != expected) return RunFault{expected, got + " (waves of " + std::to_string(size) + (is_watched ? ", watched)" : ")")};
    }
  }
  return std::nullopt;
}

}  // namespace unshade::test
