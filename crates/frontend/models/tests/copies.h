/* copies.h: included before a model that is compiled natively. The copying intrinsics, which the machine executes itself,
 * would become calls of the very functions that are modelled with them; the shim offers the real ones. */
#ifndef COPIES_H
#define COPIES_H
#include <stddef.h>
void *shim_memcpy(void *, const void *, size_t);
void *shim_memmove(void *, const void *, size_t);
void *shim_memset(void *, int, size_t);
#define __builtin_memcpy shim_memcpy
#define __builtin_memmove shim_memmove
#define __builtin_memset shim_memset
#endif
