// A small stand-in for LibTorch's headers: what the analyzer's tests call, declared in the namespaces where LibTorch
// declares it. Nothing here is defined beyond what templates need; nothing links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace caffe2 {
class TypeMeta {};
}  // namespace caffe2

namespace c10 {

enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
enum class Backend { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
enum class ScalarType : int8_t { Byte, Int, Long, Float, Double, Bool };
constexpr ScalarType kFloat = ScalarType::Float, kFloat32 = ScalarType::Float, kLong = ScalarType::Long,
                     kDouble = ScalarType::Double, kBool = ScalarType::Bool;

struct Device {
  Device(DeviceType type, int8_t index = -1);
  Device(const std::string& text);
  DeviceType type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device& other) const;
};

struct Scalar {
  Scalar(double value);
  template <typename T>
  T to() const;
  double toDouble() const;
};

struct TensorOptions {
  TensorOptions();
  TensorOptions(Device device);
  TensorOptions(DeviceType device);
  TensorOptions(ScalarType dtype);
  TensorOptions device(Device device) const;
  TensorOptions dtype(ScalarType dtype) const;
  TensorOptions pinned_memory(std::optional<bool> pinned) const noexcept;
  TensorOptions requires_grad(bool needed) const;
};

template <typename T>
struct ArrayRef {
  ArrayRef(std::initializer_list<T> list);
  ArrayRef(const std::vector<T>& list);
};
using IntArrayRef = ArrayRef<int64_t>;

struct InferenceMode {
  explicit InferenceMode(bool enabled = true);
};

}  // namespace c10

namespace at::indexing {
struct Slice {
  Slice(int64_t begin, int64_t end);
};
}  // namespace at::indexing

namespace at {
struct Context {
  void setAllowTF32CuBLAS(bool allow);
};
Context& globalContext();

using namespace c10;

struct DeprecatedTypeProperties {
  operator TensorOptions() const;
};
DeprecatedTypeProperties& CPU(ScalarType type);
DeprecatedTypeProperties& CUDA(ScalarType type);

class TensorBase {
 public:
  bool defined() const;
  Device device() const;
  TensorOptions options() const;
  bool is_cuda() const;
  int64_t numel() const;
  int64_t size(int64_t dim) const;
  IntArrayRef sizes() const;
  template <typename T>
  T* data_ptr() const;
};

template <typename T, size_t N>
struct TensorAccessor {
  T& operator[](int64_t i);
};

class Tensor : public TensorBase {
 public:
  Tensor();
  Tensor(const Tensor& other);
  Tensor(Tensor&& other);
  Tensor& operator=(const Tensor& other) &;
  Tensor& operator=(Tensor&& other) &;
  Tensor& operator=(const Tensor& other) &&;
  Tensor& operator=(Tensor&& other) &&;
  Tensor& operator=(const Scalar& value) &&;
  Tensor& operator+=(const Tensor& other);
  Tensor& operator+=(const Scalar& other);
  Tensor& operator*=(const Tensor& other);
  Tensor operator[](int64_t index) const;
  Tensor operator-() const;

  Scalar item() const;
  template <typename T>
  T item() const;
  bool is_nonzero() const;
  bool equal(const Tensor& other) const;
  bool allclose(const Tensor& other, double rtol = 1e-05, double atol = 1e-08) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor pin_memory() const;
  Tensor to(TensorOptions options, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor toBackend(Backend backend) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(caffe2::TypeMeta type, bool non_blocking = false, bool copy = false) const;
  caffe2::TypeMeta dtype() const;

  Tensor nonzero() const;
  std::vector<Tensor> split(int64_t size, int64_t dim = 0) const;
  Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> output_size = std::nullopt) const;
  Tensor repeat_interleave(int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> output_size = std::nullopt) const;
  Tensor masked_select(const Tensor& mask) const;
  Tensor index(std::initializer_list<Tensor> indices) const;
  Tensor index_select(int64_t dim, const Tensor& index) const;
  Tensor slice(int64_t dim, int64_t start, int64_t end) const;
  Tensor type_as(const Tensor& other) const;

  Tensor add(const Tensor& other) const;
  Tensor& add_(const Tensor& other) const;
  Tensor& mul_(const Scalar& other) const;
  Tensor& zero_() const;
  Tensor square() const;
  Tensor sqrt() const;
  Tensor pow(const Scalar& exponent) const;
  Tensor eq(const Tensor& other) const;
  Tensor isnan() const;
  Tensor mean() const;
  Tensor sum() const;
  Tensor norm() const;
  Tensor any() const;
  Tensor max() const;
  Tensor argmax(int64_t dim) const;
  Tensor matmul(const Tensor& other) const;
  Tensor view(IntArrayRef size) const;
  Tensor flatten() const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t dim) const;
  Tensor unsqueeze(int64_t dim) const;
  Tensor transpose(int64_t a, int64_t b) const;
  Tensor expand_as(const Tensor& other) const;
  Tensor exp() const;
  Tensor abs() const;
  Tensor gt(const Scalar& other) const;
  Tensor logical_and(const Tensor& other) const;
  Tensor clamp_min(const Scalar& low) const;
  Tensor& index_put_(std::initializer_list<Tensor> indices, const Tensor& value);
  Tensor& index_put_(std::initializer_list<Tensor> indices, const Scalar& value);
  Tensor& index_put_(std::initializer_list<indexing::Slice> indices, const Tensor& value);
  Tensor multinomial(int64_t n, bool replacement = false) const;
  Tensor inverse() const;
  Tensor masked_fill(const Tensor& mask, const Scalar& value) const;
  Tensor gather(int64_t dim, const Tensor& index) const;
  Tensor toType(ScalarType t) const;
  Tensor operator[](const Tensor& index) const;
  Tensor detach() const;
  Tensor clone() const;
  Tensor contiguous() const;
  Tensor& grad() const;
  Tensor& mutable_grad() const;
  void backward() const;
  Tensor& copy_(const Tensor& source, bool non_blocking = false) const;
  Tensor& set_requires_grad(bool needed) const;
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() const;
};

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Scalar& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Scalar& b);
Tensor operator>(const Tensor& a, const Scalar& b);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

Tensor isnan(const Tensor& self);
Tensor full_like(const Tensor& a, const Scalar& v);
Tensor zeros_like(const Tensor& a);
Tensor ones_like(const Tensor& a, const TensorOptions& options);
Tensor exp(const Tensor& self);
Tensor clamp(const Tensor& self, const Scalar& a, const Scalar& b);
Tensor max(const Tensor& a, const Tensor& b);
Tensor min(const Tensor& a, const Tensor& b);
Tensor sum(const Tensor& a);
Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor mean(const Tensor& a);
Tensor sqrt(const Tensor& a);
Tensor pow(const Tensor& a, const Scalar& b);
Tensor sigmoid(const Tensor& a);
Tensor one_hot(const Tensor& a, int64_t classes = -1);
Tensor multinomial(const Tensor& a, int64_t n, bool replacement = false);
Tensor linalg_inv(const Tensor& a);
Tensor linalg_cholesky(const Tensor& a, bool upper = false);
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& a, bool check_errors = false);
Tensor det(const Tensor& a);
Tensor operator-(const Scalar& a, const Tensor& b);
Tensor operator*(const Scalar& a, const Tensor& b);
Tensor operator/(const Scalar& a, const Tensor& b);
Tensor operator+(const Tensor& a, const Scalar& b);
Tensor operator-(const Tensor& a, const Scalar& b);
Tensor operator~(const Tensor& a);
Tensor operator&(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, const Scalar& b);
Tensor relu(const Tensor& self);
Tensor mse_loss(const Tensor& input, const Tensor& target);
Tensor cross_entropy_loss(const Tensor& input, const Tensor& target);
Tensor nll_loss(const Tensor& input, const Tensor& target);
Tensor log_softmax(const Tensor& input, int64_t dim);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
std::vector<Tensor> where(const Tensor& condition);
Tensor stack(const std::vector<Tensor>& tensors, int64_t dim = 0);
Tensor cat(const std::vector<Tensor>& tensors, int64_t dim = 0);
Tensor nonzero(const Tensor& self);
bool equal(const Tensor& a, const Tensor& b);
std::vector<Tensor> _foreach_norm(const std::vector<Tensor>& tensors);
void _foreach_zero_(const std::vector<Tensor>& tensors);

}  // namespace at

namespace torch {

using namespace at;

Tensor randn(IntArrayRef size, TensorOptions options = {});
Tensor rand(IntArrayRef size, TensorOptions options = {});
Tensor zeros(IntArrayRef size, TensorOptions options = {});
Tensor ones(IntArrayRef size, TensorOptions options = {});
Tensor empty(IntArrayRef size, TensorOptions options = {});
Tensor arange(int64_t end, TensorOptions options = {});
Tensor randperm(int64_t n, TensorOptions options = {});
Tensor full(IntArrayRef size, const Scalar& v, TensorOptions options = {});
Tensor eye(int64_t n, TensorOptions options = {});
Tensor randint(int64_t hi, IntArrayRef size, TensorOptions options = {});
Tensor tensor(std::initializer_list<double> values, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef size, TensorOptions options = {});
TensorOptions device(Device device);
TensorOptions dtype(ScalarType dtype);
void manual_seed(uint64_t seed);

struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};

namespace cuda {
bool is_available();
size_t device_count();
void synchronize(int64_t device = -1);
}  // namespace cuda

template <typename T>
void save(const T& value, const std::string& file);

namespace autograd {
using variable_list = std::vector<at::Tensor>;
struct AutogradContext {
  void save_for_backward(variable_list tensors);
};
template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args&&... args) -> decltype(X::forward(nullptr, args...));
};
}  // namespace autograd

template <typename Key, typename Value>
class OrderedDict {
 public:
  class Item {
   public:
    Value& value() noexcept;
    const Value& value() const noexcept;
    const Key& key() const noexcept;
  };
  typename std::vector<Item>::iterator begin();
  typename std::vector<Item>::iterator end();
};

namespace nn {

class Module : public std::enable_shared_from_this<Module> {
 public:
  virtual ~Module();
  virtual void train(bool on = true);
  void eval();
  bool is_training() const;
  virtual void to(Device device, bool non_blocking = false);
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  virtual void zero_grad(bool set_to_none = true);

 protected:
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <typename M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module);
  template <typename H>
  H register_module(std::string name, H holder);
};

template <typename Contained>
class ModuleHolder {
 public:
  ModuleHolder();
  ModuleHolder(std::nullptr_t);
  template <typename Head, typename... Tail>
  explicit ModuleHolder(Head&& head, Tail&&... tail);
  Contained* operator->();
  const Contained* operator->() const;
  Contained& operator*();
  template <typename... Args>
  auto operator()(Args&&... args) {
    return impl_->forward(std::forward<Args>(args)...);
  }

 protected:
  std::shared_ptr<Contained> impl_;
};

class LinearImpl : public Module {
 public:
  LinearImpl(int64_t in, int64_t out);
  Tensor forward(const Tensor& input);
  Tensor weight, bias;
};
class Linear : public ModuleHolder<LinearImpl> {
 public:
  using ModuleHolder<LinearImpl>::ModuleHolder;
};

class MSELossImpl : public Module {
 public:
  Tensor forward(const Tensor& input, const Tensor& target);
};
class MSELoss : public ModuleHolder<MSELossImpl> {
 public:
  using ModuleHolder<MSELossImpl>::ModuleHolder;
};

class SequentialImpl : public Module {
 public:
  SequentialImpl();
  template <typename... Modules>
  explicit SequentialImpl(Modules&&... modules);
  template <typename Output = Tensor, typename... Inputs>
  Output forward(Inputs&&... inputs);
  template <typename M>
  void push_back(M&& module);
  template <typename M>
  void push_back(std::string name, M&& module);
};
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential();
};

class AnyModule {
 public:
  AnyModule() = default;
  template <typename ModuleType>
  explicit AnyModule(std::shared_ptr<ModuleType> module);
  template <typename ModuleType>
  explicit AnyModule(const ModuleHolder<ModuleType>& module_holder);
  AnyModule(AnyModule&&) = default;
  AnyModule(const AnyModule& other);
  AnyModule& operator=(AnyModule&&) = default;
  AnyModule& operator=(const AnyModule& other);
  template <typename ModuleType>
  AnyModule& operator=(std::shared_ptr<ModuleType> module);
  template <typename ReturnType = Tensor, typename... Arguments>
  ReturnType forward(Arguments&&... arguments);
};

namespace functional {
Tensor cross_entropy(const Tensor& input, const Tensor& target);
Tensor mse_loss(const Tensor& input, const Tensor& target);
}  // namespace functional

namespace utils {
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0);
}  // namespace utils

}  // namespace nn

namespace optim {

class Optimizer {
 public:
  explicit Optimizer(std::vector<Tensor> parameters);
  virtual ~Optimizer();
  virtual void step();
  virtual Tensor step(std::function<Tensor()> closure);
  void zero_grad(bool set_to_none = true);
};
struct SGD : Optimizer {
  SGD(std::vector<Tensor> parameters, double rate);
  using Optimizer::step;
  void step() override;
};
struct Adam : Optimizer {
  Adam(std::vector<Tensor> parameters, double rate);
  void step() override;
};

}  // namespace optim

namespace data {

template <typename Data = Tensor, typename Target = Tensor>
struct Example {
  Example() = default;
  Example(Data data, Target target);
  Data data;
  Target target;
};

namespace datasets {

template <typename Source, typename Transform>
class MapDataset;

// Self gives one batch for a list of indices.
template <typename Self, typename Batch = std::vector<Example<>>>
class BatchDataset {
 public:
  using BatchType = Batch;
  static constexpr bool is_stateful = false;
  virtual ~BatchDataset();
  virtual Batch get_batch(std::vector<size_t> indices) = 0;
  template <typename Transform>
  MapDataset<Self, Transform> map(Transform transform) &&;
};

// Self gives one example for an index.
template <typename Self, typename One = Example<>>
class Dataset : public BatchDataset<Self, std::vector<One>> {
 public:
  virtual One get(size_t index) = 0;
  std::vector<One> get_batch(std::vector<size_t> indices) override;
};

template <typename Source, typename Transform>
class MapDataset : public BatchDataset<MapDataset<Source, Transform>, typename Transform::OutputBatchType> {
 public:
  typename Transform::OutputBatchType get_batch(std::vector<size_t> indices) override;
};

class MNIST : public Dataset<MNIST> {
 public:
  explicit MNIST(const std::string& root);
  Example<> get(size_t index) override;
};

}  // namespace datasets

namespace transforms {

template <typename Input, typename Output>
class BatchTransform {
 public:
  using OutputBatchType = Output;
  virtual ~BatchTransform();
  virtual Output apply_batch(Input batch) = 0;
};
template <typename One, typename Batch = std::vector<One>>
using Collation = BatchTransform<Batch, One>;

template <typename One = Example<>>
struct Stack : Collation<One> {
  One apply_batch(std::vector<One> examples) override;
};

template <typename Input, typename Output = Input>
class BatchLambda : public BatchTransform<Input, Output> {
 public:
  explicit BatchLambda(std::function<Output(Input)> function);
  Output apply_batch(Input batch) override;

 private:
  std::function<Output(Input)> function_;
};

}  // namespace transforms

namespace samplers {
class RandomSampler;
}  // namespace samplers

template <typename Dataset, typename Batch>
class DataLoaderBase {
 public:
  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    using pointer = Batch*;
    using reference = Batch&;
    Batch& operator*();
    Batch* operator->();
    Iterator& operator++();
    bool operator!=(const Iterator& other) const;
  };
  Iterator begin();
  Iterator end();
};

template <typename Dataset, typename Sampler>
class StatelessDataLoader : public DataLoaderBase<Dataset, typename Dataset::BatchType> {};

struct DataLoaderOptions {
  DataLoaderOptions(size_t batch_size = 1);
  DataLoaderOptions& batch_size(size_t size);
  DataLoaderOptions& workers(size_t count);
};

// As in LibTorch, no candidate is left for a data set of a class that does not say whether it has a state.
template <typename Sampler = samplers::RandomSampler, typename Dataset>
std::enable_if_t<!Dataset::is_stateful, std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>> make_data_loader(
    Dataset dataset, DataLoaderOptions options = DataLoaderOptions());

}  // namespace data
}  // namespace torch

// As LibTorch's TORCH_MODULE.
#define TORCH_MODULE(Name)                                   \
  class Name : public torch::nn::ModuleHolder<Name##Impl> {  \
   public:                                                   \
    using torch::nn::ModuleHolder<Name##Impl>::ModuleHolder; \
    using Impl = Name##Impl;                                 \
  }
