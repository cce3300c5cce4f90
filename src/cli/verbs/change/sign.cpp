#include <unshade/shader/edit.hpp>

#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"

namespace unshade::cli::verbs::sign {

namespace {

/// The words of --variant, in the order of Sign.
constexpr std::string_view kVariants = "keep|standard|debug|bypass|preview-bypass|zero";

constexpr Option kVariant{"variant", 0, Takes::choice, "VARIANT", kVariants, "variant of the digest (default: keep)"};
constexpr Option kHash{"hash", 0, Takes::nothing, {}, {}, "also update the HASH part of DXIL"};
constexpr Option kOptions[] = {kVariant, kHash, write::kInPlace, write::kOutputDir, write::kJobs, kAll, kJson};

Exit run_sign(const Args& args, Io& io) {
  const auto how = static_cast<shader::Sign>(args.choice(kVariant).value_or(0));
  const bool hash = args.has(kHash.name);
  return write::run_edits(args, io, {"sign", present::Schema::sign},
                          [&](const shader::Shader& shader) { return shader::sign(shader, how, hash); });
}

constexpr Example kExamples[] = {
    {"unshade sign edited.cso -o signed.cso", "write the correct digest"},
    {"unshade sign --variant bypass --in-place build/shaders", "disable the runtime's check"},
    {"unshade sign --hash edited.dxil -o signed.dxil", "update HASH from the bitcode, then the digest"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade sign --variant zero orange.cso -o unsigned.cso
$ unshade sign unsigned.cso -o signed.cso
$ unshade info unsigned.cso signed.cso
unsigned.cso  dxbc  ps_5_0  156 bytes  2 instructions  digest unsigned  -  OSGN:44 SHEX:56
signed.cso    dxbc  ps_5_0  156 bytes  2 instructions  digest valid     -  OSGN:44 SHEX:56)";

}  // namespace

const VerbBody kBody{
    .description =
        "Writes the container with a new digest in its header: computed over its bytes, in the present variant (keep), the standard or "
        "the debug one; or instead of a digest: zero, or a sentinel that disables the runtime's check. A correct digest is kept, so "
        "that "
        "signing twice changes nothing. With --hash, the HASH part is first set to the MD5 of the bitcode.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a container or is damaged, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_sign,
};

}  // namespace unshade::cli::verbs::sign
