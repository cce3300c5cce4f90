// The readers of the two forms of debug parts; debug_info.cpp picks one.
#pragma once

#include <unshade/dxbc/debug_info.hpp>

namespace unshade::dxbc::debug {

Result<DebugInfo> parse_spdb(const dxcontainer::Part& part, DebugDetail detail);
void record_spdb(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

Result<DebugInfo> parse_sdbg(const dxcontainer::Part& part, DebugDetail detail);
void record_sdbg(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxbc::debug
