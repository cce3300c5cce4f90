#include <unshade/dxil/operations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace unshade::dxil::program {

namespace {

using namespace operation_trait;

// Words of the column `stages`.
struct StageWord {
  std::string_view word;
  ShaderKind kind;
};
constexpr StageWord kStageWords[] = {
    {"vs", ShaderKind::vertex},
    {"ps", ShaderKind::pixel},
    {"gs", ShaderKind::geometry},
    {"hs", ShaderKind::hull},
    {"ds", ShaderKind::domain},
    {"cs", ShaderKind::compute},
    {"ms", ShaderKind::mesh},
    {"as", ShaderKind::amplification},
    {"lib", ShaderKind::library},
    {"node", ShaderKind::node},
    {"rgen", ShaderKind::ray_generation},
    {"isect", ShaderKind::intersection},
    {"ahit", ShaderKind::any_hit},
    {"chit", ShaderKind::closest_hit},
    {"miss", ShaderKind::miss},
    {"call", ShaderKind::callable},
};

/// Calls `visit(number, word)` with the words of a column.
template <class Visit>
constexpr void for_each_word(std::string_view words, char separator, Visit visit) {
  for (std::size_t number = 0; !words.empty(); ++number) {
    const std::size_t end = std::min(words.find(separator), words.size());
    visit(number, words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

constexpr std::uint32_t stages_of_words(std::string_view words) {
  if (words == "any") return ~0U;
  std::uint32_t stages = 0;
  for_each_word(words, ' ', [&](std::size_t, std::string_view word) {
    for (const StageWord& row : kStageWords)
      if (row.word == word) stages |= 1U << static_cast<std::uint32_t>(row.kind);
  });
  return stages;
}

/// The result is no parameter.
constexpr std::uint32_t constants_of_types(std::string_view types) {
  std::uint32_t constants = 0;
  for_each_word(types, ' ', [&](std::size_t number, std::string_view word) {
    if (word.ends_with('!')) constants |= 1U << (number - 1);
  });
  return constants;
}

constexpr std::uint8_t overload_of_types(std::string_view types) {
  std::uint8_t overload = OperationInfo::kNoOverload;
  for_each_word(types, ' ', [&](std::size_t number, std::string_view word) {
    const bool depends = word.starts_with("$o_") || word == "$elt";
    if (overload == OperationInfo::kNoOverload && word.starts_with('$') && !depends) overload = static_cast<std::uint8_t>(number);
  });
  return overload;
}

constexpr std::size_t count_words(std::string_view words, char separator) {
  std::size_t count = 0;
  for_each_word(words, separator, [&](std::size_t, std::string_view) { ++count; });
  return count;
}

constexpr std::size_t kCount = 0
#define DXIL_OP(...) +1
#include <unshade/dxil/operations.def>
#undef DXIL_OP
    ;

constexpr std::size_t kParameters = 0
#define DXIL_OP(code, id, text, function, overloads, types, parameters, ...) +count_words(parameters, ',')
#include <unshade/dxil/operations.def>
#undef DXIL_OP
    ;

/// Of the parameters of all rows, one after the other.
constexpr auto kHashes = [] {
  std::array<std::uint32_t, kParameters> hashes{};
  std::size_t at = 0;
  for (const std::string_view parameters : {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, ...) std::string_view(parameters),
#include <unshade/dxil/operations.def>
#undef DXIL_OP
       })
    for_each_word(parameters, ',', [&](std::size_t, std::string_view name) { hashes[at++] = Parameter::hash(name); });
  return hashes;
}();

constexpr auto kOperations = [] {
  std::array<OperationInfo, kCount> rows{{
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, traits, stages, sem) \
  OperationInfo{code,                                                                                       \
                text,                                                                                       \
                text "(" parameters ")",                                                                    \
                function,                                                                                   \
                overloads,                                                                                  \
                types,                                                                                      \
                parameters,                                                                                 \
                ShaderModel::since,                                                                         \
                MemoryAccess::access,                                                                       \
                traits,                                                                                     \
                stages,                                                                                     \
                #sem,                                                                                       \
                stages_of_words(stages),                                                                    \
                constants_of_types(types),                                                                  \
                nullptr,                                                                                    \
                static_cast<std::uint8_t>(count_words(parameters, ',')),                                    \
                overload_of_types(types)},
#include <unshade/dxil/operations.def>
#undef DXIL_OP
  }};
  const std::uint32_t* hashes = kHashes.data();
  for (OperationInfo& row : rows) {
    row.hashes = hashes;
    hashes += row.parameter_count;
  }
  return rows;
}();

/// Bits 31:16 of an opcode that choose the second table.
constexpr std::uint32_t kSecondTable = 0x8000'0000;

/// Where the second table begins.
constexpr std::size_t second_table() {
  std::size_t i = 0;
  while (i < kCount && kOperations[i].code < kSecondTable) ++i;
  return i;
}
constexpr std::size_t kCoreCount = second_table();

constexpr bool operations_in_order() {
  for (std::size_t i = 0; i < kCount; ++i)
    if (kOperations[i].code != (i < kCoreCount ? i : kSecondTable + (i - kCoreCount))) return false;
  return true;
}
static_assert(operations_in_order(), "rows must be in the order of their codes, without gaps");

constexpr bool texts_differ() {
  const OperationInfo* const rows = kOperations.data();
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t k = i + 1; k < kCount; ++k)
      if (rows[i].text == rows[k].text) return false;
  return true;
}
static_assert(texts_differ(), "texts must be unique");

static_assert(std::ranges::all_of(kOperations,
                                  [](const OperationInfo& row) { return count_words(row.types, ' ') == 1U + row.parameter_count; }),
              "types must match the parameters");

}  // namespace

}  // namespace unshade::dxil::program

namespace unshade::dxil {

std::span<const OperationInfo> operations() { return program::kOperations; }

const OperationInfo* find_operation(std::uint32_t code) {
  if (code < program::kCoreCount) return &program::kOperations[code];
  if (code >= program::kSecondTable && code - program::kSecondTable < program::kCount - program::kCoreCount)
    return &program::kOperations[program::kCoreCount + (code - program::kSecondTable)];
  return nullptr;
}

}  // namespace unshade::dxil
