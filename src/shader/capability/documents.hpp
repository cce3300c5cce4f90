// Documents of the families.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/shader.hpp>

#include "shader/document/container.hpp"

namespace unshade::shader::capability {

struct DocumentRow {
  Family family = Family::unknown;
  /// Fills a map that has its schema and family already. What it makes need not be right: the caller checks it by building.
  Result<void> (*make)(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints) = nullptr;
  Result<std::vector<std::byte>> (*build)(const Value& document, std::uint64_t most, const BuildOptions& options) = nullptr;
  /// What the parts of its containers are; null if it has no containers.
  const document::PartDialect* parts = nullptr;
};

const DocumentRow& document_row(Family family);

}  // namespace unshade::shader::capability
