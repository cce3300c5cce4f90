// Facts that files state twice: the second is for where the first is absent.
#pragma once

#include <cstdint>

namespace unshade::shader::reflection {

/// `from` is another format's enumeration with the same numbers: PSV0's are Direct3D's but for the mesh topology, which Direct3D has none
/// for.
template <class E, class From>
void set_if_undefined(E& value, From from) {
  if (static_cast<std::uint32_t>(value) == 0) value = static_cast<E>(from);
}

}  // namespace unshade::shader::reflection
