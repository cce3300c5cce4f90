// Proof that source code says what its binary does: it is compiled, and both run on the same inputs.
#pragma once

#include <string>
#include <string_view>

#include <unshade/shader/shader.hpp>
#include <unshade/suite/equivalence.hpp>
#include <unshade/write/source.hpp>

#include "cli/line/verb.hpp"

namespace unshade::cli {
class Io;
}

namespace unshade::cli::verbs {

struct VerifyOptions {
  std::string_view compiler{};  ///< a program; empty: glslang's, where it is installed
  unsigned sets = suite::kDefaultRandom;
};

/// A shader of which a text was written, and how.
struct WrittenShader {
  const std::string& name;  ///< of its file
  const shader::Shader& shader;
  const unshade::write::SourceOptions& options;
};

/// Compiles the text, runs it and the shader on the same inputs, and reports what was found. A text in which an intrinsic changes bits is
/// replaced by one without. Exit::failed, if there is no compiler; Exit::invalid, if the text does not compile or a bit differs.
Exit verify_written(const WrittenShader& shader, const VerifyOptions& how, unshade::write::SourceText& text, Io& io);

}  // namespace unshade::cli::verbs
