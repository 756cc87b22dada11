"""Works out expressions with Python itself. Reads JSON from its input, one object a line, and answers each on a line.

What conditions do otherwise on purpose is put into the expression before Python works it out: what is not there is None,
nothing is in None, an attribute of a dict is what is stored under the name, and texts and numbers that are equal are one.
"""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(10_000)

METHODS = set()
FUNCTIONS = (
    abs, all, any, bool, chr, dict, divmod, enumerate, filter, float, format, int, isinstance, iter, len, list, map,
    max, min, next, ord, pow, range, repr, reversed, round, set, sorted, str, sum, tuple, zip,
)  # fmt: skip


class TooMuch(Exception):
    """What Python gives is not looked at: it would take all the memory there is, or the order of a set is in it."""


class Set(set):
    """A set whose order, which Python leaves open, cannot be seen."""

    def __iter__(self):
        if len(self) > 1:
            raise TooMuch
        return super().__iter__()

    def __repr__(self):
        return "{" + repr(next(iter(self))) + "}" if self else "set()"


def of_sets(name):
    def method(self, *others):
        answer = getattr(set, name)(self, *others)
        return Set(answer) if isinstance(answer, set) else answer

    return method


for each in ("union", "intersection", "difference", "symmetric_difference", "copy"):
    setattr(Set, each, of_sets(each))


def unseen(function):
    """What comes of the items of a set in whatever order."""

    def of_items(items, *more, **named):
        # Of those with the same key, the first one counts.
        if isinstance(items, Set) and len(items) > 1 and named.get("key") is not None:
            raise TooMuch
        if named.get("key") in (str, repr):
            named["key"] = shown_by(named["key"])
        return function(list(set.__iter__(items)) if isinstance(items, Set) else items, *more, **named)

    return of_items


def shown_by(function):
    return (lambda value: function(printable(value))) if function in (str, repr) else function


def printable(value):
    if isinstance(value, Set) and len(value) > 1:
        raise TooMuch
    if isinstance(value, (list, tuple, set)):
        for each in value:
            printable(each)
    elif isinstance(value, dict):
        for each in value.items():
            printable(each)
    elif hasattr(value, "__next__") or callable(value):
        raise TypeError("nothing that can be read")
    return value


def attribute(owner, name):
    if owner is not None and name in METHODS and hasattr(owner, name):
        raise TooMuch  # A method that is not called: there is nothing to compare.
    return owner.get(name) if isinstance(owner, dict) else None


def item(owner, key):
    if owner is None:
        return None
    if isinstance(owner, type):
        raise TypeError("types have no items")
    if isinstance(key, str) and not isinstance(owner, dict):
        return None
    try:
        return owner[key]
    except (KeyError, IndexError):
        return None


def same(left, right):
    if type(left) is type(right) and isinstance(left, (int, float, str)):
        return repr(left) == repr(right)
    if isinstance(left, tuple) and left and left == right:
        raise TooMuch  # Whether two that are written alike are one, Python leaves to its compiler.
    return left is right


def contained(left, right):
    return False if right is None else left in right


COMPARISONS = {
    "Eq": lambda left, right: left == right,
    "NotEq": lambda left, right: left != right,
    "Lt": lambda left, right: left < right,
    "LtE": lambda left, right: left <= right,
    "Gt": lambda left, right: left > right,
    "GtE": lambda left, right: left >= right,
    "Is": same,
    "IsNot": lambda left, right: not same(left, right),
    "In": contained,
    "NotIn": lambda left, right: not contained(left, right),
}


def chain(operators, *operands):
    left = operands[0]()
    answer = True
    for operator, operand in zip(operators, operands[1:]):
        right = operand()
        answer = COMPARISONS[operator](left, right)
        if not answer:
            return answer
        left = right
    return answer


def power(base, exponent):
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * exponent > 20_000:
        raise TooMuch
    answer = base**exponent
    if isinstance(answer, complex):
        raise ValueError("complex")
    # Its last digit is the machine's own.
    if isinstance(exponent, float) and not exponent.is_integer():
        raise TooMuch
    return answer


def product(left, right):
    for text, times in ((left, right), (right, left)):
        if isinstance(text, (str, list, tuple)) and isinstance(times, int) and len(text) * times > 2_000:
            raise TooMuch
    return left * right


def bounded_range(*bounds):
    made = range(*bounds)
    if len(made) > 2_000:
        raise TooMuch
    return made


def modulo(left, right):
    return left % (printable(right) if isinstance(left, str) else right)


SETS = {
    "BitOr": lambda left, right: left | right,
    "BitAnd": lambda left, right: left & right,
    "BitXor": lambda left, right: left ^ right,
    "Sub": lambda left, right: left - right,
}


def in_sets(operator, left, right):
    answer = SETS[operator](left, right)
    return Set(answer) if isinstance(answer, set) else answer


def shift(left, right):
    if isinstance(right, int) and right > 20_000:
        raise TooMuch
    return left << right


HELP = {
    "_attribute": attribute,
    "_item": item,
    "_chain": chain,
    "_power": power,
    "_product": product,
    "_shift": shift,
    "_modulo": modulo,
    "_in_sets": in_sets,
    "_set": Set,
    "_printable": printable,
}


class Adapt(ast.NodeTransformer):
    def call(self, name, node, *arguments):
        made = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def visit_Call(self, node):
        # A method is called on its value; only an attribute that is not called is looked up.
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        if isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "format"):
            node.args[:1] = [self.call("_printable", node, each) for each in node.args[:1]]
        return node

    def visit_Name(self, node):
        # Hooks and pipelines have something of that name: it is the function only where it is called.
        return ast.copy_location(ast.Constant(None), node) if node.id == "round" and isinstance(node.ctx, ast.Load) else node

    def visit_FormattedValue(self, node):
        self.generic_visit(node)
        node.value = self.call("_printable", node, node.value)
        return node

    def visit_Set(self, node):
        self.generic_visit(node)
        return self.call("_set", node, ast.List(node.elts, ast.Load()))

    def visit_SetComp(self, node):
        self.generic_visit(node)
        return self.call("_set", node, ast.ListComp(node.elt, node.generators))

    def visit_Attribute(self, node):
        self.generic_visit(node)
        return self.call("_attribute", node, node.value, ast.Constant(node.attr))

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.slice, ast.Slice):
            return node
        return self.call("_item", node, node.value, node.slice)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if not any(isinstance(each, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for each in node.ops):
            return node
        names = ast.Tuple([ast.Constant(type(each).__name__) for each in node.ops], ast.Load())
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        operands = [ast.Lambda(nothing, each) for each in (node.left, *node.comparators)]
        return self.call("_chain", node, names, *operands)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        operator = type(node.op).__name__
        if operator in SETS:
            return self.call("_in_sets", node, ast.Constant(operator), node.left, node.right)
        name = {"Pow": "_power", "Mult": "_product", "LShift": "_shift", "Mod": "_modulo"}.get(operator)
        return node if name is None else self.call(name, node, node.left, node.right)


REFUSED = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.MatMult)


def is_refused(tree):
    """Whether a condition must not be written so, though Python takes it."""
    for node in ast.walk(tree):
        if isinstance(node, REFUSED):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, (bytes, complex, type(...))):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in METHODS:
            return True
        if isinstance(node, ast.keyword) and node.arg is None:
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            if any(isinstance(each, (ast.Slice, ast.Starred)) for each in node.slice.elts):
                return True
    return False


def plain(value):
    """A value with its kinds. Sets are in an order of their own, and so are dicts that were made of them."""
    if value is None:
        return ["none"]
    kind = type(value)
    if kind in (bool, int, float):
        return [kind.__name__, repr(value)]
    if kind is str:
        return ["str", value]
    if kind in (list, tuple):
        return [kind.__name__, [plain(each) for each in value]]
    if kind is dict:
        return ["dict", sorted((plain(each) for each in value.items()), key=json.dumps)]
    if issubclass(kind, set):
        return ["set", sorted((plain(each) for each in set.__iter__(value)), key=json.dumps)]
    if kind is range:
        return ["range", repr(value)]
    if kind.__name__ in ("dict_keys", "dict_values", "dict_items"):
        return [kind.__name__, [plain(each) for each in value]]
    if hasattr(value, "__next__") and not isinstance(value, type):
        return ["iterator", [plain(each) for each in value]]
    return ["callable"]


def answer(text, variables):
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return {"syntax": str(problem)}
    # A tuple without parentheses would always hold.
    if isinstance(tree.body, ast.Tuple):
        inside = ast.parse(f"[{text.strip()}]", mode="eval").body.elts
        if len(inside) != 1 or not isinstance(inside[0], ast.Tuple):
            return {"refused": "a tuple without parentheses"}
    if is_refused(tree):
        return {"refused": "what conditions have not"}
    functions = {**{each.__name__: each for each in FUNCTIONS}, "range": bounded_range, "set": Set}
    functions["map"] = lambda function, *lists: map(shown_by(function), *lists)
    functions["filter"] = lambda function, items: filter(shown_by(function), items)
    for each in (sorted, sum, any, all, len, min, max):
        functions[each.__name__] = unseen(each)
    nothing = {each.id: None for each in ast.walk(tree) if isinstance(each, ast.Name) and each.id not in functions}
    names = {"__builtins__": functions, **nothing, **HELP, **variables}
    try:
        code = compile(ast.fix_missing_locations(Adapt().visit(tree)), "<condition>", "eval")
    except (SyntaxError, ValueError) as problem:
        return {"syntax": str(problem)}
    try:
        return {"value": plain(eval(code, names))}
    except TooMuch:
        return {"limit": True}
    except Exception as problem:  # noqa: BLE001
        return {"raises": f"{type(problem).__name__}: {problem}"}


def main():
    variables = {}
    METHODS.update(json.loads(next(sys.stdin)))
    for line in sys.stdin:
        asked = json.loads(line)
        if "variables" in asked:
            variables = asked["variables"]
            continue
        print(json.dumps(answer(asked["text"], variables)))


main()
