#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <unshade/shader/diff.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io.hpp"
#include "cli/print/diff.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr Option kOnly{"only", 0, Takes::choice, "WHAT", "parts|interface|code", "compare this alone, and what the files are"};
constexpr Option kBrief{"brief", 'q', Takes::nothing, {}, {}, "one line: whether they differ, and in what"};
constexpr Option kContext{"unified", 'U', Takes::text, "N", {}, "lines of code around each difference, 3 by default"};
constexpr Option kExactText{"exact-text", 0,  Takes::nothing,
                            {},           {}, "compare listings as they are printed: numbers of values, ids and comments count"};
constexpr Option kOptions[] = {kOnly, kBrief, kContext, kExactText, kJson};

constexpr std::uint32_t kUsualContext = 3;

std::optional<std::uint32_t> context_lines(const Args& args) {
  if (!args.has(kContext.name)) return kUsualContext;
  const std::string_view text = args.value(kContext.name);
  std::uint32_t lines = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), lines);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return lines;
}

/// An opened file, or why there is none: damaged files are trouble here, as 1 means that files differ.
std::optional<shader::Shader> open_input(const Input& input, Io& io) {
  auto opened = shader::open(input.view());
  if (opened) return *std::move(opened);
  io.report(input.name, opened.error());
  return std::nullopt;
}

Exit run_diff(const Args& args, Io& io) {
  const auto context = context_lines(args);
  if (args.operands.size() != 2 || !context) {
    io.report({}, "usage", context ? "diff wants two files: unshade diff A B" : "-U wants a number of lines");
    return Exit::failed;
  }
  shader::DiffOptions options;
  options.exact_text = args.has(kExactText.name);
  if (args.has(kOnly.name)) {
    const std::string_view only = args.value(kOnly.name);
    options.parts = only == "parts";
    options.interface = only == "interface";
    options.code = only == "code";
  }
  const auto before = io.read(args.operands[0]);
  const auto after = io.read(args.operands[1]);
  if (!before || !after) return Exit::failed;
  const auto shader_before = open_input(*before, io);
  const auto shader_after = open_input(*after, io);
  if (!shader_before || !shader_after) return Exit::failed;

  const shader::Difference difference = shader::compare(*shader_before, *shader_after, options);
  const DiffNames names{before->name, after->name};
  if (args.has(kJson.name)) {
    Json json(io.out);
    write_difference(names, difference, json);
  } else if (args.has(kBrief.name)) {
    print_difference_briefly(names, difference, io.out);
  } else {
    print_difference(names, difference, *context, io.out);
  }
  return difference.same_meaning ? Exit::ok : Exit::invalid;
}

constexpr Example kExamples[] = {
    {"unshade diff old.cso new.cso", "everything that differs"},
    {"unshade diff --only interface a.spv b.spv", "inputs, outputs, resources, buffers and features alone"},
    {"unshade diff -q a.dxil b.dxil", "whether they mean the same, in a line"},
    {"unshade diff --json a.cso b.cso | jq '.interface'", "what differs in the interface, as JSON"},
};

}  // namespace

const Verb kDiff{
    .name = "diff",
    .summary = "what differs between two shaders, by their meaning",
    .description =
        "Compares two files of any family: what they are, their parts, their interface (entry points, signatures, resources, buffers, "
        "features) and their instructions, aligned. Numbers of values, ids and labels are matched one to one instead of compared, and "
        "names for debuggers, hashes and counts are told but do not count. What one of them has stands behind - or +, what both have with "
        "other values behind ~.",
    .operands = {"FILE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 they mean the same, even if their bytes differ, 1 they differ, 2 usage, input and output, or a file is no shader",
    .run = run_diff,
};

}  // namespace unshade::cli
