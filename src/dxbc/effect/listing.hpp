// Effects as fxc lists them.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxbc/effect.hpp>

namespace unshade::dxbc::effect {

/// How the shaders of an effect are listed: the room that opens containers says it.
struct ShaderLister {
  Result<void> (*run)(View container, Text& out, const void* user);
  const void* user;
};

/// Appends the listing of an effect, its shaders' among it. Errors: those of its shaders' listings.
Result<void> list_effect(const Effect& effect, Text& out, const ShaderLister& shaders);

}  // namespace unshade::dxbc::effect
