;;; tenon.el --- Ghost text that fits, from a local model -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; Author: The tenon authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: convenience, languages, tools

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; tenon is a language server that completes code at the cursor with a local
;; model.  What it offers fits: the text left of the cursor, the suggestion and
;; the text right of the cursor parse together.
;;
;;     (setq tenon-program "/path/to/tenon")
;;     (global-tenon-mode)
;;
;; The package has a connection of its own, so pyright, gopls and others go on
;; in eglot or lsp-mode.  While a suggestion is on the screen TAB accepts it,
;; M-<right> its next word, C-M-<right> its next line; M-n and M-p show
;; another one, C-g dismisses it.  Without a suggestion all of these do what
;; they always do.  C-c \ asks for one at once.
;;
;; The server is told where the cursor rests and reads the text there before the
;; first key, unless `tenon-initialization-options' has (:workAhead :json-false).
;;
;; `tenon-completion-at-point' offers the same text in a completion list.
;; `tenon-eglot-register' lets eglot run tenon instead.

;;; Code:

;; `load' with the path of this file finds the others, which lie beside it.
(eval-and-compile
  (add-to-list 'load-path (directory-file-name
                           (file-name-directory
                            (or load-file-name (bound-and-true-p byte-compile-current-file)
                                buffer-file-name)))))

(require 'subr-x)
(require 'tenon-commands)
(require 'tenon-list)
(require 'tenon-options)
(require 'tenon-question)
(require 'tenon-server)
(require 'tenon-suggestion)
(require 'tenon-text)

(defun tenon--if-visible (command)
  "Return a binding of COMMAND for the time that a suggestion is shown."
  `(menu-item "" ,command :filter ,(lambda (bound) (and (tenon-visible-p) bound))))

(defvar tenon-mode-map
  (let ((map (make-sparse-keymap)))
    (dolist (binding '(("TAB" . tenon-accept) ("<tab>" . tenon-accept)
                       ("M-<right>" . tenon-accept-word) ("C-M-<right>" . tenon-accept-line)
                       ("M-n" . tenon-next) ("M-p" . tenon-previous) ("C-g" . tenon-dismiss)))
      (define-key map (kbd (car binding)) (tenon--if-visible (cdr binding))))
    (define-key map (kbd "C-c \\") #'tenon-complete)
    map)
  "Keymap of `tenon-mode'.
All but the last act on a suggestion, and are free where there is none.")

(defun tenon--lighter ()
  "Return the words of the mode line for the server and this buffer."
  (let ((state (plist-get tenon--state :state))
        (reason (plist-get tenon--state :reason)))
    (propertize
     (cond ((member (tenon--language) tenon--languages-off) " tenon:off")
           ((equal state "ready") " tenon")
           ((equal state "busy") " tenon…")
           ((and (equal state "loading") (string-match "[0-9]+ ?%" reason))
            (concat " tenon:" (match-string 0 reason)))
           (t (concat " tenon:" state)))
     'help-echo (tenon--reason))))

;;;###autoload
(define-minor-mode tenon-mode
  "Suggest completions that fit as ghost text."
  :lighter (:eval (tenon--lighter))
  (cond
   (tenon-mode
    (add-hook 'before-change-functions #'tenon--before-change nil t)
    (add-hook 'after-change-functions #'tenon--after-change nil t)
    (add-hook 'post-command-hook #'tenon--post-command nil t)
    (add-hook 'kill-buffer-hook #'tenon--close nil t)
    (add-hook 'change-major-mode-hook #'tenon--leave nil t)
    (add-hook 'after-set-visited-file-name-hook #'tenon--reopen nil t)
    (add-hook 'after-revert-hook #'tenon--reopen nil t)
    (setq tenon--seen (list (buffer-chars-modified-tick) (point)))
    (tenon--start)
    (tenon--open))
   (t
    (tenon-dismiss)
    (tenon--close)
    (remove-hook 'before-change-functions #'tenon--before-change t)
    (remove-hook 'after-change-functions #'tenon--after-change t)
    (remove-hook 'post-command-hook #'tenon--post-command t)
    (remove-hook 'kill-buffer-hook #'tenon--close t)
    (remove-hook 'change-major-mode-hook #'tenon--leave t)
    (remove-hook 'after-set-visited-file-name-hook #'tenon--reopen t)
    (remove-hook 'after-revert-hook #'tenon--reopen t))))

(defun tenon--leave ()
  "Take the suggestion away and close the text, before another mode."
  (tenon-dismiss)
  (tenon--close))

(defun tenon--turn-on ()
  "Turn `tenon-mode' on where a file of a known language is edited."
  (when (and buffer-file-name (tenon--language)) (tenon-mode)))

;;;###autoload
(define-globalized-minor-mode global-tenon-mode tenon-mode tenon--turn-on
  :group 'tenon)

(provide 'tenon)
;;; tenon.el ends here
