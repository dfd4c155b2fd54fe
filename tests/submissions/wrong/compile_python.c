// expect: COMPILE_ERROR
// Not C at all.
def solve(Q, K, V, causal):
    return softmax(Q @ K.T / sqrt(d)) @ V
