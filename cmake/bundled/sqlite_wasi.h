/* What SQLite's file system of Unix names and wasi-libc lacks: there are no users, and no locks. Locks are of the system unix-none. */
#pragma once

#include <fcntl.h>
#include <sys/types.h>

static inline uid_t geteuid(void) { return 1; }
static inline pid_t getpid(void) { return 1; }
static inline int fchmod(int file, mode_t mode) { return file < 0 || mode == 0 ? -1 : 0; }
static inline int fchown(int file, uid_t user, gid_t group) { return file < 0 && user == 0 && group == 0 ? -1 : 0; }

#if !defined(F_SETLK)
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define F_GETLK 5
#define F_SETLK 6
#endif
