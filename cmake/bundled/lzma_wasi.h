/* What liblzma names and wasi-libc lacks. Nothing calls it. */
#pragma once

typedef int sigset_t;
static inline int sigprocmask(int how, const sigset_t *set, sigset_t *before) { return how == 0 && set == before ? 0 : -1; }
