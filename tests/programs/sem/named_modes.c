//@ verdict: race-free
//@ about: named semaphores: names, flags, values, and a mode that forbids opening them again
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char name[300];
    int value;
    sem_unlink("/raceproof-a");
    sem_unlink("/raceproof-b");
    assert(sem_open("/raceproof-a", 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("/raceproof-a", O_CREAT, 0600, (unsigned)INT_MAX + 1) == SEM_FAILED && errno == EINVAL);
    sem_t *s = sem_open("/raceproof-a", O_CREAT | O_EXCL, 0600, 3);
    assert(s != SEM_FAILED && sem_getvalue(s, &value) == 0 && value == 3);
    assert(sem_open("/raceproof-a", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_open("/raceproof-a", O_CREAT, 0600, 1) == s && sem_getvalue(s, &value) == 0 && value == 3);
    sem_t *closed = sem_open("/raceproof-b", O_CREAT, 0, 1);
    assert(closed != SEM_FAILED);
    if (geteuid() != 0)
        assert(sem_open("/raceproof-b", 0) == SEM_FAILED && errno == EACCES);
    memset(name, 'a', sizeof name);
    name[0] = '/';
    name[299] = 0;
    assert(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED);
    assert(sem_unlink("/raceproof-a") == 0 && sem_unlink("/raceproof-b") == 0);
    assert(sem_unlink("/raceproof-a") == -1 && errno == ENOENT);
    assert(sem_open("/raceproof-a", 0) == SEM_FAILED && errno == ENOENT);
    return 0;
}
