#include "cli/verbs/find/search_faults.hpp"

namespace unshade::cli::verbs {

Exit report_faults(const unpack::SearchedFile& file, Io& io) {
  if (!file.fault.empty()) io.report(file.name, "io", file.fault);
  return worse(file.fault.empty() ? Exit::ok : Exit::failed, report_layers(file, io));
}

Exit report_layers(const unpack::SearchedFile& file, Io& io) {
  for (const unpack::LayerFault& layer : file.faults) {
    Text name;
    name << file.name;
    unpack::print_layers(name, layer.layers);
    io.report(name.view(), layer.error);
  }
  return file.faults.empty() ? Exit::ok : Exit::invalid;
}

}  // namespace unshade::cli::verbs
