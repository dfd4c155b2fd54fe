// expect: COMPILE_ERROR
// What is called is another one for each thread.
__asm__(".globl solve\n"
        ".section .tdata, \"awT\"\n"
        "solve: ret\n"
        ".text");
