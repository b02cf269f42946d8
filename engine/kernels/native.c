/* Matrix products of 4-, 6- and 8-bit weights with 8-bit activations, and the decoder layer around them.

   Weights keep the values and almost the size of their GGUF blocks. Sixteen output rows form a panel whose bytes are
   interleaved, four consecutive inputs of each row, so that a vector lane belongs to one output row and nothing is
   summed across lanes. Activations are rounded per row and block of 256 (or 32) inputs.

   Every output value is a chain of operations fixed by its row alone: integer sums within a block are exact, blocks
   are added in ascending order by the same fused operations in every tile. Neither the number of rows nor of threads
   nor the instruction set changes a bit. A panel is read from memory once for all rows of a call.

   One call at a time per process (a mutex); the caller owns every buffer that it passes. What is not finite in an
   activation is not finite in all that follows from it. */

#include "lanes.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PANEL 16     /* output rows in a panel, one to a lane */
#ifdef __AVX512VNNI__
#define TILE 8       /* activation rows in a tile, as many as the registers hold sums for */
#else
#define TILE 4
#endif
#define AHEAD 4096   /* bytes between what is multiplied and what is fetched from memory */
#define MAX_THREADS 64
#define SPIN 4000    /* pauses that a thread waits awake, 50 to 200 microseconds */
#define KV_BLOCK 16  /* positions in a block of the key and value cache */

/* Storage kinds; bytes of one panel and block of inputs, and where its parts are. */
enum { Q4K, Q6K, Q4, Q8 };
static const int BLOCK_INPUTS[] = {256, 256, 32, 32};
static const int PANEL_BYTES[] = {
    320 + 2048,         /* d, dmin fp16; pairs of scales and of mins s8 @64 and @192; nibbles @320 */
    320 + 2048 + 1024,  /* d fp16; pairs of scales s8 @64; low nibbles @320; high pairs of bits @2368 */
    64 + 256,           /* d, m fp16; nibbles @64: value d q + m */
    32 + 512,           /* d fp16; s8 @32: value d q */
};

typedef struct {
    int32_t kind, rows;
    const uint8_t *data;
} Part;

/* Parts are stacked: their outputs follow each other. `block` is the block of the activations, 256 or 32. */
typedef struct {
    int32_t parts, rows, width, block;
    const Part *part;
    const float *bias;
} Linear;

typedef struct {
    Linear qkv, output, gate_up, down;
    const float *input_norm, *ffn_norm, *query_norm, *key_norm;
    int32_t heads, kv_heads, dim, hidden, ffn, index;
    float eps;
} Layer;

int native_supported(void) {
#ifdef __AVX512VNNI__
    if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq")
        || !__builtin_cpu_supports("avx512vl"))
        return 0;
#endif
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

int native_layer_size(void) { return sizeof(Layer); }

/* ---- Threads: a pool that takes tasks in order; what a task computes never depends on who takes it. A thread that gets
   no processor takes none, and is waited for only if it has taken one. ---- */

typedef void (*Work)(void *argument, int task, int thread);

static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER, sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MAX_THREADS];
static int worker_count;

/* The job: written while no task of it can be taken, read by who has taken one. */
static Work work;
static void *work_argument;
static int work_tasks;
static _Alignas(64) _Atomic uint64_t ticket; /* number of the job << 32 | tasks that nobody has taken */
static _Alignas(64) atomic_int finished;
static _Alignas(64) atomic_int sleepers;
static atomic_int stopping, waiting;

static void take_tasks(int thread) {
    uint64_t seen = atomic_load(&ticket);
    while ((uint32_t)seen) {
        if (!atomic_compare_exchange_weak(&ticket, &seen, seen - 1)) continue;
        const int tasks = work_tasks;
        work(work_argument, tasks - (int)(uint32_t)seen, thread);
        if (atomic_fetch_add(&finished, 1) + 1 == tasks && atomic_load(&waiting)) {
            pthread_mutex_lock(&sleep_lock);
            pthread_cond_signal(&done);
            pthread_mutex_unlock(&sleep_lock);
        }
        seen = atomic_load(&ticket);
    }
}

static int idle(void) { return !(uint32_t)atomic_load(&ticket) && !atomic_load(&stopping); }

static void *worker_main(void *argument) {
    while (!atomic_load(&stopping)) {
        take_tasks((int)(intptr_t)argument);
        for (int spin = 0; spin < SPIN && idle(); spin++) _mm_pause();
        if (!idle()) continue;
        pthread_mutex_lock(&sleep_lock);
        atomic_fetch_add(&sleepers, 1);
        while (idle()) pthread_cond_wait(&wake, &sleep_lock);
        atomic_fetch_sub(&sleepers, 1);
        pthread_mutex_unlock(&sleep_lock);
    }
    return NULL;
}

static void wake_sleepers(void) {
    if (!atomic_load(&sleepers)) return;
    pthread_mutex_lock(&sleep_lock);
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&sleep_lock);
}

static void parallel(Work function, void *argument, int tasks) {
    if (worker_count == 0 || tasks == 1) {
        for (int task = 0; task < tasks; task++) function(argument, task, 0);
        return;
    }
    work = function, work_argument = argument, work_tasks = tasks;
    atomic_store(&finished, 0);
    atomic_store(&ticket, ((atomic_load(&ticket) >> 32) + 1) << 32 | (uint32_t)tasks);
    wake_sleepers();
    take_tasks(0);
    for (int spin = 0; spin < SPIN && atomic_load(&finished) < tasks; spin++) _mm_pause();
    if (atomic_load(&finished) == tasks) return;
    pthread_mutex_lock(&sleep_lock);
    atomic_store(&waiting, 1);
    while (atomic_load(&finished) < tasks) pthread_cond_wait(&done, &sleep_lock);
    atomic_store(&waiting, 0);
    pthread_mutex_unlock(&sleep_lock);
}

static void forget_workers(void) { /* threads do not survive a fork */
    worker_count = 0;
    atomic_store(&ticket, 0), atomic_store(&sleepers, 0), atomic_store(&waiting, 0);
    pthread_mutex_init(&calls, NULL), pthread_mutex_init(&sleep_lock, NULL);
    pthread_cond_init(&wake, NULL), pthread_cond_init(&done, NULL);
}

static void set_threads(int threads) {
    static int registered;
    if (!registered) registered = !pthread_atfork(NULL, NULL, forget_workers);
    threads = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    if (threads - 1 == worker_count) return;
    atomic_store(&stopping, 1);
    wake_sleepers();
    for (int i = 0; i < worker_count; i++) pthread_join(workers[i], NULL);
    atomic_store(&stopping, 0);
    worker_count = 0;
    while (worker_count < threads - 1
           && !pthread_create(&workers[worker_count], NULL, worker_main, (void *)(intptr_t)(worker_count + 1)))
        worker_count++;
}

/* ---- Memory that grows and is kept between calls. ---- */

typedef struct { void *at; size_t size; } Buffer;

static void *room(Buffer *buffer, size_t size) {
    if (size > buffer->size) {
        free(buffer->at);
        buffer->size = (size + 4095) / 4096 * 4096;
        buffer->at = aligned_alloc(64, buffer->size);
        if (!buffer->at) abort();
    }
    return buffer->at;
}

/* ---- Activations: int8 values; per 32 inputs a scale, the scaled sum, and (per 16 and 32) the integer sums. ---- */

/* Values of a tile of R rows lie four inputs of each row after another: [width / 4][R][4]. R is TILE but for the last tile. */
typedef struct {
    int rows, width;
    int8_t *q;
    float *scale;    /* [rows, width / 32]; equal within a block of 256 */
    float *sum;      /* [rows, width / 32]: scale x sum of q */
    int16_t *sum16;  /* [rows, width / 16] */
    int16_t *sum32;  /* [rows, width / 32] */
} Activations;

static Activations activations(Buffer *buffer, int rows, int width) {
    size_t n = (size_t)rows * width;
    uint8_t *at = room(buffer, n + n / 32 * 14 + 64);
    Activations a = {rows, width, (int8_t *)at, (float *)(at + n), NULL, NULL, NULL};
    a.sum = a.scale + n / 32;
    a.sum16 = (int16_t *)(a.sum + n / 32);
    a.sum32 = a.sum16 + n / 16;
    return a;
}

/* One block of `size` inputs starting at `first` of a row. Values that are not finite give scale NaN. */
static void quantise(const float *x, const Activations *a, int row, int first, int size) {
    F top = every(0), rubbish = every(0);
    for (int i = 0; i < size; i += 16) {
        F v = floats(x + i);
        top = higher(top, higher(v, sub(every(0), v)));
        rubbish = muladd(v, every(0), rubbish);
    }
    const float peak = largest(top), scale = peak / 127.0f + total(rubbish), inverse = peak > 1e-30f ? 127.0f / peak : 0.0f;
    const int from = row / TILE * TILE, stride = a->rows - from < TILE ? a->rows - from : TILE;
    int8_t *q = a->q + (size_t)from * a->width + (size_t)first * stride + 4 * (row - from);
    const size_t block = ((size_t)row * a->width + first) / 32;
    for (int i = 0; i < size; i += 16) {
        I v = nearest(mul(floats(x + i), every(inverse)));
        int8_t byte[16];
        put_bytes(byte, v);
        for (int j = 0; j < 4; j++) memcpy(q + (i + 4 * j) * stride, byte + 4 * j, 4);
        a->sum16[2 * block + i / 16] = (int16_t)total_int(v);
    }
    for (int i = 0; i < size / 32; i++) {
        const int sum = a->sum16[2 * (block + i)] + a->sum16[2 * (block + i) + 1];
        a->sum32[block + i] = (int16_t)sum;
        a->scale[block + i] = scale;
        a->sum[block + i] = scale * (float)sum;
    }
}

static void quantise_row(const float *x, const Activations *a, int row, int block) {
    for (int first = 0; first < a->width; first += block) quantise(x + first, a, row, first, block);
}

/* ---- Tiles: R rows of activations times a panel, summed in `out`. Loops over R are unrolled. ---- */

#define EACH _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)
#define STEP(s) four(x + ((s) * R + r) * 4) /* inputs 4 s... of row r, in every lane */

INLINE void tile_q4k(const int R, const uint8_t *data, const Activations *a, int row, F out[TILE]) {
    const I low = ints(0x0f0f0f0f);
    for (int b = 0; b < a->width / 256; b++, data += PANEL_BYTES[Q4K]) {
        const int8_t *x = a->q + (size_t)row * a->width + 256 * b * R;
        const size_t at = ((size_t)row * a->width + 256 * b) / 32, next = a->width / 32;
        I sum[TILE], least[TILE];
        EACH sum[r] = least[r] = ints(0);
        for (int pair = 0; pair < 4; pair++) {
            const I scales = words(data + 64 + 32 * pair), mins = words(data + 192 + 32 * pair);
            _Pragma("GCC unroll 2") for (int odd = 0; odd < 2; odd++) {
                const int g = 2 * pair + odd;
                I group[TILE];
                EACH group[r] = ints(0);
                _Pragma("GCC unroll 4") for (int v = 0; v < 4; v++) {
                    const uint8_t *p = data + 320 + 256 * g + 64 * v;
                    const I raw = bytes(p), first = both(raw, low), second = both(down4(raw), low);
                    _mm_prefetch((const char *)p + AHEAD, _MM_HINT_T0);
                    EACH group[r] = dot(group[r], first, STEP(8 * g + 2 * v));
                    EACH group[r] = dot(group[r], second, STEP(8 * g + 2 * v + 1));
                }
                const I scale = scale_of(scales, odd);
                EACH sum[r] = weighted(sum[r], group[r], scale);
            }
            EACH least[r] = pairs(least[r], mins, four((const int8_t *)(a->sum32 + at + r * next + 2 * pair)));
        }
        const F d = halves(data), m = halves(data + 32);
        EACH {
            const F scale = every(a->scale[at + r * next]);
            out[r] = muladd(mul(d, scale), real(sum[r]), out[r]);
            out[r] = mulsub(mul(m, scale), real(least[r]), out[r]);
        }
    }
}

INLINE void tile_q6k(const int R, const uint8_t *data, const Activations *a, int row, F out[TILE]) {
    const I low = ints(0x0f0f0f0f), high = ints(0x30303030);
    for (int b = 0; b < a->width / 256; b++, data += PANEL_BYTES[Q6K]) {
        const int8_t *x = a->q + (size_t)row * a->width + 256 * b * R;
        const size_t at = ((size_t)row * a->width + 256 * b) / 32, next = a->width / 32;
        I sum[TILE], offset[TILE];
        EACH sum[r] = offset[r] = ints(0);
        for (int pair = 0; pair < 8; pair++) {
            const I scales = words(data + 64 + 32 * pair);
            _Pragma("GCC unroll 2") for (int odd = 0; odd < 2; odd++) {
                const int g = 2 * pair + odd;
                const uint8_t *p = data + 320 + 128 * g, *q = data + 2368 + 64 * g;
                const I top = bytes(q), scale = scale_of(scales, odd);
                _mm_prefetch((const char *)q + AHEAD, _MM_HINT_T0);
                I group[TILE];
                EACH group[r] = ints(0);
                _Pragma("GCC unroll 2") for (int v = 0; v < 2; v++) {
                    const I raw = bytes(p + 64 * v);
                    const I first = either(both(raw, low), both(v ? top : up4(top), high));
                    const I second = either(both(down4(raw), low), both(v ? down2(top) : up2(top), high));
                    _mm_prefetch((const char *)p + 64 * v + AHEAD, _MM_HINT_T0);
                    EACH group[r] = dot(group[r], first, STEP(4 * g + 2 * v));
                    EACH group[r] = dot(group[r], second, STEP(4 * g + 2 * v + 1));
                    if (WIDE && v == 0) continue;
                    EACH sum[r] = weighted(sum[r], group[r], scale);
                    EACH group[r] = ints(0);
                }
            }
            EACH offset[r] = pairs(offset[r], scales, four((const int8_t *)(a->sum16 + 2 * (at + r * next) + 2 * pair)));
        }
        const F d = halves(data);
        EACH {
            const I value = minus(sum[r], times(offset[r], ints(32)));
            out[r] = muladd(mul(d, every(a->scale[at + r * next])), real(value), out[r]);
        }
    }
}

INLINE void tile_q4(const int R, const uint8_t *data, const Activations *a, int row, F out[TILE]) {
    const I low = ints(0x0f0f0f0f);
    for (int b = 0; b < a->width / 32; b++, data += PANEL_BYTES[Q4]) {
        const int8_t *x = a->q + (size_t)row * a->width + 32 * b * R;
        const size_t at = (size_t)row * a->width / 32 + b, next = a->width / 32;
        I group[TILE];
        EACH group[r] = ints(0);
        _Pragma("GCC unroll 4") for (int v = 0; v < 4; v++) {
            const I raw = bytes(data + 64 + 64 * v), first = both(raw, low), second = both(down4(raw), low);
            _mm_prefetch((const char *)data + 64 + 64 * v + AHEAD, _MM_HINT_T0);
            EACH group[r] = dot(group[r], first, STEP(2 * v));
            EACH group[r] = dot(group[r], second, STEP(2 * v + 1));
        }
        const F d = halves(data), m = halves(data + 32);
        EACH {
            out[r] = muladd(mul(d, every(a->scale[at + r * next])), real(whole(group[r])), out[r]);
            out[r] = muladd(m, every(a->sum[at + r * next]), out[r]);
        }
    }
}

INLINE void tile_q8(const int R, const uint8_t *data, const Activations *a, int row, F out[TILE]) {
    for (int b = 0; b < a->width / 32; b++, data += PANEL_BYTES[Q8]) {
        const int8_t *x = a->q + (size_t)row * a->width + 32 * b * R;
        const size_t at = (size_t)row * a->width / 32 + b, next = a->width / 32;
        I sum[TILE];
        EACH sum[r] = ints(-SIGNED_OFFSET * a->sum32[at + r * next]);
        _Pragma("GCC unroll 8") for (int v = 0; v < 8; v++) {
            const I w = bytes(data + 32 + 64 * v);
            _mm_prefetch((const char *)data + 32 + 64 * v + AHEAD, _MM_HINT_T0);
            EACH sum[r] = dot_signed(sum[r], w, STEP(v));
        }
        const F d = halves(data);
        EACH out[r] = muladd(mul(d, every(a->scale[at + r * next])), real(sum[r]), out[r]);
    }
}

typedef void (*Tile)(const uint8_t *data, const Activations *a, int row, F out[TILE]);

#define SHAPE(name, R)                                                                      \
    static void name##_##R(const uint8_t *data, const Activations *a, int row, F out[TILE]) { \
        tile_##name(R, data, a, row, out);                                                  \
    }
#if TILE == 8
#define SHAPES(name)                                                                            \
    SHAPE(name, 1) SHAPE(name, 2) SHAPE(name, 3) SHAPE(name, 4) SHAPE(name, 5) SHAPE(name, 6) SHAPE(name, 7) SHAPE(name, 8)
#define ALL(name) {name##_1, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8}
#else
#define SHAPES(name) SHAPE(name, 1) SHAPE(name, 2) SHAPE(name, 3) SHAPE(name, 4)
#define ALL(name) {name##_1, name##_2, name##_3, name##_4}
#endif
SHAPES(q4k)
SHAPES(q6k)
SHAPES(q4)
SHAPES(q8)
static const Tile TILES[][TILE] = {ALL(q4k), ALL(q6k), ALL(q4), ALL(q8)};

/* ---- The product: tasks are runs of panels of one part. ---- */

#define PASS 64 /* activation rows that go over a task's panels before the next ones do, so that they stay in a cache */

typedef struct {
    const Linear *linear;
    const Activations *a;
    int rows, add, chunk; /* chunk: panels in a task */
    float *out;
} Product;

static int tasks_of(const Part *part, int chunk) { return (part->rows + PANEL * chunk - 1) / (PANEL * chunk); }

static void product_task(void *argument, int task, int thread) {
    (void)thread;
    const Product *job = argument;
    const Linear *linear = job->linear;
    const Part *part = linear->part;
    int first_out = 0;
    for (int tasks; task >= (tasks = tasks_of(part, job->chunk)); part++) task -= tasks, first_out += part->rows;
    const size_t panel_bytes = (size_t)PANEL_BYTES[part->kind] * (linear->width / BLOCK_INPUTS[part->kind]);
    const int panels = (part->rows + PANEL - 1) / PANEL;
    const int begin = task * job->chunk, end = begin + job->chunk < panels ? begin + job->chunk : panels;
    for (int pass = 0; pass < job->rows; pass += PASS)
        for (int panel = begin; panel < end; panel++)
            for (int row = pass; row < pass + PASS && row < job->rows; row += TILE) {
                const int R = job->rows - row < TILE ? job->rows - row : TILE, within = panel * PANEL;
                const float *bias = linear->bias ? linear->bias + first_out + within : NULL;
                F total[TILE];
                for (int r = 0; r < TILE; r++) total[r] = every(0);
                TILES[part->kind][R - 1](part->data + panel * panel_bytes, job->a, row, total);
                for (int r = 0; r < R; r++) {
                    float *out = job->out + (size_t)(row + r) * linear->rows + first_out + within, value[PANEL];
                    if (within + PANEL <= part->rows) {
                        F v = bias ? add(total[r], floats(bias)) : total[r];
                        put(out, job->add ? add(floats(out), v) : v);
                        continue;
                    }
                    put(value, total[r]);
                    for (int i = 0; within + i < part->rows; i++) {
                        float v = bias ? value[i] + bias[i] : value[i];
                        out[i] = job->add ? out[i] + v : v;
                    }
                }
            }
}

static void product(const Linear *linear, const Activations *a, int rows, float *out, int add) {
    /* Few rows wait for memory, which long runs suit; of many rows one panel is work enough for a task. */
    Product job = {linear, a, rows, add, rows > TILE ? 1 : 4, out};
    int tasks = 0;
    for (int i = 0; i < linear->parts; i++) tasks += tasks_of(&linear->part[i], job.chunk);
    parallel(product_task, &job, tasks);
}

/* ---- Row work before a product: optional norm, then rounding. ---- */

typedef struct {
    const Linear *linear;
    const Activations *a;
    const float *x, *norm;
    float eps, *normed;
} Rounding;

static void rms_norm(const float *x, const float *weight, int n, float eps, float *out) {
    F sum = every(0);
    for (int i = 0; i < n; i += 16) sum = muladd(floats(x + i), floats(x + i), sum);
    const F factor = every(1.0f / sqrtf(total(sum) / (float)n + eps));
    for (int i = 0; i < n; i += 16) put(out + i, mul(mul(floats(x + i), factor), floats(weight + i)));
}

static void rounding_task(void *argument, int row, int thread) {
    const Rounding *job = argument;
    const int width = job->linear->width;
    const float *x = job->x + (size_t)row * width;
    if (job->norm) {
        float *normed = job->normed + (size_t)thread * width;
        rms_norm(x, job->norm, width, job->eps, normed);
        x = normed;
    }
    quantise_row(x, job->a, row, job->linear->block);
}

static Buffer rounded_buffer, normed_buffer;

static Activations rounded(const Linear *linear, const float *x, int rows, const float *norm, float eps) {
    Activations a = activations(&rounded_buffer, rows, linear->width);
    float *normed = room(&normed_buffer, sizeof(float) * linear->width * (worker_count + 1));
    Rounding job = {linear, &a, x, norm, eps, normed};
    parallel(rounding_task, &job, rows);
    return a;
}

/* `x` [rows, width] to `out` [rows, linear->rows]; the row is normed first where `norm` is given. */
void native_linear(const Linear *linear, const float *x, int rows, const float *norm, float eps, float *out, int threads) {
    pthread_mutex_lock(&calls);
    set_threads(threads);
    Activations a = rounded(linear, x, rows, norm, eps);
    product(linear, &a, rows, out, 0);
    pthread_mutex_unlock(&calls);
}

/* ---- Attention of one row over blocks of 16 positions: keys [dim, 16], values [dim / 16, 16, 16] (the second
   are positions), both float16. ---- */

/* Batch: row r is position[r] of the text whose block addresses are blocks[r]. A block holds, for every layer, the keys
   of all key heads and then the values. */
typedef struct {
    int rows;
    const int32_t *position;
    uint16_t *const *const *blocks;
    const float *cosine, *sine; /* [rows, dim] */
} Batch;

typedef struct {
    const Layer *layer;
    const Batch *batch;
    float *mixed, *seen, *scores;
    int stride;
} Attention;

INLINE void attend(const int H, const float *query, uint16_t *const *blocks, size_t key_at, size_t value_at, int count,
                   int dim, float *scores, int stride, float *out) {
    const int whole = (count + KV_BLOCK - 1) / KV_BLOCK;
    for (int b = 0; b < whole; b++) {
        const uint16_t *keys = blocks[b] + key_at, *next = blocks[b + 1 < whole ? b + 1 : b] + key_at;
        F sum[6];
        _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) sum[h] = every(0);
        for (int d = 0; d < dim; d++) {
            const F k = halves(keys + KV_BLOCK * d);
            _mm_prefetch((const char *)(next + KV_BLOCK * d), _MM_HINT_T0);
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) sum[h] = muladd(every(query[h * dim + d]), k, sum[h]);
        }
        _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) put(scores + h * stride + KV_BLOCK * b, sum[h]);
    }
    for (int h = 0; h < H; h++) {
        float *score = scores + h * stride;
        for (int i = count; i < KV_BLOCK * whole; i++) score[i] = -INFINITY;
        F top = every(-INFINITY), sum = every(0);
        for (int b = 0; b < whole; b++) top = higher(top, floats(score + KV_BLOCK * b));
        const F peak = every(largest(top));
        for (int b = 0; b < whole; b++) {
            const F e = exponential(sub(floats(score + KV_BLOCK * b), peak));
            put(score + KV_BLOCK * b, e);
            sum = add(sum, e);
        }
        const F share = every(1.0f / total(sum));
        for (int b = 0; b < whole; b++) put(score + KV_BLOCK * b, mul(share, floats(score + KV_BLOCK * b)));
    }
    memset(out, 0, sizeof(float) * H * dim);
    for (int b = 0; b < whole; b++) {
        const uint16_t *values = blocks[b] + value_at, *next = blocks[b + 1 < whole ? b + 1 : b] + value_at;
        const int keys = count - KV_BLOCK * b < KV_BLOCK ? count - KV_BLOCK * b : KV_BLOCK;
        for (int d = 0; d < dim; d += 16) {
            F sum[6];
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) sum[h] = floats(out + h * dim + d);
            for (int i = 0; i < keys; i++) {
                const F v = halves(values + KV_BLOCK * d + 16 * i);
                _mm_prefetch((const char *)(next + KV_BLOCK * d + 16 * i), _MM_HINT_T0);
                _Pragma("GCC unroll 6") for (int h = 0; h < H; h++)
                    sum[h] = muladd(every(scores[h * stride + KV_BLOCK * b + i]), v, sum[h]);
            }
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) put(out + h * dim + d, sum[h]);
        }
    }
}

/* Offsets in a block, in float16 elements. */
static size_t keys_at(const Layer *l, int head) {
    return ((size_t)l->index * 2 * l->kv_heads + head) * KV_BLOCK * l->dim;
}
static size_t values_at(const Layer *l, int head) { return keys_at(l, l->kv_heads + head); }

static void attention_task(void *argument, int task, int thread) {
    const Attention *job = argument;
    const Layer *l = job->layer;
    /* Long rows first; each row is one task per key head. */
    const int row = job->batch->rows - 1 - task / l->kv_heads, head = task % l->kv_heads;
    const int group = l->heads / l->kv_heads, count = job->batch->position[row] + 1;
    uint16_t *const *blocks = job->batch->blocks[row];
    const size_t key_at = keys_at(l, head), value_at = values_at(l, head);
    float *scores = job->scores + (size_t)thread * 6 * job->stride;
    const float *query = job->mixed + (size_t)row * l->qkv.rows + head * group * l->dim;
    float *out = job->seen + (size_t)row * l->heads * l->dim + head * group * l->dim;
    for (int first = 0, step; first < group; first += step) {
        const int left = group - first;
        const float *q = query + first * l->dim;
        float *o = out + first * l->dim;
#define ATTEND(h) attend(step = h, q, blocks, key_at, value_at, count, l->dim, scores, job->stride, o)
        if (left >= 6) ATTEND(6);
        else if (left >= 4) ATTEND(4);
        else if (left == 3) ATTEND(3);
        else if (left == 2) ATTEND(2);
        else ATTEND(1);
    }
}

static void turn(float *head, const float *cosine, const float *sine, int dim, float scale) {
    for (int i = 0; i < dim / 2; i++) {
        float first = head[i], second = head[i + dim / 2];
        head[i] = scale * (first * cosine[i] - second * sine[i]);
        head[i + dim / 2] = scale * (second * cosine[i + dim / 2] + first * sine[i + dim / 2]);
    }
}

/* Norm of query and key heads, rotary positions, and the row's keys and values into the cache. */
static void rotary_task(void *argument, int row, int thread) {
    (void)thread;
    const Attention *job = argument;
    const Layer *l = job->layer;
    const float *cosine = job->batch->cosine + (size_t)row * l->dim, *sine = job->batch->sine + (size_t)row * l->dim;
    const int position = job->batch->position[row], dim = l->dim, slot = position % KV_BLOCK;
    uint16_t *block = job->batch->blocks[row][position / KV_BLOCK];
    float *mixed = job->mixed + (size_t)row * l->qkv.rows;
    for (int head = 0; head < l->heads + l->kv_heads; head++) {
        float *at = mixed + head * dim;
        const float *norm = head < l->heads ? l->query_norm : l->key_norm;
        if (norm) rms_norm(at, norm, dim, l->eps, at);
        turn(at, cosine, sine, dim, head < l->heads ? 1.0f / sqrtf((float)dim) : 1.0f);
    }
    for (int head = 0; head < l->kv_heads; head++) {
        const float *key = mixed + (l->heads + head) * dim, *value = key + l->kv_heads * dim;
        uint16_t *keys = block + keys_at(l, head) + slot, *values = block + values_at(l, head) + 16 * slot;
        for (int d = 0; d < dim; d++) keys[KV_BLOCK * d] = _cvtss_sh(key[d], _MM_FROUND_TO_NEAREST_INT);
        for (int d = 0; d < dim; d++)
            values[KV_BLOCK * (d & ~15) + d % 16] = _cvtss_sh(value[d], _MM_FROUND_TO_NEAREST_INT);
    }
}

/* ---- SwiGLU, rounded for the next product; a task is 1024 inputs of a row. ---- */

#define GATE_RUN 1024

typedef struct {
    const Layer *layer;
    const Activations *a;
    float *gate_up;
} Gate;

static void gate_task(void *argument, int task, int thread) {
    (void)thread;
    const Gate *job = argument;
    const int ffn = job->layer->ffn, runs = (ffn + GATE_RUN - 1) / GATE_RUN, row = task / runs, block = job->layer->down.block;
    const int first = task % runs * GATE_RUN, end = first + GATE_RUN < ffn ? first + GATE_RUN : ffn;
    float *gate = job->gate_up + (size_t)row * 2 * ffn;
    const float *up = gate + ffn;
    for (int i = first; i < end; i += 16) {
        const F g = floats(gate + i), silu = over(g, add(every(1), exponential(sub(every(0), g))));
        put(gate + i, mul(silu, floats(up + i)));
    }
    for (int i = first; i < end; i += block) quantise(gate + i, job->a, row, i, block);
}

/* ---- One decoder layer, `x` [rows, hidden] in place. ---- */

void native_layer(const Layer *l, const Batch *batch, float *x, int threads) {
    static Buffer mixed_buffer, seen_buffer, score_buffer, gate_buffer;
    pthread_mutex_lock(&calls);
    set_threads(threads);
    const int rows = batch->rows;
    int longest = 0;
    for (int r = 0; r < rows; r++) longest = batch->position[r] > longest ? batch->position[r] : longest;
    Attention attention = {l, batch, room(&mixed_buffer, sizeof(float) * rows * l->qkv.rows),
                           room(&seen_buffer, sizeof(float) * rows * l->heads * l->dim), NULL,
                           (longest / KV_BLOCK + 1) * KV_BLOCK};
    attention.scores = room(&score_buffer, sizeof(float) * 6 * attention.stride * (worker_count + 1));

    Activations a = rounded(&l->qkv, x, rows, l->input_norm, l->eps);
    product(&l->qkv, &a, rows, attention.mixed, 0);
    parallel(rotary_task, &attention, rows);
    parallel(attention_task, &attention, rows * l->kv_heads);
    a = rounded(&l->output, attention.seen, rows, NULL, 0);
    product(&l->output, &a, rows, x, 1);

    float *gate_up = room(&gate_buffer, sizeof(float) * rows * l->gate_up.rows);
    a = rounded(&l->gate_up, x, rows, l->ffn_norm, l->eps);
    product(&l->gate_up, &a, rows, gate_up, 0);
    a = activations(&rounded_buffer, rows, l->ffn);
    Gate gate = {l, &a, gate_up};
    parallel(gate_task, &gate, rows * ((l->ffn + GATE_RUN - 1) / GATE_RUN));
    product(&l->down, &a, rows, x, 1);
    pthread_mutex_unlock(&calls);
}

/* ---- Packing: GGUF blocks of eight rows into a panel. ---- */

static float from_half(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return _cvtsh_ss(v); }
static void put_half(uint8_t *p, float v) { uint16_t h = _cvtss_sh(v, _MM_FROUND_TO_NEAREST_INT); memcpy(p, &h, 2); }

/* GGML type numbers of the sources (ggml.h). */
enum { GGML_F32 = 0, GGML_Q4_0 = 2, GGML_Q4_1 = 3, GGML_Q5_0 = 6, GGML_Q8_0 = 8, GGML_Q4_K = 12, GGML_Q6_K = 14 };

/* `q` [PANEL, inputs] to `out` of nibbles: in every vector the low nibble holds inputs 8 s..., the high the next four. */
static void put_nibbles(const uint8_t q[PANEL][256], int inputs, uint8_t *out) {
    for (int s = 0; s < inputs / 8; s++)
        for (int c = 0; c < PANEL; c++)
            for (int k = 0; k < 4; k++) *out++ = (q[c][8 * s + k] & 15) | (q[c][8 * s + 4 + k] & 15) << 4;
}

/* Sources that are NULL give rows of zeros. */
static void pack_block(int type, const uint8_t *source[PANEL], uint8_t *out) {
    uint8_t q[PANEL][256];
    memset(q, 0, sizeof q);
    memset(out, 0, type == GGML_Q4_K || type == GGML_Q6_K ? 320 : type == GGML_Q4_0 || type == GGML_Q4_1 ? 64 : 32);
    for (int c = 0; c < PANEL; c++) {
        const uint8_t *s = source[c];
        uint8_t *pair = out + 64 + 2 * c;
        if (!s) continue;
        switch (type) {
            case GGML_Q4_K:
                memcpy(out + 2 * c, s, 2), memcpy(out + 32 + 2 * c, s + 2, 2);
                for (int g = 0; g < 8; g++) {
                    const uint8_t *p = s + 4;
                    const int at = 32 * (g / 2) + g % 2;
                    pair[at] = g < 4 ? p[g] & 63 : (p[g + 4] & 15) | p[g - 4] >> 6 << 4;
                    pair[at + 128] = g < 4 ? p[g + 4] & 63 : p[g + 4] >> 4 | p[g] >> 6 << 4;
                    for (int i = 0; i < 32; i++) q[c][32 * g + i] = s[16 + 32 * (g / 2) + i] >> 4 * (g % 2) & 15;
                }
                break;
            case GGML_Q6_K:
                memcpy(out + 2 * c, s + 208, 2);
                for (int g = 0; g < 16; g++) pair[32 * (g / 2) + g % 2] = s[192 + g];
                for (int i = 0; i < 256; i += 32) { /* 32 inputs with the same shifts */
                    const int half = i / 128, quarter = i / 32 % 4;
                    const uint8_t *low = s + 64 * half + 32 * (quarter % 2), *high = s + 128 + 32 * half;
                    for (int l = 0; l < 32; l++)
                        q[c][i + l] = (low[l] >> 4 * (quarter / 2) & 15) | (high[l] >> 2 * quarter & 3) << 4;
                }
                break;
            case GGML_Q4_1:
                memcpy(out + 2 * c, s, 2), memcpy(out + 32 + 2 * c, s + 2, 2);
                for (int i = 0; i < 32; i++) q[c][i] = s[4 + i % 16] >> 4 * (i / 16) & 15;
                break;
            case GGML_Q4_0:
                memcpy(out + 2 * c, s, 2), put_half(out + 32 + 2 * c, -8.0f * from_half(s));
                for (int i = 0; i < 32; i++) q[c][i] = s[2 + i % 16] >> 4 * (i / 16) & 15;
                break;
            case GGML_Q5_0: {
                uint32_t top;
                memcpy(out + 2 * c, s, 2), memcpy(&top, s + 2, 4);
                for (int i = 0; i < 32; i++) q[c][i] = ((s[6 + i % 16] >> 4 * (i / 16) & 15) | (top >> i & 1) << 4) - 16;
                break;
            }
            case GGML_Q8_0:
                memcpy(out + 2 * c, s, 2), memcpy(q[c], s + 2, 32);
                break;
            case GGML_F32: {
                float v[32], top = 0;
                memcpy(v, s, sizeof v);
                for (int i = 0; i < 32; i++) top = fmaxf(top, fabsf(v[i]));
                put_half(out + 2 * c, top / 127);
                for (int i = 0; i < 32; i++) q[c][i] = (uint8_t)(int8_t)lrintf(top > 0 ? v[i] / top * 127 : 0);
                break;
            }
        }
    }
    if (type == GGML_Q4_K) put_nibbles(q, 256, out + 320);
    else if (type == GGML_Q4_0 || type == GGML_Q4_1) put_nibbles(q, 32, out + 64);
    else if (type == GGML_Q6_K) {
        put_nibbles(q, 256, out + 320);
        out += 2368;
        for (int g = 0; g < 16; g++)
            for (int c = 0; c < PANEL; c++)
                for (int k = 0; k < 4; k++) {
                    const uint8_t *v = q[c] + 16 * g + k;
                    *out++ = v[0] >> 4 | v[4] >> 4 << 2 | v[8] >> 4 << 4 | v[12] >> 4 << 6;
                }
    } else
        for (int s = 0; s < 8; s++)
            for (int c = 0; c < PANEL; c++) memcpy(out + 32 + 64 * s + 4 * c, q[c] + 4 * s, 4);
}

typedef struct {
    int type, kind, rows, width, source_bytes;
    const uint8_t *source;
    uint8_t *out;
} Pack;

static void pack_task(void *argument, int panel, int thread) {
    (void)thread;
    const Pack *job = argument;
    const int blocks = job->width / BLOCK_INPUTS[job->kind];
    uint8_t *out = job->out + (size_t)panel * blocks * PANEL_BYTES[job->kind];
    for (int b = 0; b < blocks; b++, out += PANEL_BYTES[job->kind]) {
        const uint8_t *source[PANEL];
        for (int c = 0; c < PANEL; c++) {
            const int row = panel * PANEL + c;
            source[c] = row < job->rows ? job->source + ((size_t)row * blocks + b) * job->source_bytes : NULL;
        }
        pack_block(job->type, source, out);
    }
}

/* The storage kind of a GGML type, or -1. */
int native_kind(int type) {
    switch (type) {
        case GGML_Q4_K: return Q4K;
        case GGML_Q6_K: return Q6K;
        case GGML_Q4_0: case GGML_Q4_1: return Q4;
        case GGML_F32: case GGML_Q5_0: case GGML_Q8_0: return Q8;
        default: return -1;
    }
}

int64_t native_packed_bytes(int kind, int rows, int width) {
    return (int64_t)((rows + PANEL - 1) / PANEL) * (width / BLOCK_INPUTS[kind]) * PANEL_BYTES[kind];
}

void native_pack(int type, const uint8_t *source, int source_bytes, int rows, int width, uint8_t *out, int threads) {
    pthread_mutex_lock(&calls);
    set_threads(threads);
    Pack job = {type, native_kind(type), rows, width, source_bytes, source, out};
    parallel(pack_task, &job, (rows + PANEL - 1) / PANEL);
    pthread_mutex_unlock(&calls);
}
