// Every byte of a file by name.
#pragma once

#include <unshade/core/tree.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// The field tree of a whole file: every byte belongs to a leaf. Faults inside parts are in tree.errors(), and what they hide is `unknown`.
/// A file that does not open gives a tree of one unknown run and the error.
Tree annotate(View file);
/// The same of a file that is open, from what was read of it by then.
Tree annotate(const Shader& shader);

}  // namespace unshade::shader
