#include <unshade/run/outputs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <set>
#include <utility>

#include <unshade/core/text/characters.hpp>
#include <unshade/run/trace.hpp>

namespace unshade::run {

namespace {

// `TEXCOORD@4`: a row with its register.
std::string key_with_register(const ir::Element& element, std::uint32_t row) {
  return semantic_key(element, row) + '@' +
         (element.first_register == ir::kNone ? std::string() : std::to_string(element.first_register + row));
}

// Whether another variable of the stream has the name.
bool shares_name(const std::vector<ir::Element>& elements, std::size_t at) {
  const ir::Element& own = elements[at];
  if (!own.has_plain_name()) return false;
  const auto same = [&](const ir::Element& one) {
    return &one != &own && one.stream == own.stream && one.has_plain_name() && one.semantic == own.semantic;
  };
  return std::ranges::any_of(elements, same);
}

// `has`: whether a key is there.
template <class Has>
std::string new_key(const Has& has, const std::vector<ir::Element>& elements, std::size_t at, std::uint32_t row) {
  std::string key = semantic_key(elements[at], row);
  const auto is_taken = [&] { return has(key) || key == kDiscarded; };
  if (is_taken() || shares_name(elements, at)) key = key_with_register(elements[at], row);
  while (is_taken()) key += '@';
  return key;
}

}  // namespace

std::string output_key(const Value& map, const std::vector<ir::Element>& elements, std::size_t at, std::uint32_t row) {
  return new_key([&](const std::string& key) { return map.find(key) != nullptr; }, elements, at, row);
}

void show_elements(const std::vector<ir::Element>& elements, std::uint32_t count, const std::vector<std::uint64_t>& values,
                   std::uint32_t lane, Value& to, std::optional<std::uint32_t> stream) {
  // looking through the map for each row would take quadratic time
  std::set<std::string, std::less<>> taken;
  for (const Value::Member& one : *to.as_map()) taken.insert(one.key);
  const auto has = [&](const std::string& key) { return taken.contains(key); };
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const ir::Element& element = elements[at];
    if (stream && element.stream != *stream) continue;
    const std::uint32_t first = vm::component_of(elements, at);
    Value list = Value::list();
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k) {
      const std::uint64_t bits = values[std::size_t{first + k} * count + lane];
      list.push(shown(element.type, element.is_signed, bits));
      if ((k + 1) % element.columns != 0) continue;
      std::string key = new_key(has, elements, at, k / element.columns);
      taken.insert(key);
      to.add(std::move(key), std::exchange(list, Value::list()));
    }
  }
}

Value shown_vertex(const ir::Module& module, const vm::Lanes::Vertex& vertex) {
  Value one = Value::map();
  one.add("lane", Value::integer(vertex.lane));
  if (vertex.stream != 0) one.add("stream", Value::integer(vertex.stream));
  if (vertex.cut) {
    one.add("cut", Value::boolean(true));
  } else {
    show_elements(module.signatures.output, 1, vertex.outputs, 0, one, vertex.stream);
  }
  return one;
}

void show_messages(const ir::Module& module, const vm::Report& report, Value& result) {
  const auto list_of = [](const std::array<std::uint32_t, 3>& numbers) {
    return Value::list({Value::integer(numbers[0]), Value::integer(numbers[1]), Value::integer(numbers[2])});
  };
  if (report.messages.empty() && report.more_messages == 0) return;
  Value all = Value::list();
  for (const vm::Printed& printed : report.messages) {
    Value one = Value::map();
    if (vm::runs_in_groups(module.stage)) {
      const auto& size = module.info.group_size;
      auto thread = ir::thread_of_lane(module.info, printed.lane);
      for (std::size_t axis = 0; axis < thread.size(); ++axis) thread[axis] += printed.group[axis] * size[axis];
      one.add("group", list_of(printed.group));
      one.add("thread", list_of(thread));
    }
    one.add("lane", Value::integer(printed.lane));
    if (printed.source.instruction != ir::kNone) one.add("instruction", Value::integer(printed.source.instruction));
    if (module.messages[printed.message].kind == ir::MessageKind::errorf) one.add("error", Value::boolean(true));
    one.add("text", Value::text(vm::text_of(module, printed)));
    all.push(std::move(one));
  }
  result.add("messages", std::move(all));
  if (report.more_messages != 0) result.add("more_messages", Value::integer(report.more_messages));
}

ResultRow result_row(std::string_view rows) {
  return rows == "lanes" ? ResultRow::lane : rows == "vertices" ? ResultRow::vertex : ResultRow::primitive;
}

std::span<const Value::Member> members_before_outputs(const ir::Module& module, ResultRow kind, const Value& map) {
  const std::span<const Value::Member> members = *map.as_map();
  if (module.stage == Stage::amplification) return members;
  if (module.stage == Stage::mesh) return members.first(std::min<std::size_t>(members.size(), kind == ResultRow::primitive ? 2 : 1));
  std::size_t count = 0;
  while (kind == ResultRow::vertex && count < members.size() && members[count].value.as_list() == nullptr) ++count;
  return members.first(count);
}

std::vector<ShownOutput> shown_outputs(const ir::Module& module, ResultRow kind, const Value& map) {
  std::vector<ShownOutput> made;
  const Value::Map& members = *map.as_map();
  std::size_t at = members_before_outputs(module, kind, map).size();
  const bool has_stream = module.stage == Stage::geometry && kind == ResultRow::vertex;
  const Value* const stated = has_stream ? map.find("stream") : nullptr;
  const std::uint64_t stream = stated == nullptr || stated->as_integer() == nullptr ? 0 : stated->as_integer()->magnitude;
  const auto add = [&](ir::SignatureKind signature) {
    for (const ir::Element& element : module.signatures.of(signature)) {
      const bool is_shown = !has_stream || element.stream == stream;
      for (std::uint32_t row = 0; row < element.rows && (!is_shown || at < members.size()); ++row)
        made.push_back({signature, &element, row, is_shown ? &members[at++] : nullptr});
    }
  };
  if (kind != ResultRow::primitive) add(ir::SignatureKind::output);
  if (kind == ResultRow::primitive || (kind == ResultRow::lane && module.stage == Stage::hull)) add(ir::SignatureKind::patch);
  return made;
}

namespace {

// The outputs that a name means in one way, each by the first of its rows that has it.
struct NamedOutput {
  const ShownOutput* output = nullptr;
  bool is_whole = false;
};
std::vector<NamedOutput> named_in(std::span<const ShownOutput> outputs, std::string_view name, NameKind kind) {
  std::vector<NamedOutput> made;
  for (const ShownOutput& one : outputs) {
    if (one.member == nullptr) continue;
    const auto named = row_named(*one.element, name, kind);
    if (named && named->row == one.row) made.push_back({&one, named->is_whole});
  }
  return made;
}

// Whether several variables of SPIR-V have a name. Of equal semantics, the first has it alone in results; so do signatures.
bool is_ambiguous(std::span<const NamedOutput> named, NameKind kind) {
  if (named.size() < 2 || kind == NameKind::alias) return named.size() > 1;
  return std::ranges::count_if(named, [&](const NamedOutput& one) {
           return one.output->element->has_plain_name() && one.output->signature == named.front().output->signature;
         }) > 1;
}

std::vector<ShownOutput> in_register(std::span<const ShownOutput> outputs, std::string_view name) {
  std::vector<ShownOutput> made;
  for (const ir::SignatureKind signature : {ir::SignatureKind::output, ir::SignatureKind::patch}) {
    if (!made.empty()) break;
    for (const ShownOutput& one : outputs) {
      const ir::Element& element = *one.element;
      if (one.signature != signature || element.first_register == ir::kNone || one.member == nullptr || element.second_source) continue;
      if (row_in_register(element, name, 'o') == one.row) made.push_back(one);
    }
    std::ranges::sort(made, {}, [](const ShownOutput& one) { return one.element->first_column; });
  }
  return made;
}

}  // namespace

std::vector<ShownOutput> outputs_named(std::span<const ShownOutput> outputs, std::string_view name) {
  // `o10` is the semantic `o10` before it is the first of `o1`
  for (const NameKind kind : kNameKinds) {
    const std::vector<NamedOutput> named = named_in(outputs, name, kind);
    if (is_ambiguous(named, kind) && kind != NameKind::alias) return {};
    if (!named.empty() && !is_ambiguous(named, kind)) {
      const auto [found, is_whole] = named.front();
      std::vector<ShownOutput> made;
      for (const ShownOutput& one : outputs)
        if (&one == found || (is_whole && one.element == found->element && one.member != nullptr)) made.push_back(one);
      return made;
    }
    if (kind != NameKind::semantic) continue;
    const auto of_result =
        std::ranges::find_if(outputs, [&](const ShownOutput& one) { return one.member != nullptr && same_letters(name, one.member->key); });
    if (of_result != outputs.end()) return {*of_result};
    if (name.find('@') == std::string_view::npos) continue;
    // alone in its stream, it has the name without the register
    const auto by_register = std::ranges::find_if(outputs, [&](const ShownOutput& one) {
      return one.member != nullptr && same_letters(name, key_with_register(*one.element, one.row));
    });
    if (by_register != outputs.end()) return {*by_register};
  }
  return in_register(outputs, name);
}

std::string several_outputs(std::span<const ShownOutput> outputs, std::string_view name) {
  if (!outputs_named(outputs, name).empty()) return {};
  for (const NameKind kind : kNameKinds) {
    const std::vector<NamedOutput> all = named_in(outputs, name, kind);
    if (all.empty()) continue;
    std::vector<std::string> names;
    for (const NamedOutput& one : all) {
      const ir::Element& element = *one.output->element;
      const std::string of_register =
          (element.variable.empty() ? "o" : "location") + std::to_string(std::uint64_t{element.first_register} + one.output->row);
      for (const std::string& own :
           {one.is_whole ? element.semantic : semantic_key(element, one.output->row), of_register, one.output->member->key}) {
        const std::vector<ShownOutput> named = outputs_named(outputs, own);
        if (named.empty() || named.front().element != &element) continue;
        if (std::ranges::find(names, own) == names.end()) names.push_back(own);
        break;
      }
    }
    return "several outputs have this name" + listed(names);
  }
  return {};
}

bool is_of_other_stream(std::span<const ShownOutput> outputs, std::string_view name) {
  std::vector<ShownOutput> others;
  std::deque<Value::Member> members;
  for (const ShownOutput& one : outputs) {
    if (one.member != nullptr) continue;
    others.push_back(one);
    others.back().member = &members.emplace_back(Value::Member{semantic_key(*one.element, one.row), Value(), 0});
  }
  return !outputs_named(others, name).empty();
}

}  // namespace unshade::run
