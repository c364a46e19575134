//@ verdict: race-free
//@ about: PTHREAD_KEYS_MAX keys can exist, and no more
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

int main(void)
{
    pthread_key_t key;
    for (int i = 0; i < PTHREAD_KEYS_MAX; i++) {
        assert(pthread_key_create(&key, NULL) == 0);
        assert(pthread_getspecific(key) == NULL && pthread_setspecific(key, &key) == 0);
    }
    assert(pthread_key_create(&key, NULL) == EAGAIN);
    assert(pthread_key_delete(PTHREAD_KEYS_MAX) == EINVAL);
    return 0;
}
