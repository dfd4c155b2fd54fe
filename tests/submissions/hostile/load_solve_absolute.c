// expect: RUNTIME_ERROR
// What is called lies where there is nothing.
__asm__(".globl solve\n"
        ".type solve, @function\n"
        ".set solve, 0x1234567");
