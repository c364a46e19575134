/* getopt.c: command line options (POSIX getopt, GNU getopt_long and getopt_long_only with permutation of operands). */
#define _GNU_SOURCE
#include "rp.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MODEL char *optarg;
MODEL int optind = 1, opterr = 1, optopt = '?';

static char *next_char;                 /* inside a group of short options, the next one */
static int first_operand, last_operand; /* the operands passed over so far: argv[first..last) */

enum order { REQUIRE, PERMUTE, RETURN };
struct call {
    int argc;
    char **argv;
    const char *shorts;
    const struct option *longs;
    int *index;
    int only; /* getopt_long_only */
    enum order order;
    int quiet, colon;
};

static void complain(const struct call *c, const char *text, const char *name, int n) {
    if (c->quiet) return;
    fprintf(stderr, "%s: %s '%.*s'\n", c->argv[0], text, n, name);
}

/* Moves the options in argv[last_operand..optind) before the operands. */
static void exchange(char **argv) {
    int options = optind - last_operand, operands = last_operand - first_operand;
    for (int i = 0; i < options; i++) {
        char *moved = argv[last_operand + i];
        for (int j = last_operand + i; j > first_operand + i; j--) argv[j] = argv[j - 1];
        argv[first_operand + i] = moved;
    }
    first_operand += options;
    last_operand = first_operand + operands;
}
static int is_option(const char *arg) { return arg[0] == '-' && arg[1] != '\0'; }

static int finish_long(struct call *c, const struct option *o, char *value) {
    if (o->has_arg == no_argument && value != NULL) {
        complain(c, "option does not take an argument:", o->name, 99);
        optopt = o->val;
        return '?';
    }
    if (o->has_arg == required_argument && value == NULL) {
        if (optind >= c->argc) {
            complain(c, "option requires an argument:", o->name, 99);
            optopt = o->val;
            return c->colon ? ':' : '?';
        }
        value = c->argv[optind++];
    }
    optarg = value;
    if (c->index != NULL) *c->index = (int)(o - c->longs);
    if (o->flag == NULL) return o->val;
    *o->flag = o->val;
    return 0;
}
/* name: the text after the dashes. Returns -2 if it is no long option (only for getopt_long_only). */
static int long_option(struct call *c, char *name, int single_dash) {
    size_t n = strcspn(name, "=");
    const struct option *found = NULL;
    int exact = 0, ambiguous = 0;
    for (const struct option *o = c->longs; o->name != NULL && !exact; o++) {
        if (strncmp(o->name, name, n) != 0) continue;
        if (strlen(o->name) == n) {
            found = o;
            exact = 1;
        } else if (found == NULL) {
            found = o;
        } else if (c->only || found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val) {
            ambiguous = 1;
        }
    }
    if (single_dash && (found == NULL || (ambiguous && !exact)) && strchr(c->shorts, name[0]) != NULL) return -2;
    next_char = NULL;
    optind++;
    optopt = 0;
    if (ambiguous && !exact) {
        complain(c, "option is ambiguous:", name, (int)n);
        return '?';
    }
    if (found == NULL) {
        complain(c, "unrecognized option", name, (int)n);
        return '?';
    }
    return finish_long(c, found, name[n] == '=' ? name + n + 1 : NULL);
}
static int short_option(struct call *c) {
    int letter = (unsigned char)*next_char++;
    const char *p = letter == ':' || letter == ';' ? NULL : strchr(c->shorts, letter);
    int at_end = *next_char == '\0';
    if (at_end) optind++;
    if (p == NULL) {
        complain(c, "invalid option --", (char[2]){(char)letter, 0}, 1);
        optopt = letter;
        return '?';
    }
    if (p[1] != ':') return letter;
    if (!at_end) {
        optarg = next_char;
        optind++;
    } else if (p[2] != ':') {
        if (optind >= c->argc) {
            complain(c, "option requires an argument --", (char[2]){(char)letter, 0}, 1);
            optopt = letter;
            letter = c->colon ? ':' : '?';
        } else {
            optarg = c->argv[optind++];
        }
    }
    next_char = NULL;
    return letter;
}
/* Goes to the next element that is an option: 1 found, otherwise the value to return (-1 or, in RETURN order, 1 operand). */
static int find_option(struct call *c, int *result) {
    if (last_operand > optind) last_operand = optind;
    if (first_operand > optind) first_operand = optind;
    if (c->order == PERMUTE) {
        if (first_operand != last_operand && last_operand != optind) exchange(c->argv);
        else if (last_operand != optind) first_operand = optind;
        while (optind < c->argc && !is_option(c->argv[optind])) optind++;
        last_operand = optind;
    }
    if (optind < c->argc && strcmp(c->argv[optind], "--") == 0) {
        optind++;
        if (first_operand != last_operand && last_operand != optind) exchange(c->argv);
        else if (first_operand == last_operand) first_operand = optind;
        last_operand = c->argc;
        optind = c->argc;
    }
    if (optind >= c->argc) {
        if (first_operand != last_operand) optind = first_operand;
        *result = -1;
        return 0;
    }
    if (!is_option(c->argv[optind])) {
        *result = -1;
        if (c->order == REQUIRE) return 0;
        optarg = c->argv[optind++];
        *result = 1;
        return 0;
    }
    return 1;
}
static int next_option(struct call *c) {
    optarg = NULL;
    if (optind == 0) {
        optind = 1;
        next_char = NULL;
    }
    if (optind == 1 && next_char == NULL) first_operand = last_operand = 1;
    c->order = getenv("POSIXLY_CORRECT") != NULL ? REQUIRE : PERMUTE;
    if (*c->shorts == '-') c->order = RETURN, c->shorts++;
    else if (*c->shorts == '+') c->order = REQUIRE, c->shorts++;
    c->colon = *c->shorts == ':';
    c->quiet = c->colon || !opterr;
    if (next_char == NULL || *next_char == '\0') {
        int result;
        if (!find_option(c, &result)) return result;
        char *arg = c->argv[optind];
        next_char = arg + 1;
        if (c->longs != NULL && arg[1] == '-') return long_option(c, arg + 2, 0);
        if (c->longs != NULL && c->only && (arg[2] != '\0' || strchr(c->shorts, arg[1]) == NULL)) {
            int r = long_option(c, arg + 1, 1);
            if (r != -2) return r;
        }
    }
    return short_option(c);
}
MODEL int getopt(int argc, char *const argv[], const char *shorts) {
    struct call c = {argc, (char **)argv, shorts, NULL, NULL, 0, PERMUTE, 0, 0};
    return next_option(&c);
}
MODEL int __posix_getopt(int argc, char *const argv[], const char *shorts) {
    struct call c = {argc, (char **)argv, shorts, NULL, NULL, 0, PERMUTE, 0, 0};
    return next_option(&c);
}
MODEL int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index) {
    struct call c = {argc, (char **)argv, shorts, longs, index, 0, PERMUTE, 0, 0};
    return next_option(&c);
}
MODEL int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index) {
    struct call c = {argc, (char **)argv, shorts, longs, index, 1, PERMUTE, 0, 0};
    return next_option(&c);
}
