(class_declaration name: (identifier) @class.name body: (_) @class.body) @class.def
(interface_declaration name: (identifier) @class.name body: (_) @class.body) @class.def
(enum_declaration name: (identifier) @class.name body: (_) @class.body) @class.def
(record_declaration name: (identifier) @class.name body: (_) @class.body) @class.def
(annotation_type_declaration name: (identifier) @class.name body: (_) @class.body) @class.def
