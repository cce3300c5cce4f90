// A module in the form that reads best: expressions where the file has them.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/write/source.hpp>

namespace unshade::write::source {

/// Runs the passes that tear nothing apart, says choices and negations as such, copies the sums that addresses are to each access, and
/// brings vectors together. Of the PICA200, addresses of constants are computed once, and but for `exact` minima and maxima are those of
/// other processors. Input attachments are read at 0 in languages that have them. Errors: those of ir::verified().
Result<Validated<ir::Module>> prepared(ir::Module module, const SourceOptions& options, shader::Family family);
/// Whether the row of a handle of a descriptor heap says what is found there.
bool has_heap_type(const ir::Resource& resource);
/// Gives each handle of a descriptor heap whose row does not say it a resource with the type that its uses have; those that have none, or
/// several, keep theirs.
void type_heap_resources(ir::Module& module);

/// Whether an operation accesses a texel of 64 bits as one number.
bool accesses_wide_texel(const ir::Inst& inst);
/// Whether an atomic operation on a texel is a minimum or maximum of signed integers.
bool is_signed_atomic(const ir::Inst& inst);
/// Whether a load is one that says if its memory is mapped. After prepared() it says nothing else: its values are those of another.
bool has_status(const ir::Inst& inst);

}  // namespace unshade::write::source
