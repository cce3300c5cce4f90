#include "shader/capability/reflection.hpp"

#include "shader/family/family.hpp"
#include "shader/reflect/dxbc.hpp"
#include "shader/reflect/dxil/dxil.hpp"
#include "shader/reflect/pica.hpp"
#include "shader/reflect/spirv.hpp"
#include "shader/reflect/vbc.hpp"

namespace unshade::shader::capability {

namespace {

constexpr ReflectionRow kReflections[] = {
    {Family::dxbc, reflection::reflect_dxbc},   {Family::dxil, reflection::reflect_dxil}, {Family::pica, reflection::reflect_pica},
    {Family::spirv, reflection::reflect_spirv}, {Family::vbc, reflection::reflect_vbc},
};

}  // namespace

const ReflectionRow& reflection_row(Family family) { return family::find_row(kReflections, family); }

}  // namespace unshade::shader::capability
