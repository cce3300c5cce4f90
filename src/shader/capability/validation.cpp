#include "shader/capability/validation.hpp"

#include <utility>
#include <variant>

#include <unshade/dxbc/validate/check.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxcontainer/validate.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/validate/check.hpp>
#include <unshade/pica/validate.hpp>
#include <unshade/spirv/validate/check.hpp>
#include <unshade/vbc/validate.hpp>

#include "shader/family/dxil.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::capability {

using dxcontainer::PdbContainer;

namespace {

void check_dxbc(const Shader& shader, Findings& findings) {
  if (const auto container = dxcontainer::check_container(shader.file, findings)) dxbc::validate::check_parts(*container, false, findings);
}

void check_container(View file, const dxil::ModuleSource& modules, Findings& findings) {
  if (const auto container = dxcontainer::check_container(file, findings)) dxil::validate::check_parts(*container, findings, modules);
}

void check_dxil(const Shader& shader, Findings& findings) {
  const dxil::ModuleSource modules = family::source_of(shader);
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content))
    return dxil::validate::check_bitcode(bitcode->bytes, findings, modules);
  const PdbContainer* const pdb = shader.pdb();
  if (pdb == nullptr) return check_container(shader.file, modules, findings);
  if (pdb->in_one_piece()) return check_container(pdb->view(), modules, findings);
  Findings inner(shader.file.size());
  check_container(pdb->view(), modules, inner);
  for (Diagnostic& d : inner.take()) findings.add(*d.rule, pdb->file_offset(d.offset), std::move(d.path), std::move(d.message));
}

void check_pica(const Shader& shader, Findings& findings) {
  for (Diagnostic& d : pica::check_file(shader.file)) findings.add(*d.rule, d.offset, std::move(d.path), std::move(d.message));
}

void check_spirv(const Shader& shader, Findings& findings) { spirv::check_module(shader.file, findings); }

void check_vbc(const Shader& shader, Findings& findings) {
  for (Diagnostic& d : vbc::check_file(shader.file)) findings.add(*d.rule, d.offset, std::move(d.path), std::move(d.message));
}

constexpr ValidationRow kValidations[] = {
    {Family::dxbc, check_dxbc},   {Family::dxil, check_dxil}, {Family::pica, check_pica},
    {Family::spirv, check_spirv}, {Family::vbc, check_vbc},
};

}  // namespace

const ValidationRow& validation_row(Family family) { return family::find_row(kValidations, family); }

}  // namespace unshade::shader::capability
