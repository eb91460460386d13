// syncsniff::map on a real GPU: extents around every boundary, misaligned arrays, rows, scalars, several outputs and
// types. Exits with 77 (skipped) where there is no device.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <syncsniff/map.cuh>
#include <vector>

#include "kernel_test.cuh"

namespace {

constexpr std::size_t kMargin = 64;

// An array some elements past a 16-byte boundary, between margins that nobody may touch.
template <typename T>
class Array {
 public:
  Array(std::size_t count, std::size_t past, float slope)
      : count_(count), past_(past), host_(count + past + 2 * kMargin) {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = T(static_cast<float>(i % 61) * slope - 3.0f);
    EXPECT_CUDA(cudaMalloc(&device_, host_.size() * sizeof(T)));
    EXPECT_CUDA(cudaMemcpy(device_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(device_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* get() { return device_ + kMargin + past_; }
  float before(std::size_t i) const { return static_cast<float>(host_[kMargin + past_ + i]); }
  std::vector<float> read() {
    std::vector<T> now(host_.size());
    EXPECT_CUDA(cudaMemcpy(now.data(), device_, now.size() * sizeof(T), cudaMemcpyDeviceToHost));
    const std::size_t begin = kMargin + past_, end = begin + count_;
    EXPECT_EQ(std::memcmp(now.data(), host_.data(), begin * sizeof(T)), 0) << "written before the array";
    EXPECT_EQ(std::memcmp(&now[end], &host_[end], (host_.size() - end) * sizeof(T)), 0) << "written behind it";
    std::vector<float> out;
    for (std::size_t i = begin; i < end; ++i) out.push_back(static_cast<float>(now[i]));
    return out;
  }

 private:
  std::size_t count_, past_;
  std::vector<T> host_;
  T* device_ = nullptr;
};

struct AddScaledRow {
  __device__ float operator()(float x, float bias, float factor) const { return x * factor + bias; }
};
struct SumAndDifference {
  __device__ void operator()(float a, float b, float& sum, float& difference) const {
    sum = a + b;
    difference = a - b;
  }
};

template <typename T>
class Map : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16, double>;
TYPED_TEST_SUITE(Map, Types);

TYPED_TEST(Map, RowsAndScalarsAtEveryAlignment) {
  constexpr std::size_t kPer = 16 / sizeof(TypeParam);
  for (std::size_t rows : {1, 2, 5, 67}) {
    for (std::size_t columns : {1, 3, 8, 10, 64, 257, 1024}) {
      const std::size_t count = rows * columns;
      for (std::size_t past : {std::size_t{0}, std::size_t{1}, kPer - 1}) {
        Array<TypeParam> x(count, past, 0.25f), y(count, (past * 2) % kPer, 0.5f), bias(columns, past, 0.125f);
        Array<float> factor(1, 3, 0.5f);
        ASSERT_CUDA(syncsniff::map({rows, columns}, AddScaledRow(), syncsniff::outputs(y.get()), nullptr, x.get(),
                                   syncsniff::row(bias.get()), syncsniff::scalar(factor.get())));
        ASSERT_CUDA(cudaDeviceSynchronize());
        const std::vector<float> got = y.read();
        for (std::size_t i = 0; i < count; ++i) {
          const float expected =
              static_cast<float>(TypeParam(x.before(i) * factor.before(0) + bias.before(i % columns)));
          ASSERT_NEAR(got[i], expected, 1e-2 * std::fabs(expected) * (sizeof(TypeParam) == 2) + 1e-5)
              << rows << " x " << columns << ", " << past << " past, element " << i;
        }
      }
    }
  }
}

TEST(MapFloat, EveryCountAroundATile) {
  constexpr std::size_t kTile = 256 * 8;
  for (std::size_t count : {std::size_t{0}, std::size_t{1}, kTile - 1, kTile, kTile + 1, 3 * kTile + 1021}) {
    Array<float> x(count, 1, 0.25f), y(count, 2, 0.5f), sum(count, 3, 1.0f);
    Array<__half> difference(count, 5, 1.0f);
    ASSERT_CUDA(syncsniff::map(count, SumAndDifference(), syncsniff::outputs(sum.get(), difference.get()), nullptr,
                               x.get(), y.get()));
    ASSERT_CUDA(cudaDeviceSynchronize());
    const std::vector<float> sums = sum.read(), differences = difference.read();
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(sums[i], x.before(i) + y.before(i)) << i;
      ASSERT_EQ(differences[i], static_cast<float>(__half(x.before(i) - y.before(i)))) << i;
    }
  }
}

struct Luma {
  __device__ float operator()(uchar3 p) const { return 0.25f * p.x + 0.5f * p.y + 0.25f * p.z; }
};
struct Spread {
  __device__ float3 operator()(double x) const { return {float(x), float(2 * x), float(3 * x)}; }
};

TEST(MapFloat, ElementsOfThreeAndTwelveBytes) {
  for (const std::size_t count : {1u, 4u, 5u, 255u, 1027u, 100003u}) {
    std::vector<uchar3> pixels(count);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      pixels[i] = {static_cast<unsigned char>(i), static_cast<unsigned char>(i / 3), static_cast<unsigned char>(7 * i)};
      values[i] = static_cast<double>(i % 1000) * 0.5;
    }
    uchar3* device_pixels = nullptr;
    float* luma = nullptr;
    double* device_values = nullptr;
    float3* points = nullptr;
    EXPECT_CUDA(cudaMalloc(&device_pixels, count * sizeof(uchar3)));
    EXPECT_CUDA(cudaMalloc(&luma, count * sizeof(float)));
    EXPECT_CUDA(cudaMalloc(&device_values, count * sizeof(double)));
    EXPECT_CUDA(cudaMalloc(&points, count * sizeof(float3)));
    EXPECT_CUDA(cudaMemcpy(device_pixels, pixels.data(), count * sizeof(uchar3), cudaMemcpyHostToDevice));
    EXPECT_CUDA(cudaMemcpy(device_values, values.data(), count * sizeof(double), cudaMemcpyHostToDevice));
    EXPECT_CUDA(syncsniff::map(count, Luma(), syncsniff::outputs(luma), nullptr, device_pixels));
    EXPECT_CUDA(syncsniff::map(count, Spread(), syncsniff::outputs(points), nullptr, device_values));
    std::vector<float> got_luma(count);
    std::vector<float3> got_points(count);
    EXPECT_CUDA(cudaMemcpy(got_luma.data(), luma, count * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT_CUDA(cudaMemcpy(got_points.data(), points, count * sizeof(float3), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_FLOAT_EQ(got_luma[i], 0.25f * pixels[i].x + 0.5f * pixels[i].y + 0.25f * pixels[i].z) << i;
      ASSERT_FLOAT_EQ(got_points[i].x, static_cast<float>(values[i])) << i;
      ASSERT_FLOAT_EQ(got_points[i].z, static_cast<float>(3 * values[i])) << i;
    }
    for (void* block : {static_cast<void*>(device_pixels), static_cast<void*>(luma), static_cast<void*>(device_values),
                        static_cast<void*>(points)}) {
      EXPECT_CUDA(cudaFree(block));
    }
  }
}

// A query of the caller's that says "not ready" is no error of the launch.
TEST(MapFloat, SomebodyElsesErrorIsNotItsOwn) {
  float* data = nullptr;
  EXPECT_CUDA(cudaMalloc(&data, 64 << 20));
  cudaEvent_t event = nullptr;
  EXPECT_CUDA(cudaEventCreate(&event));
  EXPECT_CUDA(cudaMemset(data, 0, 64 << 20));
  EXPECT_CUDA(cudaMemsetAsync(data, 1, 64 << 20, nullptr));
  EXPECT_CUDA(cudaEventRecord(event, nullptr));
  static_cast<void>(cudaEventQuery(event));
  EXPECT_CUDA(syncsniff::map(16, Spread(), syncsniff::outputs(reinterpret_cast<float3*>(data)), nullptr,
                             reinterpret_cast<const double*>(data + 4096)));
  EXPECT_CUDA(cudaDeviceSynchronize());
  static_cast<void>(cudaGetLastError());
  EXPECT_CUDA(cudaEventDestroy(event));
  EXPECT_CUDA(cudaFree(data));
}

TEST(MapFloat, AnOutputMayBeAnInput) {
  Array<float> x(100001, 1, 0.25f);
  ASSERT_CUDA(syncsniff::map(100001, AddScaledRow(), syncsniff::outputs(x.get()), nullptr, x.get(), x.get(), x.get()));
  ASSERT_CUDA(cudaDeviceSynchronize());
  const std::vector<float> got = x.read();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], x.before(i) * x.before(i) + x.before(i)) << i;
}

TEST(MapFloat, ModuloByMultiplicationIsModulo) {
  for (std::uint32_t n : {1u, 2u, 3u, 7u, 10u, 64u, 1000u, 65537u, 1u << 30, 0x7fffffffu}) {
    const syncsniff::detail::Modulus modulus(n);
    for (std::uint32_t x : {0u, 1u, n - 1, n, n + 1, 12345678u, 0x7fffffffu - 1, 0x7fffffffu})
      if (x <= 0x7fffffffu) ASSERT_EQ(modulus.of(x), x % n) << x << " mod " << n;
  }
}

TEST(MapFloat, RefusesMoreThanAGrid) {
  float* nothing = nullptr;
  EXPECT_EQ(syncsniff::map({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, AddScaledRow(),
                           syncsniff::outputs(nothing), nullptr, nothing, nothing, nothing),
            cudaErrorInvalidValue);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
