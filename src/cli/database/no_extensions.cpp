// Of a static command: SQLite's extensions are never loaded, and glibc's linker warns of programs that could.
#ifdef UNSHADE_STATIC

extern "C" {
void* dlopen(const char*, int);
void* dlsym(void*, const char*);
int dlclose(void*);
char* dlerror();

void* dlopen(const char*, int) { return nullptr; }
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
char* dlerror() { return nullptr; }
}

#endif
