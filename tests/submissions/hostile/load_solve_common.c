// expect: COMPILE_ERROR
// What is called is room for a number.
__asm__(".comm solve, 8, 8");
