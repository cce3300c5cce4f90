// What has to hold for every sequence of bytes, one plain function each. libFuzzer runs them (target.cpp), and so do tests, which replay
// samples and past finds with any compiler.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade::fuzz {

/// A text may be this many times as long as its file, and kTextBase more.
inline constexpr std::size_t kTextPerByte = 64;
inline constexpr std::size_t kTextBase = std::size_t{1} << 20;

/// Each returns an empty text where its property holds, else what is broken.

/// Opening gives a shader whose parts lie in the file, or an error with a path and an offset in the file.
std::string open(View file);
/// Listings, by every option, are made or refused, and stay in proportion to the file.
std::string listing(View file);
/// The field tree names every byte once, and each of its values can be printed.
std::string annotate(View file);
/// Reflection refers only to things it has, and prints as tables and as HLSL in proportion to the file.
std::string reflection(View file);
/// Findings have rules, lie in the file and are in order; what is not valid for one reason is still looked through for others.
std::string validation(View file);
/// Level 9 parts: parsed, each token decoded and printed.
std::string level9(View file);
/// Debug parts: parsed, sources and names of all variables printed.
std::string debug_info(View file);
/// What a writer makes of a part is read again, and comes out the same the second time.
std::string rewrite(View file);

/// A SHBIN that is read is written to the byte; laid out anew, it is the same program.
std::string pica_rewrite(View file);
/// Any text: assembled, or refused with messages that have a place; what is made of it is listed, and assembles to the same again.
std::string pica_assemble(View file);
/// Linked to itself, and taken apart: made or refused; what is made is read again.
std::string pica_link(View file);

struct Property {
  std::string_view name;
  std::string (*holds)(View file);
};
std::span<const Property> properties();

}  // namespace unshade::fuzz
