;;; tenon-text.el --- The texts that tenon's server has -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A text is given to the server as a whole once.  After that each change is told
;; as a range: the hooks before and after a change note it, and `tenon--flush'
;; tells what was noted, before the next question.  Example: `x' is typed and
;; deleted again, and the server is told two changes at once.
;;
;; Where the hooks do not fit together, since other code had switched them off,
;; the whole text is told anew.  `buffer-chars-modified-tick' finds such changes.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'url-util)
(require 'tenon-options)
(require 'tenon-server)

(defvar tenon--languages-off nil "Languages that are switched off.")
(defvar-local tenon--uri nil "The name under which the server has the text.")
(defvar-local tenon--version 0 "The version of the text that the server has.")

(defvar-local tenon--changes nil
  "Changes that the server has not been told, newest first.
The symbol `all': the whole text has to be told.")

(defvar-local tenon--began nil "The change under way: (BEGIN END RANGE).")

(defvar-local tenon--tick nil
  "`buffer-chars-modified-tick' of the text that is accounted for.")

(defvar-local tenon--known-line nil
  "A line's beginning and its number from 0; nothing before it has changed.")

;; As a regular expression it takes Emacs ten milliseconds to compile, whenever
;; others have pushed it from the cache; as an argument of `skip-chars-forward' one
;; and a half in text of ASCII alone, and next to nothing in other text.
(defconst tenon--unicode "\0-\ud7ff\ue000-\U0010ffff"
  "Characters of Emacs that JSON can hold: all but raw bytes and surrogates.")

(defun tenon--text (begin end)
  "Return the text between BEGIN and END for JSON.
Each character that JSON cannot hold becomes U+FFFD."
  (save-restriction
    (widen)
    (if (and enable-multibyte-characters
             (= (- end begin) (- (position-bytes end) (position-bytes begin))))
        (buffer-substring-no-properties begin end)
      (save-excursion
        (goto-char begin)
        (let ((known (if enable-multibyte-characters tenon--unicode "\0-\177"))
              pieces)
          (while (< (point) end)
            (let ((from (point)))
              (skip-chars-forward known end)
              (push (buffer-substring-no-properties from (point)) pieces)
              (when (< (point) end)
                (push "\uFFFD" pieces)
                (forward-char))))
          (mapconcat #'identity (nreverse pieces) ""))))))

(defun tenon--position (position)
  "Return the LSP position of buffer POSITION, in characters."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char position)
      (let* ((inhibit-field-text-motion t)
             (begin (line-beginning-position))
             (known (or tenon--known-line (cons (point-min) 0)))
             (lines (if (>= begin (car known))
                        (+ (cdr known) (count-lines (car known) begin))
                      (- (cdr known) (count-lines begin (car known))))))
        (setq tenon--known-line (cons begin lines))
        (list :line lines :character (- position begin))))))

(defun tenon--before-change (begin end)
  "Remember where the text between BEGIN and END lies that will be edited."
  (when tenon--uri
    (if (and tenon--tick (/= tenon--tick (buffer-chars-modified-tick)))
        (setq tenon--changes 'all tenon--began nil)
      ;; The later place first: the line that is remembered lies before the change.
      (let ((after (tenon--position end)))
        (setq tenon--began
              (list begin end (list :start (tenon--position begin) :end after)))))))

(defun tenon--after-change (begin end length)
  "Note that LENGTH characters at BEGIN became those up to END."
  (when tenon--uri
    (setq tenon--tick (buffer-chars-modified-tick))
    (unless (eq tenon--changes 'all)
      (if (and tenon--began (= begin (nth 0 tenon--began))
               (= length (- (nth 1 tenon--began) begin)))
          (push (list :range (nth 2 tenon--began) :text (tenon--text begin end))
                tenon--changes)
        ;; The hooks do not fit together: what changed is not known.
        (setq tenon--changes 'all)))
    (setq tenon--began nil)))

(defun tenon--whole-text ()
  "Return the text of the buffer."
  (save-restriction
    (widen)
    (tenon--text (point-min) (point-max))))

(defun tenon--flush ()
  "Tell the server what has changed."
  (when tenon--uri
    (when (and tenon--tick (/= tenon--tick (buffer-chars-modified-tick)))
      (setq tenon--changes 'all))
    (when tenon--changes
      (when (eq tenon--changes 'all) (setq tenon--known-line nil))
      (jsonrpc-notify
       tenon--connection :textDocument/didChange
       (list :textDocument (list :uri tenon--uri :version (cl-incf tenon--version))
             :contentChanges (if (eq tenon--changes 'all)
                                 (vector (list :text (tenon--whole-text)))
                               (vconcat (reverse tenon--changes)))))
      (setq tenon--changes nil tenon--tick (buffer-chars-modified-tick)))))

(defun tenon--language ()
  "Return the server's name of the buffer's language, or nil."
  (let ((language (cdr (cl-find-if (lambda (entry) (derived-mode-p (car entry)))
                                   tenon-languages))))
    ;; Before Emacs 29 JSON has the mode of JavaScript.
    (if (and (equal language "javascript") buffer-file-name
             (equal (file-name-extension buffer-file-name) "json"))
        "json"
      language)))

(defun tenon--open ()
  "Give the text to the server, where there is one and the language is on."
  (when (and tenon--ready (not tenon--uri) (tenon--language)
             (not (member (tenon--language) tenon--languages-off)))
    (setq tenon--uri (if buffer-file-name
                         (concat "file://" (url-hexify-string
                                            (expand-file-name buffer-file-name)
                                            (cons ?/ url-unreserved-chars)))
                       (concat "untitled:" (url-hexify-string (buffer-name))))
          tenon--version 0 tenon--changes nil tenon--began nil tenon--known-line nil
          tenon--tick (buffer-chars-modified-tick))
    (jsonrpc-notify tenon--connection :textDocument/didOpen
                    (list :textDocument (list :uri tenon--uri :version 0
                                              :languageId (tenon--language)
                                              :text (tenon--whole-text))))))

(defun tenon--open-all (&rest _)
  "Give all texts to the server, which has become ready."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p tenon-mode) (tenon--open)))))

(defun tenon--forget-all ()
  "Note that no server has any text."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer (setq tenon--uri nil))))

(add-hook 'tenon--ready-functions #'tenon--open-all)
(add-hook 'tenon--gone-hook #'tenon--forget-all)

(defun tenon--close ()
  "Let the server forget the text."
  (when (and tenon--uri tenon--connection)
    (jsonrpc-notify tenon--connection :textDocument/didClose
                    (list :textDocument (list :uri tenon--uri))))
  (setq tenon--uri nil))

(defun tenon--reopen ()
  "Give the text to the server under its new name."
  (tenon--close)
  (tenon--open))

(provide 'tenon-text)
;;; tenon-text.el ends here
