; The functions of an object have its name before theirs.
(variable_declarator
  name: (identifier) @scope.name
  value: (object)) @scope.def

(variable_declarator
  name: (identifier) @scope.name
  value: [
    (as_expression (object))
    (satisfies_expression (object))
  ]) @scope.def

(internal_module
  name: (_) @scope.name) @scope.def

(module
  name: (_) @scope.name) @scope.def
