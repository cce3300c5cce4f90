// What has to hold of tests' scripts.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/amber/script.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/suite/correct.hpp>
#include <unshade/suite/equivalence.hpp>
#include <unshade/suite/suite.hpp>

#include "fuzz/properties.hpp"

#ifdef UNSHADE_HAS_COMMANDS
#include <unshade/document_text/document_text.hpp>
#endif

namespace unshade::fuzz {

std::string equivalence(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  const auto runnable = run::prepare(*opened);
  if (!runnable) return {};
  suite::EquivalenceOptions options;
  options.random = 2;
  options.run.operations = 1 << 10;
  options.run.memory = 1 << 22;
  const auto made = suite::compare({"a", *runnable}, {"b", *runnable}, Value::map(), options);
  if (!made) {
    const Error& error = made.error();
    return error.message.empty()        ? "an error without a message"
           : error.offset > file.size() ? "an error behind the end: " + to_string(error)
                                        : std::string();
  }
  if (!made->mismatches.empty()) return "a shader does not fit itself: " + made->mismatches.front();
  if (made->difference) return "a shader is not itself: " + made->difference->what;
  return {};
}

std::string amber_script(View file) {
  const auto script = amber::read_script(file.text());
  if (!script) {
    const Error& error = script.error();
    return error.offset <= file.size() && error.path.find(':') != std::string::npos && !error.message.empty() ? std::string()
                                                                                                              : "an error without a place";
  }
  // what commands and pipelines name is there
  for (const amber::ScriptPipeline& pipeline : script->pipelines) {
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
    if (const auto* const repeat = std::get_if<amber::Repeat>(&what); repeat != nullptr && script->needs.empty()) {
      if (repeat->commands >= script->commands.size() - at) return "more commands are repeated than there are";
    }
    if (const auto* const expect = std::get_if<amber::Expect>(&what); expect != nullptr && expect->buffer >= script->buffers.size())
      return "an expectation of a buffer that is not there";
  }
  return {};
}

#ifdef UNSHADE_HAS_COMMANDS
namespace {

/// A vertex shader that copies its input; a compute shader that adds its number to a buffer.
constexpr std::string_view kShaders[] = {
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %in %out\nOpName %in \"in\"\nOpName %out "
    "\"out\"\n"
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n"
    "%vec = OpTypeVector %float 4\n%from = OpTypePointer Input %vec\n%to = OpTypePointer Output %vec\n%in = OpVariable %from Input\n"
    "%out = OpVariable %to Output\n%main = OpFunction %void None %fn\n%l = OpLabel\n%x = OpLoad %vec %in\nOpStore %out %x\nOpReturn\n"
    "OpFunctionEnd\n",
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 4 1 1\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\nOpDecorate %array ArrayStride 4\nOpDecorate %block BufferBlock\n"
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n%void = OpTypeVoid\n"
    "%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%vec = OpTypeVector %uint 3\n%from = OpTypePointer Input %vec\n"
    "%id = OpVariable %from Input\n%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n%to = OpTypePointer Uniform %block\n"
    "%data = OpVariable %to Uniform\n%place = OpTypePointer Uniform %uint\n%zero = OpConstant %uint 0\n%main = OpFunction %void None %fn\n"
    "%l = OpLabel\n%ids = OpLoad %vec %id\n%x = OpCompositeExtract %uint %ids 0\n%at = OpAccessChain %place %data %zero %x\n"
    "%old = OpLoad %uint %at\n%new = OpIAdd %uint %old %x\nOpStore %at %new\nOpReturn\nOpFunctionEnd\n"};

/// Tests of a suite that are run.
constexpr std::size_t kMostRun = 16;

/// The file that a suite names: one of the shaders, or the suite itself.
Result<std::vector<std::byte>> file_named(void* self, std::string_view path) {
  if (path.starts_with('v') || path.starts_with('c')) return spirv::assemble(kShaders[path.front() == 'v' ? 0 : 1]);
  const auto bytes = static_cast<View*>(self)->bytes();
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace

std::string suite_text(View file) {
  const std::string_view text = file.text();
  suite::TestOptions options;
  options.corrects = options.covers = true;
  options.operations = 1 << 12;
  options.memory = 1 << 22;
  options.read_file = file_named;
  options.self = &file;
  for (const std::string_view name : {"a.toml", "a.yaml"}) {
    auto document = document_text::read_by_name(name, text);
    if (!document) continue;
    auto read = suite::read_suite(std::move(*document), text, options);
    if (!read) {
      if (read.error().message.empty() || read.error().offset > text.size()) return "a suite is refused without a place";
      continue;
    }
    suite::SuiteRunner runner(std::move(*read), name, options);
    std::vector<suite::Correction> corrections;
    for (std::size_t test = 0; test < std::min(runner.suite().tests.size(), kMostRun); ++test) {
      const suite::Outcome outcome = runner.run(test);
      if ((outcome.status == suite::Status::failed) != (outcome.failed != 0)) return "a test fails without a failure";
      if (outcome.failures.size() != std::min<std::size_t>(outcome.failed, suite::kMostFailures)) return "failures are not counted";
      for (const suite::Failure& failure : outcome.failures)
        if (failure.what.empty()) return "a failure says nothing";
      corrections.insert(corrections.end(), outcome.corrections.begin(), outcome.corrections.end());
    }
    static_cast<void>(runner.coverage());
    const auto made = suite::corrected(name, text, corrections, document_text::read_by_name);
    if (!made && made.error().message.empty()) return "a correction is refused without a message";
  }
  return {};
}
#endif

}  // namespace unshade::fuzz
