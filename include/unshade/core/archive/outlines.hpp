// Which archives make the outline of a description.
#pragma once

namespace unshade {

/// Such an archive has no bytes and no records: a list whose records have no description of their own is bytes to it.
template <class Archive>
inline constexpr bool kOutlines = requires { Archive::kOutlines; };

}  // namespace unshade
