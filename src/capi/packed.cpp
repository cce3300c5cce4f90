// Shaders in what is packed. Compiled twice: with the room unpack for libraries that have it, and without for the others.
#include <limits>

#include "capi/object.hpp"

#ifdef UNSHADE_HAS_UNPACK
#include <mutex>
#include <optional>

#include <unshade/core/mutex.hpp>
#include <unshade/unpack/files.hpp>
#include <unshade/unpack/search.hpp>
#include <unshade/unpack/spool.hpp>
#endif

using namespace unshade;

static_assert(UNSHADE_NO_STREAM == std::numeric_limits<std::uint64_t>::max());

#ifdef UNSHADE_HAS_UNPACK

struct unshade_packed {
  struct Bytes {
    std::shared_ptr<unpack::Spool> spool;  // null: they are in the file as it is
    std::optional<std::uint64_t> spooled;
    std::size_t part = 0;  // of unshade_unpack(), if they are in the file as it is
  };
  /// Bytes of the file that shaders are in.
  struct Part {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  capi::Texts texts;
  std::vector<unshade_packed_shader> list;
  std::vector<std::vector<unshade_layer>> layers;  // of each
  std::vector<Bytes> bytes;                        // of each
  std::vector<unshade_message> faults;
  std::vector<Part> parts;  // of unshade_unpack()
  std::string path;         // of unshade_unpack_file()
  mutable Mutex reading;    // a spool has one place
};

namespace {

unpack::Search search_of(std::uint32_t flags) {
  unpack::Search made;
  made.streams = (flags & UNSHADE_UNPACK_STREAMS) != 0;
  made.keep = true;
  return made;
}

void add_shader(const unpack::FoundShader& shader, unshade_packed& made) {
  unshade_packed_shader row{};
  row.struct_size = sizeof row;
  row.offset = shader.hit.offset;
  row.size = shader.hit.size;
  row.parent = shader.hit.parent.value_or(UNSHADE_NO_PARENT);
  row.form = made.texts.add(find::id(shader.hit.form));
  row.certainty = made.texts.add(find::id(shader.hit.certainty));
  row.stage = made.texts.add(shader.stage);
  row.profile = made.texts.add(shader.profile);
  row.family = static_cast<unshade_family>(shader.hit.family);
  std::vector<unshade_layer> layers;
  if (shader.layers != nullptr) {
    for (const unpack::Layer& layer : *shader.layers)
      layers.push_back(
          {sizeof(unshade_layer), made.texts.add(layer.form), made.texts.add(layer.member), layer.offset.value_or(UNSHADE_NO_STREAM)});
  }
  row.layer_count = static_cast<std::uint32_t>(layers.size());
  made.list.push_back(row);
  made.layers.push_back(std::move(layers));
  made.bytes.push_back({shader.spool, shader.spooled, 0});
}

void add_fault(const unpack::LayerFault& fault, unshade_packed& made) {
  Text layers;
  unpack::print_layers(layers, fault.layers);
  const Error& error = fault.error;
  made.faults.push_back({sizeof(unshade_message), "error", made.texts.add(id(error.code)), made.texts.add(layers.view()),
                         made.texts.add(capi::message_with_path(error)), error.offset, 0, 0});
}

/// Copies what the shaders lie in that are in the file as it is, each byte once: the file is the caller's.
void keep_parts(View file, unshade_packed& made) {
  for (std::size_t i = 0; i < made.list.size(); ++i) {
    const unshade_packed_shader& row = made.list[i];
    if (row.layer_count != 0) continue;
    // by offset: only the last part can reach into another one
    const std::uint64_t end = made.parts.empty() ? 0 : made.parts.back().offset + made.parts.back().bytes.size();
    if (made.parts.empty() || row.offset > end) made.parts.push_back({row.offset, {}});
    auto& part = made.parts.back();
    if (const std::uint64_t have = part.offset + part.bytes.size(), want = row.offset + row.size; want > have) {
      const auto more = file.clamped(static_cast<std::size_t>(have), static_cast<std::size_t>(want - have)).bytes();
      part.bytes.insert(part.bytes.end(), more.begin(), more.end());
    }
    made.bytes[i].part = made.parts.size() - 1;
  }
}

std::unique_ptr<unshade_packed> packed_of(const unpack::SearchedFile& file) {
  auto made = std::make_unique<unshade_packed>();
  for (const unpack::FoundShader& shader : file.shaders) add_shader(shader, *made);
  for (const unpack::LayerFault& fault : file.faults) add_fault(fault, *made);
  return made;
}

}  // namespace

#else

struct unshade_packed {};

namespace {

unshade_code unsupported(unshade_error** error) {
  return capi::fail(error, UNSHADE_UNSUPPORTED, 0, {}, "this library was built without the component unpack");
}

}  // namespace

#endif

unshade_code unshade_unpack(const void* bytes, size_t size, uint32_t flags, unshade_packed** packed, unshade_error** error) {
  if (packed != nullptr) *packed = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (packed == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or packed is NULL");
    if ((flags & ~std::uint32_t{UNSHADE_UNPACK_STREAMS}) != 0) return capi::invalid_argument(error, "flags has unknown bits");
#ifdef UNSHADE_HAS_UNPACK
    const View file = capi::view_of(bytes, size);
    auto made = packed_of(unpack::search_bytes({}, file, search_of(flags)));
    keep_parts(file, *made);
    *packed = made.release();
    return UNSHADE_OK;
#else
    return unsupported(error);
#endif
  });
}

unshade_code unshade_unpack_file(const char* path, uint32_t flags, unshade_packed** packed, unshade_error** error) {
  if (packed != nullptr) *packed = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (packed == nullptr || path == nullptr) return capi::invalid_argument(error, "path or packed is NULL");
    if ((flags & ~std::uint32_t{UNSHADE_UNPACK_STREAMS}) != 0) return capi::invalid_argument(error, "flags has unknown bits");
#ifdef UNSHADE_HAS_UNPACK
    std::string fault;
    std::unique_ptr<unshade_packed> made;
    unpack::search_files(
        {path}, search_of(flags), 1, [](std::uint64_t) {},
        [&](unpack::SearchedFile&& file) {
          fault = file.fault;
          made = packed_of(file);
          return true;
        });
    if (!fault.empty()) return capi::fail(error, UNSHADE_MISSING, 0, {}, "the file cannot be read: " + fault);
    made->path = path;
    *packed = made.release();
    return UNSHADE_OK;
#else
    return unsupported(error);
#endif
  });
}

void unshade_packed_free(unshade_packed* packed) { delete packed; }

#ifdef UNSHADE_HAS_UNPACK

uint32_t unshade_packed_count(const unshade_packed* packed) {
  return packed != nullptr ? static_cast<std::uint32_t>(packed->list.size()) : 0;
}

unshade_code unshade_packed_at(const unshade_packed* packed, uint32_t index, unshade_packed_shader* shader) {
  return packed != nullptr ? capi::fill_from(shader, packed->list, index) : UNSHADE_INVALID_ARGUMENT;
}

unshade_code unshade_packed_layer_at(const unshade_packed* packed, uint32_t index, uint32_t layer, unshade_layer* row) {
  return packed != nullptr && index < packed->layers.size() ? capi::fill_from(row, packed->layers[index], layer) : UNSHADE_INVALID_ARGUMENT;
}

unshade_code unshade_packed_data(const unshade_packed* packed, uint32_t index, unshade_blob** data, unshade_error** error) {
  if (data != nullptr) *data = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (packed == nullptr || data == nullptr || index >= packed->list.size())
      return capi::invalid_argument(error, "packed or data is NULL, or there is no such shader");
    const unshade_packed_shader& row = packed->list[index];
    const unshade_packed::Bytes& place = packed->bytes[index];
    const auto size = static_cast<std::size_t>(row.size);
    std::optional<std::vector<std::byte>> made;
    if (row.layer_count != 0) {
      const std::lock_guard lock(packed->reading);
      if (place.spool != nullptr && place.spooled) made = place.spool->get(*place.spooled, size);
    } else if (packed->path.empty()) {
      const unshade_packed::Part& part = packed->parts[place.part];
      const View bytes = View(part.bytes).clamped(static_cast<std::size_t>(row.offset - part.offset), size);
      made.emplace(bytes.bytes().begin(), bytes.bytes().end());
    } else {
      made = unpack::read_part(packed->path, row.offset, size);
    }
    if (!made) return capi::fail(error, UNSHADE_MISSING, row.offset, {}, "the shader's bytes cannot be read any more");
    *data = capi::make_blob(View(*made).text());
    return UNSHADE_OK;
  });
}

uint32_t unshade_packed_fault_count(const unshade_packed* packed) {
  return packed != nullptr ? static_cast<std::uint32_t>(packed->faults.size()) : 0;
}

unshade_code unshade_packed_fault_at(const unshade_packed* packed, uint32_t index, unshade_message* fault) {
  return packed != nullptr ? capi::fill_from(fault, packed->faults, index) : UNSHADE_INVALID_ARGUMENT;
}

#else

uint32_t unshade_packed_count(const unshade_packed*) { return 0; }
unshade_code unshade_packed_at(const unshade_packed*, uint32_t, unshade_packed_shader*) { return UNSHADE_INVALID_ARGUMENT; }
unshade_code unshade_packed_layer_at(const unshade_packed*, uint32_t, uint32_t, unshade_layer*) { return UNSHADE_INVALID_ARGUMENT; }
unshade_code unshade_packed_data(const unshade_packed*, uint32_t, unshade_blob** data, unshade_error** error) {
  if (data != nullptr) *data = nullptr;
  return capi::guarded(error, [&] { return unsupported(error); });
}
uint32_t unshade_packed_fault_count(const unshade_packed*) { return 0; }
unshade_code unshade_packed_fault_at(const unshade_packed*, uint32_t, unshade_message*) { return UNSHADE_INVALID_ARGUMENT; }

#endif
