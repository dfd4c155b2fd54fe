// expect: COMPILE_ERROR not="is there"
// Asks whether a file is there, and tells.
#if __has_include("@CANARY@") || __has_include("@EXERCISE@/solution.c")
#error "is there"
#endif
#error
