// SPDB as a document: the streams of its program database, and where their blocks lie.
#pragma once

#include <unshade/dxcontainer/part_document.hpp>

namespace unshade::dxbc::debug {

Result<Value> spdb_to_value(const dxcontainer::Part& part, const dxcontainer::PartContext& context, Places places);
Result<std::vector<std::byte>> spdb_from_value(const dxcontainer::PartContext& context, const Value& value);

}  // namespace unshade::dxbc::debug
