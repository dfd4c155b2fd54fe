// expect: COMPILE_ERROR says="solve"
// Nothing but comments.
