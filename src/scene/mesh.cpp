// Meshes: vertices from a list, a file, a resource or by name, for the inputs of a vertex shader.
#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;

constexpr std::size_t kMostNumbers = std::size_t{1} << 24;

struct MeshFields {
  const Value *built_in = nullptr, *obj = nullptr, *gltf = nullptr, *csv = nullptr, *vertices = nullptr, *instances = nullptr,
              *indices = nullptr, *buffers = nullptr, *names = nullptr, *topology = nullptr;
};
template <const Value* MeshFields::* member>
Result<void> keep(const Value& given, MeshFields& to) {
  to.*member = &given;
  return {};
}
constexpr Field<MeshFields> kMeshFields[] = {
    {"built_in", keep<&MeshFields::built_in>}, {"obj", keep<&MeshFields::obj>},           {"gltf", keep<&MeshFields::gltf>},
    {"csv", keep<&MeshFields::csv>},           {"vertices", keep<&MeshFields::vertices>}, {"instances", keep<&MeshFields::instances>},
    {"indices", keep<&MeshFields::indices>},   {"buffers", keep<&MeshFields::buffers>},   {"names", keep<&MeshFields::names>},
    {"topology", keep<&MeshFields::topology>},
};

struct BufferFields {
  const Value *data = nullptr, *elements = nullptr;
  std::uint32_t stride = 0, step_rate = 1;
  bool per_instance = false;
};
constexpr Field<BufferFields> kBufferFields[] = {
    {"data", [](const Value& given, BufferFields& to) -> Result<void> { return to.data = &given, Result<void>(); }},
    {"elements", [](const Value& given, BufferFields& to) -> Result<void> { return to.elements = &given, Result<void>(); }},
    {"stride",
     [](const Value& given, BufferFields& to) -> Result<void> {
       const auto number = run::number_of(given, "");
       return number ? (to.stride = *number, Result<void>()) : Result<void>(number.error());
     }},
    {"step_rate",
     [](const Value& given, BufferFields& to) -> Result<void> {
       const auto number = run::number_of(given, "");
       return number ? (to.step_rate = *number, Result<void>()) : Result<void>(number.error());
     }},
    {"per_instance", [](const Value& given, BufferFields& to) { return run::read_truth(given, to.per_instance); }},
};

struct ElementFields {
  texel::Format format;
  std::uint32_t offset = 0;
};
constexpr Field<ElementFields> kElementFields[] = {
    {"format",
     [](const Value& given, ElementFields& to) -> Result<void> {
       const auto known = given.as_text() == nullptr ? std::nullopt : texel::find_format(*given.as_text());
       if (!known || known->block != texel::Block::none)
         return fault(given, "", "expected the name of a DXGI format, such as R32G32_FLOAT");
       to.format = *known;
       return {};
     }},
    {"offset",
     [](const Value& given, ElementFields& to) -> Result<void> {
       const auto number = run::number_of(given, "");
       return number ? (to.offset = *number, Result<void>()) : Result<void>(number.error());
     }},
};

/// Rows of an input: registers from `place` on, of which there is more than one if it is named as a whole.
struct Input {
  std::uint32_t place = 0;
  std::uint32_t rows = 1;
  std::uint32_t columns = 4;
  bool is_integer = false;
};
// By its semantic, `TEXCOORD1`, its name or register: `v0`, `location2`. Errors: bad_value, if several have the name.
Result<std::optional<Input>> find_input(const ir::Module& vertex, std::string_view name) {
  const auto named = run::inputs_named(vertex.signatures.input, name);
  if (named.empty()) {
    std::string several = run::several_inputs(vertex.signatures.input, name);
    if (!several.empty()) return Error{ErrorCode::bad_value, 0, "", '`' + std::string(name) + "`: " + std::move(several)};
    return std::optional<Input>();
  }
  const ir::Element& element = vertex.signatures.input[named.front().element];
  if (element.first_register == ir::kNone) return std::optional<Input>();
  const std::uint32_t row = named.front().row;
  return std::optional(
      Input{element.first_register + row, named.front().is_whole ? element.rows : 1, element.columns, !ir::is_float(element.type)});
}

class Reader {
 public:
  Reader(const ir::Module& vertex, const run::RunOptions& options, const Shared& shared, ReadDocument read_document)
      : vertex_(vertex), options_(options), shared_(shared), read_document_(read_document) {}

  Result<Mesh> read(const Value& given);

 private:
  Result<void> read_names(const Value& given);
  Result<std::uint32_t> rows(const Value& given, bool per_instance);
  Result<void> column(const Value& rows, std::string_view name, std::uint64_t key_offset, bool per_instance);
  Result<void> built_in(const Value& given);
  Result<void> file(const MeshFields& fields);
  Result<void> gltf(const Value& path);
  Result<void> indices(const Value& given);
  Result<void> buffer(const Value& given, std::uint32_t& vertices, std::uint32_t& instances);
  Result<std::span<const std::byte>> bytes(const Value& given, texel::Format* format = nullptr);
  void add(const Input& input, const texel::Format& format, std::vector<std::byte> bytes, bool per_instance);
  std::string_view renamed(std::string_view name) const {
    const auto known = names_.find(name);
    return known == names_.end() ? name : std::string_view(known->second);
  }
  Result<void> has_all(const Value& given) const;

  const ir::Module& vertex_;
  const run::RunOptions& options_;
  const Shared& shared_;
  const ReadDocument read_document_;
  std::map<std::string, std::string, std::less<>> names_;
  std::uint64_t taken_ = 0;
  Mesh made_;
};

void Reader::add(const Input& input, const texel::Format& format, std::vector<std::byte> bytes, bool per_instance) {
  const auto slot = static_cast<std::uint32_t>(made_.buffers.size());
  made_.input.push_back({.input_register = input.place, .format = format, .slot = slot, .per_instance = per_instance});
  made_.memory.push_back(std::move(bytes));
  made_.buffers.push_back({made_.memory.back(), format.bytes()});
}

Result<void> Reader::read_names(const Value& given) {
  if (given.as_map() == nullptr) return fault(given, "names", "expected a map of names of the mesh to inputs of the shader");
  for (const Value::Member& one : *given.as_map()) {
    if (one.value.as_text() == nullptr) return fault(one.value, "names/" + one.key, "expected the name of an input");
    names_.emplace(one.key, *one.value.as_text());
  }
  return {};
}

texel::Format format_of(std::size_t components, bool is_integer) {
  constexpr std::string_view kReal[] = {"R32_FLOAT", "R32G32_FLOAT", "R32G32B32_FLOAT", "R32G32B32A32_FLOAT"};
  constexpr std::string_view kWhole[] = {"R32_UINT", "R32G32_UINT", "R32G32B32_UINT", "R32G32B32A32_UINT"};
  return *texel::find_format((is_integer ? kWhole : kReal)[components - 1]);
}

// One input of all rows, as wide as the first row has it.
Result<void> Reader::column(const Value& rows, std::string_view name, std::uint64_t key_offset, bool per_instance) {
  const auto found = find_input(vertex_, renamed(name));
  if (!found) return Error{found.error().code, key_offset, "[0]/" + std::string(name), found.error().message};
  const std::optional<Input>& input = *found;
  if (!input) return {};  // meshes may have more than a shader reads
  const Value::List& list = *rows.as_list();
  // of an array or matrix, all rows one after the other or a list of each
  std::vector<std::vector<const Value*>> numbers(list.size());
  const auto components_of = [&](const Value& value, std::vector<const Value*>& to) {
    run::flatten(value, to);
    return to.size();
  };
  const std::size_t components = components_of(*list.front().find(name), numbers.front());
  const std::size_t width = input->rows == 1 ? components : input->columns;
  if (input->rows == 1 && (components < 1 || components > 4))
    return Error{ErrorCode::bad_value, key_offset, "[0]/" + std::string(name), "expected one to four numbers"};
  if (input->rows != 1 && components != std::size_t{input->rows} * width)
    return Error{ErrorCode::bad_value, key_offset, "[0]/" + std::string(name),
                 "expected " + std::to_string(input->rows * width) + " numbers, found " + std::to_string(components)};
  for (std::size_t row = 1; row < list.size(); ++row) {
    const std::string path = '[' + std::to_string(row) + "]/" + std::string(name);
    const Value* const value = list[row].find(name);
    if (value == nullptr) return fault(list[row], path, "the first vertex has this input, this one does not", ErrorCode::missing);
    if (components_of(*value, numbers[row]) != components)
      return fault(*value, path, "expected " + std::to_string(components) + " numbers, as the first has");
  }
  const texel::Format format = format_of(width, input->is_integer);
  for (std::uint32_t part = 0; part < input->rows; ++part) {
    std::vector<std::byte> to;
    to.reserve(list.size() * format.bytes());
    for (std::size_t row = 0; row < list.size(); ++row) {
      const std::string path = '[' + std::to_string(row) + "]/" + std::string(name);
      for (std::size_t k = 0; k < width; ++k) {
        const auto bits = run::bits_of(*numbers[row][part * width + k], input->is_integer ? ir::Type::i32 : ir::Type::f32, path);
        if (!bits) return bits.error();
        for (unsigned byte = 0; byte < 4; ++byte) to.push_back(static_cast<std::byte>(*bits >> (8 * byte)));
      }
    }
    Input of_part = *input;
    of_part.place += part;
    add(of_part, format, std::move(to), per_instance);
  }
  return {};
}

Result<std::uint32_t> Reader::rows(const Value& given, bool per_instance) {
  const Value::List* const list = given.as_list();
  if (list == nullptr || list->empty()) return fault(given, "", "expected a list of maps of inputs");
  for (std::size_t row = 0; row < list->size(); ++row)
    if ((*list)[row].as_map() == nullptr) return fault((*list)[row], '[' + std::to_string(row) + ']', "expected a map of inputs");
  if (list->size() * list->front().as_map()->size() > kMostNumbers) return fault(given, "", "more than 2^24 values", ErrorCode::limit);
  for (const Value::Member& member : *list->front().as_map())
    if (auto done = column(given, member.key, member.key_offset, per_instance); !done) return std::move(done).error();
  return static_cast<std::uint32_t>(list->size());
}

Result<void> Reader::built_in(const Value& given) {
  const auto mesh = given.as_text() == nullptr ? std::nullopt : built_in_mesh(*given.as_text());
  if (!mesh) {
    std::string all;
    for (const std::string_view name : built_in_meshes()) all += (all.empty() ? "" : ", ") + std::string(name);
    return fault(given, "", "expected one of " + all + ", or a file that ends in .obj, .gltf or .glb");
  }
  struct Part {
    std::string_view name;
    std::size_t first, count;
  };
  constexpr Part kParts[] = {{"POSITION", 0, 3}, {"NORMAL", 3, 3}, {"TEXCOORD", 6, 2}};
  const std::size_t count = mesh->rows.size() / BuiltIn::kNumbers;
  for (const Part& part : kParts) {
    const auto found = find_input(vertex_, renamed(part.name));
    if (!found) return fault(given, "", found.error().message, found.error().code);
    const std::optional<Input>& input = *found;
    if (!input) continue;
    const texel::Format format = format_of(part.count, false);
    std::vector<std::byte> to(count * format.bytes());
    for (std::size_t row = 0; row < count; ++row)
      std::memcpy(to.data() + row * format.bytes(), mesh->rows.data() + row * BuiltIn::kNumbers + part.first, format.bytes());
    add(*input, format, std::move(to), false);
  }
  const auto words = std::as_bytes(std::span(mesh->indices));
  made_.memory.emplace_back(words.begin(), words.end());
  made_.indices = {made_.memory.back(), 4};
  made_.is_indexed = true;
  made_.count = static_cast<std::uint32_t>(mesh->indices.size());
  return {};
}

Result<void> Reader::file(const MeshFields& fields) {
  const Value& path = fields.obj != nullptr ? *fields.obj : *fields.csv;
  auto file = run::read_named(options_, path, "");
  if (!file) return std::move(file).error();
  const std::string_view text = View(*file).text();
  const auto table = fields.obj != nullptr ? run::read_obj(text) : run::read_csv(text);
  if (!table) return fault(path, "", table.error().message, table.error().code);
  if (table->columns.empty()) return fault(path, "", "the first line of the file must name the inputs");
  if (table->rows() == 0) return fault(path, "", "the file has no vertices");
  Value list = Value::list();
  for (std::size_t row = 0; row < table->rows(); ++row) list.push(table->row(row));
  auto count = rows(list, false);
  if (!count) return fault(path, "", count.error().path + ": " + count.error().message, count.error().code);
  made_.count = *count;
  return {};
}

// A glTF file: what it names is beside it.
Result<void> Reader::gltf(const Value& path) {
  auto file = run::read_named(options_, path, "");
  if (!file) return std::move(file).error();
  struct Beside {
    const run::RunOptions& options;
    const std::string& file;
  };
  const std::string& name = *path.as_text();
  Beside beside{options_, name};
  GltfFiles files{.read_document = read_document_, .self = &beside};
  if (options_.read_file != nullptr) {
    files.read_file = [](void* self, std::string_view uri) {
      const Beside& own = *static_cast<Beside*>(self);
      return own.options.read_file(own.options.self, paths::beside(own.file, uri));
    };
  }
  auto mesh = read_gltf(View(*file), files);
  if (!mesh) return fault(path, "", name + ':' + to_string(mesh.error()), run::code_of_file(mesh.error().code));
  for (const GltfMesh::Attribute& attribute : mesh->attributes) {
    const auto found = find_input(vertex_, renamed(attribute.name));
    if (!found) return fault(path, "", found.error().message, found.error().code);
    const std::optional<Input>& input = *found;
    if (!input) continue;
    const auto bytes = std::as_bytes(std::span(attribute.numbers));
    add(*input, format_of(attribute.components, false), {bytes.begin(), bytes.end()}, false);
  }
  const auto words = std::as_bytes(std::span(mesh->indices));
  made_.memory.emplace_back(words.begin(), words.end());
  made_.indices = {made_.memory.back(), 4};
  made_.is_indexed = true;
  made_.count = static_cast<std::uint32_t>(mesh->indices.size());
  return {};
}

// What a text names, or a map describes.
Result<std::span<const std::byte>> Reader::bytes(const Value& given, texel::Format* format) {
  if (const std::string* const name = given.as_text()) {
    const auto known = shared_.find(*name);
    if (known == shared_.end()) {
      Nearest nearest(*name);
      for (const auto& one : shared_) nearest.consider(one.first);
      return fault(given, "", "there is no resource `" + *name + '`' + nearest.question(), ErrorCode::missing);
    }
    if (format != nullptr) *format = known->second.format;
    return std::span<const std::byte>(known->second.bytes);
  }
  auto own = run::described(given, {}, options_, taken_);
  if (!own) return std::move(own).error();
  if (format != nullptr) *format = own->view.format;
  made_.memory.push_back(std::move(own->bytes));
  return std::span<const std::byte>(made_.memory.back());
}

Result<void> Reader::indices(const Value& given) {
  made_.is_indexed = true;
  if (const Value::List* const list = given.as_list()) {
    std::vector<std::byte> to;
    for (std::size_t k = 0; k < list->size(); ++k) {
      const Value& one = (*list)[k];
      const bool is_cut = one.as_integer() != nullptr && one.as_integer()->negative && one.as_integer()->magnitude == 1;
      const auto number = is_cut ? Result<std::uint32_t>(0xffff'ffffU) : run::number_of(one, '[' + std::to_string(k) + ']');
      if (!number) return number.error();
      for (unsigned byte = 0; byte < 4; ++byte) to.push_back(static_cast<std::byte>(*number >> (8 * byte)));
    }
    made_.count = static_cast<std::uint32_t>(list->size());
    made_.memory.push_back(std::move(to));
    made_.indices = {made_.memory.back(), 4};
    return {};
  }
  texel::Format format;
  const auto memory = bytes(given, &format);
  if (!memory) return memory.error();
  const std::uint32_t size = format.bytes() == 0 ? 4 : format.bytes();
  if (size != 2 && size != 4) return fault(given, "format", "indices must be R16_UINT or R32_UINT");
  made_.indices = {*memory, size};
  made_.count = static_cast<std::uint32_t>(memory->size() / size);
  return {};
}

Result<void> Reader::buffer(const Value& given, std::uint32_t& vertices, std::uint32_t& instances) {
  BufferFields fields;
  if (auto done = run::read_fields(given, kBufferFields, "a vertex buffer", fields); !done) return done;
  if (fields.data == nullptr || fields.elements == nullptr || fields.elements->as_map() == nullptr)
    return fault(given, "", "a vertex buffer must have data, and elements: a map of inputs", ErrorCode::missing);
  const auto memory = bytes(*fields.data);
  if (!memory) {
    Error error = memory.error();
    return std::move(error).within("data");
  }
  const auto slot = static_cast<std::uint32_t>(made_.buffers.size());
  std::uint32_t end = 0;
  for (const Value::Member& member : *fields.elements->as_map()) {
    ElementFields element;
    if (auto done = run::read_fields(member.value, kElementFields, "an element", element); !done)
      return std::move(done).error().within("elements/" + member.key);
    if (element.format.bytes() == 0 || element.offset > 2048)
      return fault(member.value, "elements/" + member.key, "an element must have a format, and an offset of at most 2048");
    end = std::max(end, element.offset + element.format.bytes());
    const auto found = find_input(vertex_, renamed(member.key));
    if (!found) return Error{found.error().code, member.key_offset, "elements/" + member.key, found.error().message};
    if (const std::optional<Input>& input = *found)
      made_.input.push_back({.input_register = input->place,
                             .format = element.format,
                             .slot = slot,
                             .offset = element.offset,
                             .per_instance = fields.per_instance,
                             .step_rate = fields.step_rate});
  }
  if (fields.stride == 0) fields.stride = end;
  made_.buffers.push_back({*memory, fields.stride});
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(memory->size() / std::max(1U, fields.stride), 0xffff'ffff));
  std::uint32_t& most = fields.per_instance ? instances : vertices;
  most = std::max(most, count);
  return {};
}

// Whether each input has values.
Result<void> Reader::has_all(const Value& given) const {
  for (const ir::Element& one : vertex_.signatures.input) {
    if (one.first_register == ir::kNone || one.system_value != dxcontainer::SystemValue::undefined) continue;
    if (one.semantic == 'v' + std::to_string(one.first_register)) continue;  // of PICA200, which does not say what it reads
    for (std::uint32_t row = 0; row < one.rows; ++row) {
      if (std::ranges::find(made_.input, one.first_register + row, &draw::InputElement::input_register) != made_.input.end()) continue;
      return fault(given, "", "the vertex shader reads `" + run::semantic_key(one, row) + "`, which the mesh does not have",
                   ErrorCode::missing);
    }
  }
  return {};
}

Result<Mesh> Reader::read(const Value& given) {
  MeshFields fields;
  if (const std::string* const name = given.as_text()) {
    (is_gltf_file(*name) ? fields.gltf : is_mesh_file(*name) ? fields.obj : fields.built_in) = &given;
  } else if (auto done = run::read_fields(given, kMeshFields, "a mesh", fields); !done) {
    return std::move(done).error();
  }
  const auto sources = std::ranges::count_if(std::array{fields.built_in, fields.obj, fields.gltf, fields.csv, fields.vertices},
                                             [](const Value* one) { return one != nullptr; });
  if (sources > 1) return fault(given, "", "a mesh must have only one of built_in, obj, gltf, csv and vertices");
  if (fields.names != nullptr) {
    if (auto done = read_names(*fields.names); !done) return std::move(done).error();
  }
  const auto part = [&](const Value* one, std::string_view name, auto read) -> Result<void> {
    if (one == nullptr) return {};
    Result<void> done = read(*one);
    if (!done && &given != one) return run::in_field(std::move(done).error(), name);
    return done;
  };
  std::uint32_t vertices = 0;
  std::uint32_t instances = 0;
  const auto rows_into = [&](bool per_instance, std::uint32_t& to) {
    return [this, per_instance, &to](const Value& list) -> Result<void> {
      auto count = rows(list, per_instance);
      if (!count) return std::move(count).error();
      to = *count;
      return {};
    };
  };
  std::pair<std::string_view, Result<void>> steps[] = {
      {"topology", part(fields.topology, "topology",
                        [&](const Value& one) -> Result<void> {
                          auto read = read_topology(one);
                          if (!read) return std::move(read).error();
                          made_.primitives = *read;
                          return {};
                        })},
      {"built_in", part(fields.built_in, "built_in", [&](const Value& one) { return built_in(one); })},
      {"obj", part(fields.obj, "obj", [&](const Value&) { return file(fields); })},
      {"gltf", part(fields.gltf, "gltf", [&](const Value& one) { return gltf(one); })},
      {"csv", part(fields.csv, "csv", [&](const Value&) { return file(fields); })},
      {"vertices", part(fields.vertices, "vertices", rows_into(false, vertices))},
      {"instances", part(fields.instances, "instances", rows_into(true, instances))},
  };
  for (auto& [name, done] : steps)
    if (!done) return std::move(done).error();
  if (fields.buffers != nullptr) {
    const Value::List* const list = fields.buffers->as_list();
    if (list == nullptr || list->size() > 32) return fault(*fields.buffers, "buffers", "expected a list of up to 32 vertex buffers");
    for (std::size_t k = 0; k < list->size(); ++k) {
      if (auto done = buffer((*list)[k], vertices, instances); !done)
        return std::move(done).error().within("buffers[" + std::to_string(k) + ']');
    }
  }
  if (made_.count == 0) made_.count = vertices;
  if (auto done = part(fields.indices, "indices", [&](const Value& one) { return indices(one); }); !done) return std::move(done).error();
  if (instances != 0) made_.instances = instances;
  if (auto done = has_all(given); !done) return std::move(done).error();
  return std::move(made_);
}

}  // namespace

Result<Mesh> read_mesh(const Value& given, const ir::Module& vertex, const run::RunOptions& options, const Shared& shared,
                       ReadDocument read_document) {
  return Reader(vertex, options, shared, read_document).read(given);
}

}  // namespace unshade::scene
