;;; tenon-list.el --- Suggestions in a completion list -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `tenon-completion-at-point' offers the server's text in the list of Emacs, company
;; or corfu.  `tenon-eglot-register' lets eglot run the server in place of this
;; package.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)
(require 'tenon-options)
(require 'tenon-server)
(require 'tenon-suggestion)
(require 'tenon-text)

(defvar eglot-server-programs)

(defun tenon--list-item ()
  "Return the server's item for a completion list here, or nil."
  (tenon--flush)
  (let ((answer (ignore-errors
                  (jsonrpc-request tenon--connection :textDocument/completion
                                   (list :textDocument (list :uri tenon--uri)
                                         :position (tenon--position (point))
                                         :context '(:triggerKind 1))
                                   :timeout 2 :cancel-on-input non-essential))))
    (and (listp answer)
         (let ((items (plist-get answer :items)))
           (and (> (length items) 0) (aref items 0))))))

;;;###autoload
(defun tenon-completion-at-point ()
  "Complete at point by the server, for `completion-at-point-functions'.
The list shows the first line; accepting it inserts all of it."
  (when (and tenon--ready tenon--uri)
    (when-let* ((item (tenon--list-item))
                (edit (plist-get item :textEdit))
                (range (plist-get edit :range)))
      (let* ((begin (tenon--column-position (plist-get range :start)))
             (covered (- (tenon--column-position (plist-get range :end)) (point)))
             (text (plist-get edit :newText))
             (typed (buffer-substring-no-properties begin (point)))
             (label (car (split-string text "\n")))
             (missing (tenon--missing item)))
        (when (and (string-prefix-p typed label) (> (length text) (length typed)))
          (list begin (point)
                (list (if (string= label typed) text label))
                :exclusive 'no
                :annotation-function (lambda (_) " tenon")
                :exit-function
                (lambda (_chosen status)
                  (when (memq status '(finished sole exact))
                    (delete-region begin (+ (point) covered))
                    (insert text)
                    (tenon--write-missing missing)))))))))

;;;###autoload
(defun tenon-eglot-register ()
  "Let eglot run tenon for its languages, in place of their other servers.
Then `completion-at-point' offers what it has, and `tenon-mode' is not needed."
  (interactive)
  (require 'eglot)
  ;; An entry a language: eglot 1.9 gives all texts of a server one language.
  (dolist (language (delete-dups (delq nil (mapcar #'cdr tenon-languages))))
    (let (modes)
      (dolist (entry tenon-languages)
        (when (equal (cdr entry) language)
          (push (list (car entry) :language-id language) modes)))
      (add-to-list 'eglot-server-programs
                   (cons (nreverse modes) (cons tenon-program tenon-arguments))))))

(provide 'tenon-list)
;;; tenon-list.el ends here
