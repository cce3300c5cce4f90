#include <unshade/system/utf8_texts.hpp>

namespace unshade::system {

Utf8Texts::Utf8Texts() = default;

Utf8Texts::~Utf8Texts() = default;

}  // namespace unshade::system
