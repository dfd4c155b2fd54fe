// expect: COMPILE_ERROR says="solve"
// solve is a variable.
int solve = 42;
