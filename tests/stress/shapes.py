"""Programs that nobody writes and generators do: nested to any depth, endless expressions, thousands of calls or jumps."""

HEAD = "#include <cuda_runtime.h>\n__global__ void k(float* p) { p[0] += 1.0f; }\n"
LOOP = "void train(float* p) { for (int i = 0; i < 1000; ++i) { k<<<1, 1>>>(p); cudaDeviceSynchronize(); } }\n"


def nested(opening, middle, closing):
    return lambda n: f"{HEAD}int f(int a) {{ return {opening * n}{middle}{closing * n}; }}\n{LOOP}"


def endless_sum(n):
    return f"{HEAD}int f(int a) {{ return {'a+' * n}a; }}\n{LOOP}"


def blocks(n):
    return f"{HEAD}void f(float* p) {{ {'{' * n} k<<<1, 1>>>(p); cudaDeviceSynchronize(); {'}' * n} }}\n"


def loops(n):
    return f"{HEAD}void f(float* p) {{ {'for (;;) ' * n} {{ k<<<1, 1>>>(p); cudaDeviceSynchronize(); }} }}\n"


def templates(n):
    return f"{HEAD}template <class T> struct A {{ T t; }};\n{'A<' * n}int{'>' * n} deep;\n{LOOP}"


def recursion(n):
    return (f"{HEAD}template <int N> int down(float* p) {{ cudaDeviceSynchronize(); return down<N - 1>(p); }}\n"
            f"template <> int down<0>(float*) {{ return 0; }}\nint f(float* p) {{ return down<{n}>(p); }}\n{LOOP}")


def calls(n):
    body = "k<<<1, 1>>>(p); cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost);\n" * (n // 2)
    return f"{HEAD}void f(float* h, float* p) {{ for (int i = 0; i < 100; ++i) {{\n{body}}} }}\n"


def chain_of_functions(n):
    text = [HEAD, "void f0(float* p) { k<<<1, 1>>>(p); cudaDeviceSynchronize(); }\n"]
    text += [f"void f{i}(float* p) {{ f{i - 1}(p); }}\n" for i in range(1, n)]
    return "".join(text) + f"void train(float* p) {{ for (int i = 0; i < 9; ++i) f{max(0, n - 1)}(p); }}\n"


def gotos(n):
    body = "".join(f"l{i}: if (a == {i}) goto l{i * 7919 % n}; k<<<1, 1>>>(p); cudaDeviceSynchronize();\n" for i in range(n))
    return f"{HEAD}void f(int a, float* p) {{\n{body}}}\n"


def cases(n):
    body = "".join(f"case {i}: k<<<1, 1>>>(p); break;\n" for i in range(n))
    return f"{HEAD}void f(int a, float* p) {{ for (;;) {{ switch (a) {{\n{body}}} cudaDeviceSynchronize(); }} }}\n"


def else_ifs(n):
    return f"{HEAD}void f(int a, float* p) {{ {'if (a) k<<<1, 1>>>(p); else ' * n} cudaDeviceSynchronize(); }}\n"


def assignments(n):
    body = "".join(f"float* p{i + 1} = p{i} + 1;\n" for i in range(n))
    return f"{HEAD}void f(float* p0, float* h) {{ {body} cudaMemcpy(h, p{n}, 4, cudaMemcpyDeviceToHost); }}\n"


def macros(n):
    levels = min(n, 22)
    return (HEAD + "#define M0 cudaDeviceSynchronize();\n" +
            "".join(f"#define M{i} M{i - 1} M{i - 1}\n" for i in range(1, levels)) + f"void f() {{ M{levels - 1} }}\n")


def includes_itself(n):
    return f"{HEAD}#include __FILE__\n{LOOP}"


def long_line(n):
    return f"{HEAD}// {'x' * n * 20}\nconst char* s = \"{'y' * n * 20}\";\n{LOOP}"


def lambdas(n):
    return f"{HEAD}void f() {{ {'[&] { ' * n} cudaDeviceSynchronize(); {'}(); ' * n} }}\n"


def bases(n):
    text = ["struct S0 { virtual void step(float* p) { k<<<1, 1>>>(p); } };\n"]
    text += [f"struct S{i} : S{i - 1} {{ void step(float* p) override {{ S{i - 1}::step(p); cudaDeviceSynchronize(); }} }};\n"
             for i in range(1, n)]
    return HEAD + "".join(text) + "void train(S0* s, float* p) { for (int i = 0; i < 9; ++i) s->step(p); }\n"


SHAPES = {
    "parentheses": nested("(", "a", ")"), "unary": nested("- ", "a", ""), "ternaries": nested("a ? 1 : ", "a", ""),
    "lists": nested("{", "a", "}"), "subscripts": nested("a[", "a", "]"), "sum": endless_sum, "blocks": blocks,
    "loops": loops, "templates": templates, "recursion": recursion, "calls": calls, "functions": chain_of_functions,
    "gotos": gotos, "cases": cases, "else-ifs": else_ifs, "assignments": assignments, "macros": macros,
    "includes-itself": includes_itself, "long-line": long_line, "lambdas": lambdas, "bases": bases,
}
SIZES = [50, 240, 255, 1000, 5000, 30000, 50000]


def make(rng):
    name, size = rng.choice(sorted(SHAPES)), rng.choice(SIZES)
    return f"{name}-{size}", SHAPES[name](size).encode()
