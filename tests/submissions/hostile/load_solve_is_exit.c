// expect: RUNTIME_ERROR
// What is called is the runner's own way out.
__asm__(".globl solve\n"
        ".type solve, @function\n"
        "solve: jmp grader_exit");
