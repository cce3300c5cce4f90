#include <unshade/ir/analysis/names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/pica/instruction.hpp>

namespace unshade::ir {
namespace {

constexpr std::string_view kComponents = "xyzw";

std::uint64_t mixed(std::uint64_t key, std::uint64_t more) {
  // src: splitmix64, S. Vigna
  key = (key ^ more) + 0x9e37'79b9'7f4a'7c15;
  key = (key ^ key >> 30) * 0xbf58'476d'1ce4'e5b9;
  key = (key ^ key >> 27) * 0x94d0'49bb'1331'11eb;
  return key ^ key >> 31;
}

std::uint64_t mixed(std::uint64_t key, std::string_view text) {
  for (const char c : text) key = mixed(key, static_cast<unsigned char>(c));
  return mixed(key, text.size());
}

// What the extra field stands for, without numbers of rows.
std::uint64_t extra_key(const Module& module, const Function& function, Id id) {
  const Inst& inst = function.insts[id];
  const auto named = [](const auto& list, std::uint32_t at) {
    return at < list.size() && !list[at].name.empty() ? mixed(1, list[at].name) : std::uint64_t{at};
  };
  switch (info(inst.op).extra) {
    case Extra::constant: return constant_bits(function, id);
    case Extra::variable: return named(module.variables, inst.extra);
    case Extra::resource: return named(module.resources, inst.extra);
    case Extra::atomic: {
      const AtomicExtra extra(inst.extra);
      return mixed(named(module.variables, extra.variable), static_cast<std::uint64_t>(extra.op));
    }
    case Extra::element: {
      const ElementExtra extra(inst.extra);
      const auto& list = module.signatures.of(extra.signature);
      if (extra.element >= list.size()) return inst.extra;
      const std::uint64_t key = mixed(static_cast<std::uint64_t>(extra.signature), list[extra.element].semantic);
      return mixed(mixed(key, list[extra.element].semantic_index), extra.column);
    }
    default: return inst.op == Op::call ? named(module.functions, inst.extra) : std::uint64_t{inst.extra};
  }
}

}  // namespace

ValueName name_of(const Function& function, Id id) {
  const auto found = function.names.find(id);
  if (found == function.names.end()) return {};
  const std::string_view name = found->second;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {name};
  const std::string_view rest = name.substr(dot + 1);
  if (const auto letter = rest.size() == 1 ? kComponents.find(rest[0]) : std::string_view::npos; letter != std::string_view::npos)
    return {name.substr(0, dot), static_cast<std::uint8_t>(letter)};
  if (const auto number = as_number<std::uint8_t>(rest); number && *number != kNoComponent) return {name.substr(0, dot), *number};
  return {name};
}

std::vector<std::string> written_registers(const dxbc::Program& program) {
  std::vector<std::string> made;
  dxbc::Decoder decoder(program);
  dxbc::Instruction in;
  while (!decoder.at_end() && decoder.next(in)) {
    std::string& name = made.emplace_back();
    if (in.info == nullptr || in.operand_count == 0 || !in.info->shape.starts_with('d')) continue;
    const dxbc::Operand& to = in.operands[0];
    const auto* const info = dxbc::find_operand(to.type);
    if (info == nullptr || to.type == dxbc::OperandType::null) continue;
    name = info->text;
    if (to.dimensions != 0) name += std::to_string(to.index[0]);
  }
  return made;
}

std::vector<std::string> written_registers(const pica::Shbin& file) {
  constexpr unsigned kRegisters = 16;
  std::vector<std::string> made;
  for (const std::uint32_t word : file.program.code) {
    const pica::Instruction in = pica::decode(word);
    std::string& name = made.emplace_back();
    if (pica::info(in.opcode).flow != pica::Flow::next || !pica::info(in.opcode).shape.starts_with('d')) continue;
    name = (in.destination < kRegisters ? "o" : "r") + std::to_string(in.destination % kRegisters);
  }
  return made;
}

std::string register_name(const Function& function, Id id, const std::vector<std::string>& registers) {
  if (id >= function.sources.size()) return {};
  const Source& source = function.sources[id];
  if (source.instruction >= registers.size() || registers[source.instruction].empty()) return {};
  std::string name = registers[source.instruction];
  if (source.component < kComponents.size()) (name += '.') += kComponents[source.component];
  return name;
}

std::vector<std::uint64_t> content_keys(const Module& module, const Function& function) {
  std::vector<std::uint64_t> keys(function.insts.size(), 0);
  const auto add = [&](Id id) {
    const Inst& inst = function.insts[id];
    std::uint64_t key = mixed(0, info(inst.op).text);
    key = mixed(key, static_cast<std::uint64_t>(inst.type));
    key = mixed(key, extra_key(module, function, id));
    const auto operands = function.operands_of(id);
    for (std::size_t at = 0; at < operands.size(); ++at)
      if (!is_block_operand(inst.op, at)) key = mixed(key, keys[operands[at]]);
    keys[id] = key;
  };
  for (Id id = 0; id < function.insts.size(); ++id)
    if (function.block_of[id] == kNone && function.insts[id].operand_count == 0) add(id);
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) add(id);
  }
  return keys;
}

std::string Namer::claim(std::string_view wanted, std::uint64_t key) {
  constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";
  constexpr std::size_t kFewest = 2, kMost = 10;
  const std::string name = identifier_like(language_, wanted);
  if (taken_.insert(name).second) return name;
  std::string longer = name.ends_with('_') ? name : name + '_';
  // a letter first, so that it is no number of a row
  for (std::size_t count = 0; count < kMost; ++count) {
    longer += count == 0 ? kLetters[key % 23] : kLetters[key % kLetters.size()];
    key = mixed(key, 1);
    if (count + 1 >= kFewest && may_be_identifier(language_, longer) && taken_.insert(longer).second) return longer;
  }
  for (std::uint64_t number = 2;; ++number)
    if (std::string other = longer + std::to_string(number); taken_.insert(other).second) return other;
}

}  // namespace unshade::ir
