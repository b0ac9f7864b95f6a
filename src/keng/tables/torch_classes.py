"""Classes of torch that stand in pickles of whole models. Written by tools/pickled_names.py from
torch 2.13.0+cpu."""

CLASSES = frozenset(
    """
torch.ao.nn.intrinsic.modules.fused.BNReLU2d torch.ao.nn.intrinsic.modules.fused.BNReLU3d
torch.ao.nn.intrinsic.modules.fused.ConvAdd2d torch.ao.nn.intrinsic.modules.fused.ConvAddReLU2d
torch.ao.nn.intrinsic.modules.fused.ConvBn1d torch.ao.nn.intrinsic.modules.fused.ConvBn2d
torch.ao.nn.intrinsic.modules.fused.ConvBn3d torch.ao.nn.intrinsic.modules.fused.ConvBnReLU1d
torch.ao.nn.intrinsic.modules.fused.ConvBnReLU2d torch.ao.nn.intrinsic.modules.fused.ConvBnReLU3d
torch.ao.nn.intrinsic.modules.fused.ConvReLU1d torch.ao.nn.intrinsic.modules.fused.ConvReLU2d
torch.ao.nn.intrinsic.modules.fused.ConvReLU3d torch.ao.nn.intrinsic.modules.fused.LinearBn1d
torch.ao.nn.intrinsic.modules.fused.LinearLeakyReLU torch.ao.nn.intrinsic.modules.fused.LinearReLU
torch.ao.nn.intrinsic.modules.fused.LinearTanh torch.ao.nn.intrinsic.modules.fused._FusedModule
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn1d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn2d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn3d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU1d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU2d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU3d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU1d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU2d
torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU3d
torch.ao.nn.intrinsic.qat.modules.conv_fused._ConvBnNd
torch.ao.nn.intrinsic.qat.modules.linear_fused.LinearBn1d
torch.ao.nn.intrinsic.qat.modules.linear_relu.LinearReLU
torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu.LinearReLU
torch.ao.nn.intrinsic.quantized.modules.bn_relu.BNReLU2d
torch.ao.nn.intrinsic.quantized.modules.bn_relu.BNReLU3d
torch.ao.nn.intrinsic.quantized.modules.conv_add.ConvAdd2d
torch.ao.nn.intrinsic.quantized.modules.conv_add.ConvAddReLU2d
torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU1d
torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU2d
torch.ao.nn.intrinsic.quantized.modules.conv_relu.ConvReLU3d
torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearLeakyReLU
torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearReLU
torch.ao.nn.intrinsic.quantized.modules.linear_relu.LinearTanh
torch.ao.nn.qat.dynamic.modules.linear.Linear torch.ao.nn.qat.modules.conv.Conv1d
torch.ao.nn.qat.modules.conv.Conv2d torch.ao.nn.qat.modules.conv.Conv3d
torch.ao.nn.qat.modules.conv._ConvNd torch.ao.nn.qat.modules.embedding_ops.Embedding
torch.ao.nn.qat.modules.embedding_ops.EmbeddingBag torch.ao.nn.qat.modules.linear.Linear
torch.ao.nn.quantizable.modules.activation.MultiheadAttention
torch.ao.nn.quantizable.modules.rnn.LSTM torch.ao.nn.quantizable.modules.rnn.LSTMCell
torch.ao.nn.quantizable.modules.rnn._LSTMLayer
torch.ao.nn.quantizable.modules.rnn._LSTMSingleLayer
torch.ao.nn.quantized.dynamic.modules.conv.Conv1d
torch.ao.nn.quantized.dynamic.modules.conv.Conv2d
torch.ao.nn.quantized.dynamic.modules.conv.Conv3d
torch.ao.nn.quantized.dynamic.modules.conv.ConvTranspose1d
torch.ao.nn.quantized.dynamic.modules.conv.ConvTranspose2d
torch.ao.nn.quantized.dynamic.modules.conv.ConvTranspose3d
torch.ao.nn.quantized.dynamic.modules.linear.Linear torch.ao.nn.quantized.dynamic.modules.rnn.GRU
torch.ao.nn.quantized.dynamic.modules.rnn.GRUCell torch.ao.nn.quantized.dynamic.modules.rnn.LSTM
torch.ao.nn.quantized.dynamic.modules.rnn.LSTMCell
torch.ao.nn.quantized.dynamic.modules.rnn.PackedParameter
torch.ao.nn.quantized.dynamic.modules.rnn.RNNBase
torch.ao.nn.quantized.dynamic.modules.rnn.RNNCell
torch.ao.nn.quantized.dynamic.modules.rnn.RNNCellBase torch.ao.nn.quantized.modules.DeQuantize
torch.ao.nn.quantized.modules.Quantize torch.ao.nn.quantized.modules.activation.ELU
torch.ao.nn.quantized.modules.activation.Hardswish
torch.ao.nn.quantized.modules.activation.LeakyReLU
torch.ao.nn.quantized.modules.activation.MultiheadAttention
torch.ao.nn.quantized.modules.activation.PReLU torch.ao.nn.quantized.modules.activation.ReLU6
torch.ao.nn.quantized.modules.activation.Sigmoid torch.ao.nn.quantized.modules.activation.Softmax
torch.ao.nn.quantized.modules.batchnorm.BatchNorm2d
torch.ao.nn.quantized.modules.batchnorm.BatchNorm3d
torch.ao.nn.quantized.modules.batchnorm._BatchNorm torch.ao.nn.quantized.modules.conv.Conv1d
torch.ao.nn.quantized.modules.conv.Conv2d torch.ao.nn.quantized.modules.conv.Conv3d
torch.ao.nn.quantized.modules.conv.ConvTranspose1d
torch.ao.nn.quantized.modules.conv.ConvTranspose2d
torch.ao.nn.quantized.modules.conv.ConvTranspose3d torch.ao.nn.quantized.modules.conv._ConvNd
torch.ao.nn.quantized.modules.conv._ConvTransposeNd torch.ao.nn.quantized.modules.dropout.Dropout
torch.ao.nn.quantized.modules.embedding_ops.Embedding
torch.ao.nn.quantized.modules.embedding_ops.EmbeddingBag
torch.ao.nn.quantized.modules.embedding_ops.EmbeddingPackedParams
torch.ao.nn.quantized.modules.functional_modules.FXFloatFunctional
torch.ao.nn.quantized.modules.functional_modules.FloatFunctional
torch.ao.nn.quantized.modules.functional_modules.QFunctional
torch.ao.nn.quantized.modules.linear.Linear
torch.ao.nn.quantized.modules.linear.LinearPackedParams
torch.ao.nn.quantized.modules.normalization.GroupNorm
torch.ao.nn.quantized.modules.normalization.InstanceNorm1d
torch.ao.nn.quantized.modules.normalization.InstanceNorm2d
torch.ao.nn.quantized.modules.normalization.InstanceNorm3d
torch.ao.nn.quantized.modules.normalization.LayerNorm torch.ao.nn.quantized.modules.rnn.LSTM
torch.ao.nn.quantized.modules.utils.WeightedQuantizedModule
torch.ao.nn.quantized.reference.modules.conv.Conv1d
torch.ao.nn.quantized.reference.modules.conv.Conv2d
torch.ao.nn.quantized.reference.modules.conv.Conv3d
torch.ao.nn.quantized.reference.modules.conv.ConvTranspose1d
torch.ao.nn.quantized.reference.modules.conv.ConvTranspose2d
torch.ao.nn.quantized.reference.modules.conv.ConvTranspose3d
torch.ao.nn.quantized.reference.modules.conv._ConvNd
torch.ao.nn.quantized.reference.modules.conv._ConvTransposeNd
torch.ao.nn.quantized.reference.modules.linear.Linear
torch.ao.nn.quantized.reference.modules.rnn.GRU
torch.ao.nn.quantized.reference.modules.rnn.GRUCell
torch.ao.nn.quantized.reference.modules.rnn.LSTM
torch.ao.nn.quantized.reference.modules.rnn.LSTMCell
torch.ao.nn.quantized.reference.modules.rnn.RNNBase
torch.ao.nn.quantized.reference.modules.rnn.RNNCell
torch.ao.nn.quantized.reference.modules.rnn.RNNCellBase
torch.ao.nn.quantized.reference.modules.sparse.Embedding
torch.ao.nn.quantized.reference.modules.sparse.EmbeddingBag
torch.ao.nn.quantized.reference.modules.utils.ReferenceQuantizedModule
torch.ao.nn.sparse.quantized.dynamic.linear.Linear torch.ao.nn.sparse.quantized.linear.Linear
torch.ao.nn.sparse.quantized.linear.LinearPackedParams torch.nn.modules.activation.CELU
torch.nn.modules.activation.ELU torch.nn.modules.activation.GELU torch.nn.modules.activation.GLU
torch.nn.modules.activation.Hardshrink torch.nn.modules.activation.Hardsigmoid
torch.nn.modules.activation.Hardswish torch.nn.modules.activation.Hardtanh
torch.nn.modules.activation.LeakyReLU torch.nn.modules.activation.LogSigmoid
torch.nn.modules.activation.LogSoftmax torch.nn.modules.activation.Mish
torch.nn.modules.activation.MultiheadAttention torch.nn.modules.activation.PReLU
torch.nn.modules.activation.RReLU torch.nn.modules.activation.ReLU
torch.nn.modules.activation.ReLU6 torch.nn.modules.activation.SELU
torch.nn.modules.activation.SiLU torch.nn.modules.activation.Sigmoid
torch.nn.modules.activation.Softmax torch.nn.modules.activation.Softmax2d
torch.nn.modules.activation.Softmin torch.nn.modules.activation.Softplus
torch.nn.modules.activation.Softshrink torch.nn.modules.activation.Softsign
torch.nn.modules.activation.Tanh torch.nn.modules.activation.Tanhshrink
torch.nn.modules.activation.Threshold torch.nn.modules.adaptive.AdaptiveLogSoftmaxWithLoss
torch.nn.modules.batchnorm.BatchNorm1d torch.nn.modules.batchnorm.BatchNorm2d
torch.nn.modules.batchnorm.BatchNorm3d torch.nn.modules.batchnorm.LazyBatchNorm1d
torch.nn.modules.batchnorm.LazyBatchNorm2d torch.nn.modules.batchnorm.LazyBatchNorm3d
torch.nn.modules.batchnorm.SyncBatchNorm torch.nn.modules.batchnorm._BatchNorm
torch.nn.modules.batchnorm._LazyNormBase torch.nn.modules.batchnorm._NormBase
torch.nn.modules.channelshuffle.ChannelShuffle torch.nn.modules.container.Container
torch.nn.modules.container.ModuleDict torch.nn.modules.container.ModuleList
torch.nn.modules.container.ParameterDict torch.nn.modules.container.ParameterList
torch.nn.modules.container.Sequential torch.nn.modules.conv.Conv1d torch.nn.modules.conv.Conv2d
torch.nn.modules.conv.Conv3d torch.nn.modules.conv.ConvTranspose1d
torch.nn.modules.conv.ConvTranspose2d torch.nn.modules.conv.ConvTranspose3d
torch.nn.modules.conv.LazyConv1d torch.nn.modules.conv.LazyConv2d torch.nn.modules.conv.LazyConv3d
torch.nn.modules.conv.LazyConvTranspose1d torch.nn.modules.conv.LazyConvTranspose2d
torch.nn.modules.conv.LazyConvTranspose3d torch.nn.modules.conv._ConvNd
torch.nn.modules.conv._ConvTransposeMixin torch.nn.modules.conv._ConvTransposeNd
torch.nn.modules.distance.CosineSimilarity torch.nn.modules.distance.PairwiseDistance
torch.nn.modules.dropout.AlphaDropout torch.nn.modules.dropout.Dropout
torch.nn.modules.dropout.Dropout1d torch.nn.modules.dropout.Dropout2d
torch.nn.modules.dropout.Dropout3d torch.nn.modules.dropout.FeatureAlphaDropout
torch.nn.modules.dropout._DropoutNd torch.nn.modules.flatten.Flatten
torch.nn.modules.flatten.Unflatten torch.nn.modules.fold.Fold torch.nn.modules.fold.Unfold
torch.nn.modules.instancenorm.InstanceNorm1d torch.nn.modules.instancenorm.InstanceNorm2d
torch.nn.modules.instancenorm.InstanceNorm3d torch.nn.modules.instancenorm.LazyInstanceNorm1d
torch.nn.modules.instancenorm.LazyInstanceNorm2d torch.nn.modules.instancenorm.LazyInstanceNorm3d
torch.nn.modules.instancenorm._InstanceNorm torch.nn.modules.linear.Bilinear
torch.nn.modules.linear.Identity torch.nn.modules.linear.LazyLinear torch.nn.modules.linear.Linear
torch.nn.modules.linear.NonDynamicallyQuantizableLinear torch.nn.modules.loss.BCELoss
torch.nn.modules.loss.BCEWithLogitsLoss torch.nn.modules.loss.CTCLoss
torch.nn.modules.loss.CosineEmbeddingLoss torch.nn.modules.loss.CrossEntropyLoss
torch.nn.modules.loss.GaussianNLLLoss torch.nn.modules.loss.HingeEmbeddingLoss
torch.nn.modules.loss.HuberLoss torch.nn.modules.loss.KLDivLoss torch.nn.modules.loss.L1Loss
torch.nn.modules.loss.LinearCrossEntropyLoss torch.nn.modules.loss.MSELoss
torch.nn.modules.loss.MarginRankingLoss torch.nn.modules.loss.MultiLabelMarginLoss
torch.nn.modules.loss.MultiLabelSoftMarginLoss torch.nn.modules.loss.MultiMarginLoss
torch.nn.modules.loss.NLLLoss torch.nn.modules.loss.NLLLoss2d torch.nn.modules.loss.PoissonNLLLoss
torch.nn.modules.loss.SmoothL1Loss torch.nn.modules.loss.SoftMarginLoss
torch.nn.modules.loss.TripletMarginLoss torch.nn.modules.loss.TripletMarginWithDistanceLoss
torch.nn.modules.loss._Loss torch.nn.modules.loss._WeightedLoss torch.nn.modules.module.Module
torch.nn.modules.normalization.CrossMapLRN2d torch.nn.modules.normalization.GroupNorm
torch.nn.modules.normalization.LayerNorm torch.nn.modules.normalization.LocalResponseNorm
torch.nn.modules.normalization.RMSNorm torch.nn.modules.padding.CircularPad1d
torch.nn.modules.padding.CircularPad2d torch.nn.modules.padding.CircularPad3d
torch.nn.modules.padding.ConstantPad1d torch.nn.modules.padding.ConstantPad2d
torch.nn.modules.padding.ConstantPad3d torch.nn.modules.padding.ReflectionPad1d
torch.nn.modules.padding.ReflectionPad2d torch.nn.modules.padding.ReflectionPad3d
torch.nn.modules.padding.ReplicationPad1d torch.nn.modules.padding.ReplicationPad2d
torch.nn.modules.padding.ReplicationPad3d torch.nn.modules.padding.ZeroPad1d
torch.nn.modules.padding.ZeroPad2d torch.nn.modules.padding.ZeroPad3d
torch.nn.modules.padding._CircularPadNd torch.nn.modules.padding._ConstantPadNd
torch.nn.modules.padding._ReflectionPadNd torch.nn.modules.padding._ReplicationPadNd
torch.nn.modules.pixelshuffle.PixelShuffle torch.nn.modules.pixelshuffle.PixelUnshuffle
torch.nn.modules.pooling.AdaptiveAvgPool1d torch.nn.modules.pooling.AdaptiveAvgPool2d
torch.nn.modules.pooling.AdaptiveAvgPool3d torch.nn.modules.pooling.AdaptiveMaxPool1d
torch.nn.modules.pooling.AdaptiveMaxPool2d torch.nn.modules.pooling.AdaptiveMaxPool3d
torch.nn.modules.pooling.AvgPool1d torch.nn.modules.pooling.AvgPool2d
torch.nn.modules.pooling.AvgPool3d torch.nn.modules.pooling.FractionalMaxPool2d
torch.nn.modules.pooling.FractionalMaxPool3d torch.nn.modules.pooling.LPPool1d
torch.nn.modules.pooling.LPPool2d torch.nn.modules.pooling.LPPool3d
torch.nn.modules.pooling.MaxPool1d torch.nn.modules.pooling.MaxPool2d
torch.nn.modules.pooling.MaxPool3d torch.nn.modules.pooling.MaxUnpool1d
torch.nn.modules.pooling.MaxUnpool2d torch.nn.modules.pooling.MaxUnpool3d
torch.nn.modules.pooling._AdaptiveAvgPoolNd torch.nn.modules.pooling._AdaptiveMaxPoolNd
torch.nn.modules.pooling._AvgPoolNd torch.nn.modules.pooling._LPPoolNd
torch.nn.modules.pooling._MaxPoolNd torch.nn.modules.pooling._MaxUnpoolNd torch.nn.modules.rnn.GRU
torch.nn.modules.rnn.GRUCell torch.nn.modules.rnn.LSTM torch.nn.modules.rnn.LSTMCell
torch.nn.modules.rnn.RNN torch.nn.modules.rnn.RNNBase torch.nn.modules.rnn.RNNCell
torch.nn.modules.rnn.RNNCellBase torch.nn.modules.sparse.Embedding
torch.nn.modules.sparse.EmbeddingBag torch.nn.modules.transformer.Transformer
torch.nn.modules.transformer.TransformerDecoder
torch.nn.modules.transformer.TransformerDecoderLayer
torch.nn.modules.transformer.TransformerEncoder
torch.nn.modules.transformer.TransformerEncoderLayer torch.nn.modules.upsampling.Upsample
torch.nn.modules.upsampling.UpsamplingBilinear2d torch.nn.modules.upsampling.UpsamplingNearest2d
torch.nn.parallel.data_parallel.DataParallel torch.nn.parallel.distributed.DistributedDataParallel
torch.optim.adadelta.Adadelta torch.optim.adagrad.Adagrad torch.optim.adam.Adam
torch.optim.adamax.Adamax torch.optim.adamw.AdamW torch.optim.asgd.ASGD torch.optim.lbfgs.LBFGS
torch.optim.lr_scheduler.ChainedScheduler torch.optim.lr_scheduler.ConstantLR
torch.optim.lr_scheduler.CosineAnnealingLR torch.optim.lr_scheduler.CosineAnnealingWarmRestarts
torch.optim.lr_scheduler.CyclicLR torch.optim.lr_scheduler.ExponentialLR
torch.optim.lr_scheduler.LRScheduler torch.optim.lr_scheduler.LambdaLR
torch.optim.lr_scheduler.LinearLR torch.optim.lr_scheduler.MultiStepLR
torch.optim.lr_scheduler.MultiplicativeLR torch.optim.lr_scheduler.OneCycleLR
torch.optim.lr_scheduler.PolynomialLR torch.optim.lr_scheduler.ReduceLROnPlateau
torch.optim.lr_scheduler.SequentialLR torch.optim.lr_scheduler.StepLR
torch.optim.lr_scheduler._LRScheduler torch.optim.nadam.NAdam torch.optim.optimizer.Optimizer
torch.optim.radam.RAdam torch.optim.rmsprop.RMSprop torch.optim.rprop.Rprop torch.optim.sgd.SGD
torch.optim.sparse_adam.SparseAdam torch.optim.swa_utils.AveragedModel torch.optim.swa_utils.SWALR
""".split()
)
