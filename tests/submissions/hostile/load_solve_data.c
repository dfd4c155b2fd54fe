// expect: COMPILE_ERROR
// What is called is a number, whose bytes are machine code.
__asm__(".globl solve\n"
        ".data\n"
        "solve: .byte 0xc3\n"
        ".text");
