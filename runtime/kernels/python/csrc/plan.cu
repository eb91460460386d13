// torch.classes.syncsniff.Plan: the many-tensor operations on PyTorch tensors.
#include <ATen/Functions.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/custom_class.h>
#include <torch/library.h>

#include <memory>
#include <syncsniff/multi_tensor_optimizers.cuh>
#include <syncsniff/torch_tensors.cuh>
#include <tuple>
#include <variant>

namespace {

namespace mt = syncsniff::multi_tensor;
using Tensors = std::vector<at::Tensor>;

void check(cudaError_t error, const char* what) {
  TORCH_CHECK(error == cudaSuccess, "syncsniff: ", what, ": ", cudaGetErrorString(error));
}

// A list of any of the element types.
class AnyList {
 public:
  template <typename T, typename P>
  mt::List<T>& follow(const mt::Plan<P>& plan, const Tensors& tensors, cudaStream_t stream) {
    if (!std::holds_alternative<mt::List<T>>(list_)) list_.template emplace<mt::List<T>>();
    auto& list = std::get<mt::List<T>>(list_);
    check(mt::follow(list, plan, tensors, stream), "list of tensors");
    return list;
  }

 private:
  std::variant<mt::List<float>, mt::List<__half>, mt::List<__nv_bfloat16>> list_;
};

class Plan : public torch::CustomClassHolder {
 public:
  explicit Plan(Tensors tensors) : tensors_(std::move(tensors)) {
    TORCH_CHECK(!tensors_.empty(), "syncsniff: a plan needs at least one tensor");
    TORCH_CHECK(tensors_[0].is_cuda(), "syncsniff: tensor 0 is not on a GPU");
    const c10::cuda::CUDAGuard guard(tensors_[0].device());
    switch (tensors_[0].scalar_type()) {
      case at::kFloat:
        plan_.emplace<mt::Plan<float>>();
        break;
      case at::kHalf:
        plan_.emplace<mt::Plan<__half>>();
        break;
      case at::kBFloat16:
        plan_.emplace<mt::Plan<__nv_bfloat16>>();
        break;
      default:
        TORCH_CHECK(false, "syncsniff: tensors of float32, float16 or bfloat16, not of ",
                    c10::toString(tensors_[0].scalar_type()));
    }
    std::visit([&](auto& plan) { check(mt::build(plan, tensors_, stream()), "plan"); }, plan_);
  }

  void update(Tensors tensors) {
    const c10::cuda::CUDAGuard guard(device());
    check_layout(tensors);
    std::visit([&](auto& plan) { check(mt::update(plan, tensors, stream()), "update"); }, plan_);
    tensors_ = std::move(tensors);
  }

  // Each gives (one value a tensor, one over all of them), on the device.
  std::tuple<at::Tensor, at::Tensor> sum() {
    return reduce<float>([](auto&... a) { return mt::sum(a...); });
  }
  std::tuple<at::Tensor, at::Tensor> mean() {
    return reduce<float>([](auto&... a) { return mt::mean(a...); });
  }
  std::tuple<at::Tensor, at::Tensor> l2_norm() {
    return reduce<float>([](auto&... a) { return mt::l2_norm(a...); });
  }
  std::tuple<at::Tensor, at::Tensor> abs_max() {
    return reduce<float>([](auto&... a) { return mt::abs_max(a...); });
  }
  std::tuple<at::Tensor, at::Tensor> any_nonfinite() {
    return reduce<int>([](auto&... a) { return mt::any_nonfinite(a...); });
  }

  void zero_() {
    in_place([&](auto& plan) { return mt::zero(plan, stream()); });
  }
  void scale_(double factor) {
    in_place([&](auto& plan) { return mt::scale(plan, static_cast<float>(factor), stream()); });
  }
  // x = a * other + b * x
  void axpby_(double a, const Tensors& other, double b) {
    in_place([&](auto& plan) {
      return with_list(0, plan, other, [&](auto& list) {
        return mt::axpby(static_cast<float>(a), list, static_cast<float>(b), plan, stream());
      });
    });
  }
  // The norm before clipping, on the device.
  at::Tensor clip_by_total_norm_(double max_norm) {
    at::Tensor norm = at::empty({}, options(at::kFloat));
    in_place([&](auto& plan) {
      return mt::clip_by_total_norm(plan, static_cast<float>(max_norm), norm.mutable_data_ptr<float>(), stream());
    });
    return norm;
  }
  void adamw_(const Tensors& gradients, const Tensors& means, const Tensors& squares, double learning_rate,
              double beta1, double beta2, double epsilon, double weight_decay, int64_t step) {
    mt::AdamW options;
    options.learning_rate = static_cast<float>(learning_rate);
    options.beta1 = static_cast<float>(beta1);
    options.beta2 = static_cast<float>(beta2);
    options.epsilon = static_cast<float>(epsilon);
    options.weight_decay = static_cast<float>(weight_decay);
    options.step = static_cast<int>(step);
    in_place([&](auto& plan) {
      return with_list(0, plan, gradients, [&](auto& g) {
        return with_state(plan, means, [&](auto& state_type) {
          using S = std::decay_t<decltype(state_type)>;
          auto& m = list<S>(1, plan, means);
          auto& v = list<S>(2, plan, squares);
          return mt::adamw(plan, g, m, v, options, stream());
        });
      });
    });
  }
  void sgd_momentum_(const Tensors& gradients, const Tensors& velocities, double learning_rate, double momentum,
                     double weight_decay, bool nesterov) {
    mt::SgdMomentum options;
    options.learning_rate = static_cast<float>(learning_rate);
    options.momentum = static_cast<float>(momentum);
    options.weight_decay = static_cast<float>(weight_decay);
    options.nesterov = nesterov;
    in_place([&](auto& plan) {
      return with_list(0, plan, gradients, [&](auto& g) {
        return with_state(plan, velocities, [&](auto& state_type) {
          using S = std::decay_t<decltype(state_type)>;
          return mt::sgd_momentum(plan, g, list<S>(1, plan, velocities), options, stream());
        });
      });
    });
  }

 private:
  c10::Device device() const { return tensors_[0].device(); }
  cudaStream_t stream() const { return at::cuda::getCurrentCUDAStream(device().index()); }
  at::TensorOptions options(at::ScalarType type) const { return at::TensorOptions().device(device()).dtype(type); }

  // Elements are paired in the order of memory.
  void check_layout(const Tensors& tensors) const {
    for (std::size_t i = 0; i < tensors.size() && i < tensors_.size(); ++i) {
      TORCH_CHECK(mt::same_layout(tensors[i], tensors_[i]), "syncsniff: tensor ", std::to_string(i),
                  " has other strides than the plan's: make both contiguous()");
    }
  }

  template <typename Output, typename Operation>
  std::tuple<at::Tensor, at::Tensor> reduce(Operation operation) {
    const c10::cuda::CUDAGuard guard(device());
    const auto count = static_cast<int64_t>(tensors_.size());
    at::Tensor out = at::empty({count + 1}, options(c10::CppTypeToScalarType<Output>::value));  // one for both
    Output* each = out.mutable_data_ptr<Output>();
    Output* total = each + count;
    cudaStream_t on = stream();
    std::visit([&](auto& plan) { check(operation(plan, each, total, on), "reduction"); }, plan_);
    return {out.narrow(0, 0, count), out.select(0, count)};
  }
  template <typename Operation>
  void in_place(Operation operation) {
    const c10::cuda::CUDAGuard guard(device());
    std::visit([&](auto& plan) { check(operation(plan), "operation"); }, plan_);
  }
  template <typename T, typename P>
  mt::List<T>& list(int slot, const mt::Plan<P>& plan, const Tensors& tensors) {
    check_layout(tensors);
    return lists_[slot].template follow<T>(plan, tensors, stream());
  }
  // Lists of the plan's own type.
  template <typename P, typename Operation>
  cudaError_t with_list(int slot, mt::Plan<P>& plan, const Tensors& tensors, Operation operation) {
    return operation(list<P>(slot, plan, tensors));
  }
  // Optimizer states are of the plan's type or float32.
  template <typename P, typename Operation>
  cudaError_t with_state(mt::Plan<P>&, const Tensors& tensors, Operation operation) {
    TORCH_CHECK(!tensors.empty(), "syncsniff: no state");
    if (tensors[0].scalar_type() == at::kFloat) {
      float type{};
      return operation(type);
    }
    P type{};
    return operation(type);
  }

  Tensors tensors_;
  std::variant<mt::Plan<float>, mt::Plan<__half>, mt::Plan<__nv_bfloat16>> plan_;
  AnyList lists_[3];
};

}  // namespace

TORCH_LIBRARY(syncsniff, m) {
  m.class_<Plan>("Plan")
      .def(torch::init<Tensors>())
      .def("update", &Plan::update)
      .def("sum", &Plan::sum)
      .def("mean", &Plan::mean)
      .def("l2_norm", &Plan::l2_norm)
      .def("abs_max", &Plan::abs_max)
      .def("any_nonfinite", &Plan::any_nonfinite)
      .def("zero_", &Plan::zero_)
      .def("scale_", &Plan::scale_)
      .def("axpby_", &Plan::axpby_)
      .def("clip_by_total_norm_", &Plan::clip_by_total_norm_)
      .def("adamw_", &Plan::adamw_)
      .def("sgd_momentum_", &Plan::sgd_momentum_);
}
