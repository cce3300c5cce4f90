// What a file is that no family claims.
#pragma once

#include <string>

#include <unshade/core/view.hpp>
#include <unshade/shader/file_kind.hpp>

namespace unshade::shader {

/// By first bytes, and of text by its first lines: listings of each family, sources of shading languages, documents, tests. Null for bytes
/// that nothing is known of. Of a long file, its first 64 KiB are enough.
const FileKind* other_kind(View file);

/// What a file is, for messages: `a shader (dxbc)`, `a PNG picture`, `an empty file`, or `bytes` of which nothing is known.
std::string shown_kind(View file);

/// How text of a kind becomes a shader by other tools: `it must be compiled to a shader first (naga, tint)`. Empty for kinds that need
/// none.
std::string way_to_shader(const FileKind& kind);

}  // namespace unshade::shader
