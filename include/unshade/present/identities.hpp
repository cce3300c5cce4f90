// The names that tools give a shader, as JSON.
#pragma once

#include <span>
#include <string_view>

#include <unshade/find/identity.hpp>
#include <unshade/present/json.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::present {

/// One file's object; docs/reference/json/hash.schema.json has its shape.
void write_identities(std::string_view file, const shader::Shader& shader, std::span<const find::Identity> identities, Json& json);

}  // namespace unshade::present
