// expect: COMPILE_ERROR
// Escapes in the name of a function.
void other(void) __asm__("\033[2Jsolv");
void other(void)
{
}
