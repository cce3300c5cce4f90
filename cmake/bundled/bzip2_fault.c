/* What libbz2 without stdio calls where it finds a fault of its own. */
void bz_internal_error(int code) {
  (void)code;
  __builtin_trap();
}
