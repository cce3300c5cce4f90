#include <unshade/system/utf8_texts.hpp>

#include <locale.h>

namespace unshade::system {

Utf8Texts::Utf8Texts() {
  // macOS calls the second one so
  locale_t made = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (made == nullptr) made = ::newlocale(LC_CTYPE_MASK, "UTF-8", nullptr);
  if (made == nullptr) return;
  own_ = made;
  before_ = ::uselocale(made);
}

Utf8Texts::~Utf8Texts() {
  if (own_ == nullptr) return;
  ::uselocale(static_cast<locale_t>(before_));
  ::freelocale(static_cast<locale_t>(own_));
}

}  // namespace unshade::system
