// expect: COMPILE_ERROR says="no function named solve"
// Code that runs, but nothing to call.
#include <stdlib.h>

__attribute__((constructor)) static void leave(void)
{
    _Exit(0);
}
