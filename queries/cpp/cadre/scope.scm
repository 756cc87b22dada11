(namespace_definition
  name: (_) @scope.name
  body: (declaration_list)) @scope.def
