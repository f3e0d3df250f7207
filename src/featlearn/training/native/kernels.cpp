// One gradient of f(x) = scale * sum_j a_j s(w_j.x + b_j) at points x of signs, by tables of sums.
//
//   d inputs    p neurons    m points    u (m, d) signs, a bit each    x = size * u
//
//   forward     Z = size * u W^T + b            (m, p)      sums_i = sum_j a_j s(Z_ij)
//   backward    S_ij = delta_i s'(Z_ij)         (m, p)      never written
//               g_w = size * a (S^T u),   g_b = a (S^T 1),   g_a = s(Z)^T delta
//
// Both products are of a matrix of signs with one of numbers. Take the signs six at a time: the 64
// signed sums of six rows of numbers are a table, and one row of it is added for every six signs.
// Neurons come in blocks of 16, so that a row of a table is a cache line, and eight tables at a
// time fill the first cache. Forward: signs = rows of u, numbers = W^T. Backward: signs = rows of
// u^T, numbers = rows of S.
//
// The numbers are the same on every machine, whatever its vector length and however many threads
// there are: every sum has its order fixed here, nothing is contracted (-ffp-contract=off), and
// denormal numbers are kept. Where a number changes, so must ENGINE.
//
// The file reads itself once for each kind of machine: what stands below "the kernels" is compiled
// with that machine's instructions, what stands above is for all.

#ifndef FEATLEARN_KIND
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace featlearn {

constexpr int64_t ENGINE = 1;  // the N of "native-N"

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
#define FEATLEARN_INLINE static inline __attribute__((always_inline))

constexpr int BLOCK = 16;  // neurons at a time
constexpr int TABLES = 8;  // tables at a time
constexpr int STRIP = 64;  // rows that stay in the first cache

FEATLEARN_INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
FEATLEARN_INLINE int64_t parts(int64_t n, int64_t of) { return (n + of - 1) / of; }

// What the activation is: given by its slopes outside, or max(z, 0), or min(max(z, 0), top).
enum Activation : int64_t { GIVEN = 0, RELU = 1, CLIPPED = 2 };

struct Sizes {
  int64_t m, d, p;
  int64_t words;  // 32-bit words a point
  int64_t blocks() const { return parts(p, BLOCK); }
};

struct Forward {
  Sizes size;
  const u32* bits;  // m x words, bit 1 is +1
  const float *w, *a, *b;
  float scale;  // of the entries of x
  Activation activation;
  float top;
  float* z;     // blocks x m x BLOCK
  float* sums;  // m, unless the activation is given outside
};

struct Backward {
  Sizes size;
  const u32* bits;
  const float* z;  // as forward leaves it; or, for slopes given outside, those (m x p), whole
  const float *delta, *a;
  float scale;
  Activation activation;
  float top;
  float *g_w, *g_a, *g_b;
};

// ---- threads -------------------------------------------------------------------------------

// Denormal numbers are kept in all threads, whatever the caller's thread does with its own.
class Rounding {
#if defined(__x86_64__)
  unsigned before = _mm_getcsr();

 public:
  Rounding() { _mm_setcsr(0x1F80); }
  ~Rounding() { _mm_setcsr(before); }
#elif defined(__aarch64__)
  u64 before = 0;

 public:
  Rounding() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" ::"r"((u64)0));
  }
  ~Rounding() { __asm__ volatile("msr fpcr, %0" ::"r"(before)); }
#else
 public:
  Rounding() {}
#endif
};

std::atomic<int> threads_per_call{1};

// Some pieces of work, taken one by one from a counter by the caller and by helpers that join. The
// caller waits for pieces that were begun and for nothing else: it takes every other one itself,
// so that a call ends whether or not a helper ever comes.
struct Call {
  void (*work)(const void*, int64_t);
  const void* what;
  int64_t pieces;
  std::atomic<int64_t> next{0}, done{0};
  std::atomic<bool> no_memory{false};
  std::mutex mutex;
  std::condition_variable ended;

  void take() {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
      try {
        work(what, i);
      } catch (const std::bad_alloc&) {
        no_memory = true;  // told to the caller, for a thread of ours has nobody to tell
      }
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces) {
        std::lock_guard<std::mutex> hold(mutex);
        ended.notify_all();
      }
    }
  }

  bool finished() const { return done.load(std::memory_order_acquire) == pieces; }
};

class Helpers {  // threads that wait for calls to join; never destroyed, as threads outlive main
  std::mutex mutex;
  std::condition_variable wanted;
  std::deque<std::shared_ptr<Call>> calls;
  int started = 0;

  void help() {
    Rounding ieee;
    for (;;) {
      std::shared_ptr<Call> call;
      {
        std::unique_lock<std::mutex> hold(mutex);
        wanted.wait(hold, [this] { return !calls.empty(); });
        call = std::move(calls.front());
        calls.pop_front();
      }
      call->take();
    }
  }

 public:
  static Helpers& all() {
    static Helpers* helpers = new Helpers;
    return *helpers;
  }

  void invite(const std::shared_ptr<Call>& call, int number) {
    {
      std::lock_guard<std::mutex> hold(mutex);
      for (; started < number; ++started) std::thread([this] { help(); }).detach();
      for (int i = 0; i < number; ++i) calls.push_back(call);
    }
    for (int i = 0; i < number; ++i) wanted.notify_one();
  }
};

// work(0), ..., work(pieces - 1), in any order, by at most so many threads.
template <class Work>
static void each(int64_t pieces, int threads, const Work& work) {
  const int helpers = (int)least(threads, pieces) - 1;
  if (helpers < 1) {
    for (int64_t i = 0; i < pieces; ++i) work(i);
    return;
  }
  auto call = std::make_shared<Call>();
  call->work = [](const void* what, int64_t i) { (*(const Work*)what)(i); };
  call->what = &work;
  call->pieces = pieces;
  Helpers::all().invite(call, helpers);
  call->take();
  for (int turn = 0; turn < 4000 && !call->finished(); ++turn) {
#if defined(__x86_64__)
    _mm_pause();
#endif
  }
  if (!call->finished()) {
    std::unique_lock<std::mutex> hold(call->mutex);
    call->ended.wait(hold, [&] { return call->finished(); });
  }
  if (call->no_memory) throw std::bad_alloc();
}

// ---- memory --------------------------------------------------------------------------------

// Memory that is used again by later calls: as much as there were calls at once.
class Scratch {
  struct Piece {
    char* at = nullptr;
    size_t size = 0;
  };
  static std::mutex& guard() {
    static std::mutex* mutex = new std::mutex;
    return *mutex;
  }
  static std::vector<Piece>& kept() {
    static std::vector<Piece>* pieces = new std::vector<Piece>;
    return *pieces;
  }
  Piece piece;
  size_t used = 0;

 public:
  explicit Scratch(size_t bytes) {
    {
      std::lock_guard<std::mutex> hold(guard());
      auto& pieces = kept();
      size_t best = pieces.size();  // the smallest that is large enough, else the last
      for (size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].size >= bytes && (best == pieces.size() || pieces[i].size < pieces[best].size))
          best = i;
      }
      if (best == pieces.size() && best > 0) best -= 1;
      if (best < pieces.size()) {
        piece = pieces[best];
        pieces.erase(pieces.begin() + (ptrdiff_t)best);
      }
    }
    if (piece.size < bytes) {
      free(piece.at);
      piece.size = (bytes + 4095) / 4096 * 4096;
      piece.at = (char*)aligned_alloc(4096, piece.size);
      if (piece.at == nullptr) {
        piece.size = 0;
        throw std::bad_alloc();
      }
    }
  }
  ~Scratch() {
    std::lock_guard<std::mutex> hold(guard());
    kept().push_back(piece);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  static size_t room(size_t bytes) { return (bytes + 127) / 64 * 64; }

  template <class T>
  T* take(size_t n) {
    T* at = (T*)(piece.at + used);
    used += room(n * sizeof(T));
    return at;
  }
};

// What a kind of machine does in its own way.
struct Kind {
  void (*random_words)(u32, u32, u32*, size_t, int);
  void (*forward)(const Forward&, int);
  void (*backward)(const Backward&, int);
};

}  // namespace featlearn

// ---- the kernels, once for each kind of machine --------------------------------------------

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define FEATLEARN_X86 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi2")
#endif
#define FEATLEARN_KIND avx2
#define FEATLEARN_LANES 8
#define FEATLEARN_PDEP
#include __FILE__
#undef FEATLEARN_KIND
#undef FEATLEARN_LANES
#undef FEATLEARN_PDEP
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#define FEATLEARN_KIND any
#define FEATLEARN_LANES 4
#include __FILE__

namespace featlearn {

static const Kind KINDS[] = {
    any::KIND,
#if FEATLEARN_X86
    avx2::KIND,
#endif
};

static int best_kind() {
#if FEATLEARN_X86
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  return 0;
#endif
}

static std::atomic<int>& kind_in_use() {
  static std::atomic<int> kind{best_kind()};
  return kind;
}

static const Kind& kind() { return KINDS[kind_in_use().load(std::memory_order_relaxed)]; }

}  // namespace featlearn

#define FEATLEARN_EXPORT extern "C" __attribute__((visibility("default")))

FEATLEARN_EXPORT int64_t featlearn_engine() { return featlearn::ENGINE; }

// 0 for any machine, 1 for AVX2: what this machine can do.
FEATLEARN_EXPORT int featlearn_best_kind() { return featlearn::best_kind(); }
FEATLEARN_EXPORT int featlearn_kind() { return featlearn::kind_in_use(); }
FEATLEARN_EXPORT int featlearn_use_kind(int kind) {
  if (kind < 0 || kind > featlearn::best_kind()) return 1;
  featlearn::kind_in_use() = kind;
  return 0;
}

FEATLEARN_EXPORT int featlearn_threads() { return featlearn::threads_per_call; }
FEATLEARN_EXPORT void featlearn_use_threads(int threads) {
  featlearn::threads_per_call = threads < 1 ? 1 : threads > 64 ? 64 : threads;
}

// The text that this was compiled from, as a digest.
#ifndef FEATLEARN_SOURCE
#define FEATLEARN_SOURCE ""
#endif
FEATLEARN_EXPORT const char* featlearn_source() { return FEATLEARN_SOURCE; }

#ifdef FEATLEARN_WITH_XLA
#include "xla/ffi/api/ffi.h"

FEATLEARN_EXPORT int featlearn_ffi_major() { return XLA_FFI_API_MAJOR; }
FEATLEARN_EXPORT int featlearn_ffi_minor() { return XLA_FFI_API_MINOR; }

namespace featlearn {
namespace ffi = xla::ffi;
using Words = ffi::Buffer<ffi::U32>;
using Numbers = ffi::Buffer<ffi::F32>;
using WordsOut = ffi::ResultBuffer<ffi::U32>;
using NumbersOut = ffi::ResultBuffer<ffi::F32>;

// Small work is done before a helper has woken up: so many additions of rows a thread, at least.
constexpr double WORTH = 1e5;

static int threads_for(double rows) {
  const int most = threads_per_call.load(std::memory_order_relaxed);
  const double worth = rows / WORTH;
  return worth < most ? (worth < 1 ? 1 : (int)worth) : most;
}

static ffi::Error refused(const char* what) {
  return ffi::Error(ffi::ErrorCode::kInvalidArgument, what);
}

static ffi::Error checked(int64_t engine, int64_t activation) {
  if (engine != ENGINE) return refused("featlearn: the program asks for another native engine");
  if (activation < GIVEN || activation > CLIPPED) return refused("featlearn: no such activation");
  return ffi::Error::Success();
}

template <class Work>
static ffi::Error attempt(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "Out of memory in featlearn's kernels");
  }
  return ffi::Error::Success();
}

static ffi::Error random_words(int64_t engine, Words key, WordsOut words) {
  if (auto error = checked(engine, GIVEN); error.failure()) return error;
  if (key.element_count() != 2) return refused("featlearn: a key has two words");
  const size_t n = words->element_count();
  kind().random_words(key.typed_data()[0], key.typed_data()[1], words->typed_data(), n,
                      threads_for((double)n / 16));
  return ffi::Error::Success();
}

static ffi::Error forward(int64_t engine, int64_t activation, float top, Words bits, Numbers w,
                          Numbers a, Numbers b, Numbers scale, NumbersOut z, NumbersOut sums) {
  if (auto error = checked(engine, activation); error.failure()) return error;
  const Sizes size{bits.dimensions()[0], w.dimensions()[1], w.dimensions()[0],
                   bits.dimensions()[1]};
  if (size.words * 32 < size.d || (int64_t)a.element_count() != size.p ||
      (int64_t)b.element_count() != size.p || scale.element_count() != 1 ||
      (int64_t)z->element_count() != size.blocks() * size.m * BLOCK ||
      (int64_t)sums->element_count() != size.m)
    return refused("featlearn: shapes of a forward product that do not fit");
  return attempt([&] {
    kind().forward({size, bits.typed_data(), w.typed_data(), a.typed_data(), b.typed_data(),
                    scale.typed_data()[0], (Activation)activation, top, z->typed_data(),
                    sums->typed_data()},
                   threads_for((double)size.blocks() * size.m * size.d / 6));
  });
}

static ffi::Error backward(int64_t engine, int64_t activation, float top, Words bits, Numbers z,
                           Numbers delta, Numbers a, Numbers scale, NumbersOut g_w, NumbersOut g_a,
                           NumbersOut g_b) {
  if (auto error = checked(engine, activation); error.failure()) return error;
  const Sizes size{bits.dimensions()[0], g_w->dimensions()[1], g_w->dimensions()[0],
                   bits.dimensions()[1]};
  const int64_t numbers = activation == GIVEN ? size.m * size.p : size.blocks() * size.m * BLOCK;
  if (size.words * 32 < size.d || (int64_t)a.element_count() != size.p ||
      (int64_t)delta.element_count() != size.m || scale.element_count() != 1 ||
      (int64_t)z.element_count() != numbers || (int64_t)g_a->element_count() != size.p ||
      (int64_t)g_b->element_count() != size.p)
    return refused("featlearn: shapes of a backward product that do not fit");
  return attempt([&] {
    kind().backward({size, bits.typed_data(), z.typed_data(), delta.typed_data(), a.typed_data(),
                     scale.typed_data()[0], (Activation)activation, top, g_w->typed_data(),
                     g_a->typed_data(), g_b->typed_data()},
                    threads_for((double)size.blocks() * size.m * size.d / 6));
  });
}

}  // namespace featlearn

#define FEATLEARN_HANDLER(name, function, binding) \
  XLA_FFI_DEFINE_HANDLER(name##Handler, function, binding); \
  FEATLEARN_EXPORT XLA_FFI_Error* name(XLA_FFI_CallFrame* frame) { \
    return name##Handler(frame); \
  }

FEATLEARN_HANDLER(featlearn_random_words_call, featlearn::random_words,
                  xla::ffi::Ffi::Bind().Attr<int64_t>("engine").Arg<featlearn::Words>()
                      .Ret<xla::ffi::Buffer<xla::ffi::U32>>())
FEATLEARN_HANDLER(featlearn_forward_call, featlearn::forward,
                  xla::ffi::Ffi::Bind().Attr<int64_t>("engine").Attr<int64_t>("activation")
                      .Attr<float>("top").Arg<featlearn::Words>().Arg<featlearn::Numbers>()
                      .Arg<featlearn::Numbers>().Arg<featlearn::Numbers>()
                      .Arg<featlearn::Numbers>().Ret<featlearn::Numbers>()
                      .Ret<featlearn::Numbers>())
FEATLEARN_HANDLER(featlearn_backward_call, featlearn::backward,
                  xla::ffi::Ffi::Bind().Attr<int64_t>("engine").Attr<int64_t>("activation")
                      .Attr<float>("top").Arg<featlearn::Words>().Arg<featlearn::Numbers>()
                      .Arg<featlearn::Numbers>().Arg<featlearn::Numbers>()
                      .Arg<featlearn::Numbers>().Ret<featlearn::Numbers>()
                      .Ret<featlearn::Numbers>().Ret<featlearn::Numbers>())
#endif  // FEATLEARN_WITH_XLA

#else  // FEATLEARN_KIND: the kernels

namespace featlearn {
namespace FEATLEARN_KIND {

constexpr int LANES = FEATLEARN_LANES, VECTORS = BLOCK / LANES;
typedef float vec __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef u32 uvec __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef u64 wide __attribute__((vector_size(32), aligned(8), may_alias));

// ---- a number for each neuron of a block ---------------------------------------------------

struct Row {
  vec v[VECTORS];
};

FEATLEARN_INLINE Row load(const float* at) {
  Row r;
  for (int i = 0; i < VECTORS; ++i) r.v[i] = *(const vec*)(at + LANES * i);
  return r;
}
FEATLEARN_INLINE void store(float* at, Row r) {
  for (int i = 0; i < VECTORS; ++i) *(vec*)(at + LANES * i) = r.v[i];
}
FEATLEARN_INLINE Row same(float x) {
  Row r;
  for (int i = 0; i < VECTORS; ++i) r.v[i] = x - vec{};
  return r;
}
FEATLEARN_INLINE Row operator+(Row a, Row b) {
  for (int i = 0; i < VECTORS; ++i) a.v[i] += b.v[i];
  return a;
}
FEATLEARN_INLINE Row operator-(Row a, Row b) {
  for (int i = 0; i < VECTORS; ++i) a.v[i] -= b.v[i];
  return a;
}
FEATLEARN_INLINE Row operator*(Row a, Row b) {
  for (int i = 0; i < VECTORS; ++i) a.v[i] *= b.v[i];
  return a;
}

// Activations with their slopes; a NaN stays one, and at a kink the slope is 0.
struct Relu {
  FEATLEARN_INLINE vec value1(vec z) { return (vec)((mask)z & ~(mask)(z <= 0)); }
  Row value(Row z) const {
    for (int i = 0; i < VECTORS; ++i) z.v[i] = value1(z.v[i]);
    return z;
  }
  Row slope_times(Row z, Row x) const {
    for (int i = 0; i < VECTORS; ++i) x.v[i] = (vec)((mask)x.v[i] & (mask)(z.v[i] > 0));
    return x;
  }
};
struct Clipped {
  float top;
  Row value(Row z) const {
    const Row most = same(top);
    for (int i = 0; i < VECTORS; ++i) {
      const vec x = Relu::value1(z.v[i]);
      const mask above = (mask)(x > most.v[i]);
      z.v[i] = (vec)(((mask)most.v[i] & above) | ((mask)x & ~above));
    }
    return z;
  }
  Row slope_times(Row z, Row x) const {
    const Row most = same(top);
    for (int i = 0; i < VECTORS; ++i)
      x.v[i] = (vec)((mask)x.v[i] & (mask)(z.v[i] > 0) & (mask)(z.v[i] < most.v[i]));
    return x;
  }
};

// ---- 4 x 4 numbers turned ------------------------------------------------------------------

#if defined(__clang__)
#define FEATLEARN_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t picks __attribute__((vector_size(16)));
#define FEATLEARN_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, picks{i, j, k, l})
#endif
FEATLEARN_INLINE void turn(four* r) {
  const four a = FEATLEARN_PICK(r[0], r[1], 0, 4, 1, 5), b = FEATLEARN_PICK(r[2], r[3], 0, 4, 1, 5);
  const four c = FEATLEARN_PICK(r[0], r[1], 2, 6, 3, 7), e = FEATLEARN_PICK(r[2], r[3], 2, 6, 3, 7);
  r[0] = FEATLEARN_PICK(a, b, 0, 1, 4, 5);
  r[1] = FEATLEARN_PICK(a, b, 2, 3, 6, 7);
  r[2] = FEATLEARN_PICK(c, e, 0, 1, 4, 5);
  r[3] = FEATLEARN_PICK(c, e, 2, 3, 6, 7);
}
#undef FEATLEARN_PICK

// The sum over a block for four rows: lanes l, l + 8, then l, l + 4, then l, l + 2, then 0, 1.
FEATLEARN_INLINE void sums_of_four(const float* rows, float* out) {
  four r[4];
  for (int i = 0; i < 4; ++i) {
    const four* x = (const four*)(rows + BLOCK * i);
    r[i] = (x[0] + x[2]) + (x[1] + x[3]);
  }
  turn(r);
  *(four*)out = (r[0] + r[2]) + (r[1] + r[3]);
}

// Rows 16 c, ... of W (p x d) as columns of V (d x 16); zeros beyond p.
static void to_block(const float* W, int64_t p, int64_t d, int64_t c, float* V) {
  for (int h = 0; h < BLOCK; h += 4) {
    const int64_t n = least(4, p - c * BLOCK - h);
    const float* w = W + (c * BLOCK + h) * d;
    int64_t k = 0;
    for (; k + 4 <= d; k += 4) {
      four r[4];
      for (int j = 0; j < 4; ++j) r[j] = j < n ? *(const four*)(w + j * d + k) : four{};
      turn(r);
      for (int j = 0; j < 4; ++j) *(four*)(V + (k + j) * BLOCK + h) = r[j];
    }
    for (; k < d; ++k)
      for (int j = 0; j < 4; ++j) V[k * BLOCK + h + j] = j < n ? w[j * d + k] : 0.0f;
  }
}

// Back again, column j times factor_j.
static void from_block(const float* V, const float* factor, int64_t p, int64_t d, int64_t c,
                       float* W) {
  for (int h = 0; h < BLOCK; h += 4) {
    const int64_t n = least(4, p - c * BLOCK - h);
    float* w = W + (c * BLOCK + h) * d;
    int64_t k = 0;
    for (; k + 4 <= d; k += 4) {
      four r[4];
      for (int j = 0; j < 4; ++j) r[j] = *(const four*)(V + (k + j) * BLOCK + h);
      turn(r);
      for (int j = 0; j < n; ++j) *(four*)(w + j * d + k) = r[j] * factor[h + j];
    }
    for (; k < d; ++k)
      for (int j = 0; j < n; ++j) w[j * d + k] = V[k * BLOCK + h + j] * factor[h + j];
  }
}

// ---- tables --------------------------------------------------------------------------------

// All 2^K signed sums of K rows of numbers; those from `have` on are zero.
template <int K, class Rows>
FEATLEARN_INLINE void table(float* T, int64_t have, const Rows& row) {
  Row twice[K], first = same(0);
#pragma GCC unroll 8
  for (int j = 0; j < K; ++j) {
    const Row x = j < have ? row(j) : same(0);
    first = first - x;
    twice[j] = x + x;
  }
  store(T, first);
#pragma GCC unroll 8
  for (int j = 0; j < K; ++j)
    for (int b = 0; b < (1 << j); ++b)
      store(T + (b + (1 << j)) * BLOCK, load(T + b * BLOCK) + twice[j]);
}

// Eight tables of the next rows, of which there are n; the tables beyond them are zero.
template <int K, class Rows>
FEATLEARN_INLINE void tables(float* T, int64_t n, const Rows& row) {
  constexpr int64_t SIZE = BLOCK << K;
  for (int g = 0; g < TABLES; ++g) {
    const int64_t have = least(K, n - g * K);
    if (have > 0)
      table<K>(T + g * SIZE, have, [&](int j) { return row(g * K + j); });
    else
      memset(T + g * SIZE, 0, SIZE * 4);
  }
}

// out_r (+)= the sum of one row of each of `USED` tables.
template <int USED, bool FIRST>
FEATLEARN_INLINE void add_rows(const float* T, const u16* at, float* out, int64_t rows) {
  const char* base = (const char*)T;
  for (int64_t r = 0; r < rows; ++r, at += TABLES, out += BLOCK) {
    u64 x;
    memcpy(&x, at, 8);
    Row s = load((const float*)(base + (x & 0xFFFF)));
    s = s + load((const float*)(base + (x >> 16 & 0xFFFF)));
    s = s + load((const float*)(base + (x >> 32 & 0xFFFF)));
    s = s + load((const float*)(base + (x >> 48)));
    if (USED > 4) {
      memcpy(&x, at + 4, 8);
      s = s + load((const float*)(base + (x & 0xFFFF)));
      s = s + load((const float*)(base + (x >> 16 & 0xFFFF)));
      s = s + load((const float*)(base + (x >> 32 & 0xFFFF)));
      s = s + load((const float*)(base + (x >> 48)));
    }
    store(out, FIRST ? s : load(out) + s);
  }
}

static __attribute__((noinline)) void add(const float* T, const u16* at, float* out, int64_t rows,
                                          bool first, bool half) {
  if (first)
    half ? add_rows<4, true>(T, at, out, rows) : add_rows<8, true>(T, at, out, rows);
  else
    half ? add_rows<4, false>(T, at, out, rows) : add_rows<8, false>(T, at, out, rows);
}

// ---- bits ----------------------------------------------------------------------------------

// Eight groups of K bits of a row, from bit `begin` on, as byte offsets into eight tables.
template <int K>
FEATLEARN_INLINE void offsets(const u64* bits, int64_t words, int64_t begin, u16* out) {
  constexpr u64 SIZE = (u64)BLOCK * 4 << K, ONE = ((u64)1 << K) - 1;
  static_assert(SIZE * TABLES <= 65536, "an offset has 16 bits");
  for (int g = 0; g < TABLES; g += 4, begin += 4 * K) {
    const int64_t q = begin >> 6, s = begin & 63;
    u64 x = q < words ? bits[q] >> s : 0;
    if (s && q + 1 < words) x |= bits[q + 1] << (64 - s);
#ifdef FEATLEARN_PDEP
    x = _pdep_u64(x, ONE << 6 | ONE << 22 | ONE << 38 | ONE << 54);
#else
    x = (x & ONE) << 6 | (x >> K & ONE) << 22 | (x >> 2 * K & ONE) << 38 | (x >> 3 * K & ONE) << 54;
#endif
    const u64 first = (u64)g * SIZE;
    x += first | (first + SIZE) << 16 | (first + 2 * SIZE) << 32 | (first + 3 * SIZE) << 48;
    memcpy(out + g, &x, 8);
  }
}

// Offsets of some rows of bits; at[pass][row][8].
template <int K>
static void all_offsets(const u64* bits, int64_t words, int64_t n, int64_t rows, int64_t from,
                        int64_t to, u16* at) {
  for (int64_t b = 0; b < parts(n, K * TABLES); ++b)
    for (int64_t r = from; r < to; ++r)
      offsets<K>(bits + r * words, words, b * K * TABLES, at + (b * rows + r) * TABLES);
}

// 32-bit words of some rows as 64-bit words, with zeros beyond.
static void widen(const u32* in, int64_t words, int64_t from, int64_t to, u64* out, int64_t wides) {
  const int64_t both = least(words, 2 * wides);
  for (int64_t r = from; r < to; ++r) {
    if (both < 2 * wides) out[(r + 1) * wides - 1] = 0;
    memcpy(out + r * wides, in + r * words, 4 * (size_t)both);
  }
}

// 64 rows of bits, beginning at row 64 i, as columns: word i of each of n rows of `across` words.
static void turn_bits(const u64* in, int64_t rows, int64_t wides, int64_t i, u64* out, int64_t n,
                      int64_t across) {
  alignas(64) u64 A[64][4];
  const int64_t have = least(64, rows - 64 * i);
  for (int64_t q = 0; q < wides; q += 4) {
    const int64_t cols = least(4, wides - q);
    if (have < 64 || cols < 4) memset(A, 0, sizeof A);
    for (int64_t r = 0; r < have; ++r)
      memcpy(A[r], in + (64 * i + r) * wides + q, 8 * (size_t)cols);
    u64 pattern = 0x00000000FFFFFFFFull;
    for (int j = 32; j; j >>= 1, pattern ^= pattern << j)
      for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
        wide &low = *(wide*)A[k], &high = *(wide*)A[k | j];
        const wide t = ((low >> j) ^ high) & pattern;
        high ^= t;
        low ^= t << j;
      }
    for (int64_t c = 0; c < cols; ++c)
      for (int64_t b = 0; b < least(64, n - 64 * (q + c)); ++b)
        out[(64 * (q + c) + b) * across + i] = A[b][c];
  }
}

// ---- the two products ----------------------------------------------------------------------

// Rows of bits prepared by one thread at a time: some ten microseconds of work.
FEATLEARN_INLINE int64_t prepared(int64_t passes) { return 1 + 8192 / passes; }

// What is left to do with the sums of some rows: z = scale * sum + b, and sum_j a_j s(z_j).
template <class Act>
static void finish_with(const Act s, float* z, int64_t rows, const Row a, float* sums) {
  alignas(64) float terms[4 * BLOCK], four_sums[4];
  for (int64_t i = 0; i < rows; i += 4) {
    const int64_t some = least(4, rows - i);
    for (int64_t l = 0; l < some; ++l) store(terms + l * BLOCK, s.value(load(z + (i + l) * BLOCK)) * a);
    for (int64_t l = some; l < 4; ++l) store(terms + l * BLOCK, same(0));
    sums_of_four(terms, four_sums);
    memcpy(sums + i, four_sums, 4 * (size_t)some);
  }
}

static void finish(const Forward& f, float* z, int64_t rows, const float* a, const float* b,
                   float* sums) {
  bool plain = f.scale == 1.0f;
  for (int j = 0; j < BLOCK; ++j) plain &= b[j] == 0.0f;
  if (!plain) {
    const Row scale = same(f.scale), bias = load(b);
    for (int64_t i = 0; i < rows; ++i) store(z + i * BLOCK, load(z + i * BLOCK) * scale + bias);
  }
  if (f.activation == RELU) finish_with(Relu{}, z, rows, load(a), sums);
  if (f.activation == CLIPPED) finish_with(Clipped{f.top}, z, rows, load(a), sums);
}

template <int K>
static void forward_block(const Forward& f, const u16* at, int64_t c, float* partial) {
  const int64_t m = f.size.m, d = f.size.d, passes = parts(d, K * TABLES);
  Scratch scratch(Scratch::room(4 * TABLES * (BLOCK << K)) + Scratch::room(4 * BLOCK * (size_t)d));
  float* T = scratch.take<float>(TABLES * (BLOCK << K));
  float* V = scratch.take<float>((size_t)(BLOCK * d));
  float* z = f.z + c * m * BLOCK;
  alignas(64) float a[BLOCK], b[BLOCK];
  for (int j = 0; j < BLOCK; ++j) {
    const int64_t neuron = c * BLOCK + j;
    a[j] = neuron < f.size.p ? f.a[neuron] : 0.0f;
    b[j] = neuron < f.size.p ? f.b[neuron] : 0.0f;
  }
  to_block(f.w, f.size.p, d, c, V);
  for (int64_t pass = 0; pass < passes; ++pass) {
    const int64_t begin = pass * K * TABLES;
    tables<K>(T, d - begin, [&](int64_t k) { return load(V + (begin + k) * BLOCK); });
    const u16* here = at + pass * m * TABLES;
    const bool half = d - begin <= K * TABLES / 2, last = pass + 1 == passes;
    const int64_t rows = last ? STRIP : m;  // the last sums are finished while they are at hand
    for (int64_t r = 0; r < m; r += rows) {
      const int64_t some = least(rows, m - r);
      add(T, here + r * TABLES, z + r * BLOCK, some, pass == 0, half);
      if (last) finish(f, z + r * BLOCK, some, a, b, partial + c * m + r);
    }
  }
}

template <int K>
static void forward_with(const Forward& f, int threads) {
  const int64_t m = f.size.m, d = f.size.d, blocks = f.size.blocks(), wides = parts(d, 64);
  const int64_t passes = parts(d, K * TABLES);
  Scratch scratch(Scratch::room(8 * (size_t)(m * wides)) +
                  Scratch::room(2 * (size_t)(passes * m * TABLES)) +
                  Scratch::room(4 * (size_t)(blocks * m)));
  u64* bits = scratch.take<u64>((size_t)(m * wides));
  u16* at = scratch.take<u16>((size_t)(passes * m * TABLES));
  float* partial = scratch.take<float>((size_t)(blocks * m));
  const int64_t some = prepared(passes);
  each(parts(m, some), threads, [&](int64_t i) {
    const int64_t from = i * some, to = least(m, from + some);
    widen(f.bits, f.size.words, from, to, bits, wides);
    all_offsets<K>(bits, wides, d, m, from, to, at);
  });
  each(blocks, threads, [&](int64_t c) { forward_block<K>(f, at, c, partial); });
  if (f.activation == GIVEN) {
    memset(f.sums, 0, 4 * (size_t)m);
    return;
  }
  for (int64_t from = 0; from < m; from += 256) {  // blocks in their order
    const int64_t to = least(m, from + 256);
    memcpy(f.sums + from, partial + from, 4 * (size_t)(to - from));
    for (int64_t c = 1; c < blocks; ++c)
      for (int64_t i = from; i < to; ++i) f.sums[i] += partial[c * m + i];
  }
}

// Rows of S for some points of a block, and what they add to g_a and g_b.
template <class Act>
static void slopes_with(const Act s, const float* z, const float* delta, int64_t points, float* S,
                        Row* to_a, Row* to_b) {
  Row part_a = same(0), part_b = same(0);
  for (int64_t i = 0; i < points; ++i) {
    const Row here = load(z + i * BLOCK), slope = same(delta[i]);
    const Row x = s.slope_times(here, slope);
    part_a = part_a + s.value(here) * slope;
    part_b = part_b + x;
    store(S + i * BLOCK, x);
  }
  *to_a = *to_a + part_a;
  *to_b = *to_b + part_b;
}

static void slopes(const Backward& g, int64_t c, int64_t begin, int64_t points, float* S, Row* to_a,
                   Row* to_b) {
  const float* z = g.z + (c * g.size.m + begin) * BLOCK;
  if (g.activation == RELU) return slopes_with(Relu{}, z, g.delta + begin, points, S, to_a, to_b);
  if (g.activation == CLIPPED)
    return slopes_with(Clipped{g.top}, z, g.delta + begin, points, S, to_a, to_b);
  const size_t have = 4 * (size_t)least(BLOCK, g.size.p - c * BLOCK);
  Row part_b = same(0);
  for (int64_t i = 0; i < points; ++i) {
    float* x = S + i * BLOCK;
    if (have < 4 * BLOCK) store(x, same(0));
    memcpy(x, g.z + (begin + i) * g.size.p + c * BLOCK, have);
    part_b = part_b + load(x);
  }
  *to_b = *to_b + part_b;
}

template <int K>
static void backward_block(const Backward& g, const u16* at, int64_t c) {
  const int64_t m = g.size.m, d = g.size.d, p = g.size.p, passes = parts(m, K * TABLES);
  Scratch scratch(Scratch::room(4 * TABLES * (BLOCK << K)) + Scratch::room(4 * BLOCK * (size_t)d));
  float* T = scratch.take<float>(TABLES * (BLOCK << K));
  float* V = scratch.take<float>((size_t)(BLOCK * d));
  alignas(64) float S[K * TABLES * BLOCK], sums_a[BLOCK], sums_b[BLOCK], factor[BLOCK];
  Row to_a = same(0), to_b = same(0);
  for (int64_t pass = 0; pass < passes; ++pass) {
    const int64_t begin = pass * K * TABLES, points = least(K * TABLES, m - begin);
    slopes(g, c, begin, points, S, &to_a, &to_b);
    tables<K>(T, points, [&](int64_t i) { return load(S + i * BLOCK); });
    add(T, at + pass * d * TABLES, V, d, pass == 0, points <= K * TABLES / 2);
  }
  store(sums_a, to_a);
  store(sums_b, to_b);
  for (int j = 0; j < BLOCK; ++j) {
    const int64_t neuron = c * BLOCK + j;
    if (neuron >= p) break;
    const float a = g.activation == GIVEN ? 1.0f : g.a[neuron];
    factor[j] = a * g.scale;
    g.g_a[neuron] = sums_a[j];
    g.g_b[neuron] = a * sums_b[j];
  }
  from_block(V, factor, p, d, c, g.g_w);
}

template <int K>
static void backward_with(const Backward& g, int threads) {
  const int64_t m = g.size.m, d = g.size.d, wides = parts(d, 64), across = parts(m, 64);
  const int64_t passes = parts(m, K * TABLES);
  Scratch scratch(Scratch::room(8 * (size_t)(m * wides)) + Scratch::room(8 * (size_t)(d * across)) +
                  Scratch::room(2 * (size_t)(passes * d * TABLES)));
  u64* bits = scratch.take<u64>((size_t)(m * wides));
  u64* turned = scratch.take<u64>((size_t)(d * across));
  u16* at = scratch.take<u16>((size_t)(passes * d * TABLES));
  each(parts(across, 8), threads, [&](int64_t q) {  // 512 points: a cache line of each row
    for (int64_t i = 8 * q; i < least(across, 8 * q + 8); ++i) {
      widen(g.bits, g.size.words, 64 * i, least(m, 64 * i + 64), bits, wides);
      turn_bits(bits, m, wides, i, turned, d, across);
    }
  });
  const int64_t some = prepared(passes);
  each(parts(d, some), threads, [&](int64_t i) {
    const int64_t from = i * some, to = least(d, from + some);
    all_offsets<K>(turned, across, m, d, from, to, at);
  });
  each(g.size.blocks(), threads, [&](int64_t c) { backward_block<K>(g, at, c); });
}

// The larger a table, the fewer the additions and the dearer the table: it depends on how many
// rows use it, which are the points forward and the inputs backward.
constexpr int64_t FEW = 120, MANY = 450;

static void forward(const Forward& f, int threads) {
  Rounding ieee;
  if (f.size.m < FEW) return forward_with<4>(f, threads);
  if (f.size.m < MANY) return forward_with<5>(f, threads);
  forward_with<6>(f, threads);
}

static void backward(const Backward& g, int threads) {
  Rounding ieee;
  if (g.size.d < FEW) return backward_with<4>(g, threads);
  if (g.size.d < MANY) return backward_with<5>(g, threads);
  backward_with<6>(g, threads);
}

// ---- random words --------------------------------------------------------------------------

// Words i = from, ... of jax.random.bits(key, shape, uint32): threefry2x32 of (high, low) of i,
// both halves xor-ed (Salmon et al. 2011, with 20 rounds).
static void some_words(u32 k0, u32 k1, u32* out, size_t from, size_t to) {
  constexpr int U = 4, STEP = U * LANES;
  constexpr int TURNS[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const u32 keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
  uvec ramp;
  for (int l = 0; l < LANES; ++l) ramp[l] = (u32)l;
  for (size_t i = from; i < to; i += STEP) {
    uvec a[U], b[U];
    for (int u = 0; u < U; ++u) {
      const size_t first = i + (size_t)(u * LANES);
      const uvec low = ramp + (u32)first;
      a[u] = (uvec)(low < ramp) & 1u;  // a carry into the high word
      a[u] += (u32)(first >> 32) + k0;
      b[u] = low + k1;
    }
#pragma GCC unroll 5
    for (int r = 0; r < 5; ++r) {
#pragma GCC unroll 4
      for (int q = 0; q < 4; ++q)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) {
          const int s = TURNS[r & 1][q];
          a[u] += b[u];
          b[u] = (b[u] << s | b[u] >> (32 - s)) ^ a[u];
        }
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        a[u] += keys[(r + 1) % 3];
        b[u] += keys[(r + 2) % 3] + (u32)(r + 1);
      }
    }
    alignas(64) u32 last[STEP];
    u32* at = i + STEP <= to ? out + i : last;
    for (int u = 0; u < U; ++u) *(uvec*)(at + u * LANES) = a[u] ^ b[u];
    if (at == last) memcpy(out + i, last, 4 * (to - i));
  }
}

static void random_words(u32 k0, u32 k1, u32* out, size_t n, int threads) {
  constexpr size_t PIECE = 1 << 14;
  each((int64_t)((n + PIECE - 1) / PIECE), threads, [&](int64_t i) {
    const size_t from = (size_t)i * PIECE;
    some_words(k0, k1, out, from, from + PIECE < n ? from + PIECE : n);
  });
}

static const Kind KIND = {random_words, forward, backward};

}  // namespace FEATLEARN_KIND
}  // namespace featlearn

#endif  // FEATLEARN_KIND
