// The DXIL modules of an opened file: what Shader::module() keeps.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// Modules by their bitcode, which lies in one file, each parsed once. All that are kept come from no more bytes than the file has, so that
/// parts that overlap take no more memory than others. Threads may use it at once.
class ModuleCache {
 public:
  explicit ModuleCache(View file) : file_(file), bytes_left_(file.size()) {}

  Result<std::shared_ptr<const dxil::Module>> module(View bitcode);
  /// The module if it is kept already, else null.
  std::shared_ptr<const dxil::Module> find(View bitcode) const;

 private:
  struct Kept {
    View bitcode;
    std::shared_ptr<const dxil::Module> module;
  };

  const Kept* kept(View bitcode) const;
  bool is_in_file(View bitcode) const;

  View file_;
  mutable Mutex mutex_;  // of what follows
  std::vector<Kept> modules_;
  std::size_t bytes_left_;
};

}  // namespace unshade::shader
