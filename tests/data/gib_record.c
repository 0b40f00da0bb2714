/* For the program dealer of 64 bits: its option -l reads the 26 bytes of a record of library.dat into a structure
   whose four suits have type unsigned long, which was 4 bytes long when the program was written. Loaded before the
   C library, this puts each field of the record where the program looks for it; the program interprets it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t fread(void *fields, size_t size, size_t n, FILE *file) {
    static size_t (*read)(void *, size_t, size_t, FILE *);
    uint32_t suits[4];
    uint16_t tricks[5];
    if (!read)
        read = (size_t(*)(void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fread");
    if (size != 26 || n != 1)
        return read(fields, size, n, file);
    if (read(suits, 16, 1, file) != 1 || read(tricks, 10, 1, file) != 1)
        return 0;
    for (int suit = 0; suit < 4; suit++)
        ((unsigned long *)fields)[suit] = suits[suit];
    memcpy((char *)fields + 4 * sizeof(unsigned long), tricks, 10);
    return 1;
}
