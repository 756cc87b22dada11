(method_declaration name: (identifier) @function.name) @function.def
(method_declaration name: (identifier) @function.name body: (block) @function.body) @function.def
(constructor_declaration name: (identifier) @function.name body: (_) @function.body) @function.def
(compact_constructor_declaration name: (identifier) @function.name body: (_) @function.body) @function.def
(annotation_type_element_declaration name: (identifier) @function.name) @function.def
