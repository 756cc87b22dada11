(mod_item
  name: (identifier) @scope.name
  body: (declaration_list)) @scope.def

; The functions of an impl block are methods of its type.
(impl_item
  type: (_) @owner.name
  body: (declaration_list) @owner.body) @owner.def
