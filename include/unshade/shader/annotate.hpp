// Every byte of a file by name.
#pragma once

#include <unshade/core/tree.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// The field tree of a whole file: every byte belongs to a leaf. Faults inside parts are in tree.errors(), and what they hide is `unknown`.
/// A file that does not open gives a tree of one unknown run and the error.
Tree annotate(View file);

}  // namespace unshade::shader
