#include <unshade/dxil/operations.hpp>

#include <cstddef>

namespace unshade::dxil::program {

namespace {

constexpr OperationInfo kOperations[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, stages, sem) \
  {code, text, text "(" parameters ")", function, overloads, types, parameters, ShaderModel::since, MemoryAccess::access, stages, #sem},
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

constexpr std::size_t kCount = sizeof kOperations / sizeof kOperations[0];

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
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t k = i + 1; k < kCount; ++k)
      if (kOperations[i].text == kOperations[k].text) return false;
  return true;
}
static_assert(texts_differ(), "texts must be unique");

constexpr std::size_t words(std::string_view text, char separator) {
  std::size_t count = text.empty() ? 0 : 1;
  for (const char c : text) count += c == separator ? 1 : 0;
  return count;
}
constexpr bool types_match_parameters() {
  for (const OperationInfo& row : kOperations)
    if (words(row.types, ' ') != 1 + words(row.parameters, ',')) return false;
  return true;
}
static_assert(types_match_parameters(), "types must match the parameters");

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
