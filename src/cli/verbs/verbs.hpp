// The verbs, one file each. A verb is glue: what it prints comes from the library or from print/.
#pragma once

#include "cli/table.hpp"

namespace unshade::cli {

extern const Verb kInfo;
extern const Verb kDump;
extern const Verb kBuild;
extern const Verb kDis;
extern const Verb kAs;
extern const Verb kLink;
extern const Verb kReflect;
extern const Verb kDiff;
extern const Verb kValidate;
extern const Verb kExtract;
extern const Verb kEmbed;
extern const Verb kPack;
extern const Verb kEdit;
extern const Verb kStrip;
extern const Verb kSign;
extern const Verb kPart;
extern const Verb kRootSig;
extern const Verb kPdb;
extern const Verb kSource;
extern const Verb kDecompile;  // where the room khronos is built
extern const Verb kHelpVerb;
extern const Verb kSchemaVerb;
extern const Verb kMan;
extern const Verb kCompletions;

}  // namespace unshade::cli
