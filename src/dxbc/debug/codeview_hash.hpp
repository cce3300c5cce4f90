// The hashes of a program database: of types, and of symbols' names.
// src: LLVM, DebugInfo/PDB/Native/Hash.cpp, TpiHashing.cpp and GSIStreamBuilder.cpp; observed: the same in all 76 parts of the corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::dxbc::codeview {

/// The lists of a type stream's hash stream.
struct TypeHashes {
  std::vector<std::byte> values;   ///< u32 for each record
  std::vector<std::byte> offsets;  ///< u32 index, u32 offset of the first record in each run of kTypeRun bytes
};
/// Empty if the stream cannot be read.
TypeHashes type_hashes(View type_stream);

/// The lists of the stream that finds symbols by their names.
struct SymbolHashes {
  std::vector<std::byte> records;  ///< u32 offset + 1, u32 references
  std::vector<std::byte> buckets;  ///< a bit for each bucket in use, u32 for each of these
};
/// `symbols`: the stream of symbol records. Public symbols (S_PUB32) are hashed apart from all others.
SymbolHashes symbol_hashes(View symbols, bool of_publics);

}  // namespace unshade::dxbc::codeview
