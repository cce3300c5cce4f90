// What the command prints for people.
#include <cstdint>
#include <string_view>

#include <unshade/present/diff.hpp>
#include <unshade/present/dump.hpp>
#include <unshade/present/findings.hpp>
#include <unshade/present/summary.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/diff.hpp>
#include <unshade/shader/validate.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;
using capi::or_empty;
using present::Printer;

namespace {

Result<void> print_info(std::string_view name, View bytes, Printer& printer) {
  const auto opened = shader::open(bytes);
  if (!opened) return opened.error();
  const present::SummaryRow row{std::string(name), shader::summarize(*opened)};
  present::print_summaries({&row, 1}, printer);
  return {};
}

void print_fields(View bytes, bool is_hex, Printer& printer) {
  const Tree tree = shader::annotate(bytes);
  const present::Children children(tree);
  const auto parts = present::select_parts(tree, children, {});
  if (is_hex) {
    present::print_hex(tree, children, parts, printer);
  } else {
    present::print_tree(tree, children, parts, printer);
  }
}

void print_findings(std::string_view name, View bytes, Printer& printer) {
  const auto findings = shader::validate(bytes);
  present::print_findings(name, findings, printer);
  present::print_verdict(name, present::Verdict(findings, Severity::error), printer);
}

}  // namespace

unshade_code unshade_text(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or text is NULL");
    if (what < UNSHADE_TEXT_INFO || what > UNSHADE_TEXT_FINDINGS) return capi::invalid_argument(error, "unknown text");
    const View file = capi::view_of(bytes, size);
    const auto made = capi::printed([&](Printer& printer) -> Result<void> {
      if (what == UNSHADE_TEXT_INFO) return print_info(or_empty(name), file, printer);
      if (what == UNSHADE_TEXT_FINDINGS) {
        print_findings(or_empty(name), file, printer);
      } else {
        print_fields(file, what == UNSHADE_TEXT_HEX, printer);
      }
      return {};
    });
    return capi::hand_out(made, text, error);
  });
}

unshade_code unshade_diff_text(const unshade_shader* before, const char* before_name, const unshade_shader* after, const char* after_name,
                               int exact_text, uint32_t context, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (before == nullptr || after == nullptr || text == nullptr) return capi::invalid_argument(error, "a shader or text is NULL");
    shader::DiffOptions options;
    options.exact_text = exact_text != 0;
    const shader::Difference difference = shader::compare(before->shader, after->shader, options);
    const auto made = capi::printed([&](Printer& printer) -> Result<void> {
      present::print_difference({or_empty(before_name), or_empty(after_name)}, difference, context, printer);
      return {};
    });
    return capi::hand_out(made, text, error);
  });
}
