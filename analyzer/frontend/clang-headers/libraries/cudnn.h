// cuDNN's types, and its functions as syncsniff's own tables list them, for machines without cuDNN. Descriptor setters
// accept any arguments, since only the descriptor matters to the analyzer.
#pragma once

#include <cuda_runtime_api.h>

#define CUDNN_MAJOR 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 0
#define CUDNN_VERSION 8900

typedef struct cudnnContext *cudnnHandle_t;
typedef enum {
  CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_NOT_INITIALIZED = 1, CUDNN_STATUS_ALLOC_FAILED = 2, CUDNN_STATUS_BAD_PARAM = 3,
  CUDNN_STATUS_INTERNAL_ERROR = 4, CUDNN_STATUS_INVALID_VALUE = 5, CUDNN_STATUS_ARCH_MISMATCH = 6,
  CUDNN_STATUS_MAPPING_ERROR = 7, CUDNN_STATUS_EXECUTION_FAILED = 8, CUDNN_STATUS_NOT_SUPPORTED = 9
} cudnnStatus_t;
typedef enum {
  CUDNN_DATA_FLOAT = 0, CUDNN_DATA_DOUBLE = 1, CUDNN_DATA_HALF = 2, CUDNN_DATA_INT8 = 3, CUDNN_DATA_INT32 = 4,
  CUDNN_DATA_BFLOAT16 = 9
} cudnnDataType_t;
typedef enum { CUDNN_DEFAULT_MATH = 0, CUDNN_TENSOR_OP_MATH = 1, CUDNN_FMA_MATH = 3 } cudnnMathType_t;
typedef enum { CUDNN_TENSOR_NCHW = 0, CUDNN_TENSOR_NHWC = 1, CUDNN_TENSOR_NCHW_VECT_C = 2 } cudnnTensorFormat_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 } cudnnNanPropagation_t;
typedef enum { CUDNN_NON_DETERMINISTIC = 0, CUDNN_DETERMINISTIC = 1 } cudnnDeterminism_t;
typedef enum { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum {
  CUDNN_POOLING_MAX = 0, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;
typedef enum {
  CUDNN_ACTIVATION_SIGMOID = 0, CUDNN_ACTIVATION_RELU = 1, CUDNN_ACTIVATION_TANH = 2, CUDNN_ACTIVATION_CLIPPED_RELU = 3,
  CUDNN_ACTIVATION_ELU = 4, CUDNN_ACTIVATION_IDENTITY = 5
} cudnnActivationMode_t;
typedef enum { CUDNN_SOFTMAX_FAST = 0, CUDNN_SOFTMAX_ACCURATE = 1, CUDNN_SOFTMAX_LOG = 2 } cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 } cudnnSoftmaxMode_t;
typedef enum {
  CUDNN_BATCHNORM_PER_ACTIVATION = 0, CUDNN_BATCHNORM_SPATIAL = 1, CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;
typedef enum { CUDNN_OP_TENSOR_ADD = 0, CUDNN_OP_TENSOR_MUL = 1, CUDNN_OP_TENSOR_MIN = 2, CUDNN_OP_TENSOR_MAX = 3 } cudnnOpTensorOp_t;
typedef enum {
  CUDNN_REDUCE_TENSOR_ADD = 0, CUDNN_REDUCE_TENSOR_MUL = 1, CUDNN_REDUCE_TENSOR_MIN = 2, CUDNN_REDUCE_TENSOR_MAX = 3,
  CUDNN_REDUCE_TENSOR_AMAX = 4, CUDNN_REDUCE_TENSOR_AVG = 5, CUDNN_REDUCE_TENSOR_NORM1 = 6, CUDNN_REDUCE_TENSOR_NORM2 = 7
} cudnnReduceTensorOp_t;
typedef enum {
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
  CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3, CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6, CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8
} cudnnConvolutionFwdAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} cudnnConvolutionBwdFilterAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;
// From cuDNN 7; many programs still use them.
typedef enum {
  CUDNN_CONVOLUTION_FWD_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_FWD_PREFER_FASTEST = 1,
  CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT = 2
} cudnnConvolutionFwdPreference_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST = 1,
  CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT = 2
} cudnnConvolutionBwdFilterPreference_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST = 1,
  CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT = 2
} cudnnConvolutionBwdDataPreference_t;
typedef enum { CUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0, CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1 } cudnnCTCLossAlgo_t;

#define SYNCSNIFF_DESCRIPTOR(Type, Name)                                       \
  typedef struct Name##Struct *Type;                                           \
  SYNCSNIFF_EXTERN_C cudnnStatus_t cudnn##Create##Name(Type *descriptor);      \
  SYNCSNIFF_EXTERN_C cudnnStatus_t cudnn##Destroy##Name(Type descriptor);      \
  SYNCSNIFF_EXTERN_C cudnnStatus_t cudnn##Set##Name(Type descriptor, ...);
#ifdef __cplusplus
#define SYNCSNIFF_EXTERN_C extern "C"
#else
#define SYNCSNIFF_EXTERN_C
#endif
SYNCSNIFF_DESCRIPTOR(cudnnTensorDescriptor_t, TensorDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnFilterDescriptor_t, FilterDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnConvolutionDescriptor_t, ConvolutionDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnPoolingDescriptor_t, PoolingDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnActivationDescriptor_t, ActivationDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnLRNDescriptor_t, LRNDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnDropoutDescriptor_t, DropoutDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnOpTensorDescriptor_t, OpTensorDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnReduceTensorDescriptor_t, ReduceTensorDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnRNNDescriptor_t, RNNDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnRNNDataDescriptor_t, RNNDataDescriptor)
SYNCSNIFF_DESCRIPTOR(cudnnCTCLossDescriptor_t, CTCLossDescriptor)
#undef SYNCSNIFF_DESCRIPTOR

#define SYNCSNIFF_PERF(Name, Algo) \
  typedef struct { Algo algo; cudnnStatus_t status; float time; size_t memory; cudnnDeterminism_t determinism; \
    cudnnMathType_t mathType; int reserved[3]; } Name;
SYNCSNIFF_PERF(cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t)
SYNCSNIFF_PERF(cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t)
SYNCSNIFF_PERF(cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t)
#undef SYNCSNIFF_PERF

#ifdef __cplusplus
extern "C" {
#endif
size_t cudnnGetVersion(void);
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, ...);
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t, ...);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t, ...);
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t, ...);
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t, ...);
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t, ...);
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t, ...);
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t);
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t, int);
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t, ...);
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t, ...);
cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t, ...);
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t, ...);
cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnBatchNormMode_t);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t, ...);
cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t, ...);
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t, size_t *);
#ifdef __cplusplus
}
#endif

#ifndef SYNCSNIFF_DEFAULT
#ifdef __cplusplus
#define SYNCSNIFF_DEFAULT(value) = value
#else
#define SYNCSNIFF_DEFAULT(value)
#endif
#endif
#include "cudnn_functions.h"
