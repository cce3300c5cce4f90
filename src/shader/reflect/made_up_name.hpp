// Names for what was stripped of its own.
#pragma once

#include <string>

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

/// `t3`, `t3_space1`.
inline std::string made_up_name(const Resource& resource) {
  std::string name(register_letters(resource.kind));
  name += std::to_string(resource.bind_point);
  if (resource.space != 0) name += "_space" + std::to_string(resource.space);
  return name;
}

}  // namespace unshade::shader::reflection
