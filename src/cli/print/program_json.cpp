#include "cli/print/program_json.hpp"

#include <cstdint>

namespace unshade::cli::print {

void write_program(const pica::Shbin& shbin, std::span<const std::byte> bytes, Json& json) {
  json.begin_object();
  json.member("size", std::uint64_t{bytes.size()});
  json.member("words", std::uint64_t{shbin.program.code.size()});
  json.member("descriptors", std::uint64_t{shbin.program.descriptors.size()});
  json.objects("executables", shbin.executables, [&](const pica::Executable& executable) {
    json.member("stage", id(executable.stage));
    json.member("entry", executable.entry_words);
    json.member("end", executable.end_words);
  });
  json.bytes("bytes", bytes);
  json.end_object();
}

}  // namespace unshade::cli::print
