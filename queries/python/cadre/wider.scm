; Decorators belong to what they decorate.
(decorated_definition
  definition: (_) @wider.inner) @wider.def
