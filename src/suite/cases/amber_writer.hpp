// What writes a case as a script of Amber. src: google/amber:docs/amber_script.md
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>

#include "shader/run/bindings.hpp"
#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {

/// The error of what Amber cannot say.
Error cannot(std::string what);
/// A number with a point: without one it would be a whole number. src: google/amber:src/tokenizer.cc
std::string real_text(double value, bool single);

/// Writes one case.
class AmberWriter {
 public:
  AmberWriter(const Suite& suite, std::size_t test, const Case& one, const shader::Runnable& shader, View module,
              const shader::RunOptions& options)
      : suite_(suite), test_(test), case_(one), runnable_(shader), ir_(shader.module()), module_(module), options_(options) {}

  Result<std::string> write();

  /// How Amber has the numbers of a buffer.
  struct Data {
    std::string type;  ///< `float`; of texels the format
    bool is_format = false;
    Layout layout;
  };

 private:
  using Bindings = shader::runner::Bindings;
  struct Expected {
    const Value* value = nullptr;
    std::string name;  ///< as the suite has it
  };
  struct Buffer {
    std::string name;
    std::string key;
    const ir::Resource* resource;
    const vm::Descriptor* view;
    std::string what = {};  ///< in messages, if it is no resource
  };

  Result<void> refuse() const;
  Result<void> shader();
  Result<std::string> entry_point() const;
  Result<void> find_expected(const Bindings& bindings);
  Result<void> resources(vm::Resources& bound);
  Result<Data> data_of(const Buffer& buffer);
  Result<void> buffer(const Buffer& buffer);
  Result<std::string> sampler(const vm::Sampler& state, bool compares);
  Result<void> expectations(const Buffer& buffer, const Data& data);
  Result<Tolerance> tolerance() const;
  Result<void> lanes();
  Result<void> groups();
  Result<void> input_of_lanes(const ir::Element& element, std::size_t number, const Value::List& lanes);
  Result<void> targets(std::size_t count);
  Result<void> outputs_of_lane(const Value& expected, std::size_t lane, const Tolerance& inherited);
  Result<void> expectation(const Buffer& buffer, const Data& data, std::size_t number, const Value& expected, const Tolerance& tolerance,
                           std::size_t start);
  void compare(const Buffer& buffer, std::size_t offset, std::string_view how, std::string_view number, std::string_view tolerance = {});
  void end_comparison();
  Result<std::string> number_text(const Number& number, const std::string& name) const;
  static std::string name_of(const ir::Resource& resource) {
    return "resource " + (resource.name.empty() ? shader::runner::key_of(resource, 0) : resource.name);
  }
  std::string what(const Buffer& buffer) const { return buffer.resource == nullptr ? buffer.what : name_of(*buffer.resource); }
  /// Zeros for a constant buffer that the case does not give; empty for other resources.
  vm::Descriptor zeros(const ir::Resource& resource);

  const Suite& suite_;
  std::size_t test_;
  const Case& case_;
  const shader::Runnable& runnable_;
  const ir::Module& ir_;
  View module_;
  const shader::RunOptions& options_;
  std::map<std::string, Expected> expected_;  ///< by binding
  Text shader_, buffers_, bindings_, run_, expects_;
  std::deque<std::vector<std::byte>> zeros_;
  std::string open_how_, open_tolerance_;  ///< of the comparison that the next value may continue
  std::size_t open_next_ = 0;
  std::string open_buffer_;
};

}  // namespace unshade::suite::cases
