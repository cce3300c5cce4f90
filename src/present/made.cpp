#include <unshade/present/made.hpp>

#include <unshade/present/files.hpp>

namespace unshade::present {

namespace {

void write_program(const MadeProgram& program, Json& json) {
  json.object([&] {
    if (program.shbin == nullptr) json.member("family", program.family);
    json.member("size", std::uint64_t{program.bytes.size()});
    if (program.shbin != nullptr) {
      json.member("words", std::uint64_t{program.shbin->program.code.size()});
      json.member("descriptors", std::uint64_t{program.shbin->program.descriptors.size()});
      json.objects("executables", program.shbin->executables, [&](const pica::Executable& executable) {
        json.member("stage", id(executable.stage));
        json.member("entry", executable.entry_words);
        json.member("end", executable.end_words);
      });
    }
    json.bytes("bytes", program.bytes);
  });
}

}  // namespace

void write_edited(const EditedFile& edited, Json& json) {
  json.object([&] {
    json.member("file", edited.file);
    json.member("family", edited.family);
    if (edited.error) {
      json.key("error");
      return write_error(*edited.error, json);
    }
    if (!edited.skipped.empty()) return json.member("skipped", edited.skipped);
    json.member("changed", edited.changed);
    json.member("size_before", edited.size_before);
    json.member("size", edited.size);
    json.array("notes", edited.notes, [&](const std::string& note) { json.string(note); });
    edited.output.empty() ? json.bytes("bytes", edited.bytes) : json.member("output", edited.output);
  });
}

void write_assembled(std::span<const Message> messages, const MadeProgram* program, Json& json) {
  begin_document(Schema::as, json);
  json.member("ok", program != nullptr);
  json.objects("messages", messages, [&](const Message& message) {
    json.member("severity", id(message.severity));
    json.member("rule", message.id);
    json.member("file", message.file);
    json.member("line", message.line);
    json.member("column", message.column);
    json.member("message", message.text);
  });
  json.key("program");
  program != nullptr ? write_program(*program, json) : json.null();
  end_document(json);
}

void write_linked(std::span<const std::string> files, const MadeProgram& program, Json& json) {
  begin_document(Schema::link, json);
  json.array("files", files, [&](const std::string& name) { json.string(name); });
  json.key("program");
  write_program(program, json);
  end_document(json);
}

void write_packed(const MadeProgram& program, Json& json) {
  begin_document(Schema::pack, json);
  json.array("notes", std::span<const std::string>(), [&](const std::string& note) { json.string(note); });
  json.member("family", program.family);
  json.member("size", std::uint64_t{program.bytes.size()});
  json.bytes("bytes", program.bytes);
  end_document(json);
}

void write_source_text(std::string_view file, std::string_view stage, std::string_view language, const write::SourceText& source,
                       bool has_score, Json& json) {
  json.object([&] {
    json.member("file", file);
    json.member("stage", stage);
    json.member("language", language);
    json.member("text", source.text);
    std::vector<std::size_t> of_instructions;
    for (std::size_t line = 0; line < source.lines.size(); ++line)
      if (source.lines[line].instruction != ir::kNone) of_instructions.push_back(line);
    if (!source.lines.empty()) {
      json.objects("lines", of_instructions, [&](std::size_t line) {
        json.member("line", std::uint64_t{line + 1});
        json.member("function", source.functions[source.lines[line].function]);
        json.member("instruction", source.lines[line].instruction);
        if (source.lines[line].listing_line != 0) json.member("listing_line", source.lines[line].listing_line);
      });
    }
    if (!has_score) return;
    json.key("score");
    json.object([&] {
      for (const write::ScoreRow& row : write::kScoreRows) json.member(row.id, std::uint64_t{source.score.*row.count});
    });
  });
}

void write_translation(std::string_view file, const write::Translation& translation, bool has_bytes, Json& json) {
  json.object([&] {
    json.member("file", file);
    json.member("stage", id(translation.stage));
    json.member("size", std::uint64_t{translation.bytes.size()});
    json.member("wave_min", translation.wave_min);
    json.member("wave_max", translation.wave_max);
    if (has_bytes) json.bytes("bytes", translation.bytes);
    json.objects("bindings", translation.bindings, [&](const write::BoundResource& one) {
      json.member("name", one.name);
      json.member("kind", id(one.kind));
      json.member("space", one.space);
      json.member("register", one.first_register);
      json.member("count", one.count);
      json.member("set", one.set);
      json.member("binding", one.binding);
      if (one.counter_binding != write::kNoBinding) json.member("counter_binding", one.counter_binding);
    });
    json.objects("specializations", translation.specializations, [&](const write::Specialization& one) {
      json.member("id", one.id);
      json.member("name", one.name);
      json.member("value", one.value);
    });
  });
}

void write_embedded(std::string_view file, std::string_view family, std::string_view name, std::uint64_t size, std::string_view source,
                    Json& json) {
  json.object([&] {
    json.member("file", file);
    json.member("family", family);
    json.member("name", name);
    json.member("size", size);
    json.member("source", source);
  });
}

}  // namespace unshade::present
