; The functions of an object have its name before theirs.
(variable_declarator
  name: (identifier) @scope.name
  value: (object)) @scope.def
