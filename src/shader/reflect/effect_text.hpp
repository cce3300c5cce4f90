// Tables of what effects and class linkage hold.
#pragma once

#include <unshade/core/text.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

void print_effect(Text& out, const EffectContents& effect);
void print_linkage(Text& out, const ClassLinkage& linkage);

}  // namespace unshade::shader::reflection
