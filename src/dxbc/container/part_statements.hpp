// Statements about parts: what exact listings say of a container besides its tables and its program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/parts/statistics_layout.hpp"

namespace unshade::dxbc::container {

/// Flags of RDEF that are not told: no_preshader, which every file has.
inline constexpr std::uint32_t kUsualCompileFlags = 0x100;

/// Whether fxc marks a binding as one whose register the source gives, as far as the listing tells. observed: in shader model 5.1 only
/// buffers are marked; what fxc makes itself never is.
bool is_likely_packed(const Binding& binding, bool is_5_1);

/// Whether a part holds the token program.
constexpr bool is_program(std::uint32_t kind) { return kind == dxcontainer::fourcc("SHDR") || kind == dxcontainer::fourcc("SHEX"); }

/// What stands after the bytes of a part with code for level 9: a checksum of the program that was beside it, by which `as` sees that the
/// program was edited and the code not.
inline constexpr std::string_view kBesideProgram = "// beside the program 0x";
std::uint32_t program_checksum(std::span<const std::byte> program);

/// Calls `f` with the name and the value of each field, which it may change.
template <class F>
struct StatisticFields {
  static constexpr bool kReads = false;
  F& f;
  void u32(std::string_view name, std::uint32_t& value) { f(name, value); }
  template <class E>
  void enum32(std::string_view name, E& value) {
    auto number = static_cast<std::uint32_t>(value);
    f(name, number);
    value = static_cast<E>(number);
  }
};
template <class F>
void visit_statistics(Statistics& statistics, F f) {
  StatisticFields<F> fields{f};
  describe(fields, statistics);
}

/// Appends what a listing has to say besides so that assembling it gives the file back: compile flags and marks of bindings if they are
/// not the usual ones, the bytes of parts that assembling does not give as they are, digest and bytes after the parts. The listing, its
/// with its tables, is in `out` from `listing_start` on.
void print_part_statements(Text& out, std::size_t listing_start, const dxcontainer::Container& container);

}  // namespace unshade::dxbc::container
