// Every program is translated to a module that SPIRV-Tools accepts, or refused for a reason that is known; and so by one of the other
// settings, in turn. UNSHADE_ALL_SETTINGS=1 makes it all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <unshade/amber/script.hpp>
#include <unshade/core/diagnostic.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/write/translate.hpp>
#ifdef UNSHADE_HAS_KHRONOS
#include <unshade/khronos/validate.hpp>
#endif

#include "support/files.hpp"

namespace unshade::test {

namespace {

/// How the messages begin with which programs may be refused.
constexpr std::array kReasons = std::to_array<std::string_view>({
    "a resource that is chosen when the shader runs",
    "derivatives in mesh shaders",
    "stopping with a fault, as abort() does, which Vulkan does not have",
    "the operation `sampler_feedback` of the IR",
    "variables that share their memory",
});

/// What a program is translated for.
struct Setting {
  const char* environment = "vulkan1.3";
  write::Numbers numbers = write::Numbers::exact;
};
constexpr Setting kOtherSettings[] = {
    {"vulkan1.3", write::Numbers::native}, {"vulkan1.2", write::Numbers::exact},  {"vulkan1.2", write::Numbers::native},
    {"vulkan1.1", write::Numbers::exact},  {"vulkan1.1", write::Numbers::native}, {"vulkan1.0", write::Numbers::exact},
    {"vulkan1.0", write::Numbers::native},
};

class Translations {
 public:
  /// `by_default`: by the default settings, and what is refused must be so for one of kReasons; else by others.
  explicit Translations(bool by_default) : by_default_(by_default) {}

  void add_file(const std::filesystem::path& path) {
    name_ = path.string();
    if (name_.ends_with(".amber")) return add_script(path);
    const auto bytes = read_bytes(path);
    add_shader(view_of(bytes));
  }
  void print() const {
    std::printf("%zu programs: %zu translated, %zu refused, %zu not valid\n", programs_, translated_, programs_ - translated_, invalid_);
    for (const auto& [reason, count] : refused_) std::printf("  %5zu %s\n", count, reason.c_str());
  }
  std::size_t translated() const { return translated_; }

 private:
  void add_script(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    const auto script = amber::read_script(text);
    if (!script) return;
    for (const auto& one : script->shaders) {
      if (one.format != amber::ScriptShader::Format::assembly) continue;
      if (const auto made = spirv::assemble(one.text)) add_shader(view_of(*made));
    }
  }
  void add_shader(View file) {
    const auto opened = shader::open(file);
    if (!opened) return;
    if (const auto* const module = std::get_if<spirv::Module>(&opened->content)) {
      for (const auto& entry : spirv::interface_of(*module).entry_points) add(*opened, entry.name);
    } else if (opened->family == shader::Family::pica) {
      const auto shbin = pica::parse_shbin(file);
      for (std::size_t at = 0; shbin && at < shbin->executables.size(); ++at) add(*opened, std::to_string(at));
    } else {
      add(*opened, {});
    }
  }
  void add(const shader::Shader& shader, std::string_view entry) {
    if (by_default_) return add_by_default(shader, entry);
    const bool by_all = std::getenv("UNSHADE_ALL_SETTINGS") != nullptr;
    const auto settings = by_all ? std::span(kOtherSettings) : std::span(kOtherSettings).subspan(programs_ % std::size(kOtherSettings), 1);
    for (const Setting& setting : settings) {
      write::TranslateOptions options;
      options.entry = entry;
      options.spirv.numbers = setting.numbers;
      options.spirv.version = *spirv::target_version(setting.environment);
      const auto made = write::to_spirv(shader, options);
      ++programs_;
      if (made) {
        ++translated_;
        validate(View(made->bytes), entry, setting);
      }
    }
  }
  void add_by_default(const shader::Shader& shader, std::string_view entry) {
    write::TranslateOptions options;
    options.entry = entry;
    const auto made = write::to_spirv(shader, options);
    if (!made) {
      shader::LowerOptions lowering;
      lowering.entry = entry;
      if (!shader::lower(shader, lowering)) return;  // nothing to translate
      ++programs_;
      ++refused_[made.error().message];
      const std::string_view message = made.error().message;
      const bool is_known = std::ranges::any_of(kReasons, [&](std::string_view reason) { return message.starts_with(reason); });
      EXPECT_TRUE(is_known) << name_ << ' ' << entry << ": " << to_string(made.error());
      return;
    }
    ++programs_;
    ++translated_;
    const View module(made->bytes);
    const auto read = shader::open(module);
    ASSERT_TRUE(read) << name_ << ' ' << entry << ": " << to_string(read.error());
    if (const auto lowered = shader::lower(*read); !lowered) ADD_FAILURE() << name_ << ' ' << entry << ": " << to_string(lowered.error());
    validate(module, entry, {});
  }
  void validate([[maybe_unused]] View module, [[maybe_unused]] std::string_view entry, [[maybe_unused]] const Setting& setting) {
#ifdef UNSHADE_HAS_KHRONOS
    for (const Diagnostic& finding : khronos::validate_module(module, {.environment = setting.environment})) {
      if (finding.rule->severity != Severity::error) continue;
      ++invalid_;
      const char* const numbers = setting.numbers == write::Numbers::native ? " --native" : "";
      ADD_FAILURE() << name_ << ' ' << entry << ' ' << setting.environment << numbers << ": " << to_string(finding);
      break;
    }
#endif
  }

  bool by_default_;
  std::string name_;
  std::size_t programs_ = 0, translated_ = 0, invalid_ = 0;
  std::map<std::string, std::size_t> refused_;
};

void translate_corpus(bool by_default) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Translations all(by_default);
  for (const auto& folder : {corpus, corpus / ".." / "samples", corpus / ".." / "exec"})
    for (const auto& path : files_below(folder, "")) all.add_file(path);
  all.print();
  EXPECT_GT(all.translated(), 0U);
}

TEST(CorpusTranslate, EveryProgramIsTranslatedOrRefusedByName) { translate_corpus(true); }

TEST(CorpusTranslate, ModulesOfOtherSettingsAreValid) { translate_corpus(false); }

}  // namespace

}  // namespace unshade::test
