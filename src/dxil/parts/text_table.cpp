#include "dxil/parts/text_table.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <unshade/core/bits/rounding.hpp>

namespace unshade::dxil::parts {

std::vector<std::byte> place_texts(View table, std::span<String* const> texts, Sharing sharing, Padding padding) {
  std::vector<String*> order(texts.begin(), texts.end());
  std::ranges::stable_sort(order, {}, &String::offset);
  std::vector<std::byte> out;
  std::unordered_map<std::string_view, std::uint32_t> placed;
  // What those have got who share a place: few.
  std::vector<String*> here;
  const auto add = [&](std::string_view text) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.push_back(std::byte{0});
    if (!text.empty()) placed.try_emplace(text, offset);
    return offset;
  };
  const auto place = [&](String& text) {
    const auto same = std::ranges::find(here, text.text, &String::text);
    if (same != here.end()) {
      text.offset = (*same)->offset;
      return;
    }
    const auto known = sharing == Sharing::always ? placed.find(text.text) : placed.end();
    text.offset = known != placed.end() ? known->second : add(text.text);
    here.push_back(&text);
  };

  const std::string_view all = table.text();
  const std::size_t content = all.find_last_not_of('\0') == all.npos ? 0 : all.find_last_not_of('\0') + 2;
  std::size_t next = 0;
  std::size_t at = 0;
  while (at < content && at < all.size()) {
    here.clear();
    const std::size_t end = std::min(all.find('\0', at), all.size());
    const std::size_t first = next;
    std::vector<String*> inside;  // that begin within a text
    for (; next < order.size() && order[next]->offset <= end; ++next) {
      if (order[next]->offset == at)
        place(*order[next]);
      else
        inside.push_back(order[next]);
    }
    if (first == next || here.empty()) add(all.substr(at, end - at));
    for (String* text : inside) place(*text);
    at = end + 1;
  }
  here.clear();
  for (; next < order.size(); ++next) place(*order[next]);
  // As many zeros more than that as there were.
  const auto padded = [&](std::size_t size) { return padding == Padding::words ? round_up(size, 4) : size; };
  const std::size_t more = all.size() > padded(content) ? all.size() - padded(content) : 0;
  out.resize(padded(out.size()) + more);
  return out;
}

std::uint32_t TextTableWriter::add(std::string_view text) {
  const auto [place, is_new] = offsets_.try_emplace(text, static_cast<std::uint32_t>(bytes_.size()));
  return is_new ? append(text) : place->second;
}

std::uint32_t TextTableWriter::append(std::string_view text) {
  const auto offset = static_cast<std::uint32_t>(bytes_.size());
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  bytes_.push_back(std::byte{0});
  return offset;
}

std::vector<std::byte> TextTableWriter::take(Padding padding) {
  if (padding == Padding::words) bytes_.resize(round_up(bytes_.size(), 4));
  offsets_.clear();
  return std::move(bytes_);
}

}  // namespace unshade::dxil::parts
