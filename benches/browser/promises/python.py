# The Python libraries: reads a call from each line of stdin, as JSON, and writes its outcome: `result`, `lacks` or `error`, and `after`, self.

import base64, json, sys

import ml_dtypes
import numpy as np

library = sys.argv[1]
names = {'bool': np.bool_, 'bfloat16': ml_dtypes.bfloat16, **{name: getattr(np, name) for name in
         'int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64'.split()}}


class Lacks(Exception):
    pass


def decode(value):
    if isinstance(value, dict) and 'dtype' in value:
        return np.frombuffer(base64.b64decode(value['data']), names[value['dtype']]).reshape(value['shape']).copy()
    return value


def encode(array):
    array = np.asarray(array)
    return {'dtype': array.dtype.name, 'shape': list(array.shape), 'data': base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()}


def reductions(options, *known):
    if set(options) - set(known):
        raise Lacks('no option ' + ', '.join(sorted(set(options) - set(known))))


def one_dtype(x, args, options):
    """Comparisons of two dtypes are left out: a library that converts both to one first would lose digits there, as it documents."""
    reductions(options)
    if any(getattr(one, 'dtype', None) != x.dtype for one in args.values()):
        raise Lacks('two tensors of one dtype')


def columns(indices):
    """The numbers of index tuples, by their place in the tuple, as fancy indexing has them."""
    if indices.shape[-1] == 0:
        raise Lacks('tuples of no numbers')
    return tuple(indices[..., k] for k in range(indices.shape[-1]))


def along(index, dim):
    """The indices of every entry of an index along dim, as NumPy's fancy indexing has them."""
    at = list(np.indices(index.shape))
    at[dim] = index
    return tuple(at)


def aligned(x, y, options):
    if options.get('axis', -1) not in (-1, x.ndim - y.ndim):
        raise Lacks('no axis: dimensions are aligned at the end')
    return y


def common(op, x, args, options, m):
    """What NumPy, PyTorch and JAX share. `m` maps names to functions of the library, which take arrays of it."""
    dim = args.get('dim')
    if op in ('add', 'sub', 'maximum', 'minimum'):
        reductions(options)
        return m[op](x, args['other'])
    if op == 'div' and np.dtype(str(x.dtype).replace('torch.', '') if 'bfloat' not in str(x.dtype) else 'float32').kind == 'f':
        reductions(options)
        return m[op](x, args['other'])
    if op == 'elementwise_mul':
        reductions(options, 'axis')
        return m['mul'](x, aligned(x, args['y'], options))
    if op in ('sum', 'prod', 'amax', 'amin'):
        reductions(options, 'keepdim')
        dims = tuple(dim) if isinstance(dim, list) else dim
        return m[op](x, dims, options.get('keepdim', False))
    raise Lacks('not tried: ' + op)


comparisons = {'lt': 'less', 'le': 'less_equal', 'gt': 'greater', 'ge': 'greater_equal', 'eq': 'equal', 'ne': 'not_equal', 'isnan': 'isnan',
               'logical_and': 'logical_and', 'logical_or': 'logical_or', 'logical_not': 'logical_not'}


def read_or_combine(lib, op, x, args, options):
    """The operators that NumPy and JAX call alike, by the module of either."""
    dim, index = args.get('dim'), args.get('index')
    if op in ('gather', 'take_along_dim') and dim is not None:
        reductions(options)
        return lib.take_along_axis(x, index, dim)
    if op == 'index_select':
        reductions(options)
        return lib.take(x, index, dim)
    if op == 'gather_nd':
        reductions(options)
        return x[columns(args['indices'])]
    if op in comparisons:
        one_dtype(x, args, options)
        return getattr(lib, comparisons[op])(x, *args.values())
    if op == 'where':
        reductions(options)
        return lib.where(x, args['x'], args['y'])
    if op == 'compress':
        reductions(options, 'dim')
        return lib.compress(x, args['x'], axis=options.get('dim'))
    if op == 'flatnonzero':
        reductions(options)
        return lib.flatnonzero(x)
    if op == 'bincount':
        reductions(options, 'minlength')
        return lib.bincount(x, minlength=options.get('minlength', 0))
    return common(op, x, args, options, {
        'add': lib.add, 'sub': lib.subtract, 'div': lib.divide, 'mul': lib.multiply, 'maximum': lib.maximum, 'minimum': lib.minimum,
        'sum': lambda a, d, k: lib.sum(a, d, keepdims=k), 'prod': lambda a, d, k: lib.prod(a, d, keepdims=k),
        'amax': lambda a, d, k: lib.max(a, d, keepdims=k), 'amin': lambda a, d, k: lib.min(a, d, keepdims=k)})


def run_numpy(op, x, args, options):
    if x.dtype == ml_dtypes.bfloat16:
        raise Lacks('no bfloat16')
    dim, index, src = args.get('dim'), args.get('index'), args.get('src')
    at_of = {'add': np.add, 'multiply': np.multiply, 'sum': np.add, 'prod': np.multiply, 'amax': np.maximum, 'amin': np.minimum, 'sub': np.subtract}
    reduce = options.get('reduce')
    if op in ('scatter_', 'scatter_add_axis', 'scatter_reduce'):
        reductions(options, 'reduce', 'include_self')
        if options.get('include_self') is False or reduce == 'mean' or not isinstance(src, np.ndarray) or src.shape != index.shape:
            raise Lacks('one update for each index, self included')
        table = x if op == 'scatter_' else x.copy()
        if op == 'scatter_' and reduce is None:
            table[along(index, dim)] = src
        else:
            at_of[reduce or 'add'].at(table, along(index, dim), src)
        return table
    if op in ('scatter_nd', 'scatter_add_nd'):
        reductions(options, 'reduce')
        if reduce == 'div':
            raise Lacks('no integer division')
        table, at = x.copy(), columns(args['indices'])
        if op == 'scatter_nd' and reduce is None:
            table[at] = args['updates']
        else:
            at_of[reduce or 'add'].at(table, at, args['updates'])
        return table
    if op in ('gather', 'take_along_dim') and dim is not None and not index.shape:
        raise Lacks('not tried: ' + op)
    return read_or_combine(np, op, x, args, options)


def run_torch(op, x, args, options):
    dim, index, src = args.get('dim'), args.get('index'), args.get('src')
    reduce = options.get('reduce')

    def start(at, size):  # negative ones from the end, which most of PyTorch's scatters and gathers do not count
        return torch.where((at < 0) & (at >= -size), at + size, at)
    if op in ('scatter_', 'scatter_add_axis', 'scatter_reduce', 'gather', 'index_select', 'index_add', 'index_copy') and -x.ndim <= dim < x.ndim:
        index = start(index.to(torch.int64), x.shape[dim])
    if op == 'scatter_':
        reductions(options, 'reduce')
        value = args.get('value', src)
        return x.scatter_(dim, index, value, reduce=reduce) if reduce else x.scatter_(dim, index, value)
    if op == 'scatter_add_axis':
        reductions(options)
        return x.scatter_add(dim, index, src)
    if op == 'scatter_reduce':
        reductions(options, 'reduce', 'include_self')
        return x.scatter_reduce(dim, index, src, reduce, include_self=options.get('include_self', True))
    if op == 'index_add':
        reductions(options, 'alpha')
        return x.index_add(dim, index, src, alpha=options.get('alpha', 1))
    if op == 'index_copy':
        reductions(options)
        return x.index_copy(dim, index, src)
    if op in ('scatter_nd', 'scatter_add_nd'):
        reductions(options, 'reduce')
        if op == 'scatter_nd' and reduce not in (None, 'add'):
            raise Lacks('no scatter by tuples with ' + reduce)
        at = columns(args['indices'].to(torch.int64))
        return x.index_put(at, args['updates'], accumulate=op == 'scatter_add_nd' or reduce == 'add')
    if op == 'gather':
        reductions(options)
        return x.gather(dim, index)
    if op == 'index_select':
        reductions(options)
        return x.index_select(dim, index)
    if op == 'take_along_dim' and dim is not None:
        reductions(options)
        return torch.take_along_dim(x, index.to(torch.int64), dim)
    if op in comparisons:
        one_dtype(x, args, options)
        return getattr(torch, op)(x, *args.values())
    if op == 'where':
        reductions(options)
        return torch.where(x, args['x'], args['y'])
    if op == 'bincount':
        reductions(options, 'minlength')
        return torch.bincount(x, minlength=options.get('minlength', 0))
    if op in ('sum', 'prod') and not x.dtype.is_floating_point and not x.dtype.is_signed and x.dtype != torch.bool:
        raise Lacks('its sums of unsigned integers are int64')
    if op == 'prod' and isinstance(dim, list) and len(dim) != 1:
        raise Lacks('a product along one dimension')
    extreme = lambda f: lambda a, d, k: f(a, () if d is None else d, k)
    return common(op, x, args, options, {
        'add': torch.add, 'sub': torch.sub, 'div': torch.div, 'mul': torch.mul, 'maximum': torch.maximum, 'minimum': torch.minimum,
        'sum': lambda a, d, k: torch.sum(a, d, keepdim=k), 'prod': lambda a, d, k: torch.prod(a) if d is None else torch.prod(a, d if isinstance(d, int) else d[0], keepdim=k),
        'amax': extreme(torch.amax), 'amin': extreme(torch.amin)})


def run_jax(op, x, args, options):
    dim, index, src = args.get('dim'), args.get('index'), args.get('src')
    reduce = options.get('reduce')
    how = {None: 'set', 'add': 'add', 'multiply': 'multiply', 'sum': 'add', 'prod': 'multiply', 'amax': 'max', 'amin': 'min', 'sub': 'subtract'}
    if op in ('scatter_', 'scatter_add_axis', 'scatter_reduce'):
        reductions(options, 'reduce', 'include_self')
        if options.get('include_self') is False or reduce == 'mean' or not hasattr(src, 'shape') or src.shape != index.shape:
            raise Lacks('one update for each index, self included')
        at = x.at[tuple(jnp.asarray(one) for one in along(np.asarray(index), dim))]
        return getattr(at, 'add' if op == 'scatter_add_axis' else how[reduce])(src)
    if op in ('scatter_nd', 'scatter_add_nd'):
        reductions(options, 'reduce')
        if reduce == 'div':
            raise Lacks('no integer division')
        at = x.at[columns(args['indices'])]
        return getattr(at, 'add' if op == 'scatter_add_nd' else how[reduce])(args['updates'])
    return read_or_combine(jnp, op, x, args, options)


nodes = {'lt': 'Less', 'le': 'LessOrEqual', 'gt': 'Greater', 'ge': 'GreaterOrEqual', 'eq': 'Equal', 'isnan': 'IsNaN', 'logical_and': 'And', 'logical_or': 'Or',
         'logical_not': 'Not', 'where': 'Where'}


def run_onnx(op, x, args, options):
    words = {None: 'none', 'add': 'add', 'multiply': 'mul', 'sum': 'add', 'prod': 'mul', 'amax': 'max', 'amin': 'min'}
    dim, index, src = args.get('dim'), args.get('index'), args.get('src')
    of, attributes, keep = None, {}, {'keepdims': 1 if options.get('keepdim') else 0}
    if op in ('scatter_', 'scatter_add_axis', 'scatter_reduce'):
        reductions(options, 'reduce', 'include_self')
        if options.get('include_self') is False or options.get('reduce') not in words or not isinstance(src, np.ndarray) or src.shape != index.shape:
            raise Lacks('one update for each index, self included')
        kind, operands = 'ScatterElements', [index, src]
        attributes = {'axis': dim, 'reduction': 'add' if op == 'scatter_add_axis' else words[options.get('reduce')]}
    elif op in ('scatter_nd', 'scatter_add_nd'):
        reductions(options, 'reduce')
        if options.get('reduce') not in words:
            raise Lacks('no scatter with ' + options['reduce'])
        kind, operands, attributes = 'ScatterND', [args['indices'], args['updates']], {'reduction': 'add' if op == 'scatter_add_nd' else words[options.get('reduce')]}
    elif op in ('gather', 'index_select', 'gather_nd'):
        reductions(options)
        kind, operands = {'gather': 'GatherElements', 'index_select': 'Gather', 'gather_nd': 'GatherND'}[op], [args['indices'] if op == 'gather_nd' else index]
        attributes = {} if op == 'gather_nd' else {'axis': dim}
    elif op in ('add', 'sub', 'maximum', 'minimum') or (op == 'div' and x.dtype.kind == 'f'):
        reductions(options)
        kind, operands = {'add': 'Add', 'sub': 'Sub', 'div': 'Div', 'maximum': 'Max', 'minimum': 'Min'}[op], [args['other']]
    elif op == 'elementwise_mul':
        reductions(options, 'axis')
        kind, operands = 'Mul', [aligned(x, args['y'], options)]
    elif op in ('sum', 'prod', 'amax', 'amin'):
        reductions(options, 'keepdim')
        if op in ('sum', 'prod') and x.dtype.kind in 'iub':
            raise Lacks('sums keep their dtype')
        dims = [] if dim is None else dim if isinstance(dim, list) else [dim]
        kind, operands, attributes = {'sum': 'ReduceSum', 'prod': 'ReduceProd', 'amax': 'ReduceMax', 'amin': 'ReduceMin'}[op], [np.array(dims, np.int64)], keep
    elif op in nodes:
        one_dtype(x if op != 'where' else args['x'], {name: one for name, one in args.items() if name != 'x'}, options)
        kind, operands, of = nodes[op], list(args.values()), args['x'] if op == 'where' else np.zeros(0, np.bool_)
    elif op == 'compress':
        reductions(options, 'dim')
        kind, operands, of, attributes = 'Compress', [x], args['x'], {} if options.get('dim') is None else {'axis': options['dim']}
        x = args['x']
    else:
        raise Lacks('not tried: ' + op)
    inputs = [x, *operands]
    if any(not isinstance(one, np.ndarray) for one in inputs):
        raise Lacks('tensors only')
    type_of = lambda one: onnx.helper.np_dtype_to_tensor_dtype(one.dtype)
    node = onnx.helper.make_node(kind, [f'in{k}' for k in range(len(inputs))], ['out'], **attributes)
    values = [onnx.helper.make_tensor_value_info(f'in{k}', type_of(one), list(one.shape)) for k, one in enumerate(inputs)]
    graph = onnx.helper.make_graph([node], 'g', values, [onnx.helper.make_tensor_value_info('out', type_of(x if of is None else of), None)])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid('', 18)])
    return ReferenceEvaluator(model).run(None, {f'in{k}': one for k, one in enumerate(inputs)})[0]


if library == 'numpy':
    version, run, to, back = np.__version__, run_numpy, lambda a: a, lambda a: a
elif library == 'torch':
    import torch
    torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 2)
    version, run = torch.__version__, run_torch
    to = lambda a: torch.from_numpy(a.view(np.int16)).view(torch.bfloat16) if a.dtype == ml_dtypes.bfloat16 else torch.from_numpy(a)
    back = lambda a: a.detach().contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16) if a.dtype == torch.bfloat16 else a.detach().numpy()
elif library == 'jax':
    import jax
    import jax.numpy as jnp
    jax.config.update('jax_enable_x64', True)
    version, run, to, back = jax.__version__, run_jax, jnp.asarray, np.asarray
else:
    import onnx
    import onnx.helper
    from onnx.reference import ReferenceEvaluator
    version, run, to, back = onnx.__version__, run_onnx, lambda a: a, lambda a: a

np.seterr(all='ignore')
print(json.dumps({'version': version}), flush=True)
for line in sys.stdin:
    call = json.loads(line)
    answer = {}
    try:
        x = to(decode(call['self'])) if isinstance(call['self'], dict) else None
        if x is None:
            raise Lacks('self is no tensor')
        args = {name: to(one) if isinstance(one, np.ndarray) else one for name, one in ((name, decode(value)) for name, value in call['args'].items())}
        options = {name: to(one) if isinstance(one, np.ndarray) else one for name, one in ((name, decode(value)) for name, value in call['options'].items())}
        try:
            answer['result'] = encode(back(run(call['op'], x, args, options)))
        finally:
            answer['after'] = encode(back(x))
    except Lacks as lack:
        answer = {'lacks': str(lack)}
    except Exception as error:
        answer['error'] = type(error).__name__ + ': ' + str(error)
    print(json.dumps(answer), flush=True)
