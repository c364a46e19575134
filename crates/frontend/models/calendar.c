/* calendar.c: broken-down time (C11 7.27.2.3, 7.27.3): proleptic Gregorian arithmetic, the local time zone being UTC.
 * localtime, gmtime, asctime and ctime return static objects, which POSIX does not protect: their races are seen. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

MODEL char *tzname[2] = {(char *)"UTC", (char *)"UTC"};
MODEL long timezone;
MODEL int daylight;
MODEL void tzset(void) {}

static long long floor_div(long long a, long long b) { return a / b - (a % b < 0); }
static int is_leap(long long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
static const short before_month[2][13] = {{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
                                          {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}};
/* Days from 1970-01-01 to the first of January of `year`. */
static long long days_before_year(long long year) {
    long long y = year - 1;
    return 365 * y + floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400) - 719162;
}
/* What a clock showed is unconstrained, and so is its broken-down form; making it needs no branch. */
static int is_open(long long v) { return __rp_unconstrained(&v, sizeof v); }
static int any_bits(int mask) {
    int v;
    __rp_havoc(&v, sizeof v);
    return v & mask;
}
static struct tm *break_down_any(struct tm *out) {
    out->tm_sec = any_bits(63);
    out->tm_min = any_bits(63);
    out->tm_hour = any_bits(31);
    out->tm_mday = any_bits(31);
    out->tm_mon = any_bits(15);
    out->tm_year = any_bits(0xffff);
    out->tm_wday = any_bits(7);
    out->tm_yday = any_bits(511);
    out->tm_isdst = 0;
    out->tm_gmtoff = 0;
    out->tm_zone = "GMT";
    return out;
}
static struct tm *break_down(long long t, struct tm *out) {
    if (is_open(t)) return break_down_any(out);
    long long day = floor_div(t, 86400), second = t - day * 86400;
    long long year = 1970 + floor_div(day * 400, 146097);
    while (days_before_year(year) > day) year--;
    while (days_before_year(year + 1) <= day) year++;
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    int of_year = (int)(day - days_before_year(year)), month = 0;
    const short *before = before_month[is_leap(year)];
    while (before[month + 1] <= of_year) month++;
    out->tm_sec = (int)(second % 60);
    out->tm_min = (int)(second / 60 % 60);
    out->tm_hour = (int)(second / 3600);
    out->tm_mday = of_year - before[month] + 1;
    out->tm_mon = month;
    out->tm_year = (int)(year - 1900);
    out->tm_wday = (int)(((day + 4) % 7 + 7) % 7);
    out->tm_yday = of_year;
    out->tm_isdst = 0;
    out->tm_gmtoff = 0;
    out->tm_zone = "GMT";
    return out;
}
MODEL struct tm *gmtime_r(const time_t *restrict t, struct tm *restrict out) { return break_down(*t, out); }
MODEL struct tm *localtime_r(const time_t *restrict t, struct tm *restrict out) {
    struct tm *r = break_down(*t, out);
    if (r != NULL) r->tm_zone = "UTC";
    return r;
}
static struct tm shared;
MODEL struct tm *gmtime(const time_t *t) { return break_down(*t, &shared); }
MODEL struct tm *localtime(const time_t *t) { return localtime_r(t, &shared); }

/* Fields outside their ranges are carried over (C11 7.27.2.3 p2). */
static time_t join(struct tm *tm) {
    long long months = (long long)tm->tm_year * 12 + tm->tm_mon;
    long long year = floor_div(months, 12) + 1900;
    int month = (int)(months - floor_div(months, 12) * 12);
    long long days = days_before_year(year) + before_month[is_leap(year)][month] + tm->tm_mday - 1;
    long long t = days * 86400 + (long long)tm->tm_hour * 3600 + (long long)tm->tm_min * 60 + tm->tm_sec;
    if ((time_t)t != t || break_down(t, tm) == NULL) {
        errno = EOVERFLOW;
        return (time_t)-1;
    }
    return (time_t)t;
}
MODEL time_t mktime(struct tm *tm) {
    time_t t = join(tm);
    tm->tm_zone = "UTC";
    return t;
}
MODEL time_t timelocal(struct tm *tm) { return mktime(tm); }
MODEL time_t timegm(struct tm *tm) { return join(tm); }

static const char *const day_names[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[12] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};

/* C11 7.27.3.1 gives this very format. */
MODEL char *asctime_r(const struct tm *restrict tm, char *restrict out) {
    if (__rp_unconstrained(tm, 7 * sizeof(int))) { /* whatever it says, it has the form of "Sun Sep 16 01:03:52 1973\n" */
        for (const char *form = "Aaa Aaa 00 00:00:00 0000\n"; (*out = *form) != '\0'; form++, out++)
            if (*form >= '0') *out = (char)(*form | any_bits(15));
        return out - 25;
    }
    const char *day = tm->tm_wday >= 0 && tm->tm_wday < 7 ? day_names[tm->tm_wday] : "???";
    const char *month = tm->tm_mon >= 0 && tm->tm_mon < 12 ? month_names[tm->tm_mon] : "???";
    sprintf(out, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
            1900 + tm->tm_year);
    return out;
}
static char shared_text[64];
MODEL char *asctime(const struct tm *tm) { return asctime_r(tm, shared_text); }
MODEL char *ctime_r(const time_t *t, char *out) {
    struct tm tm;
    return break_down(*t, &tm) == NULL ? NULL : asctime_r(&tm, out);
}
MODEL char *ctime(const time_t *t) { return localtime(t) == NULL ? NULL : asctime_r(&shared, shared_text); }

/* ---- strftime ---- */

struct text {
    char *out;
    size_t used, cap;
};
static void put_string(struct text *t, const char *s) {
    for (; *s != '\0'; s++, t->used++)
        if (t->used < t->cap) t->out[t->used] = *s;
}
/* At least `width` characters, filled with `fill`. */
static void put_number(struct text *t, long long v, int width, char fill, char pad_flag) {
    char buffer[40];
    if (is_open(v)) { /* any digits, as many as a date of our time has */
        for (int i = 0; i < width; i++) buffer[i] = (char)('0' | any_bits(15));
        buffer[width] = '\0';
        put_string(t, buffer);
        return;
    }
    if (pad_flag == '_') fill = ' ';
    else if (pad_flag == '0') fill = '0';
    if (pad_flag == '-') snprintf(buffer, sizeof buffer, "%lld", v);
    else if (fill == ' ') snprintf(buffer, sizeof buffer, "%*lld", width, v);
    else snprintf(buffer, sizeof buffer, "%0*lld", v < 0 ? width + 1 : width, v);
    put_string(t, buffer);
}
/* The ISO 8601 week number and its year: weeks start on Monday, week 1 has the year's first Thursday. */
static int iso_week(const struct tm *tm, long long *year) {
    int monday = (tm->tm_wday + 6) % 7;
    int week = (tm->tm_yday - monday + 10) / 7;
    *year = 1900ll + tm->tm_year;
    if (week < 1) {
        *year -= 1;
        int last = is_leap(*year) ? 366 : 365;
        return (tm->tm_yday + last - monday + 10) / 7;
    }
    int days = is_leap(*year) ? 366 : 365;
    if (week == 53 && days - 1 - tm->tm_yday < 3 - monday) {
        *year += 1;
        return 1;
    }
    return week;
}
static void put_format(struct text *t, const char *p, const struct tm *tm);
static int hour12(const struct tm *tm) { return is_open(tm->tm_hour) ? tm->tm_hour : (tm->tm_hour + 11) % 12 + 1; }
/* A name of a day or month by its first three letters. */
static void put_short(struct text *t, const char *const *names, int index, int count) {
    char buffer[4] = {0};
    if (is_open(index))
        for (int i = 0; i < 3; i++) buffer[i] = (char)('@' | any_bits(63));
    else
        memcpy(buffer, names[index % count], 3);
    put_string(t, buffer);
}

static void put_field(struct text *t, char c, char pad, const struct tm *tm) {
    long long year = 1900ll + tm->tm_year, iso_year;
    switch (c) {
    case 'a': put_short(t, day_names, tm->tm_wday, 7); break;
    case 'A': put_string(t, day_names[tm->tm_wday % 7]); break;
    case 'b':
    case 'h': put_short(t, month_names, tm->tm_mon, 12); break;
    case 'B': put_string(t, month_names[tm->tm_mon % 12]); break;
    case 'c': put_format(t, "%a %b %e %H:%M:%S %Y", tm); break;
    case 'C': put_number(t, floor_div(year, 100), 2, '0', pad); break;
    case 'd': put_number(t, tm->tm_mday, 2, '0', pad); break;
    case 'D':
    case 'x': put_format(t, "%m/%d/%y", tm); break;
    case 'e': put_number(t, tm->tm_mday, 2, ' ', pad); break;
    case 'F': put_format(t, "%Y-%m-%d", tm); break;
    case 'g': iso_week(tm, &iso_year); put_number(t, ((iso_year % 100) + 100) % 100, 2, '0', pad); break;
    case 'G': iso_week(tm, &iso_year); put_number(t, iso_year, 1, '0', pad); break;
    case 'H': put_number(t, tm->tm_hour, 2, '0', pad); break;
    case 'I': put_number(t, hour12(tm), 2, '0', pad); break;
    case 'j': put_number(t, tm->tm_yday + 1, 3, '0', pad); break;
    case 'k': put_number(t, tm->tm_hour, 2, ' ', pad); break;
    case 'l': put_number(t, hour12(tm), 2, ' ', pad); break;
    case 'm': put_number(t, tm->tm_mon + 1, 2, '0', pad); break;
    case 'M': put_number(t, tm->tm_min, 2, '0', pad); break;
    case 'n': put_string(t, "\n"); break;
    case 'p': put_string(t, tm->tm_hour < 12 ? "AM" : "PM"); break;
    case 'P': put_string(t, tm->tm_hour < 12 ? "am" : "pm"); break;
    case 'r': put_format(t, "%I:%M:%S %p", tm); break;
    case 'R': put_format(t, "%H:%M", tm); break;
    case 's': {
        struct tm copy = *tm;
        put_number(t, join(&copy), 1, '0', pad);
        break;
    }
    case 'S': put_number(t, tm->tm_sec, 2, '0', pad); break;
    case 't': put_string(t, "\t"); break;
    case 'T':
    case 'X': put_format(t, "%H:%M:%S", tm); break;
    case 'u': put_number(t, tm->tm_wday == 0 ? 7 : tm->tm_wday, 1, '0', pad); break;
    case 'U': put_number(t, (tm->tm_yday + 7 - tm->tm_wday) / 7, 2, '0', pad); break;
    case 'V': put_number(t, iso_week(tm, &iso_year), 2, '0', pad); break;
    case 'w': put_number(t, tm->tm_wday, 1, '0', pad); break;
    case 'W': put_number(t, (tm->tm_yday + 7 - (tm->tm_wday + 6) % 7) / 7, 2, '0', pad); break;
    case 'y': put_number(t, ((year % 100) + 100) % 100, 2, '0', pad); break;
    case 'Y': put_number(t, year, is_open(year) ? 4 : 1, '0', pad); break;
    case 'z': put_string(t, tm->tm_isdst < 0 ? "" : "+0000"); break;
    case 'Z': put_string(t, tm->tm_zone != NULL ? tm->tm_zone : ""); break;
    case '%': put_string(t, "%"); break;
    default: __rp_unsupported("an unknown conversion in a strftime format");
    }
}
static void put_format(struct text *t, const char *p, const struct tm *tm) {
    for (; *p != '\0'; p++) {
        if (*p != '%') {
            char one[2] = {*p, 0};
            put_string(t, one);
            continue;
        }
        p++;
        char pad = 0;
        if (*p == '_' || *p == '-' || *p == '0') pad = *p++;
        if (*p == 'E' || *p == 'O') p++;
        if (*p == '\0') return;
        put_field(t, *p, pad, tm);
    }
}
MODEL size_t strftime(char *restrict out, size_t cap, const char *restrict format, const struct tm *restrict tm) {
    struct text t = {out, 0, cap};
    put_format(&t, format, tm);
    if (t.used >= cap) return 0;
    out[t.used] = '\0';
    return t.used;
}
