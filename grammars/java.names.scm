; What Java asks of names: constructors have that of their class (JLS 8.8), and a scope declares a variable once (6.4).
; Methods may share a name. `languages.json` names this file; docs/grammars.md, "Rules for names".
;
;   class A {
;     B() {}            <- an error: neither a method nor A's constructor
;     void f(int c) {
;       int c = 1;      <- an error, though each line is fine

[(program) (class_body) (interface_body) (enum_body) (block) (constructor_body) (for_statement) (switch_block)] @scope

; class A { A() {} }, record A(int b) { A {} }, enum A { ; A() {} }
(class_declaration name: (identifier) @same body: (class_body (constructor_declaration name: (identifier) @same)))
(record_declaration name: (identifier) @same body: (class_body (constructor_declaration name: (identifier) @same)))
(record_declaration name: (identifier) @same body: (class_body (compact_constructor_declaration name: (identifier) @same)))
(enum_declaration name: (identifier) @same
  body: (enum_body (enum_body_declarations (constructor_declaration name: (identifier) @same))))

; class A {} class A {}; int a, b; and in an interface, int A = 1; enum B { A }
(program [(class_declaration name: (_) @once) (interface_declaration name: (_) @once) (enum_declaration name: (_) @once)
  (record_declaration name: (_) @once)])
(field_declaration declarator: (variable_declarator name: (identifier) @once))
(constant_declaration declarator: (variable_declarator name: (identifier) @once))
(enum_constant name: (identifier) @once)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @once))

; void f(int a, int... b) { int a; }, A(int a) { int a; }, (a, b) -> { int a; }, catch (B a) { int a; }
(_ parameters: (formal_parameters (formal_parameter name: (identifier) @once)) body: (_) @in)
(_ parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @once))) body: (_) @in)
(lambda_expression parameters: (inferred_parameters (identifier) @once) body: (block) @in)
(lambda_expression parameters: (identifier) @once body: (block) @in)
(catch_clause (catch_formal_parameter name: (identifier) @once) body: (block) @in)
(enhanced_for_statement name: (identifier) @once body: (block) @in)
