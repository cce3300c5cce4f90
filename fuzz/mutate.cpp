// libFuzzer's mutations, made to reach what lies inside: a container is taken into its parts, parts are mutated, exchanged, named anew,
// and the container is put together again with sizes, offsets and digest that fit. One mutation in eight is left raw, so that broken
// containers are tried as well.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed);

namespace {

using namespace unshade;
using dxcontainer::fourcc;
using Bytes = std::vector<std::uint8_t>;
using Random = std::minstd_rand;

struct Piece {
  std::uint32_t fourcc = 0;
  Bytes data;
};

constexpr std::size_t kPieces = 64;

constexpr std::uint32_t kKinds[] = {
    fourcc("RDEF"), fourcc("ISGN"), fourcc("OSGN"), fourcc("OSG5"), fourcc("PCSG"), fourcc("ISG1"), fourcc("OSG1"),
    fourcc("PSG1"), fourcc("SHDR"), fourcc("SHEX"), fourcc("STAT"), fourcc("SFI0"), fourcc("IFCE"), fourcc("RTS0"),
    fourcc("PRIV"), fourcc("Aon9"), fourcc("XNAP"), fourcc("XNAS"), fourcc("SDBG"), fourcc("SPDB"), fourcc("FX10"),
};

std::uint32_t load(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

void store(std::span<std::uint8_t> bytes, std::size_t at, std::uint32_t value) {
  if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at, &value, 4);
}

std::size_t below(Random& random, std::size_t count) { return count == 0 ? 0 : random() % count; }

// Takes what can be taken: parts that do not lie in the file are left out.
std::vector<Piece> take_apart(std::span<const std::uint8_t> file) {
  std::vector<Piece> pieces;
  if (file.size() < dxcontainer::kHeaderBytes || load(file, 0) != dxcontainer::kMagic) return pieces;
  const std::size_t count = std::min<std::size_t>(load(file, 28), kPieces);
  for (std::size_t i = 0; i < count && 36 + 4 * i <= file.size(); ++i) {
    const std::size_t at = load(file, 32 + 4 * i);
    if (at > file.size() || file.size() - at < 8) continue;
    const std::size_t size = std::min<std::size_t>(load(file, at + 4), file.size() - at - 8);
    const auto data = file.subspan(at + 8, size);
    pieces.push_back({load(file, at), Bytes(data.begin(), data.end())});
  }
  return pieces;
}

Bytes put_together(const std::vector<Piece>& pieces, bool sign) {
  Bytes file(32 + 4 * pieces.size());
  store(file, 0, dxcontainer::kMagic);
  store(file, 20, 1);
  store(file, 28, static_cast<std::uint32_t>(pieces.size()));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t at = file.size();
    store(file, 32 + 4 * i, static_cast<std::uint32_t>(at));
    file.resize(at + 8);
    store(file, at, pieces[i].fourcc);
    store(file, at + 4, static_cast<std::uint32_t>(pieces[i].data.size()));
    file.insert(file.end(), pieces[i].data.begin(), pieces[i].data.end());
  }
  store(file, 24, static_cast<std::uint32_t>(file.size()));
  if (sign) {
    const auto digest = dxcontainer::compute_digest(View(std::as_bytes(std::span(file))));
    std::memcpy(file.data() + 4, digest.data(), digest.size());
  }
  return file;
}

void mutate_bytes(Bytes& bytes, std::size_t room) {
  const std::size_t size = bytes.size();
  if (size + room == 0) return;
  bytes.resize(size + room);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
}

// Offsets and counts are dwords: give one a value that such fields have, or another dword's.
void mutate_dword(Bytes& bytes, Random& random) {
  const std::size_t count = bytes.size() / 4;
  if (count == 0) return;
  const std::size_t at = 4 * below(random, count);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::uint32_t now = load(bytes, at);
  const std::array values{std::uint32_t{0},
                          0xffff'ffffU,
                          static_cast<std::uint32_t>(below(random, 16)),
                          size - static_cast<std::uint32_t>(below(random, 8)),
                          static_cast<std::uint32_t>(4 * below(random, count)),
                          load(bytes, 4 * below(random, count)),
                          now + 1,
                          now - 1,
                          now + 4,
                          now ^ (1U << below(random, 32)),
                          now ^ 0x8000'0000U,
                          0x7fff'ffffU,
                          now * 2};
  store(bytes, at, values[below(random, values.size())]);
}

void mutate_pieces(std::vector<Piece>& pieces, std::size_t room, Random& random) {
  Piece& piece = pieces[below(random, pieces.size())];
  switch (below(random, 16)) {
    case 0: piece.fourcc = kKinds[below(random, std::size(kKinds))]; break;
    case 1:
      if (pieces.size() < kPieces && piece.data.size() + 16 < room) pieces.push_back(Piece(piece));
      return;
    case 2:
      if (pieces.size() > 1) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(below(random, pieces.size())));
      return;
    case 3: std::swap(piece, pieces[below(random, pieces.size())]); break;
    case 4: piece.data.resize(below(random, piece.data.size() + 1)); break;
    case 5: {  // a run of whole dwords repeated elsewhere
      if (piece.data.size() < 8) break;
      const std::size_t count = piece.data.size() / 4;
      const std::size_t from = 4 * below(random, count);
      const std::size_t to = 4 * below(random, count);
      const std::size_t size = std::min(4 * (1 + below(random, 16)), piece.data.size() - std::max(from, to));
      std::memmove(piece.data.data() + to, piece.data.data() + from, size);
      break;
    }
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
      for (std::size_t times = 1 + below(random, 3); times > 0; --times) mutate_dword(piece.data, random);
      break;
    default: mutate_bytes(piece.data, std::min<std::size_t>(room, 256)); break;
  }
  // The program states its own length; give it the one it has now and then.
  if ((piece.fourcc == fourcc("SHDR") || piece.fourcc == fourcc("SHEX")) && below(random, 2) == 0)
    store(piece.data, 4, static_cast<std::uint32_t>(piece.data.size() / 4));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  Random random(seed + 1);
  auto pieces = take_apart({data, size});
  if (pieces.empty() || below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t room = max_size > size ? max_size - size : 0;
  mutate_pieces(pieces, room, random);
  const Bytes file = put_together(pieces, below(random, 4) == 0);
  if (file.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  Random random(seed + 1);
  auto pieces = take_apart({data1, size1});
  const auto others = take_apart({data2, size2});
  if (pieces.empty() || others.empty()) return 0;
  const Piece& other = others[below(random, others.size())];
  const auto same = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.fourcc == other.fourcc; });
  if (same != pieces.end()) {
    *same = other;
  } else if (pieces.size() < kPieces) {
    pieces.push_back(other);
  }
  const Bytes file = put_together(pieces, false);
  if (file.size() > max_size) return 0;
  std::memcpy(out, file.data(), file.size());
  return file.size();
}
