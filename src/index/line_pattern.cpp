#include "index/line_pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <cstdint>
#include <utility>

#include <unshade/index/search.hpp>

namespace unshade::index {

namespace {

// Of an expression.
constexpr std::size_t kMostExpressionBytes = std::size_t{1} << 14;
constexpr std::uint32_t kMostNesting = 100;
// Of matching one line.
constexpr std::uint32_t kMostTries = 5'000'000;  ///< places that are returned to
constexpr std::uint32_t kMostHeapKib = 65'536;
constexpr std::size_t kMostMoves = std::size_t{1} << 30;  ///< bytes that are passed, in long lines
constexpr std::size_t kItemMoves = 16;                    ///< an item takes as long as so many bytes
/// A try may pass all bytes of a line. In longer ones they are counted, which takes longer.
constexpr std::size_t kLongLine = 1024;

/// Bytes that were passed.
struct Moves {
  std::size_t position = 0;
  std::size_t total = 0;
};

int count_moves(pcre2_callout_block* callout, void* of) {
  auto& moves = *static_cast<Moves*>(of);
  const std::size_t position = callout->current_position;
  moves.total += kItemMoves + (position > moves.position ? position - moves.position : moves.position - position);
  moves.position = position;
  return moves.total > kMostMoves ? PCRE2_ERROR_MATCHLIMIT : 0;
}

std::string message_of(int status) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(status, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

void PatternFree::operator()(pcre2_code* code) const { pcre2_code_free(code); }
void PatternFree::operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
void PatternFree::operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }

Result<LinePattern> LinePattern::compile(std::string_view expression, bool ignores_case) {
  struct FreeContext {
    void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
  };
  const std::unique_ptr<pcre2_compile_context, FreeContext> context(pcre2_compile_context_create(nullptr));
  if (context == nullptr) return Error{ErrorCode::limit, 0, "regex", message_of(PCRE2_ERROR_NOMEMORY)};
  pcre2_set_max_pattern_length(context.get(), kMostExpressionBytes);
  pcre2_set_parens_nest_limit(context.get(), kMostNesting);
  // not what the library was built with
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
  const std::uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY |
                                (ignores_case ? std::uint32_t{PCRE2_CASELESS} : 0);
  LinePattern made;
  for (Code* const code : {&made.code_, &made.counted_}) {
    int status = 0;
    std::size_t offset = 0;
    code->reset(pcre2_compile(units(expression), expression.size(), options | (code == &made.counted_ ? PCRE2_AUTO_CALLOUT : 0), &status,
                              &offset, context.get()));
    if (*code == nullptr)
      return Error{ErrorCode::bad_value, 0, "regex", message_of(status) + " at byte " + std::to_string(offset) + " of the expression"};
  }
  if (!ignores_case) made.literal_ = required_literal(expression);
  return made;
}

Result<void> LineSearch::check() const {
  const auto compiled = LinePattern::compile(expression, ignores_case);
  if (!compiled) return compiled.error();
  return {};
}

LineMatcher::LineMatcher(const LinePattern& pattern)
    : pattern_(&pattern), context_(pcre2_match_context_create(nullptr)), data_(pcre2_match_data_create(1, nullptr)) {
  if (context_ == nullptr) return;
  pcre2_set_match_limit(context_.get(), kMostTries);
  pcre2_set_depth_limit(context_.get(), kMostTries);
  pcre2_set_heap_limit(context_.get(), kMostHeapKib);
}

LineMatcher::Outcome LineMatcher::match(std::string_view line) {
  if (context_ == nullptr || data_ == nullptr) {
    status_ = PCRE2_ERROR_NOMEMORY;
    return Outcome::fault;
  }
  Moves moves;
  const bool counts = line.size() > kLongLine;
  pcre2_set_callout(context_.get(), counts ? count_moves : nullptr, &moves);
  status_ = pcre2_match((counts ? pattern_->counted_ : pattern_->code_).get(), units(line), line.size(), 0, 0, data_.get(), context_.get());
  if (status_ >= 0) return Outcome::match;
  return status_ == PCRE2_ERROR_NOMATCH ? Outcome::no_match : Outcome::fault;
}

std::string LineMatcher::fault() const { return message_of(status_); }

}  // namespace unshade::index
