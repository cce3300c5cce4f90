// Counters of buffers that append, consume or count: of Direct3D beside the buffer, of SPIR-V buffers of their own.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/run/bindings.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {

namespace {

// In Direct3D, by resource: what is declared with a counter, and what the code counts with, since append buffers of DXBC are not.
std::vector<bool> with_counters(const ir::Module& module) {
  using dxcontainer::ResourceKind;
  std::vector<bool> made;
  for (const ir::Resource& one : module.resources)
    made.push_back(one.kind == ResourceKind::uav_structured_with_counter || one.kind == ResourceKind::uav_append ||
                   one.kind == ResourceKind::uav_consume);
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        if (function.insts[id].op != ir::Op::counter) continue;
        const ir::Inst& handle = function.insts[function.operands_of(id)[0]];
        if (handle.op == ir::Op::handle) made[handle.extra] = true;
      }
    }
  }
  return made;
}

}  // namespace

// What compilers of HLSL call the buffer that counts for another: glslang, then DXC.
// src: glslang:glslang/HLSL/hlslParseHelper.cpp, getStructBufferCounter(); DXC docs/SPIR-V.rst, "Append/Consume Structured Buffers"
std::optional<std::size_t> Bindings::row_of_counter(const ir::Resource& resource) const {
  const auto name_of_row = [](const ir::Resource& one) {
    return one.heap || one.kind == dxcontainer::ResourceKind::sampler ? std::string_view() : std::string_view(one.name);
  };
  for (const std::string& name : {resource.name + "@count", "counter.var." + resource.name})
    if (const auto row = names_.find(module_.resources, name, name_of_row); row && !resource.name.empty()) return row;
  return std::nullopt;
}

Result<void> Bindings::give_counter(const Value& given, const ir::Resource& resource, Memory& memory) {
  const Value& place = *given.find("counter");
  if (!resource.in_set) {
    if (with_counters_.empty()) with_counters_ = with_counters(module_);
    if (with_counters_[static_cast<std::size_t>(&resource - module_.resources.data())]) return {};
    return fault(place, "counter", "the resource has no counter: only buffers that append, consume or count have one");
  }
  const auto row = row_of_counter(resource);
  if (!row)
    return fault(
        place, "counter",
        "the shader has no counter for this buffer; in SPIR-V that is a storage buffer of its own, `NAME@count` or `counter.var.NAME`");
  const Binding binding{static_cast<std::uint32_t>(*row), memory.binding.index};
  const auto [other, is_first] = counted_.try_emplace(place_of(binding), &memory);
  if (!is_first && other->second->counter != memory.counter)
    return fault(place, "counter", "the counter of `" + other->second->key + "` is the same buffer, and the case gives it another value");
  if (is_first && memory_at_.contains(place_of(binding)))
    return fault(place, "counter", "`" + module_.resources[*row].name + "` is this counter: the case must not set both");
  Memory& words = memory_of(binding);
  words.bytes.resize(4);
  std::memcpy(words.bytes.data(), &memory.counter, 4);
  memory.counter_at = binding;
  return at_place(binding, [&](texel::Descriptor& to, const ir::Resource*) { to.bytes = words.bytes; });
}

std::uint32_t Bindings::counter_of(const Memory& memory) const {
  if (!memory.counter_at) return memory.counter;
  std::uint32_t count = 0;
  const auto words = memory_at_.find(place_of(*memory.counter_at));
  if (words != memory_at_.end() && words->second->bytes.size() >= 4) std::memcpy(&count, words->second->bytes.data(), 4);
  return count;
}

}  // namespace unshade::run
