// The kernels under a sanitizer: many callers at once, every kind of machine, sums in double beside.
// Compiled by test_sanitizers.py, which gives the place of kernels.cpp with -include.
#include <cmath>
#include <cstdio>
#include <random>

using namespace featlearn;

struct Case {
  Sizes size;
  std::vector<u32> bits;
  std::vector<float> w, a, b, delta, slopes;
  float scale, top;
  Activation activation;
};

struct Found {
  std::vector<float> z, sums, g_w, g_a, g_b;
  bool operator==(const Found& o) const {
    return z == o.z && sums == o.sums && g_w == o.g_w && g_a == o.g_a && g_b == o.g_b;
  }
};

static Case random_case(std::mt19937& rng, int64_t d, int64_t p, int64_t m, int activation) {
  std::normal_distribution<float> normal;
  auto numbers = [&](int64_t n) {
    std::vector<float> x((size_t)n);
    for (float& each : x) each = normal(rng);
    return x;
  };
  Case c;
  c.size = {m, d, p, parts(d, 32) + (int64_t)(rng() % 2)};
  c.bits.resize((size_t)(m * c.size.words));
  for (u32& word : c.bits) word = (u32)rng();
  c.w = numbers(p * d);
  c.a = numbers(p);
  c.b = rng() % 2 ? numbers(p) : std::vector<float>((size_t)p);
  c.delta = numbers(m);
  c.slopes = numbers(m * p);
  c.scale = rng() % 2 ? 1.0f : 0.25f;
  c.top = 2.0f;
  c.activation = (Activation)activation;
  return c;
}

static Found run(const Case& c, const Kind& kind, int threads) {
  const Sizes& s = c.size;
  Found f;
  f.z.assign((size_t)(s.blocks() * s.m * BLOCK), NAN);
  f.sums.assign((size_t)s.m, NAN);
  f.g_w.assign((size_t)(s.p * s.d), NAN);
  f.g_a.assign((size_t)s.p, NAN);
  f.g_b.assign((size_t)s.p, NAN);
  kind.forward({s, c.bits.data(), c.w.data(), c.a.data(), c.b.data(), c.scale, c.activation, c.top,
                f.z.data(), f.sums.data()},
               threads);
  const float* z = c.activation == GIVEN ? c.slopes.data() : f.z.data();
  kind.backward({s, c.bits.data(), z, c.delta.data(), c.a.data(), c.scale, c.activation, c.top,
                 f.g_w.data(), f.g_a.data(), f.g_b.data()},
                threads);
  return f;
}

static double error(const std::vector<float>& found, const std::vector<double>& truth) {
  double off = 0, size = 1e-6;
  for (size_t i = 0; i < truth.size(); ++i) {
    off += (found[i] - truth[i]) * (found[i] - truth[i]);
    size += truth[i] * truth[i];
  }
  return std::sqrt(off / size);
}

static double worst_error(const Case& c, const Found& f) {
  const Sizes& s = c.size;
  std::vector<double> sums((size_t)s.m), g_w((size_t)(s.p * s.d)), g_a((size_t)s.p), g_b((size_t)s.p);
  std::vector<double> z((size_t)(s.m * s.p));
  std::vector<float> seen((size_t)(s.m * s.p));
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t j = 0; j < s.p; ++j) {
      auto sign = [&](int64_t k) {
        return c.bits[(size_t)(i * s.words + k / 32)] >> (k % 32) & 1 ? 1.0 : -1.0;
      };
      double exact = 0;
      for (int64_t k = 0; k < s.d; ++k) exact += sign(k) * c.w[(size_t)(j * s.d + k)];
      exact = exact * c.scale + c.b[(size_t)j];
      const double mine = f.z[(size_t)((j / BLOCK * s.m + i) * BLOCK + j % BLOCK)];
      z[(size_t)(i * s.p + j)] = exact;
      seen[(size_t)(i * s.p + j)] = (float)mine;
      const bool relu = c.activation == RELU;
      const double value = mine <= 0 ? 0 : relu || mine < c.top ? mine : c.top;
      double slope = mine > 0 && (relu || mine < c.top) ? c.delta[(size_t)i] : 0;
      if (c.activation == GIVEN) {
        slope = c.slopes[(size_t)(i * s.p + j)];
      } else {
        sums[(size_t)i] += c.a[(size_t)j] * value;
        g_a[(size_t)j] += c.delta[(size_t)i] * value;
      }
      const double whole = c.activation == GIVEN ? slope : c.a[(size_t)j] * slope;
      g_b[(size_t)j] += whole;
      for (int64_t k = 0; k < s.d; ++k) g_w[(size_t)(j * s.d + k)] += c.scale * sign(k) * whole;
    }
  double worst = 0;
  for (double e : {error(seen, z), error(f.sums, sums), error(f.g_w, g_w), error(f.g_a, g_a),
                   error(f.g_b, g_b)})
    worst = e > worst ? e : worst;
  return worst;
}

int main(int, char** words) {
  const int rounds = atoi(words[1]), callers = atoi(words[2]);
  std::mt19937 rng(7);
  int wrong = 0;
  double worst = 0;
  for (int round = 0; round < rounds; ++round) {
    const int64_t d = 1 + (int64_t)(rng() % 300), p = 1 + (int64_t)(rng() % 70);
    const int64_t m = round % 8 == 0 ? 1000 + (int64_t)(rng() % 60) : 1 + (int64_t)(rng() % 150);
    const Case c = random_case(rng, d, p, m, round % 3);
    const Found one = run(c, KINDS[0], 1);
    const double e = worst_error(c, one);
    worst = e > worst ? e : worst;
    for (int k = 0; k <= best_kind(); ++k) {
      std::vector<std::thread> several;
      std::atomic<int> differ{0};
      for (int caller = 0; caller < callers; ++caller)
        several.emplace_back([&, caller] {
#if defined(__x86_64__)
          if (caller % 2) _mm_setcsr(_mm_getcsr() | 0x8040);  // a thread that flushes denormals
#endif
          differ += !(run(c, KINDS[k], 1 + caller) == one);
        });
      for (auto& each : several) each.join();
      wrong += differ;
      std::vector<u32> here(40001), there(40001);
      KINDS[0].random_words(3, (u32)round, here.data(), here.size(), 1);
      KINDS[k].random_words(3, (u32)round, there.data(), there.size(), 3);
      wrong += here != there;
    }
  }
  printf("%d rounds, %d differ, worst error %.1e\n", rounds, wrong, worst);
  return wrong || worst > 2e-6;
}
