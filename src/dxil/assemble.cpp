#include <unshade/dxil/assemble.hpp>

#include "dxil/assemble_module.hpp"

namespace unshade::dxil {

Assembly failed_assembly(const Error& error) {
  Assembly result;
  result.messages.push_back({error.code, 0, 0, error.path.empty() ? error.message : error.path + ": " + error.message});
  return result;
}

Assembly assemble_module(std::string_view text, Module& module, const Module* like) {
  AssemblerMessage message;
  Assembly result;
  if (!parse_module_text(text, module, message, like)) {
    result.messages.push_back(std::move(message));
    return result;
  }
  auto bitcode = write_module(module);
  if (!bitcode) return failed_assembly(bitcode.error());
  result.ok = true;
  result.file = *std::move(bitcode);
  return result;
}

Assembly assemble(std::string_view text) {
  Module module;
  return assemble_module(text, module, nullptr);
}

}  // namespace unshade::dxil
