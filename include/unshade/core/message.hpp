// Messages about a text, and the result of assembling one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>

namespace unshade {

/// A message about a place in a text.
struct Message {
  Severity severity = Severity::error;
  std::string_view id;       ///< of a rule, or of an error code: `as.invalid-operand`, `bad-value`
  std::uint32_t line = 0;    ///< from 1; 0: the text as a whole
  std::uint32_t column = 0;  ///< from 1, in bytes; 0: the whole line
  std::string text;          ///< one sentence: what was expected, what was found
  std::string file{};        ///< the name of the source, if there can be several
};

/// `3:14: error[as.invalid-operand]: text`, with the name of the source before it if it has one.
std::string to_string(const Message& message);

/// The place in a text that the bytes of a file come from: those from `offset` up to the offset of the next place.
struct ByteOrigin {
  std::uint64_t offset = 0;
  std::uint32_t line = 0;    ///< from 1; 0: from none alone
  std::uint32_t column = 0;  ///< from 1, in bytes; 0: the whole line
};

/// The place of what lies at the offset of a file; line 0 if none is known. `origins` ascend.
ByteOrigin origin_at(std::span<const ByteOrigin> origins, std::uint64_t offset);

/// A file assembled from one text.
struct Assembly {
  bool ok = false;  ///< no error among the messages; `file` is whole
  std::vector<std::byte> file{};
  std::vector<Message> messages{};
  std::vector<std::string> notes{};   ///< what the user should know of the file; sentences without a full stop
  std::vector<ByteOrigin> origins{};  ///< of instructions and parts, ascending; of DXBC and SPIR-V
};

}  // namespace unshade
