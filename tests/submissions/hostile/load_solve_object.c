// expect: COMPILE_ERROR
// What is called says that it is no function.
__asm__(".globl solve\n"
        ".type solve, @object\n"
        "solve: ret");
