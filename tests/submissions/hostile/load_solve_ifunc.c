// expect: COMPILE_ERROR says="there is no function named solve"
// What is called is chosen by code that runs before.
static void empty(void)
{
}

static void *choose(void)
{
    return empty;
}

__asm__(".globl solve\n"
        ".type solve, @gnu_indirect_function\n"
        ".set solve, choose");
