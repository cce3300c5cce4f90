#include <cstddef>

#include <unshade/shader/edit.hpp>

#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"

namespace unshade::cli::verbs::sign {

namespace {

/// The words of --variant, in the order of Sign.
constexpr std::string_view kVariants = "keep|standard|debug|bypass|preview-bypass|zero";

constexpr Option kVariant{"variant", 0, Takes::choice, "VARIANT", kVariants, "which digest (default: keep)"};
constexpr Option kHash{"hash", 0, Takes::nothing, {}, {}, "make the HASH part of DXIL right as well"};
constexpr Option kOptions[] = {kVariant, kHash, write::kInPlace, write::kOutputDir, write::kJobs, kAll, kJson};

shader::Sign variant_of(std::string_view word) {
  std::uint8_t found = 0;
  std::uint8_t at = 0;
  for_each_choice(kVariants, [&](std::string_view choice) {
    if (choice == word) found = at;
    ++at;
  });
  return static_cast<shader::Sign>(found);
}

Exit run_sign(const Args& args, Io& io) {
  const shader::Sign how = variant_of(args.value(kVariant.name, "keep"));
  const bool hash = args.has(kHash.name);
  return write::run_edits(args, io, {"sign", "unshade.sign/1"}, [&](View file) { return shader::sign(file, how, hash); });
}

constexpr Example kExamples[] = {
    {"unshade sign edited.cso -o signed.cso", "a digest that is right"},
    {"unshade sign --variant bypass --in-place build/shaders", "shaders that runtimes are not to check"},
    {"unshade sign --hash edited.dxil -o signed.dxil", "HASH after the bitcode, then the digest after everything"},
};

}  // namespace

const Verb kVerb{
    .name = "sign",
    .summary = "compute the digest of a DXBC or DXIL container",
    .description =
        "Writes the container with another digest in its header: that over its bytes, in the variant that it has (keep), the standard or "
        "the debug one; or a value that is none: zero, or a sentinel that tells runtimes not to check. A digest that is right stays, so "
        "that "
        "signing twice changes nothing. With --hash, the HASH part becomes the MD5 of the bitcode first, unless it is that already.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine, 1 a file is no container, or is damaged, 2 usage, or input and output",
    .run = run_sign,
};

}  // namespace unshade::cli::verbs::sign
