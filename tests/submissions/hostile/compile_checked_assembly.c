// expect: WRONG_ANSWER
// Writes assembly such as gcc writes for variables that are not set, and such
// as it never would: in the middle of lines, with numbers of any length.
__asm__("\t.file 1 \"solve.c\"\n"
        "\t.loc 1 99999999 99999999\n"
        "\t.loc 1 2\n"
        "\t.section .rodata\n"
        ".LC4095:\n\t.long\t-16843010\n\t.long\t-16843010\n"
        ".LC4096:\n\t.long\t-16843010\n"
        "\t.text\n"
        "\t.loc 1 1 4\n"
        "\tmovsd\t.LC4095(%rip), %xmm0\n"
        "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemset\n"
        "\tmovabsq\t$-72340172838076674, %rax\n\tmovq\t%rax, (%rbx)\n"
        "\tmovabsq\t$-72340172838076674, %rax\n\tmovq\t%rax, 8(%rbp)\n"
        "\tmovl\t$-16843010, %eax\n"
        "\tmovl\t$254, %esi\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}

__asm__("\tmovsd\t.LC0(%rip), %xmm0\n\t.data\n.LC0:\n\t.byte\t-2\n"
        "\t.text\n\tmovabsq\t$-72340172838076674, %rcx");
