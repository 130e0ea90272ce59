; The names that a scope of JavaScript or TypeScript may declare once (ECMAScript, "Static Semantics: Early Errors"
; of Block, ScriptBody, Module and CaseBlock). Left out is what TypeScript declares in parts: interfaces,
; namespaces, enums, and the signatures of a function. `languages.json` names this file; docs/grammars.md, "Rules for
; names".
;
;   const a = f();
;   const a = g();      <- an error, though each line is fine

[(program) (statement_block) (switch_body) (for_statement) (formal_parameters)] @scope

; let a = 1; const [b, c] = d; const { e, f: g } = h;
(lexical_declaration (variable_declarator name: (identifier) @once))
(lexical_declaration (variable_declarator name: (array_pattern (identifier) @once)))
(lexical_declaration (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @once)))
(lexical_declaration (variable_declarator name: (object_pattern (pair_pattern value: (identifier) @once))))

; class A {}; a function may be declared again in some scopes, and nobody wants that
(class_declaration name: (_) @once)
(function_declaration name: (identifier) @once)
(generator_function_declaration name: (identifier) @once)

; export default a; export default b;
(export_statement "default" @once)

; import a, { b, c as d } from "e"; import * as f from "g";
(import_clause (identifier) @once)
(import_specifier name: (identifier) @once !alias)
(import_specifier alias: (identifier) @once)
(namespace_import (identifier) @once)

; var a; var a;
(variable_declaration (variable_declarator name: (identifier) @again))

; function f(a, b = c, ...a); a script without strict mode takes it, and nobody wants it
(formal_parameters (_) @once)
(formal_parameters (_ . (identifier) @once))
(formal_parameters (_ (rest_pattern (identifier) @once)))
(formal_parameters (_ (shorthand_property_identifier_pattern) @once))
(formal_parameters (_ (object_pattern (shorthand_property_identifier_pattern) @once)))

; function f(a, b = c, ...d) { let a; }, and in TypeScript (a: T, b?: U). A name that stands alone is its parameter's whole
; text, or its first node.
(_ parameters: (formal_parameters (_) @again) body: (statement_block) @in)
(_ parameters: (formal_parameters (_ . (identifier) @again)) body: (statement_block) @in)
(_ parameters: (formal_parameters (_ (shorthand_property_identifier_pattern) @again)) body: (statement_block) @in)
(_ parameters: (formal_parameters (_ (object_pattern (shorthand_property_identifier_pattern) @again))) body: (statement_block) @in)
(_ parameters: (formal_parameters (_ (rest_pattern (identifier) @again))) body: (statement_block) @in)
(arrow_function parameter: (identifier) @again body: (statement_block) @in)

; try { } catch (a) { let a; }
(catch_clause parameter: (identifier) @again body: (statement_block) @in)
