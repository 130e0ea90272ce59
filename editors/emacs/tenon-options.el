;;; tenon-options.el --- Options of tenon -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What a user may set by `customize', and how ghost text looks.

;;; Code:

(defgroup tenon nil
  "Ghost text that fits, from a local model."
  :group 'convenience
  :prefix "tenon-")

(defcustom tenon-program "tenon"
  "The program of the language server."
  :type 'string
  :risky t)

(defcustom tenon-arguments '("--stdio")
  "Arguments of `tenon-program' with which it serves on standard input."
  :type '(repeat string)
  :risky t)

(defcustom tenon-initialization-options nil
  "Settings of the server, a plist such as (:maxTokens 48).
They hold from the next start of the server on."
  :type 'plist
  :risky t)

(defcustom tenon-automatic t
  "Non-nil: suggest while typing.  Nil: only when `tenon-complete' asks."
  :type 'boolean)

(defcustom tenon-idle-delay 0.12
  "So many seconds typing must rest before a suggestion is asked for."
  :type 'number)

(defcustom tenon-languages
  '((c-mode . "c") (c-ts-mode . "c") (c++-mode . "cpp") (c++-ts-mode . "cpp")
    (csharp-mode . "csharp") (csharp-ts-mode . "csharp")
    (scss-mode . nil) (less-css-mode . nil) (css-mode . "css") (css-ts-mode . "css")
    (go-mode . "go") (go-ts-mode . "go")
    (html-mode . "html") (mhtml-mode . "html") (html-ts-mode . "html")
    (java-mode . "java") (java-ts-mode . "java")
    (json-mode . "json") (js-json-mode . "json") (json-ts-mode . "json")
    (typescript-mode . "typescript") (typescript-ts-mode . "typescript")
    (tsx-ts-mode . "typescriptreact")
    (js-jsx-mode . "javascriptreact") (js-mode . "javascript")
    (js2-mode . "javascript") (js-ts-mode . "javascript")
    (lua-mode . "lua") (lua-ts-mode . "lua")
    (gfm-mode . "markdown") (markdown-mode . "markdown")
    (php-mode . "php") (php-ts-mode . "php")
    (python-mode . "python") (python-ts-mode . "python")
    (ruby-mode . "ruby") (ruby-ts-mode . "ruby")
    (rust-mode . "rust") (rust-ts-mode . "rust") (rustic-mode . "rust")
    (sh-mode . "shellscript") (bash-ts-mode . "shellscript")
    (sql-mode . "sql") (conf-toml-mode . "toml") (toml-ts-mode . "toml")
    (yaml-mode . "yaml") (yaml-ts-mode . "yaml"))
  "Major modes with the server's name of their language, nil for none.
A mode counts for those that are derived from it; the first that fits counts."
  :type '(alist :key-type symbol :value-type (choice string (const nil))))

(defface tenon-ghost '((t :inherit shadow))
  "Face of a suggestion.")

(provide 'tenon-options)
;;; tenon-options.el ends here
