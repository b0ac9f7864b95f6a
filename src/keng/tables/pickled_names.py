"""Names that pickles import: those that are known to do nothing but build a value, and those that are
known to act. All others are not known.

A name is INERT only where a call of it, with whatever arguments a pickle can make, builds a value, fails,
or calls what the pickle must itself import by another name.
"""

from keng.tables.torch_classes import CLASSES

DTYPES = """
float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 uint16 uint32 uint64 bool complex32
complex64 complex128 quint8 qint8 qint32 quint4x2 quint2x4 float8_e4m3fn float8_e4m3fnuz float8_e5m2
float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2 uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2
int3 int4 int5 int6 int7 bits8 bits16 bits1x8 bits2x4 bits4x2 double float half long int short cfloat
cdouble chalf
""".split()
TORCH = """
Tensor Size device dtype layout strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged
per_tensor_affine per_tensor_symmetric per_channel_affine per_channel_symmetric
per_channel_affine_float_qparams contiguous_format channels_last channels_last_3d preserve_format
storage.UntypedStorage storage.TypedStorage serialization._get_layout
nn.parameter.Parameter nn.parameter.Buffer nn.parameter.UninitializedParameter
nn.parameter.UninitializedBuffer _tensor._rebuild_from_type_v2 _tensor.Tensor autograd.Variable
_utils._rebuild_parameter _utils._rebuild_parameter_with_state _utils._rebuild_qtensor
_utils._rebuild_tensor _utils._rebuild_tensor_v2 _utils._rebuild_tensor_v3
_utils._rebuild_sparse_tensor _utils._rebuild_sparse_csr_tensor _utils._rebuild_nested_tensor
_utils._rebuild_meta_tensor_no_storage _utils._rebuild_wrapper_subclass
_utils._rebuild_device_tensor_from_numpy _utils._rebuild_device_tensor_from_cpu_tensor
_utils._rebuild_xla_tensor jit._pickle.build_intlist jit._pickle.build_doublelist
jit._pickle.build_boollist jit._pickle.build_tensorlist jit._pickle.build_tensor_from_id
jit._pickle.restore_type_tag utils.hooks.RemovableHandle
distributed.checkpoint.metadata.Metadata distributed.checkpoint.metadata.MetadataIndex
distributed.checkpoint.metadata.TensorStorageMetadata distributed.checkpoint.metadata.TensorProperties
distributed.checkpoint.metadata.BytesStorageMetadata distributed.checkpoint.metadata.StorageMeta
distributed.checkpoint.metadata.ChunkStorageMetadata
distributed.checkpoint.metadata._MEM_FORMAT_ENCODING distributed.checkpoint.filesystem._StorageInfo
distributed.tensor.DTensor distributed.tensor._dtensor_spec.DTensorSpec
distributed.tensor._dtensor_spec.TensorMeta distributed.tensor.placement_types.Shard
distributed.tensor.placement_types.Replicate distributed.tensor.placement_types.Partial
distributed.tensor.placement_types._StridedShard distributed.tensor._dtensor_spec.ShardOrderEntry
distributed._mesh_layout._MeshLayout distributed._mesh_layout._FlatLayout
distributed._shard.sharding_spec.chunk_sharding_spec.ChunkShardingSpec
distributed._shard.sharding_spec.api.EnumerableShardingSpec
_dynamo.decorators._DimRange distributed._shard.metadata.ShardMetadata
distributed._shard.sharded_tensor.metadata.TensorProperties
nn.utils.rnn.PackedSequence nn.utils.rnn.PackedSequence_ nn.utils.weight_norm.WeightNorm
nn.utils.spectral_norm.SpectralNorm
nn.functional.relu nn.functional.relu6 nn.functional.leaky_relu nn.functional.elu nn.functional.selu
nn.functional.celu nn.functional.silu nn.functional.mish nn.functional.hardswish
nn.functional.hardsigmoid nn.functional.sigmoid nn.functional.tanh nn.functional.softmax
nn.functional.log_softmax _C._nn.gelu _C._nn.softplus
""".split()
STORAGES = """
Double Float Half BFloat16 Long Int Short Char Byte Bool ComplexDouble ComplexFloat QInt8 QUInt8 QInt32
QUInt4x2 QUInt2x4 Untyped Typed
""".split()
TENSORS = "Double Float Half BFloat16 Long Int Short Char Byte Bool".split()
PLACES = ("", ".cuda", ".sparse", ".cuda.sparse")
NUMPY = """
ndarray dtype matrix bool bool_ float16 float32 float64 longdouble complex64 complex128 int8 int16 int32
int64 uint8 uint16 uint32 uint64 intc uintc longlong ulonglong str_ bytes_ datetime64 timedelta64
core.multiarray._reconstruct core.multiarray.scalar _core.multiarray._reconstruct
_core.multiarray.scalar core.numeric._frombuffer _core.numeric._frombuffer
_core.numerictypes.float64 dtypes.Float64DType dtypes.Float32DType dtypes.Float16DType
dtypes.Int64DType dtypes.Int32DType dtypes.Int16DType dtypes.Int8DType dtypes.UInt8DType
dtypes.BoolDType dtypes.UInt16DType dtypes.UInt32DType dtypes.UInt64DType dtypes.Complex128DType
dtypes.Complex64DType dtypes.StrDType dtypes.BytesDType
random._pickle.__randomstate_ctor random._pickle.__bit_generator_ctor random._pickle.__generator_ctor
random._mt19937.MT19937 random._pcg64.PCG64 random._pcg64.PCG64DXSM random._philox.Philox
random._sfc64.SFC64 random.bit_generator.SeedSequence
random.bit_generator.__pyx_unpickle_SeedSequence
""".split()
PYTHON = """
builtins.set builtins.frozenset builtins.bytearray builtins.complex builtins.object builtins.list
builtins.dict builtins.tuple builtins.int builtins.float builtins.bool builtins.str builtins.bytes
builtins.slice builtins.range builtins.Ellipsis _codecs.encode copyreg._reconstructor
copyreg.__newobj__ collections.OrderedDict collections.defaultdict collections.Counter
collections.deque argparse.Namespace types.SimpleNamespace datetime.datetime datetime.date
datetime.time datetime.timedelta datetime.timezone decimal.Decimal fractions.Fraction uuid.UUID
pathlib.PosixPath pathlib.WindowsPath pathlib.Path pathlib.PurePosixPath pathlib.PureWindowsPath
pathlib.PurePath pathlib._local.PosixPath pathlib._local.WindowsPath pathlib._local.PurePosixPath
pathlib._local.PureWindowsPath typing.Any
""".split()
LIBRARIES = """
joblib.numpy_pickle.NumpyArrayWrapper sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper
lightning.fabric.utilities.data.AttributeDict lightning_fabric.utilities.data.AttributeDict
pytorch_lightning.utilities.parsing.AttributeDict lightning.pytorch.utilities.parsing.AttributeDict
omegaconf.dictconfig.DictConfig omegaconf.listconfig.ListConfig omegaconf.base.ContainerMetadata
omegaconf.base.Metadata omegaconf.nodes.AnyNode omegaconf.nodes.IntegerNode
omegaconf.nodes.FloatNode omegaconf.nodes.StringNode omegaconf.nodes.BooleanNode
deepspeed.utils.tensor_fragment.fragment_address deepspeed.runtime.zero.config.ZeroStageEnum
deepspeed.runtime.fp16.loss_scaler.LossScaler deepspeed.runtime.fp16.loss_scaler.DynamicLossScaler
""".split()

INERT = frozenset(
    [
        *PYTHON,
        *LIBRARIES,
        *CLASSES,
        *(f"torch.{name}" for name in (*DTYPES, *TORCH)),
        *(f"torch{where}.{name}Storage" for name in STORAGES for where in ("", ".cuda")),
        *(f"torch{where}.{name}Tensor" for name in TENSORS for where in PLACES),
        *(f"numpy.{name}" for name in NUMPY),
    ]
)

ALLOWED = frozenset(
    [
        *"collections.OrderedDict collections.Counter _codecs.encode".split(),
        *"builtins.bytearray builtins.set builtins.complex torch.Size torch.device".split(),
        *"torch.serialization._get_layout torch._tensor._rebuild_from_type_v2 torch.Tensor".split(),
        "torch.nn.parameter.Parameter",
        *(f"torch.{name}" for name in DTYPES),
        *(f"torch.{name}" for name in TORCH if name.startswith(("_utils.", "storage.", "per_"))),
        *(f"torch{where}.{name}Storage" for name in STORAGES for where in ("", ".cuda")),
        *(f"torch{where}.{name}Tensor" for name in TENSORS for where in PLACES),
    ]
)
"""What torch.load reads with weights_only=True (torch 2.13)."""

ALLOWING = {
    "torchao": ("torchao.",),
    "torch._dynamo": ("torch.nested.", "torch._dynamo."),
    "torch.distributed.tensor": (
        *("torch.distributed.tensor.", "torch.distributed.device_mesh."),
        "torch.distributed._mesh_layout.",
    ),
}
"""Where it is imported, torch.load with weights_only=True takes these (torch 2.13, torchao 0.18)."""


def allowing(names: list[str]) -> str:
    """The module whose import is enough for torch.load to take these; empty where none is."""
    fits = (m for m, own in ALLOWING.items() if all(name.startswith(own) for name in names))
    return next(fits, "")


ACTING = frozenset(
    """
builtins.eval builtins.exec builtins.compile builtins.open builtins.__import__ builtins.setattr
builtins.delattr builtins.globals builtins.locals builtins.vars builtins.input builtins.breakpoint
builtins.map builtins.filter builtins.apply builtins.execfile builtins.file builtins.reload
builtins.classmethod builtins.print builtins.exit builtins.quit operator.attrgetter
operator.methodcaller operator.call _operator.attrgetter _operator.methodcaller _operator.call
functools.reduce _functools.reduce types.FunctionType types.CodeType types.MethodType
types.LambdaType torch.load torch.serialization.load torch.jit.load torch.jit._serialization.load
torch.hub.load torch.hub.load_state_dict_from_url torch.hub.download_url_to_file
torch.utils.model_zoo.load_url torch.storage._load_from_bytes
torch.package.package_importer.PackageImporter torch.classes.load_library torch.ops.load_library
torch.ops._Ops.load_library torch.utils.collect_env.run torch._inductor.codecache.compile_file
torch.distributed.rpc.rpc_sync torch.multiprocessing.spawn.spawn
numpy.load numpy.loadtxt numpy.fromfile numpy.save numpy.savetxt numpy.memmap numpy.ctypeslib.load_library
numpy.testing._private.utils.runstring pandas.eval pandas.read_pickle
pandas.io.pickle.read_pickle logging.FileHandler logging.basicConfig argparse.FileType
copyreg.add_extension copyreg.pickle _codecs.register codecs.open fractions.os
collections.namedtuple dataclasses.make_dataclass enum._make_class_unpicklable random._os
numpy.distutils.exec_command.exec_command torch.jit.CompilationUnit torch._C._jit_compile
torch._ops.load_library torch._classes._Classes.load_library torch.export.load torch._export.load
torch.save torch.from_file torch._C._from_file torch.storage.UntypedStorage.from_file torch.onnx.utils._load
torch.utils._config_module.ConfigModule.load_config numpy.core.multiarray.fromfile
numpy._core.multiarray.fromfile numpy.lib.format.open_memmap numpy.safe_eval numpy.lib.utils.safe_eval
numpy.ndarray.tofile numpy.ndarray.dump dataclasses._create_fn pathlib.Path.write_text
pathlib.Path.write_bytes pathlib.Path.unlink pathlib.Path.rename pathlib.Path.chmod pathlib.Path.open
pathlib.Path.read_text pathlib.Path.read_bytes torch.jit.unsupported_tensor_ops.execWrapper
torch.ops.aten.save torch.ops.aten.from_file torch.ops.prim.rpc_async torch.ops.prim.rpc_sync
torch.ops.prim.rpc_remote torch.export.guards_code sympy.sympify sympy.core.sympify.sympify
sympy.parsing.sympy_parser.parse_expr sympy.parsing.sympy_parser.eval_expr
""".split()
)
ACTING_MODULES = frozenset(
    """
os posix nt posixpath ntpath genericpath subprocess sys shutil socket pty tty ctypes _ctypes importlib
_frozen_importlib _frozen_importlib_external imp runpy code codeop pdb bdb cmd profile cProfile timeit
trace tracemalloc webbrowser multiprocessing threading _thread _threading_local asyncio concurrent ssl
ftplib http urllib urllib2 smtplib telnetlib poplib imaplib nntplib xmlrpc socketserver pip ensurepip
venv distutils setuptools pkg_resources lib2to3 marshal pickle cPickle _pickle dill cloudpickle joblib
shelve zipimport pkgutil pydoc doctest tempfile glob fnmatch io _io fileinput linecache commands popen2
signal resource fcntl mmap idlelib test unittest _osx_support _aix_support _pyrepl platform turtledemo
antigravity uuid site sitecustomize usercustomize sysconfig _sysconfigdata py_compile compileall sqlite3 dbm
cffi nturl2path netrc tarfile zipfile zipapp gzip bz2 lzma wsgiref select selectors readline rlcompleter
inspect gc atexit getpass curses tkinter turtle mailbox mailcap mimetypes pipes popen spwd pwd grp crypt
syslog audioop winreg _winreg _winapi msvcrt faulthandler cgi cgitb csv email filecmp configparser
plistlib stat xml logging.config logging.handlers sched queue contextlib paramiko requests
torch.hub torch.utils.cpp_extension torch.package torch._dynamo torch._inductor torch.fx.graph_module
torch.fx._lazy_graph_module torch.distributed.rpc torch.distributed.launcher torch.distributed.run
torch.distributed.elastic torch.testing torch.utils.benchmark torch.utils.bottleneck torch.utils.file_baton
numpy.lib.npyio numpy.lib._datasource yaml jinja2 mako IPython
torch.utils.data.datapipes torch.utils._content_store torch.fx.experimental numpy.f2py numpy.distutils
numpy.testing _posixsubprocess _socket _ssl _sqlite3 _imp _interpreters _xxsubinterpreters _signal
_multiprocessing _posixshmem keyrings pexpect sh plumbum fabric invoke docker boto3 psutil
_pyio asynchat asyncore aifc modulefinder pstats pyclbr smtpd sndhdr sunau wave chunk weakref gettext
_bootsubprocess symtable tabnanny uu xdrlib this _bz2 _lzma _gdbm _dbm _tkinter _lsprof imghdr codecs
_asyncio _overlapped _msi msilib nis termios ossaudiodev winsound traceback warnings logging ast dis
""".split()
)
"""With everything below them, unless it is INERT."""

QUIET = frozenset(
    """
io.BytesIO _io.BytesIO io.StringIO _io.StringIO contextlib.nullcontext contextlib.suppress
contextlib.ContextDecorator contextlib.AbstractContextManager contextlib.AsyncContextDecorator
inspect.Parameter inspect.Signature inspect.BoundArguments inspect._ParameterKind inspect._empty
inspect.FullArgSpec inspect.ArgInfo inspect.Attribute inspect.ClosureVars inspect.Traceback
http.HTTPStatus http.HTTPMethod http.cookies.SimpleCookie http.cookies.Morsel
http.cookiejar.Cookie signal.Signals signal.Handlers signal.Sigmasks os.stat_result os.terminal_size
os.times_result os.uname_result os.statvfs_result posix.stat_result posix.terminal_size
platform.uname_result logging.getLogger logging.Logger logging.RootLogger logging.Formatter
logging.LogRecord logging.Filter logging.Handler logging.NullHandler logging.LoggerAdapter
logging.PlaceHolder logging.Manager multiprocessing.context.AuthenticationString
threading.local urllib.parse.ParseResult urllib.parse.SplitResult urllib.parse.ParseResultBytes
email.message.Message email.message.EmailMessage email.header.Header email.charset.Charset
csv.Dialect csv.excel csv.excel_tab csv.unix_dialect configparser.ConfigParser
configparser.RawConfigParser configparser.SectionProxy configparser.Interpolation
configparser.BasicInterpolation configparser.ExtendedInterpolation
xml.etree.ElementTree.Element xml.etree.ElementTree.ElementTree zipfile.ZipInfo tarfile.TarInfo
traceback.FrameSummary traceback.StackSummary traceback.TracebackException
warnings.WarningMessage plistlib.UID asyncio.Queue asyncio.queues.Queue asyncio.TimeoutError
asyncio.exceptions.TimeoutError asyncio.exceptions.CancelledError concurrent.futures.TimeoutError
concurrent.futures._base.TimeoutError subprocess.CalledProcessError subprocess.CompletedProcess
subprocess.TimeoutExpired subprocess.SubprocessError socket.AddressFamily socket.SocketKind
socket.timeout socket.gaierror socket.herror ssl.SSLError ssl.TLSVersion tempfile.SpooledTemporaryFile
sqlite3.Row sys.float_info sys.version_info sys.flags resource.struct_rusage gzip.BadGzipFile
weakref.WeakSet weakref.WeakKeyDictionary weakref.WeakValueDictionary weakref.ref weakref.ReferenceType
ast.AST ast.Module ast.Expression ast.Constant ast.Name ast.Load ast.Store
joblib.numpy_pickle.NDArrayWrapper joblib.numpy_pickle.ZNDArrayWrapper
joblib.numpy_pickle_compat.NDArrayWrapper joblib.numpy_pickle_compat.ZNDArrayWrapper
torch._dynamo.eval_frame.OptimizedModule torch._dynamo.eval_frame.OptimizeContext
torch._dynamo.convert_frame.CatchErrorsWrapper torch._dynamo.convert_frame.ConvertFrame
torch._dynamo.convert_frame.ConvertFrameAssert torch._dynamo.convert_frame.ConvertFrameBox
torch._dynamo.repro.after_dynamo.WrapBackendDebug torch._dynamo.hooks.Hooks
""".split()
)
"""Names of modules that act, which do not act themselves: they are not known, and not dangerous."""

SHARED = {
    "code": "interact compile_command InteractiveInterpreter InteractiveConsole CommandCompiler Compile",
    "cmd": "Cmd",
    "trace": "Trace CoverageResults main",
    "profile": "run runctx Profile main",
    "glob": "glob iglob glob0 glob1",
    "test": "support regrtest libregrtest autotest __main__",
    "platform": "popen architecture libc_ver processor uname platform system node freedesktop_os_release",
    "queue": "",
    "stat": "",
    "sched": "",
}
"""Modules of Python whose names packages of users have as well: what of each acts."""
