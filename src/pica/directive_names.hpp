// Names of directives, without the dot: for messages, and to know a text of the PICA200.
#pragma once

#include <string_view>

namespace unshade::pica::directive_names {

/// All directives: those of picasso and our own.
inline constexpr std::string_view kAll[] = {
    "proc",  "end",    "else",     "alias", "fvec",   "ivec",  "bool",  "constf", "consti", "constfa", "setf",     "seti",
    "setb",  "in",     "out",      "entry", "nodvle", "gsh",   "exact", "desc",   "word",   "dvle",    "uniform",  "label",
    "const", "outrec", "geometry", "loc",   "object", "reloc", "imask", "omask",  "flags",  "version", "pversion",
};

}  // namespace unshade::pica::directive_names
