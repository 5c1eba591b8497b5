// What leaves a progress function, by way of the argument: an exception or the end of its thread, which end the program;
// or a number, after which the program throws and jumps as it likes.
#include <phalanx.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <pthread.h>

namespace {
const std::size_t rows = 100;
uint8_t secrets[rows][32], keys[rows][33], verdicts[rows];
const char *way;
int calls;

int progress(void *, std::size_t, std::size_t) {
    calls++;
    if (std::strcmp(way, "throw") == 0) throw 7;
    if (std::strcmp(way, "exit") == 0) pthread_exit(nullptr);
    return 1;
}

int32_t call(phalanx_bulk *bulk, bool with_progress) {
    phalanx_column secret_column = {secrets[0], 32, 32};
    phalanx_output key_output = {keys[0], 33, 33};
    phalanx_call means;
    std::memset(&means, 0, sizeof means);
    means.rows_per_step = 10;
    means.progress = with_progress ? progress : nullptr;
    return phalanx_public_keys(bulk, &secret_column, &key_output, verdicts, rows, &means);
}

void throws(phalanx_bulk *bulk) {
    if (call(bulk, true) == PHALANX_CANCELLED) throw 7;
}

std::jmp_buf back;
void jumps(phalanx_bulk *bulk) {
    if (call(bulk, true) == PHALANX_CANCELLED) std::longjmp(back, 1);
}

void *in_thread(void *bulk) {
    try {
        call(static_cast<phalanx_bulk *>(bulk), true);
        std::puts("returned");
    } catch (int) {
        std::puts("caught");
    }
    return nullptr;
}
} // namespace

int main(int argc, char **argv) {
    phalanx_bulk *bulk;
    if (argc != 2 || phalanx_bulk_new(nullptr, &bulk) != PHALANX_OK) return 2;
    std::setbuf(stdout, nullptr);
    way = argv[1];
    std::memset(secrets, 1, sizeof secrets);
    if (std::strcmp(way, "return") == 0) {
        volatile int left = 0;
        try {
            throws(bulk);
        } catch (int) {
            left++;
        }
        if (setjmp(back) == 0) jumps(bulk);
        else left++;
        // Ten rows are done, and no more; the handle goes on.
        if (left != 2 || calls != 2 || verdicts[9] != PHALANX_VALID || verdicts[10] != PHALANX_UNDECIDED) return 1;
        if (call(bulk, false) != PHALANX_OK || verdicts[99] != PHALANX_VALID) return 1;
        std::puts("left");
    } else {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, in_thread, bulk) != 0) return 2;
        pthread_join(thread, nullptr);
        std::puts("went on");
    }
    phalanx_bulk_free(bulk);
    return 0;
}
