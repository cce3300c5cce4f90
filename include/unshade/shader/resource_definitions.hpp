// Resource definitions for DXBC files that lost theirs: shaders of games are stripped of RDEF, though tools want the names.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/edit.hpp>

namespace unshade::shader {

/// Puts an RDEF part where compilers put it, in the place of one that is there. `definitions`: a container that has one (another build of
/// the same shader), or the bare part. If the definitions say more or less than the program declares without contradicting it, notes.
/// Errors: missing if `definitions` holds none, or there is no program to check against; bad_value if they belong to another
/// program: other stage or version, a declared register that is not bound or bound as something else, a buffer that is too small.
Result<Edited> restore_definitions(const Shader& shader, View definitions);

/// The same with generated definitions, from the program's declarations alone: names are the registers', each buffer holds one array of
/// float4. A file that has an RDEF part stays as it is. Errors: missing if there is no program.
Result<Edited> make_definitions(const Shader& shader);

}  // namespace unshade::shader
