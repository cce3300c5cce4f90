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

void print_info(std::string_view name, const shader::Summary& summary, Printer& printer) {
  const present::SummaryRow row{std::string(name), summary};
  present::print_summaries({&row, 1}, printer);
}

void print_fields(const Tree& tree, bool is_hex, Printer& printer) {
  const present::Children children(tree);
  const auto parts = present::select_parts(tree, children, {});
  if (is_hex) {
    present::print_hex(tree, children, parts, printer);
  } else {
    present::print_tree(tree, children, parts, printer);
  }
}

void print_findings(std::string_view name, const std::vector<Diagnostic>& findings, Printer& printer) {
  present::print_findings(name, findings, printer);
  present::print_verdict(name, present::Verdict(findings, Severity::error), printer);
}

bool is_text(std::int32_t what) { return what >= UNSHADE_TEXT_INFO && what <= UNSHADE_TEXT_FINDINGS; }
constexpr const char* kUnknownText = "unknown text";

}  // namespace

unshade_code unshade_shader_text(const unshade_shader* shader, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    if (!is_text(what)) return capi::invalid_argument(error, kUnknownText);
    const auto made = capi::printed([&](Printer& printer) -> Result<void> {
      if (what == UNSHADE_TEXT_INFO) {
        print_info(or_empty(name), shader->summary, printer);
      } else if (what == UNSHADE_TEXT_FINDINGS) {
        print_findings(or_empty(name), shader::validate(shader->shader).diagnostics(), printer);
      } else {
        print_fields(shader::annotate(shader->shader), what == UNSHADE_TEXT_HEX, printer);
      }
      return {};
    });
    return capi::hand_out(made, text, error);
  });
}

unshade_code unshade_text(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or text is NULL");
    if (!is_text(what)) return capi::invalid_argument(error, kUnknownText);
    const View file = capi::view_of(bytes, size);
    const auto made = capi::printed([&](Printer& printer) -> Result<void> {
      if (what == UNSHADE_TEXT_INFO) {
        const auto opened = shader::open(file);
        if (!opened) return opened.error();
        print_info(or_empty(name), shader::summarize(*opened), printer);
      } else if (what == UNSHADE_TEXT_FINDINGS) {
        print_findings(or_empty(name), shader::validate(file), printer);
      } else {
        print_fields(shader::annotate(file), what == UNSHADE_TEXT_HEX, printer);
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
