#include "shader/modules.hpp"

#include <functional>
#include <mutex>
#include <utility>

namespace unshade::shader {

namespace {

Result<std::shared_ptr<const dxil::Module>> parsed_module(View bitcode) {
  auto parsed = dxil::parse_module(bitcode);
  if (!parsed) return std::move(parsed).error();
  return std::make_shared<const dxil::Module>(*std::move(parsed));
}

}  // namespace

// Bytes of the same place in memory may be told to lie elsewhere in a file, which offsets in the module follow.
const ModuleCache::Kept* ModuleCache::kept(View bitcode) const {
  for (const Kept& one : modules_) {
    const View& known = one.bitcode;
    if (known.data() == bitcode.data() && known.size() == bitcode.size() && known.file_offset() == bitcode.file_offset()) return &one;
  }
  return nullptr;
}

bool ModuleCache::is_in_file(View bitcode) const {
  const std::less_equal<const std::byte*> at_or_before;
  return at_or_before(file_.data(), bitcode.data()) && at_or_before(bitcode.data() + bitcode.size(), file_.data() + file_.size());
}

std::shared_ptr<const dxil::Module> ModuleCache::find(View bitcode) const {
  const std::lock_guard lock(mutex_);
  const Kept* const known = kept(bitcode);
  return known != nullptr ? known->module : nullptr;
}

Result<std::shared_ptr<const dxil::Module>> ModuleCache::module(View bitcode) {
  if (!is_in_file(bitcode)) return parsed_module(bitcode);
  // parsed under the lock: a thread that wants the same module waits for it
  const std::lock_guard lock(mutex_);
  if (const Kept* const known = kept(bitcode)) return known->module;
  auto module = parsed_module(bitcode);
  if (module && bitcode.size() <= bytes_left_) {
    bytes_left_ -= bitcode.size();
    modules_.push_back({bitcode, *module});
  }
  return module;
}

std::shared_ptr<const dxil::Module> Shader::kept_module(View bitcode) const {
  return modules != nullptr ? modules->find(bitcode) : nullptr;
}

Result<std::shared_ptr<const dxil::Module>> Shader::module(View bitcode) const {
  return modules != nullptr ? modules->module(bitcode) : parsed_module(bitcode);
}

}  // namespace unshade::shader
