/* Sixteen lanes of 32 bits: one AVX-512 register, or two AVX2 registers. Every operation works lane by lane and rounds in
   the same way in both, so a result does not depend on the processor.

   F is sixteen floats, I sixteen int32 (or 32 int16, or 64 bytes). Products of bytes are summed in a Group: int32 with
   VNNI, without it int16. */

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#ifdef __AVX512VNNI__

typedef __m512 F;
typedef __m512i I;
#define UNARY(to, from, name, op) INLINE to name(from x) { return _mm512_##op(x); }
#define BINARY(type, name, op) INLINE type name(type x, type y) { return _mm512_##op(x, y); }
#define FUSED(name, op) INLINE F name(F x, F y, F z) { return _mm512_##op(x, y, z); }
#define SHIFT(name, op, n) INLINE I name(I x) { return _mm512_##op(x, n); }
#define LOGIC(name, op) INLINE I name(I x, I y) { return _mm512_##op##_si512(x, y); }
INLINE F every(float v) { return _mm512_set1_ps(v); }
INLINE F floats(const float *p) { return _mm512_loadu_ps(p); }
INLINE void put(float *p, F v) { _mm512_storeu_ps(p, v); }
INLINE F halves(const void *p) { return _mm512_cvtph_ps(_mm256_loadu_si256(p)); }
INLINE I ints(int32_t v) { return _mm512_set1_epi32(v); }
INLINE I bytes(const void *p) { return _mm512_loadu_si512(p); }
INLINE I words(const void *p) { return _mm512_cvtepi8_epi16(_mm256_loadu_si256(p)); } /* of 32 int8 */
INLINE void put_bytes(int8_t *p, I v) { _mm_storeu_si128((__m128i *)p, _mm512_cvtsepi32_epi8(v)); }
INLINE __m256 fold(F v) {
    return _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
}
INLINE __m256 fold_top(F v) { return _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1)); }
INLINE __m256i fold_int(I v) {
    return _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti32x8_epi32(v, 1));
}
INLINE F two_to(I n) { return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(n, ints(127)), 23)); }
INLINE I dot(I g, I u, I s) { return _mm512_dpbusd_epi32(g, u, s); }
INLINE I pairs(I sum, I x, I y) { return _mm512_dpwssd_epi32(sum, x, y); }

#else

typedef struct { __m256 a, b; } F;
typedef struct { __m256i a, b; } I;
#define UNARY(to, from, name, op) INLINE to name(from x) { return (to){_mm256_##op(x.a), _mm256_##op(x.b)}; }
#define BINARY(type, name, op) \
    INLINE type name(type x, type y) { return (type){_mm256_##op(x.a, y.a), _mm256_##op(x.b, y.b)}; }
#define FUSED(name, op) \
    INLINE F name(F x, F y, F z) { return (F){_mm256_##op(x.a, y.a, z.a), _mm256_##op(x.b, y.b, z.b)}; }
#define SHIFT(name, op, n) INLINE I name(I x) { return (I){_mm256_##op(x.a, n), _mm256_##op(x.b, n)}; }
#define LOGIC(name, op) \
    INLINE I name(I x, I y) { return (I){_mm256_##op##_si256(x.a, y.a), _mm256_##op##_si256(x.b, y.b)}; }
#define AT(p, n) ((const __m128i *)((const uint8_t *)(p) + (n)))
INLINE F every(float v) { return (F){_mm256_set1_ps(v), _mm256_set1_ps(v)}; }
INLINE F floats(const float *p) { return (F){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
INLINE void put(float *p, F v) { _mm256_storeu_ps(p, v.a), _mm256_storeu_ps(p + 8, v.b); }
INLINE F halves(const void *p) {
    return (F){_mm256_cvtph_ps(_mm_loadu_si128(AT(p, 0))), _mm256_cvtph_ps(_mm_loadu_si128(AT(p, 16)))};
}
INLINE I ints(int32_t v) { return (I){_mm256_set1_epi32(v), _mm256_set1_epi32(v)}; }
INLINE I bytes(const void *p) {
    return (I){_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)AT(p, 32))};
}
INLINE I words(const void *p) {
    return (I){_mm256_cvtepi8_epi16(_mm_loadu_si128(AT(p, 0))), _mm256_cvtepi8_epi16(_mm_loadu_si128(AT(p, 16)))};
}
INLINE void put_bytes(int8_t *p, I v) {
    __m256i words = _mm256_packs_epi32(v.a, v.b);
    words = _mm256_permute4x64_epi64(_mm256_packs_epi16(words, words), 0x08);
    words = _mm256_permutevar8x32_epi32(words, _mm256_setr_epi32(0, 2, 1, 3, 0, 0, 0, 0));
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(words));
}
INLINE __m256 fold(F v) { return _mm256_add_ps(v.a, v.b); }
INLINE __m256 fold_top(F v) { return _mm256_max_ps(v.a, v.b); }
INLINE __m256i fold_int(I v) { return _mm256_add_epi32(v.a, v.b); }
INLINE F two_to(I n) {
    const __m256i bias = _mm256_set1_epi32(127);
    return (F){_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n.a, bias), 23)),
               _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n.b, bias), 23))};
}
#ifdef __AVXVNNI__
INLINE I dot(I g, I u, I s) {
    return (I){_mm256_dpbusd_avx_epi32(g.a, u.a, s.a), _mm256_dpbusd_avx_epi32(g.b, u.b, s.b)};
}
INLINE I pairs(I sum, I x, I y) {
    return (I){_mm256_dpwssd_avx_epi32(sum.a, x.a, y.a), _mm256_dpwssd_avx_epi32(sum.b, x.b, y.b)};
}
#else
BINARY(I, plus16, add_epi16)
BINARY(I, madd16, madd_epi16)
BINARY(I, maddubs, maddubs_epi16)
BINARY(I, sign8, sign_epi8)
UNARY(I, I, abs8, abs_epi8)
#endif
#endif

BINARY(F, add, add_ps)
BINARY(F, sub, sub_ps)
BINARY(F, mul, mul_ps)
BINARY(F, over, div_ps)
BINARY(F, higher, max_ps) /* the second where one is NaN */
BINARY(F, lower, min_ps)
FUSED(muladd, fmadd_ps)   /* x y + z */
FUSED(mulsub, fnmadd_ps) /* z - x y */
UNARY(I, F, nearest, cvtps_epi32)
UNARY(F, I, real, cvtepi32_ps)
BINARY(I, plus, add_epi32)
BINARY(I, minus, sub_epi32)
BINARY(I, times, mullo_epi32)
LOGIC(both, and)
LOGIC(either, or)
SHIFT(down2, srli_epi16, 2)
SHIFT(down4, srli_epi16, 4)
SHIFT(up2, slli_epi16, 2)
SHIFT(up4, slli_epi16, 4)

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
#define WIDE 1 /* a Group holds sums of any length */
#define SIGNED_OFFSET 128 /* dot_signed adds this times the sum of `s` */
LOGIC(differ, xor)
SHIFT(left16, slli_epi32, 16)
SHIFT(right16, srai_epi32, 16)
INLINE I scale_of(I two, int odd) { return right16(odd ? two : left16(two)); } /* one of two int16 in each lane */
INLINE I weighted(I sum, I g, I scale) { return plus(sum, times(g, scale)); }
INLINE I whole(I g) { return g; }
INLINE I dot_signed(I sum, I w, I s) { return dot(sum, differ(w, ints((int32_t)0x80808080)), s); }
#else
#define WIDE 0 /* a Group holds eight products of bytes up to 15, or two of bytes up to 63 */
#define SIGNED_OFFSET 0
INLINE I dot(I g, I u, I s) {
    g = plus16(g, maddubs(u, s));
    __asm__("" : "+x"(g.a), "+x"(g.b)); /* keeps products from being computed ahead of their sums, into memory */
    return g;
}
INLINE I pairs(I sum, I x, I y) { return plus(sum, madd16(x, y)); }
INLINE I scale_of(I two, int odd) {
    const __m256i even = _mm256_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13,
                                          0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13);
    const __m256i at = _mm256_add_epi8(even, _mm256_set1_epi8(odd ? 2 : 0));
    return (I){_mm256_shuffle_epi8(two.a, at), _mm256_shuffle_epi8(two.b, at)};
}
INLINE I weighted(I sum, I g, I scale) { return plus(sum, madd16(g, scale)); }
INLINE I whole(I g) { return madd16(g, ints(0x00010001)); }
INLINE I dot_signed(I sum, I w, I s) { return plus(sum, whole(maddubs(abs8(w), sign8(s, w)))); }
#endif

INLINE I four(const int8_t *p) { int32_t v; memcpy(&v, p, 4); return ints(v); }

INLINE float total(F v) {
    __m256 y = fold(v);
    __m128 x = _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}

INLINE float largest(F v) {
    __m256 y = fold_top(v);
    __m128 x = _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
    x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}

INLINE int32_t total_int(I v) {
    __m256i y = fold_int(v);
    __m128i x = _mm_add_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}

/* exp with a relative error below 3e-7, and at least e^-60: shares of a softmax stay normal numbers, with which processors
   are fast. Coefficients of the Cephes library. */
INLINE F exponential(F x) {
    x = lower(every(88.0f), higher(every(-60.0f), x));
    I n = nearest(mul(x, every(1.44269504f)));
    F whole_part = real(n), r = mulsub(whole_part, every(0.693359375f), x);
    r = mulsub(whole_part, every(-2.12194440e-4f), r);
    F p = every(1.9875691500e-4f);
    p = muladd(p, r, every(1.3981999507e-3f));
    p = muladd(p, r, every(8.3334519073e-3f));
    p = muladd(p, r, every(4.1665795894e-2f));
    p = muladd(p, r, every(1.6666665459e-1f));
    p = muladd(p, r, every(5.0000001201e-1f));
    p = add(muladd(p, mul(r, r), r), every(1.0f));
    return mul(p, two_to(n));
}
