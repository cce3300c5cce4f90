#include "khronos/words.hpp"

namespace unshade::khronos {

std::vector<std::uint32_t> words_of(const spirv::Module& module) {
  std::vector<std::uint32_t> words;
  words.reserve(module.word_count());
  const spirv::Header& header = module.header();
  words.insert(words.end(), {spirv::kMagic, header.version, header.generator, header.bound, header.schema});
  for (const spirv::Instruction instruction : module)
    for (std::uint32_t i = 0; i < instruction.word_count(); ++i) words.push_back(instruction.word(i));
  return words;
}

}  // namespace unshade::khronos
