// Containers of DXIL with other names and registers.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/parts.hpp>

#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

inline Bytes bitcode_of(const Bytes& file, const char (&code)[5] = "DXIL") {
  const Bytes part = part_data(file, code);
  const auto program = dxil::parse_program(loose(code, part));
  return program ? Bytes(program->bitcode.bytes().begin(), program->bitcode.bytes().end()) : Bytes();
}

template <class Change>
Result<Bytes> edited(const Bytes& file, const std::vector<Change>& changes) {
  const auto container = dxcontainer::parse_container(view_of(file));
  dxcontainer::ContainerEdit edit(*container);
  auto made = [&] {
    const std::span<const Change> all(changes);
    if constexpr (std::is_same_v<Change, dxil::Rename>)
      return dxil::rename(*container, all);
    else
      return dxil::rebind(*container, all);
  }();
  if (!made) return made.error();
  for (auto& part : made->parts) edit.replace(part.index, std::move(part.data));
  return edit.write();
}

template <class Change>
std::string fault(const Bytes& file, const std::vector<Change>& changes) {
  const auto made = edited(file, changes);
  return made ? "none" : std::string(id(made.error().code));
}

}  // namespace unshade::test
