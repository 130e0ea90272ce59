;;; tenon-rest.el --- Where the cursor rests -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The server is told a place where the cursor rests, and reads the text there
;; ahead.  Each place is told once.  A server that does not read ahead does not
;; announce it, and then no timer runs.

;;; Code:

(require 'jsonrpc)
(require 'tenon-server)
(require 'tenon-text)

(defconst tenon--rest-seconds 0.3
  "So many seconds the cursor must rest before its place is told.")

(defvar tenon--rest-timer nil
  "Tells the server where the cursor rests; nil where it does not read ahead.")

(defvar tenon--told nil
  "The place that was told last, or typed at: (URI TICK POINT).")

(defun tenon--unwatch-rest ()
  "Tell the cursor's place to nobody from now on."
  (when tenon--rest-timer (cancel-timer tenon--rest-timer))
  (setq tenon--told nil tenon--rest-timer nil))

(defun tenon--watch-rest (result)
  "Tell the cursor's place from now on where RESULT of `initialize' asks for it."
  (tenon--unwatch-rest)
  (let ((experimental (plist-get (plist-get result :capabilities) :experimental)))
    (when (eq t (plist-get (plist-get experimental :tenon) :cursor))
      (setq tenon--rest-timer
            (run-with-idle-timer tenon--rest-seconds t #'tenon--tell-rest)))))

(add-hook 'tenon--ready-functions #'tenon--watch-rest)
(add-hook 'tenon--gone-hook #'tenon--unwatch-rest)

(defun tenon--tell-rest ()
  "Tell the server the cursor's place, once, where nobody has typed at it."
  (with-current-buffer (window-buffer)
    (when (and tenon--uri (bound-and-true-p tenon-mode))
      (let ((place (list tenon--uri (buffer-chars-modified-tick) (point))))
        (unless (or (equal place tenon--told) (use-region-p) (not (frame-focus-state)))
          (setq tenon--told place)
          (tenon--flush)
          (jsonrpc-notify tenon--connection :tenon/didMoveCursor
                          (list :textDocument (list :uri tenon--uri)
                                :position (tenon--position (point)))))))))

(provide 'tenon-rest)
;;; tenon-rest.el ends here
