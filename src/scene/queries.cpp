// Queries of passes, in the words of Direct3D. src: d3d11.h, D3D11_QUERY; d3d12.h, D3D12_QUERY_TYPE, D3D12_PREDICATION_OP
#include <algorithm>

#include <unshade/run/fields.hpp>
#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;

Value occlusion(const draw::Statistics& counts, std::size_t) { return Value::integer(counts.samples_passed); }
Value any_occlusion(const draw::Statistics& counts, std::size_t) { return Value::boolean(counts.samples_passed != 0); }
Value pipeline_statistics(const draw::Statistics& counts, std::size_t) {
  Value made = Value::map();
  for (const draw::StatisticsRow& row : draw::statistics_rows())
    if (!row.query.empty()) made.add(std::string(row.query), Value::integer(counts.*row.count));
  return made;
}
Value stream_statistics(const draw::Statistics& counts, std::size_t stream) {
  Value made = Value::map();
  made.add("NumPrimitivesWritten", Value::integer(counts.streams[stream].written));
  made.add("PrimitivesStorageNeeded", Value::integer(counts.streams[stream].needed));
  return made;
}
Value stream_overflow(const draw::Statistics& counts, std::size_t stream) {
  return Value::boolean(counts.streams[stream].needed > counts.streams[stream].written);
}
Value any_overflow(const draw::Statistics& counts, std::size_t) {
  return Value::boolean(std::ranges::any_of(counts.streams, [](const draw::StreamCounts& one) { return one.needed > one.written; }));
}

struct QueryType {
  std::string_view name;
  Value (*result)(const draw::Statistics& counts, std::size_t stream);
  std::size_t stream = 0;
};
constexpr QueryType kQueryTypes[] = {
    {"OCCLUSION", occlusion},
    {"BINARY_OCCLUSION", any_occlusion},
    {"OCCLUSION_PREDICATE", any_occlusion},
    {"PIPELINE_STATISTICS", pipeline_statistics},
    {"SO_STATISTICS_STREAM0", stream_statistics, 0},
    {"SO_STATISTICS_STREAM1", stream_statistics, 1},
    {"SO_STATISTICS_STREAM2", stream_statistics, 2},
    {"SO_STATISTICS_STREAM3", stream_statistics, 3},
    {"SO_OVERFLOW_PREDICATE", any_overflow},
    {"SO_OVERFLOW_PREDICATE_STREAM0", stream_overflow, 0},
    {"SO_OVERFLOW_PREDICATE_STREAM1", stream_overflow, 1},
    {"SO_OVERFLOW_PREDICATE_STREAM2", stream_overflow, 2},
    {"SO_OVERFLOW_PREDICATE_STREAM3", stream_overflow, 3},
};

// Whether what a query found is 0; nothing of maps.
std::optional<bool> is_zero(const Value& result) {
  if (const Integer* const number = result.as_integer()) return number->magnitude == 0;
  if (const bool* const truth = result.as_boolean()) return !*truth;
  return std::nullopt;
}

}  // namespace

Result<void> Queries::add(const Value& given, const draw::Statistics& counts) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map of names of queries to their types");
  for (const Value::Member& one : *given.as_map()) {
    const auto* const type = std::ranges::find_if(
        kQueryTypes, [&](const QueryType& row) { return one.value.as_text() != nullptr && *one.value.as_text() == row.name; });
    if (type == std::end(kQueryTypes)) {
      std::string names;
      for (const QueryType& row : kQueryTypes) names += (names.empty() ? "" : ", ") + std::string(row.name);
      return fault(one.value, one.key, "expected one of " + names);
    }
    const auto number = static_cast<std::size_t>(type - kQueryTypes);
    const auto place = names_.find(queries_, one.key, &Query::name);
    Query& known = place ? queries_[*place] : queries_.emplace_back(Query{one.key, number, {}});
    if (known.type != number)
      return fault(one.value, one.key, "an earlier pass has this query as " + std::string(kQueryTypes[known.type].name));
    known.counts.add(counts);
  }
  return {};
}

Result<bool> Queries::skips(const Value& given) const {
  struct Fields {
    const Value* query = nullptr;
    bool if_zero = true;
  };
  static constexpr run::Word<bool> kOperations[] = {{"EQUAL_ZERO", true}, {"NOT_EQUAL_ZERO", false}};
  static constexpr run::Field<Fields> kFields[] = {
      {"query", [](const Value& value, Fields& to) -> Result<void> { return to.query = &value, Result<void>(); }},
      {"operation", [](const Value& value, Fields& to) { return run::read_word(value, kOperations, to.if_zero); }},
  };
  Fields fields;
  if (auto done = run::read_fields(given, kFields, "predication", fields); !done) return std::move(done).error();
  const std::string* const name = fields.query == nullptr ? nullptr : fields.query->as_text();
  if (name == nullptr) return fault(given, "query", "expected the name of a query of an earlier pass", ErrorCode::missing);
  const auto known = names_.find(queries_, *name, &Query::name);
  if (!known) return fault(*fields.query, "query", "no earlier pass has this query", ErrorCode::missing);
  const Query& query = queries_[*known];
  const QueryType& type = kQueryTypes[query.type];
  const auto zero = is_zero(type.result(query.counts, type.stream));
  if (!zero)
    return fault(*fields.query, "query", "expected a query whose result is a number or a boolean, found " + std::string(type.name));
  return *zero == fields.if_zero;
}

Value Queries::results() const {
  Value made = Value::map();
  for (const Query& one : queries_) made.add(one.name, kQueryTypes[one.type].result(one.counts, kQueryTypes[one.type].stream));
  return made;
}

}  // namespace unshade::scene
