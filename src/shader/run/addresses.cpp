// Buffers that a case gives addresses.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <unshade/core/text.hpp>

#include "core/numbers.hpp"
#include "core/spelling.hpp"
#include "shader/run/bindings.hpp"

namespace unshade::shader::runner {
namespace {

std::optional<std::uint64_t> address_named(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return as_number<std::uint64_t>(text.substr(2), 16);
  return as_number<std::uint64_t>(text);
}

std::string address_text(std::uint64_t address) {
  Text text;
  text << "0x";
  text.hex(address);
  return text.str();
}

}  // namespace

bool uses_addresses(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::BlockId block : function.order)
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id])
        if (function.insts[id].op == ir::Op::handle_from_address) return true;
  return false;
}

Result<void> Bindings::bind_addresses(const Value& addresses) {
  if (addresses.as_map() == nullptr) return fault(addresses, "addresses", "expected a map of buffers by address");
  auto& all = resources_.addresses;
  for (const Value::Member& member : *addresses.as_map()) {
    const std::string path = "addresses/" + member.key;
    const auto wrong = [&](std::string message, ErrorCode code = ErrorCode::bad_value) {
      return Error{code, member.key_offset, path, std::move(message)};
    };
    const auto address = address_named(member.key);
    if (!address || *address == 0) return wrong("expected an address: a whole number of 64 bits above 0, such as 0x10000");
    vm::Descriptor view;
    if (const std::string* const name = shared_ == nullptr ? nullptr : member.value.as_text()) {
      const auto known = shared_->find(*name);
      if (known == shared_->end()) return fault(member.value, path, "there is no resource `" + *name + '`', ErrorCode::missing);
      view = known->second;
    } else {
      auto own = described(member.value, {}, options_, taken_);
      if (!own) return std::move(own).error().within(path);
      Memory& memory = memories_.emplace_back();
      memory.key = address_text(*address);
      memory.bytes = std::move(own->bytes);
      memory.writable = true;
      memory.binding = {Binding::kUnused, 0};
      view = own->view;
      view.bytes = memory.bytes;
    }
    if (view.is_texture()) return fault(member.value, path, "expected a buffer, found a texture");
    if (view.bytes.size() > std::numeric_limits<std::uint64_t>::max() - *address || view.bytes.size() > 0x7fff'ffff)
      return wrong("the buffer ends beyond the addresses that there are");
    const auto after = std::ranges::upper_bound(all, *address, {}, &vm::AddressedBuffer::address);
    const bool overlaps = (after != all.end() && after->address - *address < view.bytes.size()) ||
                          (after != all.begin() && *address - std::prev(after)->address < std::prev(after)->view.bytes.size());
    if (overlaps) return wrong("the buffer overlaps another one");
    all.insert(after, {*address, view});
  }
  return {};
}

}  // namespace unshade::shader::runner
