/* setjmp.c: non-local jumps (C11 7.13). Marking the place is harmless and returns 0; only jumping there is not supported. */
#include "rp.h"

struct __jmp_buf_tag;
MODEL int _setjmp(struct __jmp_buf_tag *env UNUSED) { return 0; }
MODEL int setjmp(struct __jmp_buf_tag *env UNUSED) { return 0; }
/* pthread_cleanup_push calls this in C. */
MODEL int __sigsetjmp(struct __jmp_buf_tag *env UNUSED, int save_mask UNUSED) { return 0; }
MODEL _Noreturn void longjmp(struct __jmp_buf_tag *env UNUSED, int value UNUSED) { __rp_unsupported("longjmp (jumping to a setjmp is not supported)"); }
MODEL _Noreturn void _longjmp(struct __jmp_buf_tag *env UNUSED, int value UNUSED) { __rp_unsupported("longjmp (jumping to a setjmp is not supported)"); }
MODEL _Noreturn void siglongjmp(struct __jmp_buf_tag *env UNUSED, int value UNUSED) { __rp_not_modelled("siglongjmp"); }
MODEL _Noreturn void __longjmp_chk(struct __jmp_buf_tag *env UNUSED, int value UNUSED) { __rp_unsupported("longjmp (jumping to a setjmp is not supported)"); }
