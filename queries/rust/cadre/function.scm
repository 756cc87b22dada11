(function_item
  name: [(identifier) (metavariable)] @function.name
  body: (block) @function.body) @function.def

; Methods that a trait asks for.
(function_signature_item
  name: [(identifier) (metavariable)] @function.name) @function.def
