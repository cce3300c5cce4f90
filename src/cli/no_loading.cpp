// For a command that is linked statically: SQLite's loading of extensions, which nothing here asks for, finds no dlopen(). That of glibc
// would need its shared libraries, of which its linker warns.
extern "C" void* __wrap_dlopen(const char* file, int mode);  // NOLINT: the name that --wrap=dlopen gives it

void* __wrap_dlopen(const char*, int) { return nullptr; }
