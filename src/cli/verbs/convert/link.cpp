#include <deque>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::link {

namespace {

constexpr Option kTake{"take", 't', Takes::text, "N", {}, "write only executable N (from 0) of the single input, with its dependencies"};
constexpr Option kOptions[] = {kTake, write::kNoValidate, kJson};

Exit run_link(const Args& args, Io& io) {
  const bool as_json = args.has(kJson.name);
  if (as_json) io.split_product();
  if (!as_json && io.refuses_bytes("link")) return Exit::failed;
  std::deque<Input> inputs;
  std::vector<View> sources;
  std::vector<pica::Shbin> files;
  std::vector<std::string> names;
  for (const std::string& name : args.operands) {
    auto read = io.read(name);
    if (!read) return read.exit;
    const Input* const input = &inputs.emplace_back(*std::move(read));
    sources.push_back(input->view());
    names.push_back(input->name);
    if (!shader::traits_of(shader::identify(input->view())).links)
      return io.refuse_file(input->name, other_family(*input, "a SHBIN file or a DVOJ object"));
    auto opened = open_input(*input);
    if (!opened) return io.refuse_file(input->name, opened.error());
    if (const auto* const object = std::get_if<pica::Object>(&opened->content))
      files.push_back(pica::from_object(*object));
    else
      files.push_back(std::get<pica::Shbin>(std::move(opened->content)));
  }
  std::uint32_t index = 0;
  if (args.has(kTake.name)) {
    const auto number = as_number<std::uint32_t>(args.value(kTake.name));
    if (!number || files.size() != 1) return io.refuse_usage("--take requires the number of an executable and a single file");
    index = *number;
  }
  const auto linked = args.has(kTake.name) ? pica::take_executable(files[0], index) : pica::link(files);
  if (!linked) return io.refuse_file(names.size() == 1 ? names[0] : std::string("link"), linked.error());
  const auto bytes = pica::write_shbin(*linked);
  if (!write::accepts_made(View(bytes), names.size() == 1 ? names[0] : std::string("link"), args, io, {.sources = sources}))
    return Exit::invalid;
  if (as_json) {
    Json json(io.out);
    present::write_linked(names, {bytes, {}, &*linked}, json);
  }
  if (!as_json || io.has_product_file()) io.write_bytes(bytes);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade link vertex.shbin geometry.shbin -o both.shbin", "write one file with the executables of both"},
    {"unshade link --take 1 both.shbin -o second.shbin", "write the second executable as a separate file"},
};

constexpr const SampleFile* kInputs[] = {&samples::kPlace, &samples::kScale};
constexpr std::string_view kSession = R"($ unshade as place.v.pica -o place.shbin
$ unshade as scale.v.pica -o scale.shbin
$ unshade link place.shbin scale.shbin -o both.shbin
$ unshade info both.shbin
both.shbin  pica  vs  268 bytes  4 instructions  -  -  DVLP:64 DVLE:86 DVLE:100
$ unshade link --take 1 both.shbin -o second.shbin
$ unshade dis second.shbin
.exact

; 0: vertex
.imask 0x0001
.out - position o0
.uniform "point" v0 v0
.uniform "scale" c0 c0

.proc main
	mul o0, scale, point
	end
.end)";

}  // namespace

const VerbBody kBody{
    .description =
        "Writes one SHBIN file with the executables of all inputs (SHBIN files or DVOJ objects), in this order. Programs and procedures "
        "common to several files are written once, and operand descriptors are shared by all instructions that they fit. "
        "Relocations of objects, whose meaning is unknown, are omitted. With --take, omits the code and the descriptors that the "
        "executable does not reach. With --json, writes the contents of the file, and its bytes in hexadecimal.",
    .operands = {"FILE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is damaged or they do not fit into one, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_link,
};

}  // namespace unshade::cli::verbs::link
