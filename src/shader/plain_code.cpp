#include <string>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/edit.hpp>

#include "shader/capability/edits.hpp"
#include "shader/capability/listing.hpp"
#include "shader/diff/plain.hpp"

namespace unshade::shader {

Result<std::string> plain_code(const Shader& shader) {
  const diff::Code& how = capability::listing_row(shader.family).code;
  if (const auto code = code_bytes(shader); !code) return code.error();
  Text listing;
  const auto list = [&](const Shader& listed) {
    return (how.list_plainly != nullptr ? how.list_plainly : how.list)(listed, listing, listing_checks());
  };
  const auto strip_names = capability::edit_row(shader.family).strip;
  if (strip_names == nullptr || shader.container() != nullptr) {
    // code in containers is listed without what other parts say
    if (auto done = list(shader); !done) return std::move(done).error();
    return diff::plain_listing(how.syntax, listing.view());
  }
  Strip names;
  names.debug = names.reflection = names.names = true;
  const auto stripped = strip_names(shader, names);
  if (!stripped) return stripped.error();
  const auto opened = stripped->changed ? open(View(stripped->bytes)) : Result<Shader>(shader);
  if (!opened) return opened.error();
  if (auto done = list(*opened); !done) return std::move(done).error();
  return diff::plain_listing(how.syntax, listing.view());
}

}  // namespace unshade::shader
