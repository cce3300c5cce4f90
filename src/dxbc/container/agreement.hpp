// Text beside bytes: if a listing carries a part as bytes, whatever its text says of that part must be what the bytes say.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/assemble/program.hpp"
#include "dxbc/assemble/scanner.hpp"
#include "dxbc/assemble/tables.hpp"
#include "dxbc/container/assemble.hpp"
#include "dxbc/container/read_statements.hpp"

namespace unshade::dxbc::container {

/// Whether the lines before the program, or of the statements about parts, are those that listing the container gives, by the
/// habits of any compiler. Blanks and empty lines do not count.
bool gives_head(std::string_view head, const dxcontainer::Container& container);
/// The same of an effect, whose listing has no other part. Reports the first line that differs.
bool gives_effect(std::string_view listing, const dxcontainer::Container& container, assembler::Messages& messages);

/// Reports the rows of tables that `made`, of what the text gives alone, has otherwise than `whole`, which is what the file will be.
void compare_tables(std::string_view head, const dxcontainer::Container& made, const dxcontainer::Container& whole,
                    assembler::Messages& messages);
/// Reports the first line of `head` that listing the container does not give. For files without a token program, of which a text gives
/// no part.
void compare_head(std::string_view head, const dxcontainer::Container& whole, assembler::Messages& messages);
/// Reports code for level 9, at the end of `head`, that is not what its part holds. If there is no such part, that is a fault among
/// parts that the text lists, else worth a warning.
void compare_level9(std::string_view head, const dxcontainer::Container& whole, bool lists_parts, assembler::Messages& messages);
/// Reports what the lines of statistics say otherwise than `statistics`. The number of instructions is looked at if `exact_count`:
/// elsewhere it is counted anew.
void compare_statistics(const assembler::SourceTables& tables, const Statistics* statistics, bool exact_count,
                        assembler::Messages& messages);

/// What STAT holds; nothing if there is none that can be read.
std::optional<Statistics> statistics_in(const AssembledContainer& container);
/// Reports statements that state facts of parts which there are not: they would be lost; and counts beside a STAT that has others.
void compare_facts(const PartStatements& stated, const AssembledContainer& container, assembler::Messages& messages);
/// Reports compile flags and marks of bindings that RDEF has otherwise. For files whose RDEF is there in bytes.
void compare_definitions(const PartStatements& stated, const dxcontainer::Container& whole, assembler::Messages& messages);
/// Reports the first statement of the assembled program, which begin at `starts`, that the file's program has otherwise.
void compare_program(const Program& program, std::span<const assembler::ProgramAssembler::Start> starts, const char* profile_at,
                     const dxcontainer::Container& whole, assembler::Messages& messages);

}  // namespace unshade::dxbc::container
