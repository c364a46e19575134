/* shim.h: what the native tests of the models share. Each test is one program that compares the models, renamed to m_*,
 * with the real library, and ends with `return shim_end();`. */
#ifndef SHIM_H
#define SHIM_H
#include <setjmp.h>
#include <stddef.h>

#define MODELLED(name) extern __typeof__(name) m_##name
#define CHECK(condition, ...) shim_check((condition) != 0, __FILE__, __LINE__, __VA_ARGS__)
/* Runs a statement that may end in __rp_defect, __rp_unsupported or __rp_exit; gives the kind (0 if it did not). */
#define ENDING(statement)                       \
    ({                                          \
        jmp_buf here_;                          \
        shim_kind = 0;                          \
        shim_catch = &here_;                    \
        if (setjmp(here_) == 0) { statement; }  \
        shim_catch = NULL;                      \
        shim_kind;                              \
    })

extern char shim_output[1 << 16];
extern size_t shim_output_length;
extern _Thread_local jmp_buf *shim_catch;
extern const char *shim_message;
extern int shim_kind; /* 1 to 3 a defect, 50 unsupported, 51 assume, 100 + code exit */
extern int shim_live_objects;
void shim_check(int ok, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int shim_end(void);
#endif
