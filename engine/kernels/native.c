/* Matrix products of 4-, 6- and 8-bit weights with 8-bit activations, and the decoder layer around them, for AVX2.

   Weights keep the values and almost the size of their GGUF blocks. Eight output rows form a panel whose bytes are
   interleaved, four consecutive inputs of each row, so that one vector lane belongs to one output row and nothing is
   summed across lanes. Activations are rounded per row and block of 256 (or 32) inputs.

   Every output value is a chain of operations fixed by its row alone: integer sums within a block are exact, blocks
   are added in ascending order by the same fused operations in every tile. Neither the number of rows nor of threads
   changes a bit. Weights are read from memory once for all rows of a call.

   One call at a time per process (a mutex); the caller owns every buffer that it passes. */

#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define PANEL 8      /* output rows in a panel */
#define TILE 4       /* activation rows in a tile */
#define MAX_THREADS 64
#define KV_BLOCK 16  /* positions in a block of the key and value cache */

/* Storage kinds; bytes of one panel and block of inputs. */
enum { Q4K, Q6K, Q4, Q8 };
static const int BLOCK_INPUTS[] = {256, 256, 32, 32};
static const int PANEL_BYTES[] = {
    32 + 128 + 1024,        /* d, dmin fp16; scales, mins u8; nibbles */
    16 + 128 + 1024 + 512,  /* d fp16; scales s8; low nibbles; high pairs of bits */
    32 + 128,               /* d, m fp16; nibbles: value d q + m */
    16 + 256,               /* d fp16; s8: value d q */
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
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

int native_layer_size(void) { return sizeof(Layer); }

/* ---- Threads: a pool that takes tasks in order; what a task computes never depends on who takes it. ---- */

typedef void (*Work)(void *argument, int task, int thread);

static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER, sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MAX_THREADS];
static int worker_count;
static Work work;
static void *work_argument;
static int work_tasks;
static _Alignas(64) atomic_int generation;
static _Alignas(64) atomic_int next_task;
static _Alignas(64) atomic_int running;
static _Alignas(64) atomic_int sleepers;
static atomic_int stopping;

static void take_tasks(int thread) {
    int task;
    while ((task = atomic_fetch_add_explicit(&next_task, 1, memory_order_relaxed)) < work_tasks)
        work(work_argument, task, thread);
}

static void *worker_main(void *argument) {
    int thread = (int)(intptr_t)argument, seen = 0;
    for (;;) {
        for (int spin = 0; spin < 4000 && atomic_load(&generation) == seen; spin++) _mm_pause();
        if (atomic_load(&generation) == seen) {
            pthread_mutex_lock(&sleep_lock);
            atomic_fetch_add(&sleepers, 1);
            while (atomic_load(&generation) == seen) pthread_cond_wait(&wake, &sleep_lock);
            atomic_fetch_sub(&sleepers, 1);
            pthread_mutex_unlock(&sleep_lock);
        }
        seen++;
        if (atomic_load(&stopping)) return NULL;
        take_tasks(thread);
        atomic_fetch_sub(&running, 1);
    }
}

static void publish(void) {
    atomic_store(&running, worker_count);
    atomic_fetch_add(&generation, 1);
    if (atomic_load(&sleepers)) {
        pthread_mutex_lock(&sleep_lock);
        pthread_cond_broadcast(&wake);
        pthread_mutex_unlock(&sleep_lock);
    }
}

static void parallel(Work function, void *argument, int tasks) {
    if (worker_count == 0 || tasks == 1) {
        for (int task = 0; task < tasks; task++) function(argument, task, 0);
        return;
    }
    work = function, work_argument = argument, work_tasks = tasks;
    atomic_store(&next_task, 0);
    publish();
    take_tasks(0);
    for (int spin = 0; atomic_load(&running); spin++) {
        if (spin < 20000) _mm_pause();
        else sched_yield();
    }
}

static void forget_workers(void) {  /* threads do not survive a fork */
    worker_count = 0;
    atomic_store(&sleepers, 0);
    pthread_mutex_init(&calls, NULL);
    pthread_mutex_init(&sleep_lock, NULL);
    pthread_cond_init(&wake, NULL);
}

static void set_threads(int threads) {
    static int registered;
    if (!registered) registered = !pthread_atfork(NULL, NULL, forget_workers);
    threads = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    if (threads - 1 == worker_count) return;
    if (worker_count) {
        atomic_store(&stopping, 1);
        publish();
        for (int i = 0; i < worker_count; i++) pthread_join(workers[i], NULL);
        atomic_store(&stopping, 0);
    }
    atomic_store(&generation, 0);
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

/* ---- Vector pieces. ---- */

typedef __m256 F;
typedef __m256i I;

INLINE I load(const void *p) { return _mm256_loadu_si256((const I *)p); }
INLINE F half8(const void *p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)); }
INLINE I twice16(const void *p) { return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p)); }
INLINE I four(const int8_t *p) { int32_t v; memcpy(&v, p, 4); return _mm256_set1_epi32(v); }

INLINE float sum8(F v) {
    __m128 x = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}

INLINE float max8(F v) {
    __m128 x = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}

/* exp with a relative error below 3e-7; 0 below -87. Coefficients of the Cephes library. */
INLINE F exp8(F x) {
    F live = _mm256_cmp_ps(x, _mm256_set1_ps(-87.0f), _CMP_GE_OQ);
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-87.0f)), _mm256_set1_ps(88.0f));
    F n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    F r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
    F p = _mm256_set1_ps(1.9875691500e-4f);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.3981999507e-3f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(8.3334519073e-3f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(4.1665795894e-2f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.6666665459e-1f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(5.0000001201e-1f));
    p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), _mm256_set1_ps(1.0f));
    I power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_and_ps(live, _mm256_mul_ps(p, _mm256_castsi256_ps(power)));
}

/* ---- Activations: int8 values; per 32 inputs a scale, the scaled sum, and (per 16) the integer sums. ---- */

typedef struct {
    int width;
    int8_t *q;       /* [rows, width] */
    float *scale;    /* [rows, width / 32]; equal within a block of 256 */
    float *sum;      /* [rows, width / 32]: scale x sum of q */
    int16_t *sum16;  /* [rows, width / 16] */
    int16_t *sum32;  /* [rows, width / 32] */
} Activations;

static Activations activations(Buffer *buffer, int rows, int width) {
    size_t n = (size_t)rows * width;
    uint8_t *at = room(buffer, n + n / 32 * 14 + 64);
    Activations a = {width, (int8_t *)at, (float *)(at + n), NULL, NULL, NULL};
    a.sum = a.scale + n / 32;
    a.sum16 = (int16_t *)(a.sum + n / 32);
    a.sum32 = a.sum16 + n / 16;
    return a;
}

/* One block of `size` inputs starting at `first` of a row. Values that are not finite give scale NaN. */
static void quantise(const float *x, const Activations *a, int row, int first, int size) {
    const F sign = _mm256_set1_ps(-0.0f);
    F top = _mm256_setzero_ps(), all = _mm256_setzero_ps();
    for (int i = 0; i < size; i += 8) {
        F v = _mm256_loadu_ps(x + i);
        top = _mm256_max_ps(top, _mm256_andnot_ps(sign, v));
        all = _mm256_fmadd_ps(v, _mm256_setzero_ps(), all);
    }
    float largest = max8(top), scale = largest / 127.0f + sum8(all), inverse = largest > 0 ? 127.0f / largest : 0.0f;
    size_t at = (size_t)row * a->width + first;
    for (int i = 0; i < size; i += 32) {
        I v[4];
        for (int j = 0; j < 4; j++)
            v[j] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i + 8 * j), _mm256_set1_ps(inverse)));
        I bytes = _mm256_packs_epi16(_mm256_packs_epi32(v[0], v[1]), _mm256_packs_epi32(v[2], v[3]));
        bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        bytes = _mm256_max_epi8(bytes, _mm256_set1_epi8(-127));
        _mm256_storeu_si256((I *)(a->q + at + i), bytes);
        I pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes), quads = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
        int32_t part[8];
        _mm256_storeu_si256((I *)part, quads);
        int low = part[0] + part[1] + part[2] + part[3], high = part[4] + part[5] + part[6] + part[7];
        size_t block = (at + i) / 32;
        a->sum16[2 * block] = (int16_t)low, a->sum16[2 * block + 1] = (int16_t)high;
        a->sum32[block] = (int16_t)(low + high);
        a->scale[block] = scale;
        a->sum[block] = scale * (float)(low + high);
    }
}

static void quantise_row(const float *x, const Activations *a, int row, int block) {
    for (int first = 0; first < a->width; first += block) quantise(x + first, a, row, first, block);
}

/* ---- Tiles: R rows of activations times P panels, `total` in float. All loops over R and P are unrolled. ---- */

#define EACH _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) _Pragma("GCC unroll 2") for (int p = 0; p < P; p++)

INLINE void tile_q4k(const int R, const int P, const uint8_t *data, const Activations *a, int row, F total[TILE][2]) {
    const int blocks = a->width / 256;
    const size_t size = PANEL_BYTES[Q4K], panel = size * blocks;
    const I low = _mm256_set1_epi8(15);
    const I even = _mm256_setr_epi8(0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3, -1,
                                    4, -1, 4, -1, 5, -1, 5, -1, 6, -1, 6, -1, 7, -1, 7, -1);
    const I odd = _mm256_or_si256(even, _mm256_set1_epi16(8));
    for (int b = 0; b < blocks; b++, data += size) {
        I sum[TILE][2], least[TILE][2];
        EACH sum[r][p] = least[r][p] = _mm256_setzero_si256();
        const int8_t *x = a->q + (size_t)row * a->width + 256 * b;
        const int16_t *s = a->sum32 + ((size_t)row * a->width + 256 * b) / 32;
        for (int g = 0; g < 8; g++) {
            I pairs[TILE][2];
            _Pragma("GCC unroll 4") for (int v = 0; v < 4; v++) {
                I w[2], h[2];
                _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                    const uint8_t *at = data + p * panel + 160 + 128 * g + 32 * v;
                    I raw = load(at);
                    _mm_prefetch((const char *)at + 2368, _MM_HINT_T0);
                    w[p] = _mm256_and_si256(raw, low);
                    h[p] = _mm256_and_si256(_mm256_srli_epi16(raw, 4), low);
                }
                _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) {
                    I y = four(x + (size_t)r * a->width + 32 * g + 8 * v);
                    _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                        I m = _mm256_maddubs_epi16(w[p], y);
                        pairs[r][p] = v ? _mm256_add_epi16(pairs[r][p], m) : m;
                    }
                    y = four(x + (size_t)r * a->width + 32 * g + 8 * v + 4);
                    _Pragma("GCC unroll 2") for (int p = 0; p < P; p++)
                        pairs[r][p] = _mm256_add_epi16(pairs[r][p], _mm256_maddubs_epi16(h[p], y));
                }
            }
            I scale[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++)
                scale[p] = _mm256_shuffle_epi8(twice16(data + p * panel + 32 + 16 * (g / 2)), g & 1 ? odd : even);
            EACH sum[r][p] = _mm256_add_epi32(sum[r][p], _mm256_madd_epi16(pairs[r][p], scale[p]));
        }
        for (int g = 0; g < 4; g++) {
            I m[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++)
                m[p] = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(data + p * panel + 96 + 16 * g)));
            EACH least[r][p] = _mm256_add_epi32(
                least[r][p], _mm256_madd_epi16(m[p], four((const int8_t *)(s + (size_t)r * (a->width / 32) + 2 * g))));
        }
        EACH {
            F scale = _mm256_set1_ps(a->scale[((size_t)(row + r) * a->width + 256 * b) / 32]);
            F d = _mm256_mul_ps(half8(data + p * panel), scale), m = _mm256_mul_ps(half8(data + p * panel + 16), scale);
            total[r][p] = _mm256_fmadd_ps(d, _mm256_cvtepi32_ps(sum[r][p]), total[r][p]);
            total[r][p] = _mm256_fnmadd_ps(m, _mm256_cvtepi32_ps(least[r][p]), total[r][p]);
        }
    }
}

INLINE void tile_q6k(const int R, const int P, const uint8_t *data, const Activations *a, int row, F total[TILE][2]) {
    const int blocks = a->width / 256;
    const size_t size = PANEL_BYTES[Q6K], panel = size * blocks;
    const I low = _mm256_set1_epi8(15), high = _mm256_set1_epi8(48);
    const I even = _mm256_setr_epi8(-1, 0, -1, 0, -1, 2, -1, 2, -1, 4, -1, 4, -1, 6, -1, 6,
                                    -1, 8, -1, 8, -1, 10, -1, 10, -1, 12, -1, 12, -1, 14, -1, 14);
    const I odd = _mm256_add_epi8(even, _mm256_and_si256(_mm256_cmpgt_epi8(even, _mm256_set1_epi8(-1)), _mm256_set1_epi8(1)));
    for (int b = 0; b < blocks; b++, data += size) {
        I sum[TILE][2], offset[TILE][2];
        EACH sum[r][p] = offset[r][p] = _mm256_setzero_si256();
        const int8_t *x = a->q + (size_t)row * a->width + 256 * b;
        const int16_t *s = a->sum16 + ((size_t)row * a->width + 256 * b) / 16;
        for (int g = 0; g < 16; g++) {
            I w[4][2], scale[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                const uint8_t *at = data + p * panel + 144;
                I first = load(at + 64 * g), second = load(at + 64 * g + 32), top = load(at + 1024 + 32 * g);
                _mm_prefetch((const char *)at + 64 * g + 3360, _MM_HINT_T0);
                if (g & 1) _mm_prefetch((const char *)at + 1024 + 32 * g + 3360, _MM_HINT_T0);
                w[0][p] = _mm256_or_si256(_mm256_and_si256(first, low), _mm256_and_si256(_mm256_slli_epi16(top, 4), high));
                w[1][p] = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(first, 4), low),
                                          _mm256_and_si256(_mm256_slli_epi16(top, 2), high));
                w[2][p] = _mm256_or_si256(_mm256_and_si256(second, low), _mm256_and_si256(top, high));
                w[3][p] = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(second, 4), low),
                                          _mm256_and_si256(_mm256_srli_epi16(top, 2), high));
                scale[p] = _mm256_srai_epi16(
                    _mm256_shuffle_epi8(twice16(data + p * panel + 16 + 16 * (g / 2)), g & 1 ? odd : even), 8);
            }
            _Pragma("GCC unroll 2") for (int v = 0; v < 4; v += 2)
                _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) {
                    I y = four(x + (size_t)r * a->width + 16 * g + 4 * v);
                    I z = four(x + (size_t)r * a->width + 16 * g + 4 * v + 4);
                    _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                        I pairs = _mm256_add_epi16(_mm256_maddubs_epi16(w[v][p], y), _mm256_maddubs_epi16(w[v + 1][p], z));
                        sum[r][p] = _mm256_add_epi32(sum[r][p], _mm256_madd_epi16(pairs, scale[p]));
                    }
                }
        }
        for (int g = 0; g < 8; g++) {
            I m[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++)
                m[p] = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(data + p * panel + 16 + 16 * g)));
            EACH offset[r][p] = _mm256_add_epi32(
                offset[r][p], _mm256_madd_epi16(m[p], four((const int8_t *)(s + (size_t)r * (a->width / 16) + 2 * g))));
        }
        EACH {
            F scale = _mm256_set1_ps(a->scale[((size_t)(row + r) * a->width + 256 * b) / 32]);
            I whole = _mm256_sub_epi32(sum[r][p], _mm256_slli_epi32(offset[r][p], 5));
            total[r][p] = _mm256_fmadd_ps(_mm256_mul_ps(half8(data + p * panel), scale), _mm256_cvtepi32_ps(whole), total[r][p]);
        }
    }
}

INLINE void tile_q4(const int R, const int P, const uint8_t *data, const Activations *a, int row, F total[TILE][2]) {
    const int blocks = a->width / 32;
    const size_t size = PANEL_BYTES[Q4], panel = size * blocks;
    const I low = _mm256_set1_epi8(15), one = _mm256_set1_epi16(1);
    for (int b = 0; b < blocks; b++, data += size) {
        const int8_t *x = a->q + (size_t)row * a->width + 32 * b;
        I pairs[TILE][2];
        _Pragma("GCC unroll 4") for (int v = 0; v < 4; v++) {
            I w[2], h[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                I raw = load(data + p * panel + 32 + 32 * v);
                w[p] = _mm256_and_si256(raw, low);
                h[p] = _mm256_and_si256(_mm256_srli_epi16(raw, 4), low);
            }
            _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) {
                I y = four(x + (size_t)r * a->width + 8 * v), z = four(x + (size_t)r * a->width + 8 * v + 4);
                _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                    I m = _mm256_add_epi16(_mm256_maddubs_epi16(w[p], y), _mm256_maddubs_epi16(h[p], z));
                    pairs[r][p] = v ? _mm256_add_epi16(pairs[r][p], m) : m;
                }
            }
        }
        EACH {
            size_t block = ((size_t)(row + r) * a->width) / 32 + b;
            F d = _mm256_mul_ps(half8(data + p * panel), _mm256_set1_ps(a->scale[block]));
            total[r][p] = _mm256_fmadd_ps(d, _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs[r][p], one)), total[r][p]);
            total[r][p] = _mm256_fmadd_ps(half8(data + p * panel + 16), _mm256_set1_ps(a->sum[block]), total[r][p]);
        }
    }
}

INLINE void tile_q8(const int R, const int P, const uint8_t *data, const Activations *a, int row, F total[TILE][2]) {
    const int blocks = a->width / 32;
    const size_t size = PANEL_BYTES[Q8], panel = size * blocks;
    const I one = _mm256_set1_epi16(1);
    for (int b = 0; b < blocks; b++, data += size) {
        const int8_t *x = a->q + (size_t)row * a->width + 32 * b;
        I sum[TILE][2];
        _Pragma("GCC unroll 8") for (int v = 0; v < 8; v++) {
            I w[2], m[2];
            _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                w[p] = load(data + p * panel + 16 + 32 * v);
                m[p] = _mm256_abs_epi8(w[p]);
            }
            _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) {
                I y = four(x + (size_t)r * a->width + 4 * v);
                _Pragma("GCC unroll 2") for (int p = 0; p < P; p++) {
                    I four_products = _mm256_madd_epi16(_mm256_maddubs_epi16(m[p], _mm256_sign_epi8(y, w[p])), one);
                    sum[r][p] = v ? _mm256_add_epi32(sum[r][p], four_products) : four_products;
                }
            }
        }
        EACH {
            F d = _mm256_mul_ps(half8(data + p * panel), _mm256_set1_ps(a->scale[((size_t)(row + r) * a->width) / 32 + b]));
            total[r][p] = _mm256_fmadd_ps(d, _mm256_cvtepi32_ps(sum[r][p]), total[r][p]);
        }
    }
}

#define SHAPES(name)                                                                                          \
    static __attribute__((noinline)) void run_##name(int R, int P, const uint8_t *data, const Activations *a, \
                                                     int row, F total[TILE][2]) {                             \
        switch (4 * P + R) {                                                                                  \
            case 5: tile_##name(1, 1, data, a, row, total); break;                                            \
            case 6: tile_##name(2, 1, data, a, row, total); break;                                            \
            case 7: tile_##name(3, 1, data, a, row, total); break;                                            \
            case 8: tile_##name(4, 1, data, a, row, total); break;                                            \
            case 9: tile_##name(1, 2, data, a, row, total); break;                                            \
            case 10: tile_##name(2, 2, data, a, row, total); break;                                           \
            case 11: tile_##name(3, 2, data, a, row, total); break;                                           \
            case 12: tile_##name(4, 2, data, a, row, total); break;                                           \
        }                                                                                                     \
    }
SHAPES(q4k)
SHAPES(q6k)
SHAPES(q4)
SHAPES(q8)

static void (*const TILES[])(int, int, const uint8_t *, const Activations *, int, F[TILE][2]) = {
    run_q4k, run_q6k, run_q4, run_q8};

/* ---- The product: tasks are runs of panels of one part. ---- */

#define CHUNK 8 /* panels in a task */

typedef struct {
    const Linear *linear;
    const Activations *a;
    int rows, add;
    float *out;
} Product;

static void product_task(void *argument, int task, int thread) {
    (void)thread;
    const Product *job = argument;
    const Linear *linear = job->linear;
    const Part *part = linear->part;
    int first_out = 0, tasks;
    while (task >= (tasks = (part->rows + PANEL * CHUNK - 1) / (PANEL * CHUNK)))
        task -= tasks, first_out += part->rows, part++;
    const size_t panel_bytes = (size_t)PANEL_BYTES[part->kind] * (linear->width / BLOCK_INPUTS[part->kind]);
    const int panels = (part->rows + PANEL - 1) / PANEL;
    const int end = (task + 1) * CHUNK < panels ? (task + 1) * CHUNK : panels;
    for (int panel = task * CHUNK; panel < end; panel += 2) {
        const int P = end - panel < 2 ? 1 : 2;
        for (int row = 0; row < job->rows; row += TILE) {
            const int R = job->rows - row < TILE ? job->rows - row : TILE;
            F total[TILE][2] = {{{0}}};
            TILES[part->kind](R, P, part->data + panel * panel_bytes, job->a, row, total);
            for (int r = 0; r < R; r++)
                for (int p = 0; p < P; p++) {
                    const int within = (panel + p) * PANEL, column = first_out + within;
                    float *out = job->out + (size_t)(row + r) * linear->rows + column, value[PANEL];
                    if (within + PANEL <= part->rows) {
                        F v = total[r][p];
                        if (linear->bias) v = _mm256_add_ps(v, _mm256_loadu_ps(linear->bias + column));
                        _mm256_storeu_ps(out, job->add ? _mm256_add_ps(_mm256_loadu_ps(out), v) : v);
                        continue;
                    }
                    _mm256_storeu_ps(value, total[r][p]);
                    for (int i = 0; within + i < part->rows; i++) {
                        float v = linear->bias ? value[i] + linear->bias[column + i] : value[i];
                        out[i] = job->add ? out[i] + v : v;
                    }
                }
        }
    }
}

static void product(const Linear *linear, const Activations *a, int rows, float *out, int add) {
    Product job = {linear, a, rows, add, out};
    int tasks = 0;
    for (int i = 0; i < linear->parts; i++) tasks += (linear->part[i].rows + PANEL * CHUNK - 1) / (PANEL * CHUNK);
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
    F sum = _mm256_setzero_ps();
    for (int i = 0; i < n; i += 8) sum = _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(x + i), sum);
    F factor = _mm256_set1_ps(1.0f / sqrtf(sum8(sum) / (float)n + eps));
    for (int i = 0; i < n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(x + i), factor), _mm256_loadu_ps(weight + i)));
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

/* ---- Attention of one row over blocks of 16 positions: keys [dim, 16], values [16, dim], both float16. ---- */

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
        const uint16_t *keys = blocks[b] + key_at;
        F sum[6][2];
        _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) sum[h][0] = sum[h][1] = _mm256_setzero_ps();
        for (int d = 0; d < dim; d++) {
            F k = half8(keys + KV_BLOCK * d), l = half8(keys + KV_BLOCK * d + 8);
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) {
                F q = _mm256_set1_ps(query[h * dim + d]);
                sum[h][0] = _mm256_fmadd_ps(q, k, sum[h][0]);
                sum[h][1] = _mm256_fmadd_ps(q, l, sum[h][1]);
            }
        }
        _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) {
            _mm256_storeu_ps(scores + h * stride + KV_BLOCK * b, sum[h][0]);
            _mm256_storeu_ps(scores + h * stride + KV_BLOCK * b + 8, sum[h][1]);
        }
    }
    for (int h = 0; h < H; h++) {
        float *score = scores + h * stride;
        for (int i = count; i < KV_BLOCK * whole; i++) score[i] = -INFINITY;
        F top = _mm256_set1_ps(-INFINITY), sum = _mm256_setzero_ps();
        for (int i = 0; i < KV_BLOCK * whole; i += 8) top = _mm256_max_ps(top, _mm256_loadu_ps(score + i));
        F largest = _mm256_set1_ps(max8(top));
        for (int i = 0; i < KV_BLOCK * whole; i += 8) {
            F e = exp8(_mm256_sub_ps(_mm256_loadu_ps(score + i), largest));
            _mm256_storeu_ps(score + i, e);
            sum = _mm256_add_ps(sum, e);
        }
        F share = _mm256_set1_ps(1.0f / sum8(sum));
        for (int i = 0; i < KV_BLOCK * whole; i += 8)
            _mm256_storeu_ps(score + i, _mm256_mul_ps(share, _mm256_loadu_ps(score + i)));
    }
    memset(out, 0, sizeof(float) * H * dim);
    for (int b = 0; b < whole; b++) {
        const uint16_t *values = blocks[b] + value_at;
        const int keys = count - KV_BLOCK * b < KV_BLOCK ? count - KV_BLOCK * b : KV_BLOCK;
        for (int d = 0; d < dim; d += 8) {
            F sum[6];
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) sum[h] = _mm256_loadu_ps(out + h * dim + d);
            for (int i = 0; i < keys; i++) {
                F v = half8(values + i * dim + d);
                _Pragma("GCC unroll 6") for (int h = 0; h < H; h++)
                    sum[h] = _mm256_fmadd_ps(_mm256_set1_ps(scores[h * stride + KV_BLOCK * b + i]), v, sum[h]);
            }
            _Pragma("GCC unroll 6") for (int h = 0; h < H; h++) _mm256_storeu_ps(out + h * dim + d, sum[h]);
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
        uint16_t *keys = block + keys_at(l, head) + slot, *values = block + values_at(l, head) + slot * dim;
        for (int d = 0; d < dim; d++) keys[KV_BLOCK * d] = _cvtss_sh(key[d], _MM_FROUND_TO_NEAREST_INT);
        for (int d = 0; d < dim; d++) values[d] = _cvtss_sh(value[d], _MM_FROUND_TO_NEAREST_INT);
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
    const F one = _mm256_set1_ps(1.0f), zero = _mm256_setzero_ps();
    for (int i = first; i < end; i += 8) {
        F g = _mm256_loadu_ps(gate + i);
        F silu = _mm256_div_ps(g, _mm256_add_ps(one, exp8(_mm256_sub_ps(zero, g))));
        _mm256_storeu_ps(gate + i, _mm256_mul_ps(silu, _mm256_loadu_ps(up + i)));
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

/* `q` [8, inputs] to `bytes` of nibbles: in every 32-byte vector the low nibble holds inputs 4 s..., the high the next. */
static void put_nibbles(const uint8_t q[PANEL][256], int inputs, uint8_t *bytes) {
    for (int s = 0; s < inputs / 8; s++)
        for (int c = 0; c < PANEL; c++)
            for (int k = 0; k < 4; k++)
                bytes[32 * s + 4 * c + k] = (q[c][8 * s + k] & 15) | (q[c][8 * s + 4 + k] & 15) << 4;
}

static void pack_block(int type, const uint8_t *source[PANEL], uint8_t *out) {
    uint8_t q[PANEL][256];
    memset(out, 0, 32);
    for (int c = 0; c < PANEL; c++) {
        const uint8_t *s = source[c];
        if (!s) {
            memset(q[c], type == GGML_Q6_K ? 32 : 0, 256);
            if (type == GGML_Q4_K) for (int g = 0; g < 8; g++) out[32 + 8 * g + c] = out[96 + 16 * (g / 2) + 2 * c + g % 2] = 0;
            if (type == GGML_Q6_K) for (int g = 0; g < 16; g++) out[16 + 16 * (g / 2) + 2 * c + g % 2] = 0;
            continue;
        }
        switch (type) {
            case GGML_Q4_K:
                memcpy(out + 2 * c, s, 2), memcpy(out + 16 + 2 * c, s + 2, 2);
                for (int g = 0; g < 8; g++) {
                    const uint8_t *p = s + 4;
                    out[32 + 8 * g + c] = g < 4 ? p[g] & 63 : (p[g + 4] & 15) | p[g - 4] >> 6 << 4;
                    out[96 + 16 * (g / 2) + 2 * c + g % 2] = g < 4 ? p[g + 4] & 63 : p[g + 4] >> 4 | p[g] >> 6 << 4;
                    for (int i = 0; i < 32; i++) q[c][32 * g + i] = s[16 + 32 * (g / 2) + i] >> 4 * (g % 2) & 15;
                }
                break;
            case GGML_Q6_K:
                memcpy(out + 2 * c, s + 208, 2);
                for (int g = 0; g < 16; g++) out[16 + 16 * (g / 2) + 2 * c + g % 2] = s[192 + g];
                for (int i = 0; i < 256; i++) {
                    int half = i / 128, quarter = i / 32 % 4, l = i % 32;
                    int low = s[64 * half + 32 * (quarter % 2) + l] >> 4 * (quarter / 2) & 15;
                    q[c][i] = low | (s[128 + 32 * half + l] >> 2 * quarter & 3) << 4;
                }
                break;
            case GGML_Q4_1:
                memcpy(out + 2 * c, s, 2), memcpy(out + 16 + 2 * c, s + 2, 2);
                for (int i = 0; i < 32; i++) q[c][i] = s[4 + i % 16] >> 4 * (i / 16) & 15;
                break;
            case GGML_Q4_0:
                memcpy(out + 2 * c, s, 2), put_half(out + 16 + 2 * c, -8.0f * from_half(s));
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
    if (type == GGML_Q4_K) put_nibbles(q, 256, out + 160);
    else if (type == GGML_Q4_0 || type == GGML_Q4_1) put_nibbles(q, 32, out + 32);
    else if (type == GGML_Q6_K) {
        put_nibbles(q, 256, out + 144);
        for (int g = 0; g < 16; g++)
            for (int c = 0; c < PANEL; c++)
                for (int k = 0; k < 4; k++) {
                    int byte = 0;
                    for (int v = 0; v < 4; v++) byte |= q[c][16 * g + 4 * v + k] >> 4 << 2 * v;
                    out[144 + 1024 + 32 * g + 4 * c + k] = byte;
                }
    } else
        for (int s = 0; s < 8; s++)
            for (int c = 0; c < PANEL; c++) memcpy(out + 16 + 32 * s + 4 * c, q[c] + 4 * s, 4);
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
