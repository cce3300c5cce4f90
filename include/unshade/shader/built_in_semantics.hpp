// Built-ins of SPIR-V and the semantics of HLSL for the same values.
#pragma once

#include <span>
#include <string_view>

namespace unshade::shader {

/// The semantic that compilers of HLSL make a built-in of (`VertexIndex`: SV_VertexID); empty if it has none.
std::string_view semantic_of_built_in(std::string_view built_in);

struct BuiltInSemantic {
  std::string_view built_in;
  std::string_view semantic;
};
/// Several built-ins may have one semantic.
std::span<const BuiltInSemantic> built_in_semantics();

}  // namespace unshade::shader
