#include "shader/run/outputs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/characters.hpp"
#include "shader/run/trace.hpp"

namespace unshade::shader::runner {

std::string output_key(const Value& map, const ir::Element& element, std::uint32_t row) {
  std::string key = semantic_key(element, row);
  const auto is_taken = [&] { return map.find(key) != nullptr || key == kDiscarded; };
  if (is_taken()) key += '@' + (element.first_register == ir::kNone ? std::string() : std::to_string(element.first_register + row));
  while (is_taken()) key += '@';
  return key;
}

void show_elements(const std::vector<ir::Element>& elements, std::uint32_t count, const std::vector<std::uint64_t>& values,
                   std::uint32_t lane, Value& to) {
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const ir::Element& element = elements[at];
    const std::uint32_t first = vm::component_of(elements, at);
    Value list = Value::list();
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k) {
      const std::uint64_t bits = values[std::size_t{first + k} * count + lane];
      list.push(shown(element.type, element.is_signed, bits));
      if ((k + 1) % element.columns == 0) to.add(output_key(to, element, k / element.columns), std::exchange(list, Value::list()));
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
    show_elements(module.signatures.output, 1, vertex.outputs, 0, one);
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
    for (const ir::Element& element : module.signatures.of(signature))
      for (std::uint32_t row = 0; row < element.rows && at < members.size(); ++row, ++at)
        made.push_back({signature, &element, row, &members[at], !has_stream || element.stream == stream});
  };
  if (kind != ResultRow::primitive) add(ir::SignatureKind::output);
  if (kind == ResultRow::primitive || (kind == ResultRow::lane && module.stage == Stage::hull)) add(ir::SignatureKind::patch);
  return made;
}

std::vector<ShownOutput> outputs_named(std::span<const ShownOutput> outputs, std::string_view name) {
  std::vector<ShownOutput> made;
  // `o10` is the semantic `o10` before it is the first of `o1`
  for (const NameKind kind : kNameKinds) {
    const ShownOutput* found = nullptr;
    NamedRow row;
    bool is_ambiguous = false;
    for (const ShownOutput& one : outputs) {
      if (!one.of_stream) continue;
      const auto named = row_named(*one.element, name, kind);
      if (!named || named->row != one.row) continue;
      is_ambiguous |= found != nullptr;
      if (found == nullptr) found = &one;
      if (found == &one) row = *named;
    }
    if (found != nullptr && !(is_ambiguous && kind == NameKind::alias)) {
      for (const ShownOutput& one : outputs)
        if (&one == found || (row.is_whole && one.element == found->element && one.of_stream)) made.push_back(one);
      return made;
    }
    if (kind != NameKind::semantic) continue;
    const auto of_result = std::ranges::find_if(outputs, [&](const ShownOutput& one) { return same_letters(name, one.member->key); });
    if (of_result != outputs.end() && of_result->of_stream) return {*of_result};
  }
  for (const ir::SignatureKind signature : {ir::SignatureKind::output, ir::SignatureKind::patch}) {
    if (!made.empty()) break;
    for (const ShownOutput& one : outputs) {
      const ir::Element& element = *one.element;
      if (one.signature != signature || element.first_register == ir::kNone || !one.of_stream || element.second_source) continue;
      if (row_in_register(element, name, 'o') == one.row) made.push_back(one);
    }
    std::ranges::sort(made, {}, [](const ShownOutput& one) { return one.element->first_column; });
  }
  return made;
}

}  // namespace unshade::shader::runner
