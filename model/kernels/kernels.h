// The room `kernels`: the arithmetic of a neural network on this machine's processor.
//
// Running a model means a few kinds of loops over large arrays of numbers. The room holds these
// loops. It knows nothing of models, files or text.
//
//   matmul.h           products of matrices of floats, on oneDNN
//   block_matmul.h     products with weights in blocks, as a file stores them, by loops of our own
//   panel_matrix.h     the weights of such a product, laid out once when a model is loaded
//   activation_rows.h  the activations of such a product, in 8 bits or in bfloat16
//   vector_kernels.h   every other loop: norms, softmax, rotation, sums
//   bfloat16.h         the 16-bit float of operands, where the processor multiplies it natively
//   worker_pool.h      the threads that share one task
//   processor_cores.h  how many threads a machine is good for
//
// Example: the product y = x * transpose(W) of one token, on two threads. W was packed once as two
// shards, the upper and the lower half of its rows. WorkerPool::Run(2, piece) calls piece(0) on
// one thread and piece(1) on the other; piece(i) calls MatmulRunner::Linear on shard i and then
// lets a loop of VectorKernels use the results while they are still in the cache of that thread's
// core.
//
// This header is the room's face: other rooms include this header and no other of the room.
// Thread rule: each header has its own.
#pragma once

#include "model/kernels/activation_rows.h"
#include "model/kernels/bfloat16.h"
#include "model/kernels/block_matmul.h"
#include "model/kernels/matmul.h"
#include "model/kernels/panel_matrix.h"
#include "model/kernels/processor_cores.h"
#include "model/kernels/vector_kernels.h"
#include "model/kernels/worker_pool.h"
