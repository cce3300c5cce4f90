// Reflections compared, thing by thing.
#pragma once

#include <string>
#include <vector>

#include <unshade/shader/diff.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader::diff {

/// Appends what differs. Things are told by their names, or by their places (registers, bindings, offsets) if names mean nothing.
void compare_interfaces(const Reflection& before, const Reflection& after, std::vector<Change>& changes, std::vector<std::string>& notes);

}  // namespace unshade::shader::diff
