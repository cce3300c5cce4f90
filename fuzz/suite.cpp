// What has to hold of tests' scripts.
#include <string>

#include <unshade/suite/amber.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string amber_script(View file) {
  const auto script = suite::read_amber(file.text());
  if (!script) {
    const Error& error = script.error();
    return error.offset <= file.size() && error.path.find(':') != std::string::npos && !error.message.empty() ? std::string()
                                                                                                              : "an error without a place";
  }
  // what commands and pipelines name is there
  for (const suite::ScriptPipeline& pipeline : script->pipelines) {
    for (const auto& one : pipeline.attached)
      if (one.shader >= script->shaders.size()) return "a pipeline with a shader that is not there";
    for (const auto& one : pipeline.bindings)
      for (const std::uint32_t buffer : one.buffers)
        if (buffer >= script->buffers.size()) return "a pipeline with a buffer that is not there";
    for (const auto& one : pipeline.vertices)
      if (one.buffer >= script->buffers.size()) return "vertices of a buffer that is not there";
  }
  for (std::size_t at = 0; at < script->commands.size(); ++at) {
    const auto& what = script->commands[at].what;
    if (const auto* const repeat = std::get_if<suite::Repeat>(&what); repeat != nullptr && script->needs.empty()) {
      if (repeat->commands >= script->commands.size() - at) return "more commands are repeated than there are";
    }
    if (const auto* const expect = std::get_if<suite::Expect>(&what); expect != nullptr && expect->buffer >= script->buffers.size())
      return "an expectation of a buffer that is not there";
  }
  return {};
}

}  // namespace unshade::fuzz
