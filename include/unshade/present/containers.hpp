// Direct3D's containers and what they are packed in, as text and JSON: lists of parts, root signatures, program databases.
#pragma once

#include <string_view>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

namespace unshade::present {

/// A line for each part: its offset, its size and what it holds.
void print_parts(const dxcontainer::Container& container, Printer& out);
/// An element of `files`.
void write_parts(std::string_view file, const dxcontainer::Container& container, Json& json);

/// unshade.rootsig/1; `text` is what dxcontainer::print_root_signature() prints.
void write_root_signature(std::string_view file, const dxcontainer::RootSignature& signature, std::string_view text, Json& json);

void print_database(const dxil::DebugDatabase& database, Printer& out);
/// unshade.pdb/1
void write_database(std::string_view file, const dxil::DebugDatabase& database, Json& json);

}  // namespace unshade::present
