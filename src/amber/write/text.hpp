// Parts of scripts of Amber that are made of what suites say: shaders, buffers, bindings, expectations.
// src: google/amber:docs/amber_script.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/core/text.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/suite/case.hpp>
#include <unshade/suite/layout.hpp>
#include <unshade/suite/numbers.hpp>
#include <unshade/suite/pictures.hpp>

namespace unshade::amber::writer {

/// The error of what Amber cannot say.
Error cannot(std::string what);
/// A number with a point: without one it would be a whole number. src: google/amber:src/tokenizer.cc
std::string real_text(double value, bool single);
/// A text without what would end a comment.
std::string in_line(std::string_view text);
/// Vulkan's name of a format, as the reader of scripts knows it; empty if there is none.
std::string vulkan_name(const texel::Format& format);

/// SPIR-V assembly of a pixel shader without outputs, which pipelines of graphics must have.
inline constexpr std::string_view kNothing =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
    "OpExecutionMode %main OriginUpperLeft\n%void = OpTypeVoid\n%function = OpTypeFunction %void\n"
    "%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

/// Writes parts of a script, each into its text.
class AmberText {
 public:
  /// How Amber has the numbers of a buffer.
  struct Data {
    std::string type;  ///< `float`; of texels the format
    bool is_format = false;
    suite::cases::Layout layout;
  };

 protected:
  AmberText(const suite::cases::Case& one, const run::RunOptions& options) : case_(one), options_(options) {}

  struct Buffer {
    std::string name;  ///< in the script
    std::string what;  ///< in messages: `resource result`
    const texel::Descriptor* view = nullptr;
    bool is_texels = false;
    dxcontainer::ResourceDimension dimension{};
    const Value* expected = nullptr;  ///< of its contents; may be null
    const Value* given = nullptr;     ///< what the case gives as it; may be null
  };
  /// What a pipeline binds, by set and binding.
  struct Bound {
    using Place = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Place, std::string> samplers;
    std::set<Place> combined;
    struct Named {
      std::string name;
      std::span<const std::byte> bytes;
    };
    std::map<Place, Named> buffers;
  };
  /// Declares the buffer of a resource, and says how the script calls it.
  using Declare = std::function<Result<std::string>(const ir::Resource& resource, const std::string& key, const texel::Descriptor& view)>;

  Result<void> add_shader(View module, Stage stage, std::string_view name, std::string_view assembly = {});
  static Result<std::string> entry_point(View module, std::string_view wanted);
  Result<void> bind(const ir::Module& module, const vm::Resources& resources, const shader::Reflection* reflection, const Declare& declare,
                    Bound& bound);
  void bind_samplers(const Bound& bound);
  Result<Data> data_of(const Buffer& buffer) const;
  /// Declares a buffer, with what is expected of it.
  Result<void> add_buffer(const Buffer& buffer);
  Result<std::string> sampler(const texel::Sampler& state, bool compares) const;
  Result<void> expectations(const Buffer& buffer, const Data& data);
  /// Of the number of the data that begins at a byte of the buffer. `inherited`: if it has no tolerance of its own.
  Result<void> expectation(const Buffer& buffer, const Data& data, std::size_t number, const Value& expected,
                           const suite::cases::Tolerance& inherited, std::size_t start);
  void compare(const Buffer& buffer, std::size_t offset, std::string_view how, std::string_view number, std::string_view tolerance = {});
  void end_comparison();
  Result<void> picture(const Buffer& buffer, const Value& image);
  /// The lines that ask for features.
  std::string requirements() const;
  /// What the suite and the case say.
  Result<suite::cases::Tolerance> tolerance() const;
  Result<std::string> number_text(const suite::cases::Number& number, const std::string& name) const;
  static std::string name_of(const ir::Resource& resource) {
    return "resource " + (resource.name.empty() ? run::key_of(resource, 0) : resource.name);
  }

  const suite::cases::Case& case_;
  const run::RunOptions& options_;
  Text shaders_, buffers_, bindings_, run_, expects_;
  std::set<std::string> features_;  ///< of the device that the script asks for

 private:
  /// Zeros for a constant buffer that nothing is given to; empty for other resources.
  texel::Descriptor zeros(const ir::Resource& resource, const shader::Reflection* reflection);

  std::deque<std::vector<std::byte>> zeros_;
  std::size_t samplers_ = 0;
  std::string open_how_, open_tolerance_;  ///< of the comparison that the next value may continue
  std::size_t open_next_ = 0;
  std::string open_buffer_;
};

}  // namespace unshade::amber::writer
