// Text that the room present prints, in memory.
#pragma once

#include <string>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/present/printer.hpp>

namespace unshade::capi {

/// What `print`, called with a printer, prints into memory, or its error.
template <class Print>
Result<std::string> printed(Print print) {
  present::MemoryStream stream;
  present::Printer printer(stream, false);
  if (auto done = print(printer); !done) return std::move(done).error();
  printer.flush();
  return std::move(stream.text);
}

}  // namespace unshade::capi
