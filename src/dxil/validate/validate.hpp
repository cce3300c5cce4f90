// What the checks of a DXIL container and its modules share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/findings.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/validate/check.hpp>

namespace unshade::dxil::validate {

// What check_parts() is made of.
void check_psv(const dxcontainer::Container& container, const dxcontainer::Part& part, ShaderKind kind, Findings& findings,
               const ModuleSource& modules = {});
/// The container has RTS0.
void check_root_bindings(const dxcontainer::Container& container, const dxcontainer::Part& psv_part, const Psv& psv, ShaderKind kind,
                         Findings& findings, const ModuleSource& modules = {});
void check_rdat(const dxcontainer::Part& part, Findings& findings);

/// Checks a module: what LLVM asks of any and, if it is one of DXIL, what DXIL asks. `place` is what paths begin with, `offset` where in
/// the file the bitcode begins.
void check_module(const Module& module, const ProgramMetadata& program, std::string place, std::uint64_t offset, bool of_dxil,
                  Findings& findings);
/// What parts say of a program against what its module says.
void check_against_module(const dxcontainer::Container& container, const Module& module, const ProgramMetadata& program,
                          Findings& findings);

/// Whether `semantic` is the name of a system value, in letters of any size: `SV_VertexID` of `vertex_id`.
bool names_semantic(std::string_view semantic, SemanticKind kind);

/// Where in the file the resources of PSV0 begin, `index` of them in.
std::uint64_t psv_resource_offset(const dxcontainer::Part& part, const Psv& psv, std::size_t index);

}  // namespace unshade::dxil::validate
