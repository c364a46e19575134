//@ verdict: defect
//@ defect: abort 8
//@ about: where a thread ends nobody is left to catch what a key's destructor throws
#include <pthread.h>

static pthread_key_t key;
extern "C" void destroy(void *) {
    throw 1;
}
extern "C" void *work(void *) {
    try {
        pthread_setspecific(key, &key);
        pthread_exit(nullptr);
    } catch (int) {
    }
    return nullptr;
}
extern "C" void *plain(void *) {
    pthread_setspecific(key, &key);
    return nullptr;
}
int main() {
    pthread_key_create(&key, destroy);
    pthread_t t;
    pthread_create(&t, nullptr, plain, nullptr);
    pthread_join(t, nullptr);
}
