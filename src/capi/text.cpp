// What the command prints for people.
#include <cstdint>
#include <string>

#include <unshade/present/diff.hpp>
#include <unshade/present/dump.hpp>
#include <unshade/present/findings.hpp>
#include <unshade/present/summary.hpp>
#include <unshade/shader/diff.hpp>

#include "capi/named_file.hpp"
#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;
using capi::NamedFile;
using capi::or_empty;
using present::Printer;

namespace {

Result<void> print_file(NamedFile& file, std::int32_t what, Printer& printer) {
  if (what == UNSHADE_TEXT_INFO) {
    const auto row = file.summary();
    if (!row) return row.error();
    present::print_summaries({&*row, 1}, printer);
  } else if (what == UNSHADE_TEXT_FINDINGS) {
    const auto findings = file.findings();
    present::print_findings(file.name(), findings, printer);
    present::print_verdict(file.name(), present::Verdict(findings, Severity::error), printer);
  } else {
    const Tree tree = file.fields();
    const present::Children children(tree);
    const auto parts = present::select_parts(tree, children, {});
    what == UNSHADE_TEXT_HEX ? present::print_hex(tree, children, parts, printer) : present::print_tree(tree, children, parts, printer);
  }
  return {};
}

Result<std::string> text_in(NamedFile& file, std::int32_t what) {
  return capi::printed([&](Printer& printer) { return print_file(file, what, printer); });
}

const char* text_fault(std::int32_t what) { return what >= UNSHADE_TEXT_INFO && what <= UNSHADE_TEXT_FINDINGS ? nullptr : "unknown text"; }

}  // namespace

unshade_code unshade_shader_text(const unshade_shader* shader, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  return capi::tell_of(shader, name, text_fault(what), text, error, [&](NamedFile& file) { return text_in(file, what); });
}

unshade_code unshade_text(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  return capi::tell_of(bytes, size, name, text_fault(what), text, error, [&](NamedFile& file) { return text_in(file, what); });
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
