// The functions and resources that each function refers to, as runtime data list them.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxil/program/call.hpp>

namespace unshade::dxil::program {

/// Whether a function is declared to be defined in another library.
bool is_elsewhere(const ProgramQuery& query, const Function& function);

struct FunctionReferences {
  std::vector<std::uint32_t> resources;     ///< by their places in resources_in_order(), ascending
  std::vector<std::uint32_t> dependencies;  ///< functions that are elsewhere, ascending
};
/// By function of the module; empty ones for those without a body.
std::vector<FunctionReferences> references_of_functions(const ProgramQuery& query);

}  // namespace unshade::dxil::program
